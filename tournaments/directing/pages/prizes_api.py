"""The API of prizes: what is to be won, paying it, and deals."""

from typing import Annotated, Any

from cardroom.core.arguments import Limits
from cardroom.core.models import User
from cardroom.core.web.api.answers import PlainAnswer
from cardroom.core.web.api.shapes import NAMED, object_of, or_null
from cardroom.core.web.resources import Resource, addresses, does, reads
from tournaments.directing import outcomes
from tournaments.directing.pages import order_serializers as orders
from tournaments.directing.pages.deal import accept_all, propose, vote, withdraw
from tournaments.directing.pages.directing_api import RECEIPT, OrderResource, answer_of
from tournaments.directing.pages.entries_api import receipts_of
from tournaments.engine import plain
from tournaments.engine.errors import IllegalCommand
from tournaments.engine.prizes.payouts import Payouts
from tournaments.events import playing, staff
from tournaments.events.pages.fields import DIRECTORS
from tournaments.prizes import payouts
from tournaments.prizes import queries as prize_queries
from tournaments.prizes.models import DealProposal, Payout
from tournaments.prizes.pages.serializers import PayoutRow
from tournaments.prizes.queries import DealTerms, Voting
from tournaments.registration.pages.views import EVENT, event_for

VOTING = PlainAnswer(object_of(Voting), plain.to_plain)
_DEAL_SCHEMA = {"type": "object", "required": ["terms", "voting"]}
_DEAL_SCHEMA |= {
    NAMED: "Deal",
    "properties": {"terms": or_null(object_of(DealTerms)), "voting": or_null(object_of(Voting))},
}


def prizes(*, tournament_id: int, by: Any) -> Payouts:
    """The current prizes."""
    row = event_for(by, tournament_id)
    try:
        return outcomes.prizes(row) if row.seq else Payouts(())
    except IllegalCommand as error:
        raise playing.refusal(error) from None


def receipts(*, tournament_id: int, before: int | None, limit: int, by: User) -> list[Payout]:
    """Due and paid prizes: one's own; for the staff of the desk everybody's."""
    return receipts_of(by, payouts.receipts(event_for(by, tournament_id)), before, limit)


def deal(
    *,
    tournament_id: int,
    play_for: Annotated[int, Limits(default=0, help_text="The amount left for the winner.")] = 0,
    by: User,
) -> dict[str, Any]:
    """Every deal by formula, and the proposal that is open."""
    row = event_for(by, tournament_id)
    terms = prize_queries.terms(tournament=row, play_for=play_for) if row.seq else None
    return {"terms": terms, "voting": prize_queries.voting(tournament=row, viewer=by)}


def _voting_of(proposal: DealProposal, by: User) -> Voting | None:
    return prize_queries.voting(tournament=proposal.tournament, viewer=by)


class EventPayoutResource(Resource):
    tags = ("payouts",)


class PayoutsResource(EventPayoutResource):
    path = f"{EVENT}payouts"
    get = reads(
        prizes,
        name="payouts",
        summary="The current prizes",
        description="By place, first prize first; `notes` list deviations from the terms.",
        is_public=True,
        answers=answer_of(Payouts),
        refuses=(422,),
    )


class PayoutReceiptsResource(EventPayoutResource):
    path = f"{EVENT}payouts/receipts"
    get = reads(
        receipts,
        name="payout_receipts",
        summary="List due and paid prizes",
        description="Your own; for the staff of the desk everybody's.",
        answers=PayoutRow,
        number=lambda row: row.number,
    )


class LockPayoutsResource(OrderResource):
    path = f"{EVENT}payouts/lock"
    post = does(
        payouts.lock,
        name="event_lock_payouts",
        summary="Lock the prizes",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class PayoutTermsResource(OrderResource):
    path = f"{EVENT}payouts/terms"
    post = does(
        payouts.change,
        name="event_change_payout",
        summary="Change the payout terms",
        description=DIRECTORS,
        body=orders.PayoutOrder,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class PayResource(OrderResource):
    path = f"{EVENT}payouts/pay"
    post = does(
        payouts.pay,
        name="event_pay",
        summary="Pay all due prizes",
        description=DIRECTORS,
        answers=PayoutRow,
        many=True,
        refuses=(409, 422),
    )


class PayOneResource(OrderResource):
    path = f"{EVENT}entries/<id:entrant>/pay"
    post = does(
        payouts.pay_one,
        name="event_pay_one",
        summary="Pay one player",
        description="For the staff of the desk.",
        answers=PayoutRow,
        many=True,
        refuses=(409, 422),
    )


class EventDealResource(Resource):
    tags = ("deals",)


class DealResource(EventDealResource):
    path = f"{EVENT}deal"
    get = reads(
        deal,
        name="deal",
        summary="Compare deal formulas, and show the open proposal",
        description="Votes are secret.",
        answers=PlainAnswer(_DEAL_SCHEMA, lambda parts: {name: plain.to_plain(part) for name, part in parts.items()}),
    )
    post = does(
        propose,
        name="propose_deal",
        summary="Propose a deal",
        description="For directors; online also for players who are still in.",
        body=orders.DealOrder,
        answers=VOTING,
        shown=_voting_of,
        status=201,
        refuses=(409, 422),
    )


class VoteResource(EventDealResource):
    path = f"{EVENT}deal/vote"
    post = does(
        vote,
        name="vote_on_deal",
        summary="Vote on a deal",
        description="Your own vote; in the room the director enters it for each player. Votes are secret.",
        answers=VOTING,
        shown=_voting_of,
        refuses=(409, 422),
        needs=lambda by, arguments: "play" if arguments.get("entrant") is None else "direct",
    )


class AcceptAllResource(EventDealResource):
    path, scope = f"{EVENT}deal/accept-all", "direct"
    post = does(
        accept_all,
        name="accept_deal_for_all",
        summary="Record that everybody has accepted, in the room",
        description=DIRECTORS,
        roles=staff.DIRECTORS,
        answers=VOTING,
        shown=_voting_of,
        refuses=(409, 422),
    )


class WithdrawResource(EventDealResource):
    path = f"{EVENT}deal/withdraw"
    post = does(
        withdraw,
        name="withdraw_deal",
        summary="Withdraw the proposal",
        description="For the player who proposed it, and directors.",
        answers=VOTING,
        shown=_voting_of,
        refuses=(409, 422),
    )


api = addresses(
    [
        PayoutsResource,
        PayoutReceiptsResource,
        LockPayoutsResource,
        PayoutTermsResource,
        PayResource,
        PayOneResource,
        DealResource,
        VoteResource,
        AcceptAllResource,
        WithdrawResource,
    ]
)
