"""A person who borrows a browser for a minute takes nothing with them: mail, password, tokens, sessions, and idle
staff."""

import time
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.models import ApiToken, RoomSession, User
from tests.support.pages import assert_hides, assert_shows, confirmed, get, json_of
from tests.support.parts.cardroom import access, accounts

PASSWORD = "seven-card-stud-1"
EMAIL = reverse("account_email")


@pytest.fixture(autouse=True)
def _nobody_counted():
    cache.clear()


def log_in(user: User) -> Client:
    browser = Client()
    browser.post(reverse("account_login"), {"login": user.username, "password": PASSWORD})
    assert "_auth_user_id" in browser.session
    return browser


@pytest.fixture
def ann(db) -> User:
    user = User.objects.create_user("ann", "ann@room.example", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user


def is_asked_for_the_password(answer) -> bool:
    return answer.status_code == 302 and answer.url.startswith(reverse("account_reauthenticate"))


@pytest.mark.parametrize(
    "order",
    [
        {"action_add": "", "email": "thief@else.example"},
        {"action_remove": "", "email": "second@room.example"},
        {"action_primary": "", "email": "second@room.example"},
    ],
    ids=["add", "remove", "make primary"],
)
def test_an_address_is_changed_only_after_the_password(ann, order):
    EmailAddress.objects.create(user=ann, email="second@room.example", verified=True)
    before = list(EmailAddress.objects.order_by("pk").values_list("email", "primary"))
    browser = log_in(ann)
    asked = browser.post(EMAIL, order)
    assert is_asked_for_the_password(asked)
    assert list(EmailAddress.objects.order_by("pk").values_list("email", "primary")) == before
    browser.post(asked.url, {"password": PASSWORD})
    assert list(EmailAddress.objects.order_by("pk").values_list("email", "primary")) != before


def test_a_new_primary_address_is_told_to_the_old_one(ann):
    EmailAddress.objects.create(user=ann, email="second@room.example", verified=True)
    confirmed(log_in(ann)).post(EMAIL, {"action_primary": "", "email": "second@room.example"})
    assert "ann@room.example" in [to for sent in mail.outbox for to in sent.to]


def test_a_new_password_is_told_to_every_confirmed_address(ann):
    EmailAddress.objects.create(user=ann, email="second@room.example", verified=True)
    EmailAddress.objects.create(user=ann, email="never@confirmed.example", verified=False)
    order = {"oldpassword": PASSWORD, "password1": "all-the-burns-4", "password2": "all-the-burns-4"}
    log_in(ann).post(reverse("account_change_password"), order)
    assert {to for sent in mail.outbox for to in sent.to} == {"ann@room.example", "second@room.example"}


def test_a_password_is_reset_by_a_confirmed_address_alone(ann):
    EmailAddress.objects.create(user=ann, email="thief@else.example", verified=False)
    Client().post(reverse("account_reset_password"), {"email": "thief@else.example"})
    assert not any("/password/reset/key/" in sent.body for sent in mail.outbox)
    Client().post(reverse("account_reset_password"), {"email": "ann@room.example"})
    assert any("/password/reset/key/" in sent.body for sent in mail.outbox)


def test_a_token_is_made_only_after_the_password(ann):
    browser = log_in(ann)
    assert is_asked_for_the_password(browser.post(reverse("tokens"), {"name": "bot", "scopes": ["play"], "days": "9"}))
    assert not ApiToken.objects.exists()


def test_ones_sessions_are_listed_and_each_can_be_ended(ann):
    here, there = log_in(ann), log_in(ann)
    other = RoomSession.objects.get(session_key=there.session.session_key)
    page = get(here, reverse("my_sessions"))
    assert_shows(page, "This browser", reverse("end_my_session", args=[other.handle]), "Log out everywhere else")
    assert_hides(page, here.session.session_key, there.session.session_key)
    here.post(reverse("end_my_session", args=[other.handle]))
    assert there.get("/me/").status_code == 302
    get(here, "/me/")


def test_log_out_everywhere_else_ends_all_but_this_one(ann):
    here, others = log_in(ann), [log_in(ann) for _ in range(3)]
    stranger = log_in(User.objects.create_user("bob", password=PASSWORD))
    assert json_of(here.delete("/api/v1/me/sessions"), 200) == {"ended": 3}
    assert [browser.get("/me/").status_code for browser in others] == [302] * 3
    get(here, "/me/")
    get(stranger, "/me/")
    get(here, reverse("my_sessions"))


def test_nobody_ends_a_session_of_somebody_else(ann):
    theirs = log_in(User.objects.create_user("bob", password=PASSWORD))
    handle = RoomSession.objects.get(session_key=theirs.session.session_key).handle
    assert log_in(ann).delete(f"/api/v1/me/sessions/{handle}").status_code == 404
    get(theirs, "/me/")


@pytest.fixture
def staffed(ann, settings) -> Client:
    settings.CARDROOM_STAFF_IDLE_MINUTES = 60
    access.grant_role(user=ann, role="floor", by=None)
    return log_in(ann)


def test_staff_are_logged_out_after_an_hour_without_a_click(staffed, time_machine):
    get(staffed, "/floor/")
    time_machine.move_to(timezone.now() + timedelta(minutes=59), tick=False)
    get(staffed, "/floor/")
    time_machine.move_to(timezone.now() + timedelta(minutes=61), tick=False)
    answer = staffed.get("/floor/")
    assert answer.url == f"{reverse('account_login')}?next=%2Ffloor%2F"
    assert "_auth_user_id" not in staffed.session


def test_what_a_page_asks_for_by_itself_is_no_click(staffed, time_machine):
    get(staffed, "/floor/")
    began = time.time()
    for minutes in (20, 40, 59):
        time_machine.move_to(began + minutes * 60, tick=False)
        assert staffed.get("/floor/", headers={"HX-Request": "true"}).status_code == 200
    time_machine.move_to(began + 61 * 60, tick=False)
    answer = staffed.get("/floor/", headers={"HX-Request": "true"})
    assert answer["HX-Redirect"] == reverse("account_login")


def test_a_program_of_a_page_is_told_that_its_session_ended(staffed, time_machine):
    get(staffed, "/floor/")
    time_machine.move_to(timezone.now() + timedelta(minutes=61), tick=False)
    assert json_of(staffed.get("/api/v1/floor/calls"), 403)["code"] == "idle"


def test_players_stay_logged_in(ann, settings, time_machine):
    settings.CARDROOM_STAFF_IDLE_MINUTES = 60
    browser = log_in(ann)
    get(browser, "/me/")
    time_machine.move_to(timezone.now() + timedelta(hours=5), tick=False)
    get(browser, "/me/")


def test_the_first_password_of_an_account_of_the_desk_is_mailed_once(db):
    manager = User.objects.create_user("mia")
    access.grant_role(user=manager, role="manager", by=None)
    made = accounts.open_one(name="west", email="west@room.example", by=manager)
    ask = {"email": made.email}
    Client().post(reverse("account_reset_password"), ask)
    assert "/password/reset/key/" in mail.outbox[-1].body
    made.set_password(PASSWORD)
    made.save()
    cache.clear()
    Client().post(reverse("account_reset_password"), ask)
    assert "/password/reset/key/" not in mail.outbox[-1].body
