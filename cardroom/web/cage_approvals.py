"""What a second person decides, and the limits above which they are asked."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from cardroom.models import Approval
from cardroom.services import access, approvals, cage
from cardroom.services.cage import allowances, receipts
from cardroom.services.errors import CardroomError
from cardroom.web import cage_forms as forms
from cardroom.web import numbers
from cardroom.web.cage import attempt

SEES = ("cashier", "floor", "manager", "auditor")
_A_PAGE = 40


@login_required
@never_cache
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    access.require_role(request.user, *SEES)
    return _page(request)


@login_required
@require_POST
def decide(request: HttpRequest, approval_id: int) -> HttpResponse:
    access.require_role(request.user, *SEES)

    def act() -> HttpResponse:
        told = forms.read(forms.DecisionForm, request.POST).cleaned_data
        row = approvals.decide(
            approval_id=approval_id,
            by=request.user,
            approve=told["approve"] == "yes",
            reason=told["reason"],
        )
        messages.success(request, f"{row.words}: {row.get_verdict_display()}.")
        return redirect("cage_approvals")

    return attempt(request, act, _page)


@login_required
@require_POST
def take_back(request: HttpRequest, approval_id: int) -> HttpResponse:
    access.require_role(request.user, *SEES)

    def act() -> HttpResponse:
        row = approvals.take_back(approval_id=approval_id, by=request.user)
        messages.success(request, f"{row.words}: taken back.")
        return redirect("cage_approvals")

    return attempt(request, act, _page)


@login_required
@never_cache
def limits(request: HttpRequest) -> HttpResponse:
    """What each role may do alone; a manager sets it."""
    access.require_role(request.user, *receipts.SEES)
    if request.method != "POST":
        return _limits(request)
    by = access.require_role(request.user, "manager")

    def act() -> HttpResponse:
        told = forms.read(forms.LimitForm, request.POST).cleaned_data
        done = cage.set_limit(by=by, **told)
        if isinstance(done, Approval):
            messages.warning(request, f"{done.words}: a second person has been asked (no. {done.pk}).")
            return redirect("cage_approvals")
        messages.success(request, f"{allowances.VERBS[told['verb']]} by a {told['role']}: saved.")
        return redirect("cage_limits")

    return attempt(request, act, _limits)


def _page(request: HttpRequest, *, refusal: CardroomError | None = None, typed: Any = None) -> HttpResponse:
    now, before = timezone.now(), numbers.asked(request, "before")
    past = approvals.past(now=now)
    rows = list((past.filter(pk__lt=before) if before else past)[: _A_PAGE + 1])
    waiting = [
        {
            "row": row,
            "may_decide": approvals.may_decide(request.user, row),
            "is_mine": row.asked_by_id == request.user.pk,
        }
        for row in approvals.waiting(now=now)
    ]
    later = rows[_A_PAGE - 1].pk if len(rows) > _A_PAGE else None
    context = {"waiting": waiting, "past": rows[:_A_PAGE], "later": later, "refusal": refusal, "typed": typed or {}}
    return render(request, "cardroom/cage/approvals.html", context)


def _limits(request: HttpRequest, *, refusal: CardroomError | None = None, typed: Any = None) -> HttpResponse:
    table = allowances.table()
    rows = [
        {"role": role, "verb": verb, "name": allowances.VERBS[verb], "limit": limit}
        for (role, verb), limit in sorted(table.items())
    ]
    context = {"rows": rows, "is_manager": access.has_role(request.user, "manager"), "refusal": refusal}
    return render(request, "cardroom/cage/limits.html", context | {"typed": typed or {}})
