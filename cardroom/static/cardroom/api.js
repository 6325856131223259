// What else can be done with a resource of the API: the body goes as JSON, and the answer stands below as it came.

import { gettext } from "./language.js";

for (const form of document.querySelectorAll("form[data-method]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!form.dataset.asks || confirm(form.dataset.asks)) send(form);
  });
}

async function send(form) {
  const { method } = form.dataset;
  const button = form.querySelector("button");
  const csrf = JSON.parse(document.body.getAttribute("hx-headers"));
  const headers = { Accept: "application/json", ...csrf };
  const body = form.elements.body?.value.trim() || undefined;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  button.disabled = true;
  try {
    const answer = await fetch(form.action, { method, headers, body, credentials: "same-origin" });
    show(form, `HTTP ${answer.status} ${answer.statusText}`.trim(), answer.ok, spaced(await answer.text()));
  } catch {
    show(form, gettext("The room cannot be reached. Nothing was changed; try again."), false, "");
  }
  button.disabled = false;
}

function show(form, status, isGood, text) {
  const box = form.parentElement.querySelector("[data-answer]");
  const [badge, words] = box.children;
  badge.className = isGood ? "badge badge--good" : "badge badge--bad";
  badge.textContent = status;
  words.textContent = text;
  words.hidden = !text;
  box.hidden = false;
}

/** JSON with its lines and indents; what is no JSON as it is. */
function spaced(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
