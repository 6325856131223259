"""A view of sealed cards as it comes to be: asked for by one person, opened by another."""

from datetime import datetime

from tests.support.models import SealedView, User
from tests.support.offers import staff
from tests.support.parts.cardroom import access, approvals, sealed_views


def open_view(user: User, *, now: datetime, minutes: int = 30) -> SealedView:
    """Opened to `user`, an auditor from now on, by a manager."""
    access.grant_role(user=user, role="auditor", by=None)
    approval = sealed_views.ask(by=user, reason="a complaint at the table", now=now, minutes=minutes)
    done = approvals.decide(approval_id=approval.pk, by=staff("manager", "second"), approve=True, now=now)
    return SealedView.objects.get(pk=done.answer["view"])
