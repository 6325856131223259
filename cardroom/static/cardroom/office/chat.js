// The chat of the lobby. New lines are added and hidden ones go, one by one: who listens to the log hears each line once.

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

/** Lines have ids that grow, and never change. */
function merge(list, lines) {
  const stay = new Set(lines.map((line) => line.id));
  for (const old of [...list.children]) stay.has(old.id) || old.remove();
  for (const line of lines) document.getElementById(line.id) ?? list.append(document.importNode(line, true));
}

function replace(id, fresh) {
  const old = document.getElementById(id);
  if (old && fresh && !old.isEqualNode(fresh)) old.replaceChildren(...fresh.childNodes);
}
