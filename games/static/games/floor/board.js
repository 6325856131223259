// The board on the wall: its screens in turn, a clock, full screen, and what it says while it is cut off.

import { locale } from "../../cardroom/language.js";

const board = document.querySelector("[data-board]");
const screens = document.getElementById("screens");
const dots = board.querySelector("[data-dots]");
const clock = board.querySelector("[data-clock]");
const lost = board.querySelector("[data-lost]");
const seconds = Number(board.dataset.seconds);
const time = new Intl.DateTimeFormat(locale, {
  hour: "2-digit",
  minute: "2-digit",
  timeZone: document.documentElement.dataset.zone,
});

let shown = "";
let page = 0;
let isHeld = false;

const all = () => [...screens.querySelectorAll("[data-screen]")];

function show(name) {
  const list = all();
  if (!list.length) return;
  const one = list.find(({ dataset }) => dataset.screen === name) ?? list[0];
  shown = one.dataset.screen;
  for (const screen of list) screen.hidden = screen !== one;
  dots.replaceChildren(
    ...list.map((screen) => {
      const dot = document.createElement("li");
      dot.classList.toggle("is-on", screen === one);
      return dot;
    }),
  );
  fit(one);
}

/** A screen that is too long for the wall is cut to it, and shown page by page. */
function fit(screen) {
  const room = board.clientHeight - screen.getBoundingClientRect().top - 12;
  screen.style.setProperty("max-height", matchMedia("(max-width: 640px)").matches ? "none" : `${room}px`);
  screen.style.setProperty("overflow", "hidden");
  page = Math.min(page, lastPage(screen));
  screen.scrollTop = page * stride(screen);
}

/** How far a page turns: a little of the one before stays. */
const stride = (screen) => screen.clientHeight * 0.9;

function lastPage(screen) {
  const rest = screen.scrollHeight - screen.clientHeight;
  return rest > 4 ? Math.ceil(rest / stride(screen)) : 0;
}

/** The next page of this screen, or the next screen. */
function turn() {
  const screen = all().find(({ dataset }) => dataset.screen === shown);
  if (!screen || page >= lastPage(screen)) return step();
  page += 1;
  screen.scrollTo({ top: page * stride(screen), behavior: "smooth" });
}

function step(by = 1) {
  page = 0;
  const names = all().map(({ dataset }) => dataset.screen);
  if (names.length) show(names[(names.indexOf(shown) + by + names.length) % names.length]);
}

function toLocal() {
  for (const each of screens.querySelectorAll("time[data-local]")) each.textContent = time.format(new Date(each.dateTime));
}

function tick() {
  clock.textContent = time.format(new Date());
}

document.addEventListener("htmx:afterSwap", ({ detail: { target } }) => {
  if (target !== screens) return;
  toLocal();
  show(shown);
});
document.body.addEventListener("room:lost", () => (lost.hidden = false));
document.body.addEventListener("room:open", () => (lost.hidden = true));
board.querySelector("[data-full]").addEventListener("click", () => document.documentElement.requestFullscreen?.());
document.addEventListener("keydown", ({ key }) => {
  if (key === "ArrowRight") step(1);
  else if (key === "ArrowLeft") step(-1);
  else if (key === " ") isHeld = !isHeld;
  else if (key === "f") document.documentElement.requestFullscreen?.();
});

addEventListener("resize", () => show(shown));
setInterval(tick, 1000);
setInterval(() => isHeld || document.hidden || turn(), seconds * 1000);
tick();
toLocal();
show("");
