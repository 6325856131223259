"""What must hold of the books when an evening of cash games is over: ledger, rows, statements and reports agree."""

from __future__ import annotations

from django.db.models import Q, Sum

from games.rake.models.drops import HandDrop, JackpotHit
from games.rake.models.times import CompAccrual, TimeCharge
from games.tables.models.times import Stay
from tests.support.cash_evening import CashEvening
from tests.support.models import Account, DrawerSession, ListEntry, SeatHold, Slip, StaffAction, Table, User
from tests.support.parts.cardroom import core_audit, ledger
from tests.support.parts.games import cage, jackpot_chips, statement_lines, statements, takings


def the_books_agree(room: CashEvening) -> None:
    assert core_audit.check() == []
    assert not Account.objects.filter(kind="stack").exclude(balance=0).exists()
    assert not SeatHold.objects.exists()
    assert not ListEntry.objects.filter(state__in=("called", "coming")).exists()
    drops_are_what_the_tables_brought(room)
    time_is_what_the_tables_brought(room)
    slips_are_what_the_drawers_moved(room)
    statements_end_with_the_wallets(room)
    reports_of_the_shift_are_the_ledgers(room)
    assert StaffAction.objects.filter(by=room.flo).count() > 20
    assert len(User.objects.filter(hand_results__isnull=False).distinct()) >= 20
    assert ListEntry.objects.values("player").distinct().count() >= 30, "who got in by a list, of forty"
    assert User.objects.filter(Q(seat_moves__isnull=False) | Q(list_entries__isnull=False)).distinct().count() >= 40


def drops_are_what_the_tables_brought(room: CashEvening) -> None:
    for table in Table.objects.filter(offer=room.main_game):
        told = HandDrop.objects.filter(table=table).aggregate(rake=Sum("rake"), promo=Sum("promo"))
        assert room.house(f"rake:table:{table.pk}") == (told["rake"] or 0) > 0
        assert room.house(f"promo:table:{table.pk}") == (told["promo"] or 0)
    dropped = HandDrop.objects.aggregate(all=Sum("jackpot"), backup=Sum("backup"))
    hit = JackpotHit.objects.get()
    pools = ledger.balance(jackpot_chips.pool(room.jackpot.pk)) + ledger.balance(jackpot_chips.backup(room.jackpot.pk))
    assert pools == dropped["all"] - room.house("promotions") - hit.amount


def time_is_what_the_tables_brought(room: CashEvening) -> None:
    for table in room.timed:
        told = TimeCharge.objects.filter(table=table).aggregate(paid=Sum("paid"))["paid"] or 0
        assert room.house(f"time:table:{table.pk}") + room.house(f"promo:table:{table.pk}") == told > 0
    earned = CompAccrual.objects.aggregate(points=Sum("points"))["points"]
    given = Account.objects.filter(kind="wallet", unit="comp").aggregate(points=Sum("balance"))["points"]
    assert given == earned + 50 - 20 > 30
    for stay in Stay.objects.filter(table__is_physical=False, comps__isnull=False).distinct():
        assert stay.comps.order_by("-pk")[0].until == stay.left_at


def slips_are_what_the_drawers_moved(room: CashEvening) -> None:
    kinds = Slip.Kind
    for session in DrawerSession.objects.all():
        slips = Slip.objects.filter(session=session)
        money = {kind: slips.filter(kind=kind).aggregate(sum=Sum("amount"))["sum"] or 0 for kind in kinds.values}
        into = money[kinds.DEPOSIT] + money[kinds.BUY_IN] + money[kinds.FILL]
        out = money[kinds.WITHDRAWAL] + money[kinds.CASH_OUT]
        back = sum(slip.reverses.amount for slip in slips.filter(kind=kinds.REVERSAL))
        assert into - out - back == session.expected
    assert room.house("chips") == room.house("street", unit="money") + room.house("credit")


def statements_end_with_the_wallets(room: CashEvening) -> None:
    """Line by line, what each player's statement says adds up to what they have."""
    for player in User.objects.filter(seat_moves__isnull=False).distinct():
        lines = list(statements.all_lines(statement_lines.StatementRequest(player), most=10_000))
        moved = [line for line in lines if line.balance is not None]
        assert sum(line.wallet for line in moved) == room.wallet(player) == (moved[0].balance if moved else 0)


def reports_of_the_shift_are_the_ledgers(room: CashEvening) -> None:
    span = {"since": room.shift.opened_at, "until": room.shift.closed_at}
    [total] = [row.sums for row in takings.report(by="shift", now=room.now, **span).rows]
    for part in ("rake", "time", "promo"):
        taken = Account.objects.filter(kind="house", label__startswith=f"{part}:table:")
        assert getattr(total, part) == taken.aggregate(sum=Sum("balance"))["sum"]
    assert total.jackpot == HandDrop.objects.aggregate(chips=Sum("jackpot"))["chips"]
    by_table = takings.report(by="table", now=room.now, **span)
    assert by_table.total == total
    for row in by_table.rows:
        assert row.sums.rake == room.house(f"rake:table:{row.key}")
        assert row.sums.time == room.house(f"time:table:{row.key}")
    money = {row.key: row.net for row in cage.slips(**span) if row.unit == "cash"}
    came = money["deposit"] + money["buy-in"] - money["withdrawal"] - money["cash-out"]
    assert -room.house("street", unit="money") == came
    assert [owed[1:] for owed in cage.outstanding()] == [("ned", 3_600)]
    counts = {row.name: row.net for row in cage.slips(**span, by="cashier") if "over" in row.name}
    assert counts == {"cay: over or short": -20, "cal: over or short": -900}
