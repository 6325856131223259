"""Sealed cards of an event: not for a player who is in it, and a person who has seen them enters no more."""

from cardroom.core.errors import Forbidden
from cardroom.core.models import User
from games.play import private
from tests.support.online import OnlineEvent
from tests.support.refusals import refused
from tests.support.sealed import open_view
from tests.support.worlds import world


@world
def event() -> OnlineEvent:
    """It is played, a hand of it is over, and entry is open still."""
    event = OnlineEvent(4, people=1, seats=8, late_level=3, starting_stack=4000).start()
    return event.play_on(lambda event: any(hand.ended_at for hand in event.hands()))


def look_at_hand(event: OnlineEvent, by: User) -> list:
    open_view(by, now=event.now)
    hand = next(hand for hand in event.hands() if hand.ended_at)
    return private.look(hand_id=hand.pk, by=by, now=event.now)


def test_sealed_cards_are_not_for_players_of_the_event(event: OnlineEvent) -> None:
    auditor, waiting = event.player("aud"), event.player("wai")
    assert look_at_hand(event, auditor)
    refused(Forbidden, "seen sealed cards of this tournament", event.enter, auditor)
    event.enter(waiting)
    for player in (event.people[0], waiting):
        refused(Forbidden, "You had a seat in this game", look_at_hand, event, player)
