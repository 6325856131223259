"""Who gets what answer at which address of an event: one table, as for the rest of the room in `test_permissions`."""

from typing import NamedTuple

import pytest
import time_machine
from django.core.cache import cache

from cardroom.core.models import Notice
from cardroom.core.web.api import keys
from tests.support.events import PRICE, START, Event
from tests.support.parts.event_rules import Bust, RebuyTerms
from tests.web.api.test_tournaments import DRAFT
from tests.web.room_rows import LOGIN, rows, wrong_answers
from tournaments.events import leagues, notices, series, terms
from tournaments.prizes import tickets


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


PAGE = "/tournaments/{event}"
API = f"/api/v1{PAGE}"
NIGHT = {"players": 9, "stack": 5000, "half_hours": 6, "chips": [25, 100, 500], "minutes": 20, "games": ["razz"]}
PAID_OUT = {"verb": "pay-out", "reason": "He is ill"}
RACE = {"table": 1, "leaving": 25, "stacks": {}, "is_trial": True}
STACKS = {"stacks": [{"entrant": 2, "chips": 2500}, {"entrant": 3, "chips": 1500}]}
WARNING = {"entrant": 2, "kind": "warning", "reason": "Cursing"}
LEVELS = {"from_level": 4, "levels": DRAFT["config"]["structure"]["levels"][4:]}
ROWS = [
    *rows(
        """
                anonymous player floor director
        GET     200       200    200   200       /tournaments/ /tournaments/series/ /tournaments/series/{series}/
            /tournaments/leagues/ /tournaments/leagues/{league}/ /tournaments/seasons/{season}/ PAGE/ PAGE/players/
            PAGE/hands/ API/hands
            PAGE/results/ PAGE/clock/ PAGE/clock/worker.js PAGE/print/structure/ PAGE/export/results.csv PAGE/deal/
            /api/v1/tournaments /api/v1/tournaments/{event} API/board API/facts API/entries API/entries/1 API/alternates
            API/clock API/levels API/tables API/tables/1 API/moves API/payouts API/results API/knock-outs API/stats
            API/log API/exports/results/csv /api/v1/leagues /api/v1/leagues/{league} /api/v1/leagues/{league}/seasons
            /api/v1/seasons/{season} /api/v1/structures /api/v1/series /api/v1/series/{series}
        GET     login     403    403   200       /tournaments/new/ /tournaments/templates/
            /tournaments/templates/{template}/ /tournaments/series/new/ /tournaments/series/{series}/edit/
            /tournaments/leagues/new/ /tournaments/leagues/{league}/edit/ /tournaments/leagues/{league}/seasons/new/
            PAGE/cancel/ /tournaments/{draft}/delete/ PAGE/template/ PAGE/tickets/ PAGE/run/ PAGE/run/players/1/
            PAGE/run/tables/1/ PAGE/run/undo/ PAGE/run/clock/ PAGE/run/prizes/ PAGE/run/chips/
            PAGE/run/levels/ PAGE/run/log/
            /api/v1/templates /api/v1/templates/{template}
        GET     404       404    404   404       /tournaments/series/999/ /tournaments/leagues/999/
            /tournaments/seasons/999/ /tournaments/999/ /tournaments/{draft}/clock/ PAGE/export/nothing.csv
            /api/v1/tournaments/999 /api/v1/tournaments/{draft}/board
        GET     404       404    404   200       /tournaments/{draft}/ /tournaments/{draft}/results/
            /api/v1/tournaments/{draft}
        GET     login     405    405   405       PAGE/register/
        GET     login     403    403   422       PAGE/edit/
        GET     login     403    200   200       PAGE/money/ API/money PAGE/desk/ PAGE/print/seats/
            PAGE/print/receipts/2/ PAGE/print/names/ PAGE/print/tables/ PAGE/print/counts/
            PAGE/print/payouts/sheet/ PAGE/run/tables/1/race/ PAGE/tables/ PAGE/tables/1/ API/console API/suggestions
        GET     login     200    200   200       PAGE/print/receipts/1/ PAGE/print/seats/1/ /api/v1/me/tournaments
            /api/v1/me/tickets /api/v1/me/notices?about=events API/receipts API/payouts/receipts API/deal
        GET     login     404    404   404       PAGE/print/payouts/1/
        GET     login     403    404   404       PAGE/print/moves/ PAGE/print/moves/new/ PAGE/print/payouts/
            PAGE/tables/9/
        GET     403       403    200   200       PAGE/export/money.pdf API/exports/money/json
            PAGE/export/payouts.csv API/exports/entries/csv
        POST    login     403    403   200       /tournaments/new/ /api/v1/tournaments/{draft}/announce
            /api/v1/tournaments/{draft}/open API/tables API/pause API/offline API/undo API/payouts/lock
            /api/v1/seasons/{season}/close
        POST    login     403    403   302       /tournaments/templates/{template}/put-away/
            /tournaments/seasons/{season}/close/ /tournaments/{draft}/announce/ /tournaments/{draft}/open/
            /tournaments/{draft}/delete/
        POST    login     403    403   400       /tournaments/leagues/new/
        POST    login     422    422   422       PAGE/register/ API/entries API/entries/{entry}/unregister
            API/entries/{entry}/re-enter API/entries/{entry}/rebuy API/entries/{entry}/add-on
        POST    login     422    404   404       PAGE/unregister/ PAGE/re-enter/ PAGE/rebuy/ PAGE/add-on/
        POST    login     403    403   422       PAGE/edit/ /tournaments/{draft}/start/ API/start
            API/entries/{entry}/seat API/tables/1/break API/tables/1/close API/resume API/online API/draw-seats
            API/balance API/final-table API/draw-round API/redo API/finish API/close-flight API/carry-flights
            API/payouts/pay
        POST    login     403    422   422       PAGE/desk/{entry}/take-off/ PAGE/desk/{entry}/re-enter/
            PAGE/desk/{entry}/rebuy/ PAGE/desk/{entry}/add-on/ API/entries/{entry}/clock-off API/entries/{entry}/pay
        POST    login     404    404   404       /api/v1/me/tickets/{ticket}/exchange API/deal/withdraw
        POST    login     204    404   404       /api/v1/me/notices/{notice}/read
        POST    login     403    200   200       API/entries/{entry}/clock-on API/entries/{entry}/arrived
            API/tables/1/hand-done API/tables/1/all-here
        POST    login     403    403   404       API/deal/accept-all
        POST    login     403    200   200       API/entries/{entry}/pay-refunds
        DELETE  login     403    403   204       /api/v1/tournaments/{draft} /api/v1/templates/{template}
    """.replace("API/", f"{API}/").replace("PAGE/", f"{PAGE}/"),
        Row,
    ),
    Row("POST", "/me/tickets/{ticket}/exchange/", LOGIN, 404, 404, 404),  # it is another player's
    Row("POST", "/tournaments/series/new/", LOGIN, 403, 403, LOGIN, {"name": "Autumn"}),
    Row("POST", "/tournaments/series/{series}/edit/", LOGIN, 403, 403, LOGIN, {"name": "Winter"}),
    Row("POST", f"{PAGE}/automatic-rebuy/", LOGIN, 422, 422, 422, {"on": "1"}),
    Row("POST", f"{PAGE}/cancel/", LOGIN, 403, 403, LOGIN, {"reason": "The roof leaks"}),
    Row("POST", f"{PAGE}/template/", LOGIN, 403, 403, LOGIN, {"name": "Mine"}),
    Row("POST", f"{PAGE}/tickets/give/", LOGIN, 403, 403, 404, {"player": "nobody", "reason": "Won it"}),
    Row("POST", f"{PAGE}/tickets/{{ticket}}/end/", LOGIN, 403, 403, LOGIN, PAID_OUT),
    Row("POST", f"{PAGE}/desk/{{entry}}/identify/", LOGIN, 403, 404, 404, {"player": "nobody"}),
    Row("POST", f"{API}/entries/{{entry}}/identify", 401, 404, 404, 404, {"player": "nobody"}),
    Row("POST", f"{PAGE}/desk/enter/", LOGIN, 403, 422, 422, {"guest": "Ana Ruiz"}),
    Row("POST", f"{PAGE}/desk/name/", LOGIN, 403, 422, 422, {"q": "Ana Ruiz", "method": "desk"}),
    Row("POST", f"{PAGE}/desk/list/", LOGIN, 403, LOGIN, LOGIN, {"names": "Ana Ruiz", "method": "desk"}),
    Row("POST", f"{PAGE}/desk/no-shows/", LOGIN, 403, 404, 404, {"entrants": [4]}),
    Row("POST", f"{PAGE}/run/do/", LOGIN, 403, 403, 404, {"what": "pause"}),
    Row("POST", f"{PAGE}/tables/1/do/", LOGIN, 403, 404, 404, {"what": "bust"}),
    Row("POST", f"{PAGE}/deal/do/", LOGIN, 404, 404, 404, {"what": "propose", "kind": "even"}),
    Row("POST", "/api/v1/tournaments", 401, 403, 403, 201, DRAFT),
    Row("PATCH", API, 401, 403, 403, 200, {"description": "Bring a chair."}),
    Row("POST", f"{API}/cancel", 401, 403, 403, 200, {"reason": "The roof leaks"}),
    Row("POST", f"{API}/messages", 401, 403, 403, 200, {"text": "Dinner at eight."}),
    Row("POST", f"{API}/entries", 401, 403, 422, 422, {"guest": "Ana Ruiz"}),
    Row("POST", f"{API}/entries/{{entry}}/automatic-rebuy", 401, 422, 422, 422, {"on": True}),
    Row("POST", f"{API}/entries/{{entry}}/reserve", 401, 403, 403, 200, {"table": 1, "seat": 1}),
    Row("POST", f"{API}/entries/4/revive", 401, 403, 403, 200, {"reason": "A mistake"}),
    Row("POST", f"{API}/no-shows", 401, 403, 200, 200, {"entrants": [2]}),
    Row("POST", f"{API}/clock", 401, 403, 403, 200, {"what": "pause"}),
    Row("POST", f"{API}/levels", 401, 403, 403, 200, LEVELS),
    Row("POST", f"{API}/moves", 401, 403, 403, 200, {"entrant": 2, "table": 1}),
    Row("POST", f"{API}/swaps", 401, 403, 403, 200, {"entrant": 2, "other": 3}),
    Row("POST", f"{API}/chips", 401, 403, 403, 200, {"chips": 26_000, "reason": "A race went wrong"}),
    Row("POST", f"{API}/entry", 401, 403, 403, 200, {"on": True}),
    Row("POST", f"{API}/suggestions/confirm", 401, 403, 403, 409, {"key": "gone"}),
    Row("POST", f"{API}/suggestions/dismiss", 401, 403, 403, 409, {"key": "gone"}),
    Row("POST", f"{API}/auto-arrange", 401, 403, 403, 200, {"on": True}),
    Row("POST", f"{API}/busts", 401, 403, 200, 200, {"busts": [{"entrant": 2}]}),
    Row("POST", f"{API}/counts", 401, 403, 200, 200, {"entrant": 2, "chips": 2500}),
    Row("POST", f"{API}/tables/1/counts", 401, 403, 200, 200, STACKS),
    Row("POST", f"{API}/penalties", 401, 403, 403, 200, WARNING),
    Row("POST", f"{API}/hand-for-hand", 401, 403, 403, 422, {"on": True}),
    Row("POST", f"{API}/chip-race", 401, 403, 400, 400, RACE),
    Row("POST", f"{API}/payouts/terms", 401, 403, 403, 200, {"payout": {"kind": "winner"}}),
    Row("POST", f"{API}/deal", 401, 403, 403, 201, {"kind": "even"}),
    Row("POST", f"{API}/deal/vote", 401, 404, 404, 404, {"is_yes": True}),
    Row("POST", "/api/v1/leagues", 401, 403, 403, 201, {"name": "Mine", "formula": "linear"}),
    Row("PATCH", "/api/v1/leagues/{league}", 401, 403, 403, 200, {"description": "Ours"}),
    Row("POST", "/api/v1/leagues/{league}/seasons", 401, 403, 403, 201, {"name": "2031", "starts_on": "2031-01-01"}),
    Row("POST", "/api/v1/tickets", 401, 403, 403, 404, {"player": "nobody", "tournament": 1, "reason": "Won it"}),
    Row("POST", "/api/v1/tickets", 401, 403, 403, 201, {"player": "{ann}", "tournament": "{event}", "reason": "Won"}),
    Row("POST", "/api/v1/tickets/{ticket}/pay-out", 401, 403, 403, 200, {"reason": "He is ill"}),
    Row("POST", "/api/v1/tickets/{ticket}/take-back", 401, 403, 403, 200, {"reason": "By mistake"}),
    Row("POST", "/api/v1/tickets/{ticket}/pay-cash", 401, 403, 403, 200, {"reason": "He is ill"}),
    Row("POST", f"{PAGE}/desk/{{entry}}/pay-refunds/", LOGIN, 403, LOGIN, LOGIN),
    Row("POST", "/api/v1/templates", 401, 403, 403, 400, {"name": "Mine"}),
    Row("PATCH", "/api/v1/templates/{template}", 401, 403, 403, 200, {"description": "Ours"}),
    Row("POST", "/api/v1/structures", 401, 200, 200, 200, NIGHT),
    Row("POST", "/api/v1/structures/check", 401, 200, 200, 200, {"config": DRAFT["config"]}),
    Row("POST", "/api/v1/series", 401, 403, 403, 201, {"name": "Autumn"}),
    Row("PATCH", "/api/v1/series/{series}", 401, 403, 403, 200, {"description": "Ours"}),
]
#: What stands for a number in the rows.
WORDS = ("event", "draft", "entry", "series", "league", "season", "template", "ticket", "notice")


def lay_out() -> Event:
    """The event of the rows at its own time: `ids` says what stands for a number, `people` who asks by their role."""
    event = Event(price=PRICE | {"rebuy": {"pool": 50}}, rebuy=RebuyTerms(chips=2000)).started(4)
    event.play(Bust(((4, 2000),)))
    by, now = event.director, event.now
    spring = series.create(by=by, name="Spring", now=now)
    house = leagues.create(by=by, name="House", formula="linear", now=now)
    season = leagues.open_season(league_id=house.pk, by=by, name="2030", starts_on=now.date(), now=now)
    template = terms.save_as(tournament_id=event.pk, by=by, name="Nightly", now=now)
    given = {"by": by, "reason": "Won the quiz", "key": "quiz", "now": now}
    ticket = tickets.give(player=event.player(), tournament_id=event.pk, **given)
    notices.message(text="Welcome.", tournament_id=event.pk, by=by, now=now)
    ann = event.entry(1).player
    notice = Notice.objects.filter(player=ann).latest("pk")
    event.ids = {"event": event.pk, "draft": Event().pk, "entry": 1, "series": spring.pk, "league": house.pk}
    event.ids |= {"season": season.pk, "template": template.pk, "ticket": ticket.pk, "notice": notice.pk}
    event.ids["ann"] = ann.username
    event.people = {"anonymous": None, "player": ann, "floor": event.desk("floor"), "director": event.desk(by=by)}
    return event


@pytest.mark.usefixtures("_remembered_logins")
@time_machine.travel(START, tick=False)
def test_every_address_of_an_event_answers_each_role_as_the_table_says(browse):
    cache.clear()
    event, once = lay_out(), {keys.HEADER: "once"}
    wrong = []
    for role, user in event.people.items():
        wrong += wrong_answers(ROWS, role, browse(user), event.ids, headers=once)
    assert not wrong, "\n".join(wrong)
