"""Registration: who comes into an event, buys chips, goes again and comes back, by themselves or at the desk.

A player does it on the flyer of the event, or at their table; the staff at the desk for members, by their screen names,
and for guests. The desk is one search: `?q=` finds members who may come in and entries that are there. `?entry=` shows
one of them, for its papers.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Annotated, Any

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext, pgettext_lazy

from cardroom.accounts import people as account_queries
from cardroom.cage import queries as cage_queries
from cardroom.core import access
from cardroom.core.arguments import Limits, RowId, internal
from cardroom.core.errors import Invalid, Refusal
from cardroom.core.models import User
from cardroom.core.sentences import filled
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import NothingOrder
from cardroom.core.web.forms import PagePost
from cardroom.core.web.operations import Context, Page, went_to
from cardroom.core.web.resources import Resource, addresses, does, reads
from tournaments.directing.pages.console_forms import ENTRANT, ConsoleForm
from tournaments.events import money, staff, terms
from tournaments.events.arguments import MOST_ID, EntrantNumber
from tournaments.events.models import Payment, Tournament, TournamentEntry
from tournaments.events.pages import fields
from tournaments.events.pages import serializers as shapes
from tournaments.events.pages.serializers import PaymentRow
from tournaments.prizes.models import Ticket
from tournaments.registration import buying, guests, registration
from tournaments.registration import queries as registration_queries
from tournaments.registration.pages.entry_box import is_good
from tournaments.registration.pages.flyer import sheet
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


# -- what is done ------------------------------------------------------------------------------------------------------

Paying = Annotated[
    str,
    Limits(
        choices=shapes.PAYING,
        required=False,
        allow_blank=False,
        help_text="Your wallet, or cash at the desk; `house` for directors.",
    ),
]
TicketNumber = Annotated[int | None, Limits(min_value=1, max_value=MOST_ID, allow_null=True)]


@dataclass(frozen=True)
class Pasted:
    """What came of a list of names: the `entries`, and (name, why) of each that was `refused`."""

    entries: list[TournamentEntry]
    refused: list[tuple[str, str]]


def enter(
    *,
    tournament_id: RowId,
    player: Annotated[
        str, Limits(required=False, allow_blank=False, max_length=150, help_text="The player's screen name.")
    ] = "",
    guest: Annotated[str, Limits(required=False, allow_blank=False, max_length=60)] = "",
    method: Paying = "",
    ticket_id: Annotated[TicketNumber, Limits(help_text="The ticket that pays.")] = None,
    entry_code: Annotated[str, Limits(required=False, max_length=40)] = "",
    how: Annotated[str, internal] = "api",
    key: str,
    by: User,
) -> TournamentEntry:
    """Enter by yourself: name nobody. The desk names a `player` with an account, or a `guest` without one."""
    event_for(by, tournament_id)
    is_desk = how == "desk" or bool(player or guest)
    if is_desk:
        staff.require(by, staff.DESK)
    who = fields.member_called(player) if player else None if is_desk else by
    return registration.register.once(
        key,
        tournament_id=tournament_id,
        player=who,
        guest=guest,
        method=method,
        ticket_id=ticket_id,
        entry_code=entry_code,
        how="" if is_desk else how,
        by=by,
    )


def enter_by_name(
    *,
    tournament_id: RowId,
    name: Annotated[str, Limits(called="q", max_length=60)],
    method: Paying = "",
    key: str,
    by: User,
) -> TournamentEntry:
    """At the desk, one name and Enter: `q`, a name, a card or a member's number."""
    event_for(by, tournament_id)
    called = guests.called(name)
    return registration.register.once(key, tournament_id=tournament_id, method=method, by=by, **called)


def enter_list(
    *, tournament_id: RowId, names: Annotated[str, Limits(max_length=8000)], method: Paying = "", key: str, by: User
) -> Pasted:
    """One name a line, each an entry of its own; what is refused stops none of the others."""
    lines = list(dict.fromkeys(filter(None, map(guests.name_of, names.splitlines()))))
    if not 1 <= len(lines) <= MOST_PASTED:
        raise Invalid("bad-list", "Paste 1 to {most} names, one a line.", most=MOST_PASTED)
    entries: list[TournamentEntry] = []
    refused: list[tuple[str, str]] = []
    for place, name in enumerate(lines):
        try:
            own_key = f"{key}-{place}" if key else ""
            entries.append(enter_by_name(tournament_id=tournament_id, name=name, method=method, key=own_key, by=by))
        except Refusal as error:
            refused.append((name, str(error.message)))
    return Pasted(entries, refused)


def _check_may(by: User, tournament_id: int, entrant: int | None) -> None:
    """Something is done about an entry: one's own, which a form of one's own does not name, or at the desk
    anybody's."""
    row = event_for(by, tournament_id)
    if entrant is not None and registration_queries.entry(row, entrant).player_id != by.pk:
        staff.require(by, staff.DESK)


def unregister(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber | None = None,
    reason: Annotated[str, Limits(required=False, max_length=200)] = "",
    by: User,
) -> TournamentEntry:
    """Take an entry off and refund it."""
    _check_may(by, tournament_id, entrant)
    return registration.unregister(tournament_id=tournament_id, entrant=entrant, reason=reason, by=by)


def unregister_once(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber,
    reason: Annotated[str, Limits(required=False, max_length=200)] = "",
    by: User,
) -> TournamentEntry:
    """The same; a program that asks again has what it wants."""
    _check_may(by, tournament_id, entrant)
    gone = TournamentEntry.objects.filter(tournament=tournament_id, number=entrant, state=State.WITHDRAWN).first()
    return gone or registration.unregister(tournament_id=tournament_id, entrant=entrant, reason=reason, by=by)


def re_enter(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber | None = None,
    method: Paying = "",
    ticket_id: TicketNumber = None,
    key: str,
    by: User,
) -> TournamentEntry:
    """Enter once more after a bust."""
    _check_may(by, tournament_id, entrant)
    return registration.re_enter.once(
        key, tournament_id=tournament_id, entrant=entrant, method=method, ticket_id=ticket_id, by=by
    )


def rebuy(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber | None = None,
    method: Paying = "",
    stack: Annotated[
        int | None,
        Limits(min_value=0, max_value=10**12, allow_null=True, help_text="At the desk: what the player has now."),
    ] = None,
    key: str,
    by: User,
) -> Payment:
    """Buy chips."""
    _check_may(by, tournament_id, entrant)
    return buying.rebuy.once(key, tournament_id=tournament_id, entrant=entrant, method=method, stack=stack, by=by)


def add_on(
    *, tournament_id: RowId, entrant: EntrantNumber | None = None, method: Paying = "", key: str, by: User
) -> Payment:
    """Buy the add-on."""
    _check_may(by, tournament_id, entrant)
    return buying.add_on.once(key, tournament_id=tournament_id, entrant=entrant, method=method, by=by)


def ask_for_rebuys(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber | None = None,
    on: Annotated[bool, Limits(help_text="Whether a rebuy is bought by itself as soon as the last chips are gone.")],
    by: User,
) -> dict[str, bool]:
    """Turn automatic rebuy on or off."""
    _check_may(by, tournament_id, entrant)
    player = by if entrant is None else registration_queries.entry(event_for(by, tournament_id), entrant).player
    buying.ask(tournament_id=tournament_id, player=player, on=on)
    return {"on": on}


def identify(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber,
    player: Annotated[str, Limits(max_length=150, help_text="The screen name of the member.")],
    key: str,
    by: User,
) -> TournamentEntry:
    """Link a guest to a member."""
    _check_may(by, tournament_id, entrant)
    member = fields.member_called(player)
    return guests.identify.once(key, tournament_id=tournament_id, entrant=entrant, player=member, by=by)


def _scope_of_entry(by: User, arguments: Mapping[str, Any]) -> str:
    """The scope for what is done about an entry: one's own, or somebody's at the desk."""
    entry = registration_queries.entry(event_for(by, arguments["tournament_id"]), arguments["entrant"])
    return "play" if entry.player_id == by.pk else "direct"


# -- forms of the flyer and the table ----------------------------------------------------------------------------------


def _flyer(request: HttpRequest, *, tournament_id: int, refusal: Refusal, typed: Any) -> HttpResponse:
    """A refusal is said in the box itself, with what was typed still there; asked from the table, it is said there."""
    row = event_of(request, tournament_id)
    if request.htmx:
        raise refusal
    return flyer_page(request, row, refusal=refusal, typed=typed.get("entry_code", ""))


FLYER = Page(EVENT, "tournament", _flyer, is_public=True)
DESK = Page(f"{EVENT}desk/", "tournament_desk", desk, staff.DESK, template="tournaments/registration/desk.html")


class OwnForm(PagePost):
    """A form of a player's own, which asks for no second factor: nobody enters or pays by it as the desk would."""

    page = FLYER

    def typed(self, form: QueryDict) -> QueryDict:
        """It is about their own entry, whatever else is sent."""
        form.pop("entrant", None)
        return form

    def words(self, result: Any) -> str:
        """What the player is told."""
        raise NotImplementedError

    def done(self, request: HttpRequest, result: Any) -> HttpResponse:
        words = self.words(result)
        if request.htmx:
            return HttpResponse(status=204, headers={"HX-Trigger": json.dumps({"toast": {"message": words}})})
        return went_to(request, words, "tournament", request.resolver_match.kwargs["tournament_id"])


class OwnEnterForm(OwnForm):
    path, name, does = f"{EVENT}register/", "tournament_register", enter
    body = shapes.OwnEnterOrder

    def arguments(self, form: QueryDict, address: dict[str, Any]) -> dict[str, Any]:
        return super().arguments(form, address) | {"how": ""}

    def words(self, result: TournamentEntry) -> str:
        if result.state == State.ALTERNATE:
            waits = gettext("The tournament is full: you wait for a seat, with entry {number}.")
            return waits.format(number=result.number)
        return gettext("You are in, with entry {number}. Good luck.").format(number=result.number)


class OwnUnregisterForm(OwnForm):
    path, name, does = f"{EVENT}unregister/", "tournament_unregister", unregister

    def words(self, result: TournamentEntry) -> str:
        return gettext("You are unregistered and your payment is refunded.")


class OwnReEnterForm(OwnForm):
    path, name, does = f"{EVENT}re-enter/", "tournament_re_enter", re_enter
    body = shapes.OwnReEnterOrder

    def words(self, result: TournamentEntry) -> str:
        return gettext("You are in again, with entry {number}.").format(number=result.number)


class OwnRebuyForm(OwnForm):
    path, name, does, body = f"{EVENT}rebuy/", "tournament_rebuy", rebuy, NothingOrder

    def words(self, result: Payment) -> str:
        return filled(gettext("{chips:,} chips bought for {total:,}."), chips=result.chips, total=result.total)


class OwnAddOnForm(OwnForm):
    path, name, does, body = f"{EVENT}add-on/", "tournament_add_on", add_on, NothingOrder

    def words(self, result: Payment) -> str:
        return filled(gettext("{chips:,} chips are added, for {total:,}."), chips=result.chips, total=result.total)


class OwnAutomaticForm(OwnForm):
    path, name, does = f"{EVENT}automatic-rebuy/", "tournament_automatic_rebuy", ask_for_rebuys

    def words(self, result: dict[str, bool]) -> str:
        if result["on"]:
            return gettext("Automatic rebuy is on: when you lose your last chips, a rebuy is bought from your wallet.")
        return gettext("Automatic rebuy is off.")


# -- forms of the desk -------------------------------------------------------------------------------------------------


class DeskForm(PagePost):
    """A form of the desk, which is then shown with the entry that it was about."""

    page = DESK

    def words(self, result: Any) -> str:
        """What the desk is told."""
        raise NotImplementedError

    def entry(self, result: Any) -> TournamentEntry | None:
        """The entry that it was about; None for several."""
        return result.entry if isinstance(result, Payment) else result

    def done(self, request: HttpRequest, result: Any) -> HttpResponse:
        words, entry = self.words(result), self.entry(result)
        tournament_id = request.resolver_match.kwargs["tournament_id"]
        if request.htmx:
            return _told(request, event_of(request, tournament_id), words, entry)
        number = f"?entry={entry.number}" if entry is not None else ""
        return went_to(request, words, f"{reverse('tournament_desk', args=[tournament_id])}{number}")

    def refused(self, request: HttpRequest, refusal: Refusal, **address: Any) -> HttpResponse:
        """The page again with why; with scripts the refusal alone, and what was typed is still there."""
        if request.htmx:
            raise refusal
        return DESK.drawn(request, refusal=refusal, typed=request.POST, tournament_id=address["tournament_id"])


def _told(request: HttpRequest, row: Tournament, words: str, entry: TournamentEntry | None) -> HttpResponse:
    """The desk as it is then, of which a page takes its parts; with what was done, to be printed and undone."""
    told = {"told": words, "entered": _picked(row, str(entry.number)) if entry is not None else None}
    context = _desk_of(request, row, "", "") | told | {"key": token_urlsafe(12), "typed": {}}
    return render(request, DESK.template, context)


class EnterForm(DeskForm):
    path, name, does = f"{EVENT}desk/enter/", "tournament_desk_enter", enter

    def arguments(self, form: QueryDict, address: dict[str, Any]) -> dict[str, Any]:
        return super().arguments(form, address) | {"how": "desk"}

    def words(self, result: TournamentEntry) -> str:
        name, number = result.name, result.number
        if result.state == State.ALTERNATE:
            return gettext("{name} waits for a seat, with entry {number}.").format(name=name, number=number)
        if not result.table:
            return gettext("{name} is in, with entry {number}.").format(name=name, number=number)
        seated = gettext("{name} is in at table {table}, seat {seat}, with entry {number}.")
        return seated.format(name=name, table=result.table, seat=result.seat, number=number)


class EnterByNameForm(EnterForm):
    path, name, does = f"{EVENT}desk/name/", "tournament_desk_name", enter_by_name

    def arguments(self, form: QueryDict, address: dict[str, Any]) -> dict[str, Any]:
        return PagePost.arguments(self, form, address)


class EnterListForm(DeskForm):
    path, name, does = f"{EVENT}desk/list/", "tournament_desk_list", enter_list

    def words(self, result: Pasted) -> str:
        number = len(result.entries)
        words = ngettext("{n} entered.", "{n} entered.", number).format(n=number)
        for name, why in result.refused:
            words += " " + gettext("Not entered: {name}. {why}").format(name=name, why=why)
        return words

    def entry(self, result: Pasted) -> None:
        return None


class IdentifyForm(DeskForm):
    path, name, does = f"{EVENT}desk/<id:entrant>/identify/", "tournament_desk_identify", identify

    def words(self, result: TournamentEntry) -> str:
        words = gettext("{name} is the member {username}.")
        return words.format(name=result.name, username=result.player.username)


class TakeOffForm(DeskForm):
    path, name, does = f"{EVENT}desk/<id:entrant>/take-off/", "tournament_desk_take_back", unregister

    def words(self, result: TournamentEntry) -> str:
        return gettext("{name} is removed, and the payment is refunded.").format(name=result.name)


class ReEnterForm(DeskForm):
    path, name, does = f"{EVENT}desk/<id:entrant>/re-enter/", "tournament_desk_re_enter", re_enter

    def words(self, result: TournamentEntry) -> str:
        return gettext("{name} is in again, with entry {number}.").format(name=result.name, number=result.number)


class RebuyForm(DeskForm):
    path, name, does = f"{EVENT}desk/<id:entrant>/rebuy/", "tournament_desk_rebuy", rebuy

    def words(self, result: Payment) -> str:
        return bought(result)


class AddOnForm(DeskForm):
    path, name, does = f"{EVENT}desk/<id:entrant>/add-on/", "tournament_desk_add_on", add_on

    def words(self, result: Payment) -> str:
        return bought(result)


class NoShowsForm(DeskForm):
    path, name, does = f"{EVENT}desk/no-shows/", "tournament_no_shows", registration.remove_no_shows

    def words(self, result: list[TournamentEntry]) -> str:
        names = ", ".join(entry.name for entry in result)
        return gettext("Removed and refunded: {choices}.").format(choices=names)

    def entry(self, result: list[TournamentEntry]) -> None:
        return None


class PayRefundsForm(DeskForm):
    path, name = f"{EVENT}desk/<id:entrant>/pay-refunds/", "tournament_desk_pay_refunds"
    does = registration.pay_refunds

    def words(self, result: list[Payment]) -> str:
        if not result:
            return gettext("No refund is due.")
        total = sum(payment.total for payment in result)
        return filled(gettext("{name} is paid {total:,} back."), name=result[0].entry.name, total=total)

    def entry(self, result: list[Payment]) -> None:
        return None


def bought(payment: Payment) -> str:
    return filled(
        gettext("{name} gets {chips:,} chips for {total:,}."),
        name=payment.entry.name,
        chips=payment.chips,
        total=payment.total,
    )


# -- buttons of the console --------------------------------------------------------------------------------------------


class ReEnterButton(ConsoleForm):
    does, button, named, key_name = re_enter, "re-enter", ENTRANT, "key"

    def words(self, row: Tournament, result: TournamentEntry) -> str:
        words = gettext("{name} is in again, with entry {number}.")
        if result.table:
            words = gettext("{name} is in again at table {table}, seat {seat}, with entry {number}.")
        return words.format(name=result.name, table=result.table, seat=result.seat, number=result.number)


class RebuyButton(ConsoleForm):
    does, button, named, key_name = rebuy, "rebuy", ENTRANT, "key"

    def words(self, row: Tournament, result: Payment) -> str:
        return bought(result)


class AddOnButton(ConsoleForm):
    does, button, named, key_name = add_on, "add-on", ENTRANT, "key"

    def words(self, row: Tournament, result: Payment) -> str:
        return bought(result)


# -- what programs ask -------------------------------------------------------------------------------------------------


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
    mine = rows if access.has_role(by, *staff.DESK) else rows.filter(entry__player=by)
    return _newest(mine.order_by("-number"), before, limit)


def _newest(rows: QuerySet[Any], before: int | None, limit: int) -> list[Any]:
    return list((rows.filter(number__lt=before) if before is not None else rows)[:limit])


class OfEntries(Resource):
    """What is done about entries: by players about their own, or by the staff of the desk."""

    tags, scope = ("entries",), ("play", "direct")


_THEMSELVES = "The player themselves, or the staff of the desk."


class EntriesResource(OfEntries):
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


class EntryResource(OfEntries):
    path = _ENTRY
    get = reads(entry, name="entry", summary="An entry", is_public=True, answers=shapes.EntryRow)


class IdentifyResource(OfEntries):
    path = f"{_ENTRY}/identify"
    post = does(
        identify,
        name="identify_guest",
        summary="Link a guest to a member",
        description=_THEMSELVES,
        answers=shapes.EntryRow,
        refuses=(409, 422),
        needs=_scope_of_entry,
    )


class UnregisterResource(OfEntries):
    path = f"{_ENTRY}/unregister"
    post = does(
        unregister_once,
        name="unregister",
        summary="Unregister with a refund",
        description=_THEMSELVES,
        answers=shapes.EntryRow,
        refuses=(409, 422),
        needs=_scope_of_entry,
    )


class ReEnterResource(OfEntries):
    path = f"{_ENTRY}/re-enter"
    post = does(
        re_enter,
        name="re_enter",
        summary="Re-enter",
        description=_THEMSELVES,
        answers=shapes.EntryRow,
        status=201,
        refuses=(409, 422),
        needs=_scope_of_entry,
    )


class RebuyResource(OfEntries):
    path = f"{_ENTRY}/rebuy"
    post = does(
        rebuy,
        name="rebuy",
        summary="Buy chips",
        description=_THEMSELVES,
        answers=PaymentRow,
        refuses=(409, 422),
        needs=_scope_of_entry,
    )


class AutomaticRebuyResource(OfEntries):
    path = f"{_ENTRY}/automatic-rebuy"
    post = does(
        ask_for_rebuys,
        name="automatic_rebuy",
        summary="Turn automatic rebuy on or off",
        description=_THEMSELVES,
        answers=shapes.AutomaticRebuys,
        refuses=(409, 422),
        needs=_scope_of_entry,
    )


class AddOnResource(OfEntries):
    path = f"{_ENTRY}/add-on"
    post = does(
        add_on,
        name="add_on",
        summary="Buy the add-on",
        description=_THEMSELVES,
        answers=PaymentRow,
        refuses=(409, 422),
        needs=_scope_of_entry,
    )


class AlternatesResource(OfEntries):
    path = f"{EVENT}alternates"
    get = reads(
        alternates,
        name="alternates",
        summary="List alternates, the next one first",
        is_public=True,
        answers=shapes.EntryRow,
        many=True,
    )


class NoShowsResource(OfEntries):
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


class PayRefundsResource(OfEntries):
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


class ReceiptsResource(OfEntries):
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
        EntryResource,
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
urlpatterns = of.pages(
    [DESK],
    posts=[
        OwnEnterForm,
        OwnUnregisterForm,
        OwnReEnterForm,
        OwnRebuyForm,
        OwnAddOnForm,
        OwnAutomaticForm,
        EnterForm,
        EnterByNameForm,
        EnterListForm,
        IdentifyForm,
        TakeOffForm,
        ReEnterForm,
        RebuyForm,
        AddOnForm,
        NoShowsForm,
        PayRefundsForm,
    ],
)
POSTS = [ReEnterButton, RebuyButton, AddOnButton]
