"""The room's addresses."""

from django.contrib import admin
from django.urls import include, path

from cardroom.web import health

urlpatterns = [
    path("", include("games.web.urls")),
    path("", include("cardroom.web.urls")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("api/", include("cardroom.api")),
    path("healthz", health.healthz, name="healthz"),
    path("metrics", health.metrics, name="metrics"),
]
