// The table page: joins the connection, the table's state, the drawing and the viewer's own actions.

import "../../cardroom/page.js";
import "../../cardroom/room.js";
import "../../cardroom/calls.js";
import "../../cardroom/office/chat.js";
import { alertTo } from "../../cardroom/alerts.js";
import { connectKeys, pressed } from "../../cardroom/hot_keys.js";
import { gettext } from "../../cardroom/language.js";
import { chosen, connectLook } from "../../cardroom/look.js";
import { inWords } from "../cards.js";
import { ActionBar, spokenChoices } from "./actions.js";
import { amount, writeInBets } from "./amounts.js";
import { connectBooks } from "./books.js";
import { Client } from "./client.js";
import { Clock } from "./clock.js";
import { connectMarks, TableChat } from "./company.js";
import { connectCutting } from "./cutting.js";
import { connectDialogs } from "./dialogs.js";
import { Felt } from "./felt.js";
import { ownCards } from "./help.js";
import { keepFocus } from "./focus.js";
import { isAllIn } from "./hand.js";
import { HelpPanel, ownWords, priceOf, priceWords } from "./helppanel.js";
import { connectHouseLine } from "./houseline.js";
import { IntentBar } from "./intentbar.js";
import { Log } from "./log.js";
import { isCalm, pace } from "./motion.js";
import { connectRulings } from "./rulingbar.js";
import { Connection } from "./socket.js";
import { play, volumeOf } from "./sound.js";
import { connectSpeech, speak } from "./speech.js";
import { Story } from "./story.js";
import { readTable } from "./tableview.js";
import { whyWon } from "./why.js";
import { chips, streetName } from "./words.js";

const page = document.querySelector("[data-table]");
const part = Object.fromEntries([...page.querySelectorAll("[data-page]")].map((node) => [node.dataset.page, node]));
const handUrl = (id) => page.dataset.handUrl.replace("/0/", `/${id}/`);

let table = null;
let unsent = null;
let isSnapshot = false;
/** The viewer's hand in words, as it stands over their cards. */
let own = "";
/** The last of the viewer's chips is gone, and they have seen how. */
let isBroke = false;
const elsewhere = new BroadcastChannel("turns");
const story = new Story();

const nameOf = (seat) => client.names[seat] ?? gettext("Seat {number}", { number: seat });
const client = new Client(
  {
    reset: (hand) => {
      forgetStory();
      log.clear();
      felt.forget();
      if (hand) log.begin(hand, handTitle());
      intents.drop(gettext("the table is drawn afresh"));
      intents.tellAgain();
    },
    fact: (kind, fact, hand, { seq, isInstant, isFlown }) => {
      if (kind === "hand-started") forgetStory();
      if (kind === "hand-started" && !log.isAt(hand.id)) log.begin(hand.id, handTitle());
      write(hand);
      story.add(seq, kind, fact);
      felt.fact(kind, fact, { isInstant: isInstant || isCalm() });
      log.fact(kind, fact, { isOld: isInstant, bigBet: bigBetOf(hand), why: kind === "pot-awarded" ? whyWon(hand, fact) : "", turnedUp: turnedUp(kind, fact, hand) });
      intents.fact(kind, fact, hand, client.you.seat);
      if (kind === "shuffle-committed") cutting.told(fact);
      if (!isInstant && !isFlown) sounds(kind, fact);
      if (!isSnapshot && client.table?.is_spoken) speak(kind, fact, nameOf);
    },
    deal: () => {
      draw();
      if (felt.landing) play("cards");
      return felt.landing;
    },
    draw,
    catchUp: ({ hand, after }) => connection.send({ type: "catch_up", hand, after }),
    refused: (message) => {
      if (cutting.refused(message)) return;
      actions.settle(message.command_id, { isRefused: true });
      if (unsent?.command_id === message.command_id) unsent = null;
      toast(message);
    },
    done: (message) => {
      actions.settle(message.command_id, { isRefused: false });
      if (unsent?.command_id === message.command_id) unsent = null;
    },
  },
  { isInstant: () => document.hidden, isCalm, pace },
);

const connection = new Connection(socketUrl(), {
  open: () => {
    page.dataset.connection = "open";
    part.banner.hidden = true;
  },
  message: (message, at) => {
    isSnapshot = message.type === "snapshot";
    client.receive(message, at);
    if (isSnapshot) sayAgain();
    isSnapshot = false;
  },
  lost: () => {
    page.dataset.connection = "lost";
    intents.drop(gettext("the connection was lost"), { isForReturn: true });
    part.bannerText.textContent = gettext("Connection lost. Reconnecting…");
    part.banner.hidden = false;
    draw();
  },
  final: (code) => {
    page.dataset.connection = "closed";
    intents.drop("");
    part.bannerText.textContent = code === 4404 ? gettext("This table is gone.") : gettext("You are logged out. Load the page again.");
    part.banner.hidden = false;
    draw();
  },
});

const felt = new Felt(part, document.getElementById("seat-template"));
const log = new Log(
  { list: part.log, voice: part.voice, caption: part.caption },
  { nameOf, bookOf: () => books.played(client.table, client.shown) },
);
const clock = new Clock(client, (seat) => felt.seats[seat], {
  mine: part.mine,
  onWarning: (text) => log.say(text),
});
const actions = new ActionBar(part.actions, document.getElementById("range-template"), { send: act });
const intents = new IntentBar(part.intents ?? null, {
  say: (text) => log.note(text),
  redraw: draw,
  sitOut: (isOut) => connection.send({ type: isOut ? "sit_out" : "come_back", command_id: newId() }),
});
const books = connectBooks(part, { rulesUrl: page.dataset.rulesUrl, log, toast });
const houseLine = connectHouseLine(part);
const keepInSight = keepFocus(part.deck);
const help = new HelpPanel(part);
const dialogs = connectDialogs(page, () => table);
const cutting = connectCutting(part, { send: (message) => connection.send(message), isSeated: () => Boolean(client.you.seat) });
const marks = connectMarks(() => draw());
const chat = new TableChat(part, { seatOf: (name) => felt.seatOf(name) });
const rulings = connectRulings(part, { bookOf: () => books.played(client.table, client.shown) });

/** The downcards that another player shows, unless they lie open already. */
function turnedUp(kind, { seat }, hand) {
  const isFirst = kind === "hand-shown" && seat !== client.you.seat && !story.has("hand-tabled", seat);
  return isFirst ? hand.seats[seat].cards.filter(({ isUp }) => !isUp).map(({ card }) => card) : [];
}

function forgetStory() {
  story.clear();
  rulings.forget();
}

function socketUrl() {
  const url = new URL(page.dataset.socket, location.href);
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

function handTitle() {
  const number = client.numbers[client.shown.id];
  return number ? gettext("Hand {number}", { number: chips(number) }) : gettext("New hand");
}

function act(action, amount) {
  const command = { type: "act", hand: client.shown.id, seq: client.shown.seq, command_id: newId(), action, amount };
  unsent = command;
  connection.send(command);
  play("chips");
  queueMicrotask(keepInSight); // when its buttons have been switched off
  return command.command_id;
}

/** "Call the floor": a word to the floor, from whoever sits here. */
function connectFloor() {
  const dialog = document.getElementById("floor-dialog");
  page.addEventListener("click", (event) => event.target.closest("[data-floor]") && dialog?.showModal());
  dialog?.querySelector("form").addEventListener("submit", (event) => {
    const { note, kind } = Object.fromEntries(new FormData(event.target));
    if (!connection.send({ type: "call_floor", note, kind, command_id: newId() })) return;
    toast({ message: gettext("The floor has been called."), isRefusal: false });
    event.target.reset();
  });
}

/** After a lost connection: the same command once more, if its turn is still the turn. The server knows it by its id. */
function sayAgain() {
  if (!unsent) return;
  const isSame = unsent.hand === client.shown.id && unsent.seq === client.shown.seq;
  if (isSame && connection.send(unsent)) actions.hold(unsent.command_id);
  else unsent = null;
}

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function draw() {
  if (!client.table) return;
  table = readTable(client.table);
  const { shown: hand, you } = client;
  const turn = hand.turn;
  const mine = turn ?? story.showDue();
  const isMine = Boolean(mine && you.seat && mine.seat === you.seat && client.isCurrent);
  const bigBet = bigBetOf(hand);
  write(hand);
  if (!client.isLanding) own = ownWords(table, hand, you.seat);
  felt.draw(table, hand, you.seat, turn?.seat ?? null, { own, marks });
  // Words come with the cards, not before them.
  if (client.isLanding) return;
  chat.draw(hand, you);
  help.draw(table, hand, you.seat, nameOf);
  clock.follow(client.isCurrent ? (turn?.seat ?? null) : null, table.actSeconds);
  const mayAct = isMine && connection.isOpen;
  const isFresh = actions.draw(mayAct ? mine : null, hand.seats[you.seat], mayAct ? `${hand.id}:${hand.seq}` : "", bigBet);
  if (isFresh) myTurn(turn ? intents.take(actions.choices) : null);
  drawPrice(hand, you, isMine && Boolean(turn));
  const hasIntents = intents.draw(table, hand, you, connection.isOpen && mine?.seat !== you.seat);
  page.classList.toggle("has-intents", hasIntents);
  if (page.classList.contains("is-my-turn") !== isMine) tellTurn(isMine);
  page.classList.toggle("is-my-turn", isMine);
  page.dataset.hand = String(hand.id ?? "");
  page.dataset.seq = String(hand.seq);
  page.dataset.turn = String((client.isCurrent && turn?.seat) || "");
  page.dataset.handState = hand.isOver ? "over" : hand.id ? "playing" : "none";
  rulings.draw(story.rulings());
  const canDeclare = !isMine && connection.isOpen && client.isCurrent && story.mayDeclare().includes(you.seat);
  part.declare.hidden = !canDeclare;
  drawBar();
  books.draw(client.table, client.shown);
  houseLine.draw(client.table, you);
  const hadChips = !isBroke;
  isBroke = hasLostAll(you) && (isBroke || hasSeenTheEnd(hand, you));
  if (isBroke && hadChips) log.say(brokeText());
  drawStatus(isMine);
  dialogs.draw(table, you, { hasSitOut: intents.hasSitOut, isBroke, isAtStake: isAtStake(hand, you) });
  keepInSight();
}

const bigBetOf = (hand) => hand.bigBet || (client.table?.stakes?.big_bet ?? 0);

/** Amounts are in what the viewer likes, at the stakes of this hand. */
const write = (hand) => writeInBets(chosen("amounts") === "bets" ? bigBetOf(hand) : 0);

/** What there is to win and what it costs, beside the viewer's actions. */
function drawPrice(hand, you, isShown) {
  const cost = priceOf(table, hand, you.seat);
  part.price.hidden = !isShown;
  part.priceCall.hidden = !cost;
  part.pricePot.textContent = amount(hand.pot);
  part.priceFigure.textContent = cost ? amount(cost.toCall) : "";
  part.priceOdds.textContent = cost?.odds ?? "";
}

/** The viewer is to act; `meant` is the choice they made beforehand, and is done as if they pressed it now. */
function myTurn(meant) {
  if (meant) {
    log.say(gettext("Your turn: {action}, as you chose.", { action: spokenChoices([meant]).toLowerCase() }));
    actions.take(meant);
    return;
  }
  // Where the table gives no help with words, the cards themselves are told.
  const held = own || ownCards(client.shown, client.you.seat).map(inWords).join(", ");
  const pot = gettext("Pot {amount}", { amount: amount(client.shown.pot) });
  const price = [pot, priceWords(table, client.shown, client.you.seat)].filter(Boolean).join(", ");
  const words = [gettext("Your turn. {cards}", { cards: held }), price, spokenChoices(actions.choices), clock.words()];
  log.say(`${words.filter(Boolean).join(". ")}.`);
  play("turn");
}

/** The viewer's other pages hear of it, and the window in which this table is one of several. */
function tellTurn(isMine) {
  elsewhere.postMessage({ table: Number(page.dataset.table), isMine });
  if (parent !== window) parent.postMessage({ isMine }, location.origin);
  const isHeard = volumeOf("turn") > 0;
  if (isMine && document.hidden) alertTo(gettext("Your turn: {table}", { table: table.name }), "turn", { isHeard });
}

function drawBar() {
  const last = client.shown.isOver ? client.shown.id : table.lastHand;
  part.lastHand.hidden = !last;
  if (last) part.lastHand.href = handUrl(last);
  const number = client.numbers[client.shown.id];
  log.retitle(client.shown.id, handTitle());
  part.handNumber.textContent = number ? handTitle() : "";
  part.handNumber.hidden = !number;
  if (table.stakes) drawStakes(table.stakes);
}

/** The stakes of an event's table rise while the page is open. */
function drawStakes(stakes) {
  part.stakes.textContent = `${chips(stakes.small_bet)}/${chips(stakes.big_bet)}`;
  const forced = gettext("ante {ante} · bring-in {bring_in}", { ante: chips(stakes.ante), bring_in: chips(stakes.bring_in) });
  part.forcedBets.textContent = ` · ${forced}`;
}

/** The line that stands where the actions would. */
function drawStatus(isMine) {
  const { shown: hand, you } = client;
  document.title = isMine ? ["●", gettext("Your turn"), "·", table.name].join(" ") : `${table.name} · Cardroom`;
  const note = connection.isOpen ? intents.note : "";
  part.status.hidden = isMine && connection.isOpen && !note;
  part.status.textContent = note || statusText(hand, you);
  part.status.classList.toggle("is-note", Boolean(note));
}

function statusText(hand, you) {
  if (page.dataset.connection === "closed") return "";
  if (!connection.isOpen) return gettext("Your seat and your cards are safe.");
  const mine = table.seats.find(({ number }) => number === you.seat);
  const waitsFor = hand.turn && client.isCurrent ? gettext("Waiting for {player}", { player: nameOf(hand.turn.seat) }) : "";
  if (mine?.state === "sitting-out" && table.event) return gettext("You are away: your hands are dealt, anted and folded.");
  if (table.event && table.state === "closed") return gettext("This table is closed: no more hands are dealt here.");
  if (table.event && (!hand.id || hand.isOver)) return gettext("The next hand is dealt when the tournament is ready.");
  if (table.isPhysical) return roomText(mine);
  if (!you.seat && !table.isShown) return table.maySit ? gettext("Sit down to see the hands.") : "";
  if (!you.seat) return waitsFor ? [gettext("You are watching."), `${waitsFor}.`].join(" ") : gettext("You are watching from the rail.");
  if (mine?.state === "leaving") {
    return isAtStake(hand, you) ? gettext("Your hand is dead at your turn, and you leave when it is over.") : gettext("You leave when this hand is over.");
  }
  if (isBroke) return brokeText();
  if (mine?.state === "sitting-out" && mine.stack && !intents.hasSitOut) {
    return doBotsWait(hand) ? gettext("You are sitting out. The bots wait until you are back.") : gettext("You are sitting out.");
  }
  if (waitsFor) return waitsFor;
  if (table.isHandDealt && hand.id && !hand.isOver) return gettext("Waiting for the dealer.");
  const seated = table.seats.filter(({ name, state }) => name && state === "playing").length;
  if (seated < 2 && (hand.isOver || !hand.id)) return gettext("Waiting for another player to sit down.");
  if (hand.isOver || !hand.id) return table.isHandDealt ? gettext("The dealer starts the next hand.") : gettext("The next hand is about to be dealt.");
  return hand.seats[you.seat] ? "" : gettext("You are dealt into the next hand.");
}

/** Whether no hand is dealt until the viewer is back: nobody else is here but bots that play with people only. */
function doBotsWait(hand) {
  const others = table.seats.filter(({ name, state }) => name && state === "playing");
  return table.doBotsWait && others.length > 0 && others.every(({ isBot }) => isBot) && (hand.isOver || !hand.id);
}

/** Whether the viewer sits there with nothing, and nothing on its way. */
function hasLostAll(you) {
  const mine = table.seats.find(({ number }) => number === you.seat);
  return mine?.state === "sitting-out" && !mine.stack && !you.top_up_queued && !table.event && !table.isPhysical;
}

/** Whether all is drawn of the hand that the viewer was in: where its chips went is seen before it is said. */
const hasSeenTheEnd = (hand, you) => client.isCurrent && (hand.isOver || !hand.seats[you.seat]);

function brokeText() {
  const values = { chips: chips(table.wallet) };
  return table.wallet < table.minBuyIn
    ? gettext("Your chips are gone. Your wallet holds {chips}, which is not enough for this table.", values)
    : gettext("Your chips are gone. You keep your seat and sit out; your wallet holds {chips}.", values);
}

/** Whether the viewer has a hand that is lost if they leave now. */
function isAtStake(hand, you) {
  const held = hand.seats[you.seat];
  return Boolean(held?.isLive) && !hand.isOver && !isAllIn(held);
}

/** At a table in the room nothing is done on this page: people do it there. */
function roomText(mine) {
  if (table.state === "free") return gettext("In the room. No game is played at this table now.");
  if (!mine) return gettext("In the room: the floor or the dealer seats you.");
  const words = gettext("In the room: you have seat {number}. Chips are as they were last counted.", { number: mine.number });
  return mine.state === "sitting-out" ? [words, gettext("You are away from the table.")].join(" ") : words;
}

function sounds(kind, fact) {
  if (["wagered", "called", "bring-in-posted", "antes-posted"].includes(kind)) play("chips");
  if (["cards-dealt", "common-card-dealt", "folded"].includes(kind)) play("cards");
  if (kind === "pot-awarded") play(fact.seat === client.you.seat ? "won" : "chips");
}

function toast({ message, rule, isRefusal = true }) {
  page.dispatchEvent(new CustomEvent("toast", { bubbles: true, detail: { message, rule, isRefusal } }));
}

const options = page.querySelector(".options");
document.addEventListener("click", (event) => {
  if (options.open && !options.contains(event.target)) options.open = false;
});
options.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  options.open = false;
  options.querySelector("summary").focus();
});

connectLook((name) => {
  if (name === "amounts") log.retell(chosen("amounts") === "bets");
  draw();
  actions.relabel();
});
connectKeys(() => actions.relabel());
part.declare.addEventListener("click", () => act("declare-all-in", null));
connectSpeech(part.speech);
connectFloor();
page.addEventListener("chat:line", ({ detail: { author, text } }) => {
  play("said");
  if (author !== client.you.name) log.say(gettext("{author} says: {text}", { author, text }));
});
part.logToggle.addEventListener("click", () => {
  const isOpen = page.classList.toggle("shows-log");
  part.logToggle.setAttribute("aria-expanded", String(isOpen));
  chat.seen();
});

document.addEventListener("keydown", (event) => {
  const does = pressed(event);
  // The table is read out, seat by seat, to those who listen.
  if (does === "read" && table) log.say(readOut());
  if (does === "emote") part.emotes?.querySelector("button")?.focus();
  // Among several tables: the one before and after.
  const step = { previous: -1, next: 1 }[does];
  if (step && parent !== window) parent.postMessage({ step }, location.origin);
});
if (parent !== window) addEventListener("focus", () => parent.postMessage({ hasKeys: true }, location.origin));

/** The whole table in words: street, pot, every seat, what there is to do. */
function readOut() {
  const { shown: hand, you } = client;
  const seats = table.seats.filter(({ name }) => name).map(({ number, name }) => {
    const values = { player: name, seat: felt.seats[number].summary };
    return number === you.seat ? gettext("You, {seat}", values) : gettext("{player}, {seat}", values);
  });
  const price = priceWords(table, hand, you.seat);
  const isOn = hand.id && !hand.isOver;
  const head = isOn ? [`${streetName(hand.street)}.`, gettext("Pot {amount}.", { amount: amount(hand.pot) })] : [gettext("No hand is being played.")];
  const end = part.actions.hidden ? statusText(hand, you) : gettext("Your turn: {choices}.", { choices: spokenChoices(actions.choices) });
  return [...head, ...seats, price && `${price}.`, end].filter(Boolean).join(" ");
}

connection.open();
