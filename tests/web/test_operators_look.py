"""What lets somebody act is not changed in `/admin/`: roles, passwords, addresses, second factors, accounts."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group

from tests.cardroom.cage_desk import person
from tests.support.models import User


@pytest.fixture
def operator(client, settings):
    settings.CARDROOM_STAFF_FACTOR = False
    user = person("ops")
    User.objects.filter(pk=user.pk).update(is_staff=True, is_superuser=True)
    client.force_login(User.objects.get(pk=user.pk))
    return client


def test_a_superuser_gives_nobody_a_role_or_a_way_in(operator):
    ann = person("ann")
    User.objects.filter(pk=ann.pk).update(is_active=False, email="ann@example.org")
    before = User.objects.filter(pk=ann.pk).values("password", "email", "is_active", "is_staff", "is_superuser").get()
    page = operator.get(f"/admin/core/user/{ann.pk}/change/").content.decode()
    for name in ("groups", "password", "email", "is_active", "is_staff", "is_superuser", "user_permissions"):
        assert f'name="{name}"' not in page, name
    manager = Group.objects.get(name="manager").pk
    asked = {"username": "ann", "groups": [manager], "email": "mallory@example.org", "look": "{}", "is_active": "on",
             "is_staff": "on", "is_superuser": "on", "password": "x"}  # fmt: skip
    assert operator.post(f"/admin/core/user/{ann.pk}/change/", asked).status_code == 302
    assert User.objects.filter(pk=ann.pk).values(*before).get() == before
    assert not User.objects.get(pk=ann.pk).groups.exists()


def test_no_page_of_the_operator_sets_a_password_adds_somebody_or_renames_a_role(operator):
    ann = person("ann")
    address = EmailAddress.objects.create(user=ann, email="ann@example.org", verified=True, primary=True)
    dealer = Group.objects.get(name="dealer")
    closed = [
        f"core/user/{ann.pk}/password/", "core/user/add/", "auth/group/add/", "account/emailaddress/add/",
        "mfa/authenticator/add/",
    ]  # fmt: skip
    for path in closed:
        assert operator.get(f"/admin/{path}").status_code == 403, path
        assert operator.post(f"/admin/{path}", {"password1": "x", "password2": "x"}).status_code == 403, path
    for path in (f"auth/group/{dealer.pk}", f"account/emailaddress/{address.pk}"):
        assert operator.post(f"/admin/{path}/change/", {"name": "manager", "email": "m@example.org"}).status_code == 403
        assert operator.post(f"/admin/{path}/delete/", {"post": "yes"}).status_code == 403
