"""The cage's pages, as a cashier, a manager and a player go through them."""

from datetime import UTC, datetime

import pytest
import time_machine

from cardroom.models import Approval, CashierRequest, Slip
from cardroom.services import ledger
from tests.cardroom.cage_desk import faults, furnished
from tests.support.worlds import world

pytestmark = pytest.mark.django_db

NOW = datetime(2030, 1, 5, 20, 0, tzinfo=UTC)


@time_machine.travel(NOW, tick=False)
def _furnished():
    return furnished(NOW)


_cage = world(_furnished)


@pytest.fixture
def room(_cage, _same_cards):
    with time_machine.travel(NOW, tick=False):
        yield _cage


def text(answer):
    return " ".join(answer.content.decode().split())


@pytest.mark.smoke
def test_a_cashier_finds_a_player_writes_a_slip_and_prints_it_twice(room, browse):
    cashier = browse(room.cay)
    assert cashier.get("/cage/", {"q": "pia"}).url == f"/cage/?player={room.pia.pk}"
    form = {"kind": "deposit", "player": room.pia.pk, "amount": 500, "key": "k"}
    told = cashier.post("/cage/do/", form)
    assert cashier.post("/cage/do/", form).url == told.url  # a double click

    slip = Slip.objects.get(kind="deposit")
    page = text(cashier.get(told.url))
    assert f"Slip {slip.number}" in page
    assert ledger.balance(ledger.wallet(room.pia)) == 500
    papers = [cashier.post(f"/cage/slips/{slip.pk}/receipt/") for _ in range(2)]
    assert all(paper.content.startswith(b"%PDF") for paper in papers)
    assert list(slip.prints.values_list("number", flat=True).order_by("pk")) == [0, 1]
    assert "copy 1 by cay" in text(cashier.get(f"/cage/slips/{slip.pk}/"))


def test_what_is_refused_comes_back_with_why_and_what_was_typed(room, browse):
    form = {"kind": "withdrawal", "player": room.pia.pk, "amount": 77, "reason": "going home", "key": "k"}
    answer = browse(room.cay).post("/cage/do/", form)

    assert answer.status_code == 422
    assert "pia has 0 in the wallet" in text(answer)
    assert 'value="77"' in text(answer)
    assert 'value="going home"' in text(answer)


def test_above_the_limit_a_manager_approves_on_his_page(room, browse):
    form = {"kind": "deposit", "player": room.pia.pk, "amount": 25_000, "key": "k"}
    answer = browse(room.cay).post("/cage/do/", form, follow=True)
    assert "needs a second person" in text(answer)

    row, manager = Approval.objects.get(), browse(room.mia)
    assert "Deposit of 25,000 for pia" in text(manager.get("/cage/approvals/"))
    refused = browse(room.cay).post(f"/cage/approvals/{row.pk}/decide/", {"approve": "yes"})
    assert refused.status_code == 403
    manager.post(f"/cage/approvals/{row.pk}/decide/", {"approve": "yes"})
    assert ledger.balance(ledger.wallet(room.pia)) == 25_000
    assert faults() == []


def test_a_drawer_is_closed_by_its_pieces_and_reported(room, browse):
    cashier = browse(room.cay)
    wrong = cashier.post("/cage/drawers/close/", {"pieces-100": "99", "key": "a"})
    assert wrong.status_code == 422
    assert "100 short" in text(wrong)
    assert 'name="pieces-100" value="99"' in text(wrong)
    closed = cashier.post("/cage/drawers/close/", {"pieces-100": "90", "pieces-500": "2", "left_in": "0", "key": "b"})
    page = text(cashier.get(closed.url))

    assert "90 × 100" in page
    assert "2 × 500" in page
    assert cashier.get(f"{closed.url}report.pdf").content.startswith(b"%PDF")
    assert b"fill" in cashier.get(f"{closed.url}report.csv").content


def test_a_manager_closes_the_drawer_of_a_cashier_who_has_gone(room, browse):
    manager, page = browse(room.mia), f"/cage/sessions/{room.session.pk}/"
    assert "Close it for cay" in text(manager.get(page))
    assert "Close it for cay" not in text(browse(room.cal).get(page))
    form = {"session_id": room.session.pk, "counted": "10000", "key": "k"}
    refused = manager.post("/cage/drawers/close/", form)
    assert refused.status_code == 400
    assert "Close it for cay" in text(refused)
    assert manager.post("/cage/drawers/close/", form | {"reason": "cay has gone home"}).url == page

    assert "second person mia" in text(manager.get(page))
    assert "Close it for cay" not in text(manager.get(page))


def test_a_player_asks_online_and_the_cashier_does_it(room, browse):
    player, cashier = browse(room.pip), browse(room.cay)
    player.post("/me/cashier/ask/", {"kind": "deposit", "amount": 300, "note": "at nine", "key": "k"})
    row = CashierRequest.objects.get()
    assert "at nine" in text(cashier.get("/cage/"))
    cashier.post(f"/cage/requests/{row.pk}/", {"answer": "do"})
    row.refresh_from_db()

    assert (row.state, row.slip.amount, row.answered_by) == ("done", 300, room.cay)
    page = text(player.get("/me/cashier/"))
    assert row.slip.number in page
    assert player.get(f"/cage/slips/{row.slip_id}/").status_code == 200
    assert browse(room.pia).get(f"/cage/slips/{row.slip_id}/").status_code == 404


def test_a_program_does_the_same_with_its_key(room, browse):
    program = browse(room.cay)
    order = {"kind": "deposit", "player": room.pia.pk, "amount": 500}
    sent = {"content_type": "application/json", "headers": {"Idempotency-Key": "k"}}
    first, again = (program.post("/api/v1/cage/slips", order, **sent) for _ in range(2))
    assert (first.status_code, first.json()["slip"]["id"]) == (201, again.json()["slip"]["id"])
    other = program.post("/api/v1/cage/slips", order | {"amount": 501}, **sent)
    assert other.status_code == 409
    waits = program.post("/api/v1/cage/slips", order | {"amount": 20_001}, content_type="application/json")
    assert (waits.status_code, waits.json()["approval"]["verdict"]) == (202, "")
    balance = program.get(f"/api/v1/cage/players/{room.pia.pk}").json()
    assert (balance["wallet"], balance["owes"]) == (500, 0)
    odd = program.post("/api/v1/cage/slips", order | {"to": 1}, content_type="application/json")
    assert odd.status_code == 400
