"""Signals to the rooms above of what happened at a table.

After the commit (`after_commit`, once the table has been stored): ids and numbers only, never a card. A receiver that
fails is logged and stops nobody: a receiver that missed a signal catches up from the journal.

In the transaction itself (`Signal.send`, with the table locked): a receiver that refuses takes everything back. It may
write rows and set alarms, and waits for no other lock.
"""

from django.dispatch import Signal

from cardroom.core.topics import Announcement

hand_moved = Announcement()
"""(table_id, hand_id, seq): facts up to `seq` are there."""

hand_ended = Announcement()
"""(table_id, hand_id, seq): that was the last fact, and the stacks are settled."""

table_changed = Announcement()
"""(table_id): somebody sat down, left, sits out, came back or added chips, called the floor or was answered, or the
table closed."""

game_changed = Announcement()
"""(table_id): the same at a table of a game on offer: its list may have to be brought up to date."""

seat_moved = Signal()
"""In the transaction: (move, table): this `SeatMove` was written down."""

table_opened = Signal()
"""In the transaction: (table, now): from now on anybody may sit down."""
