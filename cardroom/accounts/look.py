"""How people like a table to look and sound, which help they want there, what is done for them by itself, and their
keys. It is kept with them, so that it is the same on every device; a browser that nobody is logged in to has what is
usual.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.templatetags.static import static
from django.urls import reverse

from cardroom.core.errors import Invalid
from cardroom.core.models import User


@dataclass(frozen=True)
class Wish:
    """One thing to choose. `choices`: what it may be, each with its words; the first is usual."""

    title: str
    choices: Mapping[str, str]
    said: str = ""
    group: str = "look"

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
#: The pictures to choose from, in static/cardroom/avatars.
AVATARS = tuple(f"{number:02}" for number in range(1, 17))

WISHES: dict[str, Wish] = {
    "deck": Wish("Deck", dict(DECKS), "Four: blue diamonds, green clubs."),
    "felt": Wish("Felt", dict(COLOURS)),
    "backs": Wish("Card backs", dict(reversed(COLOURS))),
    "cards": Wish("Card size", {"normal": "Normal", "large": "Large", "largest": "Largest"}),
    "amounts": Wish("Amounts", {"chips": "In chips", "bets": "In big bets"}),
    "motion": Wish("Movement", {"normal": "Normal", "fast": "Fast", "off": "Off"}),
    "sounds": Wish("Sounds", {"low": "Quiet", "loud": "Loud", "off": "Off"}, group="sounds"),
    "turn_sound": Wish("My turn is heard", dict(SWITCH), group="sounds"),
    "chip_sound": Wish("Chips are heard", dict(SWITCH), group="sounds"),
    "card_sound": Wish("Cards are heard", dict(SWITCH), group="sounds"),
    "chat_sound": Wish("Messages are heard", dict(SWITCH), group="sounds"),
    "words": Wish("Name my hand", dict(SWITCH), "What you hold, and the cards that improve it.", group="help"),
    "odds": Wish("Pot odds", dict(SWITCH), "The price of a call, and the raises left on this street.", group="help"),
    "dead": Wish("Cards seen", dict(SWITCH), "The cards that were shown, folded ones too.", group="help"),
    "avatar": Wish(
        "Avatar",
        {"none": "My initial", "own": "My own picture"} | {n: f"Face {int(n)}" for n in AVATARS},
        group="picture",
    ),
    "sure": Wish(
        "Confirm bets and raises",
        {
            "never": "Never",
            "all-in": "All-in only",
            "2": "From 2 big bets",
            "10": "From 10 big bets",
            "always": "Always",
        },
        "A second press sends it. All-in is always a big bet.",
        group="play",
    ),
    "sit": Wish(
        "When I sit down",
        {"play": "Deal me in", "wait": "Wait for me"},
        "Stud has no blinds to post: who is dealt in pays the ante. “Wait”: you sit out until you press “I’m back”.",
        group="play",
    ),
    "refill": Wish(
        "Add chips by itself",
        {"off": "Off", "20": "To 20 big bets", "40": "To 40 big bets", "most": "To the most"},
        "At a cash table after a hand, from your wallet, within the table’s limits and your own.",
        group="play",
    ),
    "refill_when": Wish(
        "Add them when I have",
        {"gone": "Nothing left", "half": "Less than half", "less": "Any less"},
        "Less than the sum above. Not while you sit out, and never at a tournament.",
        group="play",
    ),
    "muck": Wish(
        "A beaten hand",
        {"muck": "Mucked unseen", "show": "Shown"},
        "At a showdown, from the next hand on. Where the rulebook has all hands turned up, yours is too.",
        group="play",
    ),
}
#: What belongs together, in the order of the page: a title, and what is there.
GROUPS = {
    "look": ("Look", "Deck, felt, card size, amounts, movement"),
    "sounds": ("Sounds", "Which are heard, and how loud"),
    "help": ("Help", "Your hand in words, pot odds, cards seen"),
    "play": ("Play", "Confirming bets, adding chips, beaten hands"),
}


def look_of(user: Any) -> dict[str, str]:
    """What somebody chose, and what is usual for the rest; for who is not logged in too."""
    chosen = dict(getattr(user, "look", {}))
    if chosen.get("sure") == "on":
        chosen["sure"] = "always"  # as it was chosen when it was a switch
    return {name: chosen[name] if chosen.get(name) in wish.choices else wish.usual for name, wish in WISHES.items()}


def avatar_of(look: Mapping[str, str]) -> str:
    """The address of the picture that somebody with this look has at a table; "" for none. One of their own is named in
    `picture` by its content, so that nothing else is read for it (`accounts.pictures`)."""
    chosen = look.get("avatar", "")
    if chosen == "own" and look.get("picture"):
        return reverse("picture", args=[look["picture"]])
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
    mine = {"picture": getattr(user, "look", {}).get("picture", "")}
    named = [(value, words, avatar_of({"avatar": value, **mine})) for value, words in WISHES["avatar"].choices.items()]
    return [Face(*each, each[0] == chosen) for each in named if each[2] or each[0] == "none"]


def choose_picture(user: User, digest: str) -> None:
    """Show the picture of their own with this content; "": there is none any more. With their row locked."""
    kept = User.objects.only("look").get(pk=user.pk)
    kept.look = {**kept.look, "picture": digest}
    if digest or kept.look.get("avatar") == "own":
        kept.look["avatar"] = "own" if digest else "none"
    kept.save(update_fields=["look"])


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
