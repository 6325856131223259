"""The money of an event: a page for the desk and its auditors, and the same for programs. Files of it: `results`."""

from typing import Any

from django.http import HttpRequest
from rest_framework import serializers

from cardroom.core.models import User
from cardroom.core.web.operations import Context, Page, Read
from tournaments.directing import money_report
from tournaments.directing.money_report import EventMoney
from tournaments.events import staff
from tournaments.pages.views import EVENT, event_for, event_of

SEES = (*staff.DESK, "auditor")


class TakenOut(serializers.Serializer[Any]):
    what = serializers.CharField(help_text="entry, re_entry, rebuy or add_on.")
    method = serializers.CharField(help_text="desk (cash), wallet, ticket, house or free.")
    number = serializers.IntegerField()
    pool = serializers.IntegerField()
    fee = serializers.IntegerField()
    bounty = serializers.IntegerField()
    staff = serializers.IntegerField()
    total = serializers.IntegerField()
    refunded = serializers.IntegerField(help_text="How many of them were given back.")
    refunds = serializers.IntegerField(help_text="As so much money.")
    due = serializers.IntegerField(help_text="Of the refunds, what waits in cash at the desk.")


class PaidOutOut(serializers.Serializer[Any]):
    what = serializers.CharField(help_text="prize, bounty or ticket.")
    method = serializers.CharField(help_text="desk (cash), wallet or ticket.")
    state = serializers.CharField(help_text="paid or due.")
    number = serializers.IntegerField()
    amount = serializers.IntegerField()


class InDrawerOut(serializers.Serializer[Any]):
    session = serializers.IntegerField()
    drawer = serializers.CharField()
    cashier = serializers.CharField()
    state = serializers.CharField()
    opened_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)
    slips = serializers.IntegerField(help_text="Of this event.")
    taken = serializers.IntegerField(allow_null=True, help_text="Null for anybody who may come to count the drawer.")
    paid = serializers.IntegerField(allow_null=True)
    net = serializers.IntegerField(allow_null=True)
    over_short = serializers.IntegerField(allow_null=True, help_text="Of the whole session, once it is closed.")


class EventMoneyOut(serializers.Serializer[Any]):
    """What the money of an event came to."""

    tournament = serializers.IntegerField()
    taken = TakenOut(many=True)
    paid_out = PaidOutOut(many=True)
    drawers = InDrawerOut(many=True)
    received = serializers.IntegerField(help_text="What was paid and not given back.")
    fees = serializers.IntegerField()
    prizes_paid = serializers.IntegerField()
    prizes_due = serializers.IntegerField()
    refunds_due = serializers.IntegerField(help_text="In cash at the desk.")
    overlay = serializers.IntegerField(help_text="What the house added to reach the guarantee.")
    held = serializers.IntegerField(help_text="What lies in the pools now.")
    over_short = serializers.IntegerField(allow_null=True, help_text="Of its drawers that are closed.")


def page(request: HttpRequest, *, tournament_id: int) -> Context:
    row = event_of(request, tournament_id)
    return {"tournament": row, "money": money_report.report(row, viewer=request.user)}


def _money(by: User, *, tournament_id: int) -> EventMoney:
    return money_report.report(event_for(by, tournament_id), viewer=by)


MONEY = Page(f"{EVENT}money/", "tournament_money", page, SEES, template="tournaments/directing/money.html")
PAGES = [MONEY]
DECLARED = [
    Read(
        name="event_money", summary="The money of an event", address=f"{EVENT}money", tag="results", scope="direct",
        description="Payments, prizes and drawers; for the staff of the desk, and auditors.", roles=SEES,
        out=EventMoneyOut, finds=_money,
    ),
]  # fmt: skip
