"""Places of talk that only some people may read: the chat of a table, the chat of a club.

The rooms above have them; `settings.PRIVATE_PLACES` names a class for each sort. They read and lock nothing.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection

from django.conf import settings

from cardroom.core.interfaces import implementation
from cardroom.core.models import User


class PrivatePlaces(ABC):
    """Places of one sort. A place has the same name as the topic that tells of it, such as "club:7"."""

    @abstractmethod
    def may_read(self, place: str, reader: User) -> bool:
        """Whether this person may read what was written there; False for a place of another sort."""

    @abstractmethod
    def readable(self, users: Collection[int], topics: Collection[str]) -> dict[int, set[str]]:
        """Which of these topics each user, by id, may follow; users who may follow none can be left out."""


def private_places() -> list[PrivatePlaces]:
    """Every sort of them."""
    return [implementation(path, PrivatePlaces) for path in settings.PRIVATE_PLACES]
