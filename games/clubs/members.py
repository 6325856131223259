"""Who belongs to a club: joining, asking, leaving, parts, removing, and silence in its chat.

Whoever belongs to it is invited to each of its tables, as to any private table, and no longer when they leave.
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

#: So many people belong to one club, so many clubs one person belongs to, and so many requests wait.
MOST, MOST_OF_ONE, MOST_REQUESTS = 200, 20, 50
Part = ClubMember.Part

ScreenName = Annotated[str, Limits(called="player", max_length=150, help_text="A screen name.")]
NewPart = Annotated[
    Literal["owner", "organiser", "member", "removed"],
    Limits(called="becomes", help_text="owner: hands the club over."),
]


@verb("clubs.join")
def join(*, club_id: RowId, word: Annotated[str, internal] = "", by: User) -> ClubMember:
    """Join an open club, or one whose link this is the `word` of; ask for it where it is by request. Once more does
    nothing.

    Refuses: `NotFound` (no such club, or its link is needed), `Forbidden` (banned; removed: an organiser lets them in
    again), `Conflict` (the club is full, they belong to too many).
    """
    access.require_login(by)
    club, now = founding.lock_open(club_id)
    if word != club.word and (word or club.way == Club.Way.LINK):
        raise Club.not_found()
    founding.check_not_banned(by, now=now)
    earlier = ClubMember.objects.filter(club=club, player=by).first()
    if earlier is not None and earlier.part in ClubMember.IN:
        return earlier
    if earlier is not None and earlier.part == Part.REMOVED:
        raise Forbidden("removed", "You were removed from this club: ask one of its organisers.")
    if word or club.way == Club.Way.OPEN:
        return _take_in(club, by, now=now)
    if ClubMember.objects.filter(club=club, part=Part.ASKED).exclude(player=by).count() >= MOST_REQUESTS:
        raise Conflict("too-many-requests", "Too many ask to join this club now: come back later.")
    member = _set_part(club, by, Part.ASKED, now=now)
    if earlier is None:
        for organiser in ClubMember.objects.filter(club=club, part__in=queries.ORGANISE).select_related("player"):
            with languages.spoken_to(organiser.player):
                text = gettext("{player} asks to join {club}.").format(player=by.username, club=club.name)
            notices.tell(player=organiser.player, kind="club", text=text, key=_request(club, by), now=now)
    return member


@verb("clubs.join_by_link")
def join_by_link(*, word: str, by: User) -> ClubMember:
    """Join by the link. Refuses what `join` does."""
    return join(club_id=queries.by_word(word).pk, word=word, by=by)


@verb("clubs.leave")
def leave(*, club_id: RowId, by: User) -> ClubMember:
    """Leave the club, or take a request back; who sits at a table of it plays on. Once more does nothing.

    Refuses: `NotFound`, `Conflict` (its owner hands it over first).
    """
    club, now = founding.lock_open(club_id)
    member = _row(club, by)
    if member.part == Part.OWNER:
        raise Conflict("owner-stays", "Hand the club over first, or close it.")
    return member if member.part in (Part.LEFT, Part.REMOVED) else _set_part(club, by, Part.LEFT, now=now)


@verb("clubs.give_part")
def give_part(*, club_id: RowId, name: ScreenName, part: NewPart, by: User) -> ClubMember:
    """Make somebody an organiser, a member (who asks, or was removed, comes in by it), or remove them; `owner` hands
    the club over to one of its members. As it is already: nothing is done.

    Organisers do it with members and requests, the owner with everybody, a manager of the room may hand over. Refuses:
    `NotFound`, `Forbidden`, `Conflict` (the owner's own part, the new owner is no member, the club is full), `Invalid`.
    """
    club, now = founding.lock_open(club_id)
    if part not in (*ClubMember.IN, Part.REMOVED):
        raise Invalid("bad-part", "The parts are: {parts}.", parts=", ".join((*ClubMember.IN, Part.REMOVED)))
    if part == Part.OWNER:
        founding.require_owner(club, by)
        return _hand_over(club, access.get_user_by_name(name), by=by, now=now)
    queries.require_part(club, by, *queries.ORGANISE)
    player = access.get_user_by_name(name)
    member = _row(club, player)
    if member.part == part:
        return member
    if member.part == Part.OWNER:
        raise Conflict("owner-stays", "The owner hands the club over first.")
    if Part.ORGANISER in (part, member.part):
        queries.require_part(club, by, Part.OWNER)
    if part == Part.REMOVED:
        audit_log.note(verb="clubs.remove", subject=f"club:{club.pk}", player=player, by=by, now=now)
        return _set_part(club, player, part, now=now)
    if member.part == Part.LEFT:
        raise Conflict("not-a-member", "{player} left: send them the link.", player=player.username)
    if member.part in ClubMember.IN:
        return _set_part(club, player, part, now=now)
    founding.check_not_banned(player, now=now)
    return _take_in(club, player, part=part, now=now)


@verb("clubs.silence")
def silence(*, club_id: RowId, name: ScreenName, is_silenced: bool, by: User) -> ClubMember:
    """Whether a member may speak in the chat of the club; it holds when they leave and come back. For the owner and
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
    if member.part == Part.OWNER:
        return member
    if member.part not in ClubMember.IN or not player.is_active:
        raise Conflict("not-a-member", "{player} is no member of {club}.", player=player.username, club=club.name)
    owned = ClubMember.objects.filter(player=player, part=Part.OWNER, club__closed_at=None).count()
    if owned >= founding.MOST:
        raise Conflict(
            "too-many-clubs", "{player} owns {most} clubs already.", player=player.username, most=founding.MOST
        )
    ClubMember.objects.filter(club=club, part=Part.OWNER).update(part=Part.ORGANISER, at=now)
    audit_log.note(verb="clubs.hand_over", subject=f"club:{club.pk}", player=player, by=by, now=now)
    with languages.spoken_to(player):
        text = gettext("You own the club {club} now.").format(club=club.name)
    notices.tell(player=player, kind="club", text=text, now=now)
    return _set_part(club, player, Part.OWNER, now=now)


def _take_in(club: Club, player: User, *, part: str = Part.MEMBER, now: datetime) -> ClubMember:
    # After the club: two clubs that take in the same player at once count one after the other.
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


def _request(club: Club, player: User) -> str:
    """The key of what organisers are told when this player asks to join."""
    return f"club:{club.pk}:{player.pk}:"


def _set_part(club: Club, player: User, part: str, *, now: datetime) -> ClubMember:
    if part != Part.ASKED and ClubMember.objects.filter(club=club, player=player, part=Part.ASKED).exists():
        organisers = ClubMember.objects.filter(club=club, part__in=queries.ORGANISE)
        notices.put_away([each.player_id for each in organisers], key_prefix=_request(club, player), now=now)
    member, _ = ClubMember.objects.update_or_create(club=club, player=player, defaults={"part": part, "at": now})
    tables = [each.table_id for each in queries.tables_of(club)]
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
