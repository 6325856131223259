"""Lessons: each is played as it is written, answers every choice, and shows no more than the learner’s seat sees."""

import json
import re

import pytest

from games.training.lessons import SEAT, lessons
from tests.support.pages import get, says
from tests.support.parts.stud import Hand

#: What a button of the table does, by the words of an `action-on`.
_WAGERS = {"bet": "bet", "complete-to": "complete", "raise-to": "raise"}


def choices(hand: Hand) -> set[str]:
    option = hand.options(SEAT)
    open_ones = {"fold": option.can_fold, "check": option.can_check, "call": option.call, "bring-in": option.bring_in}
    return {name for name, is_open in open_ones.items() if is_open} | {_WAGERS[option.verb] for _ in option.sizes[:1]}


@pytest.mark.parametrize("slug", lessons())
def test_every_turn_of_the_learner_teaches_one_choice_and_says_of_each_other_why_not(slug):
    taught = 0
    for part in lessons()[slug].parts:
        for stop in part.stops:
            hand = Hand.replay(part.facts[: stop.upto])
            if not stop.best:
                assert not stop.poor, stop
                continue
            taught += 1
            assert hand.to_act == SEAT, stop
            assert choices(hand) == {stop.best, *stop.poor}, stop
            assert all([stop.says, stop.then, *stop.poor.values()]), stop
    assert taught


def test_nobody_elses_downcards_are_in_a_lesson_before_they_are_shown(client, db):
    for lesson in lessons().values():
        page = get(client, f"/learn/{lesson.slug}/")
        parts = json.loads(re.search(r'<script id="lesson-data" type="application/json">(.*?)</script>', page)[1])
        assert len(parts) == len(lesson.parts)
        for part in parts:
            dealt = [fact["cards"] for _, kind, fact in part["facts"] if kind == "cards-dealt"]
            down = [card for cards in dealt for seat, card, is_up in cards if seat != SEAT and not is_up]
            assert down
            assert set(down) == {None}, lesson.slug


def test_the_page_to_learn_from_leads_to_each_lesson_and_each_to_the_next(client, db):
    slugs = list(lessons())
    says(get(client, "/learn/"), *(f'href="/learn/{slug}/"' for slug in slugs))
    for slug, following in zip(slugs, [*slugs[1:], None], strict=True):
        says(get(client, f"/learn/{slug}/"), f'href="/learn/{following}/"' if following else "To the lobby")
    get(client, "/learn/nothing/", 404)
