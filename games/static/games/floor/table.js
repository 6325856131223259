// One table as the floor sees it, who is no player: what the rail sees, the rulings, and the orders that are open now.

import "../../cardroom/page.js";
import "../../cardroom/room.js";
import "../../cardroom/calls.js";
import { gettext } from "../../cardroom/language.js";
import { connectBooks } from "../play/books.js";
import { Client } from "../play/client.js";
import { Log } from "../play/log.js";
import { Connection } from "../play/socket.js";
import { Story } from "../play/story.js";
import { readTable } from "../play/tableview.js";
import { chips } from "../play/words.js";
import { connectChrome, socketUrl, toast } from "../dealing/chrome.js";
import { drawMiddle } from "../dealing/middle.js";
import { Orders } from "../dealing/orders.js";
import { RulingCard } from "../dealing/ruling.js";
import { Tiles } from "../dealing/tiles.js";
import { wordsOf } from "./calls.js";
import { OrderForm } from "./order.js";
import { got, posted } from "../play/ask.js";

const page = document.querySelector("[data-table]");
const part = Object.fromEntries([...page.querySelectorAll("[data-page]")].map((node) => [node.dataset.page, node]));
const story = new Story();
const who = (seat) => client.names[seat] ?? gettext("Seat {number}", { number: seat });
let isSnapshot = false;
let asked = null;
let callsAsked;

const client = new Client(
  {
    reset: (hand) => {
      story.clear();
      ruling.forget();
      log.clear();
      if (hand) log.begin(hand, handTitle());
    },
    fact: (kind, fact, hand, { seq }) => {
      if (kind === "hand-started") story.clear();
      if (kind === "hand-started" && !log.isAt(hand.id)) log.begin(hand.id, handTitle());
      story.add(seq, kind, fact);
      log.fact(kind, fact, { isOld: isSnapshot });
    },
    draw,
    catchUp: ({ hand, after }) => connection.send({ type: "catch_up", hand, after }),
    refused: (message) => orders.refused(message),
    done: (message) => orders.done(message),
  },
  { isInstant: () => true },
);
const connection = new Connection(socketUrl(page.dataset.socket), {
  open: () => {
    page.dataset.connection = "open";
    part.banner.hidden = true;
  },
  message: (message) => {
    isSnapshot = message.type === "snapshot";
    client.receive(message);
    if (isSnapshot) orders.sayAgain();
    isSnapshot = false;
  },
  lost: () => banner("lost", gettext("Connection lost. Reconnecting…")),
  final: (code) =>
    banner("closed", code === 4404 ? gettext("This table is gone.") : gettext("You are logged out. Load the page again.")),
});
const orders = new Orders(connection, {
  onChange: draw,
  onRefused: (message) => toast(message),
  onDone: (sent) => {
    form.given();
    toast({ message: sent.what === "undo" ? gettext("The last entry is undone.") : gettext("Done."), isRefusal: false });
    asked = null;
  },
});
const ruling = new RulingCard(part, { bookOf: () => books.played(client.table, client.shown), who, onChange: draw });
const log = new Log({ list: part.log, voice: part.voice, caption: part.caption }, { nameOf: who, bookOf: () => books.played(client.table, client.shown) });
const books = connectBooks(part, { rulesUrl: page.dataset.rulesUrl, log, toast });
const tiles = new Tiles(part.seats, document.getElementById("tile-template"), { onTap: (seat) => form.choose(seat), onPlace: () => {} });
const form = new OrderForm(part, {
  who,
  onOrder: (order) => orders.send({ type: "floor", hand: client.shown.id, seq: client.shown.seq, ...order }),
});

function handTitle() {
  const number = client.numbers[client.shown.id];
  return number ? gettext("Hand {number}", { number: chips(number) }) : gettext("New hand");
}

function draw() {
  if (!client.table) return;
  const table = readTable(client.table);
  const { shown: hand } = client;
  tiles.draw({
    table, hand, turn: hand.turn?.seat ?? null, asked: null, early: story.premature(),
    flags: (seat) => (hand.seats[seat]?.isAbsent ? [gettext("Away")] : []),
  });
  drawMiddle(part, hand);
  ruling.draw(story.rulings());
  log.retitle(hand.id, handTitle());
  part.handNumber.textContent = hand.id ? handTitle() : "";
  const last = hand.isOver ? hand.id : table.lastHand;
  part.lastHand.hidden = !last;
  if (last) part.lastHand.href = page.dataset.handUrl.replace("/0/", `/${last}/`);
  Object.assign(page.dataset, { hand: String(hand.id ?? ""), seq: String(hand.seq), handState: hand.isOver ? "over" : hand.id ? "playing" : "none" });
  form.draw({ isBusy: orders.isBusy || !connection.isOpen });
  books.draw(client.table, client.shown);
  ask(hand);
  askCalls();
}

/** Entries are taken back where somebody enters them. */
const orderable = (open) => (readTable(client.table).isHandDealt ? [...open, { what: "undo", seats: [] }] : open);

/** What may be ordered now, and what has been. */
async function ask(hand) {
  const wanted = hand.id ? `${hand.id}:${hand.seq}` : "";
  if (asked === wanted) return;
  asked = wanted;
  const answer = wanted ? await got(page.dataset.ordersUrl.replace("/0/", `/${hand.id}/`)) : null;
  if (asked === wanted) form.take(hand.isOver || !answer ? [] : orderable(answer.orders), answer?.log ?? []);
}

async function askCalls() {
  // The table only says that somebody waits: while one does, ask again as the hand goes on, for there may be a second.
  const now = client.table.floor_called ? `${client.table.version}:${client.shown.id}:${client.shown.seq}` : "";
  if (callsAsked === now) return;
  callsAsked = now;
  const answer = now ? await got(page.dataset.callsUrl) : [];
  if (callsAsked !== now) return;
  const mine = (answer ?? []).filter(({ table }) => String(table) === page.dataset.table);
  part.calls.replaceChildren(...mine.map(drawnCall));
}

function drawnCall(call) {
  const root = document.getElementById("call-template").content.firstElementChild.cloneNode(true);
  root.querySelector("[data-part=who]").textContent = call.seat ? gettext("Seat {number}, {who}", { number: call.seat, who: call.who }) : call.who;
  root.querySelector("[data-part=note]").textContent = wordsOf(call);
  root.querySelector("[data-part=answer]").addEventListener("click", async ({ currentTarget: button }) => {
    button.disabled = true;
    if (await posted(`${page.dataset.callsUrl}/${call.id}/answer`)) return root.remove();
    button.disabled = false;
    toast({ message: gettext("The server did not receive that. Try again."), isRefusal: true });
  });
  return root;
}

function banner(state, text) {
  page.dataset.connection = state;
  part.bannerText.textContent = text;
  part.banner.hidden = false;
  draw();
}

connectChrome(page, part);
connection.open();
