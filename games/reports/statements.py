"""A player's statement: all that moved their chips or seat, to the minute, newest first, with the wallet's balance.

Lines of several sources are merged by their times. A cursor holds how far each source was read and what the wallet held
there, so that no page adds up more than it shows.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from django.core import signing
from django.utils.translation import gettext

from cardroom.core import access, audit_log
from cardroom.core.errors import Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.verb import current_time, verb
from games.reports.statement_lines import SOURCES, BookLine, StatementRequest, held_after

#: Roles that may read a player's statement.
ROLES = ("floor", "cashier", "manager", "auditor")
_ORDER = {letter: place for place, letter in enumerate(SOURCES)}


@dataclass(frozen=True)
class StatementPage:
    """Some lines, and the cursor of the older lines after them (empty: there are none)."""

    lines: list[BookLine]
    later: str


def page(wanted: StatementRequest, *, limit: int = 50, cursor: str = "") -> StatementPage:
    """One page of the statement. `Invalid` for a cursor of another statement."""
    state = _read_cursor(cursor, wanted)
    heads = {
        letter: source(wanted, state["at"].get(letter), limit + 1)
        for letter, source in SOURCES.items()
        if state["at"].get(letter) != 0
    }
    taken = _take_newest(heads, limit)
    is_more = any(heads.values())
    shown = _with_balances(taken, wanted.player, state.get("held"))
    if not is_more:
        return StatementPage(shown, "")
    # A source without a line on this page keeps its place: newer lines belong on a first page.
    at = {letter: rows[-1].number + 1 for letter, rows in heads.items() if rows} | state["at"]
    for line in taken:
        at[line.source] = line.number
    for letter in SOURCES:
        # A source without older lines is not read again.
        if not heads.get(letter) and not any(line.source == letter for line in taken):
            at[letter] = 0
    held = next((line.balance - line.wallet for line in reversed(shown) if line.balance is not None), None)
    position = {"at": at, "held": held if held is not None else state.get("held"), "of": _statement_key(wanted)}
    return StatementPage(shown, signing.dumps(position, salt="statement", compress=True))


def all_lines(wanted: StatementRequest, *, most: int) -> Iterator[BookLine]:
    """The newest lines, up to `most` of them, for a file."""
    cursor, count = "", 0
    while True:
        part = page(wanted, limit=min(500, most - count), cursor=cursor)
        yield from part.lines
        count += len(part.lines)
        cursor = part.later
        if not cursor or count >= most:
            return


def _take_newest(heads: dict[str, list[BookLine]], limit: int) -> list[BookLine]:
    """The newest `limit` lines of all sources, each source in its own order; they are taken out of `heads`."""
    taken: list[BookLine] = []
    for rows in heads.values():
        rows.reverse()
    while len(taken) < limit:
        newest = max((rows[-1] for rows in heads.values() if rows), key=_moment, default=None)
        if newest is None:
            break
        taken.append(heads[newest.source].pop())
    return taken


def _moment(line: BookLine) -> tuple[Any, int]:
    return line.at, _ORDER[line.source]


def _with_balances(taken: list[BookLine], player: User, held: int | None) -> list[BookLine]:
    """The lines, those of the wallet with its balance. `held`: the balance after the newest of them, if known."""
    shown = []
    for line in taken:
        if line.source == "w":
            if held is None:
                held = held_after(player, line.number)
            line = replace(line, balance=held)
            held -= line.wallet
        shown.append(line)
    return shown


def _read_cursor(cursor: str, wanted: StatementRequest) -> dict[str, Any]:
    if not cursor:
        return {"at": {}}
    try:
        state: dict[str, Any] = signing.loads(cursor, salt="statement")
    except signing.BadSignature:
        state = {}
    if state.get("of") != _statement_key(wanted):
        raise Invalid("bad-cursor", "This cursor is not valid for this statement: start at the first page.")
    return state


def _statement_key(wanted: StatementRequest) -> list[Any]:
    """The statement that a cursor belongs to; it is refused for any other."""
    moments = [moment.isoformat() if moment else "" for moment in (wanted.since, wanted.until)]
    return [wanted.player.pk, *moments, wanted.table or 0, wanted.with_hands]


@verb("statements.look")
def look(*, player_id: int, reason: str, by: User) -> User:
    """Record in the audit log that the staff read a player's statement, and why. Returns the player.

    Refuses: `Forbidden`, `Invalid` (no reason), `NotFound`.
    """
    player = may_look(player_id=player_id, by=by)
    why = audit_log.reason_given(reason, what=gettext("a look at a player's statement"))
    subject = f"user:{player.pk}"
    audit_log.note(verb="statements.look", subject=subject, player=player, by=by, reason=why, now=current_time())
    return player


def may_look(*, player_id: int, by: User) -> User:
    """The player, if `by` may read statements. Refuses: `Forbidden`, `NotFound`."""
    access.require_role(by, *ROLES)
    player = User.objects.filter(pk=player_id, is_bot=False).first()
    if player is None:
        raise NotFound("no-such-player", "There is no such player.")
    return player
