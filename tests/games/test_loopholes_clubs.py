"""Clubs and home games under attack: two at once, outsiders, floods, and who left."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from django.db import transaction

from cardroom.core.errors import Conflict, Forbidden, Invalid, NotFound, Refusal, TooMany
from games.clubs import club_chat, founding, members
from tests.support.evening import Evening, player
from tests.support.models import Account, Club, Invitation, Notice, Table
from tests.support.offers import staff
from tests.support.parts.cardroom import accounts, bans, chat
from tests.support.parts.games import club_queries, home_games, private, seats, table_chat, table_queries
from tests.support.racing import race, refusals
from tests.support.refusals import refused

NOW = datetime(2030, 1, 10, 20, 0, tzinfo=UTC)
WISH = {"game": "razz", "stakes": "5/10", "rulebook": "roberts-v4", "now": NOW}
WHY = "Spoils the game"


@pytest.fixture
def ann(settings):
    settings.CARDROOM_WELCOME_CHIPS = 10_000
    return player("ann", now=NOW)


@pytest.fixture
def bob():
    return player("bob", now=NOW)


@pytest.fixture
def club(ann) -> Club:
    return founding.found(by=ann, name="River Rats", way="open", now=NOW)


@pytest.mark.django_db(transaction=True)
def test_membership_decides_while_a_table_of_the_club_opens(ann, bob, club):
    """Held open where the other one comes: after the first one, or before."""
    for number in range(12):
        kept = number < 6
        if not kept:
            members.join(club_id=club.pk, by=bob, now=NOW)
        comes = partial(members.join if kept else members.leave, club_id=club.pk, by=bob, now=NOW)
        opens = partial(home_games.open_one, by=ann, name=f"Table {number}", club=club.pk, **WISH)
        _, game = race(comes, opens)
        assert Invitation.objects.filter(table=game.table, player=bob).exists() is kept
        home_games.close(table_id=game.table_id, by=ann, now=NOW)
        if kept:
            members.leave(club_id=club.pk, by=bob, now=NOW)


@pytest.mark.django_db(transaction=True)
def test_no_club_is_closed_while_one_of_its_tables_opens(ann):
    for number in range(6):
        club = founding.found(by=ann, name=f"Club {number}", now=NOW)
        bob = player(f"bob{number}", now=NOW)
        members.join_by_link(word=club.word, by=bob, now=NOW)
        members.give_part(club_id=club.pk, by=ann, name=bob.username, part="organiser", now=NOW)
        opens = partial(home_games.open_one, by=bob, name=f"Table {number}", club=club.pk, **WISH)
        outcomes = race(opens, partial(founding.close, club_id=club.pk, by=ann, now=NOW))
        assert refusals(outcomes, Refusal) == 1
        club.refresh_from_db()
        is_open = Table.objects.filter(name=f"Table {number}", state=Table.State.OPEN).exists()
        assert is_open is (club.closed_at is None)
        if is_open:
            home_games.close(table_id=outcomes[0].table_id, by=bob, now=NOW)
            founding.close(club_id=club.pk, by=ann, now=NOW)


def test_names_are_compared_safely_and_words_of_a_club_hold_nothing_unseen(ann):
    for name in ("ΐ" * 40, "m" * 40, "ﬃ" * 13):
        club = founding.found(by=ann, name=name, now=NOW)
        refused(Conflict, founding.found, by=ann, name=name, now=NOW)
        founding.close(club_id=club.pk, by=ann, now=NOW)
    for words in ("a\u202eb", "a\u200bb", "a\x00b", "x" * 10_000):
        refused(Invalid, founding.found, by=ann, name="Fine", welcome=words, now=NOW)
    founding.found(by=ann, name="River Rats", way="open", now=NOW)
    with transaction.atomic():
        assert club_queries.joinable_by(ann, words="River\x00") == []


def test_a_former_member_hears_no_more_of_the_clubs_tables(ann, bob, club):
    members.join(club_id=club.pk, by=bob, now=NOW)
    members.give_part(club_id=club.pk, by=ann, name="bob", part="organiser", now=NOW)
    game = home_games.open_one(by=bob, club=club.pk, **WISH)
    assert home_games.games_for(bob) == [game]
    members.leave(club_id=club.pk, by=bob, now=NOW)
    assert home_games.games_for(bob) == []
    refused(NotFound, home_games.close, table_id=game.table_id, by=bob, now=NOW)
    members.join(club_id=club.pk, by=bob, now=NOW)
    manager = staff("manager")
    accounts.close(user=ann, by=manager, reason=WHY, now=NOW)
    refused(Forbidden, founding.close, club_id=club.pk, by=bob, now=NOW)
    assert members.give_part(club_id=club.pk, by=manager, name="bob", part="owner", now=NOW).part == "owner"
    refused(Conflict, members.give_part, club_id=club.pk, by=manager, name="ann", part="owner", now=NOW)


def sit(game, who, number: int):
    seats.sit(table_id=game.table_id, by=who, number=number, buy_in=200, now=NOW)


def test_who_tries_the_numbers_of_tables_finds_no_home_game(ann, bob):
    game = home_games.open_one(by=ann, password="open sesame", **WISH)
    sit(game, ann, 1)
    for viewer in (bob, None):
        refused(NotFound, table_queries.visible_table, game.table_id, viewer)
    refused(NotFound, table_chat.lines, table_id=game.table_id, reader=bob)
    refused(NotFound, sit, game, bob, 2)
    # The password is asked beside the link, and so is none without it.
    refused(NotFound, private.unlock, table_id=game.table_id, password="open sesame", by=bob)
    home_games.join(word=game.word, password="open sesame", by=bob)
    assert table_queries.visible_table(game.table_id, bob) == game.table


def test_nobody_is_flooded_with_invitations_nor_invited_by_who_is_banned(ann, bob):
    game = home_games.open_one(by=ann, **WISH)
    for number in range(home_games.MOST_INVITED):
        player(f"guest{number}", chips=0, now=NOW)
        home_games.invite(table_id=game.table_id, by=ann, name=f"guest{number}", now=NOW)
    refused(TooMany, "tomorrow", home_games.invite, table_id=game.table_id, by=ann, name="bob", now=NOW)
    home_games.close(table_id=game.table_id, by=ann, now=NOW)
    other = home_games.open_one(by=ann, **WISH)
    refused(TooMany, home_games.invite, table_id=other.table_id, by=ann, name="bob", now=NOW)
    later = NOW + timedelta(days=1, minutes=1)
    home_games.invite(table_id=other.table_id, by=ann, name="bob", now=later)
    assert Notice.objects.filter(player=bob).count() == 1
    bans.ban(player=ann, reason="Rude", by=staff("manager"), now=later)
    player("cec", now=NOW)
    refused(Forbidden, "Rude", home_games.invite, table_id=other.table_id, by=ann, name="cec", now=later)


def test_a_line_is_reported_by_who_can_read_it(ann, bob, club):
    line = club_chat.say(club_id=club.pk, by=ann, text="hello", now=NOW)
    refused(NotFound, chat.report, line_id=line.pk, by=bob, reason=WHY, now=NOW)
    members.join(club_id=club.pk, by=bob, now=NOW)
    chat.report(line_id=line.pk, by=bob, reason=WHY, now=NOW)
    game = home_games.open_one(by=ann, **WISH)
    sit(game, ann, 1)
    line = table_chat.say(table_id=game.table_id, by=ann, text="hello", now=NOW)
    refused(NotFound, chat.report, line_id=line.pk, by=bob, reason=WHY, now=NOW)
    home_games.join(word=game.word, by=bob)
    sit(game, bob, 2)
    seats.leave(table_id=game.table_id, by=bob, now=NOW)
    chat.report(line_id=line.pk, by=bob, reason=WHY, now=NOW)
    places = {club_queries.place_of(club.pk), table_chat.place_of(game.table_id)}
    assert {each.place for each in chat.reported()} == places


def test_no_chip_is_lost_when_a_club_table_closes_under_a_hand(ann, bob, club, audited):
    members.join(club_id=club.pk, by=bob, now=NOW)
    game = home_games.open_one(by=ann, bots=2, club=club.pk, **WISH)
    evening = Evening.__new__(Evening)
    evening.now, evening.pk = NOW, game.table_id
    for number, who in enumerate((ann, bob), 1):
        sit(game, who, number)
    evening.deal()
    home_games.close(table_id=game.table_id, by=ann, now=evening.now)
    members.give_part(club_id=club.pk, by=ann, name="bob", part="removed", now=evening.now)
    cec = player("cec", now=NOW)
    members.join(club_id=club.pk, by=cec, now=evening.now)
    refused(Refusal, evening.sit, cec, 5, 200)
    while evening.table.hand_id:
        evening.wake()
    assert (evening.table.state, evening.table.seats.count()) == (Table.State.CLOSED, 0)
    assert not Account.objects.filter(kind=Account.Kind.STACK, owner__in=[ann, bob], balance__gt=0).exists()
