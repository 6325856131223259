"""Favourites: the tables, games on offer and events that a player marked with a star. They come first in the lobby."""

from typing import Annotated

from cardroom.core import topics
from cardroom.core.arguments import Limits, not_kept
from cardroom.core.errors import Conflict, NotFound
from cardroom.core.models import User
from cardroom.core.verb import lock, verb
from games.tables import hosts
from games.tables.models.offers import Favourite, Offer
from games.tables.models.tables import Table

Kind = Favourite.Kind
#: The most favourites of one player.
MOST = 200

Number = Annotated[int, Limits(min_value=1, help_text="Of the table, the game on offer or the event.")]
IsMarked = Annotated[bool, Limits(help_text="false takes the star away.")]


@verb("favourites.mark")
def mark(*, kind: Kind, number: Number, is_marked: IsMarked = True, by: User) -> Annotated[Favourite, not_kept]:
    """Mark it with a star, or take the star away; a second time does nothing. Without a star the answer has no `pk`.

    Refuses: `NotFound` (no such thing in the lobby), `Conflict` (200 have one). Locks the player's row.
    """
    lock(User, by.pk)
    favourite = Favourite(player=by, kind=kind, number=number)
    rows = Favourite.objects.filter(player=by, kind=kind, number=number)
    if not is_marked:
        rows.delete()
    elif (earlier := rows.first()) is not None:
        return earlier
    else:
        if not _is_there(kind, number):
            raise NotFound("no-such-thing", "There is no such table, game or tournament.")
        if Favourite.objects.filter(player=by).count() >= MOST:
            raise Conflict(
                "too-many-favourites", "You have {most} favourites: take the star from one first.", most=MOST
            )
        favourite.save()
    topics.tell(f"player:{by.pk}")
    return favourite


def _is_there(kind: str, number: int) -> bool:
    if kind == Kind.EVENT:
        return hosts.host(hosts.EVENT).is_in_lobby(number)
    if kind == Kind.OFFER:
        return Offer.objects.filter(pk=number).exists()
    return Table.objects.filter(pk=number, event="", home=None).exclude(state=Table.State.CLOSED).exists()
