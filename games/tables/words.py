"""Facts in words. Cards are written as "[As]", which no player's name can hold; the `cards` filter draws them.

The live table says the same sentences (static/games/play/words.js); a test holds the two together.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from games.engine.facts import base, mistakes, play
from games.tables.models.tables import Seat, Table

Who = Callable[[int], str]

#: How well house bots play, from the weakest to the strongest, and which of them has which personality.
STRENGTHS = ("Beginner", "Casual", "Regular", "Expert")
BOT_STRENGTHS = {
    "novice": "Beginner", "guest": "Casual", "lively": "Regular", "rock": "Expert", "professor": "Expert",
}  # fmt: skip
STREETS = {3: "Third street", 4: "Fourth street", 5: "Fifth street", 6: "Sixth street", 7: "Seventh street"}

_WAGERED = {"bet": "bets", "completion": "completes to", "raise": "raises to", "all-in": "is all-in for"}
_HELD = {"check": "checks", "call": "calls", "wager": "wagers"}
_SEEN = {"looked-at": "has looked at the last card", "mixed": "has mixed the last card with the holecards"}
_VOID = {"misdeal": "A misdeal", "void": "The hand is void"}
_ORDERS = {
    "rules-live": "rules a hand live",
    "orders-low": "orders the true low card to bring it in",
    "misdeal": "calls a misdeal",
    "void": "voids the hand",
    "kills": "kills a hand",
    "penalises": "gives a penalty",
}
_SHARES = {"high": ", high", "low": ", low"}
_CARD = re.compile(r"\b([2-9TJQKA][shdc])\b")
#: Ranks as a low hand is read, from the worst.
_LOW_ORDER = "KQJT98765432A"
#: What the dealer says of raises is told as what they are.
_SAID_ALREADY = ("raise", "completion")


def sentence(fact: base.Fact, who: Who) -> str:
    """The fact as a sentence, or "" where there is nothing to say. `who(seat)` is the player's name."""
    say = _SENTENCES.get(fact.kind)
    return say(fact, who) if say else ""


def heading(fact: base.Fact) -> str:
    """The name of the part of the hand that this fact begins, or ""."""
    if isinstance(fact, play.CardsDealt):
        return STREETS.get(fact.street, "")
    if isinstance(fact, play.CommonCardDealt):
        return STREETS[7]
    return "Showdown" if isinstance(fact, play.ShowdownOpened) else ""


def marked(card: str | None) -> str:
    return f"[{card}]" if card else "??"


def _marked_all(cards: Any) -> str:
    return " ".join(marked(card) for card in cards)


def _and(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def _dealt(fact: play.CardsDealt, who: Who) -> str:
    own: dict[int, list[str]] = {}
    unseen: dict[int, str] = {}
    for seat, card, is_up in fact.cards:
        if card and not is_up:
            own.setdefault(seat, []).append(marked(card))
        elif not card:
            unseen[seat] = who(seat)
    up = [f"{who(seat)} {marked(card)}" for seat, card, is_up in fact.cards if card and is_up]
    sentences = [f"{who(seat)} gets {_and(cards)} down." for seat, cards in own.items()]
    if up:
        sentences.append(f"Dealt up: {', '.join(up)}.")
    elif unseen:
        sentences.append(f"A card down to {_and(list(unseen.values()))}.")
    return " ".join(sentences)


def _dealt_too_soon(fact: mistakes.PrematurelyDealt, who: Who) -> str:
    cards = [f"{who(seat)} {marked(card) if card else 'one down'}" for seat, card, _ in fact.cards]
    return f"Dealt too soon: {', '.join(cards)}."


def _put_right(fact: mistakes.CardsPutRight, who: Who) -> str:
    seats = dict.fromkeys(seat for seat, _, _ in fact.cards)
    return f"The dealer puts the cards right: {_and([who(seat) for seat in seats])}."


def _kept(fact: mistakes.PrematureCardKept, who: Who) -> str:
    barred = "raise" if fact.may_bet else "bet or raise"
    return f"{who(fact.seat)} keeps the card dealt too soon and may not {barred} on this street."


def _ordered(fact: mistakes.Ordered, who: Who) -> str:
    whose = f": {who(fact.seat)}" if fact.seat else ""
    return f"The floor {_ORDERS.get(fact.what, fact.what)}{whose}{_because(fact.reason)}."


def _because(reason: str) -> str:
    return f" ({reason})" if reason else ""


def _announced(fact: play.Announced, who: Who) -> str:
    if fact.what == "high-hand":
        return f"{who(fact.seat)} is high: {fact.words}." if fact.words else f"{who(fact.seat)} is high."
    if fact.what == "low-hand":
        ranks = "-".join(rank.replace("T", "10") for rank in sorted(fact.words, key=_LOW_ORDER.index))
        return f"{who(fact.seat)} is low: {ranks}." if ranks else f"{who(fact.seat)} is low."
    if fact.what in _SAID_ALREADY:
        return ""
    said = _CARD.sub(r"[\1]", fact.words)
    return f"{who(fact.seat)}: {said}." if said else ""


def _antes(fact: play.AntesPosted, who: Who) -> str:
    total = sum(chips for _, chips in fact.antes)
    return f"Antes are in: {total:,}." if total else ""


def _pots(fact: play.RoundClosed, who: Who) -> str:
    if not fact.pots:
        return ""
    side = [f"side pot {i} {chips:,}" for i, (chips, _) in enumerate(fact.pots[1:], 1)]
    return f"Pot {', '.join([f'{fact.pots[0][0]:,}', *side])}."


def _shown(fact: play.HandShown, who: Who) -> str:
    five = f" ({_marked_all(fact.five)})" if fact.five else ""
    low = f"low: {fact.low_words}" if fact.low_words else ""
    return f"{who(fact.seat)} shows {'; '.join(filter(None, (f'{fact.words}{five}', low)))}."


def _drop(fact: play.DropTaken, who: Who) -> str:
    if fact.why == "no-call":
        return "No rake: the hand ended on third street without a call."
    funds = [(fact.rake, "Rake"), (fact.promo, "promotions"), (fact.jackpot, "jackpot")]
    parts = [f"{name} {chips:,}" for chips, name in funds if chips]
    return f"{parts[0][0].upper()}{', '.join(parts)[1:]}." if parts else ""


def _awarded(fact: play.PotAwarded, who: Who) -> str:
    pot = f"side pot {fact.pot}" if fact.pot else "the pot"
    return f"{who(fact.seat)} wins {fact.amount:,} from {pot}{_SHARES.get(fact.share, '')}."


_SENTENCES: dict[str, Callable[[Any, Who], str]] = {
    "antes-posted": _antes,
    "cards-dealt": _dealt,
    "stub-remixed": lambda fact, who: "The deck runs short: the stub and the burns are mixed again.",
    "common-card-dealt": lambda fact, who: f"A common card for everybody: {marked(fact.card)}.",
    "no-card-left": lambda fact, who: "The deck is out: nobody gets another card.",
    "announced": _announced,
    "ruled": lambda fact, who: fact.words,
    "call-weighed": lambda fact, who: "That call was beaten by cards in sight; it stands." if fact.is_beaten else "",
    "round-opened": lambda fact, who: "" if fact.opener == fact.named else f"{who(fact.opener)} opens instead.",
    "timed-out": lambda fact, who: f"{who(fact.seat)} ran out of time.",
    "bring-in-posted": lambda fact, who: f"{who(fact.seat)} brings it in for {fact.amount:,}.",
    "checked": lambda fact, who: f"{who(fact.seat)} checks.",
    "called": lambda fact, who: f"{who(fact.seat)} calls {fact.amount:,}.",
    "wagered": lambda fact, who: f"{who(fact.seat)} {_WAGERED[fact.verb]} {fact.to:,}.",
    "folded": lambda fact, who: f"{who(fact.seat)} folds.",
    "hand-killed": lambda fact, who: f"{who(fact.seat)}’s hand is dead.",
    "player-left": lambda fact, who: f"{who(fact.seat)} is away.",
    "player-back": lambda fact, who: f"{who(fact.seat)} is back.",
    "bet-returned": lambda fact, who: f"{fact.amount:,} nobody called goes back to {who(fact.seat)}.",
    "round-closed": _pots,
    "last-card-seen": lambda fact, who: f"{who(fact.seat)} {_SEEN.get(fact.how, 'has seen the last card')}.",
    "cards-put-right": _put_right,
    "prematurely-dealt": _dealt_too_soon,
    "premature-card-kept": _kept,
    "cards-eliminated": lambda fact, who: "The cards dealt too soon are out of play.",
    "ante-returned": lambda fact, who: f"The ante of {fact.amount:,} goes back to {who(fact.seat)}.",
    "upcards-picked-up": lambda fact, who: f"{who(fact.seat)} picks up the upcards.",
    "upcards-reordered": lambda fact, who: f"{who(fact.seat)} changes the order of the upcards.",
    "declared-all-in": lambda fact, who: f"{who(fact.seat)} declares all-in.",
    "action-held": lambda fact, who: f"{who(fact.seat)} {_HELD.get(fact.verb, 'acts')} out of turn.",
    "action-released": lambda fact, who: f"{who(fact.seat)} is no longer held to it.",
    "ordered": _ordered,
    "entry-reversed": lambda fact, who: f"The last entry was a mistake and is taken back{_because(fact.reason)}.",
    "hand-revived": lambda fact, who: f"{who(fact.seat)}’s hand is ruled live.",
    "hand-voided": lambda fact, who: f"{_VOID.get(fact.why, 'The hand is void')}: every chip goes back.",
    "hand-tabled": lambda fact, who: f"{who(fact.seat)} turns up {_marked_all(fact.cards)}.",
    "hand-shown": _shown,
    "hand-mucked": lambda fact, who: f"{who(fact.seat)} mucks.",
    "drop-taken": _drop,
    "pot-awarded": _awarded,
}


# The states of a table


GOING = "going"
_GOING_FROM = 2


def phase_of(table: Table, seats: Sequence[Seat] | int) -> str:
    """What people call it: "free", "open" (nobody plays yet), "going", "paused", "breaking" or "closed".

    `seats`: the taken seats of the table, or how many they are. A table in the room is going with a dealer clocked in
    and a player at least; a dealer without players is a dead spread, see `is_dead_spread`.
    """
    if table.state in (Table.State.FREE, Table.State.CLOSED):
        return str(table.state)
    if table.state in (Table.State.BREAKING, Table.State.CLOSING):
        return "breaking"
    if table.paused_at is not None:
        return "paused"
    many = seats if isinstance(seats, int) else len(seats)
    if table.is_physical:
        return GOING if table.dealer_on_id is not None and many else "open"
    return GOING if table.hand_id is not None or many >= _GOING_FROM else "open"


def is_dead_spread(table: Table, seats: Sequence[Seat] | int) -> bool:
    """Whether a dealer sits at an open table of the room with nobody to deal to."""
    many = seats if isinstance(seats, int) else len(seats)
    return table.is_physical and table.state == Table.State.OPEN and table.dealer_on_id is not None and not many
