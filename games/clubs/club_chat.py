"""The chat of a club: its members talk and read, nobody else."""

from cardroom.accounts import chat
from cardroom.accounts.models import ChatLine
from cardroom.core import access
from cardroom.core.arguments import RowId
from cardroom.core.errors import Forbidden
from cardroom.core.models import User
from cardroom.core.verb import verb
from games.clubs import queries
from games.clubs.models import ClubMember


@verb("club_chat.say")
def say(*, club_id: RowId, text: chat.Message, by: User) -> ChatLine:
    """Send a line to the chat of the club, as a member.

    Refuses: what `chat.say` refuses, `NotFound` (no such club), `Forbidden` (no member; silenced there). Locks the
    author's row.
    """
    access.require_login(by)
    club = queries.for_members(club_id, by)
    if ClubMember.objects.filter(club=club, player=by, is_silenced=True).exists():
        raise Forbidden("silenced", "You are muted in the chat of {club}: ask one of its organisers.", club=club.name)
    return chat.say(by=by, text=text, place=queries.place_of(club_id))
