"""The door for players in a hand."""

from collections.abc import Callable
from datetime import datetime

from django.db import transaction

from cardroom.models import User
from cardroom.services import outages
from cardroom.services.errors import Forbidden, Invalid, NotFound, Stale
from cardroom.services.operations import read
from games import journal
from games.engine.commands import BringIn, Call, Check, Command, DeclareAllIn, Fold, Muck, Show, TimeOut, Wager
from games.journal import OpenHand, Receipt
from games.models import Hand, Table
from games.services import locking, playing

__all__ = ["ACTIONS", "Receipt", "act", "time_out"]

_PLAIN: dict[str, Callable[[int], Command]] = {
    "fold": Fold,
    "check": Check,
    "call": Call,
    "bring-in": BringIn,
    # Where a person deals: after a last card face up, and at a showdown by hand.
    "declare-all-in": DeclareAllIn,
    "show": Show,
    "muck": Muck,
}
_WAGERS = {"complete": "completes", "bet": "bets", "raise": "raises"}
ACTIONS = (*_PLAIN, *_WAGERS)

_LONGEST_COMMAND_ID = 64
_MOST_CHIPS = 10**12


def act(
    *,
    hand_id: int,
    player: User,
    action: str,
    amount: int | None = None,
    expected_seq: int | None = None,
    command_id: str = "",
    now: datetime | None = None,
) -> Receipt:
    """Act on one's turn. `action`: one of `ACTIONS`; `amount`: for a wager the player's total for the street, needed
    only where more than one size is open.

    The same `command_id` of the same player in the same hand again is answered as it first was, and nothing happens.
    `expected_seq`: the last fact the player had seen. Locks the table.

    Refuses: `NotFound` (no such hand), `Forbidden` (not in this hand), `Stale` (the hand has moved on since
    `expected_seq`, another player's turn, the time ran out, the hand is over), `Illegal` (with the rule), `Invalid`.
    """
    _check(action, amount, command_id)
    with transaction.atomic():
        table = locking.table_playing(hand_id)
        now = read(now)
        if table is None:
            return _answer_after_the_end(hand_id, player, command_id)
        open_hand = journal.load(hand_id, seq=table.seq)
        seat = open_hand.seat_of(player.pk)
        if seat is None:
            raise _not_in_hand()
        key = key_of(seat, command_id)
        if key in open_hand.receipts:
            return open_hand.receipts[key]
        if expected_seq is not None and expected_seq != table.seq:
            raise _moved_on(table.seq)
        is_late = _is_late(table, open_hand, seat, now)
        if not is_late:
            command = command_for(seat, action, amount)
            return playing.play(table, open_hand, command, now=now, command_id=key)
        playing.play(table, open_hand, TimeOut(seat), now=now, is_missed=True)
    raise Stale("Your time ran out before this reached the table.", "time-ran-out")


def time_out(*, hand_id: int, expected_seq: int, now: datetime) -> bool:
    """Let the clock of the player to act play for them, if it has run out; True if it did. Locks the table.

    Not before the room was heard of after that moment: it may be away since, and they could not act.
    """
    with transaction.atomic():
        table = locking.table_playing(hand_id)
        if table is None or table.seq != expected_seq or table.deadline is None or now < table.deadline:
            return False
        if not outages.was_there(table.deadline):
            locking.store(table, wake_at=now + outages.BEAT)
            return False
        open_hand = journal.load(hand_id, seq=table.seq)
        playing.play(table, open_hand, TimeOut(table.to_act), now=now, is_missed=True)
        return True


def command_for(seat: int, action: str, amount: int | None) -> Command:
    """The engine's command for an action in words; a wager's `amount` is the seat's total for the street."""
    if action in _WAGERS:
        return Wager(seat, amount, _WAGERS[action])
    return _PLAIN[action](seat)


def _check(action: str, amount: int | None, command_id: str) -> None:
    if action not in ACTIONS:
        raise Invalid(f"There is no action {action!r}: {', '.join(ACTIONS)}.", "no-such-action")
    if amount is not None and (type(amount) is not int or not 0 <= amount <= _MOST_CHIPS):
        raise Invalid("An amount is a whole number of chips.", "bad-amount")
    if len(command_id) > _LONGEST_COMMAND_ID:
        raise Invalid(f"A command id has at most {_LONGEST_COMMAND_ID} characters.", "bad-command-id")


def key_of(seat: int, command_id: str) -> str:
    """Commands are told apart by seat, so that nobody's id can stand in the way of another's."""
    return f"{seat}:{command_id}" if command_id else ""


def _is_late(table: Table, open_hand: OpenHand, seat: int, now: datetime) -> bool:
    """The clock decides, not the alarm that has yet to ring, unless the room was away and they have not had their time
    back yet. A bot's clock is for one that fails, see `house_bots`."""
    if table.to_act != seat or table.deadline is None or open_hand.sitters[seat].is_bot:
        return False
    return now >= table.deadline and not outages.is_away(now=now)


def _answer_after_the_end(hand_id: int, player: User, command_id: str) -> Receipt:
    """A hand that is not being played: a repeated command still gets its first answer."""
    hand = Hand.objects.filter(pk=hand_id).first()
    if hand is None:
        raise NotFound("There is no such hand.", "no-such-hand")
    seat = next((seat for seat, sitter in journal.sitters(hand).items() if sitter.player == player.pk), None)
    if seat is None:
        raise _not_in_hand()
    receipt = journal.receipt(hand_id, key_of(seat, command_id)) if command_id else None
    if receipt is None:
        raise Stale("This hand is over.", "hand-over")
    return receipt


def _not_in_hand() -> Forbidden:
    return Forbidden("You are not in this hand.", "not-in-hand")


def _moved_on(seq: int) -> Stale:
    return Stale("The hand has moved on since you looked: look again.", "stale", seq=seq)
