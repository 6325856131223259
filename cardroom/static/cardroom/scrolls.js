// A table that is wider than its place is scrolled by keyboard too: then it is a stop of Tab, and says what it is.

import { gettext } from "./language.js";

const BOXES = ".table-wrap";

const nameOf = (box) => (box.querySelector("caption") ?? box.closest("section, main")?.querySelector("h1, h2, h3"))?.textContent.trim();

function mark(box) {
  const scrolls = box.scrollWidth > box.clientWidth;
  if (scrolls === box.hasAttribute("tabindex")) return;
  const says = { tabindex: "0", role: "group", "aria-label": nameOf(box) || gettext("Wide table") };
  for (const [name, value] of Object.entries(says)) {
    if (scrolls) box.setAttribute(name, value);
    else box.removeAttribute(name);
  }
}

const sizes = new ResizeObserver((entries) => entries.forEach(({ target }) => mark(target)));
const watch = () => document.querySelectorAll(BOXES).forEach((box) => sizes.observe(box));

watch();
// Parts are drawn anew, with other tables in them.
document.addEventListener("htmx:afterSettle", () => {
  watch();
  document.querySelectorAll(BOXES).forEach(mark);
});
