// The cage: sums up a count while it is typed, and letters for what is done all day.

import { number } from "../language.js";

function sum(count) {
  let total = 0;
  for (const piece of count.querySelectorAll("[data-worth]")) {
    total += Number(piece.dataset.worth) * (Number.parseInt(piece.value, 10) || 0);
  }
  count.querySelector("[data-sum]").textContent = number(total);
}

document.addEventListener("input", ({ target }) => {
  const count = target.closest("[data-count]");
  if (count) sum(count);
});

for (const count of document.querySelectorAll("[data-count]")) sum(count);

// Down and up, and Enter but for the last, go from piece to piece.
document.addEventListener("keydown", (event) => {
  const count = event.target.closest("[data-count]");
  if (!count || !event.target.matches("[data-worth]")) return;
  const step = { ArrowDown: 1, Enter: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const pieces = [...count.querySelectorAll("[data-worth]")];
  const next = pieces[pieces.indexOf(event.target) + step];
  if (next || event.key === "Enter") event.preventDefault();
  next?.select();
});

// Letters pick what is to be done, find, and print: outside the fields, and in the amount, where no letter belongs. No
// Alt, which browsers and systems take for themselves.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) return;
  const field = event.target.closest("input:not([type=radio], [type=checkbox]), select, textarea, [contenteditable]");
  if (field && field.id !== "amount") return;
  const wanted = document.querySelector(`[aria-keyshortcuts="${CSS.escape(event.key.toLowerCase())}"]`);
  if (!wanted) return;
  event.preventDefault();
  if (wanted.matches("input:not([type=radio])")) wanted.select();
  else wanted.click();
});
