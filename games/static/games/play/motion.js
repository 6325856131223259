// Small movements that show where chips and cards go. Nothing waits for them; whoever asked for less motion sees none.

import { chosen } from "../../cardroom/look.js";
import { drawCard } from "../cards.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
export const isCalm = () => calm.matches || document.hidden || chosen("motion") === "off";
/** By how much everything is quicker for who wants it fast. */
export const pace = () => (chosen("motion") === "fast" ? 0.5 : 1);

function centre(element) {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

/** What is on its way: it arrives at once where nobody looks, for a hidden page draws no frames. */
const flying = new Set();
document.addEventListener("visibilitychange", () => {
  if (document.hidden) for (const flight of flying) flight.finish();
});

/** Cards arrive from the middle of the table, one after the other around it. Their flights, as promises. */
export function flyIn(cards, turn) {
  const middle = document.querySelector("[data-middle]");
  if (isCalm() || !middle) return [];
  const from = centre(middle);
  return cards.map((card, i) => {
    const to = centre(card);
    const flight = card.animate(
      [
        { transform: `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(0.6)`, opacity: 0 },
        { opacity: 1, offset: 0.25 },
        { transform: "none", opacity: 1 },
      ],
      { duration: 260 * pace(), delay: 28 * (turn + i) * pace(), easing: "cubic-bezier(0.2, 0.7, 0.2, 1)", fill: "backwards" },
    );
    flying.add(flight);
    const done = () => flying.delete(flight);
    return flight.finished.then(done, done);
  });
}

/** Chips go from a seat to where its bet lies. */
export function throwIn(pile, seat) {
  if (isCalm() || !pile || !seat) return;
  const [from, to] = [centre(seat), centre(pile)];
  pile.animate(
    [{ transform: `translate(${from.x - to.x}px, ${from.y - to.y}px)`, opacity: 0.3 }, { transform: "none", opacity: 1 }],
    { duration: 220 * pace(), easing: "cubic-bezier(0.2, 0.7, 0.2, 1)" },
  );
}

/** The cards of a seat go into the muck, face down: their backs glide to the middle and are gone. */
export function muck(cards, target) {
  if (isCalm() || !target) return;
  const to = centre(target);
  // All are measured before any is drawn: the page is laid out once.
  for (const box of cards.map((card) => card.getBoundingClientRect())) {
    const back = drawCard(null);
    back.classList.add("card--ghost");
    back.style.setProperty("--w", `${box.width}px`);
    back.style.left = `${box.left}px`;
    back.style.top = `${box.top}px`;
    document.body.append(back);
    const gone = () => back.remove();
    const [x, y] = [to.x - box.left - box.width / 2, to.y - box.top - box.height / 2];
    back
      .animate([{ transform: "none" }, { transform: `translate(${x}px, ${y}px) rotate(24deg) scale(0.7)`, opacity: 0 }], {
        duration: 280 * pace(), easing: "cubic-bezier(0.4, 0, 0.2, 1)", fill: "forwards",
      })
      .finished.then(gone, gone);
  }
}

/** A copy of `element` glides to `target` and is gone. */
export function glide(element, target) {
  if (isCalm() || !element?.childElementCount || !target) return;
  const from = element.getBoundingClientRect();
  const to = centre(target);
  const ghost = element.cloneNode(true);
  ghost.className = "bet bet--ghost";
  document.body.append(ghost);
  ghost.style.left = `${from.left}px`;
  ghost.style.top = `${from.top}px`;
  const x = to.x - from.left - from.width / 2;
  const y = to.y - from.top - from.height / 2;
  const gone = () => ghost.remove();
  ghost
    .animate([{ transform: "none" }, { transform: `translate(${x}px, ${y}px)`, opacity: 0.2 }], {
      duration: 300 * pace(), easing: "cubic-bezier(0.4, 0, 0.2, 1)", fill: "forwards",
    })
    .finished.then(gone, gone);
}
