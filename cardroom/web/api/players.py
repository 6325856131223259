"""Players at the desk: found, written down, checked in, banned, noted; and what a player sets for themselves."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.models import Ban, User
from cardroom.services import access, accounts, cards, limits, notes, selectors, standing, visits, walk_ins
from cardroom.services.errors import NotFound
from cardroom.web.api import keys
from cardroom.web.api import player_serializers as shapes
from cardroom.web.api.access import asker
from cardroom.web.api.schema import refusals

STAFF = ("floor", "cashier", "manager")
MOST = 200


class _Desk(APIView):
    """For the floor, cashiers and managers."""

    tags = ("players",)
    scope = "cage"

    def staff(self, request: Request) -> User:
        return access.require_role(asker(request), *STAFF)


class PlayersView(_Desk):
    @extend_schema(
        operation_id="find_players",
        summary="Find players",
        parameters=[shapes.PlayerQuery],
        responses={200: shapes.PlayerLine(many=True)} | refusals(400, 404, 422),
    )
    def get(self, request: Request) -> Response:
        self.staff(request)
        found = cards.find(shapes.PlayerQuery.read(request)["q"])
        return Response(shapes.PlayerLine(found, many=True).data)

    @extend_schema(
        operation_id="take_in",
        summary="Take in somebody new",
        description="A guest without a password, written down as a member, with a card, checked in.",
        request=shapes.MemberOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.Player} | refusals(409, 422),
    )
    def post(self, request: Request) -> Response:
        by, order, key = self.staff(request), shapes.MemberOrder.read(request), keys.key_of(request)
        made = walk_ins.take_in(by=by, key=key, **order)
        return Response(_told(accounts.one(made.pk)), status=status.HTTP_201_CREATED)


class PlayerView(_Desk):
    @extend_schema(operation_id="player", summary="One player", responses=shapes.Player)
    def get(self, request: Request, player_id: int) -> Response:
        self.staff(request)
        return Response(_told(accounts.one(player_id)))


class MemberView(_Desk):
    @extend_schema(
        operation_id="register_member",
        summary="Write a player down as a member",
        description="Gives them their first card; again, changes what is written about them.",
        request=shapes.MemberOrder,
        responses={200: shapes.Player} | refusals(422),
    )
    def put(self, request: Request, player_id: int) -> Response:
        by = self.staff(request)
        order, who = shapes.MemberOrder.read(request), accounts.one(player_id)
        cards.register(player=who, by=by, **order)
        return Response(_told(accounts.one(player_id)))


class CardsView(_Desk):
    @extend_schema(
        operation_id="issue_card",
        summary="Give another card",
        request=shapes.CardOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.MemberCard} | refusals(409),
    )
    def post(self, request: Request, player_id: int) -> Response:
        by, order = self.staff(request), shapes.CardOrder.read(request)
        key = keys.key_of(request)
        card = cards.issue(player=accounts.one(player_id), by=by, key=key, **order)
        return Response(shapes.MemberCard(card).data, status=status.HTTP_201_CREATED)


class CardLostView(_Desk):
    @extend_schema(operation_id="card_lost", summary="A card is lost", request=None, responses=shapes.MemberCard)
    def post(self, request: Request, player_id: int) -> Response:
        by = self.staff(request)
        card = cards.report_lost(player=accounts.one(player_id), by=by)
        return Response(shapes.MemberCard(card).data)


class VisitsView(_Desk):
    @extend_schema(operation_id="visits", summary="Who is in the room", responses=shapes.VisitLine(many=True))
    def get(self, request: Request) -> Response:
        self.staff(request)
        return Response(shapes.VisitLine(visits.here_now()[: 10 * MOST], many=True).data)

    @extend_schema(
        operation_id="scan_in",
        summary="Check in by a card",
        description="What a kiosk sends, with a key of somebody of the floor.",
        request=shapes.ScanOrder,
        responses={200: shapes.VisitLine} | refusals(404, 422),
    )
    def post(self, request: Request) -> Response:
        self.staff(request)
        visit = visits.check_in_by_barcode(**shapes.ScanOrder.read(request))
        return Response(shapes.VisitLine(visit).data)


class VisitView(_Desk):
    @extend_schema(operation_id="check_in", summary="Check a player in", request=None, responses=shapes.VisitLine)
    def post(self, request: Request, player_id: int) -> Response:
        by = self.staff(request)
        visit = visits.check_in(player=accounts.one(player_id), by=by)
        return Response(shapes.VisitLine(visit).data)

    @extend_schema(
        operation_id="check_out",
        summary="Check a player out",
        responses={200: shapes.VisitLine} | refusals(409),
    )
    def delete(self, request: Request, player_id: int) -> Response:
        by = self.staff(request)
        visit = visits.check_out(player=accounts.one(player_id), by=by)
        return Response(shapes.VisitLine(visit).data)


class BansView(_Desk):
    scope = "manage"

    @extend_schema(operation_id="bans", summary="Bans of a player", responses=shapes.BanLine(many=True))
    def get(self, request: Request, player_id: int) -> Response:
        self.staff(request)
        rows = Ban.objects.filter(player=accounts.one(player_id)).select_related("by")[:MOST]
        return Response(shapes.BanLine(rows, many=True).data)

    @extend_schema(
        operation_id="ban",
        summary="Ban a player",
        description="By a manager; by the floor for a day at most. A hand they are in is played to its end.",
        request=shapes.BanOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.BanLine} | refusals(409),
    )
    def post(self, request: Request, player_id: int) -> Response:
        by, order = self.staff(request), shapes.BanOrder.read(request)
        key = keys.key_of(request)
        ban = standing.ban(player=accounts.one(player_id), by=by, key=key, **order)
        return Response(shapes.BanLine(ban).data, status=status.HTTP_201_CREATED)


class LiftView(_Desk):
    scope = "manage"

    @extend_schema(
        operation_id="lift_ban",
        summary="Lift a ban",
        description="Not of somebody who excluded themselves.",
        request=shapes.AccountReason,
        responses={200: shapes.BanLine} | refusals(409, 422),
    )
    def post(self, request: Request, ban_id: int) -> Response:
        by = access.require_role(asker(request), "manager")
        ban = standing.lift(ban_id=ban_id, by=by, **shapes.AccountReason.read(request))
        return Response(shapes.BanLine(ban).data)


class NotesView(_Desk):
    @extend_schema(operation_id="player_notes", summary="Notes about a player", responses=shapes.NoteLine(many=True))
    def get(self, request: Request, player_id: int) -> Response:
        self.staff(request)
        return Response(shapes.NoteLine(notes.about(accounts.one(player_id)), many=True).data)

    @extend_schema(
        operation_id="write_note",
        summary="Write a note",
        request=shapes.NoteOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.NoteLine} | refusals(409),
    )
    def post(self, request: Request, player_id: int) -> Response:
        by, order = self.staff(request), shapes.NoteOrder.read(request)
        key = keys.key_of(request)
        note = notes.write(player=accounts.one(player_id), by=by, key=key, **order)
        return Response(shapes.NoteLine(note).data, status=status.HTTP_201_CREATED)


class NoteView(_Desk):
    @extend_schema(operation_id="remove_note", summary="Put a note away", responses={204: None})
    def delete(self, request: Request, note_id: int) -> Response:
        notes.remove(note_id=note_id, by=self.staff(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class MyCardView(APIView):
    """Your card."""

    tags = ("me",)

    @extend_schema(operation_id="my_card", summary="Your card", responses={200: shapes.MemberCard} | refusals(404))
    def get(self, request: Request) -> Response:
        member = cards.member_of(asker(request))
        card = member.cards.first() if member else None
        if card is None:
            raise NotFound("You have no card: the desk gives you one.", "no-card")
        return Response(shapes.MemberCard(card).data)

    @extend_schema(
        operation_id="my_card_lost", summary="Your card is lost", responses={200: shapes.MemberCard} | refusals(404)
    )
    def delete(self, request: Request) -> Response:
        user = asker(request)
        return Response(shapes.MemberCard(cards.report_lost(player=user, by=user)).data)


class MyLimitsView(APIView):
    """The limits you set for yourself."""

    tags = ("me",)

    @extend_schema(operation_id="my_limits", summary="Your limits", responses=shapes.LimitLine(many=True))
    def get(self, request: Request) -> Response:
        return Response(shapes.LimitLine(limits.all_of(asker(request), now=timezone.now()), many=True).data)

    @extend_schema(
        operation_id="set_my_limit",
        summary="Set a limit",
        description="Stricter counts at once, looser after a day.",
        request=shapes.WishOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.Wish} | refusals(409),
    )
    def post(self, request: Request) -> Response:
        order, key = shapes.WishOrder.read(request), keys.key_of(request)
        wish = limits.wish(player=asker(request), key=key, **order)
        return Response(shapes.Wish(wish).data, status=status.HTTP_201_CREATED)


class MyLimitView(APIView):
    tags = ("me",)

    @extend_schema(
        operation_id="cancel_my_limit",
        summary="Take back a limit that does not count yet",
        responses={200: shapes.Wish} | refusals(409),
    )
    def delete(self, request: Request, change_id: int) -> Response:
        return Response(shapes.Wish(limits.cancel(player=asker(request), change_id=change_id)).data)


class MyBansView(APIView):
    """What keeps you from playing."""

    tags = ("me",)

    @extend_schema(operation_id="my_bans", summary="Your bans", responses=shapes.BanLine(many=True))
    def get(self, request: Request) -> Response:
        found = standing.in_force(asker(request), now=timezone.now()).select_related("by")
        return Response(shapes.BanLine(found, many=True).data)

    @extend_schema(
        operation_id="exclude_me",
        summary="Shut yourself out",
        description="For a day at least. Nobody takes it back.",
        request=shapes.ExclusionOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.BanLine} | refusals(409),
    )
    def post(self, request: Request) -> Response:
        order, key = shapes.ExclusionOrder.read(request), keys.key_of(request)
        ban = standing.exclude_oneself(player=asker(request), key=key, **order)
        return Response(shapes.BanLine(ban).data, status=status.HTTP_201_CREATED)


def _told(who: User) -> dict[str, Any]:
    member = cards.member_of(who)
    more = {
        "cards": shapes.MemberCard(member.cards.all()[:20] if member else [], many=True).data,
        "bans": shapes.BanLine(standing.in_force(who, now=timezone.now()).select_related("by"), many=True).data,
        "notes": shapes.NoteLine(notes.about(who), many=True).data,
        "visits": shapes.VisitLine(visits.of(who, limit=10), many=True).data,
        "wallet": selectors.wallet_balance(who),
    }
    return {**shapes.PlayerLine(who).data, **more}
