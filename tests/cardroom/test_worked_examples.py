"""The ledger as a bookkeeping textbook would show it: an event, its entries, and what everybody holds afterwards."""

import pytest

from cardroom.models import Transfer
from cardroom.services import audit, ledger, people, selectors


def entries(transfer: Transfer) -> dict[str, int]:
    return {str(entry.account): entry.amount for entry in transfer.entries.select_related("account__owner")}


@pytest.fixture(autouse=True)
def books_are_right_at_the_end():
    yield
    assert audit.check() == []


@pytest.fixture
def seated(north, south, now):
    """Both have signed up and bought in for 400."""
    stacks = {}
    for number, player in enumerate((north, south), 1):
        people.sign_up_bonus(user=player, now=now)
        stack = ledger.open_account(kind="stack", owner=player, label=f"table:1:seat:{number}")
        legs = [(ledger.wallet(player), -400), (stack, 400)]
        ledger.post(reference=f"buy-in:{number}", reason="buy-in", legs=legs, at=now, by=player)
        stacks[player.username] = stack
    return stacks


def test_a_hand_in_which_the_antes_are_split_moves_nothing_and_is_on_record(seated, now):
    hand = ledger.post(reference="hand:1", reason="hand 1", legs=[(seated["north"], 0), (seated["south"], 0)], at=now)

    assert entries(hand) == {}
    assert Transfer.objects.get(reference="hand:1") == hand


def test_a_mistake_is_corrected_by_a_reversal_that_says_who_and_why(seated, north, south, now):
    legs = [(seated["north"], -60), (seated["south"], +60)]
    hand = ledger.post(reference="hand:1", reason="hand 1", legs=legs, at=now)
    correction = ledger.reverse(transfer=hand, reason="the pot was pushed to the wrong seat", at=now, by=south)

    assert entries(correction) == {
        "stack of north table:1:seat:1 (cash)": +60,
        "stack of south table:1:seat:2 (cash)": -60,
    }
    assert (correction.reference, correction.by) == ("reversal:hand:1", south)
    assert Transfer.objects.filter(reference="hand:1").exists()


def test_a_tournament_is_bought_into_with_cash_and_played_with_its_own_chips(seated, north, now):
    """One transfer, two units, each adding up to nothing."""
    fees = ledger.open_account(kind="house", label="tournament:1")
    issue = ledger.open_account(kind="house", label="tournament:1", unit="tournament:1")
    stack = ledger.open_account(kind="stack", owner=north, label="entry:1", unit="tournament:1")
    legs = [(ledger.wallet(north), -100), (fees, +100), (issue, -1_500), (stack, +1_500)]
    ledger.post(reference="entry:1", reason="entry", legs=legs, at=now, by=north)

    assert ledger.balance(fees) == 100
    assert ledger.balance(stack) == 1_500


def test_a_statement_runs_from_the_newest_line_back(seated, north):
    lines = selectors.statement(north)

    assert [(line.reason, line.amount, line.balance) for line in lines] == [
        ("buy-in", -400, 9_600),
        ("welcome to the room", +10_000, 10_000),
    ]
    assert selectors.wallet_balance(north) == 9_600
