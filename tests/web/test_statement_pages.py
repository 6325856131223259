"""The pages of statements, histories and time: what is on them, and what they do."""

import csv
import io

import pytest
import time_machine
from django.utils import translation

from games.play import seats
from tests.support.models import StaffAction, TimePause, User
from tests.support.pages import says
from tests.support.parts.cardroom import access, account_queries
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
    made.floor = User.objects.create_user("flo")
    access.grant_role(user=made.floor, role="floor", by=None)
    return made


@pytest.fixture
def table(played, _same_cards):
    with time_machine.travel(played.now, tick=False):
        yield played


@pytest.mark.smoke
def test_a_statement_shows_its_lines_and_unfolds_the_hands_of_a_stay(table, browse):
    page = browse(table.ann).get("/me/statement/").content.decode()
    says(page, f"Cashed out at {table.table.name}, seat 1", "2 players")
    stay = table.ann.stays.get()
    assert f"/me/statement/stays/{stay.pk}/" in page
    hands = browse(table.ann).get(f"/me/statement/stays/{stay.pk}/").content.decode()
    assert f"/hands/{table.table.last_hand_id}/" in hands
    assert "No hands" in browse(table.bob).get(f"/me/statement/stays/{stay.pk}/").content.decode()


def test_older_lines_come_without_the_page_around_them(table, browse):
    for _ in range(20):
        table.sit(table.ann)
        seats.sit_out(table_id=table.pk, player=table.ann, now=table.now)
        table.leave(table.ann)
    page = browse(table.ann).get("/me/statement/")
    older = f"/me/statement/?cursor={page.context['page'].later}"
    rest = browse(table.ann, headers={"HX-Request": "true"}).get(older)
    assert "<html" not in rest.content.decode()
    assert (rest.context["page"].later, len(page.context["page"].lines)) == ("", 50)


def test_the_files_hold_what_the_page_shows_and_a_history_adds_up_the_game(table, browse):
    answer = browse(table.ann).get("/me/statement/csv/")
    assert answer["Content-Disposition"].startswith('attachment; filename="statement-')
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    page = browse(table.ann).get("/me/statement/")
    assert [row["what"] for row in rows] == [line.text for line in page.context["page"].lines]
    assert rows[0]["wallet_after"] == str(table.wallet(table.ann))
    assert browse(table.ann).get("/me/statement/pdf/").content.startswith(b"%PDF")
    page = browse(table.ann).get("/me/history/").content.decode()
    says(page, "<polyline", "Seven-Card Stud 15/30")
    assert "No cash sessions" in browse(User.objects.create_user("new")).get("/me/history/").content.decode()
    ann = browse(table.ann)
    assert "/me/history/csv/?span=90" in ann.get("/me/history/").content.decode()
    file = ann.get("/me/history/csv/").content
    titles, session = file.decode("utf-8-sig").splitlines()
    told = dict(zip(titles.split(","), session.split(","), strict=True))
    assert (told["hands"], told["time"], told["where"]) == ("1", "10", "online")
    assert int(told["took"]) - int(told["brought"]) == int(told["result"].lstrip("'"))
    assert ann.get("/api/v1/me/history/csv").content == file
    assert ann.get("/me/history/pdf/?span=all").content.startswith(b"%PDF")


def test_staff_says_why_each_look_is_kept_and_a_closed_account_shows_what_its_wallet_holds(table, browse):
    assert "Enter a reason" in browse(table.floor).get(f"/players/{table.ann.pk}/statement/").content.decode()
    assert not StaffAction.objects.filter(verb="statements.look").exists()
    shown = browse(table.floor).get(f"/players/{table.ann.pk}/statement/?reason=He+asked+me")
    assert "Cashed out" in shown.content.decode()
    look = StaffAction.objects.get(verb="statements.look")
    assert (look.player, look.by, look.reason) == (table.ann, table.floor, "He asked me")
    table.ann.is_active = False
    table.ann.save()
    held = account_queries.wallet_balance(table.ann)
    assert held
    page = browse(table.floor).get(f"/players/{table.ann.pk}/statement/?reason=asked")
    assert page.context["balance"] == held


def test_the_floor_pauses_and_waives_on_the_page_of_a_tables_time(table, browse):
    floor = browse(table.floor)
    assert "Next collection" in floor.get(f"/tables/{table.pk}/time/").content.decode()
    floor.post(f"/tables/{table.pk}/time/pause/", {"player": table.bob.pk, "reason": "on the phone"})
    assert TimePause.objects.get(player=table.bob, until=None).reason == "on the phone"
    assert "on the phone" in floor.get(f"/tables/{table.pk}/time/").content.decode()
    floor.post(f"/tables/{table.pk}/time/resume/", {"player": table.bob.pk})
    floor.post(f"/tables/{table.pk}/time/pause/", {"player": table.bob.pk})
    with translation.override("de"):
        absent = translation.gettext("absent with permission")
    for reader in (floor, browse(table.bob)):
        page = reader.get(f"/tables/{table.pk}/time/", headers={"Accept-Language": "de"}).content.decode()
        assert f"{absent}</div></td>" in page, "in the reader's language"
    floor.post(f"/tables/{table.pk}/time/resume/", {"player": table.bob.pk})
    charge = table.charges(table.bob)[0]
    answer = floor.post(f"/time/{charge.pk}/waive/", {"reason": "a long misdeal"}, follow=True)
    assert "The time of bob is waived." in answer.content.decode()


def test_a_player_refuses_and_pays_on_the_page_of_his_tables_time_also_who_has_left(table, browse):
    bob = browse(table.bob)
    bob.post(f"/tables/{table.pk}/time/refuse/")
    assert "Pay the time" in bob.get(f"/tables/{table.pk}/time/").content.decode()
    bob.post(f"/tables/{table.pk}/time/pay/")
    assert "Refuse the next charge" in bob.get(f"/tables/{table.pk}/time/").content.decode()
    kind = TimePause.Kind.REFUSAL
    TimePause.objects.create(table_id=table.pk, player=table.ann, since=table.now, kind=kind, is_due=True)
    ann = browse(table.ann)
    assert "Pay the time" in ann.get(f"/tables/{table.pk}/time/").content.decode()
    assert ann.post(f"/tables/{table.pk}/time/pay/").url == f"/tables/{table.pk}/"
    assert ann.get(f"/tables/{table.pk}/time/").status_code == 403


def test_programs_read_the_same(table, browse):
    ann = browse(table.ann)
    first = ann.get("/api/v1/me/statement?limit=2").json()
    assert [line["kind"] for line in first["results"]] == ["cash-out", "time-charged"]
    assert first["results"][0]["visit"]["hands"] == 1
    rest = ann.get("/api/v1/me/statement", {"limit": 2, "cursor": first["next"]}).json()
    assert [line["kind"] for line in rest["results"]] == ["buy-in", "test"]
    assert rest["next"] is None
    file, page = (ann.get(path).content for path in ("/api/v1/me/statement/csv", "/me/statement/csv/"))
    assert file == page
    assert b"cash-out" in file
    told = ann.get("/api/v1/me/history").json()
    assert (told["games"][0]["sessions"], told["sessions"][0]["time"]) == (1, 10)
    assert ann.get(f"/api/v1/tables/{table.pk}/time").status_code == 403, "she has left"
    time = browse(table.bob).get(f"/api/v1/tables/{table.pk}/time").json()
    assert (time["period_minutes"], time["each"], len(time["sitters"])) == (30, 0, 1)
