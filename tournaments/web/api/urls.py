"""The resources of tournaments."""

from itertools import chain
from typing import Any

from django.urls import URLPattern

from cardroom.web.api.routes import resource
from tournaments.web import deals, leagues, registration, series, templates, tickets
from tournaments.web.api import clock, events, files, floor, mine, money, results

EVENT = "tournaments/<id:tournament_id>"
ENTRY = f"{EVENT}/entries/<id:entrant>"
TABLE = f"{EVENT}/tables/<id:table>"


def _all(address: str, views: dict[str, Any], *, name: str) -> list[URLPattern]:
    """A resource for each of these verbs below the address."""
    made = (resource(f"{address}/{verb}", view, name=f"api-{name}-{verb}") for verb, view in views.items())
    return list(chain.from_iterable(made))


urlpatterns = [
    *resource("me/tournaments", mine.MyTournamentsView, name="api-my-tournaments"),
    *resource("tournaments", events.TournamentsView, name="api-tournaments"),
    *resource(EVENT, events.TournamentView, name="api-tournament"),
    *_all(EVENT, events.STEPS, name="event"),
    *resource(f"{EVENT}/board", events.BoardView, name="api-event-board"),
    *resource(f"{EVENT}/facts", events.FactsView, name="api-event-facts"),
    *resource(f"{EVENT}/messages", events.MessagesView, name="api-event-messages"),
    *_all(ENTRY, floor.ENTRY_VERBS | {"pay": money.PAY_ONE}, name="entry"),
    *resource(f"{EVENT}/clock", clock.ClockView, name="api-event-clock"),
    *resource(f"{EVENT}/levels", clock.LevelsView, name="api-event-levels"),
    *resource(f"{EVENT}/console", floor.ConsoleView, name="api-event-console"),
    *resource(f"{EVENT}/tables", floor.TablesView, name="api-event-tables"),
    *resource(TABLE, floor.TableView, name="api-event-table"),
    *_all(TABLE, floor.TABLE_VERBS, name="event-table"),
    *resource(f"{EVENT}/moves", floor.MovesView, name="api-event-moves"),
    *resource(f"{EVENT}/suggestions", floor.SuggestionsView, name="api-event-suggestions"),
    *_all(EVENT, floor.VERBS, name="event"),
    *resource(f"{EVENT}/chip-race", floor.RaceView, name="api-event-chip-race"),
    *resource(f"{EVENT}/payouts", money.PayoutsView, name="api-payouts"),
    *resource(f"{EVENT}/payouts/receipts", money.PaidView, name="api-payout-receipts"),
    *_all(f"{EVENT}/payouts", money.PAYOUT_VERBS, name="payouts"),
    *resource(f"{EVENT}/results", results.ResultsView, name="api-event-results"),
    *resource(f"{EVENT}/knock-outs", results.KnockOutsView, name="api-knock-outs"),
    *resource(f"{EVENT}/stats", results.StatsView, name="api-event-stats"),
    *resource(f"{EVENT}/log", results.LogView, name="api-event-log"),
    *resource(f"{EVENT}/exports/<slug:what>/<slug:form>", files.ExportView, name="api-event-export"),
    *deals.api,
    *registration.api,
    *templates.api,
    *series.api,
    *leagues.api,
    *tickets.api,
]
