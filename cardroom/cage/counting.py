"""Money counted by its pieces, and what a count says about a drawer: as the books say, over, or short."""

from collections.abc import Mapping
from datetime import datetime

from cardroom.cage import allowances, reasons
from cardroom.cage import books as cage_books
from cardroom.cage.books import MONEY, OVER_SHORT, house
from cardroom.cage.models import DrawerCount, DrawerSession, Slip
from cardroom.core.errors import Invalid
from cardroom.core.models import Approval, User
from cardroom.core.sentences import StoredText
from cardroom.ledger import counts
from cardroom.ledger.models import Account, BlindCount

#: A sum, or how many there are of each piece.
Counted = int | Mapping[int, int]

#: What a drawer is counted in, as the form offers it; other pieces are taken as well.
PIECES = (10_000, 5_000, 1_000, 500, 100, 50, 25, 20, 10, 5, 1)
_MOST_OF_A_KIND = 10**6
_MOST = 10**12


def total(counted: Counted) -> tuple[int, dict[str, int]]:
    """The sum of a count, and its pieces as they are stored; no pieces for a sum that was counted elsewhere. `Invalid`
    for impossible numbers."""
    if not isinstance(counted, Mapping) and type(counted) is not int:
        raise Invalid("bad-count", "A count is a whole number, or the number of pieces of each value.")
    if isinstance(counted, int) and not isinstance(counted, bool):
        if not 0 <= counted <= _MOST:
            raise Invalid("bad-count", "A count is a whole number from 0 to {most:,}.", most=_MOST)
        return counted, {}
    pieces: dict[str, int] = {}
    for worth, number in sorted(dict(counted).items(), reverse=True):
        if type(worth) is not int or type(number) is not int or not 0 < worth <= _MOST:
            raise Invalid("bad-count", "Enter the number of pieces of each value, in whole numbers.")
        if not 0 <= number <= _MOST_OF_A_KIND:
            raise Invalid(
                "bad-count",
                "There are 0 to {most:,} pieces of {worth:,}, not {number:,}.",
                most=_MOST_OF_A_KIND,
                worth=worth,
                number=number,
            )
        if number:
            pieces[str(worth)] = number
    summed = sum(int(worth) * number for worth, number in pieces.items())
    if summed > _MOST:
        raise Invalid("bad-count", "A count is a whole number from 0 to {most:,}.", most=_MOST)
    return summed, pieces


def take_down(
    session: DrawerSession,
    what: str,
    total: int,
    pieces: dict[str, int],
    expected: int,
    *,
    reason: str,
    by: User,
    now: datetime,
    stood: BlindCount | None = None,
) -> tuple[DrawerCount, BlindCount]:
    """Write a count down with what the books say; `stood`: the count that was kept when a second person was asked.
    Refuses what `counts.stand` refuses: of a count in between, too, the difference has to be answered for.

    A cashier who opens a drawer may correct their first figure: they had none of its money in hand yet, and a typing
    error must not keep the cage closed until somebody else comes. A cashier whose count in between differed from the
    books closes with the same figure, unless money moved meanwhile.
    """
    why = cage_books.short_reason(reason)
    follows = _in_between(session, expected, by=by) if what == DrawerCount.Kind.CLOSING else None
    stood = stood or counts.stand(
        subject=f"drawer:{session.drawer_id}",
        counted=total,
        expected=expected,
        by=by,
        now=now,
        reason=why,
        pieces=pieces,
        corrects_within=None if what == DrawerCount.Kind.OPENING else counts.CORRECTION,
        follows=follows,
    )
    row = DrawerCount.objects.create(
        session=session,
        what=what,
        pieces=pieces,
        counted=total,
        expected=expected,
        reason=why,
        number=stood.number,
        by=by,
        at=now,
    )
    return row, stood


def _in_between(session: DrawerSession, expected: int, *, by: User) -> BlindCount | None:
    """What `by` counted in between last, where it differed and no money moved since: the books say the same."""
    row = counts.explained_count(f"drawer:{session.drawer_id}", by=by, since=session.opened_at)
    is_moved = row is None or row.expected != expected or session.slips.filter(at__gt=row.at).exists()
    return None if is_moved else row


def check_alone(stood: BlindCount, *, by: User, now: datetime) -> None:
    """`NeedsApproval` where `by` may not answer for this difference alone. Call with the books locked."""
    if stood.difference:
        allowances.check_difference(stood.difference, by=by, now=now, approval=None)


def post_difference(
    stood: BlindCount | None,
    difference: int,
    account: Account,
    *,
    where: StoredText,
    by: User,
    now: datetime,
    reason: str,
    approval: Approval | None,
    session: DrawerSession | None = None,
) -> None:
    """Post what a count was over (above zero) or short, out of `account` or into it: nobody decides about it here."""
    if not difference:
        return
    grant = allowances.check_difference(difference, by=by, now=now, approval=approval)
    legs = [(house(OVER_SHORT, MONEY), -difference), (account, difference)]
    words = reasons.OVER if difference > 0 else reasons.SHORT
    cage_books.write(
        Slip.Kind.OVER_SHORT,
        legs=legs,
        words=words(where=where),
        amount=difference,
        by=by,
        now=now,
        session=session,
        unit=MONEY,
        reason=reason,
        approval=approval,
        grant=grant,
    )
    counts.mark_posted(stood, now=now, approval=approval)


def check_whole(amount: int) -> None:
    """`Invalid` for anything but a whole number from zero up."""
    if type(amount) is not int or not 0 <= amount <= cage_books.MOST:
        raise Invalid(
            "bad-amount",
            "An amount is a whole number from 0 to {most:,}; {amount!r} is not.",
            most=cage_books.MOST,
            amount=amount,
        )
