"""Signing up and logging in, where the room says no and where the menus lead, and the desk's pages about players."""

from datetime import timedelta

import pytest
from django.urls import reverse

from cardroom.accounts.pages import navigation
from tests.support.models import Ban, Member, User, Visit
from tests.support.offers import person
from tests.support.pages import assert_shows, get, html_of
from tests.support.parts.cardroom import access, bans, blacklist, members


@pytest.fixture
def manager(now):
    return person("mia", "manager")


def log_in(client):
    return client.post("/accounts/login/", {"login": "pia", "password": "all-the-burns"})


def test_logging_in_begins_a_visit_and_a_self_excluded_player_does_not_get_in(client, pia, now):
    assert log_in(client).status_code == 302
    assert Visit.objects.get(player=pia).where == "online"
    assert pia.sessions.get().address == "127.0.0.1"
    client.post("/accounts/logout/")
    assert Visit.objects.get(player=pia).went_at is not None
    bans.exclude_oneself(by=pia, until=now + timedelta(days=30), now=now)
    assert "cannot be undone" in html_of(log_in(client), 403)
    assert "_auth_user_id" not in client.session


def test_nobody_signs_up_from_a_blocked_network_or_by_a_blocked_name(client, manager, now):
    form = {"username": "trollface", "password1": "all-the-burns"}
    line = blacklist.add(kind="name", value="troll*", reason="Spam", by=manager, now=now)
    assert client.post("/accounts/signup/", form).status_code == 200
    assert not User.objects.filter(username="trollface").exists()
    blacklist.remove(line_id=line.pk, by=manager, now=now)
    blacklist.add(kind="network", value="127.0.0.0/8", reason="Spam", by=manager, now=now)
    assert client.post("/accounts/signup/", form).status_code == 403


def test_the_desk_keeps_what_was_typed_and_bans_once(pia, manager, browse):
    client, address = browse(manager), f"/players/{pia.pk}/do/"
    answer = client.post(address, {"what": "register", "name": "Pia Ash", "phone": "call me"})
    assert_shows(html_of(answer, 400), 'value="Pia Ash"', 'value="call me"')
    assert not Member.objects.exists()
    form = {"what": "ban", "reason": "Threw a glass", "where": "room", "key": "ban-1", "length": "7"}
    for unsure in (form, form | {"length": "", "sure": "yes"}, form | {"length": "until", "sure": "yes"}):
        assert_shows(html_of(client.post(address, unsure), 400), "Choose how long the ban lasts, and confirm it.")
    assert not Ban.objects.exists()
    form["sure"] = "yes"
    assert [client.post(address, form).status_code for _ in range(2)] == [302, 302]
    ban = Ban.objects.get()
    assert ban.until - ban.since == timedelta(days=7)

    assert_shows(get(client, "/cage/window/?q=Wil+Walker"), "?new=Wil%20Walker&amp;then=window#new")
    page = client.get("/players/", {"new": "Wil Walker", "then": "window"})
    assert_shows(html_of(page), 'value="Wil Walker"')
    form = {"name": "Wil Walker", "phone": "030 1234", "then": "window", "key": page.context["key"]}
    where = {client.post("/players/", form)["Location"] for _ in range(2)}
    assert where == {f"/cage/window/?player={Member.objects.get(name='Wil Walker').player.pk}"}
    assert 'value="none"' in html_of(client.post("/players/", form | {"phone": "none", "key": "other"}), 400)


def test_a_scanned_card_opens_the_page_of_its_owner(pia, manager, browse, now):
    access.grant_role(user=manager, role="auditor", by=None)
    card = members.register(player=pia, by=manager, now=now, name="Pia Ash")
    blacklist.add(kind="name", value="troll", reason="=cmd", by=manager, now=now)
    client = browse(manager)
    assert_shows(get(client, "/trail/?who=PIA"), "card.register", but=["blacklist.add"])
    file = get(client, "/trail/trail.csv?verb=blacklist")
    assert_shows(file, "'=cmd", but=["card.register"])
    assert get(client, "/api/v1/trail/csv?verb=blacklist") == file
    papers = [client.get(address) for address in ("/trail/trail.pdf?who=pia", f"/players/{pia.pk}/card.pdf")]
    assert [paper.content[:4] for paper in papers] == [b"%PDF"] * 2
    assert papers[0]["Content-Disposition"].endswith('.pdf"')
    assert client.get("/players/", {"q": card.barcode})["Location"] == f"/players/{pia.pk}/"
    assert_shows(html_of(client.get("/players/?q=pia+a", headers={"HX-Request": "true"})), "Pia Ash", but=["<html"])


def test_each_role_has_a_menu_of_pages_that_it_may_open(rf, browse):
    def titles(*roles):
        request = rf.get("/")
        request.user = person(f"somebody{User.objects.count()}", *roles)
        return {link.title for link in navigation.menus_of(request).staff}

    assert titles() == set()
    assert titles("director") == {"Approvals", "Drawers"}
    assert "Floor" in titles("floor")
    assert "Floor" not in titles("cashier")
    assert titles("floor") <= titles("manager", "floor")
    browsers = {role: browse(person(f"one-{role}", role)) for role in access.ROLES}
    for place in navigation.STAFF:
        assert place.roles, place.title
        assert set(place.roles) <= set(access.ROLES)
        for role in place.roles:
            get(browsers[role], reverse(place.name))


def test_guests_find_the_login_and_users_may_open_every_page_of_their_menu(browse):
    assert_shows(get(browse()), "Log in", but=['class="menu"'])
    browser = browse(person("ann"))
    page = get(browser, "/me/tokens/")
    assert_shows(page, 'href="/me/" aria-current="page"')
    assert page.count('aria-current="page"') == 1
    for _, places in navigation.ME:
        for place in places:
            get(browser, reverse(place.name))


def test_staff_lands_where_they_work_and_players_in_the_lobby(client):
    for page, *roles in (
        ("/",),
        ("/shifts/", "dealer"),
        ("/floor/", "floor"),
        ("/cage/", "cashier"),
        ("/tournaments/", "director"),
        ("/reports/", "auditor"),
        ("/floor/", "manager", "dealer"),
    ):
        login = {"login": person(f"sam{User.objects.count()}", *roles).username, "password": "seven-cards"}
        assert client.post("/accounts/login/", login).url == page
        get(client, page)
        client.logout()
        assert client.post("/accounts/login/?next=/rules/", login).url == "/rules/", "who wanted a page gets it"
        client.logout()
