"""What makes no sense is answered in words wherever it is sent about an event, never by a fault of the server."""

import contextlib
import json
import re

import pytest
from django.http import QueryDict

from cardroom.core.errors import Refusal
from cardroom.core.web.api import bodies
from cardroom.core.web.forms import PagePost
from cardroom.core.web.resources import Does, Resource
from tests.support import tiers
from tests.support.pages import assert_shows
from tests.web.api.test_tournaments import DRAFT
from tournaments import urls
from tournaments.directing.pages.event_form_values import data_of, fresh

HUGE, ZEROS = "9" * 5000, "0" * 5000 + "1"
#: As somebody types, or sends by hand.
TYPED = (HUGE, ZEROS, "-1", "1e999", "NaN", "٣", "a\0b", "[1]", "null", "\ufffd", " ")
#: What is sent to whole pages, of which each costs.
FEW = TYPED if tiers.is_long() else TYPED[:4]
#: As a program sends.
SENT = (
    None, [], {}, [None], {"1": None}, {"\0": 1}, True, -1, 1.5, 10**400, HUGE, "\0", "\ud800", [["x"]],
    [{"entrant": {}}],
)  # fmt: skip


CLASSES = {each for room in urls.ROOMS for each in vars(room).values() if isinstance(each, type)}
VERBS = [
    (resource.path, verb)
    for resource in CLASSES
    if issubclass(resource, Resource)
    for verb in resource.verbs.values()
    if isinstance(verb, Does)
]
FORMS = [each for each in CLASSES if issubclass(each, PagePost) and hasattr(each, "does")]
BODIES = [verb.body or bodies.body_of(verb.service, verb.class_name, path=path) for path, verb in VERBS]
FIELDS = [form.body or bodies.body_of(form.does, form.__name__, path=form.path or form.page.address) for form in FORMS]
ORDERS = sorted(filter(None, BODIES), key=lambda order: order.__name__)
FORMED = sorted(filter(None, FIELDS), key=lambda order: order.__name__)


@pytest.mark.parametrize("odd", SENT, ids=lambda odd: repr(odd)[:12])
def test_no_order_of_a_program_trips_over_a_field(odd):
    for order in ORDERS:
        with contextlib.suppress(Refusal):
            order(data=dict.fromkeys(order().fields, odd)).is_valid()


@pytest.mark.parametrize("odd", TYPED, ids=lambda odd: repr(odd)[:12])
def test_no_form_trips_over_a_field(odd):
    extra = ("out", "by", "had-1", "chips-1", f"chips-{HUGE}", f"stack-{HUGE}", "stack-1", "following", "amounts-x")
    for order in FORMED:
        for name in (*order().fields, *extra):
            form = QueryDict(mutable=True)
            form.update({"out": "1", "kind": "custom", name: odd})
            with contextlib.suppress(Refusal):
                order.typed(form)


def test_an_unknown_button_changes_no_level(event, director):
    for press in (f"remove-{HUGE}", f"remove-{ZEROS}", "remove-", "remove--1", "add-", "\0"):
        for path in (f"/tournaments/{event.pk}/run/levels/", "/tournaments/new/"):
            page = director.post(path, {**data_of(fresh()), "first": "0", "do": press}).content.decode()
            assert_shows(page, 'name="level-45-kind"', but=['name="level-46-kind"'])
    behind = {"first": "150", "level-0-kind": "level", "level-0-minutes": "20"}
    assert director.post(f"/tournaments/{event.pk}/run/levels/", behind | {"do": "add-break"}).status_code == 200
    assert 400 <= director.post(f"/tournaments/{event.pk}/run/levels/", behind | {"do": "save"}).status_code < 500


@pytest.mark.parametrize("asked", [HUGE, ZEROS, "1_0", "-1", "٣", "9" * 16, "\0"], ids=lambda odd: repr(odd)[:12])
def test_an_address_may_ask_for_odd_numbers(event, director, asked):
    for question in (
        "/tournaments/new/?from", "/tournaments/new/?template", "{}/print/seats/?table", "{}/print/seats/?after",
        "{}/print/moves/?after", "{}/run/tables/1/race/?leaving", "{}/deal/?play_for", "{}/desk/?entry", "{}/run/?q",
        "{}/players/?page", "{}/tables/1/?after",
    ):  # fmt: skip
        path, _, name = question.format(f"/tournaments/{event.pk}").partition("?")
        status = director.get(path, {name: asked}).status_code
        assert status < 500, question
        assert (asked, "print/moves" in path) != (ZEROS, True) or status == 400, "zeros in front make it no number"


@pytest.mark.parametrize("odd", FEW, ids=lambda odd: repr(odd)[:12])
def test_the_form_of_an_event_takes_anything_and_makes_none_of_it(event, director, odd):
    # Four of its levels: what is drawn for each is the same.
    right = {name: value for name, value in data_of(fresh()).items() if not re.match(r"level-([4-9]|\d\d)-", name)}
    assert director.post("/tournaments/new/", right | {"name": "Right", "save": "1"}).status_code == 302
    for button in ({"save": "1"}, {"do": "suggest"}, {"do": "preset", "preset": odd}):
        assert director.post("/tournaments/new/", dict.fromkeys(right, odd) | button).status_code == 422
    for name in ("key", "first", "hours", "players", "level-0-ante", "level-0-kind", "name", "starts_at", "series_id"):
        assert director.post("/tournaments/new/", {**right, name: odd, "save": "1"}).status_code < 500, name
    levels = {name: value for name, value in right.items() if "level-" in name} | {"first": odd, "do": "add-level"}
    assert director.post(f"/tournaments/{event.pk}/run/levels/", levels).status_code < 500


@pytest.mark.parametrize("odd", ["\ud800", "a\0b", 10**30, 1.5, [[]], {"\0": "\ud800"}], ids=lambda odd: repr(odd)[:12])
def test_terms_that_no_database_keeps_are_refused(event, director, odd):
    config, level = DRAFT["config"], DRAFT["config"]["structure"]["levels"][0]
    for path, changed in (
        *(("tournaments", {name: odd}) for name in ("name", "description", "entry_code", "bots", "options", "price")),
        ("tournaments", {"options": {"theme": odd}}), ("tournaments", {"config": config | {"rulebook": odd}}),
        ("tournaments", {"config": config | {"starting_stack": odd}}), ("templates", {"options": {"theme": odd}}),
        ("templates", {"config": config | {"rulebook": odd}}),
        ("tournaments", {"config": config | {"structure": {"levels": [level | {"game": odd}]}}}),
        (f"tournaments/{event.pk}/levels", {"from_level": 1, "levels": [level | {"game": odd}]}),
        (f"tournaments/{event.pk}/chip-race", {"table": 1, "leaving": 5, "stacks": {"1": odd}, "is_trial": True}),
    ):  # fmt: skip
        sent = (DRAFT if path in ("tournaments", "templates") else {}) | changed
        assert director.post(f"/api/v1/{path}", json.dumps(sent), "application/json").status_code < 500, (path, changed)
