"""The event that is asked for, and how lists of it are cut into pages."""

from collections.abc import Callable, Sequence
from typing import Any

from rest_framework.request import Request

from cardroom.services import access
from tournaments.models import Tournament
from tournaments.selectors import tournaments
from tournaments.services import staff


def event_of(request: Request, tournament_id: int) -> Tournament:
    return event_for(request.user, tournament_id)


def event_for(viewer: Any, tournament_id: int) -> Tournament:
    """The event; a draft is there for directors only."""
    row = tournaments.event(tournament_id, with_drafts=True)
    if row.state == Tournament.State.DRAFT and not access.has_role(viewer, *staff.DIRECTORS):
        tournaments.event(tournament_id)
    return row


def in_order(rows: Sequence[Any]) -> Callable[[int | None, int], list[tuple[int, Any]]]:
    """A list that has an order of its own, for `NewestFirst`: its rows with their places in it, from 1, which the
    cursor counts by. Anything that can be sliced."""

    def page(before: int | None, limit: int) -> list[tuple[int, Any]]:
        start = min(before or 0, _MOST_DEEP)
        return list(enumerate(rows[start : start + limit], start + 1))

    return page


_MOST_DEEP = 10**9
