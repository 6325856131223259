// The frame around a staff page of a table: options, the log, dialogs that close.

import { connectLook } from "../../cardroom/look.js";
import { inSigns } from "../cards.js";
import { connectSpeech } from "../play/speech.js";

/** Wire what `page` has of it; `part`: its `data-page` nodes by name. */
export function connectChrome(page, part) {
  const options = page.querySelector(".options");
  document.addEventListener("click", (event) => {
    if (options?.open && !options.contains(event.target)) options.open = false;
    event.target.closest("[data-close]")?.closest("dialog").close();
  });
  options?.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    options.open = false;
    options.querySelector("summary").focus();
  });
  connectLook();
  part.logToggle?.addEventListener("click", () => {
    const isOpen = page.classList.toggle("shows-log");
    part.logToggle.setAttribute("aria-expanded", String(isOpen));
  });
  connectSpeech(part.speech);
}

/** A notice; what the room says of a card that is out already names it as it is drawn here. */
export function toast({ message, code = "", rule = null, isRefusal = true }) {
  const words = code === "duplicate-card" ? message.replace(/\b[2-9TJQKA][shdc]\b/, inSigns) : message;
  document.body.dispatchEvent(new CustomEvent("toast", { bubbles: true, detail: { message: words, rule, isRefusal } }));
}

export function socketUrl(path) {
  const url = new URL(path, location.href);
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}
