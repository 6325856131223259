"""Sealed cards of a hand, for auditors: requested with a reason, opened by a second person, seen on the hand's page."""

from dataclasses import replace
from secrets import token_urlsafe
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from cardroom.accounts import sealed_views
from cardroom.core import access
from cardroom.core.access import Viewer
from cardroom.core.models import Approval
from cardroom.core.web.api.fields import RequestBody, Text, WholeNumber
from cardroom.core.web.file_answers import file_answer
from cardroom.core.web.forms import key_in
from games.play import private, proofs
from games.play.pages import story
from games.tables.queries import history as hand_queries


class AskOrder(RequestBody):
    reason = Text(max_length=300)
    minutes = WholeNumber(min_value=1, max_value=sealed_views.MOST_MINUTES)


def sealed_context(viewer: Viewer) -> dict[str, Any] | None:
    """The context of sealed cards on the page of a hand, for an auditor: their open view, the request that waits for a
    second person, and how long a view lasts. None for everybody else."""
    if viewer.is_anonymous or not access.has_role(viewer, "auditor"):
        return None
    waiting = Approval.objects.filter(what=sealed_views.ACT, asked_by=viewer, verdict=Approval.Verdict.WAITING)
    now = timezone.now()
    return {
        "view": sealed_views.opened(user=viewer, now=now),
        "waiting": waiting.filter(until__gt=now).first(),
        "minutes": sealed_views.MINUTES,
        "most": sealed_views.MOST_MINUTES,
        "key": token_urlsafe(12),
    }


@login_required
@require_POST
def ask(request: HttpRequest, hand_id: int) -> HttpResponse:
    by = access.require_role(request.user, "auditor")
    key, order = key_in(request.POST), AskOrder.typed(request.POST)
    sealed_views.ask.once(key, reason=order["reason"], minutes=order["minutes"], by=by)
    messages.success(request, gettext("Request sent. A manager or another auditor opens it in Approvals."))
    return redirect("hand", hand_id)


@login_required
@require_POST
def close(request: HttpRequest, hand_id: int) -> HttpResponse:
    sealed_views.close(by=access.require_role(request.user, "auditor"))
    messages.success(request, gettext("Your view of sealed cards is closed."))
    return redirect("hand", hand_id)


@login_required
@never_cache
@require_POST
def look(request: HttpRequest, hand_id: int) -> HttpResponse:
    """The page of the hand with every card that was dealt; the look is noted in the audit log."""
    hand = hand_queries.hand_story(hand_id=hand_id, viewer=request.user)
    whole = dict(private.look(hand_id=hand_id, by=access.require_role(request.user, "auditor")))
    hand = replace(hand, facts=[(seq, at, whole[seq]) for seq, at, _ in hand.facts])
    context = story.page_context(hand) | {"is_sealed_open": True, "sealed": sealed_context(request.user)}
    return render(request, "games/play/hand.html", context)


@login_required
@never_cache
@require_POST
def proof(request: HttpRequest, hand_id: int) -> HttpResponse:
    """The proof of every card that was dealt, to be saved; the look is noted in the audit log."""
    return file_answer(proofs.sealed_file(hand_id=hand_id, by=access.require_role(request.user, "auditor")))


urlpatterns = [
    path("hands/<int:hand_id>/sealed/ask/", ask, name="sealed_ask"),
    path("hands/<int:hand_id>/sealed/close/", close, name="sealed_close"),
    path("hands/<int:hand_id>/sealed/look/", look, name="sealed_look"),
    path("hands/<int:hand_id>/sealed/proof/", proof, name="sealed_proof"),
]
