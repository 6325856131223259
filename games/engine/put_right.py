"""Somebody points out a burn error or a wrong lowcard: put right while that is possible, standing after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import commands as c
from . import facts as f
from .opening import after_deal, open_betting, who_opens
from .state import SeatState
from .stub import burns_due, is_known, top_cards

if TYPE_CHECKING:
    from .hand import Hand


def notice(hand: Hand, command: c.Notice) -> None:
    """Find what is wrong on the table and rule on it."""
    if not hand.started.is_hand_dealt:
        raise hand.refusal("automatic-dealer", "The automatic dealer makes no mistakes.")
    if _burned_wrong(hand):
        _rule_on_burns(hand, command.card)
        return
    if command.card is not None:
        raise hand.refusal("nothing-to-name", "No card comes to light: name none.", "burn_error")
    true = true_lowcard(hand)
    if true is not None and true.seat != hand.named:
        if hand.acts <= 1:
            correct_lowcard(hand, true)
        else:
            hand.rule("wrong_lowcard", "stands", (hand.named, true.seat))
        return
    raise hand.refusal("nothing-wrong", "Nothing on the table is out of order.", "burn_error")


# -- burns -----------------------------------------------------------------------------------------------------------


def _burned_wrong(hand: Hand) -> bool:
    if hand.street < 4 or hand.common:
        return False
    street = hand.game.streets[hand.street - 3]
    return hand.burn_counts.get(hand.street, 0) != burns_due(hand, street)


def _rule_on_burns(hand: Hand, named: str | None) -> None:
    kept_when = hand.point("burn_error")["kept_when"]
    last = hand.street == hand.game.hand_size and not hand.game.streets[-1].ups[-1]
    kept = {p.seat for p in hand.players if last and p.last_card_seen in kept_when}
    moving = [dealt for dealt in hand.street_cards if dealt[0] not in kept]
    burned = hand.burn_counts.get(hand.street, 0)
    is_plain = len({seat for seat, _, _ in hand.street_cards}) == len(hand.street_cards)
    if hand.acts or not moving or not is_plain or hand.has_remixed:
        hand.rule("burn_error", "kept", tuple([seat for seat, _, _ in hand.street_cards]))
        return
    put_right = _shifted(hand, moving, burned, named)
    if kept:
        hand.rule("burn_error", "kept", tuple(sorted(kept)))
    hand.rule("burn_error", "corrected", tuple([seat for seat, _, _ in moving]))
    hand.emit(put_right)
    after_deal(hand)


def _shifted(hand: Hand, moving: list[f.DealtCard], burned: int, named: str | None) -> f.CardsPutRight:
    """Every card one place on when two were burned, one place back when none was; kept cards step out of the row.
    ``named``: the card of a physical deck that comes to light in it."""
    faces = hand.game.streets[hand.street - 3].ups
    row: list[str | None] = [card for _, card, _ in moving]
    taken = 0
    if burned:
        burns, extra = hand.burns[-burned:][:1], hand.burns[-burned:][1:]
        row = extra + row
        returned = row[len(moving) :]
        row = row[: len(moving)]
    else:
        burns, returned = row[:1], []
        taken = min(1, len(hand.stub))
        row = row[1:] + top_cards(hand, taken)
    row = _with_named(hand, row, named)
    cards = tuple([(seat, card, faces[-1]) for (seat, _, _), card in zip(moving, row, strict=False)])
    return f.CardsPutRight(tuple(burns), cards, tuple(returned[::-1]), taken)


def _with_named(hand: Hand, row: list[str | None], named: str | None) -> list[str | None]:
    """``row`` with a face for the one card of it that nobody had seen."""
    place = next((place for place, card in enumerate(row) if not is_known(card)), None)
    if named is None:
        if place is not None and hand.deck is None:
            message = "A card that nobody has named comes into play now: say which."
            raise hand.refusal("name-the-card", message, "burn_error")
        return row
    if place is None:
        raise hand.refusal("nothing-to-name", "No card comes to light: name none.", "burn_error")
    hand.check_new_cards([named])
    return [*row[:place], named, *row[place + 1 :]]


# -- the lowcard -----------------------------------------------------------------------------------------------------


def true_lowcard(hand: Hand) -> SeatState | None:
    """Who owes the forced bet by the cards; None when third street is over or cards are unknown."""
    if hand.street != 3 or hand.phase != "bet" or not hand.started.bring_in:
        return None
    if hand.rulings("dead_hand_lowcard"):
        return None
    if not all(is_known(card) for p in hand.players if p.is_live for card in p.upcards):
        return None
    return who_opens(hand)


def name_opener(hand: Hand, command: c.NameOpener) -> None:
    """The dealer names the lowcard, rightly or wrongly; or the opener that unknown upcards hide."""
    player = hand.check_seat(command.seat)
    if not hand.started.is_hand_dealt:
        raise hand.refusal("automatic-dealer", "This table names the opener by itself.")
    is_lowcard = hand.street == 3 and hand.phase == "bet" and not hand.acts and hand.started.bring_in > 0
    if hand.awaits != "opener" and not is_lowcard:
        raise hand.refusal("opener-known", "The cards show who opens.", "later_opener")
    if not player.is_live:
        raise hand.refusal("dead-hand", f"Seat {command.seat} is out of the hand.", "later_opener")
    if not is_lowcard or player.seat != hand.named:
        open_betting(hand, player)


def correct_lowcard(hand: Hand, true: SeatState) -> None:
    """Every third-street wager goes back, not the antes, and the true lowcard must bet."""
    hand.rule("wrong_lowcard", "corrected", (hand.named, true.seat))
    for player in hand.players:
        if player.bet:
            hand.emit(f.BetReturned(player.seat, player.bet))
    open_betting(hand, true)
