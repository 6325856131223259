"""Roles, and the gates that say no."""

import pytest
from django.contrib.auth.models import AnonymousUser, Group

from cardroom.services import access
from cardroom.services.errors import Forbidden, Invalid


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
