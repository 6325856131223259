"""The REST API of the room: the resources of every app under one address, with their schema and their docs."""

from django.urls import include, path
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from cardroom.web.api.urls import urlpatterns as house
from games.web.api import fact_schema  # noqa: F401  tells the schema of the facts
from games.web.api.urls import urlpatterns as games
from tournaments.web.urls import api as tournaments


class Index(APIView):
    """Where to begin. Every resource is described at the docs."""

    is_public = True

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        names = ("api-tables", "api-tournaments", "api-rulebooks", "api-me", "api-my-seats", "api-me/transfers")
        names += ("api-tokens",)
        begin = {name.removeprefix("api-").removeprefix("me/"): reverse(name, request=request) for name in names}
        return Response(begin | {"docs": reverse("api-docs", request=request)})


urlpatterns = [
    path("v1/", Index.as_view(), name="api-index"),
    path("v1/", include([*house, *games, *tournaments])),
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("docs/", SpectacularSwaggerSplitView.as_view(url_name="api-schema"), name="api-docs"),
]
