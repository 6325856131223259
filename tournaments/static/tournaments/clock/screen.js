// The screen the wall hangs on: kept awake, full if wanted, in one of its looks, its buttons away when nobody is near.

import { gettext } from "../../cardroom/language.js";

export const LOOKS = ["plain", "felt", "time", "payouts", "score"];
const IDLE = 3000;

/** Keep the screen on while the page is seen, where the browser can. */
export function stayAwake() {
  let lock = null;
  const ask = async () => {
    if (document.hidden || lock || !navigator.wakeLock) return;
    try {
      lock = await navigator.wakeLock.request("screen");
      lock.addEventListener("release", () => (lock = null));
    } catch {
      lock = null; // the battery is low, or the page may not: the screen's own setting holds
    }
  };
  document.addEventListener("visibilitychange", ask);
  addEventListener("pointerdown", ask);
  ask();
}

/** Choose looks by link or by the keys 1 to 5; the address keeps the choice for a reload. */
export function connectLooks(page) {
  const links = [...page.querySelectorAll("[data-look-link]")];
  const wear = (look) => {
    page.dataset.look = look;
    for (const link of links) link.toggleAttribute("aria-current", link.dataset.lookLink === look);
    const url = new URL(location.href);
    url.searchParams.set("look", look);
    history.replaceState(null, "", url);
  };
  for (const link of links) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      wear(link.dataset.lookLink);
    });
  }
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const look = LOOKS[Number(event.key) - 1];
    if (look) wear(look);
  });
}

export function connectFullScreen(button) {
  const toggle = () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());
  button.hidden = !document.fullscreenEnabled;
  button.addEventListener("click", toggle);
  addEventListener("keydown", ({ key, ctrlKey, metaKey }) => key === "f" && !ctrlKey && !metaKey && document.fullscreenEnabled && toggle());
  document.addEventListener("fullscreenchange", () => {
    button.textContent = document.fullscreenElement ? gettext("Leave full screen") : gettext("Full screen");
  });
}

/** Buttons and pointer go away when nothing moves. */
export function hideWhenIdle(page) {
  let timer = 0;
  const stir = () => {
    page.classList.remove("is-idle");
    clearTimeout(timer);
    timer = setTimeout(() => page.classList.toggle("is-idle", !page.querySelector(".wall__controls :focus-visible")), IDLE);
  };
  for (const kind of ["pointermove", "pointerdown", "keydown", "focusin"]) addEventListener(kind, stir);
  stir();
}

/** Have the browser keep this page for a reload without the room; only where the page came by https or from here. */
export async function keepThePage(script) {
  if (!navigator.serviceWorker) return;
  try {
    await navigator.serviceWorker.register(script);
    const { active } = await navigator.serviceWorker.ready;
    const parts = performance.getEntriesByType("resource").map(({ name }) => name);
    active.postMessage({ keep: [location.href.split("?")[0], ...parts.filter((name) => new URL(name).pathname.startsWith("/static/"))] });
  } catch {
    // Then a reload without the room shows the browser's own page for that.
  }
}
