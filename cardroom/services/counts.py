"""Counts are blind: what the books say is told when the count stands, and a count that stands is not taken back.

Who counted wrong says why it differs, or has a colleague count: both counts are kept. Call with what is counted locked.
"""

from collections.abc import Mapping
from datetime import datetime

from cardroom.models import BlindCount, User
from cardroom.services import room_time
from cardroom.services.errors import Conflict, Illegal
from cardroom.services.operations import after_refusal

RULE = "House rules: counts are blind, every one is kept, and a difference has a reason"
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
    """Keep this count, which agrees with the books or has its reason.

    A count that differs and has no reason is refused (`Illegal`, "count-differs") with what the books say, and stands:
    the same person may then give its reason, and no other count (`Conflict`, "count-stands"); a colleague may count
    anew. What is refused is kept all the same.
    """
    difference = counted - expected
    row = BlindCount(
        subject=subject, counted=counted, expected=expected, pieces=dict(pieces or {}), by=by, at=now,
        reason=" ".join(reason.split()),
    )  # fmt: skip
    standing = open_count(subject)
    if standing is not None and standing.by_id == by.pk and standing.difference != difference:
        row.settled_at = now
        raise after_refusal(_stands(standing), row.save)
    if difference and len(row.reason) < _LEAST_REASON:
        row.reason = ""
        is_known = standing is not None and standing.by_id == by.pk
        raise after_refusal(_differs(row), (lambda: None) if is_known else row.save)
    BlindCount.objects.filter(subject=subject, settled_at=None).update(settled_at=now)
    row.settled_at = now
    row.save()
    return row


def more_than_there(
    *, subject: str, where: str, counted: int, expected: int, by: User | None, now: datetime
) -> Conflict:
    """The refusal of a count of chips that is more than all that is there by the books. It is kept; what the books say
    is not told, as no count stands yet. `by` None: nobody counted, it is an order of the house."""
    refusal = Conflict(
        f"{counted:,} chips were counted, and that is written down; by the books fewer lie on {where}: count again, or "
        "enter the chips that were brought there.",
        "more-than-the-table",
        rule=RULE,
        counted=counted,
    )
    if by is None:
        return refusal
    row = BlindCount(subject=subject, counted=counted, expected=expected, by=by, at=now, settled_at=now)
    return after_refusal(refusal, row.save)


def open_count(subject: str) -> BlindCount | None:
    """The count of it that stands, and whose difference nobody has answered for yet."""
    return BlindCount.objects.filter(subject=subject, settled_at=None).select_related("by").order_by("-pk").first()


def of(subject: str, *, limit: int = 20) -> list[BlindCount]:
    """The last counts of it, newest first: those that were wrong too."""
    return list(BlindCount.objects.filter(subject=subject).select_related("by").order_by("-pk")[:limit])


def words(difference: int) -> str:
    """How far a count is off, for people."""
    return f"{abs(difference):,} {'over' if difference > 0 else 'short'}" if difference else "as by the books"


def _differs(row: BlindCount) -> Illegal:
    return Illegal(
        f"You counted {row.counted:,}, and that is written down; by the books {row.expected:,} should be there: "
        f"{words(row.difference)}. Say why, or have a colleague count again.",
        "count-differs",
        rule=RULE,
        counted=row.counted,
        expected=row.expected,
    )


def _stands(standing: BlindCount) -> Conflict:
    return Conflict(
        f"You counted {standing.counted:,} at {room_time.clock(standing.at)}, "
        f"{words(standing.difference)}, and that stands: say why it differs, or have a colleague count again.",
        "count-stands",
        rule=RULE,
        counted=standing.counted,
        expected=standing.expected,
    )
