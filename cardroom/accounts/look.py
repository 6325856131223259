"""How people like a table to look and sound, and which help they want there. It is kept with them, so that it is the
same on every device; a browser that nobody is logged in to has what is usual.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.templatetags.static import static

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
#: The pictures to choose from, in static/cardroom/avatars.
AVATARS = tuple(f"{number:02}" for number in range(1, 17))

WISHES: dict[str, Wish] = {
    "deck": Wish("Deck", dict(DECKS), "Four: blue diamonds, green clubs."),
    "felt": Wish("Felt", dict(COLOURS)),
    "backs": Wish("Card backs", dict(reversed(COLOURS))),
    "cards": Wish("Card size", {"normal": "Normal", "large": "Large", "largest": "Largest"}),
    "amounts": Wish("Amounts", {"chips": "In chips", "bets": "In big bets"}),
    "motion": Wish("Movement", {"normal": "Normal", "fast": "Fast", "off": "Off"}),
    "sounds": Wish("Sounds", {"low": "Quiet", "loud": "Loud", "off": "Off"}),
    "turn_sound": Wish("My turn is heard", dict(SWITCH)),
    "chip_sound": Wish("Chips are heard", dict(SWITCH)),
    "card_sound": Wish("Cards are heard", dict(SWITCH)),
    "chat_sound": Wish("Messages are heard", dict(SWITCH)),
    "words": Wish("Name my hand", dict(SWITCH), "What you hold, and the cards that improve it."),
    "odds": Wish("Pot odds", dict(SWITCH), "The price of a call, and the raises left on this street."),
    "dead": Wish("Cards seen", dict(SWITCH), "The cards that were shown, folded ones too."),
    "avatar": Wish("Avatar", {"none": "My initial"} | {number: f"Face {int(number)}" for number in AVATARS}),
    "sure": Wish("Confirm raises", _OFF, "A bet or raise is sent with a second press."),
}


def look_of(user: Any) -> dict[str, str]:
    """What somebody chose, and what is usual for the rest; for who is not logged in too."""
    chosen = getattr(user, "look", {})
    return {name: chosen.get(name, wish.usual) for name, wish in WISHES.items()}


def avatar_of(look: Mapping[str, str]) -> str:
    """The address of the picture that somebody with this look has at a table; "" for none."""
    chosen = look.get("avatar", "")
    return static(f"cardroom/avatars/{chosen}.svg") if chosen in AVATARS else ""


@dataclass(frozen=True)
class Face:
    """A picture to choose. `address` "": none, but the initial."""

    value: str
    words: str
    address: str
    is_chosen: bool


def faces(user: Any) -> list[Face]:
    """The pictures that somebody can choose from."""
    chosen = look_of(user)["avatar"]
    named = WISHES["avatar"].choices.items()
    return [Face(value, words, avatar_of({"avatar": value}), value == chosen) for value, words in named]


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
