"""Ways to serve oneself at the cage, and in the books of the room, that lead nowhere."""

import pytest

from cardroom.cage import corrections, drawers, slips, vault
from cardroom.core.errors import Conflict, Forbidden, Invalid
from tests.cardroom.cage_desk import person
from tests.support.models import Slip, User
from tests.support.parts.cardroom import accounts, approvals, bans, blacklist, cage_books, ledger
from tests.support.refusals import refused


def wallet(player: User) -> int:
    return ledger.balance(ledger.wallet(player))


def test_nobody_of_the_cage_transfers_chips_to_himself(desk):
    slips.deposit(player=desk.pia, amount=500, by=desk.cay, now=desk.now)
    for by in (desk.mia, desk.cay):
        with pytest.raises(Invalid, match="own cashier"):
            corrections.request(
                verb="transfer", player=desk.pia, to=by, amount=500, by=by, now=desk.now, reason="a gift"
            )
    assert wallet(desk.pia) == 500


@pytest.mark.parametrize("verb", ["comp", "transfer", "reversal"])
def test_nobody_decides_what_is_about_himself_as_a_player(desk, verb, audited):
    slips.deposit(player=desk.pia, amount=8_000, by=desk.cay, now=desk.now)
    said = {"by": desk.cay, "now": desk.now, "reason": "he asked for it"}
    if verb == "comp":
        asked = corrections.request(verb="comp", player=desk.mia, amount=1_000, in_chips=True, **said)
    else:
        asked = corrections.request(verb="transfer", player=desk.pia, to=desk.mia, amount=6_000, **said)
    if verb == "reversal":
        approvals.decide(approval_id=asked.pk, by=desk.max, approve=True, now=desk.now)
        asked = corrections.request(verb="reversal", slip_id=Slip.objects.get(kind="transfer").pk, **said)
    before = wallet(desk.mia)
    with pytest.raises(Forbidden, match="the player concerned"):
        approvals.decide(approval_id=asked.pk, by=desk.mia, approve=True, now=desk.now)
    assert wallet(desk.mia) == before
    approvals.decide(approval_id=asked.pk, by=desk.max, approve=True, now=desk.now)
    assert wallet(desk.mia) != before


def test_what_a_manager_brought_to_the_vault_no_cashier_takes_back(desk, audited):
    slip = vault.vault(amount=100, by=desk.mia, now=desk.now, reason="from the bank")
    refused(Forbidden, corrections.reverse, slip_id=slip.pk, reason="a mistake", by=desk.cay, now=desk.now)
    corrections.reverse(slip_id=slip.pk, reason="a mistake", by=desk.max, now=desk.now)


def test_a_manager_does_not_lift_a_ban_of_his_own(desk):
    ban = bans.ban(player=desk.mia, reason="fighting", by=desk.max, where="room", now=desk.now)
    refused(Forbidden, "another manager", bans.lift, ban_id=ban.pk, by=desk.mia, reason="it was nothing", now=desk.now)
    bans.lift(ban_id=ban.pk, by=desk.max, reason="it was nothing", now=desk.now)


def test_nobody_gets_into_a_managers_account_by_giving_it_an_address_of_his(desk):
    operator = person("opal")
    User.objects.filter(pk=operator.pk).update(is_superuser=True)
    operator.refresh_from_db()
    for other in (operator, desk.max, person("aud", "auditor")):
        with pytest.raises(Forbidden, match="their own e-mail address"):
            accounts.edit(user=other, by=desk.mia, now=desk.now, email="mia@example.org")
        accounts.edit(user=other, by=desk.mia, now=desk.now, first_name="Oliver")
    accounts.edit(user=desk.pia, by=desk.mia, now=desk.now, email="pia@example.org")


def test_an_address_written_the_new_way_is_on_the_blacklist_as_well(desk):
    blacklist.add(kind="network", value="192.0.2.0/24", reason="spam", by=desk.mia, now=desk.now)
    for address in ("192.0.2.7", "::ffff:192.0.2.7"):
        refused(Forbidden, blacklist.check, now=desk.now, address=address)
    blacklist.check(now=desk.now, address="2001:db8::7")


def test_a_drawer_is_opened_with_the_difference_that_was_approved_and_no_other(desk, audited):
    drawers.close_drawer(counted=10_000, by=desk.cay, now=desk.now)
    said = {"drawer_id": desk.drawer.pk, "now": desk.now}
    asked = corrections.request(verb="open", counted=9_000, by=desk.cal, reason="a bundle is missing", **said)
    drawers.open_drawer(counted=10_000, by=desk.cay, **said)
    drawers.close_drawer(counted=10_000, left_in=2_000, by=desk.cay, now=desk.now)
    refused(Conflict, "count it again", approvals.decide, approval_id=asked.pk, by=desk.mia, approve=True, now=desk.now)
    assert ledger.balance(cage_books.drawer_account(desk.drawer)) == 2_000
