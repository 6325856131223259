"""The desk of an event: people come in by name, with or without an account, pay, go, and are taken off.

The page is one search: `?q=` finds members who may come in and entries that are there. `?entry=` shows one of them, for
its papers.
"""

from collections.abc import Collection
from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from cardroom.models import User
from cardroom.services import access
from cardroom.services import selectors as house
from cardroom.services.errors import CardroomError
from tournaments.models import Ticket, Tournament, TournamentEntry
from tournaments.selectors import entries
from tournaments.services import guests, prices, staff
from tournaments.web.flyer import sheet
from tournaments.web.offers import is_good
from tournaments.web.views import event_of

EntryState = TournamentEntry.State
ENTRIES_A_PAGE = 50
_MEMBERS = 12

SHOWS = {"": "Everybody", "waiting": "Alternates", "unseen": "Not seen yet", "out": "Out", "gone": "Taken off"}


@dataclass(frozen=True)
class Member:
    """Somebody with an account who is looked for and has no entry in this event."""

    user: User
    wallet: int
    tickets: list[Ticket]


def page(
    request: HttpRequest,
    *,
    tournament_id: int,
    refusal: CardroomError | None = None,
    typed: Any = None,
    **address: int,
) -> HttpResponse:
    row = event_of(request, tournament_id)
    given = typed or request.GET
    asked = " ".join((given.get("q") or given.get("guest") or "").replace("\0", "").split())[:60]
    show = request.GET.get("show", "")
    found = _entries(row, show)
    if asked:
        found = found.filter(Q(name__icontains=asked) | Q(player__username__icontains=asked))
    number = request.GET.get("entry", "")
    people = _people(row, asked) if asked else []
    picked = _picked(row, number)
    told = sheet(row, now=timezone.now())
    context: dict[str, Any] = {
        "tournament": row,
        "sheet": told,
        "price": prices.of(row, "entry"),
        "offered": {price.what for price in told.prices},
        "asked": asked,
        "people": people,
        "members": _members(row, asked, but={entry.player_id for entry in people}) if asked else [],
        "guest": asked,
        "is_taken": bool(asked) and guests.of_name(row, asked).exclude(state=EntryState.WITHDRAWN).exists(),
        "page": Paginator(found, ENTRIES_A_PAGE).get_page(request.GET.get("page")),
        "show": show,
        "shows": SHOWS.items(),
        "picked": picked,
        "is_guest": picked is not None and guests.is_guest(picked),
        "re_entry": prices.of(row, "re_entry"),
        "is_director": access.has_role(request.user, *staff.DIRECTORS),
        "key": token_urlsafe(12),
        "refusal": refusal,
    }
    return render(request, "tournaments/desk.html", context)


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


def _people(row: Tournament, asked: str) -> list[TournamentEntry]:
    """Those of the event who go by such a name, each with their last entry that stands, who is out first. One query."""
    named = [f"{where}__icontains" for where in ("name", "player__username", "player__first_name", "player__last_name")]
    wanted = Q(*[(field, asked) for field in named], _connector=Q.OR)
    found = row.entries.exclude(state=EntryState.WITHDRAWN).filter(wanted).select_related("player")
    last = {entry.player_id: entry for entry in found.order_by("number")}
    return sorted(last.values(), key=lambda entry: (entry.state != EntryState.OUT, entry.number))[:_MEMBERS]


def _members(row: Tournament, asked: str, *, but: Collection[int]) -> list[Member]:
    """Those who go by such a name, `but` not these, with what they could pay with. Three queries."""
    named = Q(username__icontains=asked) | Q(first_name__icontains=asked) | Q(last_name__icontains=asked)
    found = User.objects.filter(named, is_bot=False, is_active=True).exclude(pk__in=but)
    users = list(found.order_by("username")[:_MEMBERS])
    wallets = house.wallet_balances(users)
    held: dict[int, list[Ticket]] = {}
    for ticket in Ticket.objects.filter(player__in=users, state=Ticket.State.ISSUED).order_by("pk"):
        if is_good(ticket, row, timezone.now()):
            held.setdefault(ticket.player_id, []).append(ticket)
    return [Member(user, wallets[user.pk], held.get(user.pk, [])) for user in users]
