// The board on the wall: its screens in turn, a clock, full screen, and what it says while it is cut off.

const board = document.querySelector("[data-board]");
const screens = document.getElementById("screens");
const dots = board.querySelector("[data-dots]");
const clock = board.querySelector("[data-clock]");
const lost = board.querySelector("[data-lost]");
const seconds = Number(board.dataset.seconds);
const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

let shown = "";
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

/** A screen that is too long for the wall moves on by itself: it is scrolled to its end while it is shown. */
function fit(screen) {
  screen.scrollTop = 0;
  const room = board.clientHeight - screen.getBoundingClientRect().top - 12;
  screen.style.setProperty("max-height", matchMedia("(max-width: 640px)").matches ? "none" : `${room}px`);
  screen.style.setProperty("overflow", "hidden");
  const rest = screen.scrollHeight - screen.clientHeight;
  if (rest > 4) setTimeout(() => screen.scrollTo({ top: rest, behavior: "smooth" }), (seconds * 1000) / 2);
}

function step(by = 1) {
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

setInterval(tick, 1000);
setInterval(() => isHeld || document.hidden || step(), seconds * 1000);
tick();
toLocal();
show("");
