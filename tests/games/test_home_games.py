"""Home games: who opens one, who comes in by the link, and how it ends."""

from datetime import UTC, datetime, timedelta

import pytest

from cardroom.core.verb import at
from tests.support.evening import Evening, player
from tests.support.models import Alarm, Notice
from tests.support.offers import staff
from tests.support.parts.cardroom import Conflict, Forbidden, Invalid, NotFound, TooMany, bans
from tests.support.parts.games import home_games, seats, table_queries
from tests.support.refusals import refused

NOW = datetime(2030, 1, 5, 20, 0, tzinfo=UTC)
WISH = {"game": "razz", "stakes": "5/10", "rulebook": "roberts-v4"}


@pytest.fixture
def ann(settings):
    """A player of a room that gives chips away."""
    settings.CARDROOM_WELCOME_CHIPS = 10_000
    return player("ann", now=NOW)


def open_game(by, **wish):
    return home_games.open_one(by=by, now=NOW, **{**WISH, **wish})


def join(game, by, password="", *, word="", now=NOW):
    with at(now):
        return home_games.join(word=word or game.word, password=password, by=by)


def test_who_has_the_link_sits_down_and_nobody_else(ann):
    bob, cec = (player(name, now=NOW) for name in ("bob", "cec"))
    game = home_games.open_one(by=ann, now=NOW, key="once", **WISH)
    assert home_games.open_one(by=ann, now=NOW, key="once", **WISH) == game
    table = game.table
    assert (table.name, table.game, table.small_bet, table.min_buy_in) == ("ann’s game", "razz", 5, 100)
    assert not any(row.id == table.pk for row in table_queries.lobby())
    sit = {"table_id": table.pk, "number": None, "buy_in": 200, "now": NOW, "key": ""}
    refused(NotFound, seats.sit, by=bob, **sit)
    refused(NotFound, join, game, bob, word="nonsense")
    join(game, bob)
    assert home_games.games_for(bob) == home_games.games_for(ann) == [game]
    for who in (ann, bob):
        seats.sit(by=who, **sit)
    evening = Evening.__new__(Evening)
    evening.now, evening.pk = NOW, table.pk
    assert evening.deal().table.hand_id
    old = game.word
    refused(NotFound, home_games.renew_link, table_id=table.pk, by=bob, now=NOW)
    assert home_games.renew_link(table_id=table.pk, by=ann, now=NOW).word != old
    refused(NotFound, join, game, cec, word=old)


def test_a_password_is_asked_beside_the_link_and_not_by_name(ann):
    bob, cec = (player(name, now=NOW) for name in ("bob", "cec"))
    game = open_game(ann, password="open sesame")
    refused(Forbidden, "not the password", join, game, bob, "x")
    for _ in range(4):
        refused(Forbidden, join, game, bob)
    refused(TooMany, join, game, bob, "open sesame")
    later = NOW + timedelta(minutes=16)
    assert join(game, bob, "open sesame", now=later).player == bob
    refused(NotFound, home_games.invite, table_id=game.table_id, by=bob, name="cec", now=NOW)
    home_games.invite(table_id=game.table_id, by=ann, name="CEC", now=NOW)
    home_games.invite(table_id=game.table_id, by=ann, name="cec", now=NOW)
    assert Notice.objects.get(player=cec).text.startswith("ann invites you to a home game")
    assert home_games.games_for(cec) == [game]


def test_what_no_home_game_can_be_is_refused(ann, settings):
    for wish in ({"stakes": "1000/2000"}, {"rulebook": "nobodys"}, {"game": "chess"}, {"bots": 8}, {"password": "x"}):
        refused((Invalid, NotFound), open_game, ann, **wish)
    assert [open_game(ann, has_help=is_on).table.has_help for is_on in (True, False)] == [True, False]
    refused(Conflict, "called", open_game, ann, name="ann’s game 2")
    last = open_game(ann, name="Thursday", bots=3)
    refused(Conflict, "close one first", open_game, ann)
    home_games.close(table_id=last.table_id, by=ann, now=NOW)
    home_games.close(table_id=last.table_id, by=ann, now=NOW)
    refused(NotFound, "over", home_games.by_word, last.word)
    bans.ban(player=ann, reason="Rude", by=staff("manager"), now=NOW)
    refused(Forbidden, "Rude", open_game, ann)
    settings.CARDROOM_WELCOME_CHIPS = 0
    refused(NotFound, "no home games", open_game, ann)


def test_the_house_closes_idle_games_and_pays_out_the_players(ann):
    used, unused = open_game(ann, name="Used"), open_game(ann, name="Unused")
    seats.sit(table_id=used.table_id, by=ann, number=1, buy_in=200, now=NOW, key="")
    for game in (used, unused):
        (alarm,) = Alarm.objects.filter(kind=home_games.ALARM, key=str(game.table_id))
        assert alarm.due_at == NOW + timedelta(days=1)
        home_games.look_at(table_id=game.table_id, now=NOW + timedelta(hours=23))
    assert {each.table.name for each in home_games.games_for(ann)} == {"Used", "Unused"}
    for game in (used, unused):
        home_games.look_at(table_id=game.table_id, now=NOW + timedelta(days=2))
    assert home_games.games_for(ann) == [used]
    home_games.close(table_id=used.table_id, by=ann, now=NOW)
    assert (Evening.wallet(ann), used.table.seats.exists()) == (10_000, False)
