"""Accounts and the blacklist, for managers; who is connected, for the floor."""

from collections.abc import Callable
from functools import partial
from secrets import token_urlsafe
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from cardroom.models import Approval, Blocked, Transfer, User
from cardroom.services import access, accounts, blacklist, roles, selectors, sessions
from cardroom.services import messages as told
from cardroom.services.errors import CardroomError, NotFound
from cardroom.web import operations as of
from cardroom.web.api import player_serializers as shapes
from cardroom.web.api.cage_serializers import ApprovalOut
from cardroom.web.api.paging import older
from cardroom.web.operations import Form, Operation, Page, Read, said, say_refusal

A_PAGE = 50

Refusal = CardroomError | None
#: Whose chips were put right, how many, and the transfer or the approval that it waits for.
Adjusted = tuple[User, int, Transfer | Approval]


# -- pages -------------------------------------------------------------------------------------------------------------


def listing(request: HttpRequest, *, refusal: Refusal = None, typed: Any = None) -> HttpResponse:
    """`?q=` name or e-mail, `?state=` open or closed, `?role=`."""
    say_refusal(request, refusal)
    words = " ".join(request.GET.get("q", "").replace("\0", "").split())[:80]
    state, role = request.GET.get("state", ""), request.GET.get("role", "")
    found = accounts.listed(
        words=words, state=state if state in ("open", "closed") else "", role=role if role in access.ROLES else ""
    )
    context = {
        "page": Paginator(found, A_PAGE).get_page(request.GET.get("page")),
        "words": words,
        "state": state,
        "role": role,
        "roles": access.ROLES,
        "typed": typed or {},
    }
    return render(request, "cardroom/players/accounts.html", context)


def account(request: HttpRequest, *, user_id: int, refusal: Refusal = None, typed: Any = None) -> HttpResponse:
    """One account."""
    say_refusal(request, refusal)
    who, now = accounts.one(user_id), timezone.now()
    held = access.roles_of(who)
    context = {
        "who": who,
        "roles": [(role, role in held) for role in access.ROLES],
        "by_two": roles.BY_TWO,
        "balance": selectors.wallet_balance(who),
        "sessions": sessions.open_now(now=now, user=who)[:20],
        "typed": typed or {},
        "key": f"{now.timestamp():.6f}",
    }
    return render(request, "cardroom/players/account.html", context)


def connections(request: HttpRequest, *, refusal: Refusal = None, typed: Any = None, **address: str) -> HttpResponse:
    """Who is logged in, from where, and whose sockets are open."""
    say_refusal(request, refusal)
    now = timezone.now()
    page = Paginator(sessions.open_now(now=now), A_PAGE).get_page(request.GET.get("page"))
    rows = [(session, sessions.connected(session, now=now)) for session in page]
    return render(request, "cardroom/players/connections.html", {"page": page, "rows": rows, "key": token_urlsafe(12)})


def blocked(request: HttpRequest, *, refusal: Refusal = None, typed: Any = None) -> HttpResponse:
    """The blacklist."""
    say_refusal(request, refusal)
    lines = blacklist.on_the_list(now=timezone.now())[:500]
    context = {"lines": lines, "kinds": Blocked.Kind.choices, "typed": typed or {}}
    return render(request, "cardroom/players/blacklist.html", context)


def _opened(request: HttpRequest, made: User) -> HttpResponse:
    messages.success(request, f"{made} has an account.")
    return redirect(ACCOUNT.name, made.pk)


def _adjusted(made: Adjusted) -> str:
    _, amount, done = made
    if isinstance(done, Approval):
        return f"{done.words}: this needs a second person. Another manager has been asked (no. {done.pk})."
    return f"{amount:+,} chips."


def _role_given(made: Approval | tuple[User, str]) -> str:
    if isinstance(made, Approval):
        return f"{made.words}. This needs a second person: another manager has been asked (no. {made.pk})."
    return f"{made[0]} is {made[1]} now."


MANAGERS = ("manager",)
ACCOUNTS = Page("staff/accounts/", "accounts", listing, MANAGERS)
ACCOUNT = Page("staff/accounts/<id:user_id>/", "account_page", account, MANAGERS)
CONNECTIONS = Page("staff/connections/", "connections", connections, sessions.STAFF)
BLACKLIST = Page("staff/blacklist/", "blacklist", blocked, MANAGERS)


def _on_account(what: str, words: str | Callable[[Any], str], **more: Any) -> Form:
    return Form(
        ACCOUNT.address,
        ACCOUNT.name,
        ACCOUNT,
        said(words, ACCOUNT.name, "user_id"),
        verbs={what: {}},
        **more,
    )


def _on_connection(what: str, words: str | Callable[[Any], str]) -> Form:
    then = said(words, CONNECTIONS.name)
    return Form("staff/connections/<slug:handle>/", "connection", CONNECTIONS, then, verbs={what: {}})


def _on_blacklist(what: str, words: str) -> Form:
    hidden = {"line_id": "Say which one."} if what else {}
    then = said(words, BLACKLIST.name)
    return Form(BLACKLIST.address, BLACKLIST.name, BLACKLIST, then, verbs={what: {}}, hidden=hidden)


# -- verbs -------------------------------------------------------------------------------------------------------------


def _of(service: Callable[..., Any]) -> Callable[..., User]:
    """The service, for the account whose number stands in the address; it is answered with."""

    def does(*, user_id: int, **asked: Any) -> User:
        service(user=accounts.one(user_id), **asked)
        return accounts.one(user_id)

    return does


def _known(role: str) -> str:
    if role not in access.ROLES:
        raise NotFound(f"There is no role {role!r}. The roles are {', '.join(access.ROLES)}.", "no-such-role")
    return role


def _give(*, user_id: int, role: str, by: User) -> Approval | tuple[User, str]:
    return roles.give(user=accounts.one(user_id), role=_known(role), by=by) or (accounts.one(user_id), role)


def _take(*, user_id: int, role: str, by: User) -> tuple[User, str]:
    roles.take(user=accounts.one(user_id), role=_known(role), by=by)
    return accounts.one(user_id), role


def _adjust(*, user_id: int, amount: int, takes: bool, reason: str, by: User, key: str) -> Adjusted:
    who, chips = accounts.one(user_id), -amount if takes else amount
    return who, chips, accounts.put_right(user=who, amount=chips, reason=reason, by=by, key=key or uuid4().hex)


def _adjustment(made: Adjusted, by: User) -> dict[str, Any]:
    who, _, done = made
    moved, waits = (None, done) if isinstance(done, Approval) else (done, None)
    reference = moved.reference if moved else ""
    wallet = selectors.wallet_balance(who)
    return {"transfer": moved and moved.pk, "reference": reference, "wallet": wallet, "approval": waits}


def _tell(*, handle: str, text: str, by: User, key: str) -> User:
    player = sessions.whose(handle=handle, by=by, now=timezone.now())
    told.say(player=player, text=text, by=by, key=key)
    return player


def _log_out(*, handle: str, reason: str, by: User) -> User | None:
    who = sessions.one(handle=handle, by=by, now=timezone.now()).user
    sessions.terminate(handle=handle, reason=reason, by=by)
    return who


_read = partial(Read, tag="accounts", scope="manage", roles=MANAGERS)
_verb = partial(Operation, tag="accounts", scope="manage", roles=MANAGERS, asks_factor=True)
_floor_read = partial(Read, tag="connections", scope="direct", roles=sessions.STAFF)
_floor = partial(Operation, tag="connections", scope="direct", roles=sessions.STAFF, asks_factor=True)

DECLARED = [
    _read(
        name="accounts", summary="Accounts", address="accounts", out=shapes.Account, paged=True,
        finds=lambda by, **page: older(accounts.listed(), **page),
    ),
    _verb(
        name="open_account", summary="Open an account", address="accounts", does=accounts.open_one,
        order=shapes.AccountOrder, status=201, out=shapes.Account, refuses=(409,),
        form=Form(ACCOUNTS.address, ACCOUNTS.name, ACCOUNTS, _opened),
    ),
    _read(
        name="account", summary="One account", address="accounts/<id:user_id>", out=shapes.Account,
        finds=lambda by, user_id: accounts.one(user_id),
    ),
    _verb(
        name="edit_account", summary="Change an account", method="PATCH", address="accounts/<id:user_id>",
        does=_of(accounts.edit), order=shapes.AccountChange, out=shapes.Account, refuses=(409,),
        form=_on_account("edit", "Saved."),
    ),
    _verb(
        name="close_account", summary="Close an account", address="accounts/<id:user_id>/close",
        description="Nothing is lost: chips and history stay, and it can be opened again.", does=_of(accounts.close),
        order=shapes.AccountReason, out=shapes.Account, refuses=(409,),
        form=_on_account("close", "The account is closed. Its chips and its history stay."),
    ),
    _verb(
        name="reopen_account", summary="Open a closed account again", address="accounts/<id:user_id>/reopen",
        does=_of(accounts.reopen), order=shapes.AccountReason, out=shapes.Account,
        form=_on_account("reopen", "The account is open again."),
    ),
    _verb(
        name="set_password", summary="Give a new password", method="PUT", address="accounts/<id:user_id>/password",
        description="Ends every session and key of the account.", does=_of(accounts.set_password),
        order=shapes.NewPasswordOrder, status=204,
        form=_on_account("password", "{} has a new password, and is logged out everywhere."),
    ),
    _verb(
        name="give_role", summary="Give a role", method="PUT", address="accounts/<id:user_id>/roles/<slug:role>",
        description="`manager`, and `auditor`, to whom sealed cards are opened, once another manager approves (202).",
        does=_give, out=shapes.Account, shows=lambda made, by: made[0], waiting=ApprovalOut,
        refuses=(400,),
        form=_on_account("give-role", _role_given, hidden={"role": "Say which role."}),
    ),
    _verb(
        name="take_role", summary="Take a role", method="DELETE", address="accounts/<id:user_id>/roles/<slug:role>",
        does=_take, out=shapes.Account, shows=lambda made, by: made[0], refuses=(409,),
        form=_on_account("take-role", "{0[0]} is {0[1]} no more.", hidden={"role": "Say which role."}),
    ),
    _verb(
        name="adjust_balance", summary="Put chips right", address="accounts/<id:user_id>/adjust", does=_adjust,
        description="Into a wallet, or out of it, for a mistake that no slip of the cage explains. 202 where it is "
        "above what you may put right alone, and waits for a second person.",
        order=shapes.AdjustOrder, keyed=True, out=shapes.Adjustment, shows=_adjustment, waiting=shapes.Adjustment,
        asks=lambda made: isinstance(made[2], Approval), refuses=(409, 422), form=_on_account("adjust", _adjusted),
    ),
    # The blacklist
    _read(
        name="blacklist", summary="The blacklist", tag="blacklist", address="blacklist", out=shapes.BlockedLine,
        paged=True, finds=lambda by, **page: older(blacklist.on_the_list(now=timezone.now()), **page),
    ),
    _verb(
        name="block", summary="Put a line on the blacklist", tag="blacklist", address="blacklist", does=blacklist.add,
        order=shapes.BlockedOrder, status=201, out=shapes.BlockedLine, refuses=(409,),
        form=_on_blacklist("", "On the blacklist."),
    ),
    _read(
        name="blacklist_line", summary="One line", tag="blacklist", address="blacklist/<id:line_id>",
        out=shapes.BlockedLine, finds=lambda by, line_id: blacklist.one(line_id),
    ),
    _verb(
        name="edit_blacklist_line", summary="Change why, and until when", tag="blacklist", method="PATCH",
        address="blacklist/<id:line_id>", does=blacklist.edit, order=shapes.BlockedChange, out=shapes.BlockedLine,
        form=_on_blacklist("edit", "The line is changed."),
    ),
    _verb(
        name="unblock", summary="Take a line off the blacklist", tag="blacklist", method="DELETE", status=204,
        address="blacklist/<id:line_id>", does=blacklist.remove,
        form=_on_blacklist("remove", "Taken off the blacklist."),
    ),
    # Who is connected
    _floor_read(
        name="connections", summary="Who is connected", address="connections", out=shapes.Connection, many=True,
        finds=lambda by: sessions.open_now(now=timezone.now())[:2000],
    ),
    _floor_read(
        name="connection", summary="One connection", address="connections/<slug:handle>", out=shapes.Connection,
        finds=lambda by, handle: sessions.one(handle=handle, by=by, now=timezone.now()),
    ),
    _floor(
        name="message_connection", summary="Tell somebody something", address="connections/<slug:handle>/message",
        description="On every page they have open.", does=_tell, order=shapes.WordOrder, keyed=True, status=204,
        refuses=(409,), form=_on_connection("message", "{} was told."),
    ),
    _floor(
        name="terminate_connection", summary="Log somebody out there", address="connections/<slug:handle>/terminate",
        does=_log_out, order=shapes.AccountReason, status=204,
        form=_on_connection("terminate", lambda who: f"{who} is logged out there." if who else
                            "That screen is no kiosk any more."),
    ),
]  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = of.pages([ACCOUNTS, ACCOUNT, CONNECTIONS, BLACKLIST], DECLARED)
