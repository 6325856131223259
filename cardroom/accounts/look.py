"""How people like a table to look and sound, which help they want there, what is done for them by itself, and their
keys. It is kept with them, so that it is the same on every device; a browser that nobody is logged in to has what is
usual.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.templatetags.static import static
from django.urls import reverse
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy, pgettext_lazy

from cardroom.core.errors import Invalid
from cardroom.core.models import User
from cardroom.core.verb import lock, verb


@dataclass(frozen=True)
class LookSetting:
    """One setting of how a table looks and sounds. `choices`: its values, each with its words; the first is the
    default."""

    title: str
    choices: Mapping[str, str]
    hint: str = ""
    group: str = "look"

    @property
    def usual(self) -> str:
        return next(iter(self.choices))

    @property
    def is_switch(self) -> bool:
        return set(self.choices) == {"on", "off"}


#: As the API's document names them.
COLOURS = (("green", gettext_lazy("Green")), ("blue", gettext_lazy("Blue")), ("red", gettext_lazy("Red")))
DECKS = (("two", gettext_lazy("Two colours")), ("four", gettext_lazy("Four colours")))
SWITCH = (("on", gettext_lazy("On")), ("off", gettext_lazy("Off")))
#: The pictures to choose from, in static/cardroom/avatars.
AVATARS = tuple(f"{number:02}" for number in range(1, 17))

LOOK_SETTINGS: dict[str, LookSetting] = {
    "theme": LookSetting(
        gettext_lazy("Theme"),
        {
            "table": gettext_lazy("Dark at tables"),
            "dark": gettext_lazy("Dark"),
            "light": gettext_lazy("Light"),
            "system": gettext_lazy("As the device"),
        },
    ),
    "deck": LookSetting(gettext_lazy("Deck"), dict(DECKS), gettext_lazy("Four: blue diamonds, green clubs.")),
    "felt": LookSetting(gettext_lazy("Felt"), dict(COLOURS)),
    "backs": LookSetting(gettext_lazy("Card backs"), dict(reversed(COLOURS))),
    "cards": LookSetting(
        gettext_lazy("Card size"),
        {"normal": gettext_lazy("Normal"), "large": gettext_lazy("Large"), "largest": gettext_lazy("Largest")},
    ),
    "amounts": LookSetting(
        gettext_lazy("Amounts"), {"chips": gettext_lazy("In chips"), "bets": gettext_lazy("In big bets")}
    ),
    "motion": LookSetting(
        gettext_lazy("Movement"),
        {"normal": gettext_lazy("Normal"), "fast": gettext_lazy("Fast"), "off": gettext_lazy("Off")},
    ),
    "sounds": LookSetting(
        gettext_lazy("Sounds"),
        {"low": gettext_lazy("Quiet"), "loud": gettext_lazy("Loud"), "off": gettext_lazy("Off")},
        group="sounds",
    ),
    "turn_sound": LookSetting(gettext_lazy("My turn is heard"), dict(SWITCH), group="sounds"),
    "chip_sound": LookSetting(gettext_lazy("Chips are heard"), dict(SWITCH), group="sounds"),
    "card_sound": LookSetting(gettext_lazy("Cards are heard"), dict(SWITCH), group="sounds"),
    "chat_sound": LookSetting(gettext_lazy("Messages are heard"), dict(SWITCH), group="sounds"),
    "words": LookSetting(
        gettext_lazy("Name my hand"),
        dict(SWITCH),
        gettext_lazy("What you hold, and the cards that improve it."),
        group="help",
    ),
    "odds": LookSetting(gettext_lazy("Pot odds"), dict(SWITCH), gettext_lazy("The price of a call."), group="help"),
    "raises": LookSetting(gettext_lazy("Raises left"), dict(SWITCH), gettext_lazy("On this street."), group="help"),
    "dead": LookSetting(
        gettext_lazy("Cards seen"),
        dict(SWITCH),
        gettext_lazy("The cards that were shown, folded ones too."),
        group="help",
    ),
    "shown": LookSetting(
        gettext_lazy("Live hands"), dict(SWITCH), gettext_lazy("What each of them shows."), group="help"
    ),
    "avatar": LookSetting(
        gettext_lazy("Avatar"),
        {"none": gettext_lazy("My initial"), "own": gettext_lazy("My own picture")}
        | {n: format_lazy(gettext_lazy("Face {number}"), number=int(n)) for n in AVATARS},
        group="picture",
    ),
    "sure": LookSetting(
        gettext_lazy("Confirm bets and raises"),
        {
            "never": gettext_lazy("Never"),
            "all-in": gettext_lazy("All-in only"),
            "2": gettext_lazy("From 2 big bets"),
            "10": gettext_lazy("From 10 big bets"),
            "always": gettext_lazy("Always"),
        },
        gettext_lazy("A second press sends it. All-in is always a big bet."),
        group="play",
    ),
    "sit": LookSetting(
        gettext_lazy("When I sit down"),
        {"play": gettext_lazy("Deal me in"), "wait": gettext_lazy("Wait for me")},
        gettext_lazy(
            "Stud has no blinds to post: who is dealt in pays the ante. "
            "“Wait for me”: you sit out until you press “I’m back”."
        ),
        group="play",
    ),
    "refill": LookSetting(
        gettext_lazy("Add chips by itself"),
        {
            "off": gettext_lazy("Off"),
            "10": gettext_lazy("To 10 big bets"),
            "20": gettext_lazy("To 20 big bets"),
            "30": gettext_lazy("To 30 big bets"),
            "40": gettext_lazy("To 40 big bets"),
            "60": gettext_lazy("To 60 big bets"),
            "100": gettext_lazy("To 100 big bets"),
            "most": gettext_lazy("To the most"),
        },
        gettext_lazy("At a cash table after a hand, from your wallet, within the table’s limits and your own."),
        group="play",
    ),
    "refill_when": LookSetting(
        gettext_lazy("Add them when I have"),
        {
            "gone": gettext_lazy("Nothing left"),
            "half": gettext_lazy("Less than half"),
            "less": gettext_lazy("Any less"),
        },
        gettext_lazy("Less than the sum above. Not while you sit out, and never at a tournament."),
        group="play",
    ),
    "muck": LookSetting(
        gettext_lazy("A beaten hand"),
        {"muck": gettext_lazy("Mucked unseen"), "show": gettext_lazy("Shown")},
        gettext_lazy("At a showdown, from the next hand on. Where the rulebook has all hands turned up, yours is too."),
        group="play",
    ),
}
#: What belongs together, in the order of the page: a title, and what is there.
GROUPS = {
    "look": (gettext_lazy("Look"), gettext_lazy("Theme, deck, felt, card size, amounts, movement")),
    "sounds": (gettext_lazy("Sounds"), gettext_lazy("Which are heard, and how loud")),
    "help": (gettext_lazy("Help"), gettext_lazy("Your hand in words, pot odds, cards seen")),
    "play": (pgettext_lazy("settings", "Play"), gettext_lazy("Confirming bets, adding chips, beaten hands")),
}


def look_of(user: Any) -> dict[str, str]:
    """The chosen settings, and the defaults for the rest; also where nobody is logged in."""
    chosen = dict(getattr(user, "look", {}))
    if chosen.get("sure") == "on":
        chosen["sure"] = "always"  # as it was chosen when it was a switch
    return {
        name: chosen[name] if chosen.get(name) in setting.choices else setting.usual
        for name, setting in LOOK_SETTINGS.items()
    }


def avatar_of(look: Mapping[str, str], *, bot: int = 0) -> str:
    """The address of the picture that somebody with this look has at a table; "" for none. One of their own is named in
    `picture` by its content, so that nothing else is read for it (`accounts.pictures`). `bot`: the id of a bot of the
    house, which chooses nothing and always has the same of the faces; 0: a person's."""
    chosen = look.get("avatar", "") or (AVATARS[bot % len(AVATARS)] if bot else "")
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
    own_picture = {"picture": getattr(user, "look", {}).get("picture", "")}
    named = [
        (value, words, avatar_of({"avatar": value, **own_picture}))
        for value, words in LOOK_SETTINGS["avatar"].choices.items()
    ]
    return [Face(*face, face[0] == chosen) for face in named if face[2] or face[0] == "none"]


def choose_picture(user: User, digest: str) -> None:
    """Show the picture of their own with this content; "": there is none any more. With their row locked."""
    locked_user = User.objects.only("look").get(pk=user.pk)
    locked_user.look = {**locked_user.look, "picture": digest}
    if digest or locked_user.look.get("avatar") == "own":
        locked_user.look["avatar"] = "own" if digest else "none"
    locked_user.save(update_fields=["look"])


@verb("look.change_look")
def change_look(*, wishes: dict[str, str], by: User) -> dict[str, str]:
    """Choose some of `LOOK_SETTINGS`, each by its name; the rest stays. Refuses: `Invalid` (no such choice). Locks the
    user's row."""
    for name, choice in wishes.items():
        if name not in LOOK_SETTINGS or choice not in LOOK_SETTINGS[name].choices:
            raise Invalid("no-such-choice", "{choice!r} is no choice for {name}.", choice=choice, name=name)
    user, _ = lock(User, by.pk)
    user.look = {**user.look, **wishes}
    user.save(update_fields=["look"])
    return look_of(user)
