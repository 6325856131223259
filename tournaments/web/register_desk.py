"""The desk of an event: people come in by name, with or without an account, pay, go, and are taken off.

The page is one search: `?q=` finds members who may come in and entries that are there. `?entry=` shows one of them, for
its papers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from cardroom.models import User
from cardroom.services import access
from cardroom.services import selectors as house
from cardroom.services.errors import CardroomError, NotFound
from tournaments.models import Ticket, Tournament, TournamentEntry
from tournaments.selectors import entries
from tournaments.services import buying, prices, registration, staff
from tournaments.web import forms
from tournaments.web.flyer import sheet
from tournaments.web.offers import is_good
from tournaments.web.views import event_of

EntryState = TournamentEntry.State
ENTRIES_A_PAGE = 50
_MEMBERS = 12

SHOWS = {"": "Everybody", "waiting": "Alternates", "unseen": "Not seen yet", "out": "Out", "gone": "Taken off"}


@dataclass(frozen=True)
class Member:
    """Somebody with an account who is looked for. `entry`: his in this event, if he has one that stands."""

    user: User
    wallet: int
    tickets: list[Ticket]
    entry: TournamentEntry | None


@login_required
@never_cache
@require_safe
def desk(request: HttpRequest, tournament_id: int) -> HttpResponse:
    access.require_role(request.user, *staff.DESK)
    return _page(request, event_of(request, tournament_id))


@login_required
@require_POST
def enter(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """A member by his number, or a guest by his name."""

    def act(row: Tournament, by: User) -> tuple[str, int]:
        asked = forms.sent(forms.DeskEntryForm, request.POST)
        player_id = asked.pop("player_id")
        player = User.objects.filter(pk=player_id, is_bot=False, is_active=True).first() if player_id else None
        if player_id and player is None:
            raise NotFound("There is no such member.", "no-such-player")
        entry = registration.register(tournament_id=row.pk, now=timezone.now(), by=by, player=player, **asked)
        if entry.state == EntryState.ALTERNATE:
            return f"{entry.name} waits for a seat, with entry {entry.number}.", entry.number
        where = f" at table {entry.table}, seat {entry.seat}" if entry.table else ""
        return f"{entry.name} is in{where}, with entry {entry.number}.", entry.number

    return _done(request, tournament_id, act)


@login_required
@require_POST
def take_back(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    def act(row: Tournament, by: User) -> tuple[str, int]:
        reason = forms.sent(forms.ReasonForm, request.POST)["reason"]
        entry = registration.unregister(tournament_id=row.pk, now=timezone.now(), by=by, entrant=number, reason=reason)
        return f"{entry.name} is taken off, and what was paid is refunded.", number

    return _done(request, tournament_id, act)


@login_required
@require_POST
def re_enter(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    def act(row: Tournament, by: User) -> tuple[str, int]:
        asked = forms.sent(forms.DeskBuyForm, request.POST)
        asked.pop("stack")
        entry = registration.re_enter(tournament_id=row.pk, now=timezone.now(), by=by, entrant=number, **asked)
        return f"{entry.name} is in again, with entry {entry.number}.", entry.number

    return _done(request, tournament_id, act)


@login_required
@require_POST
def rebuy(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    def act(row: Tournament, by: User) -> tuple[str, int]:
        asked = forms.sent(forms.DeskBuyForm, request.POST)
        payment = buying.rebuy(tournament_id=row.pk, now=timezone.now(), by=by, entrant=number, **asked)
        return f"{payment.entry.name} gets {payment.chips:,} chips for {payment.total:,}.", number

    return _done(request, tournament_id, act)


@login_required
@require_POST
def add_on(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    def act(row: Tournament, by: User) -> tuple[str, int]:
        asked = forms.sent(forms.DeskBuyForm, request.POST)
        asked.pop("stack")
        payment = buying.add_on(tournament_id=row.pk, now=timezone.now(), by=by, entrant=number, **asked)
        return f"{payment.entry.name} gets {payment.chips:,} chips for {payment.total:,}.", number

    return _done(request, tournament_id, act)


@login_required
@require_POST
def no_shows(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Those who were ticked never came."""

    def act(row: Tournament, by: User) -> tuple[str, int]:
        asked = forms.sent(forms.NoShowsForm, request.POST)
        gone = registration.remove_no_shows(
            tournament_id=row.pk, entrants=asked["entrants"], now=timezone.now(), by=by, expected_seq=asked["seq"]
        )
        names = ", ".join(entry.name for entry in gone)
        return f"Taken off and refunded: {names}.", 0

    return _done(request, tournament_id, act)


def _done(request: HttpRequest, tournament_id: int, act: Callable[[Tournament, User], tuple[str, int]]) -> HttpResponse:
    """Do it, and go back to the desk with the entry it was about; a refusal is said there, with what was typed."""
    access.require_role(request.user, *staff.DESK)
    row = event_of(request, tournament_id)
    try:
        words, number = act(row, request.user)
    except CardroomError as refusal:
        return _page(request, row, refusal=refusal)
    messages.success(request, words)
    address = reverse("tournament_desk", args=[tournament_id])
    return redirect(f"{address}?entry={number}" if number else address)


def _page(request: HttpRequest, row: Tournament, *, refusal: CardroomError | None = None) -> HttpResponse:
    given = request.POST if request.method == "POST" else request.GET
    asked = " ".join((given.get("q") or given.get("guest") or "").replace("\0", "").split())[:60]
    show = request.GET.get("show", "")
    found = _entries(row, show)
    if asked:
        found = found.filter(Q(name__icontains=asked) | Q(player__username__icontains=asked))
    number = request.GET.get("entry", "")
    told = sheet(row, now=timezone.now())
    context: dict[str, Any] = {
        "tournament": row,
        "sheet": told,
        "price": prices.of(row, "entry"),
        "offered": {price.what for price in told.prices},
        "asked": asked,
        "members": _members(row, asked) if asked else [],
        "guest": asked,
        "page": Paginator(found, ENTRIES_A_PAGE).get_page(request.GET.get("page")),
        "show": show,
        "shows": SHOWS.items(),
        "picked": _picked(row, number),
        "is_director": access.has_role(request.user, *staff.DIRECTORS),
        "key": token_urlsafe(12),
        "refusal": refusal,
    }
    return render(request, "tournaments/desk.html", context, status=refusal.status if refusal else 200)


def _entries(row: Tournament, show: str) -> QuerySet[TournamentEntry]:
    found = entries.in_order(row).order_by("-number").prefetch_related("payments")
    if show == "waiting":
        return found.filter(state=EntryState.ALTERNATE).order_by("number")
    if show == "unseen":
        return found.filter(state=EntryState.IN, arrived_at=None)
    if show == "out":
        return found.filter(state=EntryState.OUT)
    return found.filter(state=EntryState.WITHDRAWN) if show == "gone" else found.exclude(state=EntryState.WITHDRAWN)


def _picked(row: Tournament, number: str) -> TournamentEntry | None:
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        return None
    return entries.in_order(row).prefetch_related("payments").filter(number=int(number)).first()


def _members(row: Tournament, asked: str) -> list[Member]:
    """Those who go by such a name, with what they could pay with. Four queries."""
    named = Q(username__icontains=asked) | Q(first_name__icontains=asked) | Q(last_name__icontains=asked)
    users = list(User.objects.filter(named, is_bot=False, is_active=True).order_by("username")[:_MEMBERS])
    wallets = house.wallet_balances(users)
    held: dict[int, list[Ticket]] = {}
    for ticket in Ticket.objects.filter(player__in=users, state=Ticket.State.ISSUED).order_by("pk"):
        if is_good(ticket, row, timezone.now()):
            held.setdefault(ticket.player_id, []).append(ticket)
    live = row.entries.filter(player__in=users, state__in=[EntryState.IN, EntryState.ALTERNATE])
    standing = {entry.player_id: entry for entry in live}
    return [Member(user, wallets[user.pk], held.get(user.pk, []), standing.get(user.pk)) for user in users]
