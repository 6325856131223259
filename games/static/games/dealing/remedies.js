// What the dealer's hands have to do about a ruling, step by step. The engine has ruled and moved chips and cards already;
// this puts it into words for whoever stands at the table.

import { gettext, list, ngettext } from "../../cardroom/language.js";
import { chips } from "../play/words.js";

const inMarks = (card) => (card ? `[${card}]` : gettext("a card face down"));
/** Whose cards they are: {players: "Ada and Bo"}. */
const whose = (seats, who) => ({ players: list(seats.map(who)) });

const find = (after, kind) => after.filter((line) => line.kind === kind).map(({ fact }) => fact);

const VOID = [gettext("Give every ante and bet back."), gettext("Collect all the cards."), gettext("Shuffle and start a new hand.")];

function next(after, who) {
  const turn = find(after, "action-on")[0];
  return turn ? [gettext("{who} acts now.", { who: who(turn.seat) })] : [];
}

function lowcard({ seats: [wrong, right] }, after, who) {
  const back = find(after, "bet-returned").map(({ seat, amount }) =>
    gettext("Give {amount} back to {who}.", { amount: chips(amount), who: who(seat) }));
  const [turn] = find(after, "action-on");
  const [posted] = find(after, "bring-in-posted");
  const values = { who: who(right), other: who(wrong) };
  if (turn?.seat === right) return [...back, gettext("{who} is low, not {other}, and makes the forced bet.", values)];
  const isPosted = posted?.seat === right;
  const post = isPosted ? [gettext("Post {amount} for {who}, who is away.", { amount: chips(posted.amount), who: who(right) })] : [];
  return [...back, gettext("{who} is low, not {other}.", values), ...post, ...next(after, who)];
}

const shouldBe = ({ cards }, who) =>
  gettext("As it should be: {cards}.", { cards: cards.map(([seat, card]) => `${who(seat)} ${inMarks(card)}`).join(", ") });

function counted(_, after, who) {
  const [moved] = find(after, "cards-put-right");
  if (!moved) return [gettext("Put every card of the street where it belongs.")];
  const rest = moved.returned.length
    ? [gettext("The cards left over go back on the stub.")]
    : moved.taken
      ? [gettext("Missing cards come from the top of the stub.")]
      : [];
  return [gettext("Each card goes to the player who was due it, in the order it left the deck."), ...rest, shouldBe(moved, who)];
}

function burned({ seats }, after, who) {
  const moved = find(after, "cards-put-right")[0];
  if (!moved) return [gettext("Move the cards of {players} to where they belong.", whose(seats, who))];
  const where = moved.returned.length
    ? [gettext("The second burn is the first card of the street."), gettext("Move every card one place on; the last goes back on the stub.")]
    : [gettext("The first card dealt is the burn."), gettext("Move every card one place back; the last seat gets the top of the stub.")];
  return [...where, shouldBe(moved, who)];
}

function eliminated(ruling, after) {
  const out = find(after, "cards-eliminated")[0];
  const more = out?.more.length ?? 0;
  const aside = more
    ? ngettext(
      "Put {n} card more from the stub with them, for the players who had none.",
      "Put {n} cards more from the stub with them, for the players who had none.", more,
    )
    : gettext("Every player had a card: no more are added.");
  return [gettext("Take the early cards back and put them aside, face down."), aside, gettext("Burn, and deal the street again.")];
}

function aside({ seats }, after, who) {
  const kept = find(after, "premature-card-kept")[0];
  const barred = kept?.may_bet
    ? gettext("No raise by {players} on this street.", whose(seats, who))
    : gettext("No bet or raise by {players} on this street.", whose(seats, who));
  return [gettext("Leave the card with {players}: it is the seventh.", whose(seats, who)), barred];
}

const STEPS = {
  "exposed_downcard/third-card-down": ({ seats }, _, who) => [
    gettext("Leave the exposed card face up: it is the door card of {players}.", whose(seats, who)),
    gettext("The third card there comes face down."),
  ],
  "exposed_downcard/misdeal": () => VOID,
  "both_downcards_exposed/dead-hand": ({ seats }, after, who) => [
    gettext("The hand of {players} is dead: no more cards there.", whose(seats, who)),
    ...find(after, "ante-returned").map(({ seat, amount }) =>
      gettext("Give the ante of {amount} back to {who}.", { amount: chips(amount), who: who(seat) })),
  ],
  "both_downcards_exposed/misdeal": () => VOID,
  "dead_hand_lowcard/left-opens": (_, after, who) => {
    const turn = find(after, "action-on")[0];
    return turn ? [gettext("{who} starts: fold, the forced bet, or a full bet.", { who: who(turn.seat) })] : [];
  },
  "ante_all_in_lowcard/left-opens": (_, after, who) => {
    const turn = find(after, "action-on")[0];
    return turn ? [gettext("{who} starts: fold, the forced bet, or a full bet.", { who: who(turn.seat) })] : [];
  },
  "wrong_lowcard/corrected": lowcard,
  "wrong_lowcard/stands": ({ seats: [wrong] }, after, who) => [
    gettext("The bet of {who} stands. Play on.", { who: who(wrong) }),
    ...next(after, who),
  ],
  "card_off_table/exposed": ({ seats }, _, who) => [
    gettext("Put the card back with {players}: it plays, and counts as exposed.", whose(seats, who)),
  ],
  "burn_error/corrected": burned,
  "burn_error/kept": ({ seats }, after, who) => [
    gettext("The cards of {players} stay as they are.", whose(seats, who)),
    ...next(after, who),
  ],
  "premature_deal/eliminated": eliminated,
  "premature_deal/kept": aside,
  "deck_exhaustion/remixed": () => [
    gettext("Mix the last card of the stub with the burns and the cards put aside."),
    gettext("Shuffle, burn one, and deal the rest of the street."),
  ],
  "deck_exhaustion/no-burn": () => [
    gettext("Mix what is left with the burns and the cards put aside, and shuffle."),
    gettext("Burn none: deal the rest of the street."),
  ],
  "deck_exhaustion/common-card": (_, after) => [
    ...find(after, "stub-remixed").slice(0, 1).map(() => gettext("Mix the stub, the burns and the cards put aside, and shuffle.")),
    gettext("Burn one and turn one up in the middle: it plays for everybody."),
  ],
  "final_card_faceup/all-in-option": ({ seats }, after, who) => [
    gettext("The other last cards come face down."),
    gettext("Ask {players}: all-in, or play on? Before anybody acts.", whose(seats, who)), ...next(after, who),
  ],
  "final_card_faceup/second-up": (_, after, who) => [gettext("The other last card comes face up as well."), ...next(after, who)],
  "final_card_faceup/all-up": (_, after, who) => [gettext("All the other last cards come face up as well."), ...next(after, who)],
  "final_card_faceup/kept": ({ seats }, after, who) => [
    gettext("{players} keeps the card face up.", whose(seats, who)),
    ...next(after, who),
  ],
  "all_in_final_faceup/kept": ({ seats }, _, who) => [
    gettext("{players} is all-in and keeps the card face up.", whose(seats, who)),
    gettext("The other players get their cards as usual."),
  ],
  "wrong_card_count/corrected": counted,
  "wrong_card_count/misdeal": () => VOID,
  "wrong_card_count/stands": ({ seats }, after, who) => [
    gettext("Leave the cards of {players} as they are: the number at the showdown counts.", whose(seats, who)), ...next(after, who),
  ],
  "wrong_card_count/dead": ({ seats }, _, who) => [gettext("The hand of {players} is dead and wins nothing.", whose(seats, who))],
  "wrong_card_count/live": ({ seats }, _, who) => [gettext("The hand of {players} plays as it is.", whose(seats, who))],
  "picked_up_upcards/folded": ({ seats }, after, who) => [
    gettext("Take in the cards of {players}: that was a fold.", whose(seats, who)),
    ...next(after, who),
  ],
  "picked_up_upcards/live": ({ seats }, _, who) => [gettext("The hand of {players} is live. Play on.", whose(seats, who))],
  "upcard_order/warning": ({ seats }, _, who) => [
    gettext("Have {players} put the upcards back in order.", whose(seats, who)),
    gettext("Say that the next time costs a penalty."),
  ],
  "upcard_order/penalty": ({ seats }, _, who) => [
    gettext("Have {players} put the upcards back in order.", whose(seats, who)),
    gettext("Call the floor: the penalty is theirs to give."),
  ],
  "absent_player/killed": ({ seats }, _, who) => [
    gettext("Take in the cards of {players}; what was put in stays in.", whose(seats, who)),
  ],
  "absent_player/back-in-time": ({ seats }, _, who) => [gettext("The hand of {players} is live.", whose(seats, who))],
  "misdeal/misdeal": () => VOID,
  "fouled_deck/void": () => [gettext("Give every ante and bet back."), gettext("Take the deck out of play and bring another.")],
  "void_hand/void": () => VOID,
  "penalty/penalty": ({ seats }, _, who) => [gettext("The floor has penalised {players}. Play on.", whose(seats, who))],
};

/** The steps of a ruling (a `ruled` fact), in order; `after`: the facts that came since, `who(seat)`: a player's name. */
export function stepsFor(ruling, after, who) {
  return STEPS[`${ruling.key}/${ruling.verdict}`]?.(ruling, after, who) ?? next(after, who);
}
