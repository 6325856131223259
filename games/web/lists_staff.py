"""The floor's page of lists: every game with its names, whose turn it is at each free seat and why, and one name with
everything that can be done with it."""

import json
import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from cardroom.models import User
from cardroom.services import access, cards
from cardroom.services.errors import Invalid, NotFound
from cardroom.web.parts import part_of
from games.models import ListEntry, Offer, Table
from games.selectors import lists as shown
from games.services import lists
from games.web import forms
from games.web.lists_forms import AddForm, MoveKey, NextForm, ReasonForm, SeatForm, join_order


@login_required
@never_cache
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """All lists, live; a name opens beside them."""
    access.require_role(request.user, *lists.ROLES)
    name = "games/lists/_staff.html" if request.htmx else "games/lists/staff.html"
    found = lists.for_staff(now=timezone.now())
    return render(request, name, {"lists": found, "offers": [each.list.offer for each in found], "key": _key()})


@part_of("staff_lists")
@login_required
@never_cache
@require_safe
def side(request: HttpRequest) -> HttpResponse:
    """The lists beside the map of the room: names, and whom to call."""
    access.require_role(request.user, *lists.ROLES)
    busy = [each for each in lists.for_staff(now=timezone.now()) if each.list.names or each.suggestions]
    return render(request, "games/lists/_side.html", {"lists": busy, "key": _key()})


@login_required
@never_cache
@require_safe
def entry(request: HttpRequest, entry_id: int) -> HttpResponse:
    """One name: what happened to it and why, and what can be done."""
    access.require_role(request.user, *lists.ROLES)
    return _entry(request, entry_id)


@part_of("staff_lists")
@login_required
@never_cache
@require_safe
def find(request: HttpRequest) -> HttpResponse:
    """Players by card, barcode or name, to be put on a list (`?name=`)."""
    access.require_role(request.user, *lists.ROLES)
    words = request.GET.get("name", "")[:60]
    found = cards.find(words, limit=8) if len(words.strip()) > 1 else []
    context = {"found": found, "words": words, "exact": cards.exact(words) if found else None}
    return render(request, "games/lists/_found.html", context)


@login_required
@require_POST
def add(request: HttpRequest) -> HttpResponse:
    """Put a name on a list: of a player who was found, or as it was said on the telephone."""
    staff = access.require_role(request.user, *lists.ROLES)
    said, wishes = join_order(request, AddForm)
    source = ListEntry.Source.PHONE if said["phone"] else ListEntry.Source.DESK
    order = {"offer_id": said["offer"], "by": staff, "wishes": wishes, "source": source, "key": said["key"]}
    if said["player"] is not None:
        player = User.objects.filter(pk=said["player"], is_bot=False).first()
        if player is None:
            raise NotFound("There is no such player.", "no-such-player")
        made = lists.join(player=player, **order)
    elif said["name"].strip():
        made = lists.phone_in(name=said["name"], **order)
    else:
        raise Invalid("Say who it is: find a player, or give the name that was said.", "no-name")
    words = f"{made.player} is on the {made.get_kind_display()} of {made.offer.name}."
    done = _done(request, words, made.pk)
    if request.htmx:  # the form stays on the page, and the next name needs a word of its own
        done.status_code = 200
        done.content = render_to_string("games/lists/_add_key.html", {"key": _key(), "is_new": True})
    return done


@login_required
@require_POST
def call_next(request: HttpRequest, table_id: int) -> HttpResponse:
    """Call, or move, the one whose turn it is at this table."""
    staff = access.require_role(request.user, *lists.ROLES)
    said = forms.sent(NextForm, request)
    called = lists.call_next(
        table_id=table_id, by=staff, player_id=said["player"], number=said["number"], key=said["key"],

    )  # fmt: skip
    words = "moves" if called.is_move else "is called"
    return _done(request, f"{called.player} {words} to {called.called_to}, seat {called.called_number}.", called.pk)


@login_required
@require_POST
def do(request: HttpRequest, entry_id: int, verb: str) -> HttpResponse:
    """Everything that the floor does with one name."""
    staff = access.require_role(request.user, *lists.ROLES)
    if verb not in _VERBS:
        raise Http404
    form, act, words = _VERBS[verb]
    said = forms.sent(form, request)
    entry = act(said)(entry_id=entry_id, by=staff, key=said["key"])
    return _done(request, words.format(player=entry.player, state=entry.get_state_display()), entry.pk)


def _call(said: dict[str, Any]) -> Callable[..., ListEntry]:
    return partial(lists.call, table_id=said["table"], number=said["number"], reason=said["reason"])


def _seat(said: dict[str, Any]) -> Callable[..., ListEntry]:
    return partial(
        lists.seat, table_id=said["table"], number=said["number"], buy_in=said["buy_in"] or 0, count=said["count"],
        reason=said["reason"],
    )  # fmt: skip


def _pass(said: dict[str, Any]) -> Callable[..., ListEntry]:
    return partial(lists.pass_over, reason=said["reason"], to=said["to"] or "bottom")


def _off(said: dict[str, Any]) -> Callable[..., ListEntry]:
    return partial(lists.leave, reason=said["reason"])


def _transfer(said: dict[str, Any]) -> Callable[..., ListEntry]:
    if said["offer"] is None:
        raise Invalid("Choose the list the name goes to.", "no-offer")
    return partial(lists.transfer, offer_id=said["offer"])


def _reply(reply: str, said: dict[str, Any]) -> Callable[..., ListEntry]:
    def answer(*, by: User, **more: Any) -> ListEntry:
        return lists.answer(player=by, reply=reply, **more)

    return answer


#: By its word in the address: the form, what is done with what it says, and what is said when it is done.
_VERBS: dict[str, tuple[Any, Callable[[dict[str, Any]], Callable[..., ListEntry]], str]] = {
    "call": (SeatForm, _call, "{player} is {state}."),
    "seat": (SeatForm, _seat, "{player} is {state}."),
    "pass": (ReasonForm, _pass, "{player} was passed over."),
    "off": (ReasonForm, _off, "{player} is off the list."),
    "transfer": (ReasonForm, _transfer, "{player} is on the other list."),
    "coming": (MoveKey, partial(_reply, "coming"), "{player} is coming."),
    "more-time": (MoveKey, partial(_reply, "more-time"), "{player} has more time."),
}


def _entry(request: HttpRequest, entry_id: int) -> HttpResponse:
    story = shown.story(entry_id, access.require_login(request.user), is_staff=True)
    tables = Table.objects.filter(offer=story.row.offer, state=Table.State.OPEN).order_by("name")
    context = {
        "story": story, "row": story.row, "tables": tables, "offers": _offers(), "seat_numbers": range(1, 9),
        "key": _key(),
    }  # fmt: skip
    return render(request, "games/lists/_entry_staff.html" if request.htmx else "games/lists/entry_staff.html", context)


def _key() -> str:
    """What the forms of one page are sent under: twice the same is done once."""
    return secrets.token_urlsafe(9)


def _offers() -> list[Offer]:
    return list(Offer.objects.filter(is_listed=True))


def _done(request: HttpRequest, words: str, entry_id: int) -> HttpResponse:
    if not request.htmx:
        messages.success(request, words)
        return redirect("staff_lists")
    is_open = request.headers.get("HX-Target") == "list-panel"
    answer = _entry(request, entry_id) if is_open else HttpResponse(status=204)
    answer["HX-Trigger"] = json.dumps({"room:lists": {}, "toast": {"message": words}})
    return answer
