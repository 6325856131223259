"""The money of an event: a page for the desk and its auditors."""

from django.http import HttpRequest

from cardroom.core.web.pages import Context, Page
from tournaments.directing import money_report
from tournaments.events import staff
from tournaments.registration.pages.views import EVENT, event_of

SEES = (*staff.DESK, "auditor")


def page(request: HttpRequest, *, tournament_id: int) -> Context:
    row = event_of(request, tournament_id)
    return {"tournament": row, "money": money_report.report(row, viewer=request.user)}


MONEY = Page(f"{EVENT}money/", "tournament_money", page, SEES, template="tournaments/directing/money.html")
PAGES = [MONEY]
