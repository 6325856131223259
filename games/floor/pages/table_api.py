"""The API of tables for staff."""

from typing import Annotated

from cardroom.cage.serializers import ApprovalOut
from cardroom.core.arguments import Limits, RowId
from cardroom.core.models import User
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.floor.pages import offer_shapes as shapes
from games.floor.pages.private_tables import room_table
from games.floor.pages.table_actions import SEES
from games.play import settling, tables
from games.tables.models.offers import ChipCount
from games.tables.models.tables import Table
from games.tables.queries import offers as queries

_FOR_STAFF = "For the staff."
_FOR_THE_FLOOR = "For the floor and managers."
_AFTER_THE_HAND = "For the floor and managers. During a hand it applies when the hand is over."

IsClosed = Annotated[bool, Limits(default=False, help_text="Those that are closed as well.")]


def tables_of_the_room(
    *, offer: int | None = None, section: int | None = None, is_closed: IsClosed = False, by: User
) -> list[Table]:
    """Tables for the staff."""
    return queries.room_tables(offer_id=offer, section_id=section, with_closed=is_closed)


def one_table(*, table_id: RowId, by: User) -> Table:
    """A table for the staff."""
    return queries.room_table(table_id)


def counts_of(*, table_id: RowId, before: int | None, limit: int, by: User) -> list[ChipCount]:
    """The counts of a table of the room, newest first."""
    return queries.counts(queries.room_table(table_id).pk, before=before, limit=limit)


class OfTables(Resource):
    tags, scope = ("table life",), "direct"


class RoomTablesResource(OfTables):
    path = "floor/tables"
    get = reads(
        tables_of_the_room,
        name="room_tables",
        summary="List tables for the staff",
        description=_FOR_STAFF,
        answers=shapes.RoomTable,
        many=True,
        roles=SEES,
    )
    post = does(
        tables.add,
        name="add_table",
        summary="Add a table to the room",
        description="For the floor and managers. Games are opened at it; it is free again when they close.",
        answers=shapes.RoomTable,
        status=201,
        shown=room_table,
        refuses=(404, 409),
    )


class RoomTableResource(OfTables):
    path = "floor/tables/<id:table_id>"
    get = reads(
        one_table,
        name="room_table",
        summary="A table for the staff",
        description=_FOR_STAFF,
        answers=shapes.RoomTable,
        roles=SEES,
    )
    patch = does(
        tables.edit,
        name="edit_table",
        summary="Change a table",
        description="For the floor and managers. Its stakes come from its offer.",
        answers=shapes.RoomTable,
        shown=room_table,
        refuses=(409, 422),
    )


class PauseTable(OfTables):
    path = "tables/<id:table_id>/pause"
    post = does(
        tables.pause,
        name="pause_table",
        summary="Pause a table; players see the reason",
        description=_AFTER_THE_HAND,
        answers=shapes.RoomTable,
        shown=room_table,
        refuses=(409, 422),
    )


class ResumeTable(OfTables):
    path = "tables/<id:table_id>/resume"
    post = does(
        tables.resume,
        name="resume_table",
        summary="Resume a table",
        description=_AFTER_THE_HAND,
        answers=shapes.RoomTable,
        shown=room_table,
        refuses=(409, 422),
    )


class TakeUp(OfTables):
    path = "tables/<id:table_id>/take-up"
    post = does(
        tables.take_up,
        name="take_up_table",
        summary="Apply the newest settings of its game",
        description=_AFTER_THE_HAND,
        answers=shapes.RoomTable,
        shown=room_table,
        refuses=(409, 422),
    )


class BreakUpTable(OfTables):
    path = "tables/<id:table_id>/break-up"
    post = does(
        tables.break_up,
        name="break_up_table",
        summary="Break a table; its players go to other tables, or to the list",
        description=_AFTER_THE_HAND,
        answers=shapes.RoomTable,
        shown=room_table,
        refuses=(409, 422),
    )


class CloseCashTableResource(OfTables):
    path = "tables/<id:table_id>/close"
    post = does(
        tables.close,
        name="close_table",
        summary="Close a table and cash everybody out",
        description=_AFTER_THE_HAND,
        answers=shapes.RoomTable,
        shown=room_table,
        refuses=(409, 422),
    )


class ReopenTable(OfTables):
    path = "tables/<id:table_id>/reopen"
    post = does(
        tables.reopen,
        name="reopen_table",
        summary="Open a closed table again",
        description=_AFTER_THE_HAND,
        answers=shapes.RoomTable,
        shown=room_table,
        refuses=(409, 422),
    )


class MessageAtTable(OfTables):
    path = "tables/<id:table_id>/message"
    post = does(
        tables.tell,
        name="message_table",
        summary="Send a message to spectators",
        description=_AFTER_THE_HAND,
        answers=shapes.RoomTable,
        shown=room_table,
        refuses=(409, 422),
    )


class Counts(OfTables):
    path = "tables/<id:table_id>/counts"
    get = reads(
        counts_of,
        name="counts",
        summary="The counts of a table of the room",
        description="For the staff, newest first.",
        answers=shapes.CountView,
        many=True,
        roles=SEES,
    )
    post = does(
        settling.count,
        name="count_table",
        summary="Record a count of the chips at a table in the room",
        description="For the floor and managers. The count is blind: a count that differs from the book balance is "
        "recorded and refused; the same count with a reason settles it. Above a limit it needs approval. The over "
        "or short goes to the house.",
        answers=shapes.CountView,
        status=201,
        waiting=ApprovalOut,
        refuses=(409, 422),
    )


api = addresses(
    [
        RoomTablesResource,
        RoomTableResource,
        PauseTable,
        ResumeTable,
        TakeUp,
        BreakUpTable,
        CloseCashTableResource,
        ReopenTable,
        MessageAtTable,
        Counts,
    ]
)
