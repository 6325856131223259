"""Welcome chips come with the first seat, and never where a drawer would pay them out without being asked to."""

import pytest
from allauth.account.models import EmailAddress
from django.core.checks import Tags, run_checks
from django.urls import reverse

from cardroom.accounts import welcome
from cardroom.ledger.models import Transfer
from tests.cardroom.cage_desk import furnished
from tests.support.evening import Evening
from tests.support.events import Event
from tests.support.models import User
from tests.support.parts.cardroom import people
from tests.support.parts.games import home_games

PASSWORD = "all-the-burns-1"


@pytest.fixture
def newcomer(client, settings):
    """Somebody who has just signed up by themselves."""
    settings.CARDROOM_WELCOME_CHIPS = 1_000
    settings.CARDROOM_WELCOME_CHIPS_PAID_OUT = False
    client.post(reverse("account_signup"), {"username": "newt", "email": "newt@room.example", "password1": PASSWORD})
    return User.objects.get(username="newt")


def wallet_balance(user):
    return people.wallet_balance(user)


def warned() -> list[str]:
    found = run_checks(tags=[Tags.database], databases=["default"])
    return [each.id for each in found if each.id == "cardroom.W004"]


def test_an_account_alone_has_no_chips_and_the_first_seat_brings_them_once(newcomer):
    assert (wallet_balance(newcomer), welcome.spendable([newcomer])) == (0, {newcomer.pk: 1_000})
    evening = Evening()
    evening.sit(newcomer, buy_in=400)
    assert (wallet_balance(newcomer), welcome.chips_to_come(newcomer)) == (600, 0)
    evening.leave(newcomer)
    Evening().sit(newcomer, buy_in=400)
    assert Transfer.objects.filter(reference__startswith="welcome:").count() == 1


def test_the_entry_to_an_event_is_a_first_seat_too(newcomer):
    Event().open().enter(newcomer)
    assert wallet_balance(newcomer) == 1_000 - 115


def test_a_room_with_a_drawer_gives_none_and_its_check_says_so(newcomer, settings, now):
    assert warned() == []
    furnished(now)
    assert (welcome.chips_to_come(newcomer), people.sign_up_bonus(user=newcomer, now=now), warned()) == (
        0, None, ["cardroom.W004"],
    )  # fmt: skip
    assert not home_games.are_on(), "play money that bots lose would be paid out too"
    settings.CARDROOM_WELCOME_CHIPS_PAID_OUT = True
    assert (welcome.chips_to_come(newcomer), warned(), home_games.are_on()) == (1_000, [], True)


def test_chips_that_a_drawer_pays_out_ask_for_a_verified_address_where_mail_is_sent(newcomer, settings, now):
    settings.CARDROOM_WELCOME_CHIPS_PAID_OUT = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    assert welcome.chips_to_come(newcomer) == 1_000
    furnished(now)
    assert welcome.chips_to_come(newcomer) == 0


def test_nobody_gets_any_before_their_address_is_verified_where_that_is_asked_for(newcomer, settings):
    assert welcome.chips_to_come(newcomer) == 1_000, "in a room of play money nobody is asked"
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    assert welcome.chips_to_come(newcomer) == 0
    EmailAddress.objects.filter(user=newcomer).update(verified=True)
    assert welcome.chips_to_come(newcomer) == 1_000


def test_staff_guests_and_bots_have_nothing_to_come(newcomer, now):
    guest = people.make_guest(name="Ann Walker", now=now)
    dealer = people.make_player(name="dan", password=PASSWORD, roles=["dealer"], now=now)
    bot = people.make_bot(name="rocky", personality="rock", now=now)
    assert [welcome.chips_to_come(user) for user in (guest, dealer, bot)] == [0, 0, 0]
