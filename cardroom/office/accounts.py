"""Accounts and the blacklist, for managers; who is connected, for the floor."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from uuid import uuid4

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext
from rest_framework import serializers

from cardroom.accounts import accounts, blacklist, sessions
from cardroom.accounts import people as account_queries
from cardroom.accounts.models import Blocked
from cardroom.cage import corrections
from cardroom.cage.serializers import ApprovalOut
from cardroom.core import access, approvals, notices
from cardroom.core.errors import NotFound
from cardroom.core.models import Approval, User
from cardroom.core.sentences import filled
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Change, Chips, Flag, Order, Reason, Text
from cardroom.core.web.api.routes import older
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.operations import Context, Form, Operation, Page, Read, went_to
from cardroom.ledger.models import Transfer

A_PAGE = 50

#: Whose chips were corrected, how many, and the transfer or the approval that it waits for.
Adjusted = tuple[User, int, Transfer | Approval]


# -- shapes ------------------------------------------------------------------------------------------------------------


class Account(Shape):
    """An account as managers see it."""

    of = User
    shows = """
        id name=username email first_name last_name is_bot is_open=is_active joined_at=date_joined last_login roles
    """
    roles = serializers.SerializerMethodField()

    def get_roles(self, user: User) -> list[str]:
        return sorted(group.name for group in user.groups.all() if group.name in access.ROLES)


class AccountOrder(Order):
    name = Text(min_length=2, max_length=20)
    email = serializers.EmailField(required=False, allow_blank=True)
    password = Text(
        required=False, allow_blank=True, max_length=128, trim_whitespace=False,
        help_text="Without it the person sets a password by e-mail.",
    )  # fmt: skip
    full_name = Text(required=False, allow_blank=True, max_length=60)


class AccountChange(Change):
    """What is to be changed."""

    name = Text(required=False, source="username", min_length=2, max_length=20)
    email = serializers.EmailField(required=False, allow_blank=True)
    first_name = Text(required=False, allow_blank=True, max_length=150)
    last_name = Text(required=False, allow_blank=True, max_length=150)


class AccountReason(Order):
    reason = Reason()


class NewPasswordOrder(Order):
    password = Text(max_length=128, trim_whitespace=False)


class AdjustOrder(Order):
    amount = Chips(help_text="Chips.")
    takes = Flag(default=False, help_text="Take the chips out of the wallet instead of adding them.")
    reason = Reason()

    @classmethod
    def typed(cls, form: Mapping[str, str]) -> dict[str, Any]:
        """The form takes them out by a minus."""
        amount = form.get("amount", "").strip()
        takes = "yes" if amount.startswith("-") else "no"
        return super().typed({"amount": amount.lstrip("+-"), "takes": takes, "reason": form.get("reason", "")})


class Adjustment(serializers.Serializer[Any]):
    transfer = serializers.IntegerField(allow_null=True, help_text="Null while it waits for approval.")
    reference = serializers.CharField()
    wallet = serializers.IntegerField(help_text="The chips in the wallet after it.")
    approval = ApprovalOut(allow_null=True)


class BlockedLine(Shape):
    """A line of the blacklist."""

    of = Blocked
    shows = "id kind value reason until by at"
    kind = serializers.ChoiceField(Blocked.Kind.choices)
    by = serializers.CharField(source="by.username", default=None, allow_null=True)


class BlockedOrder(Order):
    kind = serializers.ChoiceField(Blocked.Kind.choices)
    value = Text(
        max_length=254, help_text="192.0.2.0/24, @example.org, a@example.org, a name, or the start of a name and *."
    )
    reason = Reason()
    until = serializers.DateTimeField(required=False, allow_null=True)


class BlockedChange(Change):
    reason = Reason(required=False)
    until = serializers.DateTimeField(required=False, allow_null=True)


class Connection(serializers.Serializer[Any]):
    """One browser somebody is logged in with, or a kiosk, where nobody is."""

    handle = serializers.CharField()
    player = serializers.IntegerField(source="user_id", allow_null=True, help_text="null: a kiosk.")
    name = serializers.CharField(source="user.username", default=None, allow_null=True)
    kiosk_by = serializers.CharField(
        source="kiosk_by.username", default=None, allow_null=True, help_text="Who opened the kiosk."
    )
    address = serializers.CharField(allow_null=True)
    agent = serializers.CharField()
    since = serializers.DateTimeField(source="began_at", allow_null=True)
    seen_at = serializers.DateTimeField(allow_null=True, help_text="When one of its sockets was last open.")


class WordOrder(Order):
    text = Text(max_length=300)


# -- pages -------------------------------------------------------------------------------------------------------------


def listing(request: HttpRequest) -> Context:
    """`?q=` name or e-mail, `?state=` open or closed, `?role=`."""
    words = " ".join(request.GET.get("q", "").replace("\0", "").split())[:80]
    state, role = request.GET.get("state", ""), request.GET.get("role", "")
    found = accounts.listed(
        words=words, state=state if state in ("open", "closed") else "", role=role if role in access.ROLES else ""
    )
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    return {"page": page, "words": words, "state": state, "role": role, "roles": access.ROLES}


def account(request: HttpRequest, *, user_id: int) -> Context:
    """One account."""
    who = access.one(user_id)
    held = access.roles_of(who)
    return {
        "who": who,
        "roles": [(role, role in held) for role in access.ROLES],
        "by_two": accounts.given_by_two(by=request.user),
        "balance": account_queries.wallet_balance(who),
        "sessions": sessions.open_now(now=timezone.now(), user=who)[:20],
    }


def connections(request: HttpRequest) -> Context:
    """Who is logged in, from where, and whose sockets are open."""
    now = timezone.now()
    page = Paginator(sessions.open_now(now=now), A_PAGE).get_page(request.GET.get("page"))
    return {"page": page, "rows": [(session, sessions.connected(session, now=now)) for session in page]}


def blocked(request: HttpRequest) -> Context:
    """The blacklist."""
    return {"lines": blacklist.on_the_list(now=timezone.now())[:500], "kinds": Blocked.Kind.choices}


def _opened(request: HttpRequest, made: User) -> HttpResponse:
    return went_to(request, gettext("The account of {made} is created.").format(made=made), ACCOUNT.name, made.pk)


def _adjusted(made: Adjusted) -> str:
    _, amount, done = made
    if isinstance(done, Approval):
        return approvals.sent(done)
    return filled(ngettext("{amount:+,} chips.", "{amount:+,} chips.", abs(amount)), amount=amount)


MANAGERS = ("manager",)
_page = partial(Page, roles=MANAGERS, says_refusals=True)
ACCOUNTS = _page("staff/accounts/", "accounts", listing, template="cardroom/office/accounts.html")
ACCOUNT = _page("staff/accounts/<id:user_id>/", "account_page", account, template="cardroom/office/account.html")
BLACKLIST = _page("staff/blacklist/", "blacklist", blocked, template="cardroom/office/blacklist.html")
CONNECTIONS = _page(
    "staff/connections/", "connections", connections, roles=sessions.STAFF, template="cardroom/office/connections.html"
)
_on_account = partial(Form, ACCOUNT.address, ACCOUNT.name, ACCOUNT)
_on_connection = partial(Form, "staff/connections/<slug:handle>/", "connection", CONNECTIONS)
_on_blacklist = partial(Form, BLACKLIST.address, BLACKLIST.name, BLACKLIST)
_LINE, _ROLE = {"line_id": gettext_lazy("Choose one.")}, {"role": gettext_lazy("Choose a role.")}


# -- verbs -------------------------------------------------------------------------------------------------------------


def _of(service: Callable[..., Any]) -> Callable[..., User]:
    """The service, for the account whose number stands in the address; it is answered with."""

    def does(*, user_id: int, **asked: Any) -> User:
        service(user=access.one(user_id), **asked)
        return access.one(user_id)

    return does


def _known(role: str) -> str:
    if role not in access.ROLES:
        raise NotFound(
            "no-such-role",
            "There is no role {role!r}. The roles are {names}.",
            role=role,
            names=", ".join(access.ROLES),
        )
    return role


def _give(*, user_id: int, role: str, by: User) -> Approval | tuple[User, str]:
    return accounts.give(user=access.one(user_id), role=_known(role), by=by) or (access.one(user_id), role)


def _take(*, user_id: int, role: str, by: User) -> tuple[User, str]:
    accounts.take(user=access.one(user_id), role=_known(role), by=by)
    return access.one(user_id), role


def _adjust(*, user_id: int, amount: int, takes: bool, reason: str, by: User, key: str) -> Adjusted:
    who, chips = access.one(user_id), -amount if takes else amount
    return who, chips, corrections.correct(user=who, amount=chips, reason=reason, by=by, key=key or uuid4().hex)


def _adjustment(made: Adjusted, by: User) -> dict[str, Any]:
    who, _, done = made
    moved, waits = (None, done) if isinstance(done, Approval) else (done, None)
    reference = moved.reference if moved else ""
    wallet = account_queries.wallet_balance(who)
    return {"transfer": moved and moved.pk, "reference": reference, "wallet": wallet, "approval": waits}


def _tell(*, handle: str, text: str, by: User, key: str) -> User:
    player = sessions.whose(handle=handle, by=by, now=timezone.now())
    notices.say(player=player, text=text, by=by, key=key)
    return player


def _logged_out(who: User | None) -> str:
    return gettext("{who} is logged out.").format(who=who) if who else gettext("The kiosk is closed.")


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
        name="accounts", summary="Accounts", address="accounts", out=Account, paged=True,
        finds=lambda by, **page: older(accounts.listed(), **page),
    ),
    _verb(
        name="open_account", summary="Create an account", address="accounts", does=accounts.open_one,
        order=AccountOrder, status=201, out=Account, refuses=(409,),
        form=Form(ACCOUNTS.address, ACCOUNTS.name, ACCOUNTS, _opened),
    ),
    _read(
        name="account", summary="An account", address="accounts/<id:user_id>", out=Account,
        finds=lambda by, user_id: access.one(user_id),
    ),
    _verb(
        name="edit_account", summary="Change an account", method="PATCH", address="accounts/<id:user_id>",
        does=_of(accounts.edit), order=AccountChange, out=Account, refuses=(409,),
        form=_on_account(gettext_lazy("Saved."), verbs={"edit": {}}),
    ),
    _verb(
        name="close_account", summary="Close an account", address="accounts/<id:user_id>/close",
        description="Chips and history stay. The account can be reopened.", does=_of(accounts.close),
        order=AccountReason, out=Account, refuses=(409,),
        form=_on_account(gettext_lazy("The account is closed. Its chips and history stay."), verbs={"close": {}}),
    ),
    _verb(
        name="reopen_account", summary="Reopen an account", address="accounts/<id:user_id>/reopen",
        does=_of(accounts.reopen), order=AccountReason, out=Account,
        form=_on_account(gettext_lazy("The account is reopened."), verbs={"reopen": {}}),
    ),
    _verb(
        name="set_password", summary="Set a new password", method="PUT", address="accounts/<id:user_id>/password",
        description="Ends every session and token of the account.", does=_of(accounts.set_password),
        order=NewPasswordOrder, status=204,
        form=_on_account(gettext_lazy("{} has a new password, and is logged out everywhere."), verbs={"password": {}}),
    ),
    _verb(
        name="give_role", summary="Give a role", method="PUT", address="accounts/<id:user_id>/roles/<slug:role>",
        description="Every role but `dealer` needs the approval of another manager (202).",
        does=_give, out=Account, shows=lambda made, by: made[0], waiting=ApprovalOut,
        refuses=(400,),
        form=_on_account(gettext_lazy("{0[0]} has the role {0[1]}."), verbs={"give-role": {}}, hidden=_ROLE),
    ),
    _verb(
        name="take_role", summary="Remove a role", method="DELETE", address="accounts/<id:user_id>/roles/<slug:role>",
        does=_take, out=Account, shows=lambda made, by: made[0], refuses=(409,),
        form=_on_account(gettext_lazy("{0[0]} no longer has the role {0[1]}."), verbs={"take-role": {}}, hidden=_ROLE),
    ),
    _verb(
        name="adjust_balance", summary="Correct the wallet", address="accounts/<id:user_id>/adjust", does=_adjust,
        description="For a mistake that no slip of the cage explains. 202 where the amount is above your limit and "
        "waits for approval.",
        order=AdjustOrder, keyed=True, out=Adjustment, shows=_adjustment, waiting=Adjustment,
        asks=lambda made: isinstance(made[2], Approval), refuses=(409, 422),
        form=_on_account(ACCOUNT.said(_adjusted), verbs={"adjust": {}}),
    ),
    # The blacklist
    _read(
        name="blacklist", summary="The blacklist", tag="blacklist", address="blacklist", out=BlockedLine,
        paged=True, finds=lambda by, **page: older(blacklist.on_the_list(now=timezone.now()), **page),
    ),
    _verb(
        name="block", summary="Add a blacklist entry", tag="blacklist", address="blacklist", does=blacklist.add,
        order=BlockedOrder, status=201, out=BlockedLine, refuses=(409,),
        form=_on_blacklist(gettext_lazy("Added to the blacklist."), verbs={"": {}}),
    ),
    _read(
        name="blacklist_line", summary="A blacklist entry", tag="blacklist", address="blacklist/<id:line_id>",
        out=BlockedLine, finds=lambda by, line_id: blacklist.one(line_id),
    ),
    _verb(
        name="edit_blacklist_line", summary="Change a blacklist entry", tag="blacklist", method="PATCH",
        address="blacklist/<id:line_id>", does=blacklist.edit, order=BlockedChange, out=BlockedLine,
        form=_on_blacklist(gettext_lazy("The entry is changed."), verbs={"edit": {}}, hidden=_LINE),
    ),
    _verb(
        name="unblock", summary="Remove a blacklist entry", tag="blacklist", method="DELETE", status=204,
        address="blacklist/<id:line_id>", does=blacklist.remove,
        form=_on_blacklist(gettext_lazy("Removed from the blacklist."), verbs={"remove": {}}, hidden=_LINE),
    ),
    # Who is connected
    _floor_read(
        name="connections", summary="List connections", address="connections", out=Connection, many=True,
        finds=lambda by: sessions.open_now(now=timezone.now())[:2000],
    ),
    _floor_read(
        name="connection", summary="A connection", address="connections/<slug:handle>", out=Connection,
        finds=lambda by, handle: sessions.one(handle=handle, by=by, now=timezone.now()),
    ),
    _floor(
        name="message_connection", summary="Send a message", address="connections/<slug:handle>/message",
        description="Shown on every page they have open.", does=_tell, order=WordOrder, keyed=True, status=204,
        refuses=(409,), form=_on_connection(gettext_lazy("The message to {} is sent."), verbs={"message": {}}),
    ),
    _floor(
        name="terminate_connection", summary="End a connection", address="connections/<slug:handle>/terminate",
        does=_log_out, order=AccountReason, status=204,
        form=_on_connection(CONNECTIONS.said(_logged_out), verbs={"terminate": {}}),
    ),
]  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = of.pages([ACCOUNTS, ACCOUNT, CONNECTIONS, BLACKLIST], DECLARED)
