"""Clubs, their members, tables and chats, as far as the viewer may see them. Nothing here writes."""

from collections.abc import Collection

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext_lazy

from cardroom.accounts import chat
from cardroom.accounts.models import ChatLine
from cardroom.core import access
from cardroom.core.errors import Forbidden, NotFound, Verbatim
from cardroom.core.models import User
from cardroom.core.private_places import PrivatePlaces
from games.clubs.models import Club, ClubMember, ClubTable
from games.tables.models.tables import Seat, Table
from games.tables.models.times import HandResult
from games.tables.queries import tables as table_queries

#: The parts that open tables, let people in and remove them.
ORGANISE = (ClubMember.Kind.OWNER, ClubMember.Kind.ORGANISER)
_FOR = {
    ORGANISE: gettext_lazy("Only the owner and the organiser of the club may do this."),
    (ClubMember.Kind.OWNER,): gettext_lazy("Only the owner of the club may do this."),
}
#: How many clubs are listed for a player who looks for one, and how many hands on the page of a club.
LISTED, HANDS = 50, 8
_OVER = (Table.State.CLOSING, Table.State.CLOSED)
_PEOPLE = Count("members", filter=Q(members__part__in=ClubMember.IN, members__player__is_active=True))
_SEATED = {
    "people": Count("table__seats", filter=Q(table__seats__player__is_bot=False)),
    "bots": Count("table__seats", filter=Q(table__seats__player__is_bot=True)),
}


def one(club_id: int) -> Club:
    """An open club; `NotFound` where there is none."""
    club = Club.objects.filter(pk=club_id, closed_at=None).first()
    if club is None:
        raise Club.not_found()
    return club


def by_word(word: str) -> Club:
    """The club that a link leads to; `NotFound` where there is none."""
    club = Club.objects.filter(word=word, closed_at=None).annotate(people=_PEOPLE).first()
    if club is None:
        raise NotFound("no-such-link", "This link leads to no club: it is closed, or has a new link.")
    return club


def visible_club(club_id: int, viewer: User) -> tuple[Club, ClubMember | None]:
    """The club, with the number of its `people`, and the viewer's row in it. A club by link only is `NotFound` for
    everybody but its members and managers of the room."""
    club = Club.objects.filter(pk=club_id, closed_at=None).annotate(people=_PEOPLE).first()
    membership = ClubMember.objects.filter(club=club_id, player=viewer.pk).first() if club else None
    is_in = membership is not None and membership.part in ClubMember.IN
    if club is None or not (is_in or club.way != Club.Joining.LINK or access.has_role(viewer, "manager")):
        raise Club.not_found()
    return club, membership


def for_members(club_id: int, viewer: User) -> Club:
    """The club, for its members; `Forbidden` for others who may know of it."""
    club, membership = visible_club(club_id, viewer)
    if membership is None or membership.part not in ClubMember.IN:
        raise Forbidden("members-only", "This is for the members of the club.")
    return club


def require_part(club: Club, user: User, *parts: str) -> None:
    """`Forbidden` for a user with none of these parts (`ORGANISE`, or the owner's); `NotFound` for a user who may not
    know of the club."""
    access.require_login(user)
    _, membership = visible_club(club.pk, user)
    if membership is None or membership.part not in parts:
        raise Forbidden("not-for-you", Verbatim(_FOR[parts]))


def joined_by(player: User, *parts: str) -> QuerySet[Club]:
    """The open clubs where a player has one of these parts (none given: belongs to)."""
    memberships = ClubMember.objects.filter(player=player, part__in=parts or ClubMember.IN).values("club")
    return Club.objects.filter(pk__in=memberships, closed_at=None)


def clubs_of(player: User, *parts: str) -> list[Club]:
    """The clubs of this player, by name, each with the number of its `people`."""
    return list(joined_by(player, *parts).annotate(people=_PEOPLE).order_by("name"))


def joinable_by(player: User, *, words: str = "") -> list[Club]:
    """Clubs that a player could join or ask to join, the largest first."""
    memberships = ClubMember.objects.filter(player=player, part__in=ClubMember.IN).values("club")
    clubs = (
        Club.objects.filter(closed_at=None, name__icontains=words.replace("\0", " "))
        .exclude(way=Club.Joining.LINK)
        .exclude(pk__in=memberships)
    )
    return list(clubs.annotate(people=_PEOPLE).order_by("-people", "name")[:LISTED])


def people_of(club: Club) -> QuerySet[ClubMember]:
    """The members of the club, with their `player`, but for those whose account is closed."""
    members = ClubMember.objects.filter(club=club, part__in=ClubMember.IN, player__is_active=True)
    return members.select_related("player").order_by("player__username")


def others_of(club: Club) -> QuerySet[ClubMember]:
    """Players who ask to join, and players who were removed."""
    parts = (ClubMember.Kind.ASKED, ClubMember.Kind.REMOVED)
    return ClubMember.objects.filter(club=club, part__in=parts, player__is_active=True).select_related("player")


def people_now(club: Club) -> list[ClubMember]:
    """The members, those who play now first, each with the `seats` that other members may know of."""
    people = list(people_of(club))
    where = table_queries.seats_in_sight([member.player_id for member in people])
    seats_of_people = Seat.objects.filter(
        table__club_table__club=club, player__in=[member.player_id for member in people]
    )
    for seat in seats_of_people.select_related("table"):
        where.setdefault(seat.player_id, []).append(seat)
    for member in people:
        member.seats = where.get(member.player_id, [])  # type: ignore[attr-defined]
    order = [*ClubMember.IN]
    return sorted(people, key=lambda member: (not member.seats, order.index(member.part)))  # type: ignore[attr-defined]


def tables_of(club: Club) -> QuerySet[ClubTable]:
    """Its open tables, each with the number of `people` and `bots` who sit there."""
    tables = ClubTable.objects.filter(club=club).exclude(table__state__in=_OVER)
    return tables.select_related("table", "table__home__host").annotate(**_SEATED).order_by("table__name")


def tables_for(player: User) -> list[ClubTable]:
    """The open tables of the clubs a player belongs to. One query."""
    tables = ClubTable.objects.filter(
        club__members__player=player, club__members__part__in=ClubMember.IN, club__closed_at=None
    )
    tables = tables.exclude(table__state__in=_OVER).select_related("table", "club").annotate(**_SEATED)
    return list(tables.order_by("club__name", "table__name"))


def club_of_table(table: Table) -> Club | None:
    """The club that plays at this table, if any. No query where the table is not private."""
    return Club.objects.filter(tables__table=table).first() if table.is_private else None


def hands_of(club: Club, viewer: User) -> list[HandResult]:
    """The last hands at its tables that the viewer played, and so may see."""
    results = HandResult.objects.filter(table__club_table__club=club, player=viewer)
    return list(results.select_related("hand", "table").order_by("-pk")[:HANDS])


def place_of(club_id: int) -> str:
    """Where the lines of a club's chat are kept, and the topic that tells of it."""
    return f"club:{club_id}"


def lines(*, club_id: int, reader: User, before: int | None = None, limit: int = chat.SHOWN) -> list[ChatLine]:
    """The lines of the club's chat, the newest first. Refuses: `NotFound`, `Forbidden` (no member)."""
    access.require_login(reader)
    for_members(club_id, reader)
    return chat.newest(reader=reader, place=place_of(club_id), before=before, limit=limit)


class ClubChats(PrivatePlaces):
    """A club's chat is for its members."""

    def may_read(self, place: str, reader: User) -> bool:
        return place in self.readable([reader.pk], [place]).get(reader.pk, ())

    def readable(self, users: Collection[int], topics: Collection[str]) -> dict[int, set[str]]:
        """The chats of all clubs of these users, whether or not they are among `topics`."""
        places_by_user: dict[int, set[str]] = {}
        rows = ClubMember.objects.filter(player__in=users, part__in=ClubMember.IN, club__closed_at=None)
        for player, club in rows.values_list("player", "club"):
            places_by_user.setdefault(player, set()).add(place_of(club))
        return places_by_user
