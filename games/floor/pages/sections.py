"""The sections of the room: everybody sees them, managers edit them, the floor puts tables into them."""

import secrets
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy

from cardroom.core.arguments import RowId
from cardroom.core.models import User
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.forms import PlainPost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.floor import sections
from games.floor.pages import offer_shapes as shapes
from games.floor.pages.offers import SEES, may, shift_order
from games.floor.pages.private_tables import room_table
from games.tables.models.offers import Section
from games.tables.queries import offers as offer_queries


class SectionView(Shape):
    """A section of the room."""

    of = Section
    field_names = "id name place"


def page(request: HttpRequest) -> HttpResponse:
    """The sections of the room."""
    context = {"sections": offer_queries.sections(), "key": secrets.token_urlsafe(9), **may(request)}
    return render(request, "games/floor/offers/sections.html", context)


def move_section(*, section_id: RowId, is_up: bool, by: User) -> list[Section]:
    """Move a section one place up or down."""
    ids = shift_order([section.pk for section in offer_queries.sections()], section_id, up=is_up)
    return sections.reorder(section_ids=ids, by=by)


PAGE = Page("floor/sections/", "sections", page, SEES)


class AddSectionForm(PlainPost):
    page, does, path, name = PAGE, sections.create, "floor/sections/add/", "section_add"
    then = gettext_lazy("{} is added.")


class OnSection(PlainPost):
    """A form of one section, after which all are shown."""

    page, path, name = PAGE, "floor/sections/<int:section_id>/<slug:verb>/", "section_change"

    def done(self, request: HttpRequest, result: Any) -> HttpResponse:
        return redirect("sections")


class RenameSectionForm(OnSection):
    does, button = sections.rename, "rename"


class RemoveSectionForm(OnSection):
    does, button = sections.remove, "remove"


class MoveSectionForm(OnSection):
    does = move_section

    def typed(self, form: QueryDict) -> QueryDict:
        """The button is the direction."""
        form["is_up"] = "yes" if self.button == "up" else "no"
        return form


class MoveSectionUpForm(MoveSectionForm):
    button = "up"


class MoveSectionDownForm(MoveSectionForm):
    button = "down"


def in_order(*, by: Any) -> list[Section]:
    """The sections in their order."""
    return offer_queries.sections()


class OfSections(Resource):
    tags, scope = ("sections",), "manage"


class Sections(OfSections):
    path = "sections"
    get = reads(in_order, name="sections", summary="The sections", answers=SectionView, many=True, is_public=True)
    post = does(
        sections.create,
        name="create_section",
        summary="Make a section",
        description="For managers.",
        answers=SectionView,
        status=201,
        refuses=(409,),
    )
    put = does(
        sections.reorder,
        name="order_sections",
        summary="Order the sections",
        description="For managers. List each section once.",
        answers=SectionView,
        many=True,
    )


class OneSection(OfSections):
    path = "sections/<id:section_id>"
    patch = does(
        sections.rename,
        name="rename_section",
        summary="Rename a section",
        description="For managers.",
        answers=SectionView,
        refuses=(409,),
    )
    delete = does(
        sections.remove,
        name="remove_section",
        summary="Remove a section",
        description="For managers. The section must be empty.",
        status=204,
        refuses=(409,),
    )


class SectionOfTable(Resource):
    path, tags, scope = "tables/<id:table_id>/section", ("table life",), "direct"
    put = does(
        sections.place,
        name="place_table",
        summary="Put a table into a section",
        description="For the floor and managers.",
        answers=shapes.RoomTable,
        shown=room_table,
    )


api = addresses([Sections, OneSection, SectionOfTable])
urlpatterns = page_urls(
    [PAGE], forms=[AddSectionForm, RenameSectionForm, RemoveSectionForm, MoveSectionUpForm, MoveSectionDownForm]
)
