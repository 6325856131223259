"""Orders of the floor: who may give them, what they come to, and what is refused."""

import pytest

from cardroom.services.errors import Forbidden, Illegal, Invalid, Stale
from tournaments.services import floor

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(make_event):
    return make_event(seats=4, late_level=0, final_seats=4).started(6)


def order(event, **more):
    return {"tournament_id": event.pk, "by": event.director, "now": event.now, **more}


def test_a_dealer_busts_a_player_at_his_table_with_one_word(event):
    dealer = event.staff("dealer")
    floor.bust(busts=[(3, None)], eliminators=[1], **order(event, by=dealer))
    state = event.state
    assert (state.left, state.entrants[3].place, state.entrants[3].by) == (5, 6, (1,))
    assert (event.entry(3).state, event.row.players_left) == ("out", 5)
