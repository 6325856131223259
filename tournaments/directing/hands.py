"""Directors at the tables: who is out, who is back, chip counts, clocks and penalties, hand-for-hand, chip races.

`busts` are pairs of an entrant and their chips when the hand began (None: not known); the chips decide who finishes
higher of several who go out in one hand. Online, an order that would take somebody out of a hand is refused until the
hand is over. An order after which somebody would have won another prize than was paid is refused.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from functools import wraps
from typing import Any, Unpack

from django.utils.translation import gettext, gettext_lazy, gettext_noop

from cardroom.core.errors import Illegal, Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.sentences import spoken
from games.play import event_seats
from games.tables.stacks import places_in
from tournaments.engine import chip_race, plain
from tournaments.engine.chip_race import Race
from tournaments.engine.clock import MOST_LEVELS, Level, Structure
from tournaments.engine.commands import (
    AddTime,
    Bust,
    ClockOff,
    ClockOn,
    Command,
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
from tournaments.events.checks import in_the_room, reason_of, whole
from tournaments.events.journal import Locked, Receipt
from tournaments.events.models import Tournament, TournamentEntry
from tournaments.events.playing import Directed, Hall, Order, directing
from tournaments.online import play, suggestions
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
        play.follow(self._locked, self._hall, now=now)
        given = [fact for fact in facts if isinstance(fact, Penalised) and fact.hands]
        hands = {state.entrants[fact.entrant].player: fact.hands for fact in given}
        for player, (table, _) in places_in(event=self._locked.row.unit, players=hands).items():
            event_seats.penalise(table_id=table, player_id=player, hands=hands[player], now=now)
        play.moved_on(self._locked, now=now)


# How an order is carried out


@contextmanager
def ordering(roles: tuple[str, ...], /, *, arranges: bool = True, **order: Unpack[Order]) -> Iterator[Directed]:
    """The event held for an order of the floor's; what follows from it is done on the way out. `arranges`: also what
    the event has arranged by itself."""
    with playing.directing(roles, **order) as held:
        if held.earlier is not None:
            yield held
            return
        rooms, first = Rooms(held.locked), held.locked.row.seq
        held.busy = rooms.busy
        yield held
        rooms.follow(held.locked.state.facts[first:], now=held.now)
        if arranges and held.locked.row.conduct == Tournament.Conduct.ROOM:
            suggestions.arrange(held.locked, now=held.now)
        payouts.check_paid(held.locked)


def an_order(
    roles: tuple[str, ...] = staff.DIRECTORS, /, *, online: Any = "", arranges: bool = True
) -> Callable[[Callable[..., Command | None]], Callable[..., Receipt]]:
    """Make a verb of the floor, `verb(held, ...)`, an order: it is called with the fields of `Order` beside its own.

    What it returns is played; None: it has done it itself. The same order again does nothing. `online`: why nobody
    gives it in an event online (`Illegal`), "" where they do; `arranges` as in `ordering`.
    """

    def given(verb: Callable[..., Command | None]) -> Callable[..., Receipt]:
        @wraps(verb)
        def give(**asked: Any) -> Receipt:
            order: Any = {name: asked.pop(name) for name in Order.__annotations__ if name in asked}
            with ordering(roles, arranges=arranges, **order) as held:
                if held.earlier is None:
                    if online:
                        in_the_room(held.locked, online)
                    command = verb(held, **asked)
                    if command is not None:
                        held.play(command)
            return held.receipt

        return give

    return given


def seed() -> int:
    """A seed for a draw; it is kept with the fact, so that anybody can repeat the draw."""
    return secrets.randbits(64)


Busts = Sequence[tuple[int, int | None]]
Stacks = Sequence[tuple[int, int]]
_COUNTED = gettext_lazy("chips are counted by the tables")
_BY_STACKS = "RROP v11, Tournaments"


@an_order(staff.TABLES, online=gettext_lazy("whoever has lost all their chips is out automatically"))
def bust(held: Directed, *, busts: Busts, eliminators: Sequence[int] = (), table: int = 0, hand: int = 0) -> Command:
    """These are out, all by one hand at one table. `eliminators`: the entrants who won the chips; where there are
    bounties they share them. For directors, and for the floor and the dealers at the tables.

    Refuses: `Invalid` (several in one hand without their stacks), `Illegal` (out already, sits elsewhere, online).
    """
    return Bust(_busts(held, busts), table, hand, tuple(eliminators))


@an_order(online=gettext_lazy("nobody is out by mistake"))
def revive(held: Directed, *, entrant: int, stack: int | None = None, reason: str) -> Command:
    """The bust was a mistake: the player is back in their seat, or in one that is drawn. `stack` None: what they
    had."""
    reason_of(reason, of=gettext("somebody who comes back"))
    return Revive(entrant, seed(), stack)


@an_order(staff.TABLES, online=_COUNTED)
def count(held: Directed, *, entrant: int, chips: int) -> Command:
    """So many chips were counted before the player."""
    return Count(entrant, whole(chips, "count"))


@an_order(staff.TABLES, online=_COUNTED)
def count_table(held: Directed, *, table: int, stacks: Stacks) -> Command:
    """So many chips were counted before those at one table, or before some of them: `stacks`, (entrant, chips). One
    count, which stands or is taken back as a whole.

    Refuses: `Illegal` (nothing was counted, somebody sits elsewhere, more chips than are in play, online).
    """
    return CountTable(table, tuple([(number, whole(chips, "count")) for number, chips in stacks]))


@an_order(online=_COUNTED)
def correct_chips(held: Directed, *, chips: int, reason: str) -> Command:
    """So many chips are really in play: a chip race went wrong, or a table was given too many. The average, and what a
    count may come to, follow.

    Refuses: `Invalid` (no reason), `Illegal` (as it is already, fewer than were just counted, online).
    """
    said = reason_of(reason, of=gettext("a correction of the chips in play"))
    return CorrectChips(whole(chips, "count"), said)


@an_order()
def hand_for_hand(held: Directed, *, on: bool) -> Command:
    """Every table waits for the last before the next hand, or no longer."""
    return HandForHand(on)


@an_order(staff.TABLES, online=gettext_lazy("the tables say themselves when a hand is over"))
def hand_done(
    held: Directed, *, table: int, busts: Busts = (), eliminators: Sequence[int] = (), stacks: Stacks = ()
) -> Command:
    """A table has played its hand. With the last table that was still playing the hand of hand-for-hand is over.

    `stacks`: (entrant, chips) after it, where they were counted. Refuses as `bust` does.
    """
    return HandDone(table, _busts(held, busts), tuple(eliminators), tuple(stacks))


def _busts(held: Directed, busts: Busts) -> tuple[tuple[int, int], ...]:
    """Busts with stacks filled in where none were given: one alone, or several who share a place in hand-for-hand."""
    state = held.locked.state
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


@an_order()
def penalise(held: Directed, *, entrant: int, kind: str, count: int = 0, reason: str) -> Command:
    """A warning, or `count` hands or rounds to miss; `kind` as in `engine.commands.PENALTIES`. Online their seat serves
    it from the next hand on. Who is disqualified is out, and their chips leave play; online between hands only:
    `Conflict` while they are in one."""
    if kind == "disqualified":
        return Penalise(entrant, kind, 0, reason_of(reason, of=gettext("a disqualification")))
    said = reason_of(reason, of=gettext("a penalty"))
    return Penalise(entrant, kind, whole(count, "number", most=_MOST_HANDS), said)


def disqualify(**asked: Any) -> Receipt:
    """`penalise`, as a verb of its own."""
    return penalise(kind="disqualified", **asked)


@an_order(staff.TABLES)
def clock_on(held: Directed, *, entrant: int) -> Command:
    """Put the clock on the player: 25 seconds and a countdown of five. Also for the floor at the tables."""
    if held.locked.row.conduct == Tournament.Conduct.ONLINE:
        raise Illegal("online-tables", "Online every turn has its clock already.", rule="TDA 29")
    return ClockOn(entrant)


@an_order(staff.TABLES)
def clock_off(held: Directed, *, entrant: int) -> Command:
    """The player has acted."""
    return ClockOff(entrant)


@an_order()
def keep_entry_open(held: Directed, *, on: bool | None) -> Command:
    """Hold entry open or closed whatever the level; None: by the terms of the event again."""
    return KeepEntryOpen(on)


def arrived(*, entrant: int, has: bool = True, **order: Unpack[Order]) -> TournamentEntry:
    """The dealer saw the player in their seat, or not after all. Nothing of the event's log; once more changes
    nothing."""
    with directing(staff.TABLES, **order) as held:
        entry = TournamentEntry.objects.filter(tournament=held.locked.row, number=entrant).first()
        if entry is None:
            raise NotFound("no-such-entry", "There is no entry {entrant} in this tournament.", entrant=entrant)
        if has != (entry.arrived_at is not None):
            entry.arrived_at = held.now if has else None
            entry.save(update_fields=["arrived_at"])
    return entry


def all_here(*, table: int, **order: Unpack[Order]) -> list[TournamentEntry]:
    """The dealer sees everybody at this table in their seat; those who were not seen before are returned, in the order
    of entry. Nothing of the event's log; once more changes nothing. `NotFound` where the table is not open."""
    with directing(staff.TABLES, **order) as held:
        if table not in held.locked.state.tables:
            raise NotFound("no-such-table", "There is no table {table} open.", table=table)
        seated = held.locked.state.tables[table].seats.values()
        unseen = TournamentEntry.objects.filter(tournament=held.locked.row, number__in=seated, arrived_at=None)
        entries = list(unseen.order_by("number"))
        TournamentEntry.objects.filter(pk__in=[entry.pk for entry in entries]).update(arrived_at=held.now)
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
        in_the_room(held.locked, gettext("every bet is a multiple of the level's unit, and there is no race"))
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


def _direct(command: Command, **order: Unpack[Order]) -> Receipt:
    with directing(staff.DIRECTORS, **order) as held:
        if held.earlier is None:
            held.play(command)
    return held.receipt


def pause(**order: Unpack[Order]) -> Receipt:
    """Stop the clock; `Illegal` where it is stopped."""
    return _direct(Pause(), **order)


def resume(**order: Unpack[Order]) -> Receipt:
    """Let the clock run on."""
    return _direct(Resume(), **order)


#: The clock of an event that does not start it by itself.
start = resume


def add_time(*, ms: int, **order: Unpack[Order]) -> Receipt:
    """`ms` more of this level, or fewer below 0: when none is left, the next one begins."""
    return _direct(AddTime(whole(ms, "time", least=-_MOST_MS, most=_MOST_MS)), **order)


def set_remaining(*, ms: int, **order: Unpack[Order]) -> Receipt:
    """Set what is left of this level, in milliseconds; 0 begins the next one."""
    return _direct(SetRemaining(whole(ms, "time", most=_MOST_MS)), **order)


def go_to(*, level: int, **order: Unpack[Order]) -> Receipt:
    """Begin the level or break at index `level` of the structure now."""
    return _direct(GoTo(whole(level, "level", most=MOST_LEVELS)), **order)


def next_level(**order: Unpack[Order]) -> Receipt:
    """Begin the next level or break now."""
    return _direct(NextLevel(), **order)


def previous_level(**order: Unpack[Order]) -> Receipt:
    """Begin the level or break before this one again."""
    return _direct(PreviousLevel(), **order)


def edit_levels(*, from_level: int, levels: Sequence[Level | dict[str, Any]], **order: Unpack[Order]) -> Receipt:
    """`levels` from index `from_level` on, in place of those that were there; a level may come as the JSON of its
    fields. `Illegal` for a level that was played, or stakes with a hole or a fall; `Invalid` names a field it cannot
    read, or says what the event's rulebook cannot play online."""
    if len(levels) > MOST_LEVELS:
        raise Invalid("bad-levels", "A structure has at most {most} levels and breaks.", most=MOST_LEVELS)
    made = tuple([each if isinstance(each, Level) else _level(each) for each in levels])
    start = whole(from_level, "level", most=MOST_LEVELS)
    with directing(staff.DIRECTORS, **order) as held:
        if held.earlier is None:
            terms.check_book(replace(held.locked.state.config, structure=Structure(made)))
            held.play(EditLevels(start, made))
    return held.receipt


def _level(data: dict[str, Any]) -> Level:
    try:
        return plain.from_plain(Level, data, "level")
    except ValueError as error:
        raise Invalid(
            "bad-levels", "A level of the structure cannot be read: {error}.", error=spoken(error.args[0])
        ) from None
