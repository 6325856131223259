"""Somebody new at the desk is taken in; visits to the room that nobody ends."""

from datetime import timedelta

import pytest

from cardroom import tasks
from cardroom.accounts import members, visits
from cardroom.core.errors import Forbidden, Invalid
from games.waitlists.host import CashGames
from tests.support.models import Alarm, Member, Transfer, User, Visit
from tests.support.offers import staff
from tests.support.refusals import refused


@pytest.fixture
def cashier():
    return staff("cashier", "cay")


def test_a_walk_in_is_taken_in_with_a_card_and_is_here_and_nobody_is_half_taken_in(cashier, north, now):
    refused(Invalid, "phone", visits.register_guest, name="Wil Walker", phone="none", by=cashier, now=now)
    refused(Forbidden, visits.register_guest, name="Wil Walker", by=north, now=now)
    assert set(User.objects.values_list("username", flat=True)) == {"cay", "north"}
    assert not Member.objects.exists()
    asked = {"name": "Wil Walker", "phone": "+49 30 1234", "by": cashier, "now": now}
    player = visits.register_guest(**asked)
    assert (player.username, player.has_usable_password()) == ("Wil.Walker", False)
    assert (player.member.name, player.member.phone, player.member.cards.count()) == ("Wil Walker", "+49301234", 1)
    assert visits.present(player).came_by == cashier
    assert not Transfer.objects.exists()
    assert visits.register_guest(**asked).username == "Wil.Walker.2"


def test_visits_that_nobody_ends_end_in_the_early_morning_unless_the_guest_sits(
    cashier, north, south, now, monkeypatch
):
    seated = visits.register_guest(name="Sid Seated", by=cashier, now=now)
    monkeypatch.setattr(CashGames, "seat_in_room", lambda self, player: "Larch, seat 3" if player == seated else "")
    members.register(player=north, by=cashier, now=now, name="Nora North")
    visits.check_in(player=north, by=cashier, now=now)
    alarm = Alarm.objects.get(kind=visits.ALARM)
    assert alarm.due_at == (now + timedelta(days=1)).replace(hour=5, minute=0)
    visits.check_in(player=south, by=cashier, now=alarm.due_at - timedelta(hours=1))
    Alarm.objects.update(claimed_until=alarm.due_at)
    monkeypatch.setattr(tasks.timezone, "now", lambda: alarm.due_at)
    tasks.end_visits(alarm.kind, alarm.key, alarm.fence)
    assert set(Visit.objects.filter(went_at=None).values_list("player", flat=True)) == {seated.pk, south.pk}
    assert Visit.objects.get(player=north).went_at == alarm.due_at
    assert Alarm.objects.get(kind=visits.ALARM).due_at == alarm.due_at + timedelta(days=1)
