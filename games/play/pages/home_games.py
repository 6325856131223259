"""Home games: opened by players for whom they send a link. See `cardroom.core.web.operations`."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from cardroom.core.errors import Refusal
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Order, Text, WholeNumber
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.operations import Context, Form, Operation, Page, Read
from games.clubs import queries as clubs
from games.play import home_games, private
from games.play.models import HomeGame
from games.rulebooks.queries import choices
from games.tables.models.offers import Invitation
from games.tables.words import STRENGTHS

_BOTS = (0, 2, 4, 6)


class HomeGameOut(Shape):
    """A home game. Whoever has its link may sit down, with the password where there is one."""

    of = HomeGame
    shows = "table=table_id name=table.name host=host.username game=table.game stakes=table.stakes made_at"


class HostedGame(HomeGameOut):
    """The same with the word of its link, for its host."""

    shows = f"{HomeGameOut.shows} word is_hidden state=table.state"
    says = {"word": "Of the link /join/<word>/.", "is_hidden": "For the members of a club: the link leads nowhere."}
    state = serializers.CharField(source="table.state")


class HomeGameOrder(Order):
    game = serializers.ChoiceField([*home_games.CHOICES.items()])
    stakes = serializers.ChoiceField([(stakes, stakes) for stakes in home_games.STAKES])
    rulebook = Text(max_length=80, required=False, default="roberts-v4")
    name = Text(max_length=50, required=False, default="", allow_blank=True, help_text="Empty: after its host.")
    password = Text(max_length=60, required=False, default="", allow_blank=True, help_text="Asked beside the link.")
    club = WholeNumber(required=False, help_text="A club that you organise: its members sit, there is no link.")
    bots = WholeNumber(min_value=0, max_value=home_games.MOST_BOTS, required=False, default=0)
    bot_strength = serializers.ChoiceField(
        STRENGTHS, required=False, default="", allow_blank=True, help_text="Empty: mixed."
    )
    has_help = serializers.BooleanField(required=False, default=True)


class HomeInviteOrder(Order):
    player = Text(source="name", max_length=150, help_text="A screen name.")


class Joined(Shape):
    """You may sit down at this table."""

    of = Invitation
    shows = "table=table_id at"


class JoinOrder(Order):
    password = Text(max_length=60, required=False, default="", allow_blank=True)


def page(request: HttpRequest) -> Context:
    """One's home games, and a form that opens another one."""
    home_games.check_on()
    found = home_games.games_for(request.user)
    return {
        "games": found, "choices": home_games.CHOICES, "stakes": home_games.STAKES, "books": choices(), "bots": _BOTS,
        "strengths": STRENGTHS,
        "clubs": clubs.clubs_of(request.user, *clubs.ORGANISE), "club": request.GET.get("club", ""),
        "is_full": sum(each.host_id == request.user.pk and not each.is_hidden for each in found) >= home_games.MOST,
    }  # fmt: skip


def game(request: HttpRequest, table_id: int) -> Context:
    """A home game of one's own: its link, who is invited, and its end."""
    found = home_games.game_of(table_id, request.user)
    invited = found.table.invitations.select_related("player").order_by("player__username")
    link = request.build_absolute_uri(reverse("home_join", args=[found.word]))
    club = clubs.club_of_table(found.table)
    return {"game": found, "invited": [each.player for each in invited], "link": link, "club": club}


def join(request: HttpRequest, word: str, refusal: Refusal | None = None, typed: Any = None) -> HttpResponse:
    """What the link opens, for everybody; to the table for who has been there."""
    found = home_games.by_word(word)
    if request.user.is_authenticated and refusal is None and private.may_sit(found.table, request.user):
        return _to_a_seat(found.table_id)
    return render(request, "games/play/home_join.html", {"game": found, "refusal": refusal})


def _opened(request: HttpRequest, made: HomeGame) -> HttpResponse:
    club = clubs.club_of_table(made.table)
    return redirect("club", club_id=club.pk) if club else redirect("home_game", table_id=made.table_id)


def _joined(request: HttpRequest, made: Invitation) -> HttpResponse:
    return _to_a_seat(made.table_id)


def _to_a_seat(table_id: int) -> HttpResponse:
    """To the table, which asks for the buy-in of a seat."""
    return redirect(f"{reverse('table', args=[table_id])}#sit")


def _join(*, word: str, by: Any, password: str = "") -> Invitation:
    return home_games.join(word=word, player=by, password=password)


GAMES = Page("home-games/", "home_games", page, template="games/play/home_games.html", says_refusals=True)
GAME = Page("home-games/<int:table_id>/", "home_game", game, template="games/play/home_game.html", says_refusals=True)
JOIN = Page("join/<slug:word>/", "home_join", join, is_public=True)
_GAME = "home-games/<id:table_id>"


def _form(verb: str, words: str) -> Form:
    return Form(GAME.address, GAME.name, GAME, words, verbs={verb: {}})


DECLARED = [
    Read(name="home_games", summary="Your home games", description="Those you host or are invited to.",
         tag="home games", address="home-games", out=HomeGameOut, many=True, refuses=(404,),
         finds=lambda by: home_games.games_for(by)),
    Operation(
        name="open_home_game", summary="Open a home game", tag="home games", address="home-games", keyed=True,
        description=f"For play money; at most {home_games.MOST} at a time. It closes when nobody sat there for a day.",
        does=home_games.open_one, order=HomeGameOrder, status=201, out=HostedGame, refuses=(404, 409),
        form=Form(GAMES.address, GAMES.name, GAMES, _opened),
    ),
    Read(name="home_game", summary="A home game of yours", tag="home games", address=_GAME, out=HostedGame,
         refuses=(404,), finds=lambda by, table_id: home_games.game_of(table_id, by)),
    Operation(
        name="renew_home_link", summary="Make a new link", description="The one before opens nothing any more.",
        tag="home games", address=f"{_GAME}/link", does=home_games.renew_link, keyed=True, out=HostedGame,
        refuses=(404, 409), form=_form("link", gettext_lazy("This is the new link.")),
    ),
    Operation(
        name="invite_home", summary="Invite a player to your home game", tag="home games",
        address=f"{_GAME}/invitations", does=home_games.invite, order=HomeInviteOrder, status=201, out=Joined,
        refuses=(404, 409, 429), form=_form("invite", gettext_lazy("{0.player} is invited.")),
    ),
    Operation(
        name="close_home_game", summary="Close your home game", tag="home games", address=f"{_GAME}/close",
        description="When the hand is over, everybody gets their chips back.", does=home_games.close, out=HostedGame,
        refuses=(404,), form=_form("close", gettext_lazy("{0.table} is closed.")),
    ),
    Operation(
        name="join_home_game", summary="Come in by the link of a home game", tag="home games",
        address="home-links/<slug:word>", does=_join, order=JoinOrder, out=Joined, refuses=(404, 429),
        form=Form("join/<slug:word>/", "home_join", JOIN, _joined, join),
    ),
]  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = of.pages([GAMES, GAME, JOIN], DECLARED)
