"""A person deals: hands by command, from the system's deck or a physical one, and every mistake is ruled on."""

from datetime import timedelta
from functools import partial

import pytest

from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotFound, Refusal, Stale
from games.play.pages.past_hands import scene
from games.play.pages.story import results_of
from tests.support.dealing import DealerEvening
from tests.support.hands import FOURTH, STREETS, THIRD
from tests.support.models import FloorCall, FloorOrder, Hand, HandResult, Seat, Table
from tests.support.parts.cardroom import access, core_audit
from tests.support.parts.games import choosing, dealer, hands, history_queries, rulings, table_journal
from tests.support.parts.stud import parse_cards
from tests.support.racing import race, refusals
from tests.support.refusals import refused
from tests.support.worlds import world


def seated(**options) -> DealerEvening:
    """Ann, bob and cat in seats 1 to 3, 500 chips each, nothing dealt."""
    evening = DealerEvening(**options)
    evening.ann, evening.bob, evening.cat = (evening.sit(name, seat) for seat, name in enumerate("abc", 1))
    return evening


@world
def room() -> DealerEvening:
    return seated()


@world
def system(room) -> DealerEvening:
    """A hand begun, the system's deck not dealt from yet."""
    room.start()
    return room


@world
def typed() -> DealerEvening:
    """A hand begun with a physical deck."""
    evening = seated(deck="typed")
    evening.start()
    return evening


@world
def third(system) -> DealerEvening:
    """Third street dealt from the system's deck, nobody has acted."""
    system.enter("deal", street=3)
    return system


@world
def fourth(typed) -> DealerEvening:
    """Third street typed and played, fourth street to be typed."""
    typed.type_street(3)
    return typed.bet_on()


def begun(evening: DealerEvening, **terms) -> DealerEvening:
    """A hand begun at a table of other terms."""
    Table.objects.filter(pk=evening.pk).update(**terms)
    evening.start()
    return evening


def test_a_hand_waits_for_its_dealer_street_by_street_and_none_begins_by_itself(system):
    engine = system.played
    assert (engine.awaits, engine.pot, system.table.wake_at) == ("deal", 3, None)
    for street in range(3, 8):
        system.enter("deal", street=street)
        assert system.table.deadline is None
        assert core_audit.run(only=["hands replay", "open hands stand"]).faults == []
        system.bet_on()
    assert system.table.hand is None
    assert sum(system.stack(player) for player in (system.ann, system.bob, system.cat)) == 1500
    assert core_audit.check() == []
    for _ in range(5):
        system.wake()
        system.later(minutes=1)
    assert (system.table.hand, system.table.wake_at) == (None, None)
    system.start()
    assert (system.row.number, system.row.started_by) == (2, system.dee)


def test_typed_cards_are_the_cards_of_the_hand_and_every_one_of_them_is_named(typed):
    for cards in ([], [{"seat": 1, "exposed": True}]):
        assert refused(Illegal, typed.enter, "deal", street=3, cards=cards).code == "name-the-card"
    typed.type_street(3)
    assert typed.upcards(1) == ("5d",)
    for street in (4, 5, 6, 7):
        typed.bet_on()
        typed.type_street(street)
    typed.bet_on()
    assert (typed.table.hand, core_audit.check()) == (None, [])
    shown = {fact.seat: fact.cards for fact in table_journal.facts(typed.hand) if fact.kind == "hand-shown"}
    typed_to = {seat: parse_cards("".join(street[seat] for street in STREETS.values())) for seat in shown}
    assert all(set(cards) <= set(typed_to[seat]) for seat, cards in shown.items())


def test_bots_play_at_a_table_that_a_person_deals(audited):
    evening = DealerEvening(bots=2, bots_wait_for_people=False)
    evening.ann = evening.sit("ann", 4)
    assert evening.wake()
    assert Seat.objects.filter(table=evening.pk).count() == 3
    evening.start()
    for street in range(3, 8):
        if evening.table.hand is None:
            break
        evening.enter("deal", street=street)
        while evening.played.awaits == "action":
            if evening.to_act == evening.ann:
                evening.check_or_call()
            else:
                assert evening.wake()
    assert evening.table.hand is None


def test_a_bot_that_fails_is_played_by_the_dealer(monkeypatch):
    monkeypatch.setattr(choosing, "choose", lambda **_: 1 / 0)
    evening = DealerEvening(bots=2, bots_wait_for_people=False)
    evening.wake()
    evening.start()
    evening.enter("deal", street=3)
    seat = evening.table.to_act
    assert not evening.wake()
    assert evening.table.wake_at is None
    evening.enter("act", seat=seat, action="bring-in")
    assert evening.table.to_act != seat


def test_a_showdown_by_hand_waits_for_each_player(room, audited):
    evening = begun(room, is_hand_shown=True)
    evening.to_street(8)
    assert evening.played.awaits == "show"
    first = evening.table.to_act
    refused(Illegal, evening.enter, "deal", street=7)
    hands.act(hand_id=evening.hand, player=evening.seat(first).player, action="show", now=evening.now)
    assert evening.table.to_act != first
    evening.enter("muck", seat=evening.table.to_act)
    evening.enter("show", seat=evening.table.to_act)
    assert evening.table.hand is None


def test_a_showdown_and_a_fold_that_were_taken_back_are_not_told_of_the_hand(room, audited):
    evening = begun(room, is_hand_shown=True)
    evening.to_street(7)
    evening.enter("deal", street=7)
    while evening.played.awaits != "show":
        evening.check_or_call()
    evening.enter("muck", seat=evening.table.to_act)
    evening.enter("undo")
    evening.enter("undo")
    folded = evening.table.to_act
    evening.enter("act", seat=folded, action="bet", amount=30)
    evening.enter("act", seat=evening.table.to_act, action="fold")
    evening.enter("undo")
    winner = evening.table.to_act
    evening.enter("act", seat=winner, action="raise", amount=60)
    while evening.table.hand:
        evening.enter("act", seat=evening.table.to_act, action="fold")
    assert not HandResult.objects.filter(hand=evening.hand, is_showdown=True).exists()
    told = {row.seat: row for row in results_of(history_queries.hand_story(hand_id=evening.hand, viewer=None))}
    assert (told[winner].fate, told[folded].fate) == ("won unopposed", "folded")


def test_only_dealers_and_the_floor_deal_and_never_their_own_hand(room):
    stranger = room.player("zoe")
    for somebody in (room.ann, stranger, room.staff("max", "manager")):
        refused(Forbidden, room.start, by=somebody)
    room.start(by=room.flo, absent=[2])
    for somebody in (room.ann, stranger):
        refused(Forbidden, room.enter, "deal", street=3, by=somebody)
    access.grant_role(user=room.ann, role="dealer", by=None)
    refused(Forbidden, room.enter, "deal", street=3, by=room.ann)
    room.enter("deal", street=3, by=room.flo)
    room.bet_on()
    assert ("absent_player", "killed") in room.rulings()
    room.order("void")
    assert refused(Forbidden, room.start, by=room.ann).code == "plays-in-hand"


def test_a_table_that_deals_by_itself_takes_no_entries(evening):
    known = {"by": DealerEvening.staff("dee", "dealer"), "command_id": "x", "now": evening.now}
    entry = {"what": "deal", "fields": {"street": 4}, "expected_seq": None, **known}
    assert refused(Illegal, dealer.start_hand, table_id=evening.pk, **known).code == "automatic-table"
    assert refused(Illegal, dealer.command, hand_id=evening.table.hand_id, **entry).code == "automatic-table"


def test_a_start_and_an_entry_sent_twice_count_once_also_after_the_end(room):
    first = room.start("one")
    assert room.start("one") == first
    receipt = room.enter("deal", street=3, command_id="third")
    assert room.enter("deal", street=3, command_id="third") == receipt
    other = {"command_id": "third", "by": room.staff("kim", "dealer")}
    said = room.enter("act", seat=room.table.to_act, action="bring-in", **other)
    assert said.facts_from > receipt.seq, "two dealers may use the same word for two things"
    room.order("void")
    assert room.enter("deal", street=3, command_id="third") == receipt
    refused(Stale, room.enter, "deal", street=3)
    assert (room.start("one"), Hand.objects.filter(table=room.pk).count(), room.start("two").number) == (first, 1, 2)
    room.hand = 10**9
    refused(NotFound, room.enter, "notice")


@pytest.mark.parametrize(("what", "fields"), [
    ("dance", {}), ("deal", {}), ("deal", {"street": 8}), ("deal", {"street": "3"}),
    ("deal", {"street": 3, "burns": 3}),
    ("deal", {"street": 3, "cards": [{"seat": 1, "card": "1x"}]}),
    ("deal", {"street": 3, "cards": [{"seat": 0}]}), ("deal", {"street": 3, "cards": [{"seat": 1}] * 41}),
    ("deal", {"street": 3, "colour": "blue"}), ("look", {}), ("look", {"seat": True}),
    ("act", {"seat": 1, "action": "dance"}), ("act", {"seat": 1, "action": "raise", "amount": -5}),
    ("undo", {"reason": "x" * 400}), ("undo", {"reason": "a\x00b"}),
])  # fmt: skip
def test_an_entry_that_makes_no_sense_is_refused_and_changes_nothing(system, what, fields):
    seq = system.table.seq
    refused(Invalid, system.enter, what, **fields)
    assert system.table.seq == seq


@pytest.mark.parametrize(("cards", "code"), [
    ({1: THIRD[1], 2: "AsQdJc", 3: THIRD[3]}, "duplicate-card"), ({1: THIRD[1], 2: THIRD[2]}, "wrong-count"),
    ({1: THIRD[1], 2: "QhQd", 3: THIRD[3]}, "wrong-count"), (THIRD, "wrong-seat"),
])  # fmt: skip
def test_cards_that_cannot_have_been_dealt_are_refused(typed, cards, code):
    seq = typed.table.seq
    named = [{"seat": seat, "card": card} for seat, text in cards.items() for card in parse_cards(text)]
    assert (refused(Illegal, typed.enter, "deal", street=3, cards=named).code, typed.table.seq) == (code, seq)
    typed.type_street(3)


def test_too_few_players_are_told_so_with_the_rule():
    evening = DealerEvening(rulebook="poker-tip")
    evening.sit("ann", 1)
    assert refused(Illegal, evening.start).code == "not-enough-players"
    evening.sit("bob", 2)
    assert refused(Illegal, evening.start).rule
    assert (evening.table.hand, evening.table.hand_count) == (None, 0)
    evening.sit("cat", 3)
    evening.start()


@pytest.mark.parametrize(("cards", "ups", "ruling"), [
    ([{"exposed": True}], [True, False, False], ("exposed_downcard", "third-card-down")),
    ([{"exposed": True, "place": 1}], [False, True, False], ("exposed_downcard", "third-card-down")),
    ([{"exposed": True}, {"off_table": True}], None, ("both_downcards_exposed", "dead-hand")),
    ([{"exposed": True}, {"exposed": True, "place": 2}], None, ("both_downcards_exposed", "dead-hand")),
])  # fmt: skip
def test_a_downcard_turned_up_is_marked_and_ruled_on(system, cards, ups, ruling, audited):
    system.enter("deal", street=3, cards=[{"seat": 2, **card} for card in cards])
    player = system.played.seats[2]
    assert ruling in system.rulings()
    assert player.is_live == (ups is not None)
    if ups is None:
        assert player.stack == 500, "a dead hand has its ante back"
    else:
        assert player.ups == ups


def test_a_wrong_lowcard_stands_once_the_next_player_has_acted(third):
    low, seq = third.table.to_act, third.table.seq
    assert third.enter("name-low", seat=low).seq == seq == third.table.seq, "the true one changes nothing"
    refusal = refused(Illegal, third.enter, "deal", street=4)
    assert (refusal.code, bool(refusal.rule)) == ("betting-open", True)
    third.enter("name-low", seat=low % 3 + 1)
    third.check_or_call()
    third.check_or_call()
    third.enter("notice")
    assert ("wrong_lowcard", "stands") in third.rulings()
    third.bet_on()
    assert refused(Illegal, third.enter, "deal", street=5).code == "wrong-street"


def test_a_last_card_face_up_lets_its_owner_declare_all_in(system, audited):
    system.to_street(7)
    seat = system.played.order[1]
    system.enter("deal", street=7, cards=[{"seat": seat, "exposed": True}])
    assert ("final_card_faceup", "all-in-option") in system.rulings()
    owner = system.seat(seat).player
    hands.act(hand_id=system.hand, player=owner, action="declare-all-in", now=system.now)
    assert system.played.seats[seat].has_declared
    system.bet_on()
    assert system.table.hand is None


def test_a_skipped_seat_is_short_of_a_card_until_the_floor_rules(room, audited):
    evening = begun(room, is_hand_shown=True)
    evening.to_street(7)
    evening.enter("deal", street=7, cards=[{"seat": 2, "skipped": True}])
    evening.bet_on()
    assert ("wrong_card_count", "dead") in evening.rulings()
    evening.order("rules-live", seat=2)
    assert ("wrong_card_count", "live") in evening.rulings()
    while evening.table.hand is not None:
        evening.enter("show", seat=evening.table.to_act)


def test_a_warning_for_reordering_is_carried_to_the_next_hand(system):
    system.to_street(4)
    system.enter("deal", street=4)
    system.enter("reorder", seat=1)
    assert ("upcard_order", "warning") in system.rulings()
    system.order("void")
    assert system.seat(1).is_warned
    system.start()
    system.to_street(4)
    system.enter("deal", street=4)
    system.enter("reorder", seat=1)
    assert system.rulings()[-1] == ("upcard_order", "penalty")
    system.enter("reorder", seat=2)
    assert system.rulings()[-1] == ("upcard_order", "warning")


def test_entries_and_player_actions_are_taken_back_one_by_one(third, audited):
    low = third.table.to_act
    third.enter("act", seat=low, action="bring-in")
    second = third.table.to_act
    third.enter("act", seat=second, action="fold")
    third.enter("undo")
    assert third.table.to_act == second
    assert third.played.seats[second].is_live
    third.enter("undo", reason="it was the other one")
    assert (third.table.to_act, third.played.pot) == (low, 3)
    log = FloorOrder.objects.filter(hand=third.hand).order_by("pk")
    asked = [(row.what, row.by, row.reason) for row in log]
    assert asked == [("undo", third.dee, ""), ("undo", third.dee, "it was the other one")]
    assert refused(Illegal, third.enter, "undo").code == "too-late-to-undo"
    third.check_or_call()
    third.check_or_call()
    receipt = third.enter("undo", command_id="back")
    assert (third.enter("undo", command_id="back"), third.table.to_act) == (receipt, second)
    assert (third.played.seats[second].bet, third.played.pot) == (0, 3 + 5)
    third.bet_on()


def test_a_hand_with_reversals_loads_the_same_and_hides_downcards_from_the_dealer(third):
    third.check_or_call()
    third.enter("act", seat=third.table.to_act, action="fold")
    third.enter("undo")
    table_journal.forget()
    third.check_or_call()
    engine = third.played
    for viewer in (None, third.ann, third.bob, third.dee):
        view = history_queries.hand_view(hand_id=third.hand, viewer=viewer)
        assert (view.pot, view.to_act, view.street) == (engine.pot, engine.to_act, engine.street)
        assert [player.stack for player in view.players] == [player.stack for player in engine.players]
    facts = [fact for _, fact in history_queries.facts_for(hand_id=third.hand, viewer=third.dee)]
    dealt = [card for fact in facts if fact.kind == "cards-dealt" for card in fact.cards]
    assert all(card is None for _, card, is_up in dealt if not is_up)
    assert all(fact.deck is None for fact in facts if fact.kind == "deck-shuffled")


def test_an_act_clock_runs_where_the_table_has_one_and_is_taken_back_when_it_ran_out(room):
    Seat.objects.update(time_bank_ms=0)
    evening = begun(room, act_seconds=20, time_bank_seconds=0)
    assert evening.table.wake_at is None
    evening.enter("deal", street=3)
    low = evening.table.to_act
    assert evening.table.deadline == evening.now + timedelta(seconds=20)
    evening.wake()
    assert evening.played.seats[low].bet == 5
    seat = evening.table.to_act
    assert seat != low
    evening.wake()
    assert not evening.played.seats[seat].is_live
    evening.enter("undo")
    assert evening.played.seats[seat].is_live
    assert evening.table.deadline == evening.now + timedelta(seconds=20)


def test_a_card_typed_wrong_is_taken_back_and_two_burns_want_the_card_shown(fourth):
    refusal = refused(Illegal, fourth.type_street, 4, {**FOURTH, 2: "As"})
    assert (refusal.code, "As" in refusal.message) == ("duplicate-card", True)
    fourth.type_street(4, {**FOURTH, 2: "Th"})
    fourth.enter("undo")
    assert fourth.played.awaits == "deal"
    assert refused(Illegal, fourth.enter, "undo").code == "too-late-to-undo"  # across the cards before it
    fourth.type_street(4, burns=2)
    assert refused(Illegal, fourth.enter, "notice").code == "name-the-card"
    fourth.enter("notice", card="9s")
    assert [fourth.upcards(seat)[-1] for seat in fourth.played.order] == ["9s", FOURTH[2], FOURTH[3]]
    fourth.enter("act", seat=fourth.table.to_act, action="check")
    fourth.enter("undo")
    assert core_audit.check() == []
    fourth.bet_on()


def test_a_misdeal_gives_every_chip_back_and_the_same_seat_deals_again(system):
    first = system.table.dealer
    system.enter("deal", street=3)
    system.check_or_call()
    system.order("misdeal", reason="two jokers in the deck")
    assert [system.stack(player) for player in (system.ann, system.bob, system.cat)] == [500] * 3
    assert (system.row.pot, system.row.stacks, core_audit.check()) == (0, {"1": 500, "2": 500, "3": 500}, [])
    assert scene(history_queries.hand_story(hand_id=system.hand, viewer=None)).pot == "Pot 0"
    system.start()
    assert system.table.dealer == first
    system.to_street(8)
    system.start()
    assert system.table.dealer != first


ACTORS = 4


@pytest.mark.django_db(transaction=True)
def test_what_is_asked_for_by_several_at_once_is_done_once(room, audited):
    call = partial(rulings.call, table_id=room.pk, by=room.ann, now=room.now)
    outcomes = race(*[partial(call, key=f"k{n}", note=str(n)) for n in range(ACTORS)])
    assert (refusals(outcomes, Exception), len({made.pk for made in outcomes})) == (0, 1)
    assert FloorCall.objects.count() == 1

    start = partial(dealer.start_hand, table_id=room.pk, by=room.dee, now=room.now)
    outcomes = race(*[partial(start, command_id="start")] * ACTORS)
    assert (refusals(outcomes, Exception), len(set(outcomes))) == (0, 1)
    room.hand = outcomes[0].hand
    room.order("void")
    outcomes = race(*[partial(start, command_id=f"start-{n}") for n in range(ACTORS)])
    assert (refusals(outcomes, Conflict), Hand.objects.filter(table=room.pk).count()) == (ACTORS - 1, 2)

    room.hand = room.table.hand_id
    room.enter("deal", street=3)
    asked, seq = {"hand_id": room.hand, "now": room.now}, room.table.seq
    entry = {"what": "act", "fields": {"seat": room.table.to_act, "action": "bring-in"}, "expected_seq": seq}
    enter = partial(dealer.command, by=room.dee, command_id="for-them", **entry, **asked)
    act = partial(hands.act, player=room.to_act, action="bring-in", expected_seq=seq, command_id="me", **asked)
    assert (refusals(race(enter, act), Stale), room.played.pot) == (1, 3 + 5)

    room.check_or_call()
    before = FloorOrder.objects.count()
    undo = partial(dealer.command, by=room.dee, what="undo", fields={}, expected_seq=room.table.seq, **asked)
    outcomes = race(*[partial(undo, command_id=f"undo-{n}") for n in range(ACTORS)])
    assert (refusals(outcomes, Stale), FloorOrder.objects.count()) == (ACTORS - 1, before + 1)

    void = partial(rulings.order, what="void", reason="all at once", command_id="v", **asked)
    outcomes = race(*[partial(void, by=room.staff(f"floor{n}", "floor")) for n in range(ACTORS)])
    assert refusals(outcomes, Refusal) == ACTORS - 1
    assert [room.stack(player) for player in (room.ann, room.bob, room.cat)] == [500] * 3
