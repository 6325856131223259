"""Directors run an event in the room: clock, seats, hands, results and what is printed."""
