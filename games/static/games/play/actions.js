// The viewer's own turn: exactly the legal actions, by mouse, thumb and keyboard, and never two for one press.

import { isOn } from "../../cardroom/look.js";
import { amount as written } from "./amounts.js";

/** A bar that has just appeared does not take a press meant for something else. */
const ARMING = 220;
/** How long a press that has to be meant waits for the second one. */
const SURE = 3000;

const WAGERS = { bet: "Bet", complete: "Complete to", raise: "Raise to" };
const KEYS = { bet: "B", complete: "B", raise: "R" };

/** "bet", "complete-to", "raise-to" of an `action-on` -> the action to send. */
const plainVerb = (verb) => verb.replace(/-to$/, "");

/** The buttons of an `action-on` fact, in the order of the bar: {action, amount, label, key, words}. `{must_show}` stands
 * for a hand that has to be shown, or mucked where `may_muck` says so. */
export function choicesOf(turn, stack, bet) {
  const choices = [];
  if (turn.must_show) {
    const muck = { action: "muck", amount: null, label: "Muck", key: "M" };
    return [{ action: "show", amount: null, label: "Show", key: "S" }, ...(turn.may_muck ? [muck] : [])];
  }
  if (turn.can_fold) choices.push({ action: "fold", amount: null, label: "Fold", key: "F" });
  if (turn.can_check) choices.push({ action: "check", amount: null, label: "Check", key: "C" });
  if (turn.bring_in) choices.push({ action: "bring-in", amount: null, label: "Bring in", figure: turn.bring_in, key: "C" });
  if (turn.call) {
    const isAll = turn.call >= stack;
    choices.push({ action: "call", amount: null, label: isAll ? "Call all-in" : "Call", figure: turn.call, key: "C" });
  }
  const verb = plainVerb(turn.verb);
  if (verb && !turn.is_range) {
    for (const to of turn.sizes) {
      const isAll = to - bet >= stack;
      choices.push({ action: verb, amount: to, label: WAGERS[verb], figure: to, key: KEYS[verb], note: isAll ? "all-in" : "" });
    }
  }
  if (turn.can_declare_all_in) choices.push({ action: "declare-all-in", amount: null, label: "Declare all-in", key: "A" });
  return choices;
}

const inFull = ({ label, figure, note }) => [label, figure && written(figure), note].filter(Boolean).join(" ");

/** "Fold, call 10 or raise to 30". */
export function spokenChoices(choices) {
  const parts = choices.map(inFull).map((text, i) => (i ? text.toLowerCase() : text));
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} or ${parts.at(-1)}`;
}

export class ActionBar {
  #turnKey = ""; #choices = []; #pending = null; #asked = null;

  /** `send(action, amount)` returns the command's id. */
  constructor(root, rangeTemplate, { send }) {
    Object.assign(this, { root, rangeTemplate, send });
    root.addEventListener("click", (event) => this.#pressed(event));
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  get isBusy() {
    return this.#pending !== null;
  }

  /** Draw the turn `turn` (null: not the viewer's). `key` tells one turn from the next. */
  draw(turn, seat, key) {
    if (key === this.#turnKey) return false;
    this.#turnKey = key;
    this.#pending = null;
    this.#asked = null;
    this.#choices = turn ? choicesOf(turn, seat.stack, seat.bet) : [];
    const buttons = this.#choices.map((choice, i) => this.#button(choice, i));
    if (turn?.is_range) buttons.push(this.#range(turn, seat));
    this.root.replaceChildren(...buttons);
    this.root.hidden = !turn;
    if (!turn) return false;
    setTimeout(() => this.#enable(key), ARMING);
    return true;
  }

  /** Amounts are written otherwise from now on. */
  relabel() {
    this.root.querySelectorAll("[data-index]").forEach((button) => {
      const { figure } = this.#choices[Number(button.dataset.index)];
      if (figure) button.querySelector("strong").textContent = written(figure);
    });
  }

  /** A command of this turn is on its way: nothing else can be pressed until it is answered. */
  hold(commandId) {
    this.#pending = commandId;
    this.root.setAttribute("aria-busy", "true");
    for (const control of this.root.querySelectorAll("button, input")) control.disabled = true;
  }

  /** The command is answered: refused ones may be tried again. */
  settle(commandId, { isRefused }) {
    if (this.#pending !== commandId) return;
    if (!isRefused) return;
    this.#pending = null;
    this.#enable(this.#turnKey);
  }

  get choices() {
    return this.#choices;
  }

  /** Do one of `choices`, as if its button had been pressed. */
  take(choice) {
    this.#do(choice, this.root.querySelector(`[data-index="${this.#choices.indexOf(choice)}"]`));
  }

  #enable(key) {
    if (key !== this.#turnKey || this.#pending) return;
    for (const control of this.root.querySelectorAll("button, input")) control.disabled = false;
    this.root.removeAttribute("aria-busy");
  }

  #button(choice, index) {
    const button = document.createElement("button");
    const isWager = choice.action in WAGERS;
    button.type = "button";
    button.disabled = true;
    button.className = `act act--${isWager ? "wager" : choice.action}`;
    button.dataset.index = String(index);
    button.dataset.action = choice.action;
    if (choice.amount !== null) button.dataset.amount = String(choice.amount);
    const label = document.createElement("span");
    label.textContent = choice.label;
    button.append(label);
    if (choice.figure) {
      const figure = document.createElement("strong");
      figure.textContent = written(choice.figure);
      button.append(" ", figure);
    }
    if (choice.note) {
      const note = document.createElement("em");
      note.textContent = choice.note;
      button.append(" ", note);
    }
    const isFirstOfKey = this.#choices.findIndex(({ key }) => key === choice.key) === index;
    const key = isFirstOfKey ? choice.key : String(index + 1);
    const hint = document.createElement("kbd");
    hint.textContent = key;
    hint.setAttribute("aria-hidden", "true");
    button.setAttribute("aria-keyshortcuts", key);
    button.append(hint);
    return button;
  }

  #range({ verb, sizes: [least, most] }, seat) {
    const form = this.rangeTemplate.content.firstElementChild.cloneNode(true);
    const [slider, number] = form.querySelectorAll("input");
    for (const input of [slider, number]) Object.assign(input, { min: least, max: most, value: least, disabled: true });
    slider.addEventListener("input", () => (number.value = slider.value));
    number.addEventListener("input", () => (slider.value = number.value));
    const button = form.querySelector("button");
    button.disabled = true;
    button.textContent = WAGERS[plainVerb(verb)];
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#act({ action: plainVerb(verb), amount: Number(number.value) });
    });
    form.dataset.stack = String(seat.stack);
    return form;
  }

  #pressed(event) {
    const button = event.target.closest("button[data-index]");
    if (button && !button.disabled) this.#act(this.#choices[Number(button.dataset.index)], button);
  }

  #act(choice, button) {
    if (this.#pending) return;
    if (this.#isToBeMeant(choice) && this.#asked !== choice) this.#askAgain(choice, button);
    else this.#do(choice, button);
  }

  #do(choice, button) {
    if (this.#pending) return;
    this.hold(this.send(choice.action, choice.amount));
    button?.classList.add("is-chosen");
  }

  /** A fold where checking costs nothing; and a bet or raise of somebody who wants to be asked. */
  #isToBeMeant({ action }) {
    if (action in WAGERS) return isOn("sure");
    return action === "fold" && this.#choices.some((choice) => choice.action === "check");
  }

  #askAgain(choice, button) {
    const label = button?.querySelector("span");
    if (!label) return;
    this.#asked = choice;
    const before = label.textContent;
    label.textContent = choice.action === "fold" ? "Fold anyway?" : `${before}, sure?`;
    button.classList.add("is-asking");
    setTimeout(() => {
      if (this.#asked === choice) this.#asked = null;
      label.textContent = before;
      button.classList.remove("is-asking");
    }, SURE);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || this.root.hidden) return;
    if (event.target.closest?.("input, textarea, select, dialog")) return;
    const key = event.key.toUpperCase();
    const letter = key === "B" || key === "R" ? ["B", "R"] : [key];
    let index = this.#choices.findIndex((choice) => letter.includes(choice.key));
    if (index < 0 && /^[1-9]$/.test(key)) index = Number(key) - 1;
    const choice = this.#choices[index];
    if (!choice) return;
    event.preventDefault();
    const button = this.root.querySelector(`[data-index="${index}"]`);
    if (button && !button.disabled) this.#act(choice, button);
  }
}
