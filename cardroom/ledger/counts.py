"""Counts are blind: what the books say is told when the count stands, and a count that stands is not taken back.

Who counted wrong says why it differs, or has a colleague count: both counts are kept. What then becomes of the
difference is the caller's: `posted` into the ledger, at once or once a second person agrees (`still_stands`), or only
`settled`. Call with what is counted locked.
"""

from collections.abc import Mapping
from datetime import datetime

from django.db.models import F, QuerySet, Sum
from django.db.models.functions import Abs
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from cardroom.core import languages, room_time
from cardroom.core.access import Viewer
from cardroom.core.errors import Conflict, Illegal
from cardroom.core.languages import filled, kept
from cardroom.core.models import Approval, User
from cardroom.core.operation import after_refusal
from cardroom.ledger.models import BlindCount

RULE = gettext_lazy("House rules: counts are blind, every count is recorded, and a difference needs a reason")
_LEAST_REASON = 3


def stand(
    *,
    subject: str,
    counted: int,
    expected: int,
    by: User,
    now: datetime,
    reason: str = "",
    pieces: Mapping[str, int] | None = None,
) -> BlindCount:
    """Keep this count, which agrees with the books or has its reason; with a difference it stands until that is
    `posted` or `settled`.

    A count that differs and has no reason is refused (`Illegal`, "count-differs") with what the books say, and stands:
    the same person may then give its reason, and no other count (`Conflict`, "count-stands"); a colleague may count
    anew, who is bound by what they count in the same way. What is refused is kept all the same.
    """
    difference = counted - expected
    row = BlindCount(
        subject=subject, counted=counted, expected=expected, pieces=dict(pieces or {}), by=by, at=now,
        reason=" ".join(reason.split()),
    )  # fmt: skip
    earlier = _open_counts(subject).filter(by=by).first()
    if earlier is not None and earlier.difference != difference:
        row.settled_at = now
        raise after_refusal(_stands(earlier), row.save)
    if difference and len(row.reason) < _LEAST_REASON:
        row.reason = ""
        raise after_refusal(_differs(row), row.save if earlier is None else lambda: None)
    return keep(row)


def keep(row: BlindCount) -> BlindCount:
    """Write down a count that `stand` let pass, instead of those that stood before; also where what it was made for was
    taken back, and only waits for a second person."""
    _settle_all(row.subject, row.at)
    row.pk, row.settled_at = None, None if row.difference else row.at
    row.save(force_insert=True)
    return row


def settled(row: BlindCount, *, now: datetime) -> None:
    """Close a count whose difference was explained and is not posted."""
    row.settled_at = now
    row.save(update_fields=["settled_at"])


def posted(row: BlindCount | None, *, now: datetime, approval: Approval | None = None) -> None:
    """Its difference is in the ledger, by one person alone or with the `approval`; no other count of it stands any
    more, as the books say something else now. None: a count that was asked about before counts were kept."""
    if row is None:
        return
    _settle_all(row.subject, now)
    row.settled_at, row.posted, row.approval = now, True, approval
    row.save(update_fields=["settled_at", "posted", "approval"])


def still_stands(approval: Approval) -> BlindCount | None:
    """The count whose difference a second person is about to agree with (`payload["count"]`). `Conflict` where it does
    not stand any more, or a later one says otherwise: somebody else counted."""
    asked = approval.payload.get("count")
    if asked is None:
        return None
    row = BlindCount.objects.filter(pk=asked, settled_at=None).first()
    later = open_count(row.subject) if row is not None else None
    if row is None or later is None or later.difference != row.difference:
        raise Conflict(gettext("There is a later count: refuse this one."), "changed-since")
    return row


def undone(approval: Approval, now: datetime) -> None:
    """A second person refused it: the count stands no more, and the same person may count again. One that was taken
    back, or that nobody decided in time, stands as it did."""
    if approval.verdict == Approval.Verdict.REFUSED:
        BlindCount.objects.filter(pk=approval.payload.get("count"), settled_at=None).update(settled_at=now)


def answered_alone(by: User, *, since: datetime) -> int:
    """What the differences come to, over and short alike, that `by` answered for alone, of whatever was counted."""
    mine = BlindCount.objects.filter(by=by, at__gt=since, posted=True, approval=None)
    return int(mine.aggregate(done=Sum(Abs(F("counted") - F("expected"))))["done"] or 0)


def unanswered() -> int:
    """How many things were counted that differ from the books, whose difference nobody has answered for yet."""
    return BlindCount.objects.filter(settled_at=None).values("subject").distinct().count()


def more_than_there(
    *, subject: str, where: str, counted: int, expected: int, by: User | None, now: datetime
) -> Conflict:
    """The refusal of a count of chips that is more than all that is there by the books. It is kept; what the books say
    is not told, as no count stands yet. `by` None: nobody counted, it is an order of the house."""
    refusal = Conflict(
        filled(
            gettext(
                "{counted:,} chips are counted and recorded; the book balance of {where} is lower: count "
                "again, or enter the chips brought there."
            ),
            counted=counted,
            where=where,
        ),
        "more-than-the-table",
        rule=RULE,
        counted=counted,
    )
    if by is None:
        return refusal
    row = BlindCount(subject=subject, counted=counted, expected=expected, by=by, at=now, settled_at=now)
    return after_refusal(refusal, row.save)


def open_count(subject: str, *, viewer: Viewer | None = None) -> BlindCount | None:
    """The count of it that stands, and whose difference nobody has answered for yet: what `viewer` counted, who is
    bound by that, else the last one."""
    found = list(_open_counts(subject))
    own = [row for row in found if viewer is not None and row.by_id == viewer.pk]
    return next(iter(own + found), None)


def of(subject: str, *, limit: int = 20, before: int | None = None, until: datetime | None = None) -> list[BlindCount]:
    """The last counts of it, newest first: those that were wrong too; `until`: none that was made later."""
    rows = BlindCount.objects.filter(subject=subject).select_related("by").order_by("-pk")
    rows = rows.filter(at__lte=until) if until is not None else rows
    return list((rows.filter(pk__lt=before) if before is not None else rows)[:limit])


def words(difference: int) -> str:
    """The difference of a count in words."""
    return languages.told(told(difference))


def told(difference: int) -> languages.Kept:
    """The same for readers of any language."""
    if not difference:
        return kept("as expected")
    said = gettext_noop("{amount:,} over") if difference > 0 else gettext_noop("{amount:,} short")
    return kept(said, amount=abs(difference))


def _open_counts(subject: str) -> QuerySet[BlindCount]:
    """Those that stand, the last one first."""
    return BlindCount.objects.filter(subject=subject, settled_at=None).select_related("by").order_by("-pk")


def _settle_all(subject: str, now: datetime) -> None:
    BlindCount.objects.filter(subject=subject, settled_at=None).update(settled_at=now)


def _differs(row: BlindCount) -> Illegal:
    return Illegal(
        filled(
            gettext(
                "You counted {counted:,}, and this is recorded; the book balance is {expected:,}: "
                "{words}. Enter a reason, or ask a colleague to count again."
            ),
            counted=row.counted,
            expected=row.expected,
            words=words(row.difference),
        ),
        "count-differs",
        rule=RULE,
        counted=row.counted,
        expected=row.expected,
    )


def _stands(earlier: BlindCount) -> Conflict:
    said = gettext(
        "You counted {counted:,} at {time}, {words}, and this is your last count: "
        "enter a reason, or ask a colleague to count again."
    )
    if earlier.reason:
        said = gettext(
            "You counted {counted:,} at {time}, {words}, and this is your last count: it waits for approval "
            "with its reason. Wait for the decision, or ask a colleague to count again."
        )
    return Conflict(
        filled(said, counted=earlier.counted, time=room_time.clock(earlier.at), words=words(earlier.difference)),
        "count-stands",
        rule=RULE,
        counted=earlier.counted,
        expected=earlier.expected,
    )
