// A ruling, where every player sees it: the sentence and its rule, until it is put away or a later street is dealt.

import { drawCitation, drawWords, titleOf } from "./rulings.js";

/** `part`: {ruling, rulingList, rulingDone} of the page. */
export function connectRulings(part, { bookOf }) {
  let drawn = "";
  let dismissed = 0;
  let newest = 0;
  part.rulingDone.addEventListener("click", () => {
    dismissed = newest;
    part.ruling.hidden = true;
  });

  function draw(rulings) {
    const open = rulings.filter(({ seq }) => seq > dismissed);
    part.ruling.hidden = open.length === 0;
    const key = open.map(({ seq, ruling }) => `${seq}:${ruling.key}`).join();
    if (key === drawn) return;
    drawn = key;
    newest = open.at(-1)?.seq ?? newest;
    part.rulingList.replaceChildren(...open.map(({ ruling }) => written(ruling, bookOf())));
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
