"""Online events run by the house: tables made, filled, evened and broken up between hands, until one is left."""

import pytest

from cardroom.services import audit
from tests.support.online import OnlineEvent

pytestmark = pytest.mark.django_db


def test_an_event_of_bots_plays_itself_to_its_end():
    event = OnlineEvent(bots=10, seats=4, final_seats=4).start()
    assert sorted(len(table.seats) for table in event.state.tables.values()) == [3, 3, 4]
    assert event.seats == event.in_event()
    event.play_on()
    state = event.state
    assert sorted(entrant.place for entrant in state.entrants.values()) == list(range(1, 11))
    assert (event.tables, event.seats, event.issued) == ({}, {}, 0)
    assert audit.check() == []
