"""Every kind of request shows a second person what is approved; the figures of a blind count nobody who counts it."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from cardroom.cage import corrections, drawers, slips, vault
from cardroom.cage.allowances import NeedsApproval
from cardroom.core import approval_details
from cardroom.core.errors import Illegal
from tests.cardroom.cage_desk import furnished, person
from tests.support.counting import counted_twice
from tests.support.events import Event, order
from tests.support.models import Approval, DropSchedule, Table
from tests.support.parts.cardroom import allowances, approvals, cage_requests, roles, sealed_views
from tests.support.parts.games import cash_in, jackpot_growth, jackpot_hits, jackpots, physical, settling
from tests.support.parts.tournaments import registration, tickets, tournaments
from tests.support.refusals import refused
from tests.support.worlds import world
from tournaments.engine.config import PayoutTerms

#: How each kind is asked for, and what its second person is shown.
ASKED: dict[str, tuple[Callable[[Any], Any], set[str]]] = {}


def asks(what: str, *shown: str) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """Register how `what` is asked for, and the names of what is shown."""

    def known(ask: Callable[[Any], Any]) -> Callable[[Any], Any]:
        ASKED[what] = (ask, set(shown))
        return ask

    return known


@world
def house(felt, floor) -> SimpleNamespace:
    """A cage, and a table in the room that drops for a jackpot."""
    room = furnished(felt.now)
    room.felt, room.floor = felt, floor
    felt.ring()
    return room


@asks("cage.act", "amount", "player", "drawer", "limit", "day_total")
def _deposit(room):
    slips.deposit(player=room.pia, amount=5_000, by=room.cay, now=room.now)
    return slips.deposit(player=room.pip, amount=20_001, by=room.cay, now=room.now)


@asks("account.adjust", "amount", "player", "wallet", "limit", "day_total")
def _correction(room):
    asked = {"user": room.pia, "amount": 1_001, "reason": "miscounted", "key": "k"}
    return corrections.correct(by=room.mia, now=room.now, **asked)


@asks("cage.close", "drawer", "cashier", "counted", "expected", "difference", "left_in", "number", "limit", "day_total")
def _close(room):
    counted_twice(drawers.close_drawer, counted=9_000, reason="no idea", by=room.cay, now=room.now)
    return Approval.objects.get()


@asks("cage.count_vault", "counted", "expected", "difference", "number", "limit", "day_total")
def _vault(room):
    return counted_twice(vault.count_vault, counted=80_000, reason="a bundle is out", by=room.cay, now=room.now)


@asks("cage.request", "amount", "player", "limit", "day_total")
def _request(room):
    row = cage_requests.make(by=room.pia, kind="deposit", amount=20_001, now=room.now)
    return cage_requests.fulfil(request_id=row.pk, by=room.cay, now=room.now)


@asks("cage.set_limit", "role", "verb", "slip", "slip_before", "day", "day_before")
def _limit(room):
    return allowances.set_limit(role="manager", verb="vault", slip=None, day=None, by=room.mia, now=room.now)


@asks("account.give-role", "player", "role", "has_roles")
def _role(room):
    return roles.give(user=room.pia, role="cashier", by=room.mia, now=room.now)


@asks("sealed.view", "minutes")
def _view(room):
    return sealed_views.ask(by=person("ada", "auditor"), reason="a complaint", now=room.now)


@asks("counting.count", "table", "counted", "expected", "difference", "number", "limit", "day_total")
def _table(room):
    asked = {"table_id": room.felt.pk, "counted": 5, "reason": "a rack is out", "by": room.floor, "now": room.now}
    return counted_twice(settling.count, **asked)


@asks("physical.empty_box", "table", "promo", "counted", "expected", "difference", "number", "limit", "day_total")
def _box(room):
    asked = {"table_id": room.felt.pk, "amount": 240, "promo": 5, "reason": "a rack was in it", "by": room.floor}
    return counted_twice(physical.empty_box, now=room.now, **asked)


@asks("floor.cash_in", "table", "amount", "player")
def _cash_in(room):
    asked = {"table_id": room.felt.pk, "player": room.pia, "by": room.floor, "now": room.now}
    return cash_in.cash_in(amount=room.felt.table.max_buy_in, **asked)


def _jackpot(room):
    settings = {"name": "Bad beat", "least_hand": "AsAhAdTsTh", "least_players": 2, "seed": 1_000}
    return jackpots.ask(**settings, by=room.mia, reason="a jackpot", now=room.now)


@asks(jackpot_growth.CHANGE, "jackpot", "least_hand", "seed")
def _change(room):
    return _jackpot(room)


@asks(jackpot_hits.HIT, "jackpot", "table", "amount", "shares")
def _hit(room):
    approvals.decide(approval_id=_jackpot(room).pk, by=room.max, approve=True, now=room.now)
    drop = DropSchedule.objects.create(name="Drop", jackpot_name="Bad beat", jackpot=1, made_at=room.now)
    Table.objects.filter(pk=room.felt.pk).update(drop=drop)
    hit = jackpot_hits.propose(
        jackpot_id=jackpots.Jackpot.objects.get().pk, table_id=room.felt.pk, loser=1, winner=2, losing="JsJhJdJc2s",
        winning="QsQhQdQc2d", by=room.floor, now=room.now,
    )  # fmt: skip
    return hit.approval


EVENT = ("tournament", "limit", "day_total")


@asks("events.cash", "amount", "player", "drawer", *EVENT)
def _event_cash(room):
    event = Event(price={"entry": {"pool": 25_000}})
    tournaments.open_registration(**order(event, by=None))
    event.desk(by=event.director)
    register = {"player": room.pia, "method": "desk", **order(event)}
    refused(NeedsApproval, "The request is sent", registration.register, **register)
    return Approval.objects.get()


@asks("tickets.give", "amount", "player", *EVENT)
def _ticket(room):
    event = Event(price={"entry": {"pool": 1_100}}).open()
    return tickets.give(player=room.pia, reason="for the draw", key="one", **order(event))


@asks("tournaments.answer", "amount", "price", "guarantee", *EVENT)
def _answer(room):
    event = Event(payout=PayoutTerms(guarantee=60_000))
    refused(NeedsApproval, "Guarantees", tournaments.open_registration, **order(event))
    return Approval.objects.get()


@pytest.mark.parametrize("what", sorted(approvals.kinds()))
def test_every_kind_of_request_shows_what_is_approved(house, what):
    assert what in ASKED, f"say here how {what} is asked for, and store with it what its second person is to see"
    ask, shown = ASKED[what]
    row = ask(house)
    assert row.what == what
    second = next(one for one in (house.max, house.mia) if approvals.may_decide(one, row, now=house.now))
    found = approvals.details_for(row, second)
    assert shown <= found.keys()
    assert not [name for name in found if not approval_details.is_known(name)]
    titles = [detail.title for detail in approval_details.read(found)]
    assert len(titles) == len(set(titles)) >= 1
    if "expected" in shown:
        assert found["difference"] == found["counted"] - found["expected"] != 0
        for reader in (row.asked_by, house.cal, house.floor):
            assert approvals.details_for(row, reader).keys().isdisjoint(approval_details.FIGURES)


def test_a_second_person_who_counted_the_same_is_not_shown_its_figures(house):
    row = _vault(house)
    assert "expected" in approvals.details_for(row, house.mia)
    refused(Illegal, "count again", vault.count_vault, counted=89_000, by=house.mia, now=house.now)
    assert "expected" not in approvals.details_for(row, house.mia)
    assert "expected" in approvals.details_for(row, house.max)


def test_a_ticket_says_what_its_director_gave_that_day(house):
    event = Event(price={"entry": {"pool": 900}}).open()
    give = {"reason": "for the draw", **order(event)}
    row = [tickets.give(player=person(f"bo{key}"), key=f"{key}", **give) for key in range(6)][-1]
    assert (row.details["limit"], row.details["day_total"]) == (5_000, 4_500)
    approvals.decide(approval_id=row.pk, by=house.max, approve=True, now=event.now)
    again = tickets.give(player=house.pia, key="more", **give)
    assert (again.details["day_total"], again.details["tournament"]["name"]) == (5_400, event.row.name)


def test_the_reversal_of_a_slip_says_which_and_links_to_it(house):
    slip = slips.deposit(player=house.pia, amount=500, by=house.cay, now=house.now)
    row = corrections.reverse(slip_id=slip.pk, reason="wrong player", by=house.cay, now=house.now)
    found = {each.name: each for each in approval_details.read(approvals.details_for(row, house.mia))}
    assert (found["slip_id"].text, found["slip_id"].url) == (f"{slip.pk:06}", f"/cage/slips/{slip.pk}/")
    assert (found["slip_kind"].text, found["amount"].text, found["player"].text) == ("deposit", "500", "pia")
    assert (found["cashier"].text, found["drawer"].text) == ("cay", "Window 1")
