"""Drawers: made, opened with a count, counted in between, and closed with a last count.

What a drawer should hold is what the ledger says, and is told to nobody who may still count it: see `ledger.counts`. A
count that differs is kept with a reason, and the difference is posted as over or short. A difference above the
cashier's limit needs a second person.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import Annotated, Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import gettext, gettext_noop

from cardroom.cage import asking, counting, reasons, vault
from cardroom.cage import books as cage_books
from cardroom.cage.allowances import NeedsApproval
from cardroom.cage.books import drawer_account
from cardroom.cage.counting import Counted
from cardroom.cage.models import Drawer, DrawerCount, DrawerSession, SessionMember
from cardroom.core import access, approvals, audit_log, topics
from cardroom.core.arguments import Limits, RowId, internal, plain
from cardroom.core.errors import Conflict, Forbidden, Invalid
from cardroom.core.models import Approval, User
from cardroom.core.once import after_refusal
from cardroom.core.sentences import Wording
from cardroom.core.verb import current_time, lock, verb
from cardroom.ledger import counts, ledger
from cardroom.ledger.models import BlindCount

State = DrawerSession.State
DrawerName = Annotated[str, Limits(max_length=40)]
ForEvents = Annotated[
    bool, Limits(required=False, help_text="Of the tournament desk: for money of events, worked on by several.")
]


@verb("cage.make_drawer", roles=("manager",))
def make_drawer(*, name: DrawerName, is_for_events: ForEvents = False, by: User) -> Drawer:
    """Make a drawer, or reopen the closed one of this name. For managers. `is_for_events`: of the tournament desk.
    Refuses: `Invalid`; `Conflict` (there is one of this name for the other purpose)."""
    name = " ".join(name.split())
    if not 1 <= len(name) <= 40 or not name.isprintable():
        raise Invalid("bad-name", "A drawer has a name of 1 to 40 characters.")
    now = current_time()
    row, is_new = Drawer.objects.get_or_create(name=name, defaults={"made_at": now, "is_for_events": is_for_events})
    if row.is_for_events != is_for_events:
        raise Conflict("drawer-taken", "There is a drawer {name} for another purpose: choose another name.", name=name)
    if is_new or not row.is_in_use:
        row.is_in_use = True
        row.save(update_fields=["is_in_use"])
        audit_log.note(
            verb="cage.make_drawer", subject=f"drawer:{row.pk}", by=by, now=now, name=name, is_for_events=is_for_events
        )
        topics.tell("cage")
    return row


@verb("cage.retire_drawer", roles=("manager",))
def retire_drawer(*, drawer_id: RowId, by: User) -> Drawer:
    """Take a drawer out of use. For managers. Refuses: `NotFound`; `Conflict` where it is open or holds money still,
    without the amount: the person who closes it may count it next. Locks the drawer."""
    row, now = lock(Drawer, drawer_id)
    if row.sessions.exclude(state=State.CLOSED).exists():
        raise Conflict("drawer-open", "{row} is open: close it first.", row=row)
    if ledger.balance(drawer_account(row)):
        raise Conflict(
            "drawer-full", "{row} is not empty: open it, and close it with everything moved to the vault.", row=row
        )
    if row.is_in_use:
        row.is_in_use = False
        row.save(update_fields=["is_in_use"])
        audit_log.note(verb="cage.retire_drawer", subject=f"drawer:{row.pk}", by=by, now=now, name=row.name)
        topics.tell("cage")
    return row


OPEN = "cage.open"
_TO_OPEN = Wording("cage.ask-open", "Open drawer {drawer} with a count that differs from its balance")


@verb(OPEN, roles=cage_books.EVENT_DESK)
def open_drawer(
    *,
    drawer_id: RowId,
    counted: Counted,
    from_vault: int = 0,
    reason: str = "",
    approval: Annotated[Approval | None, internal] = None,
    by: User,
) -> DrawerSession | Approval:
    """Open a drawer for oneself. `counted`: all that is in it now, including money from the vault. Directors and the
    floor open that of the tournament desk, and get its float from a cashier. Where the count differs by more than the
    cashier may answer for alone it is kept, and stands, and a second person is asked.

    Refuses: `Forbidden`; `NotFound`; `Conflict` (somebody has it open, or oneself another); `Invalid` (no count);
    `Illegal` (the count differs from the books, and no reason is given). Locks the books, then the drawer.
    """
    total, pieces = counting.total(counted)
    counting.check_whole(from_vault)
    cage_books.lock_books()
    drawer, now = lock(Drawer, drawer_id)
    if not drawer.is_for_events or from_vault:
        cage_books.require_staff(by)
    arguments = {"drawer_id": drawer_id, "counted": counted, "from_vault": from_vault, "reason": reason}
    try:
        with transaction.atomic():
            return _open_session(drawer, total, pieces, from_vault, by=by, now=now, reason=reason, approval=approval)
    except NeedsApproval as refusal:
        if refusal.leaves is None:
            raise
        return _ask_to_open(drawer, arguments, refusal.leaves(), refusal, by=by, now=now)


def _open_session(
    drawer: Drawer,
    total: int,
    pieces: dict[str, int],
    from_vault: int,
    *,
    by: User,
    now: datetime,
    reason: str,
    approval: Approval | None,
) -> DrawerSession:
    session = _begun(drawer, by, now)
    if approval is not None and approval.payload["held"] != ledger.balance(drawer_account(drawer)):
        raise Conflict("changed-since", "Money has moved in or out of this drawer since the count: count it again.")
    if from_vault:
        vault.fill_slip(session, from_vault, by=by, now=now, reason=reasons.OPENING_FILL())
    expected = ledger.balance(drawer_account(drawer))
    what = DrawerCount.Kind.OPENING
    stood = counts.still_stands(approval) if approval is not None else None
    _, stood = counting.take_down(session, what, total, pieces, expected, reason=reason, by=by, now=now, stood=stood)
    if approval is None:
        try:
            counting.check_alone(stood, by=by, now=now)
        except NeedsApproval as refusal:
            raise after_refusal(refusal, partial(counts.keep, stood)) from None
    counting.post_difference(
        stood,
        total - expected,
        drawer_account(drawer),
        where=str(drawer),
        by=by,
        now=now,
        reason=reason,
        approval=approval,
        session=session,
    )
    audit_log.note(
        verb="cage.open_drawer",
        subject=f"drawer:{drawer.pk}",
        by=by,
        now=now,
        reason=reason,
        session=session.pk,
        count=stood.pk,
        difference=stood.difference,
    )
    topics.tell("cage")
    return session


def _ask_to_open(
    drawer: Drawer, arguments: dict[str, Any], stood: Any, refusal: NeedsApproval, *, by: User, now: datetime
) -> Approval:
    """Ask a second person to open it; this replaces an earlier request to open this drawer."""
    from_vault = arguments["from_vault"]
    details = {"drawer": asking.drawer(drawer), "cashier": asking.person(by), "from_vault": from_vault}
    return asking.ACT.ask(
        OPEN,
        payload={"asked": plain(arguments), "held": ledger.balance(drawer_account(drawer)), "count": stood.pk},
        words=_TO_OPEN(drawer=drawer.pk),
        by=by,
        now=now,
        reason=arguments["reason"],
        details=details | asking.count(stood, refusal, now=now),
        alone=f"drawer:{drawer.pk}",
        replaces=True,
    )


def _opened_by_second(approval: Approval, now: datetime) -> dict[str, Any]:
    """The second person agrees: the drawer is opened with its difference."""
    arguments = dict(approval.payload["asked"])
    if isinstance(pieces := arguments["counted"], dict):
        arguments["counted"] = {int(worth): number for worth, number in pieces.items()}
    session = open_drawer(**arguments, by=approval.asked_by, approval=approval, now=now)
    return {"session": session.pk}


asking.ACT.add(OPEN, _opened_by_second)


@verb("cage.count", roles=cage_books.EVENT_DESK)
def count(*, counted: Counted, session_id: RowId | None = None, reason: str = "", by: User) -> DrawerCount:
    """Count a drawer in between: the count is stored with the book balance, and nothing is posted. Locks the session,
    then the books.

    Refuses (`Conflict`) another one after one that differed, so that nobody finds out what the books say by counting
    over and over.
    """
    total, pieces = counting.total(counted)
    session, now = lock(cage_books.desk, by, session_id)
    between = session.counts.filter(what=DrawerCount.Kind.BETWEEN)
    if between.exclude(counted=F("expected")).exists():
        raise Conflict(
            "count-stands",
            "Your count in between is recorded with its reason: the next count closes the drawer.",
            rule=counts.RULE,
        )
    expected = ledger.balance(drawer_account(session.drawer))
    what = DrawerCount.Kind.BETWEEN
    row, stood = counting.take_down(session, what, total, pieces, expected, reason=reason, by=by, now=now)
    counts.settle_count(stood, now=now)
    audit_log.note(
        verb="cage.count",
        subject=f"drawer:{session.drawer_id}",
        by=by,
        now=now,
        reason=reason,
        session=session.pk,
        count=stood.pk,
    )
    topics.tell("cage")
    return row


def _begun(drawer: Drawer, by: User, now: datetime) -> DrawerSession:
    if not drawer.is_in_use:
        raise Conflict("drawer-retired", "{drawer} is retired: choose another drawer.", drawer=drawer)
    has = DrawerSession.objects.exclude(state=State.CLOSED).select_related("drawer", "cashier")
    if other := has.filter(drawer=drawer).first():
        raise Conflict(
            "drawer-open", "{drawer} is open for {cashier}: close it first.", drawer=drawer, cashier=other.cashier
        )
    if open_session := cage_books.sessions_of(by).select_related("drawer").first():
        raise _has_open(open_session)
    with _one_drawer_a_person():
        return DrawerSession.objects.create(drawer=drawer, cashier=by, opened_at=now)


def _has_open(session: DrawerSession) -> Conflict:
    """The refusal of a second drawer."""
    message = gettext_noop("You have {drawer} open: close it before you open another.")
    return Conflict("drawer-open", message, drawer=session.drawer)


@contextmanager
def _one_drawer_a_person() -> Iterator[None]:
    """`Conflict` where one person begins at two drawers at the same moment: they lock different ones."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError:
        raise Conflict("drawer-open", "You have another drawer open: close it first.") from None


@verb("cage.join", roles=cage_books.EVENT_DESK)
def join(*, session_id: RowId, by: User) -> DrawerSession:
    """Work on the drawer of the tournament desk that somebody else has open: each slip names the person who writes it,
    and the drawer is counted once for all. A second call does nothing.

    Refuses: `Forbidden`, `NotFound`, `Conflict` (a drawer of one cashier, not open, or `by` has another drawer open).
    Locks the session.
    """
    session, now = lock(_lock_shared_session, session_id)
    if (open_session := cage_books.sessions_of(by).select_related("drawer").first()) is not None:
        if open_session.pk == session.pk:
            return session
        raise _has_open(open_session)
    with _one_drawer_a_person():
        SessionMember.objects.create(session=session, person=by, joined_at=now)
    audit_log.note(verb="cage.join", subject=f"drawer:{session.drawer_id}", by=by, now=now, session=session.pk)
    topics.tell("cage")
    return session


@verb("cage.leave", roles=cage_books.EVENT_DESK)
def leave(*, session_id: RowId, by: User) -> DrawerSession:
    """No longer work on a drawer that one has joined. Refuses: `NotFound`, `Conflict` (the person who opened it closes
    it with a count). Locks the session."""
    session, now = lock(_lock_shared_session, session_id)
    if session.cashier_id == by.pk:
        raise Conflict("your-drawer", "You opened this drawer: close it with a count.")
    if session.members.filter(person=by, left_at=None).update(left_at=now):
        audit_log.note(verb="cage.leave", subject=f"drawer:{session.drawer_id}", by=by, now=now, session=session.pk)
        topics.tell("cage")
    return session


def _lock_shared_session(session_id: int) -> DrawerSession:
    """An open session of the tournament desk, locked."""
    row = _lock_session(session_id)
    if not row.drawer.is_for_events:
        raise Conflict("not-shared", "{drawer} has one cashier only.", drawer=row.drawer)
    if row.state != State.OPEN:
        raise Conflict("drawer-closed", "{drawer} is not open.", drawer=row.drawer)
    return row


def _lock_session(session_id: int) -> DrawerSession:
    """A session with its drawer and cashier, locked. `NotFound` where there is none."""
    return lock(DrawerSession.objects.select_related("drawer", "cashier"), session_id)[0]


CLOSE = "cage.close"
_TO_CLOSE = Wording("cage.ask-close", "Close {drawer} of {cashier} with a difference")
_WAITS = timedelta(days=30)


@verb("cage.close", roles=cage_books.EVENT_DESK)
def close_drawer(
    *, counted: Counted, session_id: RowId | None = None, left_in: int | None = None, reason: str = "", by: User
) -> DrawerSession:
    """Close the drawer with a count; what is not `left_in` it (None: everything is) goes to the vault.

    A manager closes somebody else's (`session_id`) with a reason, where its cashier has gone home without doing it; so
    does any cashier where only a colleague's count of it is taken (`counts.is_barred`).
    A difference is refused without a reason (`Illegal`), posted with one, and waits for a second person where it is
    more than the cashier may answer for: the session is then `closing`, and takes no slips. Locks the session, then the
    books. A repeat finds the session as it is then.
    """
    total, pieces = counting.total(counted)
    stays = total if left_in is None else left_in
    counting.check_whole(stays)
    if stays > total:
        raise Invalid("bad-amount", "The float cannot be more than the {total:,} counted.", total=total)
    session, now = lock(_to_close, by, session_id, reason)
    expected = ledger.balance(drawer_account(session.drawer))
    what = DrawerCount.Kind.CLOSING
    _, stood = counting.take_down(session, what, total, pieces, expected, reason=reason, by=by, now=now)
    session.counted, session.expected, session.left_in = total, expected, stays
    try:
        counting.check_alone(stood, by=by, now=now)
    except NeedsApproval as refusal:
        _ask_to_close(session, stood, refusal, by=by, now=now, reason=reason)
    else:
        _close(session, stood, by=by, now=now, reason=reason, approval=None)
    return session


def _to_close(by: User, session_id: int | None, reason: str) -> DrawerSession:
    """The session to close, then the books, both locked: one's own or, for somebody who may close it (`may_close`),
    another one."""
    if session_id is None:
        return cage_books.desk(by)
    row = _lock_session(session_id)
    works_there = row.cashier_id == by.pk or row.members.filter(person=by, left_at=None).exists()
    if works_there or not may_close(row, by):
        cage_books.check_own(cage_books.sessions_of(by).select_related("drawer").first(), session_id)
    else:
        _check_others(row, reason)
    cage_books.lock_books()
    return row


def _check_others(row: DrawerSession, reason: str) -> None:
    """Refuse to close somebody else's session without a reason, and one that is closed or counted already."""
    audit_log.reason_given(reason, what=gettext("closing another cashier's drawer"))
    if row.state == State.CLOSED:
        raise Conflict("drawer-closed", "{drawer} is already closed.", drawer=row.drawer)
    if row.state == State.CLOSING:
        raise Conflict(
            "drawer-closing", "{drawer} is counted and waits for approval: decide on that request.", drawer=row.drawer
        )


def may_close(row: DrawerSession, by: User) -> bool:
    """Whether `by` may close this drawer of somebody else: a manager, or any cashier where its own cashier's count is
    not taken any more."""
    if access.has_role(by, "manager"):
        return True
    return access.has_role(by, *cage_books.STAFF) and counts.is_barred(f"drawer:{row.drawer_id}", row.cashier)


def _ask_to_close(
    session: DrawerSession, stood: BlindCount, refusal: NeedsApproval, *, by: User, now: datetime, reason: str
) -> None:
    session.state = State.CLOSING
    session.save(update_fields=["state", "counted", "expected", "left_in"])
    words = _TO_CLOSE(drawer=str(session.drawer), cashier=str(session.cashier))
    details = {
        "drawer": asking.drawer(session.drawer),
        "cashier": asking.person(session.cashier),
        **asking.count(stood, refusal, now=now),
        "left_in": session.left_in,
    }
    approvals.ask(
        what=CLOSE,
        words=words,
        payload={"session": session.pk, "count": stood.pk},
        by=by,
        now=now,
        reason=reason,
        subject=f"drawer-session:{session.pk}",
        lasts=_WAITS,
        alone=f"drawer-session:{session.pk}",
        details=details,
    )
    topics.tell("cage")


def _close(
    session: DrawerSession, stood: BlindCount | None, *, by: User, now: datetime, reason: str, approval: Approval | None
) -> None:
    """Close a drawer that `by` counted; a second person may have approved the difference."""
    counted, expected, stays = session.counted or 0, session.expected or 0, session.left_in or 0
    counting.post_difference(
        stood,
        counted - expected,
        drawer_account(session.drawer),
        where=str(session.drawer),
        by=by,
        now=now,
        reason=reason,
        approval=approval,
        session=session,
    )
    if counted > stays:
        vault.take_slip(session, counted - stays, by=by, now=now, reason=reasons.CLOSING_DEPOSIT())
    session.state, session.closed_at = State.CLOSED, now
    session.closed_by = approval.decided_by if approval and approval.decided_by else by
    session.save(update_fields=["state", "counted", "expected", "left_in", "closed_at", "closed_by"])
    session.members.filter(left_at=None).update(left_at=now)
    audit_log.note(
        verb="cage.close_drawer",
        subject=f"drawer:{session.drawer_id}",
        by=by,
        now=now,
        reason=reason,
        counted=counted,
        expected=expected,
        left_in=stays,
        session=session.pk,
        approval=approval.pk if approval else None,
        cashier=session.cashier_id,
    )
    topics.tell("cage")


def _closed_by_second(approval: Approval, by: User, now: datetime) -> dict[str, Any]:
    """The second person agrees: the drawer is closed with its difference."""
    session = _lock_session(approval.payload["session"])
    if session.state != State.CLOSING:
        raise Conflict("drawer-not-closing", "This drawer no longer waits to be closed.")
    if session.cashier_id == by.pk or session.members.filter(person=by).exists():
        raise Forbidden("own-affair", "This is your own drawer: somebody else has to decide on its difference.")
    stood, who = counts.still_stands(approval), approval.asked_by or session.cashier
    _close(session, stood, by=who, now=now, reason=approval.reason, approval=approval)
    return {"session": session.pk}


def _opened_again(approval: Approval, now: datetime) -> None:
    """The drawer stays open. Its count stands; where a second person refused it, somebody else counts."""
    counts.undone(approval, now)
    session = _lock_session(approval.payload["session"])
    if session.state == State.CLOSING:
        session.state, session.counted, session.expected, session.left_in = State.OPEN, None, None, None
        session.save(update_fields=["state", "counted", "expected", "left_in"])
        topics.tell("cage")


def _lock_session_and_books(approval: Approval) -> None:
    _lock_session(approval.payload["session"])
    cage_books.lock_books()


approvals.register(
    CLOSE, _closed_by_second, refused=_opened_again, lock=_lock_session_and_books, hides=counts.hidden_from
)
