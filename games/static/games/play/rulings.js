// Rulings by name: what each point and verdict is called at the table, and which are worth stopping for. The names are
// the rulebooks' own (games/rulebooks/queries.py); the page has them as JSON.

import { gettext, language, marked } from "../../cardroom/language.js";
import { textWithCards } from "../cards.js";

let known;
const words = () => {
  known ??= JSON.parse(document.getElementById("ruling-words").textContent);
  return known;
};

/** Read the words again: the table is to play by another book, whose sentences this page was drawn without. */
export async function renew() {
  if (language === "en") return;
  const answer = await fetch(location.href).catch(() => null); // the page may be left
  const page = new DOMParser().parseFromString(answer?.ok ? await answer.text() : "", "text/html");
  const told = page.getElementById("ruling-words");
  if (told) known = JSON.parse(told.textContent);
}

const plain = (slug) => slug.replace(/[-_]/g, " ");

/** Rulings of a hand that goes as it should: written down, not called out. */
export const isRoutine = (ruling) => words().routine.includes(ruling.key);
export const nameOfKey = (key) => words().points[key] ?? plain(key).replace(/^./, (letter) => letter.toUpperCase());
export const nameOfVerdict = (verdict) => words().verdicts[verdict] ?? plain(verdict);

/** "The Gardens Casino, 12": where the rule is from. A ruling from before that was written down names its book alone. */
export const citationOf = (ruling, book) => cited(ruling.citation) || book.title;

/** What stands in a citation beside names and numbers (games/rulebooks/queries.py has the same). */
const CITED = [
  [/^By analogy with (?<what>.+)$/, marked("By analogy with {what}")],
  [/^(?<book>.+) \(changed from (?<what>.+)\)$/, marked("{book} (changed from {what})")],
  [/^(?<book>.+), as (?<what>.+)$/, marked("{book}, as {what}")],
  [/^(?<what>.+); House practice$/, marked("{what}; House practice")],
  [/^(?<book>.+) \(silent; played as (?<what>.+)\)$/, marked("{book} (silent; played as {what})")],
  [/^house practice(?<what>)$/, marked("house practice")],
  [/^House practice(?<what>)$/, marked("House practice")],
];

/** A citation with its own words in the reader's language. */
export function cited(citation) {
  for (const [form, words] of CITED) {
    const found = form.exec(citation)?.groups;
    if (found) return gettext(words, { ...found, what: cited(found.what) });
  }
  return citation;
}

/** What a ruling says in the reader's language, in the book's own words where those are not translated. */
export const wordsOf = (ruling) => words().said[ruling.words] ?? ruling.words;

/** The same, with the book's own words beside it. */
export function drawWords(ruling) {
  const drawn = document.createElement("span"), own = drawBookWords(ruling);
  drawn.append(textWithCards(wordsOf(ruling)), ...own);
  if (!own.length) drawn.lang = "en";
  return drawn;
}

/** The book's own words to stand beside their translation; nothing where there is none. */
export function drawBookWords(ruling) {
  if (wordsOf(ruling) === ruling.words) return [];
  const own = document.createElement("q");
  own.className = "book-words";
  own.lang = "en";
  own.append(textWithCards(ruling.words));
  return [" ", own];
}

/** The citation as a link to the rule itself, in a page of its own. `book`: {title, url}. */
export function drawCitation(ruling, book) {
  const cite = document.createElement("cite");
  cite.className = "ruling__rule";
  const link = document.createElement("a");
  link.href = `${book.url}#${ruling.key}`;
  link.target = "_blank";
  link.rel = "noopener";
  link.textContent = citationOf(ruling, book);
  cite.append(link);
  return cite;
}

/** "Downcard turned up: third card down". */
export const titleOf = ({ key, verdict }) =>
  nameOfKey(key).toLowerCase() === nameOfVerdict(verdict).toLowerCase()
    ? nameOfKey(key)
    : gettext("{name}: {words}", { name: nameOfKey(key), words: nameOfVerdict(verdict) });
