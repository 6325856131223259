"""Clubs: found and joined, with their tables, chat and leaderboard. See `cardroom.core.web.operations`."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from cardroom.accounts import chat as house_chat
from cardroom.accounts.models import ChatLine
from cardroom.core.errors import Refusal
from cardroom.core.models import User
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Change, Flag, Order, Query, Text
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.operations import Context, Form, Operation, Page, Read, refused
from cardroom.core.web.parts import part_of
from cardroom.office import chat as room_chat
from games.clubs import club_chat, founding, leaderboards, members, queries
from games.clubs.models import Club, ClubMember, ClubTable
from games.clubs.pages.leaderboard import LeaderboardRow, PeriodQuery

# -- shapes ------------------------------------------------------------------------------------------------------------


class ClubRow(Shape):
    """A club that you belong to, or could join."""

    of = Club
    shows = "id name description joins members founded_at"
    joins = serializers.ChoiceField(Club.Way.choices, source="way", help_text="How one joins.")
    members = serializers.SerializerMethodField(help_text="How many there are.")

    def get_members(self, club: Any) -> int:
        return int(club.people) if hasattr(club, "people") else queries.people_of(club).count()


class OneClub(ClubRow):
    """The same, and your part in it. The word of its link is for the owner and organisers."""

    shows = f"{ClubRow.shows} welcome part word"
    part = serializers.SerializerMethodField(help_text="owner, organiser, member, asked; empty: none.")
    word = serializers.SerializerMethodField(help_text="Of the link /clubs/join/<word>/; empty: not for you.")

    def get_part(self, club: Any) -> str:
        return getattr(club, "part", "")

    def get_word(self, club: Any) -> str:
        return club.word if self.get_part(club) in queries.ORGANISE else ""


class ClubOrder(Order):
    name = Text(min_length=founding.SHORTEST_NAME, max_length=founding.LONGEST_NAME)
    description = Text(max_length=founding.LONGEST_WORDS, required=False, default="", allow_blank=True)
    welcome = Text(
        max_length=founding.LONGEST_WORDS, required=False, default="", allow_blank=True, help_text="To new members."
    )
    joins = serializers.ChoiceField(Club.Way.choices, source="way", required=False, default=Club.Way.REQUEST)


class ClubChange(Change):
    name = Text(min_length=founding.SHORTEST_NAME, max_length=founding.LONGEST_NAME, required=False)
    description = Text(max_length=founding.LONGEST_WORDS, required=False, allow_blank=True)
    welcome = Text(max_length=founding.LONGEST_WORDS, required=False, allow_blank=True, help_text="To new members.")
    joins = serializers.ChoiceField(Club.Way.choices, source="way", required=False)


class MemberOut(Shape):
    """Somebody's part in a club."""

    of = ClubMember
    shows = "player=player.username part is_silenced at"
    part = serializers.ChoiceField(ClubMember.Part.choices)


class SeatedAt(serializers.Serializer[Any]):
    table = serializers.IntegerField(source="table_id")
    name = serializers.CharField(source="table.name")


class MemberNow(MemberOut):
    """A member, and where they play now: at tables of the club, or open to everybody."""

    shows = f"{MemberOut.shows} tables"
    tables = SeatedAt(source="seats", many=True)


class PartOrder(Order):
    player = Text(source="name", max_length=150, help_text="A screen name.")
    becomes = serializers.ChoiceField(
        [(part, part) for part in (*ClubMember.IN, ClubMember.Part.REMOVED)],
        source="part",
        help_text="owner: hands the club over.",
    )


class MuteOrder(Order):
    player = Text(source="name", max_length=150, help_text="A screen name.")
    is_silenced = Flag()


class SayOrder(Order):
    text = Text(min_length=1, max_length=house_chat.LONGEST)


class ClubQuery(Query):
    words = serializers.CharField(required=False, max_length=60, help_text="Part of a name.")


class ClubsShape(serializers.Serializer[Any]):
    mine = ClubRow(many=True)
    others = ClubRow(many=True)


class ClubTableRow(Shape):
    """An open table of a club."""

    of = ClubTable
    shows = (
        "table=table_id name=table.name game=table.game stakes=table.stakes seat_count=table.seat_count people bots"
        " host=table.home.host.username"
    )
    people = serializers.IntegerField(help_text="Seats taken by people.")
    bots = serializers.IntegerField(help_text="Seats taken by bots of the house.")
    host = serializers.CharField(source="table.home.host.username")


# -- pages -------------------------------------------------------------------------------------------------------------


def page(request: HttpRequest) -> Context:
    """One's clubs, those that one could join, and a form that founds another."""
    words = request.GET.get("words", "")[:60]
    mine = queries.clubs_of(request.user)
    return {
        "mine": mine,
        "others": queries.to_find(request.user, words=words),
        "words": words,
        "ways": Club.Way.choices,
    }


def club(request: HttpRequest, club_id: int) -> HttpResponse | Context:
    """A club: to its members all of it, to others what they need to join."""
    found, mine = queries.seen(club_id, request.user)
    told: Context = {"club": found, "mine": mine, "is_in": mine is not None and mine.part in ClubMember.IN}
    if not told["is_in"]:
        return told
    period = request.GET.get("period", "")
    period = period if period in leaderboards.PERIODS else "week"
    return told | {
        "people": queries.people_now(found), "tables": queries.tables_of(found), "periods": leaderboards.PERIODS,
        "period": period, "standings": leaderboards.of_club(found, period, now=timezone.now()),
        "least": leaderboards.LEAST_OF_CLUB, "hands": queries.hands_of(found, request.user),
        "runs": mine is not None and mine.part in queries.ORGANISE, "chat": _chat(request, club_id),
        "asked": queries.others_of(found).filter(part=ClubMember.Part.ASKED).count(),
    }  # fmt: skip


def _chat(request: HttpRequest, club_id: int) -> dict[str, Any] | None:
    if not house_chat.is_on():
        return None
    lines, address = queries.lines(club_id=club_id, reader=request.user), reverse("club_chat", args=[club_id])
    return room_chat.part(request, queries.place_of(club_id), lines, gettext("Chat of the club"), address, address)


def manage(request: HttpRequest, club_id: int) -> Context:
    """A club for who runs it: requests, members, words, link, end."""
    found = queries.one(club_id)
    queries.require_part(found, request.user, *queries.ORGANISE)
    link = request.build_absolute_uri(reverse("club_join", args=[found.word]))
    mine = ClubMember.objects.get(club=found, player=request.user)
    others = list(queries.others_of(found))
    return {
        "club": found, "link": link, "ways": Club.Way.choices, "owns": mine.part == ClubMember.Part.OWNER,
        "people": queries.people_of(found), "asked": [each for each in others if each.part == ClubMember.Part.ASKED],
        "removed": [each for each in others if each.part == ClubMember.Part.REMOVED],
    }  # fmt: skip


def join(request: HttpRequest, word: str, refusal: Refusal | None = None, typed: Any = None) -> HttpResponse:
    """What the link opens, for everybody; to the club for its members."""
    found = queries.by_word(word)
    is_known = request.user.is_authenticated and refusal is None
    if is_known and queries.people_of(found).filter(player=request.user).exists():
        return redirect("club", club_id=found.pk)
    return render(request, "games/clubs/join.html", {"club": found, "refusal": refusal})


@part_of("club", "club_id")
def lines(request: HttpRequest, club_id: int) -> HttpResponse:
    """What was said in the club, for its page to keep itself up to date with."""
    queries.for_members(club_id, request.user)
    house_chat.check_on()
    return render(request, "cardroom/office/chat/_now.html", {"chat": _chat(request, club_id)})


def _said(request: HttpRequest, made: ChatLine) -> HttpResponse:
    if request.htmx:
        return room_chat.field_again(request, made.place)
    return redirect("club", club_id=made.place.partition(":")[2])


def _joined(request: HttpRequest, made: ClubMember) -> HttpResponse:
    if made.part == ClubMember.Part.ASKED:
        messages.success(request, gettext("You asked to join {club}: an organiser answers.").format(club=made.club))
        return redirect("club", club_id=made.club_id)
    return of.went_to(request, gettext("Welcome to {club}.").format(club=made.club), "club", made.club_id)


def _left(request: HttpRequest, made: ClubMember) -> HttpResponse:
    messages.success(request, gettext("You are no longer in {club}.").format(club=made.club))
    return redirect("clubs")


def _closed(request: HttpRequest, made: Club) -> HttpResponse:
    messages.success(request, gettext("{made} is closed.").format(made=made.name))
    return redirect("clubs")


def _founded(request: HttpRequest, made: Club) -> HttpResponse:
    messages.success(
        request, gettext("{made} is founded. Send its link to whom you want in it.").format(made=made.name)
    )
    return redirect("club_manage", club_id=made.pk)


# -- what programs ask -------------------------------------------------------------------------------------------------


def _found(by: User, club_id: int) -> Club:
    club, mine = queries.seen(club_id, by)
    club.part = mine.part if mine else ""  # type: ignore[attr-defined]
    return club


def _shown(made: Club, by: User) -> Club:
    return made if made.closed_at else _found(by, made.pk)


def _standings(by: User, club_id: int, period: str = "week") -> list[leaderboards.Standing]:
    return leaderboards.of_club(queries.for_members(club_id, by), period, now=timezone.now())


CLUBS = Page("clubs/", "clubs", page, template="games/clubs/clubs.html", says_refusals=True)
CLUB = Page("clubs/<int:club_id>/", "club", club, template="games/clubs/club.html", says_refusals=True)
MANAGE = Page(
    "clubs/<int:club_id>/manage/", "club_manage", manage, template="games/clubs/manage.html", says_refusals=True
)
JOIN = Page("clubs/join/<slug:word>/", "club_join", join, is_public=True)
CHAT = Page("clubs/<int:club_id>/chat/", "club_chat", lines)
_CLUB = "clubs/<id:club_id>"


def _form(page: Page, verb: str, then: Any) -> Form:
    return Form(page.address, page.name, page, then, verbs={verb: {}})


DECLARED = [
    Read(name="clubs", summary="Clubs", description="Yours, and those that you could join or ask for.", tag="clubs",
         address="clubs", query=ClubQuery, out=ClubsShape,
         finds=lambda by, words="": {"mine": queries.clubs_of(by), "others": queries.to_find(by, words=words)}),
    Operation(
        name="found_club", summary="Create a club", tag="clubs", address="clubs", keyed=True, status=201, out=OneClub,
        description=f"One person owns at most {founding.MOST}.", does=founding.found, order=ClubOrder, shows=_shown,
        refuses=(409,), form=Form(CLUBS.address, CLUBS.name, CLUBS, _founded),
    ),
    Read(name="club", summary="A club", tag="clubs", address=_CLUB, out=OneClub, refuses=(404,), finds=_found),
    Operation(
        name="edit_club", summary="Change a club", method="PATCH", tag="clubs", address=_CLUB, does=founding.edit,
        description="For its owner and organisers.", order=ClubChange, out=OneClub, shows=_shown, refuses=(404, 409),
        form=_form(MANAGE, "edit", gettext_lazy("{0.name} is changed.")),
    ),
    Operation(
        name="renew_club_link", summary="Make a new link of the club", tag="clubs", address=f"{_CLUB}/link",
        description="The one before leads nowhere any more.", does=founding.renew_link, out=OneClub, shows=_shown,
        refuses=(404,), form=_form(MANAGE, "link", gettext_lazy("This is the new link.")),
    ),
    Operation(
        name="close_club", summary="Close a club", tag="clubs", address=f"{_CLUB}/close", does=founding.close,
        description="For its owner, and managers of the room.", out=ClubRow, refuses=(404, 409),
        form=_form(MANAGE, "close", _closed),
    ),
    Operation(
        name="join_club", summary="Join a club, or ask to", tag="clubs", address=f"{_CLUB}/join", does=members.join,
        out=MemberOut, refuses=(404, 409), form=_form(CLUB, "join", _joined),
    ),
    Operation(
        name="join_club_by_link", summary="Join a club by its link", tag="clubs", address="club-links/<slug:word>",
        does=members.join_by, out=MemberOut, refuses=(404, 409),
        form=Form(JOIN.address, JOIN.name, JOIN, _joined, join),
    ),
    Operation(
        name="leave_club", summary="Leave a club", description="Or take your request back.", tag="clubs",
        address=f"{_CLUB}/leave", does=members.leave, out=MemberOut, refuses=(404, 409),
        form=_form(CLUB, "leave", _left),
    ),
    Read(name="club_members", summary="The members of a club", tag="clubs", address=f"{_CLUB}/members", out=MemberNow,
         many=True, refuses=(404,),
         finds=lambda by, club_id: queries.people_now(queries.for_members(club_id, by))),
    Operation(
        name="give_part", summary="Let in, promote, remove, hand over", method="PUT", tag="clubs",
        address=f"{_CLUB}/members", does=members.give_part, order=PartOrder, out=MemberOut, refuses=(404, 409),
        description="Organisers: members and requests; the owner: everybody.",
        form=_form(MANAGE, "part", gettext_lazy("Done: {0}.")),
    ),
    Operation(
        name="silence_member", summary="Mute a member in the club’s chat", method="PUT", tag="clubs",
        address=f"{_CLUB}/silence", does=members.silence, order=MuteOrder, out=MemberOut, refuses=(404,),
        form=_form(MANAGE, "silence", gettext_lazy("Done: {0}.")),
    ),
    Read(name="club_tables", summary="The tables of a club", tag="clubs", address=f"{_CLUB}/tables", out=ClubTableRow,
         description="One is opened as a home game with `club`.", many=True, refuses=(404,),
         finds=lambda by, club_id: list(queries.tables_of(queries.for_members(club_id, by)))),
    Read(name="club_leaderboard", summary="The leaderboard of a club", tag="clubs", address=f"{_CLUB}/leaderboard",
         query=PeriodQuery, out=LeaderboardRow, many=True, refuses=(404,), finds=_standings, is_heavy=True),
    Read(name="club_chat", summary="The chat of a club", tag="clubs", address=f"{_CLUB}/chat", out=room_chat.Line,
         paged=True, refuses=(404,), finds=lambda by, club_id, before, limit: queries.lines(
             club_id=club_id, reader=by, before=before, limit=limit)),
    Operation(
        name="say_in_club", summary="Send a message to a club", tag="clubs", address=f"{_CLUB}/chat",
        does=club_chat.say, order=SayOrder, keyed=True, status=201, out=room_chat.Line, refuses=(404,),
        form=Form(CHAT.address, CHAT.name, CHAT, _said, refused),
    ),
]  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = of.pages([CLUBS, JOIN, CLUB, MANAGE, CHAT], DECLARED)
