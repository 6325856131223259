"""The demo room's tournaments: one that starts within minutes and another after it, and one in the room."""

import io
from datetime import timedelta

from django.contrib.auth import authenticate
from django.core.management import call_command
from django.utils import timezone

from tests.support.models import Tournament, User
from tests.support.parts.tournaments import demo, registration, seats, waking


def laid_out():
    told = io.StringIO()
    call_command("demo", stdout=told)
    return told.getvalue()


def test_the_demo_has_an_online_event_with_bots_and_one_with_guests_to_seat(audited):
    said = laid_out()
    assert (laid_out(), Tournament.objects.count()) == (said, 2), "run again it adds nothing"
    event = Tournament.objects.get(name=demo.ONLINE)
    assert event.name in said
    assert event.starts_at - timezone.now() < timedelta(minutes=5)
    player = User.objects.get(username="player1")
    registration.register(tournament_id=event.pk, by=player, player=player, now=timezone.now())
    waking.wake(tournament_id=event.pk, fence=None, now=timezone.now())
    event.refresh_from_db()
    assert (event.entries_count, event.state) == (15, "open")
    waking.wake(tournament_id=event.pk, fence=None, now=event.starts_at)
    event.refresh_from_db()
    following = Tournament.objects.get(previous=event)
    assert (event.state, following.state) == ("running", "open")
    assert following.starts_at == event.starts_at + timedelta(minutes=15)
    assert player.seats.get().table.event == event.unit
    name, password, _ = demo.DIRECTOR
    assert password in said
    event = Tournament.objects.get(name=demo.IN_THE_ROOM)
    director = authenticate(username=name, password=password)
    seats.draw_seats(tournament_id=event.pk, by=director, now=timezone.now())
    event.refresh_from_db()
    assert (event.entries_count, event.tables_count) == (12, 2)
