"""Proof that the days that were added up are what hands, stays and ledger say, and that dealers are where they are."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

from django.db.models import Sum

from cardroom.core import audit as core_audit
from cardroom.core.room_time import begins
from games.dealers.models import Down
from games.reports import facts
from games.reports.facts import IncomeSource
from games.reports.gaming_days import added_up
from games.reports.models import DayBook, DayIncome, DayPlayer
from games.tables.models.tables import Table

#: So many of the newest days are added up again from hands, visits and ledger; older ones from the ledger alone.
_NEWEST = 31


def days_are_the_ledgers() -> Iterator[str]:
    """Each day's sums equal its ledger entries."""
    for row in added_up().order_by("-day").iterator():
        now = facts.movements(begins(row.day), begins(row.day + timedelta(days=1)))
        stored = {
            facts.MovementKind(*line): facts.MovementSums(amount, entries)
            for *line, amount, entries in DayBook.objects.filter(day=row.day).values_list(
                *facts.MovementKind._fields, "amount", "entries"
            )
        }
        if stored != now:
            yield f"{row.day}: what was added up is not what the ledger has; `manage.py add_up --again {row.day}`"


def days_are_what_happened() -> Iterator[str]:
    """Takings and results of the newest days agree with hands and ledger."""
    for row in added_up().order_by("-day")[:_NEWEST]:
        span = begins(row.day), begins(row.day + timedelta(days=1))
        stored: dict[Any, Any] = {
            IncomeSource(*(number or 0 for number in row_values[:4])): facts.Income(*row_values[4:])
            for row_values in DayIncome.objects.filter(day=row.day).values_list(*IncomeSource._fields, *facts.FIELDS)
        }
        # Not the seconds played: a stay that was open then may have got its exact end since.
        if _money(stored) != _money(facts.income(*span)):
            yield f"{row.day}: what tables took is not what hands and ledger say"
        players = {
            row_values[0]: facts.PlayersDay(*row_values[1:])
            for row_values in DayPlayer.objects.filter(day=row.day).values_list("player", *facts.PLAYER_FIELDS)
        }
        if _results(players) != _results(facts.players(*span)):
            yield f"{row.day}: what players won is not what hands and ledger say"


def _money(incomes: dict[Any, Any]) -> dict[Any, tuple[int, ...]]:
    amounts = {
        source: (sums.rake, sums.time, sums.promo, sums.jackpot, sums.comps, sums.hands)
        for source, sums in incomes.items()
    }
    return {source: amount for source, amount in amounts.items() if any(amount)}


def _results(players: dict[int, facts.PlayersDay]) -> dict[int, int]:
    return {player: sums.result for player, sums in players.items() if sums.result}


def books_balance() -> Iterator[str]:
    """The sums of all days balance in every unit."""
    for unit, amount in DayBook.objects.order_by().values_list("unit").annotate(chips=Sum("amount")):
        if amount:
            yield f"the days that were added up are off by {amount:+,} {unit}"


def dealers_are_where_they_deal() -> Iterator[str]:
    """Each table names the dealer with an open down there, and no other."""
    downs = dict(Down.objects.filter(until=None, table__isnull=False).values_list("table", "dealer"))
    for table, dealer in Table.objects.exclude(dealer_on=None).order_by("pk").values_list("pk", "dealer_on"):
        if downs.pop(table, None) != dealer:
            yield f"table {table} says that {dealer} deals there, and they have no down there"
    for table in sorted(downs):
        yield f"dealer {downs[table]} has a down at table {table}, which does not know of them"


CHECKS: dict[str, Callable[[], Iterator[str]]] = {
    "days are the ledger's": days_are_the_ledgers,
    "days are what happened": days_are_what_happened,
    "days balance": books_balance,
    "dealers are where they deal": dealers_are_where_they_deal,
}
core_audit.register_all(CHECKS)
