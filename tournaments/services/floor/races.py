"""The chip race of one table, at a break in which a denomination leaves (TDA 24)."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Unpack

from cardroom.models import User
from cardroom.services.errors import Illegal, Invalid
from tournaments import journal, moments
from tournaments.engine import chip_race
from tournaments.engine.chip_race import Race
from tournaments.engine.commands import RaceChips
from tournaments.engine.errors import IllegalAction
from tournaments.engine.tournament import Tournament as Engine
from tournaments.models import Tournament
from tournaments.services import playing, staff, suggestions
from tournaments.services.directing import Order, in_the_room, whole
from tournaments.services.floor.ordering import ordering, seed


def try_race(
    *,
    tournament: Tournament,
    table: int,
    leaving: int,
    stacks: Mapping[int, int],
    cards: Sequence[str] | None = None,
    next_denomination: int = 0,
    by: User,
    now: datetime,
) -> Race:
    """How the race would come out; nothing is written. `stacks`: seat -> chips as counted; `cards` as dealt at the
    table from seat 1 on, one for each odd chip (None: dealt here). `Illegal` as `engine.chip_race.race` refuses."""
    staff.require(by, staff.TABLES)
    with journal.looking(tournament.pk, upto=tournament.seq) as state:
        return _raced(state, table, leaving, stacks, cards, next_denomination, now=now)


def race(
    *,
    table: int,
    leaving: int,
    stacks: Mapping[int, int],
    cards: Sequence[str],
    next_denomination: int = 0,
    **order: Unpack[Order],
) -> Race:
    """Race them with these cards, dealt at the table or by `try_race`, and write down what everybody then has, as one
    action; the chips in play follow what it rounded. `next_denomination` 0: by the chip set of the event. The same
    order again writes nothing."""
    with ordering(staff.TABLES, **order) as held:
        in_the_room(held.locked, "every bet is a multiple of the level's unit, and there is no race")
        state = held.locked.state
        raced = _raced(state, table, leaving, stacks, cards, next_denomination, now=held.now)
        if held.earlier is None:
            counted = tuple([(one.seat, one.before) for one in raced.raced])
            held.play(RaceChips(table, leaving, raced.next_denomination, counted, tuple(cards)))
    return raced


def _raced(
    state: Engine,
    table: int,
    leaving: int,
    stacks: Mapping[int, int],
    cards: Sequence[str] | None,
    following: int,
    *,
    now: datetime,
) -> Race:
    if table not in state.tables:
        raise Illegal(f"There is no table {table} open.", "no-such-table")
    strange = sorted(set(stacks) ^ set(state.tables[table].seats))
    if strange and strange[0] in state.tables[table].seats:
        name = state.entrants[state.tables[table].seats[strange[0]]].name
        raise Invalid(f"Count what {name} in seat {strange[0]} has.", "bad-stacks")
    if strange:
        raise Invalid(f"The race is of everybody at the table: look at seat {strange[0]}.", "bad-stacks")
    counted = {seat: whole(chips, f"stack of seat {seat}") for seat, chips in stacks.items()}
    level = state.level(moments.ms(now))
    following = following or suggestions.next_denomination(state, level, leaving)
    if not following:
        raise Invalid(f"Say which chips those of {leaving} are changed into.", "bad-chips")
    try:
        if cards is None:
            cards = chip_race.deal(chip_race.odd_chips(counted, leaving, following), seed=seed())
        return chip_race.race(counted, leaving, following, cards)
    except IllegalAction as error:
        raise playing.refusal(error) from None
