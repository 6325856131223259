"""The pages to learn from: the ruling desk, with every rule under every book; the page of the games, true by the engine
that plays them, and its lessons, played as they are written; practice, where one rules first; and the problem of the
day, whose answer is told only once one is given. None shows a hidden card."""

import json
import re
from copy import deepcopy
from html import unescape
from itertools import pairwise

import pytest
from django.utils import timezone

from games.engine.facts import play
from games.engine.ranking import low8_value_of, low_value_of, value_of
from games.training import practice
from games.training.lessons import SEAT, lessons
from games.training.pages import learn
from games.training.problems import bundled, making
from tests.support.models import Problem, ProblemAnswer
from tests.support.pages import assert_hides, assert_shows, get, html_of, json_of
from tests.support.parts.games import asking, load, slugs
from tests.support.parts.stud import Hand

PROBLEM, API = "/learn/problem/", "/api/v1/problems/today"
ORDER = {"rulebook": "roberts-v4", "game": "seven-card-stud", "setting": "cash", "rate": 100, "seed": 5}
#: What a button of the table does, by the words of an `action-on`.
_WAGERS = {"bet": "bet", "complete-to": "complete", "raise-to": "raise"}


def test_every_question_of_the_desk_has_a_page_that_cites_its_rule(browse):
    first = get(browse(), "/desk/")
    for question in asking.QUESTIONS:
        assert_shows(first, f"?what={question.slug}")
        page = unescape(get(browse(), f"/desk/?what={question.slug}"))
        assert_shows(page, question.title, *(load("roberts-v4").citation(key) for key in question.keys))
    for slug in slugs():
        page = unescape(get(browse(), f"/desk/?what=too-early&rulebook={slug}"))
        assert_shows(page, f'<option value="{slug}" selected>', load(slug).citation("premature_deal"))
    page = unescape(get(browse(), "/desk/?what=who-shows&players=4"))
    assert_shows(page, "Seat 3 shows first", load("roberts-v4").citation("showdown_order"), but=["No ruling"])


def test_a_choice_at_the_desk_brings_its_own_questions(browse):
    one, both = (get(browse(), f"/desk/?what=downcard-seen&which={which}") for which in ("first", "both"))
    assert "would have been low" not in one.split("Citations")[0]
    assert 'name="would_be_low"' in both
    assert "checked" in get(browse(), "/desk/?what=misdeal&acted=2&is_in=no&is_in=yes"), "a ticked box counts"
    assert_shows(
        get(browse(), "/desk/?what=too-early&players=99&street=5", 400), "a whole number from", 'value="5" checked'
    )
    for book in ("house:x", "house:x@1", "house:\0@1", "\0", "../roberts-v4", "x" * 500, "house:@"):
        assert browse().get("/desk/", {"what": "too-early", "rulebook": book}).status_code == 400, book


def test_a_part_of_the_desk_is_all_a_script_gets(browse):
    assert_shows(
        html_of(browse().get("/desk/?what=void", headers={"HX-Request": "true"})), "ruling__title", but=["<html"]
    )
    again = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert_shows(html_of(browse().get("/desk/?what=void", headers=again)), "<html")


def cards_of(hand):
    return [card for card in hand.cards.split() if card != "??"]


def test_rules_link_to_games_games_to_lessons_and_each_lesson_to_the_next(client):
    assert_shows(get(client, "/rules/"), 'href="/learn/"')
    page, slugs = get(client, "/learn/"), [*lessons()]
    assert_shows(
        page, *(street.title for street in learn.STREETS), *(hand.name for hand in learn.HIGH_HANDS), "ace of spades"
    )
    assert_shows(page, *(f'href="/learn/{slug}/"' for slug in slugs))
    for slug, following in zip(slugs, [*slugs[1:], None], strict=True):
        page = get(client, f"/learn/{slug}/")
        assert_shows(page, f'href="/learn/{following}/"' if following else "To the lobby")
        parts = json.loads(re.search(r'<script id="lesson-data" type="application/json">(.*?)</script>', page)[1])
        assert len(parts) == len(lessons()[slug].parts)
        for part in parts:
            dealt = [fact["cards"] for _, kind, fact in part["facts"] if kind == "cards-dealt"]
            down = [card for cards in dealt for seat, card, is_up in cards if seat != SEAT and not is_up]
            assert set(down) == {None}, "nobody else's downcards before they are shown"


def test_example_hands_are_in_order_of_strength_with_the_right_winner():
    for stronger, weaker in pairwise(learn.HIGH_HANDS):
        assert value_of(cards_of(stronger)) > value_of(cards_of(weaker)), stronger.name
    for lower, higher in pairwise(learn.LOW_HANDS):
        assert low_value_of(cards_of(lower)) < low_value_of(cards_of(higher)), lower.name
    high, low = (cards_of(hand) for hand in learn.EIGHT)
    assert sorted(high) == sorted(low)
    assert value_of(high) == value_of(high[-5:])
    assert low8_value_of(low) == low_value_of(low[-5:])

    mine, theirs = (cards_of(hand) for hand in learn.SHOWDOWN)
    others = [card for hand in learn.STREETS[0].hands[1:2] for card in cards_of(hand)]
    assert len({*mine, *theirs, *others}) == len(mine) + len(theirs) + len(others) == 15
    assert value_of(mine) > value_of(theirs)
    for street in learn.STREETS:
        you, *_, across = street.hands
        assert set(cards_of(you)) <= set(mine), street.title
        assert set(cards_of(across)) <= set(theirs), street.title
        if street is not learn.STREETS[0]:
            assert value_of(cards_of(across)) > value_of(cards_of(you)[2:6]), f"who acts first on {street.title}"
    for hand in learn.SHOWDOWN:
        cards = cards_of(hand)
        assert value_of(cards) == value_of(cards[-5:]), hand.name


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
            assert all([stop.speech, stop.then, *stop.poor.values()]), stop
    assert taught


def begin(client) -> str:
    answer = client.post("/practice/", ORDER)
    assert answer.status_code == 302
    return answer["Location"]


def choices_on(page: str) -> list[str]:
    return re.findall(r'name="choice" value="([^"]*)"', page)


def test_a_trainee_rules_before_reading_the_rule_and_each_situation_counts_once(evening, browse):
    ann = browse(evening.ann)
    address = begin(ann)
    page = get(ann, address)
    assert_shows(page, "Situation 1")
    assert_hides(page, "ruling__words")  # nothing is given away before the ruling
    pick = choices_on(page)[:2]
    told = html_of(ann.post(address, {"number": 1, "choice": pick}))
    assert_shows(told, "ruling__words", "Robert&#x27;s Rules of Poker v4, ", "Your ruling:")
    assert re.search(r">(Right|Wrong)<", told)
    html_of(ann.post(address, {"number": 1, "choice": pick}))
    assert practice.results(user=evening.ann).questions == 1
    assert ann.post(address, {"number": 1, "choice": pick[1:]}).status_code == 409, "a second thought comes too late"
    assert_shows(get(ann, address), "Situation 2")
    for number in range(2, 5):
        ann.post(address, {"number": number, "choice": choices_on(get(ann, address))[0]})
    assert_shows(
        unescape(get(ann, "/practice/")), "of 4 right", *(row.label for row in practice.results(user=evening.ann).rows)
    )


def test_the_same_seed_brings_the_same_situation(evening, browse):
    ann = browse(evening.ann)
    one, other = (get(ann, begin(ann)) for _ in range(2))
    assert choices_on(one) == choices_on(other)
    situation = re.compile(r"told-list.*?</section>", re.DOTALL)
    assert situation.findall(one) == situation.findall(other)
    address = begin(ann)
    for sent in ({"number": 1, "choice": "no|thing"}, {"number": "one", "choice": "|"}, {}):
        assert ann.post(address, sent).status_code == 400
    get(browse(evening.bob), address, 404)


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


def test_lobby_and_lessons_link_to_the_problem_of_the_day(evening, client):
    assert_shows(get(client, PROBLEM), "not ready yet")
    day = of_today().day
    for page in ("/", "/learn/"):
        assert_shows(get(client, page), f'href="{PROBLEM}"')
    assert_shows(get(client, PROBLEM), "What do you do?", f'datetime="{day}"', "It is your turn.")


def test_the_solution_of_a_problem_is_shown_after_an_answer(problem, evening, browse):
    ann, bob = browse(evening.ann), browse(evening.bob)
    address = f"{PROBLEM}{problem.day}/"
    before = get(ann, PROBLEM)
    assert_hides(before, "in big bets", "How it went on", "in the hand")
    drawn = json.loads(re.search(r'<script id="problem-data" type="application/json">(.*?)</script>', before)[1])
    assert len(drawn["facts"]) == len(problem.before) == drawn["upto"]
    poor = problem.worths[-1]["action"]
    assert_shows(html_of(ann.post(address, {"action": problem.best}, follow=True)), "Right: ", "How it went on", "± ")
    assert_shows(html_of(bob.post(address, {"action": poor}, follow=True)), f"you chose {poor}", "Chosen by")
    told = json_of(bob.get(API))["solution"]
    assert (told["best"], told["answered"]) == (problem.best, 2)
    assert json_of(bob.get("/api/v1/me/problems")) == {"answered": 1, "right": 0, "in_a_row": 0}
    assert_shows(get(ann, address), "Your answers: 1, 1 of them right.")
    assert ann.post(address, {"action": poor}).status_code == 409
    assert [row["is_right"] for row in json_of(ann.get("/api/v1/problems"))["results"]] == [True]


def test_a_guest_is_told_the_answer_and_nothing_is_kept(problem, client):
    assert_shows(get(client, f"{PROBLEM}{problem.day}/?choice={problem.best}"), "Right: ", "to keep your answers")
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
    told = [main(get(client, PROBLEM)), client.get(API).content]

    deck = [row["deck"][at : at + 2] for at in range(0, 104, 2)]
    turned = dict(zip(hidden, reversed(hidden), strict=True))
    other = row | {"deck": "".join(turned.get(card, card) for card in deck), "done": row["done"][: row["turn"] + 1]}
    monkeypatch.setattr(bundled, "rows", lambda: (other,))
    Problem.objects.all().delete()
    making.make_due(now=timezone.now())
    assert hidden != list(turned.values())
    assert told == [main(get(client, PROBLEM)), client.get(API).content]


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
