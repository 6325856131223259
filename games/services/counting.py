"""The chips of a table in the room: all of them are counted, and what they differ by from the ledger is put right with
a reason, out of `difference:table:<id>` of the house."""

from datetime import datetime

from cardroom.models import Account, User
from cardroom.services import access, ledger, news, repeats, trail
from cardroom.services.errors import Conflict, Illegal, Invalid
from cardroom.services.operations import operation
from games import signals
from games.models import ChipCount, Table
from games.services import locking, stacks

ROLES = ("floor", "manager")


def expected(table: Table) -> int:
    """What has to lie on a table of the room, by the ledger."""
    label = f"chips:table:{table.pk}"
    held = Account.objects.filter(kind=Account.Kind.POOL, label=label, unit=table.unit)
    return held.values_list("balance", flat=True).first() or 0


@operation(locking.of_table)
def count(*, table_id: int, counted: int, by: User, reason: str = "", now: datetime, key: str = "") -> ChipCount:
    """So many chips lie on the table, in stacks and loose; over or short goes to the house, with a reason.

    Refuses: `Forbidden` (no floor), `Invalid` (no number of chips; a difference without a reason), `Illegal` (no table
    of the room). Locks the table, then the chips.
    """
    access.require_role(by, *ROLES)
    if type(counted) is not int or not 0 <= counted <= ledger.MOST_CHIPS:
        raise Invalid("Chips are counted in whole numbers from 0.", "bad-amount")

    def make() -> ChipCount:
        table = locking.table(table_id)
        if not table.is_physical:
            raise Illegal("The chips of this table are the system's, who counts them itself.", "not-physical")
        pool = Account.objects.select_for_update(no_key=True).get(pk=stacks.pool(table).pk)
        over = counted - pool.balance
        why = trail.reason_given(reason, what=f"a difference of {over:+,}") if over else ""
        made = ChipCount.objects.create(table=table, expected=pool.balance, counted=counted, reason=why, by=by, at=now)
        if over:
            house = ledger.open_account(kind=Account.Kind.HOUSE, label=f"difference:table:{table.pk}")
            said = f"{'over' if over > 0 else 'short'} at {table.name}"
            ledger.post(reference=f"count:{made.pk}", reason=said, legs=[(pool, over), (house, -over)], at=now, by=by)
        if table.state == Table.State.BREAKING:
            locking.store(table, wake_at=now)
        _tell(table, made, by=by, reason=why, now=now)
        return made

    content = {"table": table_id, "counted": counted, "reason": reason}
    return repeats.made(ChipCount, make, by=by, key=key, verb="counting.count", now=now, **content)


def check_accounted_for(table: Table) -> None:
    """`Illegal` where players still sit at a table of the room, `Conflict` where chips that nobody holds are left."""
    sitting = table.seats.count()
    if sitting:
        players = "One player sits" if sitting == 1 else f"{sitting} players sit"
        raise Illegal(
            f"{players} at {table.name}: move them, or count their chips and cash them out, before it closes.",
            "table-not-empty",
            seats=sitting,
        )
    left = expected(table)
    if left:
        raise Conflict(
            f"By the books {left:,} chips lie on {table.name} still: count what is there, and say why it differs.",
            "chips-not-accounted-for",
            expected=left,
        )


def _tell(table: Table, made: ChipCount, *, by: User, reason: str, now: datetime) -> None:
    trail.note(
        verb="counting.count",
        subject=f"table:{table.pk}",
        by=by,
        now=now,
        reason=reason,
        count=made.pk,
        expected=made.expected,
        counted=made.counted,
    )
    signals.after_commit(signals.table_changed, table_id=table.pk, version=table.version)
    news.tell("floor")
