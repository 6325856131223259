// A name of a list on a page of its own is drawn anew when something moves, but not while somebody fills in a form there.

const panel = document.getElementById("list-panel");

const isFilledIn = () =>
  panel.contains(document.activeElement) && document.activeElement !== panel
  || Boolean(panel.querySelector("details[open]"))
  || [...panel.querySelectorAll("input:not([type=hidden])")].some((field) => field.value !== field.defaultValue);

document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.elt === panel && isFilledIn()) event.preventDefault();
});
