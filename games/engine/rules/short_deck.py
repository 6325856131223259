"""What is done where the deck has too few cards for everybody."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine import commands as c
from games.engine.cards import is_known
from games.engine.facts import play
from games.engine.games import Street
from games.engine.in_play import HandInPlay
from games.engine.rules.exposed_cards import emit_dealt, faces_of_street, rule_on_exposure
from games.engine.rules.stub import (
    also_eliminated,
    burn,
    burns_due,
    cards_left,
    dealable,
    held_back,
    plays_common_card_at_once,
    top_cards,
)


def is_common_card_due(hand: HandInPlay, needed: int) -> bool:
    """Whether stub, burns and cards set aside together cannot give ``needed`` cards; where nothing is mixed again,
    whether the stub alone cannot."""
    street = hand.next_street()
    if plays_common_card_at_once(hand) and street is not None:
        return dealable(hand) - also_eliminated(hand) < needed + burns_due(hand, street)
    return cards_left(hand) - held_back(hand) < needed


def turn_up_common_card(hand: HandInPlay, street: Street, burns: int, common: str | None) -> None:
    """All that is left is mixed, unless the house leaves the stub as it is; one is burned and one turned up for
    everybody. The only one that can be dealt is not burned."""
    if cards_left(hand) <= held_back(hand):
        hand.emit(play.NoCardLeft(street.number))
        return
    hand.rule("deck_exhaustion", "common-card", ())
    if not plays_common_card_at_once(hand) or dealable(hand) < 1:
        _remix(hand, list(hand.stub[::-1]))
    if dealable(hand) > burns:
        for _ in range(burns):
            burn(hand, street)
    hand.emit(play.CommonCardDealt(common or top_cards(hand, 1)[0], street.number))


def _remix(hand: HandInPlay, left: list[str | None]) -> None:
    """``left`` (the rest of the stub), the burns and the cards set aside become a new stub, in the order of the second
    shuffle."""
    mixed = [*left, *hand.burns, *hand.set_aside]
    if hand.scramble is not None and all(is_known(card) for card in mixed):
        mixed.sort(key=hand.scramble.index)
    else:
        mixed = [None] * len(mixed)
    hand.emit(play.StubRemixed(tuple(mixed)))


def dealt_before_mixing(hand: HandInPlay, burns: int, wanted: int) -> int:
    """How many of ``wanted`` cards come off a short stub before it is mixed with the burns."""
    how, stub = hand.point("deck_exhaustion"), len(hand.stub) - also_eliminated(hand)
    if how == "remix" and stub > 1:
        return stub - burns - 1
    return max(0, min(stub - held_back(hand), wanted)) if how == "burns-without-burn" else 0


def deal_short_deck(hand: HandInPlay, street: Street, given: Sequence[c.Given], burns: int) -> None:
    """Stub and burns together go round: how they are mixed is the rulebook's."""
    how = hand.point("deck_exhaustion")
    given = [item for item in given if not item.is_skipped]
    faces = faces_of_street(hand, street, given)
    burns_again = how != "burns-without-burn" and burns > 0 and cards_left(hand) - held_back(hand) - burns >= len(given)
    hand.rule("deck_exhaustion", "remixed" if burns_again else "no-burn", ())
    first = dealt_before_mixing(hand, burns, len(given))
    if how == "remix" and len(hand.stub) > 1:
        for _ in range(burns):
            burn(hand, street)
    if first:
        emit_dealt(hand, street, given[:first], faces[:first])
    if given[first:]:
        _remix(hand, list(hand.stub[::-1]))
        for _ in range(burns if burns_again else 0):
            burn(hand, street)
        emit_dealt(hand, street, given[first:], faces[first:])
    rule_on_exposure(hand, street, given)
