// Push in this browser, on one's own page: the switch asks the browser and its push service, and tells the room of it.

import { gettext } from "./language.js";

const form = document.querySelector("[data-push]");
const here = document.querySelector("[data-push-here]");
const box = form.querySelector("[type=checkbox]");
const why = form.querySelector("[data-push-why]");

const say = (words) => (why.textContent = words);
const pushes = async () => (await navigator.serviceWorker.ready).pushManager;

if (!globalThis.PushManager || !navigator.serviceWorker) say(gettext("This browser has no push here. On an iPhone or iPad, add the room to the home screen first."));
else {
  say("");
  // Known to the room, and to the browser still.
  box.checked = Boolean(here && (await (await pushes()).getSubscription()));
  box.disabled = false;
  if (here && !box.checked) say(gettext("Push has ended in this browser: switch it on again."));
}

box.addEventListener("change", () => {
  box.disabled = true;
  (box.checked ? begin() : end()).catch(() => {
    box.checked = !box.checked;
    box.disabled = false;
    const isForbidden = Notification.permission === "denied";
    say(
      isForbidden
        ? gettext("The browser forbids this site notifications: allow them beside its address.")
        : gettext("The browser’s push service cannot be reached. Try again later."),
    );
  });
});
here?.addEventListener("submit", drop);

async function begin() {
  say("");
  if ((await Notification.requestPermission()) !== "granted") throw new Error("no permission");
  await drop();
  const made = await (await pushes()).subscribe({ userVisibleOnly: true, applicationServerKey: form.dataset.push });
  const { endpoint, keys } = made.toJSON();
  for (const [name, value] of Object.entries({ endpoint, ...keys })) form.elements[name].value = value;
  form.submit();
}

async function end() {
  await drop();
  if (here) here.submit();
  else box.disabled = false;
}

/** One that was made for another key of the room, or another player, is none of this page's. */
async function drop() {
  await (await (await pushes()).getSubscription())?.unsubscribe();
}
