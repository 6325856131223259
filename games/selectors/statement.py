"""A player's statement: all that moved their chips or seat, to the minute, newest first, with what the wallet held.

Lines of several sources are merged by their moments; a cursor says how far each source has been read, and what the
wallet held there, so that no page adds anything up but what it shows. Times of day are the house's.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from django.core import signing

from cardroom.models import User
from cardroom.services.errors import Invalid
from games.selectors import stays
from games.selectors.statement_sources import SOURCES, Line, Wanted, held_after
from games.selectors.stays import Visit

__all__ = ["Line", "Page", "Wanted", "all_lines", "lines", "page", "still_seated"]

_ORDER = {letter: place for place, letter in enumerate(SOURCES)}


@dataclass(frozen=True)
class Page:
    """Some lines, and the cursor of the older ones after them (empty: there are none)."""

    lines: list[Line]
    later: str


def page(wanted: Wanted, *, limit: int = 50, cursor: str = "") -> Page:
    """One page of the statement. `Invalid` for a cursor that is none of this statement."""
    state = _opened(cursor, wanted)
    heads = {
        letter: source(wanted, state["at"].get(letter), limit + 1)
        for letter, source in SOURCES.items()
        if state["at"].get(letter) != 0
    }
    taken = _merged(heads, limit)
    is_more = any(heads.values())
    shown = _with_balances(taken, wanted.player, state.get("held"))
    if not is_more:
        return Page(shown, "")
    # A source that was not read is read from where it stood: what comes later belongs on a first page.
    at = {letter: rows[-1].number + 1 for letter, rows in heads.items() if rows} | state["at"]
    for line in taken:
        at[line.source] = line.number
    for letter in SOURCES:
        # A source that has nothing left is not asked again.
        if not heads.get(letter) and not any(line.source == letter for line in taken):
            at[letter] = 0
    held = next((line.balance - line.wallet for line in reversed(shown) if line.balance is not None), None)
    told = {"at": at, "held": held if held is not None else state.get("held"), "of": _of(wanted)}
    return Page(shown, signing.dumps(told, salt="statement", compress=True))


def lines(
    user: User, since: Any = None, until: Any = None, *, table: int | None = None, limit: int = 50, cursor: str = ""
) -> Page:
    """The lines of a player between two moments; see `page`."""
    return page(Wanted(user, since, until, table), limit=limit, cursor=cursor)


def all_lines(wanted: Wanted, *, most: int) -> Iterator[Line]:
    """The newest lines, up to `most` of them, for a file."""
    cursor, count = "", 0
    while True:
        part = page(wanted, limit=min(500, most - count), cursor=cursor)
        yield from part.lines
        count += len(part.lines)
        cursor = part.later
        if not cursor or count >= most:
            return


def still_seated(user: User) -> list[Visit]:
    """Where they sit now, with their sums so far."""
    return stays.added_up(stays.stays_of(user).filter(left_at=None).order_by("pk"))


def _merged(heads: dict[str, list[Line]], limit: int) -> list[Line]:
    """The newest `limit` lines of all sources, each source in its own order; they are taken out of `heads`."""
    taken: list[Line] = []
    for rows in heads.values():
        rows.reverse()
    while len(taken) < limit:
        newest = max((rows[-1] for rows in heads.values() if rows), key=_moment, default=None)
        if newest is None:
            break
        taken.append(heads[newest.source].pop())
    return taken


def _moment(line: Line) -> tuple[Any, int]:
    return line.at, _ORDER[line.source]


def _with_balances(taken: list[Line], player: User, held: int | None) -> list[Line]:
    """The lines with what the wallet held after each that moved it; `held`: after the newest of them, if known."""
    shown = []
    for line in taken:
        if line.source == "w":
            if held is None:
                held = held_after(player, line.number)
            line = replace(line, balance=held)
            held -= line.wallet
        shown.append(line)
    return shown


def _opened(cursor: str, wanted: Wanted) -> dict[str, Any]:
    if not cursor:
        return {"at": {}}
    try:
        state: dict[str, Any] = signing.loads(cursor, salt="statement")
    except signing.BadSignature:
        state = {}
    if state.get("of") != _of(wanted):
        raise Invalid("This is no page of this statement: begin at its first.", "bad-cursor")
    return state


def _of(wanted: Wanted) -> list[Any]:
    """What a cursor is good for."""
    moments = [moment.isoformat() if moment else "" for moment in (wanted.since, wanted.until)]
    return [wanted.player.pk, *moments, wanted.table or 0, wanted.with_hands]
