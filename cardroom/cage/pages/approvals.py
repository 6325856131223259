"""What a second person decides, and what each role may do alone."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext

from cardroom.cage import allowances
from cardroom.cage import documents as cage_documents
from cardroom.cage.api import STEWARDS
from cardroom.cage.models import CageLimit
from cardroom.cage.pages.shared import page_of
from cardroom.core import access, approval_details, approvals
from cardroom.core.models import Approval
from cardroom.core.web import parts
from cardroom.core.web.forms import PagePost
from cardroom.core.web.pages import Context, Page, second_asked, went_to

_APPROVALS = 40


def requests(request: HttpRequest) -> Context:
    """The requests that a second person decides, and those that are decided."""
    now, before = timezone.now(), parts.query_number(request, "before")
    past = approvals.past(now=now)
    rows, later = page_of(list((past.filter(pk__lt=before) if before else past)[: _APPROVALS + 1]), _APPROVALS)
    by, waits = request.user, list(approvals.waiting(now=now))
    decidable = approvals.decidable(by, waits, now=now)
    waiting = [
        {
            "row": row,
            "may_decide": row in decidable,
            "is_mine": row.asked_by_id == by.pk,
            "details": approval_details.read(approvals.details_for(row, by)),
        }
        for row in waits
    ]
    past_rows = [{"row": row, "details": approval_details.read(approvals.details_for(row, by))} for row in rows]
    return {"waiting": waiting, "past": past_rows, "later": later}


def limits(request: HttpRequest) -> Context:
    """What each role may do alone."""
    rows = [
        {"role": role, "verb": verb, "name": allowances.VERBS[verb], "limit": limit}
        for (role, verb), limit in sorted(allowances.table().items())
    ]
    return {"rows": rows, "is_manager": access.has_role(request.user, "manager")}


APPROVALS = Page("cage/approvals/", "cage_approvals", requests, STEWARDS, template="cardroom/cage/approvals.html")
LIMITS = Page("cage/limits/", "cage_limits", limits, cage_documents.SEES, template="cardroom/cage/limits.html")


class DecideApprovalForm(PagePost):
    page, does, asks_factor = APPROVALS, approvals.decide, True
    path, name = "cage/approvals/<id:approval_id>/decide/", "cage_decide"

    def done(self, request: HttpRequest, result: Approval) -> HttpResponse:
        words = gettext("{words}: {verdict}.").format(words=result.said, verdict=result.get_verdict_display())
        return went_to(request, words, "cage_approvals")


class TakeBackForm(PagePost):
    page, does, asks_factor = APPROVALS, approvals.take_back, True
    path, name = "cage/approvals/<id:approval_id>/take-back/", "cage_take_back"

    def done(self, request: HttpRequest, result: Approval) -> HttpResponse:
        return went_to(request, gettext("{words}: cancelled.").format(words=result.said), "cage_approvals")


class SetLimitForm(PagePost):
    page, does, asks_factor = LIMITS, allowances.set_limit, True

    def done(self, request: HttpRequest, result: CageLimit | Approval) -> HttpResponse:
        if isinstance(result, Approval):
            return second_asked(request, result, "cage_approvals")
        words = gettext("{acts} by a {role}: saved.").format(
            acts=allowances.VERBS[result.verb], role=access.role_name(result.role)
        )
        return went_to(request, words, "cage_limits")


PAGES = [APPROVALS, LIMITS]
FORMS: list[type[PagePost]] = [DecideApprovalForm, TakeBackForm, SetLimitForm]
