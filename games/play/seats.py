"""Players at a table: sit down, add chips, sit out, come back, leave; and staff doing the same for a player.

Each verb locks the table. `NotFound` where there is no such table, or the player has no seat at it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext, gettext_lazy, ngettext

from cardroom.accounts import bans, look, visits, welcome
from cardroom.core import audit_log, topics
from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Conflict, Illegal, Invalid, NotEnoughChips, NotFound, Verbatim
from cardroom.core.models import User
from cardroom.core.sentences import StoredText, filled
from cardroom.core.verb import lock, verb
from cardroom.ledger import ledger, limits
from games.engine.commands import Leave, Return
from games.engine.games import MOST_SEATS
from games.play import hands, private, settling
from games.rake import time_charges, unpaid_time
from games.rulebooks.queries import load as rulebook
from games.rulebooks.words import cited
from games.tables import holds, hosts, locking, stacks
from games.tables import journal as table_journal
from games.tables.models.offers import TableUse
from games.tables.models.tables import Seat, SeatMove, Table


def check_other_tables(table: Table, player: User) -> None:
    """`Illegal` where a player sits at as many tables online as the game allows, `Conflict` where they sit in the room
    already."""
    others = Seat.objects.filter(player=player, table__event="").exclude(table=table)
    if table.is_physical:
        other = others.filter(table__is_physical=True).select_related("table").first()
        if other is not None:
            raise Conflict(
                "sits-elsewhere",
                "{player} sits at {table}: move them, or have them leave there.",
                player=player,
                table=other.table.name,
            )
    elif table.offer is not None:
        most = table.offer.tables_per_player
        if others.filter(table__offer=table.offer_id).count() >= most:
            raise Illegal(
                "too-many-tables",
                Verbatim(
                    ngettext(
                        "{offer} is played at {most} table at once: leave one first.",
                        "{offer} is played at {most} tables at once: leave one first.",
                        most,
                    ).format(offer=table.offer.name, most=most)
                ),
                rule=gettext_lazy("House rules: tables of a game per player"),
            )


def check_buy_in(table: Table, amount: int, least: int, rule: str) -> None:
    """`Illegal` where the buy-in is out of range. `least`: the table's minimum, or with `rule` the chips they left this
    game with a while ago, which they may bring even above the maximum."""
    check_chips(amount)
    most = max(table.max_buy_in, least)
    if rule and amount < least:
        raise Illegal(
            "came-back-short",
            "You left this game a while ago with {least:,}: buy in again with at least that amount.",
            rule=rule,
            least=least,
            most=most,
        )
    if not least <= amount <= most:
        raise Illegal(
            "buy-in-range",
            "The buy-in here is {least:,} to {most:,}, not {amount:,}.",
            rule=gettext_lazy("House rules: the buy-in of a table"),
            least=least,
            most=most,
            amount=amount,
        )


def check_top_up(table: Table, seat: Seat, amount: int) -> None:
    """`Invalid` where the table does not allow the top-up. Checked against the stack before the hand: its result is not
    known yet, and settled when it is over."""
    check_chips(amount)
    held = stacks.chips_of(seat, table)
    if not held:
        check_buy_in(table, amount, table.min_buy_in, "")
    if held + amount > table.max_buy_in:
        room = max(0, table.max_buy_in - held)
        message = (
            gettext("The most on this table is {most:,}: you can add {room:,}.")
            if room
            else gettext("You have the table's most of {most:,} or more: nothing can be added.")
        )
        raise Invalid("top-up-range", Verbatim(filled(message, most=table.max_buy_in, room=room)), most=room)


def check_chips(amount: int) -> None:
    """`Invalid` where it is no number of chips."""
    if type(amount) is not int or amount <= 0:
        raise Invalid("bad-amount", "Chips are counted in whole numbers from 1.")


def check_wallet(player: User, amount: int) -> None:
    held = ledger.wallet(player).balance
    if held < amount:
        raise NotEnoughChips(
            "not-enough-chips",
            "Not enough chips: the wallet holds {held:,} and this takes {amount:,}.",
            held=held,
            amount=amount,
            needed=amount,
        )


#: For how long winnings must come back to the game, at a table of no game on offer.
_USUAL_MINUTES = 60
_GONE = (SeatMove.Kind.LEFT, SeatMove.Kind.PICKED_UP)
#: The source of the rule; no rulebook of stud has one.
_OF_COMING_BACK = "Robert's Rules of Poker v11, 2 House Policies, Procedures 7"


def least_buy_in(table: Table, player: User, now: datetime) -> tuple[int, str]:
    """The minimum buy-in of `player` here, and its rule: "" where it is the table's own minimum.

    A player who left the same game within the offer's `rathole_minutes` comes back with at least what they left with,
    even above the table's maximum. The same game is the offer that the table had when they left it; where a table has
    none, the same game at the same stakes. A private table without an offer is a game of its own. A player who was
    moved has not left.
    """
    minutes = table.offer.rathole_minutes if table.offer is not None else _USUAL_MINUTES
    if not minutes or player.is_bot or table.event:
        return table.min_buy_in, ""
    moves = _in_the_same_game(table).filter(player=player, at__gt=now - timedelta(minutes=minutes))
    left = 0
    for kind, amount in moves.filter(kind__in=[SeatMove.Kind.SAT, *_GONE]).order_by("pk").values_list("kind", "amount"):
        # They brought back what they left with when they sat down again.
        left = 0 if kind == SeatMove.Kind.SAT else max(left, amount)
    if left <= table.min_buy_in:
        return table.min_buy_in, ""
    rule = ngettext("{book}; here within {n} minute", "{book}; here within {n} minutes", minutes)
    book = cited(f"{rulebook(table.rulebook).title} (silent; played as {_OF_COMING_BACK})")
    return left, rule.format(book=book, n=minutes)


@dataclass(frozen=True)
class BuyInRange:
    """What a player may sit down with at a table: chips from `least` to `most`; `rule`: why `least` is not the table's
    own minimum, "" where it is; `last`: their last buy-in in this game."""

    least: int
    most: int
    rule: str
    last: int | None


def buy_in(*, table_id: int, player: User, now: datetime) -> BuyInRange:
    """The buy-ins that `sit` would take from this player. `NotFound`: no such table."""
    table = Table.objects.select_related("offer").filter(pk=table_id).first()
    if table is None:
        raise NotFound("no-such-table", "There is no such table.")
    least, rule = least_buy_in(table, player, now)
    sat = _in_the_same_game(table).filter(player=player, kind=SeatMove.Kind.SAT).order_by("pk").last()
    return BuyInRange(least, max(table.max_buy_in, least), rule, sat.amount if sat else None)


def _in_the_same_game(table: Table) -> QuerySet[SeatMove]:
    """The moves at tables that had this game at the time: a table of the room has another game every evening."""
    uses = TableUse.objects.filter(table=OuterRef("table"), since__lte=OuterRef("at")).order_by("-since", "-pk")
    moves = SeatMove.objects.annotate(is_noted=Exists(uses), offer_then=Subquery(uses.values("offer")[:1]))
    of_offer = Q(is_noted=True, offer_then=table.offer_id) | Q(is_noted=False, table__offer=table.offer_id)
    if table.offer_id is not None:
        return moves.filter(of_offer)
    if table.is_private:
        return moves.filter(table=table)
    game_fields = {
        name: getattr(table, name) for name in ("game", "structure", "ante", "bring_in", "small_bet", "big_bet")
    }
    return moves.filter(
        of_offer,
        table__event="",
        table__is_private=False,
        **{f"table__{name}": value for name, value in game_fields.items()},
    )


SeatNumber = Annotated[
    int | None,
    Limits(called="seat", allow_null=True, min_value=1, max_value=MOST_SEATS, help_text="None: the first free one."),
]
BuyInChips = Annotated[
    int, Limits(min_value=1, max_value=10**12, help_text="Out of your wallet, within the table's range.")
]
TopUpChips = Annotated[
    int, Limits(min_value=1, max_value=10**12, help_text="Out of your wallet. During a hand they come when it is over.")
]
#: Between a change at a table without a hand and the deal it makes possible.
_SOON = timedelta(seconds=1)
_NOT_OPEN = {
    Table.State.FREE: gettext_lazy("Nothing is played at this table now."),
    Table.State.BREAKING: gettext_lazy("This table is breaking: choose another table."),
    Table.State.CLOSING: gettext_lazy("This table is closed when this hand is over."),
    Table.State.CLOSED: gettext_lazy("This table is closed."),
}


@verb("seats.sit")
def sit(*, table_id: RowId, number: SeatNumber = None, buy_in: BuyInChips, by: User) -> SeatMove:
    """Sit down in a free seat with `buy_in` chips from the wallet.

    `number` None: the seat held for them, or the first free one. Refuses: `Conflict` (the seat is taken or held, the
    table is full, already seated), `Invalid` (no such seat, a buy-in outside the table's range), `NotEnoughChips`,
    `Forbidden` (banned), `Illegal` (the table takes nobody, it is in the room, too many tables of this game, less than
    they left with a while ago).
    """
    table, now = lock(locking.table, table_id)
    _check_dealt_here(table)
    move = take_seat(table, by, number, buy_in, now=now)
    if look.look_of(by)["sit"] == "wait":
        # Stud has nothing to post: they choose only whether they are dealt in, and pay the ante, at once.
        seat = _seat(table, by)
        settling.sit_out(seat, table, now=now)
        seat.save(update_fields=["state", "out_since", "missed_clocks"])
    store_changed(table, now=now)
    return move


def check_may_take(
    table: Table, player: User, number: int | None, buy_in: int, *, now: datetime, is_staff: bool = False
) -> int:
    """The number of the seat that `take_seat` would give them, if they have the chips; refuses as it does. Call with
    table and player locked."""
    _check_anybody_sits(table)
    if table.state != Table.State.OPEN:
        raise Illegal("table-closed", Verbatim(str(_NOT_OPEN[table.state])))
    bans.check_may_play(player=player, now=now, where="room" if table.is_physical else "online")
    private.check_not_looking(table, player, now=now)
    if table.seats.filter(player=player).exists():
        message = gettext("You sit at this table already.")
        if is_staff:
            message = gettext("{player} sits at this table already.").format(player=player)
        raise Conflict("already-seated", Verbatim(message))
    promised: frozenset[int] = frozenset()
    if not is_staff:
        private.check_may_sit(table, player)
        promised = hosts.host_of(table).seats_promised(table, player, number, now=now)
    check_other_tables(table, player)
    unpaid_time.check_may_return(table, player)
    place = holds.free_number(table, number, player=player, now=now, is_staff=is_staff, excluding=promised)
    check_buy_in(table, buy_in, *least_buy_in(table, player, now))
    limits.check(player=player, kind="buy-in", amount=buy_in, now=now)
    return place


def take_seat(
    table: Table,
    player: User,
    number: int | None,
    buy_in: int,
    *,
    now: datetime,
    by: User | None = None,
    is_staff: bool = False,
) -> SeatMove:
    """Put a player into a free seat, after every check. Call with the table locked, and `store_changed` after it."""
    stacks.lock_player(player)
    welcome.at_first_seat(player, now=now)
    place = check_may_take(table, player, number, buy_in, now=now, is_staff=is_staff)
    move = stacks.buy_in(table, player=player, number=place, amount=buy_in, now=now, by=by)
    holds.drop_own(table, player)
    time_charges.catch_up(table, player, now=now)
    if table.is_physical:
        visits.note_seated(player=player, by=by, now=now)
    return move


@verb("seats.top_up")
def top_up(*, table_id: RowId, amount: TopUpChips, by: User) -> SeatMove:
    """Add chips from the wallet, up to the table's maximum; during a hand they are added when it is over.

    Of several requests during one hand the last amount counts. A player without chips is dealt in again. Refuses:
    `Invalid` (not a whole number of chips, or more than the table's most), `NotEnoughChips`.
    """
    table, now = lock(locking.table, table_id)
    _check_anybody_sits(table)
    _check_dealt_here(table)
    seat = _seat(table, by)
    if seat.state in (Seat.State.LEAVING, Seat.State.REMOVED):
        raise Conflict("leaving", "You leave after this hand: choose Come back first.")
    check_top_up(table, seat, amount)
    stacks.lock_player(by)
    limits.check(player=by, kind="buy-in", amount=amount, now=now)
    if table.is_in_hand(seat.number):
        check_wallet(by, amount)
        seat.top_up_queued = amount
        seat.save(update_fields=["top_up_queued"])
        kind = SeatMove.Kind.TOP_UP_ASKED
        move = stacks.note(table, player=by, number=seat.number, kind=kind, amount=amount, now=now)
    else:
        was_broke = not seat.account.balance
        move = stacks.add(seat, table, amount=amount, now=now)
        if was_broke and seat.state == Seat.State.SITTING_OUT and unpaid_time.may_return(table, by):
            deal_in_again(table, seat, now=now)
    store_changed(table, now=now)
    return move


@verb("seats.sit_out")
def sit_out(*, table_id: RowId, by: User) -> SeatMove:
    """Sit out from the next hand on; the hand being played goes on, with its clock.

    At an event they are dealt in all the same, as absent; in the hand being played their next turns are short.
    """
    table, now = lock(locking.table, table_id)
    seat = _seat(table, by)
    if table.event:
        return hands.sit_out_of_event(table, seat, now=now)
    _check_dealt_here(table)
    if seat.state != Seat.State.PLAYING:
        raise Conflict("already-out", "You are {state} already.", state=seat.get_state_display())
    move = settling.sit_out(seat, table, now=now)
    seat.save(update_fields=["state", "out_since", "missed_clocks"])
    store_changed(table, now=now)
    return move


@verb("seats.come_back")
def come_back(*, table_id: RowId, by: User) -> SeatMove:
    """Be dealt in again from the next hand on; also cancels a `leave` that waits for the end of the hand. At an event
    they are back at once, with their whole clock if it is their turn.

    Refuses: `Conflict` (not away), `Illegal` (no chips left: add some first; they would not pay the time).
    """
    table, now = lock(locking.table, table_id)
    seat = _seat(table, by)
    if table.event:
        return hands.come_back(table, seat, now=now)
    _check_dealt_here(table)
    if seat.state == Seat.State.PLAYING:
        raise Conflict("not-away", "You are in the game already.")
    if seat.state in (Seat.State.MOVING, Seat.State.REMOVED):
        raise Conflict("by-the-floor", "You are {state}: ask the floor.", state=seat.get_state_display())
    was_leaving = seat.state == Seat.State.LEAVING
    if not seat.account.balance and not table.is_in_hand(seat.number):
        raise Illegal("no-chips", "You have no chips on the table: add some first.")
    unpaid_time.check_may_return(table, by)
    move = deal_in_again(table, seat, now=now)
    if was_leaving:
        _tell_hand(table, seat, is_back=True, now=now)
    store_changed(table, now=now)
    return move


@verb("seats.leave")
def leave(*, table_id: RowId, by: User) -> SeatMove:
    """Give up the seat and take the chips back into the wallet.

    In the middle of a hand the player is absent from now on: their hand is killed when the betting reaches it, and they
    are cashed out when the hand is over (the answer is then a move of kind `leaving`).
    """
    table, now = lock(locking.table, table_id)
    _check_anybody_sits(table)
    _check_dealt_here(table)
    seat = _seat(table, by)
    if not table.is_in_hand(seat.number):
        move = stacks.cash_out(seat, table, now=now)
        store_changed(table, now=now)
        return move
    if seat.state in (Seat.State.LEAVING, Seat.State.REMOVED):
        raise Conflict("already-leaving", "You are leaving already: your chips come back when the hand is over.")
    stacks.forget_move(seat, now=now)
    seat.state, seat.out_since = Seat.State.LEAVING, now
    seat.save(update_fields=["state", "out_since", "moving_to", "moving_number"])
    kind = SeatMove.Kind.LEAVING
    move = stacks.note(table, player=by, number=seat.number, kind=kind, now=now)
    _tell_hand(table, seat, is_back=False, now=now)
    store_changed(table, now=now)
    return move


def store_changed(table: Table, *, now: datetime) -> None:
    """Store a table whose seats have changed, and signal it. Between hands its alarm then rings soon."""
    if table.is_physical:
        # A game that breaks up ends when the last player has gone.
        locking.store(table, wake_at=now if table.state == Table.State.BREAKING else table.wake_at)
    elif table.hand_id is None:
        soon = max(table.deal_at or now, now + _SOON)
        is_sooner = table.wake_at is not None and table.wake_at < soon
        locking.store(table, wake_at=table.wake_at if is_sooner else soon)
    else:
        people = table.seats.filter(state=Seat.State.PLAYING, player__is_bot=False)
        table.people_waiting = people.exclude(number__in=[int(number) for number in table.clocks]).count()
        locking.store(table, wake_at=table.wake_at)
    locking.tell(table)


def _tell_hand(table: Table, seat: Seat, *, is_back: bool, now: datetime) -> None:
    """Tell the hand that a player went away, or is back."""
    open_hand = table_journal.load(table.hand_id, seq=table.seq)
    if open_hand.engine.seats[seat.number].is_absent == is_back:
        hands.play(table, open_hand, Return(seat.number) if is_back else Leave(seat.number), now=now)


def deal_in_again(table: Table, seat: Seat, *, now: datetime, by: User | None = None) -> SeatMove:
    """Have a seat dealt in again from the next hand on; they owe nothing, for stud has no blinds to miss."""
    seat.state, seat.out_since, seat.missed_clocks = Seat.State.PLAYING, None, 0
    seat.save(update_fields=["state", "out_since", "missed_clocks"])
    kind = SeatMove.Kind.CAME_BACK
    return stacks.note(table, player=seat.player, number=seat.number, kind=kind, now=now, by=by)


def _check_anybody_sits(table: Table) -> None:
    if table.event:
        raise Illegal("seats-drawn", "In a tournament seats are drawn and chips are bought through the tournament.")


def _seat(table: Table, player: User) -> Seat:
    return stacks.seat_of(table, player, refusal=gettext("You have no seat at this table."))


def _check_dealt_here(table: Table) -> None:
    """`Illegal` at a table in the room, where chips are on the felt and staff seats the players."""
    if table.is_physical:
        raise Illegal(
            "table-in-the-room",
            "{table} is a table in the room: ask the floor to seat you and count your chips.",
            table=table.name,
        )


@contextmanager
def locked_table(table_id: int, player: User) -> Iterator[tuple[Table, datetime]]:
    """The locked table at which staff does something with a player, and the time. Afterwards the table is stored, and
    the pages of the floor and of the player are updated."""
    table, now = lock(locking.table, table_id)
    yield table, now
    store_changed(table, now=now)
    topics.tell("floor", f"player:{player.pk}")


def note(
    name: str, table: Table, player: User, by: User | None, *, now: datetime, reason: StoredText = "", **details: Any
) -> None:
    """Note an act of staff in the audit log; nothing where the house itself acts (`by` None)."""
    if by is not None:
        subject = f"table:{table.pk}"
        audit_log.note(verb=name, subject=subject, player=player, by=by, now=now, reason=reason, **details)
