"""What an event is played under: everything that is settled before the first entry.

Money is whole units of the event's currency (cents, for one), chips are whole chips, times are as their names say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tournaments.engine import plain
from tournaments.engine.clock import Structure
from tournaments.engine.clock import check as check_structure
from tournaments.engine.errors import EventSentence, IllegalCommand

#: The largest table that any game of ``games/engine/games.py`` allows; a test holds the two together.
MOST_STUD_SEATS = 8
MOST_ENTRANTS = 100_000


@dataclass(frozen=True, slots=True)
class Paid:
    """The parts of a price that somebody paid: to the prize ``pool``, to the house as its ``fee``, for ``bounty`` on
    the entrant's head, and to the ``staff``."""

    pool: int = 0
    fee: int = 0
    bounty: int = 0
    staff: int = 0

    @property
    def total(self) -> int:
        return self.pool + self.fee + self.bounty + self.staff

    def __add__(self, other: Paid) -> Paid:
        return Paid(self.pool + other.pool, self.fee + other.fee, self.bounty + other.bounty, self.staff + other.staff)

    def __sub__(self, other: Paid) -> Paid:
        return Paid(self.pool - other.pool, self.fee - other.fee, self.bounty - other.bounty, self.staff - other.staff)


#: Nobody paid anything: a freeroll.
FREE = Paid()


@dataclass(frozen=True, slots=True)
class RebuyTerms:
    """``chips`` for a player with at most ``at_most_stack`` (0: only one who has none), ``most`` times an entry (0: as
    often as one likes), through the end of level ``until_level``."""

    chips: int
    most: int = 0
    until_level: int = 1
    at_most_stack: int = 0


@dataclass(frozen=True, slots=True)
class AddOnTerms:
    """``chips`` once an entry, in break number ``at_break``, the first being 1."""

    chips: int
    at_break: int = 1


@dataclass(frozen=True, slots=True)
class PayoutTerms:
    """``kind``: curve, percent, amounts, winner or tickets.

    ``places`` are paid (0: ``share_percent`` of the entries, rounded up). ``percents`` and ``amounts`` are by place,
    first prize first; ``unit``: the smallest money, which prizes are rounded down to and bounties are split in;
    ``min_cash``: the least prize; ``guarantee``: the least pool; ``ticket_value``: what a satellite's ticket is worth.
    """

    kind: str = "curve"
    places: int = 0
    share_percent: int = 15
    percents: tuple[int, ...] = ()
    amounts: tuple[int, ...] = ()
    unit: int = 1
    min_cash: int = 0
    guarantee: int = 0
    ticket_value: int = 0


@dataclass(frozen=True, slots=True)
class BountyTerms:
    """``kind``: none, fixed or progressive. ``amount`` is on every entrant's head at first."""

    kind: str = "none"
    amount: int = 0


PAYOUTS = ("curve", "percent", "amounts", "winner", "tickets")
BOUNTIES = ("none", "fixed", "progressive")
CONDUCTS = ("online", "room")
FORMATS = ("tables", "shootout", "bracket")
_NAMES = {"shootout": EventSentence("shootout"), "bracket": EventSentence("bracket")}


@dataclass(frozen=True, slots=True)
class EventConfig:
    """The terms of an event.

    ``seats`` at a table, ``final_seats`` at the last one. ``rulebook``: a slug that the engine does not read.
    ``late_level``: entry is open through the end of this level (0: until the start), with ``late_through_break``
    through the break after it too. ``max_entrants``: seats for so many at a time, others wait (0: no end).
    ``re_entries`` a player (0: none), each with ``re_entry_stack`` (0: the starting stack).
    ``balance_at``: the difference between two tables at which players move; a table ``halt_short`` of the fullest
    stops (0: never). ``break_order``: tables in the order in which they break.
    ``hand_for_hand``: near the money every table waits for the last, and ``hand_minutes`` come off the clock, which
    stands meanwhile, for every hand (0: it runs on).
    ``flight_levels``: a flight, which stops after so many levels with those who are left, or before it on the
    director's word, and pays nothing itself (0: it is none).
    ``act_seconds`` to ``extra_cap_seconds`` are for the tables. ``auto_start``: the clock runs from the start;
    otherwise it waits for the director.
    """

    structure: Structure
    starting_stack: int
    seats: int = MOST_STUD_SEATS
    final_seats: int = MOST_STUD_SEATS
    rulebook: str = "roberts-v4"
    conduct: str = "online"
    format: str = "tables"
    late_level: int = 0
    late_through_break: bool = False
    min_entrants: int = 2
    max_entrants: int = 0
    re_entries: int = 0
    re_entry_stack: int = 0
    rebuy: RebuyTerms | None = None
    add_on: AddOnTerms | None = None
    balance_at: int = 2
    halt_short: int = 3
    hand_for_hand: bool = True
    hand_minutes: int = 2
    payout: PayoutTerms = PayoutTerms()
    bounty: BountyTerms = BountyTerms()
    act_seconds: int = 30
    time_bank_seconds: int = 60
    bank_refill_per_level: int = 0
    extra_seconds: tuple[int, ...] = (240, 120, 60)
    extra_cap_seconds: int = 600
    break_order: tuple[int, ...] = ()
    auto_start: bool = True
    flight_levels: int = 0

    @property
    def table_times(self) -> dict[str, int | tuple[int, ...]]:
        """The seconds of each table, by the names of `games`."""
        names = ("act_seconds", "time_bank_seconds", "extra_seconds", "extra_cap_seconds")
        return {name: getattr(self, name) for name in names}

    @property
    def bounty_unit(self) -> int:
        """What a bounty is split in: the smallest money of the event, or 1 where the bounty itself is no multiple, or
        is progressive and one piece of it, which could not be halved."""
        unit, amount = self.payout.unit, self.bounty.amount
        is_one_piece = self.bounty.kind == "progressive" and amount == unit
        return 1 if amount % unit or is_one_piece else unit

    @property
    def last_entry(self) -> int | None:
        """The index of the last level or break in which entry is open; None where it closes at the start."""
        if not self.late_level:
            return None
        return self.structure.index(self.late_level) + self.has_entry_in_break

    @property
    def has_entry_in_break(self) -> bool:
        """Whether entry is open in a break too: by the terms, and because one follows the last level of entry."""
        if not (self.late_level and self.late_through_break):
            return False
        follows = self.structure.index(self.late_level) + 1
        return follows < len(self.structure.levels) and self.structure.levels[follows].is_break


def to_json(config: EventConfig) -> dict[str, Any]:
    """``config`` ready for ``json.dumps``."""
    values: dict[str, Any] = plain.to_plain(config)
    return values


def from_json(data: dict[str, Any]) -> EventConfig:
    """The config that ``to_json`` came from. Raises ``ValueError`` naming the field that is wrong; whether the event
    can be played on it is for ``check`` to say."""
    return plain.from_plain(EventConfig, data, "config")


def check(config: EventConfig) -> None:
    """Refuse terms that cannot be played. Raises ``IllegalCommand`` naming what to mend."""
    check_structure(config.structure, config.starting_stack)
    _check_choice("conduct", config.conduct, CONDUCTS)
    _check_choice("format", config.format, FORMATS)
    _check_choice("payout", config.payout.kind, PAYOUTS)
    _check_choice("bounty", config.bounty.kind, BOUNTIES)
    _check_seats(config)
    _check_entry(config)
    _check_numbers(config)


def name_of(config: EventConfig) -> str:
    """What its format is called, where it is not played at tables."""
    return _NAMES.get(config.format, config.format)


def _check_choice(what: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise IllegalCommand(
            "config",
            "There is no {what} called {value!r}: {choices}.",
            what=what,
            value=value,
            choices=", ".join(choices),
        )


def _check_seats(config: EventConfig) -> None:
    for what, seats in (
        (EventSentence("A table"), config.seats),
        (EventSentence("The final table"), config.final_seats),
    ):
        if not 2 <= seats <= MOST_STUD_SEATS:
            raise IllegalCommand(
                "config",
                "{what} has 2 to {most} seats in stud, not {seats}.",
                what=what,
                most=MOST_STUD_SEATS,
                seats=seats,
            )
    if config.format == "bracket" and config.seats != 2:
        raise IllegalCommand("config", "A bracket is played heads-up: its tables have 2 seats.")
    if config.balance_at < 2:
        raise IllegalCommand("config", "Tables are balanced at a difference of 2 or more: at 1 they never would be.")
    if config.halt_short < 0 or 0 < config.halt_short < config.balance_at:
        raise IllegalCommand("config", "A table halts at a difference no smaller than the one that moves players.")


def _check_entry(config: EventConfig) -> None:
    if config.min_entrants < 2:
        raise IllegalCommand("config", "It takes at least two entrants to play.")
    if config.max_entrants and not config.min_entrants <= config.max_entrants <= MOST_ENTRANTS:
        raise IllegalCommand(
            "config",
            "At most {max_entrants} entrants: it must be {min_entrants} to {most}.",
            max_entrants=config.max_entrants,
            min_entrants=config.min_entrants,
            most=MOST_ENTRANTS,
        )
    if config.late_through_break and not config.late_level:
        raise IllegalCommand("config", "Entry through a break needs the level before it: set the last level of entry.")
    is_open = config.late_level or config.re_entries or config.rebuy or config.add_on
    if config.format != "tables" and is_open:
        raise IllegalCommand(
            "config", "A {format} has no late entry, re-entry, rebuy or add-on.", format=name_of(config)
        )
    if config.rebuy is not None and (config.rebuy.chips < 1 or config.rebuy.until_level < 1):
        raise IllegalCommand("config", "A rebuy gives at least one chip, at least through level 1.")
    if config.add_on is not None and config.add_on.chips < 1:
        raise IllegalCommand("config", "An add-on gives at least one chip.")
    if config.flight_levels and config.format != "tables":
        raise IllegalCommand("config", "A {format} has one winner: it is no flight.", format=name_of(config))
    breaks = sum(level.is_break for level in config.structure.levels)
    if config.add_on is not None and not 1 <= config.add_on.at_break <= breaks:
        raise IllegalCommand(
            "config",
            "The add-on is sold in break {number}; the structure has {breaks}.",
            number=config.add_on.at_break,
            breaks=breaks,
        )


def _check_numbers(config: EventConfig) -> None:
    numbers = {
        EventSentence("late level"): config.late_level,
        EventSentence("last level of a flight"): config.flight_levels,
        EventSentence("re-entries"): config.re_entries,
        EventSentence("re-entry stack"): config.re_entry_stack,
        EventSentence("minutes of a hand"): config.hand_minutes,
        EventSentence("bounty"): config.bounty.amount,
        EventSentence("act seconds"): config.act_seconds - 1,
        EventSentence("time bank"): config.time_bank_seconds,
        EventSentence("refill"): config.bank_refill_per_level,
        EventSentence("extra seconds"): min(config.extra_seconds, default=0),
        EventSentence("cap of extra seconds"): config.extra_cap_seconds,
        EventSentence("rebuys"): config.rebuy.most if config.rebuy else 0,
        EventSentence("stack for a rebuy"): config.rebuy.at_most_stack if config.rebuy else 0,
    }
    for what, number in numbers.items():
        if number < 0:
            raise IllegalCommand("config", "The {what} cannot be so low.", what=what)
    if len(set(config.break_order)) != len(config.break_order) or min(config.break_order, default=1) < 1:
        raise IllegalCommand("config", "The break order names every table once, from 1.")
