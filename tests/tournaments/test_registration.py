"""Entries: who may come in, what they pay, what they get back."""

from datetime import timedelta

import pytest

from cardroom.core.errors import Forbidden, Illegal, Invalid, NotEnoughChips, NotFound
from tests.support.events import START, Event, balance_of_label, order, wallet
from tests.support.models import Notice, Payment, TournamentEntry, Transfer, User
from tests.support.parts.cardroom import bans, core_audit, ledger, limits, people
from tests.support.parts.event_rules import AddOnTerms, Bust, Count, GoTo, KeepEntryOpen, RebuyTerms
from tests.support.parts.tournaments import buying, money, payouts, registration, registration_queries, tournaments
from tests.support.refusals import refused
from tests.support.tills import in_till


def fees():
    return balance_of_label("house", "fees"), balance_of_label("house", "staff")


@pytest.mark.smoke
def test_an_entry_is_paid_once_from_the_wallet_in_its_parts(event, ana, audited):
    poor = event.player("poor", chips=114)
    refused(NotEnoughChips, "holds 114 and this takes 115", event.enter, poor)
    assert (wallet(poor), event.row.entries_count, event.state.entries) == (114, 0, 0)
    assert not TournamentEntry.objects.exists()
    entry = event.enter(ana, key="k")
    assert event.enter(ana, key="k").pk == entry.pk
    refused(Illegal, "ana is in already, with entry 1", event.enter, ana)
    assert (entry.number, entry.name, entry.how, entry.state) == (1, "ana", "web", "in")
    assert (wallet(ana), event.pool(), fees()) == (885, 100, (10, 5))
    payment = Payment.objects.get(entry=entry)
    assert (payment.number, payment.what, payment.method) == (1, "entry", "wallet")
    assert (payment.total, payment.chips, payment.transfer.reference) == (115, 2000, f"entry:{event.pk}:1")
    assert (event.row.entries_count, event.row.players_left, event.row.pool) == (1, 1, 100)


def test_an_entry_that_came_after_the_event_was_read_stands_on_the_page_uncounted(event):
    event.enter("bob")
    later = TournamentEntry(number=2, name="ana")  # by another process: this one has not read of it
    found = registration_queries.with_counts(event.row, [*event.row.entries.all(), later])
    assert [(entry.name, entry.is_counted, entry.counted_at) for entry in found] == [
        *(("bob", True, None), ("ana", False, None))
    ]


def test_entry_is_open_from_registration_to_the_start(make_event, audited):
    event = make_event()
    assert refused(Illegal, "has not opened yet", event.enter).code == "not-open-yet"
    event.started(2)
    assert refused(Illegal, "closed", event.enter, "late").rule == "TDA 8"
    event.play(KeepEntryOpen(True))
    late = event.enter("later")
    assert (late.state, event.entry(late.number).table) == ("in", 1)


def test_an_online_event_is_entered_with_an_account_and_its_code(make_event, audited):
    event = make_event(conduct="online", entry_code="Kings Up").open()
    asked = {"tournament_id": event.pk, "now": event.now}
    refused(Illegal, "needs an account", registration.register, by=event.staff("cashier"), guest="Cy Young", **asked)
    refused(Forbidden, "Wrong entry code", event.enter, "ana", entry_code="queens up")
    assert event.row.entries_count == 0
    assert event.enter("bob", entry_code=" kings  up").number == 1
    bot = people.make_bot(name="Otter", personality="rock", now=event.now)
    entry = registration.register(by=None, player=bot, **asked)
    assert (entry.how, wallet(bot), event.pool()) == ("house", people.BOT_CHIPS, 200)
    assert User.objects.get(pk=bot.pk).is_bot


def test_the_desk_enters_guests_for_cash_under_names_of_their_own(event, audited):
    cashier = event.desk(money=0)
    desk = {"tournament_id": event.pk, "by": cashier, "now": event.now}
    entry, again = (registration.register(guest="Ana  Ruiz", key="g", **desk) for _ in range(2))
    guest = entry.player
    assert (entry.pk, entry.name, guest.has_usable_password()) == (again.pk, "Ana Ruiz", False)
    assert (guest.username, guest.get_full_name()) == ("Ana.Ruiz", "Ana Ruiz")
    assert (in_till(cashier), event.pool(), entry.payments.get().method) == (115, 100, "desk")
    assert registration.register(guest="Ana Ruiz of Leeds", **desk).player != guest
    for name, number in (("Ana Ruiz", 1), ("Ａna Ruiz", 3), ("ana  RUIZ", 4)):
        words = f"Ana Ruiz is in already, with entry {number}"
        assert refused(Illegal, words, registration.register, guest=name, **desk).code == "entered-already"
        registration.unregister(entrant=number, **desk)
        assert registration.register(guest=name, **desk).player == guest, "who was taken off comes in again"
    bob = event.player("bob")
    User.objects.filter(pk=bob.pk).update(first_name="Bob", last_name="Roe")
    event.enter(bob)
    refused(Illegal, "bob is in already", registration.register, guest="Bob Roe", **desk)


def test_a_guest_is_the_same_person_in_every_flight(make_event):
    final = make_event().open()
    players = []
    for flight in ("1A", "1B"):
        event = make_event(parent_id=final.pk, flight=flight).open()
        cashier = event.desk()
        entry = registration.register(tournament_id=event.pk, by=cashier, guest="Ana Ruiz", now=event.now)
        players.append(entry.player)
    assert players[0] == players[1]
    names = [people.make_guest(name="Bo Lund", now=START).username for _ in range(3)]
    assert names == ["Bo.Lund", "Bo.Lund.2", "Bo.Lund.3"]


def test_a_player_cannot_register_somebody_else_nor_claim_to_have_paid_cash(event, ana):
    asked = {"tournament_id": event.pk, "now": event.now}
    refused(Forbidden, registration.register, by=ana, player=event.player("bob"), **asked)
    refused(Forbidden, "the desk takes cash", event.enter, ana, method="desk")
    refused(Forbidden, registration.register, by=ana, guest="Bo", **asked)
    refused(Invalid, registration.register, by=event.director, **asked)


def test_an_entry_withdrawn_before_the_start_is_refunded(event, ana, audited):
    event.enter(ana)
    by_ana = {"tournament_id": event.pk, "by": ana, "now": event.now}
    entry = registration.unregister(**by_ana)
    assert (entry.state, wallet(ana), event.pool(), fees()) == ("withdrawn", 1000, 0, (0, 0))
    assert entry.payments.get().refund.reference == f"reversal:entry:{event.pk}:1"
    assert (event.row.entries_count, event.row.pool) == (0, 0)
    refused(NotFound, registration.unregister, **by_ana)
    assert event.enter(ana).number == 2
    limit = {"player": ana, "kind": "buy-in"}
    limits.request_limit(by=ana, kind="loss-day", amount=200, now=event.now)
    refused(Illegal, "85 of it are left", limits.check, amount=86, now=event.now, **limit)
    yesterday = event.now
    event.wait(days=1)
    registration.unregister(**by_ana | {"now": event.now})
    limits.check(amount=200, now=event.now, **limit)
    refused(Illegal, "200 of it are left", limits.check, amount=201, now=event.now, **limit)
    assert payouts.net_buy_in(ana, yesterday - timedelta(days=1)) == 0


@pytest.fixture
def banned(django_capture_on_commit_callbacks):
    """`banned(event, player, where=...)`: by a manager, with all that follows from it."""

    def ban(event, player, where="both"):
        by = {"reason": "cheating", "by": event.staff("manager"), "now": event.now}
        with django_capture_on_commit_callbacks(execute=True):
            return bans.ban(player=player, where=where, **by)

    return ban


@pytest.mark.parametrize("where", ["both", "room", "online"])
def test_who_is_banned_is_taken_out_of_what_has_not_started_and_refunded_once(make_event, banned, where, audited):
    room, online = make_event().open(), make_event(conduct="online").open()
    ana = room.player("ana")
    for event in (room, online):
        event.enter(ana)
        event.enter()
    bans.begin(ban_id=banned(room, ana, where=where).pk, now=room.now)
    goes = [event for event in (room, online) if where in ("both", event.row.conduct)]
    assert wallet(ana) == 1000 - 115 * (2 - len(goes))
    for event in (room, online):
        expected = ("withdrawn", 1) if event in goes else ("in", 2)
        assert (event.entry(1).state, event.row.entries_count) == expected
    assert Notice.objects.filter(player=ana, text__contains="removed from").count() == len(goes)


def test_a_banned_player_stays_where_they_play_and_a_failed_refund_is_told_once(make_event, banned):
    played, short, other = make_event().started(3), make_event().open(), make_event(name="The other").open()
    ana = played.entry(2).player
    for event in (short, other):
        event.enter(ana)
    legs = [(money.prizes(short.row), -100), (ledger.open_account(kind="house", label="fees"), 100)]
    ledger.post(reference="t:short", reason="a test", legs=legs, at=short.now)
    made = banned(short, ana)
    refused(Forbidden, bans.check_may_play, player=ana, now=short.now)
    assert bans.begin(ban_id=made.pk, now=short.now) is True
    states = (played.entry(2).state, short.entry(1).state, other.entry(1).state)
    assert (states, wallet(ana)) == (("in", "in", "withdrawn"), 1000 - 2 * 115)
    told = Notice.objects.filter(player=short.director)
    assert told.count() == 2
    assert "entry 2" in told.get(text__contains="was banned and plays in it").text
    assert "entry 1" in told.get(text__contains="was banned and stays in it (").text


def test_no_shows_are_refunded_and_the_pool_is_as_if_they_had_never_entered(make_event):
    event = make_event().started(4)
    TournamentEntry.objects.filter(tournament=event.pk, number=1).update(arrived_at=event.now)
    refused(Illegal, "was seen in their seat", registration.remove_no_shows, entrants=[1], **order(event))
    left = registration.remove_no_shows(entrants=[2, 3], **order(event))
    assert [entry.state for entry in left] == ["withdrawn", "withdrawn"]
    assert (event.pool(), event.row.pool, event.row.entries_count, event.row.players_left) == (200, 200, 2, 2)
    assert (core_audit.check(), event.entry(2).seat) == ([], None)


def test_alternates_take_free_seats_of_a_full_event_in_order(make_event, django_capture_on_commit_callbacks, audited):
    event = make_event(max_entrants=2).open()
    first, second, third, fourth = (event.enter() for _ in range(4))
    assert [entry.state for entry in (first, second, third, fourth)] == ["in", "in", "alternate", "alternate"]
    assert (event.row.alternates_count, event.row.players_left, event.row.pool) == (2, 2, 200)
    registration.unregister(tournament_id=event.pk, by=first.player, now=event.now)
    assert (event.entry(third.number).state, event.row.alternates_count, event.row.pool) == ("in", 1, 200)
    with django_capture_on_commit_callbacks(execute=True):
        bans.exclude_oneself(by=fourth.player, until=None, now=event.now)
    assert (event.entry(fourth.number).state, wallet(fourth.player)) == ("withdrawn", 1000)


def test_re_entry_is_a_new_entry_at_its_own_price(make_event, audited):
    price = {"entry": {"pool": 100, "fee": 10}, "re_entry": {"pool": 90, "fee": 5}}
    event = make_event(late_level=2, re_entries=1, price=price).started(5)
    ana = event.entry(1).player
    again = {"tournament_id": event.pk, "by": ana, "now": event.now}
    refused(Illegal, registration.re_enter, **again)
    event.play(Bust(((1, 2000),)))
    assert event.entry(1).state == "out"
    entry = registration.re_enter(**again, key="again")
    assert registration.re_enter(**again, key="again").pk == entry.pk
    assert (entry.number, entry.re_entry_of, entry.payments.get().what) == (6, 1, "re_entry")
    assert (wallet(ana), event.pool(), event.entry(1).state) == (795, 590, "out")
    event.play(Bust(((6, 2000),)))
    refused(Illegal, "re-entries", registration.re_enter, **again)


def test_rebuys_and_the_add_on_are_paid_and_counted(make_event, audited):
    price = {"entry": {"pool": 100}, "rebuy": {"pool": 50, "staff": 1}, "add_on": {"pool": 40}}
    event = make_event(
        rebuy=RebuyTerms(1500, most=1, until_level=2, at_most_stack=2000), add_on=AddOnTerms(3000), price=price
    )
    ana = event.started(2).entry(1).player
    by_ana = {"tournament_id": event.pk, "by": ana, "now": event.now}
    rebought = buying.rebuy(**by_ana, key="r")
    assert buying.rebuy(**by_ana, key="r").pk == rebought.pk
    assert (rebought.chips, rebought.number, event.entry(1).chips) == (1500, 3, 3500)
    assert (wallet(ana), event.pool()) == (849, 250)
    refused(Illegal, "rebuys", buying.rebuy, **by_ana)
    event.play(Count(2, 1800))
    cashier = event.desk(money=0)
    buying.rebuy(entrant=2, stack=400, **order(event, by=cashier))
    assert (event.entry(2).chips, event.entry(2).rebuys, in_till(cashier)) == (1900, 1, 51)
    refused(Illegal, "break 1", buying.add_on, **by_ana)
    event.play(GoTo(2))
    buying.add_on(**by_ana)
    assert (event.entry(1).chips, event.entry(1).add_ons, event.pool(), event.row.pool) == (6500, 1, 340, 340)
    assert event.entry(1).pending == []


def test_a_price_changed_later_does_not_affect_players_who_paid(event, ana, audited):
    event.enter(ana)
    tournaments.edit(price={"entry": {"pool": 300}}, **order(event))
    event.enter("bob")
    assert event.pool() == 400
    registration.unregister(tournament_id=event.pk, by=ana, now=event.now)
    assert (wallet(ana), event.pool()) == (1000, 300)
    transfers = Transfer.objects.count()
    free = Event(price={}).open()
    payment = free.enter(ana).payments.get()
    assert (payment.method, payment.total, payment.transfer) == ("free", 0, None)
    registration.unregister(tournament_id=free.pk, by=ana, now=free.now)
    assert Transfer.objects.count() == transfers
