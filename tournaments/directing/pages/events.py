"""Events: lists of them, their terms, and the way from a draft to the start or to its end before it.

The form in which an event's terms are typed is in `before`: each of its buttons draws it anew.
"""

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from cardroom.core import access
from cardroom.core.errors import Refusal
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import NothingOrder
from cardroom.core.web.api.routes import older
from cardroom.core.web.api.shapes import NAMED
from cardroom.core.web.operations import Context, Form, Operation, Page, Read, Told, went_to
from tournaments.directing import tournaments
from tournaments.directing.pages import order_serializers as orders
from tournaments.directing.pages.directing import button
from tournaments.engine.facts import Penalised
from tournaments.events import journal as event_journal
from tournaments.events import notices, staff
from tournaments.events import queries as event_queries
from tournaments.events.models import Payment, Tournament
from tournaments.events.pages import serializers as shapes
from tournaments.events.pages.serializers import DIRECTORS, facts_told
from tournaments.prizes import board
from tournaments.registration.pages.views import EVENT, event_for, flyer_page

MOST_FACTS = 500


# -- pages -------------------------------------------------------------------------------------------------------------


def _flyer(request: HttpRequest, *, tournament_id: int, refusal: Refusal, typed: Any) -> HttpResponse:
    """A refusal is said beside the director's buttons."""
    return flyer_page(request, event_queries.event(tournament_id, with_drafts=True), staff_refusal=refusal)


def cancel(request: HttpRequest, *, tournament_id: int) -> Context:
    """What cancelling would refund, and the button for it."""
    row = event_queries.event(tournament_id, with_drafts=True)
    paid = Payment.objects.filter(tournament=row, refunded_at=None)
    return {
        "tournament": row,
        "payments": paid.count(),
        "refund": sum(payment.total for payment in paid),
        "tickets": row.tickets.filter(state="issued").count(),
        "reason": request.POST.get("reason", ""),
    }


def delete(request: HttpRequest, *, tournament_id: int) -> Context:
    return {"tournament": event_queries.event(tournament_id, with_drafts=True)}


# -- what can be looked at ---------------------------------------------------------------------------------------------


def _events(
    by: Any, *, before: int | None, limit: int, is_over: bool | None = None, entered: bool | None = None, **columns: Any
) -> list[Tournament]:
    rows = Tournament.objects.filter(**columns).order_by("-pk")
    if not access.has_role(by, *staff.DIRECTORS):
        rows = rows.exclude(state=Tournament.State.DRAFT)
    if is_over is not None:
        over = [Tournament.State.FINISHED, Tournament.State.CANCELLED]
        rows = rows.filter(state__in=over) if is_over else rows.exclude(state__in=over)
    if entered is not None:
        mine = event_queries.of_player(access.require_login(by)).values("pk")
        rows = rows.filter(pk__in=mine) if entered else rows.exclude(pk__in=mine)
    return older(rows, before, limit)


def _board(by: Any, *, tournament_id: int) -> dict[str, Any]:
    row = event_for(by, tournament_id)
    viewer = by.pk if by.is_authenticated else None
    read = board.read(row.pk, notices_after={viewer: 0} if viewer else {}, now=timezone.now())
    if read is None:
        event_queries.event(row.pk)  # a draft has no board, not even for its director
        raise RuntimeError("an event that is no draft has a board")
    return {"seq": read.seq, "now": read.now, "you": read.own.get(viewer), **read.parts, **board.spoken(read.parts)}


def _facts(by: Any, *, tournament_id: int, after: int) -> dict[str, Any]:
    row = event_for(by, tournament_id)
    upto = min(row.seq, after + MOST_FACTS)
    facts = event_journal.facts(row.pk, after=after, upto=upto) if upto > after else []
    told = facts_told(facts, after)
    if not access.has_role(by, *staff.DIRECTORS):
        for fact in told:
            if fact["kind"] == Penalised.kind:
                fact["data"]["reason"] = ""
    return {"tournament": row.pk, "seq": max(after, upto), "last": row.seq, "facts": told}


_DRAWN = "tournaments/events/before/"
CANCEL = Page(f"{EVENT}cancel/", "tournament_cancel", cancel, staff.DIRECTORS, template=f"{_DRAWN}cancel.html")
DELETE = Page(f"{EVENT}delete/", "tournament_delete", delete, staff.DIRECTORS, template=f"{_DRAWN}delete.html")
FLYER = Page(EVENT, "tournament", _flyer, staff.DIRECTORS)
PAGES = [CANCEL, DELETE]


def _step(word: str, words: str) -> Form:
    """A director's button on the flyer."""
    return Form(f"{EVENT}{word}/", f"tournament_{word}", FLYER, words)


def _delete(*, tournament_id: int, **order: Any) -> str:
    name = event_queries.event(tournament_id, with_drafts=True).name
    tournaments.delete(tournament_id=tournament_id, **order)
    return name


_read = partial(Read, tag="tournaments", scope="direct", is_public=True)
_verb = partial(
    Operation, tag="tournaments", scope="direct", roles=staff.DIRECTORS, description=DIRECTORS,
    out=shapes.TournamentView, context={"is_director": True}, refuses=(409, 422),
)  # fmt: skip

DECLARED = [
    Read(
        name="my_tournaments", summary="Your upcoming and running events, the next one first", tag="me", many=True,
        address="me/tournaments", out=shapes.TournamentRow, finds=event_queries.of_player,
    ),
    _read(
        name="tournaments", summary="Events", address="tournaments", description="Only directors see drafts.",
        query=shapes.TournamentQuery, out=shapes.TournamentRow, paged=True, finds=_events,
    ),
    _verb(
        name="create_tournament", summary="Create an event", address="tournaments", does=tournaments.create, keyed=True,
        description=f"{DIRECTORS} Only directors see it before it is announced or opened.",
        order=shapes.TournamentOrder, status=201, refuses=(404, 409, 422),
    ),
    _read(
        name="tournament", summary="An event", address="tournaments/<id:tournament_id>", out=shapes.TournamentView,
        finds=event_for, context=lambda by, row: {"is_director": access.has_role(by, *staff.DIRECTORS)},
    ),
    _verb(
        name="edit_tournament", summary="Change an event", address="tournaments/<id:tournament_id>", method="PATCH",
        description=f"{DIRECTORS} Until the start; later only what does not affect play.", does=tournaments.edit,
        order=shapes.TournamentChange,
    ),
    _verb(
        name="delete_tournament", summary="Delete a draft", address="tournaments/<id:tournament_id>",
        description=f"{DIRECTORS} Cancel an announced event instead.", method="DELETE", does=_delete,
        status=204, out=None, form=Form(DELETE.address, DELETE.name, DELETE,
        lambda request, name: went_to(request, gettext(
"{name} is deleted.").format(name=name), "tournaments"), of.refused),
    ),
    _read(
        name="tournament_board", summary="An event at a glance", address=f"{EVENT}board", finds=_board,
        description="The same as the snapshot of the socket `/ws/tournaments/<id>/`; `you` for players with an entry.",
        out=Told(
            {"type": "object", "required": [*shapes.BOARD], "additionalProperties": True, NAMED: "Board"},
            lambda told: told,
        ),
    ),
    _read(
        name="event_facts", summary="The facts of an event", address=f"{EVENT}facts", query=shapes.FactsQuery,
        description=f"At most {MOST_FACTS} at a time: pass the last one as `after`, while `seq` is below `last`. The "
        "reason of a penalty is for directors alone, else empty.",
        out=Told(shapes.EventFacts, lambda told: told), finds=_facts,
    ),
    _verb(
        name="announce_tournament", summary="Announce an event", address=f"{EVENT}announce", tag="directors",
        does=tournaments.announce, order=NothingOrder,
        form=_step("announce", gettext_lazy(
"{0.name} is announced.")),
    ),
    _verb(
        name="open_tournament", summary="Open registration", address=f"{EVENT}open", tag="directors",
        does=tournaments.open_registration, order=NothingOrder,
        form=_step("open", gettext_lazy(
"Registration is open.")),
    ),
    _verb(
        name="start_tournament", summary="Draw the seats and start", address=f"{EVENT}start", tag="directors",
        does=tournaments.start, order=orders.Directed, keyed=True, key_name="command_id",
        form=(_step("start", gettext_lazy(
"Seats are drawn, and the clock runs.")),
              button("start", words=lambda row: gettext(
"Cards in the air: {name} has started.").format(name=row.name))),
    ),
    _verb(
        name="cancel_tournament", summary="Cancel an event and refund everybody", address=f"{EVENT}cancel",
        tag="directors", does=tournaments.cancel, order=orders.CancelOrder,
        form=Form(CANCEL.address, CANCEL.name, CANCEL,
                  FLYER.said(gettext_lazy(
"{0.name} is cancelled and everybody is refunded."))),
    ),
    Operation(
        name="message_players", summary="Send a message to all players of an event", address=f"{EVENT}messages",
        scope="direct", tag="directors", description=DIRECTORS, roles=staff.DIRECTORS, order=orders.MessageOrder,
        does=lambda **order: {"told": notices.message(**order)}, keyed=True, key_name="command_id", out=shapes.Told,
        refuses=(409, 422),
    ),
]  # fmt: skip
