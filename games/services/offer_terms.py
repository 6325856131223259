"""What can be a game on offer: the terms of one, and what is wrong with them."""

from collections.abc import Mapping
from typing import Any

from cardroom.services.errors import Invalid
from games.engine.family import GAMES, STRUCTURES
from games.models import DropSchedule, Table
from games.services import rulebooks

MOST_CHIPS = 10**9
#: Turns with extra time, and seconds of each.
MOST_EXTRAS, MOST_EXTRA_SECONDS = 8, 600
_MOST_EXTRA_IN_ALL = 3600

#: What a manager says of a game on offer, with what it is until they say otherwise.
USUAL: dict[str, Any] = {
    "name": "",
    "game": "seven-card-stud",
    "structure": "fixed-limit",
    "rulebook": "roberts-v4",
    "ante": 1,
    "bring_in": 2,
    "small_bet": 5,
    "big_bet": 10,
    "smallest_chip": 0,
    "seat_count": 8,
    "min_buy_in": 100,
    "max_buy_in": 500,
    "drop_id": None,
    "dealt_by": "automatic",
    "deck": "system",
    "is_physical": False,
    "is_spoken": False,
    "has_spectators": True,
    "act_seconds": 30,
    "time_bank_seconds": 60,
    "bank_refill_seconds": 1,
    "missed_clocks_allowed": 2,
    "extra_seconds": [30, 15],
    "extra_cap_seconds": 120,
    "pause_seconds": 4,
    "keep_seat_minutes": 30,
    "rathole_minutes": 60,
    "call_minutes": 5,
    "more_time_minutes": 5,
    "hold_minutes": 10,
    "calls_itself": None,
    "missed_calls_allowed": 1,
    "opens_with": 0,
    "comp_per_hour": 0,
    "tables_per_player": 4,
}
_NUMBERS = {
    "seat_count": (2, 8, "A stud table has 2 to 8 seats."),
    "act_seconds": (0, 600, "The act clock runs for 0 (none, where a person deals) to 600 seconds."),
    "time_bank_seconds": (0, 3600, "The time bank holds 0 to 3,600 seconds."),
    "bank_refill_seconds": (0, 600, "0 to 600 seconds of the time bank come back with each hand."),
    "missed_clocks_allowed": (1, 20, "A player sits out after 1 to 20 clocks missed in a row."),
    "pause_seconds": (0, 600, "Between two hands there are 0 to 600 seconds."),
    "keep_seat_minutes": (1, 24 * 60, "A seat is kept for 1 to 1,440 minutes."),
    "rathole_minutes": (0, 7 * 24 * 60, "For 0 to 10,080 minutes a player comes back with what they left with."),
    "call_minutes": (1, 240, "A called player has 1 to 240 minutes."),
    "more_time_minutes": (0, 240, "More time is 0 (none) to 240 minutes."),
    "hold_minutes": (1, 24 * 60, "A seat is held for 1 to 1,440 minutes."),
    "missed_calls_allowed": (0, 20, "Of 0 to 20 missed calls a player keeps their name on the list."),
    "opens_with": (0, 8, "A list opens a table, or in the room asks for one, with 2 to 8 names; 0: it does not."),
    "comp_per_hour": (0, 10**6, "Comp points for an hour are 0 to 1,000,000."),
    "tables_per_player": (1, 24, "A player sits at 1 to 24 tables of a game at once."),
}
_CHIPS = ("ante", "bring_in", "small_bet", "big_bet", "smallest_chip", "min_buy_in", "max_buy_in")
_FLAGS = ("is_physical", "is_spoken", "has_spectators")

Terms = Mapping[str, Any]


def check(terms: Terms) -> None:
    """`Invalid` with every fault by its field."""
    found = faults(terms)
    if found:
        raise Invalid(next(iter(found.values())), "bad-offer", errors={name: [said] for name, said in found.items()})


def faults(terms: Terms) -> dict[str, str]:
    """By field what cannot be played or kept so, in words; nothing where all is well."""
    found: dict[str, str] = {}
    unknown = sorted(set(terms) - set(USUAL))
    if unknown:
        found[unknown[0]] = f"A game on offer has nothing called {unknown[0]!r}."
    name = terms["name"]
    if type(name) is not str or not 1 <= len(name.strip()) <= 60 or not name.isprintable():
        found["name"] = "A game on offer has a name of 1 to 60 characters."
    for flag in _FLAGS:
        if type(terms[flag]) is not bool:
            found[flag] = "This is true or false."
    if terms["calls_itself"] is not None and type(terms["calls_itself"]) is not bool:
        found["calls_itself"] = "The list calls by itself: true or false, or null (online only)."
    for number, (least, most, said) in _NUMBERS.items():
        if type(terms[number]) is not int or not least <= terms[number] <= most:
            found[number] = said
    found |= extra_faults(terms["extra_seconds"], terms["extra_cap_seconds"])
    for chips in _CHIPS:
        if type(terms[chips]) is not int or not 0 <= terms[chips] <= MOST_CHIPS:
            found[chips] = f"{chips.replace('_', ' ').capitalize()} is chips, from 0 to {MOST_CHIPS:,}."
    if terms["game"] not in GAMES:
        found["game"] = f"There is no game {terms['game']!r}: {', '.join(GAMES)}."
    if terms["structure"] not in STRUCTURES:
        found["structure"] = f"There is no betting structure {terms['structure']!r}: {', '.join(STRUCTURES)}."
    return found or {**_stakes(terms), **_dealing(terms), **_house(terms)} or _by_the_book(terms)


def extra_faults(seconds: Any, cap: Any) -> dict[str, str]:
    """By field what is wrong with the extra time of a table for players who lost touch; none at all is fine."""
    found = {}
    is_list = isinstance(seconds, list | tuple) and len(seconds) <= MOST_EXTRAS
    if not is_list or not all(type(each) is int and 1 <= each <= MOST_EXTRA_SECONDS for each in seconds):
        found["extra_seconds"] = f"Extra time is for up to {MOST_EXTRAS} turns, 1 to {MOST_EXTRA_SECONDS} seconds each."
    if type(cap) is not int or not 0 <= cap <= _MOST_EXTRA_IN_ALL:
        found["extra_cap_seconds"] = f"A visit has 0 to {_MOST_EXTRA_IN_ALL:,} seconds of extra time in all."
    elif seconds and not cap:
        found["extra_cap_seconds"] = "Say how much extra time a visit has in all, or give none in the first place."
    return found


def _stakes(terms: Terms) -> dict[str, str]:
    small, big, bring_in = terms["small_bet"], terms["big_bet"], terms["bring_in"]
    found = {}
    if small < 1:
        found["small_bet"] = "A bet is at least one chip."
    elif bring_in > small:
        found["bring_in"] = "The bring-in is not above the small bet, or the least one."
    elif big < small:
        found["big_bet"] = "The big bet, or the most of a spread, is not below the small one."
    if not bring_in and not terms["ante"]:
        found.setdefault("ante", "Somebody has to put something in: an ante or a bring-in.")
    chip = terms["smallest_chip"]
    if chip and any(amount % chip for amount in (small, big, bring_in, terms["ante"])):
        found["smallest_chip"] = f"Ante, bring-in and bets cannot all be paid in chips of {chip:,}."
    if terms["min_buy_in"] < max(1, big):
        found["min_buy_in"] = "The least buy-in is one big bet or more."
    elif terms["max_buy_in"] < terms["min_buy_in"]:
        found["max_buy_in"] = "The most one may buy in for is not below the least."
    if terms["opens_with"] == 1 or terms["opens_with"] > terms["seat_count"]:
        found["opens_with"] = "A list opens a table with two names or more, and not more than it has seats."
    return found


def _dealing(terms: Terms) -> dict[str, str]:
    if terms["dealt_by"] not in Table.DealtBy.values:
        return {"dealt_by": "Cards are dealt by the automatic dealer, or by a person."}
    if terms["deck"] not in Table.Deck.values:
        return {"deck": "The deck is the system's, or a physical one."}
    is_person = terms["dealt_by"] == Table.DealtBy.PERSON
    if not is_person and terms["deck"] != Table.Deck.SYSTEM:
        return {"deck": "The automatic dealer deals the system's deck."}
    if not is_person and terms["act_seconds"] < 1 and not terms["is_physical"]:
        return {"act_seconds": "Where nobody deals a clock runs: give the players at least a second."}
    return {}


def _house(terms: Terms) -> dict[str, str]:
    drop = terms["drop_id"]
    if drop is not None and not DropSchedule.objects.filter(pk=drop, retired_at=None).exists():
        return {"drop_id": "There is no such drop schedule, or it is retired."}
    return {}


def _by_the_book(terms: Terms) -> dict[str, str]:
    """What the rulebook says to it."""
    try:
        rulebooks.check_table(
            terms["rulebook"],
            structure=terms["structure"],
            setting="cash",
            seats=terms["seat_count"],
            bring_in=terms["bring_in"],
        )
    except Invalid as error:
        return {"rulebook": f"{error.message[:-1]} ({error.rule})." if error.rule else error.message}
    return {}
