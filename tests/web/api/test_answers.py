"""What the API answers about the room is what the schema says."""

import pytest
import time_machine

from cardroom.services import access
from games.services import floor, practice, rulebooks
from tests.support.evening import Evening
from tests.support.worlds import world
from tests.web.api.conftest import secret_of
from tests.web.api.contract import (
    EACH,
    EXAMPLES,
    OF_THE_ROOM,
    Seen,
    being_there,
    send_at_every_bound,
    send_one_of_each,
    send_what_is_made_up,
)


def _lay_out_room():
    """A token of the player to act, and what there is, by the names that addresses give it."""
    with time_machine.travel(0, tick=False) as clock:
        evening = Evening()
        clock.move_to(evening.now)
        evening.ann, evening.bob = evening.sit("ann", 1), evening.sit("bob", 2)
        evening.deal()
        evening.act("bring-in")
        evening.act("fold")
        evening.deal()
        clock.move_to(evening.now)
        call = floor.call(table_id=evening.pk, by=evening.ann, now=evening.now)
        manager = evening.to_act
        access.grant_role(user=manager, role="manager", by=None)
        saved = rulebooks.found(name="River Room", base="home", changes={}, by=manager, now=evening.now)
        drill = practice.start(user=manager, rulebook="roberts-v4", seed=1, now=evening.now)
        ids = {"table_id": evening.pk, "hand_id": evening.table.hand_id, "slug": "roberts-v4", "call_id": call.pk}
        ids |= {"book": saved.book.slug, "version": saved.version, "what": "too-early", "session_id": drill.pk}
        return Seen(evening.now, secret_of(manager), ids)


_room = world(_lay_out_room)


@pytest.fixture
def room(_room):
    with being_there(_room) as seen:
        yield seen


@pytest.mark.parametrize(("address", "method"), OF_THE_ROOM)
def test_answers_are_as_the_schema_says(address, method, room):
    """No fault whatever is sent; statuses, types and bodies as told; what the schema forbids is refused."""
    send_one_of_each(address, method, room)


@pytest.mark.long("an eighth of 22,000 cases; test_answers_are_as_the_schema_says sends two an operation")
@pytest.mark.parametrize(("address", "method"), OF_THE_ROOM)
def test_answers_at_every_bound_are_as_the_schema_says(address, method, room):
    send_at_every_bound(address, method, room, each=EACH)


@pytest.mark.long("draws, eight an operation; test_answers_are_as_the_schema_says sends two cases")
@pytest.mark.parametrize(("address", "method"), OF_THE_ROOM)
def test_answers_to_what_is_made_up_are_as_the_schema_says(address, method, room):
    send_what_is_made_up(address, method, room, EXAMPLES)
