// A kiosk is for the next one: what somebody left there, said or unsaid, goes after a while.

const AFTER = 45000;
const form = document.getElementById("kiosk-form");
const fields = [...form.elements].filter((field) => field.matches("input:not([type=hidden])"));

let timer = 0;

/** By hand, for a form that was refused is drawn with what was typed, and would be reset to it. */
function clear() {
  for (const message of document.querySelectorAll(".messages")) message.remove();
  for (const field of fields) {
    if (field.type === "checkbox") field.checked = false;
    else if (field.type !== "radio") field.value = "";
  }
  const games = document.querySelectorAll("#kiosk-games input");
  for (const game of games) game.checked = games.length === 1;
  for (const details of form.querySelectorAll("details")) details.open = false;
  document.getElementById("kiosk-who").focus();
}

function again() {
  clearTimeout(timer);
  timer = setTimeout(clear, AFTER);
}

for (const name of ["input", "pointerdown", "keydown"]) document.addEventListener(name, again);
again();
