"""The error log, for managers and auditors."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.models import Fault
from cardroom.services import access, faults
from cardroom.web.api.access import asker
from cardroom.web.api.fields import Number, Query
from cardroom.web.api.paging import NewestFirst


class FaultQuery(Query):
    words = serializers.CharField(required=False, max_length=60, help_text="Of its message, or where it came from.")
    cursor = Number(required=False)
    limit = Number(required=False)


class FaultOut(serializers.ModelSerializer[Fault]):
    """Something that went wrong in the server: `times`, from `first_at` to `at`, in the same place. What is said of it
    is of the last time."""

    details = serializers.DictField(child=serializers.CharField())

    class Meta:
        model = Fault
        fields = ("id", "at", "first_at", "times", "level", "logger", "message", "details", "trace")
        read_only_fields = fields


class FaultsView(APIView):
    """The error log."""

    tags = ("trail",)
    scope = "direct"
    pagination_class = NewestFirst

    @extend_schema(
        operation_id="faults",
        summary="The error log",
        description="What went wrong in the server, without cards or secrets. For managers and auditors.",
        parameters=[FaultQuery],
        responses=FaultOut(many=True),
    )
    def get(self, request: Request) -> Response:
        access.require_role(asker(request), *faults.READERS)
        words = FaultQuery.read(request).get("words", "")

        def rows(before: int | None, limit: int) -> list[Fault]:
            return list(faults.newest(words=words, before=before)[:limit])

        found, later = NewestFirst().page(request, rows, number=lambda row: row.pk)
        return Response({"next": later, "results": FaultOut(found, many=True).data})
