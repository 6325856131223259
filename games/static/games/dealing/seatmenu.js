// All that can be said of one seat: an action of its player, in turn or out of it, and what they did with their cards.

import { gettext } from "../../cardroom/language.js";
import { choicesOf } from "../play/actions.js";
import { chips } from "../play/words.js";
import { SEAT_COMMANDS } from "./mistakes.js";

const OUT_OF_TURN = [
  ["fold", gettext("Folds")], ["check", gettext("Checks")], ["call", gettext("Calls")], ["bet", gettext("Bets")],
  ["raise", gettext("Raises")],
];
const IN_TURN = {
  fold: gettext("Folds"), check: gettext("Checks"), call: gettext("Calls"), "bring-in": gettext("Brings in"), bet: gettext("Bets"),
  complete: gettext("Completes to"), raise: gettext("Raises to"), show: gettext("Shows the hand"), muck: gettext("Mucks the hand"),
};

function button(label, onPress, className = "button") {
  const made = document.createElement("button");
  made.type = "button";
  made.className = className;
  made.textContent = label;
  made.addEventListener("click", onPress);
  return made;
}

export class SeatMenu {
  /** `onCommand(what, fields)`; `onAbsent(seat)`: toggles who is away before the deal. */
  constructor(dialog, { onCommand }) {
    Object.assign(this, { dialog, onCommand });
    this.part = Object.fromEntries([...dialog.querySelectorAll("[data-menu]")].map((node) => [node.dataset.menu, node]));
  }

  open({ seat, name, whats, turn, held }) {
    const { title, acts, actsTitle, cards, cardsTitle } = this.part;
    title.textContent = gettext("Seat {number}: {name}", { number: seat, name });
    const isTurn = turn?.seat === seat;
    const actions = !whats.includes("act") ? [] : isTurn ? this.#inTurn(turn, held) : OUT_OF_TURN.map(([action, label]) => ({ action, label }));
    actsTitle.textContent = isTurn ? gettext("Acts") : gettext("Acts out of turn");
    actsTitle.hidden = actions.length === 0;
    acts.replaceChildren(
      ...actions.map(({ action, label, amount }) => button(label, () => this.#say("act", { seat, action, ...(amount ? { amount } : {}) }))),
    );
    const rest = SEAT_COMMANDS.filter(([what]) => whats.includes(what));
    cardsTitle.hidden = rest.length === 0;
    cards.replaceChildren(...rest.map(([what, label]) => button(label, () => this.#say(what, { seat }))));
    if (!actions.length && !rest.length) cards.replaceChildren(nothing());
    this.dialog.showModal();
  }

  #inTurn(turn, held) {
    return choicesOf(turn, held.stack, held.bet).map(({ action, amount, figure }) => ({
      action, amount, label: [IN_TURN[action] ?? action, figure && chips(figure)].filter(Boolean).join(" "),
    }));
  }

  #say(what, fields) {
    this.dialog.close();
    this.onCommand(what, fields);
  }
}

function nothing() {
  const text = document.createElement("p");
  text.className = "muted";
  text.textContent = gettext("There is nothing to enter for this seat now.");
  return text;
}
