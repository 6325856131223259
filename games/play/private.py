"""Private tables: who may sit there. By invitation, or by the password, which is an invitation to oneself.

A password is kept hashed. After some wrong ones a player, and after more the table, takes none for a while.
"""

from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.utils.translation import gettext, gettext_noop

from cardroom.accounts import sealed_views
from cardroom.core import access, audit_log, names, topics
from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotFound, TooMany, Verbatim
from cardroom.core.models import User
from cardroom.core.operation import operation, read, row_of
from games.engine.facts.base import AUDITOR, Fact, redact
from games.play.models import PasswordGuess
from games.tables import hosts, locking, stacks
from games.tables import journal as table_journal
from games.tables.models.offers import Invitation
from games.tables.models.tables import Hand, Seat, SeatMove, Table
from games.tables.models.times import Stay
from games.tables.queries import tables as table_queries

ROLES = ("floor", "manager")

_WHILE = timedelta(minutes=15)
_MOST_OF_ONE, _MOST_OF_ALL = 5, 30
_SHORTEST, _LONGEST = 4, 60


def may_sit(table: Table, player: User) -> bool:
    """Whether the table is open to them: to everybody, or they are invited. One query where it is private, or none."""
    return not table.is_private or Invitation.objects.filter(table=table, player=player).exists()


def check_may_sit(table: Table, player: User) -> None:
    """`Forbidden` where the table is private and they are not invited."""
    if not may_sit(table, player):
        table_queries.check_may_see(table, player)
        said = (
            gettext_noop("{table} is a private table: give its password first.")
            if table.password
            else gettext_noop("{table} is a private table: ask the floor for an invitation first.")
        )
        raise Forbidden("private-table", said, has_password=bool(table.password), table=table.name)


@operation(locking.of_table, roles=ROLES)
def make_private(
    *, table_id: int, by: User, is_private: bool = True, password: str = "", reason: str = "", now: datetime
) -> Table:
    """Say who may sit there from now on: who is invited or knows `password` ("": the invited alone), or everybody.

    Those who sit there stay, and are invited. As it is already: nothing is done. Refuses: `Invalid` (the password),
    `Illegal` (a table of an event). Locks the table.
    """
    check_password_fits(password)
    table = _locked(table_id)
    if _is_so(table, is_private, password):
        return table
    table.is_private, table.password = is_private, make_password(password) if is_private and password else ""
    Table.objects.filter(pk=table.pk).update(is_private=table.is_private, password=table.password)
    if is_private:
        for player in User.objects.filter(seats__table=table, is_bot=False):
            _invited(table, player, by=by, now=now)
    else:
        table.invitations.all().delete()
    subject, has_password = f"table:{table.pk}", bool(table.password)
    audit_log.note(
        verb="private.make_private",
        subject=subject,
        by=by,
        now=now,
        reason=reason,
        is_private=is_private,
        has_password=has_password,
    )
    _tell(table)
    return table


@operation(locking.of_table, roles=ROLES)
def invite(*, table_id: int, player: User, by: User, reason: str = "", now: datetime) -> Invitation:
    """Let somebody sit at a private table. Refuses: `Illegal` (the table is not private)."""
    table = _locked(table_id)
    if not table.is_private:
        raise Illegal("not-private", "{table} is open to everybody: make it private first.", table=table.name)
    if table.invitations.filter(player=player).exists():
        return _invited(table, player, by=by, now=now)
    made = _invited(table, player, by=by, now=now)
    audit_log.note(verb="private.invite", subject=f"table:{table.pk}", player=player, by=by, now=now, reason=reason)
    topics.tell(f"player:{player.pk}")
    _tell(table)
    return made


@operation(locking.of_table, roles=ROLES)
def invite_named(*, table_id: int, name: str, by: User, reason: str = "", now: datetime) -> Invitation:
    """`invite` whom the floor calls by name; `NotFound` where nobody is called so."""
    player = User.objects.filter(username__iexact=name.strip(), is_bot=False, is_active=True).first()
    if player is None:
        told = gettext("Nobody here is called “{name}”.").format(name=names.shown(name.strip()[:60]))
        raise NotFound("no-such-player", Verbatim(told))
    return invite(table_id=table_id, player=player, by=by, reason=reason, now=now)


@operation(locking.of_table, roles=ROLES)
def uninvite(*, table_id: int, player_id: int, by: User, reason: str = "", now: datetime) -> bool:
    """Take an invitation back; who sits stays seated. False where there was none."""
    table = _locked(table_id)
    found = Invitation.objects.select_related("player").filter(table=table, player=player_id).first()
    if found is None:
        return False
    found.delete()
    subject = f"table:{table.pk}"
    audit_log.note(verb="private.uninvite", subject=subject, player=found.player, by=by, now=now, reason=reason)
    _tell(table)
    return True


def unlock(
    *, table_id: int, player: User, password: str, now: datetime | None = None, has_link: bool = False
) -> Invitation:
    """Give the password of a private table: from then on they are invited. `has_link`: to a home game, which nobody may
    know of without it.

    Refuses: `NotFound`, `Forbidden` (it is wrong, or there is none), `TooMany` (wrong too often: wait), `Illegal` (not
    private). A wrong one is written down, also when the refusal undoes nothing else. Locks the table.
    """
    access.require_login(player)
    with transaction.atomic():
        table = _locked(table_id)
        now = read(now)
        if not table.is_private:
            raise Illegal("not-private", "{table} is open to everybody: just sit down.", table=table.name)
        had = Invitation.objects.filter(table=table, player=player).first()
        if had is not None:
            return had
        if not has_link:
            table_queries.check_may_see(table, player)
        _check_guesses(table, player, now=now)
        if table.password and check_password(password[:_LONGEST], table.password):
            return _invited(table, player, by=None, now=now)
        PasswordGuess.objects.create(table=table, player=player, at=now)
    if not table.password:
        raise Forbidden("private-table", "{table} takes those who are invited: ask the floor.", table=table.name)
    raise Forbidden("wrong-password", "That is not the password of this table.")


def check_password_fits(password: str) -> None:
    """`Invalid` where it cannot be the password of a table."""
    if password and (not _SHORTEST <= len(password) <= _LONGEST or not password.isprintable()):
        raise Invalid(
            "bad-password",
            "The password of a table has {shortest} to {longest} characters.",
            shortest=_SHORTEST,
            longest=_LONGEST,
        )


def _is_so(table: Table, is_private: bool, password: str) -> bool:
    """Whether the table is as private as that already, with this password or with none."""
    if not (is_private and table.is_private):
        return not is_private and not table.is_private
    return check_password(password, table.password) if password and table.password else password == table.password


def _check_guesses(table: Table, player: User, *, now: datetime) -> None:
    lately = PasswordGuess.objects.filter(table=table, at__gt=now - _WHILE)
    if lately.filter(player=player).count() >= _MOST_OF_ONE or lately.count() >= _MOST_OF_ALL:
        minutes = _WHILE // timedelta(minutes=1)
        raise TooMany(
            "too-many-guesses",
            "Too many wrong passwords: wait up to {minutes} minutes, or ask the floor.",
            minutes=minutes,
        )


def _invited(table: Table, player: User, *, by: User | None, now: datetime) -> Invitation:
    return Invitation.objects.get_or_create(table=table, player=player, defaults={"by": by, "at": now})[0]


def _locked(table_id: int) -> Table:
    table = locking.table(table_id)
    if table.event:
        raise Illegal("table-of-an-event", "The seats of a tournament are drawn: its tables are not private.")
    return table


def _tell(table: Table) -> None:
    locking.store(table, wake_at=table.wake_at)
    locking.tell(table)
    topics.tell("lobby", "floor")


# The sealed cards of a hand that is over, for an auditor's open view and nobody else; each look is recorded first.


#: No evening at a cash table is longer; whoever plays on the next day has slept.
SESSION = timedelta(hours=12)


@operation(row_of(User, "by"))
def look(*, hand_id: int, by: User, now: datetime) -> list[tuple[int, Fact]]:
    """The facts of a hand with every card that was dealt, numbered from 1.

    Refuses: `NotFound`; `Forbidden` without an open view, or to who sat in that game; `Conflict` while the hand is
    being played. Locks the player, so that they do not sit down meanwhile.
    """
    hand = Hand.objects.select_related("table").filter(pk=hand_id).first()
    if hand is None:
        raise NotFound("no-such-hand", "There is no such hand.")
    view = sealed_views.require(user=by, now=now)
    if hand.ended_at is None:
        raise Conflict("hand-in-play", "This hand is in progress: its sealed cards can be viewed when it is over.")
    stacks.lock_player(by)
    if _has_sat(by, hand):
        raise Forbidden("sat-in-the-game", "You had a seat in this game: ask another auditor.")
    sealed_views.note_look(view=view, subject=f"hand:{hand_id}", now=now)
    return [(seq, redact(fact, AUDITOR)) for seq, fact in enumerate(table_journal.facts(hand_id), 1)]


def check_not_looking(table: Table, player: User, *, now: datetime) -> None:
    """`Forbidden` where they have looked at sealed cards of this game. One query for who never looked."""
    looked = sealed_views.looks_of(player, kind="hand", since=now - SESSION)
    if looked and Hand.objects.filter(pk__in=looked, **_same_game(table, "table__")).exists():
        raise Forbidden(
            "saw-sealed-cards",
            "You have seen sealed cards of this game: take a seat in it {session} hours later.",
            session=SESSION // timedelta(hours=1),
        )


def check_may_enter(event: str, player: User) -> None:
    """`Forbidden` where they have looked at sealed cards of this event."""
    looked = sealed_views.looks_of(player, kind="hand")
    if looked and Hand.objects.filter(pk__in=looked, table__event=event).exists():
        raise Forbidden("saw-sealed-cards", "You have seen sealed cards of this tournament.")


def _has_sat(player: User, hand: Hand) -> bool:
    """In the session before the hand, in it, or since."""
    game = _same_game(hand.table, "table__")
    if Seat.objects.filter(player=player, **game).exists():
        return True
    if hand.table.event:
        has_entered = hosts.host_of(hand.table).has_entered(hand.table, player)
        return has_entered or SeatMove.objects.filter(player=player, **game).exists()
    stays = Stay.objects.filter(player=player, **game)
    return stays.exclude(left_at__lt=hand.started_at - SESSION).exists()


def _same_game(table: Table, prefix: str) -> dict[str, Any]:
    """The tables of the same event, of the same game on offer, or this one alone."""
    if table.event:
        return {f"{prefix}event": table.event}
    if table.offer_id:
        return {f"{prefix}offer": table.offer_id}
    return {prefix.removesuffix("__"): table.pk}
