"""The menus at the top of every page: who finds what there."""

import pytest
from django.urls import reverse

from cardroom.accounts.pages import navigation
from cardroom.core import access
from cardroom.core.models import User
from tests.support.offers import staff


@pytest.fixture
def titles(rf):
    """`titles("floor")`: what the staff menu of somebody with this role holds."""

    def found(*roles):
        user = User.objects.create_user(f"somebody{User.objects.count()}")
        for role in roles:
            access.grant_role(user=user, role=role, by=None)
        request = rf.get("/")
        request.user = user
        return [link.title for link in navigation.menus_of(request).staff]

    return found


def test_a_player_has_no_staff_menu_and_each_role_its_own(titles):
    assert titles() == []
    assert "Floor" in titles("floor")
    assert "Floor" not in titles("cashier")
    assert titles("director") == []
    assert set(titles("floor")) <= set(titles("manager", "floor"))


def test_who_is_not_logged_in_finds_the_way_in_and_who_is_may_open_every_page_of_their_menu(browse):
    page = browse().get("/").content.decode()
    assert "Log in" in page
    assert 'class="menu"' not in page
    page = browse(User.objects.create_user("ann")).get("/me/tokens/").content.decode()
    assert 'href="/me/tokens/" aria-current="page"' in page
    assert page.count('aria-current="page"') == 1
    browser = browse(User.objects.create_user("bob"))
    for link in navigation.ME:
        assert browser.get(reverse(link.name)).status_code == 200, link.name


@pytest.mark.parametrize(
    ("roles", "page"),
    [
        ((), "/"),
        (("dealer",), "/shifts/"),
        (("floor",), "/floor/"),
        (("cashier",), "/cage/"),
        (("director",), "/tournaments/"),
        (("auditor",), "/reports/"),
        (("manager", "dealer"), "/floor/"),
    ],
)
def test_staff_lands_where_they_work_and_players_in_the_lobby(client, roles, page):
    user = User.objects.create_user("sam", password="seven-cards-1")
    for role in roles:
        access.grant_role(user=user, role=role, by=None)
    login = {"login": "sam", "password": "seven-cards-1"}
    assert client.post("/accounts/login/", login).url == page
    assert client.get(page).status_code == 200
    client.logout()
    assert client.post("/accounts/login/?next=/rules/", login).url == "/rules/", "who wanted a page gets it"


def test_every_place_is_for_roles_that_there_are_and_whoever_finds_it_in_a_menu_may_open_it(browse):
    browsers = {role: browse(staff(role, f"one-{role}")) for role in access.ROLES}
    for place in navigation.STAFF:
        for role in place.roles:
            assert browsers[role].get(reverse(place.name)).status_code == 200, (place.name, role)
    for place in navigation.STAFF:
        assert place.roles, place.title
        assert set(place.roles) <= set(access.ROLES)
