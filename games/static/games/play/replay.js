// A hand that is over, played again on the table itself: from any of its facts, step by step or by itself.
// Its sentences are those of the page, which stand beside it; the facts are as its viewer may see them.

import "../../cardroom/page.js";
import "../../cardroom/room.js";
import "../../cardroom/calls.js";
import { gettext, pgettext } from "../../cardroom/language.js";
import { Felt } from "./felt.js";
import { apply, emptyHand } from "./hand.js";
import { isCalm } from "./motion.js";
import { pastTable } from "./tableview.js";
import { drawWhy, whyWon } from "./why.js";
import { streetName } from "./words.js";

/** How long each step stays, in ms, at the usual speed. */
const STAYS = 1100;
const LONGER = { ruled: 2600, "hand-shown": 2000, "pot-awarded": 2000, "cards-dealt": 1500, "common-card-dealt": 1500 };
/** In the address of a hand that is to be played by itself, at this speed, and the next one after it. */
const PLAYED = /^#play(?:-(0[.]5|1|2|4))?$/;

const STREETS = {
  3: pgettext("street", "3rd"), 4: pgettext("street", "4th"), 5: pgettext("street", "5th"), 6: pgettext("street", "6th"),
  7: pgettext("street", "7th"),
};

/** The steps of a hand: `seq` is the fact that is told, `upto` the last of those that belong to it. */
export function stepsOf(facts, told) {
  const stops = facts.filter(([seq, kind]) => told.has(seq) || kind === "hand-started").map(([seq, kind]) => ({ seq, kind }));
  const end = facts.at(-1)?.[0] ?? 0;
  return stops.map((stop, i) => ({ ...stop, upto: (stops[i + 1]?.seq ?? end + 1) - 1 }));
}

/** The hand as it was once fact `upto` had happened. */
export function handAt(id, facts, upto, games) {
  const hand = emptyHand(id, games);
  for (const [seq, kind, fact] of facts) if (seq <= upto) apply(hand, seq, kind, fact);
  return hand;
}

/** Where each street begins: [street, fact]. */
export function streetsOf(facts) {
  const begins = new Map();
  for (const [seq, kind, fact] of facts) {
    if ((kind === "cards-dealt" || kind === "common-card-dealt") && !begins.has(fact.street)) begins.set(fact.street, seq);
  }
  return [...begins];
}

/** In a list: whether the viewer goes on to its next hand by itself, as long as this tab is open. */
const GOES_ON = "replay-goes-on";

/** Whether the viewer is at something that would be lost with the page: a note that is not saved, an open dialog. */
const isBusy = () =>
  Boolean(document.querySelector(".mark[data-unsaved]")) ||
  [...document.querySelectorAll(".mark input[name], .mark textarea")].some((field) => field === document.activeElement || field.value !== field.defaultValue) ||
  Boolean(document.querySelector("dialog[open]"));

class Replay {
  #at = 0; #timer = 0; #odds = null;

  constructor(root, data) {
    Object.assign(this, { root, data });
    this.part = Object.fromEntries([...root.parentElement.querySelectorAll("[data-page]")].map((node) => [node.dataset.page, node]));
    this.lines = new Map([...document.querySelectorAll("[data-fact]")].map((line) => [Number(line.dataset.fact), line]));
    this.steps = stepsOf(data.facts, new Set(this.lines.keys()));
    this.felt = new Felt(this.part, document.getElementById("seat-template"));
    this.table = pastTable(data);
    this.part.at.max = String(this.steps.length - 1);
    this.#listen();
    root.hidden = false;
    this.#fromAddress();
  }

  get isPlaying() {
    return this.#timer !== 0;
  }

  /** Show step `at`, counted from 0; one step on from the last one is moved as at the table. */
  show(at, { isInAddress = true } = {}) {
    const next = Math.max(0, Math.min(this.steps.length - 1, at));
    const isOneOn = next === this.#at + 1;
    const step = this.steps[next];
    const hand = this.#handAt(step);
    if (!isOneOn) this.felt.forget();
    else if (!isCalm()) {
      const [, kind, fact] = this.data.facts.find(([seq]) => seq === step.seq);
      this.felt.fact(kind, fact, { isInstant: false });
    }
    this.#at = next;
    this.felt.draw(this.table, hand, this.data.you, hand.turn?.seat ?? null);
    // Words come with the cards, unless somebody has gone on meanwhile.
    if (this.felt.landing) this.felt.landing.then(() => this.#at === next && this.#tell(step, hand));
    else this.#tell(step, hand);
    if (isInAddress) history.replaceState(null, "", next ? `#at-${step.seq}` : location.pathname + location.search);
  }

  #handAt({ upto }) {
    return handAt(this.data.id, this.data.facts, upto, this.data.games);
  }

  play() {
    if (this.#isOver && this.#goOn()) return;
    if (this.#isOver) this.show(0);
    this.#wait();
    this.#drawButton();
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#drawButton();
  }

  #wait() {
    const stays = (LONGER[this.steps[this.#at].kind] ?? STAYS) / Number(this.part.speed.value);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#isOver && this.#goOn()) return;
      if (!this.#isOver) this.show(this.#at + 1);
      if (this.#isOver && !this.part.goesOn?.checked) this.pause();
      else this.#wait(); // at its end too, until what is being written is done
    }, stays);
  }

  get #isOver() {
    return this.#at === this.steps.length - 1;
  }

  /** To the next hand of the list, which is played as this one was; whether it is gone to. */
  #goOn() {
    if (!this.part.goesOn?.checked || isBusy()) return false;
    location.assign(`${document.querySelector("[data-next]").href}#play-${this.part.speed.value}`);
    return true;
  }

  #drawButton() {
    const { play } = this.part;
    play.querySelector("use").setAttribute("href", this.isPlaying ? "#icon-pause" : "#icon-play");
    play.querySelector("span").textContent = this.isPlaying ? gettext("Pause") : gettext("Play");
  }

  #tell(step, hand) {
    const { at, said, count, first, back, forward, last } = this.part;
    at.value = String(this.#at);
    const where = { number: this.#at + 1, count: this.steps.length };
    at.setAttribute("aria-valuetext", gettext("Step {number} of {count}", where));
    count.textContent = gettext("{number} of {count}", where);
    const line = this.lines.get(step.seq);
    if (line) said.replaceChildren(...[...line.querySelector("[data-said]").childNodes].map((node) => node.cloneNode(true)));
    else said.textContent = gettext("Before the deal.");
    const [, kind, fact] = this.data.facts.find(([seq]) => seq === step.seq);
    if (kind === "cards-dealt" || kind === "common-card-dealt") said.prepend(`${streetName(fact.street)}. `);
    if (kind === "pot-awarded") said.append(" ", drawWhy(whyWon(hand, fact)));
    // Not `disabled`: whoever pressed it stays on it.
    for (const button of [first, back]) button.setAttribute("aria-disabled", String(this.#at === 0));
    for (const button of [forward, last]) button.setAttribute("aria-disabled", String(this.#at === this.steps.length - 1));
    for (const [seq, other] of this.lines) other.toggleAttribute("data-now", seq === step.seq);
    this.#follow(line);
    for (const button of this.root.querySelectorAll("[data-street]")) {
      button.setAttribute("aria-pressed", String(Number(button.dataset.street) === hand.street));
    }
    this.#tellOdds(hand);
  }

  /** The told line comes into sight where the lines have a place of their own; the page itself is never moved. */
  #follow(line) {
    const { list } = this.part;
    if (!line || list.scrollHeight <= list.clientHeight) return;
    const box = line.getBoundingClientRect();
    const frame = list.getBoundingClientRect();
    if (box.top < frame.top || box.bottom > frame.bottom) list.scrollTop += box.top - frame.top - frame.height / 3;
  }

  #tellOdds(hand) {
    const { odds } = this.part;
    if (!this.#odds) return;
    const street = this.#odds.find((each) => each.street === hand.street);
    const names = Object.fromEntries(this.data.seats.map(({ number, name }) => [number, name]));
    const items = (street?.seats ?? []).filter(({ seat }) => hand.seats[seat]?.isLive || hand.seats[seat]?.isMucked).map(({ seat, share }) => {
      const item = document.createElement("li");
      item.className = seat === this.data.you ? "is-you" : "";
      const bar = document.createElement("meter");
      bar.value = share;
      bar.setAttribute("aria-hidden", "true");
      const figure = document.createElement("strong");
      figure.textContent = `${Math.round(share * 100)} %`;
      item.append(`${names[seat]} `, bar, figure);
      return item;
    });
    odds.hidden = items.length === 0;
    odds.replaceChildren(...items);
    this.part.oddsNote.textContent = !items.length
      ? gettext("No odds here: fewer than two hands are live.")
      : street.is_exact
        ? gettext("Of the pot as this street began, by the cards you may see.")
        : gettext("Of the pot as this street began, by the cards you may see; give or take 3.");
  }

  async #askOdds() {
    const { askOdds, odds, oddsNote } = this.part;
    if (askOdds.getAttribute("aria-disabled") === "true") return;
    askOdds.setAttribute("aria-disabled", "true");
    try {
      const answer = await fetch(this.root.dataset.oddsUrl, { headers: { Accept: "application/json" } });
      if (!answer.ok) throw new Error(String(answer.status));
      this.#odds = await answer.json();
      const isHere = document.activeElement === askOdds;
      askOdds.hidden = true;
      this.#tellOdds(this.#handAt(this.steps[this.#at]));
      if (isHere) (odds.hidden ? oddsNote : odds).focus({ preventScroll: true });
    } catch {
      askOdds.removeAttribute("aria-disabled");
      oddsNote.textContent = gettext("The odds could not be worked out just now. Try again.");
    }
  }

  #go(at) {
    this.pause();
    this.show(at);
  }

  #listen() {
    const { part } = this;
    const moves = {
      first: () => this.#go(0), back: () => this.#go(this.#at - 1), forward: () => this.#go(this.#at + 1),
      last: () => this.#go(this.steps.length - 1), play: () => (this.isPlaying ? this.pause() : this.play()),
    };
    for (const [name, move] of Object.entries(moves)) part[name].addEventListener("click", move);
    part.at.addEventListener("input", () => this.#go(Number(part.at.value)));
    part.speed.addEventListener("change", () => this.isPlaying && this.#wait());
    if (part.goesOn) part.goesOn.checked = Boolean(sessionStorage.getItem(GOES_ON));
    part.goesOn?.addEventListener("change", () => sessionStorage.setItem(GOES_ON, part.goesOn.checked ? "yes" : ""));
    part.askOdds.addEventListener("click", () => this.#askOdds());
    for (const [street, seq] of streetsOf(this.data.facts)) {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "button button--small", textContent: STREETS[street] });
      button.dataset.street = String(street);
      button.setAttribute("aria-label", gettext("To {street} street", { street: STREETS[street] }));
      button.addEventListener("click", () => this.#go(this.steps.findIndex((step) => step.upto >= seq)));
      part.streets.append(button);
    }
    document.addEventListener("keydown", (event) => {
      if (event.target.closest?.("input:not([type=checkbox]), select, textarea, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
      const hand = event.shiftKey && { ArrowLeft: "[data-previous]", ArrowRight: "[data-next]" }[event.key];
      if (hand) {
        if (!isBusy()) document.querySelector(hand)?.click();
        return;
      }
      const does = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", p: "play", P: "play" }[event.key];
      if (!does) return;
      event.preventDefault();
      moves[does]();
    });
    addEventListener("hashchange", () => this.#fromAddress());
  }

  #fromAddress() {
    const played = PLAYED.exec(location.hash);
    if (played) {
      sessionStorage.setItem(GOES_ON, "yes");
      if (this.part.goesOn) this.part.goesOn.checked = true;
      this.part.speed.value = played[1] ?? this.part.speed.value;
      this.root.scrollIntoView({ block: this.root.offsetHeight > innerHeight ? "start" : "nearest" });
      this.part.play.focus({ preventScroll: true });
      this.show(0);
      this.play();
      return;
    }
    const seq = Number(/^#(?:fact|at)-(\d+)$/.exec(location.hash)?.[1] ?? 0);
    const at = this.steps.findLastIndex((step) => step.seq <= seq);
    this.pause();
    this.show(Math.max(0, at), { isInAddress: false });
  }
}

/** "Share": a link with the names or without, ready to be copied. */
function connectSharing(dialog) {
  if (!dialog) return;
  const field = dialog.querySelector("input[type=text]");
  const names = dialog.querySelector("input[type=checkbox]");
  const draw = () => {
    const address = new URL(names.checked ? field.dataset.withNames : field.dataset.withoutNames, location.href).href;
    field.value = address + location.hash;
    dialog.querySelector("[data-picture]").href = address.replace(/\/$/, ".png");
  };
  names.addEventListener("change", draw);
  const share = document.querySelector("[data-share]");
  share.hidden = false;
  share.addEventListener("click", () => {
    draw();
    dialog.showModal();
    field.select();
  });
  dialog.querySelector("[data-copy]").addEventListener("click", async () => {
    field.select();
    let said = gettext("Copied.");
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      said = gettext("Press Ctrl+C to copy the marked link.");
    }
    dialog.querySelector("[data-copied]").textContent = said;
  });
}

const root = document.querySelector("[data-replay]");
if (root) {
  new Replay(root, JSON.parse(document.getElementById("replay-data").textContent));
  connectSharing(document.getElementById("share-dialog"));
}
