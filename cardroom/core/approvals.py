"""A second person decides: what one asks for is done by the system once somebody else approves it, and never twice.

Each kind of act is registered beside the service that does it:
`register("cage.slip", apply)`. `apply(approval, by, now)` does it from the payload alone, in the transaction of the
decision, with `approval.decided_by` set, and returns what it came to as JSON-safe facts. A refusal it raises leaves the
approval waiting.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from cardroom.core import access, alarms, approval_details, audit_log, languages, notices, outages, sentences, topics
from cardroom.core.arguments import LONGEST_REASON, Limits, RowId
from cardroom.core.errors import Conflict, Forbidden, Invalid, NotFound
from cardroom.core.models import Approval, Outage, User
from cardroom.core.once import answer_once
from cardroom.core.verb import lock, verb

Apply = Callable[[Approval, User, datetime], Any]
Undo = Callable[[Approval, datetime], None]

ALARM = alarms.register("approval", "cardroom.tasks.end_approval")
LASTS = timedelta(hours=12)
_MOST_WORDS = 600  # a request is never shown in part: the second person has nothing else of it


@dataclass(frozen=True)
class Kind:
    """An act that needs a second person: what does it, who decides, and what follows when it is not approved."""

    apply: Apply
    roles: tuple[str, ...]
    refused: Undo | None
    lock: Callable[[Approval], None] | None = None
    hides: Callable[[Approval, User], bool] | None = None
    unlock: Callable[[Approval], None] | None = None


_kinds: dict[str, Kind] = {}


def register(
    what: str,
    apply: Apply,
    *,
    roles: Iterable[str] = ("manager",),
    refused: Undo | None = None,
    lock: Callable[[Approval], None] | None = None,
    hides: Callable[[Approval, User], bool] | None = None,
    unlock: Callable[[Approval], None] | None = None,
) -> None:
    """Make `what` an act that can be asked for; a holder of one of the `roles` decides. `lock`: what the act locks, so
    that its time is read under that; `unlock` takes away what that leaves where nothing is done after all. `hides`:
    whether figures of a count (`approval_details.FIGURES`) are kept from somebody, who counts blind."""
    _kinds[what] = Kind(apply, tuple(roles), refused, lock, hides, unlock)


def _unlock_unchanged(row: Approval) -> Approval:
    """The request unchanged; removes what its lock left behind."""
    if (kind := _kinds.get(row.what)) is not None and kind.unlock is not None:
        kind.unlock(row)
    return row


def kinds() -> Mapping[str, Kind]:
    """Every act that can be asked for."""
    return _kinds


def details_for(row: Approval, viewer: User) -> dict[str, Any]:
    """What is approved, by name, as far as `viewer` may know it: the figures of a blind count are for those who decide
    it and did not ask, and for auditors."""
    details: dict[str, Any] = {}
    if row.amount is not None:
        details["amount"] = row.amount
    if row.player is not None:
        details["player"] = {"id": row.player_id, "name": row.player.username}
    details |= row.details
    kind = _kinds.get(row.what)
    if kind is not None and kind.hides is not None and not details.keys().isdisjoint(approval_details.FIGURES):
        roles = access.roles_of(viewer)
        decides = row.asked_by_id != viewer.pk and not roles.isdisjoint(kind.roles)
        audits = "auditor" in roles and roles.isdisjoint(access.CAGE)
        if not (decides or audits) or kind.hides(row, viewer):
            return {name: value for name, value in details.items() if name not in approval_details.FIGURES}
    return details


def waiting_for(user: User, *, now: datetime) -> int:
    """How many requests wait that this user may approve. One query where nothing waits, else three."""
    rows = list(waiting(now=now).select_related(None))
    return len(decidable(user, rows, now=now)) if rows else 0


def deciders() -> frozenset[str]:
    """The roles of those who decide on anything."""
    return frozenset(role for kind in _kinds.values() for role in kind.roles)


@transaction.atomic
def ask(
    *,
    what: str,
    words: sentences.StoredText,
    payload: dict[str, Any],
    by: User | None,
    now: datetime,
    reason: str = "",
    subject: str = "",
    player: User | None = None,
    amount: int | None = None,
    lasts: timedelta = LASTS,
    key: str = "",
    alone: str = "",
    replaces: bool = False,
    details: Mapping[str, Any] | None = None,
) -> Approval:
    """Ask a second person for `what`; pages show it as `words` (`sentences.stored_text`). `by` None: the system asks,
    and any holder of one of the roles may decide.

    `details`: by the names of `approval_details`, what is approved, as it is now and JSON-safe; without them what the
    payload has of such names.

    `alone`: what no other request may wait for, such as "reversal:8". The same of the same person is the one that
    waits already; of anybody else, or with another content, it is refused (`Conflict`, "asked-already") or, where it
    `replaces` that one, ends it.

    The same `key` of the same person again returns the first one; with other content: `Conflict`. Refuses (`Invalid`)
    what is not registered.
    """
    if what not in _kinds:
        raise Invalid("no-such-act", "Nobody can be asked for {what!r}.", what=what)

    known = {name: value for name, value in payload.items() if approval_details.is_known(name)}

    def do() -> int:
        if alone and (earlier := _earlier_request(alone, what, payload, by=by, now=now, replaces=replaces)) is not None:
            return earlier.pk
        with languages.of_the_house():
            english = sentences.to_text(words)
        row = Approval(
            what=what,
            words=english[:_MOST_WORDS],
            told=words,
            payload=payload,
            details=dict(known if details is None else details),
            subject=subject,
            alone=alone,
            player=player,
            amount=amount,
            reason=reason[:LONGEST_REASON],
            asked_by=by,
            asked_at=now,
            until=now + lasts,
        )
        try:
            with transaction.atomic():
                row.save()
        except IntegrityError:  # two at the same moment
            raise Conflict("asked-already", "Somebody else has just asked for the same.") from None
        audit_log.note(
            verb="approvals.ask",
            subject=f"approval:{row.pk}",
            player=player,
            by=by,
            now=now,
            reason=row.reason,
            what=what,
            words=row.told,
        )
        alarms.set(kind=ALARM, key=str(row.pk), due_at=row.until, fence=1)
        topics.tell("approvals")
        return row.pk

    content = {"what": what, "payload": payload, "words": words}
    number = do() if by is None else answer_once(by=by, verb="approvals.ask", key=key, content=content, do=do, now=now)
    return Approval.objects.get(pk=number)


def _earlier_request(
    alone: str, what: str, payload: dict[str, Any], *, by: User | None, now: datetime, replaces: bool
) -> Approval | None:
    """The request for the same that waits already, where this person sent it too. One that is over or replaced ends;
    any other is a `Conflict`."""
    row = Approval.objects.select_for_update(no_key=True, of=("self",)).filter(alone=alone, verdict="").first()
    if row is None:
        return None
    if is_over(row, now=now) or replaces:
        _expire(row, now)
        return None
    if (row.what, row.asked_by_id) == (what, by.pk if by else None) and row.payload == payload:
        return row
    raise Conflict(
        "asked-already",
        "“{words}” (no. {id}) waits for approval already: it is decided or cancelled first.",
        words=row.said,
        id=row.pk,
        approval=row.pk,
    )


@verb("approvals.decide")
def decide(
    *, approval_id: RowId, approve: bool, reason: Annotated[str, Limits(max_length=LONGEST_REASON)] = "", by: User
) -> Approval:
    """Approve what is asked for, which does it in the same transaction, or refuse it with a reason.

    Refuses: `NotFound`; `Forbidden` (not of those who decide, the one who asked, or whom it is about); `Conflict`
    (decided otherwise, over); `Invalid` (refused without a reason); whatever the act itself refuses, and then it is
    still to be decided. The same decision of the same person again changes nothing. Locks what its act does, then the
    approval.
    """
    row, now = lock(_lock_approval, approval_id)
    kind = _kinds[row.what]
    access.require_role(by, *kind.roles)
    if row.asked_by_id == by.pk:
        raise Forbidden("second-person", "This is your own request: a second person has to decide.")
    if row.player_id == by.pk:
        raise Forbidden("own-affair", "You are the player concerned: somebody else has to decide.")
    if approve and row.asked_by is not None and not access.is_independent(by, row.asked_by, now=now):
        raise Forbidden(
            "not-independent",
            "One of you two gave the other an account, a role, a password or an e-mail address in the last {days} "
            "days, or you both got an account, a password or an e-mail address from the same person: somebody else "
            "has to decide.",
            days=access.APART.days,
        )
    verdict = Approval.Verdict.APPROVED if approve else Approval.Verdict.REFUSED
    if (row.verdict, row.decided_by_id) == (verdict, by.pk):
        return _unlock_unchanged(row)
    _check_waits(row, now)
    why = reason.strip()[:LONGEST_REASON] if approve else audit_log.reason_given(reason, what=gettext("a refusal"))
    if approve:
        row.decided_by = by  # for what the act asks of the second person
        row.answer = kind.apply(row, by, now)
    _close(row, verdict, by, why, now)
    if not approve and kind.refused is not None:
        kind.refused(row, now)
    audit_log.note(
        verb="approvals.approve" if approve else "approvals.refuse",
        subject=f"approval:{row.pk}",
        player=row.player,
        by=by,
        now=now,
        reason=why,
        what=row.what,
        words=row.told,
    )
    return row


@verb("approvals.take_back")
def take_back(*, approval_id: RowId, by: User) -> Approval:
    """Cancel a request, by the person who sent it. `Forbidden` for anybody else, `Conflict` once it is decided. Locks
    as `decide` does."""
    row, now = lock(_lock_approval, approval_id)
    if row.asked_by_id != by.pk:
        raise Forbidden("not-yours", "Only the person who sent the request can cancel it.")
    if row.verdict == Approval.Verdict.TAKEN_BACK:
        return _unlock_unchanged(row)
    if row.verdict:
        raise Conflict("decided", "This request is already {verdict}.", verdict=row.get_verdict_display())
    _close(row, Approval.Verdict.TAKEN_BACK, by, "", now)
    if (undo := _kinds[row.what].refused) is not None:
        undo(row, now)
    audit_log.note(verb="approvals.take_back", subject=f"approval:{row.pk}", player=row.player, by=by, now=now)
    return row


@verb("approvals.expire")
def expire(*, approval_id: RowId) -> None:
    """End a request that nobody decided in time.

    For its alarm; does nothing about what is decided, or has time left. Locks as `decide` does.
    """
    row, now = lock(_with_its_act, approval_id)
    if row is None:
        return
    if is_over(row, now=now):
        _expire(row, now)
    else:
        _unlock_unchanged(row)


def _expire(row: Approval, now: datetime) -> None:
    """End an undecided request: the same follows as after a refusal, and the person who asked gets a notice."""
    _close(row, Approval.Verdict.OVER, None, "", now)
    if (kind := _kinds.get(row.what)) is not None and kind.refused is not None:
        kind.refused(row, now)
    if row.asked_by is not None:
        with languages.spoken_to(row.asked_by):
            text = gettext("This request has expired: {words}. Send a new request.").format(words=row.said)
        notices.tell(player=row.asked_by, kind="approval", text=text, now=now, key=f"approval-over:{row.pk}")
    audit_log.note(
        verb="approvals.over", subject=f"approval:{row.pk}", player=row.player, by=None, now=now, words=row.told
    )


def give_back(outage: Outage) -> None:
    """Give open requests the time back in which the room was away."""
    waits = Approval.objects.select_for_update(no_key=True, of=("self",)).order_by("pk")
    for row in waits.filter(verdict="", until__gte=outage.began_at):
        row.until = outages.due_again(row.until, outage)
        row.save(update_fields=["until"])
        alarms.set(kind=ALARM, key=str(row.pk), due_at=row.until, fence=1)


def waiting(*, now: datetime) -> QuerySet[Approval]:
    """The requests that can still be decided, the oldest first."""
    rows = Approval.objects.filter(verdict="", until__gt=now).select_related("asked_by", "player")
    return rows.order_by("pk")


def waiting_alike(*, what: str, payload: dict[str, Any], by: User, now: datetime) -> Approval | None:
    """The request of this person that waits for the very same; None where there is none. One query."""
    rows = waiting(now=now).filter(what=what, asked_by=by)
    return next((row for row in rows if row.payload == payload), None)


def past(*, now: datetime) -> QuerySet[Approval]:
    """The requests that are decided or over, newest first."""
    rows = Approval.objects.filter(~Q(verdict="") | Q(until__lte=now))
    return rows.select_related("asked_by", "decided_by", "player").order_by("-pk")


def list_approvals(*, before: int | None, limit: int) -> list[Approval]:
    """All of them, newest first."""
    rows = Approval.objects.select_related("asked_by", "decided_by", "player").order_by("-pk")
    return list((rows.filter(pk__lt=before) if before is not None else rows)[:limit])


def request_message(row: Approval) -> str:
    """The message to the person who asked: approval is requested."""
    return gettext("{words}: approval is requested (no. {id}).").format(words=row.said, id=row.pk)


def may_decide(user: User, row: Approval, *, now: datetime) -> bool:
    """Whether this user is one of those who decide it: not the person who asked, nor the player it is about, nor a
    person who is not independent of the one who asked (`access.dependents`)."""
    return row in decidable(user, [row], now=now)


def decidable(user: User, rows: Iterable[Approval], *, now: datetime) -> list[Approval]:
    """Those of `rows` that this user may approve. Two queries at most."""
    roles = access.roles_of(user)
    if not roles:
        return []
    apart = {user.pk, *access.dependents(user, now=now)}
    return [
        row
        for row in rows
        if row.what in _kinds
        and not roles.isdisjoint(_kinds[row.what].roles)
        and row.asked_by_id not in apart
        and row.player_id != user.pk
    ]


def is_over(row: Approval, *, now: datetime) -> bool:
    """Whether nobody decided it in time."""
    return not row.verdict and row.until <= now


def _with_its_act(approval_id: int) -> Approval | None:
    """What its act locks, then the request, all locked: the order in which a repeat of the verb locks them."""
    row = Approval.objects.select_related("player", "asked_by").filter(pk=approval_id).first()
    if row is not None and row.what in _kinds and (lock_act := _kinds[row.what].lock) is not None:
        lock_act(row)
    rows = Approval.objects.select_for_update(no_key=True, of=("self",)).select_related("player", "asked_by")
    return rows.filter(pk=approval_id).first()


def _lock_approval(approval_id: int) -> Approval:
    row = _with_its_act(approval_id)
    if row is None or row.what not in _kinds:
        raise NotFound("no-such-approval", "There is no such approval.")
    return row


def _check_waits(row: Approval, now: datetime) -> None:
    if row.verdict == Approval.Verdict.OVER or is_over(row, now=now):
        raise Conflict("over", "This request has expired: send a new request.")
    if row.verdict:
        raise Conflict(
            "decided",
            "This request is already {verdict} by {decided_by}.",
            verdict=row.get_verdict_display(),
            decided_by=row.decided_by,
        )


def _close(row: Approval, verdict: str, by: User | None, reason: str, now: datetime) -> None:
    row.verdict, row.decided_by, row.decided_at, row.verdict_reason = verdict, by, now, reason
    row.save(update_fields=["verdict", "decided_by", "decided_at", "verdict_reason", "answer"])
    alarms.cancel(kind=ALARM, key=str(row.pk))
    topics.tell("approvals", *([f"player:{row.player_id}"] if row.player_id else []))


outages.register("cardroom.approvals", give_back, locks=outages.APPROVALS)
