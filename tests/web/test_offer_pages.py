"""Pages and resources of games on offer, drop schedules and tables: what is filled in, and told when it is wrong."""

import json
from collections.abc import Iterator

import pytest
import time_machine
from django.test import Client

from games.floor.pages.offers import EditOfferForm, EditScheduleForm
from tests.support.models import DropSchedule, Invitation, Offer, StaffAction, Table
from tests.support.offers import Games
from tests.support.pages import assert_hides, assert_shows, get, html_of, words
from tests.support.parts.games import drop_schedules, offers, tables
from tests.support.worlds import world

API = "/api/v1"
GERMAN = {"Accept-Language": "de"}


@world
def games() -> Games:
    return Games()


@pytest.fixture
def room(games, _same_cards) -> Iterator[Games]:
    with time_machine.travel(games.now, tick=False):
        yield games


def filled_form(terms: dict, **changes: object) -> dict:
    """A form as a browser sends it: no unticked box, nothing for none."""
    whole = {name: value for name, value in {**terms, **changes}.items() if value is not None and value is not False}
    return {name: "on" if value is True else value for name, value in whole.items()}


def test_the_preview_of_an_offer_shows_faults_and_saves_nothing(room, browse):
    page = browse(room.manager)
    answer = page.post("/floor/offers/new/", filled_form(offers.USUAL, name="Stud", bring_in=99))
    assert_shows(answer.content.decode(), "The bring-in is not above the small bet")
    for typed in ({"bring_in": "99"}, {"max_buy_in": "10.00"}):  # which is not cut off to a thousand
        answer = page.post("/floor/offers/new/", filled_form(offers.USUAL, name="Stud", do="save", **typed))
        assert_shows(html_of(answer, 400), *(f'value="{each}"' for each in typed.values()))
    assert not Offer.objects.exists()
    sent = filled_form(offers.USUAL, name="Stud 5/10", do="save", key="k")
    for _ in range(2):
        assert page.post("/floor/offers/new/", sent).status_code == 302
    assert Offer.objects.get().name == "Stud 5/10"
    assert_shows(get(page, "/floor/offers/"), "Stud 5/10")


def test_forms_are_translated_and_read_thousands_of_any_language(room, browse):
    page = browse(room.manager)
    for mark in (".", ",", " ", "\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}"):
        sent = filled_form(offers.USUAL, name=f"Stud {mark!a}", max_buy_in=f"10{mark}000", do="save")
        assert page.post("/floor/offers/new/", sent, headers=GERMAN).status_code == 302
        assert Offer.objects.latest("pk").max_buy_in == 10_000
        charges = f"2: 1{mark}000, 4: 3{mark}500"
        sent = filled_form(
            drop_schedules.USUAL, name=f"Time {mark!a}", kind="time", caps="", time_charges=charges, do="save"
        )
        assert page.post("/floor/schedules/new/", sent, headers=GERMAN).status_code == 302
        assert DropSchedule.objects.latest("pk").time_charges == [[2, 1000], [4, 3500]]

    shown = words(page.get("/floor/offers/new/", headers=GERMAN), 200)
    assert_shows(shown, "Kartenspiel", "Regelwerk", "Fixed Limit", "nichts", but=["fixed limit", "Rulebook", "nothing"])
    sent = filled_form(drop_schedules.USUAL, name="R", caps="2: 1", time_charges="", promo=10**13)
    assert_shows(words(page.post("/floor/schedules/new/", sent, headers=GERMAN)), "1.000.000.000")
    assert_shows(words(page.get(f"/floor/offers/{room.offer().pk}/open/", headers=GERMAN), 200), "Passwort", "keine")


def test_an_edit_of_an_outdated_offer_is_refused_and_keeps_what_was_typed(room, browse):
    offer = room.offer()
    terms = {name: getattr(offer, name) for name in offers.USUAL}
    page, address = browse(room.manager), f"/floor/offers/{offer.pk}/"
    said = "30, 15 seconds more for their next turns, at most 120 in a visit"
    assert_shows(get(page, address), 'value="30, 15"', said)
    assert_shows(get(page, f"/lists/{offer.pk}/"), said)  # players read it too
    assert page.post(address, filled_form(terms, max_buy_in=2000, version=0, do="save")).status_code == 302
    late = html_of(page.post(address, filled_form(terms, max_buy_in=900, version=0, do="save")), 409)
    assert_shows(late, "has changed meanwhile", 'value="900"')
    assert (terms["calls_itself"], terms["missed_calls_allowed"]) == (None, 1)
    for said, kept in (("no", False), ("yes", True), ("", None)):
        sent = filled_form(terms, calls_itself=said, missed_calls_allowed=3, do="save")
        assert page.post(address, sent).status_code == 302
        offer.refresh_from_db()
        assert (offer.calls_itself, offer.missed_calls_allowed) == (kept, 3)
        assert_shows(get(page, address), f'value="{said}" selected')
    status, told = api(page, "patch", f"/offers/{offer.pk}", {"calls_itself": False, "missed_calls_allowed": 0})
    assert (status, told["calls_itself"], told["missed_calls_allowed"]) == (200, False, 0)
    assert api(page, "patch", f"/offers/{offer.pk}", {"calls_itself": None})[1]["calls_itself"] is None
    wrong = html_of(page.post(address, filled_form(terms, extra_seconds="half a minute", do="save")), 400)
    assert_shows(wrong, "Write whole seconds", 'value="half a minute"')
    sent = filled_form(terms, extra_seconds="60 30, 15", extra_cap_seconds=300, do="save")
    assert page.post(address, sent).status_code == 302
    told = page.get(f"{API}/offers/{offer.pk}").json()
    assert (told["extra_seconds"], told["extra_cap_seconds"]) == ([60, 30, 15], 300)
    _, table = api(page, "post", f"/offers/{offer.pk}/tables", {"extra_seconds": [20], "extra_cap_seconds": 40})
    told = page.get(f"{API}/tables/{table['id']}").json()
    assert (told["extra_seconds"], told["extra_cap_seconds"]) == ([20], 40)
    assert page.post(address, filled_form(terms, extra_seconds="", do="save")).status_code == 302
    assert_hides(get(page, address), "seconds more for their next turn")
    status, told = api(page, "patch", f"/offers/{offer.pk}", {"extra_seconds": [700]})
    assert (status, list(told["errors"])) == (400, ["extra_seconds"])
    assert api(page, "patch", f"/offers/{offer.pk}", {"extra_seconds": [10]})[1]["extra_seconds"] == [10]


def test_a_drop_schedule_with_caps_shows_what_it_takes(room, browse):
    page = browse(room.manager)
    sent = filled_form(drop_schedules.USUAL, name="Rake", caps="2: 1, 4: 3", time_charges="")
    assert "<caption" in page.post("/floor/schedules/new/", sent).content.decode()
    wrong = page.post("/floor/schedules/new/", sent | {"caps": "two for one"})
    assert "is not a pair of players and chips" in wrong.content.decode()
    assert page.post("/floor/schedules/new/", sent | {"do": "save"}).status_code == 302
    assert DropSchedule.objects.get().caps == [[2, 1], [4, 3]]
    whole = [[2, 12], [3, 8], [4, 6], [5, 5], [6, 4], [8, 3]]
    for charges, headers in (("table: 24", {}), ("Tisch: 24", GERMAN)):
        sent = filled_form(
            drop_schedules.USUAL, name=charges, kind="time", caps="2: 1", time_charges=charges, do="save"
        )
        assert page.post("/floor/schedules/new/", sent, headers=headers).status_code == 302
        assert DropSchedule.objects.latest("pk").time_charges == whole
    for charges in ("Tisch: 24", "player: 6"):
        sent = filled_form(
            drop_schedules.USUAL, name="Another word", kind="time", caps="2: 1", time_charges=charges, do="save"
        )
        assert "is not a pair of players and chips" in page.post("/floor/schedules/new/", sent).content.decode()
    said = {"name": "Sent", "kind": "time", "time_of_table": 24}
    assert api(page, "post", "/drop-schedules", said)[1]["time_charges"] == whole
    status, told = api(page, "post", "/drop-schedules", said | {"time_charges": [[2, 12]]})
    assert (status, list(told["errors"])) == (400, ["time_of_table"])


def test_the_floor_opens_pauses_and_reuses_tables(room, browse):
    offer = room.offer()
    page = browse(room.floor)
    answer = page.post(f"/floor/offers/{offer.pk}/open/", {"seat_count": 6, "bots": 0, "has_spectators": "on"})
    table = Table.objects.get(offer=offer)
    assert (answer.url, table.seat_count) == (f"/floor/?table={table.pk}", 6)
    act = f"/floor/tables/{table.pk}/actions"
    told = page.post(f"{act}/pause/", {"reason": "Fire drill"}, headers={"hx-request": "true"})
    assert "Resume" in told.content.decode()
    assert json.loads(told.headers["HX-Trigger"])["toast"]["message"] == f"{table.name} is paused."
    assert StaffAction.objects.filter(verb="tables.pause", reason="Fire drill", by=room.floor).exists()
    main, sent = room.open(offer), {"name": "Feeder", "has_spectators": "on"}
    assert_shows(get(page, f"{act}/"), f'<option value="{main.pk}">')
    for said, moves_to in (({"must_move_to": main.pk}, main), ({}, main), ({"must_move_to": ""}, None)):
        assert page.post(f"{act}/edit/", sent | said).status_code == 302
        assert Table.objects.get(pk=table.pk).must_move_to == moves_to
        assert (f'<option value="{main.pk}" selected>' in get(page, f"{act}/")) == bool(moves_to)
    free = tables.add(name="Felt 1", by=room.manager, now=room.now)
    address = f"/floor/offers/{room.offer('Stud live', is_physical=True).pk}/open/"
    assert_shows(get(page, address), f'<option value="{free.pk}" selected>Felt 1</option>')
    assert page.post(address, {"seat_count": 8, "table": ""}).url == f"/floor/?table={free.pk}"
    assert_shows(get(page, address), '<option value="" selected>new table</option>')


def test_a_private_table_is_unlocked_on_its_page_and_a_wrong_password_is_told(room, browse):
    table, ann = room.open(room.offer(), password="acorn"), room.player("ann")
    for password, status in (("beech", 403), ("acorn", 302)):
        assert browse(ann).post(f"/tables/{table.pk}/unlock/", {"password": password}).status_code == status
    assert Invitation.objects.get().player == ann


def api(page: Client, method: str, path: str, body: dict | None = None) -> tuple[int, dict]:
    answer = getattr(page, method)(f"{API}{path}", data=json.dumps(body or {}), content_type="application/json")
    return answer.status_code, answer.json()


def test_a_program_keeps_offers_and_tables(room, browse):
    page = browse(room.manager)
    status, offer = api(page, "post", "/offers", {"name": "Razz 5/10", "game": "razz"})
    assert (status, offer["stakes"], offer["rathole_minutes"]) == (201, "5/10", 60)
    status, told = api(page, "post", "/offers", {"name": "Odd", "small_bet": 20})
    assert (status, told["code"], list(told["errors"])) == (400, "bad-offer", ["big_bet"])
    _, table = api(page, "post", f"/offers/{offer['id']}/tables", {})
    assert (table["name"], table["phase"]) == ("Razz 5/10 1", "open")
    assert api(page, "post", f"/tables/{table['id']}/message", {"text": "Hello"})[1]["notice"] == "Hello"
    assert page.get(f"{API}/tables/{table['id']}").json()["notice"] == "Hello"
    assert api(page, "post", f"/tables/{table['id']}/close", {})[1]["phase"] == "closed"


def test_what_a_form_asks_for_is_named_in_the_readers_language(db, every_word_marked):
    for form in (EditOfferForm(initial={}), EditScheduleForm(initial={})):
        shown = [field for name, field in form.fields.items() if not field.widget.is_hidden]
        assert not [field.label for field in shown if not str(field.label).startswith("~")]
    form = EditOfferForm(initial={})
    for name in ("game", "structure", "calls_itself"):
        assert all(str(words).startswith("~") for _, words in form.fields[name].choices), name
