"""Cards that are dealt, those that came face up, and what the rules make of these."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine import commands as c
from games.engine.facts import play
from games.engine.facts.mistakes import AnteReturned
from games.engine.games import Street
from games.engine.in_play import HandInPlay
from games.engine.rules.choices import able_to_bet
from games.engine.rules.stub import top_cards


def is_face_up(item: c.Given) -> bool:
    """A card that left the table counts as exposed."""
    return item.is_exposed or item.is_off_table


def faces_of_street(hand: HandInPlay, street: Street, dealt: Sequence[c.Given]) -> list[bool]:
    """Whether each card lies face up. A third card comes down when one before it came up, unless it came up as well;
    when a last card did, others may get theirs up."""
    ups = street.ups
    if not any(is_face_up(item) for item in dealt):
        return [ups[item.place or 0] for item in dealt]
    exposed = {item.seat for item in dealt if is_face_up(item) and not ups[item.place or 0]}
    is_start = street.is_first
    faces = [is_face_up(item) or (ups[item.place or 0] and not (is_start and item.seat in exposed)) for item in dealt]
    if street.has_last_downcard:
        turned = turned_up_too(hand, [(item.seat, up) for item, up in zip(dealt, faces, strict=True)])
        faces = [up or item.seat in turned for item, up in zip(dealt, faces, strict=True)]
    return faces


def turned_up_too(hand: HandInPlay, dealt: Sequence[tuple[int, bool]]) -> list[int]:
    """The seats that get their last card up because somebody else did; ``dealt``: (seat, is up)."""
    exposed = [seat for seat, up in dealt if up and hand.seats[seat].is_able]
    verdict = _verdict_on_last_cards(hand, exposed) if exposed else ""
    live = [player.seat for player in hand.players if player.is_live]
    return {"second-up": live[1:], "all-up": live}.get(verdict, [])


def rule_on_exposure(hand: HandInPlay, street: Street, dealt: Sequence[c.Given]) -> None:
    """The rulings, cause before consequence, and their remedies."""
    for item in dealt:
        if item.is_off_table:
            hand.rule("card_off_table", "exposed", (item.seat,))
    if street.is_first:
        _rule_on_starting_cards(hand, street, dealt)
    elif street.has_last_downcard:
        rule_on_last_cards(hand, [item.seat for item in dealt if is_face_up(item)])


def _rule_on_starting_cards(hand: HandInPlay, street: Street, dealt: Sequence[c.Given]) -> None:
    for seat in hand.order:
        exposed = _exposures(street, [item for item in dealt if item.seat == seat])
        if not exposed:
            continue
        verdict = hand.point("exposed_downcard")
        if verdict == "misdeal":
            hand.rule("exposed_downcard", "misdeal", (seat,))
            hand.void("misdeal")
            return
        if exposed >= street.downs:
            if hand.point("both_downcards_exposed") == "misdeal":
                hand.rule("both_downcards_exposed", "misdeal", (seat,))
                hand.void("misdeal")
                return
            _kill_exposed(hand, seat)
        else:
            hand.rule("exposed_downcard", verdict, (seat,))


def _exposures(street: Street, own: Sequence[c.Given]) -> int:
    """How many cards of a seat came face up that were due down: an upcard is, once a downcard came face up."""
    face_up = [street.ups[item.place or 0] for item in own if is_face_up(item)]
    return 0 if all(face_up) else len(face_up)


def _kill_exposed(hand: HandInPlay, seat: int) -> None:
    """Both downcards up: the hand is dead and its ante goes back."""
    hand.rule("both_downcards_exposed", "dead-hand", (seat,))
    hand.emit(play.HandKilled(seat))
    if hand.seats[seat].total:
        hand.emit(AnteReturned(seat, hand.seats[seat].total))


def rule_on_last_cards(hand: HandInPlay, exposed: Sequence[int]) -> None:
    live = [seat for seat in exposed if hand.seats[seat].is_live]
    for seat in live:
        if not hand.seats[seat].is_able:
            hand.rule("all_in_final_faceup", "kept", (seat,))
    seats = tuple([seat for seat in live if hand.seats[seat].is_able])
    if not seats:
        return
    hand.rule("final_card_faceup", _verdict_on_last_cards(hand, seats), seats)


def _verdict_on_last_cards(hand: HandInPlay, exposed: Sequence[int]) -> str:
    """What becomes of last cards face up; ``exposed``: whose they are, of those who can still bet."""
    point = hand.point("final_card_faceup")
    if able_to_bet(hand) < 2:
        return "kept"
    if hand.live > 2:
        return str(point["three_or_more"])
    first = next(player.seat for player in hand.players if player.is_live)
    return str(point["first_of_two"] if first in exposed else point["second_of_two"])


def emit_dealt(hand: HandInPlay, street: Street, dealt: Sequence[c.Given], faces: Sequence[bool]) -> None:
    """The cards of these seats; those that nobody named come off the stub."""
    off_the_top = iter(top_cards(hand, sum(item.card is None for item in dealt)))
    named = [next(off_the_top) if item.card is None else item.card for item in dealt]
    cards = tuple([(item.seat, card, up) for item, card, up in zip(dealt, named, faces, strict=True)])
    hand.emit(play.CardsDealt(street.number, cards))
