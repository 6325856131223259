"""The figures of one seat in a hand, from which statistics are made: the class of its first cards, whether it came in
voluntarily, how long it stayed. Written beside the result when a hand is over."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy

from cardroom.core import seals
from games.engine.cards import ACE, RANKS, Card, is_known, rank_of
from games.engine.facts import mistakes, play
from games.engine.games import EIGHT, GAMES
from games.engine.hand import Hand as Engine

#: The classes of the first three cards for high, low and split games, strongest first, with their names.
HIGH_STARTS = {
    "trips": gettext_lazy("Rolled-up trips"),
    "big-pair": gettext_lazy("Pair of tens or better"),
    "small-pair": gettext_lazy("Pair below tens"),
    "flush": gettext_lazy("Three to a flush"),
    "straight": gettext_lazy("Three to a straight"),
    "high": gettext_lazy("Three high cards"),
    "other": gettext_lazy("Other"),
}
LOW_STARTS = {
    "wheel": gettext_lazy("Three to a wheel"),
    "smooth": gettext_lazy("Three low cards, smooth"),
    "rough": gettext_lazy("Three low cards, rough"),
    "two-low": gettext_lazy("Two low cards"),
    "other": gettext_lazy("Other"),
}
BOTH_STARTS = {
    "trips": gettext_lazy("Rolled-up trips"),
    "strong-low": gettext_lazy("Three low cards to a straight or flush"),
    "smooth": gettext_lazy("Three low cards, smooth"),
    "rough": gettext_lazy("Three low cards, rough"),
    **{start: HIGH_STARTS[start] for start in ("big-pair", "small-pair", "flush", "straight", "high", "other")},
}
STARTS = HIGH_STARTS | LOW_STARTS | BOTH_STARTS
_TEN, _LOW, _SMOOTH, _WHEEL = 10, EIGHT, 5, 5


@dataclass(frozen=True)
class Figures:
    """`start`: a class of `STARTS`, "" where the cards are not known. `saw`: the last street whose card the live hand
    got (0: none, or the hand was void); `has_folded`: they gave it up there. `is_voluntary`: they called, completed or
    raised on third street; `is_raised`: they completed or raised there. `small_bet` and `big_bet`: what it
    was played for, whatever its table is played for by now; `big_bet` is the unit of results."""

    game: str
    start: str = ""
    saw: int = 0
    has_folded: bool = False
    is_voluntary: bool = False
    is_raised: bool = False
    small_bet: int = 0
    big_bet: int = 0


def figures_of(engine: Engine) -> dict[int, Figures]:
    """The figures of each seat, of a hand that is over."""
    started, street = engine.started, 0
    first = GAMES[started.game].first
    saw, folded = dict.fromkeys(engine.seats, 0), set[int]()
    came, raised = set[int](), set[int]()
    facts = [fact for _, fact in mistakes.in_force(engine.facts)]
    if not isinstance(facts[-1], mistakes.HandVoided):
        for fact in facts:
            if isinstance(fact, play.CardsDealt | play.CommonCardDealt):
                street = fact.street
                saw |= {seat: street for seat in saw if seat not in folded}
            elif isinstance(fact, play.ShowdownOpened):
                break
            elif isinstance(fact, play.Folded | play.HandKilled):
                folded.add(fact.seat)
            elif isinstance(fact, mistakes.HandRevived):
                folded.discard(fact.seat)
            elif street == first.number and isinstance(fact, play.Called | play.Wagered):
                came.add(fact.seat)
                raised |= {fact.seat} if isinstance(fact, play.Wagered) else set()
            elif isinstance(fact, play.Ruled) and (fact.key, fact.verdict) == ("wrong_lowcard", "corrected"):
                came, raised = set(), set()  # the round begins anew
    stakes = {
        "small_bet": started.small_bet or started.min_bet,
        "big_bet": started.big_bet or started.max_bet or started.min_bet,
    }
    return {
        number: Figures(
            started.game,
            start=start_of(seat.cards[: len(first.ups)], started.game) if saw[number] else "",
            saw=saw[number],
            has_folded=number in folded,
            is_voluntary=number in came,
            is_raised=number in raised,
            **stakes,
        )
        for number, seat in engine.seats.items()
    }


#: Every class is sealed in one block, so that the length of the sealed text tells nothing.
_START_BLOCK = 16


def sealed_start(start: str, *, hand: int, player: int) -> str:
    """The class of a player's first cards, sealed for the row of their result, for it tells of cards that nobody else
    may have seen; "" stays ""."""
    if not start:
        return ""
    return seals.seal(start, subject=f"player:{player}", about=f"start:{hand}", block=_START_BLOCK)


def opened_start(kept: str, *, hand: int, player: int) -> str:
    """The class that is sealed in a result; "" where it cannot be opened."""
    try:
        return seals.opened(kept, subject=f"player:{player}", about=f"start:{hand}")
    except (seals.NoKey, seals.NotOpened):
        return ""


def starts_of(game: str) -> dict[str, str]:
    """The classes of a game, by how it is won."""
    if not GAMES[game].has_high:
        return LOW_STARTS
    return BOTH_STARTS if GAMES[game].has_low else HIGH_STARTS


def start_of(cards: Sequence[Card | None], game: str) -> str:
    """The class of a hand's first three cards; "" where one of them is not known."""
    known = [card for card in cards if card is not None and is_known(card)]
    if len(known) < len(GAMES[game].first.ups):
        return ""
    if not GAMES[game].has_high:
        return _low_class(known) or ("two-low" if len(_lows(known)) == 2 else "other")
    is_flush, is_straight = len({card[1] for card in known}) == 1, _is_straight(known)
    ranks = sorted(map(rank_of, known))
    if ranks[0] == ranks[2]:
        return "trips"
    low = _low_class(known) if GAMES[game].has_low else ""
    if low:
        return "strong-low" if is_flush or is_straight else "smooth" if low == "wheel" else low
    if len(set(ranks)) == 2:
        return "big-pair" if ranks[1] >= _TEN else "small-pair"  # the middle one of three belongs to the pair
    if is_flush or is_straight:
        return "flush" if is_flush else "straight"
    return "high" if ranks[0] >= _TEN else "other"


def _low_class(cards: Iterable[Card]) -> str:
    """wheel, smooth (one card above the five) or rough, for three different ranks of eight or under."""
    lows = sorted(_lows(cards))
    if len(lows) < 3:
        return ""
    return "wheel" if lows[2] <= _WHEEL else "smooth" if lows[1] <= _SMOOTH else "rough"


def _lows(cards: Iterable[Card]) -> set[int]:
    """The different ranks of eight or under, the ace as 1."""
    ranks = {1 if card[0] == "A" else rank_of(card) for card in cards}
    return {rank for rank in ranks if rank <= _LOW}


def _is_straight(cards: Iterable[Card]) -> bool:
    """Three ranks in a row, the ace at both ends."""
    ranks = {rank_of(card) for card in cards}
    both = ranks | ({1} if ACE in ranks else set())
    return any({low, low + 1, low + 2} <= both for low in range(1, len(RANKS)))
