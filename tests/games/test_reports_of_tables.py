"""What reports tell of single tables, dealers, drawers and shifts."""

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from tests.cardroom.cage_desk import furnished, person
from tests.support.dealing import DealerEvening
from tests.support.evening import Evening
from tests.support.models import Account, Entry, HandDrop
from tests.support.offers import Games, staff
from tests.support.parts.cardroom import Forbidden, Illegal, approvals, corrections, drawers, room_time, slips
from tests.support.parts.games import (
    by_mail,
    downs,
    moving,
    physical,
    reports,
    seating,
    sections,
    shifts,
    takings,
    tasks,
)
from tests.support.refusals import refused
from tests.support.reporting import DAY, by_hand, report, set_drop, totals


def test_takings_stay_with_the_game_and_section_of_their_time():
    games = Games()
    bar, hall = (sections.create(name=name, by=games.manager, now=games.now) for name in ("Bar", "Hall"))
    first = games.offer("Stud in the room", is_physical=True, dealt_by="person", deck="typed")
    table, ann = games.open(first, section_id=bar.pk), games.player("ann")
    arguments = {"table_id": table.pk, "by": games.floor}
    seating.seat(**arguments, player=ann, number=1, buy_in=500, now=games.now)
    physical.empty_box(**arguments, amount=20, now=games.now)
    games.now += timedelta(hours=1)
    sections.place(table_id=table.pk, section_id=hall.pk, by=games.floor, now=games.now)
    physical.empty_box(**arguments, amount=7, now=games.now)
    physical.cash_out(**arguments, player=ann, count=473, now=games.now)
    for _ in range(2):
        rows = report(games, "section").rows
        assert [(row.name, row.sums.rake) for row in rows] == [("Bar", 20), ("Hall", 7)]
        reports.add_up(day=room_time.day_of(games.now), now=games.now)
    (game,) = report(games, "game").rows
    assert (game.name, game.sums.rake, game.sums.drop) == (first.name, 27, 27)
    (row,) = takings.players(since=games.now - DAY, until=games.now + DAY)
    assert (row.sums.room, row.sums.result, row.sums.seconds) == (-27, -27, 3600)


@pytest.mark.parametrize("is_added_up", [False, True])
def test_a_stay_in_the_room_counts_on_the_day_it_ends(is_added_up):
    games = Games()
    offer = games.offer("Stud in the room", is_physical=True, dealt_by="person", deck="typed")
    first, second = games.open(offer), games.open(offer)
    ann, bob = games.player("ann"), games.player("bob")
    arguments = {"table_id": first.pk, "by": games.floor}
    day = room_time.day_of(games.now)

    def results(span):
        rows = takings.players(since=room_time.begins(span), until=min(room_time.begins(span + DAY), games.now))
        return {row.name: row.sums.result for row in rows}

    for player in (ann, bob):
        seating.seat(**arguments, player=player, buy_in=500, now=games.now)
    games.now += timedelta(minutes=1)
    physical.top_up(**arguments, player=ann, amount=100, now=games.now)
    games.now += timedelta(minutes=1)
    assert results(day) == {"ann": 0, "bob": 0}
    physical.cash_out(**arguments, player=bob, count=450, now=games.now)
    games.now += timedelta(minutes=1)
    assert results(day) == {"ann": 0, "bob": -50}
    moving.move(
        player=ann,
        table_id=first.pk,
        to_table_id=second.pk,
        count=620,
        by=games.floor,
        why="asked for it",
        now=games.now,
    )
    games.now += timedelta(minutes=1)
    assert results(day) == {"ann": 0, "bob": -50}
    games.now = room_time.begins(day + DAY) + timedelta(hours=1)
    if is_added_up:
        reports.add_up(day=day, now=games.now)
    physical.cash_out(table_id=second.pk, by=games.floor, player=ann, count=620, now=games.now)
    games.now += timedelta(minutes=1)
    assert (results(day), results(day + DAY)) == ({"ann": 0, "bob": -50}, {"ann": 20})


def test_what_is_dropped_is_the_dealers_who_is_clocked_in():
    evening = DealerEvening()
    set_drop(evening)
    for name in ("ann", "ben", "cat"):
        evening.sit(name)
    dot = person("dot", "dealer")
    downs.clock_in(dealer=dot, by=dot, table_id=evening.pk, now=evening.now)
    evening.start()
    evening.to_street(8)
    assert HandDrop.objects.get().dealer == dot
    (row,) = [row for row in report(evening, "dealer").rows if row.sums.hands]
    assert (row.name, row.sums.hands, totals(row.sums)) == ("dot", 1, by_hand(Entry.objects.all()))


def test_the_cages_report_is_what_its_slips_moved():
    now = timezone.now()
    room = furnished(now)
    arguments = {"player": room.pia, "by": room.cay, "now": now}
    slips.deposit(**arguments, amount=700, key="a")
    slip = slips.deposit(**arguments, amount=300, key="b")
    slips.withdraw(**arguments, amount=150, key="c")
    approval = corrections.reverse(slip_id=slip.pk, by=room.cay, reason="typed twice", now=now, key="d")
    approvals.decide(approval_id=approval.pk, by=room.mia, approve=True, now=now)
    span = {"since": now - DAY, "until": now + DAY, "now": now}
    cage_sheet = reports.sheet(name="cage", by=room.mia, **span)
    rows = {(row["name"], row["unit"]): row for row in cage_sheet.rows}
    deposits = rows["Deposit", "cash"]
    assert (deposits["slips"], deposits["amount"], deposits["reversed"], deposits["net"]) == (2, 1000, -300, 700)
    wallet = Account.objects.get(kind="wallet", owner=room.pia, unit="cash")
    before = sum(Entry.objects.filter(account=wallet).exclude(transfer__slip=None).values_list("amount", flat=True))
    assert before == deposits["net"] - rows["Withdrawal", "cash"]["net"]
    assert reports.sheet(name="cage", by=room.cay, **span).rows == [], "their drawer is still to be counted"
    drawers.close_drawer(counted=10_550, by=room.cay, now=now)
    own = reports.sheet(name="cage", by=room.cay, **span)
    assert {row["name"]: row["net"] for row in own.rows}["Deposit"] == 700
    assert reports.sheet(name="cage", by=room.cal, **span).rows == []
    for name in ("drop", "players", "liabilities", "credit"):
        refused(Forbidden, reports.sheet, name=name, by=room.cay, **span)


def test_a_shifts_report_goes_out_after_it_and_to_readers_alone():
    evening = Evening()
    mia, pia = staff("manager", "mia"), evening.player("pia")
    mia.email = pia.email = "who@example.org"
    mia.save()
    pia.save()
    refused(Illegal, "not a manager or auditor", by_mail.wish, user=pia, every="shift", by=mia, now=evening.now)
    by_mail.wish(user=mia, every="shift", by=mia, now=evening.now)
    shift = shifts.open_(name="Evening", by=mia, now=evening.now)
    over = {"now": evening.now + timedelta(hours=8), "handed_to": staff("manager", "max")}
    shifts.close(shift_id=shift.pk, by=mia, **over)
    tasks.mail_reports(reports.MAIL_ALARM, f"shift:{shift.pk}", shift.pk)
    tasks.mail_reports(reports.MAIL_ALARM, f"shift:{shift.pk}", shift.pk)
    assert [message.subject for message in mail.outbox] == ["Cardroom: Evening, 5 Jan 2030"]
