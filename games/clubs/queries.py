"""What can be seen of clubs, and by whom. Nothing here writes."""

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
ORGANISE = (ClubMember.Part.OWNER, ClubMember.Part.ORGANISER)
_FOR = {
    ORGANISE: gettext_lazy("Only the owner and the organiser of the club may do this."),
    (ClubMember.Part.OWNER,): gettext_lazy("Only the owner of the club may do this."),
}
#: So many clubs are listed for who looks for one, so many hands on the page of a club.
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
    found = Club.objects.filter(word=word, closed_at=None).annotate(people=_PEOPLE).first()
    if found is None:
        raise NotFound("no-such-link", "This link leads to no club: it is closed, or has a new link.")
    return found


def seen(club_id: int, viewer: User) -> tuple[Club, ClubMember | None]:
    """The club, with how many `people` it has, and the viewer's row in it. `NotFound` for a club by link only, but for
    its members, who is asked back by name, and managers of the room."""
    club = Club.objects.filter(pk=club_id, closed_at=None).annotate(people=_PEOPLE).first()
    mine = ClubMember.objects.filter(club=club_id, player=viewer.pk).first() if club else None
    is_in = mine is not None and mine.part in ClubMember.IN
    if club is None or not (is_in or club.way != Club.Way.LINK or access.has_role(viewer, "manager")):
        raise Club.not_found()
    return club, mine


def for_members(club_id: int, viewer: User) -> Club:
    """The club, for its members; `Forbidden` to others who may know of it."""
    club, mine = seen(club_id, viewer)
    if mine is None or mine.part not in ClubMember.IN:
        raise Forbidden("members-only", "This is for the members of the club.")
    return club


def require_part(club: Club, user: User, *parts: str) -> None:
    """`Forbidden` for who has none of these parts: `ORGANISE`, or the owner's; `NotFound` for who may not know of the
    club."""
    access.require_login(user)
    _, mine = seen(club.pk, user)
    if mine is None or mine.part not in parts:
        raise Forbidden("not-for-you", Verbatim(_FOR[parts]))


def joined_by(player: User, *parts: str) -> QuerySet[Club]:
    """The clubs that they belong to, with one of these parts; a part of another query too."""
    mine = ClubMember.objects.filter(player=player, part__in=parts or ClubMember.IN).values("club")
    return Club.objects.filter(pk__in=mine, closed_at=None)


def clubs_of(player: User, *parts: str) -> list[Club]:
    """The same by their names, each with its `people`."""
    return list(joined_by(player, *parts).annotate(people=_PEOPLE).order_by("name"))


def to_find(player: User, *, words: str = "") -> list[Club]:
    """Clubs that they could join or ask for, the largest first."""
    mine = ClubMember.objects.filter(player=player, part__in=ClubMember.IN).values("club")
    found = (
        Club.objects.filter(closed_at=None, name__icontains=words.replace("\0", " "))
        .exclude(way=Club.Way.LINK)
        .exclude(pk__in=mine)
    )
    return list(found.annotate(people=_PEOPLE).order_by("-people", "name")[:LISTED])


def people_of(club: Club) -> QuerySet[ClubMember]:
    """Who belongs to the club, with their `player`: none whose account is closed."""
    found = ClubMember.objects.filter(club=club, part__in=ClubMember.IN, player__is_active=True)
    return found.select_related("player").order_by("player__username")


def others_of(club: Club) -> QuerySet[ClubMember]:
    """Who asks to join, and who was removed."""
    parts = (ClubMember.Part.ASKED, ClubMember.Part.REMOVED)
    return ClubMember.objects.filter(club=club, part__in=parts, player__is_active=True).select_related("player")


def people_now(club: Club) -> list[ClubMember]:
    """The members, those who play first, each with the `seats` that other members may know of."""
    people = list(people_of(club))
    where = table_queries.seats_in_sight([each.player_id for each in people])
    here = Seat.objects.filter(table__club_table__club=club, player__in=[each.player_id for each in people])
    for seat in here.select_related("table"):
        where.setdefault(seat.player_id, []).append(seat)
    for each in people:
        each.seats = where.get(each.player_id, [])  # type: ignore[attr-defined]
    order = [*ClubMember.IN]
    return sorted(people, key=lambda each: (not each.seats, order.index(each.part)))  # type: ignore[attr-defined]


def tables_of(club: Club) -> QuerySet[ClubTable]:
    """Its open tables, each with the seats that `people` and `bots` have."""
    found = ClubTable.objects.filter(club=club).exclude(table__state__in=_OVER)
    return found.select_related("table", "table__home__host").annotate(**_SEATED).order_by("table__name")


def tables_for(player: User) -> list[ClubTable]:
    """The open tables of the clubs that they belong to. One query."""
    found = ClubTable.objects.filter(
        club__members__player=player, club__members__part__in=ClubMember.IN, club__closed_at=None
    )
    found = found.exclude(table__state__in=_OVER).select_related("table", "club").annotate(**_SEATED)
    return list(found.order_by("club__name", "table__name"))


def club_of_table(table: Table) -> Club | None:
    """The club whose table it is. No query where it is not private."""
    return Club.objects.filter(tables__table=table).first() if table.is_private else None


def hands_of(club: Club, viewer: User) -> list[HandResult]:
    """The last hands at its tables that the viewer played, and so may see."""
    found = HandResult.objects.filter(table__club_table__club=club, player=viewer)
    return list(found.select_related("hand", "table").order_by("-pk")[:HANDS])


def place_of(club_id: int) -> str:
    """Where the lines of a club's chat are kept, and the topic that tells of it."""
    return f"club:{club_id}"


def lines(*, club_id: int, reader: User, before: int | None = None, limit: int = chat.SHOWN) -> list[ChatLine]:
    """What was said in the club, the newest first. Refuses: `NotFound`, `Forbidden` (no member)."""
    access.require_login(reader)
    for_members(club_id, reader)
    return chat.newest(reader=reader, place=place_of(club_id), before=before, limit=limit)


class ClubChats(PrivatePlaces):
    """A club's chat is for its members."""

    def may_read(self, place: str, reader: User) -> bool:
        return place in self.readable([reader.pk], [place]).get(reader.pk, ())

    def readable(self, users: Collection[int], topics: Collection[str]) -> dict[int, set[str]]:
        """Their clubs, whether or not they are among these topics."""
        found: dict[int, set[str]] = {}
        rows = ClubMember.objects.filter(player__in=users, part__in=ClubMember.IN, club__closed_at=None)
        for player, club in rows.values_list("player", "club"):
            found.setdefault(player, set()).add(place_of(club))
        return found
