"""Chips between wallets and stacks: buying in, adding chips, cashing out. Each is one transfer and one `SeatMove`.

A bot's chips come from the house and go back there. At a physical table all chips lie in one pool, `chips:table:<id>`,
and how many a player has is known when they are counted: `Seat.counted`. Call with the table locked.
"""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from django.db.models import Sum
from django.utils.translation import gettext

from cardroom.accounts.people import PLAY_MONEY
from cardroom.core.errors import Conflict, Illegal, Invalid, NotFound, Verbatim
from cardroom.core.models import User
from cardroom.core.sentences import StoredText
from cardroom.ledger import counts, ledger, passages
from cardroom.ledger.models import Account
from games.rulebooks.queries import load as rulebook
from games.tables import hosts, reasons
from games.tables import signals as table_signals
from games.tables.models.offers import SeatHold
from games.tables.models.tables import Seat, SeatMove, Table
from games.tables.models.times import Stay

#: A player who sits down again within this time goes on with their visit: leaving for a moment gives no extra time.
_SAME_VISIT = timedelta(hours=1)


def keep_extra(move: SeatMove, extra_used_ms: int) -> None:
    """Remember the extra time that was used in the stay which this move has ended. One statement if there was any."""
    if extra_used_ms:
        Stay.objects.filter(left=move).update(extra_used_ms=extra_used_ms)


def extra_used(table: Table, player: User, *, now: datetime) -> int:
    """The extra time, in milliseconds, that a player who sits down here has used in this visit: at this table, or at
    another one of its game that they left within the last hour. One query or none."""
    if not table.has_extra_time or player.is_bot:
        return 0
    in_this_game = {"table__offer": table.offer_id} if table.offer_id else {"table": table}
    stays = Stay.objects.filter(player=player, left_at__gt=now - _SAME_VISIT, **in_this_game).order_by(
        "-left_at", "-pk"
    )
    return stays.values_list("extra_used_ms", flat=True).first() or 0


def open_at(table: Table) -> dict[int, Stay]:
    """The open stays at the table, by player."""
    return {stay.player_id: stay for stay in Stay.objects.filter(table=table, left_at=None)}


def hold(players: Iterable[User], *, and_house: bool = False) -> None:
    """Before chips of several players are moved: lock their wallets (of bots: the house) in the order of the accounts.

    A wallet serves several tables, so two tables that settle at once must not take two wallets in different orders.
    Stacks need no lock: only their own table moves them.
    """
    people = {player.pk: player for player in players}
    wallets = [player for player in people.values() if not player.is_bot]
    needs_house = and_house or len(wallets) < len(people)
    if len(wallets) + needs_house > 1:
        purses = [ledger.wallet(player).pk for player in wallets] + ([_house().pk] if needs_house else [])
        list(Account.objects.select_for_update(no_key=True).filter(pk__in=purses).order_by("pk").values_list("pk"))


def lock_player(player: User, *, and_wallet: bool = True) -> None:
    """Lock the player until the transaction ends: buy-ins and bans of one player come one after the other, so their
    chips elsewhere, their limits and bans stay as they were read. Lock tables before, accounts after.
    """
    if player.is_bot:
        return
    list(User.objects.select_for_update(no_key=True).filter(pk=player.pk).values_list("pk"))
    if and_wallet:
        wallet_now(player)


def wallet_now(player: User) -> int:
    """The balance of a player's wallet, locked until the transaction ends."""
    return Account.objects.select_for_update(no_key=True).get(pk=ledger.wallet(player).pk).balance


def pool(table: Table) -> Account:
    """The account of the chips on a physical table."""
    return ledger.open_account(kind=Account.Kind.POOL, label=f"chips:table:{table.pk}")


def chips_of(seat: Seat, table: Table) -> int:
    """The chips of the player on the table; at a physical one, as last counted."""
    return seat.counted if table.is_physical else seat.account.balance


def note(
    table: Table,
    *,
    player: User,
    number: int,
    kind: SeatMove.Kind,
    now: datetime,
    amount: int = 0,
    by: User | None = None,
    reason: StoredText = "",
) -> SeatMove:
    """Write down what somebody did with a seat; `by`: the member of staff who did it, if any."""
    move = SeatMove.objects.create(
        table=table, player=player, number=number, kind=kind, amount=amount, at=now, by=by, reason=reason
    )
    table_signals.seat_moved.send(sender=SeatMove, move=move, table=table)
    return move


def buy_in(table: Table, *, player: User, number: int, amount: int, now: datetime, by: User | None = None) -> SeatMove:
    """Take a free seat with a stack from the player's wallet. `NotEnoughChips` where it holds less."""
    account = open_stack(table, player, number)
    kind = SeatMove.Kind.SAT
    move = note(table, player=player, number=number, kind=kind, amount=amount, now=now, by=by)
    noun, target = ("physical-in", pool(table)) if table.is_physical else ("buy-in", account)
    _post(move, noun, reasons.BUY_IN(at=table.name), source=_purse(player), target=target, now=now)
    counted = {"counted": amount, "counted_at": now} if table.is_physical else {}
    times = {"time_bank_ms": table.time_bank_seconds * 1000, "extra_used_ms": extra_used(table, player, now=now)}
    Seat.objects.create(table=table, number=number, player=player, account=account, sat_at=now, **times, **counted)
    return move


def open_stack(table: Table, player: User, number: int) -> Account:
    """An empty stack for a seat."""
    return ledger.open_account(kind=Account.Kind.STACK, owner=player, label=f"table:{table.pk}:seat:{number}")


def add(seat: Seat, table: Table, *, amount: int, now: datetime, by: User | None = None) -> SeatMove:
    """Add chips from the player's wallet to their stack."""
    kind = SeatMove.Kind.TOPPED_UP
    move = note(table, player=seat.player, number=seat.number, kind=kind, amount=amount, now=now, by=by)
    source, reason = _purse(seat.player), reasons.CHIPS_ADDED(at=table.name)
    if table.is_physical:
        _post(move, "physical-in", reason, source=source, target=pool(table), now=now)
        seat.counted += amount
        seat.save(update_fields=["counted"])
        return move
    _post(move, "top-up", reason, source=source, target=seat.account, now=now)
    seat.account.balance += amount  # as the database has it now
    return move


def cash_out(
    seat: Seat,
    table: Table,
    *,
    now: datetime,
    kind: SeatMove.Kind = SeatMove.Kind.LEFT,
    by: User | None = None,
    reason: StoredText = "",
    count: int | None = None,
) -> SeatMove:
    """Release the seat; its stack goes to the player's wallet. `count`: the chips at a physical table, as counted now.

    `Conflict` where they have to be counted first, or more was counted than the table holds.
    """
    held = counted(seat, table, count, by=by, now=now) if table.is_physical else seat.account.balance
    move = note(table, player=seat.player, number=seat.number, kind=kind, amount=held, now=now, by=by, reason=reason)
    keep_extra(move, seat.extra_used_ms)
    forget_move(seat, now=now)
    seat.delete()
    hosts.host_of(table).seat_freed(table_id=table.pk, now=now)
    if held:
        noun, source = ("physical-out", pool(table)) if table.is_physical else ("cash-out", seat.account)
        _post(move, noun, reasons.CASHED_OUT(at=table.name), source=source, target=_purse(seat.player), now=now)
    return move


def forget_move(seat: Seat, *, now: datetime) -> None:
    """Cancel a move that waits for the end of the hand, and the seat held for it. The caller saves the seat."""
    if not seat.moving_number:
        return
    held = SeatHold.objects.filter(table=seat.moving_to_id, player=seat.player_id, why=SeatHold.Why.MOVE)
    if held.delete()[0]:
        hosts.host(hosts.CASH).seat_freed(table_id=seat.moving_to_id, now=now)
    seat.moving_to, seat.moving_number = None, 0


def counted(seat: Seat, table: Table, count: int | None, *, by: User | None, now: datetime) -> int:
    """The counted chips at a table in the room; `Conflict` where none were counted, or more than it can hold, `Invalid`
    where it is no number of chips."""
    if count is None:
        raise Conflict(
            "count-first",
            "{table} is a table in the room: count the chips of seat {number} first.",
            table=table.name,
            number=seat.number,
        )
    check_count(count)
    check_within(table, count, by=by, now=now)
    return count


def check_within(table: Table, chips: int, *, by: User | None, now: datetime) -> None:
    """`Conflict` where more was counted in front of players than the table in the room holds."""
    if chips > (held := ledger.balance(pool(table))):
        subject = f"table:{table.pk}:seats"
        raise counts.more_than_there(subject=subject, where=table.name, counted=chips, expected=held, by=by, now=now)


def check_not_own(player: User, by: User | None) -> None:
    """`Illegal` where members of staff would count their own chips or decide about their own time."""
    if by is not None and by.pk == player.pk:
        rule = gettext("House rules: nobody is their own cashier")
        raise Illegal("own-cashier", "You play here yourself: ask a colleague.", rule=rule)


def check_count(chips: int) -> None:
    """`Invalid` for an impossible count."""
    if type(chips) is not int or not 0 <= chips <= ledger.MOST_CHIPS:
        raise Invalid("bad-amount", "Chips are counted in whole numbers from 0.")


def _purse(player: User) -> Account:
    return _house() if player.is_bot else ledger.wallet(player)


def _house() -> Account:
    return ledger.open_account(kind=Account.Kind.HOUSE, label=PLAY_MONEY)


def _post(move: SeatMove, noun: str, reason: StoredText, *, source: Account, target: Account, now: datetime) -> None:
    legs = [(source, -move.amount), (target, move.amount)]
    # Only a bot's chips come from the house.
    passage = passages.rule_passage("bots", move.amount) if source.kind == Account.Kind.HOUSE else None
    who = move.by or move.player
    ledger.post(reference=f"{noun}:{move.pk}", reason=reason, legs=legs, at=now, by=who, passage=passage)


_Kind = SeatMove.Kind
_IN = (_Kind.SAT, _Kind.TOPPED_UP)
_OUT = (_Kind.LEFT, _Kind.PICKED_UP)


def net_buy_in(player: User, since: datetime) -> int:
    """Chips they brought to tables of the room before `since`, in the stay that went on then, over all its seats: for
    the limit on losses these are no win of that day. One query."""
    moves = SeatMove.objects.filter(player=player, table__is_physical=True, table__event="", at__lt=since)
    chips = 0
    for kind, amount in moves.filter(kind__in=(*_IN, *_OUT)).order_by("-pk").values_list("kind", "amount").iterator(50):
        if kind in _OUT:
            break
        chips += amount
        if kind == _Kind.SAT:
            return chips
    return 0


def counted_chips_of(player_id: int) -> int:
    """Their chips on tables in the room, as last counted. One query."""
    seats = Seat.objects.filter(player=player_id, table__is_physical=True, table__event="")
    return int(seats.aggregate(sum=Sum("counted"))["sum"] or 0)


def seats_of(table: Table) -> list[Seat]:
    """The taken seats in order, with their players and stacks as the ledger has them."""
    return list(table.seats.select_related("player", "account").order_by("number"))


def seat_of(table: Table, player: User, *, refusal: str = "") -> Seat:
    """The seat this player has here, with their stack; `NotFound` (with the text `refusal`) where they have none."""
    seat = table.seats.select_related("player", "account").filter(player=player).first()
    if seat is None:
        if refusal:
            raise NotFound("not-seated", Verbatim(refusal))
        raise NotFound("not-seated", "{player} has no seat at {table}.", player=player, table=table.name)
    return seat


def ready(seats: list[Seat]) -> list[Seat]:
    """The seats to be dealt in: playing, with chips, and without a penalty; with penalties where else fewer than two
    would play."""
    able = [seat for seat in seats if is_ready(seat)]
    innocent = [seat for seat in able if not seat.misses_hands]
    return innocent if len(innocent) > 1 else able


def dealt_in(table: Table, seats: list[Seat]) -> list[Seat]:
    """The seats that the next hand is dealt to: those who are ready; at an event everybody with chips, even if away."""
    return [seat for seat in seats if seat.account.balance > 0] if table.event else ready(seats)


def absent(table: Table, seats: list[Seat]) -> list[int]:
    """The numbers of the seats that an event deals in without their player, who is away or serves a penalty."""
    if not table.event:
        return []
    return [seat.number for seat in seats if seat.state == Seat.State.SITTING_OUT or seat.misses_hands]


def is_ready(seat: Seat) -> bool:
    """Whether the seat can be dealt into the next hand."""
    return seat.state == Seat.State.PLAYING and seat.account.balance > 0


def are_enough(table: Table, seats: list[Seat]) -> bool:
    """Whether enough players would be dealt in for the table's rulebook."""
    least = rulebook(table.rulebook).value("players", table.setting)["least"]
    return len(dealt_in(table, seats)) >= least


def is_dealable(table: Table, seats: list[Seat]) -> bool:
    """Whether the automatic dealer can deal a hand to these seats: enough players, and a person among them where bots
    wait for one."""
    players = ready(seats)
    if table.is_dealt_by_person or table.is_physical or table.state != Table.State.OPEN or table.paused_at:
        return False
    if not are_enough(table, seats):
        return False
    return not table.bots_wait_for_people or any(not seat.player.is_bot for seat in players)


def next_wake(table: Table, seats: list[Seat], *, now: datetime) -> datetime | None:
    """When something is due at a table without a hand: the next deal, chips for a bot, a seat to be picked up; at an
    event whatever its director finds due."""
    if table.event:
        return max(table.deal_at or now, now)
    if table.state == Table.State.BREAKING or table.is_taking_up:
        return now
    if is_dealable(table, seats) or any(seat.player.is_bot and not is_ready(seat) for seat in seats):
        return max(table.deal_at or now, now)
    return min((pick_up_at(table, seat) for seat in seats if is_kept(table, seat)), default=None)


def is_kept(table: Table, seat: Seat) -> bool:
    """Whether the seat is kept for a player who is away for a while. In the room the floor decides, not the clock."""
    if table.is_physical:
        return False
    return seat.state == Seat.State.SITTING_OUT and seat.out_since is not None and not seat.player.is_bot


def pick_up_at(table: Table, seat: Seat) -> datetime:
    """When the seat of a player who sits out is given up."""
    return seat.out_since + timedelta(minutes=table.keep_seat_minutes)


def is_overdue(table: Table, seat: Seat, *, now: datetime) -> bool:
    """Whether the seat was kept long enough."""
    return is_kept(table, seat) and now >= pick_up_at(table, seat)


def places_in(*, event: str, players: Collection[int]) -> dict[int, tuple[int, int]]:
    """Where these players, by id, sit at the tables of an event: (table, seat number). One query."""
    rows = Seat.objects.filter(table__event=event, player__in=players).values_list("player", "table", "number")
    return {player: (table_id, number) for player, table_id, number in rows}
