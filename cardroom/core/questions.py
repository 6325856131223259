"""What a room asks of the rooms above it, which it does not know.

A question is a signal whose receivers answer, at once and in the transaction of whoever asks: they read and lock
nothing. A room asks as little as it can: what lies in its own tables it reads itself.
"""

from typing import Any

from django.dispatch import Signal


class Question(Signal):
    """Asked of every receiver; each question's docstring says what is asked and what an answer is."""

    def ask(self, **about: Any) -> list[Any]:
        """Every answer; a receiver that has none says None. What a receiver raises reaches whoever asks."""
        return [answer for _, answer in self.send(sender=None, **about) if answer is not None]
