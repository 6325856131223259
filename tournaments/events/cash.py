"""Cash of events at the desk: every payment in money is a slip of the cage, in the open drawer of the person who takes
or pays it, and one transfer moves the money of the drawer and the money of the event together.

Money comes in from the street and as many chips go out of the house into the event, as with a deposit; back the other
way round. The limits of the cage hold: what is taken in counts as a deposit of this person, what is paid out as a
withdrawal. Above them `NeedsApproval` is raised, see `second_person`. Call with the event locked, and the player before
the drawer.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime

from cardroom.cage import allowances
from cardroom.cage import books as cage_books
from cardroom.cage.books import CHIPS, MONEY, STREET, drawer_account, house
from cardroom.cage.models import DrawerSession, Slip
from cardroom.core.errors import Conflict, Forbidden
from cardroom.core.models import Approval, User
from cardroom.core.sentences import StoredText
from cardroom.ledger.ledger import Leg
from cardroom.ledger.passages import Grant
from tournaments.events import reasons, staff
from tournaments.events.models import Payment, Tournament

Kind = Slip.Kind
#: The kind of slip for each kind of payment.
KINDS: dict[str, Slip.Kind] = {
    Payment.Kind.ENTRY: Kind.EVENT_ENTRY,
    Payment.Kind.RE_ENTRY: Kind.EVENT_RE_ENTRY,
    Payment.Kind.REBUY: Kind.EVENT_REBUY,
    Payment.Kind.ADD_ON: Kind.EVENT_ADD_ON,
}
#: What a second person has agreed to, while it is done.
_approval: ContextVar[Approval | None] = ContextVar("approval of event cash", default=None)


@contextmanager
def with_approval(approval: Approval) -> Iterator[None]:
    """Within this block cash moves by the word of the second person who decided about `approval`."""
    token = _approval.set(approval)
    try:
        yield
    finally:
        _approval.reset(token)


@dataclass(frozen=True)
class Till:
    """An open drawer and the person who takes and pays cash there."""

    session: DrawerSession
    by: User

    def legs(self, kind: Slip.Kind, amount: int) -> list[Leg]:
        """Money into the drawer and as many chips given out for it or, with a kind that pays out, back."""
        money = amount if kind in cage_books.EVENT_IN else -amount
        moved = [(house(STREET, MONEY), -money), (drawer_account(self.session.drawer), money)]
        return [*moved, (house(CHIPS), -money)]


def till(by: User | None) -> Till:
    """The drawer that `by` has open, or has joined at the tournament desk, locked; then the books of the cage.

    Refuses: `Forbidden` (not of the desk, or nobody, which is the house itself), `Conflict` ("no-drawer": none is open;
    "drawer-closing": it is counted already).
    """
    if by is None:
        raise Forbidden("desk-only", "Cash is taken and paid by a person at the desk.")
    staff.require(by, staff.DESK)
    if not cage_books.sessions_of(by).exists():
        raise Conflict(
            "no-drawer",
            "You have no open drawer, so you take and pay no cash: open the drawer of the tournament desk, or "
            "join it, under Drawers.",
        )
    return Till(cage_books.desk(by), by)


def check(kind: Slip.Kind, *, amount: int, player: User, now: datetime, by: User | None) -> None:
    """Refuse what `move` would refuse, before anything is done: as `till`; `Illegal` (cash of one's own),
    `NeedsApproval` (more than `by` may do alone)."""
    _leave(till(by), kind, amount=amount, player=player, now=now)


def move(
    tournament: Tournament | None,
    kind: Slip.Kind,
    *,
    till: Till,
    legs: Sequence[Leg],
    amount: int,
    player: User,
    reference: str,
    words: StoredText,
    now: datetime,
    reason: StoredText = "",
) -> Slip:
    """Take `amount` in, or pay it out, at this `till`: one slip, and one transfer of the money in the drawer and of
    `legs`, which are those of the event. Refuses: `Illegal` (cash of one's own), `NeedsApproval` (more than its person
    may do alone), `NotEnoughChips` (the drawer holds less).
    """
    grant = _leave(till, kind, amount=amount, player=player, now=now)
    name = tournament.name if tournament is not None else ""
    return cage_books.write(
        kind,
        legs=[*till.legs(kind, amount), *legs],
        words=words,
        amount=amount,
        by=till.by,
        now=now,
        player=player,
        session=till.session,
        reason=reasons.OF_EVENT(name=name, words=reason) if name and reason else name or reason,
        approval=_approval.get(),
        reference=reference,
        unit=MONEY,
        about=tournament.unit if tournament is not None else "",
        grant=grant,
    )


def _leave(till: Till, kind: Slip.Kind, *, amount: int, player: User, now: datetime) -> Grant:
    return grant_for(str(kind), amount=amount, player=player, roles=staff.DESK, now=now, by=till.by)


def grant_for(kind: str, *, amount: int, player: User, roles: Sequence[str], now: datetime, by: User) -> Grant:
    """Leave for what one of the staff takes, pays or gives. Refuses: `Illegal` (to themselves), `NeedsApproval` (more
    than they may do alone), with what `second_person` has to know in order to ask for it."""
    try:
        return allowances.check(
            by=by, kind=kind, amount=amount, now=now, approval=_approval.get(), roles=roles, player=player
        )
    except allowances.NeedsApproval as refusal:
        refusal.values |= {"amount": amount, "kind": kind, "player": player.pk}
        raise
