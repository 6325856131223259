"""Tickets: worth an entry until they are used, paid out or taken back, covered by chips all that time; satellites."""

from datetime import timedelta

import pytest

from cardroom.accounts.people import PLAY_MONEY
from cardroom.core.errors import Forbidden, Illegal, Invalid, NotEnoughChips, NotFound
from tests.support.events import Event, balance_of_label, bust, order, wallet
from tests.support.online import OnlineEvent
from tests.support.parts.tournaments import (
    cancelling,
    event_clock,
    money,
    payouts,
    registration,
    series,
    tickets,
    tournaments,
)
from tests.support.refusals import refused
from tests.support.worlds import world
from tournaments.engine.config import PayoutTerms
from tournaments.prizes import queries as prize_queries
from tournaments.prizes.models import Ticket

TICKETS = {"payout": PayoutTerms(kind="tickets", ticket_value=200), "price": {"entry": {"pool": 100}}}


def give_ticket(event, player, **options):
    options = {"by": event.director, "reason": "for the draw", "key": player.username, "now": event.now, **options}
    return tickets.give(player=player, tournament_id=event.pk, **options)


def value(event):
    return balance_of_label("pool", f"tournament:{event.pk}:tickets")


def test_a_ticket_pays_the_entry_with_what_lies_there_for_it_and_comes_back_with_it(event, audited):
    ana = event.player("ana", chips=0)
    ticket = give_ticket(event, ana)
    assert give_ticket(event, ana).pk == ticket.pk
    assert (ticket.value, value(event), balance_of_label("house", "promotions")) == (115, 115, -115)
    entry = event.enter(ana, ticket_id=ticket.pk)
    ticket.refresh_from_db()
    assert (entry.how, ticket.state, ticket.used_for, value(event), event.pool()) == ("ticket", "used", entry, 0, 100)
    assert list(prize_queries.tickets(ana)) == []
    registration.unregister(tournament_id=event.pk, by=ana, now=event.now)
    assert (list(prize_queries.tickets(ana)), value(event), wallet(ana)) == ([ticket], 115, 0)
    assert event.enter(ana, ticket_id=ticket.pk).number == 2


def test_change_goes_to_the_wallet_and_what_is_wanting_comes_from_it(event, audited):
    ana, bob = event.player("ana", chips=0), event.player("bob", chips=10)
    first, second = give_ticket(event, ana), give_ticket(event, bob)
    tournaments.edit(price={"entry": {"pool": 100}}, **order(event))
    event.enter(ana, ticket_id=first.pk)
    assert wallet(ana) == 15
    tournaments.edit(price={"entry": {"pool": 126}}, **order(event))
    refused(NotEnoughChips, event.enter, bob, ticket_id=second.pk)
    tournaments.edit(price={"entry": {"pool": 125}}, **order(event))
    event.enter(bob, ticket_id=second.pk)
    assert (wallet(bob), event.pool()) == (0, 225)


def test_directors_give_tickets_and_a_ticket_that_is_not_valid_is_refused(make_event):
    event, other, free = make_event().open(), make_event().open(), make_event(price={}).open()
    ana, bob = event.player("ana"), event.player("bob")
    refused(Forbidden, give_ticket, event, ana, by=event.staff("cashier"))
    refused(Illegal, "free", give_ticket, free, ana)
    refused(Invalid, "reason", give_ticket, event, ana, reason=" ")
    refused(NotFound, tickets.give, player=ana, tournament_id=0, by=event.director, reason="x", key="y", now=event.now)
    ticket = give_ticket(event, ana)
    refused(NotFound, "no such ticket", event.enter, bob, ticket_id=ticket.pk)
    refused(Illegal, "for another tournament", other.enter, ana, ticket_id=ticket.pk)
    short = give_ticket(event, bob, expires_at=event.now + timedelta(hours=1))
    refused(Illegal, "was valid until", event.enter, bob, ticket_id=short.pk, now=event.now + timedelta(hours=2))
    event.enter(ana, ticket_id=ticket.pk)
    refused(Illegal, "keep your ticket", free.enter, ana, ticket_id=ticket.pk)
    refused(Illegal, "already used", tickets.find, ticket_id=ticket.pk, player=ana, tournament=event.row, now=event.now)
    late, closed = make_event(late_level=2).started(3), make_event().started(3)
    assert (late.row.is_entry_open, closed.row.is_entry_open) == (True, False)
    of_no_use = [tickets.without_use(each.row, [ana]) for each in (late, closed)]
    assert of_no_use == [set(), {ana.pk}], "it is of use as long as the tournament takes entries"


def test_a_ticket_of_a_series_is_good_for_its_events(make_event):
    event = make_event()
    festival = series.create(by=event.director, name="Spring", now=event.now)
    tournaments.edit(series_id=festival.pk, **order(event))
    ana = event.open().player("ana", chips=0)
    of = {"source": money.prizes(make_event().started(3).row), "key": "spring", "series": festival, "now": event.now}
    ticket = tickets.issue(player=ana, value=115, **of)
    refused(Illegal, "another tournament", make_event().open().enter, ana, ticket_id=ticket.pk)
    assert event.enter(ana, ticket_id=ticket.pk).state == "in"


def test_a_ticket_that_was_won_is_paid_out_and_never_taken_back(make_event):
    satellite, event = make_event().started(3), make_event()
    ana = event.player("ana", chips=0)
    of = {"source": money.prizes(satellite.row), "tournament": event.row, "won_in": satellite.row}
    won = tickets.issue(player=ana, value=115, key="prize:1", now=event.now, **of)
    assert (satellite.pool(), value(event)) == (185, 115)
    asked = {"ticket_id": won.pk, "by": event.director, "reason": "cannot come", "now": event.now}
    refused(Illegal, "was won", tickets.take_back, **asked)
    tickets.pay_out(**asked)
    assert (wallet(ana), value(event), Ticket.objects.get().state) == (115, 0, "refunded")
    refused(Illegal, "already paid out", tickets.pay_out, **asked)


def test_a_ticket_of_the_house_can_be_revoked(event, audited):
    ana, bob = event.player("ana", chips=0), event.player("bob", chips=0)
    taken = give_ticket(event, event.player())
    tickets.take_back(ticket_id=taken.pk, by=event.director, reason="a mistake", now=event.now)
    assert (value(event), balance_of_label("house", "promotions")) == (0, 0)
    event.enter(ana, ticket_id=give_ticket(event, ana).pk)
    give_ticket(event, bob)
    cancelling.cancel(reason="a storm", **order(event))
    assert (wallet(ana), wallet(bob), value(event), event.pool()) == (115, 115, 0, 0)


@world
def target():
    return Event(price={"entry": {"pool": 180, "fee": 20}}, re_entries=1, late_level=2).open()


def satellite(target, players):
    """Entered and started; the first to enter is the last one left."""
    return Event(satellite_to_id=target.pk, **TICKETS).started(players)


def played_out(event):
    for number in sorted(event.state.entrants, reverse=True)[:-1]:
        if event.state.phase == "running":  # it is over when all who are left win a ticket
            bust(event, number, eliminators=[1])
    return payouts.pay(**order(event))


def won(rows):
    return [(row.entry.number, row.what, row.amount, row.method) for row in rows]


def test_as_many_tickets_as_the_pool_buys_and_the_rest_to_the_next(target, audited):
    event = satellite(target, 5)
    assert won(played_out(event)) == [
        (1, "ticket", 200, "ticket"), (2, "ticket", 200, "ticket"), (3, "prize", 100, "wallet"),
    ]  # fmt: skip
    assert (event.pool(), target.pool("tickets")) == (0, 400)


def test_the_winner_of_a_second_ticket_gets_its_value(target, audited):
    ana, bob, cid = (target.player(name) for name in ("ana", "bob", "cid"))
    played_out(satellite(target, [ana, bob]))
    again = satellite(target, [ana, bob, target.player(), target.player()])
    assert won(played_out(again)) == [(1, "ticket", 200, "wallet"), (2, "ticket", 200, "ticket")]
    assert wallet(ana) == 1000 - 200 + 200
    assert Ticket.objects.filter(player=ana).count() == Ticket.objects.filter(player=bob).count() == 1
    assert again.pool() == 0
    assert won(payouts.pay(**order(again))) == [(1, "ticket", 200, "wallet"), (2, "ticket", 200, "ticket")]
    assert wallet(ana) == 1000
    target.enter(cid)
    assert won(played_out(satellite(target, [cid, target.player()]))) == [(1, "ticket", 200, "wallet")]
    assert wallet(cid) == 1000 - 200 - 100 + 200


@pytest.mark.parametrize("ending", ["cancelled", "closed"])
def test_a_ticket_to_an_event_that_takes_no_more_entries_is_money(target, ending, audited):
    event = satellite(target, 2)
    if ending == "cancelled":
        cancelling.cancel(reason="a storm", **order(target))
    else:
        event_clock.keep_entry_open(on=False, **order(target.started()))
    assert won(played_out(event)) == [(1, "ticket", 200, "wallet")]


def test_a_bots_ticket_goes_back_to_the_house_in_money(target, audited):
    event = OnlineEvent(2, satellite_to_id=target.pk, **TICKETS).start()
    event.play_on()
    before = balance_of_label("house", PLAY_MONEY)
    assert payouts.pay_by_alarm(tournament_id=event.pk, now=event.now)
    assert not Ticket.objects.exists()
    assert (event.pool(), balance_of_label("house", PLAY_MONEY) - before) == (0, 200)


def test_a_player_who_will_not_play_changes_a_won_ticket_into_tournament_money(target, client, audited):
    ana = target.player("ana")
    played_out(satellite(target, [ana, target.player()]))
    ticket = Ticket.objects.get(player=ana)
    address = f"/me/tickets/{ticket.pk}/exchange/"
    client.force_login(target.player())
    assert client.post(address).status_code == 404
    client.force_login(ana)
    assert address in client.get("/me/").content.decode()
    assert client.get(address).status_code == 405
    page = client.post(address, follow=True).content.decode()
    assert "valid for any tournament, and worth 200" in page
    assert "/exchange/" not in page
    by_ana = {"by": ana, "now": target.now}
    fresh = tickets.exchange(ticket_id=ticket.pk, **by_ana)
    assert (fresh.tournament, fresh.value, fresh.player) == (None, 200, ana)
    assert Ticket.objects.count() == 2, "once is enough"
    assert (target.pool("tickets"), balance_of_label("pool", "tickets")) == (0, 200)
    refused(Illegal, "already valid for any tournament", tickets.exchange, ticket_id=fresh.pk, **by_ana)
    refused(Illegal, "already paid out", target.enter, ana, ticket_id=ticket.pk)
    other = Event(price={"entry": {"pool": 150}}).open()
    other.enter(ana, ticket_id=fresh.pk)
    assert (other.pool(), wallet(ana), balance_of_label("pool", "tickets")) == (150, 950, 0)
    refused(Illegal, "Only a won ticket", tickets.exchange, ticket_id=give_ticket(target, ana).pk, **by_ana)
