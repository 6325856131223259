// The buttons for what a player means to do when their turn comes, in the place of the actions while it is another's
// turn. Knows the page; what may be meant, and for how long, is in intents.js.

import { gettext } from "../../cardroom/language.js";
import { isForPage } from "../../cardroom/hot_keys.js";
import { choiceFor, inFull, intentOf, mayHaveTurn, offersOf, whyOff } from "./intents.js";

/** A button that has just come, or says something new, does not take a press meant for what was there before. */
const ARMING = 400;
/** How long the status line says that something is off; the log keeps it. */
const TOLD = 6000;

const ACTS = new Set(["bring-in-posted", "checked", "called", "wagered", "folded"]);

export class IntentBar {
  #intent = null; #awayAfter = null; #view = null; #note = ""; #timer = 0; #down = null; #focus = null; #hasSitOut = false;
  #lastTold = "";

  /** `root`: null where nothing is meant beforehand. `say(text)`: to the log; `redraw()`; `sitOut(isOut)`: to the server. */
  constructor(root, { say, redraw, sitOut }) {
    Object.assign(this, { root, say, redraw, sitOut });
    this.buttons = [...(root?.querySelectorAll("[data-intent]") ?? [])];
    for (const button of this.buttons) {
      // The price may change under a thumb or a key: what is let go must be what was touched.
      button.addEventListener("pointerdown", () => (this.#down = button.dataset.says));
      button.addEventListener("keydown", ({ key, repeat }) => {
        if ((key === " " || key === "Enter") && !repeat) this.#down = button.dataset.says;
      });
      button.addEventListener("click", () => {
        const isSame = this.#down === null || this.#down === button.dataset.says;
        this.#down = null;
        if (isSame) this.#press(button);
      });
    }
    if (root) document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** What the status line has to say before anything else; "" for nothing. */
  get note() {
    return this.#note;
  }

  /** Whether sitting out is chosen here now, and nowhere else on the page. */
  get hasSitOut() {
    return this.#hasSitOut;
  }

  /** A fact has been drawn: does what was meant still stand? */
  fact(kind, fact, hand, number) {
    if (!this.#intent) return;
    if (ACTS.has(kind) && fact.seat === number) this.#intent = null;
    else if (kind === "entry-reversed") this.drop(gettext("the last entry was taken back"), { isSitOutToo: false });
    else {
      const why = whyOff(this.#intent, hand, number);
      if (why !== null) this.drop(why, { isSitOutToo: false });
    }
  }

  /** What was told last, once more: the page was drawn afresh, and the log with it. */
  tellAgain() {
    if (this.#lastTold) this.#tell(this.#lastTold);
    this.#lastTold = "";
  }

  /** Nothing is meant any more, because of `why` ("": not told). `isForReturn`: the page is told again when it is back. */
  drop(why, { isSitOutToo = true, isForReturn = false } = {}) {
    const off = [this.#intent?.words, isSitOutToo && this.#awayAfter && gettext("Sit out next hand")].filter(Boolean);
    this.#intent = null;
    if (isSitOutToo) this.#awayAfter = null;
    if (!off.length || !why) return;
    const text = off.map((words) => gettext("“{words}” is off: {why}.", { words, why })).join(" ");
    if (isForReturn) this.#lastTold = text;
    this.#tell(text);
  }

  /** The turn has come: of `choices` the one that was meant, or null. It is used up either way. */
  take(choices) {
    const intent = this.#intent;
    if (!intent) return null;
    const choice = choiceFor(intent, choices);
    if (!choice) this.drop(gettext("it is not open to you now"), { isSitOutToo: false });
    this.#intent = null;
    return choice;
  }

  /** `isIdle`: the page is connected and waits for others. Whether the bar is there. */
  draw(table, hand, you, isIdle) {
    if (!this.root) return false;
    const row = table.seats.find(({ number }) => number === you.seat);
    this.#sitOutWhenDone(hand, you.seat, row);
    const view = viewOf(table, hand, you, row);
    const isShown = isIdle && (view.mayMean || view.maySitOut);
    this.#view = view;
    this.#hasSitOut = isShown && view.maySitOut;
    if (this.#intent && view.isAway) this.drop(gettext("you are away"), { isSitOutToo: false });
    this.#show(isShown);
    if (!isShown) return false;
    const offers = view.mayMean ? offersOf(hand, you.seat) : [];
    for (const button of this.buttons) {
      const { intent: id } = button.dataset;
      if (id === "away") this.#drawAway(button, view);
      else this.#drawOffer(button, offers.find((offer) => offer.id === id));
    }
    return true;
  }

  #drawOffer(button, offer) {
    button.classList.toggle("is-absent", !offer);
    if (!offer) return;
    button.firstElementChild.textContent = inFull(offer);
    button.classList.toggle("is-closed", !offer.isOpen);
    button.setAttribute("aria-pressed", String(this.#intent?.id === offer.id));
    this.#arm(button, `${inFull(offer)}:${offer.isOpen}`, offer.isOpen);
  }

  #drawAway(button, { maySitOut, isOut }) {
    button.classList.toggle("is-absent", !maySitOut);
    button.setAttribute("aria-pressed", String(isOut || this.#awayAfter !== null));
    this.#arm(button, `away:${isOut}`, maySitOut);
  }

  /** Dead for a moment when it says something new. */
  #arm(button, says, isOpen) {
    if (button.dataset.says === says) return;
    button.dataset.says = says;
    button.setAttribute("aria-disabled", "true");
    if (isOpen) setTimeout(() => button.dataset.says === says && button.setAttribute("aria-disabled", "false"), ARMING);
  }

  #show(isShown) {
    if (this.root.hidden === !isShown) return;
    // Whoever goes by keyboard finds themselves where they were when their turn is over.
    const here = document.activeElement;
    if (!isShown) this.#focus = this.root.contains(here) && here.matches(":focus-visible") ? here : null;
    this.root.hidden = !isShown;
    if (!isShown) return;
    for (const button of this.buttons) button.dataset.says = "";
    if (here === document.body || here.matches("[data-page=deck]")) this.#focus?.focus({ preventScroll: true });
  }

  #press(button) {
    if (this.root.hidden || button.classList.contains("is-absent")) return;
    // Taking back what is meant is open at any time.
    const isPressed = button.getAttribute("aria-pressed") === "true" && button.dataset.intent !== "away";
    if (button.getAttribute("aria-disabled") === "true" && !isPressed) return;
    const { hand, number } = this.#view;
    if (button.dataset.intent === "away") this.#pressAway(button);
    else if (this.#intent?.id === button.dataset.intent) this.#intent = null;
    else this.#intent = intentOf(offersOf(hand, number).find(({ id }) => id === button.dataset.intent), hand, number);
    this.#note = "";
    this.redraw();
  }

  /** At a cash table the server keeps it. At an event sitting out begins at once, so the page waits for the hand's end. */
  #pressAway(button) {
    const { isEvent, isOut, hand } = this.#view;
    if (isEvent) this.#awayAfter = this.#awayAfter === null ? hand.id : null;
    else {
      this.sitOut(!isOut);
      button.dataset.says = "";
    }
  }

  #sitOutWhenDone(hand, number, row) {
    if (this.#awayAfter === null) return;
    const seat = hand.seats[number];
    const isDone = hand.id !== this.#awayAfter || hand.isOver || !seat?.isLive;
    if (row?.state === "playing" && !isDone) return;
    this.#awayAfter = null;
    if (row?.state === "playing" && (seat?.stack ?? row.stack) > 0) this.sitOut(true);
  }

  #tell(text) {
    this.#note = text;
    this.say(text);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#note = "";
      this.redraw();
    }, TOLD);
  }

  #key(event) {
    if (this.root.hidden || !isForPage(event)) return;
    const button = this.buttons.find((each) => each.getAttribute("aria-keyshortcuts") === event.key.toUpperCase());
    if (!button) return;
    event.preventDefault();
    this.#press(button);
  }
}

/** A dealer takes no word before its time: at their tables, and at those in the room, there is nothing to choose here. */
function viewOf(table, hand, you, row) {
  const isEvent = Boolean(table.event);
  const isOut = row?.state === "sitting-out";
  const isHere = Boolean(row) && !table.isPhysical && !table.isHandDealt && Boolean(hand.seats[you.seat]) && !hand.isOver;
  return {
    hand,
    number: you.seat,
    isEvent,
    isOut,
    isAway: isEvent && isOut,
    mayMean: isHere && !(isEvent && isOut) && mayHaveTurn(hand, you.seat),
    maySitOut: isHere && (row.state === "playing" || (isOut && !isEvent)),
  };
}
