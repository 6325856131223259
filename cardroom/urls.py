"""The room's addresses."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from cardroom.web import health
from cardroom.web.login import SignUpView

# The operator logs in as everybody does: asked for bans, the blacklist and a second factor, and not too often.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("", include("games.web.urls")),
    path("", include("tournaments.web.urls")),
    path("", include("cardroom.web.urls")),
    path("accounts/signup/", SignUpView.as_view(), name="account_signup"),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("api/", include("cardroom.api")),
    path("metrics", health.metrics, name="metrics"),
]

handler400 = "cardroom.web.problems.bad_request"
handler403 = "cardroom.web.problems.permission_denied"
handler404 = "cardroom.web.problems.not_found"
handler500 = "cardroom.web.problems.server_error"
