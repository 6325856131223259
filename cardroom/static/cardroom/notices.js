// The one place of notices at a table. Beside the felt it shows all of them. Where there is no room beside it, it is a
// line of its own: it shows the most urgent one, in two lines at most, and the rest when somebody opens it.

const NOTICE = ".banner, .toast, .call-banner, .room-line, .ruling";
const place = document.querySelector("[data-notices]");
const more = place?.querySelector("[data-notices-more]");
const count = place?.querySelector("[data-notices-count]");
const isNarrow = matchMedia("(max-width: 960px), (max-height: 480px)");

/** What is told now, most urgent first, as it stands in the page. */
const told = () => [...place.querySelectorAll(NOTICE)].filter((notice) => !notice.closest("[hidden]"));

/** Whether more of it is to be seen, or done, than its line shows. */
function isCut(notice) {
  return notice.matches(".call-banner:has(.call-banner__moves form)") || [notice, ...notice.querySelectorAll("span, strong, p, li")].some(isOverfull);
}
const isOverfull = ({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>
  clientHeight > 0 && (scrollHeight > clientHeight + 2 || scrollWidth > clientWidth + 2);

/** Beside the felt there is room for all; in the bar of several tables never. */
const isLine = () => place.dataset.notices === "line" || isNarrow.matches;

function draw() {
  const all = told();
  for (const notice of place.querySelectorAll(NOTICE)) notice.classList.toggle("is-first", notice === all[0]);
  place.classList.toggle("has-notices", all.length > 0);
  place.classList.toggle("is-line", isLine());
  if (!all.length) open(false);
  const isMore = isLine() && (place.classList.contains("is-open") || all.length > 1 || (all.length === 1 && isCut(all[0])));
  // Only what has changed is written: this is called by each change.
  if (more.hidden === isMore) more.hidden = !isMore;
  const number = all.length > 1 ? String(all.length) : "";
  if (count.textContent !== number) count.textContent = number;
}

function open(isOpen) {
  if (place.classList.contains("is-open") === isOpen) return;
  place.classList.toggle("is-open", isOpen);
  more.setAttribute("aria-expanded", String(isOpen));
  draw();
}

if (place) {
  more.addEventListener("click", () => open(!place.classList.contains("is-open")));
  place.addEventListener("click", ({ target }) => target.closest(NOTICE) && !target.closest("a, button, input, label, form") && !more.hidden && open(true));
  document.addEventListener("click", ({ target }) => target.isConnected && !place.contains(target) && open(false));
  place.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !place.classList.contains("is-open")) return;
    open(false);
    more.focus();
  });
  new MutationObserver(draw).observe(place, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["hidden"] });
  new ResizeObserver(draw).observe(place);
  isNarrow.addEventListener("change", draw);
  draw();
}
