"""The menus at the top of every page: where staff and players can go, as far as their roles and what is there allow;
and what else every page shows of the person who looks at it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy

from cardroom.accounts import hot_keys, people
from cardroom.accounts import look as looks
from cardroom.accounts import welcome as welcome_chips
from cardroom.core import access, approvals
from cardroom.core.web.parts import part_of


@dataclass(frozen=True)
class MenuPlace:
    """A page by the name of its address. ``roles``: one of these is needed to see it in the menu; none: everybody sees
    it. ``also``: the entry is also marked on pages whose names begin with this. ``setting``: without this setting of
    the room there is no such page."""

    title: str
    name: str
    roles: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    setting: str = ""


#: Where staff begins: the first of these whose role somebody holds. Players begin in the lobby.
WORK = (
    ("manager", "floor"),
    ("floor", "floor"),
    ("cashier", "cage"),
    ("director", "tournaments"),
    ("auditor", "reports"),
    ("dealer", "shifts"),
)


@dataclass(frozen=True)
class Link:
    title: str
    url: str
    is_here: bool
    name: str = ""


@dataclass(frozen=True)
class Menus:
    """`waiting`: how many requests for approval this person may decide; None where they decide none."""

    main: list[Link]
    staff: list[Link]
    me: list[tuple[str, list[Link]]]
    waiting: int | None = None


MAIN = (
    MenuPlace(gettext_lazy("Lobby"), "lobby"),
    MenuPlace(gettext_lazy("Tournaments"), "tournaments", also=("tournament", "league", "season")),
    MenuPlace(gettext_lazy("Learn"), "learn"),
    MenuPlace(gettext_lazy("Rules"), "rulebooks", also=("rulebook", "house_")),
)
STAFF = (
    MenuPlace(gettext_lazy("Floor"), "floor", ("floor", "manager"), also=("floor",)),
    MenuPlace(gettext_lazy("Lists"), "staff_lists", ("floor", "manager"), also=("staff_list", "list_")),
    MenuPlace(gettext_lazy("Cage"), "cage", ("cashier", "manager"), also=("cage",)),
    MenuPlace(gettext_lazy("Drawers"), "cage_drawers", ("auditor", "director", "floor"), also=("cage_session",)),
    MenuPlace(gettext_lazy("Slips"), "cage_slips", ("auditor",), also=("cage_slip",)),
    MenuPlace(gettext_lazy("Cage limits"), "cage_limits", ("auditor",)),
    MenuPlace(gettext_lazy("Players"), "players", ("floor", "cashier", "manager"), also=("player",)),
    MenuPlace(gettext_lazy("Games on offer"), "offers", ("floor", "manager"), also=("offer", "section", "schedule")),
    MenuPlace(gettext_lazy("Jackpots"), "jackpots", ("floor", "manager", "auditor"), also=("jackpot",)),
    MenuPlace(gettext_lazy("Approvals"), "cage_approvals", ("director", "floor", "cashier", "manager", "auditor")),
    MenuPlace(
        gettext_lazy("Shifts and dealers"), "shifts", ("dealer", "floor", "manager", "auditor"), also=("shift", "down")
    ),
    MenuPlace(gettext_lazy("Reports"), "reports", ("cashier", "manager", "auditor"), also=("report",)),
    MenuPlace(gettext_lazy("Audit log"), "trail", ("manager", "auditor")),
    MenuPlace(gettext_lazy("Chat log"), "chat_log", ("manager", "auditor")),
    MenuPlace(gettext_lazy("Error log"), "faults", ("manager", "auditor")),
    MenuPlace(gettext_lazy("Accounts"), "accounts", ("manager",)),
    MenuPlace(gettext_lazy("Connections"), "connections", ("floor", "manager")),
    MenuPlace(gettext_lazy("Blacklist"), "blacklist", ("manager",)),
    MenuPlace(gettext_lazy("Wall board"), "board", ("floor", "cashier", "manager")),
    MenuPlace(gettext_lazy("Kiosk"), "kiosk", ("floor", "manager")),
)
#: A player's own pages in groups, each with what it is called. What is rarely wanted is found from the account.
ME = (
    (
        gettext_lazy("Play"),
        (
            MenuPlace(gettext_lazy("My seats"), "my_seats"),
            MenuPlace(gettext_lazy("My lists"), "my_lists"),
            MenuPlace(gettext_lazy("Home games"), "home_games", also=("home_",), setting="CARDROOM_WELCOME_CHIPS"),
            MenuPlace(gettext_lazy("Clubs"), "clubs", also=("club",)),
            MenuPlace(gettext_lazy("Players"), "my_players"),
        ),
    ),
    (
        gettext_lazy("Results"),
        (
            MenuPlace(gettext_lazy("Sessions"), "my_history"),
            MenuPlace(gettext_lazy("Hands"), "my_hands"),
            MenuPlace(gettext_lazy("Statistics"), "my_statistics"),
            MenuPlace(gettext_lazy("Leaderboard"), "leaderboard", setting="CARDROOM_WELCOME_CHIPS"),
        ),
    ),
    (
        gettext_lazy("Chips"),
        (
            MenuPlace(gettext_lazy("Cashier"), "my_cashier"),
            MenuPlace(gettext_lazy("Statement"), "my_statement"),
            MenuPlace(gettext_lazy("Limits"), "my_limits"),
        ),
    ),
    (gettext_lazy("Account"), (MenuPlace(gettext_lazy("Account"), "me", also=("tokens", "my_card")),)),
)


def menus_of(request: HttpRequest) -> Menus:
    """The menus of the page's reader. Their roles, and the requests that wait for them, are read once for each page."""
    known: Menus | None = getattr(request, "menus_of_page", None)
    if known is None:
        known = request.menus_of_page = _menus_of(request)  # type: ignore[attr-defined]
    return known


def _menus_of(request: HttpRequest) -> Menus:
    match = getattr(request, "resolver_match", None)
    current_name = (match.url_name if match else "") or ""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return Menus(_links(MAIN, current_name, frozenset()), [], [])
    roles = roles_of(user)
    menus = Menus(
        _links(MAIN, current_name, roles), _links(STAFF, current_name, roles), _groups(ME, current_name, roles)
    )
    return replace(menus, waiting=waiting_for(user))


def _groups(
    groups: Sequence[tuple[str, Sequence[MenuPlace]]], current_name: str, roles: frozenset[str]
) -> list[tuple[str, list[Link]]]:
    linked = [(title, _links(places, current_name, roles)) for title, places in groups]
    return [(title, links) for title, links in linked if links]


def waiting_for(user: Any) -> int | None:
    """How many requests for approval `user` may decide now; None, without a query, where they decide none."""
    if not user.is_authenticated or roles_of(user).isdisjoint(approvals.deciders()):
        return None
    return approvals.waiting_for(user, now=timezone.now())


@part_of("me")
def waiting(request: HttpRequest) -> HttpResponse:
    """The badge beside "Approvals" in the menu, for a page that asks again."""
    return render(request, "_approvals_waiting.html", {"number": waiting_for(request.user)})


def begins_at(user: Any) -> str:
    """The first page after a login: for staff where they work, for players the lobby."""
    roles = access.roles_of(user)
    return reverse(next((name for role, name in WORK if role in roles), "lobby"))


def roles_of(user: Any) -> frozenset[str]:
    """The roles of the page's reader. One query for each page."""
    held: frozenset[str] | None = getattr(user, "roles_on_this_page", None)
    return access.roles_of(user) if held is None else held


def _links(places: Sequence[MenuPlace], current_name: str, roles: frozenset[str]) -> list[Link]:
    links = []
    is_exact = any(place.name == current_name for place in places)
    for place in places:
        if (place.roles and roles.isdisjoint(place.roles)) or (place.setting and not getattr(settings, place.setting)):
            continue
        try:
            url = reverse(place.name)
        except NoReverseMatch:
            continue
        is_under = not is_exact and bool(place.also) and current_name.startswith(place.also)
        links.append(Link(place.title, url, current_name == place.name or is_under, place.name))
    return links


def wallet(request: HttpRequest) -> dict[str, Any]:
    """`wallet`: the chips in the wallet, or those that come with the first seat. It is lazy: no query where a template
    does not use it."""
    return {"wallet": partial(welcome_chips.spendable_by, request.user)}


@dataclass(frozen=True)
class Taste:
    """One setting of how a table looks, and its value. `is_chosen`: the player chose it; else it is the default."""

    name: str
    wish: looks.LookSetting
    chosen: str
    is_chosen: bool


def look(request: HttpRequest) -> dict[str, Any]:
    """`look`: how a table looks for the page's reader."""
    user = getattr(request, "user", None)
    own = getattr(user, "look", {})
    tastes = [
        Taste(name, looks.LOOK_SETTINGS[name], choice, name in own) for name, choice in looks.look_of(user).items()
    ]
    theme = next(taste.chosen for taste in tastes if taste.name == "theme")
    return {"look": tastes, "look_groups": looks.GROUPS.items(), "theme": theme}


@dataclass(frozen=True)
class KeyRow:
    """An action and its key."""

    name: str
    does: hot_keys.HotKey
    key: str

    @property
    def group(self) -> str:
        return self.does.group


def keys(request: HttpRequest) -> dict[str, Any]:
    """`hot_keys`: the keys of the page's reader by their actions; `key_rows`: the same as rows of a table."""
    chosen = hot_keys.keys_of(getattr(request, "user", None))
    rows = [KeyRow(name, hot_keys.HOT_KEYS[name], key) for name, key in chosen.items()]
    return {"hot_keys": chosen, "key_rows": rows}


def welcome(request: HttpRequest) -> dict[str, Any]:
    """`welcome_chips`: the chips that every player begins with."""
    return {"welcome_chips": people.welcome_chips()}


def menus(request: HttpRequest) -> dict[str, Any]:
    """`menus`: what the top of the page leads to."""
    return {"menus": partial(menus_of, request)}
