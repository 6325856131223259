"""Who shows, in which order, what may be mucked unseen, and who wins which part of which pot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from games.engine import commands as c
from games.engine import drop
from games.engine.cards import is_known
from games.engine.errors import Said
from games.engine.facts import base, mistakes, play
from games.engine.in_play import HandInPlay, halves, layers, split
from games.engine.ranking import five_of, low_five_of, low_name_of, name_of, odd_chip_key, value_of
from games.engine.rules.betting import able_to_bet, close_round
from games.engine.seat import SeatState

# -- strength --------------------------------------------------------------------------------------------------------


def _strengths(hand: HandInPlay, player: SeatState) -> tuple[int | None, ...]:
    cards = all_cards(hand, player)
    return tuple([way.strength(cards) for way in hand.game.ways])


def all_cards(hand: HandInPlay, player: SeatState) -> list[str]:
    """The hand and the common card."""
    return [card for card in (*player.cards, *hand.common_for(player)) if card is not None]


def _shown(hand: HandInPlay, player: SeatState, cards: Sequence[str]) -> play.HandShown:
    whole = [*cards, *[card for card in hand.common_for(player) if card is not None]]
    has_high = hand.game.has_high
    has_low = any(way.is_low and way.strength(whole) is not None for way in hand.game.ways)
    low_five = low_five_of(whole) if has_low else ()
    return play.HandShown(
        player.seat,
        tuple(cards),
        five_of(whole) if has_high else (),
        name_of(value_of(whole)) if has_high else "",
        low_five,
        low_name_of(low_five) if low_five else "",
    )


# -- the automatic showdown ------------------------------------------------------------------------------------------


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
        mine = [place for place, (_, seats) in enumerate(hand.pots) if seat in seats]
        values = _strengths(hand, player)
        must_show = all_shown or seat in hand.started.shows_beaten
        if must_show or any(_holds_up(values[way], best[place][way]) for place in mine for way in ways):
            hand.emit(_shown(hand, player, all_own(player)))
            for place in mine:
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


# -- players show by themselves --------------------------------------------------------------------------------------


def show(hand: HandInPlay, command: c.Show) -> None:
    """Table the hand; a recording may say only now which cards it was."""
    player = _at_showdown(hand, command.seat)
    if command.cards:
        _check_shown(hand, player, command.cards)
    cards = command.cards or all_own(player)
    if not all(is_known(card) for card in cards):
        message = Said("Seat {seat} cannot show cards that are not known.", seat=player.seat)
        raise hand.refusal("unknown-cards", message, "showdown_order")
    hand.emit(_shown(hand, player, cards))
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


# -- the pots --------------------------------------------------------------------------------------------------------


def finish_unopposed(hand: HandInPlay) -> None:
    """The last live hand takes the pot without showing."""
    if hand.phase != "show":
        close_round(hand)
    winner = next(player.seat for player in hand.players if player.is_live)
    if hand.pot and hand.started.drop:
        drop.take(hand, ((hand.pot, (winner,)),))
    if hand.pot:
        hand.emit(play.PotAwarded(0, winner, hand.pot, "whole", 0))
    hand.end()


def award(hand: HandInPlay) -> None:
    """Each pot to its best hands, ties and odd chips pot by pot, and the hand is over."""
    held = {p.seat: all_cards(hand, p) for p in hand.players if p.is_live}
    values = {seat: tuple([way.strength(cards) for way in hand.game.ways]) for seat, cards in held.items()}
    pots: Sequence[base.Pot] = _live_pots(hand)
    if hand.started.drop and pots:
        pots = drop.take(hand, pots)
    for place, (chips, seats) in enumerate(pots):
        ways = [way for way in range(len(hand.game.ways)) if any(values[seat][way] is not None for seat in seats)]
        parts = halves(chips, hand.started.unit) if len(ways) > 1 else (chips,)
        for way, part in zip(ways, parts, strict=True):
            _award_part(hand, place, part, way, len(ways) > 1, {seat: values[seat][way] for seat in seats}, held)
    hand.end()


def _award_part(
    hand: HandInPlay,
    place: int,
    chips: int,
    way: int,
    is_half: bool,
    values: dict[int, int | None],
    held: dict[int, list[str]],
) -> None:
    best = max(value for value in values.values() if value is not None)
    winners = [seat for seat, value in values.items() if value == best]
    is_low = hand.game.ways[way].is_low
    if len(winners) > 1:
        winners.sort(key=lambda seat: _odd_chip_order(held[seat], is_low=is_low), reverse=True)
    share = ("low" if is_low else "high") if is_half else "whole"
    for seat, amount, odd in split(chips, winners, hand.started.unit):
        if amount:
            hand.emit(play.PotAwarded(place, seat, amount, share, odd))


def _odd_chip_order(cards: list[str], *, is_low: bool) -> tuple[int, ...]:
    return odd_chip_key(low_five_of(cards), ace_low=True) if is_low else odd_chip_key(five_of(cards))


def _live_pots(hand: HandInPlay) -> tuple[base.Pot, ...]:
    """The pots with the hands still live; one whose every hand is dead goes to the pot below it."""
    pots: list[base.Pot] = []
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


# Bad beats: which hand that lost at the showdown was good enough for a jackpot, and how a jackpot is shared out.


LOSER, WINNER, TABLE = "loser", "winner", "table"
_FIVE = 5


@dataclass(frozen=True, slots=True)
class Qualifying:
    """What it takes: the losing hand is ``least_hand`` or better, ``least_downcards`` of their own play in the losing
    and in the winning hand, ``least_players`` were dealt in."""

    least_hand: tuple[str, ...]
    least_downcards: int = 2
    least_players: int = 4


@dataclass(frozen=True, slots=True)
class Beat:
    """Seats, and what they held, in words."""

    losers: tuple[int, ...]
    winners: tuple[int, ...]
    losing: str
    winning: str


@dataclass(frozen=True, slots=True)
class Terms:
    """How a jackpot is shared out: bonuses first, then percentages of the rest; what is left is the table's."""

    loser_percent: int = 50
    winner_percent: int = 25
    loser_bonus: int = 0
    winner_bonus: int = 0
    table_bonus: int = 0


def plays_downcards(cards: Sequence[str], downcards: Sequence[str], least: int) -> bool:
    """Whether the best hand of ``cards`` can be made with so many of the downcards in it."""
    best, down = value_of(cards), set(downcards)
    fives = combinations(cards, min(_FIVE, len(cards)))
    return any(len(down.intersection(five)) >= least and value_of(five) == best for five in fives)


def find(hand: HandInPlay, terms: Qualifying) -> Beat | None:
    """The bad beat of a hand that is over, if there was one that qualifies."""
    if not hand.show_order or not hand.game.has_high or len(hand.players) < terms.least_players:
        return None
    held = {seat: all_cards(hand, hand.seats[seat]) for seat in _came_to_showdown(hand)}
    held = {seat: cards for seat, cards in held.items() if all(map(is_known, cards))}
    values = {seat: value_of(cards) for seat, cards in held.items()}
    if len(set(values.values())) <= 1:
        return None
    best = max(values.values())
    second = max(value for value in values.values() if value != best)
    if second < value_of(terms.least_hand):
        return None
    fair = [seat for seat in held if _plays_own(hand, seat, held[seat], terms.least_downcards)]
    losers = tuple(seat for seat in hand.order if seat in fair and values[seat] == second)
    winners = tuple(seat for seat in hand.order if seat in fair and values[seat] == best)
    return Beat(losers, winners, name_of(second), name_of(best)) if losers and winners else None


def _came_to_showdown(hand: HandInPlay) -> list[int]:
    kinds = (play.HandShown,) if hand.started.is_hand_shown else (play.HandShown, play.HandMucked)
    return [fact.seat for _, fact in mistakes.in_force(hand.facts) if isinstance(fact, kinds)]


def _plays_own(hand: HandInPlay, seat: int, cards: Sequence[str], least: int) -> bool:
    downcards = [card for card in hand.seats[seat].downcards if card is not None]
    return plays_downcards(cards, downcards, least)


def shared_out(
    chips: int, terms: Terms, *, losers: Sequence[int], winners: Sequence[int], others: Sequence[int], unit: int = 1
) -> list[tuple[int, str, int]]:
    """(seat, part, chips) for everybody who gets something, and never a chip more or less than there is.

    The bonuses come first; where there is not enough for all of them, there are none. Every part is rounded down to
    whole chips of ``unit``, the smallest in play, and shared out evenly; the chips that this leaves over are the
    loser's, and so is the table's part where nobody else was dealt in. Several losers, or winners, take the odd chips
    of their part one each, in the order given.

    >>> shared_out(1001, Terms(), losers=[2], winners=[5], others=[1, 3, 4])
    [(2, 'loser', 502), (5, 'winner', 250), (1, 'table', 83), (3, 'table', 83), (4, 'table', 83)]
    >>> shared_out(1001, Terms(), losers=[2], winners=[5], others=[1, 3, 4], unit=25)
    [(2, 'loser', 526), (5, 'winner', 250), (1, 'table', 75), (3, 'table', 75), (4, 'table', 75)]
    """
    bonuses = terms.loser_bonus * len(losers) + terms.winner_bonus * len(winners) + terms.table_bonus * len(others)
    has_bonuses = bonuses <= chips
    rest = chips - bonuses if has_bonuses else chips
    for_winners = rest * terms.winner_percent // 100 // unit * unit
    table_percent = 100 - terms.loser_percent - terms.winner_percent
    each = rest * table_percent // 100 // len(others) // unit * unit if others else 0
    for_losers = rest - for_winners - each * len(others)
    bonus = (terms.loser_bonus, terms.winner_bonus, terms.table_bonus) if has_bonuses else (0, 0, 0)
    parts = [(seat, LOSER, part + bonus[0]) for seat, part, _ in split(for_losers, losers, unit)]
    parts += [(seat, WINNER, part + bonus[1]) for seat, part, _ in split(for_winners, winners, unit)]
    parts += [(seat, TABLE, each + bonus[2]) for seat in others]
    return [part for part in parts if part[2]]
