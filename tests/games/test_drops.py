"""What the house takes of hands: fact, ledger and row agree, and nobody pays for a hand that is free."""

from django.db import connection, transaction

from tests.games.test_journal import Statements
from tests.support.dealing import DealerEvening
from tests.support.evening import Evening
from tests.support.models import Account, DropSchedule, Entry, Hand, HandDrop, Jackpot, Table, TimeCharge
from tests.support.parts.cardroom import core_audit, guards
from tests.support.parts.games import table_journal
from tests.support.tiers import many
from tests.support.worlds import world

RAKE = {"name": "5 %, 3 at most", "kind": "rake", "rake_permille": 50, "caps": [[2, 2], [3, 3]], "promo": 1}
HANDS = many(3, long=6)


def set_drop(evening: Evening, **fields) -> DropSchedule:
    schedule = DropSchedule.objects.create(made_at=evening.now, **{**RAKE, **fields})
    Table.objects.filter(pk=evening.pk).update(drop=schedule)
    return schedule


def balance_of(label: str) -> int:
    return Account.objects.get(label=label).balance


@world
def three() -> Evening:
    evening = Evening()
    evening.ann, *_ = (evening.sit(name) for name in ("ann", "ben", "cat"))
    return evening


@world
def paid(three) -> Evening:
    """A hand of the three is over, and was raked."""
    three.schedule = set_drop(three)
    return three.deal().play_out()


def test_what_is_taken_goes_to_the_house_in_the_hands_own_transfer(paid, audited):
    hand = paid.table.last_hand
    row = HandDrop.objects.get(hand=hand)
    assert (row.schedule, row.players, row.pot) == (paid.schedule, 3, hand.pot)
    assert (row.rake, row.promo, row.jackpot, row.dealer) == (0, 1, 0, None)  # 5 % of 18 is less than a chip
    assert balance_of(f"promo:table:{paid.pk}") == 1
    assert sum(Entry.objects.filter(transfer__reference=f"hand:{hand.pk}").values_list("amount", flat=True)) == 0
    assert sum(seat.account.balance for seat in paid.table.seats.all()) == 1_499


def test_a_free_hand_has_a_row_with_the_reason(three, audited):
    first = set_drop(three)
    hand = three.deal().table.hand_id
    set_drop(three, name="nothing", rake_permille=0, promo=5)
    for action in ("bring-in", "fold", "fold"):
        three.act(action)
    row = HandDrop.objects.get(hand=hand)
    assert (row.schedule, row.rake, row.promo, row.why) == (first, 0, 0, "no-call")
    second = three.deal().table.hand_id
    three.play_out()
    assert HandDrop.objects.get(hand=second).promo == 5


def test_pots_without_a_drop_schedule_give_only_to_a_jackpot(three, audited):
    three.deal().play_out()
    set_drop(three, kind="time", time_charges=[[2, 5]], promo=0)
    three.deal().play_out()
    assert not HandDrop.objects.exists()
    facts = [fact for hand in Hand.objects.all() for fact in table_journal.facts(hand.pk)]
    assert "drop-taken" not in {fact.kind for fact in facts}
    Jackpot.objects.create(name="Bad beat", made_at=three.now)
    set_drop(three, kind="time", time_charges=[[2, 5]], promo=0, jackpot=2, jackpot_name="Bad beat")
    three.deal()
    charge = {"number": 1, "period_start": three.now, "players": 3, "amount": 5, "state": "due", "at": three.now}
    TimeCharge.objects.create(table=three.table, player=three.ann, **charge)
    three.play_out()
    row = HandDrop.objects.get()
    assert (row.rake, row.promo, row.jackpot) == (0, 0, 2)
    assert TimeCharge.objects.get().state == "charged", "the time is still taken"


def test_the_person_who_dealt_is_kept_and_a_misdeal_takes_nothing(audited):
    evening = DealerEvening()
    for name in ("ann", "ben"):
        evening.sit(name)
    set_drop(evening)
    evening.start()
    evening.to_street(8)
    assert HandDrop.objects.get(hand=evening.hand).dealer == evening.dee
    evening.start()
    evening.order("misdeal")
    assert not HandDrop.objects.filter(hand=evening.hand).exists()


def test_an_end_of_a_hand_costs_one_statement_more(three):
    counts = []
    for is_raked in (False, True):
        if is_raked:
            set_drop(three)
            three.deal().play_out()  # its accounts are there from now on
        hand = three.deal().table.hand_id
        while three.table.hand_id == hand:
            with Statements() as statements:
                three.check_or_call()
        counts.append(len(statements.said))
    assert counts[1] <= counts[0] + 1


def test_bots_and_people_play_an_evening_and_ledger_rows_and_facts_agree_to_the_chip(audited):
    evening = Evening(bots=3, bots_wait_for_people=False)
    evening.sit("ann")
    set_drop(evening, rake_permille=100, caps=[[2, 4], [4, 8]], promo_from=40)
    for _ in range(HANDS):
        hand = evening.deal().table.hand_id
        while evening.table.hand_id == hand:
            evening.wake() if evening.to_act.is_bot else evening.act_any()
    rows = HandDrop.objects.filter(table=evening.pk)
    facts = [fact for row in rows for fact in table_journal.facts(row.hand_id) if fact.kind == "drop-taken"]
    assert len(rows) == len(facts) >= HANDS
    assert (
        sum(row.rake for row in rows) == sum(fact.rake for fact in facts) == balance_of(f"rake:table:{evening.pk}") > 0
    )
    assert sum(row.promo for row in rows) == sum(fact.promo for fact in facts)


def test_the_audit_finds_a_row_that_tells_of_something_else_or_is_missing(paid):
    connection.check_constraints()  # PostgreSQL drops no trigger while one of its checks is still to come
    guards.lift(connection)
    for changes in ({"rake": 5}, {"players": 9}, {"why": "no-call"}, {"pot": 1_000}, {"promo": 0}):
        with transaction.atomic():
            HandDrop.objects.update(**changes)
            assert any("its row says" in fault for fault in core_audit.run(only=["hands replay"]).faults), changes
            transaction.set_rollback(True)
    HandDrop.objects.all().delete()
    assert any("has no row" in fault for fault in core_audit.run(only=["hands replay"]).faults)
