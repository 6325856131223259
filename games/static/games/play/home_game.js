// The link of a home game: copied, or handed to what the device sends with.

import { gettext } from "../../cardroom/language.js";

const field = document.getElementById("home-link");
const copy = document.querySelector("[data-copy]");
const send = document.querySelector("[data-send]");

if (copy && navigator.clipboard) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(field.value);
    dispatchEvent(new CustomEvent("toast", { detail: { message: gettext("The link is copied.") } }));
  });
}
if (send && navigator.share) {
  send.hidden = false;
  send.addEventListener("click", () => navigator.share({ title: send.dataset.title, url: field.value }).catch(() => {}));
}
field?.addEventListener("focus", () => field.select());
