"""What must hold after every fact of every hand, for every viewer.

``Watch`` folds the facts of one hand as they come, once whole and once for each viewer, with the engine's ``apply``
and nothing of its judgement, and keeps its own books beside it.
"""

import json
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any

from games.engine.facts.base import AUDITOR, Fact, from_json, redact, to_json
from games.rulebooks.queries import of_hand
from tests.support.parts.stud import BY_ANALOGY, DECK, Command, Hand, HandState, Rulebook, SeatState, mistakes, play

_CARDS = frozenset(DECK)
_OF_A_SEAT = attrgetter(*SeatState.__slots__)
_TOLD = attrgetter(
    "phase", "street", "pot", "pots", "level", "full", "raises", "sizes", "is_capped", "opener", "to_act", "turn",
    "missing_cards",
)  # fmt: skip
_TOLD_OF_A_SEAT = attrgetter(
    "stack", "bet", "total", "won", "is_live", "is_absent", "is_still_dealt_to", "has_acted", "has_shown",
    "may_declare", "has_declared", "may_not", "has_early_last_card",
)  # fmt: skip


class Watch:
    """Follows one hand from its first fact; ``saw`` raises AssertionError at the first fault."""

    def __init__(self, viewers: Iterable[int], *, allows_mistakes: bool = False) -> None:
        self.allows_mistakes = allows_mistakes
        self.whole = HandState()
        self.views = {viewer: HandState() for viewer in viewers}
        self.visible: dict[int, set[str]] = {viewer: set() for viewer in self.views}
        self.stacks: dict[int, int] = {}
        self.pots: Sequence[tuple[int, tuple[int, ...]]] = ()
        self.paid: Counter[int] = Counter()
        #: A hand was thrown away or killed at the showdown, maybe a winner; its pots may go to the pot below.
        self.has_thrown_away = False
        #: How many cards of a seat were turned up with the whole hand.
        self.open: Counter[int] = Counter()

    def saw(self, facts: Iterable[Fact]) -> None:
        """Take the next facts and check everything after each."""
        for fact in facts:
            self._books(fact)
            self.whole.apply(fact)
            assert through_json(fact) == fact
            self._check_chips()
            self._check_cards()
            self._check_turn()
            known, cards = public_state(self.whole), cards_in(fact)
            for viewer, view in self.views.items():
                self._follow(viewer, view, fact, known, cards)

    def check_replay(self, hand: Hand) -> None:
        """What was folded as it came is the hand, and for each viewer what its facts say afterwards."""
        assert whole_state(self.whole).items() <= whole_state(hand).items()
        for viewer, view in self.views.items():
            fresh = Hand.replay(redact(fact, viewer) for fact in hand.facts)
            assert whole_state(view).items() <= whole_state(fresh).items()

    def _books(self, fact: Fact) -> None:
        if isinstance(fact, play.HandStarted):
            self.stacks = dict(fact.stacks)
        elif isinstance(fact, play.RoundClosed):
            self.pots = fact.pots
        elif isinstance(fact, play.PotAwarded):
            self.paid[fact.pot] += fact.amount
            assert fact.amount > 0
            if not self.has_thrown_away:
                assert fact.seat in self.pots[fact.pot][1], "a pot went to a seat that has no part in it"
        elif isinstance(fact, play.DropTaken):
            assert min(fact.rake, fact.promo, fact.jackpot, *fact.pots) >= 0
            assert sum(fact.pots) == fact.rake + fact.promo + fact.jackpot
            assert not self.paid, "the drop comes before the awards"
        elif isinstance(fact, play.HandMucked):
            self.has_thrown_away = self.has_thrown_away or self.whole.started.is_hand_shown
        elif isinstance(fact, play.HandKilled | mistakes.HandRevived):
            self.has_thrown_away = self.has_thrown_away or self.whole.phase == "show"
        elif isinstance(fact, play.BetReturned | mistakes.AnteReturned):
            assert fact.amount > 0
        elif isinstance(fact, play.HandTabled | play.HandShown):
            self.open[fact.seat] = len(fact.cards)
        elif isinstance(fact, play.Ruled):
            self._check_ruling(fact)

    def _check_ruling(self, ruling: play.Ruled) -> None:
        """It says where the book has it, or that the book is silent."""
        point = of_hand(self.whole.started.rulebook, self.whole.started.rulebook_version).points[ruling.key]
        _, words = BY_ANALOGY.get((ruling.key, ruling.verdict), ("", ""))
        if not words:
            assert (ruling.rule, ruling.citation, ruling.words) == (point.cite, point.citation, point.words)
        else:
            assert ruling.citation.startswith("By analogy with ")
            assert ruling.words == words
        assert ruling.verdict
        assert set(ruling.seats) <= set(self.whole.seats)

    def _check_chips(self) -> None:
        state = self.whole
        players = state.players
        if isinstance(state.facts[-1], mistakes.HandVoided):
            assert {player.seat: player.stack for player in players} == self.stacks
            assert not state.pot
            return
        for player in players:
            counts = (player.stack, player.bet, player.total, player.won)
            assert min(counts) >= 0, "somebody has less than nothing"
            assert all(type(count) is int for count in counts)
            assert player.bet <= player.total
            assert player.stack == self.stacks[player.seat] - player.total + player.won
        dropped = state.drop.total if state.drop else 0
        assert sum(player.stack for player in players) + state.pot + dropped == sum(self.stacks.values())
        assert state.pot == sum(player.total - player.won for player in players) - dropped
        fact = state.facts[-1]
        if isinstance(fact, play.RoundClosed):
            assert sum(chips for chips, _ in fact.pots) == state.pot
            live = {player.seat for player in players if player.is_live}
            for chips, seats in fact.pots:
                assert chips > 0
                assert seats
                assert live.issuperset(seats)
        if isinstance(fact, play.HandEnded):
            assert state.pot == 0
            assert dict(fact.stacks) == {player.seat: player.stack for player in players}
            if not self.has_thrown_away and state.live:
                taken = dict(enumerate(state.drop.pots)) if state.drop else {}
                awarded = {place: chips - taken.get(place, 0) for place, (chips, _) in enumerate(self.pots)}
                assert self.paid == Counter({place: chips for place, chips in awarded.items() if chips})

    def _check_cards(self) -> None:
        state = self.whole
        held = [card for player in state.players for card in player.cards]
        aside = [*state.set_aside, *(card for _, card, _ in state.premature)]
        everywhere = [*held, *state.burns, *state.stub, *state.common, *aside]
        known = [card for card in everywhere if card in _CARDS]
        assert len(everywhere) == 52 or not state.facts, "a card is missing or too many"
        assert len(set(known)) == len(known), "a card is there twice"
        assert all(len(player.cards) == len(player.ups) for player in state.players)
        if not self.allows_mistakes:
            assert all(len(player.cards) <= 7 for player in state.players)
        for player in state.players:
            assert player.upcards == tuple(card for card, up in zip(player.cards, player.ups, strict=True) if up)

    def _check_turn(self) -> None:
        state = self.whole
        if state.turn is None:
            return
        player = state.seats[state.to_act]
        assert state.turn.seat == state.to_act
        assert player.is_live
        assert player.stack
        assert state.turn.call <= player.stack
        assert state.turn.bring_in <= player.stack
        assert all(player.bet < size <= player.bet + player.stack for size in state.turn.sizes)

    def _follow(self, viewer: int, view: HandState, fact: Fact, known: tuple[Any, ...], cards: set[str]) -> None:
        """`known`: what everybody knows after this fact; `cards`: all that it names."""
        seen = redact(fact, viewer)
        if seen is not fact:
            assert type(seen) is type(fact)
            assert through_json(seen) == seen
            cards = cards_in(seen)
        view.apply(seen)
        visible = self.visible[viewer]
        visible.update(_shown_to(viewer, fact))
        assert visible.issuperset(cards), f"viewer {viewer} was sent a hidden card by {fact.kind}"
        if isinstance(fact, play.CallWeighed) and viewer not in (fact.seat, AUDITOR):
            assert seen == play.CallWeighed(fact.seat, None, None)
        assert public_state(view) == known
        for mine, theirs in zip(view.players, self.whole.players, strict=True):
            sees_all = viewer in (mine.seat, AUDITOR)
            lying = enumerate(zip(theirs.cards, theirs.ups, strict=True))
            is_open = self.open[mine.seat]
            assert mine.cards == [card if up or sees_all or place < is_open else None for place, (card, up) in lying]
        assert view.common == self.whole.common


def check_goes_on(
    hand: Hand, commands: Sequence[Command], lengths: Sequence[int], rulebook: Rulebook | None, rng: random.Random
) -> None:
    """Rebuilt from its facts in the middle, the hand goes on as it went; `lengths` counts them before each command."""
    at = rng.randrange(len(commands)) if commands else 0
    again = Hand.replay(hand.facts[: lengths[at]], rulebook)
    for command in commands[at:]:
        again.play(command)
    assert whole_state(again) == whole_state(hand)


def _shown_to(viewer: int, fact: Fact) -> list[str]:
    """The cards that ``fact`` brings to the eyes of ``viewer``: by the rules, not by ``redact``."""
    sees_all = viewer == AUDITOR
    if isinstance(fact, play.CardsDealt | mistakes.CardsPutRight):
        return [card for seat, card, is_up in fact.cards if card is not None and (is_up or sees_all or seat == viewer)]
    if isinstance(fact, mistakes.PrematurelyDealt):  # nobody has looked at them yet, not even their owners
        return [card for _, card, is_up in fact.cards if card is not None and (is_up or sees_all)]
    if isinstance(fact, mistakes.PrematureCardKept):
        return [fact.card] if fact.card and (fact.is_up or sees_all or viewer == fact.seat) else []
    if isinstance(fact, mistakes.DeckFouled):  # the player who found it has shown it to the table
        return [fact.card]
    if isinstance(fact, play.CommonCardDealt):
        return [fact.card] if fact.card else []
    if isinstance(fact, play.HandTabled | play.HandShown):
        return [card for card in fact.cards if card is not None]
    return []


def cards_in(fact: Fact) -> set[str]:
    """Every card that can be read out of ``fact`` as it is sent."""
    cards: set[str] = set()
    pending: list[Any] = list(to_json(fact).values())
    while pending:
        value = pending.pop()
        if isinstance(value, str):
            cards.update(word for word in value.replace(",", " ").split() if word in _CARDS)
        elif isinstance(value, list | tuple):
            pending.extend(value)
    return cards


def through_json(fact: Fact) -> Fact:
    """``fact`` written down and read again."""
    return from_json(fact.kind, json.loads(json.dumps(to_json(fact))))


def public_state(state: HandState) -> tuple[Any, ...]:
    """All that every viewer knows alike."""
    counts = [len(cards) for cards in (state.stub, state.burns, state.common, state.set_aside)]
    premature = [(seat, up) for seat, _, up in state.premature]
    seats = [(*_TOLD_OF_A_SEAT(player), player.ups) for player in state.players]
    return *_TOLD(state), counts, premature, sorted(state.held), seats


def whole_state(hand: HandState) -> dict[str, Any]:
    """Everything a hand is, what it remembers for speed aside; comparable, and nothing in it changes with the hand."""
    names = [name for name in vars(hand) if name != "players" and not name.startswith("_")]
    state = {name: _frozen(getattr(hand, name)) for name in names}
    state["facts"] = tuple(hand.facts)
    return state


def _frozen(value: Any) -> Any:
    kind = type(value)
    if kind is SeatState:
        return tuple([tuple(part) if type(part) is list else part for part in _OF_A_SEAT(value)])
    if kind is list:
        return tuple([_frozen(item) for item in value])
    if kind is dict:
        return tuple([(key, _frozen(item)) for key, item in value.items()])
    return value
