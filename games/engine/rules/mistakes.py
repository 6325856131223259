"""Mistakes of the dealer that somebody points out, corrected while that is possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.engine import commands as c
from games.engine.cards import DECK, JOKER
from games.engine.facts import mistakes, play
from games.engine.in_play import HandInPlay
from games.engine.rules.card_counts import is_too_late_for_misdeal, wrong_by_now
from games.engine.rules.dealing import after_deal
from games.engine.rules.exposed_cards import rule_on_last_cards
from games.engine.rules.put_right import StreetMistakes, corrected_street, nothing_to_name, street_mistakes, wrong_burns
from games.engine.rules.showdown import next_to_show
from games.engine.rules.turns import refresh_turn, settle_turn
from games.engine.rules.wrong_lowcard import LowcardMistake, correct_lowcard, lowcard_mistake


def notice(hand: HandInPlay, command: c.NoticeMistake) -> bool:
    """Find what is wrong on the table and rule on it: first what can still be corrected, then what ends a hand, then
    the mistakes that stand."""
    if not hand.started.is_hand_dealt:
        raise hand.refusal("automatic-dealer", "The automatic dealer makes no mistakes.")
    wrong = wrong_by_now(hand)
    street_faults, low = street_mistakes(hand), lowcard_mistake(hand)
    if street_faults is not None:
        corrected = corrected_street(hand, street_faults, command.cards)
        if corrected is not None:
            return _rule_on_street(hand, street_faults, corrected)
    if command.cards:
        raise hand.refusal("nothing-to-name", nothing_to_name(), "burn_error")
    is_last = hand.is_on_last_street
    too_many = [seat for seat, count in wrong.items() if count > 0 and is_last]
    if wrong and hand.is_on_first_street and not is_too_late_for_misdeal(hand):
        hand.rule("wrong_card_count", "misdeal", tuple(wrong))
        hand.void("misdeal")
    elif low is not None and low.can_be_corrected and not low.has_next_acted:
        return correct_lowcard(hand, low)
    elif too_many:
        return kill_for_count(hand, too_many)
    else:
        _rule_on_what_stands(hand, low, wrong)
    return False


def _rule_on_street(hand: HandInPlay, street_faults: StreetMistakes, corrected: mistakes.CardsPutRight) -> bool:
    """The rulings for cards that go where they belong, then the cards, then the betting from its beginning."""
    if street_faults.is_burned_wrong:
        if street_faults.kept:
            hand.rule("burn_error", "kept", street_faults.kept)
        hand.rule("burn_error", "corrected", tuple(dict.fromkeys(seat for seat, _, _ in corrected.cards)))
    if street_faults.miscounted:
        hand.rule("wrong_card_count", "corrected", street_faults.miscounted)
    hand.emit(corrected)
    exposed = [seat for seat, _, is_up in corrected.cards if is_up]
    last = street_faults.streets[-1]
    if last.has_last_downcard and exposed:
        rule_on_last_cards(hand, exposed)
    return after_deal(hand)


def _rule_on_what_stands(hand: HandInPlay, low: LowcardMistake | None, wrong: Mapping[int, int]) -> None:
    """Every mistake for which it is too late: cards stay, wagers stand, the number of cards counts at the showdown."""
    burned = wrong_burns(hand)
    if not burned and low is None and not wrong:
        raise hand.refusal("nothing-wrong", "Nothing on the table is out of order.", "burn_error")
    if burned:
        is_now = burned[-1].number == hand.street
        seats = dict.fromkeys(seat for seat, _, _ in hand.street_cards) if is_now else ()
        hand.rule("burn_error", "kept", tuple(seats))
    if low is not None:
        hand.rule("wrong_lowcard", "stands", (low.named, low.true.seat))
    if wrong:
        hand.rule("wrong_card_count", "stands", tuple(wrong))


def kill_for_count(hand: HandInPlay, seats: Sequence[int]) -> bool:
    """Hands with too many cards are dead as soon as somebody points it out. Where every live one has, nobody can win
    and every chip goes back."""
    if len(seats) == hand.live:
        hand.rule("void_hand", "void", tuple(seats))
        hand.void("void")
        return False
    to_act = hand.to_act
    for seat in seats:
        hand.rule("wrong_card_count", "dead", (seat,))
        hand.emit(play.HandKilled(seat))
    if hand.phase == "show":
        next_to_show(hand)
        return False
    return settle_turn(hand, to_act) if hand.phase == "bet" and to_act in seats else refresh_turn(hand)


def declare_fouled(hand: HandInPlay, command: c.DeclareFouled) -> None:
    """A card is there twice, or one that belongs in no deck: the hand is void however far it has come."""
    if not hand.started.is_hand_dealt:
        raise hand.refusal("automatic-dealer", "The automatic dealer has every card once.", "fouled_deck")
    if command.card not in ("", JOKER, *DECK):
        raise hand.refusal("no-such-card", "{card!r} is not a card.", card=command.card)
    hand.emit(mistakes.DeckFouled(command.card))
    hand.rule("fouled_deck", "void", ())
    hand.void("fouled-deck")
