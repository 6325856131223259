"""How people like a table to look, and which help they want there. It is kept with them, so that it is the same on
every device; a browser that nobody is logged in to has what is usual.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from cardroom.core.errors import Invalid
from cardroom.core.models import User


@dataclass(frozen=True)
class Wish:
    """One thing to choose. `choices`: what it may be, each with its words; the first is usual."""

    title: str
    choices: Mapping[str, str]
    said: str = ""

    @property
    def usual(self) -> str:
        return next(iter(self.choices))

    @property
    def is_switch(self) -> bool:
        return set(self.choices) == {"on", "off"}


#: As the API's document names them.
COLOURS = (("green", "Green"), ("blue", "Blue"), ("red", "Red"))
DECKS = (("two", "Two colours"), ("four", "Four colours"))
SWITCH = (("on", "On"), ("off", "Off"))
_OFF = dict(reversed(SWITCH))

WISHES: dict[str, Wish] = {
    "deck": Wish("Deck", dict(DECKS), "Four: blue diamonds, green clubs."),
    "felt": Wish("Felt", dict(COLOURS)),
    "backs": Wish("Card backs", dict(reversed(COLOURS))),
    "cards": Wish("Card size", {"normal": "Normal", "large": "Large", "largest": "Largest"}),
    "amounts": Wish("Amounts", {"chips": "In chips", "bets": "In big bets"}),
    "motion": Wish("Movement", {"normal": "Normal", "fast": "Fast", "off": "Off"}),
    "words": Wish("Name my hand", dict(SWITCH), "What you hold, and the cards that improve it."),
    "odds": Wish("Pot odds", dict(SWITCH), "The price of a call, and the raises left on this street."),
    "dead": Wish("Cards seen", dict(SWITCH), "The cards that were shown, folded ones too."),
    "sure": Wish("Confirm raises", _OFF, "A bet or raise is sent with a second press."),
}


def look_of(user: Any) -> dict[str, str]:
    """What somebody chose, and what is usual for the rest; for who is not logged in too."""
    chosen = getattr(user, "look", {})
    return {name: chosen.get(name, wish.usual) for name, wish in WISHES.items()}


def change_look(*, user: User, **wishes: str) -> dict[str, str]:
    """Choose some of `WISHES`, each by its name; the rest stays. `Invalid` for what cannot be chosen."""
    for name, choice in wishes.items():
        if name not in WISHES or choice not in WISHES[name].choices:
            raise Invalid(f"{choice!r} is no choice for {name}.", "no-such-choice")
    with transaction.atomic():
        kept = User.objects.select_for_update(no_key=True).only("look").get(pk=user.pk)
        kept.look = {**kept.look, **wishes}
        kept.save(update_fields=["look"])
    return look_of(kept)
