"""Home games: a player opens a table of their own, for play money, and sends a link to whom they want there.

The table is private and stands in no lobby. Who has the link may sit, once they gave the password where there is one.
Its host makes a new link, invites by name, and closes it; so does the house when nobody sat there for a day. Or it is a
club's: then its members may sit, and nobody else knows of it.
"""

import secrets
from datetime import datetime, timedelta

from django.contrib.auth.hashers import make_password
from django.db.models import Q, QuerySet
from django.utils.translation import gettext, gettext_noop

from cardroom.accounts import people
from cardroom.core import access, alarms, audit_log, languages, notices, topics
from cardroom.core.errors import Conflict, Invalid, NotFound, TooMany
from cardroom.core.models import Notice, User
from cardroom.core.operation import operation, row_of
from games.clubs import founding
from games.clubs import queries as clubs
from games.clubs.models import Club, ClubTable
from games.play import opening, private, tables
from games.play.models import HomeGame
from games.play.opening import Stakes
from games.tables import locking
from games.tables.models.offers import Invitation
from games.tables.models.tables import Table
from games.tables.queries.offers import GAME_NAMES
from games.tables.words import STRENGTHS

#: So many of them one person has open, and one club.
MOST, MOST_OF_CLUB = 3, 10
MOST_BOTS = 7
#: So many people one host invites by name in a day.
MOST_INVITED = 30
#: The stakes to choose from, by their words.
STAKES = {
    "2/4": Stakes(ante=1, bring_in=1, small_bet=2, big_bet=4),
    "5/10": Stakes(ante=1, bring_in=2, small_bet=5, big_bet=10),
    "10/20": Stakes(ante=2, bring_in=3, small_bet=10, big_bet=20),
    "25/50": Stakes(ante=5, bring_in=10, small_bet=25, big_bet=50),
    "50/100": Stakes(ante=10, bring_in=15, small_bet=50, big_bet=100),
}
#: The games that can be played at home, with their titles.
CHOICES = GAME_NAMES
#: What a seat costs, in small bets.
_LEAST, _MOST = 20, 100
_LONGEST_NAME = 50
_LEFT_OPEN = timedelta(days=1)
#: The alarm that closes what nobody plays at.
ALARM = alarms.register("home-game", "games.tasks.look_at_home_game")
_INVITED = "home-game"
_OVER = (Table.State.CLOSING, Table.State.CLOSED)


def are_on() -> bool:
    """Whether this room has home games: where every chip is play money, or play money is expressly paid out."""
    return bool(people.welcome_chips())


def check_on() -> None:
    """`NotFound` where this room has none."""
    if not are_on():
        raise NotFound("no-home-games", "This room has no home games.")


@operation(row_of(User, "by"), verb="home_games.open")
def open_one(
    *,
    by: User,
    game: str,
    stakes: str,
    rulebook: str,
    now: datetime,
    name: str = "",
    password: str = "",
    bots: int = 0,
    bot_strength: str = "",
    has_help: bool = True,
    club: int | None = None,
) -> HomeGame:
    """Open a home game; its host is invited, and nobody else yet. `name` "": after its host. `club`: for the members of
    this one, which the host organises, without a link. `bot_strength`: one of `words.STRENGTHS`; "": mixed.

    Refuses: `NotFound` (there are none here; no such stakes, no such club), `Forbidden` (banned; they do not organise
    the club), `Conflict` (three are open, or ten of the club; the name is taken), `Invalid` (the name, the password,
    the bots, or a book that does not fit). Locks the host's row.
    """
    check_on()
    access.require_login(by)
    User.objects.select_for_update(no_key=True).get(pk=by.pk)
    founding.check_not_banned(by, now=now)
    if stakes not in STAKES:
        raise NotFound("no-such-stakes", "The stakes of a home game are one of {stakes}.", stakes=", ".join(STAKES))
    of_club = None if club is None else _club_for(club, by, password)
    if of_club is None and hosted(by).filter(is_hidden=False).count() >= MOST:
        raise Conflict("too-many-games", "You have {most} home games open: close one first.", most=MOST)
    private.check_password_fits(password)
    if bot_strength and bot_strength not in STRENGTHS:
        raise Invalid("bad-bots", "Bots play as one of: {strengths}.", strengths=", ".join(STRENGTHS))
    small = STAKES[stakes].small_bet
    table = opening.open_table(
        name=opening.plain(name, "name", most=_LONGEST_NAME) or _name_for(by),
        stakes=STAKES[stakes], game=game, rulebook=rulebook, bots=bots,
        bot_strength=bot_strength, has_help=has_help, min_buy_in=_LEAST * small, max_buy_in=_MOST * small,
        is_private=True, has_spectators=False, password=make_password(password) if password else "", now=now,
    )  # fmt: skip
    is_hidden = of_club is not None
    made = HomeGame.objects.create(table=table, host=by, word=_new_word(), is_hidden=is_hidden, made_at=now)
    invited = [by]
    if of_club is not None:
        ClubTable.objects.create(table=table, club=of_club)
        invited = [each.player for each in clubs.people_of(of_club)]
        topics.tell(clubs.place_of(of_club.pk), "lobby")
    Invitation.objects.bulk_create([Invitation(table=table, player=player, at=now) for player in invited])
    audit_log.note(verb="home_games.open", subject=f"table:{table.pk}", player=by, by=by, now=now)
    _look_later(made, now)
    return made


@operation(verb="home_games.renew:{table_id}")
def renew_link(*, table_id: int, by: User, now: datetime) -> HomeGame:
    """Another link in place of the one before, which opens nothing any more. Who was invited stays so.

    Refuses: `NotFound` (not a home game of theirs), `Conflict` (a club's).
    """
    found = _game_with_link(table_id, by)
    found.word = _new_word()
    found.save(update_fields=["word"])
    return found


@operation(locking.of_table)
def invite(*, table_id: int, by: User, name: str, now: datetime) -> Invitation:
    """Invite somebody by their name, who hears of it. Refuses: `NotFound` (not a home game of theirs; no such name),
    `Conflict` (a club's), `Forbidden` (banned), `TooMany` (thirty in a day)."""
    found = _game_with_link(table_id, by)
    player = access.by_name(name)
    if had := Invitation.objects.filter(table=found.table, player=player).first():
        return had
    founding.check_not_banned(by, now=now)
    keys = [f"home:{game}" for game in HomeGame.objects.filter(host=by).values_list("table", flat=True)]
    if Notice.objects.filter(kind=_INVITED, key__in=keys, at__gt=now - timedelta(days=1)).count() >= MOST_INVITED:
        refusal = gettext_noop("You invited {most} people today: send them the link, or go on tomorrow.")
        raise TooMany("too-many", refusal, most=MOST_INVITED)
    made = Invitation.objects.create(table=found.table, player=player, by=by, at=now)
    with languages.spoken_to(player):
        text = gettext("{host} invites you to a home game: {table}. It is under Home games in your menu.").format(
            host=by.username, table=found.table.name
        )
    notices.tell(player=player, kind=_INVITED, text=text, key=f"home:{table_id}", now=now)
    return made


@operation(locking.of_table)
def close(*, table_id: int, by: User, now: datetime) -> HomeGame:
    """End the home game: when the hand being played is over, everybody gets their chips back. Once more does nothing.

    Refuses: `NotFound` (not a home game of theirs).
    """
    found = game_of(table_id, by)
    tables.close(table_id=table_id, now=now)
    audit_log.note(verb="home_games.close", subject=f"table:{table_id}", player=by, by=by, now=now)
    found.table.refresh_from_db()
    return found


def join(*, word: str, player: User, password: str = "", now: datetime | None = None) -> Invitation:
    """Come in by the link: from then on they may sit down. Refuses: `NotFound` (no such link, or the game is over),
    `Forbidden` and `TooMany` (the password), see `private.unlock`."""
    access.require_login(player)
    found = by_word(word)
    had = Invitation.objects.filter(table=found.table, player=player).first()
    if had is not None:
        return had
    if found.table.password:
        return private.unlock(table_id=found.table_id, player=player, password=password, now=now, has_link=True)
    return _let_in(table_id=found.table_id, player=player, word=word, now=now)


@operation(locking.of_table)
def _let_in(*, table_id: int, player: User, word: str, now: datetime) -> Invitation:
    by_word(word)  # it may be another by now
    return Invitation.objects.get_or_create(table_id=table_id, player=player, defaults={"at": now})[0]


def by_word(word: str) -> HomeGame:
    """The open game that a link leads to; `NotFound` where there is none."""
    found = (
        HomeGame.objects.select_related("table", "host")
        .filter(word=word, is_hidden=False)
        .exclude(table__state__in=_OVER)
        .first()
    )
    if found is None:
        raise NotFound("no-such-link", "This link leads to no game: it is over, or its host made a new link.")
    return found


def game_of(table_id: int, by: User) -> HomeGame:
    """A home game that they host, or of a club that they organise, with table and host; `NotFound` where it is none."""
    found = HomeGame.objects.select_related("table", "host").filter(table=table_id).first()
    if found is None or not _may_run(found, by):
        raise NotFound("no-such-game", "That is not a home game of yours.")
    return found


def hosted(by: User) -> QuerySet[HomeGame]:
    """The open games of a host."""
    return HomeGame.objects.filter(host=by).exclude(table__state__in=_OVER)


def games_for(player: User) -> list[HomeGame]:
    """The open games that they host or are invited to, the newest first, with table and host."""
    runs = Q(table__club_table__club__in=clubs.joined_by(player, *clubs.ORGANISE))
    mine = Q(host=player) & (Q(is_hidden=False) | runs) | Q(table__invitations__player=player, is_hidden=False)
    games = HomeGame.objects.filter(mine).exclude(table__state__in=_OVER).distinct()
    return list(games.select_related("table", "host").order_by("-pk"))


def is_host(table: Table, user: User) -> bool:
    """Whether they may close it. No query where the table is not private."""
    found = HomeGame.objects.filter(table=table).first() if table.is_private else None
    return found is not None and _may_run(found, user)


def look_at(*, table_id: int, now: datetime) -> None:
    """Close the game if nobody sits there and no hand was played for a day, else look again a day later. For its
    alarm."""
    found = HomeGame.objects.select_related("table__last_hand").filter(table=table_id).first()
    if found is None or found.table.state in _OVER:
        return
    last = found.table.last_hand.ended_at if found.table.last_hand else None
    is_used = found.table.seats.filter(player__is_bot=False).exists()
    if is_used or max(last or found.made_at, found.made_at) > now - _LEFT_OPEN:
        _look_later(found, now)
    else:
        tables.close(table_id=table_id, now=now)


def _club_for(club_id: int, by: User, password: str) -> Club:
    """The club, where `by` may open a table for it."""
    found = clubs.one(club_id)
    clubs.require_part(found, by, *clubs.ORGANISE)
    if password:
        raise Invalid("bad-password", "A table of a club is for its members: it has no password.")
    # Locked once they are known to belong to it; who comes, goes or closes it meanwhile is before this table, or after.
    Club.objects.select_for_update(no_key=True).get(pk=club_id)
    clubs.require_part(found, by, *clubs.ORGANISE)
    if clubs.tables_of(found).count() >= MOST_OF_CLUB:
        raise Conflict(
            "too-many-games",
            "{found} has {most_of_club} tables open: close one first.",
            found=found.name,
            most_of_club=MOST_OF_CLUB,
        )
    return found


def _may_run(game: HomeGame, user: User) -> bool:
    """Whether they host it or, of a club, organise that."""
    if not game.is_hidden:
        return game.host_id == user.pk
    return Club.objects.filter(
        tables__table=game.table_id, members__player=user.pk, members__part__in=clubs.ORGANISE
    ).exists()


def _game_with_link(table_id: int, by: User) -> HomeGame:
    found = game_of(table_id, by)
    if found.is_hidden:
        raise Conflict("table-of-a-club", "This table is for the members of its club: they join the club.")
    return found


def _name_for(host: User) -> str:
    """After the host; with a number where there is such a table already."""
    plain = gettext("{host}’s game").format(host=host.username[: _LONGEST_NAME - 8])[: _LONGEST_NAME - 1]
    taken = set(Table.objects.filter(name__startswith=plain).values_list("name", flat=True))
    return next(name for name in (plain, *(f"{plain} {n}" for n in range(2, len(taken) + 3))) if name not in taken)


def _new_word() -> str:
    return secrets.token_urlsafe(12)


def _look_later(found: HomeGame, now: datetime) -> None:
    due_at = now + _LEFT_OPEN
    alarms.set(kind=ALARM, key=str(found.table_id), due_at=due_at, fence=int(due_at.timestamp()))
