"""Players in a hand: act, step away and come back, and are timed out.

A command goes from the engine to the journal, the clock and the table's play row; one that does not end the hand
costs three statements with the lock. In a hand the clocks of the table's row say who is away; between hands the seats
do.
"""

from collections.abc import Callable, Sequence
from datetime import datetime

from django.db import OperationalError, connection, transaction
from django.db.models import F

from cardroom.accounts import look
from cardroom.core import outages, seals, topics
from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotFound, Refusal, Stale
from cardroom.core.models import User
from cardroom.core.once import command_name
from cardroom.core.verb import current_time
from games.engine.commands import BringIn, Call, Check, Command, DeclareAllIn, Fold, Muck, Return, Show, TimeOut, Wager
from games.engine.drop import DropTerms
from games.engine.errors import IllegalAction
from games.engine.facts.base import Fact
from games.engine.facts.play import ActionOn
from games.engine.hand import Hand as Engine
from games.engine.stakes import HandConfig, Stakes
from games.play import clocks, settling, shuffling
from games.rake import drops
from games.rulebooks.queries import load as rulebook
from games.rulebooks.words import cited
from games.tables import journal as table_journal
from games.tables import locking, one_statement, stacks
from games.tables import signals as table_signals
from games.tables.journal import OpenHand, Receipt
from games.tables.models.tables import Hand, Seat, SeatMove, Table


def after_the_end(hand_id: int, key: str) -> Receipt:
    """The receipt of a staff command in a hand that is not being played; `Stale` where there was no such command."""
    return _receipt_of_ended_hand(_hand_row(hand_id), key)


def _hand_row(hand_id: int) -> Hand:
    hand = Hand.objects.filter(pk=hand_id).first()
    if hand is None:
        raise NotFound("no-such-hand", "There is no such hand.")
    return hand


def _receipt_of_ended_hand(hand: Hand, key: str) -> Receipt:
    receipt = table_journal.receipt(hand.pk, key) if key else None
    if receipt is None:
        raise Stale("hand-over", "This hand is over.")
    return receipt


def play(
    table: Table, open_hand: OpenHand, command: Command, *, now: datetime, command_id: str = "", is_missed: bool = False
) -> Receipt:
    """Play a command and write down all that follows. `is_missed`: the player's clock plays it for them. Call with the
    table locked and the hand loaded.

    A refusal of the engine becomes `Illegal`, or `Stale` where it is another player's turn; nothing has changed then.
    """
    engine = open_hand.engine
    turn = engine.options(engine.to_act)
    try:
        facts = engine.play(command)
    except IllegalAction as error:
        raise refusal(error) from None
    return write_down(table, open_hand, facts, turn, now=now, command_id=command_id, is_missed=is_missed)


def write_down(
    table: Table,
    open_hand: OpenHand,
    facts: Sequence[Fact],
    turn: ActionOn | None,
    *,
    now: datetime,
    command_id: str,
    is_missed: bool = False,
) -> Receipt:
    """Write down what a command has just led to, and all that follows. `turn`: whose it was before. Call with the table
    locked, and not moved on since the command was played."""
    engine = open_hand.engine
    receipt = table_journal.add(open_hand, facts, at=now, command_id=command_id)
    if turn is not None and not engine.is_over and engine.options(engine.to_act) is turn:
        # Somebody left or came back out of turn: the player to act goes on thinking.
        table.seq = open_hand.length
        locking.store(table, wake_at=table.wake_at)
    else:
        _stop_clock(table, now=now, is_missed=is_missed)
        follow(table, open_hand, now=now)
    table_signals.hand_moved.after_commit(table_id=table.pk, hand_id=open_hand.pk, seq=receipt.seq)
    return receipt


def follow(table: Table, open_hand: OpenHand, *, now: datetime) -> None:
    """Update the table's row from the hand: the next turn, or the end."""
    engine = open_hand.engine
    table.seq = open_hand.length
    if engine.is_over:
        wake_at = settling.settle(table, open_hand, now=now)
    else:
        wake_at = begin_turn(table, open_hand, now=now)
        if table.to_act and clocks.clock_of(table, table.to_act).is_gone:
            topics.tell(f"player:{open_hand.sitters[table.to_act].player}")  # on whatever page they are
    locking.store(table, wake_at=wake_at)


def begin_turn(table: Table, open_hand: OpenHand, *, now: datetime) -> datetime | None:
    """The next turn in the table's row; returns when the table is due."""
    engine = open_hand.engine
    table.seq, table.street = open_hand.length, engine.street
    clocks.start(table, engine.to_act, now=now, is_timed=engine.turn is not None)
    return _next_wake(table, open_hand, now=now)


def _stop_clock(table: Table, *, now: datetime, is_missed: bool) -> None:
    """Stop the clock of the seat to act. At an event a missed clock marks the player as away and an action as back; the
    table signals that."""
    seat = table.to_act
    was_away = bool(table.event and seat) and clocks.clock_of(table, seat).is_away
    clocks.stop(table, seat, now=now, is_missed=is_missed)
    if table.event and seat and clocks.clock_of(table, seat).is_away != was_away:
        locking.tell(table)


def refusal(error: IllegalAction) -> Refusal:
    """The engine's refusal as an error of the house: `Illegal`, or `Stale`."""
    kind = Stale if error.code == "not-your-turn" else Illegal
    return kind(error.code, error.message, rule=error.rule and cited(error.rule))


def _next_wake(table: Table, open_hand: OpenHand, *, now: datetime) -> datetime | None:
    """When the alarm has to ring: a bot has thought, or a clock has run out. None: a person without a clock."""
    if open_hand.engine.turn is None or not open_hand.sitters[table.to_act].is_bot:
        return table.deadline
    thinks = clocks.thinks(table)
    return now + (thinks if table.deadline is None else min(thinks, (table.deadline - now) / 2))


def is_away(table: Table, seat: Seat) -> bool:
    """Whether the seat is played without its player."""
    if table.is_in_hand(seat.number):
        return table.is_away_in_hand(seat.number)
    return seat.state == Seat.State.SITTING_OUT


def sit_out_of_event(table: Table, seat: Seat, *, now: datetime) -> SeatMove:
    """Mark the player of an event as away; a turn that has begun keeps its clock. Call with the table locked."""
    if is_away(table, seat):
        raise Conflict("already-out", "You are away already.")
    seat.state, seat.out_since = Seat.State.SITTING_OUT, now
    seat.save(update_fields=["state", "out_since"])
    if table.is_in_hand(seat.number):
        clocks.put_clock(table, seat.number, clocks.clock_of(table, seat.number)._replace(is_away=True))
    move = _note(table, seat, SeatMove.Kind.SAT_OUT, now=now)
    _store(table)
    return move


def come_back(table: Table, seat: Seat, *, now: datetime) -> SeatMove:
    """Mark the player of an event as back, in the current hand too while their hand is live. Call with the table
    locked."""
    if not is_away(table, seat):
        raise Conflict("not-away", "You are in the game already.")
    seat.state, seat.out_since = Seat.State.PLAYING, None
    seat.save(update_fields=["state", "out_since"])
    if table.is_in_hand(seat.number):
        clocks.put_clock(table, seat.number, clocks.clock_of(table, seat.number)._replace(is_away=False, missed=0))
        if table.to_act == seat.number and table.deadline is not None:
            clocks.lengthen(table, extra_ms=table.extra_ms)
            table.wake_at = table.deadline
        open_hand = table_journal.load(table.hand_id, seq=table.seq)
        player = open_hand.engine.seats[seat.number]
        if player.is_absent and player.is_live:
            play(table, open_hand, Return(seat.number), now=now)
    move = _note(table, seat, SeatMove.Kind.CAME_BACK, now=now)
    _store(table)
    return move


@transaction.atomic
def note_presence(*, table_id: int, player_id: int, is_here: bool, now: datetime | None = None) -> bool:
    """The player's last socket at this table is gone, or the first one is here (`is_here`); True if that was new.

    A player who loses the connection in their turn gets extra time at once; when they are back they keep what they used
    of it and as much as an act clock, and the next turns have none. Does nothing at a cash table without extra time.
    Locks the table.
    """
    seats = Seat.objects.filter(table=table_id, player=player_id, player__is_bot=False)
    # Most of the time nothing has changed, and then nobody has to wait for the lock.
    if not seats.filter(gone_at__isnull=not is_here).exists():
        return False
    table = locking.table(table_id)
    now = now or current_time()
    seat = seats.first()
    if seat is None or (seat.gone_at is None) == is_here or not (is_here or table.minds_presence):
        return False
    is_in_hand = table.is_in_hand(seat.number)
    # In a hand of a cash game coming and going wins nothing: the extra turns go on being counted.
    starts_anew = is_here and (bool(table.event) or not is_in_hand)
    seat.gone_at = None if is_here else now
    seat.extras_taken = 0 if starts_anew else seat.extras_taken
    seat.save(update_fields=["gone_at", "extras_taken"])
    if is_in_hand:
        clock = clocks.clock_of(table, seat.number)._replace(is_gone=not is_here)
        clocks.put_clock(table, seat.number, clock._replace(extras=0) if starts_anew else clock)
        if table.to_act == seat.number:
            topics.tell(f"player:{player_id}")  # their turn, on whatever page they are now
        if table.to_act == seat.number and table.deadline is not None:
            _change_turn(table, clock, now=now)
    _store(table)
    return True


def _change_turn(table: Table, clock: clocks.SeatClock, *, now: datetime) -> None:
    """Change the clock of the player to act, who lost the connection or is back. A clock that has run out stays so."""
    if clock.is_away or now >= table.deadline:
        return
    if clock.is_gone:
        # Losing the connection twice in one turn gives no more than losing it once.
        clocks.lengthen(table, extra_ms=max(table.extra_ms, clocks.extra_time(table, clock)))
    elif table.extra_ms:
        used_ms = max(0, (now - table.turn_at) // clocks.MILLISECOND - table.act_seconds * 1000)
        clocks.lengthen(table, extra_ms=min(table.extra_ms, used_ms + table.act_seconds * 1000))
    table.wake_at = table.deadline


def _note(table: Table, seat: Seat, kind: SeatMove.Kind, *, now: datetime) -> SeatMove:
    return stacks.note(table, player=seat.player, number=seat.number, kind=kind, now=now)


def _store(table: Table) -> None:
    locking.store(table, wake_at=table.wake_at)
    locking.tell(table)


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
    """A player acts in their turn. `action`: one of `ACTIONS`; `amount`: for a wager the player's total for the street,
    needed only where more than one size is possible.

    A second command with the same `command_id` of this player in this hand gets the first answer, and nothing happens.
    `expected_seq`: the last fact the player had seen. Locks the table unless `_act_in_mid_hand` needs no lock.

    Refuses: `NotFound` (no such hand), `Forbidden` (not in this hand), `Stale` (the hand has moved on since
    `expected_seq`, another player's turn, the time ran out, the hand is over), `Illegal` (with the rule), `Invalid`.
    """
    _check(action, amount)
    receipt = _act_in_mid_hand(hand_id, player, action, amount, expected_seq, command_id, now=now)
    if receipt is not None:
        return receipt
    with transaction.atomic():
        table = locking.table_playing(hand_id)
        now = now or current_time()
        if table is None:
            return _answer_after_the_end(hand_id, player, command_id)
        open_hand = table_journal.load(hand_id, seq=table.seq)
        seat = open_hand.seat_of(player.pk)
        if seat is None:
            raise _not_in_hand()
        # The hand's log of facts keeps the name of each command: it is itself the record of what was done.
        key = command_name(seat, command_id)
        if key in open_hand.receipts:
            return open_hand.receipts[key]
        if expected_seq is not None and expected_seq != table.seq:
            raise _moved_on(table.seq)
        is_late = _is_late(table, open_hand, seat, now)
        if not is_late:
            command = command_for(seat, action, amount)
            return play(table, open_hand, command, now=now, command_id=key)
        play(table, open_hand, TimeOut(seat), now=now, is_missed=True)
    raise Stale("time-ran-out", "Your time ran out before this reached the table.")


def _act_in_mid_hand(
    hand_id: int,
    player: User,
    action: str,
    amount: int | None,
    expected_seq: int | None,
    command_id: str,
    *,
    now: datetime | None,
) -> Receipt | None:
    """`act` without the table's lock: played on this process's copy of the hand, and written where the table has not
    moved on since. None, with nothing changed, where that is not possible: then the table has to be locked.

    The time is read once the copy is owned, and the version in the statement takes the place of the row's lock. A
    refusal is left to the locked table, for the copy may be behind.
    """
    if connection.in_atomic_block or (open_hand := table_journal.take(hand_id)) is None:
        return None
    table = locking.noted_row(open_hand.table_id)
    seat = open_hand.seat_of(player.pk)
    if table is None or not seat or (table.hand_id, table.seq, table.to_act) != (hand_id, open_hand.length, seat):
        table_journal.give_back(open_hand)
        return None
    key, now = command_name(seat, command_id), now or current_time()
    receipt = open_hand.receipts.get(key)
    is_behind = expected_seq is not None and expected_seq != table.seq
    needs_lock = open_hand.engine.started.is_hand_dealt or (table.deadline is not None and now >= table.deadline)
    if receipt is not None or is_behind or needs_lock:
        table_journal.give_back(open_hand)
        return receipt
    try:
        receipt = _play_and_write(table, open_hand, command_for(seat, action, amount), seat, key, now)
    except IllegalAction:
        table_journal.give_back(open_hand)  # nothing has changed; the refusal is made of the table as it is
        return None
    except BaseException:
        _drop(open_hand)
        raise
    if receipt is None:
        _drop(open_hand)
    else:
        table_journal.give_back(open_hand)
    return receipt


def _drop(open_hand: OpenHand) -> None:
    """Forget copies that hold what was never written, or may not have been."""
    table_journal.drop(open_hand)
    locking.drop_row(open_hand.table_id)


def _play_and_write(
    table: Table, open_hand: OpenHand, command: Command, seat: int, key: str, now: datetime
) -> Receipt | None:
    """Play the command on this process's copy of the hand and write it down. None where the table has moved on, or it
    is not known whether it has."""
    engine = open_hand.engine
    turn = engine.options(engine.to_act)
    facts = engine.play(command)
    is_in_touch = not clocks.clock_of(table, seat).is_away and not (
        engine.to_act and clocks.clock_of(table, engine.to_act).is_gone
    )
    if engine.is_over or not is_in_touch or turn is None:
        with transaction.atomic():
            locked = locking.table_playing(open_hand.pk)
            if locked is None or locked.version != table.version:
                return None
            return write_down(locked, open_hand, facts, turn, now=now, command_id=key)
    clocks.stop(table, table.to_act, now=now, is_missed=False)
    table.wake_at = begin_turn(table, open_hand, now=now)
    receipt = Receipt(seq=open_hand.length, facts_from=open_hand.length - len(facts) + 1)
    try:
        if not one_statement.write(table, table_journal.rows_of(open_hand, facts, receipt, at=now, command_id=key)):
            return None
    except OperationalError:
        return None  # written or not: under the lock the command is looked for before it is played
    table_journal.keep(open_hand, open_hand.length)
    locking.note(table)
    table_signals.hand_moved.send_robust(sender=None, table_id=table.pk, hand_id=open_hand.pk, seq=receipt.seq)
    return receipt


def time_out(*, hand_id: int, expected_seq: int, now: datetime) -> bool:
    """Let the clock of the player to act play for them, if it has run out; True if it did. Locks the table.

    Waits until the room's heartbeat is newer than the deadline: else the room may be down, and nobody could act.
    """
    with transaction.atomic():
        table = locking.table_playing(hand_id)
        if table is None or table.seq != expected_seq or table.deadline is None or now < table.deadline:
            return False
        # The last beat is up to a `BEAT` old: one from just before the deadline has to do, else every clock waits for
        # the next. A player who loses so little of it in an outage gets more back.
        if not outages.was_there(table.deadline - outages.BEAT):
            locking.store(table, wake_at=now + outages.BEAT)
            return False
        open_hand = table_journal.load(hand_id, seq=table.seq)
        play(table, open_hand, TimeOut(table.to_act), now=now, is_missed=True)
        return True


def command_for(seat: int, action: str, amount: int | None) -> Command:
    """The engine's command for an action in words; a wager's `amount` is the seat's total for the street."""
    if action in _WAGERS:
        return Wager(seat, amount, _WAGERS[action])
    return _PLAIN[action](seat)


def _check(action: str, amount: int | None) -> None:
    if action not in ACTIONS:
        raise Invalid(
            "no-such-action", "There is no action {action!r}: {actions}.", action=action, actions=", ".join(ACTIONS)
        )
    if amount is not None and (type(amount) is not int or not 0 <= amount <= _MOST_CHIPS):
        raise Invalid("bad-amount", "An amount is a whole number of chips.")


def _is_late(table: Table, open_hand: OpenHand, seat: int, now: datetime) -> bool:
    """Whether the player's clock has run out: the clock decides, not the alarm, which may ring later. Not while the
    room is down and has still to give the time back. A bot's clock is for a bot that fails, see `house_bots`."""
    if table.to_act != seat or table.deadline is None or open_hand.sitters[seat].is_bot:
        return False
    return now >= table.deadline and not outages.is_away(now=now)


def _answer_after_the_end(hand_id: int, player: User, command_id: str) -> Receipt:
    """For a hand that is over: a repeated command still gets its first answer."""
    hand = _hand_row(hand_id)
    seat = next((seat for seat, sitter in table_journal.sitters(hand).items() if sitter.player == player.pk), None)
    if seat is None:
        raise _not_in_hand()
    # Its log of facts keeps the names of its commands.
    return _receipt_of_ended_hand(hand, command_name(seat, command_id))


def _not_in_hand() -> Forbidden:
    return Forbidden("not-in-hand", "You are not in this hand.")


def _moved_on(seq: int) -> Stale:
    return Stale("stale", "The hand has moved on: look again before you act.", seq=seq)


def deal(
    table: Table,
    seats: list[Seat],
    *,
    now: datetime,
    absent: Sequence[int] = (),
    by: User | None = None,
    start_key: str = "",
) -> OpenHand:
    """Deal the next hand to those who are ready, or begin it where a person deals. Call with the table locked.

    `absent`: seats dealt in without their player; `by`: the dealer who starts it, with their command id `start_key`.
    Raises the engine's `IllegalAction` where the rulebook lets no such hand begin; nothing is written then. Refuses:
    `NoKey` (the room has no key to seal the cards with).
    """
    seals.check_key()
    players = stacks.dealt_in(table, seats)
    numbers = _numbers(players)
    dealer = _next_dealer(table.dealer - table.is_redeal, numbers)
    absent = sorted({*absent, *stacks.absent(table, players)})
    taking = drops.NOTHING if table.event else drops.taking_of(table)
    engine = Engine.start(_config(table, players, dealer=dealer, absent=absent, drop=taking.terms))
    table.dealer, table.is_redeal = dealer, False
    table.hand_count += 1
    hand = Hand.objects.create(
        table=table,
        number=table.hand_count,
        seats={str(seat.number): _sitter(seat) for seat in players},
        rulebook=table.rulebook,
        funds=taking.funds,
        has_spectators=table.has_spectators,
        started_at=now,
        started_by=by,
        start_key=start_key,
    )
    table.hand, table.people_waiting = hand, 0
    _count_missed_hand(seats, absent if table.event else [n for n in _numbers(seats) if n not in numbers])
    clocks.wind_up(table, players, now=now)
    open_hand = table_journal.begin(hand, engine, at=now)
    follow(table, open_hand, now=now)
    table_signals.hand_moved.after_commit(table_id=table.pk, hand_id=hand.pk, seq=open_hand.length)
    return open_hand


def _config(
    table: Table, players: list[Seat], *, dealer: int, absent: Sequence[int], drop: DropTerms | None
) -> HandConfig:
    shuffle = shuffling.shuffle(table) if table.has_system_deck else None
    return HandConfig(
        rulebook=rulebook(table.rulebook),
        setting=table.setting,
        game=table.game,
        structure=table.structure,
        stakes=_stakes(table),
        stacks={seat.number: seat.account.balance for seat in players},
        dealer=dealer,
        absent=tuple(absent),
        players_left=table.players_left,
        warned=tuple(seat.number for seat in players if seat.is_warned),
        **vars(shuffle) if shuffle else {},
        is_hand_dealt=table.is_dealt_by_person,
        is_hand_shown=table.is_dealt_by_person and table.is_hand_shown,
        drop=drop,
        shows_beaten=tuple(seat.number for seat in players if look.look_of(seat.player)["muck"] == "show"),
    )


def _numbers(seats: Sequence[Seat]) -> list[int]:
    return [seat.number for seat in seats]


def _stakes(table: Table) -> Stakes:
    """The stakes of the next hand. Outside fixed limit `small_bet` is the smallest bet, and `big_bet` the largest of a
    spread."""
    forced = {"ante": table.ante, "bring_in": table.bring_in, "unit": table.smallest_chip}
    if table.structure == "fixed-limit":
        return Stakes(**forced, small_bet=table.small_bet, big_bet=table.big_bet)
    return Stakes(**forced, min_bet=table.small_bet, max_bet=table.big_bet)


def _count_missed_hand(seats: list[Seat], out: Sequence[int]) -> None:
    """Count this hand towards the penalties of players who are kept out of it, or absent; `out`: their seat numbers."""
    kept_out = [seat.pk for seat in seats if seat.misses_hands and seat.number in out]
    if kept_out:
        Seat.objects.filter(pk__in=kept_out).update(misses_hands=F("misses_hands") - 1)


def _next_dealer(dealer: int, numbers: list[int]) -> int:
    """The deal goes clockwise to the next player."""
    return next((number for number in numbers if number > dealer), numbers[0])


def _sitter(seat: Seat) -> dict:
    player = seat.player
    return {"player": player.pk, "name": player.username, "is_bot": player.is_bot, "account": seat.account_id}
