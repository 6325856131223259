"""Time collection: who is charged at the end of a period, what, when the chips move, and who is not charged."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from cardroom.core.errors import Conflict, Forbidden, Illegal, NotEnoughChips, NotFound, Refusal
from cardroom.core.models import Alarm, StaffAction, User
from games.rake import collection, comps, time_charges, time_clocks, unpaid_time
from games.rake.reasons import ROOM_AWAY
from games.tables.reasons import TIME
from tests.cardroom.cage_desk import person
from tests.support.models import DropSchedule, Hand, ListEntry, Seat, Table, TimeCharge, TimePause, Transfer
from tests.support.parts.cardroom import access, core_audit, ledger, limits
from tests.support.parts.games import downs, moving, seating, seats, stacks, tables, time_at
from tests.support.racing import race, refusals
from tests.support.refusals import refused
from tests.support.timing import TimedTable
from tests.support.unguarded import unguarded
from tests.support.worlds import world


@world
def table() -> TimedTable:
    return TimedTable()


def seat_players(table: TimedTable, *names: str) -> list[User]:
    return [table.sit(name) for name in names]


@world
def ann(table) -> User:
    return table.sit("ann")


@world
def bob(table, ann) -> User:
    return table.sit("bob")


@world
def cid(table, bob) -> User:
    return table.sit("cid")


@world
def dear() -> TimedTable:
    """A period costs 400; ann has 300 and bob 1000."""
    table = TimedTable(time_charges=[[2, 400]])
    table.ann, table.bob = table.sit("ann", buy_in=300), table.sit("bob", buy_in=1000)
    return table


def test_the_clock_starts_at_the_first_seat_and_rings_at_half_hours(table):
    assert table.clock is None
    table.at(20, 7)
    table.sit("ann")
    assert table.clock.due_at == table.now.replace(minute=30)
    alarm = Alarm.objects.get(kind="time-collection", key=str(table.pk))
    assert (alarm.due_at, alarm.fence) == (table.clock.due_at, table.clock.fence)


def test_the_next_half_hour_is_the_next_one_also_in_the_hour_that_the_clocks_repeat(settings):
    settings.TIME_ZONE = "Europe/Berlin"
    at, told = datetime(2027, 10, 30, 23, 45, tzinfo=UTC), []
    for _ in range(6):
        at = time_clocks.next_end(DropSchedule(period_minutes=30), after=at)
        told.append(f"{at:%H:%M}")
    assert told == ["00:00", "00:30", "01:00", "01:30", "02:00", "02:30"]


def test_the_charge_depends_on_the_number_of_players_and_bots_pay_nothing(table, ann):
    assert table.ring()
    assert (table.stack(ann), table.charges(ann)) == (500, [])
    people = [ann, *seat_players(table, *"bcde")]
    table.ring()
    assert ({table.stack(player) for player in people}, table.charges(ann)[0].players) == ({492}, 5)
    for number in (6, 7, 8):
        bot = User.objects.create_user(f"bot{number}", is_bot=True, personality="steady")
        stacks.buy_in(table.table, player=bot, number=number, amount=500, now=table.now)
    table.ring()
    assert (table.charges(ann)[1].players, TimeCharge.objects.count()) == (8, 10)


def test_everybody_pays_once_from_the_stack_even_if_the_bell_rings_twice(table, ann, bob, audited):
    clock = table.clock
    assert not time_charges.ring(table_id=table.pk, fence=clock.fence, now=clock.due_at - timedelta(seconds=1))
    assert table.ring()
    assert not time_charges.ring(table_id=table.pk, fence=clock.fence, now=table.now)
    assert not time_charges.ring(table_id=999, fence=clock.fence, now=table.now)
    assert (table.stack(ann), table.stack(bob), table.house(), table.house("promo")) == (490, 490, 18, 2)
    charge = table.charges(ann)[0]
    assert (charge.state, charge.amount, charge.promo, charge.paid, charge.players) == ("charged", 10, 1, 10, 2)
    assert Transfer.objects.get(reference=f"time:{charge.pk}").reason == TIME(at=table.table.name)
    assert Alarm.objects.get(kind="time-collection", key=str(table.pk)).due_at == table.at(21)


def dealt(table: TimedTable, *times: tuple[int, int]) -> None:
    """Hands that began then, and nobody heard the bell."""
    begun = [table.now.replace(hour=hour, minute=minute) for hour, minute in times]
    hands = (Hand(table_id=table.pk, number=n, seats={}, started_at=at, ended_at=at) for n, at in enumerate(begun, 1))
    Hand.objects.bulk_create(hands)


def test_a_late_bell_charges_every_period_by_who_sat_then(table, ann, bob, cid):
    dealt(table, (20, 35), (21, 20), (21, 59))
    table.at(21, 10)
    table.leave(cid)
    dan = table.sit("dan")
    table.at(22, 10)
    table.ring()
    states = [(charge.period_start.strftime("%H:%M"), charge.state, charge.players) for charge in table.charges(ann)]
    assert states == [(start, "charged", 3) for start in ("20:30", "21:00", "21:30", "22:00")]
    assert (table.stack(ann), table.stack(bob), table.stack(dan)) == (460, 460, 480)
    gone = [(charge.state, charge.owed) for charge in table.charges(cid)]
    assert gone == [("owed", 10), ("owed", 10)], "the player sat there until ten past nine, and has left"
    assert table.clock.due_at == table.at(22, 30)


def test_a_late_bell_charges_nothing_while_the_room_was_away(table, ann, bob):
    dealt(table, (20, 29), (21, 10))
    collection.refuse(table_id=table.pk, by=bob, now=table.now)
    table.at(22, 10)
    table.ring()
    free, played, lost, now = table.charges(ann)
    assert [charge.state for charge in (free, played, lost, now)] == ["paused", "charged", "paused", "charged"]
    assert free.why == lost.why == ROOM_AWAY()
    assert [charge.state for charge in table.charges(bob)] == ["paused", "courtesy", "paused", "refused"]
    assert (table.stack(ann), table.stack(bob), table.house("promo")) == (480, 500, 2)


def test_a_player_in_a_hand_pays_when_it_is_over_even_after_leaving(table, ann, bob, cid, audited):
    dan = table.sit("dan")
    seats.sit_out(table_id=table.pk, by=dan, now=table.now)
    table.at(20, 29, 50)
    table.deal()
    table.ring()
    assert [table.stack(player) for player in (ann, bob, cid, dan)] == [500, 500, 500, 490]
    assert table.charges(ann)[0].state == "due"
    table.leave(ann)
    table.play_out()
    assert {table.charges(player)[0].state for player in (ann, bob, cid)} == {"charged"}
    assert not table.table.seats.filter(player=ann).exists()
    assert table.wallet(ann) - 9_500 + table.stack(bob) + table.stack(cid) == 1_470


def test_a_stack_that_cannot_pay_pays_what_is_there_and_the_rest_is_owed(dear, floor, audited):
    with unguarded():
        DropSchedule.objects.update(time_promo=150)
    dear.ring()
    (charge,) = dear.charges(dear.ann)
    assert (charge.state, charge.paid, charge.owed) == ("owed", 300, 100)
    assert (dear.stack(dear.ann), dear.seat_of(dear.ann).state) == (0, "sitting-out")
    assert (dear.house(), dear.house("promo")) == (500, 200)  # the house first, then the promotional fund
    seats.top_up(table_id=dear.pk, by=dear.ann, amount=500, now=dear.now)
    rest = {"charge_id": charge.pk, "by": floor, "now": dear.now}
    paid = collection.collect(**rest, key="rest")
    assert (paid.state, paid.paid, dear.stack(dear.ann)) == ("charged", 400, 400)
    assert (collection.collect(**rest, key="rest"), dear.house("promo")) == (paid, 300)
    refused(Conflict, "Nothing is owed", collection.collect, **rest)


def test_time_counts_against_a_players_limit_of_losses_wherever_it_was_paid_from(dear, floor):
    limits.request_limit(by=dear.ann, kind="loss-day", amount=1000, now=dear.now)

    def left():
        return next(limit.left for limit in limits.all_of(dear.ann, now=dear.now) if limit.kind == "loss-day")

    dear.ring()
    dear.leave(dear.ann)
    assert left() == 700
    before = dear.wallet(dear.ann)
    charge = collection.collect(charge_id=dear.charges(dear.ann)[0].pk, by=floor, now=dear.now)
    assert (left(), dear.wallet(dear.ann)) == (600, before - 100), "who left pays what is owed from the wallet"
    collection.waive(charge_id=charge.pk, by=floor, reason="long misdeal", now=dear.now)
    assert left() == 1000


def test_what_is_owed_is_taken_with_the_next_collection_before_it(dear):
    dear.ring()
    seats.top_up(table_id=dear.pk, by=dear.ann, amount=450, now=dear.now)
    dear.ring()
    first, second = dear.charges(dear.ann)
    assert [(first.state, first.paid), (second.state, second.paid)] == [("charged", 400), ("owed", 350)]
    assert Transfer.objects.filter(reference=f"time:{first.pk}:2").exists()


def test_a_player_whose_time_the_floor_pauses_counts_as_no_player(table, floor):
    ann, bob, *_ = seat_players(table, *"abcde")
    here = {"table_id": table.pk, "player": ann, "by": floor}
    paused = collection.pause(**here, now=table.now, key="p", reason="dinner")
    assert collection.pause(**here, now=table.now, key="p", reason="dinner") == paused
    refused(Conflict, "paused since", collection.pause, **here, now=table.now)
    table.ring()
    charge = table.charges(ann)[0]
    assert (charge.state, charge.amount, charge.why) == ("paused", 0, "dinner")
    assert (table.stack(ann), table.stack(bob)) == (500, 490)
    collection.resume(**here, now=table.now)
    refused(Conflict, "not paused", collection.resume, **here, now=table.now)
    table.ring()
    assert table.stack(ann) == 492
    verbs = list(StaffAction.objects.filter(player=ann).order_by("pk").values_list("verb", flat=True))
    assert verbs == ["collection.pause", "collection.resume"]
    collection.pause(**here, now=table.now)
    table.leave(ann)
    table.sit(ann)
    table.ring()
    assert table.charges(ann)[-1].state == "charged", "a pause ends with the stay"


def test_a_player_who_refuses_to_pay_loses_the_seat_while_others_wait(table, ann, bob):
    ListEntry.objects.create(offer=table.offer, player=table.player("dan"), source="desk", place=1, joined_at=table.now)
    collection.refuse(table_id=table.pk, by=ann, now=table.now)
    table.ring()
    assert (table.charges(ann)[0].state, table.seat_of(ann).state) == ("refused", "sitting-out")
    assert table.table.wake_at == table.at(21)
    table.wake()
    assert not table.table.seats.filter(player=ann).exists()


def test_only_the_floor_pauses_waives_and_collects(table, ann, bob):
    table.ring()
    time, charge = {"table_id": table.pk, "player": ann}, {"charge_id": table.charges(ann)[0].pk}
    for verb in (collection.pause, collection.resume, collection.refuse):
        refused(Forbidden, verb, **time, by=bob, now=table.now)
    refused(Forbidden, collection.waive, **charge, by=bob, reason="a friend", now=table.now)
    refused(Forbidden, collection.collect, **charge, by=bob, now=table.now)


def test_nobody_pays_for_a_period_that_began_while_the_table_was_paused(table, ann, bob, floor):
    table.at(20, 29)
    tables.pause(table_id=table.pk, by=floor, reason="fire alarm", now=table.now)
    table.ring()
    table.at(20, 59)
    tables.resume(table_id=table.pk, by=floor, now=table.now)
    table.ring()
    table.at(21, 29)
    tables.pause(table_id=table.pk, by=floor, reason="seat draw", now=table.now)
    table.at(21, 31)
    tables.resume(table_id=table.pk, by=floor, now=table.now)
    table.ring()
    told = [(charge.state, charge.why_text) for charge in table.charges(ann)]
    assert told == [("paused", "The table was paused."), ("charged", ""), ("paused", "The table was paused.")]


def test_who_will_not_pay_has_a_courtesy_hand_while_nobody_waits_and_then_sits_out(table, ann, bob, cid):
    first = collection.refuse(table_id=table.pk, by=ann, now=table.now)
    assert collection.refuse(table_id=table.pk, by=ann, now=table.now) == first
    table.ring()
    assert (table.charges(ann)[0].state, table.stack(ann)) == ("courtesy", 500)
    table.deal()
    assert table.table.is_in_hand(table.seat_of(ann).number)
    table.play_out()
    assert table.seat_of(ann).state == "sitting-out"
    back = {"table_id": table.pk, "by": ann, "now": table.now}
    assert refused(Illegal, "has refused the time charge", seats.come_back, **back).rule
    before = table.stack(ann)
    paid = collection.pay(table_id=table.pk, by=ann, now=table.now)
    assert (paid.state, paid.paid, table.stack(ann)) == ("charged", 10, before - 10)
    seats.come_back(**back)
    assert table.seat_of(ann).state == "playing"


def test_a_player_who_refused_to_pay_sits_in_this_game_again_after_paying(table, ann, bob, cid, audited):
    collection.refuse(table_id=table.pk, by=ann, now=table.now)
    table.ring()
    table.deal().play_out()
    table.leave(ann)
    assert refused(Illegal, "has refused the time charge", table.sit, ann, buy_in=1500).code == "time-unpaid"
    clock = table.clock.due_at
    for days in (0, 1):
        time_charges.ring(table_id=table.pk, fence=table.clock.fence, now=clock + timedelta(days=days))
        assert unpaid_time.may_return(table.table, ann) == (days == 1), "a day later it is forgotten"
    with unguarded():
        TimePause.objects.filter(player=ann).update(until=None)
    assert [(row.name, row.seat, row.standing) for row in time_at(table.pk).sitters][-1] == ("ann", 0, "refusal")
    before = table.wallet(ann)
    paid = collection.pay(table_id=table.pk, by=ann, now=table.now)
    assert (paid.state, before - table.wallet(ann)) == ("charged", 10)
    table.sit(ann)
    refused(Conflict, "No charge was refused", collection.pay, table_id=table.pk, by=cid, now=table.now)


def another_of(table: TimedTable) -> TimedTable:
    """Another table of its game, opened now."""
    made = TimedTable()
    Table.objects.filter(pk=made.pk).update(offer=table.offer, drop=table.schedule)
    made.now = table.now
    return made


def test_a_closed_table_collects_nothing_more(table, ann, bob, cid, floor):
    collection.refuse(table_id=table.pk, by=cid, now=table.now)
    table.ring()
    table.leave(cid)
    table.at(20, 52)
    tables.close(table_id=table.pk, by=floor, reason="nobody waits", now=table.now)
    assert table.clock is None
    assert not Alarm.objects.filter(kind="time-collection").exists()
    assert not TimePause.objects.filter(until=None).exists(), "nor does it keep anybody out"
    table.at(21, 5)
    other = another_of(table)
    for player in (ann, cid, bob):
        other.sit(player)
    assert not TimeCharge.objects.filter(table=other.pk).exists()
    other.ring()
    assert [charge.period_start for charge in other.charges(bob)] == [other.at(21, 30)]


@pytest.mark.parametrize(("bell", "players"), [
    ("in time", [2]), ("late", [2]), ("free for all", []), ("for too few", [2]),
])  # fmt: skip
def test_who_sits_again_pays_once_as_those_who_sat_when_the_period_began(table, ann, bob, cid, bell, players):
    table.at(20, 29)
    for player in (ann, cid) if bell == "for too few" else (ann,):
        table.leave(player)
    if bell != "late":
        table.ring()
    if bell == "free for all":
        with unguarded():
            TimeCharge.objects.update(state="paused", amount=0, paid=0, why="The room was away, and no hand was dealt.")
    table.at(20, 31)
    if bell in ("in time", "free for all"):
        seat_players(table, "dan", "eve", "fay")
    table.sit(ann)
    if bell == "late":
        table.ring()
        assert [(charge.period_start, charge.players) for charge in table.charges(bob)] == [(table.at(20, 30), 2)]
    told = [(charge.state, charge.period_start, charge.players, charge.amount) for charge in table.charges(ann)]
    assert told == [("charged", table.at(20, 30), many, 10) for many in players]
    assert table.stack(ann) == 500 - 10 * len(players)
    table.leave(ann)
    table.at(20, 40)
    table.sit(ann)
    table.leave(ann)
    table.ring()
    table.ring()
    table.sit(ann)
    assert len(table.charges(ann)) == len(players), "who stays away for a whole period begins anew"
    assert bell == "free for all" or core_audit.check() == []


def test_an_odd_period_starts_with_the_first_player_and_is_paid_once_after_a_move():
    table = TimedTable(period_minutes=45)
    (ann, *_) = seat_players(table, "ann", "bob", "cid")
    assert table.clock.due_at == table.now.replace(minute=45)
    other = another_of(table)
    other.at(20, 10)
    seat_players(other, "dan", "eve")
    table.ring()
    assert table.clock.due_at == table.now.replace(hour=21, minute=30)
    table.at(20, 50)
    table.leave(ann)
    other.ring()
    other.at(21)
    other.sit(ann)
    assert [charge.period_start for charge in TimeCharge.objects.filter(player=ann)] == [table.at(20, 45)]


def after_refusal(table: TimedTable, player: User, courtesy_hands: int = 1) -> TimedTable:
    """The other of two tables of a game, after a refusal to pay at the first: they sit out or have a courtesy hand."""
    with unguarded():
        DropSchedule.objects.update(courtesy_hands=courtesy_hands)
    other = another_of(table)
    collection.refuse(table_id=table.pk, by=player, now=table.now)
    table.ring()
    other.now = table.now
    return other


@pytest.mark.parametrize("courtesy_hands", [0, 1])
def test_a_player_who_refused_to_pay_moves_to_no_other_table_before_paying(table, ann, bob, courtesy_hands, floor):
    other = after_refusal(table, ann, courtesy_hands)
    said = {"player": ann, "table_id": table.pk, "why": "friends", "now": table.now}
    for by in (None, floor):
        refused(Illegal, "ann has refused the time charge at", moving.move, **said, to_table_id=other.pk, by=by)
    assert moving.move(**said, to_table_id=table.pk, number=5, by=None).number == 5
    collection.pay(table_id=table.pk, by=ann, now=table.now)
    moving.move(**said, to_table_id=other.pk, by=None)
    assert other.table.seats.get().player == ann


def test_a_player_who_owes_time_does_not_sit_at_another_table_of_the_game(table, ann, bob):
    other = after_refusal(table, ann)
    table.leave(ann)
    refused(Illegal, "must pay before they are", other.sit, ann)


def test_a_player_who_refused_to_pay_sits_out_at_the_next_table_until_they_pay(table, ann, bob, floor):
    other = after_refusal(table, ann)
    tables.break_up(table_id=table.pk, by=floor, reason="nobody waits", now=table.now)
    seat = other.seat_of(ann)
    assert (seat.state, seat.out_since) == ("sitting-out", table.now)
    back = {"table_id": other.pk, "by": ann, "now": table.now}
    refused(Illegal, "ann has refused the time charge at", seats.come_back, **back)
    collection.pay(table_id=table.pk, by=ann, now=table.now)
    seats.come_back(**back)
    assert other.seat_of(ann).state == "playing"


def test_paying_after_all_needs_the_chips_on_the_table(dear):
    mine = {"table_id": dear.pk, "by": dear.ann}
    collection.refuse(**mine, now=dear.now)
    dear.ring()
    refused(NotEnoughChips, "400", collection.pay, **mine, now=dear.now)
    assert dear.charges(dear.ann)[0].state == "courtesy"


def test_a_waiver_gives_back_what_was_paid_to_the_stack_or_to_the_wallet_once(table, ann, bob, cid, floor, audited):
    def waive(charge_id, **more):
        return collection.waive(charge_id=charge_id, by=floor, reason="long misdeal", now=table.now, **more)

    table.ring()
    anns, bobs, cids = (table.charges(player)[0].pk for player in (ann, bob, cid))
    waived = waive(anns, key="w")
    assert (waived.state, waived.paid, table.stack(ann), waive(anns, key="w")) == ("waived", 0, 500, waived)
    refused(Conflict, "nothing to waive", waive, anns)
    table.leave(bob)
    table.deal()
    before = table.wallet(bob), table.wallet(cid)
    for charge in (bobs, cids):
        waive(charge)
    assert (table.wallet(bob), table.wallet(cid)) == (before[0] + 10, before[1] + 10)
    assert (table.house(), table.house("promo")) == (0, 0)
    refused(NotFound, waive, 999)
    table.play_out()


def test_in_the_room_the_dealer_or_the_next_period_ends_the_courtesy_hand(felt, floor):
    ann, bob = felt.ann, felt.bob
    for player in (ann, bob):
        collection.refuse(table_id=felt.pk, player=player, by=floor, now=felt.now)
    dealer = User.objects.create_user("dan")
    end_of_anns = {"table_id": felt.pk, "player": ann, "by": dealer}
    refused(Forbidden, collection.end_courtesy, **end_of_anns, now=felt.now)
    access.grant_role(user=dealer, role="dealer", by=None)
    refused(Conflict, "no courtesy hand", collection.end_courtesy, **end_of_anns, now=felt.now)
    felt.ring()
    assert [felt.charges(player)[0].state for player in (ann, bob)] == ["courtesy", "courtesy"]
    assert [row.courtesy for row in time_at(felt.pk).sitters] == [1, 1]
    for _ in range(2):
        assert collection.end_courtesy(**end_of_anns, now=felt.now, key="over").hands_left == 0
    assert (felt.seat_of(ann).state, felt.seat_of(bob).state) == ("sitting-out", "playing")
    assert StaffAction.objects.filter(verb="collection.end_courtesy", by=dealer).count() == 1
    refused(Illegal, "has refused the time charge", unpaid_time.check_may_return, felt.table, ann)
    refused(Illegal, "must pay before they are", seating.mark_back, **end_of_anns, now=felt.now)
    felt.ring()
    assert (felt.charges(bob)[1].state, felt.seat_of(bob).state) == ("refused", "sitting-out")


def test_chips_missing_from_the_pool_are_owed_and_stop_no_time(felt, floor, audited):
    Seat.objects.filter(player=felt.ann).update(counted=988)
    stacks.cash_out(Seat.objects.get(player=felt.bob), felt.table, now=felt.now, count=988)
    stacks.buy_in(felt.table, player=felt.player("cid", 3), number=2, amount=3, now=felt.now)
    assert felt.ring()
    charges = [*felt.charges(felt.ann), *TimeCharge.objects.exclude(player=felt.ann)]
    assert [(charge.state, charge.paid) for charge in charges] == [("charged", 10), ("owed", 3)]
    assert felt.ring()
    last = felt.charges(felt.ann)[-1]
    assert (last.state, last.paid) == ("owed", 2)
    refused(NotEnoughChips, collection.collect, charge_id=last.pk, by=floor, now=felt.now)


@pytest.mark.django_db(transaction=True)
def test_bells_rung_at_once_charge_once_while_chips_come_and_go(audited):
    table = TimedTable(comp_per_hour=60)
    ann, bob = seat_players(table, "ann", "bob")
    table.at(20, 30)
    ring = partial(time_charges.ring, table_id=table.pk, fence=table.clock.fence, now=table.now)
    outcomes = race(ring, ring, ring, ring)
    assert (refusals(outcomes, Refusal), outcomes.count(True), TimeCharge.objects.count()) == (0, 1, 2)
    assert (table.stack(ann), table.house()) == (490, 18)

    table.at(21)
    outcomes = race(
        partial(time_charges.ring, table_id=table.pk, fence=table.clock.fence, now=table.now),
        partial(seats.leave, table_id=table.pk, by=ann, now=table.now),
        partial(seats.top_up, table_id=table.pk, by=bob, amount=100, now=table.now),
    )
    assert refusals(outcomes, Refusal) == 0
    paid = sum(charge.paid for charge in TimeCharge.objects.all())
    assert table.wallet(ann) + table.wallet(bob) + table.stack(bob) + paid == 20_000
    credit = partial(comps.credit, table_id=table.pk, player_id=ann.pk, now=table.now)
    outcomes = race(credit, credit)
    assert (refusals(outcomes, Refusal), sorted(len(made) for made in outcomes)) == (0, [0, 1])


def test_a_table_in_the_room_pays_with_its_own_chips(felt, floor, audited):
    ann, dee = felt.ann, person("dee", "dealer")
    downs.clock_in(dealer=dee, by=dee, table_id=felt.pk, now=felt.now)
    tables.break_up(table_id=felt.pk, by=floor, reason="nobody waits", now=felt.now)
    felt.ring()
    assert [charge.state for charge in felt.charges(ann)] == ["charged"]  # the last hands are dealt
    pool = ledger.open_account(kind="pool", label=f"chips:table:{felt.pk}")
    assert (felt.seat_of(ann).counted, ledger.balance(pool), felt.house()) == (490, 980, 18)
    downs.clock_out(dealer=dee, by=dee, now=felt.now)
    felt.ring()
    (_, second) = felt.charges(ann)
    assert (second.state, second.paid) == ("paused", 0)
    assert "nobody dealt" in second.why_text
