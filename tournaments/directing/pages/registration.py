"""Registration: who comes into an event, buys chips, goes again and comes back, by themselves or at the desk.

A player does it on the flyer of the event, or at their table; the staff at the desk for members, by their screen names,
and for guests. The desk is one search: `?q=` finds members who may come in and entries that are there. `?entry=` shows
one of them, for its papers.
"""

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from secrets import token_urlsafe
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext, pgettext_lazy

from cardroom.accounts import people as account_queries
from cardroom.cage import queries as cage_queries
from cardroom.core import access
from cardroom.core.errors import Invalid, Refusal
from cardroom.core.models import User
from cardroom.core.sentences import filled
from cardroom.core.web.api.fields import NothingOrder, Order
from cardroom.core.web.operations import Context, Form, Operation, Page, Read, Then, went_to
from tournaments.directing.pages.directing import of_entrant
from tournaments.events import money, staff, terms
from tournaments.events.models import Payment, Tournament, TournamentEntry
from tournaments.events.pages import serializers as shapes
from tournaments.events.pages.serializers import PaymentRow
from tournaments.prizes.models import Ticket
from tournaments.registration import buying, guests, registration
from tournaments.registration import queries as registration_queries
from tournaments.registration.pages.flyer import is_good, sheet
from tournaments.registration.pages.views import EVENT, event_for, event_of, flyer_page, looked_for

State = TournamentEntry.State
ENTRIES_A_PAGE = 50
MOST_PASTED = 100
_MEMBERS = 12

SHOWS = {
    "": gettext_lazy("Everybody"),
    "waiting": gettext_lazy("Alternates"),
    "unseen": gettext_lazy("Not seen yet"),
    "out": pgettext_lazy("busted", "Out"),
    "gone": gettext_lazy("Removed"),
}
_SHOWN = {
    "waiting": Q(state=State.ALTERNATE),
    "unseen": Q(state=State.IN, arrived_at=None),
    "out": Q(state=State.OUT),
    "gone": Q(state=State.WITHDRAWN),
}
_ENTRY = f"{EVENT}entries/<id:entrant>"


# -- the desk ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Member:
    """Somebody with an account who is looked for and has no entry in this event."""

    user: User
    wallet: int
    tickets: list[Ticket]


def desk(request: HttpRequest, *, tournament_id: int) -> Context:
    asked = looked_for(request.POST or request.GET, "q", "guest", most=60)
    return _desk_of(request, event_of(request, tournament_id), asked, request.GET.get("entry", ""))


def _desk_of(request: HttpRequest, row: Tournament, asked: str, number: str) -> Context:
    show = request.GET.get("show", "")
    found = _shown(row, show)
    if asked:
        found = found.filter(Q(name__icontains=asked) | Q(player__username__icontains=asked))
    people = _people(row, asked) if asked else []
    picked = _picked(row, number)
    page = Paginator(found, ENTRIES_A_PAGE).get_page(request.GET.get("page"))
    told = sheet(row, now=timezone.now())
    return {
        "tournament": row,
        "sheet": told,
        "price": terms.of(row, "entry"),
        "offered": {price.what for price in told["prices"]},
        "asked": asked,
        "people": people,
        "members": _members(row, asked, but={entry.player_id for entry in people}) if asked else [],
        "guest": asked,
        "is_taken": bool(asked) and guests.of_name(row, asked).exclude(state=State.WITHDRAWN).exists(),
        "page": page,
        "in_cash": [entry.number for entry in page if any(map(money.is_cash, entry.payments.all()))],
        "takes_cash": cage_queries.takes_cash(request.user),
        "has_prices": any(price.paid.total for price in told["prices"]),
        "refunds": registration_queries.refunds_due(row),
        "show": show,
        "shows": SHOWS.items(),
        "picked": picked,
        "is_guest": picked is not None and guests.is_guest(picked),
        "re_entry": terms.of(row, "re_entry"),
        "is_director": access.has_role(request.user, *staff.DIRECTORS),
    }


def _shown(row: Tournament, show: str) -> QuerySet[TournamentEntry]:
    found = registration_queries.in_order(row).filter(_SHOWN.get(show, ~Q(state=State.WITHDRAWN)))
    return found.order_by("number" if show == "waiting" else "-number").prefetch_related("payments")


def _picked(row: Tournament, number: str) -> TournamentEntry | None:
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        return None
    return registration_queries.in_order(row).prefetch_related("payments").filter(number=int(number)).first()


def _people(row: Tournament, asked: str) -> list[TournamentEntry]:
    """Those of the event who go by such a name, each with their last entry that stands, who is out first. One query."""
    named = [f"{where}__icontains" for where in ("name", "player__username", "player__first_name", "player__last_name")]
    wanted = Q(*[(field, asked) for field in named], _connector=Q.OR)
    found = row.entries.exclude(state=State.WITHDRAWN).filter(wanted).select_related("player")
    last = {entry.player_id: entry for entry in found.order_by("number")}
    return sorted(last.values(), key=lambda entry: (entry.state != State.OUT, entry.number))[:_MEMBERS]


def _members(row: Tournament, asked: str, *, but: Collection[int]) -> list[Member]:
    """Those who go by such a name, `but` not these, with what they could pay with. Three queries."""
    named = Q(username__icontains=asked) | Q(first_name__icontains=asked) | Q(last_name__icontains=asked)
    found = User.objects.filter(named, is_bot=False, is_active=True).exclude(pk__in=but)
    users = list(found.order_by("username")[:_MEMBERS])
    wallets = account_queries.wallet_balances(users)
    held: dict[int, list[Ticket]] = {}
    for ticket in Ticket.objects.filter(player__in=users, state=Ticket.State.ISSUED).order_by("pk"):
        if is_good(ticket, row, timezone.now()):
            held.setdefault(ticket.player_id, []).append(ticket)
    return [Member(user, wallets[user.pk], held.get(user.pk, [])) for user in users]


# -- where a form goes on to -------------------------------------------------------------------------------------------


def _flyer(request: HttpRequest, *, tournament_id: int, refusal: Refusal, typed: Any) -> HttpResponse:
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
        if request.htmx:
            row = event_of(request, request.resolver_match.kwargs["tournament_id"])
            return _told(request, row, words(made), None if isinstance(entry, list | Pasted) else entry)
        address = reverse("tournament_desk", args=[request.resolver_match.kwargs["tournament_id"]])
        number = "" if isinstance(entry, list | Pasted) else f"?entry={entry.number}"
        return went_to(request, words(made), f"{address}{number}")

    return then


def _told(request: HttpRequest, row: Tournament, words: str, entry: TournamentEntry | None) -> HttpResponse:
    """The desk as it is then, of which a page takes its parts; with what was done, to be printed and undone."""
    told = {"told": words, "entered": _picked(row, str(entry.number)) if entry is not None else None}
    context = _desk_of(request, row, "", "") | told | {"key": token_urlsafe(12), "typed": {}}
    return render(request, DESK.template, context)


def _all_entered(made: "Pasted") -> str:
    said = ngettext("{n} entered.", "{n} entered.", len(made.entries)).format(n=len(made.entries))
    for name, why in made.refused:
        said += " " + gettext("Not entered: {name}. {why}").format(name=name, why=why)
    return said


def _entered(entry: TournamentEntry) -> str:
    if entry.state == State.ALTERNATE:
        return gettext("{name} waits for a seat, with entry {number}.").format(name=entry.name, number=entry.number)
    said = gettext("{name} is in, with entry {number}.")
    if entry.table:
        said = gettext("{name} is in at table {table}, seat {seat}, with entry {number}.")
    return said.format(name=entry.name, table=entry.table, seat=entry.seat, number=entry.number)


def _you_entered(entry: TournamentEntry) -> str:
    if entry.state == State.ALTERNATE:
        return gettext("The tournament is full: you wait for a seat, with entry {number}.").format(number=entry.number)
    return gettext("You are in, with entry {number}. Good luck.").format(number=entry.number)


def _in_again(entry: TournamentEntry) -> str:
    said = gettext("{name} is in again, with entry {number}.")
    if entry.table:
        said = gettext("{name} is in again at table {table}, seat {seat}, with entry {number}.")
    return said.format(name=entry.name, table=entry.table, seat=entry.seat, number=entry.number)


def _automatic_told(made: dict[str, bool]) -> str:
    if made["on"]:
        return gettext("Automatic rebuy is on: when you lose your last chips, a rebuy is bought from your wallet.")
    return gettext("Automatic rebuy is off.")


def _refunds_paid(payments: list[Payment]) -> str:
    if not payments:
        return gettext("No refund is due.")
    total = sum(payment.total for payment in payments)
    return filled(gettext("{name} is paid {total:,} back."), name=payments[0].entry.name, total=total)


def bought(payment: Payment) -> str:
    return filled(
        gettext("{name} gets {chips:,} chips for {total:,}."),
        name=payment.entry.name,
        chips=payment.chips,
        total=payment.total,
    )


# -- what is done ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pasted:
    """What came of a list of names: the `entries`, and (name, why) of each that was `refused`."""

    entries: list[TournamentEntry]
    refused: list[tuple[str, str]]


def _enter_by_name(*, by: User, tournament_id: int, name: str, **order: Any) -> TournamentEntry:
    """One name and Enter."""
    event_for(by, tournament_id)
    return registration.register(tournament_id=tournament_id, by=by, **guests.called(name), **order)


def _enter_list(*, by: User, tournament_id: int, names: str, key: str = "", **order: Any) -> Pasted:
    """One name a line, each an entry of its own; what is refused stops none of the others."""
    lines = list(dict.fromkeys(filter(None, map(guests.name_of, names.splitlines()))))
    if not 1 <= len(lines) <= MOST_PASTED:
        raise Invalid("bad-list", "Paste 1 to {most} names, one a line.", most=MOST_PASTED)
    entries: list[TournamentEntry] = []
    refused: list[tuple[str, str]] = []
    for place, name in enumerate(lines):
        try:
            one = {"name": name, "key": f"{key}-{place}" if key else "", **order}
            entries.append(_enter_by_name(by=by, tournament_id=tournament_id, **one))
        except Refusal as error:
            refused.append((name, str(error.message)))
    return Pasted(entries, refused)


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
        if entrant is not None and registration_queries.entry(row, entrant).player_id != by.pk:
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
    player = by if entrant is None else registration_queries.entry(event_for(by, tournament_id), entrant).player
    buying.ask(tournament_id=tournament_id, player=player, on=on)
    return {"on": on}


def _identify(*, player: str, **order: Any) -> TournamentEntry:
    return guests.identify(player=shapes.member_called(player), now=timezone.now(), **order)


def _whose_entry(by: User, asked: Any) -> str:
    """The scope for what is done about an entry: one's own, or somebody's at the desk."""
    entry = registration_queries.entry(event_for(by, asked["tournament_id"]), asked["entrant"])
    return "play" if entry.player_id == by.pk else "direct"


# -- what can be looked at ---------------------------------------------------------------------------------------------


def _entries(
    by: Any, *, tournament_id: int, before: int | None, limit: int, state: str = "", name: str = ""
) -> list[TournamentEntry]:
    rows = registration_queries.in_order(event_for(by, tournament_id)).order_by("-number")
    rows = rows.filter(state=state) if state else rows
    return _newest(rows.filter(name__icontains=name) if name else rows, before, limit)


def _receipts(by: User, *, tournament_id: int, before: int | None, limit: int) -> list[Payment]:
    return receipts_of(by, registration_queries.payments(event_for(by, tournament_id)), before, limit)


def receipts_of(by: User, rows: QuerySet[Any], before: int | None, limit: int) -> list[Any]:
    """One's own; for the staff of the desk everybody's. The newest first."""
    mine = rows if access.has_role(by, *staff.DESK) else rows.filter(entry__player=by)
    return _newest(mine.order_by("-number"), before, limit)


def _newest(rows: QuerySet[Any], before: int | None, limit: int) -> list[Any]:
    return list((rows.filter(number__lt=before) if before is not None else rows)[:limit])


# -- declared ----------------------------------------------------------------------------------------------------------

FLYER = Page(EVENT, "tournament", _flyer, is_public=True)
DESK = Page(f"{EVENT}desk/", "tournament_desk", desk, staff.DESK, template="tournaments/registration/desk.html")


def _own(word: str, name: str, words: Callable[[Any], str], order: type[Order] | None = None, **gives: str) -> Form:
    """A form of the flyer, which asks for no second factor: nobody enters or pays by it as the desk would."""
    return Form(f"{EVENT}{word}/", f"tournament_{name}", FLYER, _to_player(words), gives=gives, order=order)


def _desk_again(request: HttpRequest, *, refusal: Refusal, **said: Any) -> HttpResponse:
    """The page again with why; with scripts the refusal alone, and what was typed is still there."""
    if request.htmx:
        raise refusal
    address = {name: said[name] for name in DESK.parts}
    return DESK.drawn(request, refusal=refusal, typed=said.get("typed"), **address)


def _desk(word: str, name: str, words: Callable[[Any], str], **gives: str) -> Form:
    """A form of the desk."""
    return Form(f"{EVENT}desk/{word}/", f"tournament_{name}", DESK, _to_desk(words), _desk_again, gives=gives)


def _of_entry(word: str, name: str, words: Callable[[Any], str], **gives: str) -> Form:
    return _desk(f"<id:entrant>/{word}", f"desk_{name}", words, **gives)


_read = partial(Read, tag="entries", scope=("play", "direct"))
_verb = partial(
    Operation, tag="entries", scope=("play", "direct"), description="The player themselves, or the staff of the desk.",
    needs=_whose_entry, keyed=True, out=shapes.EntryRow, refuses=(409, 422),
)  # fmt: skip

PAGES = [DESK]
DECLARED = [
    _read(
        name="entries", summary="List entries", address=f"{EVENT}entries", is_public=True,
        query=shapes.EntryQuery, out=shapes.EntryRow, paged=True, number=lambda row: row.number, finds=_entries,
    ),
    _verb(
        name="enter_tournament", summary="Enter an event", address=f"{EVENT}entries",
        description="For yourself; the desk can enter a player, or a guest without an account. When the event is "
        "full the entry waits as an alternate.", does=_enter, order=shapes.EnterOrder, status=201,
        needs=lambda by, asked: "direct" if asked.get("player") or asked.get("guest") else "play",
        form=(_own("register", "register", _you_entered, shapes.OwnEnterOrder, how=""),
              _desk("enter", "desk_enter", _entered, how="desk")),
    ),
    Operation(
        name="enter_by_name", summary="Enter whoever goes by this name", address="", tag="entries", roles=staff.DESK,
        does=_enter_by_name, order=shapes.NameOrder, keyed=True, form=_desk("name", "desk_name", _entered),
    ),
    Operation(
        name="enter_list", summary="Enter a list of names", address="", tag="entries", roles=staff.DESK,
        does=_enter_list, order=shapes.NamesOrder, keyed=True, form=_desk("list", "desk_list", _all_entered),
    ),
    _read(
        name="entry", summary="An entry", address=_ENTRY, is_public=True, out=shapes.EntryRow,
        finds=lambda by, tournament_id, entrant: registration_queries.entry(event_for(by, tournament_id), entrant),
    ),
    _verb(
        name="identify_guest", summary="Link a guest to a member", address=f"{_ENTRY}/identify", does=_about(_identify),
        order=shapes.IdentifyOrder, key_name="command_id",
        form=_of_entry("identify", "identify",
                       lambda entry: gettext(
"{name} is the member {username}.").format(name=entry.name, username=entry.player.username)),
    ),
    _verb(
        name="unregister", summary="Unregister with a refund", address=f"{_ENTRY}/unregister",
        does=_about(_unregister), order=shapes.ReasonOrder, keyed=False,
        form=(_own("unregister", "unregister",
                   lambda entry: gettext(
"You are unregistered and your payment is refunded."), how=""),
              _of_entry("take-off", "take_back",
                        lambda entry: gettext(
"{name} is removed, and the payment is refunded.").format(name=entry.name), how="")),
    ),
    _verb(
        name="re_enter", summary="Re-enter", address=f"{_ENTRY}/re-enter", does=_about(registration.re_enter),
        order=shapes.ReEnterOrder, status=201,
        form=(_own("re-enter", "re_enter", lambda entry: gettext(
"You are in again, with entry {number}.").format(number=entry.number),
                   shapes.OwnReEnterOrder),
              _of_entry("re-enter", "re_enter",
                        lambda entry: gettext(
"{name} is in again, with entry {number}.").format(name=entry.name, number=entry.number)),
              of_entrant("re-enter", words=_in_again)),
    ),
    _verb(
        name="rebuy", summary="Buy chips", address=f"{_ENTRY}/rebuy", does=_about(buying.rebuy),
        order=shapes.RebuyOrder, out=PaymentRow,
        form=(_own("rebuy", "rebuy", lambda paid: filled(gettext(
"{chips:,} chips bought for {total:,}."), chips=paid.chips, total=paid.total),
                   NothingOrder),
              _of_entry("rebuy", "rebuy", bought), of_entrant("rebuy", words=bought)),
    ),
    _verb(
        name="automatic_rebuy", summary="Turn automatic rebuy on or off", address=f"{_ENTRY}/automatic-rebuy",
        does=_about(_automatic), order=shapes.AutomaticOrder, out=shapes.Automatic, keyed=False,
        form=_own("automatic-rebuy", "automatic_rebuy", _automatic_told),
    ),
    _verb(
        name="add_on", summary="Buy the add-on", address=f"{_ENTRY}/add-on", does=_about(buying.add_on),
        order=shapes.AddOnOrder, out=PaymentRow,
        form=(_own("add-on", "add_on", lambda paid: filled(gettext(
"{chips:,} chips are added, for {total:,}."), chips=paid.chips, total=paid.total),
                   NothingOrder),
              _of_entry("add-on", "add_on", bought), of_entrant("add-on", words=bought)),
    ),
    _read(
        name="alternates", summary="List alternates, the next one first", is_public=True, out=shapes.EntryRow,
        address=f"{EVENT}alternates", many=True,
        finds=lambda by, tournament_id: registration_queries.in_order(event_for(by, tournament_id)).filter(
            state=State.ALTERNATE),
    ),
    _verb(
        name="remove_no_shows", summary="Remove no-shows and refund them", scope="direct", many=True,
        address=f"{EVENT}no-shows", does=registration.remove_no_shows, needs=None,
        description="For the staff of the desk. Under another key it is refused: the entries are already removed.",
        roles=staff.DESK, order=shapes.NoShowsOrder,
        form=_desk("no-shows", "no_shows",
                   lambda gone: gettext(
"Removed and refunded: {choices}.").format(choices=', '.join(entry.name for entry in gone))),
    ),
    _verb(
        name="pay_refunds", summary="Pay the refunds that are due to a player in cash", scope="direct", needs=None,
        description="For the staff of the desk, out of their open drawer.", address=f"{_ENTRY}/pay-refunds",
        does=registration.pay_refunds, roles=staff.DESK, order=NothingOrder, out=PaymentRow, many=True, keyed=False,
        form=_of_entry("pay-refunds", "pay_refunds", _refunds_paid),
    ),
    _read(
        name="receipts", summary="Receipts", address=f"{EVENT}receipts", out=PaymentRow,
        description="Your own; for the staff of the desk everybody's.", paged=True, number=lambda row: row.number,
        finds=_receipts,
    ),
]  # fmt: skip
