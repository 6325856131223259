"""Exports: what is in them, who may have them, and that no spreadsheet takes a name for a formula."""

import csv
import io
import json

from cardroom.core import documents as core_documents
from cardroom.core.errors import Forbidden, NotFound
from tests.support.events import Event, bust, order
from tests.support.parts.tournaments import event_clock, exports, hands, payouts, penalties, registration, undoing
from tests.support.refusals import refused
from tests.support.worlds import world
from tournaments.directing import queries as directing_queries
from tournaments.engine.config import PayoutTerms


@world
def event():
    """Five entered, eve went again; dan and cid are out in one hand, and bob has lost to ana."""
    event = Event(payout=PayoutTerms(places=2)).open()
    for name in ("ana", "bob", "cid", "dan", "eve"):
        event.enter(name)
    registration.unregister(tournament_id=event.pk, by=event.entry(5).player, now=event.now)
    event.start().wait(minutes=20)
    hands.bust(busts=[(3, 500), (4, 500)], eliminators=[1, 2], **order(event))
    bust(event.wait(minutes=30), 2, eliminators=[1])
    return event


def export(event, what, form, **options):
    options = {"viewer": event.director, "now": event.now, **options}
    return exports.export(tournament=event.row, what=what, form=form, **options)


def from_csv(event, what):
    body = export(event, what, "csv").body
    assert body.startswith(b"\xef\xbb\xbf"), "by this mark spreadsheets know UTF-8"
    return list(csv.DictReader(io.StringIO(body.decode("utf-8-sig"))))


def from_json(event, what):
    return json.loads(export(event, what, "json").body)[what]


def test_exports_have_results_knock_outs_entries_and_payouts(event):
    rows = from_json(event, "results")
    assert [(row["place"], row["shared_by"], row["name"], row["prize"]) for row in rows] == [
        (1, 1, "ana", 260), (2, 1, "bob", 140), (3, 2, "cid", 0), (3, 2, "dan", 0),
    ]  # fmt: skip
    assert [row["prize"] for row in from_csv(event, "results")] == ["260", "140", "0", "0"]
    assert export(event, "results", "pdf").body.startswith(b"%PDF-")
    *first, last = from_json(event, "knock-outs")
    assert sorted(row["name"] for row in first) == ["cid", "dan"]
    assert (last["name"], last["by"], last["place"], last["level"]) == ("bob", ["ana"], 2, "Level 3")
    assert (last["at"], from_csv(event, "knock-outs")[0]["by"]) == ("2030-01-05T20:50:00.000+00:00", "ana, bob")
    entries = {row["name"]: row for row in from_json(event, "entries")}
    assert [entries["ana"][part] for part in ("pool", "fee", "bounty", "staff")] == [100, 10, 0, 5]
    assert (entries["eve"]["state"], entries["eve"]["pool"]) == ("withdrawn", 0)
    assert sum(row["pool"] for row in entries.values()) == event.row.pool
    payouts.pay(**order(event))
    rows = from_csv(event, "payouts")
    assert sum(int(row["amount"]) for row in rows) == event.row.pool
    assert [(row["name"], row["what"], row["state"], row["method"]) for row in rows] == [
        ("ana", "prize", "paid", "wallet"), ("bob", "prize", "paid", "wallet"),
    ]  # fmt: skip


def test_the_log_of_the_clock_has_what_was_done_and_what_came_by_itself(make_event):
    event = make_event().started(3)
    event_clock.pause(**order(event.wait(minutes=10)))
    event_clock.resume(**order(event.wait(minutes=7)))
    event_clock.add_time(ms=60_000, **order(event))
    undoing.undo(**order(event))
    event.wait(minutes=25)
    rows = from_json(event, "clock")
    assert [(row["what"], row["level"], row["remaining_ms"] // 60_000, row["running"]) for row in rows] == [
        ("began", "Level 1", 15, True), ("paused", "Level 1", 5, False), ("resumed", "Level 1", 5, True),
        ("by-itself", "Level 2", 15, True), ("by-itself", "Break 1", 10, True),
    ]  # fmt: skip
    assert [row["at"][11:16] for row in rows] == ["20:00", "20:10", "20:17", "20:22", "20:37"]
    assert from_json(make_event(), "clock") == [], "nothing has happened in a draft"


def test_levels_and_penalties_are_named_in_the_readers_language(make_event, every_word_marked):
    event = make_event().started(3)
    penalties.penalise(entrant=1, kind="hands", count=3, reason="Cursing", **order(event))
    seats_of = directing_queries.table(tournament=event.row, number=1).seats
    assert [seat.penalties for _, seat in seats_of if seat and seat.penalties] == [("~~3 hands: Cursing",)]
    bust(event, 3)
    assert [row["level"] for row in from_json(event, "clock")] == ["~Level 1"]
    assert [row["level"] for row in from_json(event, "knock-outs")] == ["~Level 1"]


def test_no_name_is_a_formula(event):
    formulas = ["=1+1", "+49 30", "-cmd", "@SUM(A1)", " =HYPERLINK(1)", "＝1+1"]
    for name in [*formulas, "Ana", "Łukasz, Jr.", 'Ana "Ace"']:
        event.row.entries.filter(number=1).update(name=name)
        assert from_csv(event, "entries")[0]["name"] == (f"'{name}" if name in formulas else name)
        assert from_json(event, "entries")[0]["name"] == name
    assert (core_documents._cell(-5), core_documents._cell("-5")) == (-5, "'-5"), "numbers stay numbers even below zero"


def test_who_paid_what_is_for_the_desk_and_the_rest_for_everybody(event):
    player = event.entry(1).player
    for what in ("results", "knock-outs", "clock"):
        assert export(event, what, "csv", viewer=player).name == f"event-{event.pk}-{what}.csv"
    for what in ("entries", "payouts"):
        refused(Forbidden, export, event, what, "csv", viewer=player)
    for what, form in (("wallets", "csv"), ("entries", "pdf"), ("results", "xls")):
        refused(NotFound, export, event, what, form)


def test_every_export_has_all_its_columns_whatever_the_event_has_come_to(make_event, event):
    payouts.pay(**order(event))
    for which in (event, make_event()):
        for what, table in exports.TABLES.items():
            for row in table.rows(which.row, which.now):
                assert set(row) == set(table.columns)
            assert export(which, what, "csv").body.decode("utf-8-sig").splitlines()[0] == ",".join(table.columns)
