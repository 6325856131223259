"""The deal: a new hand for those who are ready."""

from datetime import datetime

from games import journal, signals
from games.engine.hand import Hand as Engine
from games.engine.stakes import HandConfig, Stakes
from games.models import Hand, Seat, Table
from games.rulebooks import load as rulebook
from games.services import clocks, deck, lineup, playing


def deal(table: Table, seats: list[Seat], *, now: datetime) -> None:
    """Deal the next hand to those who are ready. Call with the table locked, where `lineup.is_dealable`."""
    players = lineup.ready(seats)
    table.dealer = _next_dealer(table.dealer, [seat.number for seat in players])
    engine = Engine.start(
        HandConfig(
            rulebook=rulebook(table.rulebook),
            setting=table.setting,
            game=table.game,
            structure=table.structure,
            stakes=Stakes(ante=table.ante, bring_in=table.bring_in, small_bet=table.small_bet, big_bet=table.big_bet),
            stacks={seat.number: seat.account.balance for seat in players},
            dealer=table.dealer,
            deck=deck.shuffled(),
            scramble=deck.shuffled(),
        )
    )
    table.hand_count += 1
    hand = Hand.objects.create(
        table=table,
        number=table.hand_count,
        seats={str(seat.number): _sitter(seat) for seat in players},
        rulebook=table.rulebook,
        started_at=now,
    )
    table.hand, table.people_waiting = hand, 0
    clocks.wind_up(table, players)
    open_hand = journal.begin(hand, engine, at=now)
    playing.follow(table, open_hand, now=now)
    signals.after_commit(signals.hand_moved, table_id=table.pk, hand_id=hand.pk, seq=open_hand.length)


def _next_dealer(dealer: int, numbers: list[int]) -> int:
    """The deal goes clockwise to the next player."""
    return next((number for number in numbers if number > dealer), numbers[0])


def _sitter(seat: Seat) -> dict:
    player = seat.player
    return {"player": player.pk, "name": player.username, "is_bot": player.is_bot, "account": seat.account_id}
