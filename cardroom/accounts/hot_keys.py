"""The keys of the table page: which key does what is for each player to choose, and kept with them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy

from cardroom.core.errors import Conflict, Invalid
from cardroom.core.models import User
from cardroom.core.verb import lock, verb


@dataclass(frozen=True)
class HotKey:
    """An action of the table page and its default key."""

    title: str
    usual: str
    group: str


_TURN, _BEFORE, _ANY = gettext_lazy("In your turn"), gettext_lazy("Before your turn"), gettext_lazy("At any time")

#: In the order of the page. The figures 1 to 9 are the buttons in their order, and stay so.
HOT_KEYS: dict[str, HotKey] = {
    "fold": HotKey(gettext_lazy("Fold"), "F", _TURN),
    "call": HotKey(gettext_lazy("Check, call or bring in"), "C", _TURN),
    "bet": HotKey(gettext_lazy("Bet or complete"), "B", _TURN),
    "raise": HotKey(gettext_lazy("Raise"), "R", _TURN),
    "declare": HotKey(gettext_lazy("Declare all-in"), "A", _TURN),
    "show": HotKey(gettext_lazy("Show the hand"), "S", _TURN),
    "muck": HotKey(gettext_lazy("Muck the hand"), "M", _TURN),
    "fold_early": HotKey(gettext_lazy("Check or fold"), "X", _BEFORE),
    "check_early": HotKey(gettext_lazy("Check"), "K", _BEFORE),
    "call_early": HotKey(gettext_lazy("Call"), "L", _BEFORE),
    "any_early": HotKey(gettext_lazy("Call any"), "Y", _BEFORE),
    "raise_early": HotKey(gettext_lazy("Bet or raise"), "U", _BEFORE),
    "away": HotKey(gettext_lazy("Sit out next hand"), "N", _BEFORE),
    "read": HotKey(gettext_lazy("Read the table out"), "T", _ANY),
    "emote": HotKey(gettext_lazy("Emotes"), "E", _ANY),
    "previous": HotKey(gettext_lazy("Previous table"), "[", _ANY),
    "next": HotKey(gettext_lazy("Next table"), "]", _ANY),
}
#: Kept beside what they chose of `look`.
_KEPT = "keys"


def keys_of(user: Any) -> dict[str, str]:
    """The key of each action: the chosen one, or the default."""
    chosen = getattr(user, "look", {}).get(_KEPT, {})
    return {name: chosen.get(name, key.usual) for name, key in HOT_KEYS.items()}


@verb("look.change_keys")
def change_keys(*, keys: dict[str, str], by: User) -> dict[str, str]:
    """Choose some of the keys, each by what it does; the rest stays. Refuses: `Invalid` (no key of its own), `Conflict`
    (one key would do two things). Locks the user's row."""
    chosen = {name: _good(name, key) for name, key in keys.items()}
    user, _ = lock(User, by.pk)
    wanted = keys_of(user) | chosen
    for name, key in chosen.items():
        other = next((act for act, held in wanted.items() if held == key and act != name), None)
        if other:
            raise Conflict(
                "key-taken",
                "{key} is the key for “{title}” already: give that another key first.",
                key=key,
                title=HOT_KEYS[other].title,
            )
    _keep(user, {name: key for name, key in wanted.items() if key != HOT_KEYS[name].usual})
    return keys_of(user)


@verb("look.usual_keys")
def usual_keys(*, by: User) -> dict[str, str]:
    """Back to the default keys. Locks the user's row."""
    user, _ = lock(User, by.pk)
    _keep(user, {})
    return keys_of(user)


def _keep(user: User, keys: Mapping[str, str]) -> None:
    other_settings = {name: wish for name, wish in user.look.items() if name != _KEPT}
    user.look = other_settings | ({_KEPT: dict(keys)} if keys else {})
    user.save(update_fields=["look"])


def _good(name: str, key: str) -> str:
    key = key.upper()
    if name not in HOT_KEYS:
        raise Invalid("no-such-key", "No key is for {name!r}.", name=name)
    if len(key) != 1 or not key.isprintable() or key.isspace() or key.isdigit():
        raise Invalid("no-fit-key", "Choose one letter or sign. Figures press the buttons in their order.")
    return key
