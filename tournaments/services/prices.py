"""What each kind of payment costs: read from the JSON of an event, with every fault named.

The engine is told what somebody paid and never what it costs: a price changed later leaves those who paid alone.
"""

from typing import Any

from cardroom.services.errors import Illegal, Invalid
from cardroom.services.ledger import MOST_CHIPS
from tournaments.engine.config import EventConfig, Paid
from tournaments.models import Payment, Tournament

PARTS = ("pool", "fee", "bounty", "staff")
Price = dict[str, Paid]


def read(data: Any) -> Price:
    """Prices by what they are for (`Payment.What`); `Invalid` names the part that is wrong. Left out is free."""
    if not isinstance(data, dict):
        raise Invalid("A price is given by what it is for: entry, re_entry, rebuy, add_on.", "bad-price")
    if strange := sorted(set(data) - set(Payment.What.values)):
        raise Invalid(f"There is no price of {strange[0]!r}: only {', '.join(Payment.What.values)}.", "bad-price")
    return {what: _paid(what, parts) for what, parts in data.items()}


def to_json(price: Price) -> dict[str, dict[str, int]]:
    return {what: {part: getattr(paid, part) for part in PARTS} for what, paid in price.items()}


def check(price: Price, config: EventConfig) -> None:
    """Refuse (`Illegal`) prices that do not go with the terms: what is on a head has to be paid for."""
    wanted = config.bounty.amount if config.bounty.kind != "none" else 0
    for what in ("entry", "re_entry"):
        asked = price.get(what, Paid()).bounty
        if what in price and asked != wanted:
            raise Illegal(
                f"The price of the {Payment.What(what).label} has {asked:,} for the bounty, and {wanted:,} is on every "
                "head: make them the same.",
                "bad-price",
            )
    if wanted and "entry" not in price:
        raise Illegal(f"A bounty of {wanted:,} has to be in the price of the entry.", "bad-price")


def of(tournament: Tournament, what: str) -> Paid:
    """What it costs now; a re-entry without a price of its own costs what an entry does."""
    price = read(tournament.price)
    if what == Payment.What.RE_ENTRY and what not in price:
        what = Payment.What.ENTRY
    return price.get(what, Paid())


def _paid(what: str, parts: Any) -> Paid:
    if not isinstance(parts, dict) or set(parts) - set(PARTS):
        raise Invalid(f"The price of {what} is given in these parts: {', '.join(PARTS)}.", "bad-price")
    for part, amount in parts.items():
        if type(amount) is not int or not 0 <= amount <= MOST_CHIPS // 1000:
            raise Invalid(f"The {part} in the price of {what} is a whole number from 0, not {amount!r}.", "bad-price")
    return Paid(**parts)
