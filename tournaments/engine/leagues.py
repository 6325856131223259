"""Points of a league: what a place is worth, and how a season adds up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import isqrt

from tournaments.engine.errors import IllegalCommand

FORMULAS = {
    "linear": "scale for every entry that finished at the place or behind it",
    "root": "scale times the square root of entries over place",
    "root-over-place": "scale times the square root of the entries, divided by the place",
    "table": "the points of the place in a fixed table",
    "prize": "scale for every so much of prize money",
}


@dataclass(frozen=True, slots=True)
class Formula:
    """``kind``: one of ``FORMULAS``. ``scale``: its points; 100 gives roots two decimal places.

    ``table``: points by place, for a table. ``per``: the money that a prize formula counts in. ``buy_in_of_one``: with
    it roots are of the buy-in too, an event of that buy-in counting once and one of four times as much twice (0: the
    buy-in does not count). ``places``: only so many score (0: all). ``playing``: points for everyone who played.
    """

    kind: str = "root"
    scale: int = 100
    table: tuple[int, ...] = ()
    per: int = 100
    buy_in_of_one: int = 0
    places: int = 0
    playing: int = 0


@dataclass(frozen=True, slots=True)
class LeagueRules:
    """A season's. ``best``: how many results of a player count (0: all). ``min_entrants``: events with fewer entries
    do not score (four, as the home games of ``features.md`` 1c have it)."""

    formula: Formula = Formula()
    best: int = 0
    min_entrants: int = 4


@dataclass(frozen=True, slots=True)
class EventResult:
    """Where ``player``'s ``entry`` (its number in the event) finished in ``event`` of ``entries``. ``tied``: how many
    share the place. Money is in units of currency."""

    event: int
    player: int
    entry: int
    place: int
    entries: int
    tied: int = 1
    buy_in: int = 0
    prize: int = 0


@dataclass(frozen=True, slots=True)
class Score:
    """``counts``: is it among the player's best?"""

    event: int
    place: int
    points: int
    counts: bool


@dataclass(frozen=True, slots=True)
class PlayerScores:
    """A player in the table of a season. Equal in points, wins and best place is equal in ``rank``. ``scores``: one an
    event, the best first."""

    rank: int
    player: int
    points: int
    events: int
    wins: int
    best_place: int
    scores: tuple[Score, ...]


def check(formula: Formula) -> None:
    """Refuse a formula that makes no sense. Raises ``IllegalCommand`` (``league-formula``)."""
    if formula.kind not in FORMULAS:
        raise IllegalCommand(
            "league-formula",
            "There is no formula called {kind!r}: {choices}.",
            kind=formula.kind,
            choices=", ".join(FORMULAS),
        )
    numbers = (formula.scale, formula.buy_in_of_one, formula.places, formula.playing, *formula.table)
    if min(numbers) < 0 or formula.per < 1:
        raise IllegalCommand("league-formula", "A formula has no numbers below 0, and counts in 1 or more of money.")
    if formula.kind == "table" and not formula.table:
        raise IllegalCommand("league-formula", "A table needs the points of at least one place.")


def points(formula: Formula, place: int, entries: int, buy_in: int = 0, prize: int = 0, tied: int = 1) -> int:
    """What ``place`` of ``entries`` is worth. ``tied`` who share it share the points of their places evenly, rounded
    down. Raises ``IllegalCommand``: ``league-formula``, and ``league-place`` for a place there is not."""
    check(formula)
    if tied < 1 or not 1 <= place <= place + tied - 1 <= entries:
        raise IllegalCommand(
            "league-place",
            "There is no place {place} for {tied} of {entries} entries.",
            place=place,
            tied=tied,
            entries=entries,
        )
    shared = sum(_of_place(formula, at, entries, buy_in, prize) for at in range(place, place + tied))
    return shared // tied + formula.playing


def season(rules: LeagueRules, results: Iterable[EventResult]) -> tuple[PlayerScores, ...]:
    """The table, first rank first. Of several entries of a player in one event only the first counts."""
    first: dict[tuple[int, int], EventResult] = {}
    for result in results:
        key = (result.player, result.event)
        if result.entries >= rules.min_entrants and (key not in first or result.entry < first[key].entry):
            first[key] = result
    by_player: dict[int, list[EventResult]] = {}
    for (player, _), result in sorted(first.items()):
        by_player.setdefault(player, []).append(result)
    rows = sorted((_row(rules, player, played) for player, played in by_player.items()), key=_order)
    ranked: list[PlayerScores] = []
    for number, row in enumerate(rows, 1):
        is_level = bool(ranked) and _order(ranked[-1])[:-1] == _order(row)[:-1]
        ranked.append(replace(row, rank=ranked[-1].rank if is_level else number))
    return tuple(ranked)


def _of_place(formula: Formula, place: int, entries: int, buy_in: int, prize: int) -> int:
    if formula.places and place > formula.places:
        return 0
    if formula.kind == "table":
        return formula.table[place - 1] if place <= len(formula.table) else 0
    if formula.kind == "linear":
        return formula.scale * (entries - place + 1)
    if formula.kind == "prize":
        return formula.scale * prize // formula.per
    dividend, divisor = entries * formula.scale**2, place if formula.kind == "root" else place**2
    if formula.buy_in_of_one:
        dividend, divisor = dividend * buy_in, divisor * formula.buy_in_of_one
    return isqrt(dividend // divisor)


def _row(rules: LeagueRules, player: int, played: list[EventResult]) -> PlayerScores:
    worths = [
        (points(rules.formula, result.place, result.entries, result.buy_in, result.prize, result.tied), result)
        for result in played
    ]
    worths.sort(key=lambda pair: (-pair[0], pair[1].place, pair[1].event))
    counting = rules.best or len(worths)
    scores = tuple(Score(result.event, result.place, worth, at < counting) for at, (worth, result) in enumerate(worths))
    return PlayerScores(
        rank=0,
        player=player,
        points=sum(score.points for score in scores if score.counts),
        events=len(scores),
        wins=sum(result.place == 1 and result.tied == 1 for result in played),
        best_place=min(result.place for result in played),
        scores=scores,
    )


def _order(row: PlayerScores) -> tuple[int, int, int, int]:
    return (-row.points, -row.wins, row.best_place, row.player)
