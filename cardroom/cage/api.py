"""What programs ask of the cage: slips, drawers, the vault, limits, requests of players, approvals."""

from collections.abc import Callable
from typing import Annotated, Any

from django.core.validators import RegexValidator
from django.urls import register_converter, reverse
from django.utils import timezone
from rest_framework.request import Request

from cardroom.cage import allowances, corrections, counter, drawers, requests, slips, vault
from cardroom.cage import books as cage_books
from cardroom.cage import documents as cage_documents
from cardroom.cage import queries as cage_queries
from cardroom.cage import serializers as shapes
from cardroom.cage.models import CashierRequest, DrawerSession, Slip
from cardroom.core import access, approvals
from cardroom.core.arguments import Limits
from cardroom.core.documents import CSV, PDF, File
from cardroom.core.models import Approval, User
from cardroom.core.web.resources import Resource, addresses, does, reads
from cardroom.ledger import counts
from cardroom.ledger.models import BlindCount


class FileForm:
    """The format of a report."""

    regex = "pdf|csv"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(FileForm, "form")

SEES = cage_documents.SEES
SEES_DRAWERS = cage_documents.SEES_DRAWERS
#: Who is asked to decide on something of the cage or the tournament desk, and who looks at it too.
DECIDES = ("cashier", "director", "floor", "manager")
STEWARDS = (*DECIDES, "auditor")

Kind = Annotated[str, Limits(validators=[RegexValidator(r"^[A-Za-z0-9-]{1,40}$")], help_text="Only of this kind.")]


def list_slips(
    *,
    player: Annotated[int | None, Limits(help_text="Only of this player.")] = None,
    session: Annotated[int | None, Limits(help_text="Only of this session.")] = None,
    kind: Kind = "",
    before: int | None,
    limit: int,
    by: User,
) -> list[Slip]:
    """Slips, newest first."""
    return cage_queries.slips(player=player, session=session, kind=kind, before=before, limit=limit)


def read_slip(*, slip_id: int, by: User) -> Slip:
    """A slip, for cage staff and for its player."""
    slip = cage_books.slip(slip_id)
    cage_queries.check_may_see(slip, by, is_staff=access.has_role(by, *SEES))
    return slip


def list_drawers(*, by: User) -> list[cage_queries.DrawerNow]:
    """The drawers that they may see."""
    return cage_queries.drawers(by)


def list_sessions(*, before: int | None, limit: int, by: User) -> list[DrawerSession]:
    """The sessions that they may see, newest first."""
    return cage_queries.sessions(before=before, limit=limit, viewer=by)


def read_session(*, session_id: int, by: User) -> DrawerSession:
    """A session with its counts."""
    return cage_queries.session(session_id, viewer=by)


def read_report(*, session_id: int, form: str, by: User) -> File:
    """The report of a session, as a PDF or as CSV."""
    return cage_documents.session_report(session_id=session_id, form=form, by=by, now=timezone.now())


def read_vault(*, by: User) -> dict[str, int | None]:
    """What lies in the vault, for auditors."""
    return {"holds": cage_queries.vault() if cage_queries.sees_vault(by) else None}


def list_vault_counts(*, before: int | None, limit: int, by: User) -> list[BlindCount]:
    """The counts of the vault, newest first."""
    return counts.counts_of(vault.SUBJECT, before=before, limit=limit)


def list_limits(*, by: User) -> list[dict[str, Any]]:
    """What each role may do alone."""
    table = allowances.table().items()
    return [{"role": role, "verb": verb, "slip": limit.slip, "day": limit.day} for (role, verb), limit in table]


def read_player(*, player: User, by: User) -> cage_queries.PlayerBalances:
    """What a player has and owes."""
    return cage_queries.of_player(player, now=timezone.now())


def list_requests(*, by: User) -> list[CashierRequest]:
    """What players wait for."""
    return requests.waiting()


def list_approvals(*, before: int | None, limit: int, by: User) -> list[Approval]:
    """What a second person decides, and has decided."""
    return approvals.list_approvals(before=before, limit=limit)


def read_own(*, by: User) -> cage_queries.PlayerBalances:
    """What they have and owe."""
    return cage_queries.of_player(by, now=timezone.now())


def list_own_requests(*, by: User) -> list[CashierRequest]:
    """What they asked the cage for."""
    return cage_queries.requests_of(by)


def _or_approval(name: str) -> Callable[[Any, User], dict[str, Any]]:
    """What is shown of a result under `name`, and of the approval that it waits for."""

    def shown(result: Any, by: User) -> dict[str, Any]:
        is_waiting = isinstance(result, Approval)
        return {name: None if is_waiting else result, "approval": result if is_waiting else None}

    return shown


def _fulfilment(result: CashierRequest | Approval, by: User) -> dict[str, Any]:
    if isinstance(result, CashierRequest):
        return {"request": result, "approval": None}
    row = CashierRequest.objects.select_related("player").get(pk=result.payload["request"])
    return {"request": row, "approval": result}


def _drawer_now(drawer: Any, by: User) -> cage_queries.DrawerNow:
    return next(row for row in cage_queries.drawers(by) if row.drawer.pk == drawer.pk)


def _blind(by: User, result: Any) -> dict[str, Any]:
    return {"blind": cage_queries.blind_among(by, result if isinstance(result, list) else [result])}


def slip_page(request: Request) -> dict[str, str]:
    """The address of the slip's page, for its receipt."""
    slip_id = request.resolver_match.kwargs["slip_id"]
    return {"address": request.build_absolute_uri(reverse("cage_slip", args=[slip_id]))}


class OfCage(Resource):
    """What is done at the cage."""

    tags, scope, asks_factor = ("cage",), "cage", True


class SlipsResource(OfCage):
    path = "cage/slips"
    get = reads(list_slips, name="slips", summary="Slips", answers=shapes.SlipOut, roles=SEES)
    post = does(
        counter.write_slip,
        name="write_slip",
        summary="Write a slip",
        description="Deposit, withdrawal, credit, repayment, comp or transfer. 201 with the slip; 202 with the "
        "approval, where the amount is above your limit.",
        body=shapes.SlipOrder,
        answers=shapes.CageDone,
        waiting=shapes.CageDone,
        shown=_or_approval("slip"),
        status=201,
        roles=cage_books.STAFF,
        refuses=(404, 409, 422),
    )


class SlipResource(OfCage):
    path = "cage/slips/<id:slip_id>"
    get = reads(
        read_slip,
        name="slip",
        summary="A slip",
        description="One slip, for cage staff and for its player.",
        answers=shapes.SlipOut,
    )


class ReceiptResource(OfCage):
    path = "cage/slips/<id:slip_id>/receipt"
    post = does(
        cage_documents.receipt,
        name="print_slip",
        summary="Print a slip",
        description="A PDF. Prints are counted; from the second print on it carries the copy number.",
        of_request=slip_page,
        media={PDF: "The receipt."},
    )


class ReversalResource(OfCage):
    path = "cage/slips/<id:slip_id>/reversal"
    post = does(
        corrections.reverse,
        name="reverse_slip",
        summary="Reverse a slip",
        answers=shapes.CageDone,
        waiting=shapes.CageDone,
        shown=_or_approval("slip"),
        status=201,
        refuses=(404, 409, 422),
    )


class DrawersResource(OfCage):
    path = "cage/drawers"
    get = reads(
        list_drawers,
        name="drawers",
        summary="List drawers",
        description="Directors and the floor see those of the tournament desk.",
        answers=shapes.DrawerOut,
        many=True,
        roles=SEES_DRAWERS,
    )
    post = does(
        drawers.make_drawer,
        name="make_drawer",
        summary="Add a drawer",
        description="For managers. A retired drawer of this name is used again.",
        answers=shapes.DrawerOut,
        shown=_drawer_now,
        status=201,
    )


class DrawerResource(OfCage):
    path = "cage/drawers/<id:drawer_id>"
    delete = does(
        drawers.retire_drawer,
        name="retire_drawer",
        summary="Retire a drawer",
        description="For managers. The drawer must be closed and empty.",
        status=204,
        refuses=(409,),
    )


class DrawerSessionsResource(OfCage):
    path = "cage/sessions"
    get = reads(
        list_sessions,
        name="drawer_sessions",
        summary="List drawer sessions",
        description="Directors and the floor see those of the tournament desk.",
        answers=shapes.DrawerSessionOut,
        context=_blind,
        roles=SEES_DRAWERS,
    )
    post = does(
        drawers.open_drawer,
        name="open_drawer",
        summary="Open a drawer with a count",
        description="201 with the session; 202 with the approval, where the difference is above your limit. Directors "
        "and the floor open a drawer of the tournament desk, and get its float from a cashier.",
        body=shapes.DrawerOpenOrder,
        answers=shapes.DrawerOpenDone,
        waiting=shapes.DrawerOpenDone,
        shown=_or_approval("session"),
        status=201,
        refuses=(404, 409, 422),
    )


class DrawerSessionResource(OfCage):
    path = "cage/sessions/<id:session_id>"
    get = reads(
        read_session,
        name="drawer_session",
        summary="A drawer session",
        answers=shapes.DrawerSessionSheet,
        context=_blind,
        roles=SEES_DRAWERS,
    )


class JoinResource(OfCage):
    path = "cage/sessions/<id:session_id>/join"
    post = does(
        drawers.join,
        name="join_drawer",
        summary="Work on an open drawer of the tournament desk",
        answers=shapes.DrawerSessionOut,
        refuses=(404, 409),
    )


class LeaveResource(OfCage):
    path = "cage/sessions/<id:session_id>/leave"
    post = does(
        drawers.leave,
        name="leave_drawer",
        summary="Stop working on a drawer of the tournament desk",
        answers=shapes.DrawerSessionOut,
        refuses=(404, 409),
    )


class FillResource(OfCage):
    path = "cage/sessions/<id:session_id>/fill"
    post = does(
        vault.fill,
        name="fill_drawer",
        summary="Fill a drawer from the vault",
        description="Yours, or one of the tournament desk, no matter who works on it.",
        answers=shapes.SlipOut,
        status=201,
        refuses=(409, 422),
    )


class TakeResource(OfCage):
    path = "cage/sessions/<id:session_id>/take"
    post = does(
        vault.take,
        name="take_from_drawer",
        summary="Move an excess to the vault",
        description="Yours, or one of the tournament desk, no matter who works on it.",
        answers=shapes.SlipOut,
        status=201,
        refuses=(409, 422),
    )


class CountDrawerResource(OfCage):
    path = "cage/sessions/<id:session_id>/count"
    post = does(
        drawers.count,
        name="count_drawer",
        summary="Count your drawer",
        body=shapes.DrawerCountOrder,
        answers=shapes.DrawerCountOut,
        status=201,
        refuses=(409,),
    )


class CloseDrawerResource(OfCage):
    path = "cage/sessions/<id:session_id>/close"
    post = does(
        drawers.close_drawer,
        name="close_drawer",
        summary="Close a drawer with a count",
        description="Your own or, as a manager with a reason, anybody's. The session is `closing` where the "
        "difference is above your limit.",
        body=shapes.DrawerCloseOrder,
        answers=shapes.DrawerSessionOut,
        refuses=(404, 409, 422),
    )


class DrawerReportResource(OfCage):
    path = "cage/sessions/<id:session_id>/report.<form:form>"
    get = reads(
        read_report,
        name="drawer_report",
        summary="The report of a drawer session",
        description="Counts are blind: for managers after the count, for cashiers if they counted it themselves.",
        media={PDF: "Counts and sums.", CSV: "Every slip."},
        refuses=(404, 409),
    )


class VaultResource(OfCage):
    path = "cage/vault"
    get = reads(read_vault, name="vault", summary="The vault balance", answers=shapes.VaultOut, roles=SEES)
    post = does(
        vault.vault,
        name="move_vault",
        summary="Move money between the vault and the bank",
        description="For managers. 202 with the approval, where the amount is above your limit.",
        answers=shapes.CageDone,
        waiting=shapes.CageDone,
        shown=_or_approval("slip"),
        status=201,
        refuses=(409, 422),
    )


class VaultCountsResource(OfCage):
    path = "cage/vault/counts"
    get = reads(
        list_vault_counts,
        name="vault_counts",
        summary="List counts of the vault",
        answers=shapes.VaultCountOut,
        context=lambda by, result: {"sees": cage_queries.sees_vault(by)},
        roles=SEES,
    )
    post = does(
        vault.count_vault,
        name="count_vault",
        summary="Count the vault",
        description="201 with the count, its difference posted; 202 with the approval, where the difference is "
        "above your limit. Counts are blind: a count that differs is recorded, and refused (422) until it comes "
        "with a reason.",
        body=shapes.VaultCountOrder,
        answers=shapes.VaultCountDone,
        waiting=shapes.VaultCountDone,
        shown=_or_approval("count"),
        context=lambda by, result: {"sees": True},
        status=201,
        refuses=(409, 422),
    )


class RoleLimitsResource(OfCage):
    path, scope = "cage/limits", "manage"
    get = reads(
        list_limits,
        name="cage_limits",
        summary="List the limits of each role",
        answers=shapes.CageLimitOut,
        many=True,
        roles=SEES,
    )
    put = does(
        allowances.set_limit,
        name="set_cage_limit",
        summary="Set a limit of a role",
        description="For managers. 202 with the approval, where it raises your own limit.",
        answers=shapes.CageLimitOut,
        many=True,
        shown=lambda result, by: list_limits(by=by),
        waiting=shapes.ApprovalOut,
    )


class PlayerBalancesResource(OfCage):
    path = "cage/players/<id:player_id>"
    get = reads(
        read_player, name="cage_player", summary="The balances of a player", answers=shapes.StandingOut, roles=SEES
    )


class CreditLineResource(OfCage):
    path, scope = "cage/players/<id:player_id>/credit-line", "manage"
    put = does(
        slips.set_line,
        name="set_credit_line",
        summary="Set a credit line",
        description="For managers.",
        answers=shapes.StandingOut,
        shown=lambda line, by: read_player(player=line.player, by=by),
        refuses=(422,),
    )


class RequestsResource(OfCage):
    path = "cage/requests"
    get = reads(
        list_requests,
        name="cashier_requests",
        summary="List the requests of players",
        answers=shapes.CashierRequestOut,
        many=True,
        roles=SEES,
    )


class FulfilResource(OfCage):
    path = "cage/requests/<id:request_id>/fulfil"
    post = does(
        requests.fulfil,
        name="fulfil_request",
        summary="Carry out a request",
        answers=shapes.CashierRequestDone,
        waiting=shapes.CashierRequestDone,
        shown=_fulfilment,
        refuses=(409, 422),
    )


class RefuseResource(OfCage):
    path = "cage/requests/<id:request_id>/refuse"
    post = does(
        requests.refuse,
        name="refuse_request",
        summary="Refuse a request",
        answers=shapes.CashierRequestOut,
        refuses=(409,),
    )


class OfApprovals(Resource):
    """What a second person decides."""

    tags, scope, asks_factor = ("approvals",), "manage", True


class ApprovalsResource(OfApprovals):
    path = "approvals"
    get = reads(list_approvals, name="approvals", summary="Approvals", answers=shapes.ApprovalOut, roles=STEWARDS)


class DecisionResource(OfApprovals):
    path = "approvals/<id:approval_id>/decision"
    post = does(
        approvals.decide,
        name="decide",
        summary="Approve or refuse",
        description="An approval takes effect at once. A refusal needs a reason.",
        answers=shapes.ApprovalOut,
        refuses=(409, 422),
    )


class ApprovalResource(OfApprovals):
    path, scope = "approvals/<id:approval_id>", "cage"
    delete = does(
        approvals.take_back,
        name="take_back_approval",
        summary="Cancel your approval request",
        status=204,
        roles=DECIDES,
        refuses=(409,),
    )


class MyCashierResource(Resource):
    path, tags = "me/cashier", ("me",)
    get = reads(read_own, name="my_cashier", summary="Your balances", answers=shapes.StandingOut)


class MyRequestsResource(Resource):
    path, tags = "me/cashier/requests", ("me",)
    get = reads(
        list_own_requests,
        name="my_cashier_requests",
        summary="Your requests to the cashier",
        answers=shapes.CashierRequestOut,
        many=True,
    )
    post = does(
        requests.make,
        name="ask_cashier",
        summary="Ask for a deposit or a withdrawal",
        answers=shapes.CashierRequestOut,
        status=201,
        refuses=(409, 422),
    )


class MyRequestResource(Resource):
    path, tags = "me/cashier/requests/<id:request_id>", ("me",)
    delete = does(
        requests.take_back, name="take_back_request", summary="Cancel your request", status=204, refuses=(409,)
    )


api = addresses(
    [
        SlipsResource,
        SlipResource,
        ReceiptResource,
        ReversalResource,
        DrawersResource,
        DrawerResource,
        DrawerSessionsResource,
        DrawerSessionResource,
        JoinResource,
        LeaveResource,
        FillResource,
        TakeResource,
        CountDrawerResource,
        CloseDrawerResource,
        DrawerReportResource,
        VaultResource,
        VaultCountsResource,
        RoleLimitsResource,
        PlayerBalancesResource,
        CreditLineResource,
        RequestsResource,
        FulfilResource,
        RefuseResource,
        ApprovalsResource,
        DecisionResource,
        ApprovalResource,
        MyCashierResource,
        MyRequestsResource,
        MyRequestResource,
    ]
)
