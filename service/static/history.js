// The slider shows a position while it is moved; without this script its button does, and every version has an address of its own.

const shown = () => document.getElementById("position");
let asked = 0;

async function show(address) {
  const turn = ++asked;
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  if (!answer.ok || turn !== asked) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const next = page.getElementById("position");
  if (!next || turn !== asked) return;
  const open = document.getElementById("evidence").open;
  const held = document.activeElement?.id;
  shown().replaceChildren(...next.childNodes);
  document.getElementById("evidence").open = open;
  prepare();
  if (held === "slider") document.getElementById("slider").focus();
  document.querySelectorAll(".log .current").forEach((row) => row.classList.remove("current"));
  document.getElementById(`v${document.getElementById("slider").value}`)?.classList.add("current");
  history.replaceState(null, "", address);
}

function prepare() {
  const slider = document.getElementById("slider");
  slider.form.classList.add("alone");
  slider.addEventListener("input", () => show(`${slider.form.getAttribute("action")}?version=${slider.value}`));
}

prepare();
