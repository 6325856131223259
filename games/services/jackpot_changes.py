"""What becomes of jackpots: made, changed, filled up, closed, always by two persons; and their growth and their
end by the clock."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from cardroom.models import Account, Approval, User
from cardroom.services import access, alarms, approvals, ledger, news, room_time, trail
from cardroom.services.errors import Conflict, Illegal, Invalid
from cardroom.services.operations import operation, row_of
from games.engine.cards import parse_cards
from games.models import DropSchedule, Hand, Jackpot, JackpotHit, Table
from games.services import jackpots

CHANGE = "jackpot.change"
ALARM = "jackpot"
ROLES = ("manager",)
_MOST = 10**12
#: What can be set, each with the least and the most it may be.
WHOLE = {
    "least_downcards": (0, 3),
    "least_players": (2, 8),
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
SETTINGS = ("name", "least_hand", *WHOLE)
#: Growth that was missed for so many periods is not made up for.
_MOST_PERIODS = 1_000
#: A jackpot that is closing looks so often whether it can; first when whatever was being dealt meanwhile is there.
_LOOKS_EVERY = timedelta(minutes=1)
#: It waits no longer than this for the boxes of tables in the room.
_WAITS_FOR_BOXES = timedelta(hours=1)
#: Tables at which people play, or have yet to be cashed out.
_IN_USE = (Table.State.OPEN, Table.State.BREAKING, Table.State.CLOSING)


@operation(row_of(Jackpot, "jackpot_id"))
def ask(
    *, jackpot_id: int | None, settings: Mapping[str, Any], by: User, reason: str, now: datetime, add: int = 0,
    is_closed: bool = False, key: str = "",
) -> Approval:  # fmt: skip
    """Ask a second person for a new jackpot (`jackpot_id` None), or for other `settings` of one, for chips that the
    house is to `add`, or for its end. Nothing is live before that.

    Refuses: `Forbidden` (managers ask), `NotFound`, `Invalid` (with the field), `Conflict` (the name is taken),
    `Illegal` (closed already; hits wait).
    """
    access.require_role(by, *ROLES)
    said = trail.reason_given(reason, what="a change of a jackpot")
    with transaction.atomic():
        jackpot = jackpots.lock(jackpot_id) if jackpot_id is not None else Jackpot(made_at=now, version=0)
        _check(jackpot, settings, add=add, is_closed=is_closed)
        payload = {"jackpot": jackpot_id, "version": jackpot.version, "settings": dict(settings), "add": add,
                   "is_closed": is_closed}  # fmt: skip
        return approvals.ask(
            what=CHANGE, words=words_of(jackpot, settings, add, is_closed), payload=payload, by=by, now=now,
            reason=said, subject=f"jackpot:{jackpot_id or 'new'}", key=key,
        )  # fmt: skip


def words_of(jackpot: Jackpot, settings: Mapping[str, Any], add: int, is_closed: bool) -> str:
    """What is asked for, for people."""
    changed = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in settings.items() if name != "name")
    name = jackpot.name or settings.get("name", "")
    if jackpot.pk is None:
        return f"New jackpot {name}" + (f": {changed}" if changed else "")
    parts = [f"called {settings['name']}"] if settings.get("name", jackpot.name) != jackpot.name else []
    parts += [changed] if changed else []
    parts += [f"{add:,} added by the house"] if add else []
    parts += ["closed"] if is_closed else []
    return f"Jackpot {name}: {', '.join(parts)}"


def _change(approval: Approval, by: User, now: datetime) -> dict[str, Any]:
    """Approved: it is so from now on, and for the hands dealt after this."""
    payload = approval.payload
    is_new = payload["jackpot"] is None
    jackpot = Jackpot(made_at=now, version=0) if is_new else jackpots.lock(payload["jackpot"])
    if jackpot.version != payload["version"]:
        raise Conflict("This jackpot was changed since: have it asked for again.", "changed-since")
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
        jackpots.seed(jackpot, now=now, by=by)
    if payload["add"]:
        legs = [(jackpots.promotions(), -payload["add"]), (jackpots.pool(jackpot.pk), payload["add"])]
        reference = f"jackpot-add:{approval.pk}"
        ledger.post(reference=reference, reason=f"added to {jackpot.name}", legs=legs, at=now, by=by)
    if payload["is_closed"]:
        jackpot.state = Jackpot.State.CLOSING
    _wind_up(jackpot, now=now, is_new=is_new or {"growth", "growth_minutes"} & set(payload["settings"]) != set())
    jackpot.save()
    trail.note(verb="jackpots.change", subject=f"jackpot:{jackpot.pk}", by=by, now=now, reason=approval.reason,
               settings=payload["settings"], add=payload["add"], is_closed=payload["is_closed"])  # fmt: skip
    news.tell("jackpots")
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
        jackpot.grows_at = None
        alarms.cancel(kind=ALARM, key=str(jackpot.pk))
        return
    if is_new or jackpot.grows_at is None:
        jackpot.grows_at = room_time.later(now, timedelta(minutes=jackpot.growth_minutes))
    alarms.set(kind=ALARM, key=str(jackpot.pk), due_at=jackpot.grows_at, fence=jackpot.growths)


def _look_again(jackpot: Jackpot, *, now: datetime) -> None:
    alarms.set(kind=ALARM, key=str(jackpot.pk), due_at=now + _LOOKS_EVERY, fence=jackpot.growths)


def ring(*, jackpot_id: int, fence: int, now: datetime) -> bool:
    """The alarm of a jackpot: it grows, or it is closed at last. False where nothing was to be done."""
    return grow(jackpot_id=jackpot_id, fence=fence, now=now) or sweep(jackpot_id=jackpot_id, now=now)


@operation(row_of(Jackpot, "jackpot_id"))
def sweep(*, jackpot_id: int, now: datetime) -> bool:
    """Close a jackpot that is closing, once no hand that drops for it is being played, no hit waits and the boxes of
    tables in the room were emptied, for which it waits an hour: what is in it goes to promotions, where seeds come
    from. True if it did; else it looks again in a minute. Locks the jackpot."""
    jackpot = Jackpot.objects.select_for_update(no_key=True).filter(pk=jackpot_id).first()
    if jackpot is None or jackpot.state != Jackpot.State.CLOSING:
        return False
    main, spare = jackpots.pool(jackpot.pk), jackpots.backup(jackpot.pk)
    waits = jackpot.hits.filter(state=JackpotHit.State.WAITING).exists()
    if waits or _is_dropped_for(jackpot, main, now=now):
        _look_again(jackpot, now=now)
        return False
    in_main, in_spare = jackpots.held(main, spare)
    legs = [(main, -in_main), (spare, -in_spare), (jackpots.promotions(), in_main + in_spare)]
    ledger.post(reference=f"jackpot-close:{jackpot.pk}", reason=f"{jackpot.name} closed", legs=legs, at=now)
    jackpot.state = Jackpot.State.CLOSED
    jackpot.save(update_fields=["state"])
    news.tell("jackpots")
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


@operation(row_of(Jackpot, "jackpot_id"))
def grow(*, jackpot_id: int, fence: int, now: datetime) -> bool:
    """The clock of a jackpot has come round: what the house adds for every period since, once. True if it did. Does
    nothing where the world moved on. Locks the jackpot."""
    jackpot = Jackpot.objects.select_for_update(no_key=True).filter(pk=jackpot_id).first()
    if jackpot is None or jackpot.growths != fence or jackpot.grows_at is None or now < jackpot.grows_at:
        return False
    period = timedelta(minutes=jackpot.growth_minutes)
    due_at, every = room_time.next_after(jackpot.grows_at, period, now=now)
    periods = min(every, _MOST_PERIODS)
    jackpot.growths += 1
    ledger.post(
        reference=f"jackpot-growth:{jackpot.pk}:{jackpot.growths}",
        reason=f"{jackpot.name} grows",
        legs=[
            (jackpots.promotions(), -periods * jackpot.growth),
            (jackpots.pool(jackpot.pk), periods * jackpot.growth),
        ],
        at=now,
    )
    jackpot.grows_at = due_at
    jackpot.save(update_fields=["growths", "grows_at"])
    alarms.set(kind=ALARM, key=str(jackpot.pk), due_at=jackpot.grows_at, fence=jackpot.growths)
    news.tell("jackpots")
    return True


# -- checks ----------------------------------------------------------------------------------------------------------


def _check(jackpot: Jackpot, settings: Mapping[str, Any], *, add: int, is_closed: bool) -> None:
    if jackpot.state != Jackpot.State.LIVE:
        raise Illegal(f"{jackpot.name} is closed: have a new one made.", "jackpot-closed")
    if is_closed and jackpot.pk and jackpot.hits.filter(state=JackpotHit.State.WAITING).exists():
        raise Illegal(f"Hits of {jackpot.name} wait for a decision: they come first.", "hits-wait")
    if type(add) is not int or not 0 <= add <= _MOST:
        raise _refused("add", "Chips that are added are a whole number.")
    unknown = set(settings) - set(SETTINGS)
    if unknown:
        raise _refused(min(unknown), f"A jackpot has no setting {min(unknown)!r}.")
    if not settings and not add and not is_closed:
        raise _refused("settings", "Say what is to be changed.")
    for name, (least, most) in WHOLE.items():
        value = settings.get(name, least)
        if type(value) is not int or not least <= value <= most:
            said = name.replace("_", " ").capitalize()
            raise _refused(name, f"{said} is a whole number from {least:,} to {most:,}.")
    whole = {name: settings.get(name, getattr(jackpot, name)) for name in SETTINGS}
    if whole["loser_percent"] + whole["winner_percent"] > 100:
        raise _refused("loser_percent", "Loser and winner share no more than the whole.")
    if bool(whole["growth"]) != bool(whole["growth_minutes"]):
        raise _refused("growth_minutes", "Growth by the clock takes both: how much, and how often.")
    _check_name(jackpot, whole["name"])
    _check_hand(whole["least_hand"])


def _check_name(jackpot: Jackpot, name: Any) -> None:
    if not isinstance(name, str) or not 3 <= len(name.strip()) <= 60 or not name.isprintable() or name != name.strip():
        raise _refused("name", "A jackpot has a name of 3 to 60 characters.")
    if Jackpot.objects.filter(name=name).exclude(pk=jackpot.pk).exists():
        raise Conflict(f"There is a jackpot called {name} already.", "name-taken", field="name")


def _check_hand(cards: Any) -> None:
    try:
        hand = parse_cards(cards) if isinstance(cards, str) else ()
    except ValueError:
        hand = ()
    if len(hand) != 5 or len(set(hand)) != 5:
        raise _refused("least_hand", "The least hand is five cards, each once, as in JsJhJdJc2s.")


def _refused(field: str, message: str) -> Invalid:
    return Invalid(message, "bad-jackpot", field=field)
