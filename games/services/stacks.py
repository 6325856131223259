"""Chips between wallets and stacks: buying in, adding chips, cashing out. Each is one transfer and one `SeatMove`.

A bot's chips come from the house and go back there. Call with the table locked.
"""

from collections.abc import Iterable
from datetime import datetime

from cardroom.models import Account, User
from cardroom.services import ledger
from cardroom.services.people import PLAY_MONEY
from games.models import Seat, SeatMove, Table


def hold(players: Iterable[User], *, and_house: bool = False) -> None:
    """Before chips of several players are moved: lock where they go to and come from, in the order of the accounts.

    A wallet serves several tables, so two tables that settle at once must not take two wallets in different orders. The
    stacks need no such care: nobody but their own table moves them.
    """
    people = {player.pk: player for player in players}
    wallets = [player for player in people.values() if not player.is_bot]
    needs_house = and_house or len(wallets) < len(people)
    if len(wallets) + needs_house > 1:
        purses = [ledger.wallet(player).pk for player in wallets] + ([_house().pk] if needs_house else [])
        list(Account.objects.select_for_update(no_key=True).filter(pk__in=purses).order_by("pk").values_list("pk"))


def wallet_now(player: User) -> int:
    """What is in a player's wallet; nobody can take it away before the transaction ends."""
    return Account.objects.select_for_update(no_key=True).get(pk=ledger.wallet(player).pk).balance


def note(
    table: Table, *, player: User, number: int, kind: SeatMove.Kind, now: datetime, amount: int = 0, key: str = ""
) -> SeatMove:
    """Write down what somebody did with a seat."""
    return SeatMove.objects.create(table=table, player=player, number=number, kind=kind, amount=amount, key=key, at=now)


def buy_in(table: Table, *, player: User, number: int, amount: int, now: datetime, key: str = "") -> SeatMove:
    """Take a free seat with a stack from the player's wallet. `NotEnoughChips` where it holds less."""
    label = f"table:{table.pk}:seat:{number}"
    account = ledger.open_account(kind=Account.Kind.STACK, owner=player, label=label)
    move = note(table, player=player, number=number, kind=SeatMove.Kind.SAT, amount=amount, now=now, key=key)
    _post(move, "buy-in", f"buy-in at {table.name}", source=_purse(player), target=account, now=now)
    Seat.objects.create(
        table=table,
        number=number,
        player=player,
        account=account,
        time_bank_ms=table.time_bank_seconds * 1000,
        sat_at=now,
    )
    return move


def add(seat: Seat, table: Table, *, amount: int, now: datetime, key: str = "") -> SeatMove:
    """Add chips from the player's wallet to his stack."""
    kind = SeatMove.Kind.TOPPED_UP
    move = note(table, player=seat.player, number=seat.number, kind=kind, amount=amount, now=now, key=key)
    _post(move, "top-up", f"chips added at {table.name}", source=_purse(seat.player), target=seat.account, now=now)
    seat.account.balance += amount  # as the database has it now
    return move


def cash_out(seat: Seat, table: Table, *, now: datetime, key: str = "") -> SeatMove:
    """Give the seat up; its stack goes to the player's wallet."""
    held = seat.account.balance
    move = note(table, player=seat.player, number=seat.number, kind=SeatMove.Kind.LEFT, amount=held, now=now, key=key)
    seat.delete()
    if held:
        _post(move, "cash-out", f"cashed out at {table.name}", source=seat.account, target=_purse(seat.player), now=now)
    return move


def _purse(player: User) -> Account:
    return _house() if player.is_bot else ledger.wallet(player)


def _house() -> Account:
    return ledger.open_account(kind=Account.Kind.HOUSE, label=PLAY_MONEY)


def _post(move: SeatMove, noun: str, reason: str, *, source: Account, target: Account, now: datetime) -> None:
    ledger.post(
        reference=f"{noun}:{move.pk}",
        reason=reason,
        legs=[(source, -move.amount), (target, move.amount)],
        at=now,
        by=move.player,
    )
