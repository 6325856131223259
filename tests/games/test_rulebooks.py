"""House rulebooks in a room: who may save them, that they stay, and that a hand keeps the one it was dealt under."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from games.engine.facts.play import HandStarted, Ruled
from games.rulebooks import RulebookError, reference
from games.rulebooks import queries as rulebook_queries
from games.rulebooks import services as rulebook_services
from games.tables import offers
from tests.support.evening import STAKES
from tests.support.models import Hand, HouseRulebook, RulebookVersion
from tests.support.parts.cardroom import Conflict, Forbidden, Illegal, Invalid, NotFound, Stale, access
from tests.support.parts.games import dump, history_queries, load, loads, of_hand, replay, table_journal, table_queries
from tests.support.refusals import refused
from tests.support.worlds import forget, world

FOUR = {"raise_cap": {"value": {"raises": 4}}}
ONE_RAISE = {"raise_cap": {"value": {"raises": 1, "heads_up": "capped"}}}
NINE_RAISES = {"raise_cap": {"value": {"raises": 9, "heads_up": "capped"}}}


@world
def room(evening):
    """A table with a hand dealt, and a manager."""
    evening.manager = evening.player("mia")
    access.grant_role(user=evening.manager, role="manager", by=None)
    return evening


def create_river_book(room, changes=FOUR, **options):
    asked = {"name": "River Room", "base": "roberts-v4", "changes": changes, "by": room.manager, "now": room.now}
    return rulebook_services.create_book(**asked | options)


@world
def saved(room):
    """The first version of the rules of River Room, with four raises."""
    return create_river_book(room)


def revise(room, changes, after, **options):
    asked = {"slug": "river-room", "changes": changes, "after": after, "by": room.manager, "now": room.now}
    return rulebook_services.revise(**asked | options)


def play_by(room, version, by=None):
    offers.play_by(table_id=room.pk, reference=version.reference, by=by or room.manager, now=room.now)


def test_a_manager_saves_a_dated_version_which_tables_can_name(room):
    saved = create_river_book(room, note="  Four  raises since the spring ")
    assert (saved.version, saved.number, saved.base_version) == ("2030-01-05", 1, load("roberts-v4").version)
    assert saved.note == "Four raises since the spring"
    book = load("house:river-room@2030-01-05")
    assert (book.slug, book.version) == ("house:river-room", "2030-01-05")
    assert (book.title, book.value("raise_cap", "cash")["raises"]) == ("House rules River Room 2030-01-05", 4)
    assert (reference(book), of_hand(book.slug, book.version).title) == (saved.reference, book.title)
    assert rulebook_queries.choices()[-1] == (saved.reference, book.title)


def test_a_second_version_of_a_day_has_a_number_and_a_history_of_changes(room, saved):
    second = revise(room, {"burns": {"value": [5, 6, 7]}}, saved.version)
    newest, oldest = rulebook_queries.history("river-room")
    changed = {key: (before.value, after.value) for key, before, after in newest.differences}
    assert (changed.keys(), changed["raise_cap"][0]["raises"]) == ({"raise_cap", "burns"}, 4)
    assert (changed["raise_cap"][1]["raises"], [key for key, _, _ in oldest.differences]) == (3, ["raise_cap"])
    tomorrow = revise(room, {}, second.version, now=room.now + timedelta(days=1))
    versions = [row.version for row in rulebook_queries.versions("river-room")]
    assert versions == ["2030-01-06", "2030-01-05-2", "2030-01-05"]
    books = [load(version.reference) for version in (saved, second, tomorrow)]
    assert [book.value("burns", "cash") for book in books] == [(4, 5, 6, 7), (5, 6, 7), (4, 5, 6, 7)]
    assert [book.value("raise_cap", "cash")["raises"] for book in books] == [4, 3, 3]


def test_nobody_but_a_manager_writes_rules(room, saved):
    somebody = room.player("sam")
    for role in ("", "dealer", "floor", "cashier", "director", "auditor"):
        if role:
            access.grant_role(user=somebody, role=role, by=None)
        refused(Forbidden, create_river_book, room, name="Other Room", by=somebody)
        refused(Forbidden, revise, room, {}, saved.version, by=somebody)
        refused(Forbidden, play_by, room, saved, by=somebody)
    assert HouseRulebook.objects.count() == RulebookVersion.objects.count() == 1


def test_a_book_that_cannot_be_played_is_refused_with_the_points_and_the_reason(room):
    refusal = refused(
        Illegal, create_river_book, room, {"players": {"value": {"least": 8, "most": 3}}, "burns": {"value": [2]}}
    )
    assert (refusal.code, [fault["points"] for fault in refusal.values["faults"]]) == ("bad-rulebook", [["burns"]])
    refused(Illegal, "only 3 are dealt in", create_river_book, room, {"players": {"value": {"least": 8, "most": 3}}})
    assert not HouseRulebook.objects.exists()
    refused(NotFound, revise, room, {}, "2030-01-05")
    for named in ("house:river-room@2030-01-05", "house:river-room", "house:", "house:a@\x00", "house:@2030-01-05"):
        refused(RulebookError, load, named)


def test_a_bad_empty_or_outdated_edit_of_a_book_is_refused(room, saved):
    nonsense = {
        "name": ("R", "x" * 41, "♠♠♠♠", "New", "Bad\x00name"), "note": ("x" * 301,), "key": ("x" * 61, "\x00"),
        "base": ("hoyle", "house:river-room@2030-01-05"),
    }  # fmt: skip
    for field, values in nonsense.items():
        for value in values:
            refused(Invalid, create_river_book, room, **{field: value})
    refused(Conflict, create_river_book, room, name="river room")
    assert HouseRulebook.objects.count() == 1
    assert refused(Conflict, revise, room, FOUR, saved.version).code == "nothing-changed"
    second = revise(room, {}, saved.version)
    assert refused(Stale, revise, room, NINE_RAISES, saved.version).values["version"] == second.version


def test_the_database_itself_keeps_a_saved_version(saved):
    for statement in (
        "UPDATE rulebooks_rulebookversion SET note = 'other' WHERE id = %s",
        "DELETE FROM rulebooks_rulebookversion WHERE id = %s",
        "UPDATE rulebooks_houserulebook SET name = 'other' WHERE id = %s",
    ):
        row = saved.pk if "version" in statement else saved.book_id
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement, [row])
    saved.pk, saved._state.adding = None, True
    with pytest.raises(DatabaseError), transaction.atomic():
        saved.save()  # a second one of this number


def to_the_cap(room):
    """Bring it in and wager until no raise is left; returns how many raises were made."""
    room.act("bring-in")
    while room.turn.sizes:
        room.act("raise" if room.engine.level > STAKES.bring_in else "complete")
    return room.engine.raises


def test_a_hand_keeps_its_version_and_the_next_plays_the_new_one(room):
    first = create_river_book(room, ONE_RAISE)
    play_by(room, first)
    room.play_out().deal()
    old = Hand.objects.get(pk=room.table.hand_id)
    assert to_the_cap(room) == 1
    second = revise(room, NINE_RAISES, first.version)
    play_by(room, second)
    # Another process that has none of it in memory goes on with the hand.
    forget()
    assert (room.table.rulebook, room.turn.sizes) == (second.reference, ())
    refusal = refused(Illegal, room.act, "raise")
    house = "House rules River Room 2030-01-05, raise_cap"
    assert refusal.rule == f"{house} (changed from {load('roberts-v4').citation('raise_cap')})"
    view = table_queries.table_view(table_id=room.pk, viewer=None)
    assert (view["rulebook"]["reference"], view["next_rulebook"]["reference"]) == (first.reference, second.reference)
    room.act("call")
    room.play_out().deal()
    new = Hand.objects.get(pk=room.table.hand_id)
    assert to_the_cap(room) == 9
    room.play_out()
    assert (old.rulebook, new.rulebook) == (first.reference, second.reference)
    forget()
    for hand, version, raises in ((old, first, 1), (new, second, 9)):
        facts = table_journal.facts(hand.pk)
        started, capped = facts[0], next(f for f in facts if isinstance(f, Ruled) and f.key == "raise_cap")
        assert isinstance(started, HandStarted)
        assert (started.rulebook, started.rulebook_version) == (version.slug, version.version)
        assert table_journal.book_of(facts).value("raise_cap", "cash")["raises"] == raises
        assert capped.words == load(version.reference).words("raise_cap")
        assert history_queries.hand_story(hand_id=hand.pk, viewer=None).book.title == version.title
        assert table_journal.engine_of(facts).facts == list(facts)
        assert f'_rulebook = "{version.reference}"' in dump(facts)
        assert replay(loads(dump(facts))[""]).matches
    call_command("audit")


def test_the_last_hand_is_told_by_its_own_book(room, saved):
    room.play_out()
    play_by(room, saved)
    view = table_queries.table_view(table_id=room.pk, viewer=None)
    assert (view["rulebook"]["reference"], view["next_rulebook"]["title"]) == ("roberts-v4", saved.title)
    version = room.table.version
    play_by(room, saved)
    assert (room.table.version, offers.tables_playing(saved.book)) == (version, [room.table])


def test_a_table_is_not_told_to_play_a_book_it_cannot_be_played_by(room):
    for_six = create_river_book(room, {"players": {"value": {"most": 6}}})
    refused(Invalid, "6 players in at most, and the table has 8 seats", play_by, room, for_six)
    asked = {"by": room.manager, "now": room.now}
    for named in ("hoyle", "house:river-room@2030-01-06", "house:river-room"):
        refused(Invalid, "no rulebook", offers.play_by, table_id=room.pk, reference=named, **asked)
    refused(NotFound, offers.play_by, table_id=999, reference="gardens", **asked)
    assert room.table.rulebook == "roberts-v4"


def test_a_table_whose_book_takes_three_waits_for_a_third(open_table):
    table = open_table(rulebook="poker-tip")
    table.sit("ann", 1), table.sit("bob", 2)
    assert not table.wake() or table.table.hand_id is None
    table.sit("cat", 3)
    assert table.deal().table.hand_id


def test_the_audit_tells_of_a_table_whose_book_is_gone(room, saved, capsys):
    room.play_out()
    type(room.table).objects.filter(pk=room.pk).update(rulebook="house:river-room@2031-01-01")
    refused(SystemExit, call_command, "audit")
    assert "house:river-room@2031-01-01" in capsys.readouterr().out
