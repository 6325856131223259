// Rulings by name: what each point and verdict is called at the table, and which are worth stopping for. The names are
// the rulebooks' own (games/rulebooks/queries.py); the page has them as JSON.

let known;
const words = () => {
  known ??= JSON.parse(document.getElementById("ruling-words").textContent);
  return known;
};

const plain = (slug) => slug.replace(/[-_]/g, " ");

/** Rulings of a hand that goes as it should: written down, not called out. */
export const isRoutine = (ruling) => words().routine.includes(ruling.key);
export const nameOfKey = (key) => words().points[key] ?? plain(key).replace(/^./, (letter) => letter.toUpperCase());
export const nameOfVerdict = (verdict) => words().verdicts[verdict] ?? plain(verdict);

/** "The Gardens Casino, 12": where the rule is from. A ruling from before that was written down names its book alone. */
export const citationOf = (ruling, book) => ruling.citation || book.title;

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
  nameOfKey(key).toLowerCase() === nameOfVerdict(verdict).toLowerCase() ? nameOfKey(key) : `${nameOfKey(key)}: ${nameOfVerdict(verdict)}`;
