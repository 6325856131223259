"""Who opens the betting of a street; hands of absent players are killed before it, in a tournament."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.cards import UNKNOWN, ace_low_key, is_known, low_key, rank_of
from games.engine.facts import play
from games.engine.in_play import HandInPlay
from games.engine.ranking import name_of
from games.engine.rules.chips_in import post_bring_in
from games.engine.rules.choices import able_to_bet, shows_pair
from games.engine.rules.turns import start_round
from games.engine.seat import SeatState


def who_opens(hand: HandInPlay) -> SeatState:
    """The lowcard on third street (razz: the highest), the best board later (razz: the lowest). Equal boards: the first
    to receive cards, who comes first in ``players``. A hand that shows nothing opens only where none does."""
    live = [p for p in hand.players if p.is_live]
    live = [p for p in live if p.upcards] or live[:1]
    if len(live) == 1:
        return live[0]
    if hand.game.by_number[hand.street].opens == "board":
        boards = hand.board_values()
        return max(live, key=lambda player: boards[player.seat])
    if hand.started.bring_in:
        return lowcard(hand, live)
    if hand.game.opens == "low":
        return min(live, key=lambda player: ace_low_key(_door(player)) // 4)
    return max(live, key=lambda player: rank_of(_door(player)))


def lowcard(hand: HandInPlay, live: Sequence[SeatState]) -> SeatState:
    """Whose door card owes the forced bet."""
    if hand.game.brings_in == "highest":
        return max(live, key=lambda player: ace_low_key(_door(player)))
    return min(live, key=lambda player: low_key(_door(player)))


def _door(player: SeatState) -> str:
    card = player.upcards[0]
    return card if card is not None else UNKNOWN


def owes_bring_in(hand: HandInPlay) -> bool:
    """Whether the first bet of this street is forced."""
    return hand.is_on_first_street and hand.started.bring_in > 0


def is_killed_absent(hand: HandInPlay, player: SeatState) -> bool:
    """Whether the hand died because its player is away: it owes its forced bet all the same."""
    killed = [ruling for ruling in hand.rulings("absent_player") if ruling.verdict == "killed"]
    return player.is_absent and any(player.seat in ruling.seats for ruling in killed)


def open_betting(hand: HandInPlay, named: SeatState) -> bool:
    """Announce the lowcard or high hand, settle the limits, and give the opener the turn. Where ``named`` is a dead
    hand, or has no chips, the first to its left starts. True when the street is over without a choice."""
    owes = owes_bring_in(hand)
    posts_dead = owes and not named.is_live and named.stack > 0 and is_killed_absent(hand, named)
    opener = named.seat
    if owes and not named.is_live and not posts_dead:
        hand.rule("dead_hand_lowcard", "left-opens", (named.seat,))
        opener = _first_able_after(hand, named.seat)
    else:
        _announce_opener(hand, named, owes)
        if not named.is_able and not posts_dead:
            if owes:
                hand.rule("ante_all_in_lowcard", "left-opens", (named.seat,))
            opener = _first_able_after(hand, opener)
    hand.emit(play.RoundOpened(hand.street, named.seat, opener, _limits(hand), owes))
    if owes and (named.is_live or posts_dead):
        _kill_absent_lowcard(hand)
        if hand.live == 1:
            return True
    return start_round(hand, opener)


def _announce_opener(hand: HandInPlay, named: SeatState, owes: bool) -> None:
    if owes and named.upcards:
        door = _door(named)
        which = "low" if hand.game.brings_in == "lowest" else "high"
        hand.emit(play.Announced("lowcard", named.seat, f"{door} is {which}" if is_known(door) else ""))
        return
    if hand.game.opens == "low":
        board = [card for card in (*named.upcards, *hand.common) if card is not None and is_known(card)]
        hand.emit(play.Announced("low-hand", named.seat, "".join(card[0] for card in board)))
    else:
        value = hand.board_values().get(named.seat)
        hand.emit(play.Announced("high-hand", named.seat, name_of(value) if value else ""))


def dead_lowcard(hand: HandInPlay) -> int:
    """The seat of a hand dead by two exposures whose first card would have been low; 0 if there is none."""
    doors = [_door(p) for p in hand.players if p.is_live and p.upcards]
    dead = {
        seat: hand.seats[seat].upcards[0]
        for ruling in hand.rulings("both_downcards_exposed")
        for seat in ruling.seats
        if not hand.seats[seat].is_live
    }
    first = {seat: card for seat, card in dead.items() if card is not None and is_known(card)}
    if not first or not doors or not all(map(is_known, doors)):
        return 0
    if hand.game.brings_in == "highest":
        seat = max(first, key=lambda candidate: ace_low_key(first[candidate]))
        return seat if ace_low_key(first[seat]) > max(map(ace_low_key, doors)) else 0
    seat = min(first, key=lambda candidate: low_key(first[candidate]))
    return seat if low_key(first[seat]) < min(map(low_key, doors)) else 0


def _first_able_after(hand: HandInPlay, seat: int) -> int:
    after = hand.following[seat]
    while not hand.seats[after].is_able:
        after = hand.following[after]
    return after


def _limits(hand: HandInPlay) -> tuple[int, ...]:
    """The limits of the street: on fourth street with an open pair both of them. Without fixed limit the least bet."""
    started = hand.started
    if not hand.is_fixed_limit:
        return (started.min_bet,)
    small, big = started.small_bet, started.big_bet
    street = hand.game.by_number[hand.street]
    if street.has_open_pair_choice and hand.rules.has_open_pair_choice and big > small:
        pairs = tuple([p.seat for p in hand.players if p.is_live and shows_pair(p)])
        if pairs:
            hand.rule("open_pair_fourth", "either-limit", pairs)
            return (small, big)
    return (big if street.limit else small,)


def kill_absent(hand: HandInPlay) -> None:
    """A tournament kills every absent hand once all have their starting cards; where the lowcard is among them that
    waits for its forced bet."""
    live = [p for p in hand.players if p.is_live]
    if not _kills_absent(hand) or not all(is_known(card) for p in live for card in p.upcards):
        return
    opener = who_opens(hand)
    posts = hand.started.bring_in > 0 and able_to_bet(hand) > 1 and not dead_lowcard(hand)
    if not posts or not opener.is_absent:
        hand.kill_absent(_to_kill(hand, opener))


def _kill_absent_lowcard(hand: HandInPlay) -> None:
    """The forced bet of an absent lowcard is posted and opens; then it and every other absent hand are killed."""
    named = hand.seats[hand.named]
    absent = _to_kill(hand, named if named.is_live else who_opens(hand)) if _kills_absent(hand) else []
    is_due_now = bool(absent) or not named.is_live
    if is_due_now and named.is_absent and named.stack and hand.owes_bring_in:
        post_bring_in(hand, named.seat)
    hand.kill_absent(absent)


def _kills_absent(hand: HandInPlay) -> bool:
    return hand.is_on_first_street and hand.rules.absent_killed == "after-starting-hand"


def _to_kill(hand: HandInPlay, opener: SeatState) -> list[int]:
    """Absent hands that die with the starting hands; if everybody is away, all but the one that opens.

    Chance must name the one that stays: by order of seats the same antes would go to and fro as the button moves."""
    live = [p for p in hand.players if p.is_live]
    absent = [p.seat for p in live if p.is_absent]
    return absent if len(absent) < len(live) else [seat for seat in absent if seat != opener.seat]
