"""The dealer's work: streets, burns, a deck that runs short, what is announced, and who opens.

The automatic dealer takes every card off the shuffled stub. At a hand-dealt table the same procedure runs on cards that
the dealer names; only how many cards lie where is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from . import commands as c
from . import facts as f
from .betting import close_round
from .cards import DECK, UNKNOWN, low_key
from .family import Street
from .options import able_to_bet
from .ranking import name_of, value_of
from .stakes import HandConfig
from .state import SeatState

if TYPE_CHECKING:
    from .hand import Hand

_KNOWN_DECK = frozenset(DECK)


# -- cards off the stub ----------------------------------------------------------------------------------------------


def post_antes(hand: Hand, config: HandConfig) -> None:
    """Every seat posts the ante, or what it has."""
    due = config.antes or dict.fromkeys(hand.order, config.stakes.ante)
    antes = tuple([(p.seat, min(due[p.seat], p.stack)) for p in hand.players if due[p.seat]])
    if antes:
        hand.emit(f.AntesPosted(antes, config.are_antes_apart))


def receivers(hand: Hand) -> list[int]:
    """The seats that get a card, first to receive first: live hands and those folded without a wager."""
    return [p.seat for p in hand.players if p.is_live or p.is_still_dealt_to]


def is_known(card: str | None) -> bool:
    """Whether a card has a face that can be compared."""
    return card is not None and card != UNKNOWN


def _top(hand: Hand, count: int) -> list[str | None]:
    """The next ``count`` cards: off the known stub, else of those nobody has named, else unknown ones."""
    stub = hand.stub
    if stub and stub[-1] is not None:
        return stub[: -count - 1 : -1]
    seen = hand.cards_out()
    spare: list[str | None] = [card for card in hand.deck or () if card not in seen][:count]
    return spare + [UNKNOWN] * (count - len(spare))


def _burn(hand: Hand) -> None:
    hand.emit(f.CardBurned(_top(hand, 1)[0]))


def _remix(hand: Hand, left: list[str | None]) -> None:
    """``left`` (the rest of the stub) and the burns become a new stub, in the order of the second shuffle."""
    mixed = left + hand.burns
    if hand.scramble is not None and all(is_known(card) for card in mixed):
        mixed.sort(key=hand.scramble.index)
    else:
        mixed = [None] * len(mixed)
    hand.emit(f.StubRemixed(tuple(mixed)))


def _deal(hand: Hand, street: Street, seats: Sequence[int], named: dict[int, list[str]] | None) -> None:
    """Give each of ``seats`` the cards of ``street``, in turn; ``named``: the cards, where the dealer said them."""
    count = len(seats) * len(street.ups)
    if not count:
        return
    cards = None if named else _top(hand, count)
    dealt: list[f.DealtCard] = []
    for turn, is_up in enumerate(street.ups):
        for place, seat in enumerate(seats):
            card = named[seat][turn] if named else cards[turn * len(seats) + place]  # type: ignore[index]
            dealt.append((seat, card, is_up))
    hand.emit(f.CardsDealt(street.number, tuple(dealt)))


def deal_street(
    hand: Hand, street: Street, named: dict[int, list[str]] | None = None, common: str | None = None
) -> None:
    """Burn where the rules say so, deal ``street``, and cope with a stub that runs short."""
    seats = receivers(hand)
    if street.number not in hand.rules.burns:
        _deal(hand, street, seats, named)
    elif len(hand.stub) >= len(seats) * len(street.ups) + 1:
        _burn(hand)
        _deal(hand, street, seats, named)
    elif is_common_card_due(hand, len(seats)):
        hand.rule("deck_exhaustion", "common-card", ())
        _remix(hand, hand.stub[::-1])
        _burn(hand)
        hand.emit(f.CommonCardDealt(common or _top(hand, 1)[0]))
    else:
        _deal_short_deck(hand, street, seats, named)


def is_common_card_due(hand: Hand, needed: int) -> bool:
    """Whether stub and burns together cannot give ``needed`` cards."""
    return len(hand.stub) + len(hand.burns) < needed


def _deal_short_deck(hand: Hand, street: Street, seats: list[int], named: dict[int, list[str]] | None) -> None:
    """All but the last card of the stub is dealt; that one and the burns are mixed for those still waiting."""
    first: list[int] = []
    if len(hand.stub) > 1:
        _burn(hand)
        first = seats[: len(hand.stub) - 1]
        _deal(hand, street, first, named)
    waiting = seats[len(first) :]
    _remix(hand, hand.stub[::-1])
    burns_again = len(hand.stub) - 1 >= len(waiting)
    hand.rule("deck_exhaustion", "remixed" if burns_again else "no-burn", ())
    if burns_again:
        _burn(hand)
    _deal(hand, street, waiting, named)


# -- the dealer's command --------------------------------------------------------------------------------------------


def deal_by_hand(hand: Hand, command: c.Deal) -> None:
    """A person deals a street and names the cards, or leaves them to the stub."""
    street = hand.next_street()
    if not hand.started.is_hand_dealt:
        raise hand.refusal("automatic-dealer", "This table deals by itself.")
    if street is None or hand.awaits != "deal":
        raise hand.refusal("betting-open", "The betting is not over: no card may be dealt now.", "streets")
    if command.street != street.number:
        raise hand.refusal("wrong-street", f"The next street is {street.name}.", "streets")
    hand.check_new_cards([card for _, card in command.cards] + ([command.common] if command.common else []))
    named = _grouped(hand, street, command) if command.cards else None
    wants_common = street.number == 7 and is_common_card_due(hand, len(receivers(hand)))
    if wants_common and named:
        raise hand.refusal("common-card", "The deck is too short: one common card is turned up.", "deck_exhaustion")
    if command.common and not wants_common:
        raise hand.refusal("no-common-card", "There are cards enough: no common card now.", "deck_exhaustion")
    deal_street(hand, street, named, command.common)
    after_deal(hand)


def _grouped(hand: Hand, street: Street, command: c.Deal) -> dict[int, list[str]]:
    """The named cards by seat, when each seat that is dealt to gets just what it should."""
    named: dict[int, list[str]] = {}
    for seat, card in command.cards:
        named.setdefault(seat, []).append(card)
    expected = receivers(hand)
    for seat in named:
        if seat not in expected:
            raise hand.refusal("wrong-seat", f"Seat {seat} gets no card on {street.name} street.", "streets")
    for seat in expected:
        if len(named.get(seat, ())) != len(street.ups):
            want = "1 card" if len(street.ups) == 1 else f"{len(street.ups)} cards"
            raise hand.refusal("wrong-count", f"Seat {seat} must get {want} on {street.name} street.", "streets")
    return named


def name_opener(hand: Hand, command: c.NameOpener) -> None:
    """Unknown upcards hide who opens, so the dealer says it."""
    player = hand.check_seat(command.seat)
    if hand.awaits != "opener":
        raise hand.refusal("opener-known", "The cards show who opens.", "later_opener")
    if not player.is_live:
        raise hand.refusal("dead-hand", f"Seat {command.seat} is out of the hand.", "later_opener")
    open_betting(hand, player)


# -- after the deal --------------------------------------------------------------------------------------------------


def after_deal(hand: Hand) -> None:
    """Announce what shows, then open the betting, if two can bet and the opener can be seen."""
    _announce_boards(hand)
    _kill_absent(hand)
    if hand.is_over:
        return
    if able_to_bet(hand) < 2:
        close_round(hand)
        hand.go_on()
        return
    live = [p for p in hand.players if p.is_live]
    if all(is_known(card) for p in live for card in p.upcards) and all(map(is_known, hand.common)):
        open_betting(hand, _lowcard(live) if hand.street == 3 else _high_hand(hand, live))


def _lowcard(live: list[SeatState]) -> SeatState:
    return min(live, key=lambda player: low_key(player.upcards[-1]))  # type: ignore[arg-type]


def _high_hand(hand: Hand, live: list[SeatState]) -> SeatState:
    """The best board; of equal ones the first to receive cards, which ``live`` lists first."""
    boards = hand.board_values()
    return max(live, key=lambda player: boards[player.seat])


def open_betting(hand: Hand, named: SeatState) -> None:
    """Announce the lowcard or high hand, settle the limits, and give the opener his turn."""
    first = hand.street == 3
    if first:
        door = named.upcards[-1]
        hand.emit(f.Announced("lowcard", named.seat, f"{door} is low" if is_known(door) else ""))
    else:
        board = [card for card in (*named.upcards, *hand.common) if card is not None and is_known(card)]
        hand.emit(f.Announced("high-hand", named.seat, name_of(value_of(board)) if board else ""))
    opener = named.seat
    if not named.stack:
        if first:
            hand.rule("ante_all_in_lowcard", "left-opens", (named.seat,))
        opener = _first_able_after(hand, opener)
    hand.emit(f.RoundOpened(hand.street, named.seat, opener, _limits(hand), first))
    _kill_absent_lowcard(hand)
    if not hand.is_over:
        hand.start_round(opener)


def _first_able_after(hand: Hand, seat: int) -> int:
    after = hand.following[seat]
    while not (hand.seats[after].is_live and hand.seats[after].stack):
        after = hand.following[after]
    return after


def _limits(hand: Hand) -> tuple[int, ...]:
    """The limits of the street: on fourth street with an open pair both of them."""
    started = hand.started
    small, big = started.small_bet, started.big_bet
    street = hand.game.streets[hand.street - 3]
    if hand.street == 4 and hand.game.has_open_pair and hand.rules.has_open_pair_choice and big > small:
        pairs = tuple([p.seat for p in hand.players if p.is_live and _shows_pair(p)])
        if pairs:
            hand.rule("open_pair_fourth", "either-limit", pairs)
            return (small, big)
    return (big if street.limit else small,)


def _shows_pair(player: SeatState) -> bool:
    ranks = [card[0] for card in player.upcards if card is not None and card != UNKNOWN]
    return len(set(ranks)) < len(ranks)


# -- absent players in a tournament ----------------------------------------------------------------------------------


def _absent(hand: Hand) -> list[int]:
    return [p.seat for p in hand.players if p.is_absent and p.is_live]


def _kill_absent(hand: Hand) -> None:
    """A tournament kills every absent hand once all have their starting cards; an absent lowcard posts first."""
    if hand.street != 3 or hand.rules.absent_killed != "after-starting-hand":
        return
    absent = _absent(hand)
    if not absent:
        return
    live = [p for p in hand.players if p.is_live]
    if len(absent) >= len(live) - 1:
        hand.kill_absent([seat for seat in absent if seat != live[-1].seat or len(absent) < len(live)])
        hand.finish_unopposed()
        return
    if not all(is_known(p.upcards[-1]) for p in live):
        return
    low = _lowcard(live)
    if not (low.is_absent and low.stack and able_to_bet(hand) > 1):
        hand.kill_absent(absent)


def _kill_absent_lowcard(hand: Hand) -> None:
    """The forced bet of an absent lowcard is posted and opens; then he and every other absent hand are killed."""
    if hand.street != 3 or hand.rules.absent_killed != "after-starting-hand":
        return
    absent = _absent(hand)
    if absent and hand.named in absent:
        hand.post_for_absent(hand.named)
    if absent:
        hand.kill_absent(absent)


# -- announcements ---------------------------------------------------------------------------------------------------


def _announce_boards(hand: Hand) -> None:
    """Pairs that the last card made; in low-stakes games also possible straights and flushes."""
    started = hand.started
    low_stakes = dict(started.choices).get("low_stakes", False) or started.small_bet < hand.rules.low_stakes_below
    for player in hand.players:
        if not player.is_live or len(player.cards) < 4:
            continue
        cards = player.cards
        if player.ups[-1] and cards[-1] in _KNOWN_DECK:
            rank = cards[-1][0]
            ups = player.upcards
            if any(card is not None and card[0] == rank for card in ups[:-1]):
                same = [card for card in ups if card is not None and card[0] == rank]
                hand.emit(f.Announced("pair", player.seat, name_of(value_of(same))))
        if low_stakes:
            _announce_possible(hand, player)


def _announce_possible(hand: Hand, player: SeatState) -> None:
    ups = [card for card in player.upcards if card is not None and card in _KNOWN_DECK]
    if len(ups) < 3 or not player.ups[-1]:
        return
    if len({card[1] for card in ups}) == 1:
        hand.emit(f.Announced("flush", player.seat, "possible flush"))
    ranks = {low_key(card) // 4 for card in ups}
    wheel = {1 if rank == 14 else rank for rank in ranks}
    if len(ranks) == len(ups) and min(max(ranks) - min(ranks), max(wheel) - min(wheel)) <= 4:
        hand.emit(f.Announced("straight", player.seat, "possible straight"))
