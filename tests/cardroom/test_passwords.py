"""A new password ends what the old one opened, whoever gives it; and who guesses passwords locks nobody out."""

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from cardroom.models import ApiToken, RoomSession, User
from cardroom.services import access, accounts, sessions, tokens, visits

OLD, NEW = "seven-cards", "all-the-burns-4"


@pytest.fixture
def elsewhere(north) -> Client:
    """Another browser in which north is logged in; he has a token and a kiosk as well."""
    now, browser = timezone.now(), Client()
    browser.force_login(north, backend="django.contrib.auth.backends.ModelBackend")
    tokens.issue(user=north, name="a program", scopes=["play"], now=now)
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
    manager = User.objects.create_user("mia", password=OLD)
    access.grant_role(user=manager, role="manager", by=None)
    accounts.set_password(user=north, password=NEW, by=manager)


def _by_the_operator_on_his_page(north, **_):
    operator, browser = User.objects.create_superuser("opal", password=OLD), Client()
    browser.force_login(operator, backend="django.contrib.auth.backends.ModelBackend")
    at = reverse("admin:auth_user_password_change", args=[north.pk])
    browser.post(at, {"password1": NEW, "password2": NEW, "usable_password": "true"})


def _by_the_operator_on_his_machine(north, monkeypatch, **_):
    monkeypatch.setattr("django.contrib.auth.management.commands.changepassword.getpass.getpass", lambda **_: NEW)
    call_command("changepassword", "north")


@pytest.mark.parametrize(
    "change",
    [_on_the_page, _by_mail, _by_a_manager, _by_the_operator_on_his_page, _by_the_operator_on_his_machine],
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
