"""Roles, and the auditor's view of sealed cards."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser, Group

from cardroom.models import SealedLook
from cardroom.services import access
from cardroom.services.errors import Forbidden, Invalid

MINUTE = timedelta(minutes=1)


@pytest.fixture
def auditor(north):
    access.grant_role(user=north, role="auditor", by=None)
    return north


@pytest.fixture
def view(auditor, now):
    return access.open_sealed_view(user=auditor, reason="a complaint about hand 41", now=now)


def test_the_roles_are_there_after_migrate():
    assert set(Group.objects.values_list("name", flat=True)) >= set(access.ROLES)


def test_a_role_is_held_from_the_grant_until_it_is_taken(north, south):
    assert not access.has_role(north, "floor")
    access.grant_role(user=north, role="floor", by=south)
    assert access.has_role(north, "manager", "floor")
    access.take_role(user=north, role="floor", by=south)
    assert not access.has_role(north, "floor")


def test_a_superuser_holds_no_role_of_the_room(django_user_model):
    operator = django_user_model.objects.create_superuser("operator")
    assert access.roles_of(operator) == set()


def test_a_closed_account_holds_no_role(north):
    access.grant_role(user=north, role="floor", by=None)
    north.is_active = False
    assert not access.has_role(north, "floor")
    with pytest.raises(Forbidden, match="closed"):
        access.require_login(north)


def test_nobody_in_particular_holds_no_role():
    assert not access.has_role(AnonymousUser(), "floor")
    with pytest.raises(Forbidden, match="Log in"):
        access.require_login(AnonymousUser())


def test_the_gate_says_whom_it_lets_through(north):
    with pytest.raises(Forbidden, match="floor and managers"):
        access.require_role(north, "floor", "manager")
    access.grant_role(user=north, role="manager", by=None)
    assert access.require_role(north, "floor", "manager") == north


def test_a_role_that_does_not_exist_is_neither_asked_for_nor_given(north):
    with pytest.raises(ValueError, match="shift-boss"):
        access.has_role(north, "shift-boss")
    with pytest.raises(Invalid, match="shift-boss"):
        access.grant_role(user=north, role="shift-boss", by=None)


def test_sealed_cards_are_looked_at_within_a_view_and_each_look_is_recorded(view, auditor, now):
    access.look_at_sealed(user=auditor, subject="hand:41", now=now + MINUTE)
    look = SealedLook.objects.get()
    assert (look.view, look.subject, look.at) == (view, "hand:41", now + MINUTE)


def test_an_auditor_without_an_open_view_sees_nothing(auditor, now):
    with pytest.raises(Forbidden, match="open one, with a reason"):
        access.look_at_sealed(user=auditor, subject="hand:41", now=now)


def test_a_view_ends_by_itself(view, auditor, now):
    assert access.sealed_view(user=auditor, now=view.until - MINUTE) == view
    assert access.sealed_view(user=auditor, now=view.until) is None


def test_a_view_ends_when_it_is_closed(view, auditor, now):
    access.close_sealed_view(user=auditor, now=now + MINUTE)
    assert access.sealed_view(user=auditor, now=now + MINUTE) is None


def test_a_view_ends_with_the_role(view, auditor, now):
    access.take_role(user=auditor, role="auditor", by=None)
    assert access.sealed_view(user=auditor, now=now) is None


def test_a_view_is_nobody_elses(view, south, now):
    access.grant_role(user=south, role="auditor", by=None)
    with pytest.raises(Forbidden):
        access.look_at_sealed(user=south, subject="hand:41", now=now)


def test_only_an_auditor_opens_a_view(north, now):
    access.grant_role(user=north, role="manager", by=None)
    with pytest.raises(Forbidden, match="auditor"):
        access.open_sealed_view(user=north, reason="a complaint about hand 41", now=now)


@pytest.mark.parametrize("reason", ["", "   ", "why?", "x" * 301])
def test_a_view_needs_a_reason(auditor, now, reason):
    with pytest.raises(Invalid, match="why"):
        access.open_sealed_view(user=auditor, reason=reason, now=now)


@pytest.mark.parametrize("lasts", [timedelta(0), -MINUTE, timedelta(hours=12, seconds=1)])
def test_a_view_is_not_for_ever(auditor, now, lasts):
    with pytest.raises(Invalid, match="twelve hours"):
        access.open_sealed_view(user=auditor, reason="a complaint", now=now, lasts=lasts)
