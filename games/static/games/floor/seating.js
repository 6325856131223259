// The seats of a table beside the map: news of the room redraws them, and what somebody is typing there must stay.

import { anotherKey } from "../../cardroom/keys.js";

let kept = null;

const partsOf = (plan) => [...plan.querySelectorAll("details[data-part]")];
const typed = (details) => [...details.querySelectorAll("input:not([type=hidden]), select")];

/** A field's own name: two parts of the plan have fields of the same name. */
const nameOf = (field) => `${field.closest("[data-part]").dataset.part}/${field.name}`;

function isChanged(field) {
  return field.matches("select") ? !field.selectedOptions[0]?.defaultSelected && field.selectedIndex > 0 : field.value !== field.defaultValue;
}

document.addEventListener("htmx:beforeSwap", ({ detail: { target } }) => {
  const plan = target.querySelector?.(".seat-plan");
  if (!plan) return;
  const open = partsOf(plan).filter((details) => details.open);
  kept = {
    table: plan.dataset.table,
    open: new Set(open.map((details) => details.dataset.part)),
    values: new Map(open.flatMap(typed).filter(isChanged).map((field) => [nameOf(field), field.value])),
    focus: plan.contains(document.activeElement) ? document.activeElement.id : "",
  };
});

document.addEventListener("htmx:afterSwap", ({ detail: { target } }) => {
  const plan = target.querySelector?.(".seat-plan");
  if (!plan || kept?.table !== plan.dataset.table) return;
  for (const details of partsOf(plan)) {
    if (!kept.open.has(details.dataset.part)) continue;
    details.open = true;
    for (const field of typed(details)) {
      const value = kept.values.get(nameOf(field));
      if (value !== undefined) field.value = value;
    }
  }
  if (kept.focus) document.getElementById(kept.focus)?.focus();
  kept = null;
});

// It is done: the form was for that one act, and so was its key. The same again is meant.
document.addEventListener("seats-moved", ({ target }) => {
  const form = target.closest?.("form");
  const place = target.closest?.(".seat-plan") ?? form;
  for (const key of place?.querySelectorAll("[name=key]") ?? []) key.value = anotherKey();
  form?.reset();
  const details = target.closest?.("details[data-part]");
  if (details) details.open = false;
});
