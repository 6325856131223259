"""What the floor does with a table as a whole, as a part of its page; and the password of a private one."""

import json
import secrets
from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cardroom.models import Approval
from cardroom.services import access, counts
from cardroom.services.errors import CardroomError, Invalid
from cardroom.web import numbers
from games.models import Table
from games.selectors import offers as select
from games.selectors import table as table_now
from games.services import counting, private, sections, tables
from games.web.forms import sent
from games.web.offers_forms import (
    CountForm,
    InviteForm,
    PasswordForm,
    PrivacyForm,
    ReasonForm,
    TableEditForm,
)

_SEES = (*tables.ROLES, "dealer", "cashier", "auditor")
_VERBS: dict[str, tuple[Callable[..., Table], str]] = {
    "pause": (tables.pause, "{} is paused."),
    "resume": (tables.resume, "{} goes on."),
    "take-up": (tables.take_up, "{} takes up the new settings."),
    "break-up": (tables.break_up, "{} breaks up."),
    "close": (tables.close, "{} closes."),
    "reopen": (tables.reopen, "{} is open again."),
}


@never_cache
@login_required
@require_safe
def actions(request: HttpRequest, table_id: int) -> HttpResponse:
    """What can be done with this table now: a part of the floor's page, or a page of its own."""
    access.require_role(request.user, *_SEES)
    return _shown(request, table_id)


@login_required
@require_POST
def act(request: HttpRequest, table_id: int, verb: str) -> HttpResponse:
    """Do one of the things that change a table as a whole."""
    access.require_role(request.user, *tables.ROLES)
    if verb in _VERBS:
        service, words = _VERBS[verb]
        table = service(table_id=table_id, by=request.user, **sent(ReasonForm, request))
        words = words.format(table.name)
    elif verb in _MORE:
        words = _MORE[verb](request, table_id)
    else:
        raise Invalid("There is nothing of this name to be done with a table.", "bad-form")
    if request.htmx:
        told = {"room:floor": {}, "toast": {"message": words}}
        answer = _shown(request, table_id)
        answer.headers["HX-Trigger"] = json.dumps(told)
        return answer
    messages.success(request, words)
    return redirect("floor_table_actions", table_id)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def unlock(request: HttpRequest, table_id: int) -> HttpResponse:
    """The password of a private table, once; then one sits down as anywhere."""
    table = table_now(table_id)
    form = PasswordForm(request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            password = form.cleaned_data["password"]
            try:
                private.unlock(table_id=table_id, player=request.user, password=password)
            except CardroomError as refusal:
                form.add_error("password", refusal.message)
                status = refusal.status
            else:
                messages.success(request, f"{table.name} is open to you: choose a seat.")
                return redirect("table", table_id)
    may_sit = private.may_sit(table, request.user)
    return render(
        request, "games/offers/unlock.html", {"form": form, "table": table, "may_sit": may_sit}, status=status
    )


def _tell(request: HttpRequest, table_id: int) -> str:
    said = sent(ReasonForm, request)
    tables.tell(table_id=table_id, text=said["reason"], by=request.user, key=said["key"])
    return "All who look on read it." if said["reason"] else "The line is taken away."


def _edit(request: HttpRequest, table_id: int) -> str:
    said = sent(TableEditForm, request)
    section, key = said.pop("section"), said.pop("key")
    if said["bots"] is None:
        del said["bots"]
    if "must_move_to_id" not in request.POST:
        del said["must_move_to_id"]
    table = tables.edit(table_id=table_id, by=request.user, key=key, **said)
    sections.place(table_id=table_id, section_id=section, by=request.user)
    return f"{table.name} is changed."


def _privacy(request: HttpRequest, table_id: int) -> str:
    said = sent(PrivacyForm, request)
    table = private.make_private(table_id=table_id, by=request.user, **said)
    return f"{table.name} is private." if table.is_private else f"{table.name} is open to everybody."


def _invite(request: HttpRequest, table_id: int) -> str:
    name = sent(InviteForm, request)["player"]
    made = private.invite_named(table_id=table_id, name=name, by=request.user)
    return f"{made.player.username} is invited."


def _uninvite(request: HttpRequest, table_id: int) -> str:
    player = numbers.whole(request.POST.get("player", ""), "Say whose invitation is taken back.")
    private.uninvite(table_id=table_id, player_id=player, by=request.user)
    return "The invitation is taken back."


def _count(request: HttpRequest, table_id: int) -> str:
    made = counting.count(table_id=table_id, by=request.user, **sent(CountForm, request))
    if isinstance(made, Approval):
        return f"{made.words}: a second person has been asked (no. {made.pk})."
    return f"{made.counted:,} chips counted" + (f", {made.difference:+,}." if made.difference else ", as by the books.")


_MORE: dict[str, Callable[..., str]] = {
    "message": _tell,
    "edit": _edit,
    "privacy": _privacy,
    "invite": _invite,
    "uninvite": _uninvite,
    "count": _count,
}


def _shown(request: HttpRequest, table_id: int) -> HttpResponse:
    table = select.room_table(table_id)
    context = {
        "table": table,
        "may_act": access.has_role(request.user, *tables.ROLES),
        "sections": select.sections(),
        "mains": select.main_games(table) if table.state == Table.State.OPEN else [],
        "invitations": select.invitations(table_id) if table.is_private else [],
        "standing": counts.open_count(f"table:{table_id}", viewer=request.user),
        "key": secrets.token_urlsafe(9),
    }
    name = "games/offers/_table_actions.html" if request.htmx else "games/offers/table_actions.html"
    return render(request, name, context)
