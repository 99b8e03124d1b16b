// The form of an export's lines: which names each has, and what kind of value stands behind them. What an event means, others look into.

import { canonical } from "./text.mjs";

const VIA = ["link", "reply", "web", "api", "jws", "bot", "clock", "caretaker", "server"];

const text = (value) => typeof value === "string";
const piece = (value) => text(value) && /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]{1,128}$/u.test(value); // one line: a line break follows each in the mix
const whole = (value) => Number.isSafeInteger(value);
const yes = (value) => typeof value === "boolean";
const object = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const one = (...of) => (value) => of.includes(value);
const list = (each) => (value) => Array.isArray(value) && value.every(each);
const mapped = (each) => (value) => object(value) && Object.values(value).every(each);
const maybe = (kind) => Object.assign((value) => kind(value), { optional: true });
const shape = (names) => (value) =>
  object(value) &&
  Object.keys(value).every((name) => Object.hasOwn(names, name)) &&
  Object.entries(names).every(([name, kind]) => (Object.hasOwn(value, name) ? kind(value[name]) : kind.optional));
const moment = (value) => text(value) && /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value;

const DATA = {
  "match.created.1": { game: text, edition: whole, options: object, settings: object, seats: list(text), commitment: text, invited: maybe(mapped(text)), components: maybe(text) },
  "seat.taken.1": { seat: text, player: text, bot: maybe(text), entropy: maybe(piece) },
  "seat.left.1": { seat: text },
  "match.started.1": {},
  "match.aborted.1": { reason: text },
  "action.taken.1": { action: object, text, forced: yes, timeout: maybe(yes), nonce: maybe(piece), jws: maybe(text) },
  "chance.drawn.1": { kind: text, outcome: object, text, index: whole },
  "turn.taken-back.1": { to_ply: whole },
  "offer.made.1": { offer: whole, kind: one("end", "take-back", "pause"), seconds: maybe(whole) },
  "offer.answered.1": { offer: whole, answer: one("accept", "decline") },
  "offer.lapsed.1": { offer: whole },
  "clock.changed.1": { paused_until: text, since: maybe(text) },
  "seat.vacated.1": { seat: text, reason: one("resignation", "timeout") },
  "match.finished.1": { outcome: object },
  "seed.revealed.1": { seed: text },
};
const BY = { kind: one("seat", "player", "nature", "clock", "server"), seat: maybe(text), player: maybe(text), via: maybe(one(...VIA)) };
const EVENT = shape({ at: moment, by: shape(BY), data: object, hash: text, match: text, ply: whole, prev: text, schema: whole, type: text, version: whole });
const HEADER = shape({
  components: maybe(text),
  edition: whole,
  forgepost: one("history"),
  format: one(1),
  game: text,
  keys: list((key) => mapped(text)(key) && Object.keys(key).every((name) => /^[a-z0-9_#]+$/.test(name))),
  match: text,
  server: text,
});
const TRAILER = shape({ forgepost: one("head"), hash: text, header: text, match: text, seal: maybe(text), signature: maybe(text), version: whole });

// What a line says, if it is canonical JSON of this shape; else null
function read(line, fits) {
  try {
    const said = JSON.parse(line);
    return fits(said) && canonical(said) === line ? said : null;
  } catch {
    return null;
  }
}

export const header = (line) => read(line, HEADER);
export const trailer = (line) => read(line, TRAILER);
export const event = (line) => read(line, EVENT);

// What is wrong with what an event says; empty where it is an event of a type that is known here
export function complaint({ type, schema, version, data }) {
  const kind = `${type}.${schema}`;
  if (!Object.hasOwn(DATA, kind)) return `version ${version} is of the type ${kind}, which is not known here: check it where it is known`;
  return shape(DATA[kind])(data) ? "" : `version ${version} does not say what an event of its type (${kind}) says`;
}
