"""Tables for the games on offer: opened with the offer's settings, which they keep.

When an offer is edited its tables go on as they are until the floor has them take up the new settings, which happens
between two hands.
"""

from datetime import datetime
from typing import Any

from django.contrib.auth.hashers import make_password

from cardroom.models import User
from cardroom.services import access, news, repeats, trail
from cardroom.services.errors import Conflict, Illegal, Invalid, NotFound
from cardroom.services.operations import operation, row_of
from games import signals
from games.models import Offer, Section, Table
from games.models.terms import TableTerms
from games.services import locking, offer_terms, opening, rulebooks, time_clock

#: Who opens, pauses, breaks and closes tables.
ROLES = ("floor", "manager")

_OF_OFFER = tuple(field.attname for field in TableTerms._meta.local_fields)
#: What a table may have otherwise than its offer, or besides it.
OVERRIDES = frozenset(name for name, term in offer_terms.TERMS.items() if term.is_own) | {
    *("bots", "bots_wait_for_people", "is_hand_shown", "is_private", "password", "must_move_to_id")
}
#: What of it can be changed while the table is open.
EDITABLE = frozenset({"name", "has_spectators", "bots", "must_move_to_id"})
#: As a table begins that was used before.
_FRESH = {
    "bots": 0,
    "bots_wait_for_people": True,
    "is_hand_shown": False,
    "is_private": False,
    "password": "",
    "must_move_to_id": None,
    "paused_at": None,
    "pause_reason": "",
    "is_taking_up": False,
    "notice": "",
    "notice_at": None,
    "setting": "cash",
    "unit": "cash",
}
_MOST_SECONDS = 3600
_CLOCKS = ("act_seconds", "time_bank_seconds", "keep_seat_minutes", "pause_seconds", "missed_clocks_allowed")


@operation(row_of(Offer, "offer_id"))
def open_for(
    *,
    offer_id: int,
    by: User | None,
    now: datetime,
    name: str = "",
    section_id: int | None = None,
    table_id: int | None = None,
    key: str = "",
    **overrides: Any,
) -> Table:
    """Open a table for a game on offer. `by` None: its list is long enough and opens one by itself.

    `table_id`: the free table of the room to open it at; in the room else the free one called `name`, or without a name
    the first free one (of that section, where one is named), and only where none is free a new one. Online a new one
    called `name`, or without a name a closed one of this offer again, or the next number. `overrides`: what this table
    has otherwise, see `OVERRIDES`; `password` as it is typed.

    Refuses: `Forbidden` (no floor), `NotFound` (offer, section, table), `Invalid`, `Conflict` (the name is taken, the
    table is not free), `Illegal` (the offer is withdrawn). Locks the offer, then the table.
    """
    if by is not None:
        access.require_role(by, *ROLES)
    content = {"offer": offer_id, "name": name, "section": section_id, "table": table_id, **overrides}
    content |= {"password": bool(overrides.get("password"))}  # what is asked for is kept, and a password is not

    def make() -> Table:
        offer = _offer(offer_id)
        check_section(section_id)
        wanted = _settings(offer, overrides, now=now)
        if table_id is not None:
            table = _take_free(table_id, wanted, section_id)
        elif offer.is_physical and (free := _first_free(name, section_id)) is not None:
            table = _take_free(free, wanted, section_id)
        elif name.strip() or offer.is_physical or (table := _take_closed(offer, wanted, section_id)) is None:
            table = opening.made(Table(name=_name(offer, name), section_id=section_id, **wanted))
        trail.note(
            verb="tables.open_for",
            subject=f"table:{table.pk}",
            by=by,
            now=now,
            offer=offer.pk,
            name=table.name,
            with_own=sorted(overrides),
        )
        return opening.opened(table, now=now)

    return repeats.made(Table, make, by=by, key=key, verb="tables.open_for", now=now, **content)


def take_on(table: Table, *, now: datetime) -> None:
    """Take the settings of the table's offer as they are now. Call with the table locked and no hand being played.

    A table with somebody in a seat that it would lose, or for whom it is held, keeps that many seats.
    """
    offer = table.offer
    if offer is not None:
        numbers = [rows.values_list("number", flat=True) for rows in (table.seats, table.holds)]
        highest = max((number for some in numbers for number in some), default=0)
        fields = offer_terms.without_extra({field: getattr(offer, field) for field in _OF_OFFER})
        fields["seat_count"] = max(fields["seat_count"], highest)
        write(table, **fields, offer_version=offer.version, bots=min(table.bots, fields["seat_count"] - 1))
        if not table.minds_presence:
            # Nobody would tell it that they are heard of again.
            table.seats.filter(gone_at__isnull=False).update(gone_at=None, extras_taken=0)
    write(table, is_taking_up=False)
    time_clock.keep(table, now=now)
    signals.after_commit(signals.table_changed, table_id=table.pk, version=table.version + 1)
    news.tell("lobby", "floor", "board")


def write(table: Table, **fields: Any) -> None:
    """Those settings of a locked table that `locking.store` does not write."""
    for name, value in fields.items():
        setattr(table, name, value)
    Table.objects.filter(pk=table.pk).update(**fields)


def check_edit(table: Table, changes: dict[str, Any]) -> None:
    """`Invalid` where a table cannot be changed so as it stands."""
    unknown = sorted(set(changes) - EDITABLE)
    if unknown:
        raise Invalid(f"A table has no setting of its own called {unknown[0]!r}.", "no-such-setting")
    if "name" in changes:
        opening.check_name(changes["name"])
    if "bots" in changes:
        _check_bots(changes["bots"], table.seat_count, is_physical=table.is_physical)
    if changes.get("must_move_to_id") is not None:
        if changes["must_move_to_id"] == table.pk:
            raise Invalid("A game cannot be its own main game.", "bad-must-move")
        _check_main_game(changes["must_move_to_id"], table.offer)
        _check_no_ring(table, changes["must_move_to_id"])


def _offer(offer_id: int) -> Offer:
    offer = Offer.objects.select_for_update(no_key=True, of=("self",)).filter(pk=offer_id).first()
    if offer is None:
        raise NotFound("There is no such game on offer.", "no-such-offer")
    if not offer.is_listed:
        raise Illegal(f"{offer.name} is withdrawn: put it on offer again first.", "offer-withdrawn")
    return offer


def check_section(section_id: int | None) -> None:
    """Refuse a section that is not there (`NotFound`)."""
    if section_id is not None and not Section.objects.filter(pk=section_id).exists():
        raise NotFound("There is no such section of the room.", "no-such-section")


def _settings(offer: Offer, overrides: dict[str, Any], *, now: datetime) -> dict[str, Any]:
    """All that a table opened for this offer begins with."""
    unknown = sorted(set(overrides) - OVERRIDES)
    if unknown:
        raise Invalid(f"A table has no setting of its own called {unknown[0]!r}.", "no-such-setting")
    fields = {field: getattr(offer, field) for field in _OF_OFFER} | _FRESH
    fields |= {name: value for name, value in overrides.items() if value is not None}
    _check_overrides(offer, fields)
    fields = offer_terms.without_extra(fields)
    if fields["password"]:
        fields |= {"is_private": True, "password": make_password(fields["password"])}
    return fields | {"offer_id": offer.pk, "offer_version": offer.version, "opened_at": now}


def _check_overrides(offer: Offer, fields: dict[str, Any]) -> None:
    seats = fields["seat_count"]
    if type(seats) is not int or not 2 <= seats <= 8:
        raise Invalid("A stud table has 2 to 8 seats.", "bad-seats")
    rulebooks.check_table(
        offer.rulebook, structure=offer.structure, setting="cash", seats=seats, bring_in=offer.bring_in
    )
    _check_bots(fields["bots"], seats, is_physical=offer.is_physical)
    for name in _CLOCKS:
        # Missed no clock at all, a player would sit out after every one.
        least = 1 if name == "missed_clocks_allowed" else 0
        if type(fields[name]) is not int or not least <= fields[name] <= _MOST_SECONDS:
            said = name.replace("_", " ").capitalize()
            raise Invalid(f"{said} is a number from {least} to {_MOST_SECONDS:,}.", "bad-clock")
    for said in offer_terms.extra_faults(fields).values():
        raise Invalid(said, "bad-clock")
    own = {"act_seconds": fields["act_seconds"]}
    opening.with_clock(offer.dealt_by, offer.deck, fields["is_hand_shown"], own if not offer.is_physical else {})
    if fields["must_move_to_id"] is not None:
        _check_main_game(fields["must_move_to_id"], offer)


def _check_bots(bots: int, seats: int, *, is_physical: bool) -> None:
    opening.check_bots(bots, seats)
    if is_physical and bots:
        raise Invalid("No bots sit at the tables of the room.", "bad-bots")


def _check_main_game(table_id: int, offer: Offer | None) -> None:
    same = Table.objects.filter(pk=table_id, offer=offer, offer__isnull=False, state=Table.State.OPEN)
    if not same.exists():
        raise Invalid("The main game of a must-move game is an open table of the same game.", "bad-must-move")


def _check_no_ring(table: Table, table_id: int) -> None:
    """Two games that feed each other would send their players to and fro for ever."""
    feeds = dict(Table.objects.filter(must_move_to__isnull=False).values_list("pk", "must_move_to"))
    seen: set[int] = set()
    while table_id in feeds and table_id not in seen:
        seen.add(table_id)
        table_id = feeds[table_id]
        if table_id == table.pk:
            raise Invalid("That game must move to this one already: one of them is the main game.", "bad-must-move")


def _first_free(name: str, section_id: int | None) -> int | None:
    """A table that stands free in the room: the one called so, or without a name the first."""
    free = Table.objects.filter(is_physical=True, event="", state=Table.State.FREE)
    if section_id is not None:
        free = free.filter(section=section_id)
    if name.strip():
        free = free.filter(name__iexact=" ".join(name.split()))
    return free.order_by("pk").values_list("pk", flat=True).first()


def _take_free(table_id: int, wanted: dict[str, Any], section_id: int | None) -> Table:
    """The game that was played there is over: what fed it is a game of its own, and does not feed the next one."""
    feeding = Table.objects.filter(must_move_to=table_id).values_list("pk", flat=True)
    others = locking.tables({table_id, *feeding})
    table = others.pop(table_id)
    if table.event or table.state != Table.State.FREE:
        raise Conflict(f"{table.name} is not free: close what is played there first.", "table-not-free")
    if table.is_physical != wanted["is_physical"]:
        raise Illegal(
            "A table of the room has no games that are dealt by the system, and the other way round.", "bad-table"
        )
    if section_id is not None:
        wanted = wanted | {"section_id": section_id}
    for other in others.values():
        write(other, must_move_to_id=None)
    write(table, **wanted)
    return table


def _take_closed(offer: Offer, wanted: dict[str, Any], section_id: int | None) -> Table | None:
    """A closed table of the offer, so that names and numbers stay few; the offer's lock keeps two from taking one.

    A main game that was closed is left alone: the game that fed it plays on, and would be emptied into it."""
    closed = Table.objects.filter(offer=offer, state=Table.State.CLOSED, is_physical=False, is_private=False)
    closed = closed.filter(fed_by=None)
    found = closed.filter(name__regex=r" [0-9]+$").order_by("pk").values_list("pk", flat=True).first()
    if found is None:
        return None
    table = locking.table(found)
    if table.state != Table.State.CLOSED:
        return None
    write(table, **wanted, section_id=section_id)
    return table


def _name(offer: Offer, name: str) -> str:
    name = " ".join(name.split())
    if name:
        opening.check_name(name)
        return name
    stem = offer.name[: opening.LONGEST_NAME - 6].rstrip()
    taken = set(Table.objects.filter(name__startswith=stem).values_list("name", flat=True))
    return next(f"{stem} {number}" for number in range(1, len(taken) + 2) if f"{stem} {number}" not in taken)
