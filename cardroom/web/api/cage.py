"""The cage for programs: slips, drawers, limits, the vault. For cashiers and managers; auditors read."""

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.models import Approval, BlindCount, User
from cardroom.services import access, accounts, cage, counts
from cardroom.services.cage import allowances, asking, books, looking, receipts, vaults
from cardroom.services.prints.files import PDF
from cardroom.web import files
from cardroom.web.api import cage_serializers as shapes
from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.paging import NewestFirst
from cardroom.web.api.schema import refusals

_PAPER = {(200, PDF): OpenApiResponse(OpenApiTypes.BINARY, description="The paper.")}


def staff(request: Request, *, reads: bool = False) -> User:
    """Whoever asks, if they are of the cage; auditors look as well."""
    return access.require_role(asker(request), *(receipts.SEES if reads else books.STAFF))


def answered(done: asking.Done) -> Response:
    """The slip, or what it waits for."""
    if isinstance(done, Approval):
        body = {"slip": None, "approval": shapes.ApprovalOut(done).data}
        return Response(body, status=status.HTTP_202_ACCEPTED)
    return Response({"slip": shapes.SlipOut(done).data, "approval": None}, status=status.HTTP_201_CREATED)


class CageView(APIView):
    tags = ("cage",)
    scope = "cage"


class SlipsView(CageView):
    """Slips, newest first."""

    pagination_class = NewestFirst

    @extend_schema(
        operation_id="slips",
        summary="Slips",
        parameters=[shapes.SlipsQuery],
        responses=shapes.SlipOut(many=True),
    )
    def get(self, request: Request) -> Response:
        staff(request, reads=True)
        query = shapes.SlipsQuery.read(request)
        wanted = {name: query[name] for name in ("player", "session", "kind") if name in query}
        rows, later = NewestFirst().page(request, partial(_slips, wanted), number=lambda slip: slip.pk)
        return Response({"next": later, "results": shapes.SlipOut(rows, many=True).data})

    @extend_schema(
        operation_id="write_slip",
        summary="Deposit, withdraw, lend, give a comp",
        description="201 with the slip; 202 with the approval, where it is above what you may do alone.",
        request=shapes.SlipOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.CageDone, 202: shapes.CageDone} | refusals(404, 409, 422),
    )
    def post(self, request: Request) -> Response:
        by = staff(request)
        order = shapes.SlipOrder.read(request)
        order["player"] = accounts.one(order["player"])
        if "to" in order:
            order["to"] = accounts.one(order["to"])
        verb = order.pop("kind")
        return answered(cage.request(verb=verb, by=by, key=keys.key_of(request), **order))


class SlipView(CageView):
    """One slip."""

    @extend_schema(operation_id="slip", summary="A slip", responses=shapes.SlipOut)
    def get(self, request: Request, slip_id: int) -> Response:
        user, slip = asker(request), books.slip(slip_id)
        looking.check_may_see(slip, user, is_staff=access.has_role(user, *receipts.SEES))
        return Response(shapes.SlipOut(slip).data)


class ReceiptView(CageView):
    """A slip on paper."""

    @extend_schema(
        operation_id="print_slip",
        summary="Print a slip",
        description="A PDF. Each print is counted; from the second on it says which copy it is.",
        request=None,
        responses=_PAPER,
    )
    def post(self, request: Request, slip_id: int) -> HttpResponse:
        address = request.build_absolute_uri(f"/cage/slips/{slip_id}/")
        return files.answer(receipts.receipt(slip_id=slip_id, by=asker(request), address=address))


class ReversalView(CageView):
    """Take a slip back."""

    @extend_schema(
        operation_id="reverse_slip",
        summary="Reverse a slip",
        request=shapes.CageReasonOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.CageDone, 202: shapes.CageDone} | refusals(404, 409, 422),
    )
    def post(self, request: Request, slip_id: int) -> Response:
        by, order = staff(request), shapes.CageReasonOrder.read(request)
        key = keys.key_of(request)
        done = cage.request(verb="reversal", slip_id=slip_id, by=by, key=key, **order)
        return answered(done)


class DrawersView(CageView):
    """Drawers in use."""

    @extend_schema(operation_id="drawers", summary="Drawers", responses=shapes.DrawerOut(many=True))
    def get(self, request: Request) -> Response:
        by = staff(request, reads=True)
        return Response(shapes.DrawerOut(looking.drawers(by), many=True).data)

    @extend_schema(
        operation_id="make_drawer",
        summary="Another drawer",
        description="For managers. The one there is of this name, in use again.",
        request=shapes.DrawerOrder,
        responses={201: shapes.DrawerOut},
    )
    def post(self, request: Request) -> Response:
        by = access.require_role(asker(request), "manager")
        row = cage.make_drawer(by=by, **shapes.DrawerOrder.read(request))
        shown = next(each for each in looking.drawers(by) if each.drawer.pk == row.pk)
        return Response(shapes.DrawerOut(shown).data, status=status.HTTP_201_CREATED)


class DrawerView(CageView):
    """One drawer."""

    @extend_schema(
        operation_id="retire_drawer",
        summary="Take a drawer out of use",
        description="For managers; once it is closed and empty.",
        responses={204: None} | refusals(409),
    )
    def delete(self, request: Request, drawer_id: int) -> Response:
        by = access.require_role(asker(request), "manager")
        cage.retire_drawer(drawer_id=drawer_id, by=by)
        return Response(status=status.HTTP_204_NO_CONTENT)


class VaultView(CageView):
    """The vault."""

    @extend_schema(operation_id="vault", summary="What lies in the vault", responses=shapes.VaultOut)
    def get(self, request: Request) -> Response:
        by = staff(request, reads=True)
        return Response({"holds": looking.vault() if looking.sees_vault(by) else None})

    @extend_schema(
        operation_id="move_vault",
        summary="Money from or to the bank",
        description="For managers; above a limit a second one is asked.",
        request=shapes.VaultOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.CageDone, 202: shapes.CageDone} | refusals(409, 422),
    )
    def post(self, request: Request) -> Response:
        by = access.require_role(asker(request), "manager")
        order = shapes.VaultOrder.read(request)
        return answered(cage.request(verb="vault", by=by, key=keys.key_of(request), **order))


class VaultCountsView(CageView):
    """Counts of the vault, newest first, the wrong ones too."""

    pagination_class = NewestFirst

    @extend_schema(
        operation_id="vault_counts", summary="Counts of the vault", responses=shapes.VaultCountOut(many=True)
    )
    def get(self, request: Request) -> Response:
        by = staff(request, reads=True)
        rows, later = NewestFirst().page(request, _vault_counts, number=lambda row: row.pk)
        shown = shapes.VaultCountOut(rows, many=True, context={"sees": looking.sees_vault(by)})
        return Response({"next": later, "results": shown.data})

    @extend_schema(
        operation_id="count_vault",
        summary="Count the vault",
        description="201 with the count, its difference posted; 202 with the approval, where it differs by more than "
        "you may answer for alone. Counts are blind: one that differs is kept, and refused (422) until its reason is "
        "given with it.",
        request=shapes.VaultCountOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.VaultCountDone, 202: shapes.VaultCountDone} | refusals(409, 422),
    )
    def post(self, request: Request) -> Response:
        by, order = staff(request), shapes.VaultCountOrder.read(request)
        made = cage.count_vault(by=by, key=keys.key_of(request), **order)
        if isinstance(made, Approval):
            body = {"count": None, "approval": shapes.ApprovalOut(made).data}
            return Response(body, status=status.HTTP_202_ACCEPTED)
        body = {"count": shapes.VaultCountOut(made, context={"sees": True}).data, "approval": None}
        return Response(body, status=status.HTTP_201_CREATED)


class LimitsView(CageView):
    """What each role may do alone."""

    scope = "manage"

    @extend_schema(operation_id="cage_limits", summary="Limits by role", responses=shapes.CageLimitOut(many=True))
    def get(self, request: Request) -> Response:
        staff(request, reads=True)
        return Response(_limits())

    @extend_schema(
        operation_id="set_cage_limit",
        summary="Set a limit",
        description="For managers. 202 with the approval, where it raises a limit that binds you.",
        request=shapes.CageLimitOrder,
        responses={200: shapes.CageLimitOut(many=True), 202: shapes.ApprovalOut},
    )
    def put(self, request: Request) -> Response:
        by = access.require_role(asker(request), "manager")
        done = cage.set_limit(by=by, **shapes.CageLimitOrder.read(request))
        if isinstance(done, Approval):
            return Response(shapes.ApprovalOut(done).data, status=status.HTTP_202_ACCEPTED)
        return Response(_limits())


class CagePlayerView(CageView):
    """A player before the cashier."""

    @extend_schema(operation_id="cage_player", summary="What the player has and owes", responses=shapes.StandingOut)
    def get(self, request: Request, player_id: int) -> Response:
        staff(request, reads=True)
        return Response(shapes.StandingOut(looking.of_player(accounts.one(player_id), now=timezone.now())).data)


class CreditLineView(CageView):
    """How much a player may owe."""

    scope = "manage"

    @extend_schema(
        operation_id="set_credit_line",
        summary="Set a credit line",
        description="For managers.",
        request=shapes.LineOrder,
        responses=shapes.StandingOut,
    )
    def put(self, request: Request, player_id: int) -> Response:
        by, player = access.require_role(asker(request), "manager"), accounts.one(player_id)
        cage.set_line(player=player, by=by, **shapes.LineOrder.read(request))
        return Response(shapes.StandingOut(looking.of_player(player, now=timezone.now())).data)


def _limits() -> list[dict[str, Any]]:
    found = [
        {"role": role, "verb": verb, "slip": each.slip, "day": each.day}
        for (role, verb), each in allowances.table().items()
    ]
    return list(shapes.CageLimitOut(found, many=True).data)


def _vault_counts(before: int | None, limit: int) -> list[BlindCount]:
    return counts.of(vaults.SUBJECT, before=before, limit=limit)


def _slips(wanted: dict[str, Any], before: int | None, limit: int) -> list[Any]:
    return looking.slips(before=before, limit=limit, **wanted)
