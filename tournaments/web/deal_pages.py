"""The deal of an event: what is proposed and how far the vote is, for everybody; the vote, for those who have one.

How anybody voted is on no page, the director's neither, who enters what was said to them and sees only how many have.
"""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_urlsafe
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from cardroom.services import access
from cardroom.services.errors import CardroomError, Invalid, NotFound
from tournaments.models import DealProposal, Tournament, TournamentEntry
from tournaments.selectors import deals as looking_at
from tournaments.selectors.deals import Terms, Voting
from tournaments.services import deals, staff
from tournaments.web import run_forms as forms
from tournaments.web.flyer import looking
from tournaments.web.run_orders import done, order_of
from tournaments.web.views import event_of

Kind, State = DealProposal.Kind, DealProposal.State
#: Rows of so many players fit a page; with more left nobody talks about a deal.
MOST_PLAYERS = 40
KINDS = {Kind.ICM: "ICM", Kind.CHIPS: "By chips", Kind.EVEN: "Even", Kind.CUSTOM: "As agreed"}
_ENDS = {
    State.AGREED: "The deal is made: everybody has accepted.",
    State.REFUSED: "There is no deal: not everybody has accepted. Play goes on.",
    State.WITHDRAWN: "The proposal was taken back. Play goes on.",
    State.STALE: "Somebody went out meanwhile, so that proposal is void.",
}


@ensure_csrf_cookie
@never_cache
@require_safe
@vary_on_headers("HX-Request")
def deal(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """`?play_for=` what would stay for the winner."""
    return _page(request, event_of(request, tournament_id))


@login_required
@require_POST
def do(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """`verb`: one of VERBS."""
    row = event_of(request, tournament_id)
    try:
        words = _ordered(row, request)
    except CardroomError as refusal:
        if request.htmx:
            raise
        return _page(request, row, refusal=refusal)
    if not request.htmx:
        messages.success(request, words)
        return redirect("tournament_deal", tournament_id)
    answer = _page(request, event_of(request, tournament_id))
    answer["HX-Trigger"] = done(words)
    return answer


class ProposalForm(forms.OrderForm):
    kind = forms.forms.CharField(max_length=10)
    play_for = forms.Count(required=False)


class VoteForm(forms.OrderForm):
    """`entrant`: whose vote a director enters; nobody's for one's own."""

    answer = forms.Switch()
    entrant = forms.Number(required=False)


def _propose(data: QueryDict, order: dict[str, Any]) -> str:
    said = forms.sent(ProposalForm, data)
    amounts = _amounts(data) if said["kind"] == Kind.CUSTOM else None
    deals.propose(kind=said["kind"], play_for=said["play_for"] or 0, amounts=amounts, **order)
    return "The deal is put to everybody who is left."


def _vote(data: QueryDict, order: dict[str, Any]) -> str:
    said = forms.sent(VoteForm, data)
    proposal = deals.vote(is_yes=said["answer"], entrant=said["entrant"], **order)
    return _ENDS.get(State(proposal.state), "Your vote is in. Nobody is told how you voted.")


def _accept_all(data: QueryDict, order: dict[str, Any]) -> str:
    proposal = deals.accept_all(**order)
    return _ENDS.get(State(proposal.state), "Noted.")


def _withdraw(data: QueryDict, order: dict[str, Any]) -> str:
    deals.withdraw(**order)
    return _ENDS[State.WITHDRAWN]


VERBS: dict[str, Callable[[QueryDict, dict[str, Any]], str]] = {
    "propose": _propose,
    "vote": _vote,
    "accept-all": _accept_all,
    "withdraw": _withdraw,
}


def _ordered(row: Tournament, request: HttpRequest) -> str:
    verb = VERBS.get(request.POST.get("verb", ""))
    if verb is None:
        raise NotFound("This page has no such button.", "no-such-order")
    return verb(request.POST, order_of(row, request.user, forms.sent(forms.OrderForm, request.POST)))


def _amounts(data: QueryDict) -> dict[int, int]:
    amounts = {}
    for name in list(data)[: 2 * MOST_PLAYERS]:
        number = name.removeprefix("amount-")
        if number != name and number.isascii() and number.isdigit() and len(number) < 10:
            given = forms.count(data.get(name, ""), f"Amount of entry {number}")
            if given is None:
                raise Invalid("Say what everybody gets, 0 for nothing.", "bad-deal")
            amounts[int(number)] = given
    return amounts


def _page(request: HttpRequest, row: Tournament, *, refusal: CardroomError | None = None) -> HttpResponse:
    is_director = access.has_role(request.user, *staff.DIRECTORS)
    viewer = request.user if request.user.is_authenticated else None
    voting = looking_at.voting(tournament=row, viewer=viewer)
    is_open = voting is not None and voting.state == State.OPEN
    given = request.POST if request.method == "POST" else request.GET
    terms, note = _terms(row, given) if row.is_live else (None, "")
    may_propose = is_director or (row.conduct == Tournament.Conduct.ONLINE and _is_in(row, viewer))
    context = {
        "tournament": row,
        "voting": voting,
        "is_open": is_open,
        "ending": _ENDS.get(State(voting.state), "") if voting is not None else "",
        "shares": _shares(row, voting),
        "kind": KINDS.get(Kind(voting.kind), "") if voting is not None else "",
        "terms": terms,
        "note": note,
        "columns": [(offer.kind, KINDS[Kind(offer.kind)], offer.why) for offer in terms.offers] if terms else [],
        "rows": _rows(terms, given) if terms else [],
        "play_for": given.get("play_for", ""),
        "may_propose": may_propose and not is_open and row.is_live,
        "is_director": is_director,
        "is_proposer": voting is not None and viewer is not None and voting.proposed_by == viewer.pk,
        "is_room": row.conduct == Tournament.Conduct.ROOM,
        "seq": row.seq,
        "key": token_urlsafe(9),
        "refusal": refusal,
    }
    name = "_deal" if request.htmx else "deal"
    return render(request, f"tournaments/run/{name}.html", context, status=refusal.status if refusal else 200)


def _terms(row: Tournament, given: QueryDict) -> tuple[Terms | None, str]:
    """Every deal by formula, or why there is none to be had."""
    with looking(row, now=timezone.now()) as state:
        if state.deal is not None or state.left > MOST_PLAYERS:
            return None, "" if state.deal is not None else f"{state.left} are left: too many for a deal."
    try:
        play_for = forms.count(given.get("play_for", ""), "Left to play for")
    except Invalid as refusal:
        return looking_at.terms(tournament=row), refusal.message
    return looking_at.terms(tournament=row, play_for=play_for or 0), ""


def _rows(terms: Terms, given: QueryDict) -> list[tuple[int, str, dict[str, Any], list[int | None], str]]:
    """(entry, name, stack as `_stack.html` has it, what each formula gives, what was typed)."""
    missing = frozenset(terms.not_counted)
    return [
        (
            number,
            name,
            {"chips": stack, "is_counted": number not in missing},
            [offer.amounts.get(number) for offer in terms.offers],
            given.get(f"amount-{number}", ""),
        )
        for number, name, stack in terms.entrants
    ]


def _shares(row: Tournament, voting: Voting | None) -> list[tuple[int, str, int]]:
    """(entry, name, amount) of the proposal, the largest first."""
    if voting is None:
        return []
    names = dict(
        TournamentEntry.objects.filter(tournament=row).filter(number__in=voting.amounts).values_list("number", "name")
    )
    found = [(number, names.get(number, ""), amount) for number, amount in voting.amounts.items()]
    return sorted(found, key=lambda each: (-each[2], each[0]))


def _is_in(row: Tournament, viewer: Any) -> bool:
    return viewer is not None and row.entries.filter(player=viewer, state=TournamentEntry.State.IN).exists()
