"""Time collection as players and the floor handle it: paused and resumed, refused and paid, waived, collected.

Each verb locks the table first. What the floor does is kept in the audit log.
"""

from datetime import datetime
from typing import Annotated, Any

from django.utils.translation import gettext

from cardroom.cage import allowances
from cardroom.core import access, audit_log, room_time, topics
from cardroom.core.arguments import Limits, RowId, internal
from cardroom.core.errors import Conflict, Illegal, NotEnoughChips, Verbatim
from cardroom.core.models import StaffAction, User
from cardroom.core.sentences import filled
from cardroom.core.verb import lock, verb
from cardroom.ledger import ledger
from games.engine.drop import time_charge
from games.rake import reasons, time_charges, time_clocks
from games.rake.models.times import TimeCharge, TimePause
from games.tables import locking, stacks
from games.tables.models.tables import Seat, Table

#: The roles that pause and waive a player's time.
ROLES = ("floor", "manager")

State = TimeCharge.State

PausedPlayer = Annotated[User, Limits(max_value=2**31, help_text="The player whose time it is.")]
PauseReason = Annotated[
    str, Limits(min_length=3, max_length=300, required=False, help_text="Why; empty: absent with permission.")
]
WaiveReason = Annotated[str, Limits(min_length=3, max_length=300)]
ForThem = Annotated[User | None, internal]


@verb("collection.pause", roles=ROLES)
def pause(*, table_id: RowId, player: PausedPlayer, reason: PauseReason = "", by: User) -> TimePause:
    """Pause the time of a player who is absent with permission of the floor: no charges, no comps.

    Refuses: `NotFound` (no seat here), `Conflict` (paused already), `Invalid` (the reason). A player who refuses to pay
    is not paused: they pay or leave.
    """
    why = reasons.ABSENT() if not reason else audit_log.reason_given(reason, what=gettext("a pause"))
    stacks.check_not_own(player, by)
    table, now = lock(locking.table, table_id)
    stacks.seat_of(table, player)
    pause = _open_pause(table, player)
    if pause is not None:
        raise Conflict(
            "already-paused",
            "{player} is {kind} since {time}.",
            player=player,
            kind=pause.get_kind_display(),
            time=room_time.clock(pause.since),
        )
    pause = TimePause.objects.create(table=table, player=player, since=now, reason=why, by=by)
    _note_in_audit_log("collection.pause", table, player, by=by, reason=why, now=now)
    return pause


@verb("collection.resume", roles=ROLES)
def resume(*, table_id: RowId, player: PausedPlayer, by: User) -> TimePause:
    """Resume a player's time: they pay from the next collection. `Conflict` where it is not paused."""
    table, now = lock(locking.table, table_id)
    pause = _open_pause(table, player)
    if pause is None or pause.kind != TimePause.Kind.PAUSE:
        raise Conflict("not-paused", "The time of {player} is not paused.", player=player)
    _end(pause, by=by, now=now)
    _note_in_audit_log("collection.resume", table, player, by=by, now=now)
    return pause


@verb("collection.refuse")
def refuse(*, table_id: RowId, player: ForThem = None, by: User) -> TimePause:
    """Refuse to pay. With nobody waiting they have the schedule's courtesy hands, then sit out; else they sit out
    at once. A second call does nothing more. `player`: another player, for whom the floor refuses. Refuses: `NotFound`,
    `Illegal` (no time is collected here), `Conflict` (paused)."""
    player = player or by
    if by != player:
        access.require_role(by, *ROLES)
    table, now = lock(locking.table, table_id)
    stacks.seat_of(table, player)
    if time_clocks.schedule_of(table) is None:
        raise Illegal("no-time-here", "No time is collected at this table.", rule=time_charges.RULE)
    pause = _open_pause(table, player)
    if pause is not None:
        if pause.kind == TimePause.Kind.PAUSE:
            raise Conflict("already-paused", "The floor has paused the time of this player: there is nothing to pay.")
        return pause
    kind = TimePause.Kind.REFUSAL
    refusal = TimePause.objects.create(
        table=table, player=player, kind=kind, since=now, reason=reasons.WILL_NOT_PAY(), by=by if by != player else None
    )
    if by != player:
        _note_in_audit_log("collection.refuse", table, player, by=by, now=now)
    topics.tell("floor", f"player:{player.pk}")
    return refusal


@verb("collection.end_courtesy", roles=("dealer", *ROLES))
def end_courtesy(*, table_id: RowId, player: PausedPlayer, by: User) -> TimePause:
    """End a player's courtesy hand at a table in the room: they sit out until they pay. A second call does nothing.
    Refuses: `NotFound` (no seat), `Illegal` (a table online: hands are counted there), `Conflict` (they have no
    courtesy hand)."""
    table, now = lock(locking.table, table_id)
    if not table.is_physical:
        raise Illegal("not-physical", "{name} is online: its hands are counted by the system.", name=table.name)
    seat = stacks.seat_of(table, player)
    pause = _open_pause(table, player)
    if pause is None or pause.kind != TimePause.Kind.REFUSAL or not pause.is_due:
        raise Conflict("no-courtesy-hand", "{player} has no courtesy hand.", player=player)
    if pause.hands_left:
        pause.hands_left = 0
        pause.save(update_fields=["hands_left"])
        time_charges.sit_out(table, seat, now=now, reason=reasons.COURTESY_OVER())
        time_charges.collect(table, [seat], now=now)
        _note_in_audit_log("collection.end_courtesy", table, player, by=by, now=now)
    return pause


@verb("collection.pay")
def pay(*, table_id: RowId, player: ForThem = None, by: User) -> TimeCharge | None:
    """Pay after all: the last collection that the player refused is charged as it would have been; None where there was
    none yet. They may be dealt in again; a player who has left pays from their wallet. `player`: another player, for
    whom the floor does it. Refuses: `NotFound`, `Conflict` (they refused nothing), `NotEnoughChips`."""
    player = player or by
    if by != player:
        access.require_role(by, *ROLES)
    table, now = lock(locking.table, table_id)
    seat = table.seats.select_related("player", "account").filter(player=player).first()
    pause = _open_pause(table, player)
    if pause is None or pause.kind != TimePause.Kind.REFUSAL:
        stacks.seat_of(table, player)
        raise Conflict("nothing-refused", "No charge was refused: time is paid when it is due.")
    _end(pause, by=by, now=now)
    refused = TimeCharge.objects.filter(table=table, player=player, state__in=(State.COURTESY, State.REFUSED))
    charge = refused.filter(period_start__gte=pause.since).order_by("-period_start").first()
    schedule = time_clocks.schedule_of(table)
    if charge is None or schedule is None:
        return None
    charge.amount = time_charge(schedule.time_charges, charge.players)
    charge.promo, charge.state, charge.at = min(schedule.time_promo, charge.amount), State.DUE, now
    held = time_charges.held_by(table, seat) if seat is not None else ledger.balance(ledger.wallet(player))
    if held < charge.amount:
        pattern = gettext("The time is {amount:,} and {held:,} chips are in the wallet.")
        if seat is not None:
            pattern = gettext("The time is {amount:,} and {held:,} chips are on the table: add some first.")
        sentence = filled(pattern, amount=charge.amount, held=held)
        raise NotEnoughChips("not-enough-chips", Verbatim(sentence), held=held, needed=charge.amount)
    if seat is None:
        source = ledger.wallet(player)
        ledger.post(**time_charges.payment(table, charge, charge.amount, source)._asdict(), at=now, by=by)
        time_charges.settle(charge, charge.amount, now=now)
    charge.save(update_fields=["amount", "promo", "paid", "parts", "state", "at"])
    if by != player:
        _note_in_audit_log("collection.pay", table, player, by=by, now=now)
    if seat is not None:
        time_charges.collect(table, [seat], now=now)
        charge.refresh_from_db()
    topics.tell("floor", f"player:{player.pk}")
    return charge


@verb("collection.waive", roles=ROLES)
def waive(*, charge_id: RowId, reason: WaiveReason, by: User) -> TimeCharge:
    """Waive a player's charge, with a reason. What was paid is given back: onto the table where they still sit and are
    in no hand, else into their wallet. Refuses: `NotFound`, `Invalid`, `Conflict` (waived already, or there
    is nothing to waive)."""
    reason = audit_log.reason_given(reason, what=gettext("a waiver"))
    (table, charge, seat), now = lock(_lock_charge, charge_id)
    stacks.check_not_own(charge.player, by)
    if not charge.amount or charge.state == State.WAIVED:
        raise Conflict("nothing-to-waive", "There is nothing to waive: the charge is not posted, or is already waived.")
    if charge.paid:
        if seat is not None and table.is_in_hand(seat.number):
            seat = None
        unpaid = TimeCharge(pk=charge.pk, amount=charge.amount, promo=charge.promo)
        target = time_charges.source_of(table, seat) if seat is not None else ledger.wallet(charge.player)
        legs = [(account, -chips) for account, chips in time_charges.payment(table, unpaid, charge.paid, target).legs]
        leave = allowances.check(
            by=by, kind="waiver", amount=charge.paid, now=now, approval=None, roles=ROLES, player=charge.player
        )
        entry = _note_in_audit_log(
            "collection.give_back",
            table,
            charge.player,
            by=by,
            reason=reason,
            now=now,
            charge=charge.pk,
            **leave.details,
        )
        ledger.post(
            reference=f"reversal:time:{charge.pk}", reason=reason, legs=legs, at=now, by=by, passage=leave.noted(entry)
        )
        _add_counted(table, seat, charge.paid)
    charge.state, charge.paid, charge.why, charge.by, charge.at = State.WAIVED, 0, reason, by, now
    return _store_charge("collection.waive", table, charge, by=by, reason=reason, now=now)


@verb("collection.collect", roles=ROLES)
def collect(*, charge_id: RowId, by: User) -> TimeCharge:
    """Collect what is still owed of a charge: from the chips on the table, or from the wallet of a player who has left.

    Refuses: `NotFound`, `Conflict` (nothing is owed, or they are in a hand), `NotEnoughChips`.
    """
    (table, charge, seat), now = lock(_lock_charge, charge_id)
    chips = charge.owed
    if not chips:
        raise Conflict("nothing-owed", "Nothing is owed for this charge.")
    if seat is not None and table.is_in_hand(seat.number):
        raise Conflict("in-a-hand", "The player is in a hand: the charge is collected automatically when it is over.")
    held = time_charges.held_by(table, seat) if seat is not None else chips
    if held < chips:
        raise NotEnoughChips(
            "not-enough-chips",
            "{held:,} chips are on the table and {chips:,} are owed.",
            held=held,
            chips=chips,
            needed=chips,
        )
    source = time_charges.source_of(table, seat) if seat is not None else ledger.wallet(charge.player)
    ledger.post(**time_charges.payment(table, charge, chips, source)._asdict(), at=now, by=by)
    _add_counted(table, seat, -chips)
    time_charges.settle(charge, chips, now=now)
    return _store_charge("collection.collect", table, charge, by=by, reason="", now=now)


def _lock_charge(charge_id: int) -> tuple[Table, TimeCharge, Seat | None]:
    """The table of a charge, locked, the charge, and the player's seat if they still sit there."""
    table_id = TimeCharge.objects.filter(pk=charge_id).values_list("table", flat=True).first()
    if table_id is None:
        raise TimeCharge.not_found()
    table = locking.table(table_id)
    charge = TimeCharge.objects.select_related("player").get(pk=charge_id)
    return table, charge, table.seats.select_related("player", "account").filter(player=charge.player_id).first()


def _add_counted(table: Table, seat: Seat | None, chips: int) -> None:
    """Add chips to the counted stack of a seat at a table in the room."""
    if seat is not None and table.is_physical:
        Seat.objects.filter(pk=seat.pk).update(counted=seat.counted + chips)


def _store_charge(name: str, table: Table, charge: TimeCharge, *, by: User, reason: str, now: datetime) -> TimeCharge:
    charge.save(update_fields=["paid", "parts", "state", "why", "by", "at"])
    audit_log.note(
        verb=name,
        subject=f"time:{charge.pk}",
        player=charge.player,
        by=by,
        reason=reason,
        now=now,
        table=table.pk,
        amount=charge.amount,
        paid=charge.paid,
    )
    # A table that breaks up may have waited for this charge alone: its alarm looks at once whether it can close.
    locking.store(table, wake_at=now if table.state == Table.State.BREAKING else table.wake_at)
    topics.tell("floor", f"player:{charge.player_id}")
    return charge


def _open_pause(table: Table, player: User) -> TimePause | None:
    return TimePause.objects.filter(table=table, player=player, until=None).first()


def _end(pause: TimePause, *, by: User, now: datetime) -> None:
    pause.until, pause.ended_by = max(now, pause.since), by
    pause.save(update_fields=["until", "ended_by"])


def _note_in_audit_log(
    name: str, table: Table, player: User, *, by: User, now: datetime, reason: str = "", **details: Any
) -> StaffAction:
    entry = audit_log.note(
        verb=name, subject=f"table:{table.pk}", player=player, by=by, reason=reason, now=now, **details
    )
    topics.tell("floor", f"player:{player.pk}")
    return entry
