"""Every verb that can move chips is done here with a spy on the ledger: what leaves a house account has passed the
gate, or names the rule by which it did. A new verb is found by itself, and has to be done here too."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.db import transaction

from cardroom.cage import requests
from cardroom.core.models import StaffAction
from cardroom.ledger import audit as ledger_audit
from cardroom.ledger import passages
from cardroom.ledger.models import Entry, Transfer
from games.rake.models.drops import Jackpot
from tests.support import chip_walk
from tests.support.counting import counted_twice
from tests.support.evening import Evening, in_the_room
from tests.support.events import START, Event, bust, order
from tests.support.leave import leave
from tests.support.online import OnlineEvent
from tests.support.parts.cardroom import (
    approvals,
    cage_books,
    corrections,
    drawers,
    ledger,
    people,
    roles,
    slips,
    vault,
)
from tests.support.parts.event_rules import AddOnTerms, CloseFlight, PayoutTerms, RebuyTerms
from tests.support.parts.games import cash_in, comps, jackpot_growth, jackpots, seats, settling, tables
from tests.support.parts.tournaments import (
    buying,
    cancelling,
    event_journal,
    flights,
    money,
    payouts,
    registration,
    tickets,
    undoing,
)
from tests.support.timing import TimedTable
from tests.web import test_room_repeats
from tests.web.conftest import NOW
from tests.web.room_rows import filled_in
from tests.web.test_room_repeats import AREAS

#: What can reach the ledger by the code, and moves chips only through what it sets off, which is done here by others: a
#: seat that comes free is taken by the next on a list, a player who is taken off a table is cashed out, a request that
#: ends tells what it was about, and what a second person is asked for is done once they decide.
SETS_OFF = {
    "cardroom.accounts.sealed_views.ask", "cardroom.cage.allowances.set_limit",
    "games.rake.jackpots.ask", "games.rake.jackpot_hits.propose",
    "cardroom.accounts.bans.ban", "cardroom.accounts.bans.exclude_oneself", "cardroom.accounts.chat.say",
    "cardroom.accounts.visits.check_in", "cardroom.accounts.visits.register_guest", "cardroom.cage.requests.make",
    "cardroom.core.approvals.expire", "cardroom.core.approvals.take_back", "games.clubs.club_chat.say",
    "games.clubs.founding.found", "games.clubs.members.give_part", "games.clubs.members.join",
    "games.clubs.members.join_by_link",
    "games.play.home_games.close", "games.play.home_games.invite", "games.play.home_games.open_one",
    "games.play.playtime.remind_or_take_off", "games.play.seats.come_back", "games.play.table_chat.say",
    "games.play.tables.break_up", "games.rake.collection.end_courtesy", "games.rake.collection.pay",
    "games.tables.holds.hold", "games.waitlists.calling.answer", "games.waitlists.calling.call",
    "games.waitlists.calling.call_next", "games.waitlists.filling.settle", "games.waitlists.guests._guest_at_kiosk",
    "games.waitlists.guests._member_at_kiosk",
    "games.waitlists.joining.join", "games.waitlists.joining.phone_in", "games.waitlists.joining.transfer",
    "tournaments.directing.tournaments.announce",
    "tournaments.directing.tournaments.edit", "tournaments.directing.tournaments.open_registration",
    "tournaments.prizes.deals.accept_all", "tournaments.prizes.deals.propose", "tournaments.prizes.deals.vote",
    "tournaments.prizes.deals.withdraw", "tournaments.prizes.payouts.change", "tournaments.prizes.payouts.lock",
    "tournaments.registration.automatic_rebuys.set_automatic", "tournaments.directing.undoing.redo",
    "tournaments.events.notices.message",
    "tournaments.registration.guests.identify",
}  # fmt: skip
#: Orders in an event, after which its tables follow, and the event goes on by itself.
SETS_OFF |= {
    *(
        f"tournaments.directing.{name}"
        for name in (
            "arrivals.all_here",
            "arrivals.arrived",
            "chip_races.race",
            "event_clock.add_time",
            "event_clock.edit_levels",
            "event_clock.go_to",
            "event_clock.keep_entry_open",
            "event_clock.next_level",
            "event_clock.pause",
            "event_clock.previous_level",
            "event_clock.resume",
            "event_clock.set_remaining",
            "event_clock.start",
            "hands.bust",
            "hands.correct_chips",
            "hands.count",
            "hands.count_table",
            "hands.hand_done",
            "hands.hand_for_hand",
            "hands.revive",
            "penalties.clock_off",
            "penalties.clock_on",
            "penalties.disqualify",
            "penalties.penalise",
        )
    ),
    *(
        f"tournaments.directing.{name}"
        for name in (
            "closing.close_flight",
            "closing.finish",
            "confirming.auto_arrange",
            "confirming.confirm",
            "confirming.dismiss",
            "seats.balance",
            "seats.break_table",
            "seats.close_table",
            "seats.draw_final_table",
            "seats.draw_round",
            "seats.draw_seats",
            "seats.move",
            "seats.open_table",
            "seats.reserve_seat",
            "seats.seat",
            "seats.swap",
        )
    ),
}


@contextmanager
def taken_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    event_journal.forget()


def of_the_floor(staff, browse) -> None:
    """What the tests of repeated requests ask for, each once, where it can move chips."""
    for name, words in FLOOR.items():
        asks, room = test_room_repeats.ROOMS[name]
        folk = dict(staff)
        with taken_back():
            places = room(folk, NOW)
            for ask in (ask for ask in asks if words.search(ask.path)):
                with taken_back():
                    path, data = f"/api/v1/{ask.path.format_map(places)}", json.dumps(filled_in(ask.data, places))
                    headers = {"Idempotency-Key": "once"}
                    client = browse(folk[ask.who])
                    answer = client.generic(ask.method, path, data, "application/json", headers=headers)
                    assert answer.status_code < 300, (path, answer.content)


def at_the_cage(staff, browse) -> None:
    cage = AREAS["cage"].room(staff, NOW)
    cay, mia, pia = staff["cashier"], staff["manager"], staff["player"]
    pip, by = people.make_player(name="pip", password="seven-cards-up", now=NOW), {"by": cay, "now": NOW}
    slips.set_line(player=pia, most=1_000, by=mia, reason="known for years", now=NOW)
    slips.credit(player=pia, amount=500, **by)
    slips.repay(player=pia, amount=100, in_money=True, **by)
    slips.repay(player=pia, amount=100, **by)
    slips.comp(player=pia, amount=50, reason="a meal", **by)
    slips.use_comp(player=pia, amount=10, reason="a meal", **by)
    slips.cash_out(player=pia, amount=10, settles=False, **by)
    slips.withdraw(player=pia, amount=10, settles=False, **by)
    slips.transfer(player=pia, to=pip, amount=5, reason="as they ask", by=mia, now=NOW)
    comp = slips.comp(player=pip, amount=5, in_chips=True, reason="a meal", **by)
    corrections.reverse(slip_id=comp.pk, by=mia, reason="a mistake", now=NOW)
    requests.fulfil(request_id=cage["request"], **by)
    cash_in.cash_in(table_id=in_the_room().pk, guest="Ana Ruiz", amount=500, **by)
    held = ledger.balance(cage_books.house("vault", "money"))
    counted_twice(vault.count_vault, counted=held + 5, by=mia, reason="found behind it", now=NOW)
    in_drawer = ledger.balance(cage_books.drawer_account(cage["drawer"]))
    drawers.close_drawer(counted=in_drawer, left_in=0, **by)


def at_the_tables(staff, browse) -> None:
    people.make_bot(name="Newt", personality="rock", now=NOW)
    evening = Evening()
    ann = evening.sit("ann")
    seats.top_up(table_id=evening.pk, by=ann, amount=10, now=evening.now)
    evening.leave(ann)
    evening.sit(ann, buy_in=510)
    tables.close(table_id=evening.pk, by=None, now=evening.now)
    bots = Evening(bots=2, bots_wait_for_people=False)
    bots.wake()
    timed = TimedTable(comp_per_hour=60)
    dora = timed.sit("dora")
    timed.later(minutes=95).leave(dora)
    comps.credit(table_id=timed.pk, player_id=dora.pk, now=timed.now)


def of_a_table_in_the_room(staff, browse) -> None:
    hall = AREAS["offers"].room(staff, NOW)["hall"]
    by = {"by": staff["manager"], "now": NOW}
    counted_twice(settling.count, table_id=hall, counted=5, reason="found under it", **by)


def of_people(staff, browse) -> None:
    wim = people.make_player(name="wim", password="seven-cards-up", now=NOW)
    people.sign_up_bonus(user=wim, now=NOW)
    roles.give(user=wim, role="dealer", by=staff["manager"], now=NOW)
    zoe = people.make_player(name="zoe", password="seven-cards-up", now=NOW)
    roles.give_as_operator(user=zoe, role="dealer", now=NOW)
    people.take_back_welcome(user=wim, by=staff["manager"], now=NOW)


def of_jackpots(staff, browse) -> None:
    settings = {"name": "Bad beat", "least_hand": "AsAhAdTsTh", "seed": 500, "growth": 5, "growth_minutes": 10}
    said = {"by": staff["manager"], "reason": "for a test", "now": NOW}
    second = people.make_player(name="other", password="seven-cards-up", roles=["manager"], now=NOW)

    def agreed(**asked: Any) -> None:
        row = jackpots.ask(**said, **asked)
        approvals.decide(approval_id=row.pk, by=second, approve=True, now=NOW)

    agreed(**settings)
    jackpot = Jackpot.objects.get(name="Bad beat")
    agreed(jackpot_id=jackpot.pk, add=50)
    later = NOW + timedelta(minutes=11)
    assert jackpot_growth.grow(jackpot_id=jackpot.pk, fence=0, now=later)
    agreed(jackpot_id=jackpot.pk, is_closed=True)
    assert jackpot_growth.sweep(jackpot_id=jackpot.pk, now=later)


def of_an_event(staff, browse) -> None:
    terms = {"rebuy": RebuyTerms(chips=1000, until_level=4), "late_level": 3, "re_entries": 2}
    price = {what: {"pool": 50, "fee": 5} for what in ("entry", "re_entry", "rebuy", "add_on")}
    event = Event(price=price, add_on=AddOnTerms(chips=1000), payout=PayoutTerms(guarantee=5_000), **terms).open()
    ana, bob, cid = (event.player(f"of-event-{name}") for name in ("ana", "bob", "cid"))
    given = [tickets.give(player=cid, reason="a gift", key=key, **order(event)) for key in ("one", "two", "three")]
    tickets.take_back(ticket_id=given[1].pk, by=event.director, reason="a mistake", now=event.now)
    tickets.pay_out(ticket_id=given[2].pk, by=event.director, reason="they are ill", now=event.now)
    event.desk(by=event.director)
    event.enter(ana)
    event.enter(bob)
    registration.register(guest="Ann Walker", **order(event))
    registration.register(player=event.player(), method="house", **order(event))
    registration.register(player=event.player(), method="desk", **order(event))
    registration.register(player=event.player(), method="desk", **order(event))
    registration.unregister(entrant=5, **order(event))
    registration.remove_no_shows(entrants=[6], **order(event))
    event.enter(cid, ticket_id=given[0].pk)
    registration.pay_refunds(entrant=6, **order(event))
    with taken_back():
        cancelling.cancel(reason="The roof leaks", **order(event))
    event.start()
    buying.rebuy(entrant=3, stack=0, **order(event))
    with taken_back():
        undoing.undo(reason="a mistake", **order(event))
    bust(event, 1)
    registration.re_enter(entrant=1, method="desk", **order(event))
    bust(event, *[number for number, entrant in event.state.entrants.items() if entrant.status == "in"][1:])
    with taken_back():
        payouts.pay_one(entrant=event.state.in_play()[0].number, **order(event))
    payouts.pay(cash=True, **order(event))


def of_other_events(staff, browse) -> None:
    OnlineEvent(3, seats=4, price={"entry": {"pool": 5}}).start()
    sold = Event(price={"add_on": {"pool": 5}}, add_on=AddOnTerms(chips=1000)).started(2).wait(minutes=31)
    sold.desk(by=sold.director)
    buying.add_on(entrant=1, **order(sold))
    final = Event(price={"entry": {"pool": 100}}, payout=PayoutTerms(places=2)).open()
    flight = Event(price=final.row.price, parent_id=final.pk, flight="1A").started(3)
    bust(flight, 1)
    flight.play(CloseFlight())
    flights.carry(final_id=final.pk, by=final.director, now=final.now)
    ana = final.player("of-final-ana")
    source = money.prizes(final.row)
    won = tickets.issue(player=ana, value=50, source=source, key="won", now=final.now, tournament=final.row,
                        won_in=flight.row)  # fmt: skip
    tickets.exchange(ticket_id=won.pk, by=ana, now=final.now)


#: Of the tests of repeated requests: which areas, and which of their addresses.
FLOOR = {
    "seating": re.compile(r"/(seat|move|swap|unseat|pick-up|top-up|cash-out|box|buy-in)$"),
    "times": re.compile(r"/(waive|collect)$"),
    "lists": re.compile(r"/(seat|take-seat)$"),
    "players": re.compile(r"^accounts$|/adjust$"),
    "cage": re.compile(r"cage/(slips|vault|sessions)$|/(fill|take|reversal)$"),
    "offers": re.compile(r"/counts$"),
}
SCENES: list[Callable[..., None]] = [
    of_the_floor, at_the_cage, at_the_tables, of_a_table_in_the_room, of_people, of_jackpots, of_an_event,
    of_other_events,
]  # fmt: skip


def test_whatever_leaves_a_house_account_has_passed_the_gate_in_every_operation(staff, browse, settings):
    settings.CARDROOM_WELCOME_CHIPS = 100
    with chip_walk.watching() as seen, time_machine.travel(START, tick=False):
        for scene in SCENES:
            with taken_back():
                cache.clear()
                scene(staff, browse)
                assert proofs() == []
    assert sorted(seen.moved - chip_walk.movers()) == [], "these moved chips: the walk has to find them"
    not_done = chip_walk.movers() - seen.moved - SETS_OFF
    assert sorted(not_done) == [], "these can move chips: do them in a scene here"
    assert sorted(SETS_OFF - chip_walk.movers()) == [], "these move none any more"
    assert sorted(SETS_OFF & seen.moved) == [], "these are done here"
    beside = [fall for fall in seen.falls if not fall.verbs]
    assert [fall for fall in beside if not (fall.passage or "").startswith("rule:")] == [], "an alarm has a rule alone"
    by_rule = {fall.passage.partition(":")[2] for fall in seen.falls if (fall.passage or "").startswith("rule:")}
    assert by_rule == passages.RULES.keys() - {"bench"}, "each rule of the house was seen"


def proofs() -> list[str]:
    """What the audit finds wrong with what left the house."""
    return list(ledger_audit.CHECKS["the house pays by leave"]())


def test_a_transfer_that_takes_from_the_house_is_refused_before_anything_is_written(staff):
    house, wallet = cage_books.house("promotions"), ledger.wallet(staff["player"])
    legs, count, before = [(house, -5), (wallet, 5)], Transfer.objects.count(), ledger.balance(wallet)
    post = partial(ledger.post, reference="a gift", reason="a gift", legs=legs, at=NOW)
    with pytest.raises(passages.UngatedError, match="without a passage"):
        post()
    with pytest.raises(passages.UngatedError, match="4 were granted"):
        post(passage=leave(4))
    with pytest.raises(passages.UngatedError, match="does not pay from"):
        post(passage=passages.rule_passage("bots", 5))
    with pytest.raises(passages.UngatedError, match="no rule"):
        passages.rule_passage("kindness", 5)
    with pytest.raises(passages.UngatedError, match="pays the person who decided it"):
        post(passage=passages.Passage("entry:1", 5, by=staff["player"].pk))
    with pytest.raises(passages.UngatedError, match="without a passage"):
        ledger.post_many([ledger.Post("a gift", "a gift", legs)], at=NOW)
    assert (Transfer.objects.count(), ledger.balance(wallet)) == (count, before)


def test_the_audit_proves_each_passage_by_what_it_names(staff):
    house, wallet = cage_books.house("promotions"), ledger.wallet(staff["player"])
    entry = StaffAction.objects.create(verb="test", subject="test", at=NOW, details={"gate": "comp", "chips": 3})
    said = {"a": f"entry:{entry.pk}", "b": "entry:999999", "c": "rule:kindness", "d": "back:0", "e": "nonsense"}
    for reference, words in said.items():
        legs, passage = [(house, -5), (wallet, 5)], passages.Passage(words, 5)
        ledger.post(reference=reference, reason="a gift", legs=legs, at=NOW, passage=passage)
    bare = Transfer.objects.create(reference="f", reason="written past the ledger", at=NOW)
    bare_legs = [Entry(transfer=bare, account=each, amount=chips) for each, chips in ((house, -5), (wallet, 5))]
    Entry.objects.bulk_create(bare_legs)
    faults = proofs()
    assert [fault.partition(" ")[0] for fault in faults] == ["f", *sorted(said)]
    assert "grants less" in faults[1]
