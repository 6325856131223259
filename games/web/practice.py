"""Practice of rulings: begin, rule, see what the engine rules, and how it goes point by point."""

import secrets
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.engine.family import GAMES
from games.rulebooks import load as rulebook
from games.selectors import rulebooks as books
from games.services import desk, practice
from games.web import forms

#: Parts point and verdict in what a form sends.
_BAR = "|"


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest) -> HttpResponse:
    """How one rules so far, and the form that begins a session."""
    if request.method == "POST":
        asked = forms.sent(forms.PracticeForm, request)
        session = practice.start(user=request.user, now=timezone.now(), **asked)
        return redirect("practice_session", session.pk)
    context = {
        "books": books.choices(),
        "rulebook": request.GET.get("rulebook", desk.DEFAULT_BOOK),
        "games": [(slug, game.title) for slug, game in GAMES.items()],
        "results": practice.results(user=request.user),
        "key": secrets.token_hex(12),
    }
    return render(request, "games/practice.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def session(request: HttpRequest, session_id: int) -> HttpResponse:
    """The situation that waits; and once it is ruled on, the engine's ruling. The same answer twice is one."""
    found = practice.session(session_id=session_id, user=request.user)
    context: dict[str, Any] = {"session": found, "book_title": rulebook(found.rulebook).title, "book": found.rulebook}
    if request.method == "POST":
        asked = forms.sent(forms.PracticeAnswerForm, request)
        picks = [tuple(choice.split(_BAR, 1)) for choice in asked["choice"] if _BAR in choice]
        result = practice.answer(
            session_id=session_id,
            user=request.user,
            number=asked["number"],
            rulings=picks,
            now=timezone.now(),
        )
        context |= {"situation": result, "answer": result}
    else:
        situation = practice.question(session_id=session_id, user=request.user)
        choices = [(f"{choice.key}{_BAR}{choice.verdict}", choice.label) for choice in situation.choices]
        context |= {"situation": situation, "choices": choices}
    return render(request, "games/practice_session.html", context)
