"""What the books of a player ask of the games they play in, and tell them."""

from django.dispatch import Signal

from cardroom.core.topics import Question

limit_changed = Signal()
"""In the transaction, with the player's row locked: (player, now): they have changed a limit of their own."""

minutes_played = Question()
"""(players, spans): by player (id), for how many whole minutes they sat in each of the spans and did not sit out."""

net_buy_in = Question()
"""(player, since): how many of the chips that came home since that moment, or still may, the player had brought to
games before: they are no winnings. What lies in a stack of their own is left out."""

chips_at_tables = Question()
"""(player_id): how many chips a player has on tables beside those in stacks of their own: in the room all chips of a
table lie in one pool."""
