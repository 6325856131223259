"""The API of entries: by players about their own, by the staff of the desk about everybody's."""

from typing import Annotated, Any

from django.db.models import QuerySet

from cardroom.core import access
from cardroom.core.arguments import Limits
from cardroom.core.models import User
from cardroom.core.web.resources import Resource, addresses, does, reads
from tournaments.directing.pages.entries import (
    add_on,
    ask_for_rebuys,
    enter,
    identify,
    re_enter,
    rebuy,
    scope_of_entry,
    unregister_once,
)
from tournaments.events import staff
from tournaments.events.models import Payment, TournamentEntry
from tournaments.events.pages import serializers as shapes
from tournaments.events.pages.serializers import PaymentRow
from tournaments.registration import queries as registration_queries
from tournaments.registration import registration
from tournaments.registration.pages.views import EVENT, event_for

State = TournamentEntry.State

_ENTRY = f"{EVENT}entries/<id:entrant>"


def entries(
    *,
    tournament_id: int,
    state: Annotated[str, Limits(choices=TournamentEntry.State.choices)] = "",
    name: Annotated[str, Limits(max_length=80, help_text="Part of the name.")] = "",
    before: int | None,
    limit: int,
    by: Any,
) -> list[TournamentEntry]:
    """The entries, the newest first."""
    rows = registration_queries.in_order(event_for(by, tournament_id)).order_by("-number")
    rows = rows.filter(state=state) if state else rows
    return _newest(rows.filter(name__icontains=name) if name else rows, before, limit)


def entry(*, tournament_id: int, entrant: int, by: Any) -> TournamentEntry:
    """An entry by its number."""
    return registration_queries.entry(event_for(by, tournament_id), entrant)


def alternates(*, tournament_id: int, by: Any) -> QuerySet[TournamentEntry]:
    """The entries that wait for a seat, the next one first."""
    return registration_queries.in_order(event_for(by, tournament_id)).filter(state=State.ALTERNATE)


def receipts(*, tournament_id: int, before: int | None, limit: int, by: User) -> list[Payment]:
    """One's own receipts; for the staff of the desk everybody's."""
    return receipts_of(by, registration_queries.payments(event_for(by, tournament_id)), before, limit)


def receipts_of(by: User, rows: QuerySet[Any], before: int | None, limit: int) -> list[Any]:
    """One's own; for the staff of the desk everybody's. The newest first."""
    visible_rows = rows if access.has_role(by, *staff.DESK) else rows.filter(entry__player=by)
    return _newest(visible_rows.order_by("-number"), before, limit)


def _newest(rows: QuerySet[Any], before: int | None, limit: int) -> list[Any]:
    return list((rows.filter(number__lt=before) if before is not None else rows)[:limit])


class EntryOrderResource(Resource):
    """What is done about entries: by players about their own, or by the staff of the desk."""

    tags, scope = ("entries",), ("play", "direct")


_THEMSELVES = "The player themselves, or the staff of the desk."


class EntriesResource(EntryOrderResource):
    path = f"{EVENT}entries"
    get = reads(
        entries,
        name="entries",
        summary="List entries",
        is_public=True,
        answers=shapes.EntryRow,
        number=lambda row: row.number,
    )
    post = does(
        enter,
        name="enter_tournament",
        summary="Enter an event",
        description="For yourself; the desk can enter a player, or a guest without an account. When the event is "
        "full the entry waits as an alternate.",
        answers=shapes.EntryRow,
        status=201,
        refuses=(409, 422),
        needs=lambda by, arguments: "direct" if arguments.get("player") or arguments.get("guest") else "play",
    )


class EventEntryResource(EntryOrderResource):
    path = _ENTRY
    get = reads(entry, name="entry", summary="An entry", is_public=True, answers=shapes.EntryRow)


class IdentifyResource(EntryOrderResource):
    path = f"{_ENTRY}/identify"
    post = does(
        identify,
        name="identify_guest",
        summary="Link a guest to a member",
        description=_THEMSELVES,
        answers=shapes.EntryRow,
        refuses=(409, 422),
        needs=scope_of_entry,
    )


class UnregisterResource(EntryOrderResource):
    path = f"{_ENTRY}/unregister"
    post = does(
        unregister_once,
        name="unregister",
        summary="Unregister with a refund",
        description=_THEMSELVES,
        answers=shapes.EntryRow,
        refuses=(409, 422),
        needs=scope_of_entry,
    )


class ReEnterResource(EntryOrderResource):
    path = f"{_ENTRY}/re-enter"
    post = does(
        re_enter,
        name="re_enter",
        summary="Re-enter",
        description=_THEMSELVES,
        answers=shapes.EntryRow,
        status=201,
        refuses=(409, 422),
        needs=scope_of_entry,
    )


class RebuyResource(EntryOrderResource):
    path = f"{_ENTRY}/rebuy"
    post = does(
        rebuy,
        name="rebuy",
        summary="Buy chips",
        description=_THEMSELVES,
        answers=PaymentRow,
        refuses=(409, 422),
        needs=scope_of_entry,
    )


class AutomaticRebuyResource(EntryOrderResource):
    path = f"{_ENTRY}/automatic-rebuy"
    post = does(
        ask_for_rebuys,
        name="automatic_rebuy",
        summary="Turn automatic rebuy on or off",
        description=_THEMSELVES,
        answers=shapes.AutomaticRebuys,
        refuses=(409, 422),
        needs=scope_of_entry,
    )


class AddOnResource(EntryOrderResource):
    path = f"{_ENTRY}/add-on"
    post = does(
        add_on,
        name="add_on",
        summary="Buy the add-on",
        description=_THEMSELVES,
        answers=PaymentRow,
        refuses=(409, 422),
        needs=scope_of_entry,
    )


class AlternatesResource(EntryOrderResource):
    path = f"{EVENT}alternates"
    get = reads(
        alternates,
        name="alternates",
        summary="List alternates, the next one first",
        is_public=True,
        answers=shapes.EntryRow,
        many=True,
    )


class NoShowsResource(EntryOrderResource):
    path, scope = f"{EVENT}no-shows", "direct"
    post = does(
        registration.remove_no_shows,
        name="remove_no_shows",
        summary="Remove no-shows and refund them",
        description="For the staff of the desk. Under another key it is refused: the entries are already removed.",
        answers=shapes.EntryRow,
        many=True,
        refuses=(409, 422),
    )


class PayRefundsResource(EntryOrderResource):
    path, scope = f"{_ENTRY}/pay-refunds", "direct"
    post = does(
        registration.pay_refunds,
        name="pay_refunds",
        summary="Pay the refunds that are due to a player in cash",
        description="For the staff of the desk, out of their open drawer.",
        answers=PaymentRow,
        many=True,
        refuses=(409, 422),
    )


class ReceiptsResource(EntryOrderResource):
    path = f"{EVENT}receipts"
    get = reads(
        receipts,
        name="receipts",
        summary="Receipts",
        description="Your own; for the staff of the desk everybody's.",
        answers=PaymentRow,
        number=lambda row: row.number,
    )


api = addresses(
    [
        EntriesResource,
        EventEntryResource,
        IdentifyResource,
        UnregisterResource,
        ReEnterResource,
        RebuyResource,
        AutomaticRebuyResource,
        AddOnResource,
        AlternatesResource,
        NoShowsResource,
        PayRefundsResource,
        ReceiptsResource,
    ]
)
