"""Drawers: made, opened with a count, counted in between; `closing` closes them.

What a drawer should hold is what the ledger says. A count that says otherwise is taken down with a reason, and the
difference posted as over or short; one that is larger than the cashier may answer for alone needs a second person.
"""

from datetime import datetime
from functools import partial

from django.db import IntegrityError, transaction

from cardroom.models import Approval, Drawer, DrawerCount, DrawerSession, User
from cardroom.services import access, counts, ledger, news, repeats, trail
from cardroom.services.cage import books, counting, vaults
from cardroom.services.cage.allowances import NeedsApproval
from cardroom.services.cage.books import drawer_account
from cardroom.services.cage.counting import Counted
from cardroom.services.errors import Conflict, Invalid, NotFound
from cardroom.services.operations import after_refusal, operation, row_of

State = DrawerSession.State


@operation()
def make_drawer(*, name: str, by: User, now: datetime) -> Drawer:
    """Another drawer; the one there is of this name, in use again. For managers. Refuses: `Forbidden`, `Invalid`."""
    access.require_role(by, "manager")
    said = " ".join(name.split())
    if not 1 <= len(said) <= 40 or not said.isprintable():
        raise Invalid("A drawer has a name of 1 to 40 characters.", "bad-name")
    row, is_new = Drawer.objects.get_or_create(name=said, defaults={"made_at": now})
    if is_new or not row.is_in_use:
        row.is_in_use = True
        row.save(update_fields=["is_in_use"])
        trail.note(verb="cage.make_drawer", subject=f"drawer:{row.pk}", by=by, now=now, name=said)
        news.tell("cage")
    return row


@operation(row_of(Drawer, "drawer_id"))
def retire_drawer(*, drawer_id: int, by: User, now: datetime) -> Drawer:
    """Take a drawer out of use. For managers. Refuses: `Conflict` where it is open or holds money still."""
    access.require_role(by, "manager")
    row = _drawer(drawer_id)
    if row.sessions.exclude(state=State.CLOSED).exists():
        raise Conflict(f"{row} is open: close it first.", "drawer-open")
    if held := ledger.balance(drawer_account(row)):
        raise Conflict(f"{row} holds {held:,}: open it, and take that to the vault when it is closed.", "drawer-full")
    if row.is_in_use:
        row.is_in_use = False
        row.save(update_fields=["is_in_use"])
        trail.note(verb="cage.retire_drawer", subject=f"drawer:{row.pk}", by=by, now=now, name=row.name)
        news.tell("cage")
    return row


@operation(books.lock_desk)
def open_drawer(
    *,
    drawer_id: int,
    counted: Counted,
    by: User,
    now: datetime,
    from_vault: int = 0,
    reason: str = "",
    key: str = "",
    approval: Approval | None = None,
) -> DrawerSession:
    """Open a drawer for oneself. `counted` is all that is in it now, with what was brought from the vault.

    Refuses: `Forbidden`; `NotFound`; `Conflict` (somebody has it open, or oneself another); `Invalid` (no count);
    `Illegal` (the count differs from the books, and no reason is given); `NeedsApproval` (it differs by more than the
    cashier may answer for alone; the count is kept, and stands). Locks the drawer, then the books.
    """
    books.require_staff(by)
    total, pieces = counting.total(counted)
    counting.check_whole(from_vault)

    def do() -> int:
        drawer = _drawer(drawer_id)
        session = _begun(drawer, by, now)
        if approval is not None and approval.payload["held"] != ledger.balance(drawer_account(drawer)):
            raise Conflict("Money went into this drawer or out of it since: have it counted again.", "changed-since")
        if from_vault:
            vaults.bring(session, from_vault, by=by, now=now, reason="brought at the opening")
        expected = ledger.balance(drawer_account(drawer))
        what = DrawerCount.What.OPENING
        stood = counts.still_stands(approval) if approval is not None else None
        told = {"reason": reason, "by": by, "now": now, "stood": stood}
        _, stood = counting.take_down(session, what, total, pieces, expected, **told)
        if approval is None:
            try:
                counting.check_alone(stood, by=by, now=now)
            except NeedsApproval as refusal:
                raise after_refusal(refusal, partial(counts.keep, stood)) from None
        counting.post_difference(
            stood, total - expected, drawer_account(drawer), where=str(drawer), by=by, now=now, reason=reason,
            approval=approval, session=session,
        )  # fmt: skip
        trail.note(
            verb="cage.open_drawer", subject=f"drawer:{drawer.pk}", by=by, now=now, reason=reason, session=session.pk,
            count=stood.pk, difference=stood.difference,
        )  # fmt: skip
        news.tell("cage")
        return session.pk

    asked = {"drawer": drawer_id, "total": total, "from_vault": from_vault}
    return session_by_id(repeats.once(by=by, verb="cage.open", key=key, asked=asked, do=do, now=now))


@operation(books.lock_desk)
def count(
    *, counted: Counted, by: User, now: datetime, session_id: int | None = None, reason: str = "", key: str = ""
) -> DrawerCount:
    """Count in between: written down with what the books say, and nothing posted. Locks the session."""
    total, pieces = counting.total(counted)

    def do() -> int:
        session = books.session_of(by, session_id)
        expected = ledger.balance(drawer_account(session.drawer))
        what = DrawerCount.What.BETWEEN
        row, stood = counting.take_down(session, what, total, pieces, expected, reason=reason, by=by, now=now)
        counts.settled(stood, now=now)
        trail.note(
            verb="cage.count", subject=f"drawer:{session.drawer_id}", by=by, now=now, reason=reason, session=session.pk,
            count=stood.pk, difference=stood.difference,
        )  # fmt: skip
        news.tell("cage")
        return row.pk

    asked = {"session": session_id, "total": total}
    return DrawerCount.objects.get(pk=repeats.once(by=by, verb="cage.count", key=key, asked=asked, do=do, now=now))


def _begun(drawer: Drawer, by: User, now: datetime) -> DrawerSession:
    if not drawer.is_in_use:
        raise Conflict(f"{drawer} is not in use any more: take another drawer.", "drawer-retired")
    has = DrawerSession.objects.exclude(state=State.CLOSED).select_related("drawer", "cashier")
    if other := has.filter(drawer=drawer).first():
        raise Conflict(f"{drawer} is open: {other.cashier} has it. It is closed first.", "drawer-open")
    if mine := has.filter(cashier=by).first():
        raise Conflict(f"You have {mine.drawer} open: close it before you open another.", "drawer-open")
    try:
        with transaction.atomic():
            return DrawerSession.objects.create(drawer=drawer, cashier=by, opened_at=now)
    except IntegrityError:  # one cashier at two drawers at the same moment: they lock different ones
        raise Conflict("You have another drawer open: close it first.", "drawer-open") from None


def _drawer(drawer_id: int) -> Drawer:
    row = Drawer.objects.select_for_update(no_key=True).filter(pk=drawer_id).first()
    if row is None:
        raise NotFound("There is no such drawer.", "no-such-drawer")
    return row


def session_by_id(session_id: int, *, lock: bool = False) -> DrawerSession:
    """A session that is known to be there."""
    rows = DrawerSession.objects.select_related("drawer", "cashier")
    if lock:
        rows = rows.select_for_update(no_key=True, of=("self",))
    return rows.get(pk=session_id)
