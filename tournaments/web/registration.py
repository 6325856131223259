"""Registration: who comes into an event, buys chips, goes again and comes back, by themselves or at the desk.

A player does it on the flyer of the event, or at their table; the staff at the desk (`desk`) for members, by their
screen names, and for guests.
"""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from cardroom.models import User
from cardroom.services import access
from cardroom.services.errors import CardroomError
from cardroom.web.api.fields import NothingOrder, Order
from cardroom.web.cage_pages import went_to
from cardroom.web.operations import Form, Operation, Page, Read, Then
from tournaments.models import Payment, TournamentEntry
from tournaments.selectors import entries
from tournaments.services import buying, guests, registration, staff
from tournaments.services.play import rebuys
from tournaments.web import desk
from tournaments.web.api import serializers as shapes
from tournaments.web.api.serializers import PaymentRow
from tournaments.web.directing import of_entrant
from tournaments.web.views import event_for, event_of, flyer_page

State = TournamentEntry.State
_EVENT = "tournaments/<id:tournament_id>/"
_ENTRY = "tournaments/<id:tournament_id>/entries/<id:entrant>"


# -- where a form goes on to -------------------------------------------------------------------------------------------


def _flyer(request: HttpRequest, *, tournament_id: int, refusal: CardroomError, typed: Any) -> HttpResponse:
    """A refusal is said in the box itself, with what was typed still there; asked from the table, it is said there."""
    row = event_of(request, tournament_id)
    if request.htmx:
        raise refusal
    return flyer_page(request, row, refusal=refusal, typed=typed.get("entry_code", ""))


def _to_player(words: Callable[[Any], str]) -> Then:
    def then(request: HttpRequest, made: Any) -> HttpResponse:
        if request.htmx:
            return HttpResponse(status=204, headers={"HX-Trigger": json.dumps({"toast": {"message": words(made)}})})
        return went_to(request, words(made), "tournament", request.resolver_match.kwargs["tournament_id"])

    return then


def _to_desk(words: Callable[[Any], str]) -> Then:
    """To the desk, with the entry that it was about."""

    def then(request: HttpRequest, made: Any) -> HttpResponse:
        entry = made.entry if isinstance(made, Payment) else made
        address = reverse("tournament_desk", args=[request.resolver_match.kwargs["tournament_id"]])
        number = "" if isinstance(entry, list) else f"?entry={entry.number}"
        return went_to(request, words(made), f"{address}{number}")

    return then


def _entered(entry: TournamentEntry) -> str:
    if entry.state == State.ALTERNATE:
        return f"{entry.name} waits for a seat, with entry {entry.number}."
    where = f" at table {entry.table}, seat {entry.seat}" if entry.table else ""
    return f"{entry.name} is in{where}, with entry {entry.number}."


def _you_entered(entry: TournamentEntry) -> str:
    if entry.state == State.ALTERNATE:
        return f"The event is full: you wait for a seat, with entry {entry.number}."
    return f"You are in, with entry {entry.number}. Good luck."


def _in_again(entry: TournamentEntry) -> str:
    where = f" at table {entry.table}, seat {entry.seat}" if entry.table else ""
    return f"{entry.name} is in again{where}, with entry {entry.number}."


def _automatic_told(made: dict[str, bool]) -> str:
    if made["on"]:
        return "As soon as your last chips are gone, a rebuy is bought from your wallet."
    return "You are asked before anything is bought."


def bought(payment: Payment) -> str:
    return f"{payment.entry.name} gets {payment.chips:,} chips for {payment.total:,}."


# -- what is done ------------------------------------------------------------------------------------------------------


def _enter(
    *, by: User, tournament_id: int, player: str = "", guest: str = "", how: str = "api", **order: Any
) -> TournamentEntry:
    """`player`, `guest`: whom the desk takes in; by nobody's name one enters by oneself."""
    event_for(by, tournament_id)
    is_desk = how == "desk" or bool(player or guest)
    if is_desk:
        staff.require(by, staff.DESK)
    who = shapes.member_called(player) if player else None if is_desk else by
    asked = {"player": who, "guest": guest, "how": "" if is_desk else how}
    return registration.register(tournament_id=tournament_id, by=by, **asked, **order)


def _about(verb: Callable[..., Any]) -> Callable[..., Any]:
    """What is done about an entry: one's own, which a form of one's own does not name, or at the desk anybody's."""

    def do(*, by: User, tournament_id: int, entrant: int | None = None, **order: Any) -> Any:
        row = event_for(by, tournament_id)
        if entrant is not None and entries.entry(row, entrant).player_id != by.pk:
            staff.require(by, staff.DESK)
        return verb(by=by, tournament_id=tournament_id, entrant=entrant, **order)

    return do


def _unregister(*, tournament_id: int, entrant: int | None, how: str = "api", **order: Any) -> TournamentEntry:
    if how == "api":  # a program that asks again has what it wants
        gone = TournamentEntry.objects.filter(tournament=tournament_id, number=entrant, state=State.WITHDRAWN).first()
        if gone:
            return gone
    return registration.unregister(tournament_id=tournament_id, entrant=entrant, **order)


def _automatic(*, by: User, tournament_id: int, entrant: int | None, on: bool) -> dict[str, bool]:
    player = by if entrant is None else entries.entry(event_for(by, tournament_id), entrant).player
    rebuys.ask(tournament_id=tournament_id, player=player, on=on)
    return {"on": on}


def _identify(*, player: str, **order: Any) -> TournamentEntry:
    return guests.identify(player=shapes.member_called(player), now=timezone.now(), **order)


def _whose_entry(by: User, asked: Any) -> str:
    """The scope for what is done about an entry: one's own, or somebody's at the desk."""
    entry = entries.entry(event_for(by, asked["tournament_id"]), asked["entrant"])
    return "play" if entry.player_id == by.pk else "direct"


# -- what can be looked at ---------------------------------------------------------------------------------------------


def _entries(
    by: Any, *, tournament_id: int, before: int | None, limit: int, state: str = "", name: str = ""
) -> list[TournamentEntry]:
    rows = entries.in_order(event_for(by, tournament_id)).order_by("-number")
    rows = rows.filter(state=state) if state else rows
    return _newest(rows.filter(name__icontains=name) if name else rows, before, limit)


def _alternates(by: Any, *, tournament_id: int) -> QuerySet[TournamentEntry]:
    return entries.in_order(event_for(by, tournament_id)).filter(state=State.ALTERNATE)


def _receipts(by: User, *, tournament_id: int, before: int | None, limit: int) -> list[Payment]:
    rows = entries.payments(event_for(by, tournament_id)).order_by("-number")
    if not access.has_role(by, *staff.DESK):
        rows = rows.filter(entry__player=by)
    return _newest(rows, before, limit)


def _newest(rows: QuerySet[Any], before: int | None, limit: int) -> list[Any]:
    return list((rows.filter(number__lt=before) if before is not None else rows)[:limit])


# -- declared ----------------------------------------------------------------------------------------------------------

FLYER = Page(_EVENT, "tournament", _flyer, is_public=True)
DESK = Page(f"{_EVENT}desk/", "tournament_desk", desk.page, staff.DESK)


def _own(word: str, name: str, words: Callable[[Any], str], order: type[Order] | None = None, **gives: str) -> Form:
    """A form of the flyer, which asks for no second factor: nobody enters or pays by it as the desk would."""
    return Form(
        f"{_EVENT}{word}/", f"tournament_{name}", FLYER, _to_player(words), gives=gives, order=order, asks_factor=False
    )


def _desk(word: str, name: str, words: Callable[[Any], str], **gives: str) -> Form:
    """A form of the desk."""
    return Form(f"{_EVENT}desk/{word}/", f"tournament_{name}", DESK, _to_desk(words), gives=gives, asks_factor=True)


def _of_entry(word: str, name: str, words: Callable[[Any], str], **gives: str) -> Form:
    return _desk(f"<id:entrant>/{word}", f"desk_{name}", words, **gives)


_read = partial(Read, tag="entries", scope=("play", "direct"))
_verb = partial(
    Operation, tag="entries", scope=("play", "direct"), description="The player themselves, or the staff of the desk.",
    needs=_whose_entry, keyed=True, asks_factor=True, out=shapes.EntryRow, refuses=(409, 422),
)  # fmt: skip

PAGES = [DESK]
DECLARED = [
    _read(
        name="entries", summary="Who has entered", address="tournaments/<id:tournament_id>/entries", is_public=True,
        query=shapes.EntryQuery, out=shapes.EntryRow, paged=True, number=lambda row: row.number, finds=_entries,
    ),
    _verb(
        name="enter_tournament", summary="Enter", address="tournaments/<id:tournament_id>/entries",
        description="By yourself; the staff of the desk may name a player, or a guest without an account. When the "
        "event is full the entry waits as an alternate.", does=_enter, order=shapes.EnterOrder, status=201,
        needs=lambda by, asked: "direct" if asked.get("player") or asked.get("guest") else "play",
        form=(_own("register", "register", _you_entered, shapes.OwnEnterOrder, how=""),
              _desk("enter", "desk_enter", _entered, how="desk")),
    ),
    _read(
        name="entry", summary="An entry", address=_ENTRY, is_public=True, out=shapes.EntryRow,
        finds=lambda by, tournament_id, entrant: entries.entry(event_for(by, tournament_id), entrant),
    ),
    _verb(
        name="identify_guest", summary="A guest is this member", address=f"{_ENTRY}/identify", does=_about(_identify),
        order=shapes.IdentifyOrder, key_name="command_id", asks_factor=False,
        form=_of_entry("identify", "identify",
                       lambda entry: f"{entry.name} is the member {entry.player.username}."),
    ),
    _verb(
        name="unregister", summary="Take it back, and be refunded", address=f"{_ENTRY}/unregister",
        does=_about(_unregister), order=shapes.ReasonOrder, keyed=False,
        form=(_own("unregister", "unregister",
                   lambda entry: "Your entry is taken back, and what you paid is where it came from.", how=""),
              _of_entry("take-off", "take_back",
                        lambda entry: f"{entry.name} is taken off, and what was paid is refunded.", how="")),
    ),
    _verb(
        name="re_enter", summary="Come in once more", address=f"{_ENTRY}/re-enter", does=_about(registration.re_enter),
        order=shapes.ReEnterOrder, status=201,
        form=(_own("re-enter", "re_enter", lambda entry: f"You are in again, with entry {entry.number}.",
                   shapes.OwnReEnterOrder),
              _of_entry("re-enter", "re_enter",
                        lambda entry: f"{entry.name} is in again, with entry {entry.number}."),
              of_entrant("re-enter", words=_in_again)),
    ),
    _verb(
        name="rebuy", summary="Buy chips", address=f"{_ENTRY}/rebuy", does=_about(buying.rebuy),
        order=shapes.RebuyOrder, out=PaymentRow,
        form=(_own("rebuy", "rebuy", lambda paid: f"{paid.chips:,} chips are yours, for {paid.total:,}.",
                   NothingOrder),
              _of_entry("rebuy", "rebuy", bought), of_entrant("rebuy", words=bought)),
    ),
    _verb(
        name="automatic_rebuy", summary="Rebuy by itself, or no longer", address=f"{_ENTRY}/automatic-rebuy",
        does=_about(_automatic), order=shapes.AutomaticOrder, out=shapes.Automatic, keyed=False, asks_factor=False,
        form=_own("automatic-rebuy", "automatic_rebuy", _automatic_told),
    ),
    _verb(
        name="add_on", summary="Buy the add-on", address=f"{_ENTRY}/add-on", does=_about(buying.add_on),
        order=shapes.AddOnOrder, out=PaymentRow,
        form=(_own("add-on", "add_on", lambda paid: f"{paid.chips:,} chips are added, for {paid.total:,}.",
                   NothingOrder),
              _of_entry("add-on", "add_on", bought), of_entrant("add-on", words=bought)),
    ),
    _read(
        name="alternates", summary="Who waits for a seat, the next one first", is_public=True, out=shapes.EntryRow,
        address="tournaments/<id:tournament_id>/alternates", many=True, finds=_alternates,
    ),
    _verb(
        name="remove_no_shows", summary="Take off who never came, and refund them", scope="direct", many=True,
        address="tournaments/<id:tournament_id>/no-shows", does=registration.remove_no_shows, needs=None,
        description="For the staff of the desk. Under another key it is refused: they have no entry that stands.",
        roles=staff.DESK, order=shapes.NoShowsOrder,
        form=_desk("no-shows", "no_shows",
                   lambda gone: f"Taken off and refunded: {', '.join(entry.name for entry in gone)}."),
    ),
    _read(
        name="receipts", summary="Receipts", address="tournaments/<id:tournament_id>/receipts", out=PaymentRow,
        description="Your own; for the staff of the desk everybody's.", paged=True, number=lambda row: row.number,
        finds=_receipts,
    ),
]  # fmt: skip
