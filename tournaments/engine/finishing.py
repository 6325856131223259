"""Who finishes in which place, hand for hand included."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tournaments.engine.errors import IllegalCommand

LARGER_STACK_FIRST = "Robert's Rules of Poker v11, Tournaments"


HAND_FOR_HAND = "TDA RP-8"


@dataclass(frozen=True, slots=True)
class FinishedPlace:
    """Where an entrant came in. ``place``: from 1; ``places``: those shared."""

    entrant: int
    place: int
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EntrantStanding:
    """One line of the table. ``chips``: 0 for an entrant who is out; ``is_shared``: somebody else has the same rank."""

    entrant: int
    rank: int
    chips: int
    is_in: bool
    is_shared: bool


def places(busts: Sequence[tuple[int, int]], *, left: int) -> tuple[FinishedPlace, ...]:
    """The places of those who bust in one hand at one table, best first.

    ``busts``: (entrant, chips at the start of that hand); ``left``: players in the event before it. The larger stack
    finishes higher, equal stacks share. Raises ``IllegalCommand`` for an entrant who is there twice and for more busts
    than there are players.
    """
    _check_busts([entrant for entrant, _ in busts], left)
    in_order = sorted(busts, key=lambda bust: -bust[1])
    finishes: list[FinishedPlace] = []
    for _, group in groupby(in_order, key=lambda bust: bust[1]):
        best = left - len(busts) + 1 + len(finishes)
        finishes += _shared_places([entrant for entrant, _ in group], best)
    return tuple(finishes)


def hand_for_hand(busts: Sequence[int], *, left: int) -> tuple[FinishedPlace, ...]:
    """The places of all who bust on one announced hand, at any table: they share them (TDA RP-8).

    Of 52 left three bust: all three are 50th and share the prizes of 50, 51 and 52. Raises as ``places``.
    """
    _check_busts(busts, left)
    return tuple(_shared_places(busts, left - len(busts) + 1)) if busts else ()


def in_order(stacks: Mapping[int, int], finished: Mapping[int, int]) -> tuple[EntrantStanding, ...]:
    """Everybody, best first: those in by chips, equal ones sharing a rank, then those out by place.

    ``stacks``: entrant -> chips of those in; ``finished``: entrant -> place of those out. Equal ones stand in the
    order of their numbers, which is that of entry.
    """
    inside = sorted(stacks, key=lambda entrant: (-stacks[entrant], entrant))
    outside = sorted(finished, key=lambda entrant: (finished[entrant], entrant))
    ranked = [(entrant, stacks[entrant], rank, True) for entrant, rank in _ranks(inside, stacks)]
    ranked += [(entrant, 0, finished[entrant], False) for entrant in outside]
    lines = []
    for (_, is_in), group in groupby(ranked, key=lambda line: (line[2], line[3])):
        tied = list(group)
        lines += [EntrantStanding(entrant, rank, chips, is_in, len(tied) > 1) for entrant, chips, rank, _ in tied]
    return tuple(lines)


def _ranks(in_order: Iterable[int], stacks: Mapping[int, int]) -> list[tuple[int, int]]:
    ranked: list[tuple[int, int]] = []
    for number, entrant in enumerate(in_order, 1):
        is_shared = ranked and stacks[ranked[-1][0]] == stacks[entrant]
        ranked.append((entrant, ranked[-1][1] if is_shared else number))
    return ranked


def _shared_places(entrants: Sequence[int], best: int) -> list[FinishedPlace]:
    stretch = tuple(range(best, best + len(entrants)))
    return [FinishedPlace(entrant, best, stretch) for entrant in entrants]


def _check_busts(busts: Sequence[int], left: int) -> None:
    for number, entrant in enumerate(busts):
        if entrant in busts[:number]:
            raise IllegalCommand(
                "bust-twice", "Entrant {entrant} cannot bust twice in one hand: name each once.", entrant=entrant
            )
    if len(busts) > left:
        raise IllegalCommand(
            "too-many-busts", "{count} players cannot bust: only {left} are left.", count=len(busts), left=left
        )
