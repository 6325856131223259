// What every page has: short notices in a corner, from htmx answers and from the live table; and that an order that was
// given is not given again by a second click.

import "./notices.js";
import "./scrolls.js";
import { askInstead } from "./asking.js";
import { anotherKey } from "./keys.js";
import { gettext } from "./language.js";

// The page has its script: it need not say after a while that it lacks one.
document.documentElement.dataset.script = "here";

const toasts = document.getElementById("toasts");
const SECONDS = 7;

/** Show a notice: {message, rule, isRefusal}. */
export function toast({ message, rule = null, isRefusal = false }) {
  const box = document.createElement("div");
  box.className = isRefusal ? "toast toast--refused" : "toast";
  const text = document.createElement("span");
  text.textContent = message;
  box.append(text);
  if (rule) {
    const cite = document.createElement("cite");
    cite.className = "toast__rule";
    cite.textContent = rule;
    box.append(cite);
  }
  toasts.prepend(dressed(box));
  while (toasts.childElementCount > 3) toasts.lastElementChild.remove();
}

/** The notice with a button to close it; it also goes by itself. */
function dressed(box) {
  const close = document.createElement("button");
  close.type = "button";
  close.className = "toast__close";
  close.setAttribute("aria-label", gettext("Close this notice"));
  close.textContent = "×";
  close.addEventListener("click", () => box.remove());
  box.append(close);
  setTimeout(() => box.remove(), SECONDS * 1000);
  return box;
}

for (const box of toasts.children) dressed(box);

addEventListener("toast", ({ detail }) => toast(detail));

// A refusal answers an htmx request with a small fragment that says what and by which rule.
function tellRefusal(xhr, elt) {
  const answer = new DOMParser().parseFromString(xhr.responseText, "text/html").querySelector("[data-problem]");
  const message = answer?.querySelector("[data-detail]")?.textContent ?? gettext("That did not work. Load the page again.");
  refuse(elt, message, answer?.querySelector("[data-rule]")?.textContent);
  // A count that is refused is recorded under its key: what is typed next, and be it the same, is another count.
  if (!answer?.dataset.problem.startsWith("count-")) return;
  for (const key of elt.closest("form")?.querySelectorAll("[name=key]") ?? []) key.value = anotherKey();
}
document.addEventListener("htmx:responseError", ({ detail: { xhr, elt } }) => tellRefusal(xhr, elt));
// What was pressed may be drawn anew while its answer is on the way: the event would be told to nobody.
document.addEventListener("htmx:beforeRequest", ({ detail: { xhr, elt } }) => {
  xhr.addEventListener("load", () => xhr.status >= 400 && !elt.isConnected && tellRefusal(xhr, elt));
});
document.addEventListener("htmx:sendError", ({ detail: { elt, requestConfig } }) => {
  // A list that keeps itself up to date tries again by itself.
  if (requestConfig.verb !== "get") refuse(elt, gettext("The room cannot be reached. Nothing was changed; try again."));
});

/** Said where the eyes are: in the dialog the request came from, else as a notice. */
function refuse(element, message, rule = null) {
  const place = element.closest?.("dialog")?.querySelector("[data-refusal]");
  if (!place) {
    toast({ message, rule, isRefusal: true });
    return;
  }
  place.textContent = rule ? `${message} (${rule})` : message;
  place.hidden = false;
}

// -- twice is once ----------------------------------------------------------------------------------------------------

/** What was sent and is not answered: by the browser itself, and by htmx. */
const sent = new Set();
/** A file may be the answer, and leave the page as it is. */
const FORGOTTEN_AFTER = 10000;

function dim(form, isOn) {
  for (const button of form.querySelectorAll("button")) {
    if (isOn) button.setAttribute("aria-disabled", "true");
    else button.removeAttribute("aria-disabled");
  }
}

function forget(form) {
  if (sent.delete(form)) dim(form, false);
}

// Attributes, not properties: a field may have the name "method" or "target".
document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  const target = submitter?.getAttribute("formtarget") ?? form.getAttribute("target");
  if (event.defaultPrevented || target === "_blank" || form.getAttribute("method")?.toLowerCase() !== "post") return;
  if (sent.has(form)) {
    event.preventDefault();
    return;
  }
  sent.add(form);
  setTimeout(dim, 0, form, true); // the button that was pressed is sent along
  setTimeout(forget, FORGOTTEN_AFTER, form);
});
addEventListener("pageshow", () => [...sent].forEach(forget));

// htmx would send the second one after the first, as a form may wish where it can be filled in anew meanwhile. What is
// drawn anew while somebody types is no click.
const isPressed = (event) => ["submit", "click"].includes(event?.type);
const waits = (form) => form.getAttribute("hx-sync")?.includes("queue");
document.addEventListener("htmx:confirm", (event) => {
  const { elt, verb, triggeringEvent } = event.detail;
  if (verb !== "get" && isPressed(triggeringEvent) && sent.has(elt) && !waits(elt)) event.preventDefault();
});
askInstead();
document.addEventListener("htmx:beforeRequest", ({ detail: { elt, xhr, requestConfig } }) => {
  if (requestConfig.verb === "get" || !isPressed(requestConfig.triggeringEvent)) return;
  sent.add(elt);
  xhr.addEventListener("loadend", () => sent.delete(elt));
});

// On a phone the row of tabs is longer than the screen: the one that is open is in sight. The page itself stays.
for (const tab of document.querySelectorAll(".tabs [aria-current=page]")) {
  const row = tab.closest(".tabs");
  row.scrollLeft += tab.getBoundingClientRect().left - row.getBoundingClientRect().left - (row.clientWidth - tab.offsetWidth) / 2;
}

// The menus at the top: one open at a time, closed by a click elsewhere or Escape, walked through by arrow keys.
const menus = [...document.querySelectorAll(".site-head .menu")];
for (const menu of menus) {
  menu.addEventListener("toggle", () => menu.open && menus.forEach((other) => other !== menu && (other.open = false)));
  menu.addEventListener("keydown", (event) => {
    const items = [...menu.querySelectorAll(".menu__list .nav-link")];
    const at = items.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (event.key === "Escape" && menu.open) {
      menu.open = false;
      menu.querySelector("summary").focus();
    } else if (to !== undefined && (menu.open || event.key === "ArrowDown")) {
      menu.open = true;
      items[(to + items.length) % items.length]?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
document.addEventListener("click", ({ target }) => menus.forEach((menu) => menu.contains(target) || (menu.open = false)));

// A page for when there is no connection. Where a browser forbids it the room is the same without.
navigator.serviceWorker?.register("/worker.js").catch(() => {});
