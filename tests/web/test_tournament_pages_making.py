"""The pages where directors make events: the form and its levels, templates, series; and what comes before a start."""

import re
from datetime import UTC, datetime

import pytest

from tests.support.events import Event, order, wallet
from tests.support.pages import assert_hides, assert_shows, get, html_of, words
from tests.support.sheets import SHEETS, STUD, printed
from tests.support.worlds import world
from tournaments.directing import tournaments
from tournaments.directing.pages import levels as before_levels
from tournaments.directing.pages.event_draft import EventDraft
from tournaments.directing.pages.event_form_values import KINDS, data_of, fields_of, fingerprint, fresh
from tournaments.engine import customs
from tournaments.engine.clock import Level
from tournaments.events import terms
from tournaments.events.models import Series, Template, Tournament

NEW = "/tournaments/new/"


@world
def draft() -> Event:
    return Event(name="Friday Stud")


@pytest.fixture
def event(draft, at):
    """A draft, its director, and the room's clock where the event's is."""
    return at(draft)


def filled_form(**changes):
    """The form of a new event as it comes, with these changes; `save` and `do` press a button."""
    return {**data_of(fresh()), **changes}


def newest_event():
    return Tournament.objects.latest("pk")


def test_the_event_form_takes_the_longest_structure(director):
    data = filled_form(conduct="online", pause_seconds="2", rebuy_seconds="", bots_rebuy="3", save="1")
    assert director.post(NEW, data).status_code == 302
    options = newest_event().options
    assert (options["pause_seconds"], options["rebuy_seconds"], options["bots_rebuy"]) == (2, 20, 3)
    assert data_of(newest_event())["pause_seconds"] == "2"
    rows = [
        Level(minutes=1, ante=1, bring_in=1, small_bet=10 * number, big_bet=20 * number) for number in range(1, 201)
    ]
    data = {name: value for name, value in filled_form(name="Long", chips="", save="1").items() if "level-" not in name}
    assert director.post(NEW, data | before_levels.fields_of_levels(rows)).status_code == 302
    assert len(terms.config_of(newest_event()).structure.levels) == 200


def test_an_event_copied_by_the_form_comes_out_unchanged(event, director):
    data = filled_form(
        name="Sunday Stud", conduct="room", starts_at="2030-01-06T19:30", entry_pool="100", entry_fee="10",
        entry_staff="5", rebuy_pool="90", has_rebuy="on", rebuy_chips="15000", rebuy_most="2", rebuy_until_level="3",
        guarantee="2000", re_entries="1", save="1",
    )  # fmt: skip
    for _ in range(2):  # a double click
        answer = director.post(NEW, data | {"key": "one"}, follow=True)
    assert_shows(words(answer), "Sunday Stud is a draft: only directors see it until you announce it.")
    row = Tournament.objects.get(name="Sunday Stud")
    config = terms.config_of(row)
    assert row.starts_at == datetime(2030, 1, 6, 19, 30, tzinfo=UTC)
    assert row.price == {
        "entry": {"pool": 100, "fee": 10, "bounty": 0, "staff": 5},
        "rebuy": {"pool": 90, "fee": 0, "bounty": 0, "staff": 0},
    }
    assert (config.rebuy.chips, config.rebuy.most, config.rebuy.until_level) == (15000, 2, 3)
    assert (config.payout.guarantee, config.re_entries, config.conduct) == (2000, 1, "room")
    assert len(config.structure.levels) == 46
    row = event.row
    draft = EventDraft(row)
    assert draft.faults == []
    again = fields_of(draft.form.cleaned_data, draft.levels.structure(()), before=row)
    assert terms.read_config(again["config"]) == terms.config_of(row)
    assert (again["price"]["entry"], again["starts_at"]) == ({"bounty": 0, **row.price["entry"]}, row.starts_at)


@pytest.mark.parametrize("mark", [".", ",", " ", "\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}"])
def test_thousands_are_typed_as_the_pages_of_any_language_write_them(director, mark):
    data = filled_form(
        starting_stack=f"10{mark}000", entry_pool=f"1{mark}000", guarantee=f"2{mark}000{mark}000", save="1"
    )
    data |= {"level-45-small_bet": f"9{mark}000{mark}000", "level-45-big_bet": f"18{mark}000{mark}000", "hours": "7,5"}
    answer = director.post(NEW, data, headers={"Accept-Language": "de"})
    assert answer.status_code == 302, words(answer)
    config = terms.config_of(newest_event())
    assert (config.starting_stack, config.payout.guarantee, newest_event().price["entry"]["pool"]) == (
        10_000,
        2_000_000,
        1000,
    )
    assert (config.structure.levels[45].small_bet, config.structure.levels[45].big_bet) == (9_000_000, 18_000_000)


def test_levels_are_generated_added_and_removed_up_to_the_limit(director):
    chips = {"players": "60", "hours": "6", "starting_stack": "10000", "chips": "25, 100, 500, 1000, 5000"}
    mix = {"preset": "mixed-turbo", "name": "Mix"}
    for sent, *shown in (
        ({"do": "suggest"} | chips, "With 60 players the expected duration is 6 h.", '"level-0-small_bet" value="100"'),
        ({"do": "preset"} | mix, '"name" value="Mix"', '<option value="razz" selected>'),
        ({"do": "add-break"}, '"level-46-kind" value="break"'),
        ({"do": "add-level"}, '"level-46-small_bet" value="2500000"'),
        ({"do": "remove-0"}, '"level-0-bring_in" value="50"'),
    ):
        page = html_of(director.post(NEW, filled_form(**sent)))
        assert_shows(page + words(page), *shown)
    assert_hides(page, "level-45-kind")
    assert len(before_levels.read_levels({f"level-{number}-kind": "level" for number in range(5000)}).rows) == 201


def with_levels(structure, **changes):
    """The form of a new event with these levels in place of its own."""
    data = {name: value for name, value in filled_form(**changes).items() if not name.startswith("level-")}
    chips = ", ".join(map(str, structure.chip_set))
    return data | before_levels.fields_of_levels(structure.levels) | {"chips": chips}


#: Of real stud structures what the page warns of.
UNUSUAL = {
    "stud-home": [
        "Level 10: the chips of 500 are coloured up outside of a break.",
        "Level 10: the ante of 1,500 is not a multiple of 1,000, the smallest chip in play.",
        "Level 13: 225 minutes of play without a break; 80 to 120 are usual.",
        "Level 4: registration closes after it, but no break follows; one follows level 6.",
    ],
    "razz-home": [
        "Level 1: there is no bring-in. Likewise: levels 2–15.",
        "Level 2: the ante is 5 with a small bet of 50; about a quarter is usual. Likewise: levels 3–15.",
        "Level 7: 300 minutes of play without a break; 80 to 120 are usual.",
    ],
}


@pytest.mark.parametrize("slug", STUD)
def test_a_real_stud_structure_is_shown_as_on_its_sheet(director, browse, slug):
    sheet, structure = SHEETS[slug], printed(SHEETS[slug])
    data = with_levels(structure, name="Sheet", starting_stack="10000", late_level="4")
    page = html_of(director.post(NEW, data | {"do": "check"}))
    assert_shows(words(page), "Ready", *UNUSUAL[slug])
    assert page.count(" is usual") + page.count(" are usual") <= 3, "one sentence for each custom"
    assert director.post(NEW, data | {"save": "1"}).status_code == 302
    assert terms.config_of(newest_event()).structure == structure
    director.post(f"/tournaments/{newest_event().pk}/announce/")
    told = browse().get(f"/api/v1/tournaments/{newest_event().pk}").json()["config"]["structure"]["levels"]
    stakes = [[level[what] for what in customs.STAKES] for level in told if level["kind"] == "level"]
    assert stakes == sheet["levels"]
    page = words(get(director, f"/tournaments/{newest_event().pk}/?tab=structure"))
    forced = [" ".join(f"{chips:,}" for chips in row[:2] if chips) for row in sheet["levels"]]
    bets = [f"{small_bet:,}/ {big_bet:,}" for _, _, small_bet, big_bet in sheet["levels"]]
    assert_shows(
        page, *(f"{number} {row} {bet} " for number, (row, bet) in enumerate(zip(forced, bets, strict=True), 1))
    )
    assert ("chips of 500 are coloured up 10 1,500" in page) == (slug == "stud-home")
    assert browse().get(f"/tournaments/{newest_event().pk}/print/structure/").content.startswith(b"%PDF-")


def test_a_level_without_a_bring_in_is_for_the_room_or_for_a_book_that_plays_it(director):
    data = with_levels(printed(SHEETS["razz-home"]), name="Razz", starting_stack="10000", conduct="online", save="1")
    assert_shows(words(director.post(NEW, data), 422), "plays no game without a bring-in")
    assert director.post(NEW, data | {"rulebook": "home"}).status_code == 302
    assert director.post(NEW, data | {"conduct": "room"}).status_code == 302


def test_generated_levels_set_the_end_of_entry_rebuys_and_add_on(director):
    wishes = {"players": "60", "hours": "8", "starting_stack": "40000", "chips": "25, 100, 500, 1000, 5000"}
    sent = {"do": "suggest", "late_level": "3", "rebuy_until_level": "2", "has_rebuy": "on"} | wishes
    page = html_of(director.post(NEW, filled_form(has_add_on="on", add_on_break="2", **sent)))
    assert_shows(
        page, 'name="late_level" value="6"', 'name="rebuy_until_level" value="6"', 'name="add_on_break" value="1"'
    )
    assert_hides(page, "usual on a structure sheet", "warning")
    page = html_of(director.post(NEW, filled_form(**sent | {"late_level": "", "rebuy_until_level": ""})))
    assert_shows(page, 'name="rebuy_until_level"', but=['name="late_level" value', 'name="rebuy_until_level" value'])
    director.post(NEW, filled_form(name="Rebuys", has_rebuy="on", late_level="3", save="1"))
    assert terms.config_of(newest_event()).rebuy.until_level == 6, "through the level before the first break"
    assert_shows(
        words(get(director, f"/tournaments/{newest_event().pk}/edit/")),
        "1 warning",
        "Level 3: registration closes after it",
    )


_AT_ONCE = ["these fields: Seats per table.", "ante is a whole number, not “lots”", "there is no game called “omaha”"]
_SUGGEST = {"do": "suggest", "players": "60", "hours": "6", "starting_stack": "4000"}
#: What is sent, what the answer says, and what stays typed.
REFUSED = [
    (_SUGGEST | {"chips": "25, 60"}, ["A chip of 60 cannot be changed into chips of 25"], ['value="25, 60"']),
    (_SUGGEST | {"chips": "500, 1000"}, ["too much for a stack"], ['value="500, 1000"']),
    (_SUGGEST | {"chips": ""}, ["above 0"], []),
    (_SUGGEST | {"chips": "25, many"}, ["Whole numbers, separated by commas"], ['value="25, many"']),
    ({"level-3-small_bet": "110"}, ["bet falls from 200 in Level 3 to 110"], ['"level-3-small_bet" value="110"']),
    ({"seats": "nine", "level-2-ante": "lots", "level-4-game": "omaha"}, _AT_ONCE, ['value="lots"', 'value="nine"']),
    ({"payout": "percent", "percents": "50, 30, 10"}, ["The percentages sum to 90, not 100: 10 too few"], []),
    ({"recurs_minutes": "10080"}, ["Enter how many more tournaments to create"], []),
    *(({name: "7"}, [], []) for name in ("rulebook", "series_id", "satellite_to_id", "recurs_minutes")),
]


def test_the_event_form_folds_details_and_previews_prizes(director):
    def unfolded(page: str) -> list[str]:
        return re.findall(r'<details class="[^"]*part" id="part-(\w+)" open', page)

    page = get(director, NEW)
    assert unfolded(page) == []
    assert_shows(page, *(f' name="{name}"' for name in EventDraft(fresh()).form.fields))
    sent = filled_form(name="Wrong", save="1", guarantee="much", flight="1A", min_entrants="45")
    page = html_of(director.post(NEW, sent), 422)
    assert unfolded(page) == ["prizes"]
    assert_shows(page, '<a href="#id_guarantee">', 'value="1A"')
    assert page.index('id="faults"') < page.index('id="part-what"')
    assert re.search(r'id="sum-entry">[^<]*45', page)
    assert "levels" in unfolded(html_of(director.post(NEW, filled_form(do="add-level"))))
    sent = filled_form(players="20", entry_pool="100", payout="percent", percents="50, 30, 20", guarantee="3000")
    page = words(director.post(NEW, sent))
    assert_shows(
        page, "20 entries: pool 3,000, 1,000 of it overlay 1,500 900 600", "40 entries: pool 4,000 2,000 1,200 800"
    )
    assert_shows(words(director.post(NEW, filled_form(name=""), headers={"HX-Request": "true"}), 200), "1 to correct")


def test_what_cannot_be_is_refused_in_words_stays_typed_and_is_not_saved(event, director):
    for sent, said, typed in REFUSED:
        button = {} if "do" in sent else {"save": "1"}
        page = html_of(director.post(NEW, filled_form(name="Wrong", **button, **sent)), 422)
        assert_shows(words(page), *said)
        assert_shows(page, *typed)
    assert not Tournament.objects.filter(name="Wrong").exists()


def test_a_draft_is_announced_opened_and_started_and_edited_until_then(event, director):
    address = f"/tournaments/{event.pk}/"
    assert_shows(get(director, address), "Announce")
    for verb, state in (("announce", "announced"), ("open", "open")):
        assert director.post(f"{address}{verb}/").status_code == 302
        assert event.row.state == state
    assert_shows(words(director.post(f"{address}start/"), 422), "needs 2 entrants and has 0")
    sent = data_of(event.row) | {"name": "Saturday Stud", "guarantee": "900", "seen": fingerprint(event.row), "save": 1}
    event.enter()  # nobody's business here
    assert director.post(f"{address}edit/", sent).status_code == 302
    assert (event.row.name, event.state.config.payout.guarantee) == ("Saturday Stud", 900)
    event.enter()
    assert_shows(words(director.post(f"{address}start/", follow=True)), "Seats are drawn")
    assert event.row.state == "running"
    assert_shows(words(get(director, f"{address}edit/", 422)), "it can be edited until it starts")


def test_two_directors_who_edit_at_once_hear_of_each_other(event, director):
    seen, address = fingerprint(event.open().row), f"/tournaments/{event.pk}/edit/"
    assert_shows(get(director, address), f'name="seen" value="{seen}"')
    tournaments.edit(name="Theirs", **order(event))
    data = {**data_of(event.row), "name": "Mine", "save": 1}
    answer = html_of(director.post(address, data | {"seen": seen}), 409)
    assert_shows(answer, "This tournament has changed since you opened it", 'value="Mine"')
    seen = re.search(r'name="seen" value="(\w+)"', answer)[1]
    assert director.post(address, data | {"seen": seen}).status_code == 302
    assert event.row.name == "Mine"


def test_cancelling_shows_what_is_refunded_and_wants_a_reason(event, director):
    ana = event.open().player("ana")
    event.enter(ana)
    address = f"/tournaments/{event.pk}/cancel/"
    assert_shows(words(get(director, address)), "1 payment is refunded, 115 in all")
    assert director.post(address, {"reason": "?"}).status_code == 400
    assert event.row.state == "open"
    director.post(address, {"reason": "The roof leaks"})
    assert (event.row.state, wallet(ana)) == ("cancelled", 1000)


def test_an_event_becomes_a_template_and_a_template_an_event(event, director):
    director.post(f"/tournaments/{event.pk}/template/", {"name": "Weekly"})
    template = Template.objects.get()
    assert_shows(get(director, "/tournaments/templates/"), "Weekly")
    assert_shows(get(director, f"{NEW}?template={template.pk}"), 'value="Weekly"')
    director.post(f"{NEW}?template={template.pk}", {**data_of(template), "name": "This week", "save": "1"})
    assert (newest_event().name, newest_event().template) == ("This week", template)
    assert newest_event().price == event.row.price | {"entry": {"bounty": 0, **event.row.price["entry"]}}
    again = {"name": "Weekly", "conduct": "online"}  # of which the page has no field
    assert_shows(html_of(director.post(f"/tournaments/{event.pk}/template/", again), 409), 'value="Weekly"')
    address = f"/tournaments/templates/{template.pk}/"
    assert director.post(address, {**data_of(template), "guarantee": "500", "save": "1"}).status_code == 302
    template.refresh_from_db()
    assert template.config["payout"]["guarantee"] == 500
    director.post(f"{address}put-away/")
    get(director, address, 404)
    assert_shows(get(director, f"{NEW}?from={event.pk}"), 'value="Friday Stud"', but=["2030-01-05"])
    assert_shows(get(director, f"/tournaments/{event.pk}/delete/"), "This cannot be undone")
    director.post(f"/tournaments/{event.pk}/delete/")
    assert not Tournament.objects.filter(pk=event.pk).exists()


def test_a_series_shows_its_events(event, director, browse):
    days = {"starts_on": "2030-01-04", "ends_on": "2030-01-08"}
    director.post("/tournaments/series/new/", {"name": "Winter", **days})
    series = Series.objects.get()
    address = f"/tournaments/series/{series.pk}/"
    assert director.post(f"{address}edit/", {"name": "Winter", **days, "ends_on": "2029-01-01"}).status_code == 400
    director.post(f"/tournaments/{event.pk}/edit/", {**data_of(event.row), "series_id": series.pk, "save": "1"})
    assert_hides(get(browse(), address), "Friday Stud")
    director.post(f"/tournaments/{event.pk}/announce/")
    assert_shows(get(browse(), address), "Friday Stud")
    assert_shows(get(browse(), "/tournaments/series/"), "Winter")


def test_a_ticket_is_given_shown_to_its_holder_and_taken_back(event, director, browse):
    ana = event.open().player("ana")
    address = f"/tournaments/{event.pk}/tickets/"
    given = {"tournament": event.pk, "reason": "a gift", "key": "one"}
    assert_shows(
        words(director.post(f"{address}give/", given | {"player": "nobody"}), 404), "There is no member called nobody"
    )
    director.post(f"{address}give/", given | {"player": "Ana"})
    ticket = ana.tickets.get()
    assert_shows(get(director, address), ticket.code)
    assert_shows(words(get(browse(ana), "/me/")), f"{ticket.code}, worth 115")
    for number, verb, status in ((ticket.pk, "take-back", 302), (ticket.pk, "pay-out", 422), (999, "pay-out", 404)):
        sent = {"verb": verb, "reason": "a mistake"}
        assert director.post(f"{address}{number}/end/", sent).status_code == status, (number, verb)
    assert ana.tickets.get().state == "cancelled"


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_new_event_may_begin_as_can_be_played_as_it_is(event, director, kind):
    assert_shows(words(get(director, f"{NEW}?kind={kind}")), "Ready")
    data = {**data_of(fresh(kind)), "name": kind, "starts_at": "2030-02-01T20:00", "save": "1"}
    director.post(f"{NEW}?kind={kind}", data)
    director.post(f"/tournaments/{newest_event().pk}/open/")
    assert (newest_event().name, newest_event().state) == (kind, "open")
