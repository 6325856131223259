"""The pages of statements, histories, time, reports, shifts and dealers: what is shown, taken along, refused, done."""

import csv
import io

import pytest
import time_machine
from django.utils import translation

from games.play import seats
from tests.support.models import Down, ReportWish, Shift, StaffAction, TimePause, User
from tests.support.offers import Games, staff
from tests.support.pages import assert_hides, assert_shows, get, html_of, json_of
from tests.support.parts.cardroom import people
from tests.support.timing import TimedTable
from tests.support.worlds import world


@world
def played() -> TimedTable:
    """Ann played a hand, paid her time and left; bob sits there; it is just after that."""
    made = TimedTable()
    made.ann, made.bob = made.sit("ann"), made.sit("bob")
    made.deal()
    made.play_out()
    made.ring()
    made.later(minutes=5)
    made.leave(made.ann)
    made.floor = staff("floor", "flo")
    return made


@pytest.fixture
def table(played, _same_cards):
    with time_machine.travel(played.now, tick=False):
        yield played


def rows_of(file) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(file.content.decode("utf-8-sig"))))


@pytest.mark.smoke
def test_a_statement_unfolds_the_hands_of_a_stay_and_loads_older_lines(table, browse):
    stay = f"/me/statement/stays/{table.ann.stays.get().pk}/"
    assert_shows(
        get(browse(table.ann), "/me/statement/"), f"Cashed out at {table.table.name}, seat 1", "2 players", stay
    )
    assert_shows(get(browse(table.ann), stay), f"/hands/{table.table.last_hand_id}/")
    assert_shows(get(browse(table.bob), stay), "No hands")
    for _ in range(20):
        table.sit(table.ann)
        seats.sit_out(table_id=table.pk, by=table.ann, now=table.now)
        table.leave(table.ann)
    page = browse(table.ann).get("/me/statement/")
    rest = browse(table.ann, headers={"HX-Request": "true"}).get(f"/me/statement/?cursor={page.context['page'].later}")
    assert_hides(rest.content.decode(), "<html")
    assert (rest.context["page"].later, len(page.context["page"].lines)) == ("", 50)


def test_files_and_api_of_a_statement_hold_what_the_page_shows(table, browse):
    ann = browse(table.ann)
    answer = ann.get("/me/statement/csv/")
    assert answer["Content-Disposition"].startswith('attachment; filename="statement-')
    rows = rows_of(answer)
    assert [row["what"] for row in rows] == [line.text for line in ann.get("/me/statement/").context["page"].lines]
    assert rows[0]["wallet_after"] == str(table.wallet(table.ann))
    assert_shows(get(ann, "/me/history/"), "<polyline", "Seven-Card Stud 15/30", "/me/history/csv/?span=90")
    assert_shows(get(browse(User.objects.create_user("new")), "/me/history/"), "No cash sessions")
    file = ann.get("/me/history/csv/")
    (told,) = rows_of(file)
    assert (told["hands"], told["time"], told["where"]) == ("1", "10", "online")
    assert int(told["took"]) - int(told["brought"]) == int(told["result"].lstrip("'"))
    assert ann.get("/api/v1/me/history/csv").content == file.content
    for paper in ("statement/pdf/", "history/pdf/?span=all"):
        assert ann.get(f"/me/{paper}").content.startswith(b"%PDF"), paper

    first = ann.get("/api/v1/me/statement?limit=2").json()
    assert [line["kind"] for line in first["results"]] == ["cash-out", "time-charged"]
    assert first["results"][0]["visit"]["hands"] == 1
    rest = ann.get("/api/v1/me/statement", {"limit": 2, "cursor": first["next"]}).json()
    assert [line["kind"] for line in rest["results"]] == ["buy-in", "test"]
    assert rest["next"] is None
    assert ann.get("/api/v1/me/statement/csv").content == answer.content
    assert b"cash-out" in answer.content
    told = ann.get("/api/v1/me/history").json()
    assert (told["games"][0]["sessions"], told["sessions"][0]["time"]) == (1, 10)
    assert ann.get(f"/api/v1/tables/{table.pk}/time").status_code == 403, "she has left"
    time = browse(table.bob).get(f"/api/v1/tables/{table.pk}/time").json()
    assert (time["period_minutes"], time["each"], len(time["sitters"])) == (30, 0, 1)


def test_staff_give_a_reason_for_each_look_at_a_statement(table, browse):
    floor, address = browse(table.floor), f"/players/{table.ann.pk}/statement/"
    assert_shows(floor.get(address).content.decode(), "Enter a reason")
    assert not StaffAction.objects.filter(verb="statements.look").exists()
    assert_shows(get(floor, f"{address}?reason=He+asked+me"), "Cashed out")
    look = StaffAction.objects.get(verb="statements.look")
    assert (look.player, look.by, look.reason) == (table.ann, table.floor, "He asked me")
    User.objects.filter(pk=table.ann.pk).update(is_active=False)
    held = people.wallet_balance(table.ann)
    assert held
    assert floor.get(f"{address}?reason=asked").context["balance"] == held


def test_the_page_of_table_time_lets_floor_and_players_settle_each_charge(table, browse):
    floor, whom, time = browse(table.floor), {"player": table.bob.pk}, f"/tables/{table.pk}/time/"
    assert_shows(get(floor, time), "Next collection")
    floor.post(f"{time}pause/", whom | {"reason": "on the phone"})
    assert TimePause.objects.get(player=table.bob, until=None).reason == "on the phone"
    assert_shows(get(floor, time), "on the phone")
    floor.post(f"{time}resume/", whom)
    floor.post(f"{time}pause/", whom)
    with translation.override("de"):
        absent = translation.gettext("absent with permission")
    for reader in (floor, browse(table.bob)):
        assert_shows(html_of(reader.get(time, headers={"Accept-Language": "de"})), f"{absent}</div></td>")
    floor.post(f"{time}resume/", whom)
    address = f"/time/{table.charges(table.bob)[0].pk}/waive/"
    assert_shows(html_of(floor.post(address, {"reason": "a long misdeal"}, follow=True)), "The time of bob is waived.")

    bob = browse(table.bob)
    for verb, said in (("refuse", "Pay the time"), ("pay", "Refuse the next charge")):
        bob.post(f"{time}{verb}/")
        assert_shows(get(bob, time), said)
    kind = TimePause.Kind.REFUSAL
    TimePause.objects.create(table_id=table.pk, player=table.ann, since=table.now, kind=kind, is_due=True)
    ann = browse(table.ann)
    assert_shows(get(ann, time), "Pay the time")
    assert ann.post(f"{time}pay/").url == f"/tables/{table.pk}/"
    get(ann, time, 403)


@world
def games() -> Games:
    room = Games()
    room.open(room.offer("Stud in the room", is_physical=True, dealt_by="person", deck="typed"), name="Bar 1")
    return room


def test_a_manager_reads_every_report_and_one_of_today_is_refreshed(games, browse):
    games.player("ann", chips=1234)
    client = browse(games.manager)
    for name in ("drop", "cage", "credit", "liabilities", "players", "jackpots", "dealers", "losses"):
        page = get(client, f"/reports/{name}/?since=2030-01-01&until=2030-01-31")
        assert_shows(page, "<h1>")
        assert name != "liabilities" or "<svg" in page or "No data for these days" in page
    for asked in ("since=2030-02-01&until=2030-01-01", "since=someday", "by=weather"):
        get(client, f"/reports/drop/?{asked}", 400)
    for address in ("weather/", "drop/doc/"):
        get(client, f"/reports/{address}", 404)
    page = get(client, "/reports/drop/")
    assert_shows(page, 'data-topics="floor cage')
    assert page.count("room:floor from:body") == 2
    over = get(client, "/reports/drop/?since=2020-01-01&until=2020-01-02")
    assert_hides(over.partition('id="report"')[2].partition(">")[0], "room:")
    assert_hides(get(browse(staff("cashier", "cay")), "/reports/cage/"), "room:floor")  # a cashier hears of the cage


def test_a_manager_chooses_who_is_sent_reports(games, browse):
    client = browse(games.manager)
    asked = {"who": games.manager.username, "every": "day"}
    assert_shows(client.post("/reports/wishes/", asked, follow=True).content.decode(), "not a manager or auditor with")
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
    assert_shows(get(client, "/floor/dealers/"), "dan")
    assert_shows(get(client, "/shifts/"), "Evening", "Bar 1", "1 dealer on duty")
    over = {"shift_id": Shift.objects.get().pk, "remark": "Quiet", "key": "d"}
    assert client.post("/shifts/close/", over).status_code == 422
    client.post("/shifts/close/", over | {"handed_to": games.manager.pk})
    assert_shows(get(client, "/shifts/"), f"handed to {games.manager.username}")
    assert Shift.objects.get().remark == "Quiet"


def test_a_dealer_clocks_in_on_a_tablet(games, browse):
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
    assert client.get("/api/v1/reports/liabilities/csv").content.decode("utf-8-sig").startswith("key,name,unit,owed")
    made = json_of(client.post("/api/v1/shifts", {"name": "Evening"}, content_type="application/json"), 201)
    order = {"table": games.pk, "minutes": 25}
    told = client.post(f"/api/v1/dealers/{dan.pk}/clock-in", order, content_type="application/json").json()
    assert told["pushes"][0]["down"]["name"] == "dan"
    assert client.get("/api/v1/downs").json()["results"][0]["where"] == "Bar 1"
    over = {"handed_to": games.floor.pk}
    closed = client.post(f"/api/v1/shifts/{made['id']}/close", over, content_type="application/json").json()
    assert closed["found"]["dealers"] == 1
