"""Who gets a free seat: `next_for`, by the rules in order, from what is read of the lists. Locks nothing.

The page that shows the choice and the service that acts on it call the same functions and get the same answer; the
service calls again with the offer locked. `choose` does not use the database: it takes seats and candidates, and
returns who gets the seat by which rule, and why everybody before them was passed over.
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

Kind, State = ListEntry.Kind, ListEntry.State

_HOUSE = gettext_lazy("Rules of the room, 5 (waiting lists)")
_PRACTICE = gettext_lazy("Rules of the room, 5 (waiting lists); common practice of card rooms")
_RROP = "Robert's Rules of Poker v11, 2 House Policies"


@dataclass(frozen=True)
class Rule:
    """One rule of the lists. `text` is what people read, `cite` its source."""

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
    """A player who might get the seat. `order` sorts the candidates of one rule; `bars` are the reasons why they can
    have no seat of the table; `seats` are the only numbers they want (none: any), `passed` the numbers for which the
    floor passed them over."""

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
        return next(rule for rule, is_for in _rules_with_filters() if is_for(self))


@dataclass(frozen=True)
class Chosen:
    """The candidate who gets the seat, by which rule, and those passed over: pairs of a candidate and why."""

    candidate: Candidate
    number: int
    rule: Rule
    passed_over: tuple[tuple[Candidate, StoredText], ...] = field(default=())


def _rules_with_filters() -> Iterable[tuple[Rule, Callable[[Candidate], bool]]]:
    """The rules in order, each with the test whether a candidate falls under it."""
    for rule, kinds in RULES:
        tiers = (0,) if rule.slug == "put-back" else (1, 2) if rule.slug == "list" else (0, 1, 2)
        yield rule, lambda candidate, kinds=kinds, tiers=tiers: candidate.kind in kinds and candidate.tier in tiers


def in_order(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Candidates by rule, then by the order within the rule."""
    waiting = list(candidates)
    ordered: list[Candidate] = []
    for _, is_for in _rules_with_filters():
        ordered += sorted(filter(is_for, waiting), key=lambda candidate: candidate.order)
    return ordered


def choose(free: Sequence[int], candidates: Iterable[Candidate]) -> Chosen | None:
    """The candidate who gets one of the free seats, and which; None where no candidate can have one."""
    if not free:
        return None
    passed: list[tuple[Candidate, StoredText]] = []
    for candidate in in_order(candidates):
        if candidate.bars:
            passed.append((candidate, candidate.bars[0]))
            continue
        wanted = [number for number in free if not candidate.seats or number in candidate.seats]
        fitting = [number for number in wanted if number not in candidate.passed]
        if fitting:
            return Chosen(candidate, fitting[0], candidate.rule, tuple(passed))
        if wanted:
            passed.append((candidate, reasons.SKIPPED_FOR_SEATS(seats=reasons.seats(wanted))))
        else:
            free_seats = reasons.free_seats(free)
            passed.append((candidate, reasons.WANTS_OTHER_SEATS(seats=reasons.seats(candidate.seats), free=free_seats)))
    return None


#: A name is passed over for as long as its game holds a seat, and never longer than this.
_LONGEST_HOLD = timedelta(days=1)

#: What is read where a choice is only shown: there may be thousands of rows.
_SEAT_SHOWN = (
    *("table", "number", "player", "state", "sat_at"),
    *("table__name", "table__must_move_to", "table__offer", "player__username", "player__is_bot"),
)


@dataclass(frozen=True)
class Room:
    """What the choices at some tables of games on offer are made from. Read in five queries, however many tables there
    are; two more where a waiting player has set a limit of time for themselves.

    `seats`: those of the tables, of the tables that feed them, and of everybody who waits for one of these games.
    `passed`: by entry, the seats it was passed over for lately (0, 0: any seat); `barred`: the players who may not
    play, online and in the room.
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
        return _seats_by(lambda seat: seat.table_id, self.seats)

    @cached_property
    def of_player(self) -> Mapping[int, list[Seat]]:
        return _seats_by(lambda seat: seat.player_id, self.seats)

    @cached_property
    def feeding(self) -> Mapping[int, list[Seat]]:
        """Must-move tables, by the main game they feed."""
        return _seats_by(lambda seat: seat.table.must_move_to_id or 0, self.seats)

    @cached_property
    def players(self) -> Counter[int]:
        """How many players sit at each of the tables, and at each table where a waiting player sits."""
        players_by_table = {entry.table_id: entry.players_there for names in self.entries.values() for entry in names}
        return Counter(players_by_table | {table: len(self.at_table[table]) for table in self.tables})

    @cached_property
    def over_limit(self) -> frozenset[int]:
        """Waiting players who have reached their own limit of time today."""
        waiting = [entry for names in self.entries.values() for entry in names if entry.time_limit is not None]
        return limits.over_time({entry.player_id: entry.time_limit for entry in waiting}, now=self.now)


def _seats_by(key: Callable[[Seat], int], seats: Iterable[Seat]) -> Mapping[int, list[Seat]]:
    seats_by_key: dict[int, list[Seat]] = defaultdict(list)
    for seat in seats:
        seats_by_key[key(seat)].append(seat)
    return seats_by_key


def with_details(names: QuerySet[ListEntry], *, now: datetime) -> QuerySet[ListEntry]:
    """Names with `players_there` and `time_limit`, which a choice needs and their rows do not hold."""
    seated = Seat.objects.filter(table=OuterRef("table")).order_by().values("table").annotate(n=Count("pk")).values("n")
    limit = limits.time_limits(now=now).filter(player=OuterRef("player")).values("amount")[:1]
    return names.annotate(players_there=Coalesce(Subquery(seated), 0), time_limit=Subquery(limit))


def read_room(tables: Collection[Table], *, now: datetime, names: Iterable[ListEntry] | None = None) -> Room:
    """Read what the choices at these tables are made from. `names`: those on the lists of these games, where they were
    read already in order to be shown; then no more is read of each seat than is shown."""
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
    """By table, the seats that are held, and at a private table the invited players. One query for both."""
    is_seat, is_player = (Value(kind, output_field=CharField()) for kind in ("seat", "player"))
    counts = Q(until__isnull=True) | Q(until__gt=now)
    holds = SeatHold.objects.filter(counts, table__in=[table.pk for table in tables]).order_by()
    rows = holds.values_list(is_seat, "table", "number")
    if private := [table.pk for table in tables if table.is_private]:
        invitations = Invitation.objects.filter(table__in=private).order_by()
        rows = rows.union(invitations.values_list(is_player, "table", "player"), all=True)
    held: dict[int, set[int]] = defaultdict(set)
    invited: dict[int, set[int]] = defaultdict(set)
    for kind, table_id, number_or_player in rows:
        (held if kind == "seat" else invited)[table_id].add(number_or_player)
    return held, invited


def _of_moves(main_games: Collection[int], *, now: datetime) -> dict[str, Any]:
    """Annotations of a seat that feeds one of these main games: `is_obliged`, whether its player has to move already;
    `spared_at`, when the floor lately cancelled such a move of theirs."""
    moves = ListEntry.objects.filter(player=OuterRef("player"), kind=Kind.MUST_MOVE)
    to_there = moves.filter(table__must_move_to=OuterRef("table__must_move_to"), state__in=ListEntry.ACTIVE)
    ended_moves = moves.filter(
        table=OuterRef("table"), state__in=(State.PASSED, State.LEFT), ended_at__gt=now - _LONGEST_HOLD
    )
    is_feeding = Q(table__must_move_to__in=main_games)
    return {
        "is_obliged": Case(When(is_feeding, then=Exists(to_there)), default=Value(False)),
        "spared_at": Case(When(is_feeding, then=Subquery(ended_moves.order_by("-pk").values("ended_at")[:1]))),
    }


def _passed_over(offers: Collection[int | None], *, now: datetime) -> dict[int, set[tuple[int, int]]]:
    """By entry, the (table, seat number) that the floor passed it over for, while that counts."""
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
class SeatChoice:
    """Who gets the seat, by which rule and why, and the names before them that were passed over, each with the reason.

    The entry of a must-move player who did not have to move before is not stored (no `pk`).
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
) -> SeatChoice | None:  # fmt: skip
    """Who gets a free seat of this table by the rules of the lists; None where none is free or nobody waits.

    `numbers`: only these seats; `skipped`: players, and why they cannot have one. Players who may not play are passed
    over.
    """
    if table.offer_id is None or table.event or table.state != Table.State.OPEN:
        return None
    room = read_room([table], now=now) if room is None else room
    free = [number for number in room.free(table) if numbers is None or number in set(numbers)]
    if not free:
        return None
    waiting = _candidates(table, room, now=now)
    if skipped:
        waiting = [
            replace(other, bars=(skipped[other.player],)) if other.player in skipped else other for other in waiting
        ]
    chosen = _choose_allowed(free, waiting, table, room)
    return None if chosen is None else _choice(table, chosen)


def promised_to_others(player: int, table: Table, *, now: datetime, room: Room) -> dict[int, Rule]:
    """The free seats, each with its rule, that go to others before this player because they play the game already and
    change seats or move here: one seat for each of them."""
    free, rules_by_seat = room.free(table), dict[int, Rule]()
    waiting = [other for other in _candidates(table, room, now=now) if other.kind not in (Kind.LIST, Kind.INTEREST)]
    while (chosen := _choose_allowed(free, waiting, table, room)) is not None and chosen.candidate.player != player:
        rules_by_seat[chosen.number] = chosen.rule
        free = [number for number in free if number != chosen.number]
        waiting = [other for other in waiting if other.player != chosen.candidate.player]
    return rules_by_seat


def _choose_allowed(free: Sequence[int], waiting: list[Candidate], table: Table, room: Room) -> Chosen | None:
    """The candidate who gets one of these seats, of those who may play."""
    while (chosen := choose(free, waiting)) is not None:
        barred = _why_barred(chosen.candidate, table, room)
        if not barred:
            return chosen
        refused = chosen.candidate
        waiting = [replace(refused, bars=(barred,)) if other is refused else other for other in waiting]
    return None


def names_before(player: int, table: Table, free: Collection[int], *, now: datetime, room: Room) -> int:
    """How many others on the list of this game could have one of these free seats of this table."""
    seats = set(free)
    return sum(
        candidate.kind in (Kind.LIST, Kind.INTEREST)
        and candidate.player != player
        and not candidate.bars
        and bool((candidate.seats or seats) & seats - candidate.passed)
        and not _why_barred(candidate, table, room)
        for candidate in _candidates(table, room, now=now)
    )


def _candidates(table: Table, room: Room, *, now: datetime) -> list[Candidate]:
    """Everybody who waits for a seat of this table: on the lists of its game, at its must-move tables, or at the table
    itself."""
    on_lists = [
        _of_entry(entry, table, room) for entry in room.entries.get(table.offer_id or 0, []) if _is_about(entry, table)
    ]
    return [*on_lists, *_must_move(table, room, now=now)]


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
    # Their seats in other games do not matter here.
    own_seats = [seat for seat in room.of_player[entry.player_id] if seat.table.offer_id == table.offer_id]
    wanted = entry.wish("tables")
    if wanted and table.pk not in wanted:
        yield reasons.WANTS_OTHER_TABLE()
    is_here = entry.table_id == table.pk
    if table.is_private and not is_here and entry.player_id not in room.invited.get(table.pk, set()):
        yield reasons.NOT_INVITED(at=table.name)
    at_table = next((seat for seat in own_seats if seat.table_id == entry.table_id), None)
    if entry.is_move and at_table is None:
        yield reasons.HAS_LEFT_TABLE()
    elif entry.is_move and at_table.state in _GOING:
        yield reasons.LEAVES()
    elif entry.kind == Kind.TABLE_CHANGE:
        yield from _bars_of_transfer(entry, table, own_seats, room.players)
    elif not entry.is_move and own_seats:
        yield from _bars_of_seated(entry, table, own_seats)


def _bars_of_transfer(
    entry: ListEntry, table: Table, own_seats: list[Seat], players: Counter[int]
) -> Iterable[StoredText]:
    if any(seat.table_id == table.pk for seat in own_seats):
        yield reasons.SITS_THERE(at=table.name)
    left, entered = players[entry.table_id or 0] - 1, players[table.pk]
    if left < entered:
        yield reasons.LEAVES_TOO_FEW(n=left, more=entered, rule=TRANSFER_CITE)


def _bars_of_seated(entry: ListEntry, table: Table, own_seats: list[Seat]) -> Iterable[StoredText]:
    at = next((seat.table for seat in own_seats if seat.table_id == table.pk), None)
    if at is not None:
        yield reasons.SITS_THERE(at=at.name)
    elif table.is_physical or len(own_seats) >= entry.offer.tables_per_player:
        yield reasons.SITS_THERE(at=own_seats[0].table.name)


def _must_move(table: Table, room: Room, *, now: datetime) -> list[Candidate]:
    """Players of this table's must-move tables, longest seated first."""
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


def _why_barred(candidate: Candidate, table: Table, room: Room) -> StoredText:
    """Why this candidate may not play; "" where they may."""
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


#: Why a player moved who was chosen by a rule.
BY_RULE = _ByRule("lists.by-rule", gettext_noop("{name}: {what}"))


def _choice(table: Table, chosen: Chosen) -> SeatChoice:
    entry = chosen.candidate.entry
    assert entry is not None
    passed = [(other.entry, why) for other, why in chosen.passed_over if other.entry is not None]
    return SeatChoice(entry, table, chosen.number, chosen.rule, _why(entry, chosen), passed)


def _why(entry: ListEntry, chosen: Chosen) -> StoredText:
    name, right = chosen.candidate.name, _right(entry)
    if not chosen.passed_over:
        return reasons.CHOSEN(name=name, what=right)
    others: list[StoredText] = [[other.name, why] for other, why in chosen.passed_over]
    return reasons.OTHERS_PASSED_OVER(what=reasons.CHOSEN_BEFORE_OTHERS(name=name, what=right), others=others)


def _right(entry: ListEntry) -> StoredText:
    """What gives this name the seat."""
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
