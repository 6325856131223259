// The chat of the lobby, or of a table. New lines are added and hidden ones go, one by one: who listens to the log hears
// each line once. Each line that was said just now is told to the page as `chat:line` ({author, text}).

const WIDE = "(min-width: 641px)";

const panel = document.querySelector("details.chat");
if (panel && (matchMedia(WIDE).matches || location.hash === "#chat")) panel.open = true;

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { target, xhr, serverResponse } = detail;
  if (target.id !== "chat-lines" || xhr.status !== 200) return;
  detail.shouldSwap = false;
  const fresh = new DOMParser().parseFromString(serverResponse, "text/html");
  merge(target, [...fresh.querySelectorAll("#chat-lines > li")]);
  for (const id of ["chat-word", "chat-last"]) replace(id, fresh.getElementById(id));
});

/** What was said longer ago is no news, ms. */
const JUST_NOW = 60000;

/** Lines have ids that grow, and never change. */
function merge(list, lines) {
  const stay = new Set(lines.map((line) => line.id));
  for (const old of [...list.children]) stay.has(old.id) || old.remove();
  for (const line of lines) {
    if (document.getElementById(line.id)) continue;
    const added = document.importNode(line, true);
    list.append(added);
    if (Date.now() - Date.parse(line.querySelector("time").dateTime) > JUST_NOW) continue;
    const detail = { author: line.dataset.author, text: line.querySelector(".chat__text").textContent };
    added.dispatchEvent(new CustomEvent("chat:line", { detail, bubbles: true }));
  }
}

function replace(id, fresh) {
  const old = document.getElementById(id);
  if (old && fresh && !old.isEqualNode(fresh)) old.replaceChildren(...fresh.childNodes);
}

// -- emotes: a press sends one ------------------------------------------------------------------------------------------

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-emote]");
  const open = document.querySelector(".emotes[open]");
  if (open && !open.contains(target)) open.open = false;
  if (!button) return;
  const form = button.closest("form") ?? document.getElementById("chat-say");
  const field = form.elements.text;
  const begun = field.value;
  field.value = button.dataset.emote;
  if (button.closest("details")) button.closest("details").open = false;
  form.requestSubmit();
  // The field comes anew, empty: what was being written is written on.
  form.addEventListener("htmx:afterRequest", () => begun && queueMicrotask(() => (document.getElementById("chat-text").value = begun)), { once: true });
});

// -- a message is shown to the floor -----------------------------------------------------------------------------------

const dialog = document.getElementById("report-dialog");
document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-report]");
  if (!button || !dialog) return;
  const line = button.closest("li");
  dialog.querySelector("form").reset();
  dialog.querySelector("[name=line_id]").value = button.dataset.report;
  dialog.querySelector("[data-reported]").textContent = `${line.dataset.author}: ${line.querySelector(".chat__text").textContent}`;
  dialog.querySelector("[data-refusal]").hidden = true;
  dialog.showModal();
});
dialog?.addEventListener("click", ({ target }) => target.matches("[data-close]") && dialog.close());
dialog?.addEventListener("htmx:afterRequest", ({ detail }) => detail.successful && dialog.close());
