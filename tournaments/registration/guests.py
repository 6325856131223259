"""Guests at the desk: the person a name stands for in an event, and guests who turn out to be members.

Within an event, its flights among them, a name is one person: a guest who comes back under it is that person, with the
entries that they have had. Two people of one name are told apart by what the desk adds to one of them.
"""

import unicodedata
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Concat, Trim
from django.utils.translation import gettext_lazy

from cardroom.accounts import members, people
from cardroom.core.arguments import RowId
from cardroom.core.errors import Illegal, NotFound
from cardroom.core.models import User
from cardroom.core.verb import verb
from tournaments.engine.commands import Identify
from tournaments.events import playing, staff
from tournaments.events.journal import Locked
from tournaments.events.models import Tournament, TournamentEntry
from tournaments.prizes.models import Ticket

State = TournamentEntry.State
_ANOTHER = gettext_lazy("If this is another person, add to the name to tell them apart.")


def name_of(typed: str) -> str:
    """A name in its stored form: letters normalized, one space between words."""
    return " ".join(unicodedata.normalize("NFKC", typed).split())


def of_name(row: Tournament, name: str) -> QuerySet[TournamentEntry]:
    """The entries of people with this name here, or with it as a member, in upper or lower case, in the order of entry;
    withdrawn entries too."""
    wanted = name_of(name)
    in_full = Concat("player__first_name", Value(" "), "player__last_name")
    matching = row.entries.annotate(in_full=in_full).filter(Q(name__iexact=wanted) | Q(in_full__iexact=wanted))
    return matching.select_related("player").order_by("number")


def person_named(name: str) -> dict[str, Any]:
    """The person with this name, as arguments of `registration.register`: the member whose card, number, screen name or
    full name it is, else a guest. Guests of other events are not searched, since a name does not identify them.
    `Illegal` where several members have a similar name: the desk chooses."""
    stored_name = name_of(name)
    in_full = Trim(Concat("first_name", Value(" "), "last_name"))
    known = User.objects.filter(~User.of_guests() | Q(member__isnull=False), is_bot=False, is_active=True)
    known = known.annotate(in_full=in_full)
    member = members.exact(stored_name)
    if member is not None and known.filter(pk=member.pk).exists():
        return {"player": member}
    full = list(known.filter(in_full__iexact=stored_name)[:2])
    if len(full) == 1:
        return {"player": full[0]}
    likely = known.filter(Q(username__icontains=stored_name) | Q(in_full__icontains=stored_name)).order_by("username")
    if near := [user.username for user in likely[:4]]:
        raise Illegal(
            "which-one",
            "Members go by such a name ({names}): choose one of them, or the guest, from the list.",
            names=", ".join(near),
        )
    return {"guest": stored_name}


def take_in(row: Tournament, name: str, *, now: datetime) -> User:
    """The person whom the desk takes in by this name: somebody who was taken off before, or who is in another flight,
    else a new guest. Call with the event held. Refuses: `Illegal` (the name is in already, or was and is out: that
    person re-enters), `Invalid` (no name)."""
    here = list(of_name(row, name).exclude(state=State.WITHDRAWN))
    if here:
        last = here[-1]
        if last.state == State.OUT:
            raise Illegal(
                "guest-was-in",
                "{name} was in with entry {number} and is out: use re-entry instead. {another}",
                name=last.name,
                number=last.number,
                another=_ANOTHER,
            )
        raise Illegal(
            "entered-already",
            "{name} is in already, with entry {number}. {another}",
            name=last.name,
            number=last.number,
            another=_ANOTHER,
        )
    known = _known_guest(row, name)
    return known if known is not None else people.make_guest(name=name_of(name), now=now)


@verb("registration.identify", roles=staff.DESK)
def identify(*, tournament_id: RowId, entrant: RowId, player: User, by: User) -> TournamentEntry:
    """The guest of this entry is `player`, a member: their entries in this event count as that player's, and so do the
    tickets they have won in it. At the desk of a guest, who has no account; of somebody with one only a director
    corrects it. Refuses: `NotFound`, `Forbidden`, `Illegal` (the player has an entry of their own, the event was called
    off)."""
    with playing.holding(tournament_id) as locked:
        entry = locked.row.entries.filter(number=entrant).select_related("player").first()
        if entry is None:
            raise NotFound("no-such-entry", "There is no entry {entrant} in this tournament.", entrant=entrant)
        if entry.player_id != player.pk:
            if not is_guest(entry):
                staff.require(by, staff.DIRECTORS)
            _move(locked, entry, player, now=locked.now, by=by)
    entry.refresh_from_db()
    return entry


def is_guest(entry: TournamentEntry) -> bool:
    """Whether it is the entry of somebody taken in by a name, who has no account to log in to."""
    return entry.name == entry.player.get_full_name() and not entry.player.has_usable_password()


def _move(locked: Locked, entry: TournamentEntry, player: User, *, now: datetime, by: User) -> None:
    playing.play(locked, Identify(entry.number, player.pk), now=now, by=by)
    locked.row.entries.filter(player=entry.player_id).update(player=player)
    won = Ticket.objects.filter(player=entry.player_id, won_in=locked.row, state=Ticket.State.ISSUED)
    won.update(player=player)


def _known_guest(row: Tournament, name: str) -> User | None:
    """The guest of this name who was taken off here, or is in another flight of the same event."""
    final = row.parent_id or row.pk
    events = Tournament.objects.filter(Q(pk=final) | Q(parent_id=final)).values("pk")
    same = TournamentEntry.objects.filter(tournament__in=events, name__iexact=name_of(name)).select_related("player")
    return next((entry.player for entry in same.order_by("-pk") if is_guest(entry)), None)
