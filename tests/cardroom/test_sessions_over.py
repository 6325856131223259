"""Sessions that are over go by a daily alarm, and online visits with them; the operator logs in as everybody does."""

from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from tests.support.models import Alarm, Repeat, RoomSession, User, Visit
from tests.support.parts.cardroom import bans, sessions, tasks, visits


def test_once_a_day_sessions_that_are_over_go_and_visits_end_when_they_did(client, north):
    client.force_login(north)
    alarm = Alarm.objects.get(kind=sessions.ALARM)
    assert alarm.due_at.hour == 5
    assert timedelta(0) < alarm.due_at - timezone.now() <= timedelta(days=1)
    assert visits.present(north, where="online")
    over = timezone.now() - timedelta(minutes=1)
    came = over - timedelta(hours=2)
    Visit.objects.update(came_at=came)
    assert sessions.clear(now=timezone.now()) == 0
    RoomSession.objects.update(expire_date=over)
    Alarm.objects.update(claimed_until=timezone.now())
    tasks.clear_sessions(alarm.kind, alarm.key, alarm.fence)
    assert not RoomSession.objects.exists()
    assert Visit.objects.get().went_at == over
    assert not Alarm.objects.filter(kind=sessions.ALARM).exists(), "nobody is logged in: the next log-in sets it again"


def test_as_long_as_somebody_is_logged_in_it_rings_again_the_next_day_and_forgets_old_keys(client, north):
    client.force_login(north)
    first = Alarm.objects.get(kind=sessions.ALARM)
    for days, key in ((31, "old"), (29, "new")):
        at = first.due_at - timedelta(days=days)
        Repeat.objects.create(user=north, verb="thing.make", key=key, at=at)
    sessions.clear(now=first.due_at)
    again = Alarm.objects.get(kind=sessions.ALARM)
    assert again.due_at - first.due_at == timedelta(days=1)
    assert (again.fence, Repeat.objects.get().key) == (first.fence + 1, "new")


def test_the_operator_logs_in_by_the_rooms_own_door_where_a_ban_is_asked_for(client, now):
    operator = User.objects.create_superuser("opal", password="all-the-burns-1")
    assert client.get(reverse("admin:login")).url.startswith(reverse("account_login"))
    posted = client.post(reverse("admin:login"), {"username": "opal", "password": "all-the-burns-1"})
    assert (posted.status_code, "_auth_user_id" in client.session) == (302, False)
    bans.exclude_oneself(player=operator, where="online", until=None, now=timezone.now())
    answer = client.post(reverse("account_login"), {"login": "opal", "password": "all-the-burns-1"})
    assert answer.status_code in (200, 403)
    assert "_auth_user_id" not in client.session
