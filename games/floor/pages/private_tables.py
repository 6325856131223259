"""Private tables: invitations by the floor, and the password by which players invite themselves."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from cardroom.core.errors import Refusal
from cardroom.core.models import User
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.forms import PagePost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page, went_to
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.floor.pages import offer_shapes as shapes
from games.floor.pages.offers import TablePasswordForm
from games.floor.pages.table_actions import OnActions
from games.play import private
from games.tables.models.offers import Invitation
from games.tables.models.tables import Table
from games.tables.queries import offers as offer_queries
from games.tables.queries.tables import visible_table


class InvitationView(Shape):
    of = Invitation
    field_names = "player=player_id name=player.username by=by_id at"
    help_texts = {"by": "Null: by the password."}


def unlock(request: HttpRequest, table_id: int, refusal: Refusal | None = None, typed: Any = None) -> HttpResponse:
    """The page to give the password of a private table, once; then the player may sit down as anywhere."""
    table, form = visible_table(table_id, request.user), TablePasswordForm(typed)
    if refusal is not None and not form.errors:
        form.add_error("password", refusal.message)
    context = {"form": form, "table": table, "may_sit": private.may_sit(table, request.user)}
    return render(request, "games/floor/offers/unlock.html", context)


UNLOCK = Page("tables/<int:table_id>/unlock/", "table_unlock", unlock)


class UnlockTableForm(PagePost):
    page, does = UNLOCK, private.unlock

    def done(self, request: HttpRequest, result: Invitation) -> HttpResponse:
        words = gettext("{table} is open to you: choose a seat.").format(table=result.table.name)
        return went_to(request, words, "table", result.table_id)


class SetPrivacyForm(OnActions):
    does = private.make_private
    path, name = "floor/tables/<int:table_id>/actions/privacy/", "floor_table_privacy"

    def words(self, result: Table) -> str:
        pattern = gettext("{table} is private.") if result.is_private else gettext("{table} is open to everybody.")
        return pattern.format(table=result.name)


class InvitePlayerForm(OnActions):
    does = private.invite_named
    path, name = "floor/tables/<int:table_id>/actions/invite/", "floor_table_invite"

    def words(self, result: Invitation) -> str:
        return gettext("{player} is invited.").format(player=result.player)


class UninvitePlayerForm(OnActions):
    does = private.uninvite
    path, name = "floor/tables/<int:table_id>/actions/uninvite/", "floor_table_uninvite"

    def words(self, result: bool) -> str:
        return gettext("The invitation is withdrawn.")


def invitations(*, table_id: int, by: User) -> list[Invitation]:
    """The people who may sit at a private table, for the floor."""
    return offer_queries.invitations(offer_queries.room_table(table_id).pk)


def room_table(table: Table, by: User) -> Any:
    """The table as it is now, for staff."""
    return offer_queries.room_table(table.pk)


class OfPrivateTables(Resource):
    tags, scope = ("private tables",), "direct"


class Privacy(OfPrivateTables):
    path = "tables/<id:table_id>/privacy"
    put = does(
        private.make_private,
        name="make_private",
        summary="Make a table private, or open to everybody",
        description="For the floor and managers. Seated players stay, and are invited.",
        answers=shapes.RoomTable,
        shown=room_table,
        refuses=(422,),
    )


class Invitations(OfPrivateTables):
    path = "tables/<id:table_id>/invitations"
    get = reads(
        invitations,
        name="invitations",
        summary="List invitations",
        description="For the floor and managers.",
        answers=InvitationView,
        many=True,
        roles=private.ROLES,
    )
    post = does(
        private.invite_named,
        name="invite",
        summary="Invite a player",
        description="For the floor and managers.",
        answers=InvitationView,
        status=201,
        refuses=(422,),
    )


class OneInvitation(OfPrivateTables):
    path = "tables/<id:table_id>/invitations/<id:player_id>"
    delete = does(
        private.uninvite,
        name="uninvite",
        summary="Withdraw an invitation",
        description="For the floor and managers. Seated players stay seated.",
        status=204,
    )


class Unlock(Resource):
    path, tags = "tables/<id:table_id>/unlock", ("private tables",)
    post = does(
        private.unlock,
        name="unlock_table",
        summary="Give the password of a private table",
        description="You are invited from then on. After five wrong passwords within fifteen minutes: 429.",
        answers=InvitationView,
        refuses=(422,),
    )


api = addresses([Privacy, Invitations, OneInvitation, Unlock])
urlpatterns = page_urls([UNLOCK], forms=[SetPrivacyForm, InvitePlayerForm, UninvitePlayerForm, UnlockTableForm])
