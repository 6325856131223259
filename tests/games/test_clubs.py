"""Clubs: who comes in and who does not, their tables, their chat, and the leaderboards."""

from datetime import UTC, datetime, timedelta

import pytest

from games.clubs import club_chat, founding, leaderboards, members
from tests.support.evening import STAKES, Evening, player
from tests.support.models import Club, ClubMember, Hand, HandResult, Notice, Table
from tests.support.offers import staff
from tests.support.parts.cardroom import Conflict, Forbidden, Invalid, NotFound, bans
from tests.support.parts.games import club_queries, home_games, private, seats, table_chat, table_queries
from tests.support.refusals import refused
from tests.support.unguarded import unguarded
from tests.support.worlds import world

NOW = datetime(2030, 1, 10, 20, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _play_money(settings) -> None:
    settings.CARDROOM_WELCOME_CHIPS = 10_000


@pytest.fixture
def people():
    return [player(name, now=NOW) for name in ("ann", "bob", "cec", "dan")]


@pytest.fixture
def club(people) -> Club:
    """Ann's, and bob has joined it."""
    club = founding.found(by=people[0], name="River Rats", welcome="Be kind.", now=NOW)
    members.join_by_link(word=club.word, by=people[1], now=NOW)
    return club


def part(club: Club, name: str, part: str, by) -> ClubMember:
    return members.give_part(club_id=club.pk, by=by, name=name, part=part, now=NOW)


def test_a_removed_member_does_not_rejoin_by_link_or_request(people, club) -> None:
    ann, bob, cec, dan = people
    assert ClubMember.objects.get(player=bob).part == "member"
    assert Notice.objects.get(player=bob).text == "Welcome to River Rats. Be kind."
    assert members.join(club_id=club.pk, by=cec, now=NOW).part == "asked"
    assert members.join(club_id=club.pk, by=cec, now=NOW).part == "asked"
    assert Notice.objects.get(player=ann).text == "cec asks to join River Rats."
    refused(Forbidden, part, club, "cec", "member", bob)
    part(club, "cec", "member", ann)
    assert Notice.objects.get(player=ann).read_at == NOW
    part(club, "bob", "organiser", ann)
    refused(Forbidden, part, club, "bob", "removed", cec)
    part(club, "cec", "removed", bob)
    refused(Forbidden, "removed", members.join_by_link, word=club.word, by=cec, now=NOW)
    members.leave(club_id=club.pk, by=cec, now=NOW)
    refused(Forbidden, members.join, club_id=club.pk, by=cec, now=NOW)
    part(club, "cec", "member", bob)
    old = club.word
    founding.renew_link(club_id=club.pk, by=bob, now=NOW)
    refused(NotFound, members.join_by_link, word=old, by=dan, now=NOW)
    founding.edit(club_id=club.pk, by=bob, name="River Rats", description="", welcome="", way="link", now=NOW)
    refused(NotFound, members.join, club_id=club.pk, by=dan, now=NOW)
    refused(NotFound, club_queries.visible_club, club.pk, dan)
    assert [each.name for each in club_queries.joinable_by(dan)] == []
    bans.ban(player=dan, reason="Rude", by=staff("manager"), now=NOW)
    refused(Forbidden, "Rude", members.join_by_link, word=Club.objects.get().word, by=dan, now=NOW)


def test_an_owner_hands_over_before_leaving_and_closes_without_open_tables(people, club) -> None:
    ann, bob, *_ = people
    refused(Conflict, "Hand the club over", members.leave, club_id=club.pk, by=ann, now=NOW)
    refused(Conflict, part, club, "ann", "removed", ann)
    part(club, "bob", "owner", ann)
    assert club_queries.clubs_of(bob, "owner") == club_queries.clubs_of(ann, "organiser") == [club]
    game = home_games.open_one(by=ann, game="razz", stakes="5/10", rulebook="roberts-v4", club=club.pk, now=NOW)
    refused(Forbidden, founding.close, club_id=club.pk, by=ann, now=NOW)
    refused(Conflict, "tables", founding.close, club_id=club.pk, by=bob, now=NOW)
    home_games.close(table_id=game.table_id, by=bob, now=NOW)
    founding.close(club_id=club.pk, by=bob, now=NOW)
    refused(NotFound, club_queries.visible_club, club.pk, ann)
    founding.found(by=ann, name="River Rats", now=NOW)


def test_a_club_has_a_name_that_is_no_other_clubs_and_one_owner_has_three(people, club) -> None:
    ann, bob, *_ = people
    for name in ("R1ver  Rats", "RIVER RATS", "Rіver Rats"):
        refused((Conflict, Invalid), founding.found, by=bob, name=name, now=NOW)
    for name in ("ab", "x" * 41, "Manager", "...", "a\nb\x00c"):
        refused(Invalid, founding.found, by=bob, name=name, now=NOW)
    refused(Invalid, founding.found, by=bob, name="Fine", description="x" * 301, now=NOW)
    for number in ("Two", "Three"):
        founding.found(by=ann, name=f"Club {number}", now=NOW)
    refused(Conflict, "hand one over", founding.found, by=ann, name="Club Four", now=NOW)


def test_at_a_table_of_the_club_its_members_sit_and_nobody_else_knows_of_it(people, club) -> None:
    ann, bob, cec, _ = people
    asked = {"game": "razz", "stakes": "5/10", "rulebook": "roberts-v4", "club": club.pk, "now": NOW}
    refused(Forbidden, home_games.open_one, by=bob, **asked)
    refused(Invalid, "no password", home_games.open_one, by=ann, password="open sesame", **asked)
    game = home_games.open_one(by=ann, **asked)
    sit = {"table_id": game.table_id, "buy_in": 200, "now": NOW, "key": ""}
    seats.sit(by=bob, number=1, **sit)
    refused(NotFound, seats.sit, by=cec, number=2, **sit)
    refused(NotFound, table_queries.visible_table, game.table_id, cec)
    refused(NotFound, table_queries.visible_table, game.table_id, None)
    refused(NotFound, private.unlock, table_id=game.table_id, password="", by=cec)
    refused(NotFound, table_chat.lines, table_id=game.table_id, reader=cec)
    refused(NotFound, table_chat.say, table_id=game.table_id, by=cec, text="hello", now=NOW)
    refused(NotFound, home_games.by_word, game.word)
    refused(Conflict, home_games.renew_link, table_id=game.table_id, by=ann, now=NOW)
    assert table_queries.visible_table(game.table_id, staff("floor")) == game.table
    assert [row.people for row in club_queries.tables_for(bob)] == [1]
    assert (club_queries.tables_for(cec), home_games.games_for(bob)) == ([], [])
    members.join_by_link(word=club.word, by=cec, now=NOW)
    seats.sit(by=cec, number=2, **sit)
    people_now = {each.player.username: each.seats for each in club_queries.people_now(club)}
    assert {name for name, found in people_now.items() if found} == {"bob", "cec"}
    members.leave(club_id=club.pk, by=cec, now=NOW)
    assert table_queries.visible_table(game.table_id, cec).seats.filter(player=cec).exists()
    seats.leave(table_id=game.table_id, by=cec, now=NOW, key="")
    refused(NotFound, seats.sit, by=cec, number=2, **sit)


def test_the_members_talk_in_the_club_and_who_is_muted_there_stays_so(people, club) -> None:
    ann, bob, cec, _ = people
    club_chat.say(club_id=club.pk, by=bob, text="hello", now=NOW)
    assert [line.text for line in club_queries.lines(club_id=club.pk, reader=ann)] == ["hello"]
    refused(Forbidden, "members", club_queries.lines, club_id=club.pk, reader=cec)
    refused(Forbidden, "members", club_chat.say, club_id=club.pk, by=cec, text="me too", now=NOW)
    refused(Forbidden, members.silence, club_id=club.pk, by=bob, name="ann", is_silenced=True, now=NOW)
    members.silence(club_id=club.pk, by=ann, name="bob", is_silenced=True, now=NOW)
    members.leave(club_id=club.pk, by=bob, now=NOW)
    members.join_by_link(word=club.word, by=bob, now=NOW)
    refused(Forbidden, "muted", club_chat.say, club_id=club.pk, by=bob, text="again", now=NOW)
    assert club_queries.ClubChats().readable([ann.pk, cec.pk], []) == {ann.pk: {f"club:{club.pk}"}}


@world
def played(evening) -> Evening:
    """One hand played between ann and bob, whose results are told anew."""
    evening.cec = evening.player("cec")
    evening.play_out()
    with unguarded():
        HandResult.objects.update(net=0)
    return evening


def results(played: Evening, *nets: int, at: datetime, hands: int = 1) -> None:
    """Each of them won so much in each of so many hands."""
    first, people = 1000 + Hand.objects.count(), (played.ann, played.bob, played.cec)
    told = {"table": played.table, "put_in": 0, "at": at, "is_cash": True, "big_bet": STAKES.big_bet}
    for number in range(first, first + hands):
        hand = Hand.objects.create(table=played.table, number=number, seats={}, started_at=at, ended_at=at)
        HandResult.objects.bulk_create(
            HandResult(hand=hand, player=who, seat=seat, net=net, **told)
            for seat, (who, net) in enumerate(zip(people, nets, strict=False), 1)
        )


def test_the_leaderboard_of_the_room_shows_who_wants_it_ties_and_who_played_enough(played, settings) -> None:
    big = played.table.big_bet
    results(played, big, big, at=played.now, hands=leaderboards.LEAST_OF_ROOM)
    results(played, 0, 0, 5 * big, at=played.now - timedelta(days=400))
    assert leaderboards.of_room("all", now=played.now) == []
    for who in (played.ann, played.bob, played.cec):
        leaderboards.show(by=who, is_shown=True, now=played.now)
    told = leaderboards.of_room("all", now=played.now)
    assert [(row.rank, row.player, row.big_bets) for row in told] == [(1, "ann", 50), (1, "bob", 50), (None, "cec", 5)]
    assert [row.player for row in leaderboards.of_room("month", now=played.now)] == ["ann", "bob"]
    Table.objects.filter(pk=played.pk).update(small_bet=150, big_bet=300)  # what was played stays what it was
    assert leaderboards.of_room("all", now=played.now) == told
    leaderboards.show(by=played.bob, is_shown=False, now=played.now)
    assert [row.player for row in leaderboards.of_room("week", now=played.now)] == ["ann"]
    Table.objects.filter(pk=played.pk).update(is_private=True)
    assert leaderboards.of_room("all", now=played.now) == []
    refused(NotFound, leaderboards.of_room, "year", now=played.now)
    settings.CARDROOM_WELCOME_CHIPS = 0
    refused(NotFound, leaderboards.of_room, "all", now=played.now)


def test_the_leaderboard_of_a_club_has_its_members_at_its_tables(played) -> None:
    club = founding.found(by=played.ann, name="River Rats", now=played.now)
    results(played, 40, -40, at=played.now, hands=leaderboards.LEAST_OF_CLUB)
    assert leaderboards.of_club(club, "week", now=played.now) == []
    club.tables.create(table=played.table)
    members.join_by_link(word=club.word, by=played.bob, now=played.now)
    (first, last) = leaderboards.of_club(club, "week", now=played.now)
    assert (first.rank, first.player, first.net, first.best) == (1, "ann", 400, 40)
    assert (last.rank, last.player, last.net, last.best) == (2, "bob", -400, 0)
    assert len(club_queries.hands_of(club, played.bob)) == club_queries.HANDS
    members.leave(club_id=club.pk, by=played.bob, now=played.now)
    assert [row.player for row in leaderboards.of_club(club, "all", now=played.now)] == ["ann"]
