"""What the cage can be asked; nothing here writes."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Prefetch, Q, QuerySet, Sum

from cardroom.accounts import bans
from cardroom.cage import books as cage_books
from cardroom.cage import slips as cage_slips
from cardroom.cage.models import CashierRequest, Drawer, DrawerSession, SessionMember, Slip
from cardroom.core import access
from cardroom.core.models import User
from cardroom.ledger.models import Account, Entry

State = DrawerSession.State
#: Who works on a drawer beside the person who opened it, as `present`.
_MEMBERS = Prefetch("members", SessionMember.objects.filter(left_at=None).select_related("person"), "present")


@dataclass(frozen=True)
class PlayerBalances:
    """A player as the cashier sees them at the counter."""

    player: User
    wallet: int
    comps: int
    at_tables: int
    owes: int
    line: int
    ban: str
    requests: list[CashierRequest]


@dataclass(frozen=True)
class Total:
    """What slips of one kind came to in a session: how many, their amounts, and the money in the drawer by them."""

    kind: str
    name: str
    number: int
    amount: int | None
    money: int | None


@dataclass(frozen=True)
class DrawerNow:
    """A drawer and who is at it. `holds`: by the books; None for a person who may count it (`counts_blind`)."""

    drawer: Drawer
    session: DrawerSession | None
    holds: int | None


def of_player(player: User, *, now: datetime) -> PlayerBalances:
    """The player's chips, comps, debt, and whether they may play."""
    sums = Account.objects.filter(owner=player).values_list("kind", "unit").annotate(held=Sum("balance")).order_by()
    held = {(kind, unit): int(total) for kind, unit, total in sums}
    ban = bans.in_force(player, now=now).first()
    return PlayerBalances(
        player=player,
        wallet=held.get(("wallet", "cash"), 0),
        comps=held.get(("wallet", cage_books.COMP), 0),
        at_tables=cage_books.at_tables(player.pk),
        owes=held.get(("debt", "cash"), 0),
        line=cage_slips.line_of(player),
        ban=bans.words_for(ban) if ban else "",
        requests=list(
            CashierRequest.objects.filter(player=player, state="open").select_related("player").order_by("pk")
        ),
    )


def own_session(by: User) -> DrawerSession | None:
    """The drawer that this person works on, open or waiting to be closed."""
    return cage_books.sessions_of(by).select_related("drawer", "cashier").first()


def takes_cash(by: User) -> bool:
    """Whether the person has a drawer open, into which they take the money of events."""
    return cage_books.sessions_of(by).filter(state=State.OPEN).exists()


def sees_cage(viewer: User) -> bool:
    """Whether `viewer` sees every drawer and slip; the others of the tournament desk see those of events."""
    return access.has_role(viewer, *cage_books.STAFF, "auditor")


def _seen_by(viewer: User | None) -> QuerySet[DrawerSession]:
    rows = DrawerSession.objects.select_related("drawer", "cashier", "closed_by")
    return rows if viewer is None or sees_cage(viewer) else rows.filter(drawer__is_for_events=True)


def session(session_id: int, *, viewer: User | None = None) -> DrawerSession:
    """A session with its drawer and people; `NotFound` where there is none that `viewer` (None: anybody) may see."""
    rows = _seen_by(viewer).prefetch_related("counts__by", "members__person")
    row = rows.filter(pk=session_id).first()
    if row is None:
        raise DrawerSession.not_found()
    return row


def sessions(*, limit: int = 50, before: int | None = None, viewer: User | None = None) -> list[DrawerSession]:
    """The last sessions that `viewer` may see, newest first."""
    rows = _seen_by(viewer).order_by("-pk")
    return list((rows.filter(pk__lt=before) if before is not None else rows)[:limit])


def counts_blind(viewer: User, session: DrawerSession | None) -> bool:
    """Whether the book balance of a drawer, and what adds up to it (its counts, the sums of its slips), is hidden from
    `viewer`, as counts are blind.

    Until the session is closed it is hidden from everybody who may count the drawer: cashiers and managers, and at the
    tournament desk directors and the floor. That is so too while a count waits for a second person, who reads the
    figures in the request (`approvals`). Auditors count nothing, and always see it. Of a closed session managers,
    auditors and the people who counted it see the figures; the next cashier, who counts the drawer anew, does not.
    Single slips are not hidden from the cage, where somebody wrote them."""
    if session is None:
        return not access.has_role(viewer, "manager", "auditor")
    return session.pk in blind_among(viewer, [session])


def blind_among(viewer: User, sessions: Iterable[DrawerSession]) -> set[int]:
    """The ids of those of `sessions` that `counts_blind` of `viewer`. One query."""
    roles = access.roles_of(viewer)
    looks_at_closed = not roles.isdisjoint(("manager", "auditor"))
    return {
        row.pk
        for row in sessions
        if (
            not roles.isdisjoint(cage_books.EVENT_DESK if row.drawer.is_for_events else cage_books.STAFF)
            if row.state != State.CLOSED
            else not looks_at_closed and viewer.pk not in (row.cashier_id, row.closed_by_id)
        )
    }


def sees_money(viewer: User) -> bool:
    """Whether `viewer` sees the total of drawers and vault: only people who count none of it."""
    return not access.has_role(viewer, *cage_books.STAFF)


def drawers(viewer: User) -> list[DrawerNow]:
    """Every drawer in use that `viewer` may see, who has it, and what it holds, as far as `viewer` may know that. A few
    queries."""
    has = {row.drawer_id: row for row in sessions_open().prefetch_related(_MEMBERS)}
    rows = Drawer.objects.filter(is_in_use=True)
    if not sees_cage(viewer):
        rows = rows.filter(is_for_events=True)
    balances = Account.objects.filter(kind=Account.Kind.DRAWER, unit=cage_books.MONEY).order_by()
    held = dict(balances.values_list("label", "balance"))
    found_now = []
    for row in rows:
        session = has.get(row.pk)
        holds = None if counts_blind(viewer, session) else held.get(f"drawer:{row.pk}", 0)
        found_now.append(DrawerNow(row, session, holds))
    return found_now


def sessions_open() -> QuerySet[DrawerSession]:
    """Who is at a drawer now."""
    return DrawerSession.objects.exclude(state=State.CLOSED).select_related("drawer", "cashier")


def slips(
    *,
    limit: int = 50,
    before: int | None = None,
    player: int | None = None,
    session: int | None = None,
    by: int | None = None,
    kind: str = "",
    blind_for: User | None = None,
) -> list[Slip]:
    """Slips, newest first; `blind_for`: without those of drawers that this person may come to count. Two queries at
    most."""
    rows = Slip.objects.select_related("player", "to", "by", "session__drawer", "reverses", "reversed_by", "approval")
    if player is not None:
        rows = rows.filter(Q(player=player) | Q(to=player))
    for name, value in (("session", session), ("by", by), ("kind", kind or None), ("pk__lt", before)):
        if value is not None:
            rows = rows.filter(**{name: value})
    if blind_for is not None:
        rows = rows.exclude(session__in=blind_among(blind_for, sessions_open()))
    return list(rows.order_by("-pk")[:limit])


def totals(session: DrawerSession) -> list[Total]:
    """What the slips of a session came to, by kind. Two queries."""
    money = dict(
        Entry.objects.filter(account__kind=Account.Kind.DRAWER, transfer__slip__session=session)
        .order_by()
        .values_list("transfer__slip__kind")
        .annotate(total=Sum("amount"))
    )
    rows = session.slips.order_by().values_list("kind").annotate(number=Count("pk"), amount=Sum("amount"))
    known = {kind: (number, amount) for kind, number, amount in rows}
    return [
        Total(kind.value, kind.label, known[kind][0], int(known[kind][1]), int(money.get(kind, 0)))
        for kind in Slip.Kind
        if kind in known
    ]


def sees_vault(viewer: User) -> bool:
    """Whether `viewer` sees the book balance of the vault: auditors, who do not count it."""
    return access.has_role(viewer, "auditor") and sees_money(viewer)


def vault() -> int:
    """The book balance of the vault."""
    rows = Account.objects.filter(kind=Account.Kind.HOUSE, label=cage_books.VAULT, unit=cage_books.MONEY)
    return rows.values_list("balance", flat=True).first() or 0


def requests_of(player: User, *, limit: int = 20) -> list[CashierRequest]:
    """What a player asked the cage for, newest first."""
    return list(CashierRequest.objects.filter(player=player).select_related("player", "slip", "answered_by")[:limit])


def check_may_see(slip: Slip, viewer: User, *, is_staff: bool) -> None:
    """A slip is for the cage, its auditors, the players it is about and, of an event, for its desk; others get
    `NotFound`."""
    is_of_desk = slip.kind in cage_books.EVENT_KINDS and access.has_role(viewer, *cage_books.EVENT_DESK)
    if not is_staff and not is_of_desk and viewer.pk not in (slip.player_id, slip.to_id):
        raise Slip.not_found()
