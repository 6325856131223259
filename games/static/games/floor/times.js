// Times that go on: what is left until `data-until`, and what has passed since `data-since`.

import { gettext } from "../../cardroom/language.js";

function spell(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const minutes = String(Math.floor((seconds % 3600) / 60)).padStart(2, "0");
  return gettext("{hours} h {minutes}", { hours: Math.floor(seconds / 3600), minutes });
}

export function tick() {
  const now = Date.now();
  for (const time of document.querySelectorAll("time[data-until]")) {
    const left = Number(time.dataset.until) - now;
    time.textContent = left > 0 ? spell(left) : gettext("over");
    time.classList.toggle("is-over", left < 60000);
  }
  for (const time of document.querySelectorAll("time[data-since]")) time.textContent = spell(now - Number(time.dataset.since));
}

setInterval(() => document.hidden || tick(), 1000);
document.addEventListener("htmx:afterSwap", tick);
tick();
