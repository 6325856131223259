"""What the tables tell: to whom, in which shape, and at what price."""

from itertools import chain

from django.contrib.auth.models import AnonymousUser

from games.engine.facts.play import CardsDealt, DeckShuffled
from tests.support.evening import Evening
from tests.support.parts.games import history_queries, opening, table_journal, table_queries, tables


def cards_in(facts):
    """(seat, card, is_up) of every card dealt, as told."""
    return list(chain.from_iterable(fact.cards for fact in facts if isinstance(fact, CardsDealt)))


def test_everybody_sees_upcards_and_their_own_downcards_and_nobody_the_deck(evening):
    hand = evening.table.hand_id
    dealt = cards_in(table_journal.facts(hand))
    for viewer, own in ((evening.ann, 1), (evening.bob, 2), (None, 0), (AnonymousUser(), 0)):
        told = [fact for _, fact in history_queries.facts_for(hand_id=hand, viewer=viewer)]
        assert cards_in(told) == [(seat, card if up or seat == own else None, up) for seat, card, up in dealt]
        assert [(fact.deck, fact.scramble) for fact in told if isinstance(fact, DeckShuffled)] == [(None, None)]


def test_who_takes_over_a_seat_does_not_see_what_was_dealt_to_it_before(evening):
    hand = evening.table.hand_id
    evening.act("bring-in")
    evening.act("fold")
    evening.leave(evening.ann)
    cid = evening.sit("cid", 1)
    assert table_queries.viewer_seat(evening.table, cid) == 1
    for viewer, seen in ((cid, 0), (evening.ann, 2)):
        told = cards_in(fact for _, fact in history_queries.facts_for(hand_id=hand, viewer=viewer))
        assert len([card for _, card, up in told if card and not up]) == seen


def test_a_viewer_catches_up_with_their_options_and_no_more_cards(evening):
    hand, seen = evening.table.hand_id, evening.table.seq
    view = history_queries.hand_view(hand_id=hand, viewer=evening.ann)
    assert view.to_act == evening.table.to_act
    assert (view.options(view.to_act), view.seats[2].downcards) == (evening.turn, (None, None))
    evening.act("bring-in")
    all_of_it = history_queries.facts_for(hand_id=hand, viewer=evening.ann)
    assert [seq for seq, _ in all_of_it] == list(range(1, evening.table.seq + 1))
    assert history_queries.facts_for(hand_id=hand, viewer=evening.ann, after=seen) == all_of_it[seen:]
    assert history_queries.facts_for(hand_id=hand, viewer=evening.ann, after=10_000) == []


def test_the_table_as_json_shows_the_rail_no_wallet_and_no_seat(evening):
    view = table_queries.table_view(table_id=evening.pk, viewer=evening.ann)
    amounts = {"ante": 1, "bring_in": 5, "small_bet": 15, "big_bet": 30, "smallest_chip": 0}
    assert view["stakes"] == {"name": "15/30"} | amounts
    assert view["hand"] == {"id": evening.table.hand_id, "number": 1, "seq": evening.table.seq}
    assert view["rulebook"]["slug"] == "roberts-v4"
    assert (view["min_buy_in"], view["max_buy_in"], view["seat_count"], view["last_hand"]) == (300, 1500, 8, None)
    assert view["seats"][0] == {
        "number": 1, "name": "ann", "is_bot": False, "strength": "", "avatar": "", "stack": 500, "state": "playing",
        "is_gone": False, "in_hand": True, "you": True,
    }  # fmt: skip
    assert view["you"] == {"seat": 1, "name": "ann", "state": "playing", "top_up_queued": 0}
    assert (view["wallet"], view["clock"]["seat"]) == (9_500, evening.table.to_act)
    for viewer in (None, AnonymousUser()):
        view = table_queries.table_view(table_id=evening.pk, viewer=viewer)
        assert (view["wallet"], view["you"]["seat"], view["you"]["name"]) == (None, None, None)
        assert not any(seat["you"] for seat in view["seats"])
    evening.sit("cid", 5)
    view = table_queries.table_view(table_id=evening.pk, viewer=None)
    assert [seat["in_hand"] for seat in view["seats"]] == [True, True, False], "who waits for the next hand"
    evening.play_out()
    view = table_queries.table_view(table_id=evening.pk, viewer=None)
    assert (view["hand"], view["last_hand"], view["clock"]) == (None, evening.table.last_hand_id, None)
    assert view["next_deal_at"] == round(evening.table.wake_at.timestamp() * 1000)


def test_the_story_of_a_hand_names_its_players_and_its_neighbours(evening):
    first = evening.table.hand_id
    for _ in range(3):
        evening.deal().play_out()
    rows = history_queries.hands_at(table_id=evening.pk, viewer=None)
    assert ([row.number for row in rows], rows[0].players) == ([3, 2, 1], ["ann", "bob"])
    assert all(row.pot > 0 for row in rows)
    assert history_queries.hands_at(table_id=evening.pk, viewer=None, before=3, limit=1) == rows[1:2]
    story = history_queries.hand_story(hand_id=first, viewer=evening.ann)
    assert (story.number, story.viewer_seat, story.previous_id, story.next_id) == (1, 1, None, rows[1].id)
    assert {seat: sitter.name for seat, sitter in story.sitters.items()} == {1: "ann", 2: "bob"}
    assert [seq for seq, _, _ in story.facts] == list(range(1, len(story.facts) + 1))
    assert (story.facts[-1][2].kind, story.is_over) == ("hand-ended", True)


def test_the_lobby_lists_open_tables_cheapest_first(open_table):
    dear = open_table(name="Dear", stakes=opening.TableStakes(10, 20, 75, 150), bots=2)
    cheap, closed = open_table(name="Cheap"), open_table(name="Closed")
    tables.close(table_id=closed.pk, now=closed.now)
    dear.wake()
    cheap.sit("ann")
    cheap.sit("bob")
    for _ in range(3):
        cheap.deal().play_out()
    rows = table_queries.lobby()
    assert [row.name for row in rows] == ["Cheap", "Dear"]
    assert (rows[0].people, rows[0].bots, rows[0].taken, rows[0].hand_count) == (2, 0, 2, 3)
    assert rows[0].average_pot > 0
    assert (rows[1].people, rows[1].bots, rows[1].average_pot, rows[1].hands_per_hour) == (0, 2, None, None)


def test_the_lobby_takes_two_queries_and_a_table_three(evening, django_assert_num_queries):
    for _ in range(2):
        table = Evening()
        table.sit(evening.ann)
    with django_assert_num_queries(2):
        assert len(table_queries.lobby()) == 3
    with django_assert_num_queries(3):
        table_queries.table_view(table_id=table.pk, viewer=evening.ann)
    assert len({seat.table_id for seat in table_queries.seats_of(evening.ann)}) == 3
