"""Chip races, at a break in which a denomination leaves (TDA 24)."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.utils.translation import gettext

from cardroom.core.arguments import RowId
from cardroom.core.errors import Illegal, Invalid
from cardroom.core.models import User
from cardroom.core.verb import verb
from tournaments.directing.carrying_out import event_and_tables, seed
from tournaments.engine import chip_race
from tournaments.engine.chip_race import Race
from tournaments.engine.commands import RaceChips
from tournaments.engine.errors import IllegalCommand
from tournaments.engine.tournament import EventEngine
from tournaments.events import journal as event_journal
from tournaments.events import playing, staff
from tournaments.events.arguments import ExpectedSeq
from tournaments.events.checks import check_in_the_room, whole
from tournaments.events.models import Tournament
from tournaments.online import suggestions


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
    """The result of a chip race without carrying it out. `stacks`: seat -> chips as counted; `cards` as dealt at the
    table from seat 1 on, one for each odd chip (None: dealt here). `Illegal` as `engine.chip_race.race` refuses."""
    staff.require(by, staff.TABLES)
    with event_journal.looking(tournament.pk, upto=tournament.seq) as state:
        return _run_race(state, table, leaving, stacks, cards, next_denomination, now=now)


@verb("events.race", roles=staff.TABLES)
def race(
    *,
    tournament_id: RowId,
    table: int,
    leaving: int,
    stacks: Mapping[int, int],
    cards: Sequence[str],
    next_denomination: int = 0,
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> Race:
    """Race them with these cards, dealt at the table or by `try_race`, and write down what everybody then has, as one
    action; the chips in play follow what it rounded. `next_denomination` 0: by the chip set of the event."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        check_in_the_room(event.locked, gettext("every bet is a multiple of the level's unit, and there is no race"))
        raced = _run_race(event.state, table, leaving, stacks, cards, next_denomination, now=event.now)
        counted = tuple([(seat.seat, seat.before) for seat in raced.raced])
        event.play(RaceChips(table, leaving, raced.next_denomination, counted, tuple(cards)))
    return raced


def _run_race(
    state: EventEngine,
    table: int,
    leaving: int,
    stacks: Mapping[int, int],
    cards: Sequence[str] | None,
    following: int,
    *,
    now: datetime,
) -> Race:
    if table not in state.tables:
        raise Illegal("no-such-table", "There is no table {table} open.", table=table)
    strange = sorted(set(stacks) ^ set(state.tables[table].seats))
    if strange and strange[0] in state.tables[table].seats:
        name = state.entrants[state.tables[table].seats[strange[0]]].name
        raise Invalid("bad-stacks", "Count the chips of {name} in seat {seat}.", name=name, seat=strange[0])
    if strange:
        raise Invalid("bad-stacks", "The race is of everybody at the table: check seat {seat}.", seat=strange[0])
    counted = {seat: whole(chips, f"stack of seat {seat}") for seat, chips in stacks.items()}
    level = state.level(event_journal.ms(now))
    following = following or suggestions.next_denomination(state, level, leaving)
    if not following:
        raise Invalid("bad-chips", "Enter the chips that replace those of {leaving}.", leaving=leaving)
    try:
        if cards is None:
            cards = chip_race.deal(chip_race.odd_chips(counted, leaving, following), seed=seed())
        return chip_race.race(counted, leaving, following, cards)
    except IllegalCommand as error:
        raise playing.refusal(error) from None
