"""A table as a whole: what the floor does with it, and counts of its chips. See `cardroom.core.web.operations`."""

import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy

from cardroom.cage.serializers import ApprovalOut
from cardroom.core import access, approvals
from cardroom.core.models import Approval, User
from cardroom.core.sentences import filled
from cardroom.core.web import operations as of
from cardroom.core.web.forms import PlainPost
from cardroom.core.web.operations import Form, Operation, Page, Read, Then, refused
from cardroom.ledger import counts
from games.floor import sections
from games.floor.pages import offer_shapes as shapes
from games.floor.pages.offers import OFFERS
from games.play import opening, settling, tables
from games.play.pages.tables import moved
from games.tables.models.tables import Table
from games.tables.queries import offers as offer_queries

#: Why a table pauses, breaks or closes, to be tapped; any other reason is given by a program.
REASONS = (
    gettext_lazy("Too few players"), gettext_lazy("Change of dealer"), gettext_lazy("Break for all tables"),
    gettext_lazy("Technical problem"), gettext_lazy("Floor decision"), gettext_lazy("End of the game"),
)  # fmt: skip
_SEES = (*opening.ROLES, "dealer", "cashier", "auditor")


def actions(request: HttpRequest, table_id: int) -> HttpResponse:
    """What can be done with this table now: a part of the floor's page, or a page of its own."""
    table = offer_queries.room_table(table_id)
    context = {
        "table": table,
        "may_act": access.has_role(request.user, *opening.ROLES),
        "reasons": [str(words) for words in REASONS],
        "sections": offer_queries.sections(),
        "mains": offer_queries.main_games(table) if table.state == Table.State.OPEN else [],
        "invitations": offer_queries.invitations(table_id) if table.is_private else [],
        "standing": counts.open_count(f"table:{table_id}", viewer=request.user),
        "key": secrets.token_urlsafe(9),
    }
    name = "games/floor/offers/_table_actions.html" if request.htmx else "games/floor/offers/table_actions.html"
    return render(request, name, context)


ACTIONS = Page("floor/tables/<int:table_id>/actions/", "floor_table_actions", actions, _SEES)


def _said(words: str | Callable[[Any], str]) -> Then:
    """The actions anew, with these words of the table or of what was made."""

    def drawn(request: HttpRequest, made: Any, *, table_id: int, **verb: str) -> HttpResponse:
        return actions(request, table_id)

    return moved(words, "floor_table_actions", "table_id", news="room:floor", drawn=drawn)


class OnActions(PlainPost):
    """A form of this page, after which its actions are drawn anew, with `words` of the result."""

    page = ACTIONS

    def words(self, result: Any) -> str:
        """What was done."""
        raise NotImplementedError

    def done(self, request: HttpRequest, result: Any) -> HttpResponse:
        return _said(self.words)(request, result)


def _counted(made: Any) -> str:
    if isinstance(made, Approval):
        return approvals.sent(made)
    said = gettext("{counted:,} chips counted, as expected.")
    if made.difference:
        said = gettext("{counted:,} chips counted, {difference:+,}.")
    return filled(said, counted=made.counted, difference=made.difference)


# -- what is done, and what can be looked at ---------------------------------------------------------------------------


def _tables(by: User, *, is_closed: bool, offer: int | None = None, section: int | None = None) -> list[Any]:
    return offer_queries.room_tables(offer_id=offer, section_id=section, with_closed=is_closed)


def _edit(*, table_id: int, by: User, key: str, **changes: Any) -> Table:
    place = {"section_id": changes.pop("section_id")} if "section_id" in changes else {}
    table = tables.edit(table_id=table_id, by=by, key=key, **changes)
    return sections.place(table_id=table_id, by=by, **place) if place else table


def _counts(by: User, table_id: int, before: int | None, limit: int) -> list[Any]:
    return offer_queries.counts(offer_queries.room_table(table_id).pk, before=before, limit=limit)


_TABLE = "tables/<id:table_id>"


def _form(verb: str, words: str | Callable[[Any], str], **more: Any) -> Form:
    """The forms of this page all have one address."""
    address = "floor/tables/<int:table_id>/actions/<slug:verb>/"
    return Form(address, "floor_table_act", ACTIONS, _said(words), refused, verbs={verb: {}}, **more)


_read = partial(Read, tag="table life", description="For the staff.", roles=_SEES, out=shapes.RoomTable)
_verb = partial(
    Operation, tag="table life", scope="direct", roles=opening.ROLES, description="For the floor and managers.",
    out=shapes.RoomTable, shows=lambda made, by: offer_queries.room_table(made.pk),
)  # fmt: skip

DECLARED = [
    _read(
        name="room_tables", summary="List tables for the staff", address="floor/tables", many=True,
        query=shapes.RoomTableQuery, finds=_tables,
    ),
    _verb(
        name="add_table", summary="Add a table to the room", address="floor/tables", does=tables.add,
        description="For the floor and managers. Games are opened at it; it is free again when they close.",
        order=shapes.AddOrder, keyed=True, status=201, refuses=(404, 409),
        form=Form("floor/tables/add/", "table_add", OFFERS, gettext_lazy("{} is added to the room."), refused),
    ),
    _read(
        name="room_table", summary="A table for the staff", address="floor/tables/<id:table_id>",
        finds=lambda by, table_id: offer_queries.room_table(table_id),
    ),
    _verb(
        name="edit_table", summary="Change a table", method="PATCH", does=_edit, order=shapes.TableEdit,
        description="For the floor and managers. Its stakes come from its offer.", keyed=True, refuses=(409, 422),
        address="floor/tables/<id:table_id>", form=_form("edit", gettext_lazy("{} is changed."),
        order=shapes.TableEditForm),
    ),
    *[
        _verb(
            name=f"{verb.replace('-', '_')}_table", summary=summary, address=f"{_TABLE}/{verb}", does=does,
            description="For the floor and managers. During a hand it applies when the hand is over.", keyed=True,
            order=shapes.StaffReason, refuses=(409, 422), form=_form(verb, words),
        )
        for verb, does, summary, words in (
            ("pause", tables.pause, "Pause a table; players see the reason", gettext_lazy("{} is paused.")),
            ("resume", tables.resume, "Resume a table", gettext_lazy("{} is resumed.")),
            ("take-up", tables.take_up, "Apply the newest settings of its game",
             gettext_lazy("{} applies the new settings.")),
            ("break-up", tables.break_up, "Break a table; its players go to other tables, or to the list",
             gettext_lazy("{} is breaking.")),
            ("close", tables.close, "Close a table and cash everybody out", gettext_lazy("{} is closing.")),
            ("reopen", tables.reopen, "Open a closed table again", gettext_lazy("{} is open again.")),
        )
    ],
    _verb(
        name="message_table", summary="Send a message to spectators", address=f"{_TABLE}/message",
        description="For the floor and managers. During a hand it applies when the hand is over.", does=tables.tell,
        order=shapes.TableLineOrder, keyed=True, refuses=(409, 422),
        form=_form(
            "message",
            lambda table: gettext("Spectators can read the message.") if table.notice
            else gettext("The message is removed."),
            order=shapes.TableLineForm,
        ),
    ),
    _read(
        name="counts", summary="The counts of a table of the room", description="For the staff, newest first.",
        address=f"{_TABLE}/counts", out=shapes.CountView, paged=True, finds=_counts,
    ),
    _verb(
        name="count_table", summary="Record a count of the chips at a table in the room", address=f"{_TABLE}/counts",
        description="For the floor and managers. The count is blind: a count that differs from the book balance is "
        "recorded and refused; the same count with a reason settles it. Above a limit it needs approval. The over "
        "or short goes to the house.",
        does=settling.count, order=shapes.TableCountOrder, keyed=True, status=201, out=shapes.CountView,
        waiting=ApprovalOut, shows=lambda made, by: made, refuses=(409, 422), form=_form("count", _counted),
    ),
]  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = of.pages([ACTIONS], DECLARED)
