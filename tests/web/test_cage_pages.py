"""The cage as cashiers, managers, players and their programs go through it: its pages, its window onto the tables,
and a debt settled out of what is paid."""

import json
import re
from datetime import timedelta

import pytest
import time_machine

from cardroom.cage import corrections, drawers, requests, slips, vault
from cardroom.cage.models import Drawer
from cardroom.cage.pages.slips import account_name
from cardroom.core.models import User
from cardroom.ledger.models import Account
from tests.cardroom.cage_desk import faults, furnished, person
from tests.support.models import Approval, CashierRequest, Slip, Table
from tests.support.pages import assert_hides, assert_shows, get, json_of
from tests.support.parts.cardroom import Illegal, approvals, ledger, limits, people
from tests.support.parts.games import cage_window, opening, stacks
from tests.support.refusals import refused
from tests.support.worlds import world
from tests.web.api.conftest import problem
from tests.web.conftest import NOW


@world
@time_machine.travel(NOW, tick=False)
def furnished_room():
    """`said` is what every call to a service about pia says."""
    room = furnished(NOW)
    room.said = {"player": room.pia, "by": room.cay, "now": NOW}
    return room


@pytest.fixture
def room(furnished_room, _same_cards):
    with time_machine.travel(NOW, tick=False):
        yield furnished_room


def open_table(name: str = "Larch", *, is_physical: bool = False) -> Table:
    stakes = opening.TableStakes(ante=1, bring_in=2, small_bet=5, big_bet=10)
    table = opening.open_table(name=name, stakes=stakes, min_buy_in=100, max_buy_in=1_000, now=NOW)
    if is_physical:
        Table.objects.filter(pk=table.pk).update(is_physical=True, dealt_by="person", deck="typed")
    return table


def wallet(player):
    return ledger.balance(ledger.wallet(player))


def text(answer, status=None):
    assert status in (None, answer.status_code), answer.content
    return " ".join(answer.content.decode().split())


def send(program, path, order, key=""):
    """A program's order to the API."""
    headers = {"Idempotency-Key": key} if key else {}
    return program.post(f"/api/v1/{path}", order, content_type="application/json", headers=headers)


@pytest.mark.smoke
def test_a_cashier_writes_slips_and_a_manager_approves_those_above_the_limit(room, browse):
    cashier, manager = browse(room.cay), browse(room.mia)
    assert cashier.get("/cage/", {"q": "pia"}).url == f"/cage/?player={room.pia.pk}"
    form = {"kind": "withdrawal", "player": room.pia.pk, "amount": 77, "reason": "going home", "key": "j"}
    refusal = text(cashier.post("/cage/do/", form), 422)
    assert_shows(refusal, "pia has 0 in the wallet", 'value="77"', 'value="going home"')  # what was typed is kept
    form = {"kind": "deposit", "player": room.pia.pk, "amount": 500, "key": "k"}
    told = cashier.post("/cage/do/", form)
    assert cashier.post("/cage/do/", form).url == told.url  # a double click
    slip = Slip.objects.get(kind="deposit")
    assert f"Slip {slip.number}" in text(cashier.get(told.url))
    assert wallet(room.pia) == 500
    papers = [cashier.post(f"/cage/slips/{slip.pk}/receipt/") for _ in range(2)]
    assert all(paper.content.startswith(b"%PDF") for paper in papers)
    assert list(slip.prints.values_list("number", flat=True).order_by("pk")) == [0, 1]
    assert "copy 1 by cay" in text(cashier.get(f"/cage/slips/{slip.pk}/"))
    assert "needs approval" in text(cashier.post("/cage/do/", form | {"amount": 25_000, "key": "l"}, follow=True))
    assert "Deposit of 25,000 for pia" in text(manager.get("/cage/approvals/"))
    manager.post(f"/cage/approvals/{Approval.objects.get().pk}/decide/", {"approve": "yes"})
    assert (wallet(room.pia), faults()) == (25_500, [])


def test_a_drawer_is_filled_from_the_vault_and_closed_by_a_count_of_pieces(room, browse):
    cashier = browse(room.cay)
    for amount, is_empty in ((-90_000, True), (10_000, False)):
        vault.vault(amount=amount, by=room.mia, reason="to the bank, and from it", now=NOW)
        assert ("vault balance is 0" in text(cashier.get("/cage/drawers/"))) == is_empty, "it says how it is filled"
    wrong = text(cashier.post("/cage/drawers/close/", {"pieces-100": "99", "pieces-10": "7", "key": "a"}), 422)
    assert_shows(
        wrong, "9,970 is recorded: count again", 'name="pieces-100" value="99"', but=["30 short", "book balance"]
    )
    right = cashier.post("/cage/drawers/close/", {"pieces-100": "89", "pieces-10": "7", "pieces-500": "2", "key": "b"})
    assert_shows(text(right, 422), "9,970 again, and it differs", but=["30 short"])
    said = {
        "pieces-100": "89",
        "pieces-10": "7",
        "pieces-500": "2",
        "left_in": "0",
        "reason": "one note is out",
        "key": "c",
    }
    closed = cashier.post("/cage/drawers/close/", said)
    assert_shows(text(cashier.get(closed.url)), "89 × 100", "2 × 500", "All counts of this drawer", "counted 3 times")
    assert cashier.get(f"{closed.url}report.pdf").content.startswith(b"%PDF")
    assert b"fill" in cashier.get(f"{closed.url}report.csv").content


def test_the_vault_is_counted_blind_on_its_page_and_by_programs(room, browse):
    manager, cashier, auditor = browse(room.mia), browse(room.cay), browse(person("ada", "auditor"))
    assert "90,000" not in text(manager.get("/cage/vault/"))
    assert "Book balance: <strong" in text(auditor.get("/cage/vault/"))
    wrong = text(manager.post("/cage/vault/count/", {"pieces-10000": "8", "key": "a"}), 422)
    assert_shows(wrong, "80,000 is recorded: count again", 'name="pieces-10000" value="8"', but=["90,000"])
    assert_shows(text(manager.get("/cage/vault/")), "80,000 is recorded as your count", but=["90,000", "-10,000"])
    assert_hides(text(cashier.get("/cage/vault/")), "90,000", "80,000", "-10,000")  # a colleague counts blind too
    assert json_of(cashier.get("/api/v1/cage/vault/counts"))["results"][0]["difference"] is None
    form = {"pieces-10000": "8", "reason": "a bundle is out", "key": "b"}
    shown = text(manager.post("/cage/vault/count/", form, follow=True))
    assert_shows(shown, "Count of the vault with a difference: approval is requested", but=["90,000", "10,000 short"])

    sent = send(cashier, "cage/vault/counts", {"pieces": {"10000": 9}}, key="c")
    assert (sent.status_code, sent.json()["count"]["expected"], sent.json()["approval"]) == (201, 90_000, None)
    rows = json_of(cashier.get("/api/v1/cage/vault/counts"))["results"]
    assert [(row["counted"], row["expected"], row["pieces"], row["difference"]) for row in rows] == [
        (None, None, None, 0), (None, None, None, None), (None, None, None, None)
    ]  # fmt: skip
    seen = json_of(auditor.get("/api/v1/cage/vault/counts?limit=1"))
    assert (seen["results"][0]["counted"], seen["results"][0]["pieces"]) == (90_000, {"10000": 9})
    assert "cursor=" in seen["next"]
    assert "no reason given" in text(auditor.get("/cage/vault/"))
    assert faults() == []


def test_a_manager_closes_the_drawer_of_a_cashier_who_has_gone(room, browse):
    manager, page = browse(room.mia), f"/cage/sessions/{room.session.pk}/"
    assert "Close for cay" in text(manager.get(page))
    assert "Close for cay" not in text(browse(room.cal).get(page))
    form = {"session_id": room.session.pk, "counted": "10000", "key": "k"}
    assert "Close for cay" in text(manager.post("/cage/drawers/close/", form), 400)
    assert manager.post("/cage/drawers/close/", form | {"reason": "cay has gone home"}).url == page
    assert_shows(text(manager.get(page)), "second person mia", but=["Close for cay"])


def test_a_player_asks_online_and_the_cashier_does_it(room, browse):
    player, cashier = browse(room.pip), browse(room.cay)
    player.post("/me/cashier/ask/", {"kind": "deposit", "amount": 300, "note": "at nine", "key": "k"})
    row = CashierRequest.objects.get()
    assert "at nine" in text(cashier.get("/cage/"))
    cashier.post(f"/cage/requests/{row.pk}/", {})
    row.refresh_from_db()
    assert (row.state, row.slip.amount, row.answered_by) == ("done", 300, room.cay)
    assert row.slip.number in text(player.get("/me/cashier/"))
    assert player.get(f"/cage/slips/{row.slip_id}/").status_code == 200
    assert browse(room.pia).get(f"/cage/slips/{row.slip_id}/").status_code == 404


@pytest.mark.parametrize("is_physical", [False, True])
def test_a_cashier_gives_a_seat_for_money_and_pays_it_out_again_on_one_page(room, browse, is_physical):
    table, cashier = open_table(is_physical=is_physical), browse(room.cay)
    assert cashier.get("/cage/window/", {"q": "pia"}).url == f"/cage/window/?player={room.pia.pk}"
    page = text(cashier.get("/cage/window/", {"player": room.pia.pk}))
    assert_shows(page, "They have no seat", f"Larch{'' if is_physical else ' (online)'}: 100 to 1,000, 8 free")

    form = {"table_id": table.pk, "player": room.pia.pk, "amount": 400, "number": "", "key": "k"}
    for _ in range(2):  # a double click
        assert cashier.post("/cage/window/buy-in/", form).status_code == 302
    assert (wallet(room.pia), table.seats.get().number, Slip.objects.filter(kind="buy-in").count()) == (0, 1, 1)
    assert "Larch, seat 1" in text(cashier.get("/cage/window/", {"player": room.pia.pk}))

    out, form = f"/cage/window/tables/{table.pk}/cash-out/", {"player": room.pia.pk, "key": "o"}
    if is_physical:
        assert "number of chips counted" in text(cashier.post(out, form), 400)
        form["count"] = 250
    assert "cash-out for pia" in text(cashier.get(cashier.post(out, form).url)).lower()
    paid = Slip.objects.get(kind="cash-out")
    assert (paid.amount, table.seats.count(), wallet(room.pia)) == (250 if is_physical else 400, 0, 0)
    if is_physical:
        assert ledger.balance(stacks.pool(table)) == 150, "what they left lies on the table"
    assert faults() == []


def test_the_window_keeps_what_was_typed_and_lists_tables_in_the_room_first(room, browse):
    online, live = open_table(), open_table("Oak", is_physical=True)
    cashier, window = browse(room.cay), f"/cage/window/?player={room.pia.pk}"
    form = {"table_id": online.pk, "player": room.pia.pk, "amount": 77, "reason": "late", "key": "k"}
    assert_shows(text(cashier.post("/cage/window/buy-in/", form), 422), 'value="77"', 'value="late"')
    assert not Slip.objects.filter(kind="buy-in").exists()
    page = text(cashier.get(window))
    assert page.index("Oak: 100 to 1,000") < page.index("Larch (online): 100 to 1,000")
    cashier.post("/cage/window/buy-in/", form | {"table_id": live.pk, "amount": 400, "number": "", "key": "l"})
    page = cashier.get(window)
    assert text(page).index("Another seat as well") < text(page).index('<option value="">Choose a table</option>')
    assert [table.pk for table in page.context["tables"]] == [online.pk]
    guest = people.make_guest(name="Ana Ruiz", now=NOW)
    assert [table.pk for table in cashier.get(f"/cage/window/?player={guest.pk}").context["tables"]] == [live.pk]


def in_debt(room, **of):
    said = room.said | of
    slips.set_line(player=said["player"], most=1_000, by=room.mia, reason="known here", now=NOW)
    slips.credit(amount=300, **said)


def test_a_debtor_is_asked_before_a_payout_and_may_be_paid_all_of_it(room, browse):
    in_debt(room)
    slips.deposit(amount=200, **room.said)
    cashier = browse(room.cay)
    assert "Owes 300" in text(cashier.get("/cage/", {"player": room.pia.pk}))
    form = {"kind": "withdrawal", "player": room.pia.pk, "amount": 450, "key": "k"}
    assert "pia owes 300: choose whether" in text(cashier.post("/cage/do/", form), 422)
    assert wallet(room.pia) == 500
    for _ in range(2):
        assert cashier.post("/cage/do/", form | {"settles": "yes"}).status_code == 302
    paid = Slip.objects.order_by("-pk").values_list("kind", "amount")[:2]
    assert list(paid) == [("withdrawal", 150), ("repayment", 300)]
    assert (slips.owed_by(room.pia), wallet(room.pia), faults()) == (0, 50, [])
    again = cashier.post("/cage/do/", form | {"amount": 50, "key": "l"})
    assert (again.status_code, wallet(room.pia)) == (302, 0), "who owes nothing is not asked"

    slips.credit(amount=300, **room.said)
    assert slips.withdraw(amount=100, key="a", settles=False, **room.said).kind == "withdrawal"
    assert slips.owed_by(room.pia) == 300
    slip = slips.withdraw(amount=200, key="b", settles=True, **room.said)
    assert (slip.kind, slip.amount, slips.owed_by(room.pia), wallet(room.pia)) == ("repayment", 200, 100, 0)


def test_who_owes_and_asks_online_to_be_paid_is_asked_too(room, browse):
    in_debt(room)
    asked, cashier = requests.make(by=room.pia, kind="withdrawal", amount=250, now=NOW), browse(room.cay)
    assert "Settle the debt first" in text(cashier.get("/cage/"))
    page = f"/cage/requests/{asked.pk}/"
    for answer in (cashier.post(page, {}), send(cashier, f"cage/requests/{asked.pk}/fulfil", {})):
        assert "pia owes 300" in text(answer, 422)
    answer = cashier.post(page, {"settles": "yes"})
    assert (answer.status_code, slips.owed_by(room.pia), wallet(room.pia)) == (302, 50, 50)
    asked.refresh_from_db()
    assert (asked.state, asked.slip.kind) == ("done", "repayment")

    asked = requests.make(by=room.pia, kind="withdrawal", amount=50, now=NOW)
    answer = send(cashier, f"cage/requests/{asked.pk}/fulfil", {"settles": False})
    assert (answer.status_code, slips.owed_by(room.pia), wallet(room.pia), faults()) == (200, 50, 0, [])


def test_a_debt_is_settled_when_a_payment_above_the_limit_is_approved(room):
    in_debt(room)
    slips.deposit(amount=20_000, **room.said)
    asked = requests.make(by=room.pia, kind="withdrawal", amount=15_000, now=NOW)
    waits = requests.fulfil(request_id=asked.pk, by=room.cay, now=NOW, settles=True)
    assert (slips.owed_by(room.pia), wallet(room.pia)) == (300, 20_300)
    approvals.decide(approval_id=waits.pk, by=room.mia, approve=True, now=NOW)
    asked.refresh_from_db()
    assert (asked.slip.amount, slips.owed_by(room.pia), wallet(room.pia)) == (14_700, 0, 5_300)

    told = {"amount": 10_001} | room.said | {"player": room.pip}
    slips.deposit(amount=20_000, **room.said | {"player": room.pip})
    corrections.correct(user=room.pip, amount=1_000, reason="miscounted", by=room.mia, now=NOW, key="k")
    waits, known = slips.withdraw(**told), slips.withdraw(settles=False, **told)
    in_debt(room, player=room.pip)  # meanwhile
    refused(Illegal, "pip owes 300", approvals.decide, approval_id=waits.pk, by=room.mia, approve=True, now=NOW)
    approvals.decide(approval_id=known.pk, by=room.mia, approve=True, now=NOW)
    assert (slips.owed_by(room.pip), wallet(room.pip), faults()) == (300, 11_299, [])


def test_a_debt_is_settled_out_of_a_seat_too(room):
    in_debt(room)
    table = open_table()
    cage_window.buy_in(table_id=table.pk, amount=400, **room.said)
    asked = {"table_id": table.pk, "key": "o", "settles": True} | room.said
    refused(Illegal, "pia owes 300", cage_window.pay_out, **asked | {"settles": None})
    assert table.seats.count() == 1, "the player sits there still"
    slip = cage_window.pay_out(**asked).slip
    assert cage_window.pay_out(**asked).slip == slip
    assert (slip.kind, slip.amount, slips.owed_by(room.pia), wallet(room.pia)) == ("cash-out", 100, 0, 300)
    assert faults() == []


def test_what_the_cage_puts_on_a_table_counts_once_against_the_limit_of_losses(room):
    limits.request_limit(by=room.pia, kind="loss-day", amount=300, now=NOW)
    asked = {"table_id": open_table().pk} | room.said
    refused(Illegal, "300 of it are left", cage_window.buy_in, amount=301, **asked)
    assert wallet(room.pia) == 0, "no money was taken either"
    cage_window.buy_in(amount=200, **asked)
    slips.deposit(amount=500, **room.said)

    def of_the_day():
        return [(each.used, each.left) for each in limits.all_of(room.pia, now=NOW) if each.kind == "loss-day"]

    assert of_the_day() == [(200, 100)], "what lies on the table may be lost; what is in the wallet is not"
    cage_window.pay_out(**asked)
    assert [used for used, _ in of_the_day()] == [0]


def test_a_program_settles_a_debt_from_a_withdrawal_and_corrects_chips(room, browse):
    in_debt(room)
    cashier, manager = browse(room.cay), browse(room.mia)
    order = {"kind": "withdrawal", "player": room.pia.pk, "amount": 300, "settles": True}
    done = send(cashier, "cage/slips", order)
    assert (done.status_code, done.json()["slip"]["kind"], slips.owed_by(room.pia)) == (201, "repayment", 0)
    assert list(problem(send(cashier, "cage/slips", order | {"kind": "deposit"}), 400)["errors"]) == ["settles"]
    assert send(cashier, "cage/slips", order | {"to": room.pip.pk}).status_code == 400
    order = {"kind": "deposit", "player": room.pia.pk, "amount": 20_001}
    assert json_of(send(cashier, "cage/slips", order), 202)["approval"]["verdict"] == ""
    balance = cashier.get(f"/api/v1/cage/players/{room.pia.pk}").json()
    assert (balance["wallet"], balance["owes"]) == (0, 0)

    address, order = f"accounts/{room.pia.pk}/adjust", {"amount": 1_001, "reason": "Miscounted rack"}
    waits = send(manager, address, order)
    assert (waits.status_code, waits.json()["transfer"], waits.json()["approval"]["verdict"]) == (202, None, "")
    decided = send(browse(room.max), f"approvals/{waits.json()['approval']['id']}/decision", {"approve": True})
    assert (decided.status_code, wallet(room.pia)) == (200, 1_001)
    made = send(manager, address, order | {"amount": 5})
    assert (made.status_code, made.json()["approval"], made.json()["wallet"]) == (200, None, wallet(room.pia))


@pytest.mark.parametrize(("who", "roles"), [("cay", ()), ("mia", ()), ("cal", ()), ("aud", ("auditor", "cashier"))])
def test_nobody_who_counts_an_open_drawer_reads_what_should_be_in_it_or_in_the_vault(room, browse, who, roles):
    for amount in (15_000, 77):
        slips.deposit(player=room.pia, amount=amount, by=room.cay, now=NOW)
    reader = browse(person(who, *roles) if roles else getattr(room, who))
    session, found = room.session.pk, {}
    for path in ("drawers/", f"sessions/{session}/"):
        found[path] = text(reader.get(f"/cage/{path}"))
    for path in ("drawers", f"sessions/{session}", "sessions", "vault"):
        found[f"api/{path}"] = json.dumps(reader.get(f"/api/v1/cage/{path}").json())
    assert [path for path, page in found.items() if re.search(r"25,?077|90,?000", page)] == []
    sheet = json.loads(found[f"api/sessions/{session}"])
    assert [(total["amount"], total["money"]) for total in sheet["totals"]] == [(None, None)] * 2
    (opening,) = sheet["counts"]
    assert [opening[name] for name in ("counted", "expected", "pieces", "difference")] == [None] * 4
    for part in ("counts", "sums"):
        section = found[f"sessions/{session}/"].partition(f'id="{part}-title"')[2].partition("</section>")[0]
        assert "10,000" not in section, part
    saved = reader.get("/cage/slips/?form=csv").content.decode()
    assert (saved.count("deposit"), saved.count("vault")) == (0, 1)
    for file in ("slips/?form=csv&session={}", "sessions/{}/report.pdf", "sessions/{}/report.csv"):
        assert reader.get(f"/cage/{file.format(session)}").status_code == 409, file
    assert problem(reader.get(f"/api/v1/cage/sessions/{session}/report.pdf"), 409)["code"] == "not-counted"


def test_who_counted_is_not_told_the_books_figure_before_a_count_stands(room, browse):
    cashier = browse(room.cay)
    slips.deposit(amount=77, **room.said)
    for reason in ("", "no idea"):
        answer = send(cashier, f"cage/sessions/{room.session.pk}/close", {"counted": 4_321, "reason": reason})
    closing = json_of(answer)
    figures = [closing[name] for name in ("counted", "expected", "difference")]
    assert (closing["state"], figures) == ("closing", [None] * 3)
    told = ("10,077", "10077", "5,756", "5756")
    places = ["/cage/drawers/", f"/cage/sessions/{room.session.pk}/", "/cage/approvals/", "/api/v1/approvals",
              "/api/v1/cage/sessions", f"/api/v1/cage/sessions/{room.session.pk}", "/api/v1/cage/drawers"]  # fmt: skip
    for decided in (False, True):
        for place in places:
            assert_hides(text(cashier.get(place), 200), *told)
        assert cashier.get(f"/cage/sessions/{room.session.pk}/report.pdf").status_code == 409
        if not decided:
            approvals.decide(approval_id=Approval.objects.get().pk, by=room.mia, approve=False, reason="again", now=NOW)
    refusal = problem(send(cashier, f"cage/sessions/{room.session.pk}/close", {"counted": 10_077}), 409)
    assert refusal["code"] == "count-stands"
    page = text(browse(room.cal).get(f"/cage/sessions/{room.session.pk}/"))
    assert_shows(page, "Count the drawer yourself", "whose own count is not taken any more")


def test_only_auditors_see_the_figures_of_a_drawer_before_it_is_counted(room, browse):
    slips.deposit(player=room.pia, amount=77, by=room.cay, now=NOW)
    auditor = browse(person("aud", "auditor"))
    assert auditor.get("/api/v1/cage/drawers").json()[0]["holds"] == 10_077
    assert auditor.get("/api/v1/cage/vault").json() == {"holds": 90_000}
    assert auditor.get(f"/cage/sessions/{room.session.pk}/report.pdf").status_code == 200
    drawers.close_drawer(counted=10_077, by=room.cay, now=NOW)
    assert browse(room.mia).get("/api/v1/cage/drawers").json()[0]["holds"] == 10_077
    page = f"/cage/sessions/{room.session.pk}/"
    assert browse(room.cay).get(f"{page}report.pdf").status_code == 200
    assert "10,077" in text(browse(room.mia).get(page))
    assert browse(room.mia).get("/cage/slips/?form=csv").content.count(b"deposit") == 1
    other = browse(room.cal)  # who opens it next
    assert "10,077" not in text(other.get(page)) + text(other.get("/cage/drawers/"))
    assert other.get(f"{page}report.pdf").status_code == 409
    for path in ("sessions", f"sessions/{room.session.pk}"):
        assert "10077" not in other.get(f"/api/v1/cage/{path}").content.decode()
    menu = text(auditor.get("/cage/drawers/"))
    assert_shows(
        menu, *(f'class="nav-link" href="/cage/{place}/"' for place in ("drawers", "slips", "limits", "approvals"))
    )
    assert_hides(menu, 'class="nav-link" href="/cage/"')
    later = NOW + timedelta(hours=1)
    drawers.open_drawer(drawer_id=room.drawer.pk, counted=10_077, by=room.cal, now=later)
    refused(Illegal, "count again", drawers.close_drawer, counted=9_876, by=room.cal, now=later)
    for shown in (text(browse(reader).get(page)) for reader in (room.mia, room.cay)):
        assert_shows(shown, "All counts of this drawer", but=["9,876"])
    assert "9,876" in text(auditor.get(page))


def test_reports_do_not_add_up_for_who_counts_what_should_be_there(room, browse):
    drawer = drawers.make_drawer(name="2", by=room.mia, now=NOW).pk
    drawers.open_drawer(drawer_id=drawer, counted=333, from_vault=333, by=room.mia, now=NOW)
    for reader, sees in ((browse(room.mia), False), (browse(person("aud", "auditor")), True)):
        for path in ("liabilities/", "cage/?by=drawer"):
            page = get(reader, f"/reports/{path}")
            assert ("89,667" in page or "333" in page) == sees
            assert ("Counts are blind" in page) != sees
        assert ("money" in get(reader, "/api/v1/reports/liabilities/csv")) == sees
    own = get(browse(room.cay), "/reports/cage/")
    assert ("10,000" in own, "Counts are blind" in own) == (False, True)


def test_an_account_is_called_as_a_cashier_does_in_the_readers_language(every_word_marked):
    drawer = Drawer.objects.create(name="Cage 1", made_at=NOW)
    ann = User(pk=7, username="ann")
    called = {
        "~Chip balance of ann": Account(kind="wallet", owner=ann, unit="cash"),
        "~Comp points of ann": Account(kind="wallet", owner=ann, unit="comp"),
        "~Cash from players": Account(kind="house", label="street", unit="money"),
        "~Drawer Cage 1": Account(kind="drawer", label=f"drawer:{drawer.pk}", unit="money"),
        "~House: cash desk": Account(kind="house", label="cash desk", unit="cash"),
    }
    assert [account_name(account) for account in called.values()] == list(called)
