"""The chip race (TDA 24): a denomination leaves, and what is too little for a chip of the next is raced for.

Whole chips change up. For each odd chip its owner gets a card, from seat 1 on, all of one player before the next
player's; the highest cards by suit take a chip of the next denomination each, one to a player at most.

How many chips the table races for: the value of all its odd chips over the next denomination, and one more where at
least half a chip is left over (Robert's Rules of Poker v11, Tournaments). So the chips at a table are what they were
but for this rounding: a race takes off less than half a chip of the next denomination, or adds half a one at most.
Beyond that it adds a whole one for each player whom it would have left with nothing: nobody is raced out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments.engine.errors import EventSentence, IllegalCommand
from tournaments.engine.plain import Chance

RACE = "TDA 24"

#: Lowest first. The suits rank, as they break every tie of single cards.
RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)
_KEYS = {card: key for key, card in enumerate(DECK)}


@dataclass(frozen=True, slots=True)
class Raced:
    """What the race did to one seat. ``before`` and ``after``: its chips in value; ``odd``: its odd chips, in pieces;
    ``cards``: one for each of them; ``is_saved``: the race would have left it with nothing.
    """

    seat: int
    before: int
    odd: int
    cards: tuple[str, ...]
    has_won: bool
    is_saved: bool
    after: int


@dataclass(frozen=True, slots=True)
class Race:
    """A finished race. ``raced``: by seat; ``chips``: of the next denomination that were raced for; ``rounding``: the
    value the race added to the table (less than 0: took off it); ``saved``: the value given so that nobody is out.
    """

    leaving: int
    next_denomination: int
    raced: tuple[Raced, ...]
    chips: int
    rounding: int
    saved: int
    why: str
    rule: str = RACE


def odd_chips(stacks: Mapping[int, int], leaving: int, next_denomination: int) -> int:
    """How many cards the race of this table needs. Raises ``IllegalCommand`` as ``race`` does."""
    _check(stacks, leaving, next_denomination)
    return sum(chips % next_denomination // leaving for chips in stacks.values())


def deal(count: int, *, seed: int) -> tuple[str, ...]:
    """``count`` cards from a shuffled deck, for a race that nobody deals by hand."""
    return tuple(Chance(seed).shuffled(DECK)[:count])


def race(stacks: Mapping[int, int], leaving: int, next_denomination: int, cards: Sequence[str]) -> Race:
    """Takes ``leaving`` off a table. ``stacks``: seat -> chips in value, no smaller denomination in them.

    All chips above ``leaving`` must be multiples of ``next_denomination``, so the odd chips follow from the value.
    ``cards``: in the order dealt, exactly one for each odd chip. Raises ``IllegalCommand`` for a stack that these chips
    cannot make, a next chip that is no multiple, more odd chips than a deck has cards, and cards that do not fit.
    """
    needed = odd_chips(stacks, leaving, next_denomination)
    _check_cards(cards, needed)
    dealt: dict[int, tuple[str, ...]] = {}
    start = 0
    for seat in sorted(stacks):
        odd = stacks[seat] % next_denomination // leaving
        dealt[seat] = tuple(cards[start : start + odd])
        start += odd
    chips, rest = divmod(needed * leaving, next_denomination)
    chips += 2 * rest >= next_denomination
    racing = [seat for seat in dealt if dealt[seat]]
    racing.sort(key=lambda seat: max(_KEYS[card] for card in dealt[seat]), reverse=True)
    winners = frozenset(racing[:chips])
    raced = tuple([_race_result(seat, stacks[seat], dealt[seat], seat in winners, next_denomination) for seat in dealt])
    saved = next_denomination * sum(racer.is_saved for racer in raced)
    why = EventSentence(
        "{odd} odd chips of {leaving} at the table are worth {worth}, raced for {chips} chips of {following}, one to a "
        "player at most.",
        odd=needed,
        leaving=leaving,
        worth=needed * leaving,
        chips=chips,
        following=next_denomination,
    )
    return Race(leaving, next_denomination, raced, chips, chips * next_denomination - needed * leaving, saved, why)


def _race_result(seat: int, before: int, cards: tuple[str, ...], has_won: bool, next_denomination: int) -> Raced:
    whole = before - before % next_denomination
    is_saved = bool(before) and not whole and not has_won
    after = whole + (next_denomination if has_won or is_saved else 0)
    return Raced(seat, before, len(cards), cards, has_won, is_saved, after)


def _check(stacks: Mapping[int, int], leaving: int, next_denomination: int) -> None:
    if leaving < 1 or next_denomination <= leaving or next_denomination % leaving:
        raise IllegalCommand(
            "not-a-multiple",
            "Chips of {leaving} cannot be raced for chips of {following}: the next must be a multiple of those that "
            "leave.",
            RACE,
            leaving=leaving,
            following=next_denomination,
        )
    for seat, chips in sorted(stacks.items()):
        if chips < 0 or chips % leaving:
            raise IllegalCommand(
                "wrong-count",
                "Seat {seat} has {chips}, which chips of {leaving} and more cannot make: count it again.",
                RACE,
                seat=seat,
                chips=chips,
                leaving=leaving,
            )
    needed = sum(chips % next_denomination // leaving for chips in stacks.values())
    if needed > len(DECK):
        raise IllegalCommand(
            "too-many-odd-chips",
            "{odd} odd chips of {leaving} need more cards than a deck has: race them for a chip smaller than "
            "{following}.",
            RACE,
            odd=needed,
            leaving=leaving,
            following=next_denomination,
        )


def _check_cards(cards: Sequence[str], needed: int) -> None:
    for number, card in enumerate(cards):
        if card not in _KEYS or card in cards[:number]:
            twice = EventSentence("Card {number} of the race, {card!r}, is there twice.", number=number + 1, card=card)
            no_card = EventSentence(
                "Card {number} of the race, {card!r}, is not a card: write a rank ({ranks}) and a suit ({suits}).",
                number=number + 1,
                card=card,
                ranks=RANKS,
                suits=SUITS,
            )
            raise IllegalCommand("wrong-card", twice if card in _KEYS else no_card, RACE)
    if len(cards) != needed:
        raise IllegalCommand(
            "wrong-number-of-cards",
            "The race needs {needed} cards, one for each odd chip, and {dealt} were dealt.",
            RACE,
            needed=needed,
            dealt=len(cards),
        )
