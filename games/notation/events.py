"""The event of a hand that was played in one, for the files of hands."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EventDetails:
    """`number` and `name` of the event; `table`: its number there. `level`: as people count levels, 0 where no level of
    its structure has the hand's stakes. What an entry costs: for the prize `pool`, for a `bounty`, and as a `fee`."""

    number: int
    name: str
    table: int
    level: int
    pool: int
    bounty: int
    fee: int

    @property
    def buy_in(self) -> str:
        """In its parts, as other rooms write it: `100+10`, with a bounty `80+20+10`."""
        parts = (self.pool, self.bounty, self.fee) if self.bounty else (self.pool, self.fee)
        return "+".join(map(str, parts))


_ROMAN = ((100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


def roman(number: int) -> str:
    """`14` as `XIV`."""
    written = ""
    for value, letters in _ROMAN:
        times, number = divmod(number, value)
        written += letters * times
    return written
