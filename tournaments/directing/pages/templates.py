"""Templates, from which directors create events: the list of them, and an event's terms saved as one."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy

from cardroom.core.errors import Refusal
from cardroom.core.models import User
from cardroom.core.web.api.fields import RequestBody, Text
from cardroom.core.web.forms import PagePost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Context, Page
from tournaments.events import queries as event_queries
from tournaments.events import staff, terms
from tournaments.events.models import Template
from tournaments.registration.pages.views import EVENT


class SaveTemplateOrder(RequestBody):
    """On the page of an event, whose terms it has."""

    name = Text(max_length=80)


def template_list(request: HttpRequest) -> Context:
    return {"templates": templates_in_use()}


def save_template(request: HttpRequest, *, tournament_id: int) -> Context:
    """An event's terms under a name of their own."""
    row = event_queries.event(tournament_id, with_drafts=True)
    return {"tournament": row, "name": request.POST.get("name", row.name)}


_DRAWN = "tournaments/events/before/"
TEMPLATES = Page(
    "tournaments/templates/", "tournament_templates", template_list, staff.DIRECTORS, template=f"{_DRAWN}templates.html"
)
SAVE = Page(
    f"{EVENT}template/",
    "tournament_save_template",
    save_template,
    staff.DIRECTORS,
    template=f"{_DRAWN}save_template.html",
)


def templates_in_use() -> Any:
    return Template.objects.filter(is_archived=False).order_by("name")


def make_template(*, tournament_id: int | None = None, key: str, by: User, **fields: Any) -> Template:
    """A template with these terms, or with those of an event."""
    if tournament_id is None:
        return terms.create.once(key, by=by, **fields)
    return terms.save_as.once(key, tournament_id=tournament_id, by=by, **fields)


class SaveAsTemplateForm(PagePost):
    page, does, body = SAVE, make_template, SaveTemplateOrder

    def done(self, request: HttpRequest, result: Template) -> HttpResponse:
        return TEMPLATES.say(request, gettext_lazy("{0.name} is saved as a template."), result)


class ArchiveTemplateForm(PagePost):
    page, does = TEMPLATES, terms.archive
    path, name = "tournaments/templates/<id:template_id>/put-away/", "tournament_template_archive"
    then = gettext_lazy("{0.name} is archived.")

    def refused(self, request: HttpRequest, refusal: Refusal, **address: Any) -> HttpResponse:
        raise refusal


urlpatterns = page_urls([TEMPLATES, SAVE], forms=[SaveAsTemplateForm, ArchiveTemplateForm])
