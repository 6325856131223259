"""The dealer's work: antes, streets, burns, a deck that runs short, and cards that came face up or left the table.

The automatic dealer takes every card off the shuffled stub. At a hand-dealt table the same procedure runs on cards that
the dealer names; only how many cards lie where is counted.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.engine import commands as c
from games.engine.cards import UNKNOWN, is_known
from games.engine.facts import play
from games.engine.games import Street
from games.engine.in_play import HandInPlay
from games.engine.rules.announcements import announce_boards
from games.engine.rules.chips_in import close_round
from games.engine.rules.choices import able_to_bet
from games.engine.rules.exposed_cards import emit_dealt, faces_of_street, rule_on_exposure
from games.engine.rules.opening import dead_lowcard, kill_absent, open_betting, owes_bring_in, who_opens
from games.engine.rules.short_deck import deal_short_deck, is_common_card_due, turn_up_common_card
from games.engine.rules.stub import burn, burns_due, dealable, receivers, top_cards
from games.engine.stakes import HandConfig


def post_antes(hand: HandInPlay, config: HandConfig) -> None:
    """Every seat posts the ante, or what it has; or the button posts one for the whole table, which every hand can win
    whole."""
    is_one_payer = config.antes is None and hand.point("ante") == "button"
    payers = hand.order[-1:] if is_one_payer else hand.order
    due = config.antes or dict.fromkeys(payers, config.stakes.ante)
    antes = tuple([(seat, min(due[seat], hand.seats[seat].stack)) for seat in payers if due[seat]])
    if antes:
        hand.emit(play.AntesPosted(antes, config.are_antes_apart or is_one_payer))


def deal_street(
    hand: HandInPlay,
    street: Street,
    given: Sequence[c.Given] = (),
    common: str | None = None,
    burned: int | None = None,
) -> None:
    """Burn, deal ``street``, and cope with a stub that runs short. ``burned``: how many cards, in place of what the
    rules say."""
    seats = receivers(hand)
    wanted = sum(not item.is_skipped for item in given) if given else len(seats) * len(street.ups)
    burns = burns_due(hand, street)
    off_the_stub = burns if burned is None else burned
    is_due_in_stub = dealable(hand) >= len(seats) * len(street.ups) + burns
    does_go_round = (len(hand.stub) if is_due_in_stub else dealable(hand)) >= wanted + off_the_stub
    if not seats:
        hand.emit(play.CardsDealt(street.number, ()))  # everybody has kept a last card that came too soon
    elif does_go_round:
        for _ in range(off_the_stub):
            burn(hand, street)
        if given:
            _deal_given(hand, street, given)
        else:
            _deal_off_the_top(hand, street, seats)
    elif is_common_card_due(hand, len(seats)):
        turn_up_common_card(hand, street, burns, common)
    else:
        deal_short_deck(hand, street, given or in_turn(seats, street), burns)


def in_turn(seats: Sequence[int], street: Street) -> list[c.Given]:
    """Each of ``seats`` gets the cards of ``street``, one at a time round the table."""
    return [c.Given(seat, place=place) for place in range(len(street.ups)) for seat in seats]


def _deal_off_the_top(hand: HandInPlay, street: Street, seats: Sequence[int]) -> None:
    """The street as it should be: one card at a time, each lying as the game has it."""
    cards = iter(top_cards(hand, len(seats) * len(street.ups)))
    dealt = tuple([(seat, next(cards), is_up) for is_up in street.ups for seat in seats])
    hand.emit(play.CardsDealt(street.number, dealt))


def _deal_given(hand: HandInPlay, street: Street, given: Sequence[c.Given]) -> None:
    """Deal what was given, each card lying as the rules want it; then rule on what was exposed."""
    dealt = [item for item in given if not item.is_skipped]
    emit_dealt(hand, street, dealt, faces_of_street(hand, street, dealt))
    rule_on_exposure(hand, street, dealt)


def after_deal(hand: HandInPlay) -> bool:
    """Announce what shows, then open the betting, if two can bet and the opener can be seen. True when the street is
    over without betting."""
    if hand.is_over:
        return False
    announce_boards(hand)
    kill_absent(hand)
    if not hand.live:
        hand.end()  # every hand was killed by two exposures, and every ante is back
        return False
    if hand.live == 1:
        return True
    street = hand.game.by_number[hand.street]
    if able_to_bet(hand) < 2 or not street.has_betting or _is_without_cards(hand):
        close_round(hand)
        return True
    live = [p for p in hand.players if p.is_live]
    if all(None not in p.upcards and UNKNOWN not in p.upcards for p in live) and all(map(is_known, hand.common)):
        dead_low = dead_lowcard(hand) if owes_bring_in(hand) else 0
        return open_betting(hand, hand.seats[dead_low] if dead_low else who_opens(hand))
    return False


def _is_without_cards(hand: HandInPlay) -> bool:
    """The street came and went without a card, so there is nothing to bet on."""
    return isinstance(hand.facts[-1], play.NoCardLeft)
