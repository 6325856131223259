"""Practice: the trainee rules first, then the engine; situations follow from a seed, and answers are kept for good."""

from datetime import UTC, datetime
from functools import partial

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError, transaction

from cardroom.core.errors import Conflict, Forbidden, Invalid, NotFound
from tests.support.models import PracticeAnswer, User
from tests.support.parts.games import load, practice, situations, slugs
from tests.support.refusals import refused
from tests.support.worlds import world

NOW = datetime(2030, 1, 5, 20, 0, tzinfo=UTC)


@world
def drill():
    trainee = User.objects.create_user("tam")
    return practice.start(by=trainee, rulebook="roberts-v4", rate=100, seed=11, now=NOW)


def question_of(drill):
    return practice.question(session_id=drill.pk, user=drill.user)


def situation(number, *, seed, slug="roberts-v4", rate=100, game="seven-card-stud", setting="cash"):
    return situations.situation(seed=seed, number=number, rate=rate, book=load(slug), game=game, setting=setting)


def right_of(drill, number):
    """The rulings that count as right, by the engine itself."""
    return situation(number, seed=drill.seed).right


def rule(drill, picks, number=None):
    number = number or question_of(drill).number
    return practice.answer(session_id=drill.pk, by=drill.user, number=number, rulings=picks, now=NOW)


def test_a_situation_is_shown_before_it_is_ruled_on(drill):
    shown = question_of(drill)
    assert shown.number == 1
    assert shown.deed
    assert shown.table["seats"]
    picks = [(choice.key, choice.verdict) for choice in shown.choices]
    assert picks[-1] == ("", "")
    assert len(set(picks)) == len(picks) <= 7
    assert set(right_of(drill, 1)) <= set(picks)
    assert all(choice.label for choice in shown.choices)
    assert question_of(drill) == shown


def test_the_right_ruling_is_right_and_another_is_not(drill):
    shown, right = question_of(drill), right_of(drill, 1)
    result = rule(drill, right)
    assert (result.is_right, result.deed) == (True, shown.deed)
    assert [(row.key, row.verdict) for row in result.rulings] == list(right)
    assert all(row.citation.startswith("Robert's Rules") for row in result.rulings)
    right, picks = right_of(drill, 2), [(choice.key, choice.verdict) for choice in question_of(drill).choices]
    wrong = next(pick for pick in picks if pick not in right)
    assert not rule(drill, [*right, wrong] if wrong[0] else [wrong]).is_right
    assert question_of(drill).number == 3


def test_all_rulings_are_needed_and_their_order_does_not_matter(drill):
    several = 0
    for number in range(1, 40):
        picks = right = list(dict.fromkeys(right_of(drill, number)))
        if len(right) > 1:
            several += 1
            picks = right[::-1] if several > 2 else [right[several % 2]]
        result = rule(drill, picks, number)
        assert result.is_right == (len(picks) == len(right))
        assert [(pick.key, pick.verdict) for pick in result.picked] == picks
        if several == 4:
            return
    raise AssertionError("too few situations with several rulings")


def test_a_situation_shows_the_cards_that_are_to_be_ruled_on():
    for number in range(1, 60):
        found = situation(number, seed=3)
        seats = found.answer.before["seats"]
        assert sum(len(seat["cards"]) for seat in seats) > len(seats), found.answer.deed
        if found.answer.what == "downcard-seen":
            # The third card comes as it is ruled, and is not there to be read, unless it was turned up as well.
            assert {len(seat["cards"]) for seat in seats} == {3 if found.answer.answers["which"] == "third" else 2}
            assert [len(seat["upcards"]) for seat in seats if seat["number"] == 1] in ([1], [2])


def test_a_ruling_stands_as_it_was_given_and_a_session_is_its_trainees_own(drill):
    right = right_of(drill, 1)
    first = rule(drill, right, 1)
    assert rule(drill, right[::-1], 1) == first
    for number in (1, 5):
        refused(Conflict, rule, drill, [("", "")], number)
    for picks in ([("burn_error", "nonsense")], [], [("", ""), right_of(drill, 2)[0]]):
        refused(Invalid, rule, drill, picks, 2)
    stranger = {"session_id": drill.pk, "user": User.objects.create_user("vic")}
    for read in (practice.question, practice.session):
        refused(NotFound, read, **stranger)
    theirs = {"session_id": drill.pk, "number": 1, "rulings": right}
    refused(NotFound, practice.answer, **theirs, by=stranger["user"], now=NOW)
    refused(Forbidden, practice.start, by=AnonymousUser(), rulebook="home", now=NOW)
    for change in (lambda: PracticeAnswer.objects.update(is_right=True), PracticeAnswer.objects.all().delete):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()


def test_the_same_seed_gives_the_same_situations_and_the_same_key_the_same_session(drill):
    begin, trainee = partial(practice.start, rulebook="roberts-v4", rate=100, now=NOW), drill.user
    mine, hers = question_of(drill), question_of(begin(by=User.objects.create_user("uma"), seed=11))
    assert (mine.story, mine.deed, mine.choices) == (hers.story, hers.deed, hers.choices)
    first = begin(by=trainee, key="k")
    assert first.seed != drill.seed
    assert begin(by=trainee, key="k") == first
    assert begin(by=trainee) != begin(by=trainee)


@pytest.mark.parametrize(("field", "wrong"), [
    ("rulebook", "none"), ("game", "hold-em"), ("setting", "party"), *(("rate", rate) for rate in (101, True)),
    *(("seed", seed) for seed in (-1, 2**40)),
])  # fmt: skip
def test_a_session_that_cannot_be_is_refused(drill, field, wrong):
    arguments = {"by": drill.user, "rulebook": "home", "now": NOW} | {field: wrong}
    assert refused(Invalid, practice.start, **arguments).values["field"] == field


def test_results_are_kept_by_point(drill):
    points = []
    for number in range(1, 6):
        right = right_of(drill, number)
        points.append(right[0][0])
        rule(drill, right if number % 2 else [("", "")], number)
    results = practice.results(user=drill.user)
    assert (results.questions, {row.key for row in results.rows}) == (5, set(points))
    assert sum(row.right for row in results.rows) == results.right >= 3
    assert all(0 <= row.percent <= 100 and row.label for row in results.rows)
    assert practice.results(user=User.objects.create_user("wes")).rows == []


@pytest.mark.parametrize("game", ["seven-card-stud", "razz", "stud-eight", "mississippi-stud"])
@pytest.mark.parametrize("slug", slugs())
def test_every_book_and_game_can_be_practised(slug, game):
    rates = {0: set(), 100: set()}
    for rate, keys in rates.items():
        for number in range(1, 16):
            setting = "tournament" if number % 2 else "cash"
            found = situation(number, seed=5, slug=slug, rate=rate, game=game, setting=setting)
            assert found.answer.refused is None
            assert set(found.right) <= set(found.choices)
            keys.update(key for key, _ in found.right)
    assert rates[0] == {""}
    assert len(rates[100]) > 4
