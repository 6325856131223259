"""A table without spectators: its hands are shown to those who sit there, to those who played them, and to staff."""

from datetime import timedelta

from django.contrib.auth.models import AnonymousUser

from cardroom.core.errors import Forbidden
from tests.support.offers import staff
from tests.support.parts.games import history_queries, table_queries, tables
from tests.support.refusals import refused


def test_only_players_of_a_hand_and_staff_are_told_of_it(evening):
    tables.edit(table_id=evening.pk, by=staff("floor"), has_spectators=False, now=evening.now)
    hand, ann, cid = evening.table.hand_id, evening.ann, evening.player("cid")
    for viewer in (None, AnonymousUser(), cid, staff("cashier")):
        for read in (history_queries.facts_for, history_queries.hand_view, history_queries.hand_story):
            refused(Forbidden, "has no spectators", read, hand_id=hand, viewer=viewer)
        view = table_queries.table_view(table_id=evening.pk, viewer=viewer)
        assert (view["is_shown"], view["clock"]) == (False, None)
    for viewer in (ann, staff("floor"), staff("dealer"), staff("auditor")):
        assert history_queries.facts_for(hand_id=hand, viewer=viewer)
        assert table_queries.table_view(table_id=evening.pk, viewer=viewer)["is_shown"]
    evening.sit(cid)
    in_sight = table_queries.seats_in_sight
    seen = [[*in_sight([ann.pk], viewer)] for viewer in (None, evening.player("dan"), cid)]
    assert seen == [[], [], [ann.pk]], "who sits there too knows of them"
    evening.play_out().leave(ann)
    assert history_queries.facts_for(hand_id=hand, viewer=ann)
    assert history_queries.facts_for(hand_id=hand, viewer=cid), "who sits there now looks on"
    evening.deal()
    refused(Forbidden, history_queries.facts_for, hand_id=evening.table.hand_id, viewer=ann)


def test_a_table_opened_to_spectators_does_not_open_its_old_hands(evening):
    tables.edit(table_id=evening.pk, by=staff("floor"), has_spectators=False, now=evening.now)
    evening.play_out().deal()
    old = evening.table.hand_id
    evening.play_out()
    tables.edit(table_id=evening.pk, by=staff("floor"), has_spectators=True, now=evening.now)
    evening.deal()
    new, dan = evening.table.hand_id, evening.player("dan")
    evening.play_out()
    for viewer in (None, AnonymousUser(), dan):
        for read in (history_queries.facts_for, history_queries.hand_story):
            refused(Forbidden, "has no spectators", read, hand_id=old, viewer=viewer)
        assert history_queries.facts_for(hand_id=new, viewer=viewer)
        assert old not in [row.id for row in history_queries.hands_at(table_id=evening.pk, viewer=viewer)]
    for viewer in (evening.ann, staff("floor")):
        assert old in [row.id for row in history_queries.hands_at(table_id=evening.pk, viewer=viewer)]
    evening.now += timedelta(minutes=1)
    evening.sit(dan)
    refused(Forbidden, history_queries.facts_for, hand_id=old, viewer=dan)
