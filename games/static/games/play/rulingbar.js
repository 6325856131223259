// A ruling, where every player sees it: the sentence and its rule, until it is put away or a later street is dealt. The
// same ruling is told in full once a session; after that it is a mark in the bar of the table, which shows it again.

import { gettext } from "../../cardroom/language.js";
import { drawCitation, drawWords, titleOf } from "./rulings.js";

/** What this tab has told in full: rulings by their signs. */
const TOLD = "rulings-told";
const signOf = ({ key, verdict }) => `${key}:${verdict}`;

function toldBefore() {
  try {
    return new Set(JSON.parse(sessionStorage.getItem(TOLD) ?? "[]"));
  } catch {
    return new Set(); // a browser that keeps nothing is told each time
  }
}

function keep(signs) {
  try {
    sessionStorage.setItem(TOLD, JSON.stringify([...signs]));
  } catch {
    // As above.
  }
}

/** `part`: {ruling, rulingList, rulingDone, rulingMark} of the page. */
export function connectRulings(part, { bookOf }) {
  let drawn = "";
  let told = toldBefore();
  let isFolded = false;
  let dismissed = 0;
  let newest = 0;
  part.rulingDone.addEventListener("click", () => {
    dismissed = newest;
    show(0);
  });

  part.rulingMark.addEventListener("click", () => {
    isFolded = false;
    show(1);
    part.rulingDone.focus({ preventScroll: true });
  });

  function show(count) {
    part.ruling.hidden = !count || isFolded;
    part.rulingMark.hidden = !count || !isFolded;
  }

  function draw(rulings) {
    const open = rulings.filter(({ seq }) => seq > dismissed);
    const key = open.map(({ seq, ruling }) => `${seq}:${ruling.key}`).join();
    if (key === drawn) return show(open.length);
    drawn = key;
    newest = open.at(-1)?.seq ?? newest;
    part.rulingList.replaceChildren(...open.map(({ ruling }) => written(ruling, bookOf())));
    isFolded = open.every(({ ruling }) => told.has(signOf(ruling)));
    const title = open.map(({ ruling }) => titleOf(ruling)).join(" · ");
    part.rulingMark.title = title;
    part.rulingMark.setAttribute("aria-label", gettext("Ruling: {text}", { text: title }));
    told = new Set([...told, ...open.map(({ ruling }) => signOf(ruling))]);
    keep(told);
    return show(open.length);
  }
  return {
    draw,
    forget: () => {
      dismissed = newest = 0;
      drawn = "";
    },
  };
}

function written(ruling, book) {
  const item = document.createElement("li");
  item.dataset.key = ruling.key;
  item.dataset.verdict = ruling.verdict;
  const title = document.createElement("strong");
  title.className = "ruling__title";
  title.textContent = titleOf(ruling);
  item.append(title, " ", drawWords(ruling), " ", drawCitation(ruling, book));
  return item;
}
