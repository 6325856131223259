"""Drawers: open one with a count, fill it, count it, close it; who was at which; the vault."""

from secrets import token_urlsafe
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cardroom.models import Approval, DrawerSession
from cardroom.services import access, cage, counts
from cardroom.services.cage import books, looking, receipts, vaults
from cardroom.services.cage.counting import PIECES
from cardroom.services.errors import CardroomError
from cardroom.web import cage_forms as forms
from cardroom.web import files, numbers
from cardroom.web.cage import attempt, told

_A_PAGE = 30


@login_required
@never_cache
@require_safe
def drawers(request: HttpRequest) -> HttpResponse:
    access.require_role(request.user, *receipts.SEES)
    return _page(request)


@login_required
@require_POST
def open_drawer(request: HttpRequest) -> HttpResponse:
    by = access.require_role(request.user, *books.STAFF)

    def act() -> HttpResponse:
        told_ = forms.read(forms.OpenForm, request.POST).cleaned_data
        asked = {
            "drawer_id": told_["drawer_id"],
            "counted": forms.count_in(request.POST),
            "from_vault": told_["from_vault"] or 0,
            "reason": told_["reason"],
        }
        made = cage.request(verb="open", by=by, key=forms.key_in(request.POST), **asked)
        if isinstance(made, Approval):
            messages.warning(request, f"{made.words}: a second person has been asked (no. {made.pk}).")
            return redirect("cage_drawers")
        messages.success(request, f"{made.drawer} is open.")
        return redirect("cage")

    return attempt(request, act, _page)


@login_required
@require_POST
def move(request: HttpRequest, verb: str) -> HttpResponse:
    """Fill the drawer one has open, or take from it."""
    by = access.require_role(request.user, *books.STAFF)

    def act() -> HttpResponse:
        asked = forms.read(forms.AmountForm, request.POST).cleaned_data
        do = cage.fill if verb == "fill" else cage.take
        return told(request, do(by=by, key=forms.key_in(request.POST), **asked), "/cage/drawers/")

    return attempt(request, act, _page)


@login_required
@require_POST
def count(request: HttpRequest) -> HttpResponse:
    by = access.require_role(request.user, *books.STAFF)

    def act() -> HttpResponse:
        reason = forms.read(forms.ReasonForm, request.POST).cleaned_data["reason"]
        counted, key = forms.count_in(request.POST), forms.key_in(request.POST)
        row = cage.count(counted=counted, reason=reason, by=by, key=key)
        said = "as the books say" if not row.difference else f"{row.difference:+,} to the books' {row.expected:,}"
        messages.success(request, f"Counted {row.counted:,}: {said}.")
        return redirect("cage_drawers")

    return attempt(request, act, _page)


@login_required
@require_POST
def close(request: HttpRequest) -> HttpResponse:
    by = access.require_role(request.user, *books.STAFF)

    def act() -> HttpResponse:
        told_ = forms.read(forms.CloseForm, request.POST).cleaned_data
        counted, key = forms.count_in(request.POST), forms.key_in(request.POST)
        row = cage.close_drawer(counted=counted, by=by, key=key, **told_)
        if row.state == DrawerSession.State.CLOSING:
            messages.warning(request, f"{row.drawer} differs by {row.difference:+,}: a second person has been asked.")
        else:
            messages.success(request, f"{row.drawer} is closed.")
        return redirect("cage_session", row.pk)

    return attempt(request, act, _page_closed_from)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def vault(request: HttpRequest) -> HttpResponse:
    """The vault, and how it was counted; a manager writes down what is brought to it or taken to the bank."""
    if request.method != "POST":
        access.require_role(request.user, *receipts.SEES)
        return _vault(request)
    by = access.require_role(request.user, "manager")

    def act() -> HttpResponse:
        asked = forms.read(forms.VaultForm, request.POST).cleaned_data
        amount = asked["amount"] if asked["way"] == "in" else -asked["amount"]
        key = forms.key_in(request.POST)
        done = cage.request(verb="vault", amount=amount, reason=asked["reason"], by=by, key=key)
        return told(request, done, "/cage/drawers/")

    return attempt(request, act, _page)


@login_required
@require_POST
def count_vault(request: HttpRequest) -> HttpResponse:
    by = access.require_role(request.user, *books.STAFF)

    def act() -> HttpResponse:
        reason = forms.read(forms.ReasonForm, request.POST).cleaned_data["reason"]
        counted, key = forms.count_in(request.POST), forms.key_in(request.POST)
        made = cage.count_vault(counted=counted, reason=reason, by=by, key=key)
        if isinstance(made, Approval):
            messages.warning(request, f"{made.words}: a second person has been asked (no. {made.pk}).")
        else:
            messages.success(request, f"Counted {made.counted:,}: {counts.words(made.difference)}.")
        return redirect("cage_vault")

    return attempt(request, act, _vault)


@login_required
@require_POST
def make(request: HttpRequest) -> HttpResponse:
    by = access.require_role(request.user, "manager")

    def act() -> HttpResponse:
        name = forms.read(forms.DrawerForm, request.POST).cleaned_data["name"]
        row = cage.make_drawer(name=name, by=by)
        messages.success(request, f"{row} is ready to be opened.")
        return redirect("cage_drawers")

    return attempt(request, act, _page)


@login_required
@require_POST
def retire(request: HttpRequest, drawer_id: int) -> HttpResponse:
    by = access.require_role(request.user, "manager")

    def act() -> HttpResponse:
        row = cage.retire_drawer(drawer_id=drawer_id, by=by)
        messages.success(request, f"{row} is out of use.")
        return redirect("cage_drawers")

    return attempt(request, act, _page)


@login_required
@never_cache
@require_safe
def session(request: HttpRequest, session_id: int) -> HttpResponse:
    access.require_role(request.user, *receipts.SEES)
    return _session(request, session_id)


@login_required
@never_cache
@require_safe
def report(request: HttpRequest, session_id: int, form: str) -> HttpResponse:
    return files.answer(receipts.session_report(session_id=session_id, form=form, by=request.user, now=timezone.now()))


def _page_closed_from(request: HttpRequest, *, typed: Any, **more: Any) -> HttpResponse:
    """Of whose drawer was to be closed: one's own on the page of all, somebody else's on the one of its session."""
    session = numbers.whole_or_none(typed.get("session_id", ""))
    return _session(request, session, typed=typed, **more) if session else _page(request, typed=typed, **more)


def _session(
    request: HttpRequest, session_id: int, *, refusal: CardroomError | None = None, typed: Any = None
) -> HttpResponse:
    row = looking.session(session_id)
    is_others = row.state == DrawerSession.State.OPEN and row.cashier_id != request.user.pk
    # What was counted since is of who has the drawer now, and counts are blind.
    until = None if looking.sees_money(request.user) else row.closed_at
    context = {
        "refusal": refusal,
        "typed": typed or {},
        "pieces": _pieces(typed or {}),
        "is_blind": looking.counts_blind(request.user, row),
        "kept": counts.of(f"drawer:{row.drawer_id}", until=until),
        "may_close": is_others and access.has_role(request.user, "manager"),
        "key": token_urlsafe(12),
        "session": row,
        "totals": looking.totals(row),
        "slips": looking.slips(session=row.pk, limit=200),
    }
    return render(request, "cardroom/cage/session.html", context)


def _vault(request: HttpRequest, *, refusal: CardroomError | None = None, typed: Any = None) -> HttpResponse:
    rows = counts.of(vaults.SUBJECT, limit=_A_PAGE + 1, before=numbers.asked(request, "before"))
    context = {
        "refusal": refusal,
        "typed": typed or {},
        "pieces": _pieces(typed or {}),
        "standing": counts.open_count(vaults.SUBJECT, viewer=request.user),
        "kept": rows[:_A_PAGE],
        "later": rows[_A_PAGE - 1].pk if len(rows) > _A_PAGE else None,
        "vault": looking.vault(),
        "sees_vault": looking.sees_vault(request.user),
        "is_cashier": access.has_role(request.user, *books.STAFF),
        "key": token_urlsafe(12),
    }
    return render(request, "cardroom/cage/vault.html", context)


def _pieces(typed: Any) -> list[tuple[int, str]]:
    return [(worth, typed.get(f"pieces-{worth}", "")) for worth in PIECES]


def _page(request: HttpRequest, *, refusal: CardroomError | None = None, typed: Any = None) -> HttpResponse:
    rows = looking.sessions(limit=_A_PAGE + 1, before=numbers.asked(request, "before"))
    typed, mine = typed or {}, looking.own_session(request.user)
    context = {
        "refusal": refusal,
        "typed": typed,
        "pieces": _pieces(typed),
        "drawers": looking.drawers(request.user),
        "mine": mine,
        "standing": counts.open_count(f"drawer:{mine.drawer_id}", viewer=request.user) if mine else None,
        "sessions": rows[:_A_PAGE],
        "blind": looking.blind_among(request.user, rows),
        "later": rows[_A_PAGE - 1].pk if len(rows) > _A_PAGE else None,
        "vault": looking.vault(),
        "sees_vault": looking.sees_vault(request.user),
        "written": books.slip(pk) if (pk := numbers.asked(request, "slip")) else None,
        "is_cashier": access.has_role(request.user, *books.STAFF),
        "is_manager": access.has_role(request.user, "manager"),
        "key": token_urlsafe(12),
    }
    return render(request, "cardroom/cage/drawers.html", context)
