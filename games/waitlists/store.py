"""The locks of lists, and the one way to move a name on one.

Everything on the lists of a game happens with its offer locked: first the offer, then the tables, then one entry, then
accounts. Code that has locked a table never locks an offer: a game that breaks, and a seat that comes free, lock none.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from cardroom.core import alarms, audit_log, notices, topics
from cardroom.core.errors import Conflict
from cardroom.core.models import User
from cardroom.core.sentences import StoredText
from cardroom.core.verb import lock
from games.tables import locking
from games.tables.models.offers import Offer
from games.tables.models.tables import Table
from games.waitlists.models import ListEntry, ListMove

#: A call's time is over, or the hand that its clock waits for may be.
CALL_ALARM = alarms.register("list-call", "games.tasks.end_call")
#: There may be a free seat for somebody who waits for this game.
FILL_ALARM = alarms.register("list-fill", "games.tasks.look_at_lists")

#: How soon to check again whether the hand is over that a call's clock, or a move, waits for.
LOOK_AGAIN = timedelta(seconds=20)

State = ListEntry.State


def entry(entry_id: int) -> ListEntry:
    """The entry, with its offer locked but not its own row; `NotFound` where there is none."""
    offer_id = ListEntry.objects.filter(pk=entry_id).values_list("offer", flat=True).first()
    if offer_id is None:
        raise ListEntry.not_found()
    lock(Offer, offer_id)
    return ListEntry.objects.select_related("offer", "player", "table", "called_to").get(pk=entry_id)


def entry_at_tables(entry_id: int) -> ListEntry:
    """The entry as `entry` locks it, with the table the name is called to and the one its player comes from locked
    after the offer."""
    row = entry(entry_id)
    locking.hold({pk for pk in (row.called_to_id, row.table_id) if pk is not None})
    return row


def locked_entry(entry_id: int) -> ListEntry:
    """The entry as it is now, locked. Everything else that has to be locked, but for accounts, is locked before it."""
    rows = ListEntry.objects.select_related("offer", "player", "table", "called_to")
    return rows.select_for_update(no_key=True, of=("self",)).get(pk=entry_id)


def offer_at_table(table_id: int) -> Offer | None:
    """The game on offer that is played at a table, locked; None, with the table locked, where there is none."""
    offer_id = Table.objects.filter(pk=table_id).values_list("offer", flat=True).first()
    if offer_id is None:
        locking.hold([table_id])
        return None
    return lock(Offer, offer_id)[0]


def check_active(entry: ListEntry) -> None:
    """`Conflict` where the entry is not on the list any more."""
    if not entry.is_active:
        raise Conflict(
            "not-on-the-list",
            "{player} is not on this list any more ({state}).",
            player=entry.player,
            state=entry.get_state_display(),
        )


def next_place(offer: Offer) -> int:
    """The place behind everybody who ever was on a list of this game. Call it with the offer locked."""
    last = ListEntry.objects.filter(offer=offer).order_by("-place").values_list("place", flat=True).first()
    return (last or 0) + 1


def save_move(
    entry: ListEntry,
    verb: ListMove.Kind,
    *,
    rule: str,
    why: StoredText,
    by: User | None,
    now: datetime,
    table: Table | None = None,
    number: int = 0,
    passed_over: Sequence[tuple[str, StoredText]] = (),
) -> ListMove:
    """Store the entry as it is now, set its alarm, and write down what happened to it by which rule and why.

    What staff do to another player's name goes into the audit log too.
    """
    entry.version += 1
    if not entry.is_active:
        entry.ended_at = entry.ended_at or now
        entry.call_until = entry.in_hand = None
    entry.save()
    _set_alarm(entry, now=now)
    if by is not None and by.pk != entry.player_id:
        audit_log.note(
            verb=f"lists.{verb}",
            subject=f"list-entry:{entry.pk}",
            by=by,
            now=now,
            player=entry.player,
            reason=why,
            offer=entry.offer_id,
            rule=rule,
            table=table.pk if table else None,
            seat=number or None,
        )
    topics.tell("lists", f"list:{entry.offer_id}", "board", "lobby", f"player:{entry.player_id}")
    return ListMove.objects.create(
        entry=entry,
        verb=verb,
        rule=rule,
        why=why,
        table=table,
        number=number,
        passed_over=[list(pair) for pair in passed_over],
        by=by,
        at=now,
    )


def wake_lists(*, now: datetime, offer: int = 0, table: int = 0, entry: int = 0) -> None:
    """Set the alarm that fills the seats of a game now: a name, a seat or a table is new.

    Name what the caller has locked already (`offer`, `table` or `entry`): then nobody else sets the same alarm, and
    nobody has to wait for its row.
    """
    key = f"offer:{offer}" if offer else f"table:{table}" if table else f"entry:{entry}"
    alarms.set(kind=FILL_ALARM, key=key, due_at=now, fence=0)


def wake_lists_at(entry: ListEntry, moment: datetime) -> None:
    """Set that alarm for later: this name may have the seat again for which it was passed over."""
    alarms.set(kind=FILL_ALARM, key=f"entry:{entry.pk}", due_at=moment, fence=0)


def put_away_call_notices(entry: ListEntry, *, now: datetime) -> None:
    """Put away the notices of a call that is over."""
    notices.put_away([entry.player_id], key_prefix=f"call:{entry.pk}:", now=now)


def _set_alarm(entry: ListEntry, *, now: datetime) -> None:
    if entry.is_called:
        # While the clock stands still the end of the hand starts it; should that signal be lost, this alarm does.
        due = entry.call_until or now + LOOK_AGAIN
        alarms.set(kind=CALL_ALARM, key=str(entry.pk), due_at=due, fence=entry.version)
    else:
        alarms.cancel(kind=CALL_ALARM, key=str(entry.pk))
