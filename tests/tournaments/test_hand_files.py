"""Hands of an event as files: they say which event, which level, and what an entry cost."""

import tomllib

from games.notation.events import EventDetails, roman
from games.notation.phh import loads
from games.notation.phh_replay import replay
from games.play.past import files
from games.tables.queries import history
from tests.support.online import QUICK, OnlineEvent
from tournaments.events.models import Tournament


def hand_file(event: OnlineEvent, hand: int, form: str) -> str:
    story = history.hand_story(hand_id=hand, viewer=event.people[0])
    return files.of_hand(story, form).body.decode()


def test_a_hand_of_an_event_is_exported_as_one() -> None:
    price = {"entry": {"pool": 100, "fee": 10, "staff": 5}}
    event = OnlineEvent(2, people=1, seats=6, starting_stack=4000, price=price).start()
    event.play_on(lambda event: event.row.level == 1 and len(event.hands()) > 1)
    first, last = event.hands()[0], [hand for hand in event.hands() if hand.ended_at][-1]
    one = QUICK.levels[0]
    told = hand_file(event, first.pk, "txt").splitlines()
    stakes = f"({one.small_bet}/{one.big_bet})"
    head = f"Cardroom Hand #{first.pk}: Tournament #{event.pk}, 100+15 7 Card Stud Limit - Level I {stakes} - "
    assert told[0].startswith(head)
    assert told[1] == f"Table '{event.pk} 1' 6-max"
    made = tomllib.loads(hand_file(event, first.pk, "phh"))
    assert (made["event"], made["level"], made["_tournament"], made["_table"]) == (event.row.name, 1, event.pk, 1)
    assert made["_buy_in"] == {"pool": 100, "bounty": 0, "fee": 15}
    assert replay(loads(hand_file(event, first.pk, "phh"))[""]).matches
    levels = [tomllib.loads(hand_file(event, hand.pk, "phh")).get("level") for hand in (first, last)]
    assert levels == sorted(levels)


def test_a_hand_whose_stakes_are_of_no_level_any_more_tells_none() -> None:
    event = OnlineEvent(2, people=1, seats=6, starting_stack=4000).start()
    event.play_on(lambda event: event.hands() and event.hands()[0].ended_at)
    hand = event.hands()[0].pk
    config = event.row.config
    levels = [{**level, "ante": level.get("ante", 0) + 1} for level in config["structure"]["levels"]]
    structure = {**config["structure"], "levels": levels}
    Tournament.objects.filter(pk=event.pk).update(config={**config, "structure": structure})
    assert "Limit - (" in hand_file(event, hand, "txt").splitlines()[0]
    assert "level" not in tomllib.loads(hand_file(event, hand, "phh"))


def test_levels_are_roman_and_a_buy_in_is_told_in_its_parts() -> None:
    assert [roman(number) for number in (1, 4, 9, 14, 40, 99)] == ["I", "IV", "IX", "XIV", "XL", "XCIX"]
    assert EventDetails(1, "Nightly", 1, 1, 80, 20, 10).buy_in == "80+20+10"
    assert EventDetails(1, "Nightly", 1, 1, 0, 0, 0).buy_in == "0+0"
