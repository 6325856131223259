"""Services for people who deal: they start the hands of their table and enter what they did, right or wrong.

For dealers and the floor only, and nobody who plays in the hand. Each verb is one transaction that locks the table, and
idempotent by `command_id`; a refusal of the engine is `Illegal` with the rule, and nothing has changed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext

from cardroom.core import access
from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, Stale, Verbatim
from cardroom.core.models import User
from cardroom.core.once import command_name
from cardroom.core.verb import current_time
from games.dealing import entries, procedure
from games.engine.commands import Deal, NoticeMistake, Reverse, TimeOut
from games.engine.errors import IllegalAction
from games.engine.facts.play import opening_of
from games.play import hands, opening
from games.play.bots import house_bots
from games.tables import journal as table_journal
from games.tables import locking, stacks
from games.tables.journal import OpenHand, Receipt
from games.tables.models.tables import Hand, Seat, Table

__all__ = ["ROLES", "Receipt", "StartedHand", "command", "start_hand", "take_back"]

#: The roles that deal.
ROLES = ("dealer", "floor")


@dataclass(frozen=True)
class StartedHand:
    """Hand `number` of its table has begun; `seq`: its last fact, before the first card."""

    hand: int
    number: int
    seq: int


@transaction.atomic
def start_hand(
    *, table_id: int, by: User, absent: Sequence[int] = (), command_id: str, now: datetime | None = None
) -> StartedHand:
    """Begin the next hand of a table that a person deals, up to its antes. `absent`: seats dealt in without their
    player.

    Refuses: `Forbidden` (the role, or they play here), `Illegal` (the table deals by itself or is closed, too few
    players), `Conflict` (a hand is being played), `Invalid` (a seat that is not dealt in is absent).
    """
    access.require_role(by, *ROLES)
    # The hand's own row keeps the key under which it was begun.
    key = command_name(by, command_id, is_required=True)
    table = locking.table(table_id)
    now = now or current_time()
    earlier = Hand.objects.filter(table=table, start_key=key).first()
    if earlier is not None:
        return StartedHand(earlier.pk, earlier.number, opening_of(table_journal.facts(earlier.pk, upto=4)))
    _check_startable(table)
    before = stacks.seats_of(table)
    seats = house_bots.keep(table, before, now=now)
    _check_lineup(table, seats, absent, by)
    try:
        open_hand = hands.deal(table, seats, now=now, absent=absent, by=by, start_key=key)
    except IllegalAction as error:
        raise hands.refusal(error) from None
    if [seat.pk for seat in seats] != [seat.pk for seat in before]:
        locking.tell(table)
    return StartedHand(open_hand.pk, table.hand_count, open_hand.length)


def command(
    *,
    hand_id: int,
    by: User,
    what: str,
    fields: Mapping[str, Any],
    expected_seq: int | None,
    command_id: str,
    now: datetime | None = None,
) -> Receipt:
    """Enter what was done at the table. `what`: one of `entries.WHATS`; `fields`: the fields of that entry.

    Refuses: `Forbidden`, `NotFound`, `Stale` (the hand moved on since `expected_seq`, or is over), `Illegal`,
    `Invalid`.
    """
    access.require_role(by, *ROLES)
    entry = entries.read_entry(what, fields)
    # The hand's log of facts keeps the name of each command: it is itself the record of what was done.
    key = command_name(by, command_id, is_required=True)
    with transaction.atomic():
        table = locking.table_playing(hand_id)
        now = now or current_time()
        if table is None:
            return hands.after_the_end(hand_id, key)
        open_hand = table_journal.load(hand_id, seq=table.seq)
        if key in open_hand.receipts:
            return open_hand.receipts[key]
        check_may_rule(table, open_hand, by, expected_seq)
        if not table.is_dealt_by_person:
            raise Illegal("automatic-table", "This table has an automatic dealer.")
        if isinstance(entry, entries.UndoEntry):
            return take_back(
                table, open_hand, by=by, reason=opening.checked_text(entry.reason, "reason", most=300), key=key, now=now
            )
        order = entries.command_of(what, entry, open_hand.engine)
        is_missed = isinstance(order, TimeOut)
        receipt = hands.play(table, open_hand, order, now=now, command_id=key, is_missed=is_missed)
        if isinstance(order, Deal) and procedure.rules_at_once(open_hand.engine):
            # A dealer who enters a wrong burn has noticed it: it is ruled on before anybody acts.
            hands.play(table, open_hand, NoticeMistake(), now=now, command_id="")
        return receipt


def check_may_rule(table: Table, open_hand: OpenHand, by: User, expected_seq: int | None) -> None:
    """`Forbidden` for a player of the hand, who neither deals nor rules in it; `Stale` where the hand has moved on."""
    if open_hand.seat_of(by.pk) is not None:
        raise Forbidden("plays-in-hand", "You play in this hand: somebody else has to deal and to rule.")
    if expected_seq is not None and expected_seq != table.seq:
        raise Stale("stale", "The hand has moved on: look again before you act.", seq=table.seq)


def take_back(table: Table, open_hand: OpenHand, *, by: User, reason: str, key: str, now: datetime) -> Receipt:
    """Undo the last entry, and write down who did. Call with the table locked; `Illegal` where there is none."""
    entries = open_hand.entries()
    if not entries:
        raise Illegal("nothing-to-undo", "There is no entry to undo.")
    reverse = Reverse(entries[-1].facts_from - 1, reason)
    receipt = hands.play(table, open_hand, reverse, now=now, command_id=key)
    table.floor_orders.create(hand_id=open_hand.pk, seq=receipt.seq, what="undo", reason=reason, by=by, at=now)
    return receipt


def _check_startable(table: Table) -> None:
    if not table.is_dealt_by_person:
        raise Illegal("automatic-table", "This table has an automatic dealer.")
    if table.hand_id is not None:
        raise Conflict("hand-in-play", "A hand is in progress: finish it first.")
    if table.is_physical:
        raise Illegal("physical-table", "Hands of a table in the room are not dealt in the system.")
    if table.state != Table.State.OPEN:
        raise Illegal("table-closed", "This table is {state}.", state=table.get_state_display())
    if table.paused_at is not None:
        message = gettext("This table is paused. The floor resumes it.")
        if table.pause_reason:
            message = gettext("This table is paused: {reason}. The floor resumes it.").format(reason=table.pause_reason)
        raise Illegal("table-paused", Verbatim(message))


def _check_lineup(table: Table, seats: Sequence[Seat], absent: Sequence[int], by: User) -> None:
    players = stacks.ready(list(seats))
    if any(seat.player_id == by.pk for seat in players):
        raise Forbidden("plays-in-hand", "You sit at this table to play: somebody else has to deal.")
    if len(players) < 2:
        raise Illegal("not-enough-players", "A hand takes two players with chips.")
    strangers = sorted(set(absent) - {seat.number for seat in players})
    if strangers:
        raise Invalid("bad-absent", "Seat {seat} is not dealt in, so nobody is absent there.", seat=strangers[0])
