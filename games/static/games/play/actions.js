// The viewer's own turn: exactly the legal actions, by mouse, thumb and keyboard, and never two for one press.

import { either, gettext } from "../../cardroom/language.js";
import { isForPage, keyFor, pressed, showKey } from "../../cardroom/hot_keys.js";
import { chosen } from "../../cardroom/look.js";
import { inBets, unit, amount as written } from "./amounts.js";

/** A bar that has just appeared does not take a press meant for something else. */
const ARMING = 220;
/** How long a press that has to be meant waits for the second one. */
const SURE = 3000;

const WAGERS = { bet: gettext("Bet"), complete: gettext("Complete to"), raise: gettext("Raise to") };
const KEYS = { bet: "bet", complete: "bet", raise: "raise" };

/** "bet", "complete-to", "raise-to" of an `action-on` -> the action to send. */
const plainVerb = (verb) => verb.replace(/-to$/, "");

/** The buttons of an `action-on` fact, in the order of the bar: {action, amount, label, key, words}, `key` the name of a
 * hot key. `{must_show}` stands for a hand that has to be shown, or mucked where `may_muck` says so. */
export function choicesOf(turn, stack, bet) {
  const choices = [];
  if (turn.must_show) {
    const muck = { action: "muck", amount: null, label: gettext("Muck"), key: "muck" };
    return [{ action: "show", amount: null, label: gettext("Show"), key: "show" }, ...(turn.may_muck ? [muck] : [])];
  }
  if (turn.can_fold) choices.push({ action: "fold", amount: null, label: gettext("Fold"), key: "fold" });
  if (turn.can_check) choices.push({ action: "check", amount: null, label: gettext("Check"), key: "call" });
  if (turn.bring_in) choices.push({ action: "bring-in", amount: null, label: gettext("Bring in"), figure: turn.bring_in, key: "call" });
  if (turn.call) {
    const isAll = turn.call >= stack;
    choices.push({ action: "call", amount: null, label: isAll ? gettext("Call all-in") : gettext("Call"), figure: turn.call, key: "call" });
  }
  const verb = plainVerb(turn.verb);
  if (verb && !turn.is_range) {
    for (const to of turn.sizes) {
      const isAll = to - bet >= stack;
      choices.push({ action: verb, amount: to, label: WAGERS[verb], figure: to, key: KEYS[verb], note: isAll ? gettext("all-in") : "" });
    }
  }
  if (turn.can_declare_all_in) choices.push({ action: "declare-all-in", amount: null, label: gettext("Declare all-in"), key: "declare" });
  return choices;
}

/** Whether somebody who chose `wish` wants to be asked before a wager of `cost` chips, with `stack` chips before them. */
export function isBig(wish, cost, { stack, bigBet }) {
  if (wish === "always" || wish === "never") return wish === "always";
  return cost >= stack || (bigBet > 0 && cost >= Number(wish) * bigBet);
}

const inFull = ({ label, figure, note }) => [label, figure && written(figure), note].filter(Boolean).join(" ");

/** "Fold, call 10 or raise to 30". */
export function spokenChoices(choices) {
  return either(choices.map(inFull).map((text, i) => (i ? text.toLowerCase() : text)));
}

export class ActionBar {
  #turnKey = ""; #choices = []; #pending = null; #asked = null; #seat = null; #ranged = null;

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
  draw(turn, seat, key, bigBet = 0) {
    if (key === this.#turnKey) return false;
    this.#turnKey = key;
    this.#seat = turn && { stack: seat.stack, bet: seat.bet, bigBet };
    this.#pending = null;
    this.#asked = null;
    this.#choices = turn ? choicesOf(turn, seat.stack, seat.bet) : [];
    const buttons = this.#choices.map((choice, i) => this.#button(choice, i));
    this.#ranged = turn?.is_range ? [turn, seat] : null;
    if (this.#ranged) buttons.push(this.#range(...this.#ranged));
    this.root.replaceChildren(...buttons);
    this.root.hidden = !turn;
    if (!turn) return false;
    setTimeout(() => this.#enable(key), ARMING);
    return true;
  }

  /** Amounts are written otherwise from now on, or keys are others. */
  relabel() {
    this.root.querySelectorAll("[data-index]").forEach((button) => {
      const index = Number(button.dataset.index);
      const { figure } = this.#choices[index];
      if (figure) button.querySelector("strong").textContent = written(figure);
      showKey(button, this.#keyOf(index));
    });
    const range = this.root.querySelector(".act-range");
    if (!range) return;
    const isOff = range.querySelector("button").disabled;
    range.replaceWith(this.#range(...this.#ranged));
    for (const control of this.root.querySelectorAll(".act-range :is(button, input)")) control.disabled = isOff;
  }

  /** Of several buttons for one key it presses the first; figures press the others. */
  #keyOf(index) {
    const { key } = this.#choices[index];
    const isFirst = this.#choices.findIndex((choice) => choice.key === key) === index;
    return (isFirst && keyFor(key)) || String(index + 1);
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
    const hint = document.createElement("kbd");
    hint.setAttribute("aria-hidden", "true");
    button.append(hint);
    showKey(button, this.#keyOf(index));
    return button;
  }

  #range({ verb, sizes: [least, most] }, seat) {
    const form = this.rangeTemplate.content.firstElementChild.cloneNode(true);
    const [slider, number] = form.querySelectorAll("input");
    const size = unit() || 1;
    const inUnit = (chips) => (size === 1 ? String(chips) : inBets(chips, size));
    Object.assign(slider, { min: least, max: most, value: least, disabled: true });
    Object.assign(number, { min: inUnit(least), max: inUnit(most), step: size === 1 ? 1 : "any", value: inUnit(least), disabled: true });
    const button = form.querySelector("button");
    const say = () => {
      const sum = written(Number(slider.value));
      slider.setAttribute("aria-valuetext", sum);
      button.textContent = [WAGERS[plainVerb(verb)], sum].join(" ");
    };
    slider.addEventListener("input", () => {
      number.value = inUnit(slider.value);
      say();
    });
    number.addEventListener("input", () => {
      slider.value = String(Math.round(Number(number.value) * size));
      say();
    });
    say();
    button.disabled = true;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#act({ action: plainVerb(verb), amount: Number(slider.value) });
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

  /** A fold where checking costs nothing; and a bet or raise that its player wants to be asked about. */
  #isToBeMeant({ action, amount }) {
    if (action in WAGERS) return isBig(chosen("sure") || "never", amount - this.#seat.bet, this.#seat);
    return action === "fold" && this.#choices.some((choice) => choice.action === "check");
  }

  #askAgain(choice, button) {
    const label = button?.querySelector("span");
    if (!label) return;
    this.#asked = choice;
    const before = label.textContent;
    label.textContent = choice.action === "fold" ? gettext("Fold anyway?") : gettext("{action}, sure?", { action: before });
    button.classList.add("is-asking");
    setTimeout(() => {
      if (this.#asked === choice) this.#asked = null;
      label.textContent = before;
      button.classList.remove("is-asking");
    }, SURE);
  }

  #key(event) {
    if (this.root.hidden || !isForPage(event)) return;
    // Nobody can bet and raise in one turn: either key does what there is.
    const name = pressed(event);
    const names = ["bet", "raise"].includes(name) ? ["bet", "raise"] : [name];
    let index = this.#choices.findIndex((choice) => names.includes(choice.key));
    if (index < 0 && /^[1-9]$/.test(event.key)) index = Number(event.key) - 1;
    const choice = this.#choices[index];
    if (!choice) return;
    event.preventDefault();
    const button = this.root.querySelector(`[data-index="${index}"]`);
    if (button && !button.disabled) this.#act(choice, button);
  }
}
