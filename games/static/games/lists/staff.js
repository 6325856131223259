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
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.elt.id === "add-name" && detail.successful) {
    const game = detail.elt.elements.offer_id.value; // the next name is mostly for the same game
    detail.elt.reset();
    detail.elt.elements.offer_id.value = game;
    document.getElementById("add-found").replaceChildren();
  }
});
