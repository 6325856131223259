// What else can be done with a resource of the API: the body goes as JSON, and the answer stands below as it came.

import { asked } from "./asking.js";
import { anotherKey } from "./keys.js";
import { gettext } from "./language.js";

for (const form of document.querySelectorAll("form[data-method]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    if (button.hasAttribute("aria-disabled")) return;
    if (form.dataset.asks && !(await asked(form.dataset.asks, button.textContent.trim()))) return;
    button.setAttribute("aria-disabled", "true"); // not `disabled`: whoever pressed it stays on it
    send(form).finally(() => button.removeAttribute("aria-disabled"));
  });
}

/** Send it under a key that it keeps until an answer came: what is sent again after none is not done twice. */
async function send(form) {
  const { method } = form.dataset;
  form.dataset.key ??= anotherKey();
  const csrf = JSON.parse(document.body.getAttribute("hx-headers"));
  const headers = { Accept: "application/json; indent=4", "Idempotency-Key": form.dataset.key, ...csrf };
  const body = form.querySelector("textarea")?.value.trim() || undefined;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  try {
    const answer = await fetch(form.action, { method, headers, body, credentials: "same-origin" });
    const text = await answer.text();
    delete form.dataset.key;
    show(form, `HTTP ${answer.status} ${answer.statusText}`.trim(), answer.ok, text);
  } catch {
    show(form, gettext("No answer came. Send it again: nothing is done twice."), false, "");
  }
}

function show(form, status, isGood, text) {
  const [said, answer] = [form.nextElementSibling, form.nextElementSibling.nextElementSibling];
  const badge = document.createElement("span");
  badge.className = isGood ? "badge badge--good" : "badge badge--bad";
  badge.textContent = status;
  said.replaceChildren(badge);
  answer.textContent = text;
  answer.hidden = !text;
}

// An address of the document: what is typed stands in it, and after it what is asked of a list; what is empty does not.
for (const form of document.querySelectorAll("form[data-opens]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const asked = [...form.querySelectorAll("input")].map((input) => [input, input.value.trim()]);
    const wrong = asked.find(([input, value]) => input.dataset.part && /^\.*$/.test(value));
    if (wrong) return wrong[0].focus();
    const parts = Object.fromEntries(asked.map(([input, value]) => [input.dataset.part, encodeURIComponent(value)]));
    const query = new URLSearchParams(asked.filter(([input, value]) => input.name && value).map(([{ name }, value]) => [name, value]));
    const path = form.dataset.opens.replaceAll(/\{(\w+)\}/g, (_, name) => parts[name]);
    return location.assign(query.size ? `${path}?${query}` : path);
  });
}

/** Whoever comes for what a refusal means reads it. */
function unfold() {
  const refused = location.hash === "#refused" && document.getElementById("refused");
  if (refused) refused.open = true;
}
addEventListener("hashchange", unfold);
unfold();
