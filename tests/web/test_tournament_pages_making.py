"""The pages where directors make events: the form and its levels, templates, series; and what comes before a start."""

import re
from datetime import UTC, datetime

import pytest

from tests.support.events import Event, wallet
from tests.support.pages import html_of, says, words
from tests.support.worlds import world
from tournaments.directing import tournaments
from tournaments.engine.clock import Level
from tournaments.events import terms
from tournaments.events.models import Series, Template, Tournament
from tournaments.pages import levels as before_levels
from tournaments.pages.before import Draft
from tournaments.pages.before_form import KINDS, data_of, fields_of, fingerprint, fresh


@world
def draft() -> Event:
    return Event(name="Friday Stud")


@pytest.fixture
def event(draft, at):
    """A draft, its director, and the room's clock where the event's is."""
    return at(draft)


def filled(**changes):
    """The form of a new event as it comes, with these changes; `save` and `do` press a button."""
    return {**data_of(fresh()), **changes}


def made():
    return Tournament.objects.latest("pk")


def test_the_form_says_how_long_tables_wait_online_and_takes_the_longest_structure_there_may_be(event, browse):
    data = filled(conduct="online", pause_seconds="2", rebuy_seconds="", bots_rebuy="3", save="1")
    assert browse(event.director).post("/tournaments/new/", data).status_code == 302
    options = made().options
    assert (options["pause_seconds"], options["rebuy_seconds"], options["bots_rebuy"]) == (2, 20, 3)
    assert data_of(made())["pause_seconds"] == "2"
    rows = [Level(minutes=1, ante=1, small_bet=10 * number, big_bet=20 * number) for number in range(1, 201)]
    data = {name: value for name, value in filled(name="Long", chips="", save="1").items() if "level-" not in name}
    assert browse(event.director).post("/tournaments/new/", data | before_levels.told(rows)).status_code == 302
    assert len(terms.config_of(made()).structure.levels) == 200


def test_a_new_event_is_made_from_the_form(event, browse):
    data = filled(
        name="Sunday Stud", conduct="room", starts_at="2030-01-06T19:30", entry_pool="100", entry_fee="10",
        entry_staff="5", rebuy_pool="90", has_rebuy="on", rebuy_chips="15000", rebuy_most="2", rebuy_until_level="3",
        guarantee="2000", re_entries="1", save="1",
    )  # fmt: skip
    for _ in range(2):  # a double click
        answer = browse(event.director).post("/tournaments/new/", data | {"key": "one"}, follow=True)
    assert Tournament.objects.filter(name="Sunday Stud").count() == 1
    assert "Sunday Stud is a draft: only directors see it until you announce it." in words(answer)
    row = made()
    config = terms.config_of(row)
    assert row.starts_at == datetime(2030, 1, 6, 19, 30, tzinfo=UTC)
    assert row.price == {
        "entry": {"pool": 100, "fee": 10, "bounty": 0, "staff": 5},
        "rebuy": {"pool": 90, "fee": 0, "bounty": 0, "staff": 0},
    }
    assert (config.rebuy.chips, config.rebuy.most, config.rebuy.until_level) == (15000, 2, 3)
    assert (config.payout.guarantee, config.re_entries, config.conduct) == (2000, 1, "room")
    assert len(config.structure.levels) == 46


@pytest.mark.parametrize("mark", [".", ",", " ", "\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}"])
def test_thousands_are_typed_as_the_pages_of_any_language_write_them(event, browse, mark):
    data = filled(starting_stack=f"10{mark}000", entry_pool=f"1{mark}000", guarantee=f"2{mark}000{mark}000", save="1")
    data |= {"level-45-small_bet": f"9{mark}000{mark}000", "level-45-big_bet": f"18{mark}000{mark}000", "hours": "7,5"}
    answer = browse(event.director).post("/tournaments/new/", data, headers={"Accept-Language": "de"})
    assert answer.status_code == 302, words(answer)
    config = terms.config_of(made())
    assert (config.starting_stack, config.payout.guarantee, made().price["entry"]["pool"]) == (10_000, 2_000_000, 1000)
    assert (config.structure.levels[45].small_bet, config.structure.levels[45].big_bet) == (9_000_000, 18_000_000)


def test_what_an_event_says_comes_through_its_form_unchanged(event):
    row = event.row
    draft = Draft(row)
    assert draft.faults == []
    again = fields_of(draft.form.cleaned_data, draft.levels.structure(()), before=row)
    assert terms.read_config(again["config"]) == terms.config_of(row)
    assert (again["price"]["entry"], again["starts_at"]) == ({"bounty": 0, **row.price["entry"]}, row.starts_at)


def test_levels_are_worked_out_for_the_players_hours_and_chips_or_brought_by_a_structure(event, browse):
    asked = filled(do="suggest", players="60", hours="6", starting_stack="10000", chips="25, 100, 500, 1000, 5000")
    page = html_of(browse(event.director).post("/tournaments/new/", asked))
    assert "With 60 players the expected duration is 6 h." in words(page)
    assert 'name="level-0-small_bet" value="100"' in page
    answer = browse(event.director).post("/tournaments/new/", filled(do="preset", preset="mixed-turbo", name="Mix"))
    page = answer.content.decode()
    assert 'name="name" value="Mix"' in page
    assert re.search(r'<option value="razz" selected>', page)


def test_levels_are_added_and_taken_out_and_rows_beyond_the_most_are_left_unread(event, director):
    data = filled(do="add-break")
    assert 'name="level-46-kind" value="break"' in director.post("/tournaments/new/", data).content.decode()
    data = filled(do="add-level")
    page = director.post("/tournaments/new/", data).content.decode()
    assert 'name="level-46-small_bet" value="2500000"' in page
    page = director.post("/tournaments/new/", filled(do="remove-0")).content.decode()
    assert 'name="level-0-bring_in" value="50"' in page
    assert "level-45-kind" not in page
    data = {f"level-{number}-kind": "level" for number in range(5000)}
    assert len(before_levels.read(data).rows) == 201


_SUGGEST = {"do": "suggest", "players": "60", "hours": "6", "starting_stack": "4000"}
#: What is sent, what the answer says, and what stays typed.
REFUSED = [
    (_SUGGEST | {"chips": "25, 60"}, ["A chip of 60 cannot be changed into chips of 25"], ['value="25, 60"']),
    (_SUGGEST | {"chips": "500, 1000"}, ["too much for a stack"], ['value="500, 1000"']),
    (_SUGGEST | {"chips": ""}, ["above 0"], []),
    (_SUGGEST | {"chips": "25, many"}, ["Whole numbers, separated by commas"], ['value="25, many"']),
    ({"level-3-small_bet": "110"}, ["bet falls from 200 in Level 3 to 110"], ['"level-3-small_bet" value="110"']),
    (
        {"seats": "nine", "level-2-ante": "lots", "level-4-game": "omaha"},
        [
            "Correct these fields: Seats at a table.",
            "ante is a whole number, not “lots”",
            "there is no game called “omaha”",
        ],
        ['value="lots"', 'value="nine"'],
    ),
    ({"payout": "percent", "percents": "50, 30, 10"}, ["The percentages sum to 90, not 100: 10 too few"], []),
    ({"recurs_minutes": "10080"}, ["Enter how many more events to create"], []),
    *(({name: "7"}, [], []) for name in ("rulebook", "series_id", "satellite_to_id", "recurs_minutes")),
]


def test_what_matters_first_is_open_the_rest_is_folded_under_what_is_set_and_unfolds_where_it_is_wrong(director):
    def unfolded(page: str) -> list[str]:
        return re.findall(r'<details class="[^"]*part" id="part-(\w+)" open', page)

    page = html_of(director.get("/tournaments/new/"))
    assert unfolded(page) == []
    fields = {*Draft(fresh()).form.fields}
    assert [name for name in fields if f' name="{name}"' not in page] == []
    sent = filled(name="Wrong", save="1", guarantee="much", flight="1A", min_entrants="45")
    page = html_of(director.post("/tournaments/new/", sent), 422)
    assert unfolded(page) == ["prizes"]
    says(page, '<a href="#id_guarantee">', 'value="1A"')
    assert page.index('id="faults"') < page.index('id="part-what"')
    assert re.search(r'id="sum-entry">[^<]*45', page)
    assert "levels" in unfolded(html_of(director.post("/tournaments/new/", filled(do="add-level"))))


def test_what_cannot_be_is_refused_in_words_stays_typed_and_is_not_saved(event, director):
    for sent, said, typed in REFUSED:
        button = {} if "do" in sent else {"save": "1"}
        page = html_of(director.post("/tournaments/new/", filled(name="Wrong", **button, **sent)), 422)
        says(words(page), *said)
        says(page, *typed)
    assert not Tournament.objects.filter(name="Wrong").exists()


def test_the_form_shows_prizes_for_more_entries_and_a_check_is_answered_with_the_page(event, browse):
    data = filled(players="20", entry_pool="100", payout="percent", percents="50, 30, 20", guarantee="3000")
    page = words(browse(event.director).post("/tournaments/new/", data))
    says(page, "20 entries: pool 3,000, 1,000 of it overlay 1,500 900 600", "40 entries: pool 4,000 2,000 1,200 800")
    page = words(browse(event.director).post("/tournaments/new/", filled(name=""), headers={"HX-Request": "true"}), 200)
    assert "1 to correct" in page


def test_an_event_is_edited_until_it_starts(event, director):
    event.open()
    data = {"name": "Saturday Stud", "guarantee": "900", "seen": fingerprint(event.row), "save": 1}
    data = data_of(event.row) | data
    event.enter()  # nobody's business here
    assert director.post(f"/tournaments/{event.pk}/edit/", data).status_code == 302
    assert (event.row.name, event.state.config.payout.guarantee) == ("Saturday Stud", 900)
    event.enter(), event.enter()
    director.post(f"/tournaments/{event.pk}/start/")
    assert "it can be edited until it starts" in words(director.get(f"/tournaments/{event.pk}/edit/"), 422)


def test_two_directors_who_edit_at_once_hear_of_each_other(event, director):
    seen = fingerprint(event.open().row)
    assert f'name="seen" value="{seen}"' in director.get(f"/tournaments/{event.pk}/edit/").content.decode()
    tournaments.edit(tournament_id=event.pk, by=event.director, now=event.now, name="Theirs")
    data = {**data_of(event.row), "name": "Mine", "save": 1}
    answer = html_of(director.post(f"/tournaments/{event.pk}/edit/", {**data, "seen": seen}), 409)
    assert "This event has changed since you opened it" in words(answer)
    assert 'value="Mine"' in answer
    seen = re.search(r'name="seen" value="(\w+)"', answer)[1]
    assert director.post(f"/tournaments/{event.pk}/edit/", {**data, "seen": seen}).status_code == 302
    assert event.row.name == "Mine"


def test_a_draft_is_announced_opened_and_started(event, director):
    assert "Announce" in words(director.get(f"/tournaments/{event.pk}/"))
    for verb, state in (("announce", "announced"), ("open", "open")):
        assert director.post(f"/tournaments/{event.pk}/{verb}/").status_code == 302
        assert event.row.state == state
    assert "needs 2 entrants and has 0" in words(director.post(f"/tournaments/{event.pk}/start/"), 422)
    event.enter(), event.enter()
    assert "Seats are drawn" in words(director.post(f"/tournaments/{event.pk}/start/", follow=True))
    assert event.row.state == "running"


def test_cancelling_shows_what_is_refunded_and_wants_a_reason(event, director):
    ana = event.open().player("ana")
    event.enter(ana)
    address = f"/tournaments/{event.pk}/cancel/"
    assert "1 payment is refunded, 115 in all" in words(director.get(address))
    assert director.post(address, {"reason": "?"}).status_code == 400
    assert event.row.state == "open"
    director.post(address, {"reason": "The roof leaks"})
    assert (event.row.state, wallet(ana)) == ("cancelled", 1000)


def test_an_event_becomes_a_template_which_is_edited_and_put_away_and_a_template_an_event(event, director):
    director.post(f"/tournaments/{event.pk}/template/", {"name": "Weekly"})
    template = Template.objects.get()
    assert "Weekly" in words(director.get("/tournaments/templates/"))
    assert 'value="Weekly"' in director.get(f"/tournaments/new/?template={template.pk}").content.decode()
    data = {**data_of(template), "name": "This week", "save": "1"}
    director.post(f"/tournaments/new/?template={template.pk}", data)
    assert (made().name, made().template) == ("This week", template)
    assert made().price == event.row.price | {"entry": {"bounty": 0, **event.row.price["entry"]}}
    again = {"name": "Weekly", "conduct": "online"}  # of which the page has no field
    assert 'value="Weekly"' in html_of(director.post(f"/tournaments/{event.pk}/template/", again), 409)
    data = {**data_of(template), "guarantee": "500", "save": "1"}
    assert director.post(f"/tournaments/templates/{template.pk}/", data).status_code == 302
    template.refresh_from_db()
    assert template.config["payout"]["guarantee"] == 500
    director.post(f"/tournaments/templates/{template.pk}/put-away/")
    assert director.get(f"/tournaments/templates/{template.pk}/").status_code == 404


def test_another_event_starts_from_the_terms_of_one_and_a_draft_is_deleted_after_a_question(event, browse, director):
    page = browse(event.director).get(f"/tournaments/new/?from={event.pk}").content.decode()
    assert 'value="Friday Stud"' in page
    assert "2030-01-05" not in page
    assert "This cannot be undone" in words(director.get(f"/tournaments/{event.pk}/delete/"))
    director.post(f"/tournaments/{event.pk}/delete/")
    assert not Tournament.objects.filter(pk=event.pk).exists()


def test_a_series_shows_its_events(event, director, browse):
    days = {"starts_on": "2030-01-04", "ends_on": "2030-01-08"}
    director.post("/tournaments/series/new/", {"name": "Winter", **days})
    series = Series.objects.get()
    wrong = director.post(f"/tournaments/series/{series.pk}/edit/", {"name": "Winter", **days, "ends_on": "2029-01-01"})
    assert wrong.status_code == 400
    director.post(f"/tournaments/{event.pk}/edit/", {**data_of(event.row), "series_id": series.pk, "save": "1"})
    assert "Friday Stud" not in words(browse().get(f"/tournaments/series/{series.pk}/"))
    director.post(f"/tournaments/{event.pk}/announce/")
    assert "Friday Stud" in words(browse().get(f"/tournaments/series/{series.pk}/"))
    assert "Winter" in words(browse().get("/tournaments/series/"))


def test_a_ticket_is_given_shown_to_its_holder_and_taken_back(event, director, browse):
    ana = event.open().player("ana")
    address = f"/tournaments/{event.pk}/tickets/"
    given = {"tournament": event.pk, "reason": "a gift", "key": "one"}
    page = words(director.post(f"{address}give/", given | {"player": "nobody"}), 404)
    assert "There is no member called nobody" in page
    director.post(f"{address}give/", given | {"player": "Ana"})
    ticket = ana.tickets.get()
    assert ticket.code in words(director.get(address))
    assert f"{ticket.code}, worth 115" in words(browse(ana).get("/me/"))
    director.post(f"{address}{ticket.pk}/end/", {"verb": "take-back", "reason": "a mistake"})
    ticket.refresh_from_db()
    assert ticket.state == "cancelled"
    assert director.post(f"{address}{ticket.pk}/end/", {"verb": "pay-out", "reason": "a mistake"}).status_code == 422
    assert director.post(f"{address}999/end/", {"verb": "pay-out", "reason": "a mistake"}).status_code == 404


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_new_event_may_begin_as_can_be_played_as_it_is(event, director, kind):
    assert "Ready" in words(director.get(f"/tournaments/new/?kind={kind}"))
    data = {**data_of(fresh(kind)), "name": kind, "starts_at": "2030-02-01T20:00", "save": "1"}
    director.post(f"/tournaments/new/?kind={kind}", data)
    director.post(f"/tournaments/{made().pk}/open/")
    assert (made().name, made().state) == (kind, "open")
