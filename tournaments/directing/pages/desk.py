"""The desk: the staff enter members, by their screen names, and guests; sell chips and pay refunds.

The desk is one search: `?q=` finds members who may enter and entries of the event. `?entry=` shows one entry, for
its papers.
"""

from collections.abc import Collection
from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Any

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
from cardroom.core.errors import Refusal
from cardroom.core.models import User
from cardroom.core.sentences import filled
from cardroom.core.web.forms import PagePost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Context, Page, went_to
from tournaments.directing.pages.entries import (
    Pasted,
    add_on,
    enter,
    enter_by_name,
    enter_list,
    identify,
    re_enter,
    rebuy,
    unregister,
)
from tournaments.events import money, staff, terms
from tournaments.events.models import Payment, Tournament, TournamentEntry
from tournaments.prizes.models import Ticket
from tournaments.registration import guests, registration
from tournaments.registration import queries as registration_queries
from tournaments.registration.pages.entry_box import is_good
from tournaments.registration.pages.flyer import sheet
from tournaments.registration.pages.views import EVENT, event_of, looked_for

State = TournamentEntry.State

ENTRIES_A_PAGE = 50
_MEMBERS = 12
FILTERS = {
    "": gettext_lazy("Everybody"),
    "waiting": gettext_lazy("Alternates"),
    "unseen": gettext_lazy("Not seen yet"),
    "out": pgettext_lazy("busted", "Out"),
    "gone": gettext_lazy("Removed"),
}
_FILTERED = {
    "waiting": Q(state=State.ALTERNATE),
    "unseen": Q(state=State.IN, arrived_at=None),
    "out": Q(state=State.OUT),
    "gone": Q(state=State.WITHDRAWN),
}


@dataclass(frozen=True)
class MemberWithoutEntry:
    """A member among the search hits who has no entry in this event."""

    user: User
    wallet: int
    tickets: list[Ticket]


def desk(request: HttpRequest, *, tournament_id: int) -> Context:
    query = looked_for(request.POST or request.GET, "q", "guest", most=60)
    return _desk_of(request, event_of(request, tournament_id), query, request.GET.get("entry", ""))


def _desk_of(request: HttpRequest, row: Tournament, query: str, number: str) -> Context:
    show = request.GET.get("show", "")
    entries = _filtered_entries(row, show)
    if query:
        entries = entries.filter(Q(name__icontains=query) | Q(player__username__icontains=query))
    people = _people(row, query) if query else []
    picked = _picked_entry(row, number)
    page = Paginator(entries, ENTRIES_A_PAGE).get_page(request.GET.get("page"))
    event_sheet = sheet(row, now=timezone.now())
    return {
        "tournament": row,
        "sheet": event_sheet,
        "price": terms.price_of(row, "entry"),
        "offered": {price.what for price in event_sheet["prices"]},
        "query": query,
        "people": people,
        "members": _members(row, query, but={entry.player_id for entry in people}) if query else [],
        "guest": query,
        "is_taken": bool(query) and guests.of_name(row, query).exclude(state=State.WITHDRAWN).exists(),
        "page": page,
        "in_cash": [entry.number for entry in page if any(map(money.is_cash, entry.payments.all()))],
        "takes_cash": cage_queries.takes_cash(request.user),
        "has_prices": any(price.paid.total for price in event_sheet["prices"]),
        "refunds": registration_queries.refunds_due(row),
        "show": show,
        "filters": FILTERS.items(),
        "picked": picked,
        "is_guest": picked is not None and guests.is_guest(picked),
        "re_entry": terms.price_of(row, "re_entry"),
        "is_director": access.has_role(request.user, *staff.DIRECTORS),
    }


def _filtered_entries(row: Tournament, show: str) -> QuerySet[TournamentEntry]:
    entries = registration_queries.in_order(row).filter(_FILTERED.get(show, ~Q(state=State.WITHDRAWN)))
    return entries.order_by("number" if show == "waiting" else "-number").prefetch_related("payments")


def _picked_entry(row: Tournament, number: str) -> TournamentEntry | None:
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        return None
    return registration_queries.in_order(row).prefetch_related("payments").filter(number=int(number)).first()


def _people(row: Tournament, query: str) -> list[TournamentEntry]:
    """Players of the event with such a name, each with their last valid entry; players who are out come first. One
    query."""
    named = [f"{where}__icontains" for where in ("name", "player__username", "player__first_name", "player__last_name")]
    wanted = Q(*[(field, query) for field in named], _connector=Q.OR)
    matches = row.entries.exclude(state=State.WITHDRAWN).filter(wanted).select_related("player")
    last = {entry.player_id: entry for entry in matches.order_by("number")}
    return sorted(last.values(), key=lambda entry: (entry.state != State.OUT, entry.number))[:_MEMBERS]


def _members(row: Tournament, query: str, *, but: Collection[int]) -> list[MemberWithoutEntry]:
    """Members with such a name, except the ids in `but`, with their wallets and tickets. Three queries."""
    named = Q(username__icontains=query) | Q(first_name__icontains=query) | Q(last_name__icontains=query)
    accounts = User.objects.filter(named, is_bot=False, is_active=True).exclude(pk__in=but)
    users = list(accounts.order_by("username")[:_MEMBERS])
    wallets = account_queries.wallet_balances(users)
    held: dict[int, list[Ticket]] = {}
    for ticket in Ticket.objects.filter(player__in=users, state=Ticket.State.ISSUED).order_by("pk"):
        if is_good(ticket, row, timezone.now()):
            held.setdefault(ticket.player_id, []).append(ticket)
    return [MemberWithoutEntry(user, wallets[user.pk], held.get(user.pk, [])) for user in users]


DESK = Page(f"{EVENT}desk/", "tournament_desk", desk, staff.DESK, template="tournaments/registration/desk.html")


class DeskForm(PagePost):
    """A form of the desk. The desk then shows the entry that the form was about."""

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
            return _page_after(request, event_of(request, tournament_id), words, entry)
        number = f"?entry={entry.number}" if entry is not None else ""
        return went_to(request, words, f"{reverse('tournament_desk', args=[tournament_id])}{number}")

    def refused(self, request: HttpRequest, refusal: Refusal, **address: Any) -> HttpResponse:
        """The page again with why; with scripts the refusal alone, and what was typed is still there."""
        if request.htmx:
            raise refusal
        return DESK.drawn(request, refusal=refusal, typed=request.POST, tournament_id=address["tournament_id"])


def _page_after(request: HttpRequest, row: Tournament, words: str, entry: TournamentEntry | None) -> HttpResponse:
    """The desk after an order, with what was done, to be printed and undone. A page takes its parts out of it."""
    outcome = {"confirmation": words, "entered": _picked_entry(row, str(entry.number)) if entry is not None else None}
    context = _desk_of(request, row, "", "") | outcome | {"key": token_urlsafe(12), "typed": {}}
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


class RemoveEntryForm(DeskForm):
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


urlpatterns = page_urls(
    [DESK],
    forms=[
        EnterForm,
        EnterByNameForm,
        EnterListForm,
        IdentifyForm,
        RemoveEntryForm,
        ReEnterForm,
        RebuyForm,
        AddOnForm,
        NoShowsForm,
        PayRefundsForm,
    ],
)
