"""The API of events: lists of them, their terms, boards and facts, and the way from a draft to the start."""

from typing import Annotated, Any

from django.utils import timezone

from cardroom.core import access
from cardroom.core.arguments import Limits
from cardroom.core.models import User
from cardroom.core.web.api.answers import PlainAnswer
from cardroom.core.web.api.fields import NoBody
from cardroom.core.web.api.routes import older
from cardroom.core.web.api.shapes import NAMED
from cardroom.core.web.resources import Resource, addresses, does, reads
from tournaments.directing import cancelling, starting, tournaments
from tournaments.directing.pages.events import delete_draft
from tournaments.engine.facts import Penalised
from tournaments.events import journal as event_journal
from tournaments.events import notices, staff
from tournaments.events import queries as event_queries
from tournaments.events.arguments import MOST_ID, MOST_SEQ
from tournaments.events.models import Tournament
from tournaments.events.pages import fact_serializers
from tournaments.events.pages import serializers as shapes
from tournaments.events.pages.fact_serializers import facts_told
from tournaments.events.pages.fields import DIRECTORS
from tournaments.prizes import board, board_parts
from tournaments.registration.pages.views import EVENT, event_for

MOST_FACTS = 500


def events(
    *,
    state: Annotated[str, Limits(choices=Tournament.State.choices)] = "",
    conduct: Annotated[str, Limits(choices=Tournament.Conduct.choices)] = "",
    series: Annotated[int | None, Limits(max_value=MOST_ID)] = None,
    season: Annotated[int | None, Limits(max_value=MOST_ID)] = None,
    final: Annotated[int | None, Limits(max_value=MOST_ID, help_text="The flights to this final.")] = None,
    name: Annotated[str, Limits(max_length=80, help_text="Part of the name.")] = "",
    entered: Annotated[bool | None, Limits(help_text="Whether you have an entry that stands.")] = None,
    is_over: Annotated[bool | None, Limits(help_text="Played to its end, or cancelled.")] = None,
    before: int | None,
    limit: int,
    by: Any,
) -> list[Tournament]:
    """The events, the newest first."""
    columns = {"state": state, "conduct": conduct, "name__icontains": name}
    wanted = {column: value for column, value in columns.items() if value}
    numbers = {"series": series, "season": season, "parent": final}
    wanted |= {column: value for column, value in numbers.items() if value is not None}
    rows = Tournament.objects.filter(**wanted).order_by("-pk")
    if not access.has_role(by, *staff.DIRECTORS):
        rows = rows.exclude(state=Tournament.State.DRAFT)
    if is_over is not None:
        over_states = [Tournament.State.FINISHED, Tournament.State.CANCELLED]
        rows = rows.filter(state__in=over_states) if is_over else rows.exclude(state__in=over_states)
    if entered is not None:
        entered_events = event_queries.of_player(access.require_login(by)).values("pk")
        rows = rows.filter(pk__in=entered_events) if entered else rows.exclude(pk__in=entered_events)
    return older(rows, before, limit)


def my_events(*, by: User) -> Any:
    """The upcoming and running events of a player, the next one first."""
    return event_queries.of_player(by)


def event(*, tournament_id: int, by: Any) -> Tournament:
    """An event; a draft is there for directors only."""
    return event_for(by, tournament_id)


def board_of(*, tournament_id: int, by: Any) -> dict[str, Any]:
    """An event at a glance."""
    row = event_for(by, tournament_id)
    viewer = by.pk if by.is_authenticated else None
    read = board.read(row.pk, notices_after={viewer: 0} if viewer else {}, now=timezone.now())
    if read is None:
        event_queries.event(row.pk)  # a draft has no board, not even for its director
        raise RuntimeError("an event that is no draft has a board")
    return {
        "seq": read.seq,
        "now": read.now,
        "you": read.own.get(viewer),
        **read.parts,
        **board_parts.translated_parts(read.parts),
    }


def facts(
    *,
    tournament_id: int,
    after: Annotated[int, Limits(default=0, max_value=MOST_SEQ, help_text="The number of the last fact you have.")] = 0,
    by: Any,
) -> dict[str, Any]:
    """The facts of an event after this one."""
    row = event_for(by, tournament_id)
    upto = min(row.seq, after + MOST_FACTS)
    rows = event_journal.facts(row.pk, after=after, upto=upto) if upto > after else []
    lines = facts_told(rows, after)
    if not access.has_role(by, *staff.DIRECTORS):
        for fact in lines:
            if fact["kind"] == Penalised.kind:
                fact["data"]["reason"] = ""
    return {"tournament": row.pk, "seq": max(after, upto), "last": row.seq, "facts": lines}


class EventsBaseResource(Resource):
    """What there is of events, and what directors do with them."""

    tags, scope = ("tournaments",), "direct"


class MyEventsResource(Resource):
    path, tags = "me/tournaments", ("me",)
    get = reads(
        my_events,
        name="my_tournaments",
        summary="Your upcoming and running events, the next one first",
        answers=shapes.TournamentRow,
        many=True,
    )


class EventsResource(EventsBaseResource):
    path = "tournaments"
    get = reads(
        events,
        name="tournaments",
        summary="Events",
        description="Only directors see drafts.",
        is_public=True,
        answers=shapes.TournamentRow,
    )
    post = does(
        tournaments.create,
        name="create_tournament",
        summary="Create an event",
        description=f"{DIRECTORS} Only directors see it before it is announced or opened.",
        body=shapes.TournamentOrder,
        answers=shapes.TournamentView,
        status=201,
        refuses=(404, 409, 422),
    )


class EventResource(EventsBaseResource):
    path = "tournaments/<id:tournament_id>"
    get = reads(event, name="tournament", summary="An event", is_public=True, answers=shapes.TournamentView)
    patch = does(
        tournaments.edit,
        name="edit_tournament",
        summary="Change an event",
        description=f"{DIRECTORS} Until the start; later only what does not affect play.",
        body=shapes.TournamentChange,
        answers=shapes.TournamentView,
        refuses=(409, 422),
    )
    delete = does(
        delete_draft,
        name="delete_tournament",
        summary="Delete a draft",
        description=f"{DIRECTORS} Cancel an announced event instead.",
        roles=staff.DIRECTORS,
        status=204,
        refuses=(409, 422),
    )


class BoardResource(EventsBaseResource):
    path = f"{EVENT}board"
    get = reads(
        board_of,
        name="tournament_board",
        summary="An event at a glance",
        description="The same as the snapshot of the socket `/ws/tournaments/<id>/`; `you` for players with an entry.",
        is_public=True,
        answers=PlainAnswer(
            {"type": "object", "required": [*shapes.BOARD], "additionalProperties": True, NAMED: "Board"},
            lambda parts: parts,
        ),
    )


class FactsResource(EventsBaseResource):
    path = f"{EVENT}facts"
    get = reads(
        facts,
        name="event_facts",
        summary="The facts of an event",
        description=f"At most {MOST_FACTS} at a time: pass the last one as `after`, while `seq` is below `last`. The "
        "reason of a penalty is for directors alone, else empty.",
        is_public=True,
        answers=PlainAnswer(fact_serializers.EventFacts, lambda parts: parts),
    )


class EventOrderResource(Resource):
    tags, scope = ("directors",), "direct"


class AnnounceResource(EventOrderResource):
    path = f"{EVENT}announce"
    post = does(
        tournaments.announce,
        name="announce_tournament",
        summary="Announce an event",
        description=DIRECTORS,
        body=NoBody,
        answers=shapes.TournamentView,
        refuses=(409, 422),
    )


class OpenResource(EventOrderResource):
    path = f"{EVENT}open"
    post = does(
        tournaments.open_registration,
        name="open_tournament",
        summary="Open registration",
        description=DIRECTORS,
        body=NoBody,
        answers=shapes.TournamentView,
        refuses=(409, 422),
    )


class CancelResource(EventOrderResource):
    path = f"{EVENT}cancel"
    post = does(
        cancelling.cancel,
        name="cancel_tournament",
        summary="Cancel an event and refund everybody",
        description=DIRECTORS,
        answers=shapes.TournamentView,
        refuses=(409, 422),
    )


class StartResource(EventOrderResource):
    path = f"{EVENT}start"
    post = does(
        starting.start,
        name="start_tournament",
        summary="Draw the seats and start",
        description=DIRECTORS,
        answers=shapes.TournamentView,
        refuses=(409, 422),
    )


class MessagePlayersResource(EventOrderResource):
    path = f"{EVENT}messages"
    post = does(
        notices.message,
        name="message_players",
        summary="Send a message to all players of an event",
        description=DIRECTORS,
        answers=shapes.ToldCount,
        shown=lambda number, by: {"told": number},
        refuses=(409, 422),
    )


api = addresses(
    [
        MyEventsResource,
        EventsResource,
        EventResource,
        BoardResource,
        FactsResource,
        AnnounceResource,
        OpenResource,
        CancelResource,
        StartResource,
        MessagePlayersResource,
    ]
)
