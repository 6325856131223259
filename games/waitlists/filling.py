"""What the lists do automatically: fill free seats, open tables, let calls expire; and what the floor sees of it.

Each step is one transaction that reads the state and does what is due, so that a step done twice, late or after a crash
does no harm. Online the lists call and move players; at tables in the room they leave that to the floor, unless the
offer says otherwise.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

import structlog
from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

from cardroom.core import alarms, languages, notices, outages, room_time
from cardroom.core.arguments import Chips, Limits, RowId
from cardroom.core.errors import Conflict, NotFound, Refusal
from cardroom.core.models import User
from cardroom.core.verb import lock, verb
from games.play import moving, opening, seating, seats
from games.tables import holds, locking
from games.tables.models.offers import Offer, SeatHold
from games.tables.models.tables import Seat, SeatMove, Table
from games.waitlists import calling, choosing, joining, reasons, store
from games.waitlists import queries as waitlist_queries
from games.waitlists.choosing import SeatChoice
from games.waitlists.models import ListEntry, ListMove
from games.waitlists.queries import GameList
from games.waitlists.wishes import SeatNumber

log = structlog.get_logger(__name__)

Kind, State, MoveKind = ListEntry.Kind, ListEntry.State, ListMove.Kind


BuyIn = Annotated[
    int, Limits(min_value=1, max_value=10**12, required=False, help_text="For a player who has no seat yet.")
]
CountedChips = Annotated[
    int | None,
    Limits(min_value=0, max_value=10**12, help_text="Counted chips of a player who moves from a table in the room."),
]


@verb("lists.seat", roles=joining.ROLES)
def seat(
    *,
    entry_id: RowId,
    table_id: calling.TableChosen = None,
    number: SeatNumber | None = None,
    reason: calling.TurnReason = "",
    buy_in: BuyIn = 0,
    count: CountedChips = None,
    by: User,
) -> ListEntry:
    """Seat a player from a list: with `buy_in` chips from their wallet or, where they sit elsewhere, with their stack
    (`count`: as counted at a table in the room). A player who is in a hand moves after it and is `coming` until then.

    They get the seat they are called to, else one whose turn is theirs; out of turn with a reason. Refuses what
    `calling.call` and sitting down refuse. Locks the offer, then the tables.
    """
    entry = store.entry(entry_id)
    if table_id is None and entry.is_called:
        table_id, number = entry.called_to_id, number or entry.called_number
    table, now = lock(calling.lock_tables, entry, table_id)
    entry = store.locked_entry(entry_id)
    store.check_active(entry)
    was_called = entry.is_called and entry.called_to_id == table.pk
    if not was_called:
        if entry.is_called:
            raise Conflict(
                "called",
                "{player} is called to {called_to}: cancel the call first.",
                player=entry.player,
                called_to=entry.called_to,
            )
        choice = calling.in_turn(entry, table, number, reason=reason, now=now)
        calling.note_choice(choice, MoveKind.CALLED, by=by, now=now)
        number = choice.number
    number = number or entry.called_number
    entry.called_to, entry.called_number, entry.called_at = table, number, entry.called_at or now
    if entry.is_move:
        move = moving.move(
            player=entry.player,
            table_id=entry.table_id or 0,
            to_table_id=table.pk,
            number=number,
            by=by,
            why=reason or reasons.FROM_LIST(),
            now=now,
            count=count,
        )
        if move.kind != move.Kind.MOVED:
            entry.state = State.COMING
            why = reasons.MOVES_AFTER_HAND()
            store.save_move(entry, MoveKind.MOVING, rule="floor", why=why, by=by, now=now, table=table, number=number)
            return entry
    else:
        seating.seat(table_id=table.pk, player=entry.player, number=number, buy_in=buy_in, by=by, now=now)
    return calling.set_seated(entry, by=by, now=now)


@verb("lists.take-seat")
def take_seat(*, entry_id: RowId, buy_in: Chips, by: User) -> ListEntry:
    """The called player takes the seat held for them. Refuses: `NotFound` (not their name), `Conflict`
    (not called), and what sitting down refuses. Locks the offer, then the table."""
    entry, now = lock(store.entry_at_tables, entry_id)
    joining.check_may_act_for(entry, by)
    if entry.called_to_id is None or not entry.is_called or entry.is_move or entry.player_id != by.pk:
        raise Conflict("not-called", "You have no call: it has expired or was cancelled.")
    entry = store.locked_entry(entry_id)
    if not entry.is_called:
        raise Conflict("not-called", "You have no call: it has expired or was cancelled.")
    seats.sit(table_id=entry.called_to_id or 0, by=by, number=entry.called_number, buy_in=buy_in, now=now)
    return calling.set_seated(entry, by=by, now=now)


def wake(*, key: str, now: datetime) -> int:
    """The alarm of a game's lists; `key` names what changed ("offer:3", "table:5", "entry:9"). Returns how many names
    got a seat."""
    what, _, number = key.partition(":")
    owners = {"offer": Offer.objects, "table": Table.objects, "entry": ListEntry.objects}
    column = "pk" if what == "offer" else "offer"
    offer_id = owners[what].filter(pk=int(number)).values_list(column, flat=True).first()
    return fill_seats(offer_id=offer_id, now=now) if offer_id is not None else 0


def fill_seats(*, offer_id: int, now: datetime) -> int:
    """Bring the lists of a game up to date and give away its free seats. Returns how many names got one."""
    for entry_id in _active_entries(offer_id):
        settle(entry_id=entry_id, now=now)
    seats_given = _fill_tables(offer_id, now=now)
    if _open_if_enough(offer_id, now=now) is not None:
        for entry_id in _active_entries(offer_id):
            settle(entry_id=entry_id, now=now)
        seats_given += _fill_tables(offer_id, now=now)
    return seats_given


def wake_call(*, entry_id: int, fence: int, now: datetime) -> bool:
    """The alarm of a call: its time is over, or the hand it waits for may be over. False where the call has changed
    since the alarm was set."""
    with transaction.atomic():
        try:
            entry = store.entry(entry_id)
        except NotFound:
            return False
        if entry.version != fence or not entry.is_called:
            return False
        if entry.in_hand is not None:
            if entry.in_hand.ended_at is None:
                _set_call_alarm(entry, now + store.LOOK_AGAIN)
            else:
                start_clock(entry, now=now)
            return True
        if entry.call_until is not None:
            if now < entry.call_until:
                _set_call_alarm(entry, entry.call_until)
            else:
                _expire(entry, now=now)
            return True
    settle(entry_id=entry_id, now=now)
    if ListEntry.objects.filter(pk=entry_id, version=fence, state=State.COMING).exists():
        _set_call_alarm(entry, now + store.LOOK_AGAIN)
    return True


def hand_ended(*, hand_id: int, now: datetime) -> None:
    """Start the clocks of calls that waited for this hand. A transaction for each: none locks a second offer."""
    for entry_id in list(ListEntry.objects.filter(in_hand=hand_id).order_by("pk").values_list("pk", flat=True)):
        with transaction.atomic():
            entry = store.entry(entry_id)
            if entry.in_hand_id == hand_id and entry.is_called:
                start_clock(entry, now=now)


def start_clock(entry: ListEntry, *, now: datetime) -> None:
    """Start the clock of a call whose hand is over. Call with the offer locked."""
    if _is_void(entry):
        _call_off(entry, now=now)
        return
    locking.table(entry.called_to_id or 0)
    entry = store.locked_entry(entry.pk)
    offer, entry.in_hand = entry.offer, None
    minutes = offer.call_minutes + (offer.more_time_minutes if entry.more_time_at is not None else 0)
    if entry.state == State.COMING:
        minutes = max(minutes, offer.hold_minutes)
    entry.call_until = now + timedelta(minutes=minutes)
    calling.hold(entry, now=now)
    why = reasons.HAND_OVER(time=room_time.clock(entry.call_until))
    table, number = entry.called_to, entry.called_number
    store.save_move(entry, MoveKind.CLOCK, rule="call-time", why=why, by=None, now=now, table=table, number=number)


@verb("lists.settle")
def settle(*, entry_id: int) -> bool:
    """Bring one name up to date with the seats: its player sat down, was moved, or left. False where nothing is new."""
    entry, now = lock(store.entry, entry_id)
    if not entry.is_active:
        return False
    if entry.is_move:
        return _settle_move(entry, now=now)
    if (seat := _taken_since(entry)) is not None:
        if entry.called_to_id not in (None, seat.table_id):
            joining.release(entry, now=now)
        entry = store.locked_entry(entry_id)
        entry.called_to, entry.called_number = seat.table, seat.number
        calling.set_seated(entry, by=None, now=now)
        return True
    if _is_void(entry):
        _call_off(entry, now=now)
        return True
    kind = joining.list_kind(entry.offer)
    if kind == entry.kind or entry.is_called:
        return False
    entry = store.locked_entry(entry_id)
    entry.kind = kind
    why = reasons.TABLE_OPEN() if kind == Kind.LIST else reasons.NO_TABLE_OPEN()
    store.save_move(entry, MoveKind.TRANSFERRED, rule="enough", why=why, by=None, now=now)
    return True


def _settle_move(entry: ListEntry, *, now: datetime) -> bool:
    seats = {seat.table_id: seat for seat in Seat.objects.filter(player=entry.player).select_related("table")}
    own_seat, called_seat = seats.get(entry.table_id or 0), seats.get(entry.called_to_id or 0)
    if entry.is_called and called_seat is not None and called_seat.number == entry.called_number:
        calling.set_seated(store.locked_entry(entry.pk), by=None, now=now)
        return True
    if own_seat is None:
        joining.release(entry, now=now)
        entry = store.locked_entry(entry.pk)
        entry.state = State.LEFT
        why = reasons.LEFT_TABLE(at=str(entry.table))
        store.save_move(entry, MoveKind.LEFT, rule="own-wish", why=why, by=None, now=now)
        return True
    if not entry.is_called or own_seat.state == Seat.State.MOVING or _is_held(entry, now):
        return False
    entry = store.locked_entry(entry.pk)
    is_obliged, is_late = entry.kind == Kind.MUST_MOVE, _is_late(entry, now)
    entry.state = State.WAITING if not is_obliged else State.EXPIRED if is_late else State.LEFT
    calling.clear_call(entry)
    rule, why = ("call-time", reasons.NOT_COUNTED()) if is_late else ("floor", reasons.MOVE_CANCELLED())
    store.save_move(entry, MoveKind.STAYED, rule=rule, why=why, by=None, now=now)
    if is_obliged:
        at = now if is_late else now + timedelta(minutes=entry.offer.hold_minutes)
        store.wake_lists_at(entry, at)
    return True


def _is_late(entry: ListEntry, now: datetime) -> bool:
    """Whether a move in the room ended because the floor did not count the chips in time, rather than by being
    cancelled."""
    is_there = entry.called_to is not None and entry.called_to.is_physical and entry.called_to_id != entry.table_id
    if not is_there or entry.called_at is None:
        return False
    held_until = entry.called_at + timedelta(minutes=entry.offer.hold_minutes)
    return now >= outages.lengthen_by_outages(entry.called_at, held_until)


def _is_held(entry: ListEntry, now: datetime) -> bool:
    held = SeatHold.objects.filter(table=entry.called_to_id, player=entry.player).first()
    return held is not None and (held.until is None or held.until > now)


def _taken_since(entry: ListEntry) -> Seat | None:
    """The seat in this game that they took after they put their name on the list.

    A player who was moved to another table held a seat of the game before, so that seat does not count; it does at the
    table they are called to, and in the room, where waiting players sit nowhere, or at a table that broke.
    """
    since = {"player": entry.player, "table__offer": entry.offer_id}
    sat = SeatMove.objects.filter(**since, kind=SeatMove.Kind.SAT, at__gte=entry.joined_at)
    came = Exists(sat) | Q(table=entry.called_to_id) | Q(table__is_physical=True, table__state=Table.State.OPEN)
    taken = Seat.objects.filter(came, **since, sat_at__gte=entry.joined_at)
    return taken.select_related("table").order_by("-sat_at").first()


def _active_entries(offer_id: int) -> list[int]:
    rows = ListEntry.objects.filter(offer=offer_id, state__in=ListEntry.ACTIVE).order_by("tier", "place", "pk")
    return list(rows.values_list("pk", flat=True))


def _fill_tables(offer_id: int, *, now: datetime) -> int:
    """Give away the free seats of a game's tables: of the main games first, then of the table with fewest players."""
    rows = Table.objects.filter(offer=offer_id, state=Table.State.OPEN, event="", paused_at=None)
    rows = rows.select_related("offer").annotate(feeding=Count("fed_by", distinct=True), players=Count("seats"))
    return sum(
        _fill(table.pk, table.seat_count, now=now)
        for table in rows.order_by("-feeding", "players", "pk")
        if calls_itself(table)
    )


def calls_itself(table: Table) -> bool:
    """Whether free seats of this table are given away without the floor."""
    calls_itself = table.offer.calls_itself if table.offer is not None else False
    return not table.is_physical if calls_itself is None else calls_itself


def _fill(table_id: int, most: int, *, now: datetime) -> int:
    """Give away the free seats of one of them; a name that is refused is passed over."""
    seats_given, skipped = 0, {}
    for _ in range(2 * most):
        player_id = 0
        try:
            with transaction.atomic():
                store.offer_at_table(table_id)
                choice = calling.choice_at(table_id, None, now=now, skipped=skipped)
                if choice is None:
                    break
                player_id = choice.entry.player_id
                calling.give(choice, by=None, now=now)
        except Refusal as refusal:
            # The next name gets the seat; its history says why this one was passed over.
            log.warning("a seat could not be given", table=table_id, player=player_id, refusal=refusal.code)
            if not player_id or player_id in skipped:
                break
            skipped[player_id] = refusal.message
        else:
            seats_given += 1
    return seats_given


@transaction.atomic
def _open_if_enough(offer_id: int, *, now: datetime) -> Table | None:
    """Open a table of this game where as many names wait as the offer asks for and none of its tables has a free
    seat."""
    offer, _ = lock(Offer, offer_id)
    if not offer.opens_with or offer.is_physical or not offer.is_listed:
        return None
    kinds = (Kind.LIST, Kind.INTEREST)
    waiting = ListEntry.objects.filter(offer=offer, kind__in=kinds, state=State.WAITING).count()
    if waiting < offer.opens_with:
        return None
    for table in Table.objects.filter(offer=offer, state=Table.State.OPEN, is_private=False):
        if holds.free_seats(table, now=now):
            return None
    opened = opening.open_for(offer_id=offer.pk, by=None, now=now)
    log.info("a table was opened for a list", table=opened.pk, offer=offer.pk, waiting=waiting)
    return opened


def _is_void(entry: ListEntry) -> bool:
    """Whether this name is called to a table that has closed or is breaking."""
    is_open = entry.called_to is not None and entry.called_to.state == Table.State.OPEN
    return entry.is_called and not entry.is_move and not is_open


def _call_off(entry: ListEntry, *, now: datetime) -> None:
    """Cancel a call through no fault of the player: they keep their place."""
    table = entry.called_to
    joining.release(entry, now=now)
    entry = store.locked_entry(entry.pk)
    entry.state = State.WAITING
    calling.clear_call(entry)
    why = reasons.TABLE_CLOSED(at=str(table))
    store.save_move(entry, MoveKind.CALLED_OFF, rule="no-table", why=why, by=None, now=now, table=table)
    with languages.spoken_to(entry.player):
        text = gettext("{table} takes no more players. You keep your place on the list of {game}.")
    _tell_call_over(entry, text, now=now, table=table)


def _expire(entry: ListEntry, *, now: datetime) -> None:
    if _is_void(entry):
        _call_off(entry, now=now)
        return
    joining.release(entry, now=now)
    entry = store.locked_entry(entry.pk)
    table, number = entry.called_to, entry.called_number
    entry.misses += 1
    calling.clear_call(entry)
    is_off = entry.misses > entry.offer.missed_calls_allowed
    if is_off:
        entry.state = State.EXPIRED
    else:
        entry.state, entry.tier, entry.place = State.WAITING, 1, store.next_place(entry.offer)
    where = reasons.OFF_THE_LIST() if is_off else reasons.AT_THE_BOTTOM()
    why = reasons.NOT_COME(at=str(table), seat=number, what=where)
    store.save_move(entry, MoveKind.EXPIRED, rule="call-time", why=why, by=None, now=now, table=table, number=number)
    store.wake_lists(offer=entry.offer_id, now=now)
    with languages.spoken_to(entry.player):
        text = (
            gettext("Your call to {table} has expired. You are off the list of {game}.")
            if is_off
            else gettext("Your call to {table} has expired. You are at the bottom of the list of {game}.")
        )
    _tell_call_over(entry, text, now=now, table=table)


def _tell_call_over(entry: ListEntry, text: str, *, table: Table | None, now: datetime) -> None:
    text, key = text.format(table=table, game=entry.offer.name), f"list:{entry.pk}:{entry.version}"
    notices.tell(player=entry.player, kind="call-over", key=key, now=now, text=text)


def _set_call_alarm(entry: ListEntry, at: datetime) -> None:
    alarms.set(kind=store.CALL_ALARM, key=str(entry.pk), due_at=at, fence=entry.version)


@dataclass(frozen=True)
class SeatSuggestion:
    """A table with free seats, and who gets the next one; `is_automatic`: they are called without the floor."""

    table: Table
    free: list[int]
    choice: SeatChoice | None
    is_automatic: bool


@dataclass(frozen=True)
class StaffList:
    """The list of a game as the floor works with it."""

    list: GameList
    suggestions: list[SeatSuggestion]


def for_staff(*, now: datetime) -> list[StaffList]:
    """Every game that is offered. Eight queries, however many tables and names there are; two more where one of the
    names has a limit of time."""
    offers = waitlist_queries.offered_games()
    names = waitlist_queries.with_games(choosing.with_details(waitlist_queries.active(offers), now=now), offers)
    game_lists = waitlist_queries.of_offers(offers, names)
    by_game: dict[int, list[SeatSuggestion]] = {}
    for suggestion in _suggestions(offers, names, now=now):
        by_game.setdefault(suggestion.table.offer_id or 0, []).append(suggestion)
    return [StaffList(game_list, by_game.get(game_list.offer.pk, [])) for game_list in game_lists]


def _suggestions(offers: list[Offer], names: list[ListEntry], *, now: datetime) -> list[SeatSuggestion]:
    """The tables with a free seat that a waiting or a must-move player could take."""
    waited_for = {entry.offer_id for entry in names if entry.state == ListEntry.State.WAITING}
    seats = Seat.objects.filter(table=OuterRef("pk")).order_by().values("table").annotate(n=Count("pk")).values("n")
    tables = Table.objects.filter(Q(offer__in=waited_for) | Q(fed_by__isnull=False), offer__in=offers, event="")
    tables = tables.alias(taken=Coalesce(Subquery(seats), 0)).filter(taken__lt=F("seat_count"), state=Table.State.OPEN)
    tables = tables.select_related("offer").distinct().order_by("name")
    tables_with_seats = list(tables)
    if not tables_with_seats:
        return []
    room = choosing.read_room(tables_with_seats, now=now, names=names)
    return [
        SeatSuggestion(table, free, choosing.next_for(table, now=now, room=room), calls_itself(table))
        for table in tables_with_seats
        if (free := room.free(table))
    ]
