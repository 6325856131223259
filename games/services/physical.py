"""Chips at tables in the room: bought, added, counted, cashed out, and taken out of the drop box, by staff.

All chips of such a table lie in its pool, `chips:table:<id>`. What each player has of them is known when it was
counted; what is lost or found in all is put right by `counting.count`. Each verb is one transaction, locks the table,
is idempotent by its `key`, and is written on the trail.
"""

from collections.abc import Callable, Mapping
from datetime import datetime

from django.db import transaction

from cardroom.models import Account, User
from cardroom.services import access, ledger, limits, news, trail
from cardroom.services.errors import Conflict, Illegal, Invalid, NotFound
from games import signals
from games.models import BoxCount, Jackpot, Seat, SeatMove, Table
from games.models.drops import backup_label, pool_label, promo_label, rake_label
from games.services import buying, keyed, locking, seats, stacks

#: Who moves chips over a table's rail.
ROLES = ("floor", "cashier", "manager")
#: Who may count what lies there.
_COUNT = ("dealer", *ROLES)


def top_up(*, table_id: int, player: User, amount: int, by: User, now: datetime, key: str = "") -> SeatMove:
    """Bring a player chips from his wallet, up to the table's most.

    Refuses: `Forbidden`, `NotFound` (no seat), `Invalid` (more than the table's most), `NotEnoughChips`, `Conflict` (he
    is being taken off), `Illegal` (a table online, a limit of his own).
    """

    def do(table: Table, seat: Seat, key: str) -> SeatMove:
        if seat.state == Seat.State.REMOVED:
            raise Conflict(f"{player} is taken off: count his chips.", "leaving")
        buying.check_top_up(table, seat, amount)
        stacks.lock_player(player)
        limits.check(player=player, kind="buy-in", amount=amount, now=now)
        _note("physical.top_up", table, player, by, now=now, seat=seat.number, amount=amount)
        return stacks.add(seat, table, amount=amount, now=now, key=key, by=by)

    return _once("room-top-up", table_id, player, by, key, do, amount=amount, kind=SeatMove.Kind.TOPPED_UP)


def cash_out(
    *, table_id: int, player: User, count: int, by: User, now: datetime, reason: str = "", key: str = ""
) -> SeatMove:
    """A player leaves with `count` chips, as counted in front of him: they go to his wallet.

    Refuses: `Forbidden`, `NotFound` (no seat), `Invalid` (no number of chips), `Conflict` (more than lies on the table
    by the books), `Illegal` (a table online).
    """
    stacks.check_count(count)

    def do(table: Table, seat: Seat, key: str) -> SeatMove:
        stacks.check_not_own(player, by)
        _note("physical.cash_out", table, player, by, now=now, reason=reason, seat=seat.number, count=count)
        return stacks.cash_out(seat, table, now=now, key=key, by=by, reason=reason, count=count)

    return _once("room-out", table_id, player, by, key, do, amount=count)


@transaction.atomic
def count(*, table_id: int, counts: Mapping[int, int], by: User, now: datetime, key: str = "") -> dict[int, int]:
    """Write down what lies in front of players, by seat number; what all of them hold as counted is the answer.

    No chip moves: what is more or less in all than the books have shows when the whole table is counted.
    Refuses: `Forbidden`, `Invalid` (no number of chips), `NotFound` (nobody sits there), `Conflict` (more in all than
    lies on the table), `Illegal` (a table online).
    """
    access.require_role(by, *_COUNT)
    table = _locked(table_id)
    sitting = {seat.number: seat for seat in table.seats.select_related("player")}
    for number, chips in counts.items():
        stacks.check_count(chips)
        if number not in sitting:
            raise NotFound(f"Nobody sits in seat {number} of {table.name}.", "not-seated", seat=number)
        stacks.check_not_own(sitting[number].player, by)
    full_keys = {number: keyed.full("count", table_id, key and f"{key}:{number}") for number in counts}
    fresh = {
        number: chips
        for number, chips in counts.items()
        if keyed.earlier(sitting[number].player, full_keys[number], amount=chips) is None
    }
    _check_within(table, sitting, fresh)
    for number, chips in sorted(fresh.items()):
        seat = sitting[number]
        seat.counted, seat.counted_at = chips, now
        seat.save(update_fields=["counted", "counted_at"])
        said = {"amount": chips, "key": full_keys[number], "by": by, "now": now}
        stacks.note(table, player=seat.player, number=number, kind=SeatMove.Kind.COUNTED, **said)
    if fresh:
        told = {str(number): chips for number, chips in fresh.items()}
        trail.note(verb="physical.count", subject=f"table:{table.pk}", by=by, now=now, counts=told)
        _tell(table)
    return {number: seat.counted for number, seat in sorted(sitting.items())}


@transaction.atomic
def empty_box(
    *, table_id: int, amount: int, by: User, now: datetime, promo: int = 0, jackpot: int = 0, key: str = ""
) -> BoxCount:
    """The drop boxes were taken off and hold `amount` chips in all: `promo` of them for promotions, `jackpot` for the
    jackpot that the table drops for (a part of which goes to its backup), the rest the house's rake of this table.

    Refuses: `Forbidden`, `Invalid` (no number of chips, parts above the whole), `Conflict` (more than lies on the table
    by the books, the key was used for another), `Illegal` (a table online, or one that drops for no jackpot that is
    live). Locks the table, the jackpot, the accounts.
    """
    access.require_role(by, *ROLES)
    buying.check_chips(amount)
    _check_parts(amount, promo, jackpot)
    table = _locked(table_id)
    full_key = keyed.full("box", table_id, key)
    if full_key and (earlier := BoxCount.objects.filter(table=table, key=full_key).first()):
        if (earlier.amount, earlier.promo, earlier.jackpot) != (amount, promo, jackpot):
            raise Conflict("This key was used for another request: take a new one.", "key-taken")
        return earlier
    held = ledger.balance(stacks.pool(table))
    if amount > held:
        raise Conflict(
            f"The books have {held:,} chips on {table.name} in all, and the box is said to hold {amount:,}: count "
            "again.",
            "more-than-the-table",
            held=held,
        )
    fund = _fund(table) if jackpot else None
    backup = jackpot * fund.backup_percent // 100 if fund else 0
    parts = {"promo": promo, "jackpot": jackpot, "backup": backup}
    made = BoxCount.objects.create(table=table, amount=amount, fund=fund, by=by, key=full_key, at=now, **parts)
    _post_box(table, made)
    trail.note(
        verb="physical.empty_box", subject=f"table:{table.pk}", by=by, now=now, amount=amount, promo=promo,
        jackpot=jackpot,
    )  # fmt: skip
    _tell(table)
    if fund is not None:
        news.tell("jackpots")
    return made


def _check_parts(amount: int, promo: int, jackpot: int) -> None:
    if any(type(part) is not int or part < 0 for part in (promo, jackpot)) or promo + jackpot > amount:
        raise Invalid("What is for promotions and for the jackpot is part of what the boxes held.", "bad-amount")


def _fund(table: Table) -> Jackpot:
    """The jackpot that this table drops for, locked."""
    name = table.drop.jackpot_name if table.drop is not None else ""
    found = Jackpot.objects.select_for_update(no_key=True).filter(name=name, state=Jackpot.State.LIVE).first()
    if not name or found is None:
        raise Illegal(
            f"{table.name} drops for no jackpot that is live: its game's drop schedule names one.", "no-jackpot"
        )
    return found


def _post_box(table: Table, made: BoxCount) -> None:
    """Out of the table's pool, to where each part belongs."""
    house, fund = Account.Kind.HOUSE, Account.Kind.POOL
    parts = [
        (house, rake_label(table.pk), made.amount - made.promo - made.jackpot),
        (house, promo_label(table.pk), made.promo),
        (fund, pool_label(made.fund_id or 0), made.jackpot - made.backup),
        (fund, backup_label(made.fund_id or 0), made.backup),
    ]
    legs = [(ledger.open_account(kind=kind, label=label), chips) for kind, label, chips in parts if chips]
    legs.append((stacks.pool(table), -made.amount))
    ledger.post(reference=f"box:{made.pk}", reason=f"drop box of {table.name}", legs=legs, at=made.at, by=made.by)


def _once(
    verb: str,
    table_id: int,
    player: User,
    by: User,
    key: str,
    do: Callable[[Table, Seat, str], SeatMove],
    **content: object,
) -> SeatMove:
    access.require_role(by, *ROLES)
    full_key = keyed.full(verb, table_id, key)
    with transaction.atomic():
        table = _locked(table_id)
        if answered := keyed.earlier(player, full_key, **content):
            return answered
        seat = table.seats.select_related("player", "account").filter(player=player).first()
        if seat is None:
            raise NotFound(f"{player} has no seat at {table.name}.", "not-seated")
        made = do(table, seat, full_key)
        seats.changed(table, now=made.at)
        news.tell("floor", f"player:{player.pk}")
        return made


def _locked(table_id: int) -> Table:
    table = locking.table(table_id)
    if not table.is_physical:
        raise Illegal(f"{table.name} is online: its chips are counted by the system.", "not-physical")
    return table


def _check_within(table: Table, sitting: Mapping[int, Seat], fresh: Mapping[int, int]) -> None:
    """Where everybody was counted at once, no more than the table holds; a part of them proves nothing."""
    held = ledger.balance(stacks.pool(table))
    if sum(fresh.values()) > held:
        raise Conflict(
            f"{sum(fresh.values()):,} chips were counted, and the books have {held:,} on {table.name} in all: count "
            "again, or enter the chips that were brought to the table.",
            "more-than-the-table",
            held=held,
        )


def _note(
    verb: str, table: Table, player: User, by: User, *, now: datetime, reason: str = "", **details: object
) -> None:
    subject = f"table:{table.pk}"
    trail.note(verb=verb, subject=subject, player=player, by=by, now=now, reason=reason, **details)


def _tell(table: Table) -> None:
    locking.store(table, wake_at=table.wake_at)
    signals.after_commit(signals.table_changed, table_id=table.pk, version=table.version)
    news.tell("floor")
