"""The page of the leaderboard of the room."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext

from cardroom.core.web.forms import PagePost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Context, Page, went_to
from games.clubs import leaderboards


def page(request: HttpRequest) -> Context:
    """The leaderboard, for everybody."""
    period = request.GET.get("period", "")
    period = period if period in leaderboards.PERIODS else "month"
    return {
        "standings": leaderboards.of_room(period, now=timezone.now()),
        "period": period,
        "periods": leaderboards.PERIODS,
        "least": leaderboards.LEAST_OF_ROOM,
        "is_shown": request.user.is_authenticated and leaderboards.is_shown(request.user),
    }


PAGE = Page(
    "leaderboard/",
    "leaderboard",
    page,
    is_public=True,
    template="games/clubs/leaderboard.html",
    says_refusals=True,
    is_heavy=True,
)


class ShowOnLeaderboardForm(PagePost):
    page, does, path, name = PAGE, leaderboards.show, "leaderboard/show/", "leaderboard_show"

    def done(self, request: HttpRequest, result: bool) -> HttpResponse:
        words = gettext("You are no longer shown on the leaderboard.")
        if result:
            words = gettext("You are shown on the leaderboard.")
        return went_to(request, words, "leaderboard")


urlpatterns = page_urls([PAGE], forms=[ShowOnLeaderboardForm])
