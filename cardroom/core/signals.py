"""How a room speaks to the rooms above it, which it does not know: it tells them something, or asks them."""

from functools import partial
from typing import Any

from django.db import transaction
from django.dispatch import Signal


class Announcement(Signal):
    """What happened, by ids and numbers, never a card. A receiver that fails is logged and stops nobody."""

    def after_commit(self, **what: int) -> None:
        """Send it once the transaction at hand has been committed; not at all if it is rolled back."""
        transaction.on_commit(partial(self.send_robust, sender=None, **what), robust=True)


class Question(Signal):
    """Asked of every receiver; each question's docstring says what is asked and what an answer is.

    Receivers answer at once, in the transaction of whoever asks: they read and lock nothing. A room asks as little as
    it can: what lies in its own tables it reads itself.
    """

    def ask(self, **about: Any) -> list[Any]:
        """Every answer; a receiver that has none says None. What a receiver raises reaches whoever asks."""
        return [answer for _, answer in self.send(sender=None, **about) if answer is not None]
