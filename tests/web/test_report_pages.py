"""Pages of reports, shifts and dealers: what is shown, taken along, refused and done by a click."""

from tests.support.models import Down, ReportWish, Shift, User
from tests.support.offers import Games, staff
from tests.support.pages import get, hides, json_of, says
from tests.support.worlds import world


@world
def games() -> Games:
    room = Games()
    room.open(room.offer("Stud in the room", is_physical=True, dealt_by="person", deck="typed"), name="Bar 1")
    return room


def test_a_manager_reads_every_report_which_follows_the_news_until_its_days_are_over_or_is_told_why_not(games, browse):
    games.player("ann", chips=1234)
    client = browse(games.manager)
    for name in ("drop", "cage", "credit", "liabilities", "players", "jackpots", "dealers"):
        page = get(client, f"/reports/{name}/?since=2030-01-01&until=2030-01-31")
        says(page, "<h1>")
        assert name != "liabilities" or "<svg" in page or "No data for these days" in page
    for asked in ("since=2030-02-01&until=2030-01-01", "since=someday", "by=weather"):
        get(client, f"/reports/drop/?{asked}", 400)
    for address in ("weather/", "drop/doc/"):
        get(client, f"/reports/{address}", 404)
    page = get(client, "/reports/drop/")
    says(page, 'data-topics="floor cage')
    assert page.count("room:floor from:body") == 2
    over = get(client, "/reports/drop/?since=2020-01-01&until=2020-01-02")
    hides(over.partition('id="report"')[2].partition(">")[0], "room:")
    hides(get(browse(staff("cashier", "cay")), "/reports/cage/"), "room:floor")  # a cashier hears of the cage


def test_a_manager_chooses_who_is_sent_reports(games, browse):
    client = browse(games.manager)
    asked = {"who": games.manager.username, "every": "day"}
    says(client.post("/reports/wishes/", asked, follow=True).content.decode(), "not a manager or auditor with")
    User.objects.filter(pk=games.manager.pk).update(email="boss@example.org")
    client.post("/reports/wishes/", asked)
    assert ReportWish.objects.count() == 1
    client.post("/reports/wishes/", asked | {"is_wished": "0"})
    assert not ReportWish.objects.exists()


def test_the_floor_opens_a_shift_and_pushes_dealers_by_clicks(games, browse):
    client, dealer = browse(games.floor), staff("dealer", "dan")
    client.post("/shifts/open/", {"name": "Evening", "key": "a"})
    assert Shift.objects.get().is_open
    assert client.post("/shifts/open/", {"name": "Night", "key": "b"}).status_code == 409
    client.post("/dealers/clock-in/", {"dealer_id": dealer.pk, "table": games.pk, "minutes": "25", "key": "c"})
    assert Down.objects.get().dealer == dealer
    says(get(client, "/floor/dealers/"), "dan")
    says(get(client, "/shifts/"), "Evening", "Bar 1", "1 dealer on duty")
    over = {"shift_id": Shift.objects.get().pk, "remark": "Quiet", "key": "d"}
    assert client.post("/shifts/close/", over).status_code == 422
    client.post("/shifts/close/", over | {"handed_to": games.manager.pk})
    says(get(client, "/shifts/"), f"handed to {games.manager.username}")
    assert Shift.objects.get().remark == "Quiet"


def test_a_dealer_clocks_for_himself_on_a_tablet(games, browse):
    client = browse(staff("dealer", "dan"))
    client.post("/dealers/clock-in/", {"table": games.pk})
    client.post("/dealers/break/", {"minutes": "15"})
    assert Down.objects.get().until is not None
    client.post("/dealers/home/", {})
    assert client.post("/dealers/home/", {}).status_code == 409
    assert client.post("/dealers/clock-in/", {"table": "x", "place": "kept"}).status_code == 400


def test_programs_read_reports_and_push_dealers(games, browse):
    client, dan = browse(games.manager), staff("dealer", "dan")
    told = client.get("/api/v1/reports/drop?by=table").json()
    assert [column["key"] for column in told["columns"]][:2] == ["name", "rake"]
    assert client.get("/api/v1/reports/drop?by=weather").status_code == 400
    assert client.get("/api/v1/reports/liabilities/csv").content.decode("utf-8-sig").startswith("name,unit,owed")
    made = json_of(client.post("/api/v1/shifts", {"name": "Evening"}, content_type="application/json"), 201)
    order = {"table": games.pk, "minutes": 25}
    told = client.post(f"/api/v1/dealers/{dan.pk}/clock-in", order, content_type="application/json").json()
    assert told["pushes"][0]["down"]["name"] == "dan"
    assert client.get("/api/v1/downs").json()["results"][0]["where"] == "Bar 1"
    over = {"handed_to": games.floor.pk}
    closed = client.post(f"/api/v1/shifts/{made['id']}/close", over, content_type="application/json").json()
    assert closed["found"]["dealers"] == 1
