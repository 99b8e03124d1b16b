// The page that checks histories: files are read here, in the browser, and go nowhere.

import { verify } from "./verify.mjs";

const NAMES = {
  form: "every line is in the one form that it can have",
  chain: "every event follows from the one before: nothing was changed, left out, added or moved",
  lots: "every lot is what the revealed seed gives, and the seed is the one that was committed to",
  head: "head and header are signed with a key that the file names",
};
const place = document.getElementById("check");
const reports = document.getElementById("reports");

function element(name, words, kind) {
  const made = document.createElement(name);
  made.textContent = words;
  if (kind) made.className = kind;
  return made;
}

function list(title, points) {
  const all = document.createElement("ul");
  all.append(...points.map((words) => element("li", words)));
  return points.length ? [element("h3", title), all] : [];
}

function told(file, report) {
  const section = document.createElement("section");
  const sound = !report.flaws.length;
  section.className = sound ? "notice notice-yes" : "notice notice-no";
  section.append(
    element("h2", sound ? "It holds" : "It does NOT hold"),
    element("p", `${file}: match ${report.match || "(unknown)"}${report.game && `, ${report.game}`}, ${report.version} events`, "faint"),
    ...list("What is wrong", report.flaws.slice(0, 10).map((flaw) => flaw.words)),
    ...(sound ? list("What was checked", report.holds.map((check) => NAMES[check])) : []),
    ...list("What was not", report.unchecked),
  );
  if (sound) section.append(element("p", `Version ${report.version} has the hash`, "faint"), element("code", report.hash, "hash"));
  return section;
}

place.hidden = false;
document.getElementById("unscripted").hidden = true;
if (!globalThis.crypto?.subtle) {
  reports.append(element("p", "This browser gives no cryptography to pages that came without https: open this page over https, or use the command.", "notice"));
}
const chooser = document.getElementById("file");
chooser.addEventListener("click", () => (chooser.value = "")); // so that a file that was changed meanwhile can be chosen again
chooser.addEventListener("change", () => check(chooser.files));
if (chooser.files.length) check(chooser.files); // chosen before this script had come

async function check(files) {
  reports.replaceChildren(element("p", "Checking …"));
  const found = [];
  for (const file of files) {
    for await (const report of verify(await file.arrayBuffer())) found.push(told(file.name, report));
  }
  reports.replaceChildren(...found);
}
