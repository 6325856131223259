"""Staff has a second factor, and shows it again before money and sealed cards."""

import time
from collections.abc import Iterator

import pytest
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.core.cache import cache
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone

from cardroom.accounts.pages import factors
from cardroom.cage import api as cage_api
from cardroom.cage import urls as cage_urls
from cardroom.core.web.forms import PagePost
from cardroom.core.web.resources import Does, Resource
from cardroom.office import accounts, blacklist, connections
from cardroom.urls import urlpatterns
from tests.support.events import Event
from tests.support.models import ApiToken, Drawer, User
from tests.support.pages import assert_hides, assert_shows, get, json_of
from tests.support.parts.cardroom import access, people, tokens

PASSWORD = "seven-card-stud-1"
ROLES = ("dealer", "floor", "cashier", "director", "manager", "auditor")


@pytest.fixture(autouse=True)
def _asked_for(settings, time_machine):
    time_machine.move_to(timezone.now(), tick=False)  # a code is good for its half minute
    settings.CARDROOM_STAFF_FACTOR = True
    cache.clear()


class Person:
    """Somebody with a browser, and an app once they have set it up."""

    def __init__(self, role: str = "") -> None:
        make = User.objects.create_superuser if role == "operator" else User.objects.create_user
        self.user, self.browser, self.secret = make(f"p{User.objects.count()}", password=PASSWORD), Client(), ""
        if role in ROLES:
            access.grant_role(user=self.user, role=role, by=None)

    def sets_up(self) -> "Person":
        self.secret = generate_totp_secret()
        TOTP.activate(self.user, self.secret)
        return self

    def code(self) -> str:
        cache.clear()  # each code counts once
        return format_hotp_value(hotp_value(self.secret, int(time.time()) // 30))

    def logs_in(self) -> "Person":
        answer = self.browser.post(reverse("account_login"), {"login": self.user.username, "password": PASSWORD})
        if self.secret:
            assert answer.url == reverse("mfa_authenticate")
            assert "_auth_user_id" not in self.browser.session, "the password alone is not enough"
            self.browser.post(answer.url, {"code": self.code()})
        assert "_auth_user_id" in self.browser.session
        return self

    def waits(self, minutes: int) -> "Person":
        session = self.browser.session
        for record in session["account_authentication_methods"]:
            record["at"] -= minutes * 60
        session.save()
        return self


def is_asked_again(answer) -> bool:
    return answer.get("Location", "").startswith(reverse("mfa_reauthenticate"))


@pytest.mark.parametrize("role", [*ROLES, "operator"])
def test_staff_without_a_second_factor_gets_nowhere_but_to_set_one_up(role):
    person = Person(role).logs_in()
    for page in ("/", "/me/", "/cage/", "/staff/accounts/", "/admin/"):
        answer = person.browser.get(page)
        assert (answer.status_code, answer.get("Location")) == (302, reverse("mfa_index")), page
    assert person.browser.get("/api/v1/tables").json()["code"] == "second-factor"
    page = get(person.browser, reverse("mfa_index"))
    assert_shows(page, "need a second factor")
    assert_hides(page, "room.js")  # its socket would be refused
    get(person.sets_up().browser, "/me/")


def test_a_staff_token_without_a_second_factor_opens_nothing(settings):
    get(Person().logs_in().browser, "/me/")
    person = Person("cashier")
    _, secret = tokens.issue(by=person.user, name="old", scopes=["read", "cage"], now=timezone.now())
    asked = {"headers": {"Authorization": f"Token {secret}"}}
    assert json_of(Client().get("/api/v1/cage/slips", **asked), 403)["code"] == "second-factor"
    person.sets_up()
    assert Client().get("/api/v1/cage/slips", **asked).status_code == 200
    settings.CARDROOM_STAFF_FACTOR = False
    get(Person("manager").logs_in().browser, "/staff/accounts/")


def test_money_asks_for_the_factor_again_after_a_while_and_then_does_what_was_asked():
    person = Person("manager").sets_up().logs_in()

    def make(name, **more):
        return person.browser.post(reverse("cage_make_drawer"), {"name": name}, **more)

    assert make("Main window").status_code == 302
    assert Drawer.objects.count() == 1
    person.waits(16)
    get(person.browser, reverse("cage_drawers"))  # to look needs nothing
    away = make("Second window")
    assert is_asked_again(away)
    assert_hides(get(person.browser, away.url), reverse("account_reauthenticate"))
    person.browser.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert make("Third").url.startswith("/accounts/2fa/")
    inside = make("Fourth", headers={"HX-Request": "true", "HX-Current-URL": "http://testserver/cage/drawers/"})
    assert inside["HX-Redirect"] == f"{reverse('mfa_reauthenticate')}?next=%2Fcage%2Fdrawers%2F"
    assert Drawer.objects.count() == 1
    person.browser.post(away.url, {"code": person.code()})
    make("Fourth window")
    assert "Fourth window" in Drawer.objects.values_list("name", flat=True)


def test_extra_fields_do_not_get_around_the_repeated_login():
    person = Person("manager").sets_up().logs_in().waits(16)
    other = User.objects.create_user("ann", email="ann@example.org")
    ask = {"what": "adjust", "amount": "50", "reason": "a mistake", "key": "k"}
    for sent in (ask, ask | {"verb": "nothing"}, {"what": "password", "password": "all-the-burns-4"}):
        assert is_asked_again(person.browser.post(reverse("account_page", args=[other.pk]), sent)), sent
    assert people.wallet_balance(other) == 0
    assert "all-the-burns-4" not in str(dict(person.browser.session))


def test_the_cage_accounts_and_tokens_ask_again_although_not_all_of_it_moves_chips():
    """What moves chips is said by the ledger: `test_step_up` walks it."""
    views = dict(_views(urlpatterns))
    assert {view.__module__ for view in views.values()} >= factors.MODULES
    of_players = {"ask_cashier", "take_back_request", "AskCashierForm", "TakeBackRequestForm"}
    declared = dict(
        [found for room in (cage_api, *cage_urls.PAGES, accounts, blacklist, connections) for found in _verbs(room)]
    )
    assert {"open_drawer", "OpenDrawerForm", "adjust_balance"} <= set(declared)
    assert {name for name, asks in declared.items() if not asks} == of_players
    asking = {at for at, view in views.items() if getattr(view, "asks_factor", False)}
    assert asking >= {"api/v1/cage/slips", "cage/do/", "cage/slips/<id:slip_id>/receipt/"}
    assert asking >= {"staff/accounts/<id:user_id>/", "staff/blacklist/", "api/v1/accounts/<id:user_id>/adjust"}
    assert asking >= {"me/tokens/", "api/v1/tokens"}, "a bearer of a key is asked for no factor any more"
    assert set(get_resolver().reverse_dict) >= factors.SEALED


def _verbs(room) -> Iterator[tuple[str, bool]]:
    """The names of what changes something in this room, at an address and by a form; and whether it asks."""
    for each in vars(room).values():
        if isinstance(each, type) and issubclass(each, Resource):
            yield from ((does.name, each.asks_factor) for does in each.verbs.values() if isinstance(does, Does))
        elif isinstance(each, type) and issubclass(each, PagePost) and hasattr(each, "does"):
            yield each.__name__, each.asks_factor


def _views(patterns, before=""):
    for pattern in patterns:
        at = before + str(pattern.pattern)
        if hasattr(pattern, "url_patterns"):
            yield from _views(pattern.url_patterns, at)
        else:
            view = pattern.callback
            yield at, getattr(view, "cls", None) or getattr(view, "view_class", None) or view


def test_a_session_is_asked_again_before_accounts_tokens_and_sealed_cards():
    person = Person("manager").sets_up().logs_in()
    addresses = ("cage/slips", "accounts/1/adjust", "tokens", "me/sealed-view", "hands/1/sealed")

    def request_to(address):
        send = person.browser.get if address == "hands/1/sealed" else person.browser.post
        return send(f"/api/v1/{address}", {}, content_type="application/json")

    assert "step-up" not in [request_to(address).json()["code"] for address in addresses]
    person.waits(16)
    for answer in map(request_to, addresses):
        assert (answer.status_code, answer.json()["code"]) == (403, "step-up"), answer.wsgi_request.path
    assert person.browser.get("/api/v1/tables").status_code == 200
    for page in ("hands/1/sealed/ask", "hands/1/sealed/look", "jackpots/decide"):
        assert is_asked_again(person.browser.post(f"/{page}/")), page
    browser = Person("cashier").sets_up().logs_in().waits(16).browser
    assert is_asked_again(browser.post(reverse("tokens"), {"name": "till"}))
    assert not ApiToken.objects.exists()


def test_a_page_asks_once_more_when_money_is_at_stake_and_then_does_it():
    person = Person("director").sets_up().logs_in().waits(16)
    draft = Event()
    away = person.browser.post(reverse("tournament_open", args=[draft.pk]))
    assert is_asked_again(away)
    assert draft.row.state == "draft"
    person.browser.post(away.url, {"code": person.code()}, follow=True)
    assert draft.row.state == "open", "what was asked for is done once the factor is shown"
