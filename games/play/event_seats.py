"""Seats and chips at the tables of an event: players are seated, moved, removed, given chips; and the next hand.

A player in a hand being played stays as they are until it is over. Chips come from the house's account "chips" of the
event's unit and go back there. Everything is done in bulk: a few statements for all, and two for each table.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext

from cardroom.core import topics
from cardroom.core.errors import Conflict, Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.seals import NoKey
from cardroom.core.sentences import StoredText, translated
from cardroom.ledger import ledger, passages
from cardroom.ledger.models import Account
from games.engine.errors import IllegalAction
from games.play import clocks
from games.play import hands as play_hands
from games.play.event_tables import lock_event_tables, store_all
from games.tables import reasons, stacks
from games.tables.models.tables import Seat, SeatMove, Table

#: Where the chips of an event come from, and the rule of the house by which they do.
CHIPS, EVENT_CHIPS = "chips", "event chips"
#: The database proves a transfer whole once for each of its legs, so very long ones are cut.
_MOST_LEGS = 24
#: The columns that go along to another seat, beside the chips.
_CARRIED = (
    *("state", "time_bank_ms", "missed_clocks", "is_warned", "misses_hands", "out_since"),
    *("gone_at", "extras_taken", "extra_used_ms"),
)


@dataclass(frozen=True)
class _Place:
    table: int
    number: int
    player: int
    chips: int
    carried: dict[str, Any]


@transaction.atomic
def seat_players(
    *, unit: str, seats: Sequence[tuple[int, int, int, int]], time_bank_ms: int, reference: str, now: datetime
) -> None:
    """Seat players with chips of the event: (table, seat number, player, chips) for each.

    `reference`: of the transfer, used only once (a very long one is cut into several, "<reference>:2" and so on).
    A player who comes during a hand is dealt in with the next one. Refuses: `Conflict` (a seat is taken,
    a player sits in this event already), `Invalid`, `NotFound`.
    """
    if not seats:
        return
    tables = lock_event_tables([table for table, *_ in seats])
    event, units = _event_of(tables), {table.unit for table in tables.values()}
    if units != {unit}:
        raise Invalid(
            "other-unit", "These tables play for {units} and not for {unit}.", units=", ".join(sorted(units)), unit=unit
        )
    places = [_Place(*seat, {"time_bank_ms": time_bank_ms}) for seat in seats]
    _check_free(tables, places, leaving=set())
    _check_new(event, places)
    accounts = _sit(places, unit, now=now)
    _note(places, SeatMove.Kind.SAT, now=now)
    legs = [(account, place.chips) for account, place in zip(accounts, places, strict=True)]
    _post(reference, reasons.SEATED(), legs, _house(unit), now=now)
    store_all(tables.values())


@transaction.atomic
def move_players(*, moves: Sequence[tuple[int, int, int, int]], reference: str, now: datetime) -> None:
    """Move players between hands, with their stacks: (player, from table, to table, seat number) for each.

    One of them can take a seat that another of them leaves. At a table where a hand is being played they are dealt in
    with the next one. `reference`: as for `seat_players`. Refuses: `Conflict` (they are in a hand being played, the
    seat is taken), `NotFound` (they do not sit there, no such table), `Invalid`.
    """
    if not moves:
        return
    tables = lock_event_tables([table for _, *both, _ in moves for table in both])
    leaving = _seats(tables, [(start, player) for player, start, _, _ in moves])
    places = [
        _Place(to, number, player, seat.account.balance, {name: getattr(seat, name) for name in _CARRIED})
        for (player, _, to, number), seat in zip(moves, leaving, strict=True)
    ]
    _check_free(tables, places, leaving={seat.pk for seat in leaving})
    Seat.objects.filter(pk__in=[seat.pk for seat in leaving]).delete()
    accounts = _sit(places, leaving[0].account.unit, now=now)
    _note(places, SeatMove.Kind.MOVED, now=now)
    moved = list(zip(leaving, accounts, strict=True))
    for number, first in enumerate(range(0, len(moved), _MOST_LEGS // 2), 1):
        part = moved[first : first + _MOST_LEGS // 2]
        out = [(seat.account_id, -seat.account.balance) for seat, _ in part]
        legs = [*out, *((account, seat.account.balance) for seat, account in part)]
        ledger.post(reference=_numbered_reference(reference, number), reason=reasons.MOVED_SEAT(), legs=legs, at=now)
    store_all(tables.values())


@transaction.atomic
def remove_players(*, players: Sequence[tuple[int, int]], reference: str, now: datetime) -> dict[int, int]:
    """Take players out of their seats, (table, player) for each; the chips they have leave play. Returns the chips by
    player.

    `reference`: as for `seat_players`; there is no transfer where nobody had chips. Refuses: `Conflict` (they are in a
    hand being played), `NotFound`.
    """
    if not players:
        return {}
    tables = lock_event_tables([table for table, _ in players])
    leaving = _seats(tables, players)
    left = {seat.player_id: seat.account.balance for seat in leaving}
    places = [_Place(seat.table_id, seat.number, seat.player_id, seat.account.balance, {}) for seat in leaving]
    Seat.objects.filter(pk__in=[seat.pk for seat in leaving]).delete()
    _note(places, SeatMove.Kind.TAKEN_OUT, now=now)
    legs = [(seat.account, -seat.account.balance) for seat in leaving if seat.account.balance]
    _post(reference, reasons.OUT_OF_PLAY(), legs, _house(leaving[0].account.unit), now=now)
    store_all(tables.values())
    return left


@transaction.atomic
def add_chips(*, chips: Sequence[tuple[int, int, int]], reference: str, now: datetime) -> None:
    """Give players more chips of the event, (table, player, chips) for each: a rebuy, an add-on.

    `reference`: as for `seat_players`. Refuses: `Conflict` (they are in a hand being played: do it after), `NotFound`,
    `Invalid`.
    """
    if not chips:
        return
    if any(amount <= 0 for *_, amount in chips):
        raise Invalid("bad-amount", "Chips are counted in whole numbers from 1.")
    tables = lock_event_tables([table for table, *_ in chips])
    seats = _seats(tables, [(table, player) for table, player, _ in chips])
    places = [
        _Place(seat.table_id, seat.number, seat.player_id, amount, {})
        for seat, (*_, amount) in zip(seats, chips, strict=True)
    ]
    _note(places, SeatMove.Kind.TOPPED_UP, now=now)
    legs = [(seat.account, place.chips) for seat, place in zip(seats, places, strict=True)]
    _post(reference, reasons.MORE_CHIPS(), legs, _house(seats[0].account.unit), now=now)
    store_all(tables.values())


@transaction.atomic
def take_chips(*, table_id: int, player_id: int, chips: int, reference: str, now: datetime) -> None:
    """Take chips of the event away from a player again: a rebuy that was undone. Refuses: `Conflict` (they are in a
    hand being played, or have fewer by now), `NotFound`."""
    tables = lock_event_tables([table_id])
    (seat,) = _seats(tables, [(table_id, player_id)])
    left = seat.account.balance - chips
    if left < 0:
        raise Conflict("chips-played", "These chips have been played since.")
    _note([_Place(table_id, seat.number, player_id, left, {})], SeatMove.Kind.COUNTED, now=now)
    _post(reference, reasons.CHIPS_BACK(), [(seat.account, -chips)], _house(seat.account.unit), now=now)
    store_all(tables.values())


def _event_of(tables: dict[int, Table]) -> str:
    return next(iter(tables.values())).event


def _seats(tables: dict[int, Table], pairs: Sequence[tuple[int, int]]) -> list[Seat]:
    """The seats of these (table, player) pairs, in their order. Refuses players in a hand being played."""
    if len(set(pairs)) < len(pairs):
        raise Invalid("named-twice", "A player was named twice.")
    rows = Seat.objects.filter(table__in=tables, player__in={player for _, player in pairs}).select_related("account")
    seats_by_pair = {(seat.table_id, seat.player_id): seat for seat in rows}
    for table_id, player in pairs:
        seat, table = seats_by_pair.get((table_id, player)), tables[table_id]
        if seat is None:
            raise NotFound("not-seated", "The player has no seat at {table}.", table=table.name, player=player)
        if table.is_in_hand(seat.number):
            raise Conflict(
                "in-hand",
                "Seat {number} of {table} is in a hand being played: wait for its end.",
                number=seat.number,
                table=table.name,
                player=player,
            )
    return [seats_by_pair[pair] for pair in pairs]


def _check_free(tables: dict[int, Table], places: Sequence[_Place], *, leaving: set[int]) -> None:
    rows = Seat.objects.filter(table__in=tables).exclude(pk__in=leaving).values_list("table", "number")
    taken = set(rows)
    for place in places:
        table = tables[place.table]
        if not 1 <= place.number <= table.seat_count:
            raise Invalid(
                "no-such-seat",
                "The seats of {table} are 1 to {seat_count}.",
                table=table.name,
                seat_count=table.seat_count,
            )
        if (place.table, place.number) in taken:
            raise Conflict("seat-taken", "Seat {number} of {table} is taken.", number=place.number, table=table.name)
        taken.add((place.table, place.number))


def _check_new(event: str, places: Sequence[_Place]) -> None:
    players = [place.player for place in places]
    if any(place.chips <= 0 for place in places):
        raise Invalid("bad-amount", "Chips are counted in whole numbers from 1.")
    if len(set(players)) < len(players):
        raise Invalid("named-twice", "A player was named twice.")
    if Seat.objects.filter(table__event=event, player__in=players).exists():
        raise Conflict("already-seated", "One of these players sits in this tournament already.")


def _sit(places: Sequence[_Place], unit: str, *, now: datetime) -> list[Account]:
    """Take the seats, and have the players' pages open their tables. Returns their new accounts, in the order of the
    places."""
    labels = [(place.player, f"table:{place.table}:seat:{place.number}") for place in places]
    accounts = ledger.open_stacks(labels, unit=unit)
    Seat.objects.bulk_create(
        Seat(
            table_id=place.table,
            number=place.number,
            player_id=place.player,
            account=account,
            sat_at=now,
            **place.carried,
        )
        for place, account in zip(places, accounts, strict=True)
    )
    people = User.objects.filter(pk__in=[place.player for place in places], is_bot=False).order_by("pk")
    topics.tell(*[f"player:{player}" for player in people.values_list("pk", flat=True)])
    return accounts


def _note(places: Iterable[_Place], kind: SeatMove.Kind, *, now: datetime) -> None:
    SeatMove.objects.bulk_create(
        SeatMove(
            table_id=place.table, player_id=place.player, number=place.number, kind=kind, amount=place.chips, at=now
        )
        for place in places
    )


def _house(unit: str) -> Account:
    return ledger.open_account(kind=Account.Kind.HOUSE, label=CHIPS, unit=unit)


def _post(reference: str, reason: StoredText, legs: Sequence[ledger.Leg], house: Account, *, now: datetime) -> None:
    """Post chips from the house to these accounts, or back."""
    for number, first in enumerate(range(0, len(legs), _MOST_LEGS), 1):
        part = legs[first : first + _MOST_LEGS]
        chips_given = sum(amount for _, amount in part)
        passage = passages.rule_passage(EVENT_CHIPS, chips_given) if chips_given > 0 else None
        legs_now = [*part, (house, -chips_given)]
        ledger.post(
            reference=_numbered_reference(reference, number), reason=reason, legs=legs_now, at=now, passage=passage
        )


def _numbered_reference(reference: str, number: int) -> str:
    return reference if number == 1 else f"{reference}:{number}"


_MOST_HANDS = 1000


@dataclass(frozen=True)
class DealtHand:
    """The hand that was dealt; or None, with the reason `why` not, and its `code` for programs: "stale",
    "hand-in-play", "too-early", "not-enough-players", "no-cards-key", or the code of the rulebook's refusal."""

    hand: int | None
    why: str = ""
    code: str = ""


@transaction.atomic
def deal(*, table_id: int, players_left: int, version: int | None = None, now: datetime) -> DealtHand:
    """Deal the next hand to everybody with chips; players who are away or serve a penalty are dealt in as absent.

    `players_left`: in the whole event; `version`: the table's as its director knows it, nothing is dealt if it changed.
    Refuses: `NotFound`, `Conflict` (the table is closed). Locks the table.
    """
    table = lock_event_tables([table_id])[table_id]
    if version is not None and table.version != version:
        return DealtHand(None, gettext("The table has moved on."), "stale")
    if table.hand_id is not None:
        return DealtHand(None, gettext("A hand is being played here."), "hand-in-play")
    if table.deal_at is not None and now < table.deal_at:
        return DealtHand(None, gettext("The last hand is still being looked at."), "too-early")
    seats = stacks.seats_of(table)
    if not stacks.are_enough(table, seats):
        return DealtHand(None, gettext("There are not enough players with chips here."), "not-enough-players")
    table.players_left = players_left
    try:
        return DealtHand(play_hands.deal(table, seats, now=now).pk)
    except IllegalAction as error:
        return DealtHand(None, translated(error.message), error.code)
    except NoKey as error:
        return DealtHand(None, error.message, error.code)


@transaction.atomic
def hold(*, table_ids: Collection[int], now: datetime) -> None:
    """Deal no more at these tables until `release`; a hand being played goes on to its end, when the director is asked
    what is next."""
    _set_alarms(table_ids, None)


@transaction.atomic
def release(*, table_ids: Collection[int], at: datetime, over: timedelta = timedelta(0), now: datetime) -> None:
    """Have the director asked what is due at these tables, `at` that moment or when the pause after the last hand is
    over; one table after the other, spread over the time `over`, so that not all tables deal at once. Where a hand is
    being played the director is asked when it is over."""
    _set_alarms(table_ids, at, over)


@transaction.atomic
def penalise(*, table_id: int, player_id: int, hands: int, now: datetime) -> None:
    """Have a player dealt in as absent for so many more hands. Refuses: `NotFound`, `Invalid`."""
    if not 1 <= hands <= _MOST_HANDS:
        raise Invalid("bad-hands", "A penalty lasts 1 to {most_hands} hands.", most_hands=_MOST_HANDS)
    tables = lock_event_tables([table_id])
    if not Seat.objects.filter(table=table_id, player=player_id).update(misses_hands=F("misses_hands") + hands):
        raise NotFound("not-seated", "The player has no seat at this table.")
    store_all(tables.values())


@transaction.atomic
def refill(*, event: str, ms: int, now: datetime) -> None:
    """Add `ms` milliseconds to every time bank of the event, also in hands being played and turns that have begun.
    Locks the tables."""
    if ms <= 0:
        raise Invalid("bad-clock", "A refill is a millisecond or more.")
    ids = Table.objects.filter(event=event, state=Table.State.OPEN).values_list("pk", flat=True)
    tables = lock_event_tables(list(ids))
    Seat.objects.filter(table__in=tables).update(time_bank_ms=F("time_bank_ms") + ms)
    playing = [table for table in tables.values() if table.hand_id is not None]
    for table in playing:
        for number in map(int, table.clocks):
            clock = clocks.clock_of(table, number)
            clocks.put_clock(table, number, clock._replace(bank=clock.bank + ms))
        _lengthen_turn(table)
    store_all(playing)


def _lengthen_turn(table: Table) -> None:
    if table.deadline is None or clocks.clock_of(table, table.to_act).is_away:
        return
    is_alarm = table.wake_at == table.deadline
    clocks.lengthen(table, extra_ms=table.extra_ms)
    if is_alarm:
        table.wake_at = table.deadline


def _set_alarms(table_ids: Collection[int], at: datetime | None, spread: timedelta = timedelta(0)) -> None:
    changed = [table for table in lock_event_tables(table_ids).values() if table.hand_id is None]
    for place, table in enumerate(changed):
        when = at and at + spread * place / len(changed)
        table.wake_at = when and max(when, table.deal_at or when)
    store_all(changed)
