"""What the people of the house are told of and asked about in the rooms above."""

from cardroom.core.signals import Question

seat_in_room = Question()
"""(player): where in the room they have a seat, in words such as "Larch, seat 3"; None or "" nowhere."""

words_after = Question()
"""(notice): what is said after a notice that goes out by e-mail or text message, such as where to answer; None or ""
nothing."""
