"""Who gets a free seat: `next_for`, by the rules in order, from what is read of the lists. Locks nothing.

The page that shows the choice and the service that acts on it ask here, and get the same answer; the service has the
offer locked, and asks again. `choose` does not use the database: it takes seats and candidates, says whose the seat is
by which rule, and why everybody before them was passed over.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from django.db.models import Case, CharField, Count, Exists, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy, gettext_noop

from cardroom.accounts import bans, people
from cardroom.core import room_time
from cardroom.core.sentences import StoredText, Wording
from cardroom.ledger import limits
from games.tables.models.offers import Invitation, SeatHold
from games.tables.models.tables import Seat, Table
from games.waitlists import reasons
from games.waitlists.models import ListEntry, ListMove

# The rules, in order, each with its name and source


Kind, State = ListEntry.Kind, ListEntry.State

_HOUSE = gettext_lazy("Rules of the room, 5 (waiting lists)")
_PRACTICE = gettext_lazy("Rules of the room, 5 (waiting lists); common practice of card rooms")
_RROP = "Robert's Rules of Poker v11, 2 House Policies"


@dataclass(frozen=True)
class Rule:
    """One rule of the lists. `text` is what is said to people, `cite` where it stands."""

    slug: str
    title: Any
    text: Any
    cite: Any


#: In this order; beside each rule the kinds of names it is about.
RULES: tuple[tuple[Rule, tuple[str, ...]], ...] = (
    (
        Rule(
            "seat-change",
            gettext_lazy("Seat changes first"),
            gettext_lazy("Who plays at the table has a seat there before anybody new; of several, who asked first."),
            _PRACTICE,
        ),
        (Kind.SEAT_CHANGE,),
    ),
    (
        Rule(
            "must-move",
            gettext_lazy("Must move"),
            gettext_lazy("A free seat of the main game goes to its must-move game: first in there, first out of it."),
            _PRACTICE,
        ),
        (Kind.MUST_MOVE,),
    ),
    (
        Rule(
            "table-change",
            gettext_lazy("Table changes"),
            gettext_lazy(
                "Who plays the same game at another table and asked to change goes before the list, in order of asking."
            ),
            format_lazy("{house}; {book}, Seating 3", house=_HOUSE, book=_RROP),
        ),
        (Kind.TABLE_CHANGE,),
    ),
    (
        Rule(
            "put-back",
            gettext_lazy("Put back from a broken game"),
            gettext_lazy(
                "Who lost a seat because the game broke goes to the top of the list, by their time at the table."
            ),
            _HOUSE,
        ),
        (Kind.LIST, Kind.INTEREST),
    ),
    (
        Rule(
            "list",
            gettext_lazy("First come"),
            gettext_lazy("The list is called in the order in which names were put on it."),
            _HOUSE,
        ),
        (Kind.LIST, Kind.INTEREST),
    ),
)

BY_SLUG = {rule.slug: rule for rule, _ in RULES} | {
    rule.slug: rule
    for rule in (
        Rule(
            "floor",
            gettext_lazy("The floor decides"),
            gettext_lazy("The floor may call, seat or move somebody out of turn, with a reason."),
            format_lazy("{house}; {book}, Decision-making 1 and 2", house=_HOUSE, book=_RROP),
        ),
        Rule(
            "own-wish",
            gettext_lazy("Player's request"),
            gettext_lazy("A player joins and leaves lists, and answers calls, as they like."),
            _HOUSE,
        ),
        Rule(
            "call-time",
            gettext_lazy("The time of a call"),
            gettext_lazy("Who does not come in time goes to the bottom, then off the list."),
            _HOUSE,
        ),
        Rule(
            "no-table",
            gettext_lazy("No table any more"),
            gettext_lazy("A call to a table that closes is taken back; the name keeps its place."),
            _HOUSE,
        ),
        Rule(
            "enough",
            gettext_lazy("Enough names"),
            gettext_lazy("A game opens when as many names are there as the room asks for."),
            _HOUSE,
        ),
        Rule(
            "took-a-seat",
            gettext_lazy("Took a seat"),
            gettext_lazy("Who sits down in a game has had what they waited for."),
            _HOUSE,
        ),
        Rule(
            "barred",
            gettext_lazy("Barred"),
            gettext_lazy("Who may not play is on no list."),
            gettext_lazy("Rules of the room, standing of players"),
        ),
        Rule(
            "refused-move",
            gettext_lazy("Refused to move"),
            gettext_lazy(
                "Who refuses to move to the main game gives up their seat, and is not on its lists for an hour."
            ),
            _PRACTICE,
        ),
    )
}

TRANSFER_CITE = f"{_RROP}, Seating 3: no transfer that leaves the game left with fewer players than the game entered"


@dataclass(frozen=True)
class Candidate:
    """Somebody who might get the seat. `order` sorts those of one rule; `bars` say why it cannot be theirs, whatever
    the seat; `seats` are the only numbers they want (none: any), `passed` those that the floor passed them over for."""

    player: int
    name: str
    kind: str
    order: tuple[int, ...]
    entry: ListEntry | None = None
    tier: int = 1
    seats: frozenset[int] = frozenset()
    passed: frozenset[int] = frozenset()
    bars: tuple[StoredText, ...] = ()

    @property
    def rule(self) -> Rule:
        return next(rule for rule, is_for in _rungs() if is_for(self))


@dataclass(frozen=True)
class Chosen:
    """Who gets which seat, by which rule, and who was passed over: pairs of a candidate and why."""

    candidate: Candidate
    number: int
    rule: Rule
    passed_over: tuple[tuple[Candidate, StoredText], ...] = field(default=())


def _rungs() -> Iterable[tuple[Rule, Callable[[Candidate], bool]]]:
    for rule, kinds in RULES:
        tiers = (0,) if rule.slug == "put-back" else (1, 2) if rule.slug == "list" else (0, 1, 2)
        yield rule, lambda each, kinds=kinds, tiers=tiers: each.kind in kinds and each.tier in tiers


def in_order(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Candidates by rule, then by the order within the rule."""
    waiting = list(candidates)
    return [
        each
        for _, is_for in _rungs()
        for each in sorted((one for one in waiting if is_for(one)), key=lambda one: one.order)
    ]


def choose(free: Sequence[int], candidates: Iterable[Candidate]) -> Chosen | None:
    """Who gets one of the free seats, and which; None where no candidate can have it."""
    if not free:
        return None
    passed: list[tuple[Candidate, StoredText]] = []
    for each in in_order(candidates):
        if each.bars:
            passed.append((each, each.bars[0]))
            continue
        wanted = [number for number in free if not each.seats or number in each.seats]
        fitting = [number for number in wanted if number not in each.passed]
        if fitting:
            return Chosen(each, fitting[0], each.rule, tuple(passed))
        if wanted:
            passed.append((each, reasons.SKIPPED_FOR_SEATS(seats=reasons.seats(wanted))))
        else:
            free_seats = reasons.free_seats(free)
            passed.append((each, reasons.WANTS_OTHER_SEATS(seats=reasons.seats(each.seats), free=free_seats)))
    return None


# Candidates: names, seats, held seats, invitations, bans, limits; of one table or of all at once


#: Who was passed over is passed over for so long as their game holds a seat, and never longer than this.
_LONGEST_HOLD = timedelta(days=1)

#: What is read where a choice is only shown: there may be thousands of rows.
_SEAT_SHOWN = (
    *("table", "number", "player", "state", "sat_at"),
    *("table__name", "table__must_move_to", "table__offer", "player__username", "player__is_bot"),
)


@dataclass(frozen=True)
class Room:
    """What the choices at some tables of games on offer are made from, read in five queries however many they are; two
    more where somebody who waits has set themselves a limit of time.

    `seats`: those of the tables, of the tables that feed them, and of everybody who waits for one of these games.
    `passed`: by entry, the seats it was passed over for lately (0, 0: whichever); `barred`: who may not play, online
    and in the room.
    """

    tables: frozenset[int]
    entries: dict[int, list[ListEntry]]
    seats: list[Seat]
    held: dict[int, set[int]]
    invited: dict[int, set[int]]
    passed: dict[int, set[tuple[int, int]]]
    barred: Mapping[str, frozenset[int]]
    now: datetime

    def free(self, table: Table) -> list[int]:
        """Seats that are neither taken nor held."""
        taken = {seat.number for seat in self.at_table[table.pk]} | self.held.get(table.pk, set())
        return [number for number in range(1, table.seat_count + 1) if number not in taken]

    @cached_property
    def at_table(self) -> Mapping[int, list[Seat]]:
        return _by(self.seats, lambda seat: seat.table_id)

    @cached_property
    def of_player(self) -> Mapping[int, list[Seat]]:
        return _by(self.seats, lambda seat: seat.player_id)

    @cached_property
    def feeding(self) -> Mapping[int, list[Seat]]:
        """Must-move tables, by the main game they feed."""
        return _by(self.seats, lambda seat: seat.table.must_move_to_id or 0)

    @cached_property
    def players(self) -> Counter[int]:
        """How many sit at each of the tables, and where somebody who waits sits."""
        there = {entry.table_id: entry.players_there for names in self.entries.values() for entry in names}
        return Counter(there | {table: len(self.at_table[table]) for table in self.tables})

    @cached_property
    def over_limit(self) -> frozenset[int]:
        """Waiting players who have reached their own limit of time today."""
        waiting = [entry for names in self.entries.values() for entry in names if entry.time_limit is not None]
        return limits.over_time({entry.player_id: entry.time_limit for entry in waiting}, now=self.now)


def _by(seats: Iterable[Seat], key: Callable[[Seat], int]) -> Mapping[int, list[Seat]]:
    found: dict[int, list[Seat]] = defaultdict(list)
    for seat in seats:
        found[key(seat)].append(seat)
    return found


def with_details(names: QuerySet[ListEntry], *, now: datetime) -> QuerySet[ListEntry]:
    """Names, with what a choice takes that their rows do not say."""
    there = Seat.objects.filter(table=OuterRef("table")).order_by().values("table").annotate(n=Count("pk")).values("n")
    limit = limits.of_time(now=now).filter(player=OuterRef("player")).values("amount")[:1]
    return names.annotate(players_there=Coalesce(Subquery(there), 0), time_limit=Subquery(limit))


def look(tables: Collection[Table], *, now: datetime, names: Iterable[ListEntry] | None = None) -> Room:
    """Read what the lists of these tables' games are about. `names`: of these games, where they were read already, to
    be shown; then no more is read of each seat than is shown either."""
    offers, ids = {table.offer_id for table in tables}, {table.pk for table in tables}
    entries: dict[int, list[ListEntry]] = defaultdict(list)
    waiting = ListEntry.objects.filter(offer__in=offers, state=ListEntry.State.WAITING).exclude(kind=Kind.MUST_MOVE)
    waits = Exists(waiting.filter(player=OuterRef("player")))
    read = with_details(waiting.select_related("player", "table", "offer"), now=now) if names is None else names
    for entry in read:
        if entry.offer_id in offers and entry.state == State.WAITING and entry.kind != Kind.MUST_MOVE:
            entries[entry.offer_id].append(entry)
    plays_on = Q(table__offer__in=offers) & ~Q(table__state=Table.State.BREAKING)
    needed = Q(table__in=ids) | Q(table__must_move_to__in=ids) | (plays_on & waits)
    seats = Seat.objects.filter(needed).select_related("table", "player").order_by("pk")
    seats = seats.annotate(**_of_moves(ids, now=now))
    seats = list(seats if names is None else seats.only(*_SEAT_SHOWN))
    held, invited = _kept_for(tables, now=now)
    people = {entry.player_id for names in entries.values() for entry in names} | {seat.player_id for seat in seats}
    barred, passed = bans.barred(people, now=now), _passed_over(offers, now=now)
    return Room(frozenset(ids), entries, seats, held, invited, passed, barred, now)


def _kept_for(tables: Collection[Table], *, now: datetime) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
    """By table, the seats that are held, and where it is private the players who are invited. One query for both."""
    what = {what: Value(what, output_field=CharField()) for what in ("seat", "player")}
    counts = Q(until__isnull=True) | Q(until__gt=now)
    kept = SeatHold.objects.filter(counts, table__in=[table.pk for table in tables]).order_by()
    rows = kept.values_list(what["seat"], "table", "number")
    if private := [table.pk for table in tables if table.is_private]:
        asked = Invitation.objects.filter(table__in=private).order_by()
        rows = rows.union(asked.values_list(what["player"], "table", "player"), all=True)
    found: dict[str, dict[int, set[int]]] = {each: defaultdict(set) for each in what}
    for kind, table_id, number in rows:
        found[kind][table_id].add(number)
    return found["seat"], found["player"]


def _of_moves(main_games: Collection[int], *, now: datetime) -> dict[str, Any]:
    """Of a seat that feeds one of these main games: whether its player is to move already, and when the floor took a
    move of theirs from there back, if it was a short while ago."""
    moves = ListEntry.objects.filter(player=OuterRef("player"), kind=Kind.MUST_MOVE)
    to_there = moves.filter(table__must_move_to=OuterRef("table__must_move_to"), state__in=ListEntry.ACTIVE)
    over = moves.filter(table=OuterRef("table"), state__in=(State.PASSED, State.LEFT), ended_at__gt=now - _LONGEST_HOLD)
    is_feeding = Q(table__must_move_to__in=main_games)
    return {
        "is_obliged": Case(When(is_feeding, then=Exists(to_there)), default=Value(False)),
        "spared_at": Case(When(is_feeding, then=Subquery(over.order_by("-pk").values("ended_at")[:1]))),
    }


def _passed_over(offers: Collection[int | None], *, now: datetime) -> dict[int, set[tuple[int, int]]]:
    named = Q(verb="passed-over", table__isnull=False) | Q(verb="held-back")
    moves = ListMove.objects.filter(named, at__gt=now - _LONGEST_HOLD)
    moves = moves.filter(entry__offer__in=offers, entry__state=State.WAITING)
    passed: dict[int, set[tuple[int, int]]] = defaultdict(set)
    for entry, table, number, at, minutes in moves.values_list(
        "entry", "table", "number", "at", "entry__offer__hold_minutes"
    ):
        if at > now - timedelta(minutes=minutes):
            passed[entry].add((table or 0, number))
    return passed


_GOING = (Seat.State.LEAVING, Seat.State.REMOVED)


@dataclass(frozen=True)
class Choice:
    """Whose the seat is, by which rule and why, and who came before them and was passed over, each with the reason.

    The entry of a must-move player who was not obliged yet is not stored (no `pk`).
    """

    entry: ListEntry
    table: Table
    number: int
    rule: Rule
    why: StoredText
    passed_over: list[tuple[ListEntry, StoredText]]

    @property
    def passed_names(self) -> list[tuple[str, StoredText]]:
        return [(entry.player.username, why) for entry, why in self.passed_over]


def next_for(
    table: Table, *, now: datetime, numbers: Iterable[int] | None = None,
    skipped: Mapping[int, StoredText] | None = None, room: Room | None = None,
) -> Choice | None:  # fmt: skip
    """Whose a free seat of this table is by the rules of the lists; None where none is free or nobody waits.

    `numbers`: only these seats; `skipped`: players, and why they cannot have one. Who may not play is passed over.
    """
    if table.offer_id is None or table.event or table.state != Table.State.OPEN:
        return None
    room = look([table], now=now) if room is None else room
    free = [number for number in room.free(table) if numbers is None or number in set(numbers)]
    if not free:
        return None
    waiting = _candidates(table, room, now=now)
    if skipped:
        waiting = [replace(one, bars=(skipped[one.player],)) if one.player in skipped else one for one in waiting]
    chosen = _first(free, waiting, table, room)
    return None if chosen is None else _choice(table, chosen)


def first_right(player: int, table: Table, *, now: datetime, room: Room) -> dict[int, Rule]:
    """The free seats that go to others before this player, as they play the game already and change or move here:
    one for each of them, by the rules."""
    free, found = room.free(table), dict[int, Rule]()
    waiting = [each for each in _candidates(table, room, now=now) if each.kind not in (Kind.LIST, Kind.INTEREST)]
    while (chosen := _first(free, waiting, table, room)) is not None and chosen.candidate.player != player:
        found[chosen.number] = chosen.rule
        free = [number for number in free if number != chosen.number]
        waiting = [each for each in waiting if each.player != chosen.candidate.player]
    return found


def _first(free: Sequence[int], waiting: list[Candidate], table: Table, room: Room) -> Chosen | None:
    """Who gets one of these seats, of those who may play."""
    while (chosen := choose(free, waiting)) is not None:
        barred = _barred(chosen.candidate, table, room)
        if not barred:
            return chosen
        one = chosen.candidate
        waiting = [replace(each, bars=(barred,)) if each is one else each for each in waiting]
    return None


def names_before(player: int, table: Table, free: Collection[int], *, now: datetime, room: Room) -> int:
    """How many others on the list of this game could have one of these free seats of this table."""
    seats = set(free)
    return sum(
        each.kind in (Kind.LIST, Kind.INTEREST)
        and each.player != player
        and not each.bars
        and bool((each.seats or seats) & seats - each.passed)
        and not _barred(each, table, room)
        for each in _candidates(table, room, now=now)
    )


def _candidates(table: Table, room: Room, *, now: datetime) -> list[Candidate]:
    """Everybody who waits for a seat of this table: on the lists of its game, at its must-move table, at itself."""
    found = [
        _of_entry(entry, table, room) for entry in room.entries.get(table.offer_id or 0, []) if _is_about(entry, table)
    ]
    return [*found, *_must_move(table, room, now=now)]


def _is_about(entry: ListEntry, table: Table) -> bool:
    if entry.kind == Kind.SEAT_CHANGE:
        return entry.table_id == table.pk
    return not (entry.kind == Kind.TABLE_CHANGE and entry.table_id == table.pk)


def _of_entry(entry: ListEntry, table: Table, room: Room) -> Candidate:
    passed = room.passed.get(entry.pk, set())
    return Candidate(
        player=entry.player_id,
        name=entry.player.username,
        kind=entry.kind,
        order=(entry.tier, entry.place, entry.pk),
        entry=entry,
        tier=entry.tier,
        seats=frozenset(entry.wish("seats") or ()),
        passed=frozenset(number for at, number in passed if at == table.pk),
        bars=(reasons.SKIPPED(),) if (0, 0) in passed else tuple(_bars(entry, table, room)),
    )


def _bars(entry: ListEntry, table: Table, room: Room) -> Iterable[StoredText]:
    """Why they cannot have any seat of this table."""
    # Their seats in other games are no matter here.
    mine = [seat for seat in room.of_player[entry.player_id] if seat.table.offer_id == table.offer_id]
    wanted = entry.wish("tables")
    if wanted and table.pk not in wanted:
        yield reasons.WANTS_OTHER_TABLE()
    is_here = entry.table_id == table.pk
    if table.is_private and not is_here and entry.player_id not in room.invited.get(table.pk, set()):
        yield reasons.NOT_INVITED(at=table.name)
    at_table = next((seat for seat in mine if seat.table_id == entry.table_id), None)
    if entry.is_move and at_table is None:
        yield reasons.HAS_LEFT_TABLE()
    elif entry.is_move and at_table.state in _GOING:
        yield reasons.LEAVES()
    elif entry.kind == Kind.TABLE_CHANGE:
        yield from _bars_of_transfer(entry, table, mine, room.players)
    elif not entry.is_move and mine:
        yield from _bars_of_seated(entry, table, mine)


def _bars_of_transfer(entry: ListEntry, table: Table, mine: list[Seat], players: Counter[int]) -> Iterable[StoredText]:
    if any(seat.table_id == table.pk for seat in mine):
        yield reasons.SITS_THERE(at=table.name)
    left, entered = players[entry.table_id or 0] - 1, players[table.pk]
    if left < entered:
        yield reasons.LEAVES_TOO_FEW(n=left, more=entered, rule=TRANSFER_CITE)


def _bars_of_seated(entry: ListEntry, table: Table, mine: list[Seat]) -> Iterable[StoredText]:
    at = next((seat.table for seat in mine if seat.table_id == table.pk), None)
    if at is not None:
        yield reasons.SITS_THERE(at=at.name)
    elif table.is_physical or len(mine) >= entry.offer.tables_per_player:
        yield reasons.SITS_THERE(at=mine[0].table.name)


def _must_move(table: Table, room: Room, *, now: datetime) -> list[Candidate]:
    """Players of the must-move tables of this one, longest seated first."""
    feeding = [seat for seat in room.feeding[table.pk] if not seat.player.is_bot and not seat.is_obliged]
    return [
        Candidate(
            player=seat.player_id,
            name=seat.player.username,
            kind=Kind.MUST_MOVE,
            order=(int(seat.sat_at.timestamp() * 1_000_000), seat.pk),
            entry=ListEntry(
                offer=table.offer, table=seat.table, player=seat.player, kind=Kind.MUST_MOVE,
                source=ListEntry.Source.TRANSFER, place=0, joined_at=seat.sat_at,
            ),
            bars=_bars_of_feeding(seat, table, room, now=now),
        )
        for seat in feeding
    ]  # fmt: skip


def _bars_of_feeding(seat: Seat, table: Table, room: Room, *, now: datetime) -> tuple[StoredText, ...]:
    if seat.state in _GOING:
        return (reasons.LEAVES(),)
    if any(other.player_id == seat.player_id for other in room.at_table[table.pk]):
        return (reasons.SITS_THERE(at=table.name),)
    spared = seat.spared_at
    if spared is not None and seat.sat_at <= spared and now < spared + timedelta(minutes=table.offer.hold_minutes):
        return (reasons.SKIPPED(),)
    return (reasons.AWAY(),) if seat.state == Seat.State.SITTING_OUT else ()


def _barred(candidate: Candidate, table: Table, room: Room) -> StoredText:
    """Why they may not play, "" where they may."""
    entry = candidate.entry
    assert entry is not None
    if not (table.is_physical or entry.is_move or people.can_log_in(entry.player)):
        return reasons.NO_LOGIN()
    is_banned = candidate.player in room.barred["room" if table.is_physical else "online"]
    return reasons.MAY_NOT_PLAY() if is_banned or (not entry.is_move and entry.player_id in room.over_limit) else ""


class _ByRule(Wording):
    """With `name`: the slug of a rule."""

    def fill(self, values: dict[str, StoredText]) -> str:
        return super().fill(values | {"name": str(BY_SLUG[str(values["name"])].title)})


#: Why somebody moved who was chosen by a rule.
BY_RULE = _ByRule("lists.by-rule", gettext_noop("{name}: {what}"))


def _choice(table: Table, chosen: Chosen) -> Choice:
    entry = chosen.candidate.entry
    assert entry is not None
    passed = [(each.entry, why) for each, why in chosen.passed_over if each.entry is not None]
    return Choice(entry, table, chosen.number, chosen.rule, _why(entry, chosen), passed)


def _why(entry: ListEntry, chosen: Chosen) -> StoredText:
    name, right = chosen.candidate.name, _right(entry)
    if not chosen.passed_over:
        return reasons.CHOSEN(name=name, what=right)
    others: list[StoredText] = [[each.name, why] for each, why in chosen.passed_over]
    return reasons.OTHERS_PASSED_OVER(what=reasons.CHOSEN_BEFORE_OTHERS(name=name, what=right), others=others)


def _right(entry: ListEntry) -> StoredText:
    """What gives them the seat."""
    since = room_time.clock(entry.joined_at)
    at = entry.table.name if entry.table is not None else ""
    if entry.tier == 0:
        return reasons.PUT_BACK(time=since)
    if entry.kind == Kind.SEAT_CHANGE:
        return reasons.SEAT_CHANGE(time=since)
    if entry.kind == Kind.TABLE_CHANGE:
        return reasons.TABLE_CHANGE(time=since, at=at)
    if entry.kind == Kind.MUST_MOVE:
        return reasons.MUST_MOVE(at=at, time=since)
    return reasons.FIRST_ON_LIST(time=since)
