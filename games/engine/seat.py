"""One seat in a hand: chips, cards, and what it still may do."""

from __future__ import annotations

from games.engine.facts.base import Cards


class SeatState:
    """One seat in a hand. ``bet``: chips in this street; ``total``: in this hand; ``won``: collected from the pots.
    ``ante_apart``: an ante within ``total`` that every hand can win whole; it makes no layer. ``upcards``: in the order
    received.

    ``full_seen``: the level of the last full wager when the seat last acted; only a fuller one reopens the betting.
    ``may_not``: bet or raise, of a player who saw the last card too soon. ``last_card_seen``: '', looked or mixed.
    """

    __slots__ = (
        "ante_apart",
        "bet",
        "cards",
        "full_seen",
        "has_acted",
        "has_declared",
        "has_early_last_card",
        "has_picked_up",
        "has_shown",
        "is_absent",
        "is_live",
        "is_ruled_live",
        "is_still_dealt_to",
        "last_card_seen",
        "may_declare",
        "may_not",
        "seat",
        "stack",
        "total",
        "upcards",
        "ups",
        "warnings",
        "won",
    )

    def __init__(self, seat: int, stack: int, is_absent: bool) -> None:
        self.seat = seat
        self.stack = stack
        self.cards: list[str | None] = []
        self.ups: list[bool] = []
        self.upcards: tuple[str | None, ...] = ()
        self.bet = 0
        self.total = 0
        self.ante_apart = 0
        self.won = 0
        self.full_seen = 0
        self.warnings = 0
        self.has_acted = False
        self.has_shown = False
        self.has_picked_up = False
        self.has_declared = False
        self.has_early_last_card = False
        self.may_declare = False
        self.may_not = ""
        self.last_card_seen = ""
        self.is_live = True
        self.is_ruled_live = False
        self.is_still_dealt_to = True
        self.is_absent = is_absent

    @property
    def is_all_in(self) -> bool:
        return self.is_live and not self.stack

    @property
    def is_able(self) -> bool:
        """Whether the hand is live, has chips and may still bet them."""
        return self.is_live and self.stack > 0 and not self.has_declared

    @property
    def downcards(self) -> tuple[str | None, ...]:
        return tuple([card for card, up in zip(self.cards, self.ups, strict=True) if not up])

    def turn_over(self, cards: Cards) -> None:
        """Know all the cards, in the order in which they were dealt."""
        self.cards = list(cards)
        self.upcards = tuple([card for card, up in zip(cards, self.ups, strict=True) if up])

    def copy(self) -> SeatState:
        twin = SeatState.__new__(SeatState)
        for name in SeatState.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.cards = self.cards.copy()
        twin.ups = self.ups.copy()
        return twin
