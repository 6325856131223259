"""The blacklist, for managers."""

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from cardroom.accounts import blacklist
from cardroom.accounts.models import Blocked
from cardroom.core.arguments import RowId
from cardroom.core.models import User
from cardroom.core.web.api.routes import older
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.forms import PagePost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Context, Page
from cardroom.core.web.resources import Resource, addresses, does, reads

SHOWN = 500


class BlockedLine(Shape):
    """An entry of the blacklist."""

    of = Blocked
    field_names = "id kind value reason until by at"
    kind = serializers.ChoiceField(Blocked.Kind.choices)
    by = serializers.CharField(source="by.username", default=None, allow_null=True)


def page(request: HttpRequest) -> Context:
    """The blacklist."""
    return {"lines": blacklist.on_the_list(now=timezone.now())[:SHOWN], "kinds": Blocked.Kind.choices}


BLACKLIST = Page(
    "staff/blacklist/",
    "blacklist",
    page,
    blacklist.STAFF,
    template="cardroom/office/blacklist.html",
    says_refusals=True,
)


class OnBlacklist(PagePost):
    """A form of the blacklist's page."""

    page, asks_factor = BLACKLIST, True


class AddBlockForm(OnBlacklist):
    does, then = blacklist.add, gettext_lazy("Added to the blacklist.")


class EditBlockForm(OnBlacklist):
    does, button, then = blacklist.edit, "edit", gettext_lazy("The entry is changed.")


class RemoveBlockForm(OnBlacklist):
    does, button, then = blacklist.remove, "remove", gettext_lazy("Removed from the blacklist.")


def listing(*, before: int | None, limit: int, by: User) -> list[Blocked]:
    """The entries in force, the newest first."""
    return older(blacklist.on_the_list(now=timezone.now()), before, limit)


def entry(*, line_id: RowId, by: User) -> Blocked:
    """An entry by its number. Refuses: `NotFound`."""
    return blacklist.get_entry(line_id)


class ManagersBlacklistResource(Resource):
    """Requests of managers about the blacklist."""

    tags, scope, asks_factor = ("blacklist",), "manage", True


class BlacklistResource(ManagersBlacklistResource):
    path = "blacklist"
    get = reads(listing, name="blacklist", summary="The blacklist", answers=BlockedLine, roles=blacklist.STAFF)
    post = does(
        blacklist.add, name="block", summary="Add a blacklist entry", answers=BlockedLine, status=201, refuses=(409,)
    )


class BlacklistEntryResource(ManagersBlacklistResource):
    path = "blacklist/<id:line_id>"
    get = reads(entry, name="blacklist_line", summary="A blacklist entry", answers=BlockedLine, roles=blacklist.STAFF)
    patch = does(blacklist.edit, name="edit_blacklist_line", summary="Change a blacklist entry", answers=BlockedLine)
    delete = does(blacklist.remove, name="unblock", summary="Remove a blacklist entry", status=204)


api = addresses([BlacklistResource, BlacklistEntryResource])
urlpatterns = page_urls([BLACKLIST], forms=[AddBlockForm, EditBlockForm, RemoveBlockForm])
