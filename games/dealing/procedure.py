"""The next step of a hand that is dealt by hand, and what can be entered."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.utils.translation import gettext, gettext_lazy, ngettext

from cardroom.core import sentences
from cardroom.core.sentences import filled
from games.engine import commands as c
from games.engine.errors import IllegalAction
from games.engine.facts import mistakes, play
from games.engine.facts.base import RAIL, redact
from games.engine.facts.play import ActionOn
from games.engine.hand import Hand as Engine
from games.engine.rules.manual_dealing import can_have_come_too_soon
from games.engine.rules.put_right import cards_to_light, street_mistakes
from games.engine.rules.short_deck import is_common_card_due
from games.engine.rules.showdown import must_table_all
from games.engine.rules.stub import burns_due, receivers
from games.tables import journal as table_journal
from games.tables import words as table_words
from games.tables.journal import OpenHand


@dataclass(frozen=True)
class ProcedureStep:
    """``what``: deal, act, name-low, show, notice or over. ``words``: the same for people."""

    what: str
    words: str
    street: int | None = None
    seat: int | None = None


@dataclass(frozen=True)
class EntryToUndo:
    """The entry that would be taken back: ``words`` say what it was; the hand goes back to fact ``upto``."""

    words: str
    upto: int


@dataclass(frozen=True)
class Procedure:
    """The next step of the dealer of a hand, and all that can be entered now.

    ``receivers``: the seats that get cards of the next street, in dealing order, ``cards_each`` of them; ``burns``: how
    many are burned before it; ``premature_street``: the street whose cards could now come too soon. ``lowcard``:
    (named, true) where the wrong seat was named. ``mistake``: the rulebook point of a mistake that can be pointed out,
    "" where there is none; ``cards_to_name``: how many cards come to light then and have to be named. ``whats`` and
    ``seats``: the entries that the engine would accept now, for the hand and by seat.
    """

    hand: int
    seq: int
    awaits: str
    next: ProcedureStep
    receivers: list[int]
    cards_each: int
    burns: int
    is_common_due: bool
    stub: int
    is_typed: bool
    premature_street: int | None
    lowcard: tuple[int, int] | None
    mistake: str
    cards_to_name: int
    whats: list[str]
    seats: dict[int, list[str]]
    turn: ActionOn | None
    undo: EntryToUndo | None


_TAKEN_BY_SEAT: dict[str, tuple[Callable[[int], c.Command], ...]] = {
    "act": (c.Fold, c.Check, c.Call, c.BringIn),
    "name-low": (c.NameOpener,),
    "look": (c.Look,),
    "mix": (c.Mix,),
    "pick-up": (c.PickUp,),
    "reorder": (c.Reorder,),
    "declare-all-in": (c.DeclareAllIn,),
    "show": (c.Show,),
    "muck": (c.Muck,),
    "leave": (c.Leave,),
    "back": (c.Return,),
}


def procedure(*, hand_id: int) -> Procedure:
    """The procedure of a hand as it is now. `NotFound` where there is no such hand."""
    opened = table_journal.read(hand_id)
    hand = opened.engine
    street = hand.next_street() if hand.awaits in ("deal", "action") else None
    noticed = _trial(hand, c.NoticeMistake())
    undo = _undo(opened)
    whats = [
        *(["deal"] if hand.awaits == "deal" else []),
        *(["deal-too-soon"] if street is not None and can_have_come_too_soon(hand) else []),
        *(["notice"] if noticed.is_possible else []),
        *(["fouled"] if hand.deck is None and not hand.is_over else []),
        *(["undo"] if undo is not None else []),
    ]
    return Procedure(
        hand=hand_id,
        seq=len(hand.facts),
        awaits=hand.awaits,
        next=_next(hand, noticed),
        receivers=receivers(hand) if street is not None else [],
        cards_each=len(street.ups) if street is not None else 0,
        burns=burns_due(hand, street) if street is not None else 0,
        is_common_due=_is_common_due(hand),
        stub=len(hand.stub),
        is_typed=hand.deck is None,
        premature_street=street.number if "deal-too-soon" in whats and street is not None else None,
        lowcard=noticed.lowcard,
        mistake=noticed.key,
        cards_to_name=noticed.cards,
        whats=whats,
        seats={seat: what for seat in sorted(hand.seats) if (what := _for_seat(hand, seat))},
        turn=hand.turn,
        undo=undo,
    )


def next_step(hand: Engine) -> ProcedureStep:
    """The next step of correct procedure in a hand (a replay of all its facts)."""
    return _next(hand, _trial(hand, c.NoticeMistake()))


def _next(hand: Engine, noticed: _Noticed) -> ProcedureStep:
    if noticed.is_remedied:
        return ProcedureStep("notice", noticed.words)
    if hand.is_over:
        return ProcedureStep("over", _how_it_ended(hand))
    if hand.awaits == "deal":
        return _next_street(hand)
    if hand.awaits == "opener":
        return ProcedureStep("name-low", gettext("Name the seat that opens the betting"))
    if hand.awaits == "show":
        words = gettext("Seat {seat} shows") if must_table_all(hand) else gettext("Seat {seat} shows or mucks")
        return ProcedureStep("show", words.format(seat=hand.to_act), seat=hand.to_act)
    is_bring_in = hand.turn is not None and hand.turn.bring_in
    words = gettext("Seat {seat} brings it in") if is_bring_in else gettext("Seat {seat} to act")
    return ProcedureStep("act", words.format(seat=hand.to_act), seat=hand.to_act)


#: By street: without a burn, and with one.
_DEALS = {
    4: (gettext_lazy("Deal fourth street"), gettext_lazy("Burn and deal fourth street")),
    5: (gettext_lazy("Deal fifth street"), gettext_lazy("Burn and deal fifth street")),
    6: (gettext_lazy("Deal sixth street"), gettext_lazy("Burn and deal sixth street")),
    7: (gettext_lazy("Deal seventh street"), gettext_lazy("Burn and deal seventh street")),
}


def _next_street(hand: Engine) -> ProcedureStep:
    street = hand.next_street()
    if street is None:
        return ProcedureStep("over", "")
    is_burned = bool(burns_due(hand, street))
    if _is_common_due(hand):
        words = gettext("Burn and turn up one common card") if is_burned else gettext("Turn up one common card")
    elif street.is_first:
        words = gettext("Deal third street: two down, one up")
        if is_burned:
            words = gettext("Burn and deal third street: two down, one up")
    else:
        words = str(_DEALS[street.number][is_burned])
    if hand.premature:
        words = gettext("The cards dealt too soon are out: {deal} afresh").format(deal=sentences.mid_sentence(words))
    return ProcedureStep("deal", words, street=street.number)


def _is_common_due(hand: Engine) -> bool:
    street = hand.next_street()
    if street is None or hand.awaits != "deal":
        return False
    return is_common_card_due(hand, len(receivers(hand)) * len(street.ups))


def _how_it_ended(hand: Engine) -> str:
    if isinstance(hand.facts[-1], mistakes.HandVoided):
        return table_words.sentence(hand.facts[-1], _seat).rstrip(".")
    won: dict[int, int] = {}
    for fact in hand.facts:
        if isinstance(fact, play.PotAwarded):
            won[fact.seat] = won.get(fact.seat, 0) + fact.amount
    pushed = [filled(gettext("{amount:,} to seat {seat}"), amount=amount, seat=seat) for seat, amount in won.items()]
    return gettext("Push {pots}").format(pots=", ".join(pushed)) if pushed else gettext("The hand is over")


@dataclass(frozen=True)
class _Noticed:
    """The outcome of pointing a mistake out now."""

    is_possible: bool = False
    is_remedied: bool = False
    key: str = ""
    cards: int = 0
    lowcard: tuple[int, int] | None = None
    words: str = ""


#: The remedies of mistakes, in words.
_REMEDIES = {
    "burn_error": gettext_lazy("Put the burn error right"),
    "wrong_card_count": gettext_lazy("Put the number of cards right"),
}


def _trial(hand: Engine, notice: c.NoticeMistake) -> _Noticed:
    if hand.is_over:
        return _Noticed()
    mistakes_of_street = street_mistakes(hand)
    key = "burn_error" if mistakes_of_street is not None and mistakes_of_street.is_burned_wrong else "wrong_card_count"
    twin = hand.copy()
    try:
        facts = twin.play(notice)
    except IllegalAction as error:
        if error.code != "name-the-card":
            return _Noticed()
        count = cards_to_light(hand)
        words = ngettext(
            "{remedy}: name the card that comes to light", "{remedy}: name the {n} cards that come to light", count
        )
        return _Noticed(True, True, key, count, words=words.format(remedy=_REMEDIES[key], n=count))
    rulings = [fact for fact in facts if isinstance(fact, play.Ruled)]
    low = next((ruling for ruling in rulings if ruling.key == "wrong_lowcard"), None)
    pair = (low.seats[0], low.seats[1]) if low is not None and len(low.seats) > 1 else None
    if rulings[0].verdict == "misdeal":
        return _Noticed(True, True, rulings[0].key, words=gettext("Wrong number of starting cards: misdeal"))
    is_remedied = any(ruling.verdict == "corrected" for ruling in rulings)
    words = str(_REMEDIES[key])
    if pair:
        words = gettext("Seat {low} is low, not seat {seat}: put it right").format(low=pair[1], seat=pair[0])
    return _Noticed(True, is_remedied, rulings[0].key, 0, pair, words)


def rules_at_once(hand: Engine) -> bool:
    """Whether a wrong burn of the street just dealt can be put right at once: no card has to be named, and there is no
    last card that somebody may have looked at."""
    noticed = _trial(hand, c.NoticeMistake())
    is_burn = noticed.is_remedied and noticed.key == "burn_error"
    return is_burn and not noticed.cards and hand.next_street() is not None


def _for_seat(hand: Engine, seat: int) -> list[str]:
    if hand.is_over:
        return []
    return [what for what, makers in _TAKEN_BY_SEAT.items() if _is_taken(hand, (make(seat) for make in makers))]


def _is_taken(hand: Engine, tried: Iterable[c.Command]) -> bool:
    for command in tried:
        try:
            facts = hand.copy().play(command)
        except IllegalAction:
            continue
        return bool(facts)
    return False


def _undo(opened: OpenHand) -> EntryToUndo | None:
    entries = opened.entries()
    if not entries or opened.engine.is_over:
        return None
    last = entries[-1]
    if not _is_taken(opened.engine, [c.Reverse(last.facts_from - 1)]):
        return None
    facts = [redact(fact, RAIL) for fact in opened.engine.facts[last.facts_from - 1 : last.seq]]
    sentences_of_entry = [
        table_words.sentence(fact, _seat) for fact in facts if not isinstance(fact, play.Ruled | play.Announced)
    ]
    return EntryToUndo(
        next((sentence for sentence in sentences_of_entry if sentence), gettext("The last entry")), last.facts_from - 1
    )


def _seat(number: int) -> str:
    return gettext("Seat {number}").format(number=number)
