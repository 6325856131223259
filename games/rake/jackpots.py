"""Bad-beat jackpots: made, changed, grown, closed; hit by a hand or declared by the floor, paid, and started again.

Making, changing, paying and closing take two persons (`cardroom.core.approvals`); alarms let a jackpot grow and end.
Locks: the approval, then the jackpot's row, then its own accounts, then wallets.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Any

from django.db.models import Sum
from django.utils.translation import gettext, gettext_lazy

from cardroom.accounts.people import PLAY_MONEY
from cardroom.cage import allowances
from cardroom.core import alarms, approvals, audit_log, languages, notices, room_time, sentences, topics
from cardroom.core.arguments import Limits, RowId, internal
from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotFound, Verbatim
from cardroom.core.models import Approval, User
from cardroom.core.sentences import Kept, kept
from cardroom.core.verb import current_time, lock, verb
from cardroom.ledger import ledger, passages
from cardroom.ledger.models import Account
from cardroom.ledger.passages import Passage
from games.engine.cards import parse_cards
from games.engine.games import MOST_SEATS
from games.engine.ranking import name_of, value_of
from games.engine.rules import bad_beats
from games.rake import drops, reasons
from games.rake.models.drops import Jackpot, JackpotHit, JackpotShare, backup_label, pool_label
from games.tables.journal import OpenHand
from games.tables.models.offers import DropSchedule
from games.tables.models.tables import Hand, Seat, Table
from games.tables.words import hand_kept

# Made, changed, filled up, grown and closed


CHANGE = "jackpot.change"
ALARM = alarms.register("jackpot", "games.tasks.grow_jackpot")
ROLES = ("manager",)
_MOST = 10**12
#: What can be set, each with the least and the most it may be.
WHOLE = {
    "least_downcards": (0, 3),
    "least_players": (2, MOST_SEATS),
    "seed": (0, _MOST),
    "backup_percent": (0, 100),
    "loser_percent": (0, 100),
    "winner_percent": (0, 100),
    "loser_bonus": (0, _MOST),
    "winner_bonus": (0, _MOST),
    "table_bonus": (0, _MOST),
    "growth": (0, _MOST),
    "growth_minutes": (0, 60 * 24 * 31),
}
#: What each is called.
TITLES = {
    "least_downcards": gettext_lazy("Own downcards that must play"),
    "least_players": gettext_lazy("Minimum players dealt in"),
    "seed": gettext_lazy("Seed"),
    "backup_percent": gettext_lazy("Percent to the backup"),
    "loser_percent": gettext_lazy("Percent to the losing hand"),
    "winner_percent": gettext_lazy("Percent to the winning hand"),
    "loser_bonus": gettext_lazy("Bonus of the losing hand"),
    "winner_bonus": gettext_lazy("Bonus of the winning hand"),
    "table_bonus": gettext_lazy("Bonus of each other player"),
    "growth": gettext_lazy("Growth by the clock, chips"),
    "growth_minutes": gettext_lazy("Interval, minutes"),
}
SETTINGS = ("name", "least_hand", *WHOLE)
#: Growth that was missed for so many periods is not made up for.
_MOST_PERIODS = 1_000
#: A jackpot that is closing looks so often whether it can; first when whatever was being dealt meanwhile is there.
_LOOKS_EVERY = timedelta(minutes=1)
#: It waits no longer than this for the boxes of tables in the room.
_WAITS_FOR_BOXES = timedelta(hours=1)
#: Tables at which people play, or have yet to be cashed out.
_IN_USE = (Table.State.OPEN, Table.State.BREAKING, Table.State.CLOSING)


def _whole(name: str, **limits: int) -> Limits:
    """A setting that is a whole number; `limits` where it has none of its own."""
    least, most = WHOLE[name]
    return Limits(**{"min_value": least, "max_value": most} | limits)


Name = Annotated[str | None, Limits(max_length=60)]
LeastHand = Annotated[str | None, Limits(max_length=10, help_text="Five cards, as in JsJhJdJc2s.")]
Added = Annotated[int, Limits(min_value=0, max_value=_MOST, help_text="Chips that the house adds.")]
ChangeReason = Annotated[str, Limits(max_length=300)]


@verb("jackpots.ask", roles=ROLES)
def ask(
    *,
    jackpot_id: Annotated[int | None, internal] = None,
    name: Name = None,
    least_hand: LeastHand = None,
    least_downcards: Annotated[int | None, _whole("least_downcards")] = None,
    least_players: Annotated[int | None, _whole("least_players")] = None,
    seed: Annotated[int | None, _whole("seed")] = None,
    backup_percent: Annotated[int | None, _whole("backup_percent")] = None,
    loser_percent: Annotated[int | None, _whole("loser_percent")] = None,
    winner_percent: Annotated[int | None, _whole("winner_percent")] = None,
    loser_bonus: Annotated[int | None, _whole("loser_bonus")] = None,
    winner_bonus: Annotated[int | None, _whole("winner_bonus")] = None,
    table_bonus: Annotated[int | None, _whole("table_bonus")] = None,
    growth: Annotated[int | None, _whole("growth")] = None,
    growth_minutes: Annotated[int | None, _whole("growth_minutes")] = None,
    add: Added = 0,
    is_closed: bool = False,
    reason: ChangeReason,
    by: User,
) -> Approval:
    """Ask a second person for a new jackpot (`jackpot_id` None), or for other settings of one, for chips that the house
    is to `add`, or for its end. What is left out stays as it is, and for a new one has the usual value. Nothing is live
    before that.

    Refuses: `NotFound`, `Invalid` (with the field), `Conflict` (the name is taken),
    `Illegal` (closed already; hits wait).
    """
    changes = {
        "name": name,
        "least_hand": least_hand,
        "least_downcards": least_downcards,
        "least_players": least_players,
        "seed": seed,
        "backup_percent": backup_percent,
        "loser_percent": loser_percent,
        "winner_percent": winner_percent,
        "loser_bonus": loser_bonus,
        "winner_bonus": winner_bonus,
        "table_bonus": table_bonus,
        "growth": growth,
        "growth_minutes": growth_minutes,
    }
    settings = {setting: value for setting, value in changes.items() if value is not None}
    why = audit_log.reason_given(reason, what=gettext("a change of a jackpot"))
    if jackpot_id is not None:
        jackpot, now = lock(Jackpot, jackpot_id)
    else:
        now = current_time()
        jackpot = Jackpot(made_at=now, version=0)
    _check(jackpot, settings, add=add, is_closed=is_closed)
    return approvals.ask(
        what=CHANGE,
        words=words_of(jackpot, settings, add, is_closed),
        payload={
            "jackpot": jackpot_id,
            "version": jackpot.version,
            "settings": settings,
            "add": add,
            "is_closed": is_closed,
        },
        by=by,
        now=now,
        reason=why,
        subject=f"jackpot:{jackpot_id or 'new'}",
        alone=f"jackpot:{jackpot_id or settings.get('name', 'new')}",
        details=_details(jackpot, settings, add, is_closed),
    )


def words_of(jackpot: Jackpot, settings: Mapping[str, Any], add: int, is_closed: bool) -> Kept:
    """What is asked for, for people."""
    changed: list[Kept] = [_told(name, value) for name, value in settings.items() if name != "name"]
    called = settings.get("name", jackpot.name)
    if jackpot.pk is None:
        return [kept("New jackpot {name}", name=called), *changed]
    parts: list[Kept] = [kept("Jackpot {name}", name=jackpot.name)]
    parts += [kept("called {name}", name=called)] if called != jackpot.name else []
    parts += changed
    parts += [kept("{chips:,} added by the house", chips=add)] if add else []
    parts += [kept("this jackpot ends")] if is_closed else []
    return parts


def _details(jackpot: Jackpot, settings: Mapping[str, Any], add: int, is_closed: bool) -> dict[str, Any]:
    """The same as values: the jackpot, and what it is to be."""
    found = {"jackpot": jackpot.name or settings.get("name", ""), **settings}
    return found | ({"add": add} if add else {}) | ({"ends": True} if is_closed else {})


def _told(name: str, value: Any) -> Kept:
    """A setting for people."""
    if name == "least_hand":
        cards = parse_cards(value)
        return kept(
            "Minimum losing hand: {hand} ({cards})", hand=hand_kept(name_of(value_of(cards))), cards=" ".join(cards)
        )
    return kept("{title}: {value:,}", title=kept(TITLES[name]), value=value)


def _change(approval: Approval, by: User, now: datetime) -> dict[str, Any]:
    """Approved: it is so from now on, and for the hands dealt after this."""
    payload = approval.payload
    is_new = payload["jackpot"] is None
    jackpot = Jackpot(made_at=now, version=0) if is_new else lock(Jackpot, payload["jackpot"])[0]
    if jackpot.version != payload["version"]:
        raise Conflict("changed-since", "This jackpot has changed since the request: send a new request.")
    _check(jackpot, payload["settings"], add=payload["add"], is_closed=payload["is_closed"])
    called = payload["settings"].get("name", jackpot.name)
    if called != jackpot.name and not is_new:
        # Schedules find it by its name.
        DropSchedule.objects.filter(jackpot_name=jackpot.name).update(jackpot_name=called)
    for name, value in payload["settings"].items():
        setattr(jackpot, name, value)
    jackpot.version += 1
    jackpot.save()
    if is_new:
        seed(jackpot, now=now, by=by, approval=approval)
    if payload["add"]:
        legs = [(promotions(), -payload["add"]), (pool(jackpot.pk), payload["add"])]
        reference = f"jackpot-add:{approval.pk}"
        ledger.post(
            reference=reference, reason=reasons.ADDED(name=jackpot.name), legs=legs, at=now, by=by,
            passage=_leave("jackpots.add", jackpot, payload["add"], approval=approval, by=by, now=now),
        )  # fmt: skip
    if payload["is_closed"]:
        jackpot.state = Jackpot.State.CLOSING
    _wind_up(jackpot, now=now, is_new=is_new or {"growth", "growth_minutes"} & set(payload["settings"]) != set())
    jackpot.save()
    audit_log.note(verb="jackpots.change", subject=f"jackpot:{jackpot.pk}", by=by, now=now, reason=approval.reason,
               settings=payload["settings"], add=payload["add"], is_closed=payload["is_closed"])  # fmt: skip
    topics.tell("jackpots")
    return {"jackpot": jackpot.pk}


approvals.register(CHANGE, _change, roles=ROLES)


# -- by the clock ----------------------------------------------------------------------------------------------------


def _wind_up(jackpot: Jackpot, *, now: datetime, is_new: bool) -> None:
    """Set the alarm of its growth or of its end, or take it back."""
    if jackpot.state == Jackpot.State.CLOSING:
        jackpot.grows_at = None
        _look_again(jackpot, now=now)
        return
    if not jackpot.growth or not jackpot.growth_minutes:
        jackpot.grows_at = jackpot.grows_from = None
        alarms.cancel(kind=ALARM, key=str(jackpot.pk))
        return
    if is_new or jackpot.grows_at is None:
        jackpot.grows_from = now
        jackpot.grows_at = room_time.later(now, timedelta(minutes=jackpot.growth_minutes))
    alarms.set(kind=ALARM, key=str(jackpot.pk), due_at=jackpot.grows_at, fence=jackpot.growths)


def _look_again(jackpot: Jackpot, *, now: datetime) -> None:
    alarms.set(kind=ALARM, key=str(jackpot.pk), due_at=now + _LOOKS_EVERY, fence=jackpot.growths)


def ring(*, jackpot_id: int, fence: int, now: datetime) -> bool:
    """The alarm of a jackpot: it grows, or it is closed at last. False where nothing was to be done."""
    return grow(jackpot_id=jackpot_id, fence=fence, now=now) or sweep(jackpot_id=jackpot_id, now=now)


@verb("jackpots.sweep")
def sweep(*, jackpot_id: int) -> bool:
    """Close a jackpot that is closing, once no hand that drops for it is being played, no hit waits and the boxes of
    tables in the room were emptied, for which it waits an hour: what is in it goes to promotions, where seeds come
    from. True if it did; else it looks again in a minute. Locks the jackpot."""
    jackpot = Jackpot.objects.select_for_update(no_key=True).filter(pk=jackpot_id).first()
    now = current_time()
    if jackpot is None or jackpot.state != Jackpot.State.CLOSING:
        return False
    main, spare = pool(jackpot.pk), backup(jackpot.pk)
    waits = jackpot.hits.filter(state=JackpotHit.State.WAITING).exists()
    if waits or _is_dropped_for(jackpot, main, now=now):
        _look_again(jackpot, now=now)
        return False
    in_main, in_spare = held(main, spare)
    legs = [(main, -in_main), (spare, -in_spare), (promotions(), in_main + in_spare)]
    ledger.post(reference=f"jackpot-close:{jackpot.pk}", reason=reasons.CLOSED(name=jackpot.name), legs=legs, at=now)
    jackpot.state = Jackpot.State.CLOSED
    jackpot.save(update_fields=["state"])
    topics.tell("jackpots")
    return True


def _is_dropped_for(jackpot: Jackpot, main: Account, *, now: datetime) -> bool:
    """Whether chips for it are still to come: of a hand being played, or of the box of a table in the room that nobody
    emptied since it began to close."""
    if Hand.objects.filter(ended_at=None, funds__jackpot=main.pk).exists():
        return True
    asked = Approval.objects.filter(what=CHANGE, subject=f"jackpot:{jackpot.pk}", payload__is_closed=True)
    began = asked.filter(verdict=Approval.Verdict.APPROVED).values_list("decided_at", flat=True).first()
    if began is None or now >= began + _WAITS_FOR_BOXES:
        return False
    tables = Table.objects.filter(is_physical=True, event="", state__in=_IN_USE, drop__jackpot_name=jackpot.name)
    return tables.exclude(box_counts__at__gte=began).exists()


@verb("jackpots.grow")
def grow(*, jackpot_id: int, fence: int) -> bool:
    """The clock of a jackpot has come round: what the house adds for every period since, once. True if it did. Does
    nothing where the world moved on. Locks the jackpot."""
    jackpot = Jackpot.objects.select_for_update(no_key=True).filter(pk=jackpot_id).first()
    now = current_time()
    if jackpot is None or jackpot.growths != fence or jackpot.grows_at is None or now < jackpot.grows_at:
        return False
    period = timedelta(minutes=jackpot.growth_minutes)
    jackpot.grows_from = jackpot.grows_from or jackpot.grows_at
    due_at, upto_next = room_time.next_after(jackpot.grows_from, period, now=now)
    _, since_due = room_time.next_after(jackpot.grows_from, period, now=jackpot.grows_at)
    periods = min(upto_next - since_due + 1, _MOST_PERIODS)
    jackpot.growths += 1
    ledger.post(
        reference=f"jackpot-growth:{jackpot.pk}:{jackpot.growths}",
        reason=reasons.GROWS(name=jackpot.name),
        legs=[(promotions(), -periods * jackpot.growth), (pool(jackpot.pk), periods * jackpot.growth)],
        at=now,
        passage=passages.rule("growth", periods * jackpot.growth),
    )
    jackpot.grows_at = due_at
    jackpot.save(update_fields=["growths", "grows_at", "grows_from"])
    alarms.set(kind=ALARM, key=str(jackpot.pk), due_at=jackpot.grows_at, fence=jackpot.growths)
    topics.tell("jackpots")
    return True


# -- checks ----------------------------------------------------------------------------------------------------------


def _check(jackpot: Jackpot, settings: Mapping[str, Any], *, add: int, is_closed: bool) -> None:
    if jackpot.state != Jackpot.State.LIVE:
        raise Illegal("jackpot-closed", "{name} is closed: create a new one.", name=jackpot.name)
    if is_closed and jackpot.pk and jackpot.hits.filter(state=JackpotHit.State.WAITING).exists():
        raise Illegal("hits-wait", "Hits of {name} wait for a decision: decide them first.", name=jackpot.name)
    if type(add) is not int or not 0 <= add <= _MOST:
        raise _refused("add", gettext("Chips that are added are a whole number."))
    if not settings and not add and not is_closed:
        raise _refused("settings", gettext("Enter at least one change."))
    for name, (least, most) in WHOLE.items():
        value = settings.get(name, least)
        if type(value) is not int or not least <= value <= most:
            words = gettext("{name} is a whole number from {least:,} to {most:,}.")
            raise _refused(name, sentences.filled(words, name=TITLES[name], least=least, most=most))
    whole = {name: settings.get(name, getattr(jackpot, name)) for name in SETTINGS}
    if whole["loser_percent"] + whole["winner_percent"] > 100:
        raise _refused("loser_percent", gettext("Loser and winner share no more than the whole."))
    if bool(whole["growth"]) != bool(whole["growth_minutes"]):
        raise _refused("growth_minutes", gettext("Growth by the clock takes both: how much, and how often."))
    _check_name(jackpot, whole["name"])
    _check_hand(whole["least_hand"])


def _check_name(jackpot: Jackpot, name: Any) -> None:
    if not isinstance(name, str) or not 3 <= len(name.strip()) <= 60 or not name.isprintable() or name != name.strip():
        raise _refused("name", gettext("A jackpot has a name of 3 to 60 characters."))
    if Jackpot.objects.filter(name=name).exclude(pk=jackpot.pk).exists():
        raise Conflict("name-taken", "There is a jackpot called {name} already.", name=name, field="name")


def _check_hand(cards: Any) -> None:
    try:
        hand = parse_cards(cards) if isinstance(cards, str) else ()
    except ValueError:
        hand = ()
    if len(hand) != 5 or len(set(hand)) != 5:
        raise _refused("least_hand", gettext("The least hand is five cards, each once, as in JsJhJdJc2s."))


def _refused(field: str, message: str) -> Invalid:
    return Invalid("bad-jackpot", Verbatim(message), field=field)


HIT = "jackpot.hit"
#: Who says that a jackpot was hit at a physical table.
JACKPOT_ROLES = ("floor", "manager")
PROMOTIONS = "promotions"
#: What is about to be closed can still be hit by the hands that dropped for it.
PAYS = (Jackpot.State.LIVE, Jackpot.State.CLOSING)
#: A hit waits as long as it takes.
_LASTS = timedelta(days=3650)


# -- where its chips lie ---------------------------------------------------------------------------------------------


def pool(jackpot_id: int) -> Account:
    """Where the jackpot lies."""
    return ledger.open_account(kind=Account.Kind.POOL, label=pool_label(jackpot_id))


def backup(jackpot_id: int) -> Account:
    """The chips it starts again with."""
    return ledger.open_account(kind=Account.Kind.POOL, label=backup_label(jackpot_id))


def promotions() -> Account:
    """Where the house takes seeds and growth from."""
    return ledger.open_account(kind=Account.Kind.HOUSE, label=PROMOTIONS)


def held(*accounts: Account) -> list[int]:
    """What these accounts hold, locked in the order of their ids."""
    rows = Account.objects.select_for_update(no_key=True).filter(pk__in=[each.pk for each in accounts]).order_by("pk")
    balances = {row.pk: row.balance for row in rows}
    return [balances[each.pk] for each in accounts]


def claimed(jackpot: Jackpot) -> int:
    """Chips that hits not yet decided have a claim to."""
    waiting = jackpot.hits.filter(state=JackpotHit.State.WAITING)
    return waiting.aggregate(chips=Sum("amount"))["chips"] or 0


def _leave(verb: str, jackpot: Jackpot, chips: int, *, approval: Approval, by: User, now: datetime) -> Passage:
    """Leave for chips of the house that two persons agreed on."""
    leave = allowances.check(by=by, kind="promotion", amount=chips, now=now, approval=approval)
    entry = audit_log.note(
        verb=verb, subject=f"jackpot:{jackpot.pk}", by=by, now=now, reason=approval.reason, **leave.details
    )
    return leave.noted(entry)


def seed(jackpot: Jackpot, *, now: datetime, by: User, approval: Approval) -> None:
    """Start the jackpot, or start it again, as was approved: the whole backup, and from the house what is missing to
    the seed. Call with it locked; the caller saves it."""
    main, spare, house = pool(jackpot.pk), backup(jackpot.pk), promotions()
    in_main, in_spare = held(main, spare)
    missing = max(0, jackpot.seed - (in_main - claimed(jackpot)) - in_spare)
    jackpot.seeds += 1
    ledger.post(
        reference=f"jackpot-seed:{jackpot.pk}:{jackpot.seeds}",
        reason=reasons.STARTS(name=jackpot.name),
        legs=[(spare, -in_spare), (house, -missing), (main, in_spare + missing)],
        at=now,
        by=by,
        passage=_leave("jackpots.seed", jackpot, missing, approval=approval, by=by, now=now) if missing else None,
    )


# -- hits ------------------------------------------------------------------------------------------------------------


def look_for(table: Table, open_hand: OpenHand, *, now: datetime) -> JackpotHit | None:
    """After a showdown at a table that drops for a jackpot: the hit, if that was one. Call it before the hand's
    transfer is posted, with the table locked. No statement where it was none."""
    qualifying = open_hand.funds.get("qualifying")
    if qualifying is None or not open_hand.engine.show_order:
        return None
    least, downcards, players = qualifying
    beat = bad_beats.find(open_hand.engine, bad_beats.Qualifying(tuple(parse_cards(least)), downcards, players))
    if beat is None:
        return None
    jackpot, _ = lock(Jackpot, dict(open_hand.engine.started.drop)["fund"])
    if jackpot.state not in PAYS:
        return None
    own = sum(chips for account, chips in drops.legs(open_hand, number=table.hand_count)
              if account == open_hand.funds["jackpot"])  # fmt: skip
    people = {seat: sitter.player for seat, sitter in open_hand.sitters.items()}
    seats = (beat.losers, beat.winners, [s for s in open_hand.engine.order if s not in (*beat.losers, *beat.winners)])
    words, unit = (beat.losing, beat.winning), open_hand.engine.started.unit
    return _hit(jackpot, table, seats, people, words, unit=unit, own=own, hand=open_hand.pk, now=now)


SeatNumber = Annotated[int, Limits(min_value=1, max_value=MOST_SEATS)]
LosingSeat = Annotated[int, Limits(min_value=1, max_value=MOST_SEATS, help_text="The seat of the losing hand.")]
LosingCards = Annotated[str, Limits(max_length=14, help_text="Its cards, five to seven.")]
WinningCards = Annotated[str, Limits(max_length=14)]
DealtIn = Annotated[
    list[SeatNumber], Limits(max_length=MOST_SEATS, help_text="Seats dealt in; none: everybody seated.", default=list)
]


@verb("jackpots.propose", roles=JACKPOT_ROLES)
def propose(
    *,
    jackpot_id: RowId,
    table_id: RowId,
    loser: LosingSeat,
    winner: SeatNumber,
    losing: LosingCards,
    winning: WinningCards,
    players: DealtIn | None = None,
    by: User,
) -> JackpotHit:
    """The floor says that a jackpot was hit at a physical table. `loser`, `winner` and `players` (all who were dealt
    in; none named: everybody seated) are seat numbers; `losing` and `winning` the cards of the two hands, five to
    seven, as "JsJhJdJc2s". That their own downcards play is for the floor to have seen.

    Refuses: `NotFound`, `Illegal` (the table's hands are dealt here, and found by themselves; the table
    does not drop for it; the hands do not qualify; too few were dealt in; nothing is in it), `Invalid`, `Conflict`.
    Locks the jackpot.
    """
    table = Table.objects.select_related("drop").filter(pk=table_id).first()
    if table is None:
        raise NotFound("no-such-table", "There is no such table.")
    if not table.is_physical:
        raise Illegal("not-physical", "Jackpot hits at this table are found automatically at the showdown.")
    jackpot, now = lock(Jackpot, jackpot_id)
    if jackpot.state not in PAYS:
        raise Illegal("jackpot-closed", "{name} is closed.", name=jackpot.name)
    if table.event or table.drop is None or table.drop.jackpot_name != jackpot.name:
        raise Illegal("not-its-table", "{table} does not drop for {jackpot}.", table=table.name, jackpot=jackpot.name)
    people = dict(Seat.objects.filter(table=table).values_list("number", "player"))
    dealt = sorted({*(players or people), loser, winner})
    _check_seats(jackpot, people, dealt, loser, winner)
    words = _check_hands(jackpot, losing, winning)
    seats = ((loser,), (winner,), [seat for seat in dealt if seat not in (loser, winner)])
    hit = _hit(jackpot, table, seats, people, words, unit=table.smallest_chip or 1, by=by, now=now)
    if hit is None:
        raise Illegal(
            "jackpot-empty", "There is nothing in {name} that another hit has no claim to.", name=jackpot.name
        )
    return hit


def _hit(
    jackpot: Jackpot,
    table: Table,
    seats: tuple[Sequence[int], Sequence[int], Sequence[int]],
    people: Mapping[int, int],
    words: tuple[str, str],
    *,
    unit: int,
    now: datetime,
    own: int = 0,
    hand: int | None = None,
    by: User | None = None,
) -> JackpotHit | None:
    """Write the hit down with what everybody gets, in whole chips of `unit`, and ask a second person. `own`: chips that
    the hand's own transfer is about to add. None where there is nothing to be had."""
    chips = held(pool(jackpot.pk))[0] + own - claimed(jackpot)
    if chips <= 0:
        return None
    losing, winning = words
    hit = JackpotHit.objects.create(
        jackpot=jackpot, table=table, hand_id=hand, losing_words=losing, winning_words=winning,
        amount=chips, found_by=by, at=now,
    )  # fmt: skip
    losers, winners, others = seats
    parts = bad_beats.shared_out(chips, _terms(jackpot), losers=losers, winners=winners, others=others, unit=unit)
    JackpotShare.objects.bulk_create(
        JackpotShare(hit=hit, player_id=people[seat], part=part, seat=seat, chips=share) for seat, part, share in parts
    )
    told = kept(
        "Pay {chips:,} of {jackpot} at {table}: {losing} beaten by {winning}", chips=chips, jackpot=jackpot.name,
        table=table.name, losing=hand_kept(losing), winning=hand_kept(winning),
    )  # fmt: skip
    names = {user.pk: user.username for user in User.objects.filter(pk__in=[people[seat] for seat, _, _ in parts])}
    details = {
        "jackpot": jackpot.name, "table": table.name, "hand": hand or 0,
        "shares": [
            {"id": people[seat], "name": names.get(people[seat], ""), "part": part, "chips": share}
            for seat, part, share in parts
        ],
    }  # fmt: skip
    hit.approval = approvals.ask(
        what=HIT, words=told, payload={"hit": hit.pk}, by=by, now=now, subject=f"jackpot:{jackpot.pk}",
        amount=chips, lasts=_LASTS, alone=f"jackpot-hit:{hit.pk}", details=details,
    )  # fmt: skip
    hit.save(update_fields=["approval"])
    audit_log.note(verb="jackpots.hit", subject=f"jackpot:{jackpot.pk}", by=by, now=now, hit=hit.pk, table=table.pk,
               amount=chips)  # fmt: skip
    topics.tell("jackpots")
    return hit


def _pay(approval: Approval, by: User, now: datetime) -> dict[str, Any]:
    """Approved: everybody gets their share, once, and the jackpot starts again, unless it is closing. `Forbidden` for
    who gets some of it."""
    jackpot, _ = lock(Jackpot, JackpotHit.objects.get(pk=approval.payload["hit"]).jackpot_id)
    hit = JackpotHit.objects.select_for_update(no_key=True, of=("self",)).get(pk=approval.payload["hit"])
    if hit.state != JackpotHit.State.WAITING:
        raise Conflict("decided", "This hit is already {state}.", state=hit.get_state_display())
    shares = list(hit.shares.select_related("player"))
    if any(share.player_id == by.pk for share in shares):
        raise Forbidden("own-jackpot", "This jackpot pays you: somebody else has to decide.")
    main = pool(jackpot.pk)
    legs = [(_purse(share.player), share.chips) for share in shares]
    # The end of a hand takes the jackpot's account before wallets; whoever gives comps takes theirs in that of ids.
    held(main, backup(jackpot.pk))
    held(promotions(), *(purse for purse, _ in legs))
    ledger.post(
        reference=f"jackpot-hit:{hit.pk}",
        reason=reasons.HIT(name=jackpot.name),
        legs=[(main, -hit.amount), *legs],
        at=now,
        by=by,
    )
    hit.state, hit.decided_at = JackpotHit.State.PAID, now
    starts_again = jackpot.state == Jackpot.State.LIVE
    hit.seeding = jackpot.seeds + 1 if starts_again else 0
    hit.save(update_fields=["state", "decided_at", "seeding"])
    if starts_again:
        seed(jackpot, now=now, by=by, approval=approval)
        jackpot.save(update_fields=["seeds"])
    for share in shares:
        with languages.spoken_to(share.player):
            text = sentences.filled(
                gettext("{jackpot} was hit: {chips:,} chips ({part}) are in your wallet."),
                jackpot=jackpot.name,
                chips=share.chips,
                part=share.get_part_display(),
            )
        notices.tell(player=share.player, kind="jackpot", now=now, key=f"jackpot-hit:{hit.pk}", text=text)
    audit_log.note(verb="jackpots.pay", subject=f"jackpot:{jackpot.pk}", by=by, now=now, hit=hit.pk, amount=hit.amount)
    topics.tell("jackpots", *(f"player:{share.player_id}" for share in shares))
    return {"hit": hit.pk, "amount": hit.amount}


def _refuse(approval: Approval, now: datetime) -> None:
    """Not approved: its claim is off and the chips stay where they are."""
    hit = JackpotHit.objects.select_for_update(no_key=True, of=("self",)).get(pk=approval.payload["hit"])
    hit.state, hit.decided_at = JackpotHit.State.REFUSED, now
    hit.save(update_fields=["state", "decided_at"])
    topics.tell("jackpots")


approvals.register(HIT, _pay, refused=_refuse)


def _check_seats(jackpot: Jackpot, people: Mapping[int, int], dealt: Sequence[int], loser: int, winner: int) -> None:
    if loser == winner:
        raise Invalid("same-seat", "The loser and the winner sit in two seats.")
    empty = [seat for seat in dealt if seat not in people]
    if empty:
        raise Invalid("no-such-seat", "Nobody sits in seat {seat}.", seat=empty[0])
    if len(dealt) < jackpot.least_players:
        said = gettext("{jackpot} takes {least} players dealt in; there were {n}.")
        said = said.format(jackpot=jackpot.name, least=jackpot.least_players, n=len(dealt))
        raise Illegal("too-few-players", Verbatim(said))


def _check_hands(jackpot: Jackpot, losing: str, winning: str) -> tuple[str, str]:
    """Both hands in words; refused where they are none, or do not qualify."""
    try:
        lost, won = parse_cards(losing), parse_cards(winning)
    except ValueError as error:
        raise Invalid("bad-cards", "Write the cards as JsJhJdJc2s: {error}.", error=error) from None
    for cards in (lost, won):
        if not 5 <= len(cards) <= 7 or len(set(cards)) != len(cards):
            raise Invalid("bad-cards", "A hand is five to seven cards, each once.")
    if len({*lost} & {*won}) > 1:
        raise Invalid("bad-cards", "One card cannot be in two hands, but for a common card.")
    if not value_of(parse_cards(jackpot.least_hand)) <= value_of(lost) < value_of(won):
        least = name_of(value_of(parse_cards(jackpot.least_hand)))
        raise Illegal("does-not-qualify", "{name} takes {least} or better, beaten.", name=jackpot.name, least=least)
    return name_of(value_of(lost)), name_of(value_of(won))


def _terms(jackpot: Jackpot) -> bad_beats.Terms:
    return bad_beats.Terms(
        jackpot.loser_percent, jackpot.winner_percent, jackpot.loser_bonus, jackpot.winner_bonus, jackpot.table_bonus
    )


def _purse(player: User) -> Account:
    """A bot's chips come from the house and go back there."""
    return ledger.open_account(kind=Account.Kind.HOUSE, label=PLAY_MONEY) if player.is_bot else ledger.wallet(player)
