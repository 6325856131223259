"""What players are told about their events, each thing once."""

from datetime import datetime

from cardroom.models import User
from cardroom.services.errors import NotFound
from tournaments.models import Notice


def read(*, notice_id: int, player: User, now: datetime) -> None:
    """The player has seen it. Once more changes nothing. `NotFound` where it is nobody's or another's."""
    mine = Notice.objects.filter(pk=notice_id, player=player)
    if not mine.filter(read_at__isnull=True).update(read_at=now) and not mine.exists():
        raise NotFound("There is no such notice.", "no-such-notice")
