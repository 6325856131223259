"""Satellites: tickets to the target, the rest in money, and what becomes of a ticket that is of no use."""

import pytest

from cardroom.accounts.people import PLAY_MONEY
from cardroom.core.errors import Illegal, NotFound
from tests.support.events import Event, bust, held, order, wallet
from tests.support.online import OnlineEvent
from tests.support.parts.tournaments import hands, payouts, tickets, tournaments
from tests.support.refusals import refused
from tests.support.worlds import world
from tournaments.engine.config import PayoutTerms
from tournaments.prizes.models import Ticket

pytestmark = pytest.mark.django_db
TICKETS = PayoutTerms(kind="tickets", ticket_value=200)


@world
def target():
    return Event(price={"entry": {"pool": 180, "fee": 20}}, re_entries=1, late_level=2).open()


@pytest.fixture
def satellite(make_event, target):
    """`satellite(players)`: entered and started; the first to enter is the last one left."""

    def made(players, **options):
        terms = {"payout": TICKETS, "price": {"entry": {"pool": 100}}}
        return make_event(satellite_to_id=target.pk, **terms, **options).started(players)

    return made


def played_out(event):
    for number in sorted((number for number in event.state.entrants if number != 1), reverse=True):
        if event.state.phase == "running":  # it is over when all who are left win a ticket
            bust(event, number, eliminators=[1])
    return payouts.pay(**order(event))


def won(rows):
    return [(row.entry.number, row.what, row.amount, row.method) for row in rows]


def test_as_many_tickets_as_the_pool_buys_and_the_rest_to_the_next(satellite, target, audited):
    event = satellite([target.player() for _ in range(5)])
    assert won(played_out(event)) == [
        (1, "ticket", 200, "ticket"), (2, "ticket", 200, "ticket"), (3, "prize", 100, "wallet"),
    ]  # fmt: skip
    assert (event.pool(), target.pool("tickets")) == (0, 400)


def test_who_has_a_ticket_already_gets_what_the_second_is_worth(satellite, target, audited):
    ana, bob = target.player("ana"), target.player("bob")
    played_out(satellite([ana, bob]))
    again = satellite([ana, bob, target.player(), target.player()])
    assert won(played_out(again)) == [(1, "ticket", 200, "wallet"), (2, "ticket", 200, "ticket")]
    assert wallet(ana) == 1000 - 200 + 200
    assert Ticket.objects.filter(player=ana).count() == Ticket.objects.filter(player=bob).count() == 1
    assert again.pool() == 0
    assert won(payouts.pay(**order(again))) == [(1, "ticket", 200, "wallet"), (2, "ticket", 200, "ticket")]
    assert wallet(ana) == 1000


def test_who_has_entered_the_target_already_gets_the_money(satellite, target):
    ana, bob = target.player("ana"), target.player("bob")
    target.enter(ana)
    played_out(satellite([ana, bob]))
    assert wallet(ana) == 1000 - 200 - 100 + 200
    played_out(satellite([bob, ana]))
    (ticket,) = Ticket.objects.all()
    assert ticket.player == bob


@pytest.mark.parametrize("ending", ["cancelled", "closed"])
def test_a_ticket_to_an_event_that_takes_no_more_entries_is_money(satellite, target, ending, audited):
    event = satellite([target.player() for _ in range(2)])
    if ending == "cancelled":
        tournaments.cancel(tournament_id=target.pk, by=target.director, reason="a storm", now=target.now)
    else:
        target.started()
        hands.keep_entry_open(on=False, **order(target))
    assert won(played_out(event)) == [(1, "ticket", 200, "wallet")]


def test_a_bots_ticket_goes_back_to_the_house_in_money(target, audited):
    event = OnlineEvent(
        2, payout=TICKETS, satellite_to_id=target.pk, price={"entry": {"pool": 100}}, options={"pause_seconds": 0}
    ).start()
    event.play_on()
    before = held("house", PLAY_MONEY)
    assert payouts.pay_by_alarm(tournament_id=event.pk, now=event.now)
    assert not Ticket.objects.exists()
    assert (event.pool(), held("house", PLAY_MONEY) - before) == (0, 200)


def test_who_will_not_play_has_tournament_money_for_his_ticket(satellite, target, make_event, audited):
    ana = target.player("ana")
    played_out(satellite([ana, target.player()]))
    ticket = Ticket.objects.get(player=ana)
    refused(NotFound, lambda: tickets.exchange(ticket_id=ticket.pk, by=target.player(), now=target.now))
    fresh = tickets.exchange(ticket_id=ticket.pk, by=ana, now=target.now)
    assert (fresh.tournament, fresh.value, fresh.player) == (None, 200, ana)
    assert (target.pool("tickets"), held("pool", "tickets")) == (0, 200)
    assert tickets.exchange(ticket_id=ticket.pk, by=ana, now=target.now) == fresh
    refused(Illegal, "already valid for any event", tickets.exchange, ticket_id=fresh.pk, by=ana, now=target.now)
    refused(Illegal, "already paid out", target.enter, ana, ticket_id=ticket.pk)
    other = make_event(price={"entry": {"pool": 150}}).open()
    other.enter(ana, ticket_id=fresh.pk)
    assert (other.pool(), wallet(ana), held("pool", "tickets")) == (150, 950, 0)


def test_what_the_house_gave_for_one_event_stays_for_that_event(target):
    ana = target.player("ana")
    given = tickets.give(
        player=ana, tournament_id=target.pk, by=target.director, reason="a birthday", key="1", now=target.now
    )
    refused(Illegal, "Only a won ticket", tickets.exchange, ticket_id=given.pk, by=ana, now=target.now)


def test_a_player_changes_his_ticket_on_his_own_page(satellite, target, client):
    ana = target.player("ana")
    played_out(satellite([ana, target.player()]))
    address = f"/me/tickets/{Ticket.objects.get(player=ana).pk}/exchange/"
    client.force_login(ana)
    assert address in client.get("/me/").content.decode()
    assert client.get(address).status_code == 405
    page = client.post(address, follow=True).content.decode()
    assert "valid for any event, and worth 200" in page
    assert "/exchange/" not in page
    client.force_login(target.player())
    assert client.post(address).status_code == 404
