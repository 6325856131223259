// The desk of an event: with each entry the name field is empty and has the focus, and a pasted list goes to its own field.

const desk = document.querySelector("[data-desk]");
const name = document.getElementById("q");
const list = document.getElementById("desk-names");

/** What was typed for the entry that is on its way. */
let sent = "";
const isEntry = (elt) => Boolean(elt.closest("#by-name, #found"));

// The next name is typed while the answer is awaited: the field is empty from the sending on, and nothing is taken later.
desk.addEventListener("htmx:beforeSend", ({ detail: { elt, requestConfig } }) => {
  if (requestConfig.verb !== "post" || !isEntry(elt)) return;
  sent = name.value;
  name.value = "";
  name.dispatchEvent(new CustomEvent("htmx:abort", { bubbles: true, detail: {} })); // what was looked for is shown no more
});

desk.addEventListener("htmx:afterRequest", ({ detail: { elt, requestConfig, successful } }) => {
  if (requestConfig.verb !== "post") return;
  if (!successful) {
    if (isEntry(elt) && !name.value) name.value = sent;
    return;
  }
  if (elt === list.form) {
    list.value = "";
    list.closest("details").open = false;
  }
  name.focus();
});

name.addEventListener("paste", (event) => {
  const text = event.clipboardData?.getData("text") ?? "";
  if (!text.trim().includes("\n")) return;
  event.preventDefault();
  list.closest("details").open = true;
  list.value = text.trim();
  list.focus();
});
