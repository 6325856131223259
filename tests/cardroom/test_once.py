"""That a request is done once by its key, also where it was refused; and who holds which role."""

from functools import partial

import pytest
from django.contrib.auth.models import AnonymousUser, Group
from django.db import transaction

from cardroom.core import access
from cardroom.core.errors import Refusal
from cardroom.core.models import Notice, Repeat, User
from cardroom.core.once import UNKEPT, after_refusal, answer_once, command_name
from cardroom.core.verb import current_time, verb
from tests.support.parts.cardroom import Conflict, Forbidden, Invalid
from tests.support.racing import race
from tests.support.refusals import refused


@verb("test.count")
def count(*, numbers: dict[int, int], by: User) -> dict[str, int]:
    """A verb that a player does for themselves."""
    Notice.objects.create(player=by, kind="count", text="counted", at=current_time())
    return {"sum": sum(numbers.values())}


def test_a_player_does_it_once_by_their_own_key(north, south):
    numbers = {4: 100, 5: 20}
    assert count.once("k", numbers=numbers, by=north) == count.once("k", numbers=numbers, by=north) == {"sum": 120}
    count.once("k", numbers=numbers, by=south)
    assert Notice.objects.filter(kind="count").count() == 2


def test_a_used_key_is_refused_in_the_readers_language(north, every_word_marked):
    assert [access.role_name(role) for role in access.ROLES] == [f"~{role}" for role in access.ROLES]
    assert access.role_name("guild") == "guild"
    count.once("k", numbers={4: 100}, by=north)
    told = [
        refused(Conflict, count.once, "k", numbers={4: 20}, by=north).message,
        refused(Invalid, count.once, "k" * 61, numbers={4: 100}, by=north).message,
        refused(Invalid, command_name, north, "x" * 65).message,
    ]
    assert told == [
        "~This key belongs to another request: use a new one.",
        "~A key has at most 60 printable characters.",
        "~A command id has at most 64 characters.",
    ]


def asked_of(user, do, now):
    with transaction.atomic():
        return answer_once(by=user, verb="thing.make", key="k", content={}, do=do, now=now)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_at_once_do_it_once(north, now):
    done = []
    ask = partial(asked_of, north, lambda: done.append("a") or len(done), now)
    assert (race(ask, ask), done) == ([1, 1], ["a"])


def test_where_no_answer_is_kept_the_same_key_does_it_again(north, now):
    done = []
    for _ in range(2):
        asked_of(north, lambda: done.append("a") or UNKEPT, now)
    assert (done, Repeat.objects.count()) == (["a", "a"], 0)


class TooWarm(Invalid):
    """A refusal of a kind that was made since, or of a kind of a kind."""


@verb("test.measure")
def measure(*, degrees: int, by: User) -> None:
    kind = TooWarm if degrees > 30 else Conflict
    leave = partial(Notice.objects.create, player=by, kind="count", text="refused", at=current_time())
    raise after_refusal(kind("no", "No.", rule="Rule 1", degrees=degrees), leave, is_answer=degrees != 20)


@pytest.mark.parametrize(("degrees", "left"), [(40, 1), (10, 1), (20, 2)])
def test_a_refusal_that_is_an_answer_is_given_again_and_leaves_nothing_more(north, degrees, left):
    first, second = (refused(Refusal, measure.once, "k", degrees=degrees, by=north) for _ in range(2))
    told = [(each.status, each.message, each.code, each.rule, each.values) for each in (first, second)]
    assert told[0] == told[1]
    assert isinstance(second, Conflict if degrees < 30 else Invalid)
    assert Notice.objects.count() == left


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_at_once_are_refused_once(north):
    race(*[lambda: refused(Invalid, measure.once, "k", degrees=40, by=north).code] * 2)
    assert Notice.objects.count() == 1


def test_a_command_name_has_its_owner(north):
    assert [command_name(whose, "x") for whose in (north, 3, None)] == [f"by{north.pk}:x", "3:x", "house:x"]
    assert command_name(north, "") == ""
    for wrong in ({"command_id": "x" * 65}, {"command_id": "", "is_required": True}):
        assert refused(Invalid, command_name, north, **wrong).code == "bad-command-id"


def test_a_role_is_held_from_its_grant_until_it_is_taken(north, south):
    assert set(Group.objects.values_list("name", flat=True)) >= set(access.ROLES)
    refused(Forbidden, "floor or manager", access.require_role, north, "floor", "manager")
    access.grant_role(user=north, role="floor", by=south)
    assert access.has_role(north, "manager", "floor")
    assert access.require_role(north, "floor", "manager") == north
    access.take_role(user=north, role="floor", by=south)
    assert not access.has_role(north, "floor")
    refused(ValueError, "shift-boss", access.has_role, north, "shift-boss")
    refused(Invalid, "shift-boss", access.grant_role, user=north, role="shift-boss", by=None)
    assert access.roles_of(User.objects.create_superuser("operator")) == set()
    access.grant_role(user=north, role="floor", by=None)
    north.is_active = False
    for who, why in ((north, "closed"), (AnonymousUser(), "Log in")):
        assert not access.has_role(who, "floor")
        refused(Forbidden, why, access.require_login, who)
