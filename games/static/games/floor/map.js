// The map of the room by keyboard: from table to table, finding one, the panel beside it; and times that go on.

import "./times.js";

const map = document.getElementById("map");
const panel = document.getElementById("panel");
const find = document.querySelector("[data-find]");
const help = document.getElementById("map-help");
const helpButton = document.querySelector("[data-help]");
const lists = document.getElementById("map-lists");

const links = () => [...map.querySelectorAll(".mt:not(.is-hidden) .mt__link")];

// -- the table that was chosen --------------------------------------------------------------------------------------------

function mark() {
  const chosen = panel.hidden ? "" : panel.querySelector("[data-table-panel]")?.dataset.tablePanel;
  for (const table of map.querySelectorAll(".mt")) {
    table.classList.toggle("is-chosen", Boolean(chosen) && table.querySelector(".mt__link").id === `mt-${chosen}`);
  }
}

function close() {
  const chosen = panel.querySelector("[data-table-panel]")?.dataset.tablePanel;
  panel.hidden = true;
  panel.replaceChildren();
  mark();
  if (chosen) document.getElementById(`mt-${chosen}`)?.focus();
}

document.addEventListener("htmx:afterSwap", ({ detail: { target } }) => {
  if (target === panel) panel.hidden = !panel.childElementCount;
  if (target === map) filter();
  mark();
});
panel.addEventListener("click", ({ target }) => target.closest("[data-close-panel]") && close());

// -- finding -------------------------------------------------------------------------------------------------------------

function filter() {
  const wanted = find.value.trim().toLowerCase();
  for (const table of map.querySelectorAll(".mt")) {
    table.classList.toggle("is-hidden", Boolean(wanted) && !table.textContent.toLowerCase().includes(wanted));
  }
  for (const section of map.querySelectorAll(".map-section")) section.hidden = !section.querySelector(".mt:not(.is-hidden)");
}

find.addEventListener("input", filter);
find.addEventListener("change", (event) => event.stopPropagation());
find.form.addEventListener("submit", (event) => {
  event.preventDefault();
  links()[0]?.focus();
});

// -- keys ----------------------------------------------------------------------------------------------------------------

/** The nearest table in that direction, as the eye has it. */
function neighbour(from, key) {
  const here = from.closest(".mt").getBoundingClientRect();
  const isSideways = key === "ArrowLeft" || key === "ArrowRight";
  const sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  let best = null;
  let least = Infinity;
  for (const link of links()) {
    if (link === from) continue;
    const there = link.closest(".mt").getBoundingClientRect();
    const x = there.x - here.x;
    const y = there.y - here.y;
    const along = sign * (isSideways ? x : y);
    const across = Math.abs(isSideways ? y : x);
    if (along < 5 || (isSideways && across > here.height / 2)) continue;
    const far = along + across * 3;
    if (far < least) [best, least] = [link, far];
  }
  return best;
}

/** The next one where somebody calls, owes, or may be seated. */
function nextInNeed() {
  const needy = links().filter((link) => link.closest(".mt").querySelector(".badge--bad, .badge--accent"));
  if (!needy.length) return null;
  return needy[(needy.indexOf(document.activeElement) + 1) % needy.length];
}

function showHelp() {
  help.hidden = !help.hidden;
  helpButton.setAttribute("aria-expanded", String(!help.hidden));
}
helpButton.addEventListener("click", showHelp);

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    if (document.activeElement === find && find.value) {
      find.value = "";
      filter();
    } else if (!panel.hidden && !document.querySelector("dialog[open]")) close();
    return;
  }
  if (event.target.matches("input, select, textarea, [contenteditable]")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const at = document.activeElement.matches?.(".mt__link") ? document.activeElement : null;
  let to = null;
  if (key.startsWith("Arrow")) {
    if (!at && document.activeElement !== document.body) return;
    to = at ? neighbour(at, key) : links()[0];
  } else if (key === "n") to = nextInNeed();
  else if (key === "/") to = find;
  else if (key === "l") to = lists;
  else if (key === "?") showHelp();
  else return;
  event.preventDefault();
  to?.focus();
  to?.scrollIntoView({ block: "nearest" });
});

