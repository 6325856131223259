// The console's dialogs: opened when their inside has come, closed when an order was carried out. What is typed in one
// stays until then, whatever happens in the event meanwhile.

export function connectDialogs(root) {
  const dialog = root.querySelector("#run-dialog");
  if (!dialog) return;
  document.addEventListener("htmx:afterSwap", ({ target }) => {
    if (target.id !== "run-panel") return;
    if (!dialog.open) dialog.showModal();
    (dialog.querySelector("[autofocus]") ?? dialog.querySelector("[data-close]")).focus();
  });
  document.addEventListener("order-done", () => dialog.open && dialog.close());
  document.addEventListener("htmx:beforeRequest", ({ detail: { elt } }) => {
    const place = elt.closest?.("dialog")?.querySelector("[data-refusal]");
    if (place) place.hidden = true;
  });
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog || target.closest("[data-close]")) dialog.close();
  });
  const keys = root.querySelector("#run-keys");
  root.querySelector("[data-show-keys]")?.addEventListener("click", () => keys.showModal());
}
