"""What each choice at a turn is worth: the hand is played on many times, with the cards that its player cannot see
dealt anew each time.

It is given the facts as that player may see them and nothing more, so what it finds tells of no hidden card. Cards and
chance are arguments.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from statistics import mean, stdev

from games.engine.cards import DECK, is_known
from games.engine.facts import play
from games.engine.facts.base import Fact, redact
from games.engine.hand import Hand
from games.engine.rulebook import Rulebook
from games.play.bots import choosing
from games.play.bots.observation import FULL_HAND, Observation, observe
from games.play.bots.pot_share import HOLDINGS, aim_of
from games.training.problems.turns import choices, command

#: Everybody goes on as this bot, an Expert.
PLAYS_AS = "professor"
#: Evaluations of a decision: a fifth of what a bot takes at a table.
_BUDGET = 240
#: Each bot twice, for a bot does not decide the same each time.
_TWICE = 2 * tuple(choosing.PERSONALITIES)


@dataclass(frozen=True)
class Worth:
    """What a choice brings from here on, in big bets: the mean of the hands played on, and its standard error."""

    action: str
    value: float
    error: float


@dataclass(frozen=True)
class RolloutAnswer:
    """All choices, the best first. `lead`: of the best over the second, in big bets; `lead_error`: its standard error,
    which is that of the differences, for all choices are played on with the same cards."""

    worths: tuple[Worth, ...]
    lead: float
    lead_error: float

    @property
    def best(self) -> str:
        return self.worths[0].action


def answer(
    seen: Sequence[Fact],
    seat: int,
    *,
    book: Rulebook,
    rng: random.Random,
    times: int,
    rest: Callable[[], None] = lambda: None,
) -> RolloutAnswer:
    """Play the hand on `times` times after each choice. `seen`: its facts up to the turn of `seat`, redacted for that
    seat; `rest` is called in between, so that a worker does other things as well."""
    option = seen[-1]
    assert isinstance(option, play.ActionOn)
    results: dict[str, list[float]] = {choice: [] for choice in choices(option)}
    view = Hand.replay(seen)
    observation, unit = observe(view, seat, option), view.started.big_bet
    for _ in range(times):
        facts, chance = dealt_anew(seen, observation, rng), rng.getrandbits(64)
        for choice, gains in results.items():
            if choice == "fold":
                gains.append(0.0)
                continue
            hand = Hand.replay(facts, rulebook=book)
            before = hand.seats[seat].stack
            hand.play(command(option, choice))
            _play_on(hand, random.Random(chance))
            gains.append((hand.seats[seat].stack - before) / unit)
            rest()
    return _added_up(results)


def is_doubted(seen: Sequence[Fact], seat: int, *, rng: random.Random) -> bool:
    """Whether the house bots differ on what to do at this turn."""
    view = Hand.replay(seen)
    commands = (
        choosing.choose(hand=view, seat=seat, personality=personality, rng=rng, budget=_BUDGET)
        for personality in _TWICE
    )
    return len({type(command) for command in commands}) > 1


def _added_up(results: dict[str, list[float]]) -> RolloutAnswer:
    count = sqrt(len(next(iter(results.values()))))
    worths = [Worth(choice, mean(gains), stdev(gains) / count) for choice, gains in results.items()]
    worths.sort(key=lambda worth: -worth.value)
    best, second = (results[worth.action] for worth in worths[:2])
    leads = [best_gain - second_gain for best_gain, second_gain in zip(best, second, strict=True)]
    return RolloutAnswer(tuple(worths), mean(leads), stdev(leads) / count)


def _play_on(hand: Hand, rng: random.Random) -> None:
    """Play the hand to its end by bots; each of them knows only what their seat sees."""
    views: dict[int, Hand] = {}
    while seat := hand.to_act:
        view = views.setdefault(seat, Hand())
        for fact in hand.facts[len(view.facts) :]:
            view.apply(redact(fact, seat))
        hand.play(choosing.choose(hand=view, seat=seat, personality=PLAYS_AS, rng=rng, budget=_BUDGET))


def dealt_anew(seen: Sequence[Fact], observation: Observation, rng: random.Random) -> list[Fact]:
    """The same facts with a card for each that the seat cannot see, as if they came off this one deck. A player who has
    bet or raised holds the best of several holdings, as bots suppose it of each other."""
    unseen = rng.sample(observation.unseen, len(observation.unseen))
    hidden: dict[int, list[str]] = {}
    for other in observation.opponents:
        holdings = [rng.sample(unseen, other.hidden) for _ in range(HOLDINGS[other.resolve] if other.hidden else 1)]
        worth = aim_of(other, observation.game.ways)
        held = max(holdings, key=lambda held: worth((*other.known, *held)[:FULL_HAND]))
        hidden[other.seat] = held
        unseen = [card for card in unseen if card not in held]
    facts, deck = [], []
    for fact in seen:
        if isinstance(fact, play.CardsDealt):
            cards = []
            for seat, card, is_up in fact.cards:
                held = hidden.get(seat) or unseen  # a player who has folded: any card
                cards.append((seat, card if card and is_known(card) else held.pop(), is_up))
            deck += [card for _, card, _ in cards]
            facts.append(play.CardsDealt(fact.street, tuple(cards)))
        elif isinstance(fact, play.CardBurned):
            deck.append(unseen.pop())
            facts.append(replace(fact, card=deck[-1]))
        else:
            facts.append(fact)
    whole = play.DeckShuffled((*deck, *unseen), tuple(rng.sample(DECK, len(DECK))))
    return [whole if isinstance(fact, play.DeckShuffled) else fact for fact in facts]
