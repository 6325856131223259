"""Names put on lists and taken off: joining, leaving, moving; by telephone, at the kiosk, after a table broke."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, cast

from django.db import IntegrityError, transaction
from django.utils.translation import gettext, gettext_noop

from cardroom.accounts import bans, members, people, visits
from cardroom.accounts.models import Member, RoomSession, Visit
from cardroom.core import access, audit_log, languages, notices, room_time, texting
from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotFound, TooMany
from cardroom.core.models import User
from cardroom.core.operation import operation, read
from cardroom.ledger import limits
from games.play import moving
from games.tables import holds, locking
from games.tables.models.offers import Offer
from games.tables.models.tables import Seat, Table
from games.waitlists import choosing, reasons, store
from games.waitlists.models import KioskTry, ListEntry, ListMove

Kind, State, Source, Verb = ListEntry.Kind, ListEntry.State, ListEntry.Source, ListMove.Verb

ROLES = ("floor", "manager")
#: So long who refused to move to the main game stays off its lists.
REFUSED_FOR = timedelta(hours=1)


@operation(store.of_offer, verb="lists.join")
def join(
    *, offer_id: int, player: User, source: str, now: datetime, by: User | None = None, kind: str = Kind.LIST,
    table_id: int | None = None, wishes: Mapping[str, Any] | None = None,
) -> ListEntry:  # fmt: skip
    """Put a name on a list of a game: its waiting list, or to change seats (`table_id`: where they sit) or tables.

    Where no table of the game is open yet the waiting list is its interest list. `by`: who of the staff did it.
    Refuses: `NotFound`, `Forbidden` (may not play; not of the floor), `Conflict` (on it already), `Illegal` (not
    offered, they play it already, have no seat to change, refused to move within the hour), `Invalid`. Locks the offer.
    """
    if by is not None and by.pk != player.pk:
        access.require_role(by, *ROLES)
    wanted = store.checked(wishes or {})
    if source not in Source.values or kind not in Kind.values or kind == Kind.MUST_MOVE:
        raise Invalid("no-such-list", "There is no such list.")
    return _join(store.offer(offer_id), player, source, by, kind, table_id, wanted, now)


@operation(store.of_entry, verb="lists.leave")
def leave(*, entry_id: int, by: User, now: datetime, reason: str = "") -> ListEntry:
    """Take a name off its list: one's own, or as the floor with a reason. A seat that is held for it is free again.

    Who refuses to move to the main game gives up their seat: see `calling.answer`. Refuses: `NotFound`, `Conflict`
    (off it already), `Invalid` (the floor, without a reason).
    """
    entry = seen(entry_id, by)
    is_own = by.pk == entry.player_id
    if entry.kind == Kind.MUST_MOVE and is_own:
        raise Conflict(
            "must-move",
            "You must move to the main game; if you refuse you lose your seat.",
            rule=choosing.BY_SLUG["must-move"].cite,
        )
    typed = "" if is_own else audit_log.reason_given(reason, what=gettext("removing a name from a list"))
    release(entry, now=now)
    entry = store.again(entry.pk)
    store.check_active(entry)
    entry.state = State.LEFT if is_own else State.PASSED
    rule = "own-wish" if is_own else "floor"
    why = reasons.LEFT_LIST() if is_own else typed
    store.moved(entry, Verb.LEFT if is_own else Verb.TAKEN_OFF, rule=rule, why=why, by=by, now=now)
    if not is_own:
        with languages.spoken_to(entry.player):
            text = gettext("You were removed from the list of {game}: {why}").format(game=entry.offer.name, why=typed)
        notices.tell(player=entry.player, kind="taken-off", text=text, key=f"list:{entry.pk}:off", now=now)
    return entry


def _lock_both(entry_id: int, offer_id: int, **about: Any) -> None:
    games = ListEntry.objects.filter(pk=entry_id).values_list("offer", flat=True)
    list(
        Offer.objects.select_for_update(no_key=True).filter(pk__in=[offer_id, *games]).order_by("pk").values_list("pk")
    )


@operation(_lock_both, verb="lists.transfer")
def transfer(*, entry_id: int, offer_id: int, by: User, now: datetime) -> ListEntry:
    """Move a name to the list of another game, as its last; their time of joining there is now. `NotFound`, `Conflict`
    (off the list, called, on the other one already, the same game) as elsewhere. Locks both offers, in order."""
    first, second = sorted([offer_id, _offer_of(entry_id)])
    store.offer(first)
    target = store.offer(second) if second == offer_id else None
    entry = seen(entry_id, by)
    store.check_active(entry)
    target = target or Offer.objects.get(pk=offer_id)
    if entry.is_move or target.pk == entry.offer_id:
        raise Conflict("same-list", "Choose the list of another game.")
    if entry.is_called:
        raise Conflict("called", "The name is called: answer or cancel the call first.")
    entry.state = State.LEFT
    why = reasons.TRANSFERRED(game=target.name)
    store.moved(entry, Verb.TRANSFERRED, rule="own-wish", why=why, by=by, now=now)
    staff = by if by.pk != entry.player_id else None
    wishes = {name: wish for name, wish in entry.wishes.items() if name != "tables"}
    return _join(target, entry.player, Source.TRANSFER, staff, Kind.LIST, None, wishes, now)


@transaction.atomic
def put_back(
    *, offer_id: int, player: User, now: datetime, by: User | None = None, why: str = "", table_id: int | None = None
) -> ListEntry | None:
    """To the top of the list: the game broke. Call it in the order of the time at the table; who was put back before
    stays before. Who is on the list already goes up; None for a bot, and for who is called already.

    For who has the tables of a game locked: it locks the name only, and no offer.
    """
    if player.is_bot:
        return None
    offer = Offer.objects.get(pk=offer_id)
    same = ListEntry.objects.filter(offer=offer, player=player, kind__in=(Kind.LIST, Kind.INTEREST))
    entry = same.filter(state__in=ListEntry.ACTIVE).select_for_update(no_key=True, of=("self",)).first()
    if entry is not None and entry.is_called:
        return None
    if entry is None:
        entry = ListEntry(offer=offer, player=player, source=Source.TRANSFER, by=by, joined_at=now)
    entry.kind, entry.tier, entry.place = list_kind(offer), 0, store.next_place(offer)
    entry.save()
    table = None if table_id is None else Table.objects.get(pk=table_id)
    store.moved(entry, Verb.PUT_BACK, rule="put-back", why=why or reasons.GAME_BROKE(), by=by, now=now, table=table)
    with languages.spoken_to(player):
        text = (
            gettext("Your game broke. You are at the top of the list of {game}; the floor counts the chips before you.")
            if offer.is_physical
            else gettext("Your game broke. You are at the top of the list of {game}; your chips are in your wallet.")
        ).format(game=offer.name)
    notices.tell(player=player, kind="put-back", key=f"list:{entry.pk}:{entry.version}", now=now, text=text)
    store.look_again(entry=entry.pk, now=now)
    return entry


def strike_off(*, player: User, now: datetime, is_online: bool = True, is_room: bool = True) -> int:
    """Take a banned player off every list and cancel their calls; returns how many names.

    A transaction for each name, as no offer is locked after a table; what is left of it another call does.
    """
    rows = ListEntry.objects.filter(player=player, state__in=ListEntry.ACTIVE).select_related("offer")
    about = [row.pk for row in rows.order_by("offer", "pk") if (is_room if row.offer.is_physical else is_online)]
    return sum(_struck_off(entry_id, now=now) for entry_id in about)


@transaction.atomic
def _struck_off(entry_id: int, *, now: datetime) -> bool:
    release(store.entry(entry_id), now=now)
    entry = store.again(entry_id)
    if not entry.is_active:
        return False
    entry.state = State.PASSED
    store.moved(entry, Verb.TAKEN_OFF, rule="barred", why=reasons.BARRED(), by=None, now=now)
    store.look_again(offer=entry.offer_id, now=now)
    return True


def seen(entry_id: int, by: User) -> ListEntry:
    """The entry, with its offer locked, where `by` may deal with it: their own, or they are of the floor."""
    entry = store.entry(entry_id)
    if by.pk != entry.player_id and not access.has_role(by, *ROLES):
        raise NotFound("no-such-entry", "There is no such name on a list.")
    return entry


def release(entry: ListEntry, *, now: datetime) -> None:
    """Free the seat held for a call, cancel a move that waits for the end of a hand, and put away what
    they were told of it is put away. Locks the tables, so the entry is locked after it."""
    if not entry.is_called or entry.called_to_id is None:
        return
    locking.tables({pk for pk in (entry.table_id if entry.is_move else None, entry.called_to_id) if pk})
    if entry.is_move and entry.table_id is not None:
        moving.cancel_move(player=entry.player, from_table=entry.table_id, now=now)
    holds.release(table_id=entry.called_to_id, player=entry.player, by=None, now=now)
    store.call_is_over(entry, now=now)
    store.look_again(offer=entry.offer_id, now=now)


def list_kind(offer: Offer) -> str:
    """Whether the names of this game wait for a seat, or for a table to be opened."""
    is_open = Table.objects.filter(offer=offer, state=Table.State.OPEN, is_private=False).exists()
    return Kind.LIST if is_open else Kind.INTEREST


def _join(
    offer: Offer, player: User, source: str, by: User | None, kind: str, table_id: int | None,
    wishes: dict[str, Any], now: datetime,
) -> ListEntry:  # fmt: skip
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
                offer=offer, table=table, player=player, kind=kind, source=source, by=by, wishes=wishes,
                place=store.next_place(offer), joined_at=now,
            )  # fmt: skip
    except IntegrityError as error:
        raise Conflict("on-the-list", "{player} is already on this list.", player=player) from error
    _check_once(entry)
    why = reasons.JOINED[Kind(kind)](game=offer.name, what=reasons.SOURCES[Source(source)]())
    store.moved(entry, Verb.JOINED, rule="own-wish", why=why, by=by or player, now=now, table=table)
    store.look_again(offer=offer.pk, now=now)
    return entry


def _with_tables(offer: Offer, kind: str, wishes: dict[str, Any]) -> dict[str, Any]:
    """The wishes, where the tables in them play this game; who changes seats stays at their table."""
    if kind == Kind.SEAT_CHANGE:
        return {name: wish for name, wish in wishes.items() if name != "tables"}
    wanted = wishes.get("tables", [])
    if wanted and Table.objects.filter(pk__in=wanted, offer=offer).count() != len(wanted):
        raise Invalid("other-game", "Choose among the tables of {offer}.", offer=offer.name)
    return wishes


def _check_once(entry: ListEntry) -> None:
    """A name waits for a game once, whether it had a table when it was put there or not."""
    kinds = (Kind.LIST, Kind.INTEREST)
    if entry.kind not in kinds:
        return
    same = ListEntry.objects.filter(
        offer=entry.offer_id, player=entry.player_id, kind__in=kinds, state__in=ListEntry.ACTIVE
    )
    if same.exclude(pk=entry.pk).exists():
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
        said = gettext_noop("{player} refused to move to the main game and is not on its lists before {until}.")
        cite = choosing.BY_SLUG["refused-move"].cite
        raise Illegal("refused-move", said, rule=cite, player=player, until=until)


def _seat_to_change(
    offer: Offer, player: User, kind: str, table_id: int | None, wishes: dict[str, Any]
) -> Table | None:
    """The table where the one who wants to move sits; None on a waiting list."""
    if kind in (Kind.LIST, Kind.INTEREST):
        return None
    seats = Seat.objects.filter(player=player, table__offer=offer).select_related("table")
    seat = (seats.filter(table=table_id) if table_id is not None else seats).order_by("pk").first()
    if seat is None:
        raise Illegal("no-seat", "{player} has no seat in {offer} to change from.", player=player, offer=offer.name)
    if kind == Kind.SEAT_CHANGE and wishes.get("seats") == [seat.number]:
        raise Invalid("own-seat", "Seat {number} is already their seat.", number=seat.number)
    return seat.table


def _offer_of(entry_id: int) -> int:
    offer_id = ListEntry.objects.filter(pk=entry_id).values_list("offer", flat=True).first()
    if offer_id is None:
        raise NotFound("no-such-entry", "There is no such name on a list.")
    return offer_id


# Guests: names put on by telephone, and at a kiosk in the room


#: Wrong cards and guests that a kiosk takes in so long a while.
_MOST_CARDS, _MOST_GUESTS = 5, 30
_WHILE = timedelta(minutes=15)
_KEPT = timedelta(days=2)


@operation(store.of_offer, verb="lists.phone_in", roles=ROLES)
def phone_in(
    *, offer_id: int, name: str, by: User, now: datetime, phone: str = "", wishes: Mapping[str, Any] | None = None,
    source: str = Source.PHONE,
) -> ListEntry:  # fmt: skip
    """Somebody who is not in the house, and maybe never was, is put on a list by the name they give.

    A screen name of the room is that person; any other name makes a guest of it. Refuses as `join`.
    """
    wanted = store.checked({**(wishes or {}), **({"phone": phone} if phone else {})})
    store.offer(offer_id)
    player = User.objects.filter(username__iexact=name.strip(), is_bot=False, is_active=True).first()
    player = player or people.make_guest(name=name, now=now)
    return join(offer_id=offer_id, player=player, source=source, by=by, wishes=wanted, now=now)


def at_kiosk(
    *, offer_id: int, who: str, opened_by: User, now: datetime | None = None, kiosk: str = "", phone: str = "",
    wishes: Mapping[str, Any] | None = None, key: str = "",
) -> ListEntry:  # fmt: skip
    """Somebody puts their name on a list at a kiosk, and is here from then on: a member by card, others by a name.

    A name makes a guest, `phone` is where they are called; the same name with the same telephone there on the same day
    is that guest again. Nobody puts a member's name there without their card (`Forbidden`). Refuses also what
    `card_owner` and `join` refuse, and `TooMany` after many guests in a short while.
    """
    if is_card(who):
        player = card_owner(who=who, phone=phone, kiosk=kiosk, now=now)
        with transaction.atomic():
            store.of_offer(offer_id)
            now = read(now)
            entry = join(offer_id=offer_id, player=player, source=Source.KIOSK, wishes=wishes, key=key, now=now)
            visits.check_in(player=player, by=None, now=now, way=Visit.Way.KIOSK)
        return entry
    about = {"name": " ".join(who.split()), "phone": phone, "kiosk": kiosk, "wishes": wishes or {}}
    return _guest_at_kiosk(offer_id=offer_id, by=opened_by, now=now, key=key, **about)


@operation(store.of_offer, verb="lists.at_kiosk", roles=ROLES)
def _guest_at_kiosk(
    *, offer_id: int, name: str, phone: str, kiosk: str, wishes: Mapping[str, Any], by: User, now: datetime
) -> ListEntry:
    number = texting.plain(phone)
    if phone and not number:
        raise Invalid("bad-phone", "That is no telephone number: digits, and + at the front.")
    person = User.objects.filter(username__iexact=name, is_active=True).first()
    if person is not None and (person.has_usable_password() or members.member_of(person) is not None):
        raise Forbidden("member", "This is the name of a member: scan your card, or ask the desk.")
    store.offer(offer_id)
    guest = _guest(name, number, kiosk, now)
    wanted = {**wishes, **({"phone": number} if number else {})}
    entry = join(offer_id=offer_id, player=guest, source=Source.KIOSK, by=by, wishes=wanted, now=now)
    visits.check_in(player=guest, by=None, now=now, way=Visit.Way.KIOSK)
    return entry


def check_in_at_kiosk(*, who: str, now: datetime | None = None, kiosk: str = "", phone: str = "") -> Visit:
    """A member comes into the room, by their card at a kiosk. Refuses as `card_owner` and `visits.check_in`."""
    if not is_card(who):
        raise Invalid("no-card", "Choose a game first. To check in alone, scan your card.")
    player = card_owner(who=who, phone=phone, kiosk=kiosk, now=now)
    return visits.check_in(player=player, by=None, now=now, way=Visit.Way.KIOSK)


def is_card(words: str) -> bool:
    """Whether the text is a card's barcode or a member number."""
    return words.strip().isdigit()


def card_owner(*, who: str, phone: str, kiosk: str, now: datetime | None = None) -> User:
    """The owner of a card: by its barcode, or by the member number with the last four digits of their telephone.

    Whatever is wrong with it, the refusal is the same (`NotFound`), and after some of them `TooMany`.
    """
    with transaction.atomic():
        list(RoomSession.objects.select_for_update().filter(handle=kiosk))
        now = read(now)
        _check_tries(kiosk, now, most=_MOST_CARDS, guest=None)
        if (player := _owner(who.strip(), phone)) is not None:
            return player
        _note(kiosk, now)
    raise NotFound(
        "no-such-card",
        "Card not found. Scan its barcode, or enter your member number and the last four "
        "digits of your phone number; or ask the desk.",
    )


def _owner(said: str, phone: str) -> User | None:
    if members.BARCODE.fullmatch(said):
        try:
            return members.by_barcode(said)
        except (NotFound, Illegal):
            return None
    member = Member.objects.select_related("player").filter(number=said).first()
    last = _last_four(phone)
    return member.player if member is not None and last and last == _last_four(member.phone) else None


def _last_four(phone: str) -> str:
    """ "" where it has not as many."""
    digits = "".join(letter for letter in phone if letter.isdigit())
    return digits[-4:] if len(digits) >= 4 else ""


def _guest(name: str, phone: str, kiosk: str, now: datetime) -> User:
    """Another guest; with a telephone number the one whom this kiosk made by both of them today."""
    today = room_time.midnight(room_time.today(now))
    same = KioskTry.objects.filter(kiosk=kiosk, name__iexact=name, phone=phone, guest__isnull=False, at__gte=today)
    if phone and (earlier := same.select_related("guest").order_by("-pk").first()) is not None:
        return cast(User, earlier.guest)
    _check_tries(kiosk, now, most=_MOST_GUESTS, guest__isnull=False)
    guest = people.make_guest(name=name, now=now)
    _note(kiosk, now, guest=guest, name=name, phone=phone)
    return guest


def _note(kiosk: str, now: datetime, **said: Any) -> None:
    """The note of a guest, deleted when it is of no more use."""
    KioskTry.objects.filter(at__lt=now - _KEPT).delete()
    KioskTry.objects.create(kiosk=kiosk, at=now, **said)


def _check_tries(kiosk: str, now: datetime, *, most: int, **which: Any) -> None:
    list(RoomSession.objects.select_for_update().filter(handle=kiosk))  # one at a time, or none is counted
    if KioskTry.objects.filter(kiosk=kiosk, at__gt=now - _WHILE, **which).count() >= most:
        minutes = _WHILE // timedelta(minutes=1)
        raise TooMany(
            "too-many-tries",
            "Too many tries at this kiosk: wait up to {minutes} minutes, or ask the desk.",
            minutes=minutes,
        )
