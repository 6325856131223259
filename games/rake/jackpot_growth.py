"""What jackpots do by alarms: they grow, and they are emptied when they close."""

from datetime import datetime, timedelta

from cardroom.core import alarms, room_time, topics
from cardroom.core.models import Approval
from cardroom.core.verb import current_time, verb
from cardroom.ledger import ledger, passages
from cardroom.ledger.models import Account
from games.rake import reasons
from games.rake.jackpot_chips import backup, lock_balances, pool, promotions
from games.rake.models.drops import Jackpot, JackpotHit
from games.tables.models.tables import Hand, Table

CHANGE = "jackpot.change"


ALARM = alarms.register("jackpot", "games.tasks.grow_jackpot")


#: Growth that was missed for so many periods is not made up for.
_MOST_PERIODS = 1_000


#: How often a jackpot that is closing checks whether it can close.
_LOOKS_EVERY = timedelta(minutes=1)


#: It waits no longer than this for the drop boxes of tables in the room to be counted.
_WAITS_FOR_BOXES = timedelta(hours=1)


#: Tables at which people play, or have yet to be cashed out.
_IN_USE = (Table.State.OPEN, Table.State.BREAKING, Table.State.CLOSING)


def set_alarm(jackpot: Jackpot, *, now: datetime, is_new: bool) -> None:
    """Set the alarm of a jackpot's growth or of its end, or cancel it. `is_new`: its growth counts from now."""
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
    """The alarm of a jackpot: it grows, or it closes. False where nothing was due."""
    return grow(jackpot_id=jackpot_id, fence=fence, now=now) or sweep(jackpot_id=jackpot_id, now=now)


@verb("jackpots.sweep")
def sweep(*, jackpot_id: int) -> bool:
    """Close a jackpot that is closing, once no hand that drops for it is being played, no hit waits and the boxes of
    tables in the room were emptied (for which it waits an hour). Its chips go to promotions, where seeds come from.
    True where it closed; else its alarm is set again. Locks the jackpot."""
    jackpot = Jackpot.objects.select_for_update(no_key=True).filter(pk=jackpot_id).first()
    now = current_time()
    if jackpot is None or jackpot.state != Jackpot.State.CLOSING:
        return False
    main, spare = pool(jackpot.pk), backup(jackpot.pk)
    waits = jackpot.hits.filter(state=JackpotHit.State.WAITING).exists()
    if waits or _awaits_drops(jackpot, main, now=now):
        _look_again(jackpot, now=now)
        return False
    in_main, in_spare = lock_balances(main, spare)
    legs = [(main, -in_main), (spare, -in_spare), (promotions(), in_main + in_spare)]
    ledger.post(reference=f"jackpot-close:{jackpot.pk}", reason=reasons.CLOSED(name=jackpot.name), legs=legs, at=now)
    jackpot.state = Jackpot.State.CLOSED
    jackpot.save(update_fields=["state"])
    topics.tell("jackpots")
    return True


def _awaits_drops(jackpot: Jackpot, main: Account, *, now: datetime) -> bool:
    """Whether chips for it are still to come: of a hand being played, or of the box of a table in the room that nobody
    emptied since it began to close."""
    if Hand.objects.filter(ended_at=None, funds__jackpot=main.pk).exists():
        return True
    requests = Approval.objects.filter(what=CHANGE, subject=f"jackpot:{jackpot.pk}", payload__is_closed=True)
    began = requests.filter(verdict=Approval.Verdict.APPROVED).values_list("decided_at", flat=True).first()
    if began is None or now >= began + _WAITS_FOR_BOXES:
        return False
    tables = Table.objects.filter(is_physical=True, event="", state__in=_IN_USE, drop__jackpot_name=jackpot.name)
    return tables.exclude(box_counts__at__gte=began).exists()


@verb("jackpots.grow")
def grow(*, jackpot_id: int, fence: int) -> bool:
    """Add what the house adds to a jackpot for every period since the last growth, once. False, and nothing done, where
    it is not due or `fence` is out of date. Locks the jackpot."""
    jackpot = Jackpot.objects.select_for_update(no_key=True).filter(pk=jackpot_id).first()
    now = current_time()
    if jackpot is None or jackpot.growths != fence or jackpot.grows_at is None or now < jackpot.grows_at:
        return False
    period = timedelta(minutes=jackpot.growth_minutes)
    jackpot.grows_from = jackpot.grows_from or jackpot.grows_at
    # Periods are counted from `grows_from`: the numbers of the next one, and of the one that is due now.
    due_at, next_number = room_time.next_after(jackpot.grows_from, period, now=now)
    _, due_number = room_time.next_after(jackpot.grows_from, period, now=jackpot.grows_at)
    periods = min(next_number - due_number + 1, _MOST_PERIODS)
    jackpot.growths += 1
    ledger.post(
        reference=f"jackpot-growth:{jackpot.pk}:{jackpot.growths}",
        reason=reasons.GROWS(name=jackpot.name),
        legs=[(promotions(), -periods * jackpot.growth), (pool(jackpot.pk), periods * jackpot.growth)],
        at=now,
        passage=passages.rule_passage("growth", periods * jackpot.growth),
    )
    jackpot.grows_at = due_at
    jackpot.save(update_fields=["growths", "grows_at", "grows_from"])
    alarms.set(kind=ALARM, key=str(jackpot.pk), due_at=jackpot.grows_at, fence=jackpot.growths)
    topics.tell("jackpots")
    return True
