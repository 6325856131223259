// The dealer's announcements spoken by the browser, where the table turns it on and the person has not turned it off.

import { gettext, language, marked } from "../../cardroom/language.js";
import { spoken } from "../cards.js";
import { amount } from "./amounts.js";
import { titleOf, isRoutine } from "./rulings.js";
import { sentence } from "./words.js";

const KEY = "cardroom.speech";
const MOST_WAITING = 4;

function isAllowed() {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return true;
  }
}

let isOn = isAllowed();
let waiting = 0;

const canSpeak = () => "speechSynthesis" in window;

/** The box that mutes the announcements in this browser; no box where the browser has no voice. */
export function connectSpeech(box) {
  if (!box) return;
  if (!canSpeak()) box.closest("label").hidden = true;
  box.checked = isOn;
  box.addEventListener("change", () => setSpeech(box.checked));
}

function setSpeech(on) {
  isOn = on;
  if (!on && canSpeak()) speechSynthesis.cancel();
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // Kept for this visit only.
  }
}

/** What the dealer says of raises, without and with how much. */
const RAISES = {
  raise: [marked("{who}: raise."), marked("{who}: raise to {amount}.")],
  completion: [marked("{who}: completes."), marked("{who}: completes to {amount}.")],
};

/** What is to be heard of a fact; "" for most. Names as the table has them. */
export function heard(kind, fact, who) {
  if (kind === "announced") {
    const [plain, sized] = RAISES[fact.what] ?? [];
    const [to] = /\d+/.exec(fact.words) ?? [];
    return plain ? gettext(to ? sized : plain, { who: who(fact.seat), amount: amount(Number(to)) }) : sentence(kind, fact, who);
  }
  if (kind === "ruled" && !isRoutine(fact)) return gettext("Ruling. {title}.", { title: titleOf(fact) });
  return "";
}

/** Say it, if anything is to be said. */
export function speak(kind, fact, who) {
  if (!isOn || !canSpeak() || document.hidden) return;
  const words = spoken(heard(kind, fact, who));
  if (!words || waiting >= MOST_WAITING) return;
  const utterance = new SpeechSynthesisUtterance(words);
  utterance.lang = language;
  waiting += 1;
  utterance.addEventListener("end", () => (waiting -= 1));
  utterance.addEventListener("error", () => (waiting -= 1));
  speechSynthesis.speak(utterance);
}
