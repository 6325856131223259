"""The error log, for managers and auditors."""

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from rest_framework import serializers

from cardroom.core.arguments import Limits
from cardroom.core.models import Fault, User
from cardroom.core.process import faults
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page
from cardroom.core.web.resources import Resource, addresses, reads
from cardroom.office.audit_log import one_line, page_context

A_PAGE = 50


class FaultOut(serializers.ModelSerializer[Fault]):
    """Something that went wrong in the server: `times`, from `first_at` to `at`, in the same place. Its message is that
    of the last time."""

    details = serializers.DictField(child=serializers.CharField())

    class Meta:
        model = Fault
        fields = ("id", "at", "first_at", "times", "level", "logger", "message", "details", "trace")
        read_only_fields = fields


def page(request: HttpRequest) -> HttpResponse:
    """`?q=` words of the message or its source."""
    words = one_line(request.GET.get("q", ""))
    context = {"words": words, "kept": faults.KEPT}
    rows = page_context(request, faults.newest(words=words), A_PAGE)
    return render(request, "cardroom/office/faults.html", rows | context)


FAULTS = Page("staff/errors/", "faults", page, faults.READERS)


def newest(
    *,
    words: Annotated[str, Limits(max_length=60, help_text="Part of its message or its origin.")] = "",
    before: int | None,
    limit: int,
    by: User,
) -> list[Fault]:
    """The newest first."""
    return list(faults.newest(words=words, before=before)[:limit])


class FaultsResource(Resource):
    path, tags, scope = "faults", ("trail",), "direct"
    get = reads(
        newest,
        name="faults",
        summary="The error log",
        description="Errors of the server, without cards or secrets. For managers and auditors.",
        answers=FaultOut,
        roles=faults.READERS,
    )


api = addresses([FaultsResource])
urlpatterns = page_urls([FAULTS])
