"""Accounts, for managers."""

from functools import partial
from typing import Annotated, Any
from uuid import uuid4

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext
from rest_framework import serializers

from cardroom.accounts import accounts, people, roles, sessions
from cardroom.cage import corrections
from cardroom.cage.serializers import ApprovalOut
from cardroom.core import access, approvals
from cardroom.core.arguments import Chips, Limits, Reason
from cardroom.core.models import Approval, User
from cardroom.core.sentences import filled
from cardroom.core.web.api.routes import older
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.forms import PagePost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Context, Page, went_to
from cardroom.core.web.resources import Resource, addresses, does, reads
from cardroom.ledger.models import Transfer

A_PAGE = 50

#: Whose chips were corrected, how many, and the transfer or the approval that it waits for.
Adjusted = tuple[User, int, Transfer | Approval]


class AccountSummary(Shape):
    """An account as managers see it."""

    of = User
    field_names = """
        id name=username email first_name last_name is_bot is_open=is_active joined_at=date_joined last_login roles
    """
    roles = serializers.SerializerMethodField()

    def get_roles(self, user: User) -> list[str]:
        return sorted(group.name for group in user.groups.all() if group.name in access.ROLES)


class Adjustment(serializers.Serializer[Any]):
    transfer = serializers.IntegerField(allow_null=True, help_text="Null while it waits for approval.")
    reference = serializers.CharField()
    wallet = serializers.IntegerField(help_text="The chips in the wallet after it.")
    approval = ApprovalOut(allow_null=True)


def listing(request: HttpRequest) -> Context:
    """`?q=` name or e-mail, `?state=` open or closed, `?role=`."""
    words = " ".join(request.GET.get("q", "").replace("\0", "").split())[:80]
    state, role = request.GET.get("state", ""), request.GET.get("role", "")
    users = accounts.find_accounts(
        words=words, state=state if state in ("open", "closed") else "", role=role if role in access.ROLES else ""
    )
    page = Paginator(users, A_PAGE).get_page(request.GET.get("page"))
    return {"page": page, "words": words, "state": state, "role": role, "roles": access.ROLES}


def account(request: HttpRequest, *, user_id: int) -> Context:
    """One account."""
    who = access.get_user(user_id)
    held = access.roles_of(who)
    return {
        "who": who,
        "roles": [(role, role in held) for role in access.ROLES],
        "by_two": roles.given_by_two(by=request.user),
        "balance": people.wallet_balance(who),
        "sessions": sessions.open_now(now=timezone.now(), user=who)[:20],
    }


def _adjustment_message(result: Adjusted) -> str:
    _, amount, correction = result
    if isinstance(correction, Approval):
        return approvals.request_message(correction)
    return filled(ngettext("{amount:+,} chips.", "{amount:+,} chips.", abs(amount)), amount=amount)


_page = partial(Page, roles=accounts.STAFF, says_refusals=True)
ACCOUNTS = _page("staff/accounts/", "accounts", listing, template="cardroom/office/accounts.html")
ACCOUNT = _page("staff/accounts/<id:user_id>/", "account_page", account, template="cardroom/office/account.html")
Takes = Annotated[bool, Limits(help_text="Take the chips out of the wallet instead of adding them.")]


def account_list(*, before: int | None, limit: int, by: User) -> list[User]:
    """The newest first."""
    return older(accounts.find_accounts(), before, limit)


def one_account(*, user: User, by: User) -> User:
    """An account by its number."""
    return user


def adjust(
    *,
    user: User,
    amount: Annotated[Chips, Limits(help_text="Chips.")],
    takes: Takes = False,
    reason: Reason,
    by: User,
    key: str = "",
) -> Adjusted:
    """Put chips into a wallet, or take them out. Refuses as `corrections.correct`."""
    chips = -amount if takes else amount
    return user, chips, corrections.correct(user=user, amount=chips, reason=reason, by=by, key=key or uuid4().hex)


def _adjustment(result: Adjusted, by: User) -> dict[str, Any]:
    user, _, correction = result
    transfer, approval = (None, correction) if isinstance(correction, Approval) else (correction, None)
    reference = transfer.reference if transfer else ""
    wallet = people.wallet_balance(user)
    return {"transfer": transfer and transfer.pk, "reference": reference, "wallet": wallet, "approval": approval}


class AccountsResource(Resource):
    """What managers do about accounts."""

    tags, scope, asks_factor = ("accounts",), "manage", True


class AccountListResource(AccountsResource):
    path = "accounts"
    get = reads(account_list, name="accounts", summary="Accounts", answers=AccountSummary, roles=accounts.STAFF)
    post = does(
        accounts.open_one,
        name="open_account",
        summary="Create an account",
        answers=AccountSummary,
        status=201,
        refuses=(409,),
    )


class AccountResource(AccountsResource):
    path = "accounts/<id:user_id>"
    get = reads(one_account, name="account", summary="An account", answers=AccountSummary, roles=accounts.STAFF)
    patch = does(
        accounts.edit, name="edit_account", summary="Change an account", answers=AccountSummary, refuses=(409,)
    )


class CloseAccountResource(AccountsResource):
    path = "accounts/<id:user_id>/close"
    post = does(
        accounts.close,
        name="close_account",
        summary="Close an account",
        description="Chips and history stay. The account can be reopened.",
        answers=AccountSummary,
        refuses=(409,),
    )


class ReopenResource(AccountsResource):
    path = "accounts/<id:user_id>/reopen"
    post = does(accounts.reopen, name="reopen_account", summary="Reopen an account", answers=AccountSummary)


class PasswordResource(AccountsResource):
    path = "accounts/<id:user_id>/password"
    put = does(
        accounts.set_password,
        name="set_password",
        summary="Set a new password",
        description="Ends every session and token of the account.",
        status=204,
    )


class RoleResource(AccountsResource):
    path = "accounts/<id:user_id>/roles/<slug:role>"
    put = does(
        roles.give,
        name="give_role",
        summary="Give a role",
        description="Every role but `dealer` needs the approval of another manager (202).",
        answers=AccountSummary,
        waiting=ApprovalOut,
        refuses=(400,),
    )
    delete = does(roles.take, name="take_role", summary="Remove a role", answers=AccountSummary, refuses=(409,))


class AdjustResource(AccountsResource):
    path = "accounts/<id:user_id>/adjust"
    post = does(
        adjust,
        name="adjust_balance",
        summary="Correct the wallet",
        description="For a mistake that no slip of the cage explains. 202 where the amount is above your limit and "
        "waits for approval.",
        roles=accounts.STAFF,
        answers=Adjustment,
        shown=_adjustment,
        waiting=Adjustment,
        is_waiting=lambda result: isinstance(result[2], Approval),
        refuses=(409, 422),
    )


class OpenAccountForm(PagePost):
    page, does, asks_factor = ACCOUNTS, accounts.open_one, True

    def done(self, request: HttpRequest, result: User) -> HttpResponse:
        words = gettext("The account of {made} is created.").format(made=result)
        return went_to(request, words, ACCOUNT.name, result.pk)


class OnAccount(PagePost):
    """A form of one account's page."""

    page, asks_factor = ACCOUNT, True


class EditAccountForm(OnAccount):
    does, button, then = accounts.edit, "edit", gettext_lazy("Saved.")


class CloseAccountForm(OnAccount):
    does, button = accounts.close, "close"
    then = gettext_lazy("The account is closed. Its chips and history stay.")


class ReopenAccountForm(OnAccount):
    does, button, then = accounts.reopen, "reopen", gettext_lazy("The account is reopened.")


class SetPasswordForm(OnAccount):
    does, button = accounts.set_password, "password"
    then = gettext_lazy("{} has a new password, and is logged out everywhere.")


class GiveRoleForm(OnAccount):
    does, button, then = roles.give, "give-role", gettext_lazy("{0[0]} has the role {0[1]}.")

    def done(self, request: HttpRequest, result: User | Approval) -> HttpResponse:
        return super().done(request, result if isinstance(result, Approval) else (result, request.POST["role"]))


class TakeRoleForm(GiveRoleForm):
    does, button, then = roles.take, "take-role", gettext_lazy("{0[0]} no longer has the role {0[1]}.")


class AdjustForm(OnAccount):
    does, button = adjust, "adjust"

    def typed(self, form: QueryDict) -> QueryDict:
        """A negative amount takes the chips out."""
        amount = form.get("amount", "").strip()
        form["takes"] = "yes" if amount.startswith("-") else "no"
        form["amount"] = amount.lstrip("+-")
        return form

    def done(self, request: HttpRequest, result: Adjusted) -> HttpResponse:
        return ACCOUNT.say(request, _adjustment_message, result)


api = addresses(
    [
        AccountListResource,
        AccountResource,
        CloseAccountResource,
        ReopenResource,
        PasswordResource,
        RoleResource,
        AdjustResource,
    ]
)
urlpatterns = page_urls(
    [ACCOUNTS, ACCOUNT],
    forms=[
        OpenAccountForm,
        EditAccountForm,
        CloseAccountForm,
        ReopenAccountForm,
        SetPasswordForm,
        GiveRoleForm,
        TakeRoleForm,
        AdjustForm,
    ],
)
