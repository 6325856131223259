"""Cash of events lies in drawers: taken and paid with a slip, counted at the close, taken back by the event alone."""

import pytest

from cardroom.cage import allowances, corrections, drawers, slips, vault
from cardroom.cage import books as cage_books
from cardroom.cage import queries as cage_queries
from cardroom.core import approvals
from cardroom.core import audit as core_audit
from cardroom.core.errors import Conflict, Forbidden, Illegal, NotEnoughChips, NotFound
from tests.support.events import START, Event, balance_of_label, bust, order, wallet
from tests.support.models import Approval, DrawerSession, Payment, Payout, Slip
from tests.support.parts.tournaments import cancelling, payouts, registration, tournaments, undoing
from tests.support.refusals import refused
from tests.support.tills import in_till, open_till
from tests.support.unguarded import unguarded
from tests.support.worlds import world
from tournaments.directing import exports, money_report
from tournaments.engine.config import BountyTerms, PayoutTerms, RebuyTerms
from tournaments.registration import buying

PRICE = {"entry": {"pool": 100, "fee": 10, "staff": 5}, "rebuy": {"pool": 50}, "add_on": {"pool": 30}}


@world
def event() -> Event:
    return Event(rebuy=RebuyTerms(chips=2000, until_level=3), payout=PayoutTerms(places=1), price=PRICE).open()


@pytest.fixture
def cashier(event):
    """A cashier of the desk with 1,000 in their drawer."""
    by = event.staff("cashier")
    open_till(by, now=event.now, money=1_000)
    return by


def take_in(event, by, *names):
    return [registration.register(guest=name, **order(event, by=by)) for name in names]


def kinds(session):
    return {total.kind: (total.number, total.money) for total in cage_queries.totals(session)}


def test_forty_entries_a_rebuy_and_a_prize_go_through_the_drawer(event, cashier):
    take_in(event, cashier, *(f"Guest {number}" for number in range(1, 41)))
    event.start()
    buying.rebuy(entrant=1, stack=0, **order(event, by=cashier))
    bust(event, *range(40, 1, -1), eliminators=[1])
    payouts.pay_one(entrant=1, **order(event, by=cashier))
    session = DrawerSession.objects.get(cashier=cashier)
    assert kinds(session) == {
        "fill": (1, 1_000), "event-entry": (40, 4_600), "event-rebuy": (1, 50), "event-prize": (1, -4_050),
    }  # fmt: skip
    assert in_till(cashier) == 1_000 + 4_600 + 50 - 4_050
    assert (
        balance_of_label("house", "cash desk"),
        balance_of_label("house", "fees"),
        balance_of_label("house", "staff"),
    ) == (0, 400, 200)
    assert core_audit.check() == []


def test_without_an_open_drawer_nobody_takes_cash(event):
    for role in ("cashier", "director", "floor", "manager"):
        by = event.staff(role)
        refusal = refused(Conflict, "no open drawer", registration.register, guest="Ana", **order(event, by=by))
        assert refusal.code == "no-drawer"
    assert (event.row.entries_count, Slip.objects.count(), Payment.objects.count()) == (0, 0, 0)
    ana = event.player("ana")
    entry = registration.register(player=ana, method="wallet", **order(event, by=event.staff("floor")))
    assert (entry.number, wallet(ana)) == (1, 885)


def test_a_free_event_needs_no_drawer(make_event):
    event = make_event(price={}).open()
    assert take_in(event, event.staff("floor"), "Ana")[0].payments.get().method == "free"


def test_a_refund_at_the_desk_comes_out_of_the_drawer_with_a_slip(event, cashier):
    take_in(event, cashier, "Ana")
    registration.unregister(entrant=1, reason="called away", **order(event, by=cashier))
    slip = Slip.objects.get(kind="event-refund")
    assert (slip.amount, slip.by, slip.about, slip.reason_text) == (
        115, cashier, event.row.unit, f"{event.row.name}: called away",
    )  # fmt: skip
    assert (in_till(cashier), event.pool(), balance_of_label("house", "fees")) == (1_000, 0, 0)
    assert Payment.objects.get().refund.slip == slip
    assert core_audit.check() == []


def test_a_refund_without_the_player_waits_at_the_desk(event, cashier):
    (entry,) = take_in(event, cashier, "Ana")
    cancelling.cancel(reason="no dealers", **order(event))
    payment = Payment.objects.get()
    assert (payment.is_refund_due, in_till(cashier), event.pool("refunds")) == (True, 1_115, 115)
    assert core_audit.check() == []
    refused(Conflict, "no open drawer", registration.pay_refunds, entrant=1, **order(event))
    for _ in range(2):
        registration.pay_refunds(entrant=entry.number, **order(event, by=cashier))
    payment.refresh_from_db()
    assert (payment.is_refund_due, in_till(cashier), event.pool("refunds")) == (False, 1_000, 0)
    assert payment.handed_over.slip.kind == "event-refund"
    assert core_audit.check() == []


def test_no_show_gets_the_cash_when_they_come_for_it(event, cashier):
    take_in(event, cashier, "Ana", "Ben", "Cy")
    event.start()
    registration.remove_no_shows(entrants=[2], **order(event))
    assert (in_till(cashier), event.pool("refunds")) == (1_345, 115)
    registration.pay_refunds(entrant=2, **order(event, by=cashier))
    assert (in_till(cashier), event.pool("refunds")) == (1_230, 0)
    assert core_audit.check() == []


def test_prize_and_bounties_in_cash_have_a_slip_each(make_event):
    event = make_event(bounty=BountyTerms("fixed", 20), price={"entry": {"pool": 100, "bounty": 20}}).open()
    cashier = event.staff("cashier")
    open_till(cashier, now=event.now)
    take_in(event, cashier, "Ana", "Ben")
    event.start()
    bust(event, 2, eliminators=[1])
    payouts.pay(cash=True, **order(event, by=_with_till(event)))
    slips = {slip.kind: slip.amount for slip in Slip.objects.filter(kind__in=cage_books.EVENT_OUT)}
    assert slips == {"event-prize": 200, "event-bounty": 40}
    assert (event.pool(), event.pool("bounties")) == (0, 0)
    assert core_audit.check() == []


def _with_till(event):
    open_till(event.director, now=event.now)
    return event.director


def test_prize_above_what_the_drawer_holds_is_refused_with_nothing_paid(event):
    cashier = event.staff("cashier")
    open_till(cashier, now=event.now, money=0)
    take_in(event, cashier, "Ana")
    for _ in range(2):
        event.enter()
    event.start()
    bust(event, 3, 2, eliminators=[1])
    refusal = refused(NotEnoughChips, "fill it from the vault", payouts.pay_one, entrant=1, **order(event, by=cashier))
    assert refusal.code == "drawer-short"
    assert not Payout.objects.filter(state="paid").exists()
    assert core_audit.check() == []


def test_undo_of_a_rebuy_takes_the_money_out_of_the_drawer(event, cashier):
    take_in(event, cashier, "Ana")
    event.enter("bob")
    event.start()
    buying.rebuy(entrant=1, stack=0, **order(event, by=cashier))
    refused(Conflict, "no open drawer", undoing.undo, reason="a mistake", **order(event))
    assert in_till(cashier) == 1_165
    director = event.desk(by=event.director)
    undoing.undo(reason="a mistake", **order(event))
    slip = Slip.objects.get(kind="event-refund")
    assert (slip.amount, slip.by, slip.reason_text) == (50, director, f"{event.row.name}: a mistake")
    assert (in_till(director), in_till(cashier)) == (9_950, 1_165)
    assert core_audit.check() == []


def test_undo_of_a_prize_brings_the_money_back_into_the_drawer(event, cashier):
    take_in(event, cashier, "Ana")
    event.enter("bob")
    event.start()
    bust(event, 2, eliminators=[1])
    director = event.desk(by=event.director)
    payouts.pay(cash=True, **order(event))
    assert in_till(director) == 9_800
    undoing.undo(reason="the wrong winner", **order(event))
    assert {slip.kind: slip.amount for slip in Slip.objects.filter(by=director)} == {
        "event-prize": 200, "event-return": 200,
    }  # fmt: skip
    assert (in_till(director), event.pool()) == (10_000, 200)
    assert core_audit.check() == []


def test_undo_of_removed_no_shows_leaves_nothing_due(event, cashier):
    take_in(event, cashier, "Ana", "Ben")
    event.start()
    registration.remove_no_shows(entrants=[2], **order(event))
    undoing.undo(reason="they sat elsewhere", **order(event))
    assert (event.pool("refunds"), in_till(cashier), event.pool()) == (0, 1_230, 200)
    assert core_audit.check() == []


def test_slip_of_an_event_is_not_reversed_at_the_cage(event, cashier):
    take_in(event, cashier, "Ana")
    slip = Slip.objects.get(kind="event-entry")
    manager = event.staff("manager")
    for by in (cashier, manager):
        asked = {"slip_id": slip.pk, "reason": "wrong player", "by": by, "now": event.now}
        for refusal in (
            refused(Conflict, "belongs to a tournament", corrections.reverse, **asked),
            refused(Conflict, event.row.name, corrections.reverse, **asked),
        ):
            assert (refusal.code, refusal.values["about"]) == ("event-slip", event.row.unit)
    assert not Approval.objects.exists()


def test_above_the_limit_a_second_person_decides_and_it_is_done_once(make_event):
    event = make_event(price={"entry": {"pool": 25_000}})
    tournaments.open_registration(**order(event, by=event.staff("manager")))
    cashier, manager, key = event.staff("cashier"), event.staff("manager"), "once"
    open_till(cashier, now=event.now)
    asked = order(event, by=cashier, guest="Ana", key=key)
    for _ in range(2):
        refused(allowances.NeedsApproval, "The request is sent", registration.register, **asked)
    row = Approval.objects.get()
    assert (row.amount, row.asked_by, event.row.entries_count) == (25_000, cashier, 0)
    approvals.decide(approval_id=row.pk, by=manager, approve=True, now=event.now)
    slip = Slip.objects.get(kind="event-entry")
    assert (slip.amount, slip.by, slip.approval, event.row.entries_count) == (25_000, cashier, row, 1)
    assert registration.register(**asked).number == 1
    assert event.row.entries_count == 1
    assert core_audit.check() == []


@pytest.mark.parametrize("what", ["refused", "taken-back", "early-alarm"])
def test_a_request_about_which_nothing_is_done_leaves_the_key_free(make_event, what):
    event = make_event(price={"entry": {"pool": 25_000}})
    tournaments.open_registration(**order(event, by=event.staff("manager")))
    cashier, manager = event.staff("cashier"), event.staff("manager")
    open_till(cashier, now=event.now)
    asked = order(event, by=cashier, guest="Ana", key="once")
    refused(allowances.NeedsApproval, "The request is sent", registration.register, **asked)
    row = Approval.objects.get()
    for _ in range(2):
        if what == "refused":
            approvals.decide(approval_id=row.pk, by=manager, approve=False, reason="not today", now=event.now)
        elif what == "taken-back":
            approvals.take_back(approval_id=row.pk, by=cashier, now=event.now)
        else:
            approvals.expire(approval_id=row.pk, now=event.now)
    refused(allowances.NeedsApproval, "The request is sent", registration.register, **asked)
    assert event.row.entries_count == 0


def test_who_is_paid_by_it_does_not_approve_the_prizes_of_several(make_event):
    event = make_event(price={"entry": {"pool": 10_000}}, payout=PayoutTerms("percent", percents=(60, 40))).open()
    director, paid, other = event.director, event.staff("manager"), event.staff("manager")
    open_till(director, now=event.now, money=1_000)
    take_in(event, director, "Ana", "Ben", "Cy")
    registration.register(player=paid, **order(event, by=director))
    event.start()
    bust(event, 3, 2, 4, eliminators=[1])
    refused(allowances.NeedsApproval, payouts.pay, cash=True, **order(event))
    row = Approval.objects.get(what="events.cash")
    assert (row.amount, row.player.get_full_name()) == (24_000, "Ana")
    decide = {"approval_id": row.pk, "approve": True, "now": event.now}
    assert refused(Forbidden, "the player concerned", approvals.decide, by=paid, **decide).code == "own-affair"
    assert (Approval.objects.get(pk=row.pk).verdict, Slip.objects.filter(kind="event-prize").count()) == ("", 0)
    approvals.decide(by=other, **decide)
    assert [slip.amount for slip in Slip.objects.filter(kind="event-prize").order_by("pk")] == [24_000, 16_000]
    assert core_audit.check() == []


def dear_entry(make_event):
    """An event, its director and a manager: Ana's entry of 25,000 was taken in cash, which the director may not undo
    alone."""
    event = make_event(price={"entry": {"pool": 25_000}})
    manager, director = event.staff("manager"), event.director
    tournaments.open_registration(**order(event, by=manager))
    for by in (manager, director):
        open_till(by, now=event.now, money=30_000)
    take_in(event, manager, "Ana")
    return event, director, manager


def test_an_undo_above_the_limit_waits_for_a_second_person_and_is_done_once(make_event):
    event, director, manager = dear_entry(make_event)
    asked = order(event, by=director, reason="wrong event")
    for _ in range(2):
        refused(allowances.NeedsApproval, "The request is sent", undoing.undo, **asked)
    row = Approval.objects.get(what="events.cash")
    assert (row.amount, row.asked_by, event.row.entries_count) == (25_000, director, 1)
    approvals.decide(approval_id=row.pk, by=manager, approve=True, now=event.now)
    slip = Slip.objects.get(kind="event-refund")
    assert (slip.amount, slip.by, slip.approval, event.row.entries_count) == (25_000, director, row, 0)
    assert core_audit.check() == []


def test_an_undo_that_waits_undoes_nothing_that_was_done_since(make_event):
    event, director, manager = dear_entry(make_event)
    refused(allowances.NeedsApproval, undoing.undo, **order(event, by=director, reason="wrong event"))
    row = Approval.objects.get(what="events.cash")
    event.enter(event.player("ben", chips=25_000), method="wallet")
    decide = {"approval_id": row.pk, "by": manager, "now": event.now}
    assert refused(Conflict, approvals.decide, approve=True, **decide).code == "changed-since"
    assert event.row.entries_count == 2
    approvals.decide(approve=False, reason="too late", **decide)


def test_nobody_pays_cash_to_themselves(event, cashier):
    registration.register(player=cashier, **order(event, by=_with_till(event)))
    take_in(event, cashier, "Ana")
    event.start()
    bust(event, 2, eliminators=[1])
    refused(Illegal, "your own cashier", payouts.pay_one, entrant=1, **order(event, by=cashier))


def test_the_report_says_how_it_was_paid_and_through_which_drawer(event, cashier):
    take_in(event, cashier, "Ana", "Ben")
    event.enter("cy")
    registration.unregister(entrant=2, **order(event, by=cashier))
    event.start()
    bust(event, 3, eliminators=[1])
    payouts.pay_one(entrant=1, **order(event, by=cashier))
    counted = {"counted": 894, "reason": "a coin is missing", "by": cashier, "now": event.now}
    refused(Illegal, "count again", drawers.close_drawer, **counted)
    drawers.close_drawer(**counted)
    found = money_report.report(event.row, viewer=event.staff("auditor"))
    assert [(row.what, row.method, row.number, row.total, row.refunds) for row in found.taken] == [
        ("entry", "wallet", 1, 115, 0), ("entry", "desk", 2, 230, 115),
    ]  # fmt: skip
    assert [(row.what, row.method, row.state, row.amount) for row in found.paid_out] == [("prize", "desk", "paid", 200)]
    (drawer,) = found.drawers
    assert (drawer.slips, drawer.taken, drawer.paid, drawer.net, drawer.over_short) == (4, 230, 315, -85, -21)
    assert (found.received, found.fees, found.held, found.over_short) == (230, 20, 0, -21)
    assert core_audit.check() == []


def test_the_report_keeps_the_figures_of_an_open_drawer_from_those_who_count_it(event, cashier):
    take_in(event, cashier, "Ana")
    for viewer in (cashier, event.director, event.staff("floor")):
        (drawer,) = money_report.report(event.row, viewer=viewer).drawers
        assert (drawer.slips, drawer.taken, drawer.over_short) == (1, None, None)
    (drawer,) = money_report.report(event.row, viewer=event.staff("auditor")).drawers
    assert drawer.taken == 115


def test_the_report_is_saved_as_pdf_csv_and_json(event, cashier):
    take_in(event, cashier, "Ana")
    for form, begins in (("pdf", b"%PDF-"), ("csv", b"\xef\xbb\xbfsection"), ("json", b"{")):
        made = exports.export(tournament=event.row, what="money", form=form, viewer=cashier, now=event.now)
        assert made.body.startswith(begins)
    refused(Forbidden, exports.export, tournament=event.row, what="money", form="csv", viewer=event.player(), now=START)


def test_several_people_work_on_the_drawer_of_the_desk(event):
    director, floor = event.director, event.staff("floor")
    session = open_till(director, now=event.now, money=100)
    drawers.join(session_id=session.pk, by=floor, now=event.now)
    take_in(event, floor, "Ana")
    take_in(event, director, "Ben")
    assert [slip.by for slip in Slip.objects.filter(kind="event-entry").order_by("pk")] == [floor, director]
    assert in_till(director) == 330
    refused(NotFound, drawers.join, session_id=session.pk + 999, by=floor, now=event.now)
    drawers.leave(session_id=session.pk, by=floor, now=event.now)
    refused(Conflict, "no open drawer", take_in, event, floor, "Cy")
    refused(Conflict, "close it with a count", drawers.leave, session_id=session.pk, by=director, now=event.now)
    drawers.join(session_id=session.pk, by=floor, now=event.now)
    drawers.close_drawer(counted=330, by=floor, now=event.now)
    assert session.members.filter(left_at=None).count() == 0
    assert core_audit.check() == []


def test_drawers_of_the_cage_and_of_the_desk_are_apart(event):
    manager, director = event.staff("manager"), event.director
    vault.vault(amount=500, by=manager, now=event.now, reason="the first day")
    window = drawers.make_drawer(name="Window 1", by=manager, now=event.now)
    asked = {"counted": 0, "by": director, "now": event.now}
    refused(Forbidden, drawers.open_drawer, drawer_id=window.pk, **asked)
    desk = drawers.make_drawer(name="Tournament desk", by=manager, now=event.now, is_for_events=True)
    refused(Forbidden, drawers.open_drawer, drawer_id=desk.pk, from_vault=500, **asked | {"counted": 500})
    drawers.open_drawer(drawer_id=desk.pk, **asked | {"by": manager})
    refusal = refused(
        Conflict,
        "only the money of tournaments",
        slips.deposit,
        player=event.player(),
        amount=5,
        by=manager,
        now=event.now,
    )
    assert refusal.code == "events-only"


def test_the_audit_tells_of_receipts_slips_and_refunds_that_were_changed(event, cashier):
    take_in(event, cashier, "Ana", "Ben")
    event.enter("cy")
    event.start()
    registration.remove_no_shows(entrants=[2], **order(event))
    with unguarded():
        Payment.objects.filter(entry__number=3).update(method="desk")
        Slip.objects.filter(kind="event-entry", player__first_name="Ana").update(amount=100)
        Payment.objects.filter(entry__number=2).update(is_refund_due=False)
    name = "cash of events lies in drawers: "
    faults = [fault.removeprefix(name) for fault in core_audit.check() if fault.startswith(name)]
    assert faults == [
        f"{Payment.objects.get(entry__number=3)} was in cash and has no slip",
        f"{event.row.unit}: slips of kind event-entry come to 215; its books say 345",
        f"{event.row.unit}:refunds holds 115; 0 are due at the desk",
    ]
