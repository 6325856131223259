// The clock for the wall: joins the tournament's feed, the board, the bell and the screen.

import { gettext } from "../../cardroom/language.js";
import { Keep } from "../live/event.js";
import { Feed } from "../live/feed.js";
import { Once } from "../live/once.js";
import { daytime, isLive } from "../live/words.js";
import { Bell } from "./bell.js";
import { Board } from "./board.js";
import { connectFullScreen, connectLooks, hideWhenIdle, keepThePage, stayAwake } from "./screen.js";
import { canSound, isSoundOn, ring, setSound, wake } from "./sound.js";

/** How often the bell is asked, also while the page is not seen, ms. */
const TICK = 200;
const KEEP_AFTER = 500;

const page = document.querySelector("[data-tournament]");
const { tournament, socket } = page.dataset;
const board = new Board(page);
const keep = new Keep(tournament);
const bell = new Bell(new Once(`bell.${tournament}`), { canRing: canSound, ring: rang });
let reading = null;
let lastHeard = null;
let keeping = 0;

const feed = new Feed(socket, {
  changed: () => {
    lastHeard = feed.time.now();
    remember();
    board.draw(feed.event.parts);
    sayConnection();
    tick();
  },
  state: sayConnection,
});

/** Keep what is known for a reload without the room: not at every hand of a hundred tables. */
function remember() {
  keeping ||= setTimeout(rememberNow, KEEP_AFTER);
}

function rememberNow() {
  if (!keeping) return;
  clearTimeout(keeping);
  keeping = 0;
  keep.store(feed.event, { at: lastHeard, ahead: feed.time.ahead });
}

/** Ring, and let whoever looks at this page from outside see that it did. */
function rang(kind) {
  ring(kind);
  page.dataset.rang = `${page.dataset.rang ?? ""} ${reading.level}:${kind}`.trim();
}

function sayConnection() {
  page.dataset.connection = feed.state;
  if (feed.state === "closed") board.warn(gettext("There is no such tournament any more."));
  else if (feed.state === "open" && feed.event.isKnown) board.warn("");
  else if (feed.state === "lost") {
    if (lastHeard !== null) board.warn(gettext("Offline since {time}. The clock continues from the last update.", { time: daytime(lastHeard) }));
    else if (feed.event.isKnown) board.warn(gettext("Offline. The clock continues from the last update."));
    else board.warn(gettext("The room cannot be reached. Trying again…"));
  }
}

function tick() {
  const parts = feed.event.parts;
  if (!parts) return;
  const now = feed.time.now();
  reading = board.tick(parts, now);
  // For whoever compares screens: what is shown, and when that was by the server's clock.
  page.dataset.shown = reading ? `${reading.level} ${Math.round(reading.remaining)} ${Math.round(now)}` : "";
  if (feed.state === "open" && feed.time.isDoubtful) feed.measure();
}

function frame() {
  tick();
  requestAnimationFrame(frame);
}

/** What was last known, until the room says more. */
function recall() {
  const kept = keep.load();
  if (!kept) return;
  feed.event.parts = kept.parts;
  feed.time.restore(kept.ahead);
  lastHeard = kept.at;
  board.draw(kept.parts);
}

function connectSound(box) {
  box.checked = isSoundOn();
  box.addEventListener("change", () => setSound(box.checked));
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, wake);
  wake();
}

connectSound(page.querySelector("[data-sound]"));
connectFullScreen(page.querySelector("[data-full-screen]"));
connectLooks(page);
hideWhenIdle(page);
stayAwake();
keepThePage(page.dataset.worker);
addEventListener("pagehide", rememberNow);
recall();
feed.open();
frame();
setInterval(() => {
  if (document.hidden) tick();
  if (reading && isLive(feed.event.parts.event)) bell.tick(reading, feed.event.parts.levels);
}, TICK);
