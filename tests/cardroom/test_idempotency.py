"""A request under a key of the caller's own is done once."""

from datetime import UTC, datetime

import pytest
from django.db import transaction
from django.utils import translation

from cardroom.core.models import Repeat
from cardroom.core.operation import UNKEPT, answer_once, command_name
from tests.support.parts.cardroom import Conflict, Illegal, Invalid, people
from tests.support.racing import race
from tests.support.refusals import refused

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def ana():
    return people.make_guest(name="Ana Ruiz", now=NOON)


def asked_of(ana, done, *, key="k1", what="a", verb="thing.make"):
    def do():
        done.append(what)
        return len(done)

    with transaction.atomic():
        return answer_once(by=ana, verb=verb, key=key, asked={"what": what}, do=do, now=NOON)


@pytest.mark.smoke
def test_the_same_key_is_answered_alike_and_nothing_is_done(ana):
    done = []
    assert ([asked_of(ana, done), asked_of(ana, done)], done) == ([1, 1], ["a"])


def test_a_key_is_its_owners_and_the_verbs_and_without_one_it_is_done_each_time(ana):
    done, bob = [], people.make_guest(name="Bob Lee", now=NOON)
    assert [asked_of(ana, done), asked_of(bob, done), asked_of(ana, done, verb="thing.end")] == [1, 2, 3]
    assert [asked_of(ana, done, key=""), asked_of(ana, done, key="")] == [4, 5]


def test_another_request_under_the_same_key_is_refused(ana):
    done = []
    asked_of(ana, done)
    assert (refused(Conflict, asked_of, ana, done, what="b").code, done) == ("key-used", ["a"])
    refused(Invalid, asked_of, ana, done, key="k" * 61)


def test_a_key_that_was_used_is_refused_in_the_language_of_who_uses_it_again(ana, monkeypatch):
    done = []
    asked_of(ana, done)
    monkeypatch.setattr(translation._trans, "gettext", lambda message: f"{translation.get_language()}: {message}")
    with translation.override("de"):
        told = [
            refused(Conflict, asked_of, ana, done, what="b").message,
            refused(Invalid, asked_of, ana, done, key="k" * 61).message,
            refused(Invalid, command_name, ana, "x" * 65).message,
        ]
    assert told == [
        "de: This key belongs to another request: use a new one.",
        "de: A key has at most 60 printable characters.",
        "de: A command id has at most 64 characters.",
    ]


def test_what_was_refused_can_be_asked_for_again(ana):
    def refuse():
        raise Illegal("No.", "no")

    with pytest.raises(Illegal), transaction.atomic():
        answer_once(by=ana, verb="thing.make", key="k1", asked={"what": "a"}, do=refuse, now=NOON)
    assert not Repeat.objects.exists()
    assert asked_of(ana, []) == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_at_once_do_it_once(ana):
    done = []
    assert race(lambda: asked_of(ana, done), lambda: asked_of(ana, done)) == [1, 1]
    assert done == ["a"]


def test_where_no_answer_is_kept_the_same_key_does_it_again(ana):
    done = []
    for _ in range(2):
        with transaction.atomic():
            answer_once(
                by=ana, verb="thing.make", key="k", asked={}, now=NOON,
                do=lambda: done.append("a") or UNKEPT,
            )  # fmt: skip
    assert (done, Repeat.objects.count()) == (["a", "a"], 0)


def test_a_command_is_named_after_whose_it_is_and_an_id_of_the_wrong_length_is_refused(ana):
    assert [command_name(whose, "x") for whose in (ana, 3, None)] == [f"by{ana.pk}:x", "3:x", "house:x"]
    assert command_name(ana, "") == ""
    for wrong in ({"command_id": "x" * 65}, {"command_id": "", "is_required": True}):
        assert refused(Invalid, command_name, ana, **wrong).code == "bad-command-id"
