"""A person or a bot, found by number or by name."""

from cardroom.core.errors import NotFound
from cardroom.core.models import User


def one(user_id: int) -> User:
    """An account by its number, of a person or a bot; `NotFound` where there is none."""
    user = User.objects.select_related("member").filter(pk=user_id).first()
    if user is None:
        raise NotFound("There is no such player.", "no-such-player")
    return user


def by_name(name: str) -> User:
    """A person by their screen name, as it is said at a desk; `NotFound` where there is none."""
    user = User.objects.filter(username__iexact=name.strip(), is_bot=False).first()
    if user is None:
        raise NotFound(f"There is no player called {name!r}.", "no-such-player")
    return user
