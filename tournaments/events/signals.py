"""What happened in an event, told to the rooms above.

After the commit (`after_commit`): ids and numbers only. A receiver that fails is logged and stops nobody: a room that
missed a signal catches up from the journal.

In the transaction itself (`Signal.send`, with the event locked): a receiver that refuses takes everything back.
"""

from django.dispatch import Signal

from cardroom.core.topics import Announcement

tournament_moved = Announcement()
"""(tournament_id, seq): facts up to `seq` are there, or the event's row has changed (`seq` 0: it has no facts yet)."""

notice_given = Announcement()
"""(notice_id, player_id): a player has something to read."""

facts_written = Signal()
"""In the transaction: (locked, facts, now): what follows from these facts outside the engine is due, such as notices
and prizes. A receiver plays nothing more. The same facts may come twice where one transaction holds an event more than
once."""

event_ended = Signal()
"""In the transaction: (locked, now): the last of these facts was written, the event is over."""
