"""Time collection as players and the floor handle it: paused and resumed, refused and paid, waived, collected.

Each verb locks the table first. What the floor does is kept in the audit log.
"""

from datetime import datetime, timedelta
from typing import Annotated, Any

from django.db.models import Q, QuerySet
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
from games.rake import reasons, time_charges
from games.rake.models.times import TimeCharge, TimeClock, TimePause
from games.tables import locking, stacks
from games.tables.models.offers import DropSchedule
from games.tables.models.tables import Seat, Table
from games.tables.models.times import Stay

# Players who refused to pay, and where they may not sit until they pay


def may_return(table: Table, player: User) -> bool:
    """False for a player who refused to pay and has used their courtesy hand."""
    return _unpaid_at(table, player) is None


def check_may_return(table: Table, player: User) -> None:
    """Refuse (`Illegal`) to seat or deal in a player who refused to pay and has used their courtesy hand."""
    _check_paid(_unpaid_at(table, player))


def check_may_move(source: Table, target: Table, player: User) -> None:
    """Refuse (`Illegal`) to move a player who refused to pay to another table of the game. Their courtesy
    hand is of this table."""
    if source.offer_id is not None and source.offer_id == target.offer_id and time_charges.schedule_of(target):
        _check_paid(_refusals(player).filter(table=source).first())


def _check_paid(unpaid: TimePause | None) -> None:
    if unpaid is not None:
        pattern = gettext("{player} has refused the time charge at {table}: they must pay before they are dealt in.")
        sentence = filled(pattern, player=unpaid.player, table=unpaid.table.name)
        raise Illegal("time-unpaid", Verbatim(sentence), rule=time_charges.RULE)


def _unpaid_at(table: Table, player: User) -> TimePause | None:
    """The refusal that keeps them out: one at this table whose courtesy hand is over, or any that they left behind
    at another table of the game."""
    if time_charges.schedule_of(table) is None:
        return None
    left = Q(table__offer=table.offer_id, table__offer__isnull=False) & ~Q(table__seats__player=player)
    return _refusals(player).filter(Q(table=table, hands_left=0) | left & ~Q(table=table)).first()


def _refusals(player: User) -> QuerySet[TimePause]:
    """Charges they refused to pay and have not paid since, with or without a courtesy hand left."""
    refusals = TimePause.objects.filter(player=player, kind=TimePause.Kind.REFUSAL, until=None, is_due=True)
    return refusals.select_related("table", "player")


# Who left before a period began and sits down again in it pays as those who stayed. Table locked, before the seat


def note(table: Table, player: User, *, number: int, now: datetime) -> TimeCharge | None:
    """Have the running period charged, where they left this table or another one of its game within a period before it
    began and pay for it nowhere; None where not, and where it was nobody's: the game was closed then, or the period
    was free. It is due, and not collected yet."""
    schedule = time_charges.schedule_of(table)
    clock = TimeClock.objects.filter(pk=table.pk).first() if schedule is not None else None
    if schedule is None or clock is None:
        return None
    begun = _begun(schedule, clock.due_at, now)
    if not _was_away(table, player, begun, timedelta(minutes=schedule.period_minutes)):
        return None
    if time_charges.is_table_paused(table, begun):
        return None
    players = _players(table, player, schedule, begun, is_late=clock.due_at <= now)
    each = time_charge(schedule.time_charges, players)
    if not each:
        return None
    return TimeCharge.objects.create(
        table=table,
        player=player,
        number=number,
        period_start=begun,
        players=players,
        amount=each,
        promo=min(schedule.time_promo, each),
        state=TimeCharge.State.DUE,
        why=reasons.CAME_BACK(),
        at=now,
    )


def _here(table: Table) -> Q:
    """This table and the others of its game."""
    return Q(table=table) | Q(table__offer=table.offer_id, table__offer__isnull=False)


def _was_away(table: Table, player: User, begun: datetime, step: timedelta) -> bool:
    """Whether they left within a period before it began, and pay for no part of it. Periods that are no part of an hour
    begin at every table at a time of its own."""
    stays = Stay.objects.filter(_here(table), player=player, left_at__gt=begun - step, left_at__lte=begun)
    about_then = Q(period_start__gt=begun - step, period_start__lt=begun + step) & ~Q(table=table)
    known = TimeCharge.objects.filter(_here(table), about_then | Q(period_start=begun), player=player)
    return stays.exists() and not known.exists()


def _players(table: Table, player: User, schedule: DropSchedule, begun: datetime, *, is_late: bool) -> int:
    """By how many players they pay: as others do for this period, here or else at another table of the game. 0 where it
    is charged to nobody."""
    rows = list(TimeCharge.objects.filter(_here(table), period_start=begun).exclude(player=player).order_by("pk"))
    here = [row for row in rows if row.table_id == table.pk]
    charged = [row.players for row in here or rows if row.state != TimeCharge.State.PAUSED]
    if charged or here:
        return charged[0] if charged else 0
    sat = _sat_then(table, player, begun)
    if time_charge(schedule.time_charges, sat):
        return sat if is_late else 0
    # Those who stayed were too few to pay anything because this player was away.
    return sat + 1 if sat else 0


def _sat_then(table: Table, player: User, begun: datetime) -> int:
    """How many others sat at the table when the period began, but for those whose time was paused."""
    spans = TimePause.objects.filter(table=table, kind=TimePause.Kind.PAUSE, player__isnull=False, since__lte=begun)
    paused = spans.exclude(until__lte=begun).values_list("player", flat=True)
    stays = Stay.objects.filter(table=table, sat_at__lt=begun).exclude(left_at__lte=begun)
    # Bots have no stays.
    seats = table.seats.filter(sat_at__lt=begun)
    sat = {*stays.values_list("player", flat=True), *seats.values_list("player", flat=True)}
    return len(sat - {player.pk, *paused})


def _begun(schedule: DropSchedule, due_at: datetime, now: datetime) -> datetime:
    """The beginning of the current period, whether or not its alarm has rung."""
    if due_at > now:
        return due_at - timedelta(minutes=schedule.period_minutes)
    return time_charges.ends_between(schedule, due_at, now)[-1]


#: Who pauses and waives a player's time.
ROLES = ("floor", "manager")

State = TimeCharge.State

PausedPlayer = Annotated[User, Limits(max_value=2**31, help_text="Whose time.")]
PauseReason = Annotated[
    str, Limits(min_length=3, max_length=300, required=False, help_text="Why; absent with permission if not said.")
]
WaiveReason = Annotated[str, Limits(min_length=3, max_length=300)]
ForThem = Annotated[User | None, internal]


@verb("collection.pause", roles=ROLES)
def pause(*, table_id: RowId, player: PausedPlayer, reason: PauseReason = "", by: User) -> TimePause:
    """Pause the time of a player who is absent with permission of the floor: no charges, no comps.

    Refuses: `NotFound` (no seat here), `Conflict` (paused already), `Invalid` (the reason). A player who will not pay
    is not paused: they pay or leave.
    """
    why = reasons.ABSENT() if not reason else audit_log.reason_given(reason, what=gettext("a pause"))
    stacks.check_not_own(player, by)
    table, now = lock(locking.table, table_id)
    stacks.seat_of(table, player)
    pause = _open(table, player)
    if pause is not None:
        raise Conflict(
            "already-paused",
            "{player} is {kind} since {time}.",
            player=player,
            kind=pause.get_kind_display(),
            time=room_time.clock(pause.since),
        )
    pause = TimePause.objects.create(table=table, player=player, since=now, reason=why, by=by)
    _noted("collection.pause", table, player, by=by, reason=why, now=now)
    return pause


@verb("collection.resume", roles=ROLES)
def resume(*, table_id: RowId, player: PausedPlayer, by: User) -> TimePause:
    """Resume a player's time: they pay from the next collection. `Conflict` where it is not paused."""
    table, now = lock(locking.table, table_id)
    pause = _open(table, player)
    if pause is None or pause.kind != TimePause.Kind.PAUSE:
        raise Conflict("not-paused", "The time of {player} is not paused.", player=player)
    _end(pause, by=by, now=now)
    _noted("collection.resume", table, player, by=by, now=now)
    return pause


@verb("collection.refuse")
def refuse(*, table_id: RowId, player: ForThem = None, by: User) -> TimePause:
    """A player refuses to pay: with nobody waiting they have the schedule's courtesy hands, then sit out; else they sit
    out at once. Again it is the same. `player`: somebody else, for whom the floor says it. Refuses: `NotFound`,
    `Illegal` (no time is collected here), `Conflict` (paused)."""
    player = player or by
    if by != player:
        access.require_role(by, *ROLES)
    table, now = lock(locking.table, table_id)
    stacks.seat_of(table, player)
    if time_charges.schedule_of(table) is None:
        raise Illegal("no-time-here", "No time is collected at this table.", rule=time_charges.RULE)
    pause = _open(table, player)
    if pause is not None:
        if pause.kind == TimePause.Kind.PAUSE:
            raise Conflict("already-paused", "The floor has paused the time of this player: there is nothing to pay.")
        return pause
    kind = TimePause.Kind.REFUSAL
    refusal = TimePause.objects.create(
        table=table, player=player, kind=kind, since=now, reason=reasons.WILL_NOT_PAY(), by=by if by != player else None
    )
    if by != player:
        _noted("collection.refuse", table, player, by=by, now=now)
    topics.tell("floor", f"player:{player.pk}")
    return refusal


@verb("collection.end_courtesy", roles=("dealer", *ROLES))
def end_courtesy(*, table_id: RowId, player: PausedPlayer, by: User) -> TimePause:
    """At a table in the room: the hand they had by courtesy is over, and they sit out until they pay. Said again it is
    the same. Refuses: `NotFound` (no seat), `Illegal` (a table online: hands are counted there), `Conflict` (they have
    no courtesy hand)."""
    table, now = lock(locking.table, table_id)
    if not table.is_physical:
        raise Illegal("not-physical", "{name} is online: its hands are counted by the system.", name=table.name)
    seat = stacks.seat_of(table, player)
    pause = _open(table, player)
    if pause is None or pause.kind != TimePause.Kind.REFUSAL or not pause.is_due:
        raise Conflict("no-courtesy-hand", "{player} has no courtesy hand.", player=player)
    if pause.hands_left:
        pause.hands_left = 0
        pause.save(update_fields=["hands_left"])
        time_charges.sit_out(table, seat, now=now, reason=reasons.COURTESY_OVER())
        time_charges.collect(table, [seat], now=now)
        _noted("collection.end_courtesy", table, player, by=by, now=now)
    return pause


@verb("collection.pay")
def pay(*, table_id: RowId, player: ForThem = None, by: User) -> TimeCharge | None:
    """A player pays after all: the last collection they refused is charged as it would have been; None where there was
    none yet. They may come back then; a player who has left pays from their wallet. `player`: somebody else, for whom
    the floor says it. Refuses: `NotFound`, `Conflict` (they refused nothing), `NotEnoughChips`."""
    player = player or by
    if by != player:
        access.require_role(by, *ROLES)
    table, now = lock(locking.table, table_id)
    seat = table.seats.select_related("player", "account").filter(player=player).first()
    pause = _open(table, player)
    if pause is None or pause.kind != TimePause.Kind.REFUSAL:
        stacks.seat_of(table, player)
        raise Conflict("nothing-refused", "No charge was refused: time is paid when it is due.")
    _end(pause, by=by, now=now)
    refused = TimeCharge.objects.filter(table=table, player=player, state__in=(State.COURTESY, State.REFUSED))
    charge = refused.filter(period_start__gte=pause.since).order_by("-period_start").first()
    schedule = time_charges.schedule_of(table)
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
        _noted("collection.pay", table, player, by=by, now=now)
    if seat is not None:
        time_charges.collect(table, [seat], now=now)
        charge.refresh_from_db()
    topics.tell("floor", f"player:{player.pk}")
    return charge


@verb("collection.waive", roles=ROLES)
def waive(*, charge_id: RowId, reason: WaiveReason, by: User) -> TimeCharge:
    """Let a player off a charge, with a reason; what was paid is given back, onto the table where they still sit with
    no hand being played, else into their wallet. Refuses: `NotFound`, `Invalid`, `Conflict` (waived already, or there
    is nothing to waive)."""
    reason = audit_log.reason_given(reason, what=gettext("a waiver"))
    (table, charge, seat), now = lock(_charged, charge_id)
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
        entry = _noted(
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
        _count(table, seat, charge.paid)
    charge.state, charge.paid, charge.why, charge.by, charge.at = State.WAIVED, 0, reason, by, now
    return _stored("collection.waive", table, charge, by=by, reason=reason, now=now)


@verb("collection.collect", roles=ROLES)
def collect(*, charge_id: RowId, by: User) -> TimeCharge:
    """Collect what is still owed of a charge: from the chips on the table, or from the wallet of a player who has left.

    Refuses: `NotFound`, `Conflict` (nothing is owed, or they are in a hand), `NotEnoughChips`.
    """
    (table, charge, seat), now = lock(_charged, charge_id)
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
    _count(table, seat, -chips)
    time_charges.settle(charge, chips, now=now)
    return _stored("collection.collect", table, charge, by=by, reason="", now=now)


def _charged(charge_id: int) -> tuple[Table, TimeCharge, Seat | None]:
    """The charge, its table, locked, and where the player still sits there."""
    table_id = TimeCharge.objects.filter(pk=charge_id).values_list("table", flat=True).first()
    if table_id is None:
        raise TimeCharge.not_found()
    table = locking.table(table_id)
    charge = TimeCharge.objects.select_related("player").get(pk=charge_id)
    return table, charge, table.seats.select_related("player", "account").filter(player=charge.player_id).first()


def _count(table: Table, seat: Seat | None, chips: int) -> None:
    """So many chips more in front of them, at a table in the room."""
    if seat is not None and table.is_physical:
        Seat.objects.filter(pk=seat.pk).update(counted=seat.counted + chips)


def _stored(name: str, table: Table, charge: TimeCharge, *, by: User, reason: str, now: datetime) -> TimeCharge:
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
    locking.store(table, wake_at=now if table.state == Table.State.BREAKING else table.wake_at)
    topics.tell("floor", f"player:{charge.player_id}")
    return charge


def _open(table: Table, player: User) -> TimePause | None:
    return TimePause.objects.filter(table=table, player=player, until=None).first()


def _end(pause: TimePause, *, by: User, now: datetime) -> None:
    pause.until, pause.ended_by = max(now, pause.since), by
    pause.save(update_fields=["until", "ended_by"])


def _noted(
    name: str, table: Table, player: User, *, by: User, now: datetime, reason: str = "", **details: Any
) -> StaffAction:
    entry = audit_log.note(
        verb=name, subject=f"table:{table.pk}", player=player, by=by, reason=reason, now=now, **details
    )
    topics.tell("floor", f"player:{player.pk}")
    return entry
