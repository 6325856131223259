// The desk of an event: after each entry the name field is empty and has the focus, and a pasted list goes to its own field.

const desk = document.querySelector("[data-desk]");
const name = document.getElementById("q");
const list = document.getElementById("desk-names");

desk.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.requestConfig.verb !== "post" || !detail.successful) return;
  name.value = "";
  list.value = "";
  list.closest("details").open = false;
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
