"""A player's stays at tables with their results; hands and rulings as each viewer may see them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import (
    Count,
    DateTimeField,
    DurationField,
    Exists,
    ExpressionWrapper,
    F,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
)
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

from cardroom.accounts.look import avatar_of
from cardroom.core import access
from cardroom.core.errors import NotFound
from cardroom.core.models import User
from cardroom.core.sentences import filled
from games.engine.facts.base import RAIL, Fact, redact
from games.engine.facts.play import HandStarted
from games.engine.hand import Hand as Engine
from games.engine.rulebook import Rulebook
from games.rulebooks import RulebookError
from games.rulebooks.queries import load as rulebook
from games.tables import journal as table_journal
from games.tables.journal import Sitter
from games.tables.models.tables import Hand, Seat, SeatMove, Table
from games.tables.models.times import HandResult, Stay
from games.tables.queries.offers import game_name
from games.tables.queries.tables import STAFF, Viewer, check_may_see, no_spectators

#: Later than any row, and than any moment.
_LAST, _NEVER = Value(2**62), Value(datetime(9999, 1, 1, tzinfo=UTC), output_field=DateTimeField())
_IN = (SeatMove.Kind.SAT, SeatMove.Kind.MOVED, SeatMove.Kind.TOPPED_UP)


@dataclass(frozen=True)
class TableTotals:
    """All stays of a player at one table, added up; one that goes on counts the chips in front of them."""

    table: Table
    sessions: int
    seconds: int
    hands: int
    result: int
    taken: int
    time: int


@dataclass(frozen=True)
class StayTotals:
    """A player's stay in one seat. `brought` and `took`: chips that came to the seat and left it (while the stay goes
    on: the chips in front of them); `result` is the difference. `put_in`: chips bet and called in `hands` hands;
    `taken`: their part of what the house took of the pots; `time`: chips paid for time; `comps`: points for it."""

    stay: int
    table: int
    table_name: str
    game: str
    stakes: str
    is_physical: bool
    seat: int
    since: datetime
    until: datetime | None
    brought: int
    took: int
    hands: int
    put_in: int
    taken: int
    time: int
    comps: int

    @property
    def result(self) -> int:
        return self.took - self.brought

    def minutes(self, now: datetime) -> int:
        """How long it lasted, or has lasted until now."""
        return int(((self.until or now) - self.since).total_seconds()) // 60


def stays_of(player: User) -> QuerySet[Stay]:
    return Stay.objects.filter(player=player)


def added_up(stays: QuerySet[Stay]) -> list[StayTotals]:
    """These stays with their sums; two queries."""
    rows = list(_with_sums(stays.select_related("table")).annotate(points=Coalesce(Sum("comps__points"), 0)))
    still = {row.pk: (row.player_id, row.table_id) for row in rows if row.left_id is None}
    chips = _in_front({player for player, _ in still.values()}) if still else {}
    return [_visit(row, chips.get(still[row.pk], 0) if row.pk in still else row.left_amount) for row in rows]


def by_table(stays: QuerySet[Stay], *, now: datetime) -> list[TableTotals]:
    """One player's stays added up for each table, by the database; three queries for any number of stays."""
    long = ExpressionWrapper(Coalesce(F("left_at"), now) - F("sat_at"), output_field=DurationField())
    sums = {f"all_{name}": Sum(name) for name in ("hands", "taken", "brought", "time", "left_amount")}
    rows = _with_sums(stays).annotate(long=long).order_by().values("table")
    rows = list(rows.annotate(number=Count("pk"), all_long=Sum("long"), player=Min("player"), **sums))
    tables = Table.objects.in_bulk([row["table"] for row in rows])
    sits_at = set(stays.filter(left=None).values_list("table", flat=True))
    chips = _in_front({rows[0]["player"]}) if sits_at else {}
    return [
        TableTotals(
            table=tables[row["table"]],
            sessions=row["number"],
            seconds=int(row["all_long"].total_seconds()),
            hands=row["all_hands"],
            result=row["all_left_amount"]
            - row["all_brought"]
            + (chips.get((row["player"], row["table"]), 0) if row["table"] in sits_at else 0),
            taken=row["all_taken"],
            time=row["all_time"],
        )
        for row in rows
    ]


def results(stays: QuerySet[Stay]) -> list[tuple[datetime | None, int]]:
    """When each of these stays ended (None: it goes on) and its result in chips; two queries."""
    rows = list(_with_sums(stays).values_list("player", "table", "left", "left_at", "left_amount", "brought"))
    chips = _in_front({row[0] for row in rows if row[2] is None})
    return [
        (until, (chips.get((player, table), 0) if left is None else took) - brought)
        for player, table, left, until, took, brought in rows
    ]


def ended_by(moves: Iterable[int]) -> dict[int, StayTotals]:
    """The stays that these moves ended, by move."""
    stays = Stay.objects.filter(left__in=list(moves))
    ends = dict(stays.values_list("pk", "left"))
    return {ends[visit.stay]: visit for visit in added_up(stays)} if ends else {}


def hands_of(stay_id: int, player: User, *, limit: int, before: int | None = None) -> list[HandResult]:
    """The hands of one of their stays, newest first, with what the house took of each pot."""
    results = (
        HandResult.objects.filter(stay=stay_id, player=player).select_related("hand", "hand__drop").order_by("-pk")
    )
    return list((results.filter(pk__lt=before) if before is not None else results)[:limit])


def _with_sums(stays: QuerySet[Stay]) -> QuerySet[Stay]:
    hands = HandResult.objects.filter(stay=OuterRef("pk")).order_by().values("stay")
    moves = SeatMove.objects.filter(player=OuterRef("player"), table=OuterRef("table"), kind__in=_IN)
    moves = moves.filter(pk__gte=OuterRef("sat"), pk__lte=Coalesce(OuterRef("left"), _LAST))
    moves = moves.order_by().values("player")
    times = Table.objects.filter(
        pk=OuterRef("table"),
        time_charges__player=OuterRef("player"),
        time_charges__paid__gt=0,
        time_charges__period_start__gte=OuterRef("sat_at"),
        time_charges__period_start__lte=Coalesce(OuterRef("left_at"), _NEVER),
    )
    times = times.order_by().values("pk")
    return stays.annotate(
        hands=Coalesce(Subquery(hands.annotate(n=Count("pk")).values("n")), 0),
        put_in=Coalesce(Subquery(hands.annotate(n=Sum("put_in")).values("n")), 0),
        taken=Coalesce(Subquery(hands.annotate(n=Sum("taken")).values("n")), 0),
        brought=Coalesce(Subquery(moves.annotate(n=Sum("amount")).values("n")), 0),
        time=Coalesce(Subquery(times.annotate(n=Sum("time_charges__paid")).values("n")), 0),
        left_amount=Coalesce(F("left__amount"), 0),
    )


def _in_front(players: Iterable[int]) -> dict[tuple[int, int], int]:
    """What lies in front of these players, by player and table."""
    seats = Seat.objects.filter(player__in=players, table__event="").select_related("account", "table__play")
    return {
        (seat.player_id, seat.table_id): seat.counted if seat.table.is_physical else seat.account.balance
        for seat in seats
    }


def _visit(row: Any, took: int) -> StayTotals:
    table = row.table
    return StayTotals(
        stay=row.pk,
        table=row.table_id,
        table_name=table.name,
        game=table.game,
        stakes=table.stakes,
        is_physical=table.is_physical,
        seat=row.number,
        since=row.sat_at,
        until=row.left_at,
        brought=row.brought,
        took=took,
        hands=row.hands,
        put_in=row.put_in,
        taken=row.taken,
        time=row.time,
        comps=row.points,
    )


#: The most sessions that are listed; sums are of all of them.
MOST = 2_000


@dataclass(frozen=True)
class GameResult:
    """All sessions at one game and stakes."""

    game: str
    stakes: str
    is_physical: bool
    sessions: int
    minutes: int
    hands: int
    result: int
    taken: int
    time: int

    @property
    def per_hour(self) -> int | None:
        """Chips an hour; None where it was less than one."""
        return round(self.result * 60 / self.minutes) if self.minutes >= 60 else None


@dataclass(frozen=True)
class ResultPoint:
    """A player's total result after a session."""

    at: datetime
    total: int
    result: int


def sessions(user: User, *, limit: int, before: int | None = None) -> list[StayTotals]:
    """Their stays at cash tables, newest first; one that goes on counts the chips in front of them."""
    rows = stays_of(user).order_by("-pk")
    return added_up((rows.filter(pk__lt=before) if before is not None else rows)[:limit])


def stays_between(user: User, since: datetime | None, until: datetime | None, *, limit: int = MOST) -> list[StayTotals]:
    """The stays that began in this span, newest first, `limit` of them at most."""
    return added_up(_begun(user, since, until).order_by("-pk")[:limit])


def by_game(user: User, since: datetime | None, until: datetime | None, *, now: datetime) -> list[GameResult]:
    """The results of all stays that began in this span for each game and stakes, the one played longest first."""
    of_game: dict[tuple[str, str, bool], list[TableTotals]] = {}
    for totals in by_table(_begun(user, since, until), now=now):
        table = totals.table
        of_game.setdefault((table.game, table.stakes, table.is_physical), []).append(totals)
    results = [
        GameResult(
            *game,
            sessions=sum(row.sessions for row in rows),
            minutes=sum(row.seconds for row in rows) // 60,
            hands=sum(row.hands for row in rows),
            result=sum(row.result for row in rows),
            taken=sum(row.taken for row in rows),
            time=sum(row.time for row in rows),
        )
        for game, rows in of_game.items()
    ]
    return sorted(results, key=lambda row: (-row.minutes, row.game, row.stakes))


def over_time(user: User, since: datetime | None, until: datetime | None, *, now: datetime) -> list[ResultPoint]:
    """Total results after each of these stays, the newest `MOST` of them, in the order in which they ended."""
    session_results = results(_begun(user, since, until).order_by("-pk")[:MOST])
    session_results.reverse()  # among stays that ended at the same moment, the one that began first
    total, points = 0, []
    for ended, result in sorted(session_results, key=lambda row: row[0] or now):
        total += result
        points.append(ResultPoint(ended or now, total, result))
    return points


def _begun(user: User, since: datetime | None, until: datetime | None) -> QuerySet[Stay]:
    rows = stays_of(user)
    rows = rows.filter(sat_at__gte=since) if since else rows
    return rows.filter(sat_at__lt=until) if until else rows


@dataclass(frozen=True)
class HandRow:
    """A hand that is over, in a list."""

    id: int
    number: int
    started_at: datetime
    ended_at: datetime
    pot: int
    players: list[str]


@dataclass(frozen=True)
class HandStory:
    """A hand as one viewer may see it. `facts`: (seq, time, redacted fact); `viewer_seat`: their seat in it, if any."""

    id: int
    number: int
    table: Table
    started_at: datetime
    ended_at: datetime | None
    sitters: dict[int, Sitter]
    viewer_seat: int | None
    facts: list[tuple[int, datetime, Fact]]
    book: Rulebook
    previous_id: int | None
    next_id: int | None

    @property
    def title(self) -> str:
        """Its name; by its game where the table is hidden."""
        if not self.number:
            return gettext("A hand of {game}").format(game=game_name(self.started.game))
        return filled(gettext("Hand {number:,} at {table}"), number=self.number, table=self.table.name)

    @property
    def is_over(self) -> bool:
        return self.ended_at is not None

    @property
    def started(self) -> HandStarted:
        """The fact with its stakes; its table may play for other stakes by now."""
        fact = self.facts[0][2]
        assert isinstance(fact, HandStarted)
        return fact

    @property
    def stakes(self) -> str:
        """The stakes in words, as of its table."""
        started = self.started
        return f"{started.small_bet or started.min_bet:,}/{started.big_bet or started.max_bet:,}"


def facts_for(*, hand_id: int, viewer: Viewer, after: int = 0) -> list[tuple[int, Fact]]:
    """The facts of a hand after number `after`, as this viewer may see them.

    `NotFound` where there is no such hand, `Forbidden` for a spectator of a table that has none.
    """
    seat = _checked_seat(_hand(hand_id), viewer)
    return list(
        enumerate((redact(fact, seat or RAIL) for fact in table_journal.facts(hand_id, after=after)), after + 1)
    )


def hand_view(*, hand_id: int, viewer: Viewer) -> Engine:
    """The hand as this viewer sees it: stacks, boards, pots, their options; to be read, not to be played on."""
    return Engine.replay(fact for _, fact in facts_for(hand_id=hand_id, viewer=viewer))


def hand_story(*, hand_id: int, viewer: Viewer) -> HandStory:
    """A hand from its beginning to now, redacted for the viewer, for its own page.

    Refuses as `facts_for` does.
    """
    hand = _hand(hand_id)
    story = seat_story(hand, _checked_seat(hand, viewer))
    others = Hand.objects.filter(table=hand.table_id)
    return replace(
        story,
        previous_id=others.filter(number=hand.number - 1).values_list("pk", flat=True).first(),
        next_id=others.filter(number=hand.number + 1).values_list("pk", flat=True).first(),
    )


def seat_story(hand: Hand, seat: int | None) -> HandStory:
    """A hand as the player in this seat may see it (None: as spectators do). The caller knows that they sat there."""
    whole = table_journal.facts(hand.pk)
    facts = zip(whole, table_journal.times(hand.pk), strict=False)
    return HandStory(
        id=hand.pk,
        number=hand.number,
        table=hand.table,
        started_at=hand.started_at,
        ended_at=hand.ended_at,
        sitters=table_journal.sitters(hand),
        viewer_seat=seat,
        facts=[(seq, at, redact(fact, seat or RAIL)) for seq, (fact, at) in enumerate(facts, 1)],
        book=table_journal.book_of(whole),
        previous_id=None,
        next_id=None,
    )


def faces_of(story: HandStory) -> dict[int, str]:
    """By seat, the address of the picture that the player has today; "" for none. One query."""
    players = {seat: sitter.player for seat, sitter in story.sitters.items()}
    rows = User.objects.filter(pk__in=players.values()).values_list("pk", "look", "is_bot")
    addresses = {pk: avatar_of(look, bot=pk if is_bot else 0) for pk, look, is_bot in rows}
    return {seat: addresses.get(player, "") for seat, player in players.items()}


def hands_at(*, table_id: int, viewer: Viewer, limit: int = 50, before: int | None = None) -> list[HandRow]:
    """The hands of a table that are over and that this viewer may see, newest first; `before`: only those with a
    smaller number."""
    hands = Hand.objects.filter(_visible_to(viewer), table=table_id, ended_at__isnull=False).order_by("-number")
    if before is not None:
        hands = hands.filter(number__lt=before)
    return [_hand_row(hand) for hand in hands[:limit]]


@dataclass(frozen=True)
class EventHandRow:
    """A hand of an event that is over. `winners`: names of players who won a pot; `net`: the viewer's result, None
    where they were not in it."""

    id: int
    table: int
    table_name: str
    number: int
    ended_at: datetime
    pot: int
    winners: list[str]
    net: int | None


def hands_of_event(
    event: str, viewer: Viewer, *, limit: int = 50, before: int | None = None, own: bool = False
) -> list[EventHandRow]:
    """The hands at the tables of an event, newest first; of tables without spectators those that the viewer was in or
    may watch. `own`: only those they were in. Five queries."""
    player = viewer.pk if viewer is not None and viewer.is_authenticated else None
    hands = Hand.objects.filter(table__event=event, ended_at__isnull=False).select_related("table").order_by("-pk")
    is_players = Q(pk__in=HandResult.objects.filter(player=player, table__event=event).values("hand"))
    hands = hands.filter(is_players if own else _visible_to(viewer) | is_players)
    shown_hands = list((hands.filter(pk__lt=before) if before is not None else hands)[:limit])
    ids = [hand.pk for hand in shown_hands]
    won = table_journal.awards(ids)
    nets = dict(HandResult.objects.filter(player=player, hand__in=ids).values_list("hand", "net")) if player else {}
    return [
        EventHandRow(
            hand.pk, hand.table_id, hand.table.name, hand.number, hand.ended_at, hand.pot,
            [hand.seats[str(seat)]["name"] for seat in won.get(hand.pk, ())], nets.get(hand.pk),
        )
        for hand in shown_hands
    ]  # fmt: skip


def _hand(hand_id: int) -> Hand:
    hand = Hand.objects.select_related("table").filter(pk=hand_id).first()
    if hand is None:
        raise NotFound("no-such-hand", "There is no such hand.")
    return hand


def _checked_seat(hand: Hand, viewer: Viewer) -> int | None:
    """The seat they were dealt into, which lets them see the hand wherever it was; None for a spectator who may see it.
    Refuses other spectators."""
    seat = _seat_in(hand, viewer)
    if seat is None and not Hand.objects.filter(_visible_to(viewer), pk=hand.pk).exists():
        check_may_see(hand.table, viewer)
        raise no_spectators(hand.table)
    return seat


def _visible_to(viewer: Viewer) -> Q:
    """A filter of hands: those that the viewer may see although they were not dealt in. A hand without spectators may
    be seen by players who sat at its table then, and by the staff; at a table of an event, which keeps no stays, by
    players who sit there now.

    Who may see a hand is kept with the hand: a table that is opened to spectators does not open its old hands. A table
    that is closed to them closes its old hands as well.
    """
    if access.has_role(viewer or AnonymousUser(), *STAFF):
        return Q()
    open_to_all = Q(has_spectators=True, table__has_spectators=True)
    if viewer is None or not viewer.is_authenticated:
        return open_to_all
    ended_at = Coalesce(OuterRef("ended_at"), _NEVER)
    stays = Stay.objects.filter(table=OuterRef("table"), player=viewer.pk, sat_at__lte=ended_at)
    stays = stays.filter(Q(left_at=None) | Q(left_at__gte=OuterRef("started_at")))
    seats = Seat.objects.filter(table=OuterRef("table"), player=viewer.pk).exclude(table__event="")
    return open_to_all | Exists(stays) | Exists(seats)


def _seat_in(hand: Hand, viewer: Viewer) -> int | None:
    if viewer is None or not viewer.is_authenticated:
        return None
    return next((seat for seat, sitter in table_journal.sitters(hand).items() if sitter.player == viewer.pk), None)


def _hand_row(hand: Hand) -> HandRow:
    return HandRow(
        id=hand.pk,
        number=hand.number,
        started_at=hand.started_at,
        ended_at=hand.ended_at,
        pot=hand.pot,
        players=[sitter.name for sitter in table_journal.sitters(hand).values()],
    )


@dataclass(frozen=True)
class RulingRow:
    """A ruling in a hand. ``is_reversed``: the entry that led to it was a mistake and was taken back."""

    id: int
    hand: int
    number: int
    table: int
    table_name: str
    seq: int
    at: datetime
    key: str
    verdict: str
    seats: tuple[int, ...]
    words: str
    rule: str
    citation: str
    rulebook: str
    is_reversed: bool


def rulings(
    *,
    key: str = "",
    table: int | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    before: int | None = None,
    limit: int = 50,
) -> list[RulingRow]:
    """Rulings, newest first: on one point, at one table, from ``since`` up to but not including ``until``; ``before``:
    only those with a smaller id. Three queries."""
    rows = table_journal.rulings(key=key, table=table, since=since, until=until, before=before, limit=limit)
    hands = Hand.objects.select_related("table").in_bulk({row.hand for row in rows})
    return [_row(row, hands[row.hand]) for row in rows]


def _row(row: table_journal.Ruling, hand: Hand) -> RulingRow:
    reference = hand.rulebook or hand.table.rulebook
    fact = row.fact
    return RulingRow(
        id=row.id,
        hand=hand.pk,
        number=hand.number,
        table=hand.table_id,
        table_name=hand.table.name,
        seq=row.seq,
        at=row.at,
        key=fact.key,
        verdict=fact.verdict,
        seats=fact.seats,
        words=fact.words,
        rule=fact.rule,
        citation=fact.citation or _citation(reference, fact.key, fact.rule),
        rulebook=reference,
        is_reversed=row.is_reversed,
    )


def _citation(reference: str, key: str, rule: str) -> str:
    """Book and rule; the rule alone where the book is gone."""
    try:
        return rulebook(reference).citation(key)
    except (RulebookError, KeyError):
        return rule
