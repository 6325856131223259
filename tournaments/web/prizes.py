"""Prizes: what is to be won, and paying it."""

from typing import Any

from cardroom.models import User
from cardroom.services import access
from cardroom.web.operations import Page, Read
from tournaments.engine.errors import IllegalAction
from tournaments.engine.payouts import Payouts
from tournaments.engine.words import listed
from tournaments.models import Payout
from tournaments.selectors import results
from tournaments.services import payouts, playing, staff
from tournaments.web.api import order_serializers as orders
from tournaments.web.api.serializers import PayoutRow
from tournaments.web.directing import EVENT, as_made, button, directed, of_entrant, told_as
from tournaments.web.views import event_for


def _prizes(by: Any, *, tournament_id: int) -> Payouts:
    row = event_for(by, tournament_id)
    try:
        return results.prizes(row) if row.seq else Payouts(())
    except IllegalAction as error:
        raise playing.refusal(error) from None


def _receipts(by: User, *, tournament_id: int, before: int | None, limit: int) -> list[Payout]:
    rows = payouts.receipts(event_for(by, tournament_id)).order_by("-number")
    if not access.has_role(by, *staff.DESK):
        rows = rows.filter(entry__player=by)
    return list((rows.filter(number__lt=before) if before is not None else rows)[:limit])


def _paid(rows: list[Payout]) -> str:
    due = [row for row in rows if row.state == row.State.DUE]
    if due:
        return f"Paid; {len(due)} {'prize is' if len(due) == 1 else 'prizes are'} still due in cash at the desk."
    return f"Paid: {sum(row.amount for row in rows):,} in {len(rows)} {'prize' if len(rows) == 1 else 'prizes'}."


def _paid_one(rows: list[Payout]) -> str:
    return listed(f"{row.entry.name} has got {row.amount:,}" for row in rows)


_pays: dict[str, Any] = {"asks_factor": True, "out": PayoutRow, "many": True, "told": as_made}

PAGES: list[Page] = []
DECLARED = [
    Read(
        name="payouts", summary="The prizes as they are now", address=f"{EVENT}payouts", tag="payouts", finds=_prizes,
        description="By place, first prize first; `notes` say what came out otherwise than the terms have it.",
        is_public=True, out=told_as(Payouts), refuses=(422,),
    ),
    Read(
        name="payout_receipts", summary="What is due and paid", address=f"{EVENT}payouts/receipts", tag="payouts",
        description="Your own; for the staff of the desk everybody's.", out=PayoutRow, paged=True,
        number=lambda row: row.number, finds=_receipts,
    ),
    directed("payouts/lock", "event_lock_payouts", "Announce the prizes as they are now", payouts.lock,
             form=button("lock")),
    directed("payouts/terms", "event_change_payout", "Pay by other terms", payouts.change, orders.PayoutOrder),
    directed("payouts/pay", "event_pay", "Pay everybody what is due, once", payouts.pay, orders.PayOrder,
             button("pay", words=_paid), **_pays),
    directed("entries/<id:entrant>/pay", "event_pay_one", "Pay one player", payouts.pay_one, orders.PayOneOrder,
             of_entrant("pay-one", words=_paid_one), who="For the staff of the desk.", **_pays),
]  # fmt: skip
