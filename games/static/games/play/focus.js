// Whoever goes by keyboard is never left nowhere: when what has the focus goes, is hidden or can no longer be pressed, the
// focus moves to a place that is always there.

const isThere = (node) => node.isConnected && node.checkVisibility() && !node.matches(":disabled");

/** Keep the focus in sight; `place` takes it. Call what this returns when something has been drawn or switched off. */
export function keepFocus(place) {
  let last = null;
  const look = () => {
    const here = document.activeElement ?? document.body;
    // What was hidden a moment ago may still have it; who clicked on nothing wants it nowhere.
    const lost = here === document.body ? last : here;
    if (lost && !isThere(lost)) place.focus({ preventScroll: true });
  };
  document.addEventListener("focusin", ({ target }) => (last = target));
  document.addEventListener("close", look, true);
  return look;
}
