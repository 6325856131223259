"""How many messages a second one socket may send."""

from __future__ import annotations

from dataclasses import dataclass

PER_SECOND = 20.0
AT_ONCE = 20.0


@dataclass(slots=True)
class Pace:
    """A bucket of ``AT_ONCE`` messages that fills again at ``per_second``. Times are seconds of any steady clock."""

    at: float
    left: float = AT_ONCE
    per_second: float = PER_SECOND

    def allows(self, now: float) -> bool:
        """Take one message out, if there is one left."""
        self.left = min(AT_ONCE, self.left + (now - self.at) * self.per_second)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True
