"""The locks of lists, the one way to move a name on one, and what a name may ask for.

Whatever happens on the lists of a game happens with its offer locked: first the offer, then the tables, then one entry,
then accounts. Nobody locks an offer who has a table: a game that breaks, and a seat that comes free, lock none.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from cardroom.core import alarms, audit_log, notices, texting, topics
from cardroom.core.errors import Conflict, Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.sentences import Kept
from games.engine.games import MOST_SEATS
from games.tables import locking
from games.tables.models.offers import Offer
from games.tables.models.tables import Table
from games.waitlists.models import ListEntry, ListMove

#: A call's time is over, or the hand that its clock waits for may be.
CALL_ALARM = alarms.register("list-call", "games.tasks.end_call")
#: There may be a free seat for somebody who waits for this game.
FILL_ALARM = alarms.register("list-fill", "games.tasks.look_at_lists")

#: How soon to ask again whether the hand is over for which somebody's clock, or their move, waits.
LOOK_AGAIN = timedelta(seconds=20)

State = ListEntry.State


def offer(offer_id: int) -> Offer:
    """The game on offer, locked until the transaction ends; `NotFound` where there is none."""
    found = Offer.objects.select_for_update(no_key=True, of=("self",)).filter(pk=offer_id).first()
    if found is None:
        raise NotFound("no-such-offer", "There is no such game on offer.")
    return found


def entry(entry_id: int) -> ListEntry:
    """The entry as it is, with its offer locked and not itself; `NotFound` where there is none."""
    offer_id = ListEntry.objects.filter(pk=entry_id).values_list("offer", flat=True).first()
    if offer_id is None:
        raise NotFound("no-such-entry", "There is no such name on a list.")
    offer(offer_id)
    return ListEntry.objects.select_related("offer", "player", "table", "called_to").get(pk=entry_id)


def again(entry_id: int) -> ListEntry:
    """The entry as it is now, locked; what else is to be locked, accounts aside, has to be by now."""
    rows = ListEntry.objects.select_related("offer", "player", "table", "called_to")
    return rows.select_for_update(no_key=True, of=("self",)).get(pk=entry_id)


def of_offer(offer_id: int, **about: Any) -> None:
    """Lock the game before what is done on its lists."""
    list(Offer.objects.select_for_update(no_key=True).filter(pk=offer_id).values_list("pk"))


def of_entry(entry_id: int, table_id: int | None = None, **about: Any) -> None:
    """Lock the game of a name, the table it is called to (or `table_id`) and the one it comes from."""
    found = ListEntry.objects.filter(pk=entry_id)
    of_offer(found.values_list("offer", flat=True).first() or 0)
    for called_to, sits_at in found.values_list("called_to", "table"):
        if goes_to := table_id or called_to:
            locking.hold({goes_to, sits_at or goes_to})


def of_table(table_id: int, **about: Any) -> None:
    """Lock the game that is played at a table, or where it is none on offer the table."""
    offer_id = Table.objects.filter(pk=table_id).values_list("offer", flat=True).first()
    if offer_id is None:
        locking.of_table(table_id)
    else:
        of_offer(offer_id)


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
    """The place behind everybody who ever was on a list of this game; its row has to be locked."""
    last = ListEntry.objects.filter(offer=offer).order_by("-place").values_list("place", flat=True).first()
    return (last or 0) + 1


def moved(
    entry: ListEntry, verb: ListMove.Verb, *, rule: str, why: Kept, by: User | None, now: datetime,
    table: Table | None = None, number: int = 0, passed_over: Sequence[tuple[str, Kept]] = (),
) -> ListMove:  # fmt: skip
    """Store the entry as it is now, set its alarm, and write down what happened to it by which rule and why.

    An act of staff on somebody else is in the audit log too.
    """
    entry.version += 1
    if not entry.is_active:
        entry.ended_at = entry.ended_at or now
        entry.call_until = entry.in_hand = None
    entry.save()
    _set_alarm(entry, now=now)
    if by is not None and by.pk != entry.player_id:
        audit_log.note(
            verb=f"lists.{verb}", subject=f"list-entry:{entry.pk}", by=by, now=now, player=entry.player,
            reason=why, offer=entry.offer_id, rule=rule, table=table.pk if table else None,
            seat=number or None,
        )  # fmt: skip
    topics.tell("lists", f"list:{entry.offer_id}", "board", "lobby", f"player:{entry.player_id}")
    return ListMove.objects.create(
        entry=entry, verb=verb, rule=rule, why=why, table=table, number=number,
        passed_over=[list(pair) for pair in passed_over], by=by, at=now,
    )  # fmt: skip


def look_again(*, now: datetime, offer: int = 0, table: int = 0, entry: int = 0) -> None:
    """Have the lists of a game looked at: a name, a seat or a table is new.

    Say it by what is locked already: nobody else sets the same alarm then, and nobody has to wait for its row.
    """
    key = f"offer:{offer}" if offer else f"table:{table}" if table else f"entry:{entry}"
    alarms.set(kind=FILL_ALARM, key=key, due_at=now, fence=0)


def look_again_at(entry: ListEntry, moment: datetime) -> None:
    """Have the lists of a game looked at then: a seat that this name was passed over for may be theirs again."""
    alarms.set(kind=FILL_ALARM, key=f"entry:{entry.pk}", due_at=moment, fence=0)


def call_is_over(entry: ListEntry, *, now: datetime) -> None:
    """Put away the notices of a call that is over."""
    notices.put_away([entry.player_id], key_prefix=f"call:{entry.pk}:", now=now)


def _set_alarm(entry: ListEntry, *, now: datetime) -> None:
    if entry.is_called:
        # Where their clock stands still the end of the hand wakes them; should that be lost, this does.
        due = entry.call_until or now + LOOK_AGAIN
        alarms.set(kind=CALL_ALARM, key=str(entry.pk), due_at=due, fence=entry.version)
    else:
        alarms.cancel(kind=CALL_ALARM, key=str(entry.pk))


# Wishes: seats or tables, a seat that is easy to reach; a note, a telephone number


LONGEST_NOTE = 120
_HIGHEST = 10**12
_WISHES = {"seats", "tables", "accessible", "note", "phone"}


def checked(wishes: Mapping[str, Any]) -> dict[str, Any]:
    """The wishes as stored; `Invalid` for impossible ones."""
    if unknown := set(wishes) - _WISHES:
        raise Invalid("bad-wish", "There is no such wish: {wishes}.", wishes=", ".join(sorted(map(str, unknown))))
    seats, tables = (_numbers(wishes.get(name)) for name in ("seats", "tables"))
    if any(not 1 <= number <= MOST_SEATS for number in seats):
        raise Invalid("no-such-seat", "Seats are numbered 1 to 8.")
    note, phone = (" ".join(str(wishes.get(name) or "").split()) for name in ("note", "phone"))
    if len(note) > LONGEST_NOTE or not note.isprintable():
        raise Invalid("bad-note", "A note has at most {longest_note} characters.", longest_note=LONGEST_NOTE)
    if phone and not texting.plain(phone):
        raise Invalid("bad-phone", "That is no telephone number: digits, and + at the front.")
    is_accessible = wishes.get("accessible") is True
    said = {"seats": seats, "tables": tables, "accessible": is_accessible, "note": note, "phone": texting.plain(phone)}
    return {name: wish for name, wish in said.items() if wish}


def _numbers(given: Any) -> list[int]:
    given = [] if given is None else given
    if not isinstance(given, list | tuple) or len(given) > 20:
        raise Invalid("bad-wish", "Seats and tables are lists of numbers.")
    if any(type(each) is not int or not 1 <= each <= _HIGHEST for each in given):
        raise Invalid("bad-wish", "Seats and tables are lists of numbers.")
    return sorted(set(given))
