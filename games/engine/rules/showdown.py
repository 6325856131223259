"""Who shows, in which order, what may be mucked unseen, and who wins which part of which pot."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine import commands as c
from games.engine.cards import is_known
from games.engine.errors import Said
from games.engine.facts import mistakes, play
from games.engine.in_play import HandInPlay
from games.engine.rules.choices import able_to_bet
from games.engine.rules.pots import award, finish_unopposed
from games.engine.rules.strength import as_shown, strengths_of
from games.engine.seat import SeatState


def open_showdown(hand: HandInPlay) -> None:
    """The last aggressor first, else the hand that opened, then clockwise; run it, unless players show by hand."""
    start = hand.aggressor or hand.opener or hand.order[0]
    contenders = _clockwise_live(hand, start)
    hand.emit(play.ShowdownOpened(contenders))
    if not _rule_on_card_counts(hand):
        return
    if hand.started.is_hand_shown:
        next_to_show(hand)
    elif hand.live == 1:
        finish_unopposed(hand)
    else:
        _run(hand, [seat for seat in contenders if hand.seats[seat].is_live])
        award(hand)


def _clockwise_live(hand: HandInPlay, start: int) -> tuple[int, ...]:
    at = hand.order.index(start)
    return tuple([seat for seat in hand.order[at:] + hand.order[:at] if hand.seats[seat].is_live])


def _rule_on_card_counts(hand: HandInPlay) -> bool:
    """Hands with too many or too few cards are dead. False when that ended the hand."""
    live = [player for player in hand.players if player.is_live and not player.is_ruled_live]
    wrong = [player.seat for player in live if len(player.cards) != hand.cards_due(player)]
    if not wrong:
        return True
    if len(wrong) == hand.live:
        hand.rule("void_hand", "void", tuple(wrong))
        hand.void("void")
        return False
    for seat in wrong:
        hand.rule("wrong_card_count", "dead", (seat,))
        hand.emit(play.HandKilled(seat))
    return True


def table_hands_if_all_in(hand: HandInPlay) -> None:
    """Where the book has it so, all hands are turned up as soon as nobody can bet any more."""
    if not hand.street or able_to_bet(hand) > 1 or hand.point("all_in_showdown") != "at-once":
        return
    tabled = {fact.seat for _, fact in mistakes.in_force(hand.facts) if isinstance(fact, play.HandTabled)}
    for player in hand.players:
        if player.is_live and player.seat not in tabled:
            hand.emit(play.HandTabled(player.seat, tuple(player.cards)))


def must_table_all(hand: HandInPlay) -> bool:
    """Whether nobody at this showdown may muck: where hands are tabled at once, as soon as one player in it was all-in,
    for those too who had chips for a side pot (TDA 16). A hand found dead by its count was in it."""
    if hand.point("all_in_showdown") != "at-once":
        return False
    came = [hand.seats[seat] for seat in hand.show_order]
    return any(not player.stack or player.has_declared for player in came)


def _run(hand: HandInPlay, order: Sequence[int]) -> None:
    """Each hand in turn is shown, or mucked when hands already shown beat it in every pot and every way, unless its
    player shows beaten hands: the book lets it be thrown away, and does not make them."""
    all_shown = must_table_all(hand) or able_to_bet(hand) < 2
    ways = range(len(hand.game.ways))
    best: list[list[int | None]] = [[None] * len(hand.game.ways) for _ in hand.pots]
    for seat in order:
        player = hand.seats[seat]
        own_pots = [place for place, (_, seats) in enumerate(hand.pots) if seat in seats]
        values = strengths_of(hand, player)
        must_show = all_shown or seat in hand.started.shows_beaten
        if must_show or any(_holds_up(values[way], best[place][way]) for place in own_pots for way in ways):
            hand.emit(as_shown(hand, player, all_own(player)))
            for place in own_pots:
                best[place] = [_better(values[way], best[place][way]) for way in ways]
        else:
            hand.emit(play.HandMucked(seat))


def all_own(player: SeatState) -> tuple[str, ...]:
    """The player's own cards."""
    return tuple([card for card in player.cards if card is not None])


def _holds_up(value: int | None, best: int | None) -> bool:
    return value is not None and (best is None or value >= best)


def _better(value: int | None, best: int | None) -> int | None:
    return value if best is None or (value is not None and value > best) else best


def show(hand: HandInPlay, command: c.Show) -> None:
    """Table the hand; a recording may say only now which cards it was."""
    player = _at_showdown(hand, command.seat)
    if command.cards:
        _check_shown(hand, player, command.cards)
    cards = command.cards or all_own(player)
    if not all(is_known(card) for card in cards):
        message = Said("Seat {seat} cannot show cards that are not known.", seat=player.seat)
        raise hand.refusal("unknown-cards", message, "showdown_order")
    hand.emit(as_shown(hand, player, cards))
    next_to_show(hand)


def _check_shown(hand: HandInPlay, player: SeatState, cards: tuple[str, ...]) -> None:
    """The shown cards must be the dealt ones, with faces for those nobody knew."""
    dealt = [card for card in player.cards if is_known(card)]
    fresh = [card for card in cards if card not in dealt]
    if len(cards) != len(player.cards) or len(fresh) != len(cards) - len(dealt):
        raise hand.refusal(
            "other-cards", "Seat {seat} shows other cards than it was dealt.", "showdown_order", seat=player.seat
        )
    hand.check_new_cards(fresh)


def muck(hand: HandInPlay, command: c.Muck) -> None:
    """Throw the hand away unseen, where the rules let it be."""
    player = _at_showdown(hand, command.seat)
    if must_table_all(hand):
        message = Said(
            "A player is all-in and the betting is over: seat {seat} must table its hand. If its cards cannot be told "
            "from the muck any more, the floor kills it.",
            seat=player.seat,
        )
        raise hand.refusal("must-table", message, "all_in_showdown")
    if hand.live == 1:
        raise hand.refusal(
            "last-hand", "Seat {seat} has the last live hand and wins.", "showdown_order", seat=player.seat
        )
    hand.emit(play.HandMucked(player.seat))
    next_to_show(hand)


def _at_showdown(hand: HandInPlay, seat: int) -> SeatState:
    player = hand.check_seat(seat)
    if hand.phase != "show":
        raise hand.refusal("no-showdown", "There is no showdown yet.", "showdown_order")
    if not player.is_live or player.has_shown:
        raise hand.refusal("nothing-to-show", "Seat {seat} has no hand left to show.", "showdown_order", seat=seat)
    return player


def next_to_show(hand: HandInPlay) -> None:
    """Whose turn it is to show; the last live hand need not, unless the floor may still bring another back."""
    live = [seat for seat in hand.show_order if hand.seats[seat].is_live]
    waiting = [seat for seat in live if not hand.seats[seat].has_shown]
    if waiting and (len(live) > 1 or _may_be_revived(hand)):
        hand.emit(play.ShowDue(waiting[0], not must_table_all(hand)))
    elif waiting:
        finish_unopposed(hand)
    else:
        award(hand)


def _may_be_revived(hand: HandInPlay) -> bool:
    return hand.point("wrong_card_count")["missing_seventh"] == "floor-may-rule-live" and any(
        hand.is_dead_by_count(p.seat) and not p.is_ruled_live and lacks_only_last(hand, p) for p in hand.players
    )


def lacks_only_last(hand: HandInPlay, player: SeatState) -> bool:
    """Whether the hand is whole but for its last card, which it never got."""
    got_last = player.has_early_last_card or any(seat == player.seat for seat, _, _ in hand.street_cards)
    was_dealt = hand.next_street() is None and bool(hand.street_cards)  # not a common card
    return was_dealt and not got_last and len(player.cards) == hand.cards_due(player) - 1
