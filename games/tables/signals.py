"""What happened at a table, told to the rooms above.

After the commit (`after_commit`, once the table has been stored): ids and numbers only, never a card. A receiver that
fails is logged and stops nobody: whoever missed a signal catches up from the journal.

In the transaction itself (`Signal.send`, with the table locked): a receiver that refuses takes everything back. It may
write rows and set alarms, and waits for no other lock.
"""

from django.dispatch import Signal

from cardroom.core.topics import Announcement, Question

hand_moved = Announcement()
"""(table_id, hand_id, seq): facts up to `seq` are there."""

hand_ended = Announcement()
"""(table_id, hand_id, seq): that was the last fact, and the stacks are settled."""

table_changed = Announcement()
"""(table_id): somebody sat down, left, sits out, came back or added chips, called the floor or was answered, or the
table closed."""

game_changed = Announcement()
"""(table_id): the same at a table of a game on offer: its list may have to be brought up to date."""

seat_freed = Signal()
"""In the transaction: (table_id, number, now): a seat that was taken, or held for somebody, is free."""

about_to_sit = Signal()
"""In the transaction: (table, player, number, now): somebody takes a seat by themselves (`number` None: any
free one). A receiver raises the refusal that keeps them from it, or answers with the free seats that others have first
right to."""

seat_moved = Signal()
"""In the transaction: (move, table): this `SeatMove` was written down."""

stay_changed = Signal()
"""In the transaction: (player, now): a stay of theirs at a cash table has begun or ended."""

event_table_waits = Question()
"""With nothing locked: (table, now): the alarm of an event's table rang between two hands. Whoever runs that event has
the next one dealt, holds the table, moves people, at will, and answers whether they did anything; others answer None.
`table.version` is as the alarm found it, for `deal` to see whether the table moved on. A table that they neither deal
at nor hold asks again some seconds later."""

event_is_there = Question()
"""(event): True where there is such an event that everybody may look at."""

event_of_hand = Question()
"""(table, started): of a hand that was played at this table of an event and began with this `HandStarted`, the
`EventHand` that its files tell."""

has_entered = Question()
"""(event, player): whether they have, or had, an entry in the event of this name, be it without a seat yet."""

left_over = Signal()
"""In the transaction: (table, seat, by, why, now): the game broke, and no seat was found for this player."""

table_opened = Signal()
"""In the transaction: (table, now): from now on anybody may sit down."""
