"""The cage's verbs and what can be looked at there, for pages and for programs. See `operations`."""

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import register_converter, reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from cardroom.cage import allowances, corrections, counter, drawers, pages, requests, slips, vault
from cardroom.cage import books as cage_books
from cardroom.cage import documents as cage_documents
from cardroom.cage import queries as cage_queries
from cardroom.cage import serializers as shapes
from cardroom.cage.models import CashierRequest, CreditLine, Slip
from cardroom.cage.pages import slip_told
from cardroom.core import access, approvals
from cardroom.core.documents import CSV, PDF, File
from cardroom.core.models import Approval, User
from cardroom.core.sentences import filled
from cardroom.core.web import operations as of
from cardroom.core.web.operations import Form, Operation, Page, Read
from cardroom.core.web.parts import whole_or_none
from cardroom.ledger import counts


class FileForm:
    """As what a report comes."""

    regex = "pdf|csv"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(FileForm, "form")

_MANAGER = ("manager",)
_DECIDES = ("cashier", "director", "floor", "manager")
_STEWARDS = (*_DECIDES, "auditor")

_SEES = cage_documents.SEES
DESK = Page("cage/", "cage", pages.desk, cage_books.STAFF, template="cardroom/cage/desk.html")
SLIPS = Page("cage/slips/", "cage_slips", pages.slips, _SEES, template="cardroom/cage/slips.html")
SLIP = Page("cage/slips/<id:slip_id>/", "cage_slip", pages.slip, template="cardroom/cage/slip.html")
_SEES_DRAWERS = cage_documents.SEES_DRAWERS
DRAWERS = Page("cage/drawers/", "cage_drawers", pages.drawers, _SEES_DRAWERS, template="cardroom/cage/drawers.html")
SESSION = Page(
    "cage/sessions/<id:session_id>/", "cage_session", pages.session, _SEES_DRAWERS,
    template="cardroom/cage/session.html",
)  # fmt: skip
VAULT = Page("cage/vault/", "cage_vault", pages.vault, _SEES, template="cardroom/cage/vault.html")
APPROVALS = Page(
    "cage/approvals/", "cage_approvals", pages.asked_for, _STEWARDS, template="cardroom/cage/approvals.html"
)
LIMITS = Page("cage/limits/", "cage_limits", pages.limits, _SEES, template="cardroom/cage/limits.html")
MINE = Page("me/cashier/", "my_cashier", pages.my_cashier, template="cardroom/cage/mine.html")
REPORT = Page("cage/sessions/<id:session_id>/report.<form:form>", "cage_report", pages.report)
PAGES = (DESK, SLIPS, SLIP, DRAWERS, SESSION, REPORT, VAULT, APPROVALS, LIMITS, MINE)

_verb = partial(Operation, tag="cage", scope="cage", roles=cage_books.STAFF, asks_factor=True)
_read = partial(Read, tag="cage", scope="cage", roles=_SEES)
_my = partial(Operation, tag="me")


def _either(name: str) -> Any:
    """For a shape with what was done under `name`, and the approval that it waits for."""

    def shown(made: Any, by: User) -> dict[str, Any]:
        waits = isinstance(made, Approval)
        return {name: None if waits else made, "approval": made if waits else None}

    return shown


_slip = {"out": shapes.CageDone, "waiting": shapes.CageDone, "shows": _either("slip"), "status": 201, "keyed": True}


def _fulfilled(made: CashierRequest | Approval, by: User) -> dict[str, Any]:
    if isinstance(made, CashierRequest):
        return {"request": made, "approval": None}
    row = CashierRequest.objects.select_related("player").get(pk=made.payload["request"])
    return {"request": row, "approval": made}


def _standing(player: User) -> cage_queries.Standing:
    return cage_queries.of_player(player, now=timezone.now())


def _set_line(*, player_id: int, **order: Any) -> CreditLine:
    return slips.set_line(player=access.one(player_id), **order)


def _line_set(line: CreditLine, by: User) -> cage_queries.Standing:
    return _standing(line.player)


def _limits(*_: Any) -> list[dict[str, Any]]:
    table = allowances.table().items()
    return [{"role": role, "verb": verb, "slip": each.slip, "day": each.day} for (role, verb), each in table]


def _drawer_now(made: Any, by: User) -> cage_queries.DrawerNow:
    return next(each for each in cage_queries.drawers(by) if each.drawer.pk == made.pk)


def _report(by: User, **asked: Any) -> File:
    return cage_documents.session_report(by=by, now=timezone.now(), **asked)


def _close_again(request: HttpRequest, **said: Any) -> HttpResponse:
    """Of whose drawer was to be closed: one's own on the page of all, somebody else's on the one of its session."""
    number = whole_or_none(request.POST.get("session_id", ""))
    return SESSION.drawn(request, session_id=number, **said) if number else DRAWERS.drawn(request, **said)


def _seen(by: User, slip_id: int) -> Slip:
    slip = cage_books.slip(slip_id)
    cage_queries.check_may_see(slip, by, is_staff=access.has_role(by, *_SEES))
    return slip


def _slips_address(request: Any) -> dict[str, str]:
    slip_id = request.resolver_match.kwargs["slip_id"]
    return {"address": request.build_absolute_uri(reverse(SLIP.name, args=[slip_id]))}


def _blind(by: User, found: Any) -> dict[str, Any]:
    return {"blind": cage_queries.blind_among(by, found if isinstance(found, list) else [found])}


DECLARED = [
    # Slips
    _read(
        name="slips", summary="Slips", address="cage/slips", query=shapes.SlipsQuery, out=shapes.SlipOut, paged=True,
        finds=lambda by, **wanted: cage_queries.slips(**wanted),
    ),
    _read(
        name="slip", summary="A slip", description="One slip, for cage staff and for its player.",
        address="cage/slips/<id:slip_id>", roles=(), out=shapes.SlipOut, finds=_seen,
    ),
    _verb(
        name="print_slip", summary="Print a slip", address="cage/slips/<id:slip_id>/receipt", roles=(),
        description="A PDF. Prints are counted; from the second print on it carries the copy number.",
        does=cage_documents.receipt, tells=_slips_address, media={PDF: "The receipt."},
        form=Form("cage/slips/<id:slip_id>/receipt/", "cage_receipt", SLIP, of.file_told, of.refused),
    ),
    _verb(
        name="write_slip", summary="Write a slip", address="cage/slips", **_slip,
        description="Deposit, withdrawal, credit, repayment, comp or transfer. 201 with the slip; 202 with the "
        "approval, where the amount is above your limit.",
        does=counter.write_slip, order=shapes.SlipOrder, refuses=(404, 409, 422),
        form=Form("cage/do/", "cage_do", DESK, pages.player_told),
    ),
    _verb(
        name="reverse_slip", summary="Reverse a slip", address="cage/slips/<id:slip_id>/reversal", **_slip,
        does=corrections.reverse, order=shapes.CageReasonOrder, refuses=(404, 409, 422),
        form=Form("cage/slips/<id:slip_id>/reverse/", "cage_reverse", SLIP, pages.slip_reversed),
    ),
    # Drawers
    _read(
        name="drawers", summary="List drawers", address="cage/drawers", out=shapes.DrawerOut, many=True,
        description="Directors and the floor see those of the tournament desk.", roles=_SEES_DRAWERS,
        finds=cage_queries.drawers,
    ),
    _verb(
        name="make_drawer", summary="Add a drawer", address="cage/drawers", roles=_MANAGER,
        description="For managers. A retired drawer of this name is used again.",
        does=drawers.make_drawer, order=shapes.DrawerOrder, status=201, out=shapes.DrawerOut, shows=_drawer_now,
        form=Form("cage/drawers/new/", "cage_make_drawer", DRAWERS, gettext_lazy("{} is added.")),
    ),
    _verb(
        name="retire_drawer", summary="Retire a drawer", method="DELETE", roles=_MANAGER,
        address="cage/drawers/<id:drawer_id>", description="For managers. The drawer must be closed and empty.",
        does=drawers.retire_drawer, status=204, refuses=(409,),
        form=Form("cage/drawers/<id:drawer_id>/retire/", "cage_retire_drawer", DRAWERS, gettext_lazy("{} is retired.")),
    ),
    _read(
        name="drawer_sessions", summary="List drawer sessions", address="cage/sessions", out=shapes.DrawerSessionOut,
        description="Directors and the floor see those of the tournament desk.", roles=_SEES_DRAWERS,
        paged=True, context=_blind, finds=lambda by, **wanted: cage_queries.sessions(viewer=by, **wanted),
    ),
    _verb(
        name="open_drawer", summary="Open a drawer with a count", address="cage/sessions",
        description="201 with the session; 202 with the approval, where the difference is above your limit. Directors "
        "and the floor open a drawer of the tournament desk, and get its float from a cashier.",
        roles=cage_books.EVENT_DESK,
        does=drawers.open_drawer, order=shapes.DrawerOpenOrder, keyed=True, status=201,
        out=shapes.DrawerOpenDone, waiting=shapes.DrawerOpenDone, shows=_either("session"), refuses=(404, 409, 422),
        form=Form("cage/drawers/open/", "cage_open", DRAWERS, pages.drawer_opened),
    ),
    _read(
        name="drawer_session", summary="A drawer session", address="cage/sessions/<id:session_id>",
        out=shapes.DrawerSessionSheet, context=_blind, roles=_SEES_DRAWERS,
        finds=lambda by, session_id: cage_queries.session(session_id, viewer=by),
    ),
    *[
        _verb(
            name=name, summary=summary, address=f"cage/sessions/<id:session_id>/{word}", does=does, keyed=True,
            roles=cage_books.EVENT_DESK, out=shapes.DrawerSessionOut, refuses=(404, 409),
            form=Form(f"cage/sessions/<id:session_id>/{word}/", f"cage_{word}", DRAWERS, then),
        )
        for name, word, summary, does, then in (
            ("join_drawer", "join", "Work on an open drawer of the tournament desk", drawers.join,
             pages.drawer_joined),
            ("leave_drawer", "leave", "Stop working on a drawer of the tournament desk", drawers.leave,
             pages.drawer_left),
        )
    ],
    *[
        _verb(
            name=name, summary=summary, address=f"cage/sessions/<id:session_id>/{word}", does=does, keyed=True,
            order=shapes.DrawerAmountOrder, status=201, out=shapes.SlipOut, refuses=(409, 422),
            description="Yours, or one of the tournament desk, whoever works on it.",
            form=Form(f"cage/drawers/{word}/", f"cage_{word}", DRAWERS, pages.filled_or_taken, _close_again,
                      hidden={"session_id": ""}),
        )
        for name, word, summary, does in (
            ("fill_drawer", "fill", "Fill a drawer from the vault", vault.fill),
            ("take_from_drawer", "take", "Move an excess to the vault", vault.take),
        )
    ],
    _verb(
        name="count_drawer", summary="Count your drawer", address="cage/sessions/<id:session_id>/count",
        roles=cage_books.EVENT_DESK,
        does=drawers.count, order=shapes.DrawerCountOrder, keyed=True, status=201, out=shapes.DrawerCountOut,
        refuses=(409,), form=Form("cage/drawers/count/", "cage_count", DRAWERS, DRAWERS.said(pages.counted)),
    ),
    _verb(
        name="close_drawer", summary="Close a drawer with a count", address="cage/sessions/<id:session_id>/close",
        description="Your own or, as a manager with a reason, anybody's. The session is `closing` where the "
        "difference is above your limit.",
        roles=cage_books.EVENT_DESK,
        does=drawers.close_drawer, order=shapes.DrawerCloseOrder, keyed=True, out=shapes.DrawerSessionOut,
        refuses=(404, 409, 422),
        form=Form("cage/drawers/close/", "cage_close", DRAWERS, pages.drawer_closed, _close_again,
                  hidden={"session_id": ""}),
    ),
    _read(
        name="drawer_report", summary="The report of a drawer session", roles=(), refuses=(404, 409),
        address="cage/sessions/<id:session_id>/report.<form:form>",
        description="Counts are blind: for managers after the count, for cashiers if they counted it themselves.",
        media={PDF: "Counts and sums.", CSV: "Every slip."}, finds=_report,
    ),
    # The vault
    _read(
        name="vault", summary="The vault balance", address="cage/vault", out=shapes.VaultOut,
        finds=lambda by: {"holds": cage_queries.vault() if cage_queries.sees_vault(by) else None},
    ),
    _verb(
        name="move_vault", summary="Move money between the vault and the bank", address="cage/vault", roles=_MANAGER,
        **_slip,
        description="For managers. 202 with the approval, where the amount is above your limit.",
        does=vault.vault, order=shapes.VaultOrder, refuses=(409, 422),
        form=Form(VAULT.address, VAULT.name, DRAWERS, slip_told("cage_drawers")),
    ),
    _read(
        name="vault_counts", summary="List counts of the vault", address="cage/vault/counts", out=shapes.VaultCountOut,
        paged=True, finds=lambda by, **wanted: counts.of(vault.SUBJECT, **wanted),
        context=lambda by, found: {"sees": cage_queries.sees_vault(by)},
    ),
    _verb(
        name="count_vault", summary="Count the vault", address="cage/vault/counts",
        description="201 with the count, its difference posted; 202 with the approval, where the difference is "
        "above your limit. Counts are blind: a count that differs is recorded, and refused (422) until it comes "
        "with a reason.",
        does=vault.count_vault, order=shapes.VaultCountOrder, keyed=True, status=201, out=shapes.VaultCountDone,
        waiting=shapes.VaultCountDone, shows=_either("count"), context={"sees": True}, refuses=(409, 422),
        form=Form("cage/vault/count/", "cage_count_vault", VAULT, VAULT.said(pages.counted)),
    ),
    # Limits, credit
    _read(
        name="cage_limits", summary="List the limits of each role", address="cage/limits", scope="manage",
        out=shapes.CageLimitOut,
        many=True, finds=_limits,
    ),
    _verb(
        name="set_cage_limit", summary="Set a limit of a role", method="PUT", address="cage/limits", scope="manage",
        roles=_MANAGER, description="For managers. 202 with the approval, where it raises your own limit.",
        does=allowances.set_limit, order=shapes.CageLimitOrder, out=shapes.CageLimitOut, many=True, shows=_limits,
        waiting=shapes.ApprovalOut, form=Form("cage/limits/", "cage_limits", LIMITS, pages.limit_set),
    ),
    _read(
        name="cage_player", summary="The balances of a player", address="cage/players/<id:player_id>",
        out=shapes.StandingOut, finds=lambda by, player_id: _standing(access.one(player_id)),
    ),
    _verb(
        name="set_credit_line", summary="Set a credit line", method="PUT", roles=_MANAGER, scope="manage",
        address="cage/players/<id:player_id>/credit-line", description="For managers.", does=_set_line,
        order=shapes.LineOrder, out=shapes.StandingOut, shows=_line_set, refuses=(422,),
        form=Form("cage/players/<id:player_id>/credit-line/", "cage_line", DESK, pages.line_set),
    ),
    # Requests of players
    _read(
        name="cashier_requests", summary="List the requests of players", address="cage/requests", many=True,
        out=shapes.CashierRequestOut, finds=lambda by: requests.waiting(),
    ),
    _verb(
        name="fulfil_request", summary="Carry out a request", address="cage/requests/<id:request_id>/fulfil",
        does=requests.fulfil,
        order=shapes.FulfilOrder, out=shapes.CashierRequestDone, waiting=shapes.CashierRequestDone, shows=_fulfilled,
        refuses=(409, 422), form=Form("cage/requests/<id:request_id>/", "cage_request", DESK, pages.player_told),
    ),
    _verb(
        name="refuse_request", summary="Refuse a request", address="cage/requests/<id:request_id>/refuse",
        does=requests.refuse, order=shapes.CageReasonOrder, out=shapes.CashierRequestOut, refuses=(409,),
        form=Form("cage/requests/<id:request_id>/refuse/", "cage_refuse_request", DESK,
                  gettext_lazy("Request refused. The player gets the reason.")),
    ),
    # Approvals
    _read(
        name="approvals", summary="Approvals", address="approvals", tag="approvals", roles=_STEWARDS,
        scope="manage", out=shapes.ApprovalOut, paged=True, finds=lambda by, **wanted: approvals.listed(**wanted),
    ),
    _verb(
        name="decide", summary="Approve or refuse", address="approvals/<id:approval_id>/decision", tag="approvals",
        scope="manage", roles=(), description="An approval takes effect at once. A refusal needs a reason.",
        does=approvals.decide, order=shapes.DecisionOrder, out=shapes.ApprovalOut, refuses=(409, 422),
        form=Form("cage/approvals/<id:approval_id>/decide/", "cage_decide", APPROVALS,
                  APPROVALS.said(lambda row: gettext("{words}: {verdict}.").format(
                      words=row.said, verdict=row.get_verdict_display()))),
    ),
    _verb(
        name="take_back_approval", summary="Cancel your approval request", method="DELETE", tag="approvals",
        address="approvals/<id:approval_id>", roles=_DECIDES, does=approvals.take_back, status=204, refuses=(409,),
        form=Form("cage/approvals/<id:approval_id>/take-back/", "cage_take_back", APPROVALS,
                  APPROVALS.said(lambda row: gettext("{words}: cancelled.").format(words=row.said))),
    ),
    # A player's own
    Read(
        name="my_cashier", summary="Your balances", address="me/cashier", tag="me", out=shapes.StandingOut,
        finds=_standing,
    ),
    Read(
        name="my_cashier_requests", summary="Your requests to the cashier", address="me/cashier/requests", tag="me",
        many=True,
        out=shapes.CashierRequestOut, finds=cage_queries.requests_of,
    ),
    _my(
        name="ask_cashier", summary="Ask for a deposit or a withdrawal", address="me/cashier/requests",
        does=requests.make, order=shapes.CashierRequestOrder, keyed=True, status=201, out=shapes.CashierRequestOut,
        refuses=(409, 422), form=Form("me/cashier/ask/", "my_cashier_ask", MINE,
        MINE.said(lambda row: filled(gettext("Request sent: {kind} of {amount:,}."), kind=row.get_kind_display(),
        amount=row.amount))),
    ),
    _my(
        name="take_back_request", summary="Cancel your request", method="DELETE", does=requests.take_back, status=204,
        address="me/cashier/requests/<id:request_id>", refuses=(409,),
        form=Form("me/cashier/<id:request_id>/take-back/", "my_cashier_take_back", MINE,
            gettext_lazy("Request cancelled.")),
    ),
]  # fmt: skip


api = of.resources(DECLARED)
urlpatterns = of.pages(PAGES, DECLARED)
