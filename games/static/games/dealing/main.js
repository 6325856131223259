// The dealer's console: joins the table's socket, the room's word on procedure, and what the dealer's thumbs say.

import "../../cardroom/page.js";
import "../../cardroom/room.js";
import "../../cardroom/calls.js";
import { gettext, list } from "../../cardroom/language.js";
import { textWithCards } from "../cards.js";
import { ActionBar } from "../play/actions.js";
import { connectBooks } from "../play/books.js";
import { Client } from "../play/client.js";
import { Log } from "../play/log.js";
import { Connection } from "../play/socket.js";
import { speak } from "../play/speech.js";
import { Story } from "../play/story.js";
import { readTable } from "../play/tableview.js";
import { chips } from "../play/words.js";
import { connectChrome, socketUrl, toast } from "./chrome.js";
import * as marking from "./marks.js";
import { drawMiddle } from "./middle.js";
import { Orders } from "./orders.js";
import { Palette } from "./palette.js";
import { Procedure } from "./procedure.js";
import { RulingCard } from "./ruling.js";
import { Scan } from "./scan.js";
import { SeatMenu } from "./seatmenu.js";
import { slotsFor } from "./slots.js";
import { nextStep } from "./steps.js";
import { Tiles } from "./tiles.js";

const page = document.querySelector("[data-table]");
const part = Object.fromEntries([...page.querySelectorAll("[data-page]")].map((node) => [node.dataset.page, node]));
const dialog = (name) => document.getElementById(`${name}-dialog`);
const handUrl = (id) => page.dataset.handUrl.replace("/0/", `/${id}/`);

const story = new Story();
/** What the dealer has said of the street to come, and ticked off after the hand. */
let marks = marking.noMarks();
let marksFor = "";
/** The deal with these marks is entered: they are not lost, but done. */
let isDealt = false;
let absent = new Set();
let ticked = new Set();
let isSnapshot = false;
let step = { kind: "wait", title: "", note: "", can: false };
let spokenStep = "";

const who = (seat) => client.names[seat] ?? gettext("Seat {number}", { number: seat });
const at = () => ({ hand: client.shown.id, seq: client.shown.seq });

const client = new Client(
  {
    reset: (hand) => {
      story.clear();
      ruling.forget();
      log.clear();
      if (hand) begin(hand);
    },
    fact: (kind, fact, hand, { seq }) => {
      if (kind === "hand-started" && !log.isAt(hand.id)) begin(hand.id);
      story.add(seq, kind, fact);
      log.fact(kind, fact, { isOld: isSnapshot });
      if (!isSnapshot && client.table?.is_spoken) speak(kind, fact, who);
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

const procedure = new Procedure((hand) => page.dataset.procedureUrl.replace("/0/", `/${hand}/`), draw);
const orders = new Orders(connection, { onChange: draw, onRefused: refused });
const ruling = new RulingCard(part, { bookOf: () => books.played(client.table, client.shown), who, onChange: draw });
const log = new Log({ list: part.log, voice: part.voice, caption: part.caption }, { nameOf: who, bookOf: () => books.played(client.table, client.shown) });
const books = connectBooks(part, { rulesUrl: page.dataset.rulesUrl, log, toast });
const palette = new Palette(part, {
  who, onChange: draw,
  onMark: (mark) => {
    marks = mark(marks);
    draw();
  },
  onCommand: (what, fields) => command(what, what === "deal-too-soon" ? named(fields) : fields),
  onDropped: (mistake, players) => toast({
    message: players.length
      ? gettext("“{mistake}”: {players} cannot be meant any more. The rest is kept.", { mistake, players: list(players) })
      : gettext("“{mistake}” was not entered: the hand went on meanwhile. Undo the last entry, or call the floor.", { mistake }),
  }),
});
const scan = new Scan(part, dialog("picker"), {
  onChange: draw,
  onEnter: go,
  onComplete: () => part.go.focus(),
  isOut: (card) => Object.values(client.shown.seats).some(({ cards }) => cards.some((held) => held.card === card)),
});
const menu = new SeatMenu(dialog("seat"), { onCommand: command });
const tiles = new Tiles(part.seats, document.getElementById("tile-template"), {
  onPlace: (seat, place) => palette.place(seat, place),
  onTap: tapped,
});
const actions = new ActionBar(part.actions, document.getElementById("range-template"), {
  send: (action, amount) => {
    const seat = (client.shown.turn ?? story.showDue())?.seat ?? 0;
    if (action === "show" || action === "muck") command(action, { seat });
    else command("act", { seat, action, ...(amount === null ? {} : { amount }) });
    return "entered";
  },
});

// -- what is drawn ---------------------------------------------------------------------------------------------------

function begin(hand) {
  ticked = new Set();
  absent = new Set();
  ruling.forget();
  if (client.shown.id === hand) story.clear();
  log.begin(hand, handTitle());
}

function handTitle() {
  const number = client.numbers[client.shown.id];
  return number ? gettext("Hand {number}", { number: chips(number) }) : gettext("New hand");
}

function draw() {
  if (!client.table) return;
  const table = readTable(client.table);
  const { shown: hand } = client;
  procedure.want(hand.isOver ? null : hand.id, hand.seq);
  const now = hand.id && !hand.isOver ? procedure.at(hand.id, hand.seq) : null;
  if (now) now.game = hand.game;
  if (now) forgetOldMarks(`${hand.id}:${now.awaits}:${now.next.street}`);
  const isBusy = orders.isBusy || !connection.isOpen || (Boolean(hand.id) && !hand.isOver && !now);
  const wanted = slotsFor({ hand: hand.id, procedure: now, marks, early: palette.isAskingSeveral ? palette.picked : [] }, who);
  if (now || !hand.id || hand.isOver) scan.want(wanted.purpose, wanted.slots);
  palette.draw(now, { marks, isBusy, isReady: scan.missing === 0 });
  const number = (client.table.hand_count ?? client.numbers[hand.id] ?? 0) + 1;
  step = nextStep({ table, hand, procedure: now, story, done: ticked, absent, marks, missing: scan.missing, number }, who);
  tiles.draw({ table, hand, turn: hand.turn?.seat ?? null, asked: palette.asked, flags, early: story.premature() });
  drawMiddle(part, hand);
  drawStep(isBusy);
  drawActions(hand, isBusy);
  ruling.draw(story.rulings());
  drawFoot(now, isBusy);
  drawBar(table, hand);
  books.draw(client.table, client.shown);
}

function forgetOldMarks(now) {
  if (now === marksFor) return;
  marksFor = now;
  if (marking.isMarked(marks) && !isDealt) {
    toast({ message: gettext("What you marked for the deal was not entered: the hand went on meanwhile.") });
  }
  marks = marking.noMarks();
  isDealt = false;
}

function flags(seat) {
  const words = [];
  const held = client.shown.seats[seat];
  if (held?.isAbsent || absent.has(seat)) words.push(gettext("Away"));
  const now = procedure.at(client.shown.id, client.shown.seq);
  if (now) words.push(...marking.flagsOf(marks, now, seat));
  return words;
}

function drawStep(isBusy) {
  // Not `disabled`: whoever works with keys keeps their place.
  part.go.setAttribute("aria-disabled", String(isBusy || !step.can));
  part.go.classList.toggle("is-told", !step.can);
  part.go.classList.toggle("is-marked", Boolean(step.isMarked));
  part.go.dataset.step = step.kind;
  part.goTitle.textContent = connection.isOpen ? step.title : gettext("Reconnecting…");
  part.goNote.textContent = step.note;
  part.go.setAttribute("aria-busy", String(isBusy && step.kind === "wait"));
  if (step.title !== spokenStep && step.kind !== "wait") {
    spokenStep = step.title;
    if (!isSnapshot) log.say(gettext("Next: {step}.", { step: step.title }));
  }
}

function drawActions(hand, isBusy) {
  const turn = hand.turn ?? story.showDue();
  const isOn = Boolean(turn) && !palette.asked && ["act", "notice", "show"].includes(step.kind) && connection.isOpen;
  actions.draw(isOn ? turn : null, hand.seats[turn?.seat], isOn ? `${hand.id}:${hand.seq}` : "");
  if (isOn && !isBusy && actions.isBusy) actions.settle("entered", { isRefused: true });
  const asked = isOn && turn.can_declare_all_in ? turn.seat : 0; // they have it among their actions
  const declarers = hand.isOver ? [] : story.mayDeclare().filter((seat) => seat !== asked);
  part.declare.hidden = declarers.length === 0;
  part.declare.replaceChildren(
    ...declarers.map((number) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button button--wide";
      button.dataset.declare = String(number);
      button.textContent = gettext("{who} declares all-in", { who: who(number) });
      button.disabled = isBusy;
      return button;
    }),
  );
}

function drawFoot(now, isBusy) {
  part.undo.disabled = isBusy || !now?.undo;
  const undone = now?.undo ? gettext("Undo: {entry}", { entry: now.undo.words.replace(/\.$/, "") }) : gettext("Undo");
  if (part.undo.dataset.words !== undone) part.undo.firstElementChild.replaceChildren(textWithCards(undone));
  part.undo.dataset.words = undone;
  part.floor.textContent = client.table.floor_called ? gettext("Floor is called") : gettext("Call the floor");
}

function drawBar(table, hand) {
  const last = hand.isOver ? hand.id : table.lastHand;
  part.lastHand.hidden = !last;
  if (last) part.lastHand.href = handUrl(last);
  log.retitle(hand.id, handTitle());
  part.handNumber.textContent = hand.id ? handTitle() : "";
  Object.assign(page.dataset, {
    hand: String(hand.id ?? ""), seq: String(hand.seq), turn: String(hand.turn?.seat ?? ""), step: step.kind,
    handState: hand.isOver ? "over" : hand.id ? "playing" : "none", busy: String(orders.isBusy),
  });
}

function banner(state, text) {
  page.dataset.connection = state;
  part.bannerText.textContent = text;
  part.banner.hidden = false;
  draw();
}

// -- what is done ----------------------------------------------------------------------------------------------------

function command(what, fields) {
  orders.dealer(at(), what, fields);
}

/** The early cards with their faces, where the deck is a physical one. */
function named(fields) {
  const faces = scan.faces;
  return { ...fields, cards: fields.cards.map((card, i) => (faces[i] ? { ...card, card: faces[i] } : card)) };
}

function go() {
  if (part.go.getAttribute("aria-disabled") === "true") return;
  const now = procedure.at(client.shown.id, client.shown.seq);
  const acts = {
    start: () => orders.send({ type: "dealer", what: "start-hand", fields: { absent: [...absent] } }),
    push: () => tick(`push:${step.seat}`),
    void: () => tick("void"),
    deal: () => {
      isDealt = true;
      command("deal", dealFields(now));
    },
    notice: () => command("notice", now.cards_to_name ? { cards: scan.faces } : {}),
  };
  acts[step.kind]?.();
}

function dealFields(now) {
  if (!now.is_typed) return marking.fieldsOf(now, marks);
  if (now.common_due) return { street: now.next.street, common: scan.faces[0] };
  return marking.namedFieldsOf(now, marks, scan.faces);
}

function tick(what) {
  ticked.add(what);
  draw();
}

function tapped(seat) {
  if (palette.tap(seat)) return;
  const { shown: hand } = client;
  if (step.kind === "start") {
    if (!absent.delete(seat)) absent.add(seat);
    draw();
    return;
  }
  const now = procedure.at(hand.id, hand.seq);
  if (now && hand.seats[seat]) {
    menu.open({ seat, name: who(seat), whats: now.seats[seat] ?? [], turn: hand.turn, held: hand.seats[seat] });
  }
}

function refused(message, sent) {
  if (sent?.what === "deal") isDealt = false;
  if (message.code === "reason-required" && sent?.what === "undo") dialog("undo").showModal();
  else toast(message);
}

part.go.addEventListener("click", () => go());
part.undo.addEventListener("click", () => command("undo", {}));
part.declare.addEventListener("click", (event) => {
  const seat = event.target.closest("[data-declare]")?.dataset.declare;
  if (seat) command("declare-all-in", { seat: Number(seat) });
});
part.floor.addEventListener("click", () => dialog("floor").showModal());
dialog("floor").querySelector("form").addEventListener("submit", (event) => {
  const { note, kind } = Object.fromEntries(new FormData(event.target));
  if (!orders.send({ type: "call_floor", note, kind })) return;
  toast({ message: gettext("The floor has been called."), isRefusal: false });
  event.target.reset();
});
dialog("undo").querySelector("form").addEventListener("submit", (event) => {
  command("undo", { reason: new FormData(event.target).get("reason") });
  event.target.reset();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !document.querySelector("dialog[open]")) palette.cancel();
});

connectChrome(page, part);
connection.open();
