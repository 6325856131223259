"""What a hand has come to, and ``apply``: the half of the engine that copies.

Applying a fact moves chips and cards as the fact says and never reads a card's value, so a redacted log replays to a
viewer's state with the very same code. What needs judgement was decided before and stands in the fact.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import facts as f
from .facts import Fact, Pot


class SeatState:
    """One seat in a hand. ``bet``: chips in this street; ``total``: in this hand; ``won``: collected from the pots.
    ``apart``: an ante within ``total`` that every hand can win whole; it makes no layer. ``upcards``: in the order
    received.

    ``full_seen``: the level of the last full wager when the seat last acted; only a fuller one reopens the betting.
    """

    __slots__ = (
        "apart",
        "bet",
        "cards",
        "full_seen",
        "has_acted",
        "has_shown",
        "is_absent",
        "is_live",
        "is_still_dealt_to",
        "seat",
        "stack",
        "total",
        "upcards",
        "ups",
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
        self.apart = 0
        self.won = 0
        self.full_seen = 0
        self.has_acted = False
        self.has_shown = False
        self.is_live = True
        self.is_still_dealt_to = True
        self.is_absent = is_absent

    @property
    def is_all_in(self) -> bool:
        return self.is_live and not self.stack

    @property
    def downcards(self) -> tuple[str | None, ...]:
        return tuple([card for card, up in zip(self.cards, self.ups, strict=True) if not up])

    def turn_over(self, cards: f.Cards) -> None:
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


class HandState:
    """The state that facts build. ``phase``: deal, open (cards are out, betting is not), bet, show or over."""

    started: f.HandStarted

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        self.seats: dict[int, SeatState] = {}
        self.players: list[SeatState] = []
        self.order: tuple[int, ...] = ()
        self.following: dict[int, int] = {}
        self.dealer = 0
        self.phase = "deal"
        self.street = 0
        self.deck: f.Cards | None = None
        self.scramble: f.Cards | None = None
        self.stub: list[str | None] = []
        self.burns: list[str | None] = []
        self.common: list[str | None] = []
        self.pot = 0
        self.pots: tuple[Pot, ...] = ()
        self.named = 0
        self.opener = 0
        self.aggressor = 0
        self.owes_bring_in = False
        self.level = 0
        self.full = 0
        self.raises = 0
        self.sizes: tuple[int, ...] = ()
        self.least_raise = 0
        self.is_capped = False
        self.has_skippable = False
        self.to_act = 0
        self.turn: f.ActionOn | None = None
        self.rulings_made: list[f.Ruled] = []
        self.show_order: tuple[int, ...] = ()

    @property
    def is_over(self) -> bool:
        return self.phase == "over"

    @property
    def awaits(self) -> str:
        """What the hand waits for: action, deal, opener, show, or '' when it is over."""
        return {"deal": "deal", "open": "opener", "bet": "action", "show": "show"}.get(self.phase, "")

    def options(self, seat: int) -> f.ActionOn | None:
        """The legal actions of ``seat``; None when it is not its turn."""
        return self.turn if self.turn is not None and self.turn.seat == seat else None

    def rulings(self, key: str) -> list[f.Ruled]:
        """The rulings on one point, oldest first."""
        return [ruling for ruling in self.rulings_made if ruling.key == key]

    def apply(self, fact: Fact) -> None:
        """Take ``fact`` as it is."""
        self.facts.append(fact)
        apply = _APPLY[fact.kind]
        if apply is not None:
            apply(self, fact)


def _put(state: HandState, seat: int, amount: int) -> SeatState:
    player = state.seats[seat]
    player.stack -= amount
    player.bet += amount
    player.total += amount
    state.pot += amount
    player.has_acted = True
    state.to_act = 0
    state.turn = None
    return player


def _hand_started(state: HandState, fact: f.HandStarted) -> None:
    state.started = fact
    stacks = dict(fact.stacks)
    state.order = fact.order
    state.dealer = fact.dealer
    state.seats = {seat: SeatState(seat, stacks[seat], seat in fact.absent) for seat in fact.order}
    state.players = list(state.seats.values())
    state.following = dict(zip(fact.order, fact.order[1:] + fact.order[:1], strict=True))
    state.stub = [None] * 52


def _deck_shuffled(state: HandState, fact: f.DeckShuffled) -> None:
    state.deck = fact.deck
    state.scramble = fact.scramble
    if fact.deck is not None and not state.started.is_hand_dealt:
        state.stub = list(fact.deck[::-1])


def _antes_posted(state: HandState, fact: f.AntesPosted) -> None:
    for seat, amount in fact.antes:
        player = state.seats[seat]
        player.stack -= amount
        player.total += amount
        player.apart = amount if fact.is_apart else 0
        state.pot += amount


def _cards_dealt(state: HandState, fact: f.CardsDealt) -> None:
    seats = state.seats
    for seat, card, is_up in fact.cards:
        player = seats[seat]
        player.cards.append(card)
        player.ups.append(is_up)
        if is_up:
            player.upcards += (card,)
    if fact.cards:
        del state.stub[-len(fact.cards) :]
    state.street = fact.street
    state.phase = "open"


def _card_burned(state: HandState, fact: f.CardBurned) -> None:
    state.stub.pop()
    state.burns.append(fact.card)


def _stub_remixed(state: HandState, fact: f.StubRemixed) -> None:
    state.stub = list(fact.stub[::-1])
    state.burns = []


def _common_card_dealt(state: HandState, fact: f.CommonCardDealt) -> None:
    state.stub.pop()
    state.common.append(fact.card)
    state.street = 7
    state.phase = "open"


def _ruled(state: HandState, fact: f.Ruled) -> None:
    state.rulings_made.append(fact)


def _call_weighed(state: HandState, fact: f.CallWeighed) -> None:
    if fact.is_beaten and fact.rule is not None:
        state.rulings_made.append(f.Ruled("beaten_call_stands", "stands", fact.rule, (fact.seat,), ""))


def _round_opened(state: HandState, fact: f.RoundOpened) -> None:
    state.phase = "bet"
    state.street = fact.street
    state.named = fact.named
    state.opener = fact.opener
    state.sizes = fact.sizes
    state.owes_bring_in = fact.is_bring_in
    state.level = state.full = state.raises = state.least_raise = state.aggressor = 0
    state.is_capped = False


def _action_on(state: HandState, fact: f.ActionOn) -> None:
    state.to_act = fact.seat
    state.turn = fact


def _bring_in_posted(state: HandState, fact: f.BringInPosted) -> None:
    _put(state, fact.seat, fact.amount)
    state.level = fact.level
    if state.sizes and fact.level >= state.sizes[0]:
        state.full = fact.level
    state.seats[fact.seat].full_seen = state.full
    state.owes_bring_in = False


def _checked(state: HandState, fact: f.Checked) -> None:
    state.seats[fact.seat].has_acted = True
    state.to_act = 0
    state.turn = None


def _called(state: HandState, fact: f.Called) -> None:
    _put(state, fact.seat, fact.amount).full_seen = state.full


def _wagered(state: HandState, fact: f.Wagered) -> None:
    player = _put(state, fact.seat, fact.amount)
    state.level = fact.to
    state.full = player.full_seen = fact.full
    state.raises = fact.raises
    state.sizes = fact.sizes
    state.least_raise = fact.least_raise
    state.is_capped = fact.is_capped
    state.aggressor = fact.seat
    state.owes_bring_in = False


def _folded(state: HandState, fact: f.Folded) -> None:
    player = state.seats[fact.seat]
    player.is_live = False
    player.has_acted = True
    player.is_still_dealt_to = fact.is_still_dealt_to
    if fact.is_still_dealt_to:
        state.has_skippable = True
    state.to_act = 0
    state.turn = None


def _seats_skipped(state: HandState, fact: f.SeatsSkipped) -> None:
    for seat in fact.seats:
        state.seats[seat].is_still_dealt_to = False
    state.has_skippable = False


def _hand_killed(state: HandState, fact: f.HandKilled) -> None:
    player = state.seats[fact.seat]
    player.is_live = player.is_still_dealt_to = False
    if state.to_act == fact.seat:
        state.to_act = 0
        state.turn = None


def _player_left(state: HandState, fact: f.PlayerLeft) -> None:
    state.seats[fact.seat].is_absent = True


def _player_back(state: HandState, fact: f.PlayerBack) -> None:
    state.seats[fact.seat].is_absent = False


def _bet_returned(state: HandState, fact: f.BetReturned) -> None:
    player = state.seats[fact.seat]
    player.stack += fact.amount
    player.total -= fact.amount
    player.bet = max(0, player.bet - fact.amount)
    state.pot -= fact.amount


def _round_closed(state: HandState, fact: f.RoundClosed) -> None:
    state.phase = "deal"
    state.pots = fact.pots
    state.level = 0
    state.owes_bring_in = False
    for player in state.players:
        player.bet = player.full_seen = 0
        player.has_acted = False


def _showdown_opened(state: HandState, fact: f.ShowdownOpened) -> None:
    state.phase = "show"
    state.show_order = fact.order


def _show_due(state: HandState, fact: f.ShowDue) -> None:
    state.to_act = fact.seat


def _hand_tabled(state: HandState, fact: f.HandTabled) -> None:
    state.seats[fact.seat].turn_over(fact.cards)


def _hand_shown(state: HandState, fact: f.HandShown) -> None:
    player = state.seats[fact.seat]
    player.turn_over(fact.cards)
    player.has_shown = True
    state.to_act = 0


def _hand_mucked(state: HandState, fact: f.HandMucked) -> None:
    state.seats[fact.seat].is_live = False
    state.to_act = 0


def _pot_awarded(state: HandState, fact: f.PotAwarded) -> None:
    player = state.seats[fact.seat]
    player.stack += fact.amount
    player.won += fact.amount
    state.pot -= fact.amount


def _hand_ended(state: HandState, fact: f.HandEnded) -> None:
    for seat, stack in fact.stacks:
        state.seats[seat].stack = stack
    state.phase = "over"
    state.to_act = 0
    state.turn = None


#: None: the fact is only for the record.
_APPLY: dict[str, Callable[[HandState, Any], None] | None] = {
    "hand-started": _hand_started,
    "deck-shuffled": _deck_shuffled,
    "antes-posted": _antes_posted,
    "cards-dealt": _cards_dealt,
    "card-burned": _card_burned,
    "stub-remixed": _stub_remixed,
    "common-card-dealt": _common_card_dealt,
    "announced": None,
    "ruled": _ruled,
    "call-weighed": _call_weighed,
    "round-opened": _round_opened,
    "action-on": _action_on,
    "timed-out": None,
    "bring-in-posted": _bring_in_posted,
    "checked": _checked,
    "called": _called,
    "wagered": _wagered,
    "folded": _folded,
    "seats-skipped": _seats_skipped,
    "hand-killed": _hand_killed,
    "player-left": _player_left,
    "player-back": _player_back,
    "bet-returned": _bet_returned,
    "round-closed": _round_closed,
    "showdown-opened": _showdown_opened,
    "show-due": _show_due,
    "hand-tabled": _hand_tabled,
    "hand-shown": _hand_shown,
    "hand-mucked": _hand_mucked,
    "pot-awarded": _pot_awarded,
    "hand-ended": _hand_ended,
}
