"""Home games: opened by players for the people to whom they send a link."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from cardroom.core.errors import Refusal
from cardroom.core.models import User
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.forms import PagePost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Context, Page
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.clubs import queries as clubs
from games.play import home_games, private
from games.play.models import HomeGame
from games.rulebooks.queries import choices
from games.tables.models.offers import Invitation
from games.tables.words import STRENGTHS

_BOTS = (0, 2, 4, 6)


class HomeGameOut(Shape):
    """A home game. A player with its link may sit down, with the password where there is one."""

    of = HomeGame
    field_names = "table=table_id name=table.name host=host.username game=table.game stakes=table.stakes made_at"


class HostedGame(HomeGameOut):
    """The same with the word of its link, for its host."""

    field_names = f"{HomeGameOut.field_names} word is_hidden state=table.state"
    help_texts = {
        "word": "Of the link /join/<word>/.",
        "is_hidden": "For the members of a club: the link leads nowhere.",
    }
    state = serializers.CharField(source="table.state")


class Joined(Shape):
    """You may sit down at this table."""

    of = Invitation
    field_names = "table=table_id at"


def page(request: HttpRequest) -> Context:
    """The user's home games, and a form that opens another one."""
    home_games.check_on()
    games = home_games.games_for(request.user)
    hosted = [game for game in games if game.host_id == request.user.pk and not game.is_hidden]
    return {
        "games": games,
        "choices": home_games.CHOICES,
        "stakes": home_games.STAKES,
        "books": choices(),
        "bots": _BOTS,
        "strengths": STRENGTHS,
        "clubs": clubs.clubs_of(request.user, *clubs.ORGANISE),
        "club": request.GET.get("club", ""),
        "is_full": len(hosted) >= home_games.MOST,
    }


def one_game(request: HttpRequest, table_id: int) -> Context:
    """A home game of the user: its link, the invited players, and a form that closes it."""
    game = home_games.game_of(table_id, request.user)
    invitations = game.table.invitations.select_related("player").order_by("player__username")
    return {
        "game": game,
        "invited": [invitation.player for invitation in invitations],
        "link": request.build_absolute_uri(reverse("home_join", args=[game.word])),
        "club": clubs.club_of_table(game.table),
    }


def join(request: HttpRequest, word: str, refusal: Refusal | None = None, typed: Any = None) -> HttpResponse:
    """The page of the link, for everybody; players who are invited already go on to the table."""
    game = home_games.by_word(word)
    if request.user.is_authenticated and refusal is None and private.may_sit(game.table, request.user):
        return _to_a_seat(game.table_id)
    return render(request, "games/play/home_join.html", {"game": game, "refusal": refusal})


def _to_a_seat(table_id: int) -> HttpResponse:
    """A redirect to the table, with the dialog for the buy-in open."""
    return redirect(f"{reverse('table', args=[table_id])}#sit")


GAMES = Page("home-games/", "home_games", page, template="games/play/home_games.html", says_refusals=True)
GAME = Page(
    "home-games/<int:table_id>/", "home_game", one_game, template="games/play/home_game.html", says_refusals=True
)
JOIN = Page("join/<slug:word>/", "home_join", join, is_public=True)


class OpenHomeGameForm(PagePost):
    page, does = GAMES, home_games.open_one

    def done(self, request: HttpRequest, result: HomeGame) -> HttpResponse:
        club = clubs.club_of_table(result.table)
        return redirect("club", club_id=club.pk) if club else redirect("home_game", table_id=result.table_id)


class RenewHomeGameLinkForm(PagePost):
    page, does, button, then = GAME, home_games.renew_link, "link", gettext_lazy("This is the new link.")


class InviteToHomeGameForm(PagePost):
    page, does, button, then = GAME, home_games.invite, "invite", gettext_lazy("{0.player} is invited.")


class CloseHomeGameForm(PagePost):
    page, does, button, then = GAME, home_games.close, "close", gettext_lazy("{0.table} is closed.")


class JoinHomeGameForm(PagePost):
    page, does = JOIN, home_games.join

    def done(self, request: HttpRequest, result: Invitation) -> HttpResponse:
        return _to_a_seat(result.table_id)


def games_for(*, by: User) -> list[HomeGame]:
    """The open games that the user hosts or is invited to."""
    return home_games.games_for(by)


class HomeGames(Resource):
    path, tags = "home-games", ("home games",)
    get = reads(
        games_for,
        name="home_games",
        summary="Your home games",
        description="Those you host or are invited to.",
        answers=HomeGameOut,
        many=True,
        refuses=(404,),
    )
    post = does(
        home_games.open_one,
        name="open_home_game",
        summary="Open a home game",
        description=f"For play money; at most {home_games.MOST} at a time. It closes when nobody sat there for a day.",
        answers=HostedGame,
        status=201,
        refuses=(404, 409),
    )


class OneHomeGame(Resource):
    path, tags = "home-games/<id:table_id>", ("home games",)
    get = reads(
        home_games.game_of, name="home_game", summary="A home game of yours", answers=HostedGame, refuses=(404,)
    )


class HomeGameLink(Resource):
    path, tags = "home-games/<id:table_id>/link", ("home games",)
    post = does(
        home_games.renew_link,
        name="renew_home_link",
        summary="Make a new link",
        description="The one before opens nothing any more.",
        answers=HostedGame,
        refuses=(404, 409),
    )


class HomeGameInvitations(Resource):
    path, tags = "home-games/<id:table_id>/invitations", ("home games",)
    post = does(
        home_games.invite,
        name="invite_home",
        summary="Invite a player to your home game",
        answers=Joined,
        status=201,
        refuses=(404, 409, 429),
    )


class CloseHomeGame(Resource):
    path, tags = "home-games/<id:table_id>/close", ("home games",)
    post = does(
        home_games.close,
        name="close_home_game",
        summary="Close your home game",
        description="When the hand is over, everybody gets their chips back.",
        answers=HostedGame,
        refuses=(404,),
    )


class HomeGameByLink(Resource):
    path, tags = "home-links/<slug:word>", ("home games",)
    post = does(
        home_games.join,
        name="join_home_game",
        summary="Come in by the link of a home game",
        answers=Joined,
        refuses=(404, 429),
    )


api = addresses([HomeGames, OneHomeGame, HomeGameLink, HomeGameInvitations, CloseHomeGame, HomeGameByLink])
urlpatterns = page_urls(
    [GAMES, GAME, JOIN],
    forms=[OpenHomeGameForm, RenewHomeGameLinkForm, InviteToHomeGameForm, CloseHomeGameForm, JoinHomeGameForm],
)
