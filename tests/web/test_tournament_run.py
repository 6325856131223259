"""The director's console, the dealer's tablet and the deal: what they show, what their buttons do and refuse, and what
nobody learns."""

import re

import pytest

from tests.support.events import Event, bust
from tests.support.events import order as by_the_desk
from tests.support.pages import assert_hides, assert_shows, html_of, words
from tests.support.pages import get as page_at
from tests.support.parts.tournaments import deals, hands, payouts, prize_queries, registration, seats, undoing
from tournaments.engine.commands import AddTime
from tournaments.engine.config import AddOnTerms, PayoutTerms, RebuyTerms
from tournaments.prizes.models import DealProposal


def get(browser, event, part="", status=200):
    return html_of(browser.get(f"/tournaments/{event.pk}/{part or 'run/'}"), status)


def order(browser, event, verb, *, seq=None, status=302, part="run/do/", **data):
    data = {"verb": verb, "expected_seq": event.row.seq if seq is None else seq, **data}
    return words(browser.post(f"/tournaments/{event.pk}/{part}", data), status)


@pytest.mark.smoke
def test_the_console_shows_clock_tables_and_what_can_be_undone(event, director):
    page = words(get(director, event))
    assert_shows(
        page, "Level 1 ante 5, bring-in 10, 40/80 15:00", "Players left 6 of 6 2 tables", "Undo Cards in the air"
    )
    assert_shows(page, *(entrant.name for entrant in event.state.entrants.values()))
    parts = html_of(director.get(f"/tournaments/{event.pk}/run/", headers={"HX-Request": "true"}))
    assert_shows(parts, 'id="run-parts"', but=["<html"])
    for part in ("run/players/1/", "run/tables/1/", "run/clock/", "run/prizes/", "run/levels/"):
        assert_shows(get(director, event, part), "<html")
        fragment = html_of(director.get(f"/tournaments/{event.pk}/{part}", headers={"HX-Request": "true"}))
        assert "<html" not in fragment or part == "run/levels/"


def test_the_console_takes_the_same_queries_however_many_play(at, browse, django_assert_max_num_queries):
    large = at(Event().started(12))
    browser = browse(large.director)
    get(browser, large)
    with django_assert_max_num_queries(9):
        get(browser, large)


def test_players_are_found_by_name_entry_and_table_also_those_who_are_out(event, director):
    name = event.state.entrants[4].name
    order(director, event, "bust", out=4)
    assert_shows(words(get(director, event, f"run/?q={name}")), f"{name} out, place 6")
    assert_shows(words(get(director, event, "run/?q=nobody")), "No tables match")
    assert_shows(get(director, event, "run/?q=t2"), 'id="table-2"', but=['id="table-1"'])
    for part in ("run/players/99/", "run/tables/99/", "run/tables/99/race/", "tables/99/"):
        get(director, event, part, 404)
    order(director, event, "dance", status=404)


@pytest.mark.parametrize(("panel", "verb", "data", "said"), [
    ("players/3/", "count", {"entrant": 3, "chips": 700}, "Count of"),
    ("players/3/", "bust", {"out": 3}, "6th"),
    ("tables/1/", "bust", {"out": 99}, "99"),
    ("clock/", "set-remaining", {"ms": "12:30"}, "12:30"),
    ("clock/", "set-remaining", {"ms": "soon"}, "write minutes and seconds"),
])  # fmt: skip
def test_the_forms_of_a_panel_that_is_a_page_come_back_to_it(event, director, panel, verb, data, said):
    address = f"/tournaments/{event.pk}/run/{panel}"
    page = director.get(address).content.decode()
    assert "hx-disable" in page
    sent = {"verb": verb, "expected_seq": event.row.seq, "panel": re.search(r'name="panel" value="([^"]*)"', page)[1]}
    answer = director.post(f"/tournaments/{event.pk}/run/do/", sent | data)
    if answer.status_code == 302:
        assert answer["Location"] == address
        answer = director.get(address)
    page = answer.content.decode()
    assert said in words(page)
    assert f"<h1>{re.search('<h1>(.*?)</h1>', director.get(address).content.decode()).group(1)}</h1>" in page


def test_a_panel_that_there_is_not_or_not_any_more_leads_to_the_console(event, director):
    bust(event, 1, 2)
    add = {"verb": "add-time", "ms": "1"}
    for sent in (
        *(add | {"panel": panel} for panel in ("", "player:", "player:x", "nothing:1", "table:99")),
        {"verb": "break-table", "table": 2, "panel": "table:2"},
    ):
        answer = director.post(f"/tournaments/{event.pk}/run/do/", sent | {"expected_seq": event.row.seq})
        assert answer["Location"] == f"/tournaments/{event.pk}/run/", sent


def test_the_clock_is_stopped_set_and_moved_on_and_entry_opened_and_closed_by_hand(event, director):
    order(director, event, "pause")
    for said, ms in (("1:02:03", 3_723_000), ("20", 1_200_000), ("12:30", 750_000)):
        order(director, event, "set-remaining", ms=said)
        assert event.row.clock["remaining_ms"] == ms
    order(director, event, "add-time", ms="-1")
    assert event.row.clock["remaining_ms"] == (11 * 60 + 30) * 1000
    order(director, event, "next")
    order(director, event, "go-to", level=2)
    assert_shows(words(get(director, event)), "Break 1 10 minutes")
    order(director, event, "previous")
    order(director, event, "resume")
    assert event.state.reading(int(event.now.timestamp() * 1000)).level == 1
    for on, said in ((1, "Entry open by the director"), ("", "Entry closed")):
        order(director, event, "entry", on=on)
        assert_shows(words(get(director, event)), said)


def test_a_bust_is_undone_redone_and_corrected_later(event, director):
    table = event.state.tables[event.state.entrants[1].table]
    winner = next(number for number in table.seats.values() if number != 1)
    order(director, event, "bust", out=1, by=winner, table=table.number)
    name, by = event.state.entrants[1].name, event.state.entrants[winner].name
    assert_shows(words(get(director, event)), f"{name}, 6th, by {by}", f"Undo Bust of {name}, 6th")
    order(director, event, "undo")
    assert event.state.left == 6
    assert_shows(words(get(director, event, "run/log/")), f"{event.director.username}, undone")
    assert_shows(words(get(director, event)), f"Redo Bust of {name}, 6th")
    order(director, event, "redo")
    assert event.state.left == 5
    order(director, event, "add-time", ms="1")
    assert_shows(words(get(director, event, "run/players/1/")), "The bust was a mistake")
    order(director, event, "revive", entrant=1, stack="", reason="He had chips under his card")
    assert event.state.left == 6
    first, second, *_ = event.state.tables[1].seats.values()
    assert_shows(order(director, event, "bust", out=[first, second], status=400), "enter the chips of each")
    order(director, event, "bust", out=[first, second], **{f"had-{first}": "1,200", f"had-{second}": "800"})
    assert (event.state.entrants[first].place, event.state.entrants[second].place) == (5, 6)


def test_a_second_director_sees_what_the_first_did_and_a_double_tap_counts_once(event, director):
    seen = event.row.seq
    event.play(AddTime(60_000))
    assert_shows(order(director, event, "pause", seq=seen, status=409), "Clock +1:00", "reload")
    order(director, event, "pause")
    seen = event.row.seq
    for _ in range(2):
        order(director, event, "add-time", ms="1", seq=seen, command_id="tap")
    assert event.row.seq == seen + 1


def test_refusals_of_the_console_give_a_sentence_and_the_rule(event, director):
    seq = event.row.seq
    for verb, data in (
        *(("count", {"entrant": who, "chips": chips}) for who, chips in (("one", "5"), ("1", "many"), ("1", "-5"))),
        ("set-remaining", {"ms": "soon"}),
        ("go-to", {"level": ""}),
        ("hand-for-hand", {"on": "perhaps"}),
        ("move", {"entrant": "1", "table": "99999999999999"}),
        ("bust", {"out": "\0"}),
        ("pause", {"command_id": "x" * 300}),
        ("disqualify", {"entrant": "1", "reason": ""}),
    ):
        assert len(order(director, event, verb, status=400, **data)) > 20
        assert event.row.seq == seq, (verb, data)
    order(director, event, "bust", out=2)
    seq = event.row.seq
    assert_shows(order(director, event, "bust", out=2, status=422), "is not in play")
    assert_shows(order(director, event, "penalise", entrant=1, kind="warning", status=400), "a penalty needs a reason")
    assert event.row.seq == seq


def test_a_player_is_counted_moved_penalised_and_put_on_the_clock(event, director):
    other = 2 if event.state.entrants[1].table == 1 else 1
    order(director, event, "count", entrant=1, chips="2 500")
    order(director, event, "move", entrant=1, table=other, seat="", reason="Cannot see the board")
    order(director, event, "penalise", entrant=1, kind="rounds", count=1, reason="Abuse")
    order(director, event, "penalise", entrant=3, kind="hands", count=2, reason="Phone at the table")
    order(director, event, "clock-on", entrant=1)
    entrant = event.state.entrants[1]
    assert (entrant.stack, entrant.table, bool(entrant.missing)) == (2500, other, True)
    assert_shows(words(get(director, event)), "clock", "misses 2")
    assert_shows(words(get(director, event, "run/players/1/")), "rounds 1: Abuse")
    order(director, event, "clock-off", entrant=1)
    order(director, event, "disqualify", entrant=1, reason="Once more")
    assert event.state.entrants[1].is_disqualified


def at_the_fullest(event):
    """Somebody at the table with most players."""
    table = max(event.state.tables.values(), key=lambda table: len(table.seats))
    return next(iter(table.seats.values()))


def test_two_players_are_swapped_and_the_chips_in_play_corrected_from_their_panels(event, director):
    one, other = (next(iter(event.state.tables[number].seats.values())) for number in (1, 2))
    names = [event.entry(number).name for number in (one, other)]
    seat = event.entry(other).seat
    assert_shows(get(director, event, f"run/players/{one}/"), 'value="swap"')
    said = order(director, event, "swap", status=400, entrant=one, table=2, seat="")
    assert_shows(said, "Seat: enter the seat of the other player")
    order(director, event, "swap", entrant=one, table=2, seat=seat)
    assert_shows(words(get(director, event)), f"{names[0]} and {names[1]} swap seats")
    assert_shows(words(get(director, event)), "Correct…")
    chips = event.state.chips
    assert_shows(words(get(director, event, "run/chips/")), f"{chips:,} in play by entries")
    order(director, event, "correct-chips", chips=f"{chips + 1000:,}", reason="Table 2 got 1,000 too many")
    assert_shows(
        words(get(director, event)), f"Chips in play corrected to {chips + 1000:,}: Table 2 got 1,000 too many"
    )


def test_what_is_suggested_is_done_with_one_tap_or_let_be(event, director):
    def key() -> str:
        page = get(director, event)
        assert_shows(words(page), "Draw the final table")
        return re.search(r'name="key" value="(final-table[^"]*)"', page)[1]

    while event.state.left > 4:
        order(director, event, "bust", out=at_the_fullest(event))
    order(director, event, "dismiss", key=key())
    assert_hides(words(get(director, event)), "Draw the final table")
    order(director, event, "bust", out=at_the_fullest(event))
    order(director, event, "confirm", key=(confirmed := key()))
    assert len(event.state.in_use()) == 1
    order(director, event, "confirm", key=confirmed, status=409)


def test_chips_are_bought_at_the_table_and_who_is_out_comes_back_for_another_entry(at, browse):
    price = {"entry": {"pool": 100}, "rebuy": {"pool": 50}, "add_on": {"pool": 40}}
    event = at(
        Event(price=price, rebuy=RebuyTerms(1500, 2, 2, 2000), add_on=AddOnTerms(3000, 1), re_entries=1, late_level=2)
    )
    browser = browse(event.desk(by=event.started(4).director))
    order(browser, event, "rebuy", entrant=1, method="desk", stack=100)
    assert event.state.pool == 450
    order(browser, event, "bust", out=2)
    for _ in range(2):
        order(browser, event, "re-enter", entrant=2, method="desk", key="again")
    assert (event.state.pool, event.state.entries) == (550, 5)


def test_hand_for_hand_is_followed_table_by_table_and_moves_go_by_themselves_if_let(event, director):
    order(director, event, "hand-for-hand", on=1)
    order(director, event, "bust", out=1)
    out = f"Out when the hand is over: {event.state.entrants[1].name}"
    assert_shows(words(get(director, event)), "Hand-for-hand, hand 1", out)
    for table in sorted(event.state.tables):
        assert_shows(words(get(director, event)), "Still playing")
        order(director, event, "hand-done", table=table)
    assert event.state.left == 5
    assert_shows(words(get(director, event)), "hand 2")
    order(director, event, "hand-for-hand", on=0)
    order(director, event, "auto-arrange", on=1)
    assert_shows(words(get(director, event)), "Automatic moves: on")
    while event.state.left > 4:
        order(director, event, "bust", out=event.state.in_play()[0].number)
    assert len(event.state.in_use()) == 1


def test_a_rebuy_is_undone_with_its_money_and_the_start_stands(at, browse):
    event = at(Event(price={"entry": {"pool": 100}, "rebuy": {"pool": 50}}, rebuy=RebuyTerms(1500, 2, 2, 2000)))
    browser = browse(event.started(4).director)
    order(browser, event, "rebuy", entrant=1, method="wallet", stack=100)
    name = event.entry(1).name
    assert_shows(words(get(browser, event)), f"Undo… Rebuy of {name}")
    assert_shows(get(browser, event), f'href="/tournaments/{event.pk}/run/undo/"')
    assert_shows(words(get(browser, event, "run/undo/")), f"Refund 50 to {name}, to the wallet", "Reason")
    assert_shows(order(browser, event, "undo", panel="undo:0", status=400), f"Refund 50 to {name}", "Enter a reason")
    assert event.state.pool == 450
    assert_shows(words(get(browser, event, "run/undo/")), f"Rebuy of {name}")
    order(browser, event, "undo", panel="undo:0", reason="Meant for seat 5")
    assert (event.row.state, event.state.pool, event.state.entrants[1].stack) == ("running", 400, 2000)
    assert_shows(words(get(browser, event)), "Undo Cards in the air")


def test_what_stands_is_said_with_its_reason(at, browse):
    event = at(Event(price={"entry": {"pool": 100}}).open(entrants=3))
    browser = browse(event.director)
    registration.unregister(tournament_id=event.pk, by=event.entry(2).player, now=event.now)
    name = event.entry(2).name
    assert_shows(words(get(browser, event)), f"Stands: {name} withdraws")
    reason = f"{name} has the money of the entry back: let them enter again."
    assert_shows(
        words(get(browser, event, "run/undo/")), f"The last order was {name} withdraws. It cannot be undone:", reason
    )
    assert_shows(order(browser, event, "undo", reason="A mistake", status=422), reason)
    assert event.state.left == 2


def test_prizes_are_locked_and_to_do_until_the_last_one_has_been_paid(at, browse):
    event = at(Event(payout=PayoutTerms(kind="percent", percents=(50, 30, 20))).started(6))
    browser = browse(event.desk(by=event.director))
    order(browser, event, "lock")
    assert_shows(words(get(browser, event, "run/prizes/")), "The payouts are locked")
    while event.state.phase == "running":
        bust(event, event.state.in_play()[-1].number)
    winners = sorted(one.number for one in event.state.entrants.values() if one.prize)
    for left in (3, 2, 1):
        page = words(get(browser, event))
        assert_shows(page.partition("Pay the prizes")[2], f"{left} player")
        assert_hides(page, "All done")
        order(browser, event, "pay-one", entrant=winners.pop(), method="desk", panel="prizes:0")
        assert_shows(words(get(browser, event, "run/prizes/")), "paid ")
    assert event.pool() == 0
    assert_shows(words(get(browser, event)), "All done", "Finished")
    order(browser, event, "undo", status=400)
    assert_shows(words(get(browser, event, "run/undo/")), "from player", "in cash")
    order(browser, event, "undo", reason="Not handed over")
    page = words(get(browser, event))
    assert_shows(page.partition("Pay the prizes")[2], "1 player")


def test_cash_that_waits_at_the_desk_is_still_to_be_paid(at, browse):
    event = at(Event().open())
    event.desk(by=event.director)
    for name in ("Ana Ruiz", "Ben Cole"):
        registration.register(**by_the_desk(event, guest=name, method="desk"))
    event.start()
    browser = browse(event.director)
    bust(event, 2)
    order(browser, event, "pay")
    assert_shows(words(get(browser, event)), "1 player has 200 to get")
    assert_shows(words(get(browser, event, "run/prizes/")), "cash at the desk", "Pay everybody")
    order(browser, event, "pay", cash=1)
    assert_shows(words(get(browser, event, "run/prizes/")), "paid", but=["Pay everybody"])
    assert_shows(words(get(browser, event)), "All done")


def test_everything_that_is_printed_is_in_one_menu_and_opens(event, director):
    page = get(director, event)
    menu = page.partition('class="menu run-print"')[2].partition("</details>")[0]
    assert_shows(
        words(menu), "Seating by name", "Seating by table", "Seat cards", "Moves since the last print", "Count sheets"
    )
    assert_shows(words(menu), "Structure with times", "Payouts", "Payout receipts")
    links = re.findall(r'href="([^"]*)"', menu)
    answers = {link: director.get(link) for link in links}
    statuses = {link: answer.status_code for link, answer in answers.items()}
    assert {link.rpartition("print/")[2] for link, status in statuses.items() if status == 404} == {
        *("moves/new/", "payouts/")
    }, "nobody was moved yet, or paid"
    assert all(answer.content.startswith(b"%PDF") for answer in answers.values() if answer.status_code == 200)


def test_after_a_deal_the_run_and_payout_pages_show_its_sums(at, browse):
    event = at(Event(payout=PayoutTerms(kind="amounts", amounts=(200, 120, 80))).started(4))
    browser = browse(event.desk(by=event.director))
    bust(event, 4)
    payouts.lock(**by_the_desk(event))
    bust(event, 3)
    deals.propose(kind="custom", amounts={1: 170, 2: 130}, play_for=20, **by_the_desk(event))
    deals.accept_all(**by_the_desk(event))
    first, second = event.entry(1).name, event.entry(2).name
    for part in ("run/", "run/prizes/"):
        page = words(get(browser, event, part))
        assert_shows(page, "Deal accepted", f"{first} 170", f"{second} 130", "The winner, on top 20", "3rd 80")
        assert_hides(page, "1st 200", "2nd 120")
    assert_shows(words(get(browser, event, "deal/")), "accepted The deal is made")


def test_the_event_is_started_from_here(at, browse):
    event = at(Event(seats=4))
    browser = browse(event.director)
    assert_shows(words(get(browser, event)), "Registration has not opened")
    event.open()
    for _ in range(5):
        event.enter()
    order(browser, event, "draw-seats")
    assert_shows(words(get(browser, event)), "Draw the seats again")
    order(browser, event, "start")
    assert event.state.phase == "running"
    assert_shows(words(get(browser, event)), "Stop the clock")


def fields(page):
    rows = dict(re.findall(r'<input[^>]*name="(level-[^"]*|first|seq)"[^>]*value="([^"]*)"', page))
    for name, options in re.findall(r'<select name="(level-[^"]*)"[^>]*>(.*?)</select>', page, re.DOTALL):
        rows[name] = re.search(r'value="([^"]*)" selected', options)[1]
    return rows


def test_coming_levels_are_edited_from_the_current_one_on(event, director, at):
    address, data = f"/tournaments/{event.pk}/run/levels/", fields(get(director, event, "run/levels/"))
    page = html_of(director.post(address, data | {"do": "add-break"}))
    assert_shows(words(page), "Break 2")
    assert_hides(words(director.post(address, fields(page) | {"do": "remove-2"}), 200), "Break 2")
    assert len(event.state.structure.levels) == 5, "nothing has changed yet"
    wrong = {"level-4-small_bet": "20", "level-4-big_bet": "40", "level-4-bring_in": "10"}
    page = html_of(director.post(address, data | wrong | {"do": "save"}), 422)
    assert fields(page)["level-4-small_bet"] == "20"
    assert_shows(words(director.post(address, data | wrong | {"level-1-ante": "some", "do": "save"})), "whole number")
    data |= {"level-3-minutes": "30"}
    at(event.wait(minutes=16))
    words(director.post(address, data | {"do": "save"}), 302)
    assert event.state.structure.levels[3].minutes == 30
    data = fields(get(director, event, "run/levels/"))
    assert data["first"] == "1"
    data |= {"level-0-minutes": "25", "level-2-small_bet": "130", "level-2-big_bet": "260"}
    said = words(director.post(address, data | {"do": "add-level"}))
    assert_shows(said, "Level 3: the small bet is 130; 1, 1.2, 1.5", but=["Level 1: the"])
    words(director.post(address, data | {"do": "save"}), 302)
    levels = event.state.structure.levels
    assert (levels[0].minutes, levels[1].minutes, levels[3].small_bet) == (15, 25, 130)


def test_a_chip_race_names_an_uncounted_stack_and_keeps_the_previewed_cards(event, director):
    table, address = event.state.tables[1], f"/tournaments/{event.pk}/run/tables/1/race/"
    first, *seats = sorted(table.seats)
    data = {f"stack-{seat}": "1,075" for seat in seats} | {"leaving": "25", "following": "100"}
    page = html_of(director.post(address, data | {"do": "try"}), 400)
    assert_shows(words(page), f"in seat {first}.")
    assert_shows(page, f'name="stack-{seats[0]}" value="1,075"')
    data |= {f"stack-{first}": "1,075"}
    page = html_of(director.post(address, data | {"do": "try"}))
    assert_shows(words(page), "Result")
    cards = re.search(r'name="cards" value="([^"]+)"', page)[1]
    assert len(cards.split()) == 3 * len(table.seats)
    words(director.post(address, data | {"do": "race", "cards": cards, "expected_seq": event.row.seq}), 302)
    stacks = [event.state.entrants[number].stack for number in table.seats.values()]
    assert all(stack in (1000, 1100) for stack in stacks)


def test_an_event_with_own_payouts_that_do_not_fit_says_so(at, browse):
    event = at(Event(payout=PayoutTerms(kind="amounts", amounts=(500, 400))).started(3))
    assert_shows(words(get(browse(event.director), event)), "900", but=["Payouts 1st"])


def test_online_nobody_is_busted_or_counted_by_hand(at, browse):
    event = at(Event(conduct="online", seats=4).started(6))
    browser = browse(event.director)
    assert_shows(words(get(browser, event)), "Players left 6 of 6", but=["Tablets"])
    assert_hides(words(get(browser, event, "run/players/1/")), "is out", "Current chips")
    get(browse(event.staff("dealer")), event, "tables/", 409)
    assert_shows(order(browser, event, "bust", out=1, status=422), "Online")
    order(browser, event, "pause")


@pytest.fixture
def dealer(event, browse):
    return browse(event.staff("dealer"))


def tap(browser, event, verb, table=1, status=302, **data):
    return order(browser, event, verb, part=f"tables/{table}/do/", status=status, **data)


def at_table(event, number) -> list[int]:
    """Those who sit there."""
    return [*event.state.tables[number].seats.values()]


def test_a_dealer_finds_on_the_flyer_the_tablets_with_clock_and_seats_or_where_to_go(event, dealer, browse):
    assert_shows(words(get(dealer, event, "tables/")), "Table 2 3 players")
    names = [event.state.entrants[number].name for number in at_table(event, 1)]
    assert_shows(
        words(get(dealer, event, "tables/1/")), "15:00 Level 1 ante 5, bring-in 10, 40/80", "6 of 6 left", *names
    )
    tablets = f"/tournaments/{event.pk}/tables/"
    assert_shows(page_at(dealer, f"/tournaments/{event.pk}/"), tablets)
    assert_hides(page_at(browse(event.player()), f"/tournaments/{event.pk}/"), tablets)
    bust(event, *at_table(event, 1)[:2])
    seats.break_table(table=1, **by_the_desk(event))
    assert_shows(words(get(dealer, event, "tables/1/")), "This table is broken")
    get(dealer, event, "tables/9/", 404)


def test_a_bust_at_a_tablet_concerns_its_table_alone(event, dealer, browse):
    out, winner, *_ = at_table(event, 1)
    seen = event.row.seq
    bust(event, at_table(event, 2)[0])
    tap(dealer, event, "bust", seq=seen, out=out, by=winner)
    assert (event.state.entrants[out].by, event.state.left) == ((winner,), 4)
    assert_shows(tap(dealer, event, "bust", out=at_table(event, 2)[0], status=422), "sits at table 2")
    tap(dealer, event, "undo", status=403)
    director, seen = browse(event.director), event.row.seq
    hands.count(entrant=event.state.in_play()[0].number, chips=2100, **by_the_desk(event))
    assert_shows(tap(director, event, "undo", seq=seen, status=409), "reload")
    assert_shows(tap(director, event, "undo", seq="", status=400), "as you saw it")
    tap(director, event, "undo")
    assert event.state.left == 4, "the count is taken back"
    tap(director, event, "undo")
    assert event.state.left == 5


def test_with_scripts_the_answer_is_the_table_as_it_is_then(event, browse):
    director = browse(event.director, headers={"HX-Request": "true"})
    out = at_table(event, 1)[0]
    answer = director.post(f"/tournaments/{event.pk}/tables/1/do/", {"verb": "bust", "out": out})
    page = html_of(answer)
    assert_shows(page, 'value="undo"', but=["<html"])
    assert_shows(words(page), f"Bust of {event.state.entrants[out].name}, 6th.")
    assert_shows(answer["HX-Trigger"], "order-done")
    again = re.search(r'hx-get="([^"]*after=[^"]*)"', page)[1]
    assert_shows(page_at(director, again), 'value="undo"')
    hands.count(entrant=event.state.in_play()[0].number, chips=2100, **by_the_desk(event))
    assert_hides(page_at(director, again), 'value="undo"')


def test_stacks_are_counted_several_at_once_and_none_if_one_cannot_be(event, dealer, browse):
    first, second, *_ = at_table(event, 1)
    seq = event.row.seq
    wrong = {f"chips-{first}": "2400", f"chips-{second}": "99999"}
    assert_shows(tap(dealer, event, "counts", status=422, **wrong), "cannot have 99999")
    assert event.row.seq == seq
    tap(dealer, event, "counts", command_id="count", **{f"chips-{first}": "2,400", f"chips-{second}": "1 600"})
    assert (event.state.entrants[first].stack, event.state.entrants[second].stack) == (2400, 1600)
    assert event.state.undo_label == "Count of table 1: 4,000 in 2 stacks"
    undoing.undo(**by_the_desk(event))
    assert (event.state.entrants[first].stack, event.state.entrants[second].stack) == (2000, 2000)
    assert_shows(tap(dealer, event, "counts", status=400), "Write down")
    assert_shows(tap(dealer, event, "counts", status=400, **{f"chips-{first}": "a lot"}), "Chips of")
    seated = at_table(event, 1)
    order(browse(event.director), event, "counts", table=1, **{f"chips-{number}": "2,000" for number in seated})
    assert event.state.undo_label == f"Count of table 1: {2000 * len(seated):,} in {len(seated)} stacks"


def test_a_stack_that_nobody_counted_does_not_look_counted(event, dealer, browse):
    first, second, *_ = at_table(event, 1)
    tap(dealer, event, "counts", **{f"chips-{first}": "2,400"})
    name, other = event.state.entrants[first].name, event.state.entrants[second].name
    shown = [(dealer, "tables/1/"), (browse(event.director), "run/")]
    shown += [(browse(), part) for part in ("players/", "results/", "?show=all")]
    pages = [words(get(browser, event, part)) for browser, part in shown]
    for page in pages:
        assert re.search(rf"{name}\W.{{0,40}}2,400", page), page
        assert re.search(rf"{other}\W.{{0,40}}not counted", page), page
        assert not re.search(rf"{other}\W.{{0,20}}2,000", page), page
    assert re.search(rf"{name}\W.{{0,40}}2,400 {event.now:%H:%M}", pages[0]), "and counted when"
    assert_shows(words(get(browse(event.director), event, "run/tables/1/")), "1 stack counted, 2,400 chips")
    rows = get(browse(), event, "export/results.csv").splitlines()
    assert [row.split(",")[5] for row in rows if other in row] == [""]


def test_the_tablet_reports_arrivals_time_and_hand_for_hand(event, dealer):
    first, second, *_ = at_table(event, 1)
    tap(dealer, event, "arrived", entrant=first)
    assert event.entry(first).arrived_at == event.now
    tap(dealer, event, "clock-on", entrant=second)
    assert second in event.state.called
    tap(dealer, event, "clock-off", entrant=second)
    tap(dealer, event, "all-here")
    assert event.entry(second).arrived_at == event.now
    assert_hides(words(get(dealer, event, "tables/1/")), "not seen yet")
    hands.hand_for_hand(on=True, **by_the_desk(event))
    tap(dealer, event, "hand-done", out=at_table(event, 1)[0])
    assert_shows(words(get(dealer, event, "tables/1/")), "wait for table 2")
    tap(dealer, event, "hand-done", status=422)
    assert event.state.left == 6
    tap(dealer, event, "hand-done", table=2)
    assert event.state.left == 5


@pytest.fixture
def three(at):
    """Three are left of four, and three are paid."""
    event = at(Event(seats=4, payout=PayoutTerms(places=3)).started(4))
    bust(event, 4)
    for number, chips in ((1, 4000), (2, 3000), (3, 1000)):
        hands.count(entrant=number, chips=chips, **by_the_desk(event))
    return event


@pytest.fixture
def directs(three, browse):
    return browse(three.director)


def deal(browser, event, verb, status=302, **data):
    return order(browser, event, verb, part="deal/do/", status=status, **data)


def player(event, number):
    return event.entry(number).player


def test_a_deal_is_made_once_every_player_accepts_it(three, browse, directs):
    assert_shows(
        words(get(directs, three, "deal/?play_for=40")), "ICM By chips Even As agreed", "except 40 for the winner"
    )
    for looker in (browse(player(three, 1)), browse()):
        assert_shows(words(get(looker, three, "deal/")), "No deal is proposed")
    assert_shows(words(get(directs, three, "deal/?play_for=much")).lower(), "whole number")
    deal(directs, three, "propose", kind="fair", status=400)
    deal(directs, three, "vote", is_yes="perhaps", status=400)
    deal(directs, three, "dance", status=404)
    deal(directs, three, "accept-all", status=404)
    deal(directs, three, "propose", kind="icm", play_for="99999999", status=422)
    deal(directs, three, "propose", kind="icm", play_for="40")
    for voter in (browse(player(three, number)) for number in (1, 2, 3)):
        assert_shows(words(get(voter, three, "deal/")), "I accept")
        deal(voter, three, "vote", is_yes=1)
    assert three.state.deal.play_for == 40
    assert_shows(words(get(browse(), three, "deal/")), "The deal is made")


def test_nobody_sees_how_anybody_voted(three, directs, browse):
    deal(directs, three, "propose", kind="chips")
    first, second, third = (browse(player(three, number)) for number in (1, 2, 3))
    deal(second, three, "vote", is_yes=0)
    assert_shows(words(get(second, three, "deal/")), "You have refused")
    for looker in (directs, first, browse()):
        assert_shows(words(get(looker, three, "deal/")), "1 of 3 have voted", but=["refused"])
    for voter in (first, third):
        deal(voter, three, "vote", is_yes=1)
    assert_shows(words(get(browse(), three, "deal/")), "No deal")
    assert three.state.deal is None


def test_a_deal_as_agreed_takes_the_amounts_that_were_typed(three, directs):
    pool = sum(three.state.prizes()[:3])
    amounts = {"amounts-1": str(pool - 200), "amounts-2": "100", "amounts-3": "99"}
    assert_shows(deal(directs, three, "propose", kind="custom", status=422, **amounts).replace(",", ""), str(pool))
    said = deal(directs, three, "propose", kind="custom", status=400, **(amounts | {"amounts-3": ""}))
    assert_shows(said, "Enter the amount of each player")
    deal(directs, three, "propose", kind="custom", **(amounts | {"amounts-3": "100"}))
    assert prize_queries.voting(tournament=three.row).amounts == {1: pool - 200, 2: 100, 3: 100}


def test_only_players_vote_and_only_the_director_takes_a_proposal_back(three, browse, directs):
    deal(directs, three, "propose", kind="even")
    ana, out = browse(player(three, 1)), browse(player(three, 4))
    assert_hides(get(out, three, "deal/"), "I accept")
    deal(out, three, "vote", is_yes=1, status=403)
    deal(ana, three, "propose", kind="even", status=403)
    deal(browse(), three, "vote", is_yes=1)  # leads to the log-in
    deal(directs, three, "propose", kind="icm", status=409)
    deal(ana, three, "withdraw", status=403)
    deal(directs, three, "withdraw")
    assert DealProposal.objects.get().state == "withdrawn"
    assert_shows(words(get(browse(), three, "deal/")), "withdrawn")
    deal(directs, three, "propose", kind="even")
    deal(directs, three, "vote", entrant=1, is_yes=1)
    deal(directs, three, "accept-all")
    assert three.state.deal is not None
