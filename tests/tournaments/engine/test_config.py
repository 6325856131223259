"""The terms of an event: through JSON, and what is wrong with some."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import refusals
from tests.support.directing import NOON, refused, terms
from tests.support.parts.event_rules import EventEngine, Structure
from tournaments.engine import config
from tournaments.engine.config import AddOnTerms, BountyTerms, EventConfig, Paid, PayoutTerms, RebuyTerms


@given(
    st.builds(
        terms,
        rebuy=st.none() | st.builds(RebuyTerms, st.integers(1, 9000), st.integers(0, 3)),
        add_on=st.none() | st.builds(AddOnTerms, st.integers(1, 9000)),
        payout=st.builds(PayoutTerms, st.sampled_from(config.PAYOUTS), st.integers(0, 9)),
        bounty=st.builds(BountyTerms, st.sampled_from(config.BOUNTIES), st.integers(0, 900)),
        extra_seconds=st.lists(st.integers(0, 99), max_size=3).map(tuple),
        conduct=st.sampled_from(config.CONDUCTS),
    )
)
@settings(max_examples=50, deadline=None, derandomize=True)
def test_terms_come_back_from_json_as_they_went(event: EventConfig) -> None:
    assert config.from_json(json.loads(json.dumps(config.to_json(event)))) == event


@pytest.mark.parametrize(("changes", "words"), [
    ({"starting_stack": "5000"}, "config.starting_stack: a whole number is wanted, not '5000'"),
    ({"starting_stack": True}, "config.starting_stack: a whole number"),
    ({"late_through_break": 1}, "config.late_through_break: true or false"),
    ({"conduct": None}, "config.conduct: a text"),
    ({"colour": "red"}, "there is no field 'colour'"),
    ({"structure": {"levels": [{"ante": 1.5}]}}, "config.structure.levels.1.ante: a whole number"),
    ({"structure": {"levels": "all"}}, "config.structure.levels: a list"),
    ({"structure": {}}, "config.structure: the field 'levels' is missing"),
    ({"rebuy": 5}, "config.rebuy: an object is wanted"),
    ({"extra_seconds": [1, "x"]}, "config.extra_seconds.2"),
])  # fmt: skip
def test_a_wrong_field_is_named(changes: dict[str, Any], words: str) -> None:
    assert words in str(refusals.refused(ValueError, config.from_json, {**config.to_json(terms()), **changes}))


@pytest.mark.parametrize(("changes", "word"), [
    ({"conduct": "by post"}, "no conduct called 'by post'"),
    ({"format": "chess"}, "no format"), ({"payout": PayoutTerms("best")}, "no payout"),
    ({"bounty": BountyTerms("big")}, "no bounty"), ({"seats": 9}, "2 to 8 seats in stud, not 9"),
    ({"final_seats": 1}, "The final table has 2 to 8 seats"),
    ({"format": "bracket"}, "its tables have 2 seats"),
    ({"format": "shootout", "re_entries": 1}, "A shootout has no late entry"),
    ({"balance_at": 1}, "difference of 2 or more"), ({"halt_short": 1}, "halts at a difference"),
    ({"min_entrants": 1}, "at least two"), ({"max_entrants": 1}, "it must be 2 to"),
    ({"late_through_break": True}, "needs the level before it"),
    ({"rebuy": RebuyTerms(0)}, "at least one chip"), ({"add_on": AddOnTerms(0)}, "at least one chip"),
    ({"add_on": AddOnTerms(100, at_break=2)}, "break 2; the structure has 1"),
    ({"act_seconds": 0}, "act seconds"), ({"extra_seconds": (60, -1)}, "extra seconds"),
    ({"break_order": (2, 2)}, "names every table once"), ({"flight_levels": -1}, "last level of a flight"),
    ({"flight_levels": 2, "format": "shootout"}, "it is no flight"),
])  # fmt: skip
def test_terms_that_cannot_be_played_are_refused_in_words(changes: dict[str, Any], word: str) -> None:
    with refused("config", word):
        config.check(terms(**changes))


@pytest.mark.parametrize(("changes", "code"), [
    ({"structure": Structure(())}, "structure-empty"),
    ({"payout": PayoutTerms("percent", percents=(60, 30))}, "payout-sum"),
])  # fmt: skip
def test_an_event_that_cannot_be_played_is_not_announced(changes: dict[str, Any], code: str) -> None:
    with refused(code):
        EventEngine.start(terms(**changes), NOON)


def test_the_parts_of_a_price_add_up() -> None:
    assert Paid(100, 10, 20, 5).total == 135
    assert Paid(100, 10) + Paid(50, 5, 1, 2) - Paid(100, 10) == Paid(50, 5, 1, 2)
