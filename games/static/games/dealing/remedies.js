// What the dealer's hands have to do about a ruling, step by step. The engine has ruled and moved chips and cards already;
// this puts it into words for whoever stands at the table.

import { chips } from "../play/words.js";

const list = (parts) => (parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`);
const marked = (card) => (card ? `[${card}]` : "a card face down");
const cards = (count) => `${count} ${count === 1 ? "card" : "cards"}`;

const find = (after, kind) => after.filter((line) => line.kind === kind).map(({ fact }) => fact);

const VOID = ["Give every ante and bet back.", "Collect all the cards.", "Shuffle and start a new hand."];

function next(after, who) {
  const turn = find(after, "action-on")[0];
  return turn ? [`${who(turn.seat)} acts now.`] : [];
}

function lowcard({ seats: [wrong, right] }, after, who) {
  const back = find(after, "bet-returned").map(({ seat, amount }) => `Give ${chips(amount)} back to ${who(seat)}.`);
  const [turn] = find(after, "action-on");
  const [posted] = find(after, "bring-in-posted");
  const isLow = `${who(right)} is low, not ${who(wrong)}`;
  if (turn?.seat === right) return [...back, `${isLow}, and makes the forced bet.`];
  const post = posted?.seat === right ? [`Post ${chips(posted.amount)} for ${who(right)}, who is away.`] : [];
  return [...back, `${isLow}.`, ...post, ...next(after, who)];
}

function counted(_, after, who) {
  const [moved] = find(after, "cards-put-right");
  if (!moved) return ["Put every card of the street where it belongs."];
  const rest = moved.returned.length ? ["The cards left over go back on the stub."] : moved.taken ? ["Missing cards come from the top of the stub."] : [];
  const now = moved.cards.map(([seat, card]) => `${who(seat)} ${marked(card)}`);
  return ["Each card goes to the player who was due it, in the order it left the deck.", ...rest, `As it should be: ${now.join(", ")}.`];
}

function burned({ seats }, after, who) {
  const moved = find(after, "cards-put-right")[0];
  if (!moved) return [`Move the cards of ${list(seats.map(who))} to where they belong.`];
  const where = moved.returned.length
    ? ["The second burn is the first card of the street.", "Move every card one place on; the last goes back on the stub."]
    : ["The first card dealt is the burn.", "Move every card one place back; the last seat gets the top of the stub."];
  const now = moved.cards.map(([seat, card]) => `${who(seat)} ${marked(card)}`);
  return [...where, `As it should be: ${now.join(", ")}.`];
}

function eliminated(ruling, after) {
  const out = find(after, "cards-eliminated")[0];
  const more = out?.more.length ?? 0;
  const aside = more
    ? `Put ${cards(more)} more from the stub with them, for the players who had none.`
    : "Every player had a card: no more are added.";
  return ["Take the early cards back and put them aside, face down.", aside, "Burn, and deal the street again."];
}

function aside({ seats }, after, who) {
  const kept = find(after, "premature-card-kept")[0];
  const barred = kept?.may_bet ? "raise" : "bet or raise";
  return [`Leave the card with ${list(seats.map(who))}: it is the seventh.`, `No ${barred} by ${list(seats.map(who))} on this street.`];
}

const STEPS = {
  "exposed_downcard/third-card-down": ({ seats }, _, who) => [
    `Leave the exposed card face up: it is the door card of ${list(seats.map(who))}.`, "The third card there comes face down.",
  ],
  "exposed_downcard/misdeal": () => VOID,
  "both_downcards_exposed/dead-hand": ({ seats }, after, who) => [
    `The hand of ${list(seats.map(who))} is dead: no more cards there.`,
    ...find(after, "ante-returned").map(({ seat, amount }) => `Give the ante of ${chips(amount)} back to ${who(seat)}.`),
  ],
  "both_downcards_exposed/misdeal": () => VOID,
  "dead_hand_lowcard/left-opens": (_, after, who) => {
    const turn = find(after, "action-on")[0];
    return turn ? [`${who(turn.seat)} starts: fold, the forced bet, or a full bet.`] : [];
  },
  "ante_all_in_lowcard/left-opens": (_, after, who) => {
    const turn = find(after, "action-on")[0];
    return turn ? [`${who(turn.seat)} starts: fold, the forced bet, or a full bet.`] : [];
  },
  "wrong_lowcard/corrected": lowcard,
  "wrong_lowcard/stands": ({ seats: [wrong] }, after, who) => [`The bet of ${who(wrong)} stands. Play on.`, ...next(after, who)],
  "card_off_table/exposed": ({ seats }, _, who) => [`Put the card back with ${list(seats.map(who))}: it plays, and counts as exposed.`],
  "burn_error/corrected": burned,
  "burn_error/kept": ({ seats }, after, who) => [`The cards of ${list(seats.map(who))} stay as they are.`, ...next(after, who)],
  "premature_deal/eliminated": eliminated,
  "premature_deal/kept": aside,
  "deck_exhaustion/remixed": () => ["Mix the last card of the stub with the burns and the cards put aside.", "Shuffle, burn one, and deal the rest of the street."],
  "deck_exhaustion/no-burn": () => ["Mix what is left with the burns and the cards put aside, and shuffle.", "Burn none: deal the rest of the street."],
  "deck_exhaustion/common-card": () => ["Mix the stub, the burns and the cards put aside, and shuffle.", "Burn one and turn one up in the middle: it plays for everybody."],
  "final_card_faceup/all-in-option": ({ seats }, after, who) => [
    "The other last cards come face down.", `Ask ${list(seats.map(who))}: all-in, or play on? Before anybody acts.`, ...next(after, who),
  ],
  "final_card_faceup/second-up": (_, after, who) => ["The other last card comes face up as well.", ...next(after, who)],
  "final_card_faceup/kept": ({ seats }, after, who) => [`${list(seats.map(who))} keeps the card face up.`, ...next(after, who)],
  "all_in_final_faceup/kept": ({ seats }, _, who) => [`${list(seats.map(who))} is all-in and keeps the card face up.`, "The other players get their cards as usual."],
  "wrong_card_count/corrected": counted,
  "wrong_card_count/misdeal": () => VOID,
  "wrong_card_count/stands": ({ seats }, after, who) => [
    `Leave the cards of ${list(seats.map(who))} as they are: the number at the showdown counts.`, ...next(after, who),
  ],
  "wrong_card_count/dead": ({ seats }, _, who) => [`The hand of ${list(seats.map(who))} is dead and wins nothing.`],
  "wrong_card_count/live": ({ seats }, _, who) => [`The hand of ${list(seats.map(who))} plays as it is.`],
  "picked_up_upcards/folded": ({ seats }, after, who) => [`Take in the cards of ${list(seats.map(who))}: that was a fold.`, ...next(after, who)],
  "picked_up_upcards/live": ({ seats }, _, who) => [`The hand of ${list(seats.map(who))} is live. Play on.`],
  "upcard_order/warning": ({ seats }, _, who) => [`Have ${list(seats.map(who))} put the upcards back in order.`, "Say that the next time costs a penalty."],
  "upcard_order/penalty": ({ seats }, _, who) => [`Have ${list(seats.map(who))} put the upcards back in order.`, "Call the floor: the penalty is theirs to give."],
  "absent_player/killed": ({ seats }, _, who) => [`Take in the cards of ${list(seats.map(who))}; what was put in stays in.`],
  "absent_player/back-in-time": ({ seats }, _, who) => [`The hand of ${list(seats.map(who))} is live.`],
  "misdeal/misdeal": () => VOID,
  "void_hand/void": () => VOID,
  "penalty/penalty": ({ seats }, _, who) => [`The floor has penalised ${list(seats.map(who))}. Play on.`],
};

/** The steps of a ruling (a `ruled` fact), in order; `after`: the facts that came since, `who(seat)`: a player's name. */
export function stepsFor(ruling, after, who) {
  return STEPS[`${ruling.key}/${ruling.verdict}`]?.(ruling, after, who) ?? next(after, who);
}
