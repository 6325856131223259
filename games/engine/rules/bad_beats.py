"""Bad beats: which hand that lost at the showdown was good enough for a jackpot, and how a jackpot is shared out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from games.engine.cards import is_known
from games.engine.facts import mistakes, play
from games.engine.in_play import HandInPlay, split
from games.engine.ranking import name_of, value_of
from games.engine.rules.strength import all_cards

LOSER, WINNER, TABLE = "loser", "winner", "table"


_FIVE = 5


@dataclass(frozen=True, slots=True)
class Qualifying:
    """What it takes: the losing hand is ``least_hand`` or better, ``least_downcards`` of their own play in the losing
    and in the winning hand, ``least_players`` were dealt in."""

    least_hand: tuple[str, ...]
    least_downcards: int = 2
    least_players: int = 4


@dataclass(frozen=True, slots=True)
class Beat:
    """Seats, and what they held, in words."""

    losers: tuple[int, ...]
    winners: tuple[int, ...]
    losing: str
    winning: str


@dataclass(frozen=True, slots=True)
class JackpotTerms:
    """How a jackpot is shared out: bonuses first, then percentages of the rest; what is left is the table's."""

    loser_percent: int = 50
    winner_percent: int = 25
    loser_bonus: int = 0
    winner_bonus: int = 0
    table_bonus: int = 0


def plays_downcards(cards: Sequence[str], downcards: Sequence[str], least: int) -> bool:
    """Whether the best hand of ``cards`` can be made with so many of the downcards in it."""
    best, down = value_of(cards), set(downcards)
    fives = combinations(cards, min(_FIVE, len(cards)))
    return any(len(down.intersection(five)) >= least and value_of(five) == best for five in fives)


def find(hand: HandInPlay, terms: Qualifying) -> Beat | None:
    """The bad beat of a hand that is over, if there was one that qualifies."""
    if not hand.show_order or not hand.game.has_high or len(hand.players) < terms.least_players:
        return None
    held = {seat: all_cards(hand, hand.seats[seat]) for seat in _came_to_showdown(hand)}
    held = {seat: cards for seat, cards in held.items() if all(map(is_known, cards))}
    values = {seat: value_of(cards) for seat, cards in held.items()}
    if len(set(values.values())) <= 1:
        return None
    best = max(values.values())
    second = max(value for value in values.values() if value != best)
    if second < value_of(terms.least_hand):
        return None
    fair = [seat for seat in held if _plays_own(hand, seat, held[seat], terms.least_downcards)]
    losers = tuple(seat for seat in hand.order if seat in fair and values[seat] == second)
    winners = tuple(seat for seat in hand.order if seat in fair and values[seat] == best)
    return Beat(losers, winners, name_of(second), name_of(best)) if losers and winners else None


def _came_to_showdown(hand: HandInPlay) -> list[int]:
    kinds = (play.HandShown,) if hand.started.is_hand_shown else (play.HandShown, play.HandMucked)
    return [fact.seat for _, fact in mistakes.in_force(hand.facts) if isinstance(fact, kinds)]


def _plays_own(hand: HandInPlay, seat: int, cards: Sequence[str], least: int) -> bool:
    downcards = [card for card in hand.seats[seat].downcards if card is not None]
    return plays_downcards(cards, downcards, least)


def shared_out(
    chips: int,
    terms: JackpotTerms,
    *,
    losers: Sequence[int],
    winners: Sequence[int],
    others: Sequence[int],
    unit: int = 1,
) -> list[tuple[int, str, int]]:
    """(seat, part, chips) for everybody who gets something, and never a chip more or less than there is.

    The bonuses come first; where there is not enough for all of them, there are none. Every part is rounded down to
    whole chips of ``unit``, the smallest in play, and shared out evenly; the chips that this leaves over are the
    loser's, and so is the table's part where nobody else was dealt in. Several losers, or winners, take the odd chips
    of their part one each, in the order given.

    >>> shared_out(1001, JackpotTerms(), losers=[2], winners=[5], others=[1, 3, 4])
    [(2, 'loser', 502), (5, 'winner', 250), (1, 'table', 83), (3, 'table', 83), (4, 'table', 83)]
    >>> shared_out(1001, JackpotTerms(), losers=[2], winners=[5], others=[1, 3, 4], unit=25)
    [(2, 'loser', 526), (5, 'winner', 250), (1, 'table', 75), (3, 'table', 75), (4, 'table', 75)]
    """
    bonuses = terms.loser_bonus * len(losers) + terms.winner_bonus * len(winners) + terms.table_bonus * len(others)
    has_bonuses = bonuses <= chips
    rest = chips - bonuses if has_bonuses else chips
    for_winners = rest * terms.winner_percent // 100 // unit * unit
    table_percent = 100 - terms.loser_percent - terms.winner_percent
    table_share = rest * table_percent // 100 // len(others) // unit * unit if others else 0
    for_losers = rest - for_winners - table_share * len(others)
    bonus = (terms.loser_bonus, terms.winner_bonus, terms.table_bonus) if has_bonuses else (0, 0, 0)
    parts = [(seat, LOSER, part + bonus[0]) for seat, part, _ in split(for_losers, losers, unit)]
    parts += [(seat, WINNER, part + bonus[1]) for seat, part, _ in split(for_winners, winners, unit)]
    parts += [(seat, TABLE, table_share + bonus[2]) for seat in others]
    return [part for part in parts if part[2]]
