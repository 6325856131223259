// Company at the table: the chat with its tab, what is said over a seat, and what one keeps about other players.

import { gettext } from "../../cardroom/language.js";
import { isAllIn } from "./hand.js";
import { botName } from "./words.js";

/** How long what was said stays over a seat, ms. */
const SHOWN = 6000;

/** Whether the chat rests: a live player is all-in, and others may still act. As the server has it. */
export function isChatResting(hand) {
  if (!hand.id || hand.isOver) return false;
  const live = Object.values(hand.seats).filter((seat) => seat.isLive);
  const withChips = live.filter((seat) => !isAllIn(seat)).length;
  return withChips < live.length && (withChips > 1 || Boolean(hand.turn));
}

export class TableChat {
  #isOpen = false; #unread = 0; #talks = true; #waits = new Map();

  /** `part`: of the page; `seatOf(name)`: where somebody's seat is drawn, or undefined. */
  constructor(part, { seatOf }) {
    Object.assign(this, { part, seatOf });
    if (!part.chat) return;
    this.tabs = [document.getElementById("log-tab"), document.getElementById("chat-tab")];
    for (const [i, tab] of this.tabs.entries()) tab.addEventListener("click", () => this.#turnTo(i === 1));
    this.tabs[0].parentElement.addEventListener("keydown", (event) => {
      if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
      this.#turnTo(!this.#isOpen);
      this.tabs[Number(this.#isOpen)].focus();
    });
    part.chat.addEventListener("chat:line", (event) => this.#heard(event.target, event.detail));
  }

  /** Who sits here talks, while the chat does not rest. */
  draw(hand, { seat }) {
    if (!this.part.chat) return;
    const talks = Boolean(seat) || this.part.chat.hasAttribute("data-talks");
    const why = !talks ? gettext("Sit down to talk.") : isChatResting(hand) ? gettext("The chat rests while a player is all-in.") : "";
    // Where nobody watches, the lines are for who has sat down.
    if (talks && !this.#talks) this.part.chat.dispatchEvent(new CustomEvent("seat-taken", { bubbles: true }));
    this.#talks = talks;
    const form = document.getElementById("chat-say");
    if (form.hidden !== Boolean(why)) form.hidden = Boolean(why);
    if (this.part.chatWhy.textContent !== why) this.part.chatWhy.textContent = why;
    this.part.chatWhy.hidden = !why;
    if (this.part.emotes) this.part.emotes.hidden = Boolean(why) || !seat;
  }

  /** The panel beside the felt has come into sight, or gone. */
  seen() {
    if (this.#isOpen && this.part.chat.offsetParent) this.#count(0);
  }

  #turnTo(isChat) {
    this.#isOpen = isChat;
    this.part.chat.hidden = !isChat;
    this.part.log.parentElement.hidden = isChat;
    for (const [i, tab] of this.tabs.entries()) {
      const isHere = (i === 1) === isChat;
      tab.setAttribute("aria-selected", String(isHere));
      tab.tabIndex = isHere ? 0 : -1;
    }
    this.seen();
  }

  #heard(line, { author }) {
    const seat = this.seatOf(author);
    const isMine = Boolean(seat?.classList.contains("is-you"));
    const isSeen = this.#isOpen && this.part.chat.offsetParent;
    // One's own words are where they were written; an emote may come from the table.
    if (seat && !(isMine && isSeen)) this.#showOver(seat, line.querySelector(".chat__text"));
    if (!isMine && !isSeen) this.#count(this.#unread + 1);
  }

  #count(number) {
    this.#unread = number;
    for (const badge of [this.part.unread, this.part.unreadTab]) {
      badge.textContent = number > 9 ? "9+" : String(number);
      badge.hidden = number === 0;
    }
  }

  /** The last thing somebody said stands over their seat for a moment; who listens hears it from the log. */
  #showOver(seat, said) {
    clearTimeout(this.#waits.get(seat));
    seat.querySelector(".seat__bubble")?.remove();
    const bubble = document.createElement("span");
    bubble.className = "seat__bubble";
    bubble.setAttribute("aria-hidden", "true");
    bubble.append(said.cloneNode(true));
    seat.querySelector(".plate").append(bubble);
    seat.dataset.says = "";
    this.#waits.set(seat, setTimeout(() => {
      bubble.remove();
      delete seat.dataset.says;
    }, SHOWN));
  }
}

/** What one keeps about others, by name; `onChange()` when it is another. */
export function connectMarks(onChange) {
  const kept = document.getElementById("player-marks");
  const marks = new Map(Object.entries(kept ? JSON.parse(kept.textContent) : {}));
  const dialog = document.getElementById("player-dialog");
  const open = (name, strength = "") => {
    const form = dialog.querySelector("form");
    const mark = marks.get(name) ?? {};
    form.reset();
    form.elements.player.value = name;
    form.elements.note.value = mark.note ?? "";
    form.elements.colour.value = mark.colour ?? "";
    form.elements.is_friend.checked = Boolean(mark.is_friend);
    form.elements.is_muted.checked = Boolean(mark.is_muted);
    dialog.querySelector("h2").textContent = strength ? `${name} · ${botName(strength)}` : name;
    dialog.querySelector("[data-refusal]").hidden = true;
    const link = dialog.querySelector("[data-hands] a");
    link.search = new URLSearchParams({ opponent: name });
    const report = dialog.querySelector("[data-picture-report]");
    const face = document.querySelector(`[data-player="${CSS.escape(name)}"] .plate__face:not([hidden])`);
    report.hidden = !face?.getAttribute("src").startsWith("/pictures/");
    report.open = false;
    report.querySelector("form").reset();
    report.querySelector("[name=player]").value = name;
    dialog.showModal();
  };
  document.addEventListener("click", ({ target }) => {
    if (!dialog) return;
    const plate = target.closest("[data-player]");
    const line = target.closest(".table-chat .chat__line b");
    const name = plate?.dataset.player ?? line?.closest("li").dataset.author;
    if (name && name !== dialog.dataset.me) open(name, plate?.dataset.strength);
  });
  document.body.addEventListener("picture-reported", () => dialog?.close());
  document.body.addEventListener("player-marked", ({ detail: { player, ...mark } }) => {
    dialog?.close();
    marks.set(player, mark);
    // Whose lines are shown is for the server to say.
    const lines = document.getElementById("chat-lines")?.getAttribute("hx-trigger");
    if (lines) document.body.dispatchEvent(new CustomEvent(lines.split(" ")[0]));
    onChange();
  });
  return { of: (name) => marks.get(name) ?? null, mayMark: Boolean(dialog) };
}
