// The middle of the table: the pot and its sides, the common card, the dealer's last word.

import { gettext, pgettext } from "../../cardroom/language.js";
import { drawCard, inWords } from "../cards.js";
import { drawPile } from "../play/chips.js";
import { chips } from "../play/words.js";

let drawn = "";

/** `part`: {pot, potAmount, potPile, sidePots, common}. */
export function drawMiddle(part, hand) {
  const side = hand.pots.length > 1 ? hand.pots.filter(({ chips: held }) => held > 0) : [];
  const key = JSON.stringify([hand.pot, side, hand.common]);
  if (key === drawn) return;
  drawn = key;
  part.pot.hidden = hand.pot === 0;
  part.potAmount.textContent = chips(hand.pot);
  part.potPile.replaceChildren(drawPile(hand.pot));
  part.sidePots.replaceChildren(
    ...side.map(({ chips: held }, i) => {
      const item = document.createElement("li");
      const name = i ? pgettext("pot", "Side {number}", { number: i }) : pgettext("pot", "Main");
      item.textContent = `${name} ${chips(held)}`;
      return item;
    }),
  );
  part.common.hidden = hand.common.length === 0;
  part.common.replaceChildren(...hand.common.map(drawCard));
  part.common.setAttribute("aria-label", hand.common.length ? gettext("Common card: {cards}", { cards: hand.common.map(inWords).join(", ") }) : "");
}
