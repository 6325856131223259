"""Prizes: what is to be won, and paying it. The deal: what is proposed and how far the vote is, for everybody; the
vote, for those who have one.

How anybody voted is on no page, the director's neither, who enters what was said to them and sees only how many have.
"""

from collections.abc import Callable
from functools import partial
from secrets import token_urlsafe
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.vary import vary_on_headers

from cardroom.core import access
from cardroom.core.errors import Invalid, Refusal
from cardroom.core.models import User
from cardroom.core.sentences import filled, spoken
from cardroom.core.web.api.fields import Number, Query
from cardroom.core.web.api.shapes import NAMED, object_of, or_null
from cardroom.core.web.operations import Form, Operation, Page, Read, Then, Told, went_to
from tournaments.directing import queries
from tournaments.directing.pages import order_serializers as orders
from tournaments.directing.pages.directing import as_made, button, directed, of_entrant, told_as
from tournaments.directing.pages.registration import receipts_of
from tournaments.directing.pages.run import done
from tournaments.engine import plain
from tournaments.engine.errors import IllegalAction
from tournaments.engine.plain import listed
from tournaments.engine.prizes.payouts import Payouts
from tournaments.events import playing, staff
from tournaments.events.models import Tournament, TournamentEntry
from tournaments.events.pages.serializers import DIRECTORS
from tournaments.prizes import deals, payouts
from tournaments.prizes import queries as prize_queries
from tournaments.prizes.models import DealProposal, Payout
from tournaments.prizes.pages.serializers import PayoutRow
from tournaments.prizes.queries import Terms, Voting
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


# -- prizes ------------------------------------------------------------------------------------------------------------


def _prizes(by: Any, *, tournament_id: int) -> Payouts:
    row = event_for(by, tournament_id)
    try:
        return queries.prizes(row) if row.seq else Payouts(())
    except IllegalAction as error:
        raise playing.refusal(error) from None


def _receipts(by: User, *, tournament_id: int, before: int | None, limit: int) -> list[Payout]:
    return receipts_of(by, payouts.receipts(event_for(by, tournament_id)), before, limit)


def _paid(rows: list[Payout]) -> str:
    due = [row for row in rows if row.state == row.State.DUE]
    if due:
        return ngettext(
            "Paid; {n} prize is still due in cash at the desk.",
            "Paid; {n} prizes are still due in cash at the desk.",
            len(due),
        ).format(n=len(due))
    total = sum(row.amount for row in rows)
    return filled(
        ngettext("Paid: {total:,} in {n} prize.", "Paid: {total:,} in {n} prizes.", len(rows)), total=total, n=len(rows)
    )


def _paid_one(rows: list[Payout]) -> str:
    said = gettext("{name} is paid {amount:,}")
    return spoken(listed(filled(said, name=row.entry.name, amount=row.amount) for row in rows))


_pays: dict[str, Any] = {"out": PayoutRow, "many": True, "told": as_made}


# -- the deal ----------------------------------------------------------------------------------------------------------


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
    given = typed or request.GET
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
    return render(request, f"tournaments/directing/{name}.html", context)


def _terms(row: Tournament, given: QueryDict) -> tuple[Terms | None, str]:
    """Every deal by formula, or why there is none to be had."""
    with looking(row, now=timezone.now()) as state:
        if state.deal is not None or state.left > MOST_PLAYERS:
            return None, "" if state.deal is not None else gettext("{left} are left: too many for a deal.").format(
                left=state.left
            )
    try:
        play_for = orders.count(given.get("play_for", ""), gettext("Left to play for"))
    except Invalid as refusal:
        return prize_queries.terms(tournament=row), refusal.message
    return prize_queries.terms(tournament=row, play_for=play_for or 0), ""


def _rows(terms: Terms, given: QueryDict) -> list[tuple[int, str, dict[str, Any], list[int | None], str]]:
    """(entry, name, stack as `_stack.html` has it, what each formula gives, what was typed)."""
    missing = frozenset(terms.not_counted)
    return [
        (
            number,
            name,
            {"chips": stack, "is_counted": number not in missing},
            [offer.amounts.get(number) for offer in terms.offers],
            given.get(f"amounts-{number}", ""),
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


# -- what is done ------------------------------------------------------------------------------------------------------


class DealQuery(Query):
    play_for = Number(default=0, help_text="The amount left for the winner.")


def _deal(by: User, *, tournament_id: int, play_for: int) -> dict[str, Any]:
    row = event_for(by, tournament_id)
    terms = prize_queries.terms(tournament=row, play_for=play_for) if row.seq else None
    return {"terms": terms, "voting": prize_queries.voting(tournament=row, viewer=by)}


def _in(verb: Callable[..., DealProposal]) -> Callable[..., DealProposal]:
    """In an event that the person may see."""

    def do(*, by: User, tournament_id: int, **order: Any) -> DealProposal:
        event_for(by, tournament_id)
        return verb(by=by, tournament_id=tournament_id, **order)

    return do


def _to_deal(words: str) -> Then:
    """To the page, with how the proposal ended or, where it did not, these words."""

    def then(request: HttpRequest, made: DealProposal) -> HttpResponse:
        told = _ENDS.get(State(made.state), words)
        if not request.htmx:
            return went_to(request, told, DEAL.name, made.tournament_id)
        answer = page(request, tournament_id=made.tournament_id)
        answer["HX-Trigger"] = done(told)
        return answer

    return then


def _form(verb: str, words: str) -> Form:
    return Form(f"{_DEAL}do/", "tournament_deal_do", DEAL, _to_deal(words), verbs={verb: {}}, verb_name="verb")


_DEAL = f"{EVENT}deal/"
DEAL = Page(_DEAL, "tournament_deal", page, is_public=True)
_told = {"type": "object", "required": ["terms", "voting"]}
_told |= {NAMED: "Deal", "properties": {"terms": or_null(object_of(Terms)), "voting": or_null(object_of(Voting))}}
_verb = partial(
    Operation, tag="deals", keyed=True, key_name="command_id", out=Told(object_of(Voting), plain.to_plain),
    shows=lambda made, by: prize_queries.voting(tournament=made.tournament, viewer=by), refuses=(409, 422),
)  # fmt: skip

PAGES = [DEAL]
DECLARED = [
    # Prizes
    Read(
        name="payouts", summary="The current prizes", address=f"{EVENT}payouts", tag="payouts", finds=_prizes,
        description="By place, first prize first; `notes` list deviations from the terms.",
        is_public=True, out=told_as(Payouts), refuses=(422,),
    ),
    Read(
        name="payout_receipts", summary="List due and paid prizes", address=f"{EVENT}payouts/receipts", tag="payouts",
        description="Your own; for the staff of the desk everybody's.", out=PayoutRow, paged=True,
        number=lambda row: row.number, finds=_receipts,
    ),
    directed("payouts/lock", "event_lock_payouts", "Lock the prizes", payouts.lock,
             form=button("lock")),
    directed("payouts/terms", "event_change_payout", "Change the payout terms", payouts.change, orders.PayoutOrder),
    directed("payouts/pay", "event_pay", "Pay all due prizes", payouts.pay, orders.PayOrder,
             button("pay", words=_paid), **_pays),
    directed("entries/<id:entrant>/pay", "event_pay_one", "Pay one player", payouts.pay_one, orders.PayOneOrder,
             of_entrant("pay-one", words=_paid_one), who="For the staff of the desk.", **_pays),
    # The deal
    Read(
        name="deal", summary="Compare deal formulas, and show the open proposal", tag="deals",
        address=f"{EVENT}deal", finds=_deal, query=DealQuery,
        description="Votes are secret.",
        out=Told(_told, lambda found: {name: plain.to_plain(part) for name, part in found.items()}),
    ),
    _verb(
        name="propose_deal", summary="Propose a deal", address=f"{EVENT}deal", status=201,
        description="For directors; online also for players who are still in.", does=_in(deals.propose),
        order=orders.DealOrder, form=_form("propose", gettext_lazy(
"The deal is proposed to all remaining players.")),
    ),
    _verb(
        name="vote_on_deal", summary="Vote on a deal", address=f"{EVENT}deal/vote",
        description="Your own vote; in the room the director enters it for each player. Votes are secret.",
        needs=lambda by, asked: "play" if asked.get("entrant") is None else "direct", does=_in(deals.vote),
        order=orders.VoteOrder, form=_form("vote", gettext_lazy(
"Your vote is recorded. It stays secret.")),
    ),
    _verb(
        name="accept_deal_for_all", summary="Record that everybody has accepted, in the room", scope="direct",
        address=f"{EVENT}deal/accept-all", description=DIRECTORS, roles=staff.DIRECTORS,
        does=deals.accept_all, order=orders.Directed, form=_form("accept-all", gettext_lazy("Recorded.")),
    ),
    _verb(
        name="withdraw_deal", summary="Withdraw the proposal", address=f"{EVENT}deal/withdraw",
        description="For the player who proposed it, and directors.", does=_in(deals.withdraw), order=orders.Directed,
        form=_form("withdraw", ""),
    ),
]  # fmt: skip
