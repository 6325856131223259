"""Tables opened by the floor or for a game on offer, and the settings that dealt tables share.

A table keeps the settings of its offer. When the offer is edited, open tables go on as they are until the floor has
them take up the new settings, which happens between two hands.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from cardroom.cage import allowances
from cardroom.core import access, audit_log, languages, notices, room_time, sentences, topics
from cardroom.core.arguments import RowId
from cardroom.core.errors import Conflict, Illegal, Invalid, NotFound, Refusal, Verbatim
from cardroom.core.models import User
from cardroom.core.titles import title
from cardroom.core.verb import current_time, lock, verb
from games.dealers import downs
from games.engine.games import GAMES, MOST_SEATS
from games.play import moving, private, settling
from games.rake import time_clocks
from games.rulebooks import services as rulebook_services
from games.tables import holds, hosts, locking, offers, reasons, stacks
from games.tables import signals as table_signals
from games.tables.models.offers import Offer, SeatHold, Section
from games.tables.models.tables import Seat, Table, TableTerms

_TOO_LONG: dict[str, Any] = {
    "message": gettext_lazy("The message is text of at most {most} characters."),
    "name": gettext_lazy("The name is text of at most {most} characters."),
    "note": gettext_lazy("The note is text of at most {most} characters."),
    "reason": gettext_lazy("The reason is text of at most {most} characters."),
}


def checked_text(text: str, name: str, *, most: int) -> str:
    """A text that somebody typed, trimmed; `Invalid` where it is too long or has unprintable characters."""
    text = " ".join(text.split())
    if len(text) > most or not text.isprintable():
        raise Invalid(f"bad-{name}", Verbatim(_TOO_LONG[name].format(most=most)))
    return text


LONGEST_NAME = 60


@dataclass(frozen=True)
class TableStakes:
    """The stakes of a table, in chips; outside fixed limit `small_bet` is the smallest bet. `smallest_chip`: in play,
    0: not known."""

    ante: int
    bring_in: int
    small_bet: int
    big_bet: int
    smallest_chip: int = 0


@verb("tables.open_table")
def open_table(
    *,
    name: str,
    stakes: TableStakes,
    min_buy_in: int,
    max_buy_in: int,
    seat_count: int = MOST_SEATS,
    game: str = "seven-card-stud",
    rulebook: str = "roberts-v4",
    bots: int = 0,
    bot_strength: str = "",
    bots_wait_for_people: bool = True,
    dealt_by: str = Table.DealtBy.AUTOMATIC,
    deck: str = Table.Deck.SYSTEM,
    is_spoken: bool = False,
    is_hand_shown: bool = False,
    **settings: Any,
) -> Table:
    """Open a cash table. `settings`: seconds and counts by their names on `Table`, such as `act_seconds`.

    `dealt_by` a person: the hands wait for their commands, and nobody has a clock unless `act_seconds` sets one;
    `deck`: whose cards they deal; `is_spoken`: browsers say aloud what the dealer announces. Its first alarm brings the
    bots. Refuses: `Invalid` (what cannot be played), `Conflict` (the name is taken).
    """
    now = current_time()
    _check_table(name, stakes, min_buy_in, max_buy_in, seat_count, game, rulebook, bots)
    table = Table(
        name=name,
        game=game,
        rulebook=rulebook,
        ante=stakes.ante,
        bring_in=stakes.bring_in,
        small_bet=stakes.small_bet,
        big_bet=stakes.big_bet,
        smallest_chip=stakes.smallest_chip,
        seat_count=seat_count,
        min_buy_in=min_buy_in,
        max_buy_in=max_buy_in,
        bots=bots,
        bot_strength=bot_strength,
        bots_wait_for_people=bots_wait_for_people,
        dealt_by=dealt_by,
        deck=deck,
        is_spoken=is_spoken,
        is_hand_shown=is_hand_shown,
        opened_at=now,
        **with_clock(dealt_by, deck, is_hand_shown, settings),
    )
    return open_to_players(insert(table), now=now)


def insert(table: Table) -> Table:
    """Insert the row of a new table; `Conflict` where its name is taken."""
    try:
        with transaction.atomic():
            table.save(force_insert=True)
    except IntegrityError as error:
        raise Conflict("name-taken", "There is a table called {table} already.", table=table.name) from error
    return table


def open_to_players(table: Table, *, now: datetime) -> Table:
    """Open a table: anybody may sit down, and its first alarm brings its bots. Call with the table locked."""
    locking.write(table, state=Table.State.OPEN)
    table.deal_at = None
    offers.note(table, now=now)
    table_signals.table_opened.send(sender=Table, table=table, now=now)
    locking.store(table, wake_at=now)
    locking.tell(table)
    topics.tell("lobby", "floor", "board", "lists")
    return table


def check_name(name: str) -> None:
    """`Invalid` where a table cannot have this name."""
    if not 1 <= len(name.strip()) <= LONGEST_NAME or not name.isprintable():
        message = gettext_noop("A table has a name of 1 to {longest_name} characters.")
        raise Invalid("bad-name", message, longest_name=LONGEST_NAME)


def check_bots(bots: int, seat_count: int) -> None:
    """`Invalid` where so many bots leave no seat free."""
    if type(bots) is not int or not 0 <= bots < seat_count:
        raise Invalid("bad-bots", "At least one seat stays free of bots.")


def answer_for_bots(chips: int, *, by: User | None, now: datetime) -> dict[str, Any]:
    """Check that `by` may risk the most `chips` that bots of the house can buy in with. Returns the details for the
    audit log; empty where there are no bots, and for the house itself (`by` None). Refuses: `NeedsApproval`."""
    if by is None or chips <= 0:
        return {}
    return allowances.check(by=by, kind="bots", amount=chips, now=now, approval=None, roles=ROLES).details


def _check_table(
    name: str,
    stakes: TableStakes,
    min_buy_in: int,
    max_buy_in: int,
    seat_count: int,
    game: str,
    rulebook: str,
    bots: int,
) -> None:
    check_name(name)
    if game not in GAMES:
        message = gettext_noop("There is no game {game!r}: {games}.")
        raise Invalid("no-such-game", message, game=game, games=", ".join(GAMES))
    if not 2 <= seat_count <= GAMES[game].most_seats:
        raise Invalid("bad-seats", "A stud table has 2 to 8 seats.")
    if not 0 < stakes.bring_in <= stakes.small_bet <= stakes.big_bet or stakes.ante < 0:
        raise Invalid("bad-stakes", "The stakes must rise: 0 < bring-in <= small bet <= big bet, and no ante below 0.")
    if not stakes.big_bet <= min_buy_in <= max_buy_in:
        raise Invalid("bad-buy-in", "The buy-in goes from one big bet or more up to the table's most.")
    check_bots(bots, seat_count)
    rulebook_services.check_table(
        rulebook, structure="fixed-limit", setting="cash", seats=seat_count, bring_in=stakes.bring_in
    )


def with_clock(dealt_by: str, deck: str, is_hand_shown: bool, settings: dict[str, Any]) -> dict[str, Any]:
    """The settings with the act clock of such a table; `Invalid` where they do not go together."""
    if dealt_by not in Table.DealtBy.values or deck not in Table.Deck.values:
        raise Invalid("bad-deal", "A table is dealt automatic or by a person, from the system's deck or a typed one.")
    is_person = dealt_by == Table.DealtBy.PERSON
    if not is_person and (deck != Table.Deck.SYSTEM or is_hand_shown):
        raise Invalid("bad-deal", "The automatic dealer deals the system's deck and runs the showdown itself.")
    if is_person:
        return {"act_seconds": 0} | settings
    if settings.get("act_seconds", 30) < 1:
        raise Invalid("bad-clock", "An automatic dealer needs an act clock of at least one second.")
    return settings


#: The roles that open, pause, break and close tables.
ROLES = ("floor", "manager")

_OF_OFFER = tuple(field.attname for field in TableTerms._meta.local_fields)
#: The settings in which a table may differ from its offer, and those that an offer does not have.
OVERRIDES = frozenset(offers.OWN) | {
    *("bots", "bots_wait_for_people", "is_hand_shown", "is_private", "password", "must_move_to_id")
}
#: The settings to which a table that was used before is reset.
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


@verb("tables.open_for")
def open_for(
    *,
    offer_id: RowId,
    name: str = "",
    table_id: RowId | None = None,
    section_id: RowId | None = None,
    by: User | None,
    **overrides: Any,
) -> Table:
    """Open a table for a game on offer. `by` None: its list is long enough and opens one by itself.

    `table_id`: the free table of the room to open. Without it, in the room: the free one called `name`, or without a
    name the first free one (of that section, if given), or a new one where none is free. Online: a new one called
    `name`, or without a name a closed one of this offer, or a new one with the next number. `overrides`: the settings
    in which this table differs, see `OVERRIDES`; `password` as it is typed.

    Refuses: `Forbidden` (not of the floor), `NotFound` (offer, section, table), `Invalid`, `Conflict` (the name is
    taken, the table is not free), `Illegal` (the offer is withdrawn), `NeedsApproval` (the chips of its bots). Locks
    the offer, then the table.
    """
    if by is not None:
        access.require_role(by, *ROLES)
    offer, now = lock(Offer, offer_id)
    if not offer.is_listed:
        message = gettext_noop("{offer} is withdrawn: put it on offer again first.")
        raise Illegal("offer-withdrawn", message, offer=offer.name)
    check_section(section_id)
    settings = _settings(offer, overrides, now=now)
    answered = answer_for_bots(settings["bots"] * settings["max_buy_in"], by=by, now=now)
    if table_id is not None:
        table = _take_free(table_id, settings, section_id)
    elif offer.is_physical and (free := _first_free(name, section_id)) is not None:
        table = _take_free(free, settings, section_id)
    elif name.strip() or offer.is_physical or (table := _take_closed(offer, settings, section_id)) is None:
        table = insert(Table(name=_name(offer, name), section_id=section_id, **settings))
    audit_log.note(
        verb="tables.open_for",
        subject=f"table:{table.pk}",
        by=by,
        now=now,
        offer=offer.pk,
        name=table.name,
        with_own=sorted(overrides),
        **answered,
    )
    return open_to_players(table, now=now)


def apply_offer_settings(table: Table, *, now: datetime) -> None:
    """Give the table the present settings of its offer. Call with the table locked and no hand being played.

    The table keeps as many seats as it needs for those that are taken or held.
    """
    offer = table.offer
    if offer is not None:
        numbers = [rows.values_list("number", flat=True) for rows in (table.seats, table.holds)]
        highest = max((number for some in numbers for number in some), default=0)
        fields = offers.without_extra({field: getattr(offer, field) for field in _OF_OFFER})
        fields["seat_count"] = max(fields["seat_count"], highest)
        locking.write(table, **fields, offer_version=offer.version, bots=min(table.bots, fields["seat_count"] - 1))
        if not table.minds_presence:
            # The table would not learn that these players are back.
            table.seats.filter(gone_at__isnull=False).update(gone_at=None, extras_taken=0)
    locking.write(table, is_taking_up=False)
    time_clocks.start_or_stop(table, now=now)
    locking.tell(table)
    topics.tell("lobby", "floor", "board")


def check_edit(table: Table, changes: dict[str, Any]) -> None:
    """`Invalid` where these changes do not fit the table as it is."""
    if "name" in changes:
        check_name(changes["name"])
    if "bots" in changes:
        _check_bots(changes["bots"], table.seat_count, is_physical=table.is_physical)
    if changes.get("must_move_to_id") is not None:
        if changes["must_move_to_id"] == table.pk:
            raise Invalid("bad-must-move", "A game cannot be its own main game.")
        _check_main_game(changes["must_move_to_id"], table.offer)
        _check_no_ring(table, changes["must_move_to_id"])


def check_section(section_id: int | None) -> None:
    """Refuse a section that is not there (`NotFound`)."""
    if section_id is not None and not Section.objects.filter(pk=section_id).exists():
        raise NotFound("no-such-section", "There is no such section of the room.")


def _settings(offer: Offer, overrides: dict[str, Any], *, now: datetime) -> dict[str, Any]:
    """All settings with which a table for this offer begins."""
    unknown = sorted(set(overrides) - OVERRIDES)
    if unknown:
        message = gettext_noop("A table has no setting of its own called {unknown!r}.")
        raise Invalid("no-such-setting", message, unknown=unknown[0])
    fields = {field: getattr(offer, field) for field in _OF_OFFER} | _FRESH
    fields |= {name: value for name, value in overrides.items() if value is not None}
    _check_overrides(offer, fields)
    fields = offers.without_extra(fields)
    if fields["password"]:
        fields |= {"is_private": True, "password": make_password(fields["password"])}
    return fields | {"offer_id": offer.pk, "offer_version": offer.version, "opened_at": now}


def _check_overrides(offer: Offer, fields: dict[str, Any]) -> None:
    seats = fields["seat_count"]
    if type(seats) is not int or not 2 <= seats <= GAMES[offer.game].most_seats:
        raise Invalid("bad-seats", "A stud table has 2 to 8 seats.")
    rulebook_services.check_table(
        offer.rulebook, structure=offer.structure, setting="cash", seats=seats, bring_in=offer.bring_in
    )
    _check_bots(fields["bots"], seats, is_physical=offer.is_physical)
    for name in _CLOCKS:
        # With 0 missed clocks allowed a player would sit out after every one.
        least = 1 if name == "missed_clocks_allowed" else 0
        if type(fields[name]) is not int or not least <= fields[name] <= _MOST_SECONDS:
            words = gettext("{said} is a number from {least} to {most_seconds:,}.")
            message = sentences.filled(words, said=title(name), least=least, most_seconds=_MOST_SECONDS)
            raise Invalid("bad-clock", Verbatim(message))
    for message in offers.extra_faults(fields).values():
        raise Invalid("bad-clock", Verbatim(message))
    own = {"act_seconds": fields["act_seconds"]}
    with_clock(offer.dealt_by, offer.deck, fields["is_hand_shown"], own if not offer.is_physical else {})
    if fields["must_move_to_id"] is not None:
        _check_main_game(fields["must_move_to_id"], offer)


def _check_bots(bots: int, seats: int, *, is_physical: bool) -> None:
    check_bots(bots, seats)
    if is_physical and bots:
        raise Invalid("bad-bots", "No bots sit at the tables of the room.")


def _check_main_game(table_id: int, offer: Offer | None) -> None:
    main_table = Table.objects.filter(pk=table_id, offer=offer, offer__isnull=False, state=Table.State.OPEN)
    if not main_table.exists():
        raise Invalid("bad-must-move", "The main game of a must-move game is an open table of the same game.")


def _check_no_ring(table: Table, table_id: int) -> None:
    """`Invalid` where two games would feed each other: their players would go to and fro for ever."""
    feeds = dict(Table.objects.filter(must_move_to__isnull=False).values_list("pk", "must_move_to"))
    seen: set[int] = set()
    while table_id in feeds and table_id not in seen:
        seen.add(table_id)
        table_id = feeds[table_id]
        if table_id == table.pk:
            raise Invalid("bad-must-move", "That game must move to this one already: one of them is the main game.")


def _first_free(name: str, section_id: int | None) -> int | None:
    """A free table of the room: the one with this name, or without a name the first."""
    free = Table.objects.filter(is_physical=True, event="", state=Table.State.FREE)
    if section_id is not None:
        free = free.filter(section=section_id)
    if name.strip():
        free = free.filter(name__iexact=" ".join(name.split()))
    return free.order_by("pk").values_list("pk", flat=True).first()


def _take_free(table_id: int, settings: dict[str, Any], section_id: int | None) -> Table:
    """Take a free table of the room for a new game. Tables that fed its last game do not feed the new one."""
    feeding = Table.objects.filter(must_move_to=table_id).values_list("pk", flat=True)
    others = locking.tables({table_id, *feeding})
    table = others.pop(table_id)
    if table.event or table.state != Table.State.FREE:
        message = gettext("{table} is not free: close what is played there first.")
        raise Conflict("table-not-free", Verbatim(message.format(table=table.name)))
    if table.is_physical != settings["is_physical"]:
        message = gettext("A table of the room has no games that are dealt by the system, and the other way round.")
        raise Illegal("bad-table", Verbatim(message))
    if section_id is not None:
        settings = settings | {"section_id": section_id}
    for other in others.values():
        locking.write(other, must_move_to_id=None)
    locking.write(table, **settings)
    return table


def _take_closed(offer: Offer, settings: dict[str, Any], section_id: int | None) -> Table | None:
    """A closed table of the offer, so that names and numbers stay few; the offer's lock keeps two from taking one.

    A main game that was closed is left alone: the game that fed it plays on, and would be emptied into it."""
    closed = Table.objects.filter(offer=offer, state=Table.State.CLOSED, is_physical=False, is_private=False)
    closed = closed.filter(fed_by=None)
    table_id = closed.filter(name__regex=r" [0-9]+$").order_by("pk").values_list("pk", flat=True).first()
    if table_id is None:
        return None
    table = locking.table(table_id)
    if table.state != Table.State.CLOSED:
        return None
    locking.write(table, **settings, section_id=section_id)
    return table


def _name(offer: Offer, name: str) -> str:
    name = " ".join(name.split())
    if name:
        check_name(name)
        return name
    stem = offer.name[: LONGEST_NAME - 6].rstrip()
    taken = set(Table.objects.filter(name__startswith=stem).values_list("name", flat=True))
    return next(f"{stem} {number}" for number in range(1, len(taken) + 2) if f"{stem} {number}" not in taken)


#: How long a seat is held at another table where the offer says nothing.
_USUAL_HOLD_MINUTES = 10


def tables_of_the_game(table_id: int) -> list[int]:
    """The ids of the other open tables of the same game on offer, which `move_players_and_close` needs locked."""
    others = Table.objects.filter(offer__tables=table_id, state=Table.State.OPEN, event="").exclude(pk=table_id)
    return list(others.order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def carry_out(*, table_id: int, version: int, now: datetime) -> bool:
    """The table's alarm after the last hand of a game that breaks up; False where the table moved on since `version`.

    Locks the table and the others of the game, in the order of their ids.
    """
    others = locking.tables({table_id, *tables_of_the_game(table_id)})
    table = others.pop(table_id)
    if table.version != version or table.state != Table.State.BREAKING or table.hand_id is not None:
        return False
    if table.is_physical:
        _finish_if_empty(table, now=now)
    else:
        move_players_and_close(table, list(others.values()), by=None, now=now)
    return True


def move_players_and_close(table: Table, others: list[Table], *, by: User | None, now: datetime) -> None:
    """Move the players elsewhere, longest at the table first, and close the table. `others`: the other tables of the
    game. Call with all of them locked, and no hand here."""
    seats = sorted(stacks.seats_of(table), key=lambda seat: (seat.sat_at, seat.pk))
    if table.is_physical:
        for seat in seats:
            _hold_elsewhere(table, seat, others, by=by, now=now)
        _finish_if_empty(table, now=now)
        return
    # Those for whom there is no other seat get their chips back, and the first place on the list.
    staying = [seat for seat in seats if not _move_elsewhere(table, seat, others, by=by, now=now)]
    table.refresh_from_db()  # every move stored it
    for seat in staying:
        _put_on_list(table, seat, by=by, now=now)
    stacks.hold(seat.player for seat in staying)
    for seat in staying:
        stacks.cash_out(seat, table, now=now)
    _finish(table, Table.State.CLOSED, now=now)


def clear(table: Table) -> None:
    """Clear held seats, invitations and pauses when the game is over."""
    SeatHold.objects.filter(table=table).delete()
    table.invitations.all().delete()
    locking.write(table, paused_at=None, pause_reason="", notice="", notice_at=None, is_taking_up=False)


def _move_elsewhere(table: Table, seat: Seat, others: list[Table], *, by: User | None, now: datetime) -> bool:
    """Move a player to another table of the game; False where that is not possible. Players who are away or leaving
    are not moved: they would take seats from those who are there."""
    if seat.player.is_bot or seat.state not in (Seat.State.PLAYING, Seat.State.MOVING) or not seat.account.balance:
        return False
    for target, number in _places(table, seat, others, now=now):
        try:
            with transaction.atomic():
                way: dict[str, Any] = {"table_id": table.pk, "to_table_id": target.pk, "number": number}
                moving.move(player=seat.player, **way, by=None, why=reasons.BROKE(at=table.name), now=now)
        except Refusal:
            continue
        target.refresh_from_db()
        with languages.spoken_to(seat.player):
            text = gettext("{table} broke: you sit in seat {number} of {other}, with your stack.")
        _tell_player(seat, text.format(table=table.name, number=number, other=target.name), now=now)
        return True
    return False


def _put_on_list(table: Table, seat: Seat, *, by: User | None, now: datetime) -> None:
    """Put the player on top of the list of their game; where there is none, notify them where their chips are."""
    if seat.player.is_bot or seat.state in (Seat.State.LEAVING, Seat.State.REMOVED):
        return
    if table.offer is not None and table.offer.is_listed:
        why = reasons.BROKE_WITHOUT_A_SEAT(at=table.name)
        hosts.host_of(table).seat_lost(seat, table, by=by, why=why, now=now)
    else:
        with languages.spoken_to(seat.player):
            text = (
                gettext("{table} broke; the floor counts your chips.")
                if table.is_physical
                else gettext("{table} broke; your chips are in your wallet.")
            )
        _tell_player(seat, text.format(table=table.name), now=now)


def _tell_player(seat: Seat, text: str, *, now: datetime) -> None:
    key = f"broke:{seat.table_id}:{seat.pk}"
    notices.tell(player=seat.player, kind="broke", text=text, now=now, key=key)


def _hold_elsewhere(table: Table, seat: Seat, others: list[Table], *, by: User | None, now: datetime) -> None:
    """In the room: hold a seat at another table while the player carries their chips over; where none is free, put them
    on top of the list."""
    if seat.state in (Seat.State.LEAVING, Seat.State.REMOVED):
        return
    minutes = table.offer.hold_minutes if table.offer else _USUAL_HOLD_MINUTES
    until = now + timedelta(minutes=minutes)
    for target, number in _places(table, seat, others, now=now):
        try:
            with transaction.atomic():
                why = SeatHold.Why.MOVE
                holds.hold(table_id=target.pk, number=number, player=seat.player, why=why, until=until, by=by, now=now)
            with languages.spoken_to(seat.player):
                text = gettext(
                    "{table} breaks: seat {number} of {other} is held for you until {until}. The floor counts your "
                    "chips, and you take them there."
                ).format(table=table.name, number=number, other=target.name, until=room_time.clock_and_zone(until))
            _tell_player(seat, text, now=now)
            return
        except Refusal:
            continue
    _put_on_list(table, seat, by=by, now=now)


def _places(table: Table, seat: Seat, others: list[Table], *, now: datetime) -> list[tuple[Table, int]]:
    """Seats that the player could move to: one at each other table, the table with the most free seats first."""
    free = []
    for target in others:
        if target.state != Table.State.OPEN or target.is_physical != table.is_physical:
            continue
        if target.seats.filter(player=seat.player).exists() or not private.may_sit(target, seat.player):
            continue
        numbers = holds.free_seats(target, seat.player, now=now)
        if numbers:
            free.append((target, numbers))
    return [(target, numbers[0]) for target, numbers in sorted(free, key=lambda place: (-len(place[1]), place[0].pk))]


def _finish_if_empty(table: Table, *, now: datetime) -> None:
    """In the room: close the table once nobody sits there and all chips are counted."""
    if table.seats.exists() or settling.expected(table):
        locking.store(table, wake_at=None)
        return
    _finish(table, Table.State.FREE, now=now)


def _finish(table: Table, state: Table.State, *, now: datetime) -> None:
    downs.end_at(table, now=now)
    locking.write(table, state=state)
    table.deal_at = None
    clear(table)
    locking.store(table, wake_at=None)
    locking.tell(table)
    topics.tell("lobby", "floor", "board", "lists")
