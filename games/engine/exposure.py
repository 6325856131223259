"""Cards that came face up, or left the table: how every card lies, and what the rulebook makes of it."""

from __future__ import annotations

from collections.abc import Sequence

from . import commands as c
from . import facts as f
from .family import Street
from .in_play import HandInPlay
from .options import able_to_bet


def is_face_up(item: c.Given) -> bool:
    """A card that left the table counts as exposed."""
    return item.is_exposed or item.is_off_table


def faces_of_street(hand: HandInPlay, street: Street, dealt: Sequence[c.Given]) -> tuple[list[bool], bool]:
    """(is up, for each card; whether anything was exposed). A third card comes down when one before it came up; of two
    players the second gets the last card up when the first did."""
    ups = street.ups
    if not any(is_face_up(item) for item in dealt):
        return [ups[item.place or 0] for item in dealt], False
    exposed = {item.seat for item in dealt if is_face_up(item) and not ups[item.place or 0]}
    is_start = len(ups) > 1
    faces = [is_face_up(item) or (ups[item.place or 0] and not (is_start and item.seat in exposed)) for item in dealt]
    if street.number == hand.game.hand_size and not ups[-1]:
        turned = second_up(hand, [(item.seat, up) for item, up in zip(dealt, faces, strict=True)])
        faces = [up or item.seat == turned for item, up in zip(dealt, faces, strict=True)]
    return faces, True


def second_up(hand: HandInPlay, dealt: Sequence[tuple[int, bool]]) -> int:
    """The seat that gets its last card up because the first of two players did, both of whom can still bet; else 0."""
    order = [player.seat for player in hand.players if player.is_live]
    first = [up for seat, up in dealt if order and seat == order[0]]
    if len(order) != 2 or able_to_bet(hand) != 2 or not any(first):
        return 0
    return order[1] if hand.point("final_card_faceup")["first_of_two"] == "second-up" else 0


def rule_on_exposure(hand: HandInPlay, street: Street, dealt: Sequence[c.Given]) -> None:
    """The rulings, cause before consequence, and their remedies."""
    for item in dealt:
        if item.is_off_table:
            hand.rule("card_off_table", "exposed", (item.seat,))
    if len(street.ups) > 1:
        _rule_on_starting_cards(hand, street, dealt)
    elif not street.ups[-1] and street.number == hand.game.hand_size:
        rule_on_last_cards(hand, [item.seat for item in dealt if is_face_up(item)])


# -- the first two cards ---------------------------------------------------------------------------------------------


def _rule_on_starting_cards(hand: HandInPlay, street: Street, dealt: Sequence[c.Given]) -> None:
    downs = sum(not up for up in street.ups)
    for seat in hand.order:
        own = [item for item in dealt if item.seat == seat and not street.ups[item.place or 0]]
        exposed = sum(map(is_face_up, own))
        if not exposed:
            continue
        verdict = hand.point("exposed_downcard")
        if verdict == "misdeal":
            hand.rule("exposed_downcard", "misdeal", (seat,))
            hand.void("misdeal")
            return
        if exposed >= downs:
            if hand.point("both_downcards_exposed") == "misdeal":
                hand.rule("both_downcards_exposed", "misdeal", (seat,))
                hand.void("misdeal")
                return
            _kill_exposed(hand, seat)
        else:
            hand.rule("exposed_downcard", verdict, (seat,))


def _kill_exposed(hand: HandInPlay, seat: int) -> None:
    """Both downcards up: the hand is dead and its ante goes back."""
    hand.rule("both_downcards_exposed", "dead-hand", (seat,))
    hand.emit(f.HandKilled(seat))
    if hand.seats[seat].total:
        hand.emit(f.AnteReturned(seat, hand.seats[seat].total))


# -- the last card ---------------------------------------------------------------------------------------------------


def rule_on_last_cards(hand: HandInPlay, exposed: Sequence[int]) -> None:
    live = [seat for seat in exposed if hand.seats[seat].is_live]
    for seat in live:
        if not hand.seats[seat].is_able:
            hand.rule("all_in_final_faceup", "kept", (seat,))
    seats = tuple([seat for seat in live if hand.seats[seat].is_able])
    if not seats:
        return
    point = hand.point("final_card_faceup")
    if able_to_bet(hand) < 2:
        verdict = "kept"
    elif hand.live > 2:
        verdict = point["three_or_more"]
    else:
        first = next(player.seat for player in hand.players if player.is_live)
        verdict = point["first_of_two"] if first in seats else point["second_of_two"]
    hand.rule("final_card_faceup", verdict, seats)
