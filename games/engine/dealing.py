"""The dealer's work: antes, streets, burns, and a deck that runs short.

The automatic dealer takes every card off the shuffled stub. At a hand-dealt table the same procedure runs on cards that
the dealer names; only how many cards lie where is counted.
"""

from __future__ import annotations

from collections.abc import Sequence

from . import commands as c
from . import facts as f
from .cards import is_known
from .exposure import faces_of_street, rule_on_exposure
from .family import Street
from .in_play import HandInPlay
from .stakes import HandConfig
from .stub import burn, burns_due, cards_left, receivers, top_cards


def post_antes(hand: HandInPlay, config: HandConfig) -> None:
    """Every seat posts the ante, or what it has."""
    due = config.antes or dict.fromkeys(hand.order, config.stakes.ante)
    antes = tuple([(p.seat, min(due[p.seat], p.stack)) for p in hand.players if due[p.seat]])
    if antes:
        hand.emit(f.AntesPosted(antes, config.are_antes_apart))


# -- a street --------------------------------------------------------------------------------------------------------


def deal_street(
    hand: HandInPlay,
    street: Street,
    given: Sequence[c.Given] = (),
    common: str | None = None,
    burned: int | None = None,
) -> None:
    """Burn, deal ``street``, and cope with a stub that runs short. ``burned``: so many, whatever the rules say."""
    seats = receivers(hand)
    wanted = sum(not item.is_skipped for item in given) if given else len(seats) * len(street.ups)
    burns = burns_due(hand, street)
    off_the_stub = burns if burned is None else burned
    if not seats:
        hand.emit(f.CardsDealt(street.number, ()))  # everybody has kept a last card that came too soon
    elif len(hand.stub) >= wanted + off_the_stub:
        for _ in range(off_the_stub):
            burn(hand, street)
        if given:
            deal_cards(hand, street, given)
        else:
            _deal_off_the_top(hand, street, seats)
    elif is_common_card_due(hand, len(seats)):
        _turn_up_common_card(hand, street, burns, common)
    else:
        _deal_short_deck(hand, street, given or in_turn(seats, street), burns)


def in_turn(seats: Sequence[int], street: Street) -> list[c.Given]:
    """Each of ``seats`` gets the cards of ``street``, one at a time round the table."""
    return [c.Given(seat, place=place) for place in range(len(street.ups)) for seat in seats]


def _deal_off_the_top(hand: HandInPlay, street: Street, seats: Sequence[int]) -> None:
    """The street as it should be: one card at a time, each lying as the game has it."""
    cards = iter(top_cards(hand, len(seats) * len(street.ups)))
    dealt = tuple([(seat, next(cards), is_up) for is_up in street.ups for seat in seats])
    hand.emit(f.CardsDealt(street.number, dealt))


def deal_cards(hand: HandInPlay, street: Street, given: Sequence[c.Given]) -> None:
    """Deal what was given, each card lying as the rules want it; then rule on what was exposed."""
    dealt = [item for item in given if not item.is_skipped]
    unnamed = sum(item.card is None for item in dealt)
    off_the_top = iter(top_cards(hand, unnamed))
    named = [next(off_the_top) if item.card is None else item.card for item in dealt]
    faces, mistakes = faces_of_street(hand, street, dealt)
    cards = tuple([(item.seat, card, up) for item, card, up in zip(dealt, named, faces, strict=True)])
    hand.emit(f.CardsDealt(street.number, cards))
    if mistakes:
        rule_on_exposure(hand, street, dealt)


# -- the deck runs short ---------------------------------------------------------------------------------------------


def is_common_card_due(hand: HandInPlay, needed: int) -> bool:
    """Whether stub, burns and cards set aside together cannot give ``needed`` cards."""
    return cards_left(hand) < needed


def _turn_up_common_card(hand: HandInPlay, street: Street, burns: int, common: str | None) -> None:
    """All that is left is mixed, one is burned and one turned up for everybody; the last one of all is not burned."""
    left = cards_left(hand)
    if not left:
        hand.emit(f.NoCardLeft(street.number))
        return
    hand.rule("deck_exhaustion", "common-card", ())
    _remix(hand, list(hand.stub[::-1]))
    if left > burns:
        for _ in range(burns):
            burn(hand, street)
    hand.emit(f.CommonCardDealt(common or top_cards(hand, 1)[0], street.number))


def _remix(hand: HandInPlay, left: list[str | None]) -> None:
    """``left`` (the rest of the stub), the burns and the cards set aside become a new stub, in the order of the second
    shuffle."""
    mixed = [*left, *hand.burns, *hand.set_aside]
    if hand.scramble is not None and all(is_known(card) for card in mixed):
        mixed.sort(key=hand.scramble.index)
    else:
        mixed = [None] * len(mixed)
    hand.emit(f.StubRemixed(tuple(mixed)))


def dealt_before_mixing(how: str, stub: int, burns: int, wanted: int) -> int:
    """How many of ``wanted`` cards come off a short stub before it is mixed with the burns."""
    if how == "remix" and stub > 1:
        return stub - burns - 1
    return min(stub, wanted) if how == "burns-without-burn" else 0


def _deal_short_deck(hand: HandInPlay, street: Street, given: Sequence[c.Given], burns: int) -> None:
    """Stub and burns together go round: how they are mixed is the rulebook's."""
    how = hand.rules.short_deck
    given = [item for item in given if not item.is_skipped]
    burns_again = how != "burns-without-burn" and burns > 0 and cards_left(hand) - burns >= len(given)
    hand.rule("deck_exhaustion", "remixed" if burns_again else "no-burn", ())
    first = dealt_before_mixing(how, len(hand.stub), burns, len(given))
    if how == "remix" and len(hand.stub) > 1:
        for _ in range(burns):
            burn(hand, street)
    if first:
        deal_cards(hand, street, given[:first])
    waiting = given[first:]
    if waiting:
        _remix(hand, list(hand.stub[::-1]))
        for _ in range(burns if burns_again else 0):
            burn(hand, street)
        deal_cards(hand, street, waiting)
