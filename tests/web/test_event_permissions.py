"""Who gets what answer at which address of an event: one table, as for the rest of the room in `test_permissions`."""

from typing import NamedTuple

import pytest
import time_machine
from django.core.cache import cache
from django.db import transaction

from cardroom.models import Notice
from cardroom.web.api import keys
from tests.support.events import PRICE, START, Event
from tests.web.api.test_tournaments import DRAFT
from tournaments import journal
from tournaments.engine.commands import Bust
from tournaments.engine.config import Rebuy
from tournaments.services import leagues, notices, series, templates, tickets

LOGIN = 302  # to the page for logging in; or, for who is logged in, to the page where what was done is seen


class Row(NamedTuple):
    """Statuses for somebody not logged in, a player who has entered, one of the floor, and a director.

    The event is being played in the room: four have entered, the fourth is out; the player is the first.
    """

    method: str
    path: str
    anonymous: int
    player: int
    floor: int
    director: int
    data: dict[str, object] = {}


LEVELS = {"from_level": 4, "levels": DRAFT["config"]["structure"]["levels"][4:]}
PAGES = [
    Row("GET", "/tournaments/", 200, 200, 200, 200),
    Row("POST", "/me/tickets/{ticket}/exchange/", LOGIN, 404, 404, 404),  # it is another player's
    Row("GET", "/tournaments/new/", LOGIN, 403, 403, 200),
    Row("POST", "/tournaments/new/", LOGIN, 403, 403, 200),
    Row("GET", "/tournaments/templates/", LOGIN, 403, 403, 200),
    Row("GET", "/tournaments/templates/{template}/", LOGIN, 403, 403, 200),
    Row("POST", "/tournaments/templates/{template}/put-away/", LOGIN, 403, 403, LOGIN),
    Row("GET", "/tournaments/series/", 200, 200, 200, 200),
    Row("GET", "/tournaments/series/new/", LOGIN, 403, 403, 200),
    Row("POST", "/tournaments/series/new/", LOGIN, 403, 403, LOGIN, {"name": "Autumn"}),
    Row("GET", "/tournaments/series/{series}/", 200, 200, 200, 200),
    Row("GET", "/tournaments/series/999/", 404, 404, 404, 404),
    Row("GET", "/tournaments/series/{series}/edit/", LOGIN, 403, 403, 200),
    Row("POST", "/tournaments/series/{series}/edit/", LOGIN, 403, 403, LOGIN, {"name": "Winter"}),
    Row("GET", "/tournaments/leagues/", 200, 200, 200, 200),
    Row("GET", "/tournaments/leagues/new/", LOGIN, 403, 403, 200),
    Row("POST", "/tournaments/leagues/new/", LOGIN, 403, 403, 400),
    Row("GET", "/tournaments/leagues/{league}/", 200, 200, 200, 200),
    Row("GET", "/tournaments/leagues/999/", 404, 404, 404, 404),
    Row("GET", "/tournaments/leagues/{league}/edit/", LOGIN, 403, 403, 200),
    Row("GET", "/tournaments/leagues/{league}/seasons/new/", LOGIN, 403, 403, 200),
    Row("GET", "/tournaments/seasons/{season}/", 200, 200, 200, 200),
    Row("GET", "/tournaments/seasons/999/", 404, 404, 404, 404),
    Row("POST", "/tournaments/seasons/{season}/close/", LOGIN, 403, 403, LOGIN),
    Row("GET", "/tournaments/{event}/", 200, 200, 200, 200),
    Row("GET", "/tournaments/999/", 404, 404, 404, 404),
    Row("GET", "/tournaments/{draft}/", 404, 404, 404, 200),
    Row("GET", "/tournaments/{event}/players/", 200, 200, 200, 200),
    Row("GET", "/tournaments/{event}/results/", 200, 200, 200, 200),
    Row("GET", "/tournaments/{draft}/results/", 404, 404, 404, 200),
    Row("GET", "/tournaments/{event}/register/", LOGIN, 405, 405, 405),
    Row("POST", "/tournaments/{event}/register/", LOGIN, 422, 422, 422),
    Row("POST", "/tournaments/{event}/unregister/", LOGIN, 422, 404, 404),
    Row("POST", "/tournaments/{event}/re-enter/", LOGIN, 422, 404, 404),
    Row("POST", "/tournaments/{event}/rebuy/", LOGIN, 422, 404, 404),
    Row("POST", "/tournaments/{event}/automatic-rebuy/", LOGIN, 422, 422, 422, {"on": "1"}),
    Row("POST", "/tournaments/{event}/add-on/", LOGIN, 422, 404, 404),
    Row("GET", "/tournaments/{event}/edit/", LOGIN, 403, 403, 422),
    Row("POST", "/tournaments/{event}/edit/", LOGIN, 403, 403, 422),
    Row("POST", "/tournaments/{draft}/announce/", LOGIN, 403, 403, LOGIN),
    Row("POST", "/tournaments/{draft}/open/", LOGIN, 403, 403, LOGIN),
    Row("POST", "/tournaments/{draft}/start/", LOGIN, 403, 403, 422),
    Row("GET", "/tournaments/{event}/cancel/", LOGIN, 403, 403, 200),
    Row("POST", "/tournaments/{event}/cancel/", LOGIN, 403, 403, LOGIN, {"reason": "The roof leaks"}),
    Row("GET", "/tournaments/{draft}/delete/", LOGIN, 403, 403, 200),
    Row("POST", "/tournaments/{draft}/delete/", LOGIN, 403, 403, LOGIN),
    Row("GET", "/tournaments/{event}/template/", LOGIN, 403, 403, 200),
    Row("POST", "/tournaments/{event}/template/", LOGIN, 403, 403, LOGIN, {"name": "Mine"}),
    Row("GET", "/tournaments/{event}/tickets/", LOGIN, 403, 403, 200),
    Row("POST", "/tournaments/{event}/tickets/give/", LOGIN, 403, 403, 404, {"player": "nobody", "reason": "Won it"}),
    Row(
        "POST",
        "/tournaments/{event}/tickets/{ticket}/end/",
        LOGIN,
        403,
        403,
        LOGIN,
        {"how": "pay-out", "reason": "He is ill"},
    ),
    Row("GET", "/tournaments/{event}/desk/", LOGIN, 403, 200, 200),
    Row("POST", "/tournaments/{event}/desk/enter/", LOGIN, 403, 422, 422, {"guest": "Ana Ruiz"}),
    Row("POST", "/tournaments/{event}/desk/no-shows/", LOGIN, 403, 404, 404, {"entrants": [4]}),
    Row("POST", "/tournaments/{event}/desk/{entry}/take-off/", LOGIN, 403, 422, 422),
    Row("POST", "/tournaments/{event}/desk/{entry}/re-enter/", LOGIN, 403, 422, 422),
    Row("POST", "/tournaments/{event}/desk/{entry}/rebuy/", LOGIN, 403, 422, 422),
    Row("POST", "/tournaments/{event}/desk/{entry}/add-on/", LOGIN, 403, 422, 422),
    Row("GET", "/tournaments/{event}/clock/", 200, 200, 200, 200),
    Row("GET", "/tournaments/{draft}/clock/", 404, 404, 404, 404),
    Row("GET", "/tournaments/{event}/clock/worker.js", 200, 200, 200, 200),
    Row("GET", "/tournaments/{event}/print/receipts/1/", LOGIN, 200, 200, 200),
    Row("GET", "/tournaments/{event}/print/receipts/2/", LOGIN, 403, 200, 200),
    Row("GET", "/tournaments/{event}/print/payouts/1/", LOGIN, 404, 404, 404),
    Row("GET", "/tournaments/{event}/print/seats/", LOGIN, 403, 200, 200),
    Row("GET", "/tournaments/{event}/print/seats/1/", LOGIN, 200, 200, 200),
    Row("GET", "/tournaments/{event}/print/moves/", LOGIN, 403, 404, 404),
    Row("GET", "/tournaments/{event}/print/structure/", 200, 200, 200, 200),
    Row("GET", "/tournaments/{event}/export/results.csv", 200, 200, 200, 200),
    Row("GET", "/tournaments/{event}/export/payouts.csv", 403, 403, 200, 200),
    Row("GET", "/tournaments/{event}/export/nothing.csv", 404, 404, 404, 404),
    Row("GET", "/tournaments/{event}/run/", LOGIN, 403, 403, 200),
    Row("POST", "/tournaments/{event}/run/do/", LOGIN, 403, 403, 404, {"what": "pause"}),
    Row("GET", "/tournaments/{event}/run/players/1/", LOGIN, 403, 403, 200),
    Row("GET", "/tournaments/{event}/run/tables/1/", LOGIN, 403, 403, 200),
    Row("GET", "/tournaments/{event}/run/tables/1/race/", LOGIN, 403, 200, 200),
    Row("GET", "/tournaments/{event}/run/clock/", LOGIN, 403, 403, 200),
    Row("GET", "/tournaments/{event}/run/prizes/", LOGIN, 403, 403, 200),
    Row("GET", "/tournaments/{event}/run/levels/", LOGIN, 403, 403, 200),
    Row("GET", "/tournaments/{event}/run/log/", LOGIN, 403, 403, 200),
    Row("GET", "/tournaments/{event}/tables/", LOGIN, 403, 200, 200),
    Row("GET", "/tournaments/{event}/tables/1/", LOGIN, 403, 200, 200),
    Row("GET", "/tournaments/{event}/tables/9/", LOGIN, 403, 404, 404),
    Row("POST", "/tournaments/{event}/tables/1/do/", LOGIN, 403, 404, 404, {"what": "bust"}),
    Row("GET", "/tournaments/{event}/deal/", 200, 200, 200, 200),
    Row("POST", "/tournaments/{event}/deal/do/", LOGIN, 404, 404, 404, {"what": "propose", "kind": "even"}),
]
API = [
    Row("GET", "/api/v1/me/tournaments", 401, 200, 200, 200),
    Row("GET", "/api/v1/me/tickets", 401, 200, 200, 200),
    Row("POST", "/api/v1/me/tickets/{ticket}/exchange", 401, 404, 404, 404),
    Row("GET", "/api/v1/me/notices?about=events", 401, 200, 200, 200),
    Row("POST", "/api/v1/me/notices/{notice}/read", 401, 204, 404, 404),
    Row("GET", "/api/v1/tournaments", 200, 200, 200, 200),
    Row("POST", "/api/v1/tournaments", 401, 403, 403, 201, DRAFT),
    Row("GET", "/api/v1/tournaments/{event}", 200, 200, 200, 200),
    Row("GET", "/api/v1/tournaments/999", 404, 404, 404, 404),
    Row("GET", "/api/v1/tournaments/{draft}", 404, 404, 404, 200),
    Row("PATCH", "/api/v1/tournaments/{event}", 401, 403, 403, 200, {"description": "Bring a chair."}),
    Row("DELETE", "/api/v1/tournaments/{draft}", 401, 403, 403, 204),
    Row("POST", "/api/v1/tournaments/{draft}/announce", 401, 403, 403, 200),
    Row("POST", "/api/v1/tournaments/{draft}/open", 401, 403, 403, 200),
    Row("POST", "/api/v1/tournaments/{event}/start", 401, 403, 403, 422),
    Row("POST", "/api/v1/tournaments/{event}/cancel", 401, 403, 403, 200, {"reason": "The roof leaks"}),
    Row("GET", "/api/v1/tournaments/{event}/board", 200, 200, 200, 200),
    Row("GET", "/api/v1/tournaments/{draft}/board", 404, 404, 404, 404),
    Row("GET", "/api/v1/tournaments/{event}/facts", 200, 200, 200, 200),
    Row("POST", "/api/v1/tournaments/{event}/messages", 401, 403, 403, 200, {"text": "Dinner at eight."}),
    Row("GET", "/api/v1/tournaments/{event}/entries", 200, 200, 200, 200),
    Row("POST", "/api/v1/tournaments/{event}/entries", 401, 422, 422, 422),
    Row("POST", "/api/v1/tournaments/{event}/entries", 401, 403, 422, 422, {"guest": "Ana Ruiz"}),
    Row("GET", "/api/v1/tournaments/{event}/entries/1", 200, 200, 200, 200),
    Row("POST", "/api/v1/tournaments/{event}/entries/{entry}/unregister", 401, 422, 422, 422),
    Row("POST", "/api/v1/tournaments/{event}/entries/{entry}/re-enter", 401, 422, 422, 422),
    Row("POST", "/api/v1/tournaments/{event}/entries/{entry}/rebuy", 401, 422, 422, 422),
    Row("POST", "/api/v1/tournaments/{event}/entries/{entry}/automatic-rebuy", 401, 422, 422, 422, {"on": True}),
    Row("POST", "/api/v1/tournaments/{event}/entries/{entry}/add-on", 401, 422, 422, 422),
    Row("POST", "/api/v1/tournaments/{event}/entries/{entry}/seat", 401, 403, 403, 422),
    Row("POST", "/api/v1/tournaments/{event}/entries/{entry}/reserve", 401, 403, 403, 200, {"table": 1, "seat": 1}),
    Row("POST", "/api/v1/tournaments/{event}/entries/4/revive", 401, 403, 403, 200, {"reason": "A mistake"}),
    Row("POST", "/api/v1/tournaments/{event}/entries/{entry}/clock-on", 401, 403, 200, 200),
    Row("POST", "/api/v1/tournaments/{event}/entries/{entry}/clock-off", 401, 403, 422, 422),
    Row("POST", "/api/v1/tournaments/{event}/entries/{entry}/arrived", 401, 403, 200, 200),
    Row("POST", "/api/v1/tournaments/{event}/entries/{entry}/pay", 401, 403, 422, 422),
    Row("GET", "/api/v1/tournaments/{event}/alternates", 200, 200, 200, 200),
    Row("POST", "/api/v1/tournaments/{event}/no-shows", 401, 403, 200, 200, {"entrants": [2]}),
    Row("GET", "/api/v1/tournaments/{event}/receipts", 401, 200, 200, 200),
    Row("GET", "/api/v1/tournaments/{event}/clock", 200, 200, 200, 200),
    Row("POST", "/api/v1/tournaments/{event}/clock", 401, 403, 403, 200, {"what": "pause"}),
    Row("GET", "/api/v1/tournaments/{event}/levels", 200, 200, 200, 200),
    Row("POST", "/api/v1/tournaments/{event}/levels", 401, 403, 403, 200, LEVELS),
    Row("GET", "/api/v1/tournaments/{event}/console", 401, 403, 200, 200),
    Row("GET", "/api/v1/tournaments/{event}/tables", 200, 200, 200, 200),
    Row("POST", "/api/v1/tournaments/{event}/tables", 401, 403, 403, 200),
    Row("GET", "/api/v1/tournaments/{event}/tables/1", 200, 200, 200, 200),
    Row("POST", "/api/v1/tournaments/{event}/tables/1/break", 401, 403, 403, 422),
    Row("POST", "/api/v1/tournaments/{event}/tables/1/close", 401, 403, 403, 422),
    Row("POST", "/api/v1/tournaments/{event}/tables/1/hand-done", 401, 403, 200, 200),
    Row("GET", "/api/v1/tournaments/{event}/moves", 200, 200, 200, 200),
    Row("POST", "/api/v1/tournaments/{event}/moves", 401, 403, 403, 200, {"entrant": 2, "table": 1}),
    Row("GET", "/api/v1/tournaments/{event}/suggestions", 401, 403, 200, 200),
    Row("POST", "/api/v1/tournaments/{event}/pause", 401, 403, 403, 200),
    Row("POST", "/api/v1/tournaments/{event}/resume", 401, 403, 403, 422),
    Row("POST", "/api/v1/tournaments/{event}/offline", 401, 403, 403, 200),
    Row("POST", "/api/v1/tournaments/{event}/online", 401, 403, 403, 422),
    Row("POST", "/api/v1/tournaments/{event}/entry", 401, 403, 403, 200, {"on": True}),
    Row("POST", "/api/v1/tournaments/{event}/draw-seats", 401, 403, 403, 422),
    Row("POST", "/api/v1/tournaments/{event}/balance", 401, 403, 403, 422),
    Row("POST", "/api/v1/tournaments/{event}/final-table", 401, 403, 403, 422),
    Row("POST", "/api/v1/tournaments/{event}/draw-round", 401, 403, 403, 422),
    Row("POST", "/api/v1/tournaments/{event}/suggestions/confirm", 401, 403, 403, 409, {"key": "gone"}),
    Row("POST", "/api/v1/tournaments/{event}/suggestions/dismiss", 401, 403, 403, 409, {"key": "gone"}),
    Row("POST", "/api/v1/tournaments/{event}/auto-arrange", 401, 403, 403, 200, {"on": True}),
    Row("POST", "/api/v1/tournaments/{event}/busts", 401, 403, 200, 200, {"busts": [{"entrant": 2}]}),
    Row("POST", "/api/v1/tournaments/{event}/counts", 401, 403, 200, 200, {"entrant": 2, "chips": 2500}),
    Row(
        "POST",
        "/api/v1/tournaments/{event}/penalties",
        401,
        403,
        403,
        200,
        {"entrant": 2, "kind": "warning", "reason": "Cursing"},
    ),
    Row("POST", "/api/v1/tournaments/{event}/hand-for-hand", 401, 403, 403, 422, {"on": True}),
    Row("POST", "/api/v1/tournaments/{event}/undo", 401, 403, 403, 200),
    Row("POST", "/api/v1/tournaments/{event}/redo", 401, 403, 403, 422),
    Row("POST", "/api/v1/tournaments/{event}/finish", 401, 403, 403, 422),
    Row("POST", "/api/v1/tournaments/{event}/close-flight", 401, 403, 403, 422),
    Row("POST", "/api/v1/tournaments/{event}/carry-flights", 401, 403, 403, 422),
    Row(
        "POST",
        "/api/v1/tournaments/{event}/chip-race",
        401,
        403,
        400,
        400,
        {"table": 1, "leaving": 25, "stacks": {}, "is_trial": True},
    ),
    Row("GET", "/api/v1/tournaments/{event}/payouts", 200, 200, 200, 200),
    Row("GET", "/api/v1/tournaments/{event}/payouts/receipts", 401, 200, 200, 200),
    Row("POST", "/api/v1/tournaments/{event}/payouts/lock", 401, 403, 403, 200),
    Row("POST", "/api/v1/tournaments/{event}/payouts/terms", 401, 403, 403, 200, {"payout": {"kind": "winner"}}),
    Row("POST", "/api/v1/tournaments/{event}/payouts/pay", 401, 403, 403, 422),
    Row("GET", "/api/v1/tournaments/{event}/deal", 401, 200, 200, 200),
    Row("POST", "/api/v1/tournaments/{event}/deal", 401, 403, 403, 201, {"kind": "even"}),
    Row("POST", "/api/v1/tournaments/{event}/deal/vote", 401, 404, 404, 404, {"is_yes": True}),
    Row("POST", "/api/v1/tournaments/{event}/deal/accept-all", 401, 403, 403, 404),
    Row("POST", "/api/v1/tournaments/{event}/deal/withdraw", 401, 404, 404, 404),
    Row("GET", "/api/v1/tournaments/{event}/results", 200, 200, 200, 200),
    Row("GET", "/api/v1/tournaments/{event}/knock-outs", 200, 200, 200, 200),
    Row("GET", "/api/v1/tournaments/{event}/stats", 200, 200, 200, 200),
    Row("GET", "/api/v1/tournaments/{event}/log", 200, 200, 200, 200),
    Row("GET", "/api/v1/tournaments/{event}/exports/results/csv", 200, 200, 200, 200),
    Row("GET", "/api/v1/tournaments/{event}/exports/entries/csv", 403, 403, 200, 200),
    Row("GET", "/api/v1/leagues", 200, 200, 200, 200),
    Row("POST", "/api/v1/leagues", 401, 403, 403, 201, {"name": "Mine", "formula": "linear"}),
    Row("GET", "/api/v1/leagues/{league}", 200, 200, 200, 200),
    Row("PATCH", "/api/v1/leagues/{league}", 401, 403, 403, 200, {"description": "Ours"}),
    Row("GET", "/api/v1/leagues/{league}/seasons", 200, 200, 200, 200),
    Row("POST", "/api/v1/leagues/{league}/seasons", 401, 403, 403, 201, {"name": "2031", "starts_on": "2031-01-01"}),
    Row("GET", "/api/v1/seasons/{season}", 200, 200, 200, 200),
    Row("POST", "/api/v1/seasons/{season}/close", 401, 403, 403, 200),
    Row("POST", "/api/v1/tickets", 401, 403, 403, 404, {"player": "nobody", "tournament": 1, "reason": "Won it"}),
    Row("POST", "/api/v1/tickets", 401, 403, 403, 201, {"player": "{ann}", "tournament": "{event}", "reason": "Won"}),
    Row("POST", "/api/v1/tickets/{ticket}/pay-out", 401, 403, 403, 200, {"reason": "He is ill"}),
    Row("POST", "/api/v1/tickets/{ticket}/take-back", 401, 403, 403, 200, {"reason": "By mistake"}),
    Row("GET", "/api/v1/templates", 401, 403, 403, 200),
    Row("POST", "/api/v1/templates", 401, 403, 403, 400, {"name": "Mine"}),
    Row("GET", "/api/v1/templates/{template}", 401, 403, 403, 200),
    Row("PATCH", "/api/v1/templates/{template}", 401, 403, 403, 200, {"description": "Ours"}),
    Row("DELETE", "/api/v1/templates/{template}", 401, 403, 403, 204),
    Row("GET", "/api/v1/structures", 200, 200, 200, 200),
    Row(
        "POST",
        "/api/v1/structures",
        401,
        200,
        200,
        200,
        {"players": 9, "stack": 5000, "half_hours": 6, "chips": [25, 100, 500], "minutes": 20, "games": ["razz"]},
    ),
    Row("GET", "/api/v1/series", 200, 200, 200, 200),
    Row("POST", "/api/v1/series", 401, 403, 403, 201, {"name": "Autumn"}),
    Row("GET", "/api/v1/series/{series}", 200, 200, 200, 200),
    Row("PATCH", "/api/v1/series/{series}", 401, 403, 403, 200, {"description": "Ours"}),
]
ROWS = [*PAGES, *API]
#: What stands for a number in the rows.
WORDS = ("event", "draft", "entry", "series", "league", "season", "template", "ticket", "notice")


@pytest.fixture
def event(db):
    cache.clear()
    journal.forget()
    with time_machine.travel(START, tick=False):
        event = Event(price=PRICE | {"rebuy": {"pool": 50}}, rebuy=Rebuy(chips=2000)).started(4)
        event.play(Bust(((4, 2000),)))
        by, now = event.director, event.now
        spring = series.create(by=by, name="Spring", now=now)
        house = leagues.create(by=by, name="House", formula="linear", now=now)
        season = leagues.open_season(league_id=house.pk, by=by, name="2030", starts_on=now.date(), now=now)
        template = templates.save_as(tournament_id=event.pk, by=by, name="Nightly", now=now)
        given = {"by": by, "reason": "Won the quiz", "key": "quiz", "now": now}
        ticket = tickets.give(player=event.player(), tournament_id=event.pk, **given)
        notices.message(text="Welcome.", tournament_id=event.pk, by=by, now=now)
        event.ann = event.entry(1).player
        notice = Notice.objects.filter(player=event.ann).latest("pk")
        event.ids = {"event": event.pk, "draft": Event().pk, "entry": 1, "series": spring.pk, "league": house.pk}
        event.ids |= {"season": season.pk, "template": template.pk, "ticket": ticket.pk, "notice": notice.pk}
        event.ids["ann"] = event.ann.username
        yield event
    journal.forget()


@pytest.mark.usefixtures("_remembered_logins")
@pytest.mark.parametrize("role", ["anonymous", "player", "floor", "director"])
def test_every_address_of_an_event_answers_each_role_as_the_table_says(event, browse, role):
    people = {"player": event.ann, "floor": event.staff("floor"), "director": event.director}
    client = browse(people.get(role))
    wrong = []
    for row in ROWS:
        path = row.path.format(**event.ids)
        as_json = {"content_type": "application/json"} if path.startswith("/api/") else {}
        with transaction.atomic():
            sent = {name: event.ids[value[1:-1]] if value in ("{ann}", "{event}") else value
                    for name, value in row.data.items()}  # fmt: skip
            answer = getattr(client, row.method.lower())(path, data=sent, **as_json, headers={keys.HEADER: "once"})
            transaction.set_rollback(True)
        journal.forget()
        if answer.status_code != getattr(row, role):
            wrong.append(f"{row.method} {path}: {answer.status_code}, not {getattr(row, role)}")
    assert not wrong, "\n".join(wrong)
