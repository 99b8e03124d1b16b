// A second verifier, independent of the first: form, chain, head, commitment and draws of exported matches, with Web Crypto and nothing else.
// It shares no code with `forgepost history verify`, which also replays the rules. Runs in browsers, and in Node 20 or later:
//   node verify.mjs FILE…

import * as form from "./form.mjs";
import { drawAgain } from "./lots.mjs";
import { bytes, canonical, decoded, joined, plain, sha256, unhex } from "./text.mjs";

const { subtle } = globalThis.crypto;
const ENOUGH = 100; // flaws after which nobody reads on

// Signatures

async function signedBy(keys, jws, typ, payload) {
  try {
    const [head, said, signature, ...more] = jws.split(".");
    const { alg, kid } = JSON.parse(new TextDecoder().decode(decoded(head)));
    const key = keys.find((each) => each.kid === kid && each.kty === "OKP" && each.crv === "Ed25519");
    if (more.length || !key || alg !== "Ed25519") return false;
    if (head !== plain(bytes(canonical({ alg, kid, typ }))) || said !== plain(bytes(canonical(payload)))) return false;
    const known = await subtle.importKey("raw", decoded(key.x), { name: "Ed25519" }, false, ["verify"]);
    return await subtle.verify({ name: "Ed25519" }, known, decoded(signature), bytes(`${head}.${said}`));
  } catch {
    return false;
  }
}

async function ed25519() {
  try {
    await subtle.importKey("raw", decoded("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"), { name: "Ed25519" }, false, ["verify"]); // RFC 8037's key
    return true;
  } catch {
    return false;
  }
}

// One export

class Report {
  match = "";
  game = "";
  version = 0;
  hash = "";
  chances = 0;
  holds = [];
  unchecked = [];
  flaws = [];

  flaw(check, line, words) {
    if (this.flaws.length < ENOUGH) this.flaws.push({ check, line, words });
  }

  // All of it in one line, whatever line breaks and signs for terminals a file brings along
  get words() {
    return this.said().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0).toString(16)}}`);
  }

  said() {
    const name = `match ${this.match || "(unknown)"}${this.game && ` (${this.game})`}`;
    const more = this.flaws.length > 1 ? ` (and ${this.flaws.length - 1} more)` : "";
    if (this.flaws.length) return `${name} does NOT hold: ${this.flaws[0].words}${more}`;
    const lots = this.holds.includes("lots") && this.chances ? `, ${this.chances} lots as the seed draws them` : "";
    const head = this.holds.includes("head") ? "; head signed" : "";
    return `${name} holds: unaltered chain of ${this.version} events${lots}${head}${this.unchecked.map((why) => `; not checked: ${why}`).join("")}`;
  }
}

export async function verifyOne(lines) {
  const report = new Report();
  const header = form.header(lines[0] ?? "");
  const trailer = form.trailer(lines.at(-1) ?? "");
  if (!header) report.flaw("form", 1, "it does not begin with the header of an export that is known here");
  if (!trailer) report.flaw("form", lines.length, "it does not end with the trailer of an export: its end was cut off");
  if (report.flaws.length) return report;
  Object.assign(report, { match: header.match, game: header.game });
  const events = await chained(lines.slice(1, -1), header, report);
  const last = events.at(-1);
  const created = events[0];
  if (!last) report.flaw("form", 2, "it holds no events");
  else if (!report.flaws.length) {
    const { game, edition } = created.data;
    if (created.type !== "match.created" || game !== header.game || edition !== header.edition || created.data.components !== header.components) {
      report.flaw("form", 1, "its header is not about what its first event creates");
    }
    const end = lines.length;
    if (trailer.match !== header.match) report.flaw("head", end, `its trailer is of another match, ${trailer.match}`);
    if (trailer.version !== last.version || trailer.hash !== last.hash) {
      report.flaw("head", end, `it ends with version ${last.version}, and its trailer names version ${trailer.version} or another hash`);
    }
    if (trailer.header !== (await sha256(bytes(lines[0])))) report.flaw("head", 1, "its header is not the one that its trailer names: one of the two was changed");
  }
  if (report.flaws.length) return report;
  report.holds.push("form", "chain");
  await heads(header, trailer, report);
  await lots(events, created, last, report);
  report.unchecked.push("that every action was by the rules, which “forgepost history verify” replays");
  return report;
}

async function chained(lines, header, report) {
  const events = [];
  let prev = "0".repeat(64);
  for (const [place, line] of lines.entries()) {
    const event = form.event(line);
    const at = place + 2;
    if (report.flaws.length >= ENOUGH) break;
    if (!event) {
      report.flaw("form", at, `line ${at} is no event in canonical form`);
      continue;
    }
    const { version, match, type, schema, hash } = event;
    const body = canonical({ at: event.at, by: event.by, data: event.data, ply: event.ply });
    let made = "";
    try {
      made = await sha256(joined(bytes("forgepost-event-v1\n"), unhex(event.prev), bytes(`${match}\n${type}.${schema}\n${body}`)));
    } catch {
      // it follows no hash, so none can follow from it
    }
    if (made !== hash) report.flaw("chain", at, `version ${version} was changed: its hash does not follow from what it says`);
    if (match !== header.match) report.flaw("chain", at, `version ${version} is of another match, ${match}`);
    if (version !== (events.at(-1)?.version ?? 0) + 1) report.flaw("chain", at, `version ${version} stands where another belongs: something is missing, repeated or moved`);
    else if (event.prev !== prev) report.flaw("chain", at, `version ${version} follows another event than the one before it`);
    const wrong = form.complaint(event);
    if (wrong) report.flaw("form", at, wrong);
    prev = hash;
    events.push(event);
  }
  if (events.length) Object.assign(report, { version: events.at(-1).version, hash: events.at(-1).hash });
  return events;
}

async function heads(header, { match, version, hash, header: digest, signature, seal }, report) {
  if (signature === undefined && seal === undefined) report.unchecked.push("who wrote it, since its head is not signed");
  else if (!(await ed25519())) report.unchecked.push("its signatures, since Ed25519 is not known here");
  else if (!(await signedBy(header.keys, signature ?? "", "forgepost-head+jws", { hash, match, version }))) {
    report.flaw("head", version + 2, "its head was not signed with any of the keys in its header");
  } else if (!(await signedBy(header.keys, seal ?? "", "forgepost-export+jws", { hash, header: digest, match, version }))) {
    report.flaw("head", version + 2, "its seal is not that of this export");
  } else {
    report.holds.push("head");
    report.unchecked.push(`that its keys are those of ${header.server}`);
  }
}

async function lots(events, created, last, report) {
  if (last.type !== "seed.revealed") {
    report.unchecked.push("its lots, whose seed is revealed when the match is over");
    return;
  }
  const { seed } = last.data;
  const known = /^[0-9a-f]{64}$/.test(seed) && (await sha256(unhex(seed))) === created.data.commitment;
  if (!known) report.flaw("lots", last.version + 1, "the seed is not the one that was committed to before the first draw");
  else {
    try {
      await drawAgain(events, created, unhex(seed), report);
    } catch {
      report.flaw("lots", last.version + 1, "its lots cannot be drawn again: what was played could not have been");
    }
  }
}

// The reports on all exports in a file: each begins with its header and ends where the next begins
export async function* verify(data) {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    text = "";
  }
  const lines = text.split("\n");
  const rest = lines.pop();
  const starts = [0, ...lines.keys()].filter((at, place) => !place || (at && lines[at].includes('"forgepost":"history"')));
  for (const [place, start] of starts.entries()) {
    const report = await verifyOne(lines.slice(start, starts[place + 1]));
    if (rest && place === starts.length - 1) report.flaw("form", lines.length + 1, "its last line is not complete");
    yield report;
  }
}

async function main(files) {
  const { readFile } = await import("node:fs/promises");
  let sound = true;
  for (const file of files) {
    for await (const report of verify(await readFile(file))) {
      console.log(`${file}: ${report.words}`);
      sound &&= !report.flaws.length;
    }
  }
  process.exitCode = sound && files.length ? 0 : 1;
}

if (globalThis.process?.argv?.[1] && import.meta.url.endsWith(globalThis.process.argv[1].split("/").pop())) await main(globalThis.process.argv.slice(2));
