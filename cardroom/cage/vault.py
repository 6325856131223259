"""The vault: money between it and the drawers, and between it and the bank; and what is counted in it."""

from datetime import datetime
from typing import Annotated, Any

from django.utils.translation import gettext

from cardroom.cage import allowances, asking, counting, reasons
from cardroom.cage import books as cage_books
from cardroom.cage.allowances import NeedsApproval
from cardroom.cage.books import BANK, MONEY, VAULT, drawer_account, house
from cardroom.cage.counting import Counted
from cardroom.cage.models import DrawerSession, Slip
from cardroom.cage.slips import SlipReason
from cardroom.core import approvals, audit_log, topics
from cardroom.core.arguments import Chips, Limits, Reason, RowId, internal
from cardroom.core.errors import Invalid, NotFound
from cardroom.core.models import Approval, User
from cardroom.core.second_person import Asks
from cardroom.core.sentences import StoredText, Wording
from cardroom.core.verb import current_time, lock, verb
from cardroom.ledger import counts, ledger
from cardroom.ledger.models import BlindCount

#: What counts of the vault are counts of.
SUBJECT = "vault"
#: What a second person agrees to, where a count of the vault is far off.
COUNT = "cage.count_vault"
_TO_COUNT = Wording("cage.ask-vault-count", "Count of the vault with a difference")
_INTO = Wording("cage.ask-into-vault", "{amount:,} into the vault")
_OUT_OF = Wording("cage.ask-out-of-vault", "{amount:,} out of the vault")
#: Above zero into the vault, below zero out of it.
Moved = Annotated[
    int, Limits(min_value=-cage_books.MOST, max_value=cage_books.MOST, help_text="Below zero: out of the vault.")
]


@verb("cage.fill", roles=cage_books.STAFF)
def fill(*, amount: Chips, session_id: RowId | None = None, reason: SlipReason = "", by: User) -> Slip:
    """Money from the vault into the drawer one has open, or that of the tournament desk. Refuses as every slip does,
    and what the vault does not hold (`NotEnoughChips`)."""
    cage_books.check_amount(amount)
    session, now = lock(cage_books.session_to_fill, by, session_id)
    return fill_slip(session, amount, by=by, now=now, reason=" ".join(reason.split()))


@verb("cage.take", roles=cage_books.STAFF)
def take(*, amount: Chips, session_id: RowId | None = None, reason: SlipReason = "", by: User) -> Slip:
    """Surplus money from the drawer back to the vault. Refuses as every slip does."""
    cage_books.check_amount(amount)
    session, now = lock(cage_books.session_to_fill, by, session_id)
    return take_slip(session, amount, by=by, now=now, reason=" ".join(reason.split()))


def _request_text(arguments: dict[str, Any]) -> StoredText:
    amount = arguments["amount"]
    return _INTO(amount=amount) if amount >= 0 else _OUT_OF(amount=-amount)


def _request(arguments: dict[str, Any], refusal: NeedsApproval) -> dict[str, Any]:
    """What a second person is asked beside the money for the vault."""
    cage_books.lock_books()
    by, now = arguments["by"], current_time()
    details = asking.limit_passed(refusal, by=by, kind=Slip.Kind.VAULT, now=now)
    return {"amount": arguments["amount"], "details": details}


@verb("cage.vault", roles=("manager",), asks=Asks(asking.ACT, _request_text, request=_request))
def vault(
    *, amount: Moved, reason: Reason, approval: Annotated[Approval | None, internal] = None, by: User
) -> Slip | Approval:
    """Money from the bank into the vault, or (below zero) out of it; what lies there on the first day comes from the
    bank as well. For managers, with a reason; above the limit by a second person. `NotEnoughChips`
    where the vault holds less than is taken out. Locks the books."""
    if type(amount) is not int or not 0 < abs(amount) <= cage_books.MOST:
        raise Invalid("bad-amount", "An amount is a whole number of at most {most:,}, and not 0.", most=cage_books.MOST)
    why = audit_log.reason_given(reason, what=gettext("money for the vault"))
    _, now = lock(cage_books.lock_books)
    cage_books.require_in_vault(-amount)
    grant = allowances.check(by=by, kind=Slip.Kind.VAULT, amount=amount, now=now, approval=approval, roles=("manager",))
    legs = [(house(BANK, MONEY), -amount), (house(VAULT, MONEY), amount)]
    words = reasons.FOR_THE_VAULT() if amount > 0 else reasons.OUT_OF_THE_VAULT()
    return cage_books.write(
        Slip.Kind.VAULT,
        legs=legs,
        words=words,
        amount=amount,
        by=by,
        now=now,
        unit=MONEY,
        reason=why,
        approval=approval,
        grant=grant,
    )


def fill_slip(session: DrawerSession, amount: int, *, by: User, now: datetime, reason: StoredText) -> Slip:
    """The slip of money out of the vault into a drawer. Call with its session, and the books, locked. `NotEnoughChips`
    where the vault does not hold it."""
    cage_books.require_in_vault(amount)
    grant = allowances.check(
        by=by, kind=Slip.Kind.FILL, amount=amount, now=now, approval=None, roles=cage_books.EVENT_DESK
    )
    legs = [(house(VAULT, MONEY), -amount), (drawer_account(session.drawer), amount)]
    return cage_books.write(
        Slip.Kind.FILL,
        legs=legs,
        words=reasons.FILLED(drawer=str(session.drawer)),
        amount=amount,
        by=by,
        now=now,
        session=session,
        unit=MONEY,
        reason=reason,
        grant=grant,
    )


def take_slip(session: DrawerSession, amount: int, *, by: User, now: datetime, reason: StoredText) -> Slip:
    """The slip of money out of a drawer into the vault. Call with its session, and the books, locked."""
    legs = [(house(VAULT, MONEY), amount), (drawer_account(session.drawer), -amount)]
    return cage_books.write(
        Slip.Kind.TAKE,
        legs=legs,
        words=reasons.TO_THE_VAULT(drawer=str(session.drawer)),
        amount=amount,
        by=by,
        now=now,
        session=session,
        unit=MONEY,
        reason=reason,
    )


@verb(COUNT, roles=cage_books.STAFF)
def count_vault(*, counted: Counted, reason: str = "", by: User) -> BlindCount | Approval:
    """Count the vault, by the cage. Over or short is posted with its reason; a difference above what the counter may
    answer for alone waits for a second person (`Approval`), while slips go on. The count is blind: see `counts.stand`.

    Refuses: `Invalid` (no count), `Illegal` (a difference without a reason), `Conflict` (another count of theirs
    stands). Locks the books.
    """
    total, pieces = counting.total(counted)
    _, now = lock(cage_books.lock_books)
    stood = counts.stand(
        subject=SUBJECT,
        counted=total,
        expected=ledger.balance(house(VAULT, MONEY)),
        by=by,
        now=now,
        reason=cage_books.short_reason(reason),
        pieces=pieces,
    )
    try:
        counting.check_alone(stood, by=by, now=now)
    except NeedsApproval as refusal:
        row = approvals.ask(
            what=COUNT,
            words=_TO_COUNT(),
            payload={"count": stood.pk},
            by=by,
            now=now,
            reason=stood.reason,
            subject=SUBJECT,
            alone=SUBJECT,
            replaces=True,
            details=asking.count(stood, refusal, now=now),
        )
        topics.tell("cage")
        return row
    _post(stood, by=by, now=now, approval=None)
    return stood


def _post(stood: BlindCount, *, by: User, now: datetime, approval: Approval | None) -> None:
    cage_books.require_in_vault(-stood.difference)
    counting.post_difference(
        stood,
        stood.difference,
        house(VAULT, MONEY),
        where=reasons.THE_VAULT(),
        by=by,
        now=now,
        reason=stood.reason,
        approval=approval,
    )
    audit_log.note(
        verb=COUNT,
        subject=SUBJECT,
        by=by,
        now=now,
        reason=stood.reason if stood.difference else "",
        count=stood.pk,
        difference=stood.difference,
        **{"approval": approval.pk} if approval else {},
    )
    topics.tell("cage")


def _post_agreed_count(approval: Approval, by: User, now: datetime) -> dict[str, Any]:
    """A second person agrees with what the vault is over or short."""
    stood = counts.still_stands(approval)
    if stood is None:
        raise NotFound("no-such-count", "There is no such count.")
    _post(stood, by=stood.by, now=now, approval=approval)
    return {"count": stood.pk}


def _lock_books(approval: Approval) -> None:
    cage_books.lock_books()


approvals.register(COUNT, _post_agreed_count, refused=counts.undone, lock=_lock_books, hides=counts.hidden_from)
