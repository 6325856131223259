"""History that was changed shows: seals over what was written down, the chain of them, and heads outside."""

import io
import json
import subprocess
import sys
import threading
from datetime import timedelta

import pytest
from django.core import mail
from django.core.management import call_command
from django.db import connection, connections, transaction
from django.db.models import F
from django.utils import timezone

from cardroom.core import audit_log
from cardroom.core.history import checking, exporting, heads, keys, sealing, verifier, warnings
from cardroom.core.models import HistorySeal, HistoryState
from tests.support.models import Account, Approval, Entry, StaffAction, Transfer
from tests.support.parts.cardroom import approvals, core_audit, ledger
from tests.support.unguarded import unguarded

pytestmark = pytest.mark.django_db


def faults(head: str = "") -> list[str]:
    return [each for each in checking.faults(head=head) if not isinstance(each, core_audit.Note)]


def notes() -> str:
    return "\n".join(each for each in checking.faults() if isinstance(each, core_audit.Note))


@pytest.fixture
def sealed(wallets, now):
    """The books of two wallets, sealed."""
    made = sealing.seal(now=now)
    assert faults() == []
    return made


def gift(wallets, number, now, chips=10):
    one, other = wallets
    return ledger.post(reference=f"gift:{number}", reason="gift", legs=[(one, -chips), (other, chips)], at=now)


def forge_transfer(wallets, at) -> None:
    """A transfer and its entries as nothing but the triggers off lets anybody write them; balances follow."""
    with unguarded():
        made = Transfer.objects.create(reference="forged", reason="gift", at=at)
        for account, chips in zip(wallets, (-50, 50), strict=True):
            Entry.objects.create(transfer=made, account=account, amount=chips)
            Account.objects.filter(pk=account.pk).update(balance=F("balance") + chips)


def test_what_is_sealed_and_unchanged_is_without_fault(sealed, wallets, now):
    gift(wallets, 1, now)
    again = sealing.seal(now=now + timedelta(minutes=1))
    assert (again.number, json.loads(again.content)["previous"]) == (2, sealed.head)
    assert sealing.seal(now=now + timedelta(minutes=2)) is None  # nothing new
    assert faults() == []


def test_a_seal_covers_what_is_new_and_nothing_else(sealed, wallets, now):
    moved = gift(wallets, 1, now)
    tables = json.loads(sealing.seal(now=now).content)["tables"]
    assert sorted(tables) == ["ledger_entry", "ledger_transfer"]
    assert (tables["ledger_transfer"]["rows"], tables["ledger_transfer"]["upto"]) == (1, moved.pk)


@pytest.mark.smoke
def test_a_transfer_of_ten_days_ago_that_was_forged_is_named(sealed, wallets, now):
    forge_transfer(wallets, now - timedelta(days=10))
    sealing.seal(now=now + timedelta(minutes=1))
    books = ("transfers balance", "balances equal entries", "nobody owes", "guards in place")
    assert core_audit.run(only=books).faults == []  # the books alone do not show it
    [fault] = faults()
    assert f"row {Transfer.objects.get(reference='forged').pk} of ledger_transfer says it is of" in fault


def test_a_transfer_put_below_what_is_sealed_is_named(sealed, wallets, now):
    gift(wallets, 1, now)
    last = gift(wallets, 2, now)
    with unguarded():
        gone = Transfer.objects.get(reference="gift:1")
        gone.entries.all().delete()
        gone.delete()
    sealing.seal(now=now)
    with unguarded():
        Transfer.objects.create(pk=last.pk - 1, reference="forged", reason="gift", at=now)
    said = "of ledger_transfer are not as they were sealed (2 rows instead of 1; first seal that differs: 2"
    assert said in faults()[0]


@pytest.mark.parametrize("change", ["changed", "deleted"])
def test_the_rows_and_the_first_seal_that_differ_are_named(sealed, wallets, now, change):
    for number in range(1, 5):
        gift(wallets, number, now)
        sealing.seal(now=now + timedelta(minutes=number))
    row = Entry.objects.filter(transfer__reference="gift:2", amount__gt=0)
    with unguarded():
        row.update(amount=11) if change == "changed" else row.delete()
    [fault] = faults()
    assert "of ledger_entry are not as they were sealed" in fault
    assert "first seal that differs: 3 of" in fault


@pytest.mark.smoke
def test_an_approval_is_sealed_as_it_was_asked_for_and_as_it_was_decided(north, south, now):
    approvals.register("history.test", lambda approval, by, now: None, roles=())
    made = [approvals.ask(what="history.test", words="Do it", payload={"n": n}, by=north, now=now) for n in range(2)]
    sealing.seal(now=now)
    decided = Approval.objects.filter(pk=made[0].pk)
    decided.update(verdict="refused", decided_at=now, decided_by=south)
    part = json.loads(sealing.seal(now=now).content)["tables"]["core_approval"]
    assert part["ended"] == [made[0].pk]
    assert HistoryState.objects.get().open["core_approval"] == [made[1].pk]
    Approval.objects.filter(pk=made[1].pk).update(until=now + timedelta(days=1))
    assert faults() == []
    with unguarded():
        decided.update(verdict="approved")
    assert faults()[0].startswith(f"row {made[0].pk} of core_approval is not as it was sealed at its end")
    with unguarded():
        decided.update(verdict="refused", payload={"n": 9})
    assert "of core_approval are not as they were sealed" in faults()[0]


def test_seals_that_were_made_anew_without_the_key_are_not_authentic(sealed, settings, wallets, now):
    settings.CARDROOM_HISTORY_KEY = "1:another-key-than-that-of-the-room"
    assert "was not made with the room's key" in faults()[0]
    settings.CARDROOM_HISTORY_KEY = "2:a-newer-key-of-the-room,1:only-for-tests-of-the-room"
    gift(wallets, 1, now)
    assert sealing.seal(now=now).mac.startswith("2:")
    assert faults() == []
    settings.CARDROOM_HISTORY_KEY = ""
    assert (faults(), "the room has not the key of 2 seals" in notes()) == ([], True)


def test_a_seal_that_is_changed_missing_or_cut_off_is_named(sealed, wallets, now):
    for number in range(1, 4):
        gift(wallets, number, now)
        sealing.seal(now=now)
    seals = HistorySeal.objects
    for change, fault in (
        (lambda: seals.filter(number=2).update(content="{}"), "is not the one that was made"),
        (lambda: seals.filter(number=2).delete(), "seal 2 is missing"),
        (lambda: seals.filter(number=4).delete(), "seals up to 4 were made, and the last one here is seal 3"),
    ):
        with transaction.atomic():
            with unguarded():
                kept = list(seals.order_by("number"))
                change()
            try:
                assert fault in faults()[0]
            finally:
                with unguarded():
                    seals.all().delete()
                    seals.bulk_create(kept)


def test_heads_outside_show_seals_that_were_all_made_anew(settings, tmp_path, wallets, now):
    settings.CARDROOM_HISTORY_HEADS = str(tmp_path / "heads")
    settings.CARDROOM_HISTORY_MAIL = "accountant@example.org"
    heads.take_out(sealing.seal(now=now), now=now)
    gift(wallets, 1, now)
    second = sealing.seal(now=now + timedelta(minutes=1))
    heads.take_out(second, now=now + timedelta(minutes=1))
    assert [number for number, _ in heads.known()] == [1, 2]
    assert faults() == []
    [letter] = mail.outbox  # once a day
    assert (letter.to, sealing.FIRST in letter.body) == (["accountant@example.org"], False)
    with unguarded():
        Transfer.objects.filter(reference="gift:1").update(reason="none")
        HistorySeal.objects.all().delete()
        HistoryState.objects.all().delete()
    sealing.seal(now=now + timedelta(minutes=2))  # by somebody who has the key
    assert faults() == ["seal 1, whose head lies outside, is not in this database"]
    assert faults(second.head) == [f"there is no seal {second.head}"]
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("audit", seal=second.head, stdout=out)
    assert "1 checks, 1 faults" in out.getvalue()


def test_what_is_new_is_sealed_bit_by_bit_and_the_state_is_made_anew(monkeypatch, wallets, now):
    for number in range(1, 8):
        gift(wallets, number, now)
    monkeypatch.setattr(sealing, "MOST_ROWS", 4)
    seals = []
    while (made := sealing.seal(now=now)) is not None:
        seals.append(json.loads(made.content)["is_complete"])
        HistoryState.objects.all().delete()
    assert len(seals) > 3
    assert not any(seals[:3])
    assert faults() == []


def test_what_the_room_takes_for_sealed_without_a_seal_is_named(sealed, wallets, now):
    moved = gift(wallets, 1, now)
    state = HistoryState.objects.get()
    HistoryState.objects.update(upto={**state.upto, "ledger_transfer": moved.pk})
    assert "what the room takes for sealed is not what the seals say" in faults()[0]


def test_an_export_is_checked_outside_by_a_head_and_with_the_key(sealed, wallets, now, tmp_path, settings):
    audit_log.note(verb="history.test", subject="room", by=None, now=now, text="tab\tand\nline, ü and \u2028")
    gift(wallets, 1, now)
    last, file = sealing.seal(now=now), tmp_path / "history"
    call_command("audit", export=str(file), stdout=io.StringIO())
    (tmp_path / "key").write_text(settings.CARDROOM_HISTORY_KEY)

    def outside(head: str) -> tuple[int, str]:
        order = [sys.executable, "-I", verifier.__file__, str(file), "--seal", head, "--key-file", tmp_path / "key"]
        run = subprocess.run(order, capture_output=True, text=True, check=False)
        return run.returncode, run.stdout

    assert outside(last.head) == (0, "history is as it was sealed\n")
    assert outside(sealed.head)[0] == 0
    assert outside("0" * 64)[0] == 1
    text = file.read_text()
    file.write_text(text.replace('"gift"', '"theft"'))
    assert "of ledger_transfer are not as seal 2 has them" in outside(last.head)[1]
    file.write_text("\n".join(line for line in text.split("\n") if "history.test" not in line))
    assert "of core_staffaction are not as seal 2 has them" in outside(last.head)[1]
    (tmp_path / "key").write_text(keys.fresh())
    file.write_text(text)
    assert "was not made with this key" in outside(last.head)[1]


def test_every_seal_of_an_export_is_read_once(sealed, now):
    file = io.StringIO()
    assert exporting.export(file, head=sealed.head) == 1
    assert list(verifier.faults(file.getvalue().splitlines(keepends=True), sealed.head)) == []


def test_the_check_of_a_deployment_asks_for_a_key_and_a_place_for_heads(settings):
    assert warnings.refuse_no_key() == []
    settings.CARDROOM_HISTORY_KEY = settings.CARDROOM_HISTORY_HEADS = settings.CARDROOM_HISTORY_MAIL = ""
    assert [each.id for each in (*warnings.refuse_no_key(), *warnings.tell_of_no_heads())] == [
        "cardroom.E011", "cardroom.W011",
    ]  # fmt: skip


@pytest.mark.parametrize("setting", ["short", "1:short", "x:a-text-that-is-long-enough", "1:a" * 9 + ",1:" + "a" * 20])
def test_a_setting_without_a_key_is_refused(setting):
    with pytest.raises(ValueError, match="a number of its own"):
        keys.parse_keys(setting)


# With transactions that commit late


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_commits_late_is_waited_for_and_is_no_fault(wallets):
    """Its row has a lower number than one that was there before it."""
    begun, may_commit = threading.Event(), threading.Event()

    def write_slowly() -> None:
        try:
            with transaction.atomic():
                audit_log.note(verb="history.late", subject="room", by=None, now=timezone.now())
                begun.set()
                assert may_commit.wait(60)
        finally:
            connections.close_all()

    writer = threading.Thread(target=write_slowly)
    writer.start()
    assert begun.wait(60)
    try:
        audit_log.note(verb="history.early", subject="room", by=None, now=timezone.now())
        first = sealing.seal(now=timezone.now(), patience=0)
        content = json.loads(first.content)
        assert ("core_staffaction" in content["tables"], content["is_complete"]) == (False, False)
        assert "ledger_transfer" in content["tables"]
    finally:
        may_commit.set()
        writer.join()
    tables = json.loads(sealing.seal(now=timezone.now()).content)["tables"]
    assert tables["core_staffaction"]["rows"] == 2
    assert list(StaffAction.objects.order_by("pk").values_list("verb", flat=True)) == ["history.late", "history.early"]
    assert faults() == []


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_that_seal_at_once_make_one_seal(wallets, now):
    with transaction.atomic():
        HistoryState.objects.get_or_create(pk=1)
    found = []

    def seal_too() -> None:
        try:
            found.append(sealing.seal(now=now))
        finally:
            connections.close_all()

    with transaction.atomic():
        HistoryState.objects.select_for_update().get()
        other = threading.Thread(target=seal_too)
        other.start()
        other.join()
    assert found == [None]
    assert connection.in_atomic_block is False
    assert sealing.seal(now=now).number == 1
