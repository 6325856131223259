"""A table without spectators: its hands are shown to those who sit there, to those who played them, and to staff."""

from django.contrib.auth.models import AnonymousUser

from cardroom.core.errors import Forbidden
from tests.support.evening import Evening
from tests.support.offers import staff
from tests.support.parts.games import hand_queries, table_queries, tables
from tests.support.refusals import refused
from tests.support.worlds import world


@world
def closed_off(evening) -> Evening:
    """ann and bob in a hand at a table without spectators; cid has an account."""
    tables.edit(table_id=evening.pk, by=staff("floor"), has_spectators=False, now=evening.now)
    evening.cid = evening.player("cid")
    return evening


def test_of_a_hand_are_told_who_sits_there_or_played_it_and_staff_and_nobody_on_the_rail(closed_off):
    hand = closed_off.table.hand_id
    for viewer in (None, AnonymousUser(), closed_off.cid, staff("cashier")):
        for read in (hand_queries.facts_for, hand_queries.hand_view, hand_queries.hand_story):
            refused(Forbidden, "has no spectators", read, hand_id=hand, viewer=viewer)
        view = table_queries.table_view(table_id=closed_off.pk, viewer=viewer)
        assert (view["is_shown"], view["clock"]) == (False, None)
    for viewer in (closed_off.ann, staff("floor"), staff("dealer"), staff("auditor")):
        assert hand_queries.facts_for(hand_id=hand, viewer=viewer)
        assert table_queries.table_view(table_id=closed_off.pk, viewer=viewer)["is_shown"]
    cid = closed_off.sit(closed_off.cid)
    closed_off.play_out()
    closed_off.leave(closed_off.ann)
    assert hand_queries.facts_for(hand_id=hand, viewer=closed_off.ann)
    assert hand_queries.facts_for(hand_id=hand, viewer=cid), "who sits there now looks on"
    closed_off.deal()
    refused(Forbidden, hand_queries.facts_for, hand_id=closed_off.table.hand_id, viewer=closed_off.ann)
