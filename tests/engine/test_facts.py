"""Facts: sealed until declared, the same through JSON, and enough to rebuild and go on with a hand."""

import json
from pathlib import Path

from games.rulebooks.queries import load
from tests.support.hands import one_step, third
from tests.support.parts.stud import KINDS, CallWeighed, Hand, Sees, c, from_json
from tests.support.refusals import refused

#: A hand as it was stored before facts had all the fields that they have now.
OLDER = Path(__file__).with_name("hand_of_an_older_build.json")


def test_every_kind_has_said_who_sees_it_and_an_unknown_kind_or_field_is_refused() -> None:
    hidden = {kind for kind, cls in KINDS.items() if cls.sees is Sees.NOBODY}
    assert hidden == {"deck-shuffled", "card-burned"}
    assert {kind for kind, cls in KINDS.items() if cls.sees is not Sees.ALL} == hidden | {
        *("hand-started", "cards-dealt", "stub-remixed", "call-weighed"),
        *("cards-put-right", "prematurely-dealt", "premature-card-kept", "cards-eliminated"),
    }
    for kind, fields, why in (("dreamed", {}, "no kind"), ("called", {"seat": 1, "chips": 2}, "called")):
        refused(ValueError, why, from_json, kind, fields)


def test_every_last_round_call_is_weighed_so_that_none_stands_out() -> None:
    hand = third({1: 500, 2: 500})
    while hand.street < 7 or hand.turn is None:
        before = len(hand.facts)
        one_step(hand)
        assert not any(isinstance(fact, CallWeighed) for fact in hand.facts[before:])
    hand.play(c.Wager(hand.turn.seat, 30))
    facts = hand.play(c.Call(hand.turn.seat))
    assert sum(isinstance(fact, CallWeighed) for fact in facts) == 1


def test_a_call_out_of_turn_is_weighed_when_it_is_carried_out() -> None:
    hand = third({1: 500, 2: 500, 3: 500})
    while hand.street < 7 or hand.turn is None:
        one_step(hand)
    first = hand.turn.seat
    second, last = hand.following[first], hand.following[hand.following[first]]
    hand.play(c.Wager(first, 30))
    hand.play(c.Call(last))
    facts = hand.play(c.Call(second))
    assert [fact.seat for fact in facts if isinstance(fact, CallWeighed)] == [second, last]


def stacks_of(hand: Hand) -> dict[int, int]:
    return {player.seat: player.stack for player in hand.players}


def test_a_hand_that_an_older_build_stored_still_replays_and_goes_on() -> None:
    stored = [from_json(kind, fields) for kind, fields in json.loads(OLDER.read_text())]
    told = Hand.replay(stored)
    assert told.is_over
    assert (told.started.unit, told.drop, told.started.drop) == (1, None, ())
    assert stacks_of(told) == {1: 109, 2: 0, 3: 0}
    first_turn = next(place for place, fact in enumerate(stored, 1) if fact.kind == "action-on")
    again = Hand.replay(stored[:first_turn], load("roberts-v4"))
    while again.turn is not None:
        assert again.turn == stored[len(again.facts) - 1]
        done = stored[len(again.facts)]
        did = {"bring-in-posted": c.BringIn, "called": c.Call, "checked": c.Check, "wagered": c.Wager}[done.kind]
        again.play(did(again.turn.seat))
    assert (again.is_over, again.drop) == (True, None)
    assert stacks_of(again) == {1: 109, 2: 0, 3: 0}
