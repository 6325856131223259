"""Who shows, in which order, what may be mucked unseen, and who wins which pot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import commands as c
from . import facts as f
from .dealing import is_known
from .options import able_to_bet
from .pots import layers, split
from .ranking import five_of, name_of, odd_chip_key, value_of
from .state import SeatState

if TYPE_CHECKING:
    from .hand import Hand


def open_showdown(hand: Hand) -> None:
    """The last aggressor first, else the hand that opened, then clockwise; run it, unless players show by hand."""
    start = hand.aggressor or hand.opener or hand.order[0]
    order = _clockwise_live(hand, start)
    hand.emit(f.ShowdownOpened(order))
    if hand.started.is_hand_shown:
        hand.emit(f.ShowDue(order[0]))
    else:
        _run(hand, order)
        award(hand)


def _clockwise_live(hand: Hand, start: int) -> tuple[int, ...]:
    at = hand.order.index(start)
    return tuple([seat for seat in hand.order[at:] + hand.order[:at] if hand.seats[seat].is_live])


def _run(hand: Hand, order: tuple[int, ...]) -> None:
    """Each hand in turn is shown, or mucked when hands already shown beat it in every pot it could win."""
    all_shown = able_to_bet(hand) < 2
    values = {seat: value_of(_all_cards(hand, hand.seats[seat])) for seat in order}
    best = [0] * len(hand.pots)
    for seat in order:
        value = values[seat]
        mine = [place for place, (_, seats) in enumerate(hand.pots) if seat in seats]
        if all_shown or any(value >= best[place] for place in mine):
            _show(hand, hand.seats[seat], value)
            for place in mine:
                best[place] = max(best[place], value)
        else:
            hand.emit(f.HandMucked(seat))


def _all_cards(hand: Hand, player: SeatState) -> list[str]:
    return [card for card in (*player.cards, *hand.common) if card is not None]


def _show(hand: Hand, player: SeatState, value: int) -> None:
    five = five_of(_all_cards(hand, player))
    hand.emit(f.HandShown(player.seat, tuple(player.cards), five, name_of(value), (), ""))


# -- players show by themselves --------------------------------------------------------------------------------------


def show(hand: Hand, command: c.Show) -> None:
    player = _at_showdown(hand, command.seat)
    if command.cards:
        _fill_in(hand, player, command.cards)
    cards = command.cards or tuple([card for card in player.cards if card is not None])
    if not all(is_known(card) for card in cards):
        message = f"Seat {player.seat} cannot show cards that are not known."
        raise hand.refusal("unknown-cards", message, "showdown_order")
    all_cards = [*cards, *[card for card in hand.common if card is not None]]
    five = five_of(all_cards)
    hand.emit(f.HandShown(player.seat, tuple(cards), five, name_of(value_of(all_cards)), (), ""))
    _next_to_show(hand)


def _fill_in(hand: Hand, player: SeatState, cards: tuple[str, ...]) -> None:
    """The shown cards must be the dealt ones, with faces for those nobody knew."""
    message = f"Seat {player.seat} shows other cards than it was dealt."
    if len(cards) != len(player.cards):
        raise hand.refusal("other-cards", message, "showdown_order")
    dealt = [card for card in player.cards if is_known(card)]
    fresh = [card for card in cards if card not in dealt]
    if len(fresh) != len(cards) - len(dealt):
        raise hand.refusal("other-cards", message, "showdown_order")
    hand.check_new_cards(fresh)


def muck(hand: Hand, command: c.Muck) -> None:
    player = _at_showdown(hand, command.seat)
    rivals = [p for p in hand.players if p.is_live and p is not player]
    if not rivals:
        raise hand.refusal("last-hand", f"Seat {player.seat} has the last live hand and wins.", "showdown_order")
    hand.emit(f.HandMucked(player.seat))
    _next_to_show(hand)


def _at_showdown(hand: Hand, seat: int) -> SeatState:
    player = hand.check_seat(seat)
    if hand.phase != "show":
        raise hand.refusal("no-showdown", "There is no showdown yet.", "showdown_order")
    if not player.is_live or player.has_shown:
        raise hand.refusal("nothing-to-show", f"Seat {seat} has no hand left to show.", "showdown_order")
    return player


def _next_to_show(hand: Hand) -> None:
    live = [seat for seat in hand.show_order if hand.seats[seat].is_live]
    waiting = [seat for seat in live if not hand.seats[seat].has_shown]
    if waiting and len(live) > 1:
        hand.emit(f.ShowDue(waiting[0]))
    elif len(live) == 1 and waiting:
        hand.finish_unopposed()
    else:
        award(hand)


# -- the pots --------------------------------------------------------------------------------------------------------


def award(hand: Hand) -> None:
    """Each pot to its best hand, ties and odd chips pot by pot, and the hand is over."""
    shown = {p.seat: _all_cards(hand, p) for p in hand.players if p.is_live}
    values = {seat: value_of(cards) for seat, cards in shown.items()}
    for place, (chips, seats) in enumerate(_live_pots(hand)):
        best = max(values[seat] for seat in seats)
        winners = [seat for seat in seats if values[seat] == best]
        if len(winners) > 1:
            winners.sort(key=lambda seat: odd_chip_key(five_of(shown[seat])), reverse=True)
        for seat, amount, odd in split(chips, winners):
            if amount:
                hand.emit(f.PotAwarded(place, seat, amount, "whole", odd))
    hand.end()


def _live_pots(hand: Hand) -> tuple[f.Pot, ...]:
    """The pots with the hands still live; one whose every hand was mucked goes to the pot below it."""
    pots: list[f.Pot] = []
    for chips, seats in hand.pots:
        live = tuple([seat for seat in seats if hand.seats[seat].is_live])
        if live or not pots:
            pots.append((chips, live))
        else:
            below, owners = pots[-1]
            pots[-1] = (below + chips, owners)
    if pots and not pots[0][1]:
        return layers(hand.players, hand.pot)
    return tuple(pots)
