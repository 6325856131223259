"""Facts: sealed until declared, and enough to rebuild and go on with a hand.

Nobody can tell a card they may not see from what they are sent: here fact by fact. The playouts ask it of whole hands,
played again with the cards that a viewer never saw exchanged among each other (`support/secrecy.py`).
"""

import json
import random
from dataclasses import dataclass
from pathlib import Path

import pytest

from games.rulebooks.queries import load
from tests.support.hands import one_step, third
from tests.support.invariants import cards_in
from tests.support.parts.stud import DECK, KINDS, RAIL, Fact, Hand, Sees, base, c, from_json, mistakes, play, redact
from tests.support.playout import play_out, random_table
from tests.support.refusals import refused
from tests.support.secrecy import seen_by, with_other_cards

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


def test_every_call_of_the_last_round_is_weighed() -> None:
    hand = third({1: 500, 2: 500, 3: 500})
    while hand.street < 7 or hand.turn is None:
        one_step(hand)
    assert not any(isinstance(fact, play.CallWeighed) for fact in hand.facts)
    first = hand.turn.seat
    second, last = hand.following[first], hand.following[hand.following[first]]
    hand.play(c.Wager(first, 30))
    hand.play(c.Call(last))
    facts = hand.play(c.Call(second))
    assert [fact.seat for fact in facts if isinstance(fact, play.CallWeighed)] == [second, last]


def test_a_hand_that_an_older_build_stored_still_replays_and_goes_on() -> None:
    stored = [from_json(kind, fields) for kind, fields in json.loads(OLDER.read_text())]
    told = Hand.replay(stored)
    assert told.is_over
    assert (told.started.unit, told.drop, told.started.drop) == (1, None, ())
    assert {player.seat: player.stack for player in told.players} == {1: 109, 2: 0, 3: 0}
    first_turn = next(place for place, fact in enumerate(stored, 1) if fact.kind == "action-on")
    again = Hand.replay(stored[:first_turn], load("roberts-v4"))
    while again.turn is not None:
        assert again.turn == stored[len(again.facts) - 1]
        done = stored[len(again.facts)]
        did = {"bring-in-posted": c.BringIn, "called": c.Call, "checked": c.Check, "wagered": c.Wager}[done.kind]
        again.play(did(again.turn.seat))
    assert (again.is_over, again.drop) == (True, None)
    assert {player.seat: player.stack for player in again.players} == {1: 109, 2: 0, 3: 0}


@dataclass(frozen=True, slots=True)
class Undeclared(Fact):
    """What somebody will add one day without thinking about its viewers."""

    seat: int
    card: str


def test_the_exchange_of_cards_would_show_a_leak() -> None:
    """The control: a viewer who is sent the facts unredacted sees the difference at once, so the playouts can fail."""
    rng = random.Random(1)
    config = random_table(rng)
    hand = Hand.start(config)
    commands = play_out(hand, rng)
    again = with_other_cards(config, commands, seen_by(RAIL, hand.facts), rng)
    assert seen_by(RAIL, again.facts[:5]) == seen_by(RAIL, hand.facts[:5])
    assert again.facts[:5] != hand.facts[:5]


@pytest.mark.parametrize("viewer", [RAIL, 1, 2, base.AUDITOR])
def test_deck_burns_stub_cards_set_aside_and_facts_that_declare_nothing_reach_nobody(viewer: int) -> None:
    for fact in (play.DeckShuffled(DECK, DECK), play.CardBurned("As", 4), play.StubRemixed(("As", "Kd"))):
        assert cards_in(redact(fact, viewer)) == set()
    assert redact(mistakes.CardsEliminated(("As", "Kd")), viewer) == mistakes.CardsEliminated((None, None))
    assert redact(Undeclared(1, "As"), viewer) == Undeclared(None, None)  # type: ignore[arg-type]


def test_that_a_call_was_hopeless_is_the_callers_own_affair() -> None:
    weighed = play.CallWeighed(2, True, "19")
    assert [redact(weighed, viewer) == weighed for viewer in (2, 1, RAIL)] == [True, False, False]


def test_a_card_put_right_is_seen_by_who_has_it_now() -> None:
    moved = mistakes.CardsPutRight(("2s",), ((1, "As", False), (2, "Kd", False), (1, "9c", True)), ("3d",), 0)
    seen = {viewer: cards_in(redact(moved, viewer)) for viewer in (1, 2, RAIL, base.AUDITOR)}
    assert seen == {1: {"As", "9c"}, 2: {"Kd", "9c"}, RAIL: {"9c"}, base.AUDITOR: {"As", "Kd", "9c"}}


def test_a_downcard_dealt_too_soon_is_hidden_until_its_owner_looks() -> None:
    dealt = mistakes.PrematurelyDealt(7, ((1, "As", False), (2, "Kd", True)))
    for viewer in (RAIL, 1, 2, 3):
        assert cards_in(redact(dealt, viewer)) == {"Kd"}
    kept = mistakes.PrematureCardKept(1, "As", False)
    assert cards_in(redact(kept, 1)) == {"As"}
    for viewer in (RAIL, 2):
        assert redact(kept, viewer) == mistakes.PrematureCardKept(1, None, False)

    kept = mistakes.PrematureCardKept(1, "As", False, is_up=True)
    assert redact(kept, RAIL) == redact(kept, 2) == kept
