"""Who is paid how much: the pool cut into prizes, to the last unit.

Knows the terms and the numbers of entries and money, not who finished where nor how anybody is paid. All in integers,
so that the same event has the same prizes on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import isqrt

from tournaments.engine.config import PAYOUTS, PayoutTerms
from tournaments.engine.errors import EventSentence, IllegalCommand, counted

# Whole units out of exact shares: the parts are integers and sum to what was there.


def evenly(total: int, parts: int, unit: int = 1) -> tuple[int, ...]:
    """``total`` in ``parts`` equal parts; units left over go one each to the first ones, and what fills no unit to the
    first of all."""
    share, odd = divmod(total // unit, parts)
    shares = [(share + (place < odd)) * unit for place in range(parts)]
    shares[0] += total % unit
    return tuple(shares)


def largest_remainder(values: Sequence[int], denominator: int, total: int, unit: int = 1) -> tuple[int, ...]:
    """Integers that sum to ``total``, in proportion to the exact shares ``values[i] / denominator``.

    Everyone has their share rounded down to ``unit``; the units left over go one each to the largest remainders, equal
    ones in the order given (Hamilton's method). What fills no unit is the largest share's.
    """
    divisor = denominator * unit
    shares = [value // divisor for value in values]
    left = total // unit - sum(shares)
    for index in by_remainder(values, divisor)[:left]:
        shares[index] += 1
    amounts = [share * unit for share in shares]
    amounts[values.index(max(values))] += total % unit
    return tuple(amounts)


def by_remainder(values: Sequence[int], divisor: int) -> list[int]:
    """Whose turn it is for a unit left over, by index: the largest remainder first, equal ones in order."""
    return sorted(range(len(values)), key=lambda index: -(values[index] % divisor))


# The pool cut into prizes


#: First prize in percent of the pool, by the most places paid that it goes with; above that ``_FIRST_OF_MANY``.
_FIRST = ((1, 100), (2, 65), (3, 50), (5, 40), (9, 30), (27, 25))
_FIRST_OF_MANY = 20
#: Weights are integers, _ONE for the first place.
_BITS = 64
_ONE = 1 << _BITS
#: The power of the curve is found to 2**-_STEPS.
_STEPS = 40
#: What ``percents`` sum to: percent, or hundredths of one where finer shares are wanted.
_WHOLES = (100, 10_000)


@dataclass(frozen=True, slots=True)
class Payouts:
    """``prizes`` by place, first prize first; they sum to the pool and the ``overlay``, what the house adds to reach
    the guarantee. The first ``tickets`` of them are paid as tickets. ``notes``: sentences for people about what came
    out otherwise than the terms say."""

    prizes: tuple[int, ...]
    overlay: int = 0
    tickets: int = 0
    notes: tuple[str, ...] = ()


def check(terms: PayoutTerms) -> None:
    """Refuse terms that could never be paid. Raises ``IllegalCommand`` (``payout-terms``, ``payout-sum``,
    ``payout-rising``) saying what to mend; own amounts are compared with the pool when there is one."""
    if terms.kind not in PAYOUTS:
        raise IllegalCommand(
            "payout-terms",
            "There are no payouts called {kind!r}: {choices}.",
            kind=terms.kind,
            choices=", ".join(PAYOUTS),
        )
    numbers = (terms.places, terms.min_cash, terms.guarantee, terms.ticket_value, *terms.percents, *terms.amounts)
    if min(numbers) < 0 or terms.unit < 1:
        raise IllegalCommand("payout-terms", "Payouts have no numbers below 0, and are rounded to a unit of 1 or more.")
    if terms.kind == "curve" and not terms.places and not 1 <= terms.share_percent <= 100:
        raise IllegalCommand(
            "payout-terms",
            "1 to 100 % of the entries are paid, not {share_percent} %.",
            share_percent=terms.share_percent,
        )
    if terms.kind == "percent":
        _check_own(EventSentence("Own percentages are given for every place paid, each above 0."), terms.percents)
        total, whole = sum(terms.percents), _whole(terms.percents)
        if total != whole:
            raise IllegalCommand(
                "payout-sum",
                "The percentages sum to {found}, not {wanted}.",
                found=total,
                wanted=_against(total, whole),
            )
    if terms.kind == "amounts":
        _check_own(EventSentence("Own amounts are given for every place paid, each above 0."), terms.amounts)
    if terms.kind == "tickets" and not terms.ticket_value:
        raise IllegalCommand("payout-terms", "A satellite needs to know what a ticket is worth.")


def places_paid(entries: int, terms: PayoutTerms, pool: int | None = None) -> int:
    """How many places are paid. With the ``pool`` it is what ``prizes`` has; without it, what the terms say before the
    least prize lowers it (and one place of a satellite, whose tickets only the pool tells)."""
    if pool is not None:
        return len(prizes(pool, entries, terms))
    by_kind = {
        "winner": 1,
        "percent": len(terms.percents),
        "amounts": len(terms.amounts),
        "tickets": 1,
        "curve": terms.places or -(-entries * terms.share_percent // 100),
    }
    return min(entries, by_kind[terms.kind])


def prizes(pool: int, entries: int, terms: PayoutTerms) -> tuple[int, ...]:
    """The prizes by place, first prize first; see ``work_out``."""
    return work_out(pool, entries, terms).prizes


def work_out(pool: int, entries: int, terms: PayoutTerms) -> Payouts:
    """The prizes of ``entries`` who paid ``pool``. None while there are no entries or there is nothing to pay.

    Never increasing down the places; they sum to the pool, or to the guarantee where that is more. Raises
    ``IllegalCommand`` as ``check`` does, and ``payout-sum`` with the difference when own amounts are not the pool.
    """
    check(terms)
    overlay = max(0, terms.guarantee - pool)
    money = pool + overlay
    if not entries or not money:
        return Payouts((), overlay)
    notes = _overlay_notes(overlay, terms.guarantee)
    if terms.kind == "tickets":
        payouts = _tickets(money, entries, terms)
    elif terms.kind == "winner":
        payouts = Payouts((money,))
    elif terms.kind == "percent":
        payouts = _percents(money, entries, terms)
    elif terms.kind == "amounts":
        payouts = _amounts(money, entries, terms)
    else:
        payouts = _curve(money, entries, terms)
    return Payouts(payouts.prizes, overlay, payouts.tickets, notes + payouts.notes)


def share(prizes: Sequence[int], places: Sequence[int], unit: int = 1) -> tuple[int, ...]:
    """What those get who share ``places`` (numbers from 1): the sum of their prizes in equal parts, a unit left over
    to each in order of entry. Places that are not paid are worth 0."""
    return evenly(sum(prizes[place - 1] for place in places if place <= len(prizes)), len(places), unit)


def _check_own(sentence: EventSentence, numbers: Sequence[int]) -> None:
    if not numbers or min(numbers) < 1:
        raise IllegalCommand("payout-terms", sentence)
    for place, (higher, lower) in enumerate(pairwise(numbers), 1):
        if lower > higher:
            raise IllegalCommand(
                "payout-rising",
                "Place {next_place} gets {lower} and place {place} only {higher}: nobody gains by losing.",
                next_place=place + 1,
                lower=lower,
                place=place,
                higher=higher,
            )


def _whole(percents: Sequence[int]) -> int:
    percent, hundredths = _WHOLES
    return hundredths if sum(percents) * 2 > hundredths else percent


def _overlay_notes(overlay: int, guarantee: int) -> tuple[EventSentence, ...]:
    note = EventSentence(
        "The house adds {overlay} to reach the guarantee of {guarantee}.", overlay=overlay, guarantee=guarantee
    )
    return (note,) if overlay else ()


def _against(total: int, whole: int) -> EventSentence:
    """``100: 5 too many``."""
    if total > whole:
        return EventSentence("{whole}: {difference} too many", whole=whole, difference=total - whole)
    return EventSentence("{whole}: {difference} too few", whole=whole, difference=whole - total)


def _percents(money: int, entries: int, terms: PayoutTerms) -> Payouts:
    whole = _whole(terms.percents)
    prizes = [money * percent // whole // terms.unit * terms.unit for percent in terms.percents[:entries]]
    paid = max(1, sum(prize > 0 for prize in prizes))
    prizes = prizes[:paid]
    prizes[0] += money - sum(prizes)
    notes = []
    if entries < len(terms.percents):
        places = len(terms.percents)
        notes.append(
            EventSentence(
                "{entries} of {places} places can be reached: what is over goes to first.",
                entries=entries,
                places=places,
            )
        )
    elif paid < len(terms.percents):
        notes.append(
            EventSentence(
                "{places} paid instead of {wanted}: further prizes are under a unit.",
                places=_places(paid),
                wanted=len(terms.percents),
            )
        )
    if prizes[-1] < terms.min_cash:
        notes.append(
            EventSentence(
                "The last prize of {prize} is under the least of {least}.", prize=prizes[-1], least=terms.min_cash
            )
        )
    return Payouts(tuple(prizes), notes=tuple(notes))


def _amounts(money: int, entries: int, terms: PayoutTerms) -> Payouts:
    if len(terms.amounts) > entries:
        raise IllegalCommand(
            "payout-sum",
            "There are {prizes} prizes for {entries} entries: share them out anew.",
            prizes=len(terms.amounts),
            entries=entries,
        )
    total = sum(terms.amounts)
    if total != money:
        raise IllegalCommand(
            "payout-sum",
            "The amounts sum to {found}; the pool is {wanted}.",
            found=total,
            wanted=_against(total, money),
        )
    return Payouts(terms.amounts)


def _tickets(money: int, entries: int, terms: PayoutTerms) -> Payouts:
    """As many tickets as the pool buys, and the rest in cash to the next place; to first where there is none."""
    tickets = min(entries, money // terms.ticket_value)
    prizes = [terms.ticket_value] * tickets
    rest = money - sum(prizes)
    if tickets == entries:
        prizes[0] += rest
        notes = (
            (EventSentence("Every entry wins a ticket; {rest} is over in cash, for first.", rest=rest),) if rest else ()
        )
        return Payouts(tuple(prizes), tickets=tickets, notes=notes)
    return Payouts((*prizes, rest) if rest else tuple(prizes), tickets=tickets)


def _curve(money: int, entries: int, terms: PayoutTerms) -> Payouts:
    wanted = places_paid(entries, terms)
    places = _paying_at_least(max(1, terms.min_cash), money, wanted, terms.unit)
    weights, total = curve(places)
    prizes = [money * weight // total // terms.unit * terms.unit for weight in weights]
    prizes[0] += money - sum(prizes)
    if places == wanted:
        return Payouts(tuple(prizes))
    if terms.min_cash:
        note = EventSentence(
            "{places} paid instead of {wanted}, for the least prize of {least}.",
            places=_places(places),
            wanted=wanted,
            least=terms.min_cash,
        )
    else:
        note = EventSentence(
            "{places} paid instead of {wanted}, for prizes of whole {unit}s.",
            places=_places(places),
            wanted=wanted,
            unit=terms.unit,
        )
    return Payouts(tuple(prizes), notes=(note,))


def _paying_at_least(least: int, money: int, places: int, unit: int) -> int:
    """The most places, up to ``places``, the last of which still gets ``least``; 1 if none does.

    From one number of places to the next the last prize falls, but where first gets another part of the pool.
    """

    def pays(count: int) -> bool:
        weights, total = curve(count)
        return money * weights[-1] // total // unit * unit >= least

    most = min(places, money // least)
    for lowest, highest in _runs_of_equal_first(most):
        if not pays(lowest):
            continue
        while lowest < highest:
            middle = (lowest + highest + 1) // 2
            lowest, highest = (middle, highest) if pays(middle) else (lowest, middle - 1)
        return lowest
    return 1


def _runs_of_equal_first(most: int) -> Iterator[tuple[int, int]]:
    """(least, most) places for which first gets the same part of the pool, long runs first, up to ``most``."""
    ends = [places for places, _ in _FIRST]
    runs = [(1, 1), *[(end + 1, until) for end, until in pairwise(ends)], (ends[-1] + 1, most)]
    return ((lowest, min(highest, most)) for lowest, highest in reversed(runs) if lowest <= most)


@lru_cache(maxsize=32)
def curve(places: int) -> tuple[tuple[int, ...], int]:
    """(weights by place, their sum): place i weighs i**-a, with ``a`` such that first gets its part of the pool.

    ``a`` is found bit by bit: the roots i**-(1/2), i**-(1/4).. are integer square roots, and a bit stands when first
    does not get too much by it. First may get less than its part by a thousand-millionth.
    """
    first = next((percent for most, percent in _FIRST if places <= most), _FIRST_OF_MANY)
    numbers = range(1, places + 1)
    weights = [_ONE] * places
    total = _ONE * places
    roots = [_ONE // number for number in numbers]
    for _ in range(_STEPS):
        tried = [weight * root >> _BITS for weight, root in zip(weights, roots, strict=True)]
        if places > 1 and first * sum(tried) >= _ONE * 100:
            weights, total = tried, sum(tried)
        roots = [isqrt(root << _BITS) for root in roots]
    return tuple(weights), total


def _places(count: int) -> EventSentence:
    return counted(count, "{n} place is", "{n} places are")
