"""Chips at tables in the room: bought, added, counted, cashed out, and taken out of the drop box, by staff.

All chips of such a table lie in its pool, `chips:table:<id>`. What each player has of them is known when it was
counted; a difference of the whole table is corrected by `settling.count`. Each verb locks the table, and is noted in
the audit log.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

from django.utils.translation import gettext_lazy

from cardroom.cage import allowances, asking
from cardroom.cage import books as cage_books
from cardroom.cage.allowances import NeedsApproval
from cardroom.core import approvals, audit_log, topics
from cardroom.core.arguments import LONGEST_REASON, Chips, Limits, RowId
from cardroom.core.errors import Conflict, Illegal, Invalid, NotFound
from cardroom.core.models import Approval, User
from cardroom.core.sentences import stored_text
from cardroom.core.verb import lock, verb
from cardroom.ledger import ledger, limits
from cardroom.ledger.counts import hidden_from, mark_posted, more_than_there, stand, still_stands, undone
from cardroom.ledger.models import Account
from cardroom.ledger.passages import Passage
from games.play import seats
from games.rake import box_time, time_clocks
from games.rake.models.drops import BoxCount, Jackpot, backup_label, pool_label, promo_label, rake_label
from games.tables import holds, locking, reasons, stacks
from games.tables.models.tables import Seat, SeatMove, Table

#: Who moves chips over a table's rail.
ROLES = ("floor", "cashier", "manager")
#: Who may count what lies there.
_COUNT = ("dealer", *ROLES)
#: What a second person agrees to, where a box is far off.
BOX = "physical.empty_box"

BroughtChips = Annotated[
    Chips, Limits(error_messages={"required": gettext_lazy("Enter the number of chips to bring.")})
]
ChipsTheyLeaveWith = Annotated[
    int,
    Limits(
        min_value=0,
        max_value=cage_books.MOST,
        error_messages={"required": gettext_lazy("Enter the number of chips counted.")},
    ),
]
ChipsInBox = Annotated[
    Chips,
    Limits(
        help_text="The total of the box.",
        error_messages={"required": gettext_lazy("Enter the number of chips in the box.")},
    ),
]
ForPromotions = Annotated[
    int, Limits(min_value=0, max_value=cage_books.MOST, help_text="Of it, of pots, for promotions.")
]
ForJackpot = Annotated[
    int, Limits(min_value=0, max_value=cage_books.MOST, help_text="Of it, of pots, for the jackpot.")
]
KeptReason = Annotated[
    str, Limits(max_length=LONGEST_REASON, required=False, allow_blank=False, help_text="Kept permanently.")
]


@verb("physical.top_up", roles=ROLES)
def top_up(*, table_id: RowId, player: holds.NamedPlayer, amount: BroughtChips, by: User) -> SeatMove:
    """Bring a player chips from their wallet, up to the table's most.

    Refuses: `NotFound` (no seat), `Invalid` (more than the table's most), `NotEnoughChips`, `Conflict` (they are being
    taken off), `Illegal` (a table online, a limit of their own).
    """
    table, now = lock(locking.table, table_id)
    seat = _seat(table, player)
    stacks.lock_player(player)
    check_may_top_up(table, seat, amount, now=now)
    seats.note("physical.top_up", table, player, by, now=now, seat=seat.number, amount=amount)
    move = stacks.add(seat, table, amount=amount, now=now, by=by)
    _store_and_tell(table, player, now=now)
    return move


def check_may_top_up(table: Table, seat: Seat, amount: int, *, now: datetime) -> None:
    """What `top_up` would refuse, had they the chips. Table and player are locked."""
    if seat.state == Seat.State.REMOVED:
        raise Conflict("leaving", "{player} is removed: count their chips.", player=seat.player)
    seats.check_top_up(table, seat, amount)
    limits.check(player=seat.player, kind="buy-in", amount=amount, now=now)


@verb("physical.cash_out", roles=ROLES)
def cash_out(
    *, table_id: RowId, player: holds.NamedPlayer, count: ChipsTheyLeaveWith, reason: KeptReason = "", by: User
) -> SeatMove:
    """A player leaves with `count` chips, as counted in front of them: they go to their wallet.

    Refuses: `NotFound` (no seat), `Invalid` (no number of chips), `Conflict` (more than lies on the table by the
    books), `Illegal` (a table online).
    """
    stacks.check_count(count)
    table, now = lock(locking.table, table_id)
    seat = _seat(table, player)
    stacks.check_not_own(player, by)
    seats.note("physical.cash_out", table, player, by, now=now, reason=reason, seat=seat.number, count=count)
    move = stacks.cash_out(seat, table, now=now, by=by, reason=reason, count=count)
    _store_and_tell(table, player, now=now)
    return move


@verb("physical.count", roles=_COUNT)
def count(*, table_id: RowId, counts: Mapping[int, int], by: User) -> dict[str, int]:
    """Write down what lies in front of players, by seat number; what all of them hold as counted is the answer.

    No chip moves: what is more or less in all than the books have shows when the whole table is counted.
    Refuses: `Invalid` (no number of chips), `NotFound` (nobody sits there), `Conflict` (more in all than
    lies on the table), `Illegal` (a table online).
    """
    table, now = lock(_lock_physical, table_id)
    sitting = {seat.number: seat for seat in table.seats.select_related("player")}
    for number, chips in counts.items():
        stacks.check_count(chips)
        if number not in sitting:
            raise NotFound(
                "not-seated", "Nobody sits in seat {number} of {name}.", number=number, name=table.name, seat=number
            )
        stacks.check_not_own(sitting[number].player, by)
    stacks.check_within(table, sum(counts.values()), by=by, now=now)
    for number, chips in sorted(counts.items()):
        seat = sitting[number]
        seat.counted, seat.counted_at = chips, now
        seat.save(update_fields=["counted", "counted_at"])
        kind = SeatMove.Kind.COUNTED
        stacks.note(table, player=seat.player, number=number, kind=kind, amount=chips, by=by, now=now)
    if counts:
        by_seat = {str(number): chips for number, chips in counts.items()}
        audit_log.note(verb="physical.count", subject=f"table:{table.pk}", by=by, now=now, counts=by_seat)
        _tell(table, now=now)
    return {str(number): seat.counted for number, seat in sorted(sitting.items())}


@verb("physical.empty_box", roles=ROLES)
def empty_box(
    *,
    table_id: RowId,
    amount: ChipsInBox,
    promo: ForPromotions = 0,
    jackpot: ForJackpot = 0,
    reason: KeptReason = "",
    by: User,
) -> BoxCount | Approval:
    """The drop boxes were taken off and hold `amount` chips in all: first the time that was charged of chips on this
    table since the box before, which is on the books; `promo` of the pots for promotions, `jackpot` of the pots for the
    jackpot that the table drops for (a part of which goes to its backup), the rest the house's rake of this table.
    Where time is collected nothing is raked: what is more or less than that is a difference, with a `reason` and, above
    what the counter may answer for alone, by a second person (`Approval`).
    What was dropped for a jackpot that is closed by now is for promotions, as what lay in it.

    Refuses: `Invalid` (no number of chips, parts above the whole, a difference without a reason), `Conflict` (more than
    lies on the table by the books), `Illegal` (a table online, or one that drops for no jackpot). Locks the table, the
    books, the jackpot, the accounts.
    """
    seats.check_chips(amount)
    if any(type(part) is not int or part < 0 for part in (promo, jackpot)) or promo + jackpot > amount:
        raise Invalid("bad-amount", "What is for promotions and for the jackpot is part of what the boxes held.")
    reason = cage_books.short_reason(reason)
    table, now = lock(_lock_physical, table_id)
    cage_books.lock_books()
    held, time = ledger.balance(stacks.pool(table)), box_time.time_in_box(table)
    subject = f"box:{table.pk}"
    is_more = amount - time > held
    fund = _fund(table) if jackpot else None
    difference = _over(table, time, amount - promo - jackpot)
    expected = held + time if is_more else amount - difference
    count_row = stand(subject=subject, counted=amount, expected=expected, by=by, now=now, reason=reason)
    if is_more:
        raise more_than_there(subject=subject, where=table.name, counted=amount, expected=expected, by=by, now=now)
    try:
        if difference:
            allowances.check_difference(difference, by=by, now=now, approval=None, roles=ROLES)
    except NeedsApproval as refusal:
        payload = {
            "table": table.pk,
            "amount": amount,
            "promo": promo,
            "jackpot": jackpot,
            "over": difference,
            "count": count_row.pk,
        }
        words = stored_text("Drop box of {table} with a difference", table=table.name)
        return approvals.ask(
            what=BOX,
            words=words,
            payload=payload,
            by=by,
            now=now,
            reason=count_row.reason,
            subject=f"table:{table.pk}",
            alone=subject,
            replaces=True,
            details={
                "table": table.name,
                "promo": promo,
                "jackpot": jackpot,
                **asking.count(count_row, refusal, now=now),
            },
        )
    box_count = _empty_box(table, fund, amount, promo, jackpot, difference, count_row.reason, by=by, now=now)
    if difference:
        mark_posted(count_row, now=now)
    return box_count


def _over(table: Table, time: int, rest: int) -> int:
    """How far `rest`, what the box held for the house, is off what was charged. Where pots are raked more is rake."""
    rest -= time
    return rest if rest < 0 or time_clocks.schedule_of(table) is not None else 0


def _empty_agreed_box(approval: Approval, by: User, now: datetime) -> dict[str, int]:
    """A second person approved the difference of a box: post it."""
    payload = approval.payload
    table = _lock_physical(payload["table"])
    amount, promo, jackpot, difference = (payload[name] for name in ("amount", "promo", "jackpot", "over"))
    time = box_time.time_in_box(table)
    is_held = amount - time <= ledger.balance(stacks.pool(table))
    if approval.asked_by is None or not is_held or _over(table, time, amount - promo - jackpot) != difference:
        raise Conflict("changed-since", "Chips have moved in or out of this box since the count: count it again.")
    fund = _fund(table) if jackpot else None
    count_row = still_stands(approval)
    box_count = _empty_box(
        table,
        fund,
        amount,
        promo,
        jackpot,
        difference,
        approval.reason,
        by=approval.asked_by,
        now=now,
        approval=approval,
    )
    mark_posted(count_row, now=now, approval=approval)
    return {"box": box_count.pk}


approvals.register(
    BOX,
    _empty_agreed_box,
    refused=undone,
    lock=lambda approval: locking.of_table(approval.payload["table"]),
    hides=hidden_from,
)


def _empty_box(
    table: Table, fund: Jackpot | None, amount: int, promo: int, jackpot: int, difference: int, reason: str, *,
    by: User, now: datetime, approval: Approval | None = None,
) -> BoxCount:  # fmt: skip
    details: dict[str, Any] = {}
    if fund is not None and fund.state == Jackpot.State.CLOSED:
        details = {"closed_jackpot": fund.pk, "dropped_for_it": jackpot}
        fund, promo, jackpot = None, promo + jackpot, 0
    time, why = box_time.time_in_box(table), reason if difference else ""
    backup = jackpot * fund.backup_percent // 100 if fund else 0
    parts = {"promo": promo, "jackpot": jackpot, "backup": backup, "time": time, "over": difference}
    box_count = BoxCount.objects.create(table=table, amount=amount, fund=fund, reason=why, by=by, at=now, **parts)
    grant = (
        allowances.check_difference(difference, by=by, now=now, approval=approval, roles=ROLES) if difference else None
    )
    entry = audit_log.note(
        verb="physical.empty_box", subject=f"table:{table.pk}", by=by, now=now, reason=why, amount=amount, promo=promo,
        jackpot=jackpot, time=time, over=difference, **details | (grant.details if grant else {}),
    )  # fmt: skip
    _post_box(table, box_count, grant.noted(entry) if grant else None)
    _tell(table, now=now)
    if fund is not None:
        topics.tell("jackpots")
    return box_count


def _fund(table: Table) -> Jackpot:
    """The jackpot that this table drops for, locked, closed or not."""
    name = table.drop.jackpot_name if table.drop is not None else ""
    fund = Jackpot.objects.select_for_update(no_key=True).filter(name=name).first()
    if not name or fund is None:
        raise Illegal("no-jackpot", "{name} drops for no jackpot: its game's drop schedule names one.", name=table.name)
    return fund


def _post_box(table: Table, box_count: BoxCount, passage: Passage | None) -> None:
    """From the table's pool to the account of each part. Where all of it was booked before nothing moves, and the
    transfer says when the box was emptied."""
    house, fund = Account.Kind.HOUSE, Account.Kind.POOL
    parts = [
        (house, rake_label(table.pk), box_count.rake),
        (house, f"difference:table:{table.pk}", box_count.over),
        (house, promo_label(table.pk), box_count.promo),
        (fund, pool_label(box_count.fund_id or 0), box_count.jackpot - box_count.backup),
        (fund, backup_label(box_count.fund_id or 0), box_count.backup),
    ]
    legs = [(ledger.open_account(kind=kind, label=label), chips) for kind, label, chips in parts if chips]
    legs.append((stacks.pool(table), -box_count.moved))
    ledger.post(
        reference=f"box:{box_count.pk}",
        reason=reasons.DROP_BOX(at=table.name),
        legs=legs,
        at=box_count.at,
        by=box_count.by,
        passage=passage,
    )


def _seat(table: Table, player: User) -> Seat:
    check_physical(table)
    return stacks.seat_of(table, player)


def _lock_physical(table_id: int) -> Table:
    table = locking.table(table_id)
    check_physical(table)
    return table


def check_physical(table: Table) -> None:
    """`Illegal` for a table online."""
    if not table.is_physical:
        raise Illegal("not-physical", "{name} is online: its chips are counted by the system.", name=table.name)


def _store_and_tell(table: Table, player: User, *, now: datetime) -> None:
    """Store the table and tell both, once something was done with a player there."""
    seats.store_changed(table, now=now)
    topics.tell("floor", f"player:{player.pk}")


def _tell(table: Table, *, now: datetime) -> None:
    # These may have been the last chips of a game that broke: its table looks whether it is free.
    locking.store(table, wake_at=now if table.state == Table.State.BREAKING else table.wake_at)
    locking.tell(table)
    topics.tell("floor")
