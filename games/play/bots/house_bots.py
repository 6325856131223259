"""The house's bots: how many sit at a table, and their turns.

A bot decides on a replay of the facts that its own seat may see, and acts through the same service as people. A bot
that fails to decide is left to its clock, so a faulty bot costs a pause and never the game.
"""

import random
import secrets
from collections.abc import Collection, Sequence
from datetime import datetime

import structlog
from django.db import transaction

from cardroom.accounts import people
from cardroom.core.errors import Refusal, Stale, Verbatim
from cardroom.core.models import User
from cardroom.core.once import command_name
from games.engine.commands import BringIn, Call, Check, Command, Fold, Wager
from games.engine.facts.base import Fact, redact
from games.play import hands
from games.play.bots import choosing
from games.play.bots.choosing import PERSONALITIES
from games.tables import holds, locking, stacks
from games.tables import journal as table_journal
from games.tables.models.tables import Seat, Table
from games.tables.words import BOT_STRENGTHS

log = structlog.get_logger(__name__)

_ANIMALS = [
    *("Otter", "Heron", "Badger", "Magpie", "Lynx", "Stoat", "Raven", "Marten", "Osprey", "Weasel", "Plover", "Falcon"),
    *("Hare", "Mole", "Newt", "Curlew", "Bison", "Ibex", "Tapir", "Civet", "Egret", "Finch", "Gecko", "Jackdaw"),
]
_SHADES = [
    *("Amber", "Ashen", "Azure", "Black", "Brown", "Coral", "Dusky", "Ebony", "Green", "Grey", "Hazel", "Ivory"),
    *("Olive", "Pale", "Red", "Rusty", "Sandy", "Silver", "Tawny", "Umber", "Violet", "White"),
]
_NAMES = [*_ANIMALS, *(f"{shade}-{animal}" for shade in _SHADES for animal in _ANIMALS)]
_WORDS = {Fold: "fold", Check: "check", Call: "call", BringIn: "bring-in", Wager: "raise"}


def keep(table: Table, seats: list[Seat], *, now: datetime) -> list[Seat]:
    """Between two hands: seat or remove bots until the table has as many as it should, and give them chips. Returns the
    seats after that.

    One seat stays free of bots for the next person.
    """
    at_table = [seat for seat in seats if seat.player.is_bot]
    wanted = max(0, min(table.bots, table.seat_count - 1 - (len(seats) - len(at_table))))
    if table.state != Table.State.OPEN:
        return seats
    for seat in at_table[wanted:]:
        stacks.cash_out(seat, table, now=now)
    for number in _free_numbers(table, seats, now=now)[: max(0, wanted - len(at_table))]:
        stacks.buy_in(table, player=_free_bot(table, number, now=now), number=number, amount=_usual(table), now=now)
    for seat in at_table[:wanted]:
        _refresh(seat, table, now=now)
    return seats if len(at_table) == wanted else stacks.seats_of(table)


def is_to_act(table: Table) -> bool:
    """Whether the hand waits for a bot that has not failed. The alarm of a bot that failed is at its deadline, or not
    set where there is none: then the dealer acts for it."""
    if table.hand_id is None or table.wake_at is None or not table.to_act:
        return False
    # Only a bot's turn has its alarm before the deadline.
    return table.deadline is None or table.wake_at < table.deadline


def move(table: Table, *, now: datetime) -> bool:
    """Let the bot whose turn it is act. `table`: read without a lock.

    False where the table has moved on meanwhile, or the bot failed.
    """
    sitter = table_journal.sitters(table.hand)[table.to_act]
    bot = User.objects.get(pk=sitter.player)
    try:
        command = _choose_command(table, bot, table_journal.facts(table.hand_id, upto=table.seq))
        hands.act(
            hand_id=table.hand_id,
            player=bot,
            action=_WORDS[type(command)],
            amount=command.to if isinstance(command, Wager) else None,
            expected_seq=table.seq,
            command_id=f"bot-{table.seq}",
            now=now,
        )
    except Stale:
        return False
    except Refusal as error:
        _leave_to_clock(table, fault=error.code)
        return False
    return True


def are_alone(table: Table) -> bool:
    """Whether only bots are in the hand being played."""
    return all(sitter.is_bot for sitter in table_journal.sitters(table.hand).values())


@transaction.atomic
def play_on(table_id: int, *, version: int, turns: int, now: datetime) -> bool:
    """Let bots play `turns` turns in a row, at most to the end of the hand, at a table that nobody watches; True if any
    acted.

    All these turns are one transaction, with one signal. Locks the table.
    """
    table = locking.table(table_id)
    if table.version != version or table.hand_id is None:
        return False
    open_hand = table_journal.load(table.hand_id, seq=table.seq)
    everybody = User.objects.in_bulk([sitter.player for sitter in open_hand.sitters.values()])
    before = table.seq
    for _ in range(turns):
        if not is_to_act(table):
            break
        bot = everybody[open_hand.sitters[table.to_act].player]
        try:
            command = _choose_command(table, bot, open_hand.engine.facts)
            # The hand's log of facts keeps the name: a bot acts once at each fact.
            hands.play(table, open_hand, command, now=now, command_id=command_name(table.to_act, f"bot-{table.seq}"))
        except Refusal as error:
            _log_failure(table, fault=error.code)
            locking.store(table, wake_at=table.deadline)
            break
    return table.seq != before


def _choose_command(table: Table, bot: User, facts: Sequence[Fact]) -> Command:
    view = table_journal.engine_of([redact(fact, table.to_act) for fact in facts])
    try:
        return choosing.choose(hand=view, seat=table.to_act, personality=bot.personality, rng=_chance())
    except Exception as error:
        # Neither its message nor its traceback: they may reveal the bot's cards.
        raise Refusal(f"bot-failed-{type(error).__name__}", Verbatim("The bot failed.")) from None


def _chance() -> random.Random:
    """A new generator for every decision, so that a bot cannot be predicted from its past."""
    return random.Random(secrets.randbits(64))


def _log_failure(table: Table, *, fault: str) -> None:
    log.error("house bot failed", table=table.pk, hand=table.hand_id, seq=table.seq, seat=table.to_act, fault=fault)


def _leave_to_clock(table: Table, *, fault: str) -> None:
    _log_failure(table, fault=fault)
    with transaction.atomic():
        locked = locking.table(table.pk)
        if locked.version == table.version:
            locking.store(locked, wake_at=locked.deadline)


def _refresh(seat: Seat, table: Table, *, now: datetime) -> None:
    """Bring a bot back that sits out, and add chips before it is down to a few bets."""
    if seat.account.balance < table.min_buy_in // 2:
        stacks.add(seat, table, amount=_usual(table) - seat.account.balance, now=now)
    if seat.state != Seat.State.PLAYING:
        seat.state, seat.out_since, seat.missed_clocks = Seat.State.PLAYING, None, 0
        seat.save(update_fields=["state", "out_since", "missed_clocks"])


def _usual(table: Table) -> int:
    """The stack that a bot buys in with and adds up to."""
    return (table.min_buy_in + table.max_buy_in) // 2


def recruit(count: int, *, busy: Collection[int] = (), now: datetime) -> list[User]:
    """`count` bots without a seat that are not among `busy` (ids), created where there are too few.

    Waits for other transactions that recruit bots.
    """
    people.lock_player_making()
    idle = User.objects.filter(is_bot=True, is_active=True, seats=None).exclude(pk__in=busy)
    bots = list(idle.order_by("pk")[:count])
    personalities = list(PERSONALITIES)
    created = [
        people.make_bot(name=_new_name(), personality=personalities[number % len(personalities)], now=now)
        for number in range(count - len(bots))
    ]
    return bots + created


def _free_numbers(table: Table, seats: list[Seat], *, now: datetime) -> list[int]:
    """Seats that are neither taken nor held."""
    taken = {seat.number for seat in seats} | {held.number for held in holds.in_force(table, now=now)}
    return [number for number in range(1, table.seat_count + 1) if number not in taken]


def _free_bot(table: Table, number: int, *, now: datetime) -> User:
    """A bot without a seat, created where there is none; the personalities of the table's strength alternate around the
    table."""
    personalities = [key for key, strength in BOT_STRENGTHS.items() if table.bot_strength in ("", strength)]
    personality = personalities[number % len(personalities)]
    idle = User.objects.filter(is_bot=True, is_active=True, personality=personality, seats=None)
    bot = idle.select_for_update(no_key=True, of=("self",), skip_locked=True).order_by("pk").first()
    if bot is not None:
        return bot
    people.lock_player_making()
    return people.make_bot(name=_new_name(), personality=personality, now=now)


def _new_name() -> str:
    taken = set(User.objects.filter(username__in=_NAMES).values_list("username", flat=True))
    for names in (_ANIMALS, _NAMES):
        if free := [name for name in names if name not in taken]:
            return random.choice(free)
    return f"{random.choice(_ANIMALS)}-{secrets.token_hex(3)}"
