"""Roles, and the gates that say no."""

from django.contrib.auth.models import AnonymousUser, Group

from cardroom.core import access
from cardroom.core.errors import Forbidden, Invalid
from tests.support.refusals import refused


def test_the_roles_are_there_and_held_from_the_grant_until_they_are_taken(north, south):
    assert set(Group.objects.values_list("name", flat=True)) >= set(access.ROLES)
    assert not access.has_role(north, "floor")
    access.grant_role(user=north, role="floor", by=south)
    assert access.has_role(north, "manager", "floor")
    access.take_role(user=north, role="floor", by=south)
    assert not access.has_role(north, "floor")


def test_no_operator_nobody_in_particular_and_no_closed_account_holds_a_role(north, django_user_model):
    assert access.roles_of(django_user_model.objects.create_superuser("operator")) == set()
    access.grant_role(user=north, role="floor", by=None)
    north.is_active = False
    for who, why in ((north, "closed"), (AnonymousUser(), "Log in")):
        assert not access.has_role(who, "floor")
        refused(Forbidden, why, access.require_login, who)


def test_the_gate_says_whom_it_lets_through_and_knows_every_role(north):
    refused(Forbidden, "floor and managers", access.require_role, north, "floor", "manager")
    access.grant_role(user=north, role="manager", by=None)
    assert access.require_role(north, "floor", "manager") == north
    refused(ValueError, "shift-boss", access.has_role, north, "shift-boss")
    refused(Invalid, "shift-boss", access.grant_role, user=north, role="shift-boss", by=None)


def test_roles_are_called_on_pages_in_the_readers_language(every_word_marked):
    assert [access.role_name(role) for role in access.ROLES] == [f"~{role}" for role in access.ROLES]
    assert access.role_name("guild") == "guild"
