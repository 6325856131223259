"""What the dealer is told to do next, and what the floor and everybody may look up."""

from datetime import timedelta

from cardroom.core.errors import Illegal, Invalid, NotFound
from tests.support.dealing import DealerEvening
from tests.support.parts.games import floor_queries, history_queries, procedure_of, rulings, table_queries
from tests.support.refusals import refused
from tests.support.worlds import world


def seat_people(people=3, **options) -> DealerEvening:
    evening = DealerEvening(**options)
    evening.ann, evening.bob, *_ = [evening.sit(name, seat) for seat, name in enumerate("abcdefgh"[:people], 1)]
    evening.start()
    return evening


@world
def system() -> DealerEvening:
    return seat_people()


@world
def typed() -> DealerEvening:
    return seat_people(deck="typed")


def procedure_now(evening):
    return procedure_of(hand_id=evening.hand)


def test_the_next_step_is_told_from_the_first_card_to_the_pot(system):
    procedure = procedure_now(system)
    assert procedure.receivers == list(system.played.order)
    assert (procedure.cards_each, procedure.burns, procedure.premature_street) == (3, 0, None)
    said = ["Deal third street: two down, one up"]
    said += [f"Burn and deal {street} street" for street in ("fourth", "fifth", "sixth", "seventh")]
    for street, words in enumerate(said, 3):
        procedure = procedure_now(system)
        step = procedure.next
        assert (step.what, step.street, step.words, "deal" in procedure.whats) == ("deal", street, words, True)
        system.enter("deal", street=street)
        procedure, to_act = procedure_now(system), system.table.to_act
        assert (procedure.next.what, procedure.next.seat, procedure.turn.seat) == ("act", to_act, to_act)
        assert "deal" not in procedure.whats
        if street == 3:
            assert (procedure.cards_each, procedure.burns, procedure.premature_street) == (1, 1, 4)
        system.bet_on()
    step = procedure_now(system).next
    assert (step.what, step.words[:16]) == ("over", "Push 18 to seat ")


def test_a_mistake_is_corrected_next_and_a_reversal_shows_no_downcard(typed):
    typed.type_street(3)
    undo = procedure_now(typed).undo
    assert "[5d]" in undo.words
    assert "[As]" not in undo.words
    typed.enter("name-low", seat=2)
    procedure = procedure_now(typed)
    assert (procedure.next.what, procedure.lowcard) == ("notice", (2, 1))
    assert procedure.next.words == "Seat 1 is low, not seat 2: put it right"
    typed.enter("notice")
    assert procedure_now(typed).lowcard is None
    typed.bet_on()
    typed.type_street(4, burns=0)
    procedure = procedure_now(typed)
    assert (procedure.next.what, procedure.mistake, procedure.cards_to_name) == ("notice", "burn_error", 1)
    typed.enter("notice", card="9s")
    assert procedure_now(typed).next.what == "act"
    typed.bet_on()
    dealt = [{"seat": 1, "skipped": True}, {"seat": 2, "card": "4s"}, {"seat": 3, "card": "3s"}]
    typed.enter("deal", street=5, burns=0, cards=dealt)
    procedure = procedure_now(typed)
    assert (procedure.next.what, procedure.cards_to_name) == ("notice", 2)
    assert procedure.next.words == "Put the burn error right: name the 2 cards that come to light"
    typed.enter("notice", cards=["9c", "9d"])
    assert [typed.upcards(seat)[-1] for seat in typed.played.order] == ["3s", "9c", "9d"]
    assert [key for key, _ in typed.rulings()][-2:] == ["burn_error", "wrong_card_count"]
    assert procedure_now(typed).mistake == ""


def test_starting_hands_with_a_wrong_number_of_cards_are_a_misdeal(system):
    system.enter("deal", street=3, cards=[{"seat": 2, "place": 1}, {"seat": 2, "place": 1}])
    assert procedure_now(system).next.words == "Wrong number of starting cards: misdeal"
    system.enter("notice")
    assert ("wrong_card_count", "misdeal") in system.rulings()
    assert (system.table.hand, system.table.is_redeal) == (None, True)


def test_a_miscounted_street_that_somebody_acted_on_can_still_be_pointed_out(system):
    system.to_street(4)
    system.enter("deal", street=4, cards=[{"seat": 2, "skipped": True}])
    assert procedure_now(system).next.words == "Put the number of cards right"
    system.check_or_call()
    procedure = procedure_now(system)
    assert (procedure.next.what, procedure.mistake) == ("act", "wrong_card_count")
    assert "notice" in procedure.whats
    system.enter("notice")
    assert ("wrong_card_count", "stands") in system.rulings()


def test_premature_cards_are_told_out(system):
    system.to_street(4)
    system.enter("deal", street=4)
    system.enter("deal-too-soon", street=5, cards=[{"seat": 1}])
    assert "deal-too-soon" in procedure_now(system).whats, "a second time, too"
    early = system.played.premature[0][1]
    system.bet_on()
    assert procedure_now(system).next.words == "The cards dealt too soon are out: burn and deal fifth street afresh"
    system.enter("deal", street=5)
    assert ("premature_deal", "eliminated") in system.rulings()
    assert early in system.played.set_aside


def test_cards_dealt_too_soon_are_entered_even_after_bots_ended_the_betting(system):
    system.to_street(7)
    assert procedure_now(system).premature_street == 7
    system.enter("deal-too-soon", street=7, cards=[{"seat": 1}, {"seat": 2}])
    system.enter("look", seat=1)
    assert ("premature_deal", "kept") in system.rulings()
    system.enter("deal", street=7)
    assert system.rulings()[-1] == ("premature_deal", "eliminated")
    assert all(len(player.cards) == 7 for player in system.played.players if player.is_live)


def test_a_wrong_burn_is_ruled_on_at_once_where_nothing_more_has_to_be_said(system):
    for street, burns in ((4, 2), (5, 0)):
        system.to_street(street)
        system.enter("deal", street=street, burns=burns)
        assert system.rulings()[-1] == ("burn_error", "corrected")
        assert procedure_now(system).next.what == "act"
    system.to_street(7)
    system.enter("deal", street=7, burns=2)  # somebody may have looked at the last card
    assert procedure_now(system).next.what == "notice"


def test_a_common_card_is_told(audited):
    evening = seat_people(people=8)
    evening.to_street(7)
    procedure = procedure_now(evening)
    assert procedure.is_common_due
    assert procedure.next.words == "Burn and turn up one common card"
    evening.to_street(8)
    assert ("deck_exhaustion", "common-card") in evening.rulings()
    assert evening.table.hand is None


def test_a_void_hand_says_so_and_without_a_hand_there_is_no_procedure(system):
    system.order("void")
    procedure = procedure_now(system)
    assert procedure.next.what == "over"
    assert "every chip goes back" in procedure.next.words
    assert (procedure.whats, procedure.seats, procedure.undo) == ([], {}, None)
    for asked in (procedure_of, floor_queries.open_orders):
        refused(NotFound, asked, hand_id=system.hand + 1)


def test_what_can_be_entered_is_what_the_engine_takes(system):
    system.to_street(7)
    seat = system.played.order[0]
    system.enter("deal", street=7, cards=[{"seat": seat, "exposed": True}])
    procedure = procedure_now(system)
    assert "declare-all-in" in procedure.seats[seat]
    assert "look" in procedure.seats[seat % 3 + 1]
    assert "look" not in procedure.seats[seat]
    for what in procedure.seats[seat]:
        if what not in ("act", "declare-all-in"):
            assert system.enter(what, seat=seat)
            break


def test_the_entry_that_would_be_taken_back_is_told(system):
    assert procedure_now(system).undo is None
    system.enter("deal", street=3)
    assert procedure_now(system).undo is None
    seat = system.table.to_act
    system.check_or_call()
    undo = procedure_now(system).undo
    assert undo.words == f"Seat {seat} brings it in for 5."
    system.enter("undo")
    assert len(system.played.facts) == undo.upto + (system.table.seq - undo.upto)
    assert procedure_now(system).undo is None


def test_the_floor_sees_every_table_and_a_refresh_reads_only_new_facts(system, django_assert_num_queries):
    system.enter("deal", street=3, cards=[{"seat": 2, "exposed": True}])
    floor_queries.floor_view()
    with django_assert_num_queries(3):
        floor_queries.floor_view()
    system.check_or_call()
    call = rulings.call(table_id=system.pk, by=system.bob, note="my card!", now=system.now)
    (table,) = floor_queries.floor_view()["tables"]
    assert (table["dealt_by"], table["calls"], len(table["seats"])) == ("person", 1, 3)
    hand = table["hand"]
    assert (hand["pot"], hand["street"], hand["to_act"], hand["awaits"]) == (8, 3, system.table.to_act, "action")
    assert hand["last_ruling"]["key"] == "exposed_downcard"
    assert hand["last_ruling"]["words"]
    (waiting,) = floor_queries.floor_view()["calls"]
    assert (waiting["id"], waiting["seat"], waiting["who"], waiting["note"]) == (call.pk, 2, "b", "my card!")
    assert table_queries.table_view(table_id=system.pk, viewer=None)["floor_called"]
    rulings.answer(call_id=call.pk, by=system.flo, now=system.now)
    system.enter("undo")
    view = floor_queries.floor_view()
    assert (view["calls"], view["tables"][0]["hand"]["pot"]) == ([], 3)
    assert not table_queries.table_view(table_id=system.pk, viewer=None)["floor_called"]


def test_open_orders_are_the_engines_and_the_log_is_newest_first(system):
    system.enter("deal", street=3)
    found = {row["what"]: row["seats"] for row in floor_queries.open_orders(hand_id=system.hand)}
    assert found == {"misdeal": [], "void": [], "kills": [1, 2, 3], "penalises": [1, 2, 3]}
    system.order("penalises", seat=1)
    system.order("void")
    assert floor_queries.open_orders(hand_id=system.hand) == []
    newest, penalised = floor_queries.floor_log()
    assert (newest.what, penalised.what) == ("void", "penalises")
    assert floor_queries.floor_log(hand=system.hand, limit=1) == [newest]
    assert floor_queries.floor_log(before=newest.pk) == [penalised]
    assert floor_queries.floor_log(table=system.pk + 1) == []


def test_a_table_view_says_how_it_is_dealt(typed):
    view = table_queries.table_view(table_id=typed.pk, viewer=typed.ann)
    said = {"dealt_by": "person", "deck": "typed", "is_spoken": False, "is_hand_shown": False, "clock": None}
    assert {key: view[key] for key in said} == said
    typed.order("void")
    assert table_queries.table_view(table_id=typed.pk, viewer=None)["next_deal_at"] is None


def test_rulings_are_found_by_point_table_and_time(system):
    system.enter("deal", street=3, cards=[{"seat": 2, "exposed": True}])
    system.later(days=1)
    system.order("misdeal")
    system.start()
    system.enter("deal", street=3, cards=[{"seat": 2, "exposed": True}])
    found = history_queries.rulings()
    assert [row.key for row in found] == ["exposed_downcard", "misdeal", "exposed_downcard"]
    assert found[0].citation == "Robert's Rules of Poker v4, 5"
    assert (found[0].table, found[0].number, found[0].seats) == (system.pk, 2, (2,))
    assert [row.key for row in history_queries.rulings(key="misdeal")] == ["misdeal"]
    assert history_queries.rulings(key="misdeal", table=system.pk + 1) == []
    first = system.now - timedelta(days=1)
    assert len(history_queries.rulings(until=system.now)) == 1
    assert len(history_queries.rulings(since=first + timedelta(hours=1))) == 2
    assert history_queries.rulings(before=found[1].id, limit=5) == found[2:]
    assert history_queries.rulings(limit=1) == found[:1]


def test_a_ruling_that_was_taken_back_says_so(system):
    system.to_street(4)
    system.enter("deal", street=4)
    system.enter("reorder", seat=1)
    assert not history_queries.rulings(key="upcard_order")[0].is_reversed
    system.enter("undo")
    assert history_queries.rulings(key="upcard_order")[0].is_reversed
    system.enter("reorder", seat=2)
    assert [row.is_reversed for row in history_queries.rulings(key="upcard_order")] == [False, True]


def test_a_fouled_deck_can_be_entered_where_the_cards_are_typed(typed):
    typed.type_street(3)
    typed.bet_on()
    typed.type_street(4)
    assert "fouled" in procedure_now(typed).whats
    typed.enter("fouled", card="9h")
    assert typed.rulings()[-1] == ("fouled_deck", "void")
    assert "every chip goes back" in procedure_now(typed).next.words
    assert {player.stack for player in typed.played.seats.values()} == {500}
    assert typed.table.is_redeal
    assert "fouled" not in procedure_now(typed).whats
    typed.start()
    refused(Invalid, typed.enter, "fouled", card="9x")
    refused(Invalid, typed.enter, "fouled", seat=1)


def test_the_deck_of_the_system_is_never_fouled(system):
    assert "fouled" not in procedure_now(system).whats
    refusal = refused(Illegal, system.enter, "fouled")
    assert refusal.code == "system-deck"
    assert refusal.rule == "Robert's Rules of Poker, general sections; TDA 2024, rule 35E"
