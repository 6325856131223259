"""The members of a club: joining, asking to join, leaving, their parts, removing, and silence in its chat.

Members are invited to each of its tables, as to any private table, until they leave.
"""

from datetime import datetime
from typing import Annotated, Literal

from django.utils.translation import gettext

from cardroom.core import access, audit_log, languages, notices, topics
from cardroom.core.arguments import Limits, RowId, internal
from cardroom.core.errors import Conflict, Forbidden, Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.verb import lock, verb
from games.clubs import founding, queries
from games.clubs.models import Club, ClubMember
from games.tables.models.offers import Invitation

#: Most members of a club, most clubs of a player, and most requests that wait at a club.
MOST, MOST_OF_ONE, MOST_REQUESTS = 200, 20, 50
Kind = ClubMember.Kind

ScreenName = Annotated[str, Limits(called="player", max_length=150, help_text="A screen name.")]
NewPart = Annotated[
    Literal["owner", "organiser", "member", "removed"],
    Limits(called="becomes", help_text="owner: hands the club over."),
]


@verb("clubs.join")
def join(*, club_id: RowId, word: Annotated[str, internal] = "", by: User) -> ClubMember:
    """Join an open club, or a club by the `word` of its link; ask to join one by request. A second call does nothing.

    Refuses: `NotFound` (no such club, or its link is needed), `Forbidden` (banned; removed: an organiser lets them in
    again), `Conflict` (the club is full, they belong to too many).
    """
    access.require_login(by)
    club, now = founding.lock_open(club_id)
    if word != club.word and (word or club.way == Club.Joining.LINK):
        raise Club.not_found()
    founding.check_not_banned(by, now=now)
    earlier = ClubMember.objects.filter(club=club, player=by).first()
    if earlier is not None and earlier.part in ClubMember.IN:
        return earlier
    if earlier is not None and earlier.part == Kind.REMOVED:
        raise Forbidden("removed", "You were removed from this club: ask one of its organisers.")
    if word or club.way == Club.Joining.OPEN:
        return _add_member(club, by, now=now)
    if ClubMember.objects.filter(club=club, part=Kind.ASKED).exclude(player=by).count() >= MOST_REQUESTS:
        raise Conflict("too-many-requests", "Too many ask to join this club now: come back later.")
    member = _set_part(club, by, Kind.ASKED, now=now)
    if earlier is None:
        for organiser in ClubMember.objects.filter(club=club, part__in=queries.ORGANISE).select_related("player"):
            with languages.spoken_to(organiser.player):
                text = gettext("{player} asks to join {club}.").format(player=by.username, club=club.name)
            notices.tell(player=organiser.player, kind="club", text=text, key=_request_key(club, by), now=now)
    return member


@verb("clubs.join_by_link")
def join_by_link(*, word: str, by: User) -> ClubMember:
    """Join a club by its link. Refuses what `join` refuses."""
    return join(club_id=queries.by_word(word).pk, word=word, by=by)


@verb("clubs.leave")
def leave(*, club_id: RowId, by: User) -> ClubMember:
    """Leave the club, or take a request back; a player who sits at one of its tables plays on. A second call does
    nothing.

    Refuses: `NotFound`, `Conflict` (the owner has to hand the club over first).
    """
    club, now = founding.lock_open(club_id)
    member = _row(club, by)
    if member.part == Kind.OWNER:
        raise Conflict("owner-stays", "Hand the club over first, or close it.")
    return member if member.part in (Kind.LEFT, Kind.REMOVED) else _set_part(club, by, Kind.LEFT, now=now)


@verb("clubs.give_part")
def give_part(*, club_id: RowId, name: ScreenName, part: NewPart, by: User) -> ClubMember:
    """Make a player an organiser or a member, or remove them. A player who asks to join, or was removed, comes in by
    it; `owner` hands the club over to one of its members. Nothing is done where the player has this part already.

    Organisers may change members and requests, the owner everybody; a manager of the room may hand over. Refuses:
    `NotFound`, `Forbidden`, `Conflict` (the owner's own part, the new owner is no member, the club is full), `Invalid`.
    """
    club, now = founding.lock_open(club_id)
    if part not in (*ClubMember.IN, Kind.REMOVED):
        raise Invalid("bad-part", "The parts are: {parts}.", parts=", ".join((*ClubMember.IN, Kind.REMOVED)))
    if part == Kind.OWNER:
        founding.require_owner(club, by)
        return _hand_over(club, access.get_user_by_name(name), by=by, now=now)
    queries.require_part(club, by, *queries.ORGANISE)
    player = access.get_user_by_name(name)
    member = _row(club, player)
    if member.part == part:
        return member
    if member.part == Kind.OWNER:
        raise Conflict("owner-stays", "The owner hands the club over first.")
    if Kind.ORGANISER in (part, member.part):
        queries.require_part(club, by, Kind.OWNER)
    if part == Kind.REMOVED:
        audit_log.note(verb="clubs.remove", subject=f"club:{club.pk}", player=player, by=by, now=now)
        return _set_part(club, player, part, now=now)
    if member.part == Kind.LEFT:
        raise Conflict("not-a-member", "{player} left: send them the link.", player=player.username)
    if member.part in ClubMember.IN:
        return _set_part(club, player, part, now=now)
    founding.check_not_banned(player, now=now)
    return _add_member(club, player, part=part, now=now)


@verb("clubs.silence")
def silence(*, club_id: RowId, name: ScreenName, is_silenced: bool, by: User) -> ClubMember:
    """Set whether a member may write in the chat of the club; it stays when they leave and come back. For the owner and
    organisers, about members. Refuses: `NotFound`, `Forbidden`."""
    club, now = founding.lock_open(club_id)
    queries.require_part(club, by, *queries.ORGANISE)
    player = access.get_user_by_name(name)
    member = _row(club, player)
    if member.part in queries.ORGANISE:
        raise Forbidden("not-for-you", "Organisers cannot be silenced.")
    member.is_silenced = is_silenced
    member.save(update_fields=["is_silenced"])
    entry = "clubs.silence" if is_silenced else "clubs.unsilence"
    audit_log.note(verb=entry, subject=f"club:{club.pk}", player=player, by=by, now=now)
    return member


def _hand_over(club: Club, player: User, *, by: User, now: datetime) -> ClubMember:
    member = _row(club, player)
    if member.part == Kind.OWNER:
        return member
    if member.part not in ClubMember.IN or not player.is_active:
        raise Conflict("not-a-member", "{player} is no member of {club}.", player=player.username, club=club.name)
    owned = ClubMember.objects.filter(player=player, part=Kind.OWNER, club__closed_at=None).count()
    if owned >= founding.MOST:
        raise Conflict(
            "too-many-clubs", "{player} owns {most} clubs already.", player=player.username, most=founding.MOST
        )
    ClubMember.objects.filter(club=club, part=Kind.OWNER).update(part=Kind.ORGANISER, at=now)
    audit_log.note(verb="clubs.hand_over", subject=f"club:{club.pk}", player=player, by=by, now=now)
    with languages.spoken_to(player):
        text = gettext("You own the club {club} now.").format(club=club.name)
    notices.tell(player=player, kind="club", text=text, now=now)
    return _set_part(club, player, Kind.OWNER, now=now)


def _add_member(club: Club, player: User, *, part: str = Kind.MEMBER, now: datetime) -> ClubMember:
    # Locked after the club, so that two clubs that take in the same player at once count their clubs one by one.
    lock(User, player.pk)
    if queries.people_of(club).count() >= MOST:
        raise Conflict("club-full", "{club} is full: a club has at most {most} members.", club=club.name, most=MOST)
    if ClubMember.objects.filter(player=player, part__in=ClubMember.IN, club__closed_at=None).count() >= MOST_OF_ONE:
        raise Conflict("too-many-clubs", "A player belongs to at most {most_of_one} clubs.", most_of_one=MOST_OF_ONE)
    with languages.spoken_to(player):
        greeting = gettext("Welcome to {club}.").format(club=club.name)
        text = f"{greeting} {club.welcome}".strip()
    notices.tell(player=player, kind="club", text=text, now=now)
    return _set_part(club, player, part, now=now)


def _request_key(club: Club, player: User) -> str:
    """The key of the notice to organisers that this player asks to join."""
    return f"club:{club.pk}:{player.pk}:"


def _set_part(club: Club, player: User, part: str, *, now: datetime) -> ClubMember:
    if part != Kind.ASKED and ClubMember.objects.filter(club=club, player=player, part=Kind.ASKED).exists():
        organisers = ClubMember.objects.filter(club=club, part__in=queries.ORGANISE)
        notices.put_away(
            [organiser.player_id for organiser in organisers], key_prefix=_request_key(club, player), now=now
        )
    member, _ = ClubMember.objects.update_or_create(club=club, player=player, defaults={"part": part, "at": now})
    tables = [club_table.table_id for club_table in queries.tables_of(club)]
    if part in ClubMember.IN:
        rows = [Invitation(table_id=table, player=player, at=now) for table in tables]
        Invitation.objects.bulk_create(rows, ignore_conflicts=True)
    else:
        Invitation.objects.filter(table__in=tables, player=player).delete()
    topics.tell(queries.place_of(club.pk), f"player:{player.pk}", "lobby")
    return member


def _row(club: Club, player: User) -> ClubMember:
    member = ClubMember.objects.filter(club=club, player=player).select_related("player").first()
    if member is None:
        raise NotFound(
            "not-a-member", "{player} has nothing to do with {club}.", player=player.username, club=club.name
        )
    return member
