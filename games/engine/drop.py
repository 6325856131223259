"""What the house takes of the pots: the terms, the sum, and which pot gives what of it. Integers only.

How it is reckoned, always the same way:

* The rake is a share of all that was bet and called, rounded, and no more than the cap for the players dealt in.
* Nothing is taken of a hand that ends on third street without a call, where the terms say so. A call is a call: a
  bring-in or a completion that everybody folds to is none, and a bring-in that is called, completed or not, is one.
  What nobody called goes back before anything is taken. [general 5, of the cash game: no flop, no drop]
* Promotional chips and those for the jackpot are fixed, and come off every pot of enough chips that is raked. Where
  the pot does not hold it all, the rake comes first, then the promotion, then the jackpot.
* Of several pots each gives of the rake by its share, rounded down to whole chips of the smallest in play; the chips
  that this leaves over, the promotion and the jackpot come out of the main pot first, then out of the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from games.engine.facts import base, mistakes, play
from games.engine.in_play import HandInPlay

WHOLE = 1000
ROUNDINGS = ("down", "nearest", "up")
#: Why nothing was taken.
NO_CALL = "no-call"


@dataclass(frozen=True, slots=True)
class DropTerms:
    """``permille`` of the pot, at most what ``caps`` has for the players dealt in ((players, chips), the greatest
    number that is not above them; none: no cap), rounded to a multiple of ``unit``. ``promo`` and ``jackpot``: chips of
    a raked pot of ``promo_from`` chips or more. ``schedule`` and ``fund``: the house's own numbers of the terms and of
    the jackpot, which mean nothing here.

    >>> DropTerms(permille=50, caps=((2, 3), (5, 10))).rake(players=4, pot=100)
    3
    """

    permille: int = 0
    caps: tuple[tuple[int, int], ...] = ()
    unit: int = 1
    rounding: str = "down"
    is_free_without_call: bool = True
    promo: int = 0
    jackpot: int = 0
    promo_from: int = 0
    schedule: int = 0
    fund: int = 0

    def __post_init__(self) -> None:
        amounts = (self.permille, self.promo, self.jackpot, self.promo_from, *(chips for _, chips in self.caps))
        if min(amounts) < 0 or self.permille > WHOLE or self.unit < 1 or self.rounding not in ROUNDINGS:
            raise ValueError(f"no terms of a drop: {self}")

    def cap(self, players: int) -> int | None:
        """The most rake with so many players dealt in; None where there is no cap.

        >>> DropTerms(caps=((2, 1), (4, 3))).cap(3), DropTerms(caps=((2, 1), (4, 3))).cap(8), DropTerms().cap(8)
        (1, 3, None)
        """
        if not self.caps:
            return None
        return max((cap for cap in self.caps if cap[0] <= players), default=min(self.caps))[1]

    def rake(self, *, players: int, pot: int) -> int:
        """The rake of a whole pot.

        >>> [DropTerms(permille=50, unit=5, rounding=way).rake(players=6, pot=150) for way in ROUNDINGS]
        [5, 10, 10]
        """
        parts, of_unit = pot * self.permille, WHOLE * self.unit
        if self.rounding == "up":
            units = -(-parts // of_unit)
        elif self.rounding == "nearest":
            units = (2 * parts + of_unit) // (2 * of_unit)
        else:
            units = parts // of_unit
        cap = self.cap(players)
        chips = units * self.unit
        return min(chips if cap is None else min(chips, cap), pot)

    def amounts(self) -> tuple[int, ...]:
        """What is taken is a whole number of the greatest common divisor of these and of what is in the pot.

        >>> DropTerms(permille=50, unit=5, caps=((2, 20),), jackpot=2).amounts(), DropTerms(promo=1).amounts()
        ((0, 2, 5, 20), (1, 0))
        """
        rake = (self.unit, *(chips for _, chips in self.caps)) if self.permille else ()
        return (self.promo, self.jackpot, *rake)

    def scaled(self, by: int) -> DropTerms:
        """The terms with every amount of chips multiplied by ``by``."""
        return replace(
            self,
            caps=tuple([(players, chips * by) for players, chips in self.caps]),
            unit=self.unit * by,
            promo=self.promo * by,
            jackpot=self.jackpot * by,
            promo_from=self.promo_from * by,
        )

    def as_pairs(self) -> tuple[tuple[str, Any], ...]:
        """As the first fact of a hand has it: what differs from no drop at all.

        >>> DropTerms(permille=50, promo=1).as_pairs()
        (('permille', 50), ('promo', 1))
        """
        values = [(field.name, getattr(self, field.name), field.default) for field in fields(self)]
        return tuple([(name, value) for name, value, default in values if value != default]) or (("permille", 0),)


def time_charge(steps: Sequence[Sequence[int]], players: int) -> int:
    """What each of so many players at a table pays for a period of time: by the greatest number of ``steps`` (players,
    chips) that is not above theirs; nothing below the first.

    >>> [time_charge([(2, 10), (5, 8)], players) for players in (1, 2, 4, 8)]
    [0, 10, 10, 8]
    """
    return max(((least, chips) for least, chips in steps if least <= players), default=(0, 0))[1]


def drop_from_pots(terms: DropTerms, *, players: int, pots: Sequence[int], unit: int = 1) -> play.DropTaken:
    """What is taken of these pots, main pot first, after a hand that was called. ``unit``: the smallest chip in play.

    >>> terms = DropTerms(permille=50, caps=((2, 4),), promo=1, jackpot=1, promo_from=20)
    >>> drop_from_pots(terms, players=6, pots=[60, 30])
    DropTaken(rake=4, promo=1, jackpot=1, pots=(5, 1), why='')
    >>> drop_from_pots(terms, players=6, pots=[10])
    DropTaken(rake=0, promo=0, jackpot=0, pots=(0,), why='')
    """
    whole = sum(pots)
    rake = terms.rake(players=players, pot=whole)
    is_funded = whole >= terms.promo_from
    promo = min(terms.promo, whole - rake) if is_funded else 0
    jackpot = min(terms.jackpot, whole - rake - promo) if is_funded else 0
    shares = [rake * pot // whole // unit * unit if whole else 0 for pot in pots]
    left = rake + promo + jackpot - sum(shares)
    for place, pot in enumerate(pots):
        more = min(left, pot - shares[place])
        shares[place] += more
        left -= more
    return play.DropTaken(rake, promo, jackpot, tuple(shares))


def take_drop(hand: HandInPlay, pots: Sequence[base.Pot]) -> Sequence[base.Pot]:
    """Take the drop of a hand whose pots are about to be awarded; the pots as they are then. Call it only where the
    hand has terms."""
    terms = DropTerms(**dict(hand.started.drop))
    if terms.is_free_without_call and hand.phase != "show" and hand.is_on_first_street and not was_called(hand.facts):
        hand.emit(play.DropTaken(0, 0, 0, (0,) * len(pots), NO_CALL))
        return pots
    fact = drop_from_pots(terms, players=len(hand.players), pots=[chips for chips, _ in pots], unit=hand.started.unit)
    hand.emit(fact)
    return [(chips - taken, seats) for (chips, seats), taken in zip(pots, fact.pots, strict=True)]


def was_called(facts: Sequence[base.Fact]) -> bool:
    """Whether a wager or the bring-in was called in the last betting round; a round that a wrong lowcard made void and
    entries that were taken back do not count."""
    called = False
    for _, fact in mistakes.in_force(facts):
        if isinstance(fact, play.RoundOpened):
            called = False
        elif isinstance(fact, play.Called):
            called = True
    return called
