// Which rulebook is played here: where it is read, and a word to everybody when the next hand is played by another.

import { gettext } from "../../cardroom/language.js";
import { renew } from "./rulings.js";

/** The page of a book. `rulesUrl`: the address of the rules, "/rules/"; a house book names its version as well. */
export function pageOf({ reference }, rulesUrl) {
  const house = /^house:([^@]+)@(.+)$/.exec(reference);
  return house ? `${rulesUrl}house/${house[1]}/${house[2]}/` : `${rulesUrl}${reference}/`;
}

export const nextInWords = ({ title }) => gettext("From the next hand on this table plays by {title}.", { title });

/**
 * The books of a table: that of the hand drawn, and that of the next where it is another. What is said of the table may
 * be older than the hand, which itself says what it is played by. `hand`: as `emptyHand` makes it.
 */
export function booksOf({ rulebook, next_rulebook: next }, hand) {
  const begun = hand?.book && next?.reference === hand.book;
  return begun ? { playing: next, next: null } : { playing: rulebook, next };
}

/** `part`: {book, nextBook, desk} of the page, each where it has them. `log` writes down that another is to come, `toast` says it. */
export function connectBooks(part, { rulesUrl, log, toast }) {
  let told = null;
  let isFirst = true;

  function draw(table, hand) {
    const { playing, next } = booksOf(table, hand);
    if (part.book) {
      part.book.href = pageOf(playing, rulesUrl);
      part.book.title = playing.title;
    }
    if (part.desk) part.desk.search = new URLSearchParams({ rulebook: playing.reference });
    if (part.nextBook) {
      part.nextBook.hidden = !next;
      const link = part.nextBook.querySelector("a");
      link.textContent = next?.title ?? "";
      if (next) link.href = pageOf(next, rulesUrl);
    }
    if (next && next.reference !== told) {
      tell(nextInWords(next));
      if (!isFirst) renew();
    }
    told = next?.reference ?? null;
    isFirst = false;
  }

  function tell(message) {
    // Who has just come finds it in the log; who was here is told by a notice.
    log.note(message, { isHeard: isFirst });
    if (!isFirst) toast({ message, isRefusal: false });
  }

  /** The book of the hand drawn, as citations need it. */
  function played(table, hand) {
    const { playing } = booksOf(table, hand);
    return { title: playing.title, url: pageOf(playing, rulesUrl) };
  }
  return { draw, played };
}
