// The keys of the table page, as the player chose them (cardroom/accounts/hot_keys.py), and the form that changes them.

import { gettext } from "./language.js";

const told = document.getElementById("hot-keys");
let keys = told ? JSON.parse(told.textContent) : {};

/** The key for one thing, such as `keyFor("fold")`: "F". "" on a page that was told of none. */
export const keyFor = (name) => keys[name] ?? "";

/** Whether a key is meant for the page, and not for a field, a dialog or the browser. AltGr only makes a sign. */
export function isForPage(event) {
  const isShortcut = event.metaKey || ((event.ctrlKey || event.altKey) && !event.getModifierState("AltGraph"));
  return !isShortcut && !event.repeat && !event.target.closest?.("input, textarea, select, dialog");
}

/** What the key that was pressed does; "" for nothing. */
export function pressed(event) {
  const key = event.key.toUpperCase();
  return (isForPage(event) && Object.keys(keys).find((name) => keys[name] === key)) || "";
}

/** A button says its key to those who see it and to those who hear it. */
export function showKey(button, key) {
  button.setAttribute("aria-keyshortcuts", key);
  const hint = button.querySelector("kbd");
  if (hint) hint.textContent = key;
}

/** Buttons with `data-key` say the key that does the same; again whenever keys change, when `onChange()` hears of it. */
export function connectKeys(onChange = () => {}) {
  const show = () => {
    for (const button of document.querySelectorAll("[data-key]")) {
      if (keyFor(button.dataset.key)) showKey(button, keyFor(button.dataset.key));
    }
    for (const input of document.querySelectorAll("form[data-keys] input[id]")) input.value = keyFor(input.name);
    onChange();
  };
  for (const form of document.querySelectorAll("form[data-keys]")) connectForm(form, show);
  show();
}

function connectForm(form, show) {
  const said = form.querySelector("[data-keys-said]");
  const send = async (method, body, done) => {
    const { refusal, kept } = await asked(form.dataset.keys, method, body);
    if (kept) keys = kept;
    said.textContent = refusal ?? done;
    said.classList.toggle("loss", Boolean(refusal));
    show();
  };
  const choose = (input, key) => {
    const done = gettext("“{name}” is {key} now.", { name: input.labels[0].textContent, key: key.toUpperCase() });
    send("PATCH", { [input.name]: key }, done);
  };
  form.addEventListener("keydown", (event) => {
    const { target: input, key } = event;
    if (!input.matches("input[id]") || event.ctrlKey || event.metaKey || [...key].length > 1 || key === " ") return;
    event.preventDefault();
    if (!event.repeat && key.toUpperCase() !== input.value) choose(input, key);
  });
  // A keyboard on the screen may send no key, but what it writes.
  form.addEventListener("input", ({ target: input }) => input.value && choose(input, input.value));
  form.addEventListener("focusin", ({ target }) => target.matches("input[id]") && target.select());
  form.addEventListener("focusout", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.parentElement.querySelector("[data-keys-usual]")?.addEventListener("submit", (event) => {
    event.preventDefault();
    send("DELETE", undefined, gettext("All keys are as usual."));
  });
}

/** The keys as they are kept now; or why they are not. */
async function asked(url, method, body) {
  const headers = { "Content-Type": "application/json", ...JSON.parse(document.body.getAttribute("hx-headers")) };
  try {
    const answer = await fetch(url, { method, headers, body: JSON.stringify(body), credentials: "same-origin" });
    const made = await answer.json();
    if (answer.ok) return { kept: made };
    return { refusal: made.detail };
  } catch {
    return { refusal: gettext("The room cannot be reached. Nothing was changed; try again.") };
  }
}
