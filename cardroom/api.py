"""The REST API of the room: the viewsets of every app under one router, with its schema and its docs."""

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.routers import DefaultRouter

router = DefaultRouter(trailing_slash=True)
# The apps' viewsets, each one line:  router.register("tables", TableViewSet, basename="table")

urlpatterns = [
    path("v1/", include(router.urls)),
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("docs/", SpectacularSwaggerSplitView.as_view(url_name="api-schema"), name="api-docs"),
]
