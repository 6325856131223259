"""The room's addresses."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from cardroom.accounts.pages.login import SignUpView
from cardroom.realtime import health

# The operator logs in as everybody does: asked for bans, the blacklist and a second factor, and not too often.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("", include("games.urls")),
    path("", include("tournaments.urls")),
    path("", include("cardroom.house_urls")),
    path("accounts/signup/", SignUpView.as_view(), name="account_signup"),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("api/", include("cardroom.api")),
    path("", include("cardroom.core.web.installed")),
    path("", include("cardroom.core.languages")),
    path("metrics", health.metrics, name="metrics"),
]

handler400 = "cardroom.core.web.problems.bad_request"
handler403 = "cardroom.core.web.problems.permission_denied"
handler404 = "cardroom.core.web.problems.not_found"
handler500 = "cardroom.core.web.problems.server_error"
