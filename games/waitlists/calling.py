"""Calls: a player on a list is called to a seat that is held for them, and comes, asks for time, or does not come.

A player who sits somewhere already is not called but moved, with their stack, after the hand they are in. A link in the
text message and the mail answers one call without logging in: it answers as the player, and is void when the call is
over.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from cardroom.core import audit_log, languages, notices, room_time
from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Conflict, Illegal, Invalid, NotFound, Stale
from cardroom.core.models import Notice, User
from cardroom.core.sentences import StoredText
from cardroom.core.verb import current_time, lock, verb
from games.play import moving, private, seating
from games.tables import holds, locking
from games.tables.models.offers import Offer, SeatHold
from games.tables.models.tables import Hand, Seat, SeatMove, Table
from games.waitlists import choosing, joining, reasons, store
from games.waitlists.choosing import SeatChoice, next_for
from games.waitlists.models import ListEntry, ListMove
from games.waitlists.wishes import SeatNumber

Kind, State, MoveKind = ListEntry.Kind, ListEntry.State, ListMove.Kind

#: A seat is held no longer than this for a player whose clock stands still.
_LONGEST_HAND = timedelta(hours=2)
#: What a called player answers, and where the floor puts a name that it passes over.
REPLIES = ("coming", "more-time", "cancel")

NameSeen = Annotated[
    int | None, Limits(called="player", min_value=1, help_text="The name you saw there; 409 if it has changed.")
]
TableChosen = Annotated[int | None, Limits(called="table", min_value=1)]
TurnReason = Annotated[
    str, Limits(max_length=300, required=False, allow_blank=False, help_text="Where it is the turn of another player.")
]
SkipReason = Annotated[
    str, Limits(max_length=300, error_messages={"required": gettext_lazy("Enter a reason to skip this player.")})
]
Reply = Annotated[str, Limits(choices=[(reply, reply) for reply in REPLIES])]
WhereTo = Annotated[Literal["bottom", "stay", "off"], Limits(required=False)]


@verb("lists.call_next", roles=joining.ROLES)
def call_next(
    *, table_id: RowId, player_id: NameSeen = None, number: SeatNumber | None = None, by: User | None
) -> ListEntry:
    """Call (or move) the name whose turn it is at this table, to the free seat `number` (None: the one the rules give).

    `player_id`: the player whom the caller saw there. Refuses: `Forbidden` (not of the floor), `NotFound`, `Conflict`
    (nobody waits, or no seat is free), `Stale` (it is the turn of another player by now). Locks the offer, then the
    tables.
    """
    offer, now = lock(store.offer_at_table, table_id)
    if offer is None:
        raise NotFound("no-such-table", "There is no such table of a game on offer.")
    choice = choice_at(table_id, number, now=now)
    if choice is None:
        raise Conflict("nobody-waits", "No name on the lists can take a seat at this table now.")
    if player_id is not None and choice.entry.player_id != player_id:
        raise Stale("another-turn", "It is now the turn of {player}: reload.", player=choice.entry.player)
    return give(choice, by=by, now=now)


@verb("lists.call", roles=joining.ROLES)
def call(
    *,
    entry_id: RowId,
    table_id: TableChosen = None,
    number: SeatNumber | None = None,
    reason: TurnReason = "",
    by: User,
) -> ListEntry:
    """Call this name to a table of its game (None: the first with a free seat), in turn or, with a reason, out of turn.

    Refuses: `NotFound`, `Conflict` (called or off the list already, no seat free), `Illegal` (it is the turn of another
    player, and no reason is given; cites the rule). Locks the offer, then the tables.
    """
    entry = store.entry(entry_id)
    table, now = lock(lock_tables, entry, table_id)
    entry = store.locked_entry(entry_id)
    _check_waits(entry)
    choice = in_turn(entry, table, number, reason=reason, now=now)
    return give(choice, by=by, now=now)


def give(choice: SeatChoice, *, by: User | None, now: datetime) -> ListEntry:
    """Give the seat to the chosen player: hold it and call them, or move them there. Call it with the offer and the
    tables locked."""
    entry, table = choice.entry, choice.table
    if entry.pk is None:
        entry.place = store.next_place(entry.offer)
        entry.joined_at = entry.joined_at or now
    entry.called_to, entry.called_number, entry.called_at = table, choice.number, now
    entry.more_time_at = entry.call_until = entry.in_hand = None
    if entry.is_move:
        return _move(choice, by=by, now=now)
    entry.state, entry.in_hand = State.CALLED, _current_hand_of(entry.player)
    if entry.in_hand is None:
        entry.call_until = now + timedelta(minutes=entry.offer.call_minutes)
    hold(entry, now=now)
    note_choice(choice, MoveKind.CALLED, by=by, now=now)
    _tell_called(entry, now=now)
    return entry


def clear_call(entry: ListEntry) -> None:
    """Empty the columns of the call; the caller stores the entry."""
    entry.called_to, entry.called_number, entry.called_at = None, 0, None
    entry.call_until = entry.more_time_at = entry.in_hand = None


def hold(entry: ListEntry, *, now: datetime) -> None:
    """Hold the seat of a call for as long as the call lasts."""
    is_coming = entry.state == State.COMING
    why, until = SeatHold.Why.LOCK_UP if is_coming else SeatHold.Why.CALLED, entry.call_until or now + _LONGEST_HAND
    holds.hold(
        table_id=entry.called_to_id or 0,
        number=entry.called_number,
        player=entry.player,
        why=why,
        until=until,
        by=None,
        now=now,
    )


def in_turn(entry: ListEntry, table: Table, number: int | None, *, reason: str, now: datetime) -> SeatChoice:
    """The choice that gives this name the seat: by the rules where it is its turn, else by the floor's reason."""
    numbers = None if number is None else [number]
    choice = next_for(table, now=now, numbers=numbers)
    if choice is not None and choice.entry.pk == entry.pk:
        return choice
    if entry.table_id != table.pk and not private.may_sit(table, entry.player):
        raise Illegal(
            "not-invited", "{table} is private: invite {player} there first.", table=table.name, player=entry.player
        )
    free = [seat for seat in holds.free_seats(table, entry.player, now=now) if number in (None, seat)]
    if not free:
        pattern = (
            gettext_noop("Seat {number} of {table} is not free.")
            if number
            else gettext_noop("No seat of {table} is free.")
        )
        raise Conflict("no-free-seat", pattern, number=number, table=table.name)
    if choice is not None and not reason:
        raise Illegal(
            "out-of-turn",
            "It is the turn of {name} ({title}). Enter a reason to call {other} first.",
            rule=choice.rule.cite,
            name=choice.entry.player,
            title=choice.rule.title,
            other=entry.player,
            player=choice.entry.player_id,
        )
    what = gettext("calling out of turn")
    why = audit_log.reason_given(reason, what=what) if reason else reasons.NOBODY_ELSE()
    passed = [] if choice is None else [(choice.entry, reasons.FLOOR_DECIDED()), *choice.passed_over]
    return SeatChoice(entry, table, free[0], choosing.BY_SLUG["floor"], why, passed)


def _move(choice: SeatChoice, *, by: User | None, now: datetime) -> ListEntry:
    entry, table = choice.entry, choice.table
    entry.state = State.COMING
    note_choice(choice, MoveKind.MOVING, by=by, now=now)
    why = choosing.BY_RULE(name=choice.rule.slug, what=reasons.without_others(choice.why))
    if table.is_physical and entry.table_id != table.pk:
        # Chips in the room are counted first: the floor does it and seats them.
        until = now + timedelta(minutes=entry.offer.hold_minutes)
        holds.hold(
            table_id=table.pk,
            number=choice.number,
            player=entry.player,
            why=SeatHold.Why.MOVE,
            until=until,
            by=None,
            now=now,
        )
        _tell_moving(entry, now=now)
        return entry
    move = moving.move(
        player=entry.player,
        table_id=entry.table_id or 0,
        to_table_id=table.pk,
        number=choice.number,
        by=None,
        why=why,
        now=now,
    )
    if move.kind == SeatMove.Kind.MOVED:
        return set_seated(entry, by=by, now=now)
    _tell_moving(entry, now=now)
    return entry


def set_seated(entry: ListEntry, *, by: User | None, now: datetime) -> ListEntry:
    """Write down that the player sits where they were called to."""
    entry.state = State.SEATED
    table, number = entry.called_to, entry.called_number
    why = reasons.HAS_A_SEAT() if table is None else reasons.SEATED(seat=number, at=table.name)
    store.put_away_call_notices(entry, now=now)
    store.save_move(entry, MoveKind.SEATED, rule="took-a-seat", why=why, by=by, now=now, table=table, number=number)
    return entry


def choice_at(
    table_id: int, number: int | None, *, now: datetime, skipped: Mapping[int, StoredText] | None = None
) -> SeatChoice | None:
    """The choice at a table. Call it with its offer locked: it locks everything else that acting on the choice needs.
    `skipped`: players to pass over, and why."""
    conditions: dict[str, Any] = {"now": now, "numbers": None if number is None else [number], "skipped": skipped or {}}
    unlocked = next_for(Table.objects.select_related("offer").get(pk=table_id), **conditions)
    if unlocked is None:
        return None
    others = {unlocked.entry.table_id} if unlocked.entry.table_id is not None else set()
    table = locking.tables({table_id, *others})[table_id]
    choice = next_for(table, **conditions)
    if choice is None or {choice.entry.table_id} - {None} - others:
        return None  # a player left or sat down at this very moment: that sets the alarm again
    if choice.entry.pk is not None:
        return replace(choice, entry=store.locked_entry(choice.entry.pk))
    return choice


def lock_tables(entry: ListEntry, table_id: int | None) -> Table:
    """Lock the table a name is called to (`table_id` None: the first with a seat for it) and the one its player comes
    from. Returns the former."""
    if table_id is None:
        table_id = _table_with_a_seat(entry.offer, entry, now=current_time())
    table = locking.tables({pk for pk in (table_id, entry.table_id) if pk is not None})[table_id]
    if table.offer_id != entry.offer_id:
        raise Conflict("other-game", "{table} plays another game than the one they wait for.", table=table.name)
    return table


def _table_with_a_seat(offer: Offer, entry: ListEntry, *, now: datetime) -> int:
    """The first table with a free seat for this name; a player who changes seats stays at their table."""
    if entry.kind == Kind.SEAT_CHANGE and entry.table_id is not None:
        return entry.table_id
    wanted, sits_at = entry.wish("tables"), Seat.objects.filter(player=entry.player).values("table")
    for table in Table.objects.filter(offer=offer, state=Table.State.OPEN).exclude(pk__in=sits_at).order_by("pk"):
        if (wanted and table.pk not in wanted) or not private.may_sit(table, entry.player):
            continue
        if holds.free_seats(table, entry.player, now=now):
            return table.pk
    raise Conflict("no-free-seat", "No seat that could be theirs is free in {offer}.", offer=offer.name)


def _check_waits(entry: ListEntry) -> None:
    store.check_active(entry)
    if entry.is_called:
        raise Conflict(
            "called", "{player} is already called to {called_to}.", player=entry.player, called_to=entry.called_to
        )


def _current_hand_of(player: User) -> Hand | None:
    """The hand this player is in now, if any."""
    seats = Seat.objects.filter(player=player, table__play__hand__isnull=False).select_related("table__play__hand")
    return next((seat.table.hand for seat in seats if seat.table.is_in_hand(seat.number)), None)


def note_choice(choice: SeatChoice, verb: MoveKind, *, by: User | None, now: datetime) -> None:
    store.save_move(
        choice.entry,
        verb,
        rule=choice.rule.slug,
        why=choice.why,
        by=by,
        now=now,
        table=choice.table,
        number=choice.number,
        passed_over=choice.passed_names,
    )


def _tell_called(entry: ListEntry, *, now: datetime) -> None:
    table = entry.called_to
    with languages.spoken_to(entry.player):
        ready = gettext("Your seat is ready: {game}, {table}, seat {number}.").format(
            game=entry.offer.name, table=table, number=entry.called_number
        )
        if entry.call_until is not None:
            until = gettext("The seat is held until {time}.").format(time=room_time.clock_and_zone(entry.call_until))
        else:
            minutes = entry.offer.call_minutes
            until = gettext("You have {minutes} minutes from the end of the hand you are in.").format(minutes=minutes)
    data = {"entry": entry.pk, "table": entry.called_to_id, "seat": entry.called_number}
    if entry.wish("phone"):
        data["phone"] = entry.wishes["phone"]
    notices.tell(
        player=entry.player,
        kind="called",
        key=f"call:{entry.pk}:{entry.version}",
        now=now,
        is_sent=True,
        text=f"{ready} {until}",
        data=data,
    )


def _tell_moving(entry: ListEntry, *, now: datetime) -> None:
    with languages.spoken_to(entry.player):
        text = gettext("You move to {table}, seat {number}, after this hand, with your whole stack.").format(
            table=entry.called_to, number=entry.called_number
        )
        if entry.kind == Kind.MUST_MOVE:
            why = gettext("The main game has a free seat and it is your turn; if you refuse you lose your seat.")
            text = f"{text} {why}"
    notices.tell(
        player=entry.player,
        kind="moving",
        key=f"call:{entry.pk}:{entry.version}",
        now=now,
        text=text,
        data={"entry": entry.pk, "table": entry.called_to_id, "seat": entry.called_number},
    )


@verb("lists.answer")
def answer(*, entry_id: RowId, reply: Reply, by: User) -> ListEntry:
    """Answer a call: "coming" (the seat is held longer), "more-time" (once a call), "cancel" (off the list; to
    cancel a must-move is to refuse it, and to give up the seat after the hand).

    The floor may answer for the player. Refuses: `NotFound`, `Conflict` (not called, answered already), `Illegal` (more
    time twice). Locks the offer, then the tables.
    """
    entry, now = lock(store.entry_at_tables, entry_id)
    joining.check_may_act_for(entry, by)
    if reply not in REPLIES:
        raise Invalid(
            "bad-reply",
            "A call is answered with {replies} or {last}.",
            replies=", ".join(REPLIES[:-1]),
            last=REPLIES[-1],
        )
    if reply == "cancel":
        if entry.kind == Kind.MUST_MOVE:
            return _refuse_must_move(entry, by=by, now=now)
        return joining.take_off(entry, why=reasons.NOT_COMING(), by=by, now=now)
    entry = store.locked_entry(entry_id)
    if not entry.is_called or entry.is_move:
        raise Conflict("not-called", "There is no call to answer: it has expired or was cancelled.")
    if entry.call_until is not None and entry.call_until <= now:
        raise Conflict("call-over", "This call has expired.", rule=choosing.BY_SLUG["call-time"].cite)
    if reply == "coming":
        move, why = MoveKind.COMING, _set_coming(entry, now)
    else:
        move, why = MoveKind.MORE_TIME, _give_more_time(entry, now)
    hold(entry, now=now)
    table, number = entry.called_to, entry.called_number
    store.save_move(entry, move, rule="own-wish", why=why, by=by, now=now, table=table, number=number)
    return entry


@verb("lists.give-up")
def give_up(*, table_id: RowId, by: User) -> bool:
    """Give up the seat that is held for a player at this table; False where none is.

    A player who is called to it is off that list. Refuses: `Conflict` (they have to move there: that is refused by
    `answer`). Locks the offer, then the tables.
    """
    _, now = lock(store.offer_at_table, table_id)
    called = ListEntry.objects.filter(player=by, called_to=table_id, state__in=(State.CALLED, State.COMING))
    entry = called.select_related("offer", "player", "table", "called_to").first()
    if entry is None:
        return holds.release(table_id=table_id, player=by, by=by, now=now)
    locking.hold({pk for pk in (entry.called_to_id, entry.table_id) if pk is not None})
    joining.take_off(entry, why="", by=by, now=now)
    return True


@verb("lists.pass-over", roles=joining.ROLES)
def pass_over(*, entry_id: RowId, reason: SkipReason, to: WhereTo = "bottom", by: User) -> ListEntry:
    """Pass over a name: it keeps its place ("stay"), goes to the bottom, or "off" the list.

    Its call, if there is one, is cancelled, and for as long as the game holds a seat it is not called to that seat
    again; a name that keeps its place without a call is called to no seat in that time. Refuses: `NotFound`, `Conflict`
    (off the list already), `Invalid`. Locks the offer, then the tables.
    """
    why = audit_log.reason_given(reason, what=gettext("skipping a player"))
    entry, now = lock(store.entry_at_tables, entry_id)
    joining.free_seat(entry, now=now)
    entry = store.locked_entry(entry.pk)
    store.check_active(entry)
    table, number = entry.called_to, entry.called_number
    off = to == "off" or entry.kind == Kind.MUST_MOVE
    if off:
        entry.state = State.PASSED
    else:
        entry.state = State.WAITING
        if to != "stay":
            entry.tier, entry.place = 1, store.next_place(entry.offer)
    clear_call(entry)
    move = MoveKind.HELD_BACK if table is None and to == "stay" else MoveKind.PASSED_OVER
    store.save_move(entry, move, rule="floor", why=why, by=by, now=now, table=table, number=number)
    store.wake_lists_at(entry, now + timedelta(minutes=entry.offer.hold_minutes))
    with languages.spoken_to(entry.player):
        if off:
            text = gettext("You were skipped for {game} and are off the list: {why}")
        elif to == "stay":
            text = gettext("You were skipped for {game} and are at your place on the list: {why}")
        else:
            text = gettext("You were skipped for {game} and are at the bottom of the list: {why}")
    text = text.format(game=entry.offer.name, why=why)
    notices.tell(player=entry.player, kind="passed-over", key=f"list:{entry.pk}:{entry.version}", now=now, text=text)
    return entry


def _refuse_must_move(entry: ListEntry, *, by: User, now: datetime) -> ListEntry:
    """A player refuses a must-move: they give up their seat after the current hand. A player who was moved a moment
    ago sits there already and cannot refuse any more. Call it with the tables locked."""
    store.check_active(entry)
    if _is_there(entry):
        return set_seated(store.locked_entry(entry.pk), by=None, now=now)
    joining.free_seat(entry, now=now)
    if entry.called_to is None:
        why, loses_seat = reasons.REFUSED_MOVE(), reasons.REFUSED_LOSES_SEAT()
    else:
        at = str(entry.called_to)
        why, loses_seat = reasons.REFUSED_MOVE_TO(at=at), reasons.REFUSED_TO_LOSES_SEAT(at=at)
    if entry.table is not None and entry.table.seats.filter(player=entry.player).exists():
        seating.unseat(table_id=entry.table.pk, player=entry.player, by=None, reason=why, now=now)
    entry = store.locked_entry(entry.pk)
    store.check_active(entry)
    entry.state = State.LEFT
    table, number, rule = entry.called_to, entry.called_number, "refused-move"
    store.save_move(entry, MoveKind.REFUSED, rule=rule, why=loses_seat, by=by, now=now, table=table, number=number)
    return entry


def _is_there(entry: ListEntry) -> bool:
    spot = {"table": entry.called_to_id, "number": entry.called_number}
    return entry.called_to_id is not None and Seat.objects.filter(player=entry.player, **spot).exists()


def _set_coming(entry: ListEntry, now: datetime) -> StoredText:
    if entry.state == State.COMING:
        raise Conflict("coming", "You have already answered: the seat is held for you.")
    entry.state = State.COMING
    minutes = entry.offer.hold_minutes
    if entry.in_hand_id is not None:
        return reasons.COMING_AFTER_HAND(n=minutes)
    entry.call_until = max(entry.call_until or now, now + timedelta(minutes=minutes))
    return reasons.COMING(time=room_time.clock(entry.call_until))


def _give_more_time(entry: ListEntry, now: datetime) -> StoredText:
    minutes, rule = entry.offer.more_time_minutes, choosing.BY_SLUG["call-time"].cite
    if not minutes:
        raise Illegal("no-more-time", "This game gives no more time for a call.", rule=rule)
    if entry.more_time_at is not None:
        raise Illegal("more-time-given", "More time is given once per call.", rule=rule)
    entry.more_time_at = now
    if entry.in_hand_id is not None:
        return reasons.MORE_TIME_AFTER_HAND(n=minutes)
    entry.call_until = (entry.call_until or now) + timedelta(minutes=minutes)
    return reasons.MORE_TIME(time=room_time.clock(entry.call_until))


_SALT = "games.call"


def link_of(notice: Notice) -> str:
    """The sentence with the link to answer a call, for the end of its notice; "" for other notices, and where the
    room's address is not set."""
    if notice.kind != "called" or not settings.CARDROOM_ADDRESS:
        return ""
    entry = (
        ListEntry.objects.select_related("player").filter(pk=notice.data.get("entry"), player=notice.player_id).first()
    )
    if entry is None or not entry.is_called or entry.called_at is None or entry.is_move:
        return ""
    address = settings.CARDROOM_ADDRESS.rstrip("/") + reverse("call_link", args=[token_of(entry)])
    with languages.spoken_to(entry.player):
        return gettext("Answer here: {address}").format(address=address)


def token_of(entry: ListEntry) -> str:
    """A signed text that names the call and the name on the list."""
    return signing.Signer(sep="~", salt=_SALT).sign(f"{entry.pk}-{_call_number(entry)}")


def entry_of(token: str) -> tuple[ListEntry, bool] | None:
    """The name on a list, and whether this call of it can still be answered; None for a text that this room did not
    sign."""
    try:
        number, _, call = signing.Signer(sep="~", salt=_SALT).unsign(token).partition("-")
    except signing.BadSignature:
        return None
    entry = ListEntry.objects.select_related("player", "offer", "called_to").filter(pk=number).first()
    if entry is None:
        return None
    return entry, entry.is_called and entry.player.is_active and call == str(_call_number(entry))


def _call_number(entry: ListEntry) -> int:
    """Tells the calls of a name apart: the time of the call, in milliseconds."""
    return int(entry.called_at.timestamp() * 1000) if entry.called_at else 0
