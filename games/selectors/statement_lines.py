"""What a statement is made of, and what of it is asked for."""

from dataclasses import dataclass, field
from datetime import datetime

from cardroom.models import User
from games.selectors.stays import Visit


@dataclass(frozen=True)
class Line:
    """One line. `wallet`: chips into the wallet (negative: out of it), `chips`: onto the table; `balance`: what the
    wallet held after it, where the line is the wallet's. `points`: comp points. `visit`: of a line that ends a stay."""

    source: str
    number: int
    at: datetime
    kind: str
    text: str
    why: str = ""
    wallet: int = 0
    chips: int = 0
    points: int = 0
    balance: int | None = None
    reference: str = ""
    table: int | None = None
    table_name: str = ""
    hand: int | None = None
    visit: Visit | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Wanted:
    """Whose statement, of what span, and of which table (None: of all, with the wallet)."""

    player: User
    since: datetime | None = None
    until: datetime | None = None
    table: int | None = None
    with_hands: bool = False
