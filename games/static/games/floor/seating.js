// The seats of a table beside the map: news of the room redraws them, and what somebody is typing there must stay.

import { anotherKey } from "../../cardroom/keys.js";

let kept = null;

const partsOf = (plan) => [...plan.querySelectorAll("details[data-part]")];
const typed = (details) => [...details.querySelectorAll("input:not([type=hidden], [type=radio], [type=checkbox]), select")];

/** A field's own name: two parts of the plan have fields of the same name. */
const nameOf = (field) => `${field.closest("[data-part]").dataset.part}/${field.name}`;

function isChanged(field) {
  return field.matches("select") ? !field.selectedOptions[0]?.defaultSelected && field.selectedIndex > 0 : field.value !== field.defaultValue;
}

document.addEventListener("htmx:beforeSwap", ({ detail: { target } }) => {
  if (target.id === "panel") {
    kept = null; // another table or seat is chosen: what was open goes
    return;
  }
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
    details.open = kept.open.has(details.dataset.part);
    if (!details.open) continue;
    for (const field of typed(details)) {
      const value = kept.values.get(nameOf(field));
      if (value !== undefined) field.value = value;
    }
  }
  if (kept.focus) document.getElementById(kept.focus)?.focus();
  kept = null;
});

/** What a button needs is said at its field, before anything is sent: `data-needs` names fields of its form, `data-but` a
 *  choice with which it needs none of them, `data-not` a box that must not be ticked for it. */
document.addEventListener("click", ({ target }) => {
  const button = target.closest?.(".seat-plan button[name=verb]");
  if (!button) return;
  const { elements } = button.form;
  const [name, value] = (button.dataset.but ?? "").split("=");
  const isNeedless = Boolean(name) && elements[name]?.value === value;
  const needs = isNeedless ? [] : (button.dataset.needs ?? "").split(" ");
  for (const field of button.form.querySelectorAll("[data-missing]")) {
    const isMissing = needs.includes(field.name) && !field.value.trim();
    field.setCustomValidity(isMissing ? field.dataset.missing : "");
  }
}, { capture: true });
document.addEventListener("input", ({ target }) => target.dataset?.missing && target.setCustomValidity(""));
document.addEventListener("change", ({ target }) => {
  const form = target.closest?.(".seat-plan form");
  for (const button of form?.querySelectorAll("[data-not]") ?? []) button.disabled = form.elements[button.dataset.not]?.checked ?? false;
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
