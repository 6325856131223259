"""The share of the pot that each live hand could expect, street by street, from the cards that one viewer may see of a
hand that is over. Cards shown at its end count from the start; the others are dealt at random from the unseen cards.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, zip_longest

from cardroom.core.errors import Conflict
from games.engine.cards import DECK
from games.engine.facts.mistakes import CardsPutRight, EntryReversed
from games.engine.facts.play import CardsDealt, CommonCardDealt
from games.engine.games import GAMES, Game
from games.engine.hand import Hand
from games.play.bots.observation import FULL_HAND
from games.play.bots.pot_share import NONE, VALUES
from games.tables.queries.history import HandStory

#: How many hands are compared where the deals cannot all be counted: a share is then exact to about 0.03.
COMPARED = 6_000
_MOST_TRIALS = 1_000
#: With at most so many unknown cards every deal is counted.
_COUNTED = 2
_KNOWN = frozenset(DECK)


@dataclass(frozen=True)
class SeatEquity:
    """`share`: of the pot, 0 to 1."""

    seat: int
    share: float


@dataclass(frozen=True)
class StreetEquity:
    """The shares of the live hands after the deal of a street. `is_exact`: all deals were counted, none drawn at
    random."""

    street: int
    seats: list[SeatEquity]
    is_exact: bool


@dataclass(frozen=True)
class _Moment:
    """The cards on the table at one moment. `held`: by seat, None for an unseen card; `live`: the live seats; `common`:
    cards that play for all."""

    held: Mapping[int, Sequence[str | None]]
    live: Sequence[int]
    common: Sequence[str]


def by_street(story: HandStory) -> list[StreetEquity]:
    """The shares after each street, the same at each call. All live hands count as playing for one pot; a street with
    one live hand has none. `Conflict` while the hand is being played."""
    if not story.is_over:
        raise Conflict("hand-in-play", "Odds are for hands that are over.")
    engine, moments = Hand(), dict[int, _Moment]()
    for _, _, fact in story.facts:
        engine.apply(fact)
        if isinstance(fact, CardsDealt | CommonCardDealt | CardsPutRight):
            moments[engine.street] = _moment(engine)
        elif isinstance(fact, EntryReversed):
            moments = {street: moment for street, moment in moments.items() if street <= engine.street}
    game = GAMES[engine.started.game]
    ends = {number: seat.cards for number, seat in engine.seats.items()}
    return [
        _odds(street, _seen_from(moment, ends), game, random.Random(f"{engine.started} {street}"))
        for street, moment in sorted(moments.items())
        if len(moment.live) > 1
    ]


def _moment(engine: Hand) -> _Moment:
    held = {number: [_or_none(card) for card in seat.cards] for number, seat in engine.seats.items()}
    live = sorted(number for number, seat in engine.seats.items() if seat.is_live and seat.cards)
    return _Moment(held, live, tuple(card for card in engine.common if card in _KNOWN))


def _seen_from(moment: _Moment, ends: Mapping[int, Sequence[str | None]]) -> _Moment:
    """The moment, with the cards that were seen by the end of the hand."""
    held = {
        number: [card or _or_none(shown) for card, shown in zip_longest(cards, ends[number][: len(cards)])]
        for number, cards in moment.held.items()
    }
    return _Moment(held, moment.live, moment.common)


def _or_none(card: str | None) -> str | None:
    return card if card in _KNOWN else None


def _odds(street: int, moment: _Moment, game: Game, chance: random.Random) -> StreetEquity:
    known = {card for cards in moment.held.values() for card in cards if card} | {*moment.common}
    unseen = [card for card in DECK if card not in known]
    to_come = {seat: max(0, FULL_HAND - len(moment.held[seat]) - len(moment.common)) for seat in moment.live}
    hidden = {seat: sum(card is None for card in moment.held[seat]) for seat in moment.live}
    wanted, for_all = sum(to_come.values()) + sum(hidden.values()), 0
    while wanted > len(unseen) and any(to_come.values()):
        # The deck cannot give everybody a last card: a common card plays for all.
        to_come, for_all = {seat: max(0, count - 1) for seat, count in to_come.items()}, for_all + 1
        wanted = sum(to_come.values()) + sum(hidden.values()) + for_all
    is_exact = wanted <= _COUNTED
    trials = min(_MOST_TRIALS, COMPARED // (len(moment.live) * len(game.ways)))
    deals: Iterable[Sequence[str]] = (
        permutations(unseen, wanted) if is_exact else (chance.sample(unseen, wanted) for _ in range(trials))
    )
    sums = dict.fromkeys(moment.live, 0.0)
    count = 0
    for drawn in deals:
        count += 1
        at = for_all
        common = [*moment.common, *drawn[:for_all]]
        hands = {}
        for seat in moment.live:
            end = at + hidden[seat] + to_come[seat]
            hands[seat] = [*filter(None, moment.held[seat]), *drawn[at:end], *common][:FULL_HAND]
            at = end
        for seat, share in shares(hands, game).items():
            sums[seat] += share
    return StreetEquity(street, [SeatEquity(seat, sums[seat] / count) for seat in moment.live], is_exact)


def shares(hands: Mapping[int, Sequence[str]], game: Game) -> dict[int, float]:
    """The share of one pot that each of these complete hands wins, by seat; seats that win nothing are left out."""
    halves = []
    for way in game.ways:
        values = {seat: VALUES[way.slug](cards) for seat, cards in hands.items()}
        best = max(values.values())
        if best != NONE:
            halves.append([seat for seat, value in values.items() if value == best])
    won: dict[int, float] = {}
    for winners in halves:
        # A half for which nobody qualifies goes to the other half.
        for seat in winners:
            won[seat] = won.get(seat, 0.0) + 1 / len(winners) / len(halves)
    return won
