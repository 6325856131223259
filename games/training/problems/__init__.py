"""The problem of the day: a turn out of a hand that was played, and what each choice there is worth."""
