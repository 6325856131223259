"""What a hand has come to, and how each fact changes it: the half of the engine that copies.

Applying a fact moves chips and cards as the fact says, decides nothing and never reads a card's value, so a redacted
log replays to a viewer's state with the very same code. What needs judgement was decided before and stands in the fact.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.engine.facts import base, mistakes, play
from games.engine.facts.base import Fact, Pot
from games.engine.seat import SeatState

__all__ = ["HandState", "SeatState"]


class HandState:
    """The state that facts build. ``phase``: deal, open (cards are out, betting is not), bet, show or over."""

    started: play.HandStarted

    # What facts only ever replace starts here for every hand.
    order: tuple[int, ...] = ()
    dealer: int = 0
    phase: str = "deal"
    street: int = 0
    deck: base.Cards | None = None
    scramble: base.Cards | None = None
    set_aside: tuple[str | None, ...] = ()
    premature: tuple[base.DealtCard, ...] = ()
    #: Burns on top of those of the street in play: they went with cards dealt too soon.
    early_burns: int = 0
    street_cards: tuple[base.DealtCard, ...] = ()
    common_streets: tuple[int, ...] = ()
    has_remixed: bool = False
    #: Streets for which no card was left: every whole hand has so many cards less.
    missing_cards: int = 0
    acts: int = 0
    forced_bettor: int = 0
    pot: int = 0
    pots: tuple[Pot, ...] = ()
    named: int = 0
    opener: int = 0
    aggressor: int = 0
    owes_bring_in: bool = False
    level: int = 0
    full: int = 0
    raises: int = 0
    sizes: tuple[int, ...] = ()
    least_raise: int = 0
    is_capped: bool = False
    has_skippable: bool = False
    to_act: int = 0
    turn: play.ActionOn | None = None
    show_order: tuple[int, ...] = ()
    #: What the house took before the pots were awarded; None: nothing yet, or nothing at all.
    drop: play.DropTaken | None = None
    #: How many hands can still win.
    live: int = 0

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        self.seats: dict[int, SeatState] = {}
        self.players: list[SeatState] = []
        self.following: dict[int, int] = {}
        self.stub: list[str | None] = []
        self.burns: list[str | None] = []
        self.common: list[str | None] = []
        self.burn_counts: dict[int, int] = {}
        self.held: dict[int, mistakes.ActionHeld] = {}
        self.rulings_made: list[play.Ruled] = []

    @property
    def is_over(self) -> bool:
        return self.phase == "over"

    @property
    def awaits(self) -> str:
        """What the hand waits for: action, deal, opener, show, or '' when it is over."""
        return {"deal": "deal", "open": "opener", "bet": "action", "show": "show"}.get(self.phase, "")

    def options(self, seat: int) -> play.ActionOn | None:
        """The legal actions of ``seat``; None when it is not its turn."""
        return self.turn if self.turn is not None and self.turn.seat == seat else None

    def rulings(self, key: str) -> list[play.Ruled]:
        """The rulings on one point, oldest first."""
        return [ruling for ruling in self.rulings_made if ruling.key == key]

    def apply(self, fact: Fact) -> None:
        """Add ``fact`` and change the state as it says, without checking it."""
        self.facts.append(fact)
        apply = _APPLY[fact.kind]
        if apply is not None:
            apply(self, fact)

    def blank(self) -> HandState:
        """A state of which nothing is known yet."""
        return HandState()

    def become(self, other: HandState) -> None:
        """Be what ``other`` is. What a ``Hand`` knows beside its facts (rules, game) stays."""
        for name in [name for name in vars(self) if hasattr(HandState, name) and name not in vars(other)]:
            delattr(self, name)
        vars(self).update(vars(other))
        self.forget_boards()

    def forget_boards(self) -> None:
        """Upcards were moved. A subclass that caches values of the boards clears its cache here."""


# -- applying: by copying; nothing here reads a card's value or decides anything -------------------------------------

# -- copying what the dealer did -------------------------------------------------------------------------------------


def _hand_started(state: HandState, fact: play.HandStarted) -> None:
    state.started = fact
    stacks = dict(fact.stacks)
    state.order = fact.order
    state.dealer = fact.dealer
    state.seats = {seat: SeatState(seat, stacks[seat], seat in fact.absent) for seat in fact.order}
    state.players = list(state.seats.values())
    state.live = len(state.players)
    for seat in fact.warned:
        if seat in state.seats:
            state.seats[seat].warnings = 1
    state.following = dict(zip(fact.order, fact.order[1:] + fact.order[:1], strict=True))
    state.stub = [None] * 52


def _deck_shuffled(state: HandState, fact: play.DeckShuffled) -> None:
    state.deck = fact.deck
    state.scramble = fact.scramble
    is_whole = fact.deck is not None and len(fact.deck) == len(state.stub)
    if fact.deck is not None and (is_whole or not state.started.is_hand_dealt):
        state.stub = list(fact.deck[::-1])


def _antes_posted(state: HandState, fact: play.AntesPosted) -> None:
    for seat, amount in fact.antes:
        player = state.seats[seat]
        player.stack -= amount
        player.total += amount
        player.ante_apart = amount if fact.is_apart else 0
        state.pot += amount


def _cards_dealt(state: HandState, fact: play.CardsDealt) -> None:
    seats = state.seats
    for seat, card, is_up in fact.cards:
        player = seats[seat]
        player.cards.append(card)
        player.ups.append(is_up)
        if is_up:
            player.upcards += (card,)
    if fact.cards:
        del state.stub[-len(fact.cards) :]
    if state.street == fact.street:
        state.street_cards += fact.cards
    else:
        state.street_cards = fact.cards
        state.street = fact.street
        state.acts = 0
        state.early_burns = 0
    state.phase = "open"


def _card_burned(state: HandState, fact: play.CardBurned) -> None:
    state.stub.pop()
    state.burns.append(fact.card)
    state.burn_counts = {**state.burn_counts, fact.street: state.burn_counts.get(fact.street, 0) + 1}


def _stub_remixed(state: HandState, fact: play.StubRemixed) -> None:
    state.stub = list(fact.stub[::-1])
    state.burns = []
    state.early_burns = 0
    state.set_aside = ()
    state.has_remixed = True


def _common_card_dealt(state: HandState, fact: play.CommonCardDealt) -> None:
    state.stub.pop()
    state.common.append(fact.card)
    state.common_streets += (fact.street,)
    state.acts = 0
    state.street_cards = ()
    state.street = fact.street
    state.phase = "open"


def _no_card_left(state: HandState, fact: play.NoCardLeft) -> None:
    state.street_cards = ()
    state.street = fact.street
    state.missing_cards += 1
    state.phase = "open"


# -- copying what players did with their chips -----------------------------------------------------------------------


def _put_in_pot(state: HandState, seat: int, amount: int) -> SeatState:
    player = state.seats[seat]
    player.stack -= amount
    player.bet += amount
    player.total += amount
    state.pot += amount
    player.has_acted = True
    player.has_picked_up = False
    state.acts += 1
    state.to_act = 0
    state.turn = None
    return player


def _round_opened(state: HandState, fact: play.RoundOpened) -> None:
    state.phase = "bet"
    state.street = fact.street
    state.named = fact.named
    state.opener = fact.opener
    state.sizes = fact.sizes
    state.owes_bring_in = fact.is_bring_in
    state.level = state.full = state.raises = state.least_raise = state.aggressor = state.acts = 0
    state.is_capped = False
    state.forced_bettor = 0
    state.to_act = 0
    state.turn = None
    for player in state.players:
        player.has_acted = False


def _action_on(state: HandState, fact: play.ActionOn) -> None:
    state.to_act = fact.seat
    state.turn = fact


def _bring_in_posted(state: HandState, fact: play.BringInPosted) -> None:
    _put_in_pot(state, fact.seat, fact.amount)
    state.level = fact.level
    if state.sizes and fact.level >= state.sizes[0]:
        state.full = fact.level
    state.seats[fact.seat].full_seen = state.full
    state.owes_bring_in = False
    state.forced_bettor = fact.seat


def _checked(state: HandState, fact: play.Checked) -> None:
    state.seats[fact.seat].has_acted = True
    state.acts += 1
    state.to_act = 0
    state.turn = None


def _called(state: HandState, fact: play.Called) -> None:
    _put_in_pot(state, fact.seat, fact.amount).full_seen = state.full


def _wagered(state: HandState, fact: play.Wagered) -> None:
    player = _put_in_pot(state, fact.seat, fact.amount)
    state.level = fact.to
    state.full = player.full_seen = fact.full
    state.raises = fact.raises
    state.sizes = fact.sizes
    state.least_raise = fact.least_raise
    state.is_capped = fact.is_capped
    state.aggressor = fact.seat
    state.owes_bring_in = False


def _folded(state: HandState, fact: play.Folded) -> None:
    player = state.seats[fact.seat]
    state.live -= player.is_live
    player.is_live = False
    player.has_acted = True
    player.is_still_dealt_to = fact.is_still_dealt_to
    state.acts += 1
    if fact.is_still_dealt_to:
        state.has_skippable = True
    if state.to_act == fact.seat:
        state.to_act = 0
        state.turn = None


def _seats_skipped(state: HandState, fact: play.SeatsSkipped) -> None:
    for seat in fact.seats:
        state.seats[seat].is_still_dealt_to = False
    state.has_skippable = False


def _hand_killed(state: HandState, fact: play.HandKilled) -> None:
    player = state.seats[fact.seat]
    state.live -= player.is_live
    player.is_live = player.is_still_dealt_to = False
    if state.to_act == fact.seat:
        state.to_act = 0
        state.turn = None


def _player_left(state: HandState, fact: play.PlayerLeft) -> None:
    state.seats[fact.seat].is_absent = True


def _player_back(state: HandState, fact: play.PlayerBack) -> None:
    state.seats[fact.seat].is_absent = False


def _bet_returned(state: HandState, fact: play.BetReturned) -> None:
    player = state.seats[fact.seat]
    player.stack += fact.amount
    player.total -= fact.amount
    player.bet = max(0, player.bet - fact.amount)
    state.pot -= fact.amount


def _round_closed(state: HandState, fact: play.RoundClosed) -> None:
    state.phase = "deal"
    state.pots = fact.pots
    state.level = 0
    state.owes_bring_in = False
    state.held = {}
    state.to_act = 0
    state.turn = None
    for player in state.players:
        player.bet = player.full_seen = 0
        player.has_acted = player.has_picked_up = False
        player.may_not = ""


def _call_weighed(state: HandState, fact: play.CallWeighed) -> None:
    if fact.is_beaten and fact.rule is not None:
        state.rulings_made.append(play.Ruled("beaten_call_stands", "stands", fact.rule, (fact.seat,), ""))


# -- copying the showdown and the pots -------------------------------------------------------------------------------


def _showdown_opened(state: HandState, fact: play.ShowdownOpened) -> None:
    state.phase = "show"
    state.show_order = fact.order


def _show_due(state: HandState, fact: play.ShowDue) -> None:
    state.to_act = fact.seat


def _hand_tabled(state: HandState, fact: play.HandTabled) -> None:
    state.seats[fact.seat].turn_over(fact.cards)


def _hand_shown(state: HandState, fact: play.HandShown) -> None:
    player = state.seats[fact.seat]
    player.turn_over(fact.cards)
    player.has_shown = True
    state.to_act = 0


def _hand_mucked(state: HandState, fact: play.HandMucked) -> None:
    player = state.seats[fact.seat]
    state.live -= player.is_live
    player.is_live = False
    state.to_act = 0


def _drop_taken(state: HandState, fact: play.DropTaken) -> None:
    state.drop = fact
    state.pot -= fact.total


def _pot_awarded(state: HandState, fact: play.PotAwarded) -> None:
    player = state.seats[fact.seat]
    player.stack += fact.amount
    player.won += fact.amount
    state.pot -= fact.amount


def _hand_ended(state: HandState, fact: play.HandEnded) -> None:
    for seat, stack in fact.stacks:
        state.seats[seat].stack = stack
    state.phase = "over"
    state.to_act = 0
    state.turn = None


def _hand_voided(state: HandState, fact: mistakes.HandVoided) -> None:
    for seat, stack in fact.stacks:
        state.seats[seat].stack = stack
    state.pot = 0
    state.phase = "over"
    state.to_act = 0
    state.turn = None


# -- copying rulings, remedies, and what players did with their cards ------------------------------------------------


def _ruled(state: HandState, fact: play.Ruled) -> None:
    state.rulings_made.append(fact)
    if fact.verdict == "all-in-option":
        for seat in fact.seats:
            state.seats[seat].may_declare = True


def _last_card_seen(state: HandState, fact: mistakes.LastCardSeen) -> None:
    state.seats[fact.seat].last_card_seen = fact.how


def _cards_put_right(state: HandState, fact: mistakes.CardsPutRight) -> None:
    streets = fact.streets or (state.street,)
    burned = sum(state.burn_counts.get(street, 0) for street in streets)
    end = len(state.burns) - state.early_burns
    state.burns[end - burned : end] = fact.burned
    state.burn_counts = {**state.burn_counts, **dict.fromkeys(streets, 0), streets[0]: len(fact.burned)}
    gave_up = dict(fact.given_up())
    for seat, count in gave_up.items():
        player = state.seats[seat]
        end = _end_of_street(player)
        del player.cards[end - count : end], player.ups[end - count : end]
    for seat, card, is_up in fact.cards:
        player = state.seats[seat]
        end = _end_of_street(player)
        player.cards.insert(end, card)
        player.ups.insert(end, is_up)
    for seat in {*gave_up, *(seat for seat, _, _ in fact.cards)}:
        state.seats[seat].may_declare = False
        state.seats[seat].turn_over(tuple(state.seats[seat].cards))
    if fact.taken:
        del state.stub[-fact.taken :]
    state.stub.extend(fact.returned)
    cards = [*(dealt for dealt in state.street_cards if dealt[0] not in gave_up), *fact.cards]
    state.street_cards = tuple(sorted(cards, key=lambda dealt: state.order.index(dealt[0])))
    state.phase = "open"
    state.forget_boards()


def _end_of_street(player: SeatState) -> int:
    """How many cards the seat has got up to the street in play: a last card kept early lies behind them."""
    return len(player.cards) - player.has_early_last_card


def _prematurely_dealt(state: HandState, fact: mistakes.PrematurelyDealt) -> None:
    del state.stub[-len(fact.cards) :]
    state.premature = (*state.premature, *fact.cards)
    state.early_burns += state.burn_counts.get(fact.street, 0)
    state.burn_counts = {**state.burn_counts, fact.street: 0}


def _premature_card_kept(state: HandState, fact: mistakes.PrematureCardKept) -> None:
    player = state.seats[fact.seat]
    player.cards.append(fact.card)
    player.ups.append(fact.is_up)
    if fact.is_up:
        player.upcards += (fact.card,)
    player.has_early_last_card = True
    player.may_not = "bet" if not fact.may_bet else "raise" if not fact.may_raise else ""
    premature = list(state.premature)
    del premature[next(place for place, dealt in enumerate(premature) if dealt[0] == fact.seat)]
    state.premature = tuple(premature)


def _cards_eliminated(state: HandState, fact: mistakes.CardsEliminated) -> None:
    state.set_aside = (*state.set_aside, *(card for _, card, _ in state.premature), *fact.more)
    state.premature = ()
    if fact.more:
        del state.stub[-len(fact.more) :]
    for player in state.players:
        player.last_card_seen = ""


def _ante_returned(state: HandState, fact: mistakes.AnteReturned) -> None:
    player = state.seats[fact.seat]
    player.stack += fact.amount
    player.total -= fact.amount
    player.ante_apart = 0
    state.pot -= fact.amount


def _upcards_picked_up(state: HandState, fact: mistakes.UpcardsPickedUp) -> None:
    player = state.seats[fact.seat]
    player.has_picked_up = state.phase == "bet" and player.bet < state.level


def _upcards_reordered(state: HandState, fact: mistakes.UpcardsReordered) -> None:
    state.seats[fact.seat].warnings += 1


def _declared_all_in(state: HandState, fact: mistakes.DeclaredAllIn) -> None:
    player = state.seats[fact.seat]
    player.has_declared = True
    player.may_declare = False
    if state.to_act == fact.seat:
        state.to_act = 0
        state.turn = None


def _action_held(state: HandState, fact: mistakes.ActionHeld) -> None:
    state.held = {**state.held, fact.seat: fact}


def _action_released(state: HandState, fact: mistakes.ActionReleased) -> None:
    state.held = {seat: held for seat, held in state.held.items() if seat != fact.seat}


def _hand_revived(state: HandState, fact: mistakes.HandRevived) -> None:
    player = state.seats[fact.seat]
    state.live += not player.is_live
    player.is_live = player.is_ruled_live = True


# -- going back to before a mistaken entry ---------------------------------------------------------------------------


def _entry_reversed(state: HandState, fact: mistakes.EntryReversed) -> None:
    """The log stays whole; all else is what the facts up to ``upto`` come to, reversals among them included."""
    before = state.blank()
    for earlier in state.facts[: fact.upto]:
        before.apply(earlier)
    before.facts = state.facts
    state.become(before)


# -- which fact does what --------------------------------------------------------------------------------------------

#: Facts that are only for the record.
_NOTED = ("shuffle-committed", "announced", "timed-out", "ordered", "deck-fouled")

_APPLY: dict[str, Callable[[HandState, Any], None] | None] = {
    # the dealer
    "hand-started": _hand_started,
    "deck-shuffled": _deck_shuffled,
    "antes-posted": _antes_posted,
    "cards-dealt": _cards_dealt,
    "card-burned": _card_burned,
    "stub-remixed": _stub_remixed,
    "common-card-dealt": _common_card_dealt,
    "no-card-left": _no_card_left,
    # what the players did with their chips
    "round-opened": _round_opened,
    "action-on": _action_on,
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
    "call-weighed": _call_weighed,
    # the showdown and the pots
    "showdown-opened": _showdown_opened,
    "show-due": _show_due,
    "hand-tabled": _hand_tabled,
    "hand-shown": _hand_shown,
    "hand-mucked": _hand_mucked,
    "drop-taken": _drop_taken,
    "pot-awarded": _pot_awarded,
    "hand-ended": _hand_ended,
    "hand-voided": _hand_voided,
    # rulings, remedies, and what players did with their cards
    "ruled": _ruled,
    "last-card-seen": _last_card_seen,
    "cards-put-right": _cards_put_right,
    "prematurely-dealt": _prematurely_dealt,
    "premature-card-kept": _premature_card_kept,
    "cards-eliminated": _cards_eliminated,
    "ante-returned": _ante_returned,
    "upcards-picked-up": _upcards_picked_up,
    "upcards-reordered": _upcards_reordered,
    "declared-all-in": _declared_all_in,
    "action-held": _action_held,
    "action-released": _action_released,
    "hand-revived": _hand_revived,
    # an entry taken back
    "entry-reversed": _entry_reversed,
    **dict.fromkeys(_NOTED),
}
