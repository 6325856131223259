"""What a seat costs: checks of chips that are brought to a table, and of how many tables a player sits at."""

from cardroom.models import User
from cardroom.services import ledger
from cardroom.services.errors import Conflict, Illegal, Invalid, NotEnoughChips
from games.models import Seat, Table
from games.services import stacks


def check_other_tables(table: Table, player: User) -> None:
    """Several tables at once online, as many as the game allows; in the room a person sits in one place."""
    others = Seat.objects.filter(player=player, table__event="").exclude(table=table)
    if table.is_physical:
        other = others.filter(table__is_physical=True).select_related("table").first()
        if other is not None:
            raise Conflict(
                f"{player} sits at {other.table.name}: move them, or let them leave there.", "sits-elsewhere"
            )
    elif table.offer is not None:
        most = table.offer.tables_per_player
        if others.filter(table__offer=table.offer_id).count() >= most:
            raise Illegal(
                f"{table.offer.name} is played at {most} {'table' if most == 1 else 'tables'} at once at most: leave "
                "one first.",
                "too-many-tables",
                rule="House rules: tables of a game per player",
            )


def check_buy_in(table: Table, amount: int, least: int, rule: str) -> None:
    """`least`: the table's own, or with `rule` what they left this game with a while ago: they may always bring it."""
    check_chips(amount)
    most = max(table.max_buy_in, least)
    if rule and amount < least:
        raise Illegal(
            f"You left this game a while ago with {least:,}: who comes back buys in with that at least.",
            "came-back-short",
            rule=rule,
            least=least,
            most=most,
        )
    if not least <= amount <= most:
        raise Invalid(
            f"The buy-in here is {least:,} to {most:,}, not {amount:,}.", "buy-in-range", least=least, most=most
        )


def check_top_up(table: Table, seat: Seat, amount: int) -> None:
    """Against the stack as the hand found it: what the hand brings is not known yet, and settled when it is over."""
    check_chips(amount)
    held = stacks.chips_of(seat, table)
    if not held:
        check_buy_in(table, amount, table.min_buy_in, "")
    if held + amount > table.max_buy_in:
        room = max(0, table.max_buy_in - held)
        raise Invalid(
            f"The most on this table is {table.max_buy_in:,}: you can add {room:,}." if room
            else f"You have the table's most of {table.max_buy_in:,} or more: nothing can be added.",
            "top-up-range",
            most=room,
        )  # fmt: skip


def check_chips(amount: int) -> None:
    """`Invalid` where it is no number of chips."""
    if type(amount) is not int or amount <= 0:
        raise Invalid("Chips are counted in whole numbers from 1.", "bad-amount")


def check_wallet(player: User, amount: int) -> None:
    held = ledger.wallet(player).balance
    if held < amount:
        raise NotEnoughChips(
            f"Not enough chips: the wallet holds {held:,} and this takes {amount:,}.", held=held, needed=amount
        )
