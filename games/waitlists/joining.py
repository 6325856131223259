"""Names put on lists and taken off: joining, leaving, moving; by telephone, after a table broke."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from django.db import IntegrityError, transaction
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from cardroom.accounts import bans, people
from cardroom.core import access, audit_log, languages, notices, room_time
from cardroom.core.arguments import Limits, RowId, internal
from cardroom.core.errors import Conflict, Illegal, Invalid
from cardroom.core.models import User
from cardroom.core.sentences import StoredText, to_text
from cardroom.core.verb import lock, verb
from cardroom.ledger import limits
from games.play import moving
from games.tables import holds, locking
from games.tables.models.offers import Offer
from games.tables.models.tables import Seat, Table
from games.waitlists import choosing, reasons, store
from games.waitlists.models import ListEntry, ListMove
from games.waitlists.wishes import Wishes, check_wishes

Kind, State, Source, MoveKind = ListEntry.Kind, ListEntry.State, ListEntry.Source, ListMove.Kind

ROLES = ("floor", "manager")
#: How long a player who refused to move to the main game stays off its lists.
REFUSED_FOR = timedelta(hours=1)

JoinKind = Annotated[Literal["list", "interest", "seat-change", "table-change"], Limits(required=False)]
TableOfSeat = Annotated[int | None, Limits(min_value=1, called="table", help_text="For a change: where you sit.")]
Phone = Annotated[str, Limits(max_length=30, required=False, allow_blank=False)]
OtherOffer = Annotated[RowId, Limits(error_messages={"required": gettext_lazy("Choose a list.")})]
FloorReason = Annotated[str, Limits(max_length=300, required=False, allow_blank=False, help_text="For the floor.")]


@verb("lists.join")
def join(
    *,
    offer_id: RowId,
    kind: JoinKind = "list",
    table_id: TableOfSeat = None,
    wishes: Wishes | None = None,
    source: Annotated[str, internal] = Source.WEB,
    player: Annotated[User | None, internal] = None,
    by: User,
) -> ListEntry:
    """Put a name on a list of a game: its waiting list, or to change seats (`table_id`: where they sit) or tables.
    `player` is somebody else, whom the floor puts there.

    Where no table of the game is open yet the waiting list is its interest list. Refuses: `NotFound`, `Forbidden` (may
    not play; not of the floor), `Conflict` (on it already), `Illegal` (not offered, they play it already, have no seat
    to change, refused to move within the hour), `Invalid`. Locks the offer.
    """
    player = player or by
    if by.pk != player.pk:
        access.require_role(by, *ROLES)
    wanted = check_wishes(wishes or Wishes())
    if source not in Source.values or kind not in Kind.values or kind == Kind.MUST_MOVE:
        raise Invalid("no-such-list", "There is no such list.")
    offer, now = lock(Offer, offer_id)
    return create_entry(offer, player, kind=kind, table_id=table_id, wishes=wanted, source=source, by=by, now=now)


@verb("lists.leave")
def leave(*, entry_id: RowId, reason: FloorReason = "", by: User) -> ListEntry:
    """Take a name off its list: one's own, or as the floor with a reason. A seat that is held for it is free again.

    A player who refuses to move to the main game gives up their seat: see `calling.answer`. Refuses: `NotFound`,
    `Conflict` (off it already), `Invalid` (the floor, without a reason). Locks the offer, then the tables.
    """
    entry, now = lock(store.entry_at_tables, entry_id)
    check_may_act_for(entry, by)
    if by.pk == entry.player_id:
        return take_off(entry, why="", by=by, now=now)
    why = audit_log.reason_given(reason, what=gettext("removing a name from a list"))
    return take_off(entry, why=why, by=by, now=now)


def take_off(entry: ListEntry, *, why: StoredText, by: User, now: datetime) -> ListEntry:
    """Take the name off its list, with the offer and the tables locked; `why`: where it is not the player who does it.
    Refuses what `leave` refuses."""
    check_may_act_for(entry, by)
    is_own = by.pk == entry.player_id
    if entry.kind == Kind.MUST_MOVE and is_own:
        raise Conflict(
            "must-move",
            "You must move to the main game; if you refuse you lose your seat.",
            rule=choosing.BY_SLUG["must-move"].cite,
        )
    free_seat(entry, now=now)
    entry = store.locked_entry(entry.pk)
    store.check_active(entry)
    entry.state = State.LEFT if is_own else State.PASSED
    rule = "own-wish" if is_own else "floor"
    why = reasons.LEFT_LIST() if is_own else why
    store.save_move(entry, MoveKind.LEFT if is_own else MoveKind.TAKEN_OFF, rule=rule, why=why, by=by, now=now)
    if not is_own:
        with languages.spoken_to(entry.player):
            pattern = gettext("You were removed from the list of {game}: {why}")
            text = pattern.format(game=entry.offer.name, why=to_text(why))
        notices.tell(player=entry.player, kind="taken-off", text=text, key=f"list:{entry.pk}:off", now=now)
    return entry


@verb("lists.transfer")
def transfer(*, entry_id: RowId, offer_id: OtherOffer, by: User) -> ListEntry:
    """Move a name to the bottom of the list of another game, where it joins now. Refuses: `NotFound`, `Conflict` (off
    the list, called, on the other list already, the same game). Locks both offers, in order."""
    (entry, target), now = lock(_entry_and_offer, entry_id, offer_id)
    check_may_act_for(entry, by)
    store.check_active(entry)
    if entry.is_move or target.pk == entry.offer_id:
        raise Conflict("same-list", "Choose the list of another game.")
    if entry.is_called:
        raise Conflict("called", "The name is called: answer or cancel the call first.")
    entry.state = State.LEFT
    why = reasons.TRANSFERRED(game=target.name)
    store.save_move(entry, MoveKind.TRANSFERRED, rule="own-wish", why=why, by=by, now=now)
    wishes = {name: wish for name, wish in entry.wishes.items() if name != "tables"}
    return create_entry(target, entry.player, wishes=wishes, source=Source.TRANSFER, by=by, now=now)


def _entry_and_offer(entry_id: int, offer_id: int) -> tuple[ListEntry, Offer]:
    """A name and another game. Locks the name's own game and that one, in the order of their ids."""
    games = ListEntry.objects.filter(pk=entry_id).values_list("offer", flat=True)
    if not games:
        raise ListEntry.not_found()
    rows = Offer.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=[offer_id, *games])
    offers = {offer.pk: offer for offer in rows.order_by("pk")}
    if offer_id not in offers:
        raise Offer.not_found()
    entry = ListEntry.objects.select_related("offer", "player", "table", "called_to").get(pk=entry_id)
    return entry, offers[offer_id]


@verb("lists.phone_in", roles=ROLES)
def phone_in(
    *, offer_id: RowId, name: str, phone: str = "", wishes: Wishes | None = None, source: str = Source.PHONE, by: User
) -> ListEntry:
    """Put somebody who is not in the room on a list, by the name they give.

    The screen name of a player is that player; any other name makes a guest. Refuses what `join` refuses.
    """
    wishes = wishes or Wishes()
    wanted = check_wishes(replace(wishes, phone=phone or wishes.phone))
    offer, now = lock(Offer, offer_id)
    player = User.objects.filter(username__iexact=name.strip(), is_bot=False, is_active=True).first()
    player = player or people.make_guest(name=name, now=now)
    return create_entry(offer, player, wishes=wanted, source=source, by=by, now=now)


@transaction.atomic
def put_back(
    *,
    offer_id: int,
    player: User,
    now: datetime,
    by: User | None = None,
    why: StoredText = "",
    table_id: int | None = None,
) -> ListEntry | None:
    """Put a player at the top of the list because their game broke; a name that is on the list already goes up. None
    for a bot, and for a name that is called already.

    Call it for players in the order of their time at the table: one put back earlier stays before one put back later.
    The caller has the tables of the game locked: this locks the name only, and no offer.
    """
    if player.is_bot:
        return None
    offer = Offer.objects.get(pk=offer_id)
    names = ListEntry.objects.filter(offer=offer, player=player, kind__in=(Kind.LIST, Kind.INTEREST))
    entry = names.filter(state__in=ListEntry.ACTIVE).select_for_update(no_key=True, of=("self",)).first()
    if entry is not None and entry.is_called:
        return None
    if entry is None:
        entry = ListEntry(offer=offer, player=player, source=Source.TRANSFER, by=by, joined_at=now)
    entry.kind, entry.tier, entry.place = list_kind(offer), 0, store.next_place(offer)
    entry.save()
    table = None if table_id is None else Table.objects.get(pk=table_id)
    store.save_move(
        entry, MoveKind.PUT_BACK, rule="put-back", why=why or reasons.GAME_BROKE(), by=by, now=now, table=table
    )
    with languages.spoken_to(player):
        text = (
            gettext("Your game broke. You are at the top of the list of {game}; the floor counts the chips before you.")
            if offer.is_physical
            else gettext("Your game broke. You are at the top of the list of {game}; your chips are in your wallet.")
        ).format(game=offer.name)
    notices.tell(player=player, kind="put-back", key=f"list:{entry.pk}:{entry.version}", now=now, text=text)
    store.wake_lists(entry=entry.pk, now=now)
    return entry


def strike_off(*, player: User, now: datetime, is_online: bool = True, is_room: bool = True) -> int:
    """Take a banned player off every list and cancel their calls; returns how many names.

    A transaction for each name, as no offer is locked after a table; a second call does what a crash left undone.
    """
    rows = ListEntry.objects.filter(player=player, state__in=ListEntry.ACTIVE).select_related("offer")
    entry_ids = [row.pk for row in rows.order_by("offer", "pk") if (is_room if row.offer.is_physical else is_online)]
    return sum(_strike_off(entry_id, now=now) for entry_id in entry_ids)


@transaction.atomic
def _strike_off(entry_id: int, *, now: datetime) -> bool:
    release(store.entry(entry_id), now=now)
    entry = store.locked_entry(entry_id)
    if not entry.is_active:
        return False
    entry.state = State.PASSED
    store.save_move(entry, MoveKind.TAKEN_OFF, rule="barred", why=reasons.BARRED(), by=None, now=now)
    store.wake_lists(offer=entry.offer_id, now=now)
    return True


def check_may_act_for(entry: ListEntry, by: User) -> None:
    """`NotFound` for a user who is neither the owner of the name nor of the floor."""
    if by.pk != entry.player_id and not access.has_role(by, *ROLES):
        raise ListEntry.not_found()


def release(entry: ListEntry, *, now: datetime) -> None:
    """`free_seat`, with the tables locked; the entry is locked after it."""
    if entry.is_called and entry.called_to_id is not None:
        locking.tables({pk for pk in (entry.table_id if entry.is_move else None, entry.called_to_id) if pk})
        free_seat(entry, now=now)


def free_seat(entry: ListEntry, *, now: datetime) -> None:
    """Free the seat held for a call, cancel a move that waits for the end of a hand, and put away the notices of it.
    Call it with the tables locked."""
    if not entry.is_called or entry.called_to_id is None:
        return
    if entry.is_move and entry.table_id is not None:
        moving.cancel_move(player=entry.player, table_id=entry.table_id, now=now)
    holds.release(table_id=entry.called_to_id, player=entry.player, by=None, now=now)
    store.put_away_call_notices(entry, now=now)
    store.wake_lists(offer=entry.offer_id, now=now)


def list_kind(offer: Offer) -> str:
    """Whether the names of this game wait for a seat, or for a table to be opened."""
    is_open = Table.objects.filter(offer=offer, state=Table.State.OPEN, is_private=False).exists()
    return Kind.LIST if is_open else Kind.INTEREST


def create_entry(
    offer: Offer,
    player: User,
    *,
    kind: str = Kind.LIST,
    table_id: int | None = None,
    wishes: dict[str, Any],
    source: str,
    by: User,
    now: datetime,
) -> ListEntry:
    """Create the name on the list, with the offer locked and the wishes checked. Refuses what `join` refuses."""
    if player.is_bot:
        raise Illegal("bot", "A house bot cannot join a list.")
    if not offer.is_listed:
        raise Illegal("not-offered", "{offer} is not on offer.", offer=offer.name)
    bans.check_may_play(player=player, now=now, where="room" if offer.is_physical else "online")
    limits.check(player=player, kind="time", now=now)
    _check_refusal(offer, player, now)
    wishes = _with_tables(offer, kind, wishes)
    table = _seat_to_change(offer, player, kind, table_id, wishes)
    if kind in (Kind.LIST, Kind.INTEREST):
        kind = list_kind(offer)
        _check_not_playing(offer, player)
    try:
        with transaction.atomic():
            entry = ListEntry.objects.create(
                offer=offer,
                table=table,
                player=player,
                kind=kind,
                source=source,
                by=by if by.pk != player.pk else None,
                wishes=wishes,
                place=store.next_place(offer),
                joined_at=now,
            )
    except IntegrityError as error:
        raise Conflict("on-the-list", "{player} is already on this list.", player=player) from error
    _check_once(entry)
    why = reasons.JOINED[Kind(kind)](game=offer.name, what=reasons.SOURCES[Source(source)]())
    store.save_move(entry, MoveKind.JOINED, rule="own-wish", why=why, by=by, now=now, table=table)
    store.wake_lists(offer=offer.pk, now=now)
    return entry


def _with_tables(offer: Offer, kind: str, wishes: dict[str, Any]) -> dict[str, Any]:
    """The wishes; refused where a table in them plays another game. A seat change has no wish for tables."""
    if kind == Kind.SEAT_CHANGE:
        return {name: wish for name, wish in wishes.items() if name != "tables"}
    wanted = wishes.get("tables", [])
    if wanted and Table.objects.filter(pk__in=wanted, offer=offer).count() != len(wanted):
        raise Invalid("other-game", "Choose among the tables of {offer}.", offer=offer.name)
    return wishes


def _check_once(entry: ListEntry) -> None:
    """Refuse a second name of a player for one game, whether the other is on its waiting or its interest list."""
    kinds = (Kind.LIST, Kind.INTEREST)
    if entry.kind not in kinds:
        return
    other_names = ListEntry.objects.filter(
        offer=entry.offer_id, player=entry.player_id, kind__in=kinds, state__in=ListEntry.ACTIVE
    )
    if other_names.exclude(pk=entry.pk).exists():
        raise Conflict("on-the-list", "{player} is already on this list.", player=entry.player)


def _check_not_playing(offer: Offer, player: User) -> None:
    most = 1 if offer.is_physical else offer.tables_per_player
    seats = list(Seat.objects.filter(table__offer=offer, player=player).select_related("table")[:most])
    if len(seats) >= most:
        raise Illegal(
            "plays-already",
            "{player} already plays {offer} at {table}: ask for a seat or table change.",
            rule=choosing.BY_SLUG["list"].cite,
            player=player,
            offer=offer.name,
            table=seats[0].table.name,
        )


def _check_refusal(offer: Offer, player: User, now: datetime) -> None:
    refused = ListMove.objects.filter(
        entry__player=player, entry__offer=offer, rule="refused-move", at__gt=now - REFUSED_FOR
    ).first()
    if refused is not None:
        until = room_time.readers_clock(refused.at + REFUSED_FOR)
        pattern = gettext_noop("{player} refused to move to the main game and is not on its lists before {until}.")
        cite = choosing.BY_SLUG["refused-move"].cite
        raise Illegal("refused-move", pattern, rule=cite, player=player, until=until)


def _seat_to_change(
    offer: Offer, player: User, kind: str, table_id: int | None, wishes: dict[str, Any]
) -> Table | None:
    """The table where a player who wants to move sits; None on a waiting list."""
    if kind in (Kind.LIST, Kind.INTEREST):
        return None
    seats = Seat.objects.filter(player=player, table__offer=offer).select_related("table")
    seat = (seats.filter(table=table_id) if table_id is not None else seats).order_by("pk").first()
    if seat is None:
        raise Illegal("no-seat", "{player} has no seat in {offer} to change from.", player=player, offer=offer.name)
    if kind == Kind.SEAT_CHANGE and wishes.get("seats") == [seat.number]:
        raise Invalid("own-seat", "Seat {number} is already their seat.", number=seat.number)
    return seat.table
