"""Paper: what stands on it, whose it is, and that every name can be printed."""

import re
from datetime import timedelta

import pytest
from django.utils import translation
from reportlab.pdfbase import pdfmetrics

from tests.support.events import bust, order
from tests.support.parts.cardroom import BOLD, PLAIN, Column, Forbidden, Illegal, NotFound, Paper, paper, printable
from tests.support.parts.tournaments import (
    deals,
    event_clock,
    hands,
    payouts,
    receipts,
    registration,
    seat_cards,
    seats,
    sheets,
)
from tests.support.refusals import refused
from tests.support.sheets import SHEETS, STUD, printed
from tournaments.directing import queries as directing_queries
from tournaments.engine.config import PayoutTerms, RebuyTerms


@pytest.fixture
def written(monkeypatch):
    """What is written on paper, line by line, as the reader sees it."""
    lines: list[str] = []
    draw = paper.Canvas.drawString

    def noting(canvas, x, y, text, *args, **options):
        assert -1 <= x <= canvas._pagesize[0]
        assert 0 <= y <= canvas._pagesize[1], f"{text} is off the page"
        lines.append(text)
        return draw(canvas, x, y, text, *args, **options)

    monkeypatch.setattr(paper.Canvas, "drawString", noting)
    return lines


def pages(pdf: bytes) -> int:
    assert pdf.startswith(b"%PDF-")
    assert pdf.rstrip().endswith(b"%%EOF")
    return len(re.findall(rb"/Type /Page\b", pdf))


def receipt(event, number=1, **options):
    options = {"by": event.director, "now": event.now, **options}
    return receipts.receipt(tournament=event.row, number=number, **options)


def test_a_receipt_shows_what_was_paid_and_whether_it_is_a_reprint(make_event, written):
    event = make_event(name="Sunday Stud").open()
    event.desk(by=event.director)
    entry = registration.register(guest="Ana Ruiz", **order(event, by=event.desk()))
    for stranger in (event.player("eve"), event.staff("dealer")):
        refused(Forbidden, receipt, event, by=stranger)
    refused(NotFound, receipt, event, number=7)
    pdf = receipt(event, by=entry.player, address="https://room.example/tournaments/1/")
    assert (pages(pdf), written[:2]) == (1, ["Receipt 1", f"{event.pk}-1"])
    assert {"Sunday Stud", "Ana Ruiz", "Entry 1", "at the desk", "115", "2,000"} <= set(written)
    assert written[written.index("For prizes") :][:2] == ["For prizes", "100"]
    assert "5 January 2030, 20:00 UTC" in written
    assert not any("REPRINT" in line for line in written)
    event.wait(minutes=5)
    for number in (1, 2):
        receipt(event)
        assert f"REPRINT {number}, 5 January 2030, 20:05 UTC" in written
    registration.unregister(entrant=1, **order(event))
    assert "REFUNDED" not in written
    receipt(event)
    assert "REFUNDED" in written


def test_a_payout_has_a_receipt_once_it_is_paid_and_a_print_is_shown_by_the_browser(make_event, written, client):
    event = make_event(payout=PayoutTerms(kind="winner")).open()
    event.desk(by=event.director)
    for guest in ("Ana", "Ben"):
        registration.register(guest=guest, **order(event))
    event.start()
    bust(event, 2, eliminators=[1])
    payouts.pay(**order(event))
    asked = {"tournament": event.row, "number": 1, "by": event.director, "now": event.now}
    refused(Illegal, "Ana is not paid yet", receipts.prize_receipt, **asked)
    payouts.pay(cash=True, **order(event))
    receipts.prize_receipt(**asked)
    assert {"Payout 1", "Ana", "1 of 2", "Paid out", "200"} <= set(written)
    refused(Forbidden, lambda: receipts.prize_receipt(**asked | {"by": event.player()}))
    base = f"/tournaments/{event.pk}"
    client.force_login(event.director)
    shown = client.get(f"{base}/print/receipts/1/")
    assert (shown.status_code, shown["Content-Type"]) == (200, "application/pdf")
    assert shown["Content-Disposition"] == f'inline; filename="receipt-{event.pk}-1.pdf"'
    assert client.get(f"{base}/export/results.pdf").content.startswith(b"%PDF-")
    for address, status in (("print/moves/?after=x", 400), ("export/secrets.csv", 404), ("export/entries.pdf", 404)):
        assert client.get(f"{base}/{address}").status_code == status
    assert client.post(f"{base}/print/receipts/1/").status_code == 405


def test_seat_cards_show_table_and_seat_and_those_of_all_come_in_their_order(make_event, written, monkeypatch):
    event = make_event(seats=4).started(11)
    entry, one = event.entry(2), {"tournament": event.row, "number": 2}
    seat_cards.seat_card(**one, by=entry.player)
    assert {entry.name, f"Table {entry.table}", f"Seat {entry.seat}", "Entry 2, 2,000 chips"} <= set(written)
    refused(Forbidden, seat_cards.seat_card, **one, by=event.entry(1).player)
    cards = {"tournament": event.row, "by": event.staff("cashier")}

    def tables(most, **more):
        monkeypatch.setattr(seat_cards, "MOST_CARDS", most)
        written.clear()
        seat_cards.seat_cards(**cards, **more)
        return [int(line.split()[1]) for line in written if line.startswith("Table ")]

    assert pages(seat_cards.seat_cards(**cards)) == 2
    assert pages(seat_cards.seat_cards(**cards, table=2)) == 1
    everybody = tables(11)
    assert everybody == sorted(everybody)
    assert (len(everybody), set(everybody), set(tables(9)), set(tables(9, after=2))) == (11, {1, 2, 3}, {1, 2}, {3})
    refused(NotFound, seat_cards.seat_cards, **cards, after=3)
    bust(event, 2)
    refused(Illegal, "has no seat", seat_cards.seat_card, **one, by=event.director)


def test_move_slips_are_of_the_latest_moves_or_of_all_since(make_event, written):
    event = make_event(seats=4).started(9)

    def slips(**more):
        written.clear()
        seat_cards.move_slips(**{"tournament": event.row, "by": event.staff("dealer")} | more)
        return set(written)

    refused(NotFound, "Nobody has been moved", slips)
    one, two = (next(iter(event.state.tables[number].seats.values())) for number in (1, 2))
    before = event.entry(one).seat
    seats.move(entrant=one, table=3, **order(event))
    seen, first, second = event.row.seq, event.entry(one), event.entry(two)
    assert {first.name, f"from table 1, seat {before}, to", "Table 3", f"Seat {first.seat}"} <= slips()
    seats.move(entrant=two, table=1, **order(event.wait(minutes=1)))
    both = {first.name, second.name}
    assert slips() & both == slips(after=seen) & both == {second.name}
    assert slips(after=0) >= both
    refused(Forbidden, slips, by=first.player)


def test_moves_since_the_last_print_are_printed_once(make_event, written):
    event = make_event(seats=4).started(9)

    def slips():
        written.clear()
        seat_cards.new_move_slips(tournament=event.row, by=event.director, now=event.now)
        return set(written)

    refused(NotFound, "since the last print", slips)
    one, two = (next(iter(event.state.tables[number].seats.values())) for number in (1, 2))
    names = {event.entry(one).name, event.entry(two).name}
    seats.move(entrant=one, table=3, **order(event))
    assert slips() & names == {event.entry(one).name}
    refused(NotFound, "since the last print", slips)
    seats.move(entrant=two, table=1, **order(event))
    assert slips() & names == {event.entry(two).name}
    refused(Forbidden, seat_cards.new_move_slips, tournament=event.row, by=event.player(), now=event.now)


def test_seating_hangs_by_name_and_by_table_and_each_table_has_its_count_sheet(make_event, written):
    event = make_event(seats=4).open(entrants=6)
    about = {"tournament": event.row, "by": event.director}
    refused(NotFound, "Nobody has a seat", sheets.seating_sheet, **about, by_name=True)
    seats.draw_seats(**order(event))
    about = {"tournament": event.row, "by": event.director}
    everybody = list(event.row.entries.order_by("table", "seat"))

    def names_on(draw, **more):
        written.clear()
        draw(**about, **more)
        return [line for line in written if line in {entry.name for entry in everybody}]

    assert names_on(sheets.seating_sheet, by_name=True) == sorted((entry.name for entry in everybody), key=str.casefold)
    in_order = [entry.name for entry in everybody]
    assert names_on(sheets.seating_sheet, by_name=False) == in_order
    assert names_on(sheets.count_sheets) == in_order
    assert {"Table 1", "Table 2", "Counted by"} <= set(written)
    assert pages(seat_cards.seat_cards(tournament=event.row, by=event.director)) == 1, "from the draw on"
    refused(Forbidden, sheets.count_sheets, tournament=event.row, by=everybody[0].player)


def test_payouts_hang_as_they_are_and_after_a_deal_as_it_was_agreed(make_event, written):
    event = make_event(payout=PayoutTerms(kind="amounts", amounts=(200, 120, 80))).started(4)
    draw = {"tournament": event.row, "by": event.director}
    refused(NotFound, "no prizes", sheets.payouts_sheet, tournament=make_event().row, by=event.director)
    bust(event, 4)
    payouts.lock(**order(event))
    bust(event, 3)
    sheets.payouts_sheet(**draw | {"tournament": event.row})
    assert written[written.index("Place") :][:8] == ["Place", "Prize", "1st", "200", "2nd", "120", "3rd", "80"]
    deals.propose(kind="custom", amounts={1: 170, 2: 130}, play_for=20, **order(event))
    deals.accept_all(**order(event))
    written.clear()
    sheets.payouts_sheet(**draw | {"tournament": event.row})
    first, second = event.entry(1).name, event.entry(2).name
    start = written.index("Deal accepted")
    assert written[start : start + 8] == [
        *("Deal accepted", "Gets", first, "170", second, "130", "The winner, on top", "20")
    ]
    assert written[-2:] == ["3rd", "80"]


def test_all_receipts_of_payouts_are_one_file_and_marked_when_printed_again(make_event, written):
    event = make_event(payout=PayoutTerms(places=2)).started(3)
    everything = {"tournament": event.row, "by": event.director, "now": event.now}
    refused(NotFound, "no receipts", receipts.prize_receipts, **everything)
    bust(event, 3)
    bust(event, 2)
    payouts.pay(cash=True, **order(event))
    everything["tournament"] = event.row
    assert pages(receipts.prize_receipts(**everything, address="https://room.example/{}".format)) == 2
    assert {event.entry(1).name, event.entry(2).name, "Received"} <= set(written)
    assert not any("REPRINT" in line for line in written)
    receipts.prize_receipts(**everything)
    assert sum("REPRINT 1" in line for line in written) == 2
    refused(Forbidden, receipts.prize_receipts, **everything | {"by": event.entry(1).player})


def test_the_structure_says_when_each_level_begins_by_the_plan_and_then_by_the_clock(make_event, written):
    event = make_event(starts_at=None).started(3)
    written.clear()
    sheets.structure_sheet(tournament=event.row, now=event.now)
    assert "Starts at" in written
    assert {f"{event.now:%H:%M}", f"{event.now + timedelta(minutes=15):%H:%M}"} <= set(written)
    event_clock.pause(**order(event))
    written.clear()
    sheets.structure_sheet(tournament=event.row, now=event.now)
    assert "Starts at" not in written, "nobody knows while the clock stands"


def test_a_move_says_why_in_the_readers_language(make_event, every_word_marked):
    event = make_event(seats=4, final_seats=4).started(6)
    for _ in range(2):
        bust(event, next(iter(event.state.tables[2].seats.values())))
    seats.draw_final_table(**order(event))
    moves = directing_queries.moves(tournament=event.row, after=0)
    assert {move.why for move in moves} == {"~The final table was drawn."}


def test_the_structure_sheet_has_every_level(make_event, written):
    draft = make_event(late_level=1, late_through_break=True)
    sheets.structure_sheet(tournament=draft.row, now=draft.now)
    assert "the break after it" not in " ".join(written), "level 2 follows"
    event = make_event(late_level=2, late_through_break=True)
    assert pages(sheets.structure_sheet(tournament=event.row, now=event.now)) == 1
    assert "to the end of level 2, and the break after it" in " ".join(written)
    assert {"Level 1", "Level 4", "Break 1", "40/80", "160/320"} <= set(written)
    assert any("Entry 115; 2,000 chips" in line for line in written)
    assert pages(sheets.structure_sheet(tournament=event.open().row, now=event.now)) == 1


def rows_of(sheet):
    """What stands on a structure sheet, line by line; rebuys end with the first break."""
    later, minutes = sheet.get("later", (len(sheet["levels"]) + 1, 0))
    breaks = {after: (rest, [", ".join(f"{chip:,}" for chip in chips)]) for after, rest, *chips in sheet["breaks"]}
    rows, in_play = [], []
    for number, (ante, bring_in, small_bet, big_bet) in enumerate(sheet["levels"], 1):
        stakes = [f"{chips:,}" for chips in (ante, bring_in) if chips]
        long = minutes if number >= later else sheet["minutes"]
        rows += [f"Level {number}", f"{long}", *stakes, f"{small_bet:,}/{big_bet:,}", *in_play]
        rest, leaving = breaks.get(number, (0, []))
        rows += ["Break 1", f"{rest}", *leaving, "Rebuys end"] if rest else []
        in_play = [] if rest else leaving
    return rows


@pytest.mark.parametrize("slug", STUD)
def test_a_real_stud_structure_is_printed_as_its_sheet_has_it(make_event, written, slug):
    sheet, has_breaks = SHEETS[slug], bool(SHEETS[slug]["breaks"])
    rebuy = RebuyTerms(10_000, until_level=6) if has_breaks else None
    event = make_event(structure=printed(sheet), starting_stack=10_000, rebuy=rebuy)
    assert pages(sheets.structure_sheet(tournament=event.row, now=event.now)) == 1
    lines, rows = [line for line in written if line and not re.fullmatch(r"\d\d:\d\d", line)], rows_of(sheet)
    assert lines[-len(rows) :] == rows
    titles = lines[: -len(rows)]
    assert {"Minutes", "Ante", "Bets"} <= set(titles)
    assert ("Bring-in" in titles) == any(bring_in for _, bring_in, *_ in sheet["levels"])
    assert ("Notes" in titles, "Game" in titles) == (has_breaks, False)


def test_results_go_over_as_many_pages_as_it_takes_with_everybody_on_them(make_event, written, monkeypatch):
    event = make_event(payout=PayoutTerms(kind="winner"), price={}).started(14)
    hands.bust(busts=[(number, 1000 + number) for number in range(2, 15)], eliminators=[1], **order(event))
    monkeypatch.setattr(sheets, "A4", (paper.A4[0], 300))
    assert pages(sheets.results_sheet(tournament=event.row)) >= 3
    for number in (1, 2, 9, 14):
        assert event.entry(number).name in written
    assert written.count("Player") >= 2, "the titles are on every page"


@pytest.mark.parametrize(("name", "shown"), [
    ("Łukasz Żółć", "Łukasz Żółć"), ("Ελένη Δούκα", "Ελένη Δούκα"), ("Юлия", "Юлия"),
    ("Nguyễn Thị", "Nguyễn Thị"), ("王小明", "□□□"), ("Ana 🂡", "Ana □"), ("Ⅷ ﬁ", "VIII fi"),
    ("Ana\u200bLee", "AnaLee"),
])  # fmt: skip
def test_every_name_can_be_printed(name, shown):
    assert printable(name) == shown
    page = Paper(name)
    page.line(name, 20, 20)
    assert pages(page.done()) == 1


def test_a_document_holds_its_letters_in_their_place_and_is_the_same_file_twice():
    def print_page():
        page = Paper("Łódź")
        page.line("Łódź", 20, 40, bold=True)
        page.code("https://room.example/tournaments/12/desk/?entry=345", 20, 60, size=80)
        return page.done()

    assert print_page() == print_page()
    assert b"/FontFile2" in print_page()
    assert {PLAIN, BOLD} <= set(pdfmetrics.getRegisteredFontNames())
    dark = paper._code("https://room.example/")
    corner = [[max(abs(x - 3), abs(y - 3)) != 2 for x in range(7)] for y in range(7)]
    for top, left in ((0, 0), (0, len(dark) - 7), (len(dark) - 7, 0)):
        assert [row[left : left + 7] for row in dark[top : top + 7]] == corner
    page = Paper("long")
    for size in (8, 40):
        for name in ("Wolfeschlegelsteinhausenbergerdorff " * 3, "W" * 80, "short"):
            assert page.line(name, 0, 50, size=size, width=60) <= 60.01
    page.listing([Column("A", 1), Column("B", 1, is_number=True)], [["x" * 500, 10**15]] * 3, 60, head="more")


def test_titles_of_columns_go_on_below_and_are_not_cut(written):
    titles = ("Table", "Hier gegebene Hände", "Spielerstundensummen")
    narrow = [Column(title, 1, is_number=True) for title in titles] + [Column("", 9)]
    Paper("Report").listing(narrow, [["x"] * 4], 60, head="more")
    said_in_lines = [line for line in written if line not in ("", "x")]
    parts = [line for line in said_in_lines if line not in ("Table", "Hier", "gegebene", "Hände")]
    assert len(said_in_lines) == 4 + len(parts)
    assert len(parts) > 1
    assert "".join(line.removesuffix("-") for line in parts) == titles[2]


def test_a_document_says_in_its_properties_whose_it_is_and_in_which_language(settings):
    settings.CARDROOM_NAME = "Larch"
    with translation.override("pt-br"):
        made = Paper("Slip 7").done()
    for words in (b"/Author (Larch)", b"/Subject (Slip 7)", b"/Title (Slip 7)", b"/Lang (pt-br)"):
        assert words in made
