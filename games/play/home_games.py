"""Home games: a player opens a table of their own, for play money, and sends a link to the people they want there.

The table is private and in no lobby. A player with the link may sit, with the password where there is one. Its host can
make a new link, invite by name, and close it; the house closes it when nobody sat there for a day. A home game of a
club is for its members, and nobody else knows of it.
"""

import secrets
from datetime import datetime, timedelta
from typing import Annotated

from django.contrib.auth.hashers import make_password
from django.db.models import Q, QuerySet
from django.utils.translation import gettext, gettext_noop

from cardroom.accounts import people
from cardroom.core import access, alarms, audit_log, languages, notices, topics
from cardroom.core.arguments import Limits, RowId, not_kept
from cardroom.core.errors import Conflict, Invalid, NotFound, TooMany
from cardroom.core.models import Notice, User
from cardroom.core.verb import lock, verb
from games.clubs import founding
from games.clubs import queries as clubs
from games.clubs.models import Club, ClubTable
from games.play import opening, private, tables
from games.play.models import HomeGame
from games.play.opening import TableStakes
from games.tables import locking
from games.tables.models.offers import Invitation
from games.tables.models.tables import Table
from games.tables.queries.offers import GAME_NAMES
from games.tables.words import STRENGTHS

#: The most home games that one person, and one club, may have open.
MOST, MOST_OF_CLUB = 3, 10
MOST_BOTS = 7
#: The most people that one host may invite by name in a day.
MOST_INVITED = 30
#: The stakes to choose from, by their words.
STAKES = {
    "2/4": TableStakes(ante=1, bring_in=1, small_bet=2, big_bet=4),
    "5/10": TableStakes(ante=1, bring_in=2, small_bet=5, big_bet=10),
    "10/20": TableStakes(ante=2, bring_in=3, small_bet=10, big_bet=20),
    "25/50": TableStakes(ante=5, bring_in=10, small_bet=25, big_bet=50),
    "50/100": TableStakes(ante=10, bring_in=15, small_bet=50, big_bet=100),
}
#: The games that can be played at home, with their titles.
CHOICES = GAME_NAMES
#: The minimum and maximum buy-in, in small bets.
_LEAST, _MOST = 20, 100
_LONGEST_NAME = 50
_LEFT_OPEN = timedelta(days=1)
#: The alarm that closes games where nobody plays.
ALARM = alarms.register("home-game", "games.tasks.look_at_home_game")
_INVITED = "home-game"
_OVER = (Table.State.CLOSING, Table.State.CLOSED)

GameOfChoice = Annotated[str, Limits(choices=[*CHOICES.items()])]
StakesOfChoice = Annotated[str, Limits(choices=[(stakes, stakes) for stakes in STAKES])]
TableName = Annotated[str, Limits(max_length=_LONGEST_NAME, help_text="Empty: after its host.")]
NewPassword = Annotated[str, Limits(max_length=60, help_text="Asked beside the link.")]
Bots = Annotated[int, Limits(min_value=0, max_value=MOST_BOTS)]
Strength = Annotated[str, Limits(choices=STRENGTHS, help_text="Empty: mixed.")]
HasHelp = Annotated[bool, Limits(is_lenient=True)]
OwnClub = Annotated[int | None, Limits(help_text="A club that you organise: its members sit, there is no link.")]
ScreenName = Annotated[str, Limits(called="player", max_length=150, help_text="A screen name.")]


def are_on() -> bool:
    """Whether this room has home games: only where new players get play money."""
    return bool(people.welcome_chips())


def check_on() -> None:
    """`NotFound` where this room has no home games."""
    if not are_on():
        raise NotFound("no-home-games", "This room has no home games.")


@verb("home_games.open")
def open_one(
    *,
    game: GameOfChoice,
    stakes: StakesOfChoice,
    rulebook: Annotated[str, Limits(max_length=80)] = "roberts-v4",
    name: TableName = "",
    password: NewPassword = "",
    club: OwnClub = None,
    bots: Bots = 0,
    bot_strength: Strength = "",
    has_help: HasHelp = True,
    by: User,
) -> HomeGame:
    """Open a home game; its host is invited, and nobody else yet. `name` "": after its host. `club`: for the members of
    this one, which the host organises, without a link. `bot_strength`: one of `words.STRENGTHS`; "": mixed.

    Refuses: `NotFound` (there are none here; no such stakes, no such club), `Forbidden` (banned; they do not organise
    the club), `Conflict` (three are open, or ten of the club; the name is taken), `Invalid` (the name, the password,
    the bots, or a book that does not fit). Locks the host's row.
    """
    check_on()
    access.require_login(by)
    _, now = lock(User, by.pk)
    founding.check_not_banned(by, now=now)
    if stakes not in STAKES:
        raise NotFound("no-such-stakes", "The stakes of a home game are one of {stakes}.", stakes=", ".join(STAKES))
    of_club = None if club is None else _club_for(club, by, password)
    if of_club is None and games_hosted_by(by).filter(is_hidden=False).count() >= MOST:
        raise Conflict("too-many-games", "You have {most} home games open: close one first.", most=MOST)
    private.check_password_fits(password)
    if bot_strength and bot_strength not in STRENGTHS:
        raise Invalid("bad-bots", "Bots play as one of: {strengths}.", strengths=", ".join(STRENGTHS))
    small = STAKES[stakes].small_bet
    table = opening.open_table(
        name=opening.checked_text(name, "name", most=_LONGEST_NAME) or _name_for(by),
        stakes=STAKES[stakes],
        game=game,
        rulebook=rulebook,
        bots=bots,
        bot_strength=bot_strength,
        has_help=has_help,
        min_buy_in=_LEAST * small,
        max_buy_in=_MOST * small,
        is_private=True,
        has_spectators=False,
        password=make_password(password) if password else "",
        now=now,
    )
    is_hidden = of_club is not None
    home_game = HomeGame.objects.create(table=table, host=by, word=_new_word(), is_hidden=is_hidden, made_at=now)
    invited = [by]
    if of_club is not None:
        ClubTable.objects.create(table=table, club=of_club)
        invited = [member.player for member in clubs.people_of(of_club)]
        topics.tell(clubs.place_of(of_club.pk), "lobby")
    Invitation.objects.bulk_create([Invitation(table=table, player=player, at=now) for player in invited])
    audit_log.note(verb="home_games.open", subject=f"table:{table.pk}", player=by, by=by, now=now)
    _look_later(home_game, now)
    return home_game


@verb("home_games.renew")
def renew_link(*, table_id: RowId, by: User) -> HomeGame:
    """Make a new link; the old one stops working. Invitations stay.

    Refuses: `NotFound` (not a home game of theirs), `Conflict` (a club's).
    """
    home_game = _game_with_link(table_id, by)
    home_game.word = _new_word()
    home_game.save(update_fields=["word"])
    return home_game


@verb("home_games.invite")
def invite(*, table_id: RowId, name: ScreenName, by: User) -> Annotated[Invitation, not_kept]:
    """Invite a player by their name, and notify them. Refuses: `NotFound` (not a home game of theirs; no such name),
    `Conflict` (a club's), `Forbidden` (banned), `TooMany` (thirty in a day)."""
    _, now = lock(locking.hold, [table_id])
    table = _game_with_link(table_id, by).table
    player = access.get_user_by_name(name)
    if earlier := Invitation.objects.filter(table=table, player=player).first():
        return earlier
    founding.check_not_banned(by, now=now)
    keys = [f"home:{game}" for game in HomeGame.objects.filter(host=by).values_list("table", flat=True)]
    if Notice.objects.filter(kind=_INVITED, key__in=keys, at__gt=now - timedelta(days=1)).count() >= MOST_INVITED:
        refusal = gettext_noop("You invited {most} people today: send them the link, or go on tomorrow.")
        raise TooMany("too-many", refusal, most=MOST_INVITED)
    invitation = Invitation.objects.create(table=table, player=player, by=by, at=now)
    with languages.spoken_to(player):
        text = gettext("{host} invites you to a home game: {table}. It is under Home games in your menu.").format(
            host=by.username, table=table.name
        )
    notices.tell(player=player, kind=_INVITED, text=text, key=f"home:{table_id}", now=now)
    return invitation


@verb("home_games.close")
def close(*, table_id: RowId, by: User) -> HomeGame:
    """Close the home game: when the hand being played is over, everybody gets their chips back. A second call does
    nothing.

    Refuses: `NotFound` (not a home game of theirs).
    """
    _, now = lock(locking.hold, [table_id])
    home_game = game_of(table_id, by)
    tables.close(table_id=table_id, now=now)
    audit_log.note(verb="home_games.close", subject=f"table:{table_id}", player=by, by=by, now=now)
    home_game.table.refresh_from_db()
    return home_game


def join(*, word: str, password: Annotated[str, Limits(max_length=60)] = "", by: User) -> Invitation:
    """Join a home game by its link: the player may sit down from then on. Refuses: `NotFound` (no such link, or the
    game is over), `Forbidden` and `TooMany` (the password), see `private.unlock`."""
    access.require_login(by)
    home_game = by_word(word)
    earlier = Invitation.objects.filter(table=home_game.table, player=by).first()
    if earlier is not None:
        return earlier
    if home_game.table.password:
        return private.unlock(table_id=home_game.table_id, password=password, has_link=True, by=by)
    return _let_in(table_id=home_game.table_id, word=word, by=by)


@verb("home_games.let_in")
def _let_in(*, table_id: int, word: str, by: User) -> Invitation:
    _, now = lock(locking.hold, [table_id])
    by_word(word)  # the host may have made a new link meanwhile
    return Invitation.objects.get_or_create(table_id=table_id, player=by, defaults={"at": now})[0]


def by_word(word: str) -> HomeGame:
    """The open game that a link leads to; `NotFound` where there is none."""
    home_game = (
        HomeGame.objects.select_related("table", "host")
        .filter(word=word, is_hidden=False)
        .exclude(table__state__in=_OVER)
        .first()
    )
    if home_game is None:
        raise NotFound("no-such-link", "This link leads to no game: it is over, or its host made a new link.")
    return home_game


def game_of(table_id: int, by: User) -> HomeGame:
    """A home game that the user hosts, or of a club that they organise, with table and host; `NotFound` for another."""
    home_game = HomeGame.objects.select_related("table", "host").filter(table=table_id).first()
    if home_game is None or not _may_run(home_game, by):
        raise NotFound("no-such-game", "That is not a home game of yours.")
    return home_game


def games_hosted_by(by: User) -> QuerySet[HomeGame]:
    """The open games of a host."""
    return HomeGame.objects.filter(host=by).exclude(table__state__in=_OVER)


def games_for(player: User) -> list[HomeGame]:
    """The open games that a player hosts or is invited to, newest first, with table and host."""
    runs = Q(table__club_table__club__in=clubs.joined_by(player, *clubs.ORGANISE))
    is_players = Q(host=player) & (Q(is_hidden=False) | runs) | Q(table__invitations__player=player, is_hidden=False)
    games = HomeGame.objects.filter(is_players).exclude(table__state__in=_OVER).distinct()
    return list(games.select_related("table", "host").order_by("-pk"))


def is_host(table: Table, user: User) -> bool:
    """Whether the user may close the home game at this table. No query where the table is not private."""
    home_game = HomeGame.objects.filter(table=table).first() if table.is_private else None
    return home_game is not None and _may_run(home_game, user)


def look_at(*, table_id: int, now: datetime) -> None:
    """The alarm of a home game: close it if nobody sits there and no hand was played for a day, else ring again a day
    later."""
    home_game = HomeGame.objects.select_related("table__play__last_hand").filter(table=table_id).first()
    if home_game is None or home_game.table.state in _OVER:
        return
    last = home_game.table.last_hand.ended_at if home_game.table.last_hand else None
    is_used = home_game.table.seats.filter(player__is_bot=False).exists()
    if is_used or max(last or home_game.made_at, home_game.made_at) > now - _LEFT_OPEN:
        _look_later(home_game, now)
    else:
        tables.close(table_id=table_id, now=now)


def _club_for(club_id: int, by: User, password: str) -> Club:
    """The club, where `by` may open a table for it."""
    club = clubs.one(club_id)
    clubs.require_part(club, by, *clubs.ORGANISE)
    if password:
        raise Invalid("bad-password", "A table of a club is for its members: it has no password.")
    # Locked only for organisers, whose part is checked again under the lock.
    lock(Club, club_id)
    clubs.require_part(club, by, *clubs.ORGANISE)
    if clubs.tables_of(club).count() >= MOST_OF_CLUB:
        raise Conflict(
            "too-many-games",
            "{found} has {most_of_club} tables open: close one first.",
            found=club.name,
            most_of_club=MOST_OF_CLUB,
        )
    return club


def _may_run(game: HomeGame, user: User) -> bool:
    """Whether the user hosts the game or, of a club's game, organises the club."""
    if not game.is_hidden:
        return game.host_id == user.pk
    return Club.objects.filter(
        tables__table=game.table_id, members__player=user.pk, members__part__in=clubs.ORGANISE
    ).exists()


def _game_with_link(table_id: int, by: User) -> HomeGame:
    home_game = game_of(table_id, by)
    if home_game.is_hidden:
        raise Conflict("table-of-a-club", "This table is for the members of its club: they join the club.")
    return home_game


def _name_for(host: User) -> str:
    """The name of a host's table, with a number where the name is taken."""
    plain = gettext("{host}’s game").format(host=host.username[: _LONGEST_NAME - 8])[: _LONGEST_NAME - 1]
    taken = set(Table.objects.filter(name__startswith=plain).values_list("name", flat=True))
    return next(name for name in (plain, *(f"{plain} {n}" for n in range(2, len(taken) + 3))) if name not in taken)


def _new_word() -> str:
    return secrets.token_urlsafe(12)


def _look_later(home_game: HomeGame, now: datetime) -> None:
    due_at = now + _LEFT_OPEN
    alarms.set(kind=ALARM, key=str(home_game.table_id), due_at=due_at, fence=int(due_at.timestamp()))
