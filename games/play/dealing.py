"""The deal: the deck is shuffled, and a new hand begins for those who are ready.

The shuffled deck is data to the engine, and is kept in the journal for a server that is killed.
"""

import secrets
from collections.abc import Sequence
from datetime import datetime

from django.db.models import F

from cardroom.core.models import User
from games.engine.cards import DECK
from games.engine.drop import DropTerms
from games.engine.facts.base import Fact
from games.engine.hand import Hand as Engine
from games.engine.stakes import HandConfig, Stakes
from games.play import clocks, hands
from games.rake import drops
from games.rulebooks.queries import load as rulebook
from games.tables import journal as table_journal
from games.tables import lineup
from games.tables import signals as table_signals
from games.tables.journal import OpenHand
from games.tables.models.tables import Hand, Seat, Table

# The deck


_chance = secrets.SystemRandom()


def shuffled() -> tuple[str, ...]:
    """The 52 cards shuffled by the operating system's random source, top card first."""
    cards = list(DECK)
    _chance.shuffle(cards)
    return tuple(cards)


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

    `absent`: seats dealt in without their player; `by`: the dealer who starts it, under their own word `start_key`.
    Raises the engine's `IllegalAction` where the rulebook lets no such hand begin; nothing is written then.
    """
    players = lineup.dealt_in(table, seats)
    numbers = _numbers(players)
    dealer = _next_dealer(table.dealer - table.is_redeal, numbers)
    absent = sorted({*absent, *lineup.absent(table, players)})
    taking = drops.taking_of(table)
    engine = Engine.start(_config(table, players, dealer=dealer, absent=absent, drop=taking.terms))
    table.dealer, table.is_redeal = dealer, False
    table.hand_count += 1
    hand = Hand.objects.create(
        table=table,
        number=table.hand_count,
        seats={str(seat.number): _sitter(seat) for seat in players},
        rulebook=table.rulebook,
        funds=taking.funds,
        started_at=now,
        started_by=by,
        start_key=start_key,
    )
    table.hand, table.people_waiting = hand, 0
    _count_missed_hand(seats, absent if table.event else [n for n in _numbers(seats) if n not in numbers])
    clocks.wind_up(table, players, now=now)
    open_hand = table_journal.begin(hand, engine, at=now)
    hands.follow(table, open_hand, now=now)
    table_signals.hand_moved.after_commit(table_id=table.pk, hand_id=hand.pk, seq=open_hand.length)
    return open_hand


def opening_of(facts: Sequence[Fact]) -> int:
    """How many facts a hand began with, before its first card."""
    return sum(fact.kind in ("hand-started", "deck-shuffled", "antes-posted") for fact in facts[:3])


def _config(
    table: Table, players: list[Seat], *, dealer: int, absent: Sequence[int], drop: DropTerms | None
) -> HandConfig:
    has_deck = not (table.is_dealt_by_person and table.deck == Table.Deck.TYPED)
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
        deck=shuffled() if has_deck else None,
        scramble=shuffled() if has_deck else None,
        is_hand_dealt=table.is_dealt_by_person,
        is_hand_shown=table.is_dealt_by_person and table.is_hand_shown,
        drop=drop,
    )


def _numbers(seats: Sequence[Seat]) -> list[int]:
    return [seat.number for seat in seats]


def _stakes(table: Table) -> Stakes:
    """Beside fixed limit the small bet is the least one, and the big bet the most of a spread."""
    forced = {"ante": table.ante, "bring_in": table.bring_in, "unit": table.smallest_chip}
    if table.structure == "fixed-limit":
        return Stakes(**forced, small_bet=table.small_bet, big_bet=table.big_bet)
    return Stakes(**forced, min_bet=table.small_bet, max_bet=table.big_bet)


def _count_missed_hand(seats: list[Seat], out: Sequence[int]) -> None:
    """This is one of the hands that a penalty keeps somebody out of, or absent from; `out`: who is."""
    kept_out = [seat.pk for seat in seats if seat.misses_hands and seat.number in out]
    if kept_out:
        Seat.objects.filter(pk__in=kept_out).update(misses_hands=F("misses_hands") - 1)


def _next_dealer(dealer: int, numbers: list[int]) -> int:
    """The deal goes clockwise to the next player."""
    return next((number for number in numbers if number > dealer), numbers[0])


def _sitter(seat: Seat) -> dict:
    player = seat.player
    return {"player": player.pk, "name": player.username, "is_bot": player.is_bot, "account": seat.account_id}
