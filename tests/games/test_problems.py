"""The problem of the day: what its choices are worth, which turns make one, that each day has one, and that it shows no
more than its player saw."""

import random
from datetime import UTC, date, datetime, timedelta
from statistics import mean

import pytest
from django.contrib.auth.models import AnonymousUser

from cardroom.core.errors import Conflict, Forbidden, Invalid, NotFound
from games.training.problems import answering, bundled, making, rollouts, selection
from games.training.problems.rollouts import RolloutAnswer, Worth
from games.training.problems.turns import choices, command, turns_of
from tests.support.evening import Evening
from tests.support.models import Problem, ProblemAnswer, Table, User
from tests.support.parts.games import load, observe
from tests.support.parts.stud import DECK, Hand, play, redact
from tests.support.refusals import refused
from tests.support.worlds import world

NOW = datetime(2030, 1, 5, 20, 0, tzinfo=UTC)
TODAY = NOW.date()
#: When tomorrow's problem is made.
MORNING = datetime(2030, 1, 6, 5, 30, tzinfo=UTC)
TOMORROW = date(2030, 1, 7)
DAY = timedelta(days=1)


def start_hand(cards: str, *, seats: int = 2, game: str = "seven-card-stud") -> Hand:
    """A hand in which these are dealt: first down, second down and door card of each seat, in turn."""
    dealt = cards.split()
    rest = [card for card in reversed(DECK) if card not in dealt]
    return bundled._start(game, seats, [*dealt, *rest])


def play_buttons(hand: Hand, *does: str) -> Hand:
    """By the buttons, in anybody's turn; "bring-in" too."""
    for action in does:
        option = hand.options(hand.to_act)
        hand.play(bundled._LETTERS["b"](option.seat) if action == "bring-in" else command(option, action))
    return hand


def seen_by(hand: Hand, seat: int) -> list:
    return [redact(fact, seat) for fact in hand.facts]


def worth(*values: float, lead_error: float = 0.05) -> RolloutAnswer:
    """An answer with choices of these worths, the best first."""
    worths = tuple(Worth(action, value, 0.1) for action, value in zip(("call", "raise", "fold"), values, strict=False))
    return RolloutAnswer(worths, values[0] - values[1], lead_error)


def test_with_the_best_hand_a_bet_is_worth_more_than_a_check():
    # Rolled-up aces in seat 1 against a deuce that brings it in.
    hand = play_buttons(start_hand("As 3h Ad 4h Ac 2c"), "bring-in")
    assert hand.to_act == 1
    found = rollouts.answer(seen_by(hand, 1), 1, book=hand.book, rng=random.Random(1), times=12)
    by_action = {each.action: each for each in found.worths}
    assert by_action.keys() == {"fold", "call", "complete"}
    assert (by_action["fold"].value, by_action["fold"].error) == (0, 0)
    assert by_action["complete"].value > 0
    assert found.worths[-1].action == "fold"
    assert found.lead == pytest.approx(found.worths[0].value - found.worths[1].value)


def test_cards_dealt_anew_are_unseen_ones_each_once():
    hand = play_buttons(start_hand("As 3h Kd 4h 9c 2c"), "bring-in", "complete", "call", "bet", "call")
    seat = hand.to_act
    seen = seen_by(hand, seat)
    view = Hand.replay(seen)
    dealt = rollouts.dealt_anew(seen, observe(view, seat, view.turn), random.Random(2))
    whole = Hand.replay(dealt, rulebook=hand.book)
    assert seen_by(whole, seat) == seen
    assert sorted(whole.deck) == sorted(DECK)
    assert whole.seats[seat].cards == hand.seats[seat].cards
    play_buttons(whole, *["check"] * 6)
    assert whole.is_over


def test_who_raised_is_given_better_cards_than_who_did_not():
    """As the bots suppose it of each other: a holding out of several."""
    passive = play_buttons(start_hand("2s 3h 5d 4h 7c 2c"), "bring-in")
    active = play_buttons(start_hand("2s 3h 5d 4h 7c 2c"), "bring-in", "complete", "raise")

    def pairs(hand: Hand) -> float:
        seen = seen_by(hand, 1)
        view = Hand.replay(seen)
        observation, chance = observe(view, 1, view.turn), random.Random(4)
        hands = [Hand.replay(rollouts.dealt_anew(seen, observation, chance)).seats[2].cards for _ in range(200)]
        return mean(len({card[0] for card in cards}) < 3 for cards in hands)

    assert passive.to_act == active.to_act == 1
    assert pairs(active) > pairs(passive) + 0.1


def test_hidden_cards_of_others_do_not_change_the_answer():
    one, other = (play_buttons(start_hand(cards), "bring-in") for cards in ("As 3h Kd 4h 9c 2c", "As Qh Kd Qs 9c 2c"))
    assert one.seats[2].cards != other.seats[2].cards
    assert seen_by(one, 1) == seen_by(other, 1)
    answers = [
        rollouts.answer(seen_by(hand, 1), 1, book=hand.book, rng=random.Random(3), times=4) for hand in (one, other)
    ]
    assert answers[0] == answers[1]


@pytest.mark.parametrize(("found", "is_one"), [
    (worth(1.0, 0.4, 0.0), True),
    (worth(1.0, 0.9, 0.0), False),  # nearly the same
    (worth(1.0, 0.4, 0.0, lead_error=0.3), False),  # nobody knows
    (worth(6.0, 2.0, 0.0), False),  # anybody sees it
    (RolloutAnswer((Worth("fold", 0, 0), Worth("call", -0.5, 0.1)), 0.5, 0.05), True),  # playing on is tempting
    (RolloutAnswer((Worth("fold", 0, 0), Worth("call", -1.5, 0.1)), 1.5, 0.05), False),  # hopeless
])  # fmt: skip
def test_a_problem_has_a_clear_answer_that_is_not_plain_to_see(found, is_one):
    assert selection.is_problem(found) is is_one


def test_turns_of_problems_have_a_real_choice():
    hand = play_buttons(start_hand("As 3h Kd 4h 9c 2c"), "bring-in", "complete", "call", "bet", "call", *["check"] * 6)
    found = turns_of(hand.facts)
    assert [(turn.street, turn.seat, turn.taken) for turn in found][:3] == [
        (3, 1, "complete"), (3, 2, "call"), (4, found[2].seat, "bet"),
    ]  # fmt: skip
    assert all(hand.facts[turn.upto - 1].seat == turn.seat for turn in found)
    assert choices(hand.facts[found[2].upto - 1]) == ("check", "bet")
    hand = play_buttons(start_hand("As 3h Kd 4h 9c 2c"), "bring-in")
    assert turns_of(hand.facts[:-1]) == turns_of([*hand.facts, play.TimedOut(1)]) == []


def test_each_problem_that_comes_with_the_house_is_played_as_it_is_written():
    for number in range(len(bundled.rows())):
        found = bundled.problem(number)
        worths = found.answer.worths
        assert {each.action for each in worths} == set(choices(found.facts[found.turn.upto - 1])), number
        assert isinstance(found.facts[-1], play.HandEnded), number
        assert selection.is_problem(found.answer), number
        assert list(worths) == sorted(worths, key=lambda each: -each.value), number


@pytest.mark.long("half a minute of dealing; the answers were found by the same code")
@pytest.mark.parametrize("number", range(3))
def test_an_answer_that_comes_with_the_house_is_found_again(number):
    found = bundled.problem(number)
    seen = [redact(fact, found.turn.seat) for fact in found.facts[: found.turn.upto]]
    book = load(bundled.RULEBOOK)
    again = rollouts.answer(seen, found.turn.seat, book=book, rng=random.Random(99), times=100)
    assert again.best == found.answer.best
    assert again.lead == pytest.approx(found.answer.lead, abs=4 * (again.lead_error + found.answer.lead_error))


@pytest.fixture
def quick(monkeypatch) -> None:
    """A few hands played on are enough, and whatever comes of them makes a problem."""
    monkeypatch.setattr(selection, "TIMES", 3)
    monkeypatch.setattr(selection, "_BEFORE", ())
    monkeypatch.setattr(selection, "is_problem", lambda found, **_: True)
    monkeypatch.setattr(selection, "is_doubted", lambda *_, **__: True)
    monkeypatch.setattr(making, "_REST", 0)


@pytest.mark.usefixtures("quick")
def test_lines_for_the_file_follow_from_their_seed():
    once, again = ("".join(bundled.new_lines(2, seed=5)) for _ in range(2))
    assert once == again
    assert once.count("[[problems]]") == 2


@world
def row() -> Problem:
    """That of a new room's first day."""
    making.make_due(now=NOW)
    return Problem.objects.get()


def test_a_new_room_has_one_problem_on_its_first_day(row):
    making.make_due(now=NOW)
    assert list(Problem.objects.values_list("pk", "day")) == [(row.pk, TODAY)]
    assert answering.problem(day=None, viewer=None, now=NOW).day == TODAY


def test_tomorrows_is_made_in_the_morning_and_nobody_sees_it_before_its_day():
    making.make_due(now=MORNING)
    assert set(Problem.objects.values_list("day", flat=True)) == {MORNING.date(), TOMORROW}
    refused(NotFound, answering.problem, day=TOMORROW, viewer=None, now=MORNING)
    assert [row.day for row in answering.earlier(viewer=None, now=MORNING, limit=9)] == [MORNING.date()]
    assert answering.neighbours(MORNING.date(), now=MORNING) == (None, None)
    assert answering.problem(day=None, viewer=None, now=MORNING + DAY).day == TOMORROW


def a_hand(*actions: str, names: tuple[str, str] = ("ann", "bob")) -> Evening:
    """A hand between two people in which this is done, then to its end; of two hands shown the beaten one is mucked."""
    table = Evening()
    for name in names:
        table.sit(name)
    table.hand = table.deal().table.hand_id
    for action in actions:
        table.act(action)
    return table.play_out() if table.table.hand_id else table


@world
def shown() -> Evening:
    return a_hand("bring-in", "complete")


@pytest.mark.usefixtures("quick")
def test_the_next_problem_names_no_player_and_no_hidden_card(shown):
    making.make_due(now=MORNING)
    row = Problem.objects.get(day=TOMORROW)
    assert row.hand == shown.hand
    assert Problem.objects.get(day=MORNING.date()).hand is None
    told = str([row.before, row.after])
    assert not {name for name in ("ann", "bob", shown.table.name) if f"'{name}'" in told}
    facts = answering._facts([*row.before, *row.after])
    assert row.seat in {fact.seat for fact in facts if isinstance(fact, play.HandShown)}
    dealt = [card for fact in facts if isinstance(fact, play.CardsDealt) for card in fact.cards]
    assert {card for seat, card, is_up in dealt if not is_up and seat != row.seat} == {None}
    assert not [fact for fact in facts if isinstance(fact, play.DeckShuffled) and fact.deck]
    assert not [fact for fact in facts if isinstance(fact, play.ShuffleCommitted)], "it leads to the hand"
    assert making.from_the_room(TOMORROW, now=MORNING) is None, "the same hand is no problem a second time"


@pytest.mark.usefixtures("quick")
def test_no_problem_comes_from_a_hand_that_must_not_be_shown(shown):
    assert a_hand("bring-in", "complete", "fold", names=("cid", "dee")).hands_ended == 1
    for kept in ({"structure": "pot-limit"}, {"structure": "fixed-limit", "has_spectators": False}):
        Table.objects.filter(pk=shown.pk).update(**kept)
        assert making.from_the_room(TOMORROW, now=MORNING) is None


def test_an_answer_is_kept_once_and_counted_and_another_one_comes_too_late(row):
    ann, bob = (User.objects.create_user(name) for name in ("ann", "bob"))
    poor = row.worths[-1]["action"]
    assert answering.problem(day=TODAY, viewer=ann, now=NOW).solution is None
    first = answering.answer(by=ann, day=TODAY, action=row.best, now=NOW)
    assert first.solution.is_right
    assert answering.answer(by=ann, day=TODAY, action=row.best, now=NOW) == first
    refused(Conflict, answering.answer, by=ann, day=TODAY, action=poor, now=NOW)
    second = answering.answer(by=bob, day=None, action=poor, now=NOW).solution
    assert (second.is_right, second.answered) == (False, 2)
    assert {each.action: each.chosen for each in second.choices if each.chosen} == {row.best: 1, poor: 1}
    assert ProblemAnswer.objects.count() == 2


def test_a_guest_is_told_the_answer_and_the_room_keeps_nothing(row):
    told = answering.problem(day=TODAY, viewer=AnonymousUser(), choice=row.best, now=NOW).solution
    assert told.is_right
    assert not ProblemAnswer.objects.exists()
    ann = User.objects.create_user("ann")
    assert answering.problem(day=TODAY, viewer=ann, choice=row.best, now=NOW).solution is None
    refused(Forbidden, answering.answer, by=AnonymousUser(), day=TODAY, action=row.best, now=NOW)
    for action in ("", "bring-in", "show"):
        refused(Invalid, answering.answer, by=ann, day=TODAY, action=action, now=NOW)


def test_the_record_counts_what_is_right_and_what_is_right_in_a_row():
    ann = User.objects.create_user("ann")
    for day, is_right in enumerate((True, False, True, True)):
        at = datetime(2030, 1, 1 + day, 1, tzinfo=UTC)
        making.make_due(now=at)
        row = Problem.objects.get(day=date(2030, 1, 1 + day))
        action = row.best if is_right else row.worths[-1]["action"]
        answering.answer(by=ann, day=row.day, action=action, now=at)
    assert answering.record(ann) == answering.Record(answered=4, right=3, in_a_row=2)
    marks = [row.is_right for row in answering.earlier(viewer=ann, now=at, limit=9)]
    assert marks == [True, True, False, True]
    assert [row.is_right for row in answering.earlier(viewer=None, now=at, limit=1)] == [None]
