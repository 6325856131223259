"""The cage's desk: a player is found, served by one form, and their slips lie beside it. For cashiers and managers.

`?q=` searches, `?player=` has somebody before the window, `?slip=` tells of a slip that was just written.
"""

from collections.abc import Callable
from secrets import token_urlsafe
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from cardroom.models import Approval, Slip, User
from cardroom.services import access, approvals, cage, cards
from cardroom.services.cage import books, looking, receipts, requests
from cardroom.services.errors import CardroomError
from cardroom.web import cage_forms as forms
from cardroom.web import files, numbers

_A_PAGE = 50

#: What the form offers, in its order: verb, words, the key that picks it.
OFFERED = (
    ("deposit", "Deposit", "d"),
    ("withdrawal", "Withdrawal", "w"),
    ("credit", "Credit", "c"),
    ("repayment", "Repayment", "r"),
    ("comp", "Comp", "o"),
    ("comp-used", "Comp used", "u"),
    ("transfer", "Transfer", "t"),
)


@login_required
@never_cache
@require_safe
def desk(request: HttpRequest) -> HttpResponse:
    access.require_role(request.user, *books.STAFF)
    return _desk(request)


@login_required
@require_POST
def do(request: HttpRequest) -> HttpResponse:
    """Write the slip, or have a second person asked."""
    by = access.require_role(request.user, *books.STAFF)

    def act() -> HttpResponse:
        verb, asked = forms.read(forms.SlipForm, request.POST).asked()
        key = forms.key_in(request.POST)
        made = cage.request(verb=verb, by=by, key=key, **asked)
        return told(request, made, f"{reverse('cage')}?player={asked['player'].pk}")

    return attempt(request, act, _desk)


@login_required
@require_POST
def credit_line(request: HttpRequest, player_id: int) -> HttpResponse:
    by = access.require_role(request.user, "manager")

    def act() -> HttpResponse:
        form = forms.read(forms.LineForm, request.POST)
        player = forms.player_of(player_id)
        cage.set_line(player=player, by=by, **form.cleaned_data)
        messages.success(request, f"{player} may owe {form.cleaned_data['most']:,} from now on.")
        return redirect(f"{reverse('cage')}?player={player_id}")

    return attempt(request, act, _desk)


@login_required
@require_POST
def answer_request(request: HttpRequest, request_id: int) -> HttpResponse:
    """Do what a player asks for online (`do`), or refuse it with a reason."""
    by = access.require_role(request.user, *books.STAFF)

    def act() -> HttpResponse:
        reason = forms.read(forms.ReasonForm, request.POST).cleaned_data["reason"]
        if request.POST.get("answer") == "do":
            settles = forms.settles(request.POST)
            made = requests.fulfil(request_id=request_id, by=by, reason=reason, settles=settles)
            done = made if isinstance(made, Approval) else books.slip(made.slip_id or 0)
            return told(request, done, f"{reverse('cage')}?player={made.player_id}")
        requests.refuse(request_id=request_id, by=by, reason=reason)
        messages.success(request, "Refused, and the player is told why.")
        return redirect("cage")

    return attempt(request, act, _desk)


@login_required
@never_cache
@require_safe
def slips(request: HttpRequest) -> HttpResponse:
    """Slips, newest first: `?player=`, `?session=`, `?kind=`, `?before=`; `?form=csv` saves them."""
    access.require_role(request.user, *receipts.SEES)
    wanted = {name: numbers.asked(request, name) for name in ("player", "session")}
    kind = request.GET.get("kind", "")
    kind = kind if kind in Slip.Kind.values else ""
    if request.GET.get("form") == "csv":
        return files.answer(receipts.slips_csv(by=request.user, kind=kind, **wanted))
    rows = looking.slips(limit=_A_PAGE + 1, before=numbers.asked(request, "before"), kind=kind, **wanted)
    query = request.GET.copy()
    query.pop("before", None)
    shown = {"slips": rows[:_A_PAGE], "later": rows[_A_PAGE - 1].pk if len(rows) > _A_PAGE else None, "kind": kind}
    more = {"kinds": Slip.Kind.choices, "query": query.urlencode(), "player": _person(wanted["player"]), **wanted}
    return render(request, "cardroom/cage/slips.html", more | shown)


@login_required
@never_cache
@require_safe
def slip(request: HttpRequest, slip_id: int) -> HttpResponse:
    return _slip(request, slip_id)


@login_required
@require_POST
def reverse_slip(request: HttpRequest, slip_id: int) -> HttpResponse:
    by = access.require_role(request.user, *books.STAFF)

    def act() -> HttpResponse:
        reason = forms.read(forms.ReasonForm, request.POST).cleaned_data["reason"]
        key = forms.key_in(request.POST)
        made = cage.request(verb="reversal", slip_id=slip_id, reason=reason, by=by, key=key)
        return told(request, made, reverse("cage_slip", args=[slip_id]))

    return attempt(request, act, lambda request, **more: _slip(request, slip_id, **more))


@login_required
@require_POST
def receipt(request: HttpRequest, slip_id: int) -> HttpResponse:
    """The slip on paper; it is a POST because each print is counted."""
    address = request.build_absolute_uri(reverse("cage_slip", args=[slip_id]))
    return files.answer(receipts.receipt(slip_id=slip_id, by=request.user, address=address))


def attempt(request: HttpRequest, act: Callable[[], HttpResponse], page: Callable[..., HttpResponse]) -> HttpResponse:
    """Do it; refused, the page comes again with why, and with what was typed."""
    try:
        return act()
    except CardroomError as refusal:
        answer = page(request, refusal=refusal, typed=request.POST)
        answer.status_code = refusal.status
        return answer


def told(request: HttpRequest, made: Any, address: str) -> HttpResponse:
    """Back to the page, which tells of the slip or of the approval it waits for."""
    if isinstance(made, Slip):
        joint = "&" if "?" in address else "?"
        return redirect(f"{address}{joint}slip={made.pk}")
    messages.warning(request, f"{made.words}: this needs a second person. A manager has been asked (no. {made.pk}).")
    return redirect(address)


def at_the_counter(
    request: HttpRequest, *, refusal: CardroomError | None, typed: Any
) -> tuple[User | None, dict[str, Any]]:
    """Who stands there, and what the pages of the counter say of that player and of the search."""
    typed, asked = typed or {}, request.GET.get("q", "").strip()[:60]
    picked = numbers.asked(request, "player") or numbers.whole_or_none(typed.get("player", ""))
    found: list[User] = []
    if asked:
        try:
            found = cards.find(asked)
        except CardroomError as error:
            refusal = refusal or error
    player = forms.player_of(picked) if picked else None
    return player, {
        "refusal": refusal,
        "typed": typed,
        "asked": asked,
        "found": found,
        "person": looking.of_player(player, now=timezone.now()) if player else None,
        "written": Slip.objects.filter(pk=numbers.asked(request, "slip") or 0).first(),
        "session": looking.own_session(request.user),
        "key": token_urlsafe(12),
    }


def is_him(request: HttpRequest, found: list[User]) -> bool:
    """Whether the one who was found is gone to at once."""
    return len(found) == 1 and not request.headers.get("HX-Request")


def _desk(request: HttpRequest, *, refusal: CardroomError | None = None, typed: Any = None) -> HttpResponse:
    player, head = at_the_counter(request, refusal=refusal, typed=typed)
    if is_him(request, head["found"]):
        return redirect(f"{reverse('cage')}?player={head['found'][0].pk}")
    session = head["session"]
    context = head | {
        "their_slips": looking.slips(player=player.pk, limit=8) if player else [],
        "my_slips": looking.slips(session=session.pk, limit=8) if session else [],
        "requests": requests.waiting(),
        "waiting": approvals.waiting(now=timezone.now())[:20],
        "offered": OFFERED,
        "is_manager": access.has_role(request.user, "manager"),
    }
    return render(request, "cardroom/cage/desk.html", context)


def _slip(
    request: HttpRequest, slip_id: int, *, refusal: CardroomError | None = None, typed: Any = None
) -> HttpResponse:
    row = books.slip(slip_id)
    is_staff = access.has_role(request.user, *receipts.SEES)
    looking.check_may_see(row, request.user, is_staff=is_staff)
    context = {
        "slip": row,
        "prints": row.prints.select_related("by").order_by("number") if is_staff else [],
        "entries": row.transfer.entries.select_related("account__owner").order_by("pk") if is_staff else [],
        "may_reverse": access.has_role(request.user, *books.STAFF)
        and row.kind not in (Slip.Kind.REVERSAL, Slip.Kind.OVER_SHORT)
        and not hasattr(row, "reversed_by"),
        "is_staff": is_staff,
        "refusal": refusal,
        "typed": typed or {},
        "key": token_urlsafe(12),
    }
    return render(request, "cardroom/cage/slip.html", context)


def _person(pk: int | None) -> User | None:
    return forms.player_of(pk) if pk else None
