"""Real sockets at tables of an event and of none that give extra time: losing the last one is told to everybody."""

import asyncio

import pytest
from django.db import transaction
from django.utils import timezone

from cardroom.realtime import layer
from games.live import hub
from games.tables.models.tables import Seat, Table
from tests.support.evening import STAKES
from tests.support.parts.games import event_seats, event_tables, hands, locking, seats


@pytest.fixture
def seated_at_event(room, somebody, watch):
    """`seated_at_event(2)`: sockets of so many players at a table of an event, a hand dealt."""

    def seated(players):
        users = [somebody() for _ in range(players)]
        now = timezone.now()
        with transaction.atomic():
            event, extra = f"live:1{users[0].pk}", {"extra_seconds": (240, 120, 60), "extra_cap_seconds": 600}
            specs = [(f"Event of {users[0].username}", 8)]
            (table,) = event_tables.open_tables(event=event, unit=event, specs=specs, stakes=STAKES, now=now, **extra)
            drawn = [(table.pk, number, user.pk, 1000) for number, user in enumerate(users, 1)]
            event_seats.seat_players(unit=event, seats=drawn, time_bank_ms=60_000, reference=event, now=now)
        sockets = [watch(table.pk, user) for user in users]
        with transaction.atomic():
            assert event_seats.deal(table_id=table.pk, players_left=players, now=timezone.now()).hand
        for socket in sockets:
            socket.until_turn()
        return sockets

    return seated


def clock_told(socket, *, extra):
    """Listen until the clock is told anew, with so much extra time."""
    return socket.until(lambda message: message["type"] == "clock" and message["extra"] == extra)


def until_gone(socket, *seats):
    """Listen until these are the seats of whom nobody hears."""
    while tuple(row["number"] for row in socket.view["seats"] if row["is_gone"]) != seats:
        socket.next()


def test_who_loses_the_last_socket_gets_extra_time_until_they_are_heard_of_again(seated_at_event, watch):
    sockets = seated_at_event(3)
    seat = sockets[0].to_act
    gone, stays = sockets[seat - 1], sockets[seat % 3]
    second = watch(gone.table, gone.user)
    before = gone.clock["deadline"]
    gone.break_off()
    second.break_off()
    clock = clock_told(stays, extra=240_000)
    assert (clock["seat"], clock["deadline"]) == (seat, before + 240_000)
    until_gone(stays, seat)
    gone.open()
    clock_told(stays, extra=30_000)
    assert Seat.objects.get(table=gone.table, number=seat).gone_at is None


EXTRA = {"extra_seconds": [120, 60], "extra_cap_seconds": 300}


def test_at_a_cash_table_that_gives_it_who_loses_the_last_socket_has_extra_time_too(seated, watch):
    sockets = seated(2, **EXTRA)
    seat = sockets[0].to_act
    gone, stays = sockets[seat - 1], sockets[seat % 2]
    second = watch(gone.table, gone.user).until_turn()
    gone.break_off()
    assert second.check_or_call()["type"] == "done"
    second.break_off()
    until_gone(stays, seat)
    assert stays.clock["extra"] == 0, "it is the other one's turn"
    while stays.to_act != seat:
        stays.until_at(stays.hand, stays.check_or_call()["seq"])
    assert (stays.clock["seat"], stays.clock["extra"]) == (seat, 120_000)
    gone.open()
    clock_told(stays, extra=30_000)
    until_gone(stays)
    gone.until_at(stays.hand, stays.seq)
    assert gone.check_or_call()["type"] == "done"


def test_a_table_that_takes_extra_time_up_minds_its_sockets_from_then_on(seated):
    socket, other = seated(2)
    table = Table.objects.get(pk=socket.table)
    with transaction.atomic():
        table = locking.table(table.pk)
        locking.write(table, **EXTRA)
        locking.store(table, wake_at=table.wake_at)
    seats.sit_out(table_id=table.pk, by=other.user, now=timezone.now())
    socket.until(lambda _: socket.view["version"] > table.version)
    other.break_off()
    until_gone(socket, 2)


class Door:
    """What the services were told about the people there, and whether they can be told."""

    def __init__(self, monkeypatch):
        self.told, self.is_open, self.here = [], True, set()
        self.presence = hub.Presence(lambda *one: one in self.here)
        monkeypatch.setattr(layer, "run", self.run)
        monkeypatch.setattr(hub, "GRACE_SECONDS", 0)

    async def run(self, verb, *, table_id, player_id, is_here):
        assert verb is hands.note_presence
        if not self.is_open:
            raise OSError("the database is away")
        self.told.append((table_id, player_id, is_here))

    async def all_told(self):
        while self.presence._tasks:
            await asyncio.gather(*self.presence._tasks)
        return self.told


def test_a_page_that_is_loaded_again_leaves_nobody_out_of_touch(monkeypatch):
    async def reload(door):
        door.presence.went((1, 7))
        door.here.add((1, 7))
        door.presence.came((1, 7))
        assert set(await door.all_told()) == {(1, 7, True)}

    asyncio.run(reload(Door(monkeypatch)))


def test_what_could_not_be_told_is_told_at_the_next_heartbeat(monkeypatch, caplog):
    async def outage(door):
        door.is_open = False
        door.presence.went((1, 7))
        assert await door.all_told() == []
        door.is_open = True
        door.presence.check([])
        assert await door.all_told() == [(1, 7, False)]

    asyncio.run(outage(Door(monkeypatch)))
    assert "could not be told who is there" in caplog.text


def test_a_heartbeat_mends_what_another_process_said_of_somebody_who_is_here(monkeypatch):
    async def beat(door):
        door.here.add((1, 7))
        door.presence.check([(1, 7), (1, 8)])
        await door.all_told()
        door.presence.went((1, 7))
        await door.presence.close()
        assert door.told == [(1, 7, True)], "and whose sockets go with their process is not out of touch"

    asyncio.run(beat(Door(monkeypatch)))
