"""Screen names that could be taken for another's: wherever a name is given, and in whatever letters."""

from functools import partial
from itertools import chain

import pytest
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from cardroom.core.errors import Conflict, Invalid, Refusal, Verbatim
from tests.support.models import User
from tests.support.offers import staff
from tests.support.parts.cardroom import access, accounts, names, people
from tests.support.racing import race, refusals
from tests.support.refusals import refused

PASSWORD = "seven-card-stud-1"

#: What looks like `paul.10`: capitals, marks, full width, and digits for letters.
LIKE_PAUL = ["Paul.10", "pauI10", "PAUL_1O", "ｐａｕｌ10", "paul-lo", "pau1@10"]
LIKE_STAFF = [
    "manager2", "Cashier.", "ｍａｎａｇｅｒ", "floor.manager", "FloorManager", "d3aler", "CashierAnna", "the.house",
    "_Staff_", "admin", "Dealers",
]  # fmt: skip
NO_NAMES = ["рaul", "paυl", "сashier", "paul٣", "ㅤㅤ", "..", "paul@room.example"]
GOOD_NAMES = ["Zoë", "Анна", "山田さくら", "김한", "Flora", "Hostess", "ceiling_7", "seven-card", "J.P.2"]


@pytest.fixture
def manager() -> User:
    return staff("manager", "mia")


def _by_the_page(name, **_):
    cache.clear()  # so many in a minute are too many from one address
    answer = Client().post(reverse("account_signup"), {"username": name, "email": "", "password1": PASSWORD})
    if answer.status_code == 200:
        raise Invalid("bad-name", Verbatim(str(answer.context["form"].errors)))


WAYS = {
    "by the page": _by_the_page,
    "made": lambda name, now, **_: people.make_player(name=name, password=PASSWORD, now=now),
    "as a bot": lambda name, now, **_: people.make_bot(name=name, personality="rock", now=now),
    "at the desk": lambda name, now, manager: accounts.open_one(name=name, by=manager, now=now),
    "changed by a manager": lambda name, now, manager: accounts.edit(
        user=User.objects.get(username="south"), by=manager, now=now, username=name
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_no_way_gives_a_name_that_looks_like_anothers_or_like_the_staffs(way, manager, south, now):
    User.objects.create_user("paul.10")
    wrong = [LIKE_PAUL, LIKE_STAFF, NO_NAMES]
    for name in chain(*wrong) if way == "made" else [name for each in wrong for name in (each[0], each[-1])]:
        refused(Refusal, WAYS[way], name=name, manager=manager, now=now)
    before = set(User.objects.values_list("username", flat=True))
    WAYS[way](name="Ｐａｕｌａ", manager=manager, now=now)
    assert set(User.objects.values_list("username", flat=True)) - before == {"Paula"}, "kept as plain letters"


def test_a_free_name_of_one_script_is_accepted(now):
    made = [people.make_player(name=name, password=PASSWORD, now=now).username for name in GOOD_NAMES]
    assert made == GOOD_NAMES
    kept = ["p1", "p2", "p11", "p10", "north", "north2"]
    assert len({names.looks(name) for name in kept}) == len(kept)


def test_a_guest_with_a_similar_name_gets_another_screen_name(manager, south, now):
    assert people.make_player(name="cashier2", password=PASSWORD, now=now, roles=["cashier"])
    access.grant_role(user=south, role="floor", by=None)
    assert accounts.edit(user=south, by=manager, now=now, username="floor.south").username == "floor.south"
    User.objects.create_user("paul")
    given = [people.make_guest(name=name, now=now) for name in ("Pau1", "Cashier", "Ana Руис", "Ana Ruiz")]
    assert [guest.username for guest in given] == ["Pau1.2", "guest", "guest.2", "Ana.Ruiz"]
    assert [guest.get_full_name() for guest in given] == ["Pau1", "Cashier", "Ana Руис", "Ana Ruiz"]


def test_the_database_refuses_a_name_that_looks_like_anothers(south):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.bulk_create([User(username="S0uth.")])


@pytest.mark.django_db(transaction=True)
def test_of_two_names_alike_asked_for_at_once_one_is_given(now):
    ask = partial(people.make_player, password=PASSWORD, now=now)
    assert refusals(race(partial(ask, name="paul"), partial(ask, name="Pau1.")), Conflict) == 1
    assert User.objects.filter(looks=names.looks("paul")).count() == 1
