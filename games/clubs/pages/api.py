"""The API of clubs and of the leaderboard of the room."""

from typing import Annotated, Any, Literal

from django.utils import timezone
from rest_framework import serializers

from cardroom.accounts.models import ChatLine
from cardroom.core.arguments import Limits
from cardroom.core.models import User
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.resources import Resource, addresses, does, reads
from cardroom.office.chat_api import ChatMessage
from games.clubs import club_chat, founding, leaderboards, members, queries
from games.clubs.models import Club, ClubMember, ClubTable

PartOfName = Annotated[str, Limits(max_length=60, help_text="Part of a name.")]
Period = Annotated[Literal["week", "month", "all"], Limits(choices=[*leaderboards.PERIODS.items()])]


class ClubRow(Shape):
    """A club that you belong to, or could join."""

    of = Club
    field_names = "id name description joins members founded_at"
    joins = serializers.ChoiceField(Club.Joining.choices, source="way", help_text="How players join.")
    members = serializers.SerializerMethodField(help_text="How many there are.")

    def get_members(self, club: Any) -> int:
        return int(club.people) if hasattr(club, "people") else queries.people_of(club).count()


class OneClub(ClubRow):
    """The same, and your part in it. The word of its link is for the owner and organisers."""

    field_names = f"{ClubRow.field_names} welcome part word"
    part = serializers.SerializerMethodField(help_text="owner, organiser, member, asked; empty: none.")
    word = serializers.SerializerMethodField(help_text="Of the link /clubs/join/<word>/; empty: not for you.")

    def get_part(self, club: Any) -> str:
        return getattr(club, "part", "")

    def get_word(self, club: Any) -> str:
        return club.word if self.get_part(club) in queries.ORGANISE else ""


class MemberOut(Shape):
    """A player's part in a club."""

    of = ClubMember
    field_names = "player=player.username part is_silenced at"
    part = serializers.ChoiceField(ClubMember.Kind.choices)


class SeatedAt(serializers.Serializer[Any]):
    table = serializers.IntegerField(source="table_id")
    name = serializers.CharField(source="table.name")


class MemberNow(MemberOut):
    """A member, and where they play now: at tables of the club, or open to everybody."""

    field_names = f"{MemberOut.field_names} tables"
    tables = SeatedAt(source="seats", many=True)


class ClubsShape(serializers.Serializer[Any]):
    mine = ClubRow(many=True)
    others = ClubRow(many=True)


class ClubTableRow(Shape):
    """An open table of a club."""

    of = ClubTable
    field_names = (
        "table=table_id name=table.name game=table.game stakes=table.stakes seat_count=table.seat_count people bots"
        " host=table.home.host.username"
    )
    people = serializers.IntegerField(help_text="Seats taken by people.")
    bots = serializers.IntegerField(help_text="Seats taken by bots of the house.")
    host = serializers.CharField(source="table.home.host.username")


class LeaderboardRow(Shape):
    """One line of a leaderboard."""

    of = leaderboards.LeaderboardStanding
    field_names = "rank player hands net big_bets best"
    help_texts = {
        "rank": "null: too few hands for one; equal results share one.",
        "net": "In chips.",
        "best": "The most that one hand won.",
    }
    big_bets = serializers.FloatField(help_text="The result by the big bet of each table.")


class ShownThere(serializers.Serializer[Any]):
    """Whether you are shown on the leaderboard of the room."""

    is_shown = serializers.BooleanField()


def clubs(*, words: PartOfName = "", by: User) -> dict[str, list[Club]]:
    """The user's own clubs, and those they could join."""
    return {"mine": queries.clubs_of(by), "others": queries.joinable_by(by, words=words)}


def one_club(*, club_id: int, by: User) -> Club:
    """The club, with the user's part in it."""
    club, membership = queries.visible_club(club_id, by)
    club.part = membership.part if membership else ""  # type: ignore[attr-defined]
    return club


def changed_club(club: Club, by: User) -> Club:
    """The club as it is now, for the user who has changed it."""
    return club if club.closed_at else one_club(club_id=club.pk, by=by)


def people(*, club_id: int, by: User) -> list[ClubMember]:
    """The members, for members."""
    return queries.people_now(queries.for_members(club_id, by))


def tables(*, club_id: int, by: User) -> list[ClubTable]:
    """The open tables, for members."""
    return list(queries.tables_of(queries.for_members(club_id, by)))


def standings(*, club_id: int, period: Period = "week", by: User) -> list[leaderboards.LeaderboardStanding]:
    """The leaderboard of a club, for members."""
    return leaderboards.of_club(queries.for_members(club_id, by), period, now=timezone.now())


def lines(*, club_id: int, before: int | None, limit: int, by: User) -> list[ChatLine]:
    """The chat of a club, for members."""
    return queries.lines(club_id=club_id, reader=by, before=before, limit=limit)


def room_standings(*, period: Period = "month", by: User) -> list[leaderboards.LeaderboardStanding]:
    """The leaderboard of the room, for everybody."""
    return leaderboards.of_room(period, now=timezone.now())


class OfClubs(Resource):
    tags = ("clubs",)


class Clubs(OfClubs):
    path = "clubs"
    get = reads(
        clubs,
        name="clubs",
        summary="Clubs",
        description="Yours, and those that you could join or ask for.",
        answers=ClubsShape,
    )
    post = does(
        founding.found,
        name="found_club",
        summary="Create a club",
        description=f"One person owns at most {founding.MOST}.",
        answers=OneClub,
        shown=changed_club,
        status=201,
        refuses=(409,),
    )


class OneClubResource(OfClubs):
    path = "clubs/<id:club_id>"
    get = reads(one_club, name="club", summary="A club", answers=OneClub, refuses=(404,))
    patch = does(
        founding.edit,
        name="edit_club",
        summary="Change a club",
        description="For its owner and organisers.",
        answers=OneClub,
        shown=changed_club,
        refuses=(404, 409),
    )


class ClubLink(OfClubs):
    path = "clubs/<id:club_id>/link"
    post = does(
        founding.renew_link,
        name="renew_club_link",
        summary="Make a new link of the club",
        description="The old one leads nowhere any more.",
        answers=OneClub,
        shown=changed_club,
        refuses=(404,),
    )


class CloseClub(OfClubs):
    path = "clubs/<id:club_id>/close"
    post = does(
        founding.close,
        name="close_club",
        summary="Close a club",
        description="For its owner, and managers of the room.",
        answers=ClubRow,
        refuses=(404, 409),
    )


class JoinClub(OfClubs):
    path = "clubs/<id:club_id>/join"
    post = does(members.join, name="join_club", summary="Join a club, or ask to", answers=MemberOut, refuses=(404, 409))


class JoinClubByLink(OfClubs):
    path = "club-links/<slug:word>"
    post = does(
        members.join_by_link,
        name="join_club_by_link",
        summary="Join a club by its link",
        answers=MemberOut,
        refuses=(404, 409),
    )


class LeaveClub(OfClubs):
    path = "clubs/<id:club_id>/leave"
    post = does(
        members.leave,
        name="leave_club",
        summary="Leave a club",
        description="Or take your request back.",
        answers=MemberOut,
        refuses=(404, 409),
    )


class ClubMembers(OfClubs):
    path = "clubs/<id:club_id>/members"
    get = reads(
        people, name="club_members", summary="The members of a club", answers=MemberNow, many=True, refuses=(404,)
    )
    put = does(
        members.give_part,
        name="give_part",
        summary="Let in, promote, remove, hand over",
        description="Organisers: members and requests; the owner: everybody.",
        answers=MemberOut,
        refuses=(404, 409),
    )


class ClubSilence(OfClubs):
    path = "clubs/<id:club_id>/silence"
    put = does(
        members.silence,
        name="silence_member",
        summary="Mute a member in the club’s chat",
        answers=MemberOut,
        refuses=(404,),
    )


class ClubTables(OfClubs):
    path = "clubs/<id:club_id>/tables"
    get = reads(
        tables,
        name="club_tables",
        summary="The tables of a club",
        description="One is opened as a home game with `club`.",
        answers=ClubTableRow,
        many=True,
        refuses=(404,),
    )


class ClubLeaderboard(OfClubs):
    path = "clubs/<id:club_id>/leaderboard"
    get = reads(
        standings,
        name="club_leaderboard",
        summary="The leaderboard of a club",
        answers=LeaderboardRow,
        many=True,
        refuses=(404,),
        is_heavy=True,
    )


class ClubChat(OfClubs):
    path = "clubs/<id:club_id>/chat"
    get = reads(lines, name="club_chat", summary="The chat of a club", answers=ChatMessage, refuses=(404,))
    post = does(
        club_chat.say,
        name="say_in_club",
        summary="Send a message to a club",
        answers=ChatMessage,
        status=201,
        refuses=(404,),
    )


class RoomLeaderboard(OfClubs):
    path = "leaderboard"
    get = reads(
        room_standings,
        name="leaderboard",
        summary="The leaderboard of the room",
        description="Those who want to be shown, at cash tables open to everybody, for play money.",
        answers=LeaderboardRow,
        many=True,
        refuses=(404,),
        is_public=True,
        is_heavy=True,
    )


class OwnPlaceOnLeaderboard(Resource):
    path, tags = "me/leaderboard", ("me",)
    put = does(
        leaderboards.show,
        name="show_me",
        summary="Be shown on the leaderboard, or not",
        answers=ShownThere,
        shown=lambda is_shown, by: {"is_shown": is_shown},
        refuses=(404,),
    )


api = addresses(
    [
        Clubs,
        OneClubResource,
        ClubLink,
        CloseClub,
        JoinClub,
        JoinClubByLink,
        LeaveClub,
        ClubMembers,
        ClubSilence,
        ClubTables,
        ClubLeaderboard,
        ClubChat,
        RoomLeaderboard,
        OwnPlaceOnLeaderboard,
    ]
)
