"""Views of sealed cards: the only way to see cards that were never shown, and of hands that are over only.

An auditor asks for one with a reason; a second person opens it; it ends by itself after an hour at most. That it was
asked for, opened, and each look in it are in the audit log.
"""

from datetime import datetime, timedelta
from typing import Annotated, Any

from django.utils.translation import gettext

from cardroom.accounts.models import SealedLook, SealedView
from cardroom.core import access, approvals, audit_log
from cardroom.core.access import Viewer
from cardroom.core.arguments import Limits
from cardroom.core.errors import Forbidden, Invalid
from cardroom.core.models import Approval, User
from cardroom.core.sentences import stored_text
from cardroom.core.verb import lock, verb

ACT = "sealed.view"
MINUTES, MOST_MINUTES = 30, 60
_DECIDE = ("manager", "auditor")


@verb("sealed_views.ask", roles=("auditor",))
def ask(
    *,
    reason: Annotated[str, Limits(min_length=5, max_length=300, help_text="Why you need to see sealed cards.")],
    minutes: Annotated[
        int, Limits(min_value=1, max_value=MOST_MINUTES, help_text="How long the view stays open.")
    ] = MINUTES,
    by: User,
) -> Approval:
    """Ask a second person, a manager or another auditor, to open a view of sealed cards for a number of minutes.

    Refuses: `Invalid` (no reason, or more than an hour). Locks the auditor's row.
    """
    why = audit_log.reason_given(reason, what=gettext("a view of sealed cards"), least=5)
    if type(minutes) is not int or not 1 <= minutes <= MOST_MINUTES:
        raise Invalid("view-too-long", "A view of sealed cards lasts 1 to {most} minutes.", most=MOST_MINUTES)
    words = stored_text(
        "Open sealed cards of hands that are over to {user}, for {minutes} minutes", user=str(by), minutes=minutes
    )
    _, now = lock(User, by.pk)
    return approvals.ask(
        what=ACT,
        words=words,
        payload={"minutes": minutes},
        by=by,
        now=now,
        reason=why,
        subject=f"user:{by.pk}",
        alone=f"sealed-view:{by.pk}",
    )


def _open_agreed_view(approval: Approval, by: User, now: datetime) -> dict[str, Any]:
    """A second person agrees: the view begins now."""
    user = approval.asked_by
    if user is None or not access.has_role(user, "auditor"):
        raise Forbidden("role-required", "The person who sent this request is no longer an auditor.")
    until = now + timedelta(minutes=approval.payload["minutes"])
    view = SealedView.objects.create(user=user, agreed_by=by, reason=approval.reason, opened_at=now, until=until)
    _note("sealed.open", view, by, now, until=until.isoformat())
    return {"view": view.pk, "until": until.isoformat()}


approvals.register(ACT, _open_agreed_view, roles=_DECIDE)


def opened(*, user: Viewer, now: datetime) -> SealedView | None:
    """The view this user has open now; none once they are no longer an auditor."""
    if user.is_anonymous or not access.has_role(user, "auditor"):
        return None
    return SealedView.objects.filter(user=user, opened_at__lte=now, until__gt=now).order_by("-until").first()


def require(*, user: Viewer, now: datetime) -> SealedView:
    """The gate before anything sealed is read: the open view, or `Forbidden`."""
    view = opened(user=user, now=now)
    if view is None:
        raise Forbidden(
            "sealed",
            "Sealed cards need an open view: as an auditor, request one with a reason; a second person opens it.",
        )
    return view


def note_look(*, view: SealedView, subject: str, now: datetime) -> SealedLook:
    """Record that something ("hand:41") was viewed; commit it before the cards are sent."""
    look = SealedLook.objects.create(view=view, subject=subject, at=now)
    by = view.user
    audit_log.note(verb="sealed.look", subject=subject, player=by, by=by, now=now, reason=view.reason, view=view.pk)
    return look


def looks_of(user: User, *, kind: str, since: datetime | None = None) -> list[int]:
    """The ids of those of a kind ("hand") that this person has looked at, or since then only."""
    looks = SealedLook.objects.filter(view__user=user, subject__startswith=f"{kind}:")
    if since is not None:
        looks = looks.filter(at__gte=since)
    return [int(subject.partition(":")[2]) for subject in looks.values_list("subject", flat=True).distinct()]


@verb("sealed_views.close")
def close(*, by: User) -> None:
    """End every view this user has open, if any. Locks the user's row."""
    _, now = lock(User, by.pk)
    for view in SealedView.objects.filter(user=by, opened_at__lte=now, until__gt=now):
        SealedView.objects.filter(pk=view.pk).update(until=now)
        _note("sealed.close", view, by, now)


def _note(verb: str, view: SealedView, by: User, now: datetime, **details: Any) -> None:
    audit_log.note(
        verb=verb, subject=f"user:{view.user_id}", player=view.user, by=by, now=now, reason=view.reason, view=view.pk,
        **details,
    )  # fmt: skip
