"""What players are told, once."""

import pytest
from django.core import mail

from tournaments.models import Notice
from tournaments.services import floor, mails, notices, tournaments

pytestmark = pytest.mark.django_db


def order(event, **more):
    return {"tournament_id": event.pk, "by": event.director, "now": event.now, **more}


def told(event, kind):
    return {notice.player.username: notice.text for notice in Notice.objects.filter(tournament=event.pk, kind=kind)}


def test_who_is_moved_is_told_where_to_and_why(make_event):
    event = make_event(seats=4).started(6)
    mover = event.state.entrants[1]
    table = 3 - mover.table
    floor.move(entrant=1, table=table, reason="A dispute", **order(event))
    moved = event.state.entrants[1]
    assert told(event, "moved") == {
        event.entry(1).name: f"You are moved: go to table {table}, seat {moved.seat}. A dispute"
    }


def test_everybody_is_told_his_seat_when_the_event_starts_and_mailed_once(make_event):
    event = make_event().open()
    ana, bob = event.player("ana"), event.player("bob")
    ana.email = "ana@example.org"
    ana.save()
    event.enter(ana), event.enter(bob)
    tournaments.start(tournament_id=event.pk, by=event.director, now=event.now)
    texts = told(event, "starting")
    assert texts["ana"] == f"{event.row.name} has started: you sit at table 1, seat {event.entry(1).seat}."
    assert set(texts) == {"ana", "bob"}
    assert mails.send(tournament_id=event.pk, now=event.now) == 1
    assert mails.send(tournament_id=event.pk, now=event.now) == 0
    assert [(message.to, message.body) for message in mail.outbox] == [(["ana@example.org"], texts["ana"])]


def test_a_message_reaches_everybody_who_has_an_entry_and_is_not_repeated(make_event):
    event = make_event().started(3)
    assert notices.message(text="Dinner  is served.", **order(event, command_id="m")) == 3
    assert notices.message(text="Dinner is served.", **order(event, command_id="m")) == 0
    assert set(told(event, "message").values()) == {"Dinner is served."}
