"""The problem of the day on its pages and for programs: the answer only once one is given, and never a hidden card."""

import json
import re
from copy import deepcopy

import pytest
from django.utils import timezone

from games.engine.facts import play
from games.training.problems import bundled, making
from tests.support.models import Problem, ProblemAnswer
from tests.support.pages import get, hides, html_of, json_of, says

PAGE, API = "/learn/problem/", "/api/v1/problems/today"


def of_today() -> Problem:
    making.make_due(now=timezone.now())
    return Problem.objects.get(day=timezone.now().date())


@pytest.fixture
def problem(evening) -> Problem:
    """Of today, by the room's clock, which stands still."""
    return of_today()


def main(page: str) -> str:
    """All of the page that is about the problem."""
    return page[page.index('class="told__head"') : page.index("</noscript>", page.index('class="told__head"'))]


def test_everybody_finds_it_from_the_lobby_and_from_the_lessons_once_it_is_there(evening, client):
    says(get(client, PAGE), "not ready yet")
    day = of_today().day
    for page in ("/", "/learn/"):
        says(get(client, page), f'href="{PAGE}"')
    says(get(client, PAGE), "What do you do?", f'datetime="{day}"', "It is your turn.")


def test_the_answer_is_told_once_it_is_given_and_with_it_what_others_chose(problem, evening, browse):
    ann, bob = browse(evening.ann), browse(evening.bob)
    address = f"{PAGE}{problem.day}/"
    before = get(ann, PAGE)
    hides(before, "in big bets", "How it went on", "in the hand")
    drawn = json.loads(re.search(r'<script id="problem-data" type="application/json">(.*?)</script>', before)[1])
    assert len(drawn["facts"]) == len(problem.before) == drawn["upto"]
    poor = problem.worths[-1]["action"]
    says(html_of(ann.post(address, {"action": problem.best}, follow=True)), "Right: ", "How it went on", "± ")
    says(html_of(bob.post(address, {"action": poor}, follow=True)), f"you chose {poor}", "Chosen by")
    told = json_of(bob.get(API))["solution"]
    assert (told["best"], told["answered"]) == (problem.best, 2)
    assert json_of(bob.get("/api/v1/me/problems")) == {"answered": 1, "right": 0, "in_a_row": 0}
    says(get(ann, address), "Your answers: 1, 1 of them right.")
    assert ann.post(address, {"action": poor}).status_code == 409
    assert [row["is_right"] for row in json_of(ann.get("/api/v1/problems"))["results"]] == [True]


def test_a_guest_is_told_and_nothing_is_kept(problem, client):
    says(get(client, f"{PAGE}{problem.day}/?choice={problem.best}"), "Right: ", "to keep your answers")
    assert json_of(client.get(API))["solution"] is None
    assert json_of(client.get(f"{API}?choice={problem.best}"))["solution"]["is_right"]
    assert client.get(f"{API}?choice=show").status_code == 400
    assert not ProblemAnswer.objects.exists()


def test_what_is_told_before_the_answer_does_not_change_with_the_hidden_cards(problem, client, monkeypatch):
    """The others hold each other's."""
    number = problem.day.toordinal() % len(bundled.rows())
    row = deepcopy(bundled.rows()[number])
    whole = bundled.problem(number)
    seat, upto = whole.turn.seat, whole.turn.upto
    dealt = [fact for fact in whole.facts[:upto] if isinstance(fact, play.CardsDealt)]
    hidden = [card for fact in dealt for other, card, is_up in fact.cards if other != seat and not is_up]
    told = [main(get(client, PAGE)), client.get(API).content]

    deck = [row["deck"][at : at + 2] for at in range(0, 104, 2)]
    turned = dict(zip(hidden, reversed(hidden), strict=True))
    other = row | {"deck": "".join(turned.get(card, card) for card in deck), "done": row["done"][: row["turn"] + 1]}
    monkeypatch.setattr(bundled, "rows", lambda: (other,))
    Problem.objects.all().delete()
    making.make_due(now=timezone.now())
    assert hidden != list(turned.values())
    assert told == [main(get(client, PAGE)), client.get(API).content]


def test_an_answer_shows_no_card_that_was_not_shown_in_the_hand(problem, client):
    for number in range(len(bundled.rows())):
        whole = bundled.problem(number)
        row = making._row(whole, now=timezone.now())
        Problem.objects.filter(pk=problem.pk).update(**row)
        answer = client.get(f"{API}?choice={row['worths'][0]['action']}").json()
        deals = [fact for fact in [*answer["facts"], *answer["solution"]["facts"]] if fact["kind"] == "cards-dealt"]
        dealt = [each for deal in deals for each in deal["data"]["cards"]]
        own = {card for seat, card, is_up in dealt if seat == answer["seat"] and not is_up}
        assert None not in own
        assert {card for seat, card, is_up in dealt if seat != answer["seat"] and not is_up} == {None}
        tabled = [fact for fact in whole.facts if isinstance(fact, (play.HandShown, play.HandTabled))]
        shown = {card for fact in tabled for card in fact.cards} | {card for _, card, is_up in dealt if is_up}
        assert set(re.findall(r'"([2-9TJQKA][cdhs])"', json.dumps(answer))) <= shown | own
