// Cutting the deck of the next hand, as soon as the hand in play tells its root: with words of the player's own and
// chance of this browser. The words stay in this browser, so that the player can prove later that they counted.

import { gettext } from "../../cardroom/language.js";

const WISH = "cardroom.cut";
const KEPT = "cardroom.cuts";
const MOST_KEPT = 200;

const chance = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** What this browser cut with, by root, newest last. */
export function keptCuts() {
  return JSON.parse(localStorage.getItem(KEPT) ?? "[]");
}

/** The words for the deck with this root: those that were sent already, else new ones. */
function wordsFor(root, own) {
  const kept = keptCuts();
  const sent = kept.find(([of]) => of === root);
  if (sent) return sent[1];
  const words = [own, chance()].filter(Boolean).join(" ");
  localStorage.setItem(KEPT, JSON.stringify([...kept, [root, words]].slice(-MOST_KEPT)));
  return words;
}

/** `part`: the page's `cut` (a box), `cutWords` and `cutNote`. `send(message)`; `isSeated()`: whether the viewer has a
 *  seat at this table. */
export function connectCutting(part, { send, isSeated }) {
  let root = "";
  let command = "";
  if (!part.cut) return { told: () => {}, refused: () => false };

  const wish = JSON.parse(localStorage.getItem(WISH) ?? "{}");
  part.cut.checked = Boolean(wish.isOn);
  part.cutWords.value = wish.words ?? "";

  function cut() {
    part.cutNote.textContent = "";
    if (!root || !part.cut.checked || !isSeated()) return;
    const words = wordsFor(root, part.cutWords.value.trim());
    command = chance();
    if (!send({ type: "cut", root, words, command_id: command })) return;
    part.cutNote.textContent = gettext("You cut the next deck with: {words}", { words });
  }

  function changed() {
    localStorage.setItem(WISH, JSON.stringify({ isOn: part.cut.checked, words: part.cutWords.value.trim() }));
    cut();
  }
  part.cut.addEventListener("change", changed);
  part.cutWords.addEventListener("change", changed);

  return {
    /** The hand in play tells of the next deck. */
    told(fact) {
      root = fact.next_root;
      cut();
    },
    /** Whether this refusal is of a cut: the deck was dealt meanwhile, which is no news to the player. */
    refused(message) {
      if (!command || message.command_id !== command) return false;
      part.cutNote.textContent = message.message;
      return true;
    },
  };
}
