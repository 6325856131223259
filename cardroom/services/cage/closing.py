"""Closing a drawer: the last count, the difference, and the second person where it is a large one."""

from datetime import datetime, timedelta
from typing import Any

from cardroom.models import Approval, BlindCount, DrawerCount, DrawerSession, User
from cardroom.services import access, approvals, counts, ledger, news, repeats, trail
from cardroom.services.cage import books, counting, vaults
from cardroom.services.cage.allowances import NeedsApproval
from cardroom.services.cage.books import drawer_account
from cardroom.services.cage.counting import Counted
from cardroom.services.cage.drawers import State, session_by_id
from cardroom.services.errors import Conflict, Forbidden, Invalid, NotFound
from cardroom.services.operations import operation

CLOSE = "cage.close"
_WAITS = timedelta(days=30)


@operation(books.lock_desk)
def close_drawer(
    *,
    counted: Counted,
    by: User,
    now: datetime,
    session_id: int | None = None,
    left_in: int | None = None,
    reason: str = "",
    key: str = "",
) -> DrawerSession:
    """Close the drawer with a count; what is not `left_in` it (None: everything is) goes to the vault.

    A manager closes somebody else's (`session_id`) with a reason, where its cashier has gone home without doing it.
    A difference is refused without a reason (`Illegal`), posted with one, and waits for a second person where it is
    more than the cashier may answer for: the session is then `closing`, and takes no slips. Locks the session, then the
    books. A repeat finds the session as it is then.
    """
    total, pieces = counting.total(counted)
    stays = total if left_in is None else left_in
    counting.check_whole(stays)
    if stays > total:
        raise Invalid(f"No more than the {total:,} that were counted can stay in the drawer.", "bad-amount")

    def do() -> int:
        session = _session(by, session_id, reason)
        books.lock_books()
        expected = ledger.balance(drawer_account(session.drawer))
        what = DrawerCount.What.CLOSING
        _, stood = counting.take_down(session, what, total, pieces, expected, reason=reason, by=by, now=now)
        session.counted, session.expected, session.left_in = total, expected, stays
        try:
            counting.check_alone(stood, by=by, now=now)
        except NeedsApproval:
            _ask_to_close(session, stood, by=by, now=now, reason=reason)
        else:
            _close(session, stood, by=by, now=now, reason=reason, approval=None)
        return session.pk

    asked = {"session": session_id, "total": total, "left_in": left_in}
    return session_by_id(repeats.once(by=by, verb="cage.close", key=key, asked=asked, do=do, now=now))


def _session(by: User, session_id: int | None, reason: str) -> DrawerSession:
    """The session to close, locked: one's own or, for a manager, any other."""
    if session_id is None or not access.has_role(by, "manager"):
        return books.session_of(by, session_id)
    found = DrawerSession.objects.select_for_update(no_key=True, of=("self",)).select_related("drawer", "cashier")
    row = found.filter(pk=session_id).first()
    if row is None:
        raise NotFound("There is no such session of a drawer.", "no-such-session")
    if row.cashier_id == by.pk:
        return books.session_of(by, session_id)
    trail.reason_given(reason, what="somebody else's drawer that is closed")
    if row.state == State.CLOSED:
        raise Conflict(f"{row.drawer} was closed already.", "drawer-closed")
    if row.state == State.CLOSING:
        raise Conflict(f"{row.drawer} is counted and waits for a second person: decide that.", "drawer-closing")
    return row


def _ask_to_close(session: DrawerSession, stood: BlindCount, *, by: User, now: datetime, reason: str) -> None:
    session.state = State.CLOSING
    session.save(update_fields=["state", "counted", "expected", "left_in"])
    way = f"{abs(session.difference or 0):,} {'over' if (session.difference or 0) > 0 else 'short'}"
    words = f"Close {session.drawer} of {session.cashier} {way}"
    approvals.ask(
        what=CLOSE, words=words, payload={"session": session.pk, "count": stood.pk}, by=by, now=now,
        reason=reason, subject=f"drawer-session:{session.pk}", amount=session.difference, lasts=_WAITS,
    )  # fmt: skip
    news.tell("cage")


def _close(
    session: DrawerSession,
    stood: BlindCount | None,
    *,
    by: User,
    now: datetime,
    reason: str,
    approval: Approval | None,
) -> None:
    """`by` counted it; a second person may have approved the difference."""
    counted, expected, stays = session.counted or 0, session.expected or 0, session.left_in or 0
    counting.post_difference(
        stood, counted - expected, drawer_account(session.drawer), where=str(session.drawer), by=by, now=now,
        reason=reason, approval=approval, session=session,
    )  # fmt: skip
    if counted > stays:
        vaults.take_out(session, counted - stays, by=by, now=now, reason="taken out at the close")
    session.state, session.closed_at = State.CLOSED, now
    session.closed_by = approval.decided_by if approval and approval.decided_by else by
    session.save(update_fields=["state", "counted", "expected", "left_in", "closed_at", "closed_by"])
    trail.note(
        verb="cage.close_drawer", subject=f"drawer:{session.drawer_id}", by=by, now=now, reason=reason, counted=counted,
        expected=expected, left_in=stays, session=session.pk, approval=approval.pk if approval else None,
        cashier=session.cashier_id,
    )  # fmt: skip
    news.tell("cage")


def _closed_by_second(approval: Approval, by: User, now: datetime) -> dict[str, Any]:
    """The second person says that the drawer is closed with its difference."""
    session = session_by_id(approval.payload["session"], lock=True)
    if session.state != State.CLOSING:
        raise Conflict("This drawer is not waiting to be closed any more.", "drawer-not-closing")
    if session.cashier_id == by.pk:
        raise Forbidden("This drawer is your own: somebody else decides about what is missing in it.", "own-affair")
    approval.decided_by = by
    stood, who = counts.still_stands(approval), approval.asked_by or session.cashier
    _close(session, stood, by=who, now=now, reason=approval.reason, approval=approval)
    return {"session": session.pk}


def _opened_again(approval: Approval, now: datetime) -> None:
    """The drawer is as open as it was. Its count stands, unless a second person has it counted again."""
    counts.undone(approval, now)
    session = session_by_id(approval.payload["session"], lock=True)
    if session.state == State.CLOSING:
        session.state, session.counted, session.expected, session.left_in = State.OPEN, None, None, None
        session.save(update_fields=["state", "counted", "expected", "left_in"])
        news.tell("cage")


def _lock(approval: Approval) -> None:
    session_by_id(approval.payload["session"], lock=True)
    books.lock_books()


approvals.register(CLOSE, _closed_by_second, refused=_opened_again, lock=_lock)
