"""What happened in an event, told to the rooms above.

After the commit (`after_commit`): ids and numbers only. A receiver that fails is logged and stops nobody: whoever
missed a signal catches up from the journal.

In the transaction itself (`Signal.send`, with the event locked): a receiver that refuses takes everything back.
"""

from django.dispatch import Signal

from cardroom.core.topics import Announcement, Question

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

# In the transaction as well: what the tables of an event online have to follow. Each names `locked` and `now`; whoever
# runs the tables leaves alone an event in the room, which has none. `entrant`: the engine's number.

entrant_came = Signal()
"""(entrant): somebody entered a running event: find them a seat, or leave them waiting for one."""

entrants_went = Signal()
"""(entrants): these were taken out of a running event by the staff: their seats and chips go."""

chips_bought = Question()
"""(entrant, chips, reference): put the chips in front of the entrant. The answer is whether they lie there; False while
a hand of theirs is being played: they get them after it."""

level_began = Signal()
"""A level or break began; `clock_moved` follows."""

clock_moved = Signal()
"""The clock was changed or went on, or the event was paused or goes on: stakes, breaks and holds follow."""

tables_behind = Signal()
"""Something was played that the tables were told nothing of: where seats changed by it, they follow."""

play_ended = Signal()
"""The event is over, by a deal: close the tables."""
