"""Directors at the tables: who is out, who is back, chip counts, clocks and penalties, hand-for-hand, chip races.

`busts` are pairs of an entrant and their chips when the hand began (None: not known); the chips decide who finishes
higher of several who go out in one hand. Online, an order that would take somebody out of a hand is refused until the
hand is over. An order after which somebody would have won another prize than was paid is refused.
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any

from django.utils.translation import gettext, gettext_lazy, gettext_noop

from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Illegal, Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.sentences import translated
from cardroom.core.verb import verb
from games.play import event_seats
from games.tables.stacks import places_in
from tournaments.engine import chip_race, plain
from tournaments.engine.chip_race import Race
from tournaments.engine.clock import MOST_LEVELS, Level, Structure
from tournaments.engine.commands import (
    PENALTIES,
    AddTime,
    Bust,
    ClockOff,
    ClockOn,
    CorrectChips,
    Count,
    CountTable,
    EditLevels,
    GoTo,
    HandDone,
    HandForHand,
    KeepEntryOpen,
    NextLevel,
    Pause,
    Penalise,
    PreviousLevel,
    RaceChips,
    Resume,
    Revive,
    SetRemaining,
)
from tournaments.engine.errors import IllegalAction
from tournaments.engine.facts import ActionUndone, Fact, Penalised
from tournaments.engine.tournament import Tournament as Engine
from tournaments.events import journal as event_journal
from tournaments.events import playing, staff, terms
from tournaments.events.arguments import EntrantNumber, ExpectedSeq, Stack, Why
from tournaments.events.checks import in_the_room, reason_of, whole
from tournaments.events.journal import Locked
from tournaments.events.models import Tournament, TournamentEntry
from tournaments.events.playing import Hall, HeldEvent, OrderReceipt
from tournaments.online import play, seating, suggestions
from tournaments.prizes import payouts

# Orders in an online event, done at its tables


class Rooms:
    """The room's tables of an event as they were before the order; none for an event in the room itself."""

    def __init__(self, locked: Locked) -> None:
        is_online = locked.row.conduct == Tournament.Conduct.ONLINE and locked.row.is_live
        self._locked = locked
        self._hall = Hall(locked) if is_online else None

    @property
    def busy(self) -> tuple[int, ...]:
        """The event's tables whose players cannot be moved now."""
        return self._hall.busy() if self._hall is not None else ()

    def follow(self, facts: Sequence[Fact], *, now: datetime) -> None:
        """Carry these facts out at the tables. `Conflict` where a player concerned is in a hand."""
        if self._hall is None or not facts:
            return
        state = self._locked.state
        for fact in facts:
            undone = state.facts[fact.first - 1 : fact.last] if isinstance(fact, ActionUndone) else ()
            if any(isinstance(each, Penalised) and each.hands for each in undone):
                message = gettext_noop("The player's seat serves the penalty already: it is not undone.")
                raise Illegal("penalty-served", message, rule="TDA 71")
        seating.follow_facts(self._locked, self._hall, now=now)
        given = [fact for fact in facts if isinstance(fact, Penalised) and fact.hands]
        hands = {state.entrants[fact.entrant].player: fact.hands for fact in given}
        for player, (table, _) in places_in(event=self._locked.row.unit, players=hands).items():
            event_seats.penalise(table_id=table, player_id=player, hands=hands[player], now=now)
        play.refresh_tables(self._locked, now=now)


# How an order is carried out


@contextmanager
def event_and_tables(
    tournament_id: int, *, by: User | None, expected_seq: int | None = None, arranges: bool = True
) -> Iterator[HeldEvent]:
    """An event held for an order of the floor, as `playing.event` does. At the end of the block its tables follow what
    was done and, where it `arranges`, what the event then arranges by itself."""
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        rooms, first = Rooms(event.locked), event.row.seq
        event.busy = rooms.busy
        yield event
        rooms.follow(event.state.facts[first:], now=event.now)
        if arranges and event.row.conduct == Tournament.Conduct.ROOM:
            suggestions.arrange(event.locked, now=event.now)
        payouts.check_paid(event.locked)


def seed() -> int:
    """A seed for a draw; it is kept with the fact, so that anybody can repeat the draw."""
    return secrets.randbits(64)


Busts = Sequence[tuple[int, int | None]]
Stacks = Sequence[tuple[int, int]]
_COUNTED = gettext_lazy("chips are counted by the tables")
_BY_STACKS = "RROP v11, Tournaments"


@verb("events.bust", roles=staff.TABLES)
def bust(
    *,
    tournament_id: RowId,
    busts: Busts,
    eliminators: Sequence[int] = (),
    table: int = 0,
    hand: int = 0,
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> OrderReceipt:
    """These are out, all by one hand at one table. `eliminators`: the entrants who won the chips; where there are
    bounties they share them. For directors, and for the floor and the dealers at the tables.

    Refuses: `Invalid` (several in one hand without their stacks), `Illegal` (out already, sits elsewhere, online).
    """
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        in_the_room(event.locked, gettext("whoever has lost all their chips is out automatically"))
        event.play(Bust(_busts(event, busts), table, hand, tuple(eliminators)))
    return event.receipt


@verb("events.revive", roles=staff.DIRECTORS)
def revive(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber,
    stack: Annotated[Stack | None, Limits(allow_null=True, help_text="null: what the player had.")] = None,
    reason: Why,
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> OrderReceipt:
    """The bust was a mistake: the player is back in their seat, or in one that is drawn. `stack` None: what they
    had."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        in_the_room(event.locked, gettext("nobody is out by mistake"))
        reason_of(reason, of=gettext("somebody who comes back"))
        event.play(Revive(entrant, seed(), stack))
    return event.receipt


@verb("events.count", roles=staff.TABLES)
def count(
    *, tournament_id: RowId, entrant: EntrantNumber, chips: Stack, expected_seq: ExpectedSeq = None, by: User | None
) -> OrderReceipt:
    """So many chips were counted before the player."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        in_the_room(event.locked, _COUNTED)
        event.play(Count(entrant, whole(chips, "count")))
    return event.receipt


@verb("events.count_table", roles=staff.TABLES)
def count_table(
    *, tournament_id: RowId, table: int, stacks: Stacks, expected_seq: ExpectedSeq = None, by: User | None
) -> OrderReceipt:
    """So many chips were counted before those at one table, or before some of them: `stacks`, (entrant, chips). One
    count, which stands or is taken back as a whole.

    Refuses: `Illegal` (nothing was counted, somebody sits elsewhere, more chips than are in play, online).
    """
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        in_the_room(event.locked, _COUNTED)
        event.play(CountTable(table, tuple([(number, whole(chips, "count")) for number, chips in stacks])))
    return event.receipt


@verb("events.correct_chips", roles=staff.DIRECTORS)
def correct_chips(
    *, tournament_id: RowId, chips: Stack, reason: Why, expected_seq: ExpectedSeq = None, by: User | None
) -> OrderReceipt:
    """So many chips are really in play: a chip race went wrong, or a table was given too many. The average, and what a
    count may come to, follow.

    Refuses: `Invalid` (no reason), `Illegal` (as it is already, fewer than were just counted, online).
    """
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        in_the_room(event.locked, _COUNTED)
        why = reason_of(reason, of=gettext("a correction of the chips in play"))
        event.play(CorrectChips(whole(chips, "count"), why))
    return event.receipt


@verb("events.hand_for_hand", roles=staff.DIRECTORS)
def hand_for_hand(*, tournament_id: RowId, on: bool, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Every table waits for the last before the next hand, or no longer."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(HandForHand(on))
    return event.receipt


@verb("events.hand_done", roles=staff.TABLES)
def hand_done(
    *,
    tournament_id: RowId,
    table: int,
    busts: Busts = (),
    eliminators: Sequence[int] = (),
    stacks: Stacks = (),
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> OrderReceipt:
    """A table has played its hand. With the last table that was still playing the hand of hand-for-hand is over.

    `stacks`: (entrant, chips) after it, where they were counted. Refuses as `bust` does.
    """
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        in_the_room(event.locked, gettext("the tables say themselves when a hand is over"))
        event.play(HandDone(table, _busts(event, busts), tuple(eliminators), tuple(stacks)))
    return event.receipt


def _busts(event: HeldEvent, busts: Busts) -> tuple[tuple[int, int], ...]:
    """Busts with stacks filled in where none were given: one alone, or several who share a place in hand-for-hand."""
    state = event.state
    said = []
    for number, stack in busts:
        if stack is None:
            if len(busts) > 1 and not state.is_hand_for_hand:
                raise Invalid(
                    "stacks-required",
                    "Several players are out in one hand: enter the chips of each at its start. More chips "
                    "finish higher.",
                    rule=_BY_STACKS,
                )
            stack = state.entrants[number].stack if number in state.entrants else 0
        said.append((number, whole(stack, "stack")))
    return tuple(said)


# One player


_MOST_HANDS = 100


@verb("events.penalise", roles=staff.DIRECTORS)
def penalise(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber,
    kind: Annotated[str, Limits(choices=PENALTIES)],
    count: Annotated[
        int, Limits(required=False, min_value=0, max_value=_MOST_HANDS, help_text="Hands or rounds to miss.")
    ] = 0,
    reason: Annotated[Why, Limits(error_messages={"required": gettext_lazy("a penalty needs a reason.")})],
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> OrderReceipt:
    """A warning, or `count` hands or rounds to miss; `kind` as in `engine.commands.PENALTIES`. Online their seat serves
    it from the next hand on. Who is disqualified is out, and their chips leave play; online between hands only:
    `Conflict` while they are in one."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        if kind == "disqualified":
            why, number = reason_of(reason, of=gettext("a disqualification")), 0
        else:
            why = reason_of(reason, of=gettext("a penalty"))
            number = whole(count, "number", most=_MOST_HANDS)
        event.play(Penalise(entrant, kind, number, why))
    return event.receipt


@verb("events.disqualify", roles=staff.DIRECTORS)
def disqualify(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber,
    reason: Annotated[str, Limits(required=False, max_length=200)] = "",
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> OrderReceipt:
    """`penalise`, as a verb of its own."""
    return penalise(
        tournament_id=tournament_id,
        entrant=entrant,
        kind="disqualified",
        reason=reason,
        expected_seq=expected_seq,
        by=by,
    )


@verb("events.clock_on", roles=staff.TABLES)
def clock_on(
    *, tournament_id: RowId, entrant: EntrantNumber, expected_seq: ExpectedSeq = None, by: User | None
) -> OrderReceipt:
    """Put the clock on the player: 25 seconds and a countdown of five. Also for the floor at the tables."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        if event.row.conduct == Tournament.Conduct.ONLINE:
            raise Illegal("online-tables", "Online every turn has its clock already.", rule="TDA 29")
        event.play(ClockOn(entrant))
    return event.receipt


@verb("events.clock_off", roles=staff.TABLES)
def clock_off(
    *, tournament_id: RowId, entrant: EntrantNumber, expected_seq: ExpectedSeq = None, by: User | None
) -> OrderReceipt:
    """The player has acted."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(ClockOff(entrant))
    return event.receipt


@verb("events.keep_entry_open", roles=staff.DIRECTORS)
def keep_entry_open(
    *,
    tournament_id: RowId,
    on: Annotated[bool | None, Limits(allow_null=True, help_text="null: by the terms of the event.")],
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> OrderReceipt:
    """Hold entry open or closed whatever the level; None: by the terms of the event again."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(KeepEntryOpen(on))
    return event.receipt


@verb("events.arrived", roles=staff.TABLES)
def arrived(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber,
    has: Annotated[bool, Limits(required=False)] = True,
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> TournamentEntry:
    """The dealer saw the player in their seat, or not after all. Nothing of the event's log; once more changes
    nothing."""
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        entry = TournamentEntry.objects.filter(tournament=event.row, number=entrant).first()
        if entry is None:
            raise NotFound("no-such-entry", "There is no entry {entrant} in this tournament.", entrant=entrant)
        if has != (entry.arrived_at is not None):
            entry.arrived_at = event.now if has else None
            entry.save(update_fields=["arrived_at"])
    return entry


@verb("events.all_here", roles=staff.TABLES)
def all_here(
    *, tournament_id: RowId, table: int, expected_seq: ExpectedSeq = None, by: User | None
) -> list[TournamentEntry]:
    """The dealer sees everybody at this table in their seat; those who were not seen before are returned, in the order
    of entry. Nothing of the event's log; once more changes nothing. `NotFound` where the table is not open."""
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        if table not in event.state.tables:
            raise NotFound("no-such-table", "There is no table {table} open.", table=table)
        seated = event.state.tables[table].seats.values()
        unseen = TournamentEntry.objects.filter(tournament=event.row, number__in=seated, arrived_at=None)
        entries = list(unseen.order_by("number"))
        TournamentEntry.objects.filter(pk__in=[entry.pk for entry in entries]).update(arrived_at=event.now)
    return entries


# Chip races, at a break in which a denomination leaves (TDA 24)


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
        return _raced(state, table, leaving, stacks, cards, next_denomination, now=now)


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
        in_the_room(event.locked, gettext("every bet is a multiple of the level's unit, and there is no race"))
        raced = _raced(event.state, table, leaving, stacks, cards, next_denomination, now=event.now)
        counted = tuple([(seat.seat, seat.before) for seat in raced.raced])
        event.play(RaceChips(table, leaving, raced.next_denomination, counted, tuple(cards)))
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
    except IllegalAction as error:
        raise playing.refusal(error) from None


# The director's hand on the clock: stopped, set going, moved on, and the levels that are still to come.


_MOST_MS = 24 * 3600 * 1000


@verb("events.pause", roles=staff.DIRECTORS)
def pause(*, tournament_id: RowId, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Stop the clock; `Illegal` where it is stopped."""
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(Pause())
    return event.receipt


@verb("events.resume", roles=staff.DIRECTORS)
def resume(*, tournament_id: RowId, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Let the clock run on."""
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(Resume())
    return event.receipt


#: The clock of an event that does not start it by itself.
start = resume


@verb("events.add_time", roles=staff.DIRECTORS)
def add_time(*, tournament_id: RowId, ms: int, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """`ms` more of this level, or fewer below 0: when none is left, the next one begins."""
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(AddTime(whole(ms, "time", least=-_MOST_MS, most=_MOST_MS)))
    return event.receipt


@verb("events.set_remaining", roles=staff.DIRECTORS)
def set_remaining(*, tournament_id: RowId, ms: int, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Set what is left of this level, in milliseconds; 0 begins the next one."""
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(SetRemaining(whole(ms, "time", most=_MOST_MS)))
    return event.receipt


@verb("events.go_to", roles=staff.DIRECTORS)
def go_to(*, tournament_id: RowId, level: int, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Begin the level or break at index `level` of the structure now."""
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(GoTo(whole(level, "level", most=MOST_LEVELS)))
    return event.receipt


@verb("events.next_level", roles=staff.DIRECTORS)
def next_level(*, tournament_id: RowId, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Begin the next level or break now."""
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(NextLevel())
    return event.receipt


@verb("events.previous_level", roles=staff.DIRECTORS)
def previous_level(*, tournament_id: RowId, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Begin the level or break before this one again."""
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(PreviousLevel())
    return event.receipt


@verb("events.edit_levels", roles=staff.DIRECTORS)
def edit_levels(
    *,
    tournament_id: RowId,
    from_level: int,
    levels: Sequence[Level | dict[str, Any]],
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> OrderReceipt:
    """`levels` from index `from_level` on, in place of those that were there; a level may come as the JSON of its
    fields. `Illegal` for a level that was played, or stakes with a hole or a fall; `Invalid` names a field it cannot
    read, or says what the event's rulebook cannot play online."""
    if len(levels) > MOST_LEVELS:
        raise Invalid("bad-levels", "A structure has at most {most} levels and breaks.", most=MOST_LEVELS)
    made = tuple([each if isinstance(each, Level) else _level(each) for each in levels])
    start = whole(from_level, "level", most=MOST_LEVELS)
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        terms.check_book(replace(event.state.config, structure=Structure(made)))
        event.play(EditLevels(start, made))
    return event.receipt


def _level(data: dict[str, Any]) -> Level:
    try:
        return plain.from_plain(Level, data, "level")
    except ValueError as error:
        raise Invalid(
            "bad-levels", "A level of the structure cannot be read: {error}.", error=translated(error.args[0])
        ) from None
