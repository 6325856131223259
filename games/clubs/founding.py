"""Clubs founded, edited and closed: name, description, welcome, how players join, the link."""

import secrets
from datetime import datetime
from typing import Annotated

from django.db import IntegrityError, transaction
from django.utils.translation import gettext, gettext_lazy

from cardroom.accounts import bans
from cardroom.core import access, audit_log, languages, names
from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Conflict, Forbidden, Invalid, Verbatim
from cardroom.core.models import User
from cardroom.core.verb import lock, verb
from games.clubs import queries
from games.clubs.models import Club, ClubMember

#: Most clubs that one player owns.
MOST = 3
SHORTEST_NAME, LONGEST_NAME = 3, 40
LONGEST_WORDS = 300

Name = Annotated[str, Limits(min_length=SHORTEST_NAME, max_length=LONGEST_NAME)]
Words = Annotated[str, Limits(max_length=LONGEST_WORDS, allow_blank=True)]
Welcome = Annotated[Words, Limits(help_text="To new members.")]
Joins = Annotated[Club.Joining, Limits(called="joins")]


@verb("clubs.found")
def found(
    *, name: Name, description: Words = "", welcome: Welcome = "", way: Joins = Club.Joining.REQUEST, by: User
) -> Club:
    """Found a club and own it.

    Refuses: `Forbidden` (banned), `Conflict` (three are owned; a name that looks like another club's), `Invalid` (the
    name, the words). Locks the founder's row.
    """
    access.require_login(by)
    _, now = lock(User, by.pk)
    check_not_banned(by, now=now)
    if ClubMember.objects.filter(player=by, part=ClubMember.Kind.OWNER, club__closed_at=None).count() >= MOST:
        raise Conflict("too-many-clubs", "You own {most} clubs: close one or hand one over first.", most=MOST)
    club = Club(word=_new_word(), founded_at=now)
    _write(club, name=name, description=description, welcome=welcome, way=way)
    ClubMember.objects.create(club=club, player=by, part=ClubMember.Kind.OWNER, at=now)
    audit_log.note(verb="clubs.found", subject=f"club:{club.pk}", player=by, by=by, now=now, name=club.name)
    return club


@verb("clubs.edit")
def edit(
    *,
    club_id: RowId,
    name: Name | None = None,
    description: Words | None = None,
    welcome: Welcome | None = None,
    way: Joins | None = None,
    by: User,
) -> Club:
    """Change what is given. For the owner and organisers.

    Refuses: `NotFound`, `Forbidden`, and names and words that `found` refuses. Locks the club.
    """
    club, now = lock_open(club_id)
    queries.require_part(club, by, *queries.ORGANISE)
    before = club.name
    _write(
        club,
        name=club.name if name is None else name,
        description=club.description if description is None else description,
        welcome=club.welcome if welcome is None else welcome,
        way=club.way if way is None else way,
    )
    if before != club.name:
        audit_log.note(verb="clubs.rename", subject=f"club:{club.pk}", player=by, by=by, now=now, name=club.name)
    return club


@verb("clubs.renew_link")
def renew_link(*, club_id: RowId, by: User) -> Club:
    """Replace the link of the club; the old one leads nowhere any more. For the owner and organisers."""
    club, _ = lock_open(club_id)
    queries.require_part(club, by, *queries.ORGANISE)
    club.word = _new_word()
    club.save(update_fields=["word"])
    return club


@verb("clubs.close")
def close(*, club_id: RowId, by: User) -> Club:
    """End the club; its name is free again. For its owner, and managers of the room.

    Refuses: `NotFound`, `Forbidden`, `Conflict` (a table of it is open).
    """
    club, now = lock_open(club_id)
    require_owner(club, by)
    if queries.tables_of(club).exists():
        raise Conflict("tables-open", "Close the club's tables first.")
    club.closed_at = now
    club.save(update_fields=["closed_at"])
    audit_log.note(verb="clubs.close", subject=f"club:{club.pk}", by=by, now=now, name=club.name)
    return club


def require_owner(club: Club, by: User) -> None:
    """`Forbidden` for everybody but the owner of the club and managers of the room."""
    if not access.has_role(by, "manager"):
        queries.require_part(club, by, ClubMember.Kind.OWNER)


def check_not_banned(player: User, *, now: datetime) -> None:
    """`Forbidden`, with the reason and the end of the ban, for a banned player."""
    if ban := bans.in_force(player, now=now).first():
        raise Forbidden("banned", Verbatim(bans.words_for(ban)))


def lock_open(club_id: int) -> tuple[Club, datetime]:
    """The open club's row, locked, with the time; `NotFound` where there is none."""
    return lock(Club.objects.filter(closed_at=None), club_id)


def _write(club: Club, *, name: str, description: str, welcome: str, way: str) -> None:
    club.name, club.looks = _good_name(name)
    messages = {
        "description": gettext("The description has at most {most} printable characters."),
        "welcome": gettext("The welcome has at most {most} printable characters."),
    }
    for field, text in (("description", description), ("welcome", welcome)):
        words = " ".join(text.split())
        if len(words) > LONGEST_WORDS or not words.isprintable():
            raise Invalid("bad-words", Verbatim(messages[field].format(most=LONGEST_WORDS)))
        setattr(club, field, words)
    if way not in Club.Joining.values:
        raise Invalid(
            "bad-way", "One joins a club in one of these ways: {values}.", values=", ".join(Club.Joining.values)
        )
    club.way = way
    try:
        with transaction.atomic():
            club.save()
    except IntegrityError as error:
        raise Conflict(
            "name-taken", "A club is called {club}, or looks like it: choose another name.", club=club.name
        ) from error


#: What is wrong with a screen name, and the same of a club's name.
_FAULTS = {
    "A screen name uses letters of one script only.": gettext_lazy("A club’s name uses letters of one script only."),
    "The digits of a screen name are 0 to 9.": gettext_lazy("The digits of a club’s name are 0 to 9."),
    "A screen name needs visible letters or digits.": gettext_lazy("A club’s name needs visible letters or digits."),
    "A screen name cannot be an e-mail address: everybody sees it.": gettext_lazy(
        "A club’s name cannot be an e-mail address: everybody sees it."
    ),
}


def _good_name(text: str) -> tuple[str, str]:
    """The name as it is stored, and the text of what it looks like."""
    name = " ".join(names.normal(text).split())
    if not SHORTEST_NAME <= len(name) <= LONGEST_NAME or not name.isprintable():
        raise Invalid(
            "bad-name",
            "The name of a club has {shortest_name} to {longest_name} printable characters.",
            shortest_name=SHORTEST_NAME,
            longest_name=LONGEST_NAME,
        )
    with languages.spoken_to(None):
        fault = names.fault(name.replace(" ", ""))
    if fault:
        raise Invalid("bad-name", Verbatim(str(_FAULTS[fault])))
    if names.is_like_staff(name):
        raise Invalid("name-of-staff", "This name is reserved for the house. Choose another.")
    return name, names.looks(name).replace(" ", "")


def _new_word() -> str:
    return secrets.token_urlsafe(12)
