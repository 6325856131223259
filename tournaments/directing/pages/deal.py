"""The deal: everybody sees what is proposed and how far the vote is; players with a vote can vote.

No page shows how anybody voted. A director in the room enters votes for players, and sees only how many have voted.
"""

from collections.abc import Mapping
from secrets import token_urlsafe
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.vary import vary_on_headers

from cardroom.core import access
from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Invalid, Refusal
from cardroom.core.models import User
from cardroom.core.web.forms import PagePost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page, went_to
from tournaments.directing.pages import order_serializers as orders
from tournaments.directing.pages.console import done
from tournaments.events import staff
from tournaments.events.arguments import MOST_ID, ExpectedSeq
from tournaments.events.models import Tournament, TournamentEntry
from tournaments.prizes import deals
from tournaments.prizes import queries as prize_queries
from tournaments.prizes.models import DealProposal
from tournaments.prizes.queries import DealTerms, Voting
from tournaments.registration.pages.flyer import looking
from tournaments.registration.pages.views import EVENT, event_for, event_of

Kind, State = DealProposal.Kind, DealProposal.State
#: Rows of so many players fit a page; with more left nobody talks about a deal.
MOST_PLAYERS = 40
KINDS = {
    Kind.ICM: "ICM",
    Kind.CHIPS: gettext_lazy("By chips"),
    Kind.EVEN: gettext_lazy("Even"),
    Kind.CUSTOM: gettext_lazy("As agreed"),
}
_ENDS = {
    State.AGREED: gettext_lazy("The deal is made: everybody has accepted."),
    State.REFUSED: gettext_lazy("No deal: not everybody has accepted. Play continues."),
    State.WITHDRAWN: gettext_lazy("The proposal was withdrawn. Play continues."),
    State.STALE: gettext_lazy("A player is out since the proposal: it is void."),
}


@ensure_csrf_cookie
@vary_on_headers("HX-Request")
def page(
    request: HttpRequest, *, tournament_id: int, refusal: Refusal | None = None, typed: Any = None
) -> HttpResponse:
    """`?play_for=` what would stay for the winner."""
    row = event_of(request, tournament_id)
    if refusal and request.htmx:
        raise refusal
    is_director = access.has_role(request.user, *staff.DIRECTORS)
    viewer = request.user if request.user.is_authenticated else None
    voting = prize_queries.voting(tournament=row, viewer=viewer)
    is_open = voting is not None and voting.state == State.OPEN
    values = typed or request.GET
    terms, note = _terms(row, values) if row.is_live else (None, "")
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
        "rows": _rows(terms, values) if terms else [],
        "play_for": values.get("play_for", ""),
        "may_propose": may_propose and not is_open and row.is_live,
        "is_director": is_director,
        "is_proposer": voting is not None and viewer is not None and voting.proposed_by == viewer.pk,
        "is_room": row.conduct == Tournament.Conduct.ROOM,
        "seq": row.seq,
        "key": token_urlsafe(9),
        "refusal": refusal,
    }
    name = "_deal" if request.htmx else "deal"
    return render(request, f"tournaments/directing/{name}.html", context)


def _terms(row: Tournament, values: QueryDict) -> tuple[DealTerms | None, str]:
    """Every deal by formula, or why there is none to be had."""
    with looking(row, now=timezone.now()) as state:
        if state.deal is not None or state.left > MOST_PLAYERS:
            return None, "" if state.deal is not None else gettext("{left} are left: too many for a deal.").format(
                left=state.left
            )
    try:
        play_for = orders.count(values.get("play_for", ""), gettext("Left to play for"))
    except Invalid as refusal:
        return prize_queries.terms(tournament=row), refusal.message
    return prize_queries.terms(tournament=row, play_for=play_for or 0), ""


def _rows(terms: DealTerms, values: QueryDict) -> list[tuple[int, str, dict[str, Any], list[int | None], str]]:
    """(entry, name, stack as `_stack.html` has it, what each formula gives, what was typed)."""
    missing = frozenset(terms.not_counted)
    return [
        (
            number,
            name,
            {"chips": stack, "is_counted": number not in missing},
            [offer.amounts.get(number) for offer in terms.offers],
            values.get(f"amounts-{number}", ""),
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
    shares = [(number, names.get(number, ""), amount) for number, amount in voting.amounts.items()]
    return sorted(shares, key=lambda share: (-share[2], share[0]))


def _is_in(row: Tournament, viewer: Any) -> bool:
    return viewer is not None and row.entries.filter(player=viewer, state=TournamentEntry.State.IN).exists()


_DEAL = f"{EVENT}deal/"
DEAL = Page(_DEAL, "tournament_deal", page, is_public=True)


def propose(
    *,
    tournament_id: RowId,
    kind: str,
    play_for: int = 0,
    amounts: Mapping[int, int] | None = None,
    expected_seq: ExpectedSeq = None,
    key: str,
    by: User,
) -> DealProposal:
    """Propose a deal in an event that the person may see."""
    event_for(by, tournament_id)
    return deals.propose.once(
        key,
        tournament_id=tournament_id,
        kind=kind,
        play_for=play_for,
        amounts=amounts,
        expected_seq=expected_seq,
        by=by,
    )


def vote(
    *,
    tournament_id: RowId,
    is_yes: bool,
    entrant: Annotated[
        int | None,
        Limits(
            min_value=1, max_value=MOST_ID, allow_null=True, help_text="In the room the director votes for each player."
        ),
    ] = None,
    expected_seq: ExpectedSeq = None,
    key: str,
    by: User,
) -> DealProposal:
    """Vote on the deal of an event that the person may see. It is the proposal that is voted on, whatever was done
    since."""
    event_for(by, tournament_id)
    return deals.vote.once(key, tournament_id=tournament_id, is_yes=is_yes, entrant=entrant, by=by)


def accept_all(*, tournament_id: RowId, expected_seq: ExpectedSeq = None, key: str, by: User) -> DealProposal:
    """Everybody at the table has accepted."""
    return deals.accept_all.once(key, tournament_id=tournament_id, by=by)


def withdraw(*, tournament_id: RowId, expected_seq: ExpectedSeq = None, key: str, by: User) -> DealProposal:
    """Withdraw the proposal of an event that the person may see."""
    event_for(by, tournament_id)
    return deals.withdraw.once(key, tournament_id=tournament_id, by=by)


class DealForm(PagePost):
    """A button of the page of the deal, which then says how the proposal ended or, where it did not, the words of
    `then`."""

    page, path, name, key_name = DEAL, f"{_DEAL}do/", "tournament_deal_do", "command_id"
    button_fields = ("verb",)

    def done(self, request: HttpRequest, result: DealProposal) -> HttpResponse:
        words = str(_ENDS.get(State(result.state), self.then))
        if not request.htmx:
            return went_to(request, words, DEAL.name, result.tournament_id)
        answer = page(request, tournament_id=result.tournament_id)
        answer["HX-Trigger"] = done(words)
        return answer


class ProposeDealForm(DealForm):
    does, button, body = propose, "propose", orders.DealOrder
    then = gettext_lazy("The deal is proposed to all remaining players.")


class VoteOnDealForm(DealForm):
    does, button = vote, "vote"
    then = gettext_lazy("Your vote is recorded. It stays secret.")


class AcceptAllForm(DealForm):
    does, button = accept_all, "accept-all"
    then = gettext_lazy("Recorded.")


class WithdrawDealForm(DealForm):
    does, button = withdraw, "withdraw"


urlpatterns = page_urls([DEAL], forms=[ProposeDealForm, VoteOnDealForm, AcceptAllForm, WithdrawDealForm])
