"""Names that the floor puts on a list for somebody else: a player of the room, or a name given by phone."""

from dataclasses import replace
from typing import Annotated

from cardroom.core import access
from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Invalid
from cardroom.core.models import User
from games.waitlists import joining
from games.waitlists.models import ListEntry
from games.waitlists.wishes import Wishes

GivenName = Annotated[str, Limits(max_length=60, required=False, allow_blank=False)]


def add(
    *,
    offer_id: RowId,
    player: RowId | None = None,
    name: GivenName = "",
    phone: joining.Phone = "",
    wishes: Wishes | None = None,
    by: User,
    key: str = "",
) -> ListEntry:
    """Put somebody else's name on a list: a `player`, by `joining.join`, or a `name` given by phone, by
    `joining.phone_in`. Refuses what these refuse, `NotFound` (no such player) and `Invalid` (neither is given)."""
    wishes = wishes or Wishes()
    wishes = replace(wishes, phone=phone or wishes.phone)
    source = ListEntry.Source.PHONE if wishes.phone else ListEntry.Source.DESK
    if player is not None:
        account = access.get_user(player)
        return joining.join.once(key, offer_id=offer_id, player=account, wishes=wishes, source=source, by=by)
    if not name:
        raise Invalid("no-name", "Choose a player, or enter a name.")
    return joining.phone_in.once(key, offer_id=offer_id, name=name, wishes=wishes, source=source, by=by)
