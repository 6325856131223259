"""What a player keeps about others, for themselves alone: notes, colours, friends, and whose chat they do not see."""

from typing import Annotated

from django.utils.translation import gettext

from cardroom.accounts.models import PlayerMark
from cardroom.core import names, topics
from cardroom.core.arguments import Limits, not_kept
from cardroom.core.errors import Invalid, NotFound, Verbatim
from cardroom.core.models import User
from cardroom.core.verb import lock, verb

LONGEST_NOTE = 500
MOST = 1000


def marks_of(by: User) -> list[PlayerMark]:
    """All marks of a player, the latest first, each with the player it is `about`."""
    return list(PlayerMark.objects.filter(by=by).select_related("about").order_by("-at", "-pk")[:MOST])


@verb("player_marks.mark")
def mark(
    *,
    player: Annotated[str, Limits(max_length=150, help_text="A screen name.")],
    note: Annotated[str, Limits(max_length=LONGEST_NOTE)] = "",
    colour: Annotated[str, Limits(choices=PlayerMark.Colour.choices)] = "",
    is_friend: bool = False,
    is_muted: Annotated[bool, Limits(help_text="Hides their lines in the chat.")] = False,
    by: User,
) -> Annotated[PlayerMark, not_kept]:
    """Store this mark on the player with that screen name, in place of an earlier one; an empty mark removes it.

    Refuses: `NotFound`, `Invalid` (oneself, no such colour, a note that is too long, too many players). Locks the row
    of the person who keeps it.
    """
    about = User.objects.filter(username__iexact=player.strip()).first()
    if about is None:
        words = gettext("There is no player called “{name}”.").format(name=names.name_for_message(player))
        raise NotFound("no-such-player", Verbatim(words))
    if about.pk == by.pk:
        raise Invalid("bad-player", "Notes are about other players.")
    if colour not in PlayerMark.Colour.values:
        named = ", ".join(filter(None, PlayerMark.Colour.values))
        raise Invalid("bad-colour", "The colours are: {named}; none: an empty word.", named=named)
    fields = {"note": note.strip(), "colour": colour, "is_friend": is_friend, "is_muted": is_muted}
    if len(fields["note"]) > LONGEST_NOTE:
        raise Invalid("bad-words", "A note has at most {longest} characters.", longest=LONGEST_NOTE)
    _, now = lock(User, by.pk)
    own_marks = PlayerMark.objects.filter(by=by)
    topics.tell(f"player:{by.pk}")
    if not any(fields.values()):
        own_marks.filter(about=about).delete()
        return PlayerMark(by=by, about=about, at=now)
    if own_marks.exclude(about=about).count() >= MOST:
        raise Invalid("too-many-notes", "You keep notes about {most:,} players already: clear some.", most=MOST)
    return PlayerMark.objects.update_or_create(by=by, about=about, defaults={**fields, "at": now})[0]
