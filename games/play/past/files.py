"""Hands as files, for a player's own programs: in the format PHH, and as plain text. They are written from redacted
facts, so that a file holds nothing that its reader may not see."""

from collections.abc import Iterator
from typing import Any

from django.utils import timezone

from cardroom.core.documents import File
from cardroom.core.errors import Conflict, NotFound
from cardroom.core.models import User
from games.notation import phh_writing as phh
from games.notation import text
from games.play import own_hands
from games.play.own_hands import ALL_HANDS, HandSearch
from games.tables import hosts
from games.tables.models.times import HandResult
from games.tables.queries import history
from games.tables.queries.history import HandStory

FORMS = {"phh": "PHH", "txt": "Plain text"}
#: The most hands of one file.
MOST = 1_000
_TEXT = "text/plain; charset=utf-8"
_AT_ONCE = 100


def of_hand(story: HandStory, form: str) -> File:
    """The file of one hand that is over. `NotFound` for an unknown form, or a game that PHH has no code for; `Conflict`
    while it is played."""
    _check(form)
    if not story.is_over:
        raise Conflict("hand-in-play", "A hand can be saved when it is over.")
    try:
        content = _hand_text(story, form)
    except ValueError as error:
        raise NotFound("no-such-form", "{error}: save it as text.", error=error) from None
    return File(f"hand-{story.id}.{form}", _TEXT, content.encode())


def of_player(player: User, form: str, search: HandSearch = ALL_HANDS, *, before: int | None = None) -> File:
    """The player's hands that match the search, newest first, at most `MOST`."""
    _check(form)
    # The first rows are read before anything is sent, so that a refusal is still possible.
    rows = own_hands.find_own_hands(player, search, before=before, limit=_AT_ONCE)

    def parts(rows: list[HandResult], count: int = 0) -> Iterator[bytes]:
        while rows:
            for place, row in enumerate(rows, 1):
                yield _hand_in_file(history.seat_story(row.hand, row.seat), form, count + place).encode()
            count += len(rows)
            left = min(_AT_ONCE, MOST - count)
            rows = own_hands.find_own_hands(player, search, before=rows[-1].pk, limit=left) if left else []

    return File(f"hands.{'phhs' if form == 'phh' else form}", _TEXT, parts(rows))


def _check(form: str) -> None:
    if form not in FORMS:
        raise NotFound("no-such-form", "Hands are saved as phh or as txt.")


def _hand_in_file(story: HandStory, form: str, number: int) -> str:
    """A hand in a file of several; in PHH under its number."""
    try:
        content = _hand_text(story, form)
    except ValueError as error:
        return f"# Hand {story.id} is left out: {error}.\n\n"
    return f"[{number}]\n{content}\n" if form == "phh" else f"{content}\n\n"


def _hand_text(story: HandStory, form: str) -> str:
    facts = [fact for _, _, fact in story.facts]
    names = {seat: sitter.name for seat, sitter in story.sitters.items()}
    began = timezone.localtime(story.started_at)
    event = hosts.host_of(story.table).event_of_hand(story.table, story.started) if story.number else None
    if form == "phh":
        day: dict[str, Any] = {"day": began.day, "month": began.month, "year": began.year}
        return phh.dump(facts, names, event=event, venue="Cardroom", table=story.table.name, hand=story.id, **day)
    seats = max(story.table.seat_count, *story.sitters)
    return text.hand_as_text(facts, names, number=story.id, table=story.table.name, at=began, seats=seats, event=event)
