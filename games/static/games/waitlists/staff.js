// The lists by the keyboard: arrows go from name to name, C calls whom the first suggestion names, A adds a name.

import "../floor/times.js";

const all = document.getElementById("staff-lists");
let chosen = "";

const rows = () => [...all.querySelectorAll("[data-row]")];

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (event.key === "ArrowDown" || event.key === "ArrowUp") step(event.key === "ArrowDown" ? 1 : -1);
  else if (event.key === "c" || event.key === "C") all.querySelector("[data-call-next]")?.click();
  else if (event.key === "a" || event.key === "A") document.getElementById("add-who").focus();
  else return;
  event.preventDefault();
});

function step(by) {
  const names = rows();
  const at = names.indexOf(document.activeElement);
  names[at < 0 ? 0 : (at + by + names.length) % names.length]?.focus();
}

// The lists are drawn anew whenever something moves: the name that had the focus keeps it.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  chosen = detail.target === all && all.contains(document.activeElement) ? document.activeElement.getAttribute("href") : "";
});
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target === all && chosen) all.querySelector(`[href="${CSS.escape(chosen)}"]`)?.focus();
  if (detail.target.id === "list-panel") detail.target.focus();
});

// A name is on its way: the next one can be typed at once, and waits for it. The next is mostly for the same game.
const adding = document.getElementById("add-name");
const found = document.getElementById("add-found");
const { name: who, offer_id: game } = adding.elements;
let underWay = 0;

document.addEventListener("htmx:confirm", (event) => {
  const isSecondClick = event.detail.elt === adding && underWay > 0 && !who.value;
  if (isSecondClick) event.preventDefault();
});
document.addEventListener("htmx:beforeRequest", ({ detail: { elt, xhr } }) => {
  if (elt !== adding) return;
  const typed = [...adding.elements].filter((field) => field.name && field.type !== "hidden");
  const was = typed.map(({ value, checked }) => ({ value, checked }));
  const options = [...adding.elements.tables.options].map(({ selected }) => selected);
  underWay += 1;
  clear();
  xhr.addEventListener("loadend", () => {
    underWay -= 1;
    if (xhr.status >= 200 && xhr.status < 300 || who.value) return;
    typed.forEach((field, at) => Object.assign(field, was[at])); // refused: nothing typed is lost
    options.forEach((selected, at) => (adding.elements.tables.options[at].selected = selected));
    who.dispatchEvent(new Event("input", { bubbles: true }));
  });
});
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target === found && !who.value) event.detail.shouldSwap = false;
});

function clear() {
  const { value } = game;
  adding.reset();
  game.value = value;
  found.replaceChildren();
}
