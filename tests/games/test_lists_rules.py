"""Rules for the order of names one by one, and for any mixture of people who wait."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.core.sentences import to_text
from games.waitlists import choosing
from games.waitlists.choosing import Candidate, choose, in_order
from tests.support.tiers import many

RANK = {"seat-change": 0, "must-move": 1, "table-change": 2, "put-back": 3, "list": 4}


def name(who: str, kind: str = "list", place: int = 1, tier: int = 1, seats: tuple = (), bars: tuple = ()) -> Candidate:
    return Candidate(
        player=ord(who), name=who, kind=kind, order=(tier, place), tier=tier, seats=frozenset(seats), bars=bars
    )


CASES = {
    "a wish that no free seat meets is passed over": (
        [name("a", seats=(3, 5)), name("b", place=2)], [1, 2],
        ("b", 1, "list"), {"a": "wants seat 3 or 5, and free are seats 1 and 2"}),
    "a wish that a free seat meets gets that seat": ([name("a", seats=(3,))], [1, 3], ("a", 3, "list"), {}),
    "who is barred or wants another seat is passed over with the reason": (
        [name("a", bars=("may not play",)), name("b", place=2), name("c", "seat-change", 10, seats=(7,))], [4],
        ("b", 4, "list"), {"c": "wants seat 7, and free is seat 4", "a": "may not play"}),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_rule(case):
    waiting, free, (who, number, rule), passed = CASES[case]
    chosen = choose(free, waiting)
    assert (chosen.candidate.name, chosen.number, chosen.rule.slug) == (who, number, rule)
    assert {each.name: to_text(why) for each, why in chosen.passed_over} == passed


def test_kinds_go_in_their_order_and_within_one_first_come_first_served():
    first_to_last = [
        name("a", "seat-change", 4), name("b", "seat-change", 5), name("c", "must-move", 10),
        name("d", "must-move", 20), name("e", "table-change", 7), name("f", place=9, tier=0), name("g"),
        name("h", place=2),
    ]  # fmt: skip
    kinds = ["seat-change", "seat-change", "must-move", "must-move", "table-change", "put-back", "list", "list"]
    assert in_order(first_to_last[::-1]) == first_to_last
    for at, kind in enumerate(kinds):
        chosen = choose([1], first_to_last[at:][::-1])
        assert (chosen.candidate, chosen.rule.slug) == (first_to_last[at], kind)
    assert (choose([], [name("a")]), choose([1], [])) == (None, None)
    assert choose([1], [name("a", seats=(2,)), name("b", bars=("no",))]) is None


def test_every_rule_says_where_it_comes_from():
    assert all(rule.cite and rule.text and rule.title for rule in choosing.BY_SLUG.values())
    assert [rule.slug for rule, _ in choosing.RULES] == sorted(RANK, key=RANK.__getitem__)


people = st.lists(
    st.builds(
        Candidate,
        player=st.integers(1, 10**6),
        name=st.text("abcdefgh", min_size=1, max_size=4),
        kind=st.sampled_from(["list", "interest", "seat-change", "table-change", "must-move"]),
        order=st.tuples(st.integers(0, 50)),
        tier=st.sampled_from([0, 1, 1, 1]),
        seats=st.frozensets(st.integers(1, 8), max_size=2),
        bars=st.sampled_from([(), (), ("barred",)]),
    ),
    max_size=14,
)


@settings(max_examples=many(40, long=200))
@given(people, st.sets(st.integers(1, 8)))
def test_everybody_is_in_the_order_once_and_the_first_who_fits_is_chosen(waiting, free):
    order = in_order(waiting)
    assert sorted(map(id, order)) == sorted(map(id, waiting))
    ranks = [(RANK[each.rule.slug], each.order) for each in order]
    assert ranks == sorted(ranks)
    chosen = choose(sorted(free), waiting)

    def can(each: Candidate) -> bool:
        return not each.bars and bool(free if not each.seats else each.seats & free)

    able = [each for each in waiting if can(each)]
    assert (chosen is None) == (not able)
    if chosen is None:
        return
    best = min((RANK[each.rule.slug], each.order) for each in able)
    assert (RANK[chosen.rule.slug], chosen.candidate.order) == best
    assert chosen.number in free
    assert not chosen.candidate.seats or chosen.number in chosen.candidate.seats
    before = [each for each in order if (RANK[each.rule.slug], each.order) < best]
    assert {id(each) for each in before} <= {id(each) for each, _ in chosen.passed_over}
    assert all(why and not can(each) for each, why in chosen.passed_over)
