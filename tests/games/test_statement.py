"""The statement: every line in its place, the balance after each that moved the wallet, page by page."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone, translation

from games.tables.reasons import BROKE, OWN_LIMIT
from tests.support.models import ListEntry, ListMove, SeatMove, User
from tests.support.offers import staff
from tests.support.parts.cardroom import Invalid, ledger, people
from tests.support.parts.games import (
    collection,
    comps,
    history_queries,
    list_reasons,
    seats,
    statement_files,
    statement_lines,
    statements,
)
from tests.support.refusals import refused
from tests.support.timing import TimedTable
from tests.support.worlds import world


def statement_page(user: User, since=None, until=None, *, table=None, **page) -> statements.StatementPage:
    return statements.page(statement_lines.StatementRequest(user, since, until, table), **page)


@world
def evening() -> TimedTable:
    """Ann waits, sits down, plays a hand, pays her time, pauses, adds chips and leaves; bob stays."""
    table = TimedTable(comp_per_hour=3600)
    table.ann = table.player("ann", 10_000)
    table.later(minutes=1)
    waited = {"place": 1, "joined_at": table.now, "state": "seated", "ended_at": table.now}
    entry = ListEntry.objects.create(offer=table.offer, player=table.ann, source="desk", **waited)
    ListMove.objects.create(entry=entry, verb="joined", why=list_reasons.SOURCES["desk"](), at=table.now)
    table.later(minutes=1).sit(table.ann, buy_in=500)
    table.bob = table.sit("bob")
    table.deal().play_out().later(minutes=5)
    seats.sit_out(table_id=table.pk, by=table.ann, now=table.now)
    table.ring()
    floor = staff("floor", "flo")
    table.later(minutes=1)
    collection.pause(table_id=table.pk, player=table.ann, by=floor, now=table.now, reason="dinner")
    table.later(minutes=9)
    collection.resume(table_id=table.pk, player=table.ann, by=floor, now=table.now)
    seats.top_up(table_id=table.pk, by=table.ann, amount=50, now=table.now)
    table.later(minutes=1).leave(table.ann)
    return table


def test_a_statement_has_every_line_newest_first_with_the_balance(evening):
    lines = statement_page(evening.ann).lines
    assert [line.kind for line in lines] == [
        "cash-out", "top-up", "pause", "time-charged", "sat-out", "buy-in", "list", "test",
    ]  # fmt: skip
    assert [line.at for line in lines] == sorted((line.at for line in lines), reverse=True)
    cash_out, top_up, pause, time, *_, buy_in, joined, issued = lines
    assert (buy_in.wallet, buy_in.chips, buy_in.balance) == (-500, 500, 9_500)
    assert (top_up.balance, issued.balance) == (9_450, 10_000)
    assert cash_out.balance == evening.wallet(evening.ann) == 9_450 + cash_out.wallet
    assert (time.chips, time.balance, time.text) == (-10, None, f"Time from 20:30 at {evening.table.name}, 2 players")
    assert (pause.why, joined.why, buy_in.table) == ("dinner, by flo", "at the desk", evening.pk)


def test_nobody_reads_in_their_statement_who_was_passed_over(evening):
    why = list_reasons.OTHERS_PASSED_OVER(what="Ann: chosen", others=[["Elm", "wants another seat"]])
    entry = ListEntry.objects.get(player=evening.ann)
    ListMove.objects.create(entry=entry, verb="called", why=why, at=evening.now)
    assert next(line.why for line in statement_page(evening.ann).lines if line.kind == "list") == "Ann: chosen"


def test_the_times_in_its_words_are_in_the_zone_of_its_reader(evening):
    with timezone.override(ZoneInfo("Asia/Tokyo")):
        assert f"Time from 05:30 at {evening.table.name}, 2 players" in {
            line.text for line in statement_page(evening.ann).lines
        }


def test_a_statement_is_in_the_language_of_its_reader(evening, monkeypatch):
    german = {
        "cashed out at {at}": "ausgezahlt an {at}", "{at} broke": "{at} aufgelöst", "at the desk": "am Pult",
        "their own limit of time": "ihr eigenes Zeitlimit", "joined": "eingetragen", "held back": "zurückgehalten",
        "No other name waits for this seat.": "Kein anderer Name wartet.", "{name}: {words}": "{name} – {words}",
    }  # fmt: skip
    moved = {"table_id": evening.pk, "player": evening.ann, "number": 1, "kind": "sat-out", "at": evening.now}
    for reason in (BROKE(at="Larch"), OWN_LIMIT()):
        SeatMove.objects.create(reason=reason, **moved)
    entry = ListEntry.objects.get(player=evening.ann)
    ListMove.objects.create(entry=entry, verb="held-back", why=list_reasons.NOBODY_ELSE(), at=evening.now)
    assert any(line.text.endswith(": held back") for line in statement_page(evening.ann).lines)
    monkeypatch.setattr(translation._trans, "gettext", lambda message: german.get(message, message))
    with translation.override("de"):
        lines = statement_page(evening.ann).lines
        assert statement_files._moment(datetime(2030, 1, 5, 20, tzinfo=UTC)) == "5. Jan 2030, 20:00"
    left = next(line for line in lines if line.kind == "cash-out")
    assert left.text.startswith(f"Ausgezahlt an {evening.table.name}")
    assert {"Larch aufgelöst", "ihr eigenes Zeitlimit"} <= {line.why for line in lines if line.kind == "sat-out"}
    moves = {line.text.rpartition(" – ")[2]: line.why for line in lines if line.kind == "list"}
    assert moves == {"eingetragen": "am Pult", "zurückgehalten": "Kein anderer Name wartet."}


def test_the_line_that_ends_a_stay_folds_its_hands_and_comps_are_lines(evening):
    visit = statement_page(evening.ann).lines[0].visit
    (hand,) = [row for row in evening.table.hands.all() if row.ended_at]
    assert (visit.hands, visit.time, visit.brought) == (1, 10, 550)
    assert visit.result == evening.wallet(evening.ann) - 10_000
    (result,) = history_queries.hands_of(visit.stay, evening.ann, limit=10)
    assert (result.hand_id, result.net) == (hand.pk, visit.result + 10)
    assert result.put_in > 0
    wanted = statement_lines.StatementRequest(evening.ann, with_hands=True)
    (line,) = [line for line in statements.page(wanted).lines if line.kind == "hand"]
    assert line.chips == visit.result + 10
    comps.credit(table_id=evening.pk, player_id=evening.ann.pk, now=evening.now)
    (line,) = [line for line in statement_page(evening.ann).lines if line.kind == "comp"]
    assert line.points == ledger.balance(ledger.wallet(evening.ann, unit="comp")) > 0
    assert (line.wallet, line.balance) == (0, None)


def test_a_statement_is_the_same_page_by_page_whatever_happens_meanwhile(evening):
    whole = statement_page(evening.ann).lines
    for limit in (1, 2, 3, 5):
        part = statement_page(evening.ann, limit=limit)
        read = part.lines
        while part.later:
            assert len(part.lines) == limit
            part = statement_page(evening.ann, limit=limit, cursor=part.later)
            read = [*read, *part.lines]
        assert read == whole
    cursor = statement_page(evening.ann, limit=3).later
    rest = statement_page(evening.ann, limit=50, cursor=cursor).lines
    evening.later(minutes=1).sit(evening.ann)
    seats.sit_out(table_id=evening.pk, by=evening.ann, now=evening.now)
    assert statement_page(evening.ann, limit=50, cursor=cursor).lines == rest
    for user, other in ((evening.bob, cursor), (evening.ann, "made-up"), (evening.ann, cursor + "x")):
        refused(Invalid, "cursor is not valid", statement_page, user, limit=1, cursor=other)


def test_a_span_has_its_own_balances_and_one_table_all_its_lines(evening):
    noon, day = evening.now.replace(hour=12, minute=0, second=0), timedelta(days=1)
    people.issue_play_money(user=evening.ann, amount=7, reference="later", reason="later", now=noon + 2 * day)
    whole = statement_page(evening.ann).lines
    assert statement_page(evening.ann, noon, noon + day).lines == whole[1:]
    assert statement_page(evening.ann, noon + day).lines == whole[:1]
    assert statement_page(evening.ann, noon + 5 * day).lines == []
    kinds = [line.kind for line in statement_page(evening.ann, table=evening.pk).lines]
    assert kinds == ["left", "topped-up", "pause", "time-charged", "sat-out", "sat"]
    assert statement_page(evening.ann, table=TimedTable().pk).lines == []
    assert statement_page(User.objects.create_user("new")).lines == [], "who has no wallet"


def test_history_adds_up_sessions_by_game_and_over_time(evening):
    evening.later(minutes=5).sit(evening.ann)
    evening.later(minutes=60).leave(evening.ann)
    span = (evening.ann, None, None)
    visits = history_queries.stays_between(*span)[::-1]
    assert [visit.result for visit in visits] == [evening.wallet(evening.ann) - 10_000, 0]
    (game,) = history_queries.by_game(*span, now=evening.now)
    assert (game.sessions, game.hands, game.result, game.time) == (2, 1, visits[0].result, 10)
    assert (game.taken, game.minutes) == (visits[0].taken, sum(visit.minutes(evening.now) for visit in visits))
    assert game.per_hour is not None
    points = history_queries.over_time(*span, now=evening.now)
    assert [point.total for point in points] == [visits[0].result] * 2
    assert [visit.stay for visit in history_queries.stays_between(*span, limit=1)] == [visits[1].stay]
    assert history_queries.sessions(evening.ann, limit=1)[0].stay == visits[1].stay
    assert history_queries.sessions(evening.ann, limit=5, before=visits[1].stay) == visits[:1]


def test_chips_in_front_of_a_player_count_in_every_sum_of_their_history(evening):
    bob, won = evening.bob, evening.stack(evening.bob) - 500
    (visit,) = history_queries.added_up(history_queries.stays_of(bob))
    assert (visit.until, visit.took, visit.result) == (None, won + 500, won)
    other = TimedTable()
    other.now = evening.now
    other.sit(bob)
    now = evening.later(minutes=30).now
    visits = history_queries.stays_between(bob, None, None)
    assert {visit.table: visit.until for visit in visits} == {evening.pk: None, other.pk: None}
    (game,) = history_queries.by_game(bob, None, None, now=now)
    assert (game.sessions, game.result) == (2, won)
    assert [point.total for point in history_queries.over_time(bob, None, None, now=now)] == [won, won]
    assert history_queries.by_game(bob, now, None, now=now) == []


def test_time_that_the_wallet_paid_is_counted_once():
    table = TimedTable(time_charges=[[2, 400]])
    ann, _bob = table.sit("ann", buy_in=300), table.sit("bob", buy_in=1000)
    table.ring()
    table.leave(ann)
    (charge,) = table.charges(ann)
    collection.collect(charge_id=charge.pk, by=staff("floor", "flo"), now=table.now)
    lines = {line.source: line for line in statement_page(ann).lines if line.kind.startswith("time")}
    assert (lines["w"].wallet, lines["t"].chips) == (-100, -300)
    assert lines["t"].text.endswith("2 players, 100 from the wallet")
    assert table.wallet(ann) == 10_000 - 400
