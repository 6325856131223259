"""A new password ends what the old one opened, no matter who gives it; guesses lock nobody out; and sessions
that are over go by a daily alarm."""

from base64 import b64encode
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.models import Alarm, ApiToken, Repeat, RoomSession, User, Visit
from tests.support.offers import staff
from tests.support.parts.cardroom import accounts, bans, login, sessions, tasks, tokens, visits
from tests.support.unguarded import unguarded

OLD, NEW = "seven-cards", "all-the-burns-4"


@pytest.fixture
def elsewhere(north) -> Client:
    """Another browser in which north is logged in; north has a token and a kiosk as well."""
    now, browser = timezone.now(), Client()
    browser.force_login(north, backend="django.contrib.auth.backends.ModelBackend")
    tokens.issue(by=north, name="a program", scopes=["play"], now=now)
    kiosk = sessions.SessionStore()
    kiosk[sessions.KIOSK] = north.pk
    kiosk.save()
    return browser


def _on_the_page(north, client, **_):
    answer = client.post(reverse("account_change_password"), {"oldpassword": OLD, "password1": NEW, "password2": NEW})
    assert answer.status_code == 302, answer.context["form"].errors


def _by_mail(north, client, mailoutbox, **_):
    EmailAddress.objects.create(user=north, email="north@room.example", primary=True, verified=True)
    client.logout()
    client.post(reverse("account_reset_password"), {"email": "north@room.example"})
    link = next(word for word in mailoutbox[0].body.split() if "/password/reset/key/" in word)
    form = client.get(link.partition("testserver")[2], follow=True)
    client.post(form.request["PATH_INFO"], {"password1": NEW, "password2": NEW})


def _by_a_manager(north, **_):
    accounts.set_password(user=north, password=NEW, by=staff("manager"))


def _by_the_operator_on_his_machine(north, monkeypatch, **_):
    monkeypatch.setattr("django.contrib.auth.management.commands.changepassword.getpass.getpass", lambda **_: NEW)
    call_command("changepassword", "north")


@pytest.mark.parametrize(
    "change",
    [_on_the_page, _by_mail, _by_a_manager, _by_the_operator_on_his_machine],
    ids=lambda way: way.__name__.strip("_").replace("_", " "),
)
def test_a_new_password_ends_all_other_sessions_kiosks_and_tokens(
    north, client, elsewhere, change, mailoutbox, monkeypatch
):
    client.login(username="north", password=OLD)
    change(north=north, client=client, mailoutbox=mailoutbox, monkeypatch=monkeypatch)
    north.refresh_from_db()
    assert north.check_password(NEW)
    assert not ApiToken.objects.filter(user=north).exists()
    assert not RoomSession.objects.filter(kiosk_by=north).exists()
    mine = [client.session.session_key] if change is _on_the_page else []
    assert [session.session_key for session in north.sessions.all()] == mine
    assert elsewhere.get(reverse("account_change_password")).status_code == 302
    assert bool(visits.present(north, where="online")) == (change is _on_the_page)


def test_what_only_hashes_the_same_password_anew_ends_nothing(north, elsewhere, settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher", *settings.PASSWORD_HASHERS]
    before = north.password
    assert Client().login(username="north", password=OLD)
    north.refresh_from_db()
    assert north.password != before
    assert (ApiToken.objects.count(), RoomSession.objects.filter(kiosk_by=north).count()) == (1, 1)


GUESSER, HOME = "203.0.113.9", "192.0.2.4"


@pytest.fixture
def log_in() -> Callable[..., bool]:
    """`log_in(browser, "north", password)`: whether the page lets them in."""
    cache.clear()

    def try_login(browser: Client, name: str, password: str, address: str = HOME) -> bool:
        answer = browser.post(reverse("account_login"), {"login": name, "password": password}, REMOTE_ADDR=address)
        assert answer.status_code in (200, 302)
        is_in = "_auth_user_id" in browser.session
        if is_in:
            browser.post(reverse("account_logout"))
        return is_in

    return try_login


def test_a_guesser_of_passwords_is_locked_out_and_not_the_owner(north, log_in):
    for name in ("north", "NORTH") * 5:
        assert not log_in(Client(), name, "no-idea-at-all", GUESSER)
    assert not log_in(Client(), "north", OLD, GUESSER), "from there not even with the right one"
    assert log_in(Client(), "north", OLD), "a new browser at home"
    strangers = [Client() for _ in range(3)]
    for stranger, cookie in zip(strangers, ("", "x", "e30:1abc:def"), strict=True):
        stranger.cookies[login.COOKIE] = cookie
    for stranger in strangers * 2:
        log_in(stranger, "north", "no-idea-at-all")
    assert [log_in(stranger, "north", OLD) for stranger in strangers] == [False] * 3, "each guesses for all"


def test_a_right_password_is_let_in_from_the_very_address_of_others_who_guess(north, south, log_in):
    known, shared = Client(), Client()
    for browser, name in ((known, "north"), (shared, "south"), (shared, "north")):
        assert log_in(browser, name, OLD)
    for name in [*["north"] * 5, *(f"nobody{number}" for number in range(25))]:
        log_in(Client(), name, "no-idea-at-all")
    assert log_in(Client(), "south", OLD), "many people may share an address"
    assert not log_in(Client(), "north", OLD), "five wrong guesses at one name from there"
    for browser, name in ((known, "north"), (shared, "north"), (shared, "south")):
        assert log_in(browser, name, OLD)


def test_a_known_browser_is_slowed_down_by_seconds_however_often_its_owner_mistypes(north, log_in):
    known = Client()
    assert log_in(known, "north", OLD)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for _ in range(9):  # more than a browser that is not known may in a day
            for _ in range(5):
                assert not log_in(known, "north", "no-idea-at-all")
            assert not log_in(known, "north", OLD), "too fast"
            clock.shift(21)
        assert log_in(known, "north", OLD)


def test_a_browser_is_known_by_a_password_only_as_long_as_it_is_good(north, log_in):
    known = Client()
    assert log_in(known, "north", OLD)
    north.set_password(NEW)
    north.save()
    for _ in range(5):
        log_in(known, "north", OLD)
    assert not log_in(known, "north", NEW), "counted as any other browser at this address"
    assert log_in(Client(), "north", NEW, GUESSER)


def test_no_way_round_the_limits_leads_over_signing_up_twice_or_a_programs_log_in(north, client, log_in):
    for way in range(2):
        cache.clear()
        for _ in range(5):
            _sign_up(client, "no-idea-at-all") if way else _ask_for_a_token(client, "no-idea-at-all")
        assert not log_in(Client(), "north", OLD)
        _sign_up(client, OLD)
        assert "_auth_user_id" not in client.session
        assert _ask_for_a_token(client, OLD).status_code == 429


def _sign_up(client, password):
    sent = {"username": "north", "email": "", "password1": password}
    return client.post(reverse("account_signup"), sent, REMOTE_ADDR=HOME)


def _ask_for_a_token(client, password):
    said = b64encode(f"north:{password}".encode()).decode()
    sent = {"name": "a program", "scopes": ["read"]}
    return client.post(
        "/api/v1/tokens", sent, "application/json", headers={"Authorization": f"Basic {said}"}, REMOTE_ADDR=HOME
    )


def test_once_a_day_sessions_that_are_over_go_and_visits_end_when_they_did(client, north):
    client.force_login(north)
    alarm = Alarm.objects.get(kind=sessions.ALARM)
    assert alarm.due_at.hour == 5
    assert timedelta(0) < alarm.due_at - timezone.now() <= timedelta(days=1)
    assert visits.present(north, where="online")
    over = timezone.now() - timedelta(minutes=1)
    with unguarded():
        Visit.objects.update(came_at=over - timedelta(hours=2))
    assert sessions.clear(now=timezone.now()) == 0
    RoomSession.objects.update(expire_date=over)
    Alarm.objects.update(claimed_until=timezone.now())
    tasks.clear_sessions(alarm.kind, alarm.key, alarm.fence)
    assert not RoomSession.objects.exists()
    assert Visit.objects.get().went_at == over
    assert not Alarm.objects.filter(kind=sessions.ALARM).exists(), "nobody is logged in: the next log-in sets it again"


def test_the_alarm_that_clears_sessions_is_set_for_the_next_day(client, north):
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
    bans.exclude_oneself(by=operator, where="online", until=None, now=timezone.now())
    answer = client.post(reverse("account_login"), {"login": "opal", "password": "all-the-burns-1"})
    assert answer.status_code in (200, 403)
    assert "_auth_user_id" not in client.session
