"""The REST API of the room: the resources of every app under one address, with their schema and their docs."""

from django.urls import include, path
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from cardroom.house_urls import api as house
from games.urls import api as games
from tournaments.urls import api as tournaments


class Index(APIView):
    """Where to begin. Every resource is described at the docs."""

    is_public = True

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        names = ("tables", "tournaments", "rulebooks", "me", "me/seats", "me/transfers", "tokens", "docs")
        called = {"me/seats": "my-seats", "me/transfers": "transfers"}
        return Response({called.get(name, name): reverse(f"api-{name}", request=request) for name in names})


urlpatterns = [
    path("v1/", Index.as_view(), name="api-index"),
    path("v1/", include([*house, *games, *tournaments])),
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("docs/", SpectacularSwaggerSplitView.as_view(url_name="api-schema"), name="api-docs"),
]
