"""The API of an event's money."""

from cardroom.core.models import User
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.resources import Resource, addresses, reads
from tournaments.directing import money_report
from tournaments.directing.money_report import DrawerRow, EventMoney, PaidInRow, PaidOutRow
from tournaments.directing.pages.money import SEES
from tournaments.registration.pages.views import EVENT, event_for


class PaidInSummary(Shape):
    of = PaidInRow
    field_names = "what method number pool fee bounty staff total refunded refunds due"
    help_texts = {
        "what": "entry, re_entry, rebuy or add_on.",
        "method": "desk (cash), wallet, ticket, house or free.",
        "refunded": "How many of them were given back.",
        "refunds": "As so much money.",
        "due": "Of the refunds, what waits in cash at the desk.",
    }


class PaidOutSummary(Shape):
    of = PaidOutRow
    field_names = "what method state number amount"
    help_texts = {
        "what": "prize, bounty or ticket.",
        "method": "desk (cash), wallet or ticket.",
        "state": "paid or due.",
    }


class EventDrawerSummary(Shape):
    of = DrawerRow
    field_names = "session drawer cashier state opened_at closed_at slips taken paid net over_short"
    help_texts = {
        "slips": "Of this event.",
        "taken": "Null for anybody who may come to count the drawer.",
        "over_short": "Of the whole session, once it is closed.",
    }


class EventMoneySummary(Shape):
    """What the money of an event came to."""

    of = EventMoney
    field_names = (
        "tournament taken paid_out drawers received fees prizes_paid prizes_due refunds_due overlay held over_short"
    )
    help_texts = {
        "received": "What was paid and not given back.",
        "refunds_due": "In cash at the desk.",
        "overlay": "What the house added to reach the guarantee.",
        "held": "What lies in the pools now.",
        "over_short": "Of its drawers that are closed.",
    }
    taken = PaidInSummary(many=True)
    paid_out = PaidOutSummary(many=True)
    drawers = EventDrawerSummary(many=True)


def money(*, tournament_id: int, by: User) -> EventMoney:
    """The money of an event."""
    return money_report.report(event_for(by, tournament_id), viewer=by)


class MoneyResource(Resource):
    path, tags, scope = f"{EVENT}money", ("results",), "direct"
    get = reads(
        money,
        name="event_money",
        summary="The money of an event",
        description="Payments, prizes and drawers; for the staff of the desk, and auditors.",
        roles=SEES,
        answers=EventMoneySummary,
    )


api = addresses([MoneyResource])
