"""How people and bots come into the room, by service and by the sign-up page."""

import re
from functools import partial

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import authenticate
from django.urls import reverse

from cardroom.accounts import welcome
from tests.support.models import Transfer, User
from tests.support.parts.cardroom import Conflict, Invalid, access, accounts, people, roles
from tests.support.refusals import refused

PASSWORD = "seven-card-stud-1"


@pytest.fixture
def make_player(now):
    return partial(people.make_player, password=PASSWORD, now=now)


@pytest.fixture
def make_bot(now):
    return partial(people.make_bot, personality="rock", now=now)


def test_a_room_for_money_gives_nobody_chips_but_the_bots_of_the_house(
    make_player, make_bot, sign_up, client, settings, now
):
    settings.CARDROOM_WELCOME_CHIPS = 0
    assert "10,000" not in client.get(reverse("account_signup")).content.decode()
    sign_up("east")
    accounts.open_one(name="west", by=make_player(name="mia", roles=["manager"]), now=now)
    assert not Transfer.objects.exists()
    assert people.wallet_balance(make_player(name="north")) == 0
    assert people.wallet_balance(make_bot(name="rocky")) == people.BOT_CHIPS


def test_staff_has_no_welcome_chips_and_who_becomes_staff_gives_untouched_ones_back(make_player, now, audited):
    mia = make_player(name="mia", roles=["manager"])
    assert people.wallet_balance(mia) == 0
    new, winner = make_player(name="new"), make_player(name="winner")
    people.issue_play_money(user=winner, amount=5, reference="more:1", reason="won", now=now)
    for user in (new, winner):
        for role in ("dealer", "floor"):
            roles.give(user=user, role=role, by=mia, now=now)
    assert [people.wallet_balance(user) for user in (new, winner)] == [0, 10_005]


def test_welcome_chips_are_paid_once(make_player, settings, now):
    player = make_player(name="north")
    assert people.sign_up_bonus(user=player, now=now) == people.sign_up_bonus(user=player, now=now)
    settings.CARDROOM_WELCOME_CHIPS = 500
    assert make_player(name="north") == player
    assert [people.wallet_balance(who) for who in (player, make_player(name="south"))] == [10_000, 500]


def test_a_made_player_can_log_in_a_bot_cannot_and_each_has_its_name_to_itself(make_player, make_bot, now):
    player = make_player(name="north", roles=["floor", "dealer"])
    assert authenticate(username="north", password=PASSWORD) == player
    assert access.roles_of(player) == {"floor", "dealer"}
    refused(Conflict, "is taken", people.make_player, name="north", password="another-password-2", now=now)
    refused(Conflict, make_bot, name="north")
    bot = make_bot(name="rock-1")
    assert (bot.is_bot, bot.personality, bot.has_usable_password()) == (True, "rock", False)
    assert (people.wallet_balance(bot), make_bot(name="rock-1", personality="maniac")) == (10_000, bot)
    assert User.objects.get(pk=bot.pk).personality == "maniac"
    refused(Conflict, make_player, name="rock-1")


def test_a_name_that_does_not_fit_a_seat_is_refused_and_play_money_in_parts_of_chips(make_player, north, now):
    for name in ("", "x", "x" * 21, "two words", "<b>bold</b>"):
        refused(Invalid, "screen name", make_player, name=name)
    issue = partial(people.issue_play_money, user=north, reference="more:1", reason="more", now=now)
    for amount in (0, -5, 1.5, True):
        refused(Invalid, "whole number of chips", issue, amount=amount)


@pytest.fixture
def sign_up(client):
    sent = {"email": "", "password1": PASSWORD}
    return lambda name: client.post(reverse("account_signup"), {"username": name, **sent})


@pytest.mark.parametrize("is_seen", [True, False], ids=["one after the other", "in one moment"])
def test_a_sign_up_sent_twice_logs_in_and_with_another_password_is_refused(sign_up, client, monkeypatch, is_seen):
    sign_up("north")
    client.logout()
    if not is_seen:
        monkeypatch.setattr("cardroom.accounts.pages.login.AccountAdapter.clean_username", lambda self, name, **_: name)
    address = reverse("account_signup")
    answer = client.post(address, {"username": "north", "password1": "another-evening-2"})
    assert (answer.status_code, "_auth_user_id" in client.session) == (200 if is_seen else 409, False)
    assert (sign_up("north").status_code, client.session["_auth_user_id"]) == (302, str(User.objects.get().pk))
    assert welcome.chips_to_come(User.objects.get()) == 10_000


def test_a_mail_names_the_room_and_leads_to_its_address_or_to_where_it_was_asked_for(client, settings, mailoutbox):
    mel = User.objects.create_user("mel", "mel@room.example", PASSWORD)
    EmailAddress.objects.create(user=mel, email=mel.email, primary=True, verified=True)
    client.post(reverse("account_reset_password"), {"email": "mel@room.example"})
    assert "Hello from Cardroom!" in mailoutbox[0].body
    assert "http://testserver/accounts/password/reset/key/" in mailoutbox[0].body
    assert mailoutbox[0].from_email.startswith("Cardroom <")
    settings.CARDROOM_NAME, settings.ACCOUNT_EMAIL_SUBJECT_PREFIX = "The Gold Room", "[The Gold Room] "
    settings.CARDROOM_ADDRESS = "https://room.example"
    for name in ("mel", "nobody"):
        client.post(reverse("account_reset_password"), {"email": f"{name}@room.example"})
    assert len(mailoutbox) == 3
    for mail in mailoutbox[1:]:
        assert mail.subject.startswith("[The Gold Room]")
        assert "https://room.example/accounts/" in mail.body
        assert "testserver" not in mail.body
        assert "localhost" not in mail.body
    assert "https://room.example/accounts/email/" in mailoutbox[2].body, "where an address is confirmed"


@pytest.mark.parametrize("factor", ["mfa_add_webauthn", "mfa_activate_totp"])
def test_a_second_factor_needs_a_confirmed_address(client, mailoutbox, factor):
    user = User.objects.create_user("mel", f"{factor}@room.example", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=False)
    client.force_login(user)
    page = client.get(reverse(factor), follow=True).content.decode()
    assert f'or remove it from your account: <a href="{reverse("account_email")}"' in page
    (mail,) = mailoutbox
    assert mail.to == [f"{factor}@room.example"]
    client.post(re.search(r"http://testserver(/accounts/confirm-email/\S+)", mail.body)[1])
    assert EmailAddress.objects.get(user=user).verified
    assert client.get(reverse(factor))["Location"].startswith(reverse("account_reauthenticate"))


def test_the_login_page_says_what_to_type(client):
    page = client.get(reverse("account_login")).content.decode()
    assert "Username or e-mail" in page
    assert ">Login<" not in page
