"""Sealed cards are seen of hands that are over, by somebody who does not play in that game."""

import pytest

from cardroom.core.errors import Conflict, Forbidden
from games.engine.facts.play import CardsDealt
from games.play import private
from tests.support.evening import Evening
from tests.support.models import SealedLook, User
from tests.support.offers import offer_tables
from tests.support.refusals import refused
from tests.support.sealed import open_view


def look_at_hand(evening: Evening, by: User, hand: int = 0) -> list:
    """At the last hand, in a view of now."""
    open_view(by, now=evening.now)
    return private.look(hand_id=hand or evening.table.last_hand_id, by=by, now=evening.now)


@pytest.fixture
def auditor(evening: Evening) -> User:
    return evening.player("aud")


def test_nobody_sees_a_card_of_a_hand_in_play(evening: Evening, auditor: User) -> None:
    hand = evening.table.hand_id
    for user in (auditor, evening.ann):
        assert refused(Conflict, "in progress", look_at_hand, evening, user, hand).code == "hand-in-play"
    assert not SealedLook.objects.exists()
    evening.play_out()
    dealt = [fact for _, fact in look_at_hand(evening, auditor, hand) if isinstance(fact, CardsDealt)]
    assert all(card for fact in dealt for _, card, _ in fact.cards)
    assert SealedLook.objects.get().subject == f"hand:{hand}"


@pytest.mark.parametrize("seats", ["in the hand", "before it", "since", "at another table of the game"])
def test_who_sat_in_the_game_sees_none_of_it(evening: Evening, auditor: User, seats: str) -> None:
    other = Evening()
    offer_tables(evening, other)
    if seats == "before it":
        evening.play_out().sit(auditor, 5)
        evening.leave(auditor)
        evening.deal()
    evening.play_out()
    if seats == "since":
        evening.sit(auditor, 5)
    if seats == "at another table of the game":
        other.now = evening.now
        other.sit(auditor, 5)
    refused(
        Forbidden,
        "You had a seat in this game",
        look_at_hand,
        evening,
        evening.ann if seats == "in the hand" else auditor,
    )


def test_who_sat_there_on_another_day_may_look(evening: Evening, auditor: User) -> None:
    evening.play_out().sit(auditor, 5)
    evening.leave(auditor)
    evening.later(hours=13)
    evening.play_out() if evening.table.hand_id else evening.deal().play_out()
    assert look_at_hand(evening, auditor)


def test_who_has_looked_sits_down_there_in_twelve_hours_and_elsewhere_at_once(evening: Evening, auditor: User) -> None:
    other, another = Evening(), Evening()
    offer_tables(evening, other)
    look_at_hand(evening.play_out(), auditor)
    for table in (evening, other):
        table.now = evening.now
        assert refused(Forbidden, "12 hours later", table.sit, auditor, 5).code == "saw-sealed-cards"
    another.now = evening.now
    another.sit(auditor, 5)
    evening.later(hours=12, seconds=1).sit(auditor, 5)
