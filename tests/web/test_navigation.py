"""The menus at the top of every page: who finds what there."""

import pytest
from django.urls import reverse

from cardroom.accounts.pages import navigation
from cardroom.core import access
from cardroom.core.models import User
from tests.support.offers import person
from tests.support.pages import get, says


def test_a_player_has_no_staff_menu_each_role_its_own_and_whoever_finds_a_place_there_may_open_it(rf, browse):
    def titles(*roles):
        request = rf.get("/")
        request.user = person(f"somebody{User.objects.count()}", *roles)
        return {link.title for link in navigation.menus_of(request).staff}

    assert titles() == titles("director") == set()
    assert "Floor" in titles("floor")
    assert "Floor" not in titles("cashier")
    assert titles("floor") <= titles("manager", "floor")
    browsers = {role: browse(person(f"one-{role}", role)) for role in access.ROLES}
    for place in navigation.STAFF:
        assert place.roles, place.title
        assert set(place.roles) <= set(access.ROLES)
        for role in place.roles:
            get(browsers[role], reverse(place.name))


def test_who_is_not_logged_in_finds_the_way_in_and_who_is_may_open_every_page_of_their_menu(browse):
    says(get(browse()), "Log in", but=['class="menu"'])
    browser = browse(person("ann"))
    page = get(browser, "/me/tokens/")
    says(page, 'href="/me/tokens/" aria-current="page"')
    assert page.count('aria-current="page"') == 1
    for link in navigation.ME:
        get(browser, reverse(link.name))


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
    login = {"login": person("sam", *roles).username, "password": "seven-cards"}
    assert client.post("/accounts/login/", login).url == page
    get(client, page)
    client.logout()
    assert client.post("/accounts/login/?next=/rules/", login).url == "/rules/", "who wanted a page gets it"
