// The preview of a table in the lobby: by pointing at its row, by its button, or by the keyboard.

const WAIT = 350;
const AGAIN = 3000;

const box = document.getElementById("peek");
let row = null;
/** Opened by its button: it stays until it is closed. */
let isKept = false;
let waiting = 0;
let again = 0;
/** Which row's preview Escape closed: it does not open again by the focus that goes back to its button. */
let shut = "";

const buttonOf = (of) => of?.querySelector("[data-peek-open]");
/** Lists are drawn anew while a preview is open. */
const rowNow = () => (row?.isConnected ? row : document.querySelector(`[data-peek="${row?.dataset.peek}"]`));

async function show(of, keep) {
  clearTimeout(waiting);
  const isOther = row?.dataset.peek !== of.dataset.peek;
  if (row && isOther) mark(false);
  row = of;
  isKept = keep || (isKept && !isOther);
  await draw();
  clearInterval(again);
  again = row ? setInterval(draw, AGAIN) : 0;
  if (keep && row === of) box.focus({ preventScroll: true });
}

async function draw() {
  const asked = row;
  if (!asked || document.hidden) return;
  const focused = box.contains(document.activeElement) && document.activeElement !== box ? document.activeElement : null;
  await htmx.ajax("GET", asked.dataset.peek, { target: box }).catch(() => {}); // the page may be left
  if (row !== asked || !box.querySelector("h2")) return;
  if (focused && !focused.isConnected) (focused.matches("a") ? box.querySelector("a") : box.querySelector("button")).focus();
  box.hidden = false;
  mark(true);
  place();
}

function mark(isOpen) {
  const now = rowNow();
  now?.classList.toggle("is-peeked", isOpen);
  buttonOf(now)?.setAttribute("aria-expanded", String(isOpen));
}

/** Beside the pointer's row, inside the window; a narrow window has it at its foot, by the sheet. */
function place() {
  const at = (buttonOf(rowNow()) ?? rowNow())?.getBoundingClientRect();
  if (!at) return;
  const left = at.left - box.offsetWidth - 12;
  box.style.left = `${Math.max(12, left)}px`;
  box.style.top = `${Math.max(12, Math.min(at.top - 12, innerHeight - box.offsetHeight - 12))}px`;
}

function close({ focus = false } = {}) {
  clearTimeout(waiting);
  clearInterval(again);
  if (!row) return;
  mark(false);
  const button = buttonOf(rowNow());
  row = null;
  isKept = false;
  box.hidden = true;
  if (focus) button?.focus({ preventScroll: true });
}

addEventListener("click", ({ target }) => {
  if (target.closest("[data-peek-close]")) return close({ focus: true });
  const button = target.closest("[data-peek-open]");
  if (button) {
    const of = button.closest("[data-peek]");
    return isKept && row?.dataset.peek === of.dataset.peek ? close({ focus: true }) : show(of, true);
  }
  const of = target.closest("[data-peek]");
  if (of && !target.closest("a, button")) show(of, true);
  else if (!of && !box.contains(target)) close();
});

addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !row) return;
  shut = row.dataset.peek;
  close({ focus: isKept });
});

// Only a mouse hovers: a finger presses.
addEventListener("pointerover", ({ target, pointerType }) => {
  if (pointerType !== "mouse" || isKept || !matchMedia("(min-width: 961px)").matches) return;
  const of = target.closest?.("[data-peek]");
  clearTimeout(waiting);
  if (of && of.dataset.peek !== row?.dataset.peek) waiting = setTimeout(show, WAIT, of, false);
  else if (!of && row && !box.contains(target)) waiting = setTimeout(close, WAIT);
});

addEventListener("focusin", ({ target }) => {
  const of = target.matches?.("[data-peek-open]:focus-visible") ? target.closest("[data-peek]") : null;
  clearTimeout(waiting);
  const wasShut = Boolean(of) && of.dataset.peek === shut;
  shut = wasShut ? shut : "";
  if (of && !wasShut && of.dataset.peek !== row?.dataset.peek) waiting = setTimeout(show, WAIT, of, false);
  else if (row && !isKept && !box.contains(target) && !target.closest?.("[data-peek]")) close();
});

addEventListener("scroll", () => row && !isKept && close(), { passive: true });
