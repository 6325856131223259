// The console by keyboard: a key presses the button that carries it (`data-key`), arrows go from seat to seat.

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const middle = (node) => {
  const { left, right, top, bottom } = node.getBoundingClientRect();
  return [(left + right) / 2, (top + bottom) / 2];
};

export function connectKeys(root) {
  const find = root.querySelector("#run-find");
  if (!find) return;
  find.addEventListener("keydown", (event) => {
    const first = root.querySelector("a.run-seat.is-found");
    if (event.key !== "Enter" || !first) return;
    event.preventDefault();
    first.click();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || root.querySelector("dialog[open]")) return;
    if (event.target.matches("input, select, textarea")) return;
    if (event.key in STEPS && event.target.matches("a.run-seat")) {
      event.preventDefault();
      step(root, event.target, STEPS[event.key]);
      return;
    }
    const key = event.key === "=" ? "+" : event.key;
    const button = [...root.querySelectorAll("[data-key]")].find((node) => node.dataset.key === key && !node.disabled);
    if (!button) return;
    event.preventDefault();
    if (button === find) find.focus();
    else button.click();
  });
}

/** To the seat that lies nearest in this direction. */
function step(root, from, [dx, dy]) {
  const [x, y] = middle(from);
  let best = null;
  for (const seat of root.querySelectorAll("a.run-seat")) {
    const [sx, sy] = middle(seat);
    const along = (sx - x) * dx + (sy - y) * dy;
    const aside = Math.abs((sx - x) * dy) + Math.abs((sy - y) * dx);
    if (along > 1 && (!best || along + 3 * aside < best.far)) best = { seat, far: along + 3 * aside };
  }
  best?.seat.focus();
}
