"""Counts are blind: a person who counts does not see the book balance, nor how far a count is off, before it is taken.

A first count that differs is recorded, and the answer is "count again". If the second figure is the same, it is the
count, and its difference needs a reason. If it is another one, or a second person refuses it, only somebody else's
count is taken. What then becomes of the difference is the caller's: it is posted into the ledger (`mark_posted`), at
once or once a second person agrees (`still_stands`), or only settled (`settle_count`). Call with what is counted
locked.

A typing error may be corrected: once, and within `CORRECTION`, another figure replaces the first. The answer to it is
"count again" whether it agrees with the books or not, and it has to be counted again as well. So nobody can try figures
against the books: the person who counts learns only that their first figure was wrong. Both figures stay on record.

Two figures are the same where they differ from the books by as much: slips may be written in between.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db.models import F, Q, QuerySet, Sum
from django.db.models.functions import Abs
from django.utils.translation import gettext_lazy, gettext_noop

from cardroom.core import sentences
from cardroom.core.access import Viewer
from cardroom.core.errors import Conflict, Illegal
from cardroom.core.models import Approval, User
from cardroom.core.once import after_refusal
from cardroom.core.sentences import stored_text
from cardroom.ledger.models import BlindCount

RULE = gettext_lazy("House rules: counts are blind, every count is recorded, and a difference needs a reason")
#: How long the first figure may be corrected.
CORRECTION = timedelta(seconds=60)
_LEAST_REASON = 3

Stage = BlindCount.Stage
#: Counts that were taken: the next one is a first count again.
_TAKEN = Q(posted=True) | Q(stage__in=(Stage.AGREED, Stage.EXPLAINED)) | Q(stage="")


def stand(
    *,
    subject: str,
    counted: int,
    expected: int,
    by: User,
    now: datetime,
    reason: str = "",
    pieces: Mapping[str, int] | None = None,
    corrects_within: timedelta | None = CORRECTION,
    follows: BlindCount | None = None,
) -> BlindCount:
    """Keep this count where it is taken: it agrees with the books, or is the second of the same figure and has its
    reason. With a difference it stands until that is posted (`mark_posted`) or settled (`settle_count`).

    `corrects_within`: how long the first figure may be corrected; None: until somebody else counts. `follows`: a count
    of theirs that was settled, of which this one is the second figure where none of theirs stands. Refuses: `Illegal`
    ("count-again": a first figure that differs, or its correction; "count-differs": the same again, without a reason),
    `Conflict` ("count-stands": somebody else has to count). None of them tells what the books say, and what is refused
    is kept all the same, once: the same request under its key gets the same refusal and is no second count.
    """
    row = BlindCount(
        subject=subject, counted=counted, expected=expected, pieces=dict(pieces or {}), by=by, at=now,
        reason=" ".join(reason.split()), number=_next_number(subject),
    )  # fmt: skip
    own = list(_open_counts(subject).filter(by=by)) or ([follows] if follows is not None else [])
    row.stage = _stage(own, row, corrects_within)
    if row.stage == Stage.BARRED:
        row.settled_at = now if own[0].stage == Stage.BARRED else None
        raise after_refusal(_stands(row), row.save, is_answer=True)
    if row.stage in (Stage.FIRST, Stage.CORRECTION):
        raise after_refusal(_again(row), row.save, is_answer=True)
    if row.difference and len(row.reason) < _LEAST_REASON:
        row.reason = ""
        is_known = own[0].stage == Stage.CONFIRMED
        raise after_refusal(_differs(row), (lambda: None) if is_known else row.save, is_answer=True)
    return keep(row)


def _stage(own: list[BlindCount], row: BlindCount, corrects_within: timedelta | None) -> Stage:
    """The stage of a new count. `own`: earlier counts of the same person of the same thing, the last one first."""
    if not own:
        return Stage.FIRST if row.difference else Stage.AGREED
    last = own[0]
    if last.stage == Stage.BARRED:
        return Stage.BARRED
    if last.difference == row.difference:
        return Stage.CONFIRMED if row.difference else Stage.AGREED
    in_time = corrects_within is None or row.at - last.at <= corrects_within
    return Stage.CORRECTION if last.stage == Stage.FIRST and in_time else Stage.BARRED


def keep(row: BlindCount) -> BlindCount:
    """Store a count that `stand` let pass; also where its verb was undone and only waits for a second person."""
    if not row.difference:
        _settle_all(row.subject, row.at)
    row.pk, row.settled_at = None, None if row.difference else row.at
    row.save(force_insert=True)
    return row


def settle_count(row: BlindCount, *, now: datetime) -> None:
    """Close a count whose difference was explained and is not posted."""
    _settle_all(row.subject, now)
    if row.difference:
        row.stage, row.settled_at = Stage.EXPLAINED, now
        row.save(update_fields=["stage", "settled_at"])


def explained_count(subject: str, *, by: User, since: datetime) -> BlindCount | None:
    """The last count of it that `by` made, where that was made `since` then and its difference was only explained."""
    last = BlindCount.objects.filter(subject=subject, by=by).order_by("-pk").first()
    return last if last is not None and last.stage == Stage.EXPLAINED and last.at >= since else None


def mark_posted(row: BlindCount | None, *, now: datetime, approval: Approval | None = None) -> None:
    """Mark a count whose difference was posted, by one person alone or with the `approval`; all other counts of its
    subject end, as the book balance has changed. `row` None: a request from before counts were kept."""
    if row is None:
        return
    _settle_all(row.subject, now)
    row.settled_at, row.posted, row.approval = now, True, approval
    row.save(update_fields=["settled_at", "posted", "approval"])


def still_stands(approval: Approval) -> BlindCount | None:
    """The count whose difference a second person is about to agree with (`payload["count"]`). `Conflict` where it does
    not stand any more, or a later one says otherwise."""
    count_id = approval.payload.get("count")
    if count_id is None:
        return None
    row = BlindCount.objects.filter(pk=count_id, settled_at=None).first()
    later = _open_counts(row.subject).filter(pk__gt=row.pk) if row is not None else []
    if row is None or row.stage == Stage.BARRED or any(other.difference != row.difference for other in later):
        raise Conflict("changed-since", "There is a later count: refuse this one.")
    return row


def undone(approval: Approval, now: datetime) -> None:
    """Mark a count that a second person refused: somebody else has to count. One that was taken back, or that nobody
    decided in time, stands as it did."""
    if approval.verdict == Approval.Verdict.REFUSED:
        rows = BlindCount.objects.filter(pk=approval.payload.get("count"), settled_at=None)
        rows.update(stage=Stage.BARRED)


def hidden_from(approval: Approval, viewer: User) -> bool:
    """Whether the figures of the count that waits are kept from `viewer`: they counted the same, and are not done."""
    row = BlindCount.objects.filter(pk=approval.payload.get("count")).first()
    return row is not None and (row.by_id == viewer.pk or _open_counts(row.subject).filter(by=viewer).exists())


def is_barred(subject: str, by: User) -> bool:
    """Whether another person than `by` has to count it."""
    last = _open_counts(subject).filter(by=by).first()
    return last is not None and last.stage == Stage.BARRED


def differences_answered(by: User, *, since: datetime, alone: bool = True) -> int:
    """The sum of the differences, over and short alike, that `by` answered for, of all subjects; `alone`: without a
    second person."""
    posted_counts = BlindCount.objects.filter(by=by, at__gte=since, posted=True)
    posted_counts = posted_counts.filter(approval=None) if alone else posted_counts
    return int(posted_counts.aggregate(done=Sum(Abs(F("counted") - F("expected"))))["done"] or 0)


def count_unanswered() -> int:
    """The number of subjects with a count that differs from the books and that nobody has answered for yet."""
    return BlindCount.objects.filter(settled_at=None).values("subject").distinct().count()


def more_than_there(
    *, subject: str, where: str, counted: int, expected: int, by: User | None, now: datetime
) -> Conflict:
    """The refusal of a count of chips that is more than all that is there by the books. The count is kept; the refusal
    does not show the book balance, as no count stands yet. `by` None: nobody counted, it is an order of the house."""
    refusal = Conflict(
        "more-than-the-table",
        "{counted:,} chips are counted and recorded; the book balance of {where} is lower: count "
        "again, or enter the chips brought there.",
        rule=RULE,
        counted=counted,
        where=where,
    )
    if by is None:
        return refusal
    row = BlindCount(
        subject=subject, counted=counted, expected=expected, by=by, at=now, settled_at=now, stage=Stage.BARRED,
        number=_next_number(subject),
    )  # fmt: skip
    return after_refusal(refusal, row.save)


def open_count(subject: str, *, viewer: Viewer | None = None) -> BlindCount | None:
    """The count of a subject that stands, with a difference that nobody has answered for yet: that of `viewer`, who is
    bound by it, else the last one."""
    counts = list(_open_counts(subject))
    own = [row for row in counts if viewer is not None and row.by_id == viewer.pk]
    return next(iter(own + counts), None)


def counts_of(
    subject: str, *, limit: int = 20, before: int | None = None, until: datetime | None = None
) -> list[BlindCount]:
    """The last counts of a subject, newest first, also the wrong ones; `until`: only those made up to then."""
    rows = BlindCount.objects.filter(subject=subject).select_related("by").order_by("-pk")
    rows = rows.filter(at__lte=until) if until is not None else rows
    return list((rows.filter(pk__lt=before) if before is not None else rows)[:limit])


def words(difference: int) -> str:
    """The difference of a count in words."""
    return sentences.to_text(stored_words(difference))


def stored_words(difference: int) -> sentences.StoredText:
    """The difference of a count as a stored text, for readers of any language."""
    if not difference:
        return stored_text("as expected")
    pattern = gettext_noop("{amount:,} over") if difference > 0 else gettext_noop("{amount:,} short")
    return stored_text(pattern, amount=abs(difference))


def _open_counts(subject: str) -> QuerySet[BlindCount]:
    """The counts of a subject that stand, the last one first."""
    return BlindCount.objects.filter(subject=subject, settled_at=None).select_related("by").order_by("-pk")


def _settle_all(subject: str, now: datetime) -> None:
    BlindCount.objects.filter(subject=subject, settled_at=None).update(settled_at=now)


def _next_number(subject: str) -> int:
    """The number of the next count of a subject, since the last that was accepted."""
    rows = BlindCount.objects.filter(subject=subject).order_by("-pk")
    taken = rows.filter(_TAKEN).values_list("pk", flat=True).first() or 0
    return rows.filter(pk__gt=taken).count() + 1


def _again(row: BlindCount) -> Illegal:
    """The refusal of a first figure, the same whatever the books say."""
    return Illegal(
        "count-again",
        "{counted:,} is recorded: count again, and enter the figure again.",
        rule=RULE,
        counted=row.counted,
    )


def _differs(row: BlindCount) -> Illegal:
    return Illegal(
        "count-differs",
        "You counted {counted:,} again, and it differs from the book balance: enter a reason, or ask a "
        "colleague to count.",
        rule=RULE,
        counted=row.counted,
    )


def _stands(row: BlindCount) -> Conflict:
    return Conflict(
        "count-stands",
        "{counted:,} is recorded with your earlier count: only a colleague's count is taken now.",
        rule=RULE,
        counted=row.counted,
    )
