"""The chat of a table: seated players and staff write; everybody who may watch the table reads.

It rests while a player is all-in against others who may still act, so that nobody gives advice or tells their cards.
"""

from collections.abc import Collection

from django.utils.translation import gettext_lazy

from cardroom.accounts import chat
from cardroom.accounts.models import ChatLine
from cardroom.core import access
from cardroom.core.arguments import RowId
from cardroom.core.errors import Conflict, Forbidden, NotFound
from cardroom.core.models import User
from cardroom.core.private_places import PrivatePlaces
from cardroom.core.verb import verb
from games.tables import journal
from games.tables.models.tables import SeatMove, Table
from games.tables.queries import tables as table_queries

STAFF = ("dealer", "floor", "manager")
RULE = gettext_lazy("House rules: no talk about a hand that is being played")


def place_of(table_id: int) -> str:
    """The place of a table's chat lines, which is also the topic of new ones."""
    return f"{chat.LOBBY}:{table_id}"


def lines(*, table_id: int, reader: User, before: int | None = None, limit: int = chat.SHOWN) -> list[ChatLine]:
    """The lines of the chat as this reader sees them, newest first.

    Refuses: `NotFound` (no such table; no chat there), `Forbidden` (they may not watch it).
    """
    access.require_login(reader)
    table = _with_chat(table_id)
    table_queries.check_may_watch(table, reader)
    return chat.newest(reader=reader, place=place_of(table_id), before=before, limit=limit)


@verb("table_chat.say")
def say(*, table_id: RowId, text: chat.Message, by: User) -> ChatLine:
    """Write a line in the chat of a table, as a seated player or as staff.

    Refuses: what `chat.say` does, `NotFound` (no such table; no chat there), `Forbidden` (they do not sit there),
    `Conflict` (the chat rests). Locks the author's row.
    """
    access.require_login(by)
    table = _with_chat(table_id)
    table_queries.check_may_see(table, by)
    if table_queries.viewer_seat(table, by) is None and not access.has_role(by, *STAFF):
        raise Forbidden("not-at-the-table", "Only those who sit at this table talk here.")
    if rests(table):
        raise Conflict("chat-rests", "The chat rests while a player is all-in.", rule=RULE)
    return chat.say(by=by, text=text, place=place_of(table_id))


class TableChats(PrivatePlaces):
    """A table's chat is for those who may watch the table, and those who sat there once."""

    def may_read(self, place: str, reader: User) -> bool:
        kind, _, number = place.partition(":")
        table = Table.objects.filter(pk=number).first() if kind == chat.LOBBY else None
        if table is None:
            return False
        return table_queries.may_watch(table, reader) or SeatMove.objects.filter(table=table, player=reader).exists()

    def readable(self, users: Collection[int], topics: Collection[str]) -> dict[int, set[str]]:
        numbers = {int(topic.partition(":")[2]): topic for topic in topics if topic.startswith(f"{chat.LOBBY}:")}
        if not numbers:
            return {}
        readers = User.objects.in_bulk(users)
        topics_by_user: dict[int, set[str]] = {user: set() for user in readers}
        for table in Table.objects.filter(pk__in=numbers):
            sat = set(SeatMove.objects.filter(table=table, player__in=readers).values_list("player", flat=True))
            for user, reader in readers.items():
                if user in sat or table_queries.may_watch(table, reader):
                    topics_by_user[user].add(numbers[table.pk])
        return topics_by_user


def has_chat(table: Table) -> bool:
    """Whether there is a chat at this table."""
    return chat.is_on() and table.has_chat


def rests(table: Table) -> bool:
    """Whether a player is all-in at the table while others may still act."""
    if table.hand_id is None:
        return False
    # The table is not locked here: only looked at, on a copy that nobody plays on.
    with journal.store.looking(table.hand_id, upto=table.seq) as engine:
        live_stacks = [seat.stack for seat in engine.seats.values() if seat.is_live]
    with_chips = sum(stack > 0 for stack in live_stacks)
    return with_chips < len(live_stacks) and (with_chips > 1 or bool(table.to_act))


def _with_chat(table_id: int) -> Table:
    table = table_queries.table(table_id)
    if not has_chat(table):
        raise NotFound("no-chat", "This table has no chat.")
    return table
