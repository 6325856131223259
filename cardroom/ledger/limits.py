"""Limits a player sets for themselves: deposits, losses, time, and a reminder of how long they have been playing.

A stricter one counts at once, a looser one (or none) after a day, until when they can cancel it. Nobody else changes
them, staff neither. What they have deposited and lost is read from the ledger; how long they have played, and what they
had brought to a game the day before, is asked of the games (`signals`). Days, weeks and months are those of the room's
zone.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet, Sum
from django.utils.translation import gettext, gettext_lazy

from cardroom.core import played, room_time, topics
from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Conflict, Illegal, Invalid, Verbatim
from cardroom.core.models import User
from cardroom.core.sentences import filled
from cardroom.core.verb import lock, verb
from cardroom.ledger.models import Account, Entry, LimitChange

Kind = LimitChange.Kind
#: What an amount of each kind may be.
RANGES = {
    Kind.DEPOSIT_DAY: (1, 10**12),
    Kind.DEPOSIT_WEEK: (1, 10**12),
    Kind.DEPOSIT_MONTH: (1, 10**12),
    Kind.LOSS_DAY: (1, 10**12),
    Kind.TIME_DAY: (10, 24 * 60),
    Kind.REMINDER: (5, 24 * 60),
}
RULE = gettext_lazy("House rules: a limit a player has set for themselves is kept")
_DEPOSITS = (Kind.DEPOSIT_DAY, Kind.DEPOSIT_WEEK, Kind.DEPOSIT_MONTH)
_SEATED_IN = (Account.Kind.STACK, Account.Kind.POOL)

Span = tuple[datetime, datetime]
Amount = Annotated[
    int | None, Limits(allow_null=True, min_value=1, max_value=10**12, help_text="Chips or minutes; null: no limit.")
]


@dataclass(frozen=True)
class Limit:
    """One kind of limit of a player: the amount, what is used of it, and what is left."""

    kind: str
    label: str
    amount: int | None
    used: int | None
    left: int | None
    coming: LimitChange | None
    """A change that is not in force yet."""


def check(*, player: User, kind: str, amount: int = 0, now: datetime) -> None:
    """Check a player's own limits before their chips move. `kind`: "deposit" (`amount` bought or taken on credit),
    "buy-in" (`amount` put on a table or into an event: what may be lost, and the time for playing), or "time" (to play
    on).

    Refuses (`Illegal`) what would go over a limit of theirs, with what is left of it and until when. One query where
    the player has set none; bots set none.
    """
    kinds = {"deposit": _DEPOSITS, "buy-in": (Kind.LOSS_DAY, Kind.TIME_DAY), "time": (Kind.TIME_DAY,)}.get(kind)
    if kinds is None:
        raise ValueError(f"no such check: {kind!r}")
    if player.is_bot:
        return
    for name, limit in _in_force(player, now=now).items():
        if name not in kinds or limit is None:
            continue
        used = _used_of_limit(player, name, now=now)
        least = 1 if name == Kind.TIME_DAY else amount
        if used + least > limit:
            raise _over(Kind(name), limit, used, now)


def time_limits(*, now: datetime) -> QuerySet[LimitChange]:
    """The limits of playing time that are in force, the latest first for each player."""
    wishes = LimitChange.objects.filter(kind=Kind.TIME_DAY, counts_from__lte=now, cancelled_at=None)
    return wishes.order_by("-counts_from", "-pk")


def over_time(limited: Mapping[int, int], *, now: datetime) -> frozenset[int]:
    """Those of these players, given with their limits in minutes, that have played as long today. The number of queries
    does not grow with theirs."""
    if not limited:
        return frozenset()
    played = _minutes(limited, [(_period(Kind.TIME_DAY, now)[0], now)])
    return frozenset(player for player, most in limited.items() if played[player][0] >= most)


@verb("limits.wish")
def request_limit(*, kind: Kind, amount: Amount, by: User) -> LimitChange:
    """Set a limit of one's own (None: none). Stricter counts at once, looser after `CARDROOM_LIMIT_HOURS`.

    An earlier change that does not count yet is cancelled. Refuses: `Invalid` (no such kind, an amount out of range),
    `Conflict` (as it is already). Locks the player's row.
    """
    _check_wish(kind, amount)
    _, now = lock(User, by.pk)
    present = _in_force(by, now=now).get(kind)
    coming = _coming(by, now=now).filter(kind=kind)
    if amount == present and not coming.exists():
        raise Conflict("limit-as-it-is", "This is already your limit.")
    coming.update(cancelled_at=now)
    is_looser = present is not None and (amount is None or amount > present) and kind != Kind.REMINDER
    counts_from = now + timedelta(hours=settings.CARDROOM_LIMIT_HOURS) if is_looser else now
    change = LimitChange.objects.create(player=by, kind=kind, amount=amount, asked_at=now, counts_from=counts_from)
    for games in played.games():
        games.play_time_changed(by, now=now)
    topics.tell(f"player:{by.pk}", "players")
    return change


@verb("limits.cancel")
def cancel(*, change_id: RowId, by: User) -> LimitChange:
    """Cancel a limit not yet in force; a second call does nothing. `NotFound`, `Conflict` (already in force)."""
    change, now = lock(LimitChange.objects.filter(player=by), change_id)
    if change.cancelled_at is None:
        if change.counts_from <= now:
            raise Conflict("limit-counts", "This limit is already in force: set another one.")
        change.cancelled_at = now
        change.save(update_fields=["cancelled_at"])
        topics.tell(f"player:{by.pk}", "players")
    return change


def all_of(player: User, *, now: datetime) -> list[Limit]:
    """Every kind of limit of this player, with what is used of it."""
    present = _in_force(player, now=now)
    coming = {change.kind: change for change in _coming(player, now=now)}
    limits = []
    for kind in Kind:
        amount = present.get(kind)
        used = None if amount is None or kind == Kind.REMINDER else _used_of_limit(player, kind, now=now)
        left = None if amount is None or used is None else max(0, amount - used)
        limits.append(Limit(kind, kind.label, amount, used, left, coming.get(kind)))
    return limits


def reminder_minutes(player: User, *, now: datetime) -> int | None:
    """The minutes between reminders that the player is still playing."""
    return _in_force(player, now=now).get(Kind.REMINDER)


def minutes_left(player: User, *, now: datetime) -> int | None:
    """The minutes that the player may still play today by their own limit; None without one."""
    limit = _in_force(player, now=now).get(Kind.TIME_DAY)
    return None if limit is None else max(0, limit - _used_of_limit(player, Kind.TIME_DAY, now=now))


def minutes_played(player: User, since: datetime, until: datetime) -> int:
    """Minutes the player sat and did not sit out, as the games count them."""
    return minutes_in_each(player, [(since, until)])[0]


def minutes_in_each(player: User, spans: Sequence[Span]) -> list[int]:
    """The minutes that the player played in each of several spans, in their order: no more queries than for one."""
    return _minutes([player.pk], spans)[player.pk]


def _minutes(players: Collection[int], spans: Sequence[Span]) -> dict[int, list[int]]:
    counted = [games.minutes_played(players, spans) for games in played.games()]
    return {player: [sum(answer[player][i] for answer in counted) for i in range(len(spans))] for player in players}


def _in_force(player: User, *, now: datetime) -> dict[str, int | None]:
    """The limits in force now, by kind: of each kind the last change that has begun to count and was not cancelled."""
    wishes = LimitChange.objects.filter(player=player, counts_from__lte=now, cancelled_at=None)
    return {change.kind: change.amount for change in wishes.order_by("counts_from", "pk")}


def _coming(player: User, *, now: datetime):  # type: ignore[no-untyped-def]
    return LimitChange.objects.filter(player=player, counts_from__gt=now, cancelled_at=None).order_by("pk")


def _used_of_limit(player: User, kind: str, *, now: datetime) -> int:
    since, _ = _period(Kind(kind), now)
    if kind == Kind.TIME_DAY:
        return minutes_played(player, since, now)
    return max(0, _chips_risked(player, since) if kind == Kind.LOSS_DAY else _chips_deposited(player, since))


def _chips_deposited(player: User, since: datetime) -> int:
    """Chips bought, and taken on credit, since then; without what was reversed."""
    entries = Entry.objects.filter(account__kind=Account.Kind.WALLET, account__owner=player, account__unit="cash")
    by_name = Q()
    for name in ("deposit:", "credit:"):
        by_name |= Q(transfer__reference__startswith=name) | Q(transfer__reference__startswith=f"reversal:{name}")
    return int(entries.filter(by_name, transfer__at__gte=since).aggregate(sum=Sum("amount"))["sum"] or 0)


def _chips_risked(player: User, since: datetime) -> int:
    """Chips lost at tables and events since then, time paid from the wallet included, and chips on tables that may
    still be lost."""
    own = Entry.objects.filter(
        account__owner=player, account__kind__in=[Account.Kind.WALLET, Account.Kind.STACK], account__unit="cash"
    )
    of_games = Entry.objects.filter(transfer=OuterRef("transfer"), account__kind__in=_SEATED_IN)
    is_time = Q(transfer__reference__startswith="time:") | Q(transfer__reference__startswith="reversal:time:")
    won = own.filter(Exists(of_games) | is_time, transfer__at__gte=since).aggregate(sum=Sum("amount"))["sum"] or 0
    stacks = Account.objects.filter(owner=player, kind=Account.Kind.STACK, unit="cash", balance__gt=0)
    net_buy_in = sum(games.net_buy_in(player, since) for games in played.games())
    return int(stacks.aggregate(sum=Sum("balance"))["sum"] or 0) + net_buy_in - int(won)


def _period(kind: Kind, now: datetime) -> tuple[datetime, datetime]:
    """Begin and end of the day, week or month that a limit of this kind is for."""
    first = last = room_time.today(now)
    if kind == Kind.DEPOSIT_WEEK:
        first -= timedelta(days=first.weekday())
        last = first + timedelta(days=6)
    if kind == Kind.DEPOSIT_MONTH:
        first = first.replace(day=1)
        last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    return room_time.midnight(first), room_time.midnight(last + timedelta(days=1))


def _over(kind: Kind, limit: int, used: int, now: datetime) -> Illegal:
    _, ends = _period(kind, now)
    left = max(0, limit - used)
    words = gettext(
        "You have set yourself a limit of {limit:,} chips ({kind}), and {left:,} of it are left. "
        "It resets on {day} at {time}."
    )
    if kind == Kind.TIME_DAY:
        words = gettext(
            "You have set yourself a limit of {limit:,} minutes ({kind}), and {left:,} of it are left. "
            "It resets on {day} at {time}."
        )
    day, time = room_time.day_of_year(ends), room_time.clock_and_zone(ends)
    words = filled(words, limit=limit, kind=kind.label, left=left, day=day, time=time)
    return Illegal(
        "own-limit", Verbatim(words), rule=RULE, limit=limit, left=left, kind=str(kind), until=ends.isoformat()
    )


def _check_wish(kind: str, amount: int | None) -> None:
    if kind not in Kind.values:
        raise Invalid(
            "no-such-limit",
            "There is no limit {kind!r}. The kinds are {names}.",
            kind=kind,
            names=", ".join(Kind.values),
        )
    least, most = RANGES[Kind(kind)]
    if amount is not None and (type(amount) is not int or not least <= amount <= most):
        raise Invalid(
            "bad-limit", "This limit is a whole number from {least:,} to {most:,}, or none.", least=least, most=most
        )
