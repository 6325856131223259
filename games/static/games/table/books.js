// Which rulebook is played here: where it is read, and a word to everybody when the next hand is played by another.

/** The page of a book. `rulesUrl`: the address of the rules, "/rules/"; a house book names its version as well. */
export function pageOf({ reference }, rulesUrl) {
  const house = /^house:([^@]+)@(.+)$/.exec(reference);
  return house ? `${rulesUrl}house/${house[1]}/${house[2]}/` : `${rulesUrl}${reference}/`;
}

export const nextInWords = ({ title }) => `From the next hand on this table plays by ${title}.`;

/** `part`: {book, nextBook} of the page, each where it has them. `log` writes down that another is to come, `toast` says it. */
export function connectBooks(part, { rulesUrl, log, toast }) {
  let told = null;
  let isFirst = true;

  function draw({ rulebook, next_rulebook: next }) {
    if (part.book) {
      part.book.href = pageOf(rulebook, rulesUrl);
      part.book.title = rulebook.title;
    }
    if (part.nextBook) {
      part.nextBook.hidden = !next;
      const link = part.nextBook.querySelector("a");
      link.textContent = next?.title ?? "";
      if (next) link.href = pageOf(next, rulesUrl);
    }
    if (next && next.reference !== told) tell(nextInWords(next));
    told = next?.reference ?? null;
    isFirst = false;
  }

  function tell(message) {
    log.note(message);
    // Who has just come finds it in the log; who was here is told.
    if (!isFirst) toast({ message, isRefusal: false });
  }

  /** The book of the hand on the table, as citations need it. */
  const played = (table) => ({ title: table.rulebook.title, url: pageOf(table.rulebook, rulesUrl) });
  return { draw, played };
}
