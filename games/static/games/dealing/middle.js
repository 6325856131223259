// The middle of the table: the pot and its sides, the common card, the dealer's last word.

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
      item.textContent = `${i ? `Side ${i}` : "Main"} ${chips(held)}`;
      return item;
    }),
  );
  part.common.hidden = hand.common.length === 0;
  part.common.replaceChildren(...hand.common.map(drawCard));
  part.common.setAttribute("aria-label", hand.common.length ? `Common card: ${hand.common.map(inWords).join(", ")}` : "");
}
