"""The chips of a table in the room: all of them are counted, and what they differ by from the ledger is put right with
a reason, out of `difference:table:<id>` of the house.
"""

from datetime import datetime

from cardroom.cage import allowances
from cardroom.cage import books as cage_books
from cardroom.cage.allowances import NeedsApproval
from cardroom.core import approvals, audit_log, idempotency, topics
from cardroom.core.errors import Conflict, Illegal, Invalid
from cardroom.core.models import Approval, User
from cardroom.core.operation import operation
from cardroom.ledger import counts, ledger
from cardroom.ledger.models import Account
from games.tables import locking, stacks
from games.tables import signals as table_signals
from games.tables.models.offers import ChipCount
from games.tables.models.tables import Table

ROLES = ("floor", "manager")
#: What a second person agrees to, where a count is far off.
ACT = "counting.count"


def expected(table: Table) -> int:
    """The chips on a table of the room, by the ledger."""
    label = f"chips:table:{table.pk}"
    held = Account.objects.filter(kind=Account.Kind.POOL, label=label, unit=table.unit)
    return held.values_list("balance", flat=True).first() or 0


@operation(locking.of_table, roles=ROLES)
def count(
    *, table_id: int, counted: int, by: User, reason: str = "", now: datetime, key: str = ""
) -> ChipCount | Approval:
    """So many chips lie on the table, in stacks and loose; over or short goes to the house, with a reason, and above
    what the counter may answer for alone by a second person (`Approval`). The count is blind: see `counts.stand`.

    Refuses: `Forbidden` (no floor), `Invalid` (no number of chips, no fit reason), `Illegal` (no table of the room; a
    difference without a reason), `Conflict` (another count of theirs stands). Locks the table, then the books, then
    the chips.
    """
    if type(counted) is not int or not 0 <= counted <= ledger.MOST_CHIPS:
        raise Invalid("Chips are counted in whole numbers from 0.", "bad-amount")
    why = cage_books.in_short(reason)

    def do() -> dict[str, int]:
        table, expected = _held(table_id, counts_alone=True)
        subject = f"table:{table.pk}"
        stood = counts.stand(subject=subject, counted=counted, expected=expected, by=by, now=now, reason=why)
        try:
            if stood.difference:
                allowances.check(by=by, kind="over-short", amount=stood.difference, now=now, approval=None, roles=ROLES)
        except NeedsApproval:
            words = f"Chips of {table.name}: {counts.words(stood.difference)}"
            payload = {"table": table.pk, "counted": counted, "expected": expected, "count": stood.pk}
            row = approvals.ask(
                what=ACT, words=words, payload=payload, by=by, now=now, reason=stood.reason, subject=subject,
                amount=stood.difference,
            )  # fmt: skip
            return {"approval": row.pk}
        made = _counted(table, counted, expected, by=by, reason=stood.reason, now=now)
        if stood.difference:
            counts.posted(stood, now=now)
        return {"count": made.pk}

    content = {"table": table_id, "counted": counted, "reason": why}
    done = idempotency.once(by=by, verb="counting.count", key=key, asked=content, do=do, now=now)
    if "approval" in done:
        return Approval.objects.get(pk=done["approval"])
    return ChipCount.objects.select_related("table", "by").get(pk=done["count"])


def _held(table_id: int, *, counts_alone: bool = False) -> tuple[Table, int]:
    """The table and what lies on it by the books, both locked; and the cage's books, where somebody may answer for a
    difference alone: what it comes to in a day is of drawers and boxes too."""
    table = locking.table(table_id)
    if counts_alone:
        cage_books.lock_books()
    if not table.is_physical:
        raise Illegal("The system counts the chips of this table.", "not-physical")
    return table, Account.objects.select_for_update(no_key=True).get(pk=stacks.pool(table).pk).balance


def _counted(table: Table, counted: int, expected: int, *, by: User, reason: str, now: datetime) -> ChipCount:
    why = reason if counted != expected else ""
    made = ChipCount.objects.create(table=table, expected=expected, counted=counted, reason=why, by=by, at=now)
    if over := counted - expected:
        pool, house = (
            stacks.pool(table),
            ledger.open_account(kind=Account.Kind.HOUSE, label=f"difference:table:{table.pk}"),
        )
        said = f"{'over' if over > 0 else 'short'} at {table.name}"
        ledger.post(reference=f"count:{made.pk}", reason=said, legs=[(pool, over), (house, -over)], at=now, by=by)
    if table.state == Table.State.BREAKING:
        locking.store(table, wake_at=now)
    _tell(table, made, by=by, reason=why, now=now)
    return made


def _approved(approval: Approval, by: User, now: datetime) -> dict[str, int]:
    """A second person approved the difference: post it."""
    asked = approval.payload
    table, expected = _held(asked["table"])
    if approval.asked_by is None or expected != asked["expected"]:
        raise Conflict("Chips have moved to or from this table since the count: count it again.", "changed-since")
    stood = counts.still_stands(approval)
    made = _counted(table, asked["counted"], expected, by=approval.asked_by, reason=approval.reason, now=now)
    counts.posted(stood, now=now, approval=approval)
    return {"count": made.pk}


def _lock(approval: Approval) -> None:
    locking.of_table(approval.payload["table"])


approvals.register(ACT, _approved, refused=counts.undone, lock=_lock)


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
        raise Conflict(f"The book balance of {table.name} is not 0: count the chips there.", "chips-not-accounted-for")


def _tell(table: Table, made: ChipCount, *, by: User, reason: str, now: datetime) -> None:
    audit_log.note(
        verb="counting.count",
        subject=f"table:{table.pk}",
        by=by,
        now=now,
        reason=reason,
        count=made.pk,
        expected=made.expected,
        counted=made.counted,
    )
    table_signals.table_changed.after_commit(table_id=table.pk, version=table.version)
    topics.tell("floor")
