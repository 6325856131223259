"""Private tables: players sit there by invitation, or by the password, which gives them an invitation.

A password is stored hashed. After some wrong ones a player, and after more everybody at the table, has to wait.
"""

from datetime import datetime, timedelta
from typing import Annotated, Any

from django.contrib.auth.hashers import check_password, make_password
from django.utils.translation import gettext, gettext_noop

from cardroom.accounts import sealed_views
from cardroom.core import access, audit_log, names, topics
from cardroom.core.arguments import Limits, RowId, internal, not_kept
from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotFound, TooMany, Verbatim
from cardroom.core.models import User
from cardroom.core.verb import lock, verb
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

NewPassword = Annotated[str, Limits(max_length=_LONGEST, help_text="Empty: invited players only.", required=False)]
ScreenName = Annotated[str, Limits(called="player", max_length=150, help_text="The player's name.")]
Reason = Annotated[str, Limits(max_length=300, required=False)]


def may_sit(table: Table, player: User) -> bool:
    """Whether the player may sit: the table is open to everybody, or they are invited. One query where it is private,
    else none."""
    return not table.is_private or Invitation.objects.filter(table=table, player=player).exists()


def check_may_sit(table: Table, player: User) -> None:
    """`Forbidden` where the table is private and they are not invited."""
    if not may_sit(table, player):
        table_queries.check_may_see(table, player)
        pattern = (
            gettext_noop("{table} is a private table: give its password first.")
            if table.password
            else gettext_noop("{table} is a private table: ask the floor for an invitation first.")
        )
        raise Forbidden("private-table", pattern, has_password=bool(table.password), table=table.name)


@verb("private.make_private", roles=ROLES)
def make_private(
    *, table_id: RowId, is_private: bool, password: NewPassword = "", reason: Reason = "", by: User
) -> Table:
    """Make a table private, for those who are invited or know `password` ("": only the invited), or open it to
    everybody.

    Those who sit there stay, and are invited. Does nothing where it is so already. Refuses: `Invalid` (the password),
    `Illegal` (a table of an event). Locks the table.
    """
    check_password_fits(password)
    table, now = lock(_cash_table, table_id)
    if _is_so(table, is_private, password):
        return table
    table.is_private, table.password = is_private, make_password(password) if is_private and password else ""
    Table.objects.filter(pk=table.pk).update(is_private=table.is_private, password=table.password)
    if is_private:
        for player in User.objects.filter(seats__table=table, is_bot=False):
            _invite_once(table, player, by=by, now=now)
    else:
        table.invitations.all().delete()
    # No entry may hold the password, so this is written by hand and not by `about`.
    audit_log.note(
        verb="private.make_private",
        subject=f"table:{table.pk}",
        by=by,
        now=now,
        reason=reason,
        is_private=is_private,
        has_password=bool(table.password),
    )
    _tell(table)
    return table


@verb("private.invite", roles=ROLES)
def invite(*, table_id: RowId, player: User, reason: Reason = "", by: User) -> Invitation:
    """Let somebody sit at a private table. Refuses: `Illegal` (the table is not private)."""
    table, now = lock(_cash_table, table_id)
    if not table.is_private:
        raise Illegal("not-private", "{table} is open to everybody: make it private first.", table=table.name)
    if table.invitations.filter(player=player).exists():
        return _invite_once(table, player, by=by, now=now)
    invitation = _invite_once(table, player, by=by, now=now)
    audit_log.note(verb="private.invite", subject=f"table:{table.pk}", player=player, by=by, now=now, reason=reason)
    topics.tell(f"player:{player.pk}")
    _tell(table)
    return invitation


@verb("private.invite_named", roles=ROLES)
def invite_named(
    *, table_id: RowId, name: ScreenName, reason: Reason = "", by: User
) -> Annotated[Invitation, not_kept]:
    """`invite` a player by their name; `NotFound` where nobody has it."""
    player = User.objects.filter(username__iexact=name.strip(), is_bot=False, is_active=True).first()
    if player is None:
        sentence = gettext("Nobody here is called “{name}”.").format(name=names.name_for_message(name.strip()[:60]))
        raise NotFound("no-such-player", Verbatim(sentence))
    return invite(table_id=table_id, player=player, reason=reason, by=by)


@verb("private.uninvite", roles=ROLES)
def uninvite(*, table_id: RowId, player_id: RowId, reason: Annotated[str, internal] = "", by: User) -> bool:
    """Take an invitation back; a player who sits there stays seated. False where there was none."""
    table, now = lock(_cash_table, table_id)
    invitation = Invitation.objects.select_related("player").filter(table=table, player=player_id).first()
    if invitation is None:
        return False
    invitation.delete()
    subject, player = f"table:{table.pk}", invitation.player
    audit_log.note(verb="private.uninvite", subject=subject, player=player, by=by, now=now, reason=reason)
    _tell(table)
    return True


def unlock(
    *,
    table_id: RowId,
    password: Annotated[str, Limits(max_length=_LONGEST)],
    has_link: Annotated[bool, internal] = False,
    by: User,
) -> Invitation:
    """A player gives the password of a private table, and is invited. `has_link`: they have the link of a home game,
    which nobody may know of without it.

    Refuses: `NotFound`, `Forbidden` (it is wrong, or there is none), `TooMany` (wrong too often: wait), `Illegal` (not
    private). A wrong password is counted even though the call is refused. Locks the table.
    """
    access.require_login(by)
    invitation = _try(table_id=table_id, password=password, has_link=has_link, by=by)
    if invitation is not None:
        return invitation
    table = table_queries.table(table_id)
    if not table.password:
        raise Forbidden("private-table", "{table} takes those who are invited: ask the floor.", table=table.name)
    raise Forbidden("wrong-password", "That is not the password of this table.")


@verb("private.try_password")
def _try(*, table_id: int, password: str, has_link: bool, by: User) -> Invitation | None:
    """The player's invitation; None where the password is wrong. No exception here: the guess has to be committed while
    the table is locked, so that each of several guesses at once counts for the next."""
    table, now = lock(_cash_table, table_id)
    if not table.is_private:
        raise Illegal("not-private", "{table} is open to everybody: just sit down.", table=table.name)
    earlier = Invitation.objects.filter(table=table, player=by).first()
    if earlier is not None:
        return earlier
    if not has_link:
        table_queries.check_may_see(table, by)
    _check_guesses(table, by, now=now)
    if table.password and check_password(password[:_LONGEST], table.password):
        return _invite_once(table, by, by=None, now=now)
    PasswordGuess.objects.create(table=table, player=by, at=now)
    return None


def check_password_fits(password: str) -> None:
    """`Invalid` where the text cannot be the password of a table."""
    if password and (not _SHORTEST <= len(password) <= _LONGEST or not password.isprintable()):
        raise Invalid(
            "bad-password",
            "The password of a table has {shortest} to {longest} characters.",
            shortest=_SHORTEST,
            longest=_LONGEST,
        )


def _is_so(table: Table, is_private: bool, password: str) -> bool:
    """Whether the table is private (or not) with this password (or none) already."""
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


def _invite_once(table: Table, player: User, *, by: User | None, now: datetime) -> Invitation:
    return Invitation.objects.get_or_create(table=table, player=player, defaults={"by": by, "at": now})[0]


def _cash_table(table_id: int) -> Table:
    """The table, locked. `Illegal` for one of an event."""
    table = locking.table(table_id)
    if table.event:
        raise Illegal("table-of-an-event", "The seats of a tournament are drawn: its tables are not private.")
    return table


def _tell(table: Table) -> None:
    locking.store(table, wake_at=table.wake_at)
    locking.tell(table)
    topics.tell("lobby", "floor")


#: The longest evening at a cash table. Hands of one game within this time count as one session.
SESSION = timedelta(hours=12)


@verb("private.look")
def look(*, hand_id: RowId, by: User) -> Annotated[list[tuple[int, Fact]], not_kept]:
    """The facts of a hand that is over with every card that was dealt, numbered from 1, for an auditor with an open
    view. The look is recorded first.

    Refuses: `NotFound`; `Forbidden` without an open view, or for a player of that game; `Conflict` while the hand is
    being played. Locks the player, so that they do not sit down meanwhile.
    """
    _, now = lock(stacks.lock_player, by)
    hand = Hand.objects.select_related("table").filter(pk=hand_id).first()
    if hand is None:
        raise NotFound("no-such-hand", "There is no such hand.")
    view = sealed_views.require(user=by, now=now)
    if hand.ended_at is None:
        raise Conflict("hand-in-play", "This hand is in progress: its sealed cards can be viewed when it is over.")
    if _has_sat(by, hand):
        raise Forbidden("sat-in-the-game", "You had a seat in this game: ask another auditor.")
    sealed_views.note_look(view=view, subject=f"hand:{hand_id}", now=now)
    return [(seq, redact(fact, AUDITOR)) for seq, fact in enumerate(table_journal.facts(hand_id), 1)]


def check_not_looking(table: Table, player: User, *, now: datetime) -> None:
    """`Forbidden` for a player who has seen sealed cards of this game. One query where they never looked at any."""
    looked = sealed_views.looks_of(player, kind="hand", since=now - SESSION)
    if looked and Hand.objects.filter(pk__in=looked, **_same_game(table, "table__")).exists():
        raise Forbidden(
            "saw-sealed-cards",
            "You have seen sealed cards of this game: take a seat in it {session} hours later.",
            session=SESSION // timedelta(hours=1),
        )


def check_may_enter(event: str, player: User) -> None:
    """`Forbidden` for a player who has seen sealed cards of this event."""
    looked = sealed_views.looks_of(player, kind="hand")
    if looked and Hand.objects.filter(pk__in=looked, table__event=event).exists():
        raise Forbidden("saw-sealed-cards", "You have seen sealed cards of this tournament.")


def _has_sat(player: User, hand: Hand) -> bool:
    """Whether the player sat in the game of this hand: in the session before it, during it, or since."""
    game = _same_game(hand.table, "table__")
    if Seat.objects.filter(player=player, **game).exists():
        return True
    if hand.table.event:
        has_entered = hosts.host_of(hand.table).has_entered(hand.table, player)
        return has_entered or SeatMove.objects.filter(player=player, **game).exists()
    stays = Stay.objects.filter(player=player, **game)
    return stays.exclude(left_at__lt=hand.started_at - SESSION).exists()


def _same_game(table: Table, prefix: str) -> dict[str, Any]:
    """A filter for the tables of the same event, of the same game on offer, or else this table alone."""
    if table.event:
        return {f"{prefix}event": table.event}
    if table.offer_id:
        return {f"{prefix}offer": table.offer_id}
    return {prefix.removesuffix("__"): table.pk}
