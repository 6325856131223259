"""Entries: who may come in, what he pays, what he gets back."""

from datetime import timedelta

import pytest

from cardroom.core.errors import Forbidden, Illegal, Invalid, NotEnoughChips, NotFound
from tests.support.events import START, held, wallet
from tests.support.models import Notice, Payment, TournamentEntry, Transfer, User
from tests.support.parts.cardroom import bans, core_audit, ledger, limits, people
from tests.support.parts.event_rules import AddOn, Bust, Count, GoTo, KeepEntryOpen, Rebuy
from tests.support.parts.tournaments import buying, payouts, registration, tournaments
from tests.support.refusals import refused


def fees():
    return held("house", "fees"), held("house", "staff")


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
    assert (payment.number, payment.what, payment.method, payment.total, payment.chips) == (
        1, "entry", "wallet", 115, 2000,
    )  # fmt: skip
    assert payment.transfer.reference == f"entry:{event.pk}:1"
    assert (event.row.entries_count, event.row.players_left, event.row.pool) == (1, 1, 100)


def test_entry_opens_with_registration_and_closes_at_the_start_unless_the_director_keeps_it_open(make_event, audited):
    event = make_event()
    assert refused(Illegal, "has not opened yet", event.enter).code == "not-open-yet"
    event.started(2)
    assert refused(Illegal, "closed", event.enter, "late").rule == "TDA 8"
    event.play(KeepEntryOpen(True))
    late = event.enter("later")
    assert (late.state, event.entry(late.number).table) == ("in", 1)


def test_an_entry_with_a_code_asks_for_it(make_event):
    event = make_event(entry_code="Kings Up").open()
    refused(Forbidden, "Wrong entry code", event.enter, "ana", entry_code="queens up")
    assert event.enter("bob", entry_code=" kings  up").number == 1


def test_the_desk_takes_cash_for_a_guest_by_his_name(event, audited):
    cashier = event.staff("cashier")
    entry = registration.register(tournament_id=event.pk, by=cashier, guest="Ana  Ruiz", key="g", now=event.now)
    again = registration.register(tournament_id=event.pk, by=cashier, guest="Ana  Ruiz", key="g", now=event.now)
    assert entry.pk == again.pk
    guest = entry.player
    assert (entry.name, guest.username, guest.get_full_name(), guest.has_usable_password()) == (
        "Ana Ruiz", "Ana.Ruiz", "Ana Ruiz", False,
    )  # fmt: skip
    assert (held("house", "cash desk"), event.pool(), entry.payments.get().method) == (-115, 100, "desk")


def test_nobody_enters_an_online_event_without_an_account(make_event):
    event = make_event(conduct="online").open()
    with pytest.raises(Illegal, match="needs an account"):
        registration.register(tournament_id=event.pk, by=event.staff("cashier"), guest="Cy Young", now=event.now)
    assert event.row.entries_count == 0


@pytest.mark.parametrize("name", ["Ana Ruiz", "ana  RUIZ", "Ａna Ruiz"])
def test_within_an_event_a_name_is_one_guest(event, name):
    desk = {"tournament_id": event.pk, "by": event.staff("cashier"), "now": event.now}
    first = registration.register(guest="Ana Ruiz", **desk)
    refusal = refused(Illegal, "Ana Ruiz is in already, with entry 1", registration.register, guest=name, **desk)
    assert refusal.code == "entered-already"
    assert registration.register(guest="Ana Ruiz of Leeds", **desk).player != first.player
    registration.unregister(entrant=1, **desk)
    assert registration.register(guest=name, **desk).player == first.player, "who was taken off comes in again"


def test_a_member_is_not_taken_in_as_a_guest_by_the_name_the_room_knows(event):
    desk = {"tournament_id": event.pk, "by": event.staff("cashier"), "now": event.now}
    ana = event.player("ana")
    User.objects.filter(pk=ana.pk).update(first_name="Ana", last_name="Ruiz")
    event.enter(ana)
    refused(Illegal, "ana is in already", registration.register, guest="Ana Ruiz", **desk)


def test_a_guest_is_the_same_person_in_every_flight(make_event):
    final = make_event().open()
    players = []
    for flight in ("1A", "1B"):
        event = make_event(parent_id=final.pk, flight=flight).open()
        cashier = event.staff("cashier")
        entry = registration.register(tournament_id=event.pk, by=cashier, guest="Ana Ruiz", now=event.now)
        players.append(entry.player)
    assert players[0] == players[1]


def test_two_guests_of_one_name_are_two_people(db):
    names = [people.make_guest(name="Ana Ruiz", now=START).username for _ in range(3)]
    assert names == ["Ana.Ruiz", "Ana.Ruiz.2", "Ana.Ruiz.3"]


def test_a_player_cannot_register_somebody_else_nor_say_that_he_paid_cash(event):
    ana, bob = event.player("ana"), event.player("bob")
    refused(Forbidden, registration.register, tournament_id=event.pk, by=ana, player=bob, now=event.now)
    refused(Forbidden, "the desk takes cash", event.enter, ana, method="desk")
    refused(Forbidden, registration.register, tournament_id=event.pk, by=ana, guest="Bo", now=event.now)
    refused(Invalid, registration.register, tournament_id=event.pk, by=event.director, now=event.now)


def test_an_entry_taken_back_before_the_start_is_refunded_to_the_last_chip(event, ana, audited):
    event.enter(ana)
    entry = registration.unregister(tournament_id=event.pk, by=ana, now=event.now)
    assert (entry.state, wallet(ana), event.pool(), fees()) == ("withdrawn", 1000, 0, (0, 0))
    assert entry.payments.get().refund.reference == f"reversal:entry:{event.pk}:1"
    assert (event.row.entries_count, event.row.pool) == (0, 0)
    refused(NotFound, registration.unregister, tournament_id=event.pk, by=ana, now=event.now)
    assert event.enter(ana).number == 2


def test_what_was_paid_the_day_before_and_comes_back_is_no_win(event, ana):
    event.enter(ana)
    limits.wish(player=ana, kind="loss-day", amount=200, now=event.now)
    refused(Illegal, "85 of it are left", limits.check, player=ana, kind="buy-in", amount=86, now=event.now)
    yesterday, event.now = event.now, event.now + timedelta(days=1)
    registration.unregister(tournament_id=event.pk, by=ana, now=event.now)
    limits.check(player=ana, kind="buy-in", amount=200, now=event.now)
    refused(Illegal, "200 of it are left", limits.check, player=ana, kind="buy-in", amount=201, now=event.now)
    assert payouts.net_buy_in(ana, yesterday - timedelta(days=1)) == 0


@pytest.fixture
def banned(make_event, django_capture_on_commit_callbacks):
    """`banned(player, where=...)`: by a manager, with all that follows from it."""

    def ban(event, player, **more):
        with django_capture_on_commit_callbacks(execute=True):
            return bans.ban(
                player=player, reason="cheating", by=event.staff("manager"), now=event.now, **{"where": "both"} | more
            )

    return ban


@pytest.mark.parametrize("where", ["both", "room", "online"])
def test_who_is_banned_is_taken_out_of_what_has_not_started_and_refunded_once(make_event, banned, where, audited):
    room, online = make_event().open(), make_event(conduct="online").open()
    ana = room.player("ana")
    for event in (room, online):
        event.enter(ana)
        event.enter()
    made = banned(room, ana, where=where)
    bans.begin(ban_id=made.pk, now=room.now)

    goes = [event for event in (room, online) if where in ("both", event.row.conduct)]
    assert wallet(ana) == 1000 - 115 * (2 - len(goes))
    for event in (room, online):
        assert event.entry(1).state == ("withdrawn" if event in goes else "in")
        assert event.row.entries_count == (1 if event in goes else 2)
    assert Notice.objects.filter(player=ana, text__contains="removed from").count() == len(goes)


def test_who_is_banned_and_plays_goes_on_and_the_directors_are_told_once(make_event, banned):
    event = make_event().started(3)
    player = event.entry(2).player
    refused(Forbidden, lambda: bans.check_may_play(player=banned(event, player).player, now=event.now))
    bans.begin(ban_id=player.bans.get().pk, now=event.now)

    assert (event.entry(2).state, wallet(player)) == ("in", 885)
    told = Notice.objects.get(player=event.director)
    assert "entry 2" in told.text
    assert "was banned and plays in it" in told.text


def test_a_refund_that_fails_keeps_nobody_in_the_other_events_and_the_directors_are_told(make_event, banned):
    short, other = make_event().open(), make_event(name="The other").open()
    ana = short.player("ana")
    for event in (short, other):
        event.enter(ana)
    prizes, elsewhere = (
        ledger.open_account(kind=kind, label=label)
        for kind, label in (("pool", f"tournament:{short.pk}:prizes"), ("house", "fees"))
    )
    legs = [(prizes, -100), (elsewhere, 100)]
    ledger.post(reference="t:short", reason="a test", legs=legs, at=short.now)
    made = banned(short, ana)

    assert bans.begin(ban_id=made.pk, now=short.now) is True
    assert (short.entry(1).state, other.entry(1).state, wallet(ana)) == ("in", "withdrawn", 885)
    told = Notice.objects.get(player=short.director)
    assert "entry 1" in told.text
    assert "was banned and stays in it (" in told.text


def test_no_shows_are_refunded_and_the_pool_is_as_if_they_had_never_entered(make_event):
    event = make_event().started(4)
    TournamentEntry.objects.filter(tournament=event.pk, number=1).update(arrived_at=event.now)
    with pytest.raises(Illegal, match="was seen in their seat"):
        registration.remove_no_shows(tournament_id=event.pk, entrants=[1], by=event.director, now=event.now)
    left = registration.remove_no_shows(tournament_id=event.pk, entrants=[2, 3], by=event.director, now=event.now)
    assert [entry.state for entry in left] == ["withdrawn", "withdrawn"]
    assert (event.pool(), event.row.pool, event.row.entries_count, event.row.players_left) == (200, 200, 2, 2)
    assert (core_audit.check(), event.entry(2).seat) == ([], None)


def test_when_the_event_is_full_people_wait_in_order_and_take_the_seats_that_come_free(
    make_event, django_capture_on_commit_callbacks, audited
):
    event = make_event(max_entrants=2).open()
    first, second, third, fourth = (event.enter() for _ in range(4))
    assert [entry.state for entry in (first, second, third, fourth)] == ["in", "in", "alternate", "alternate"]
    assert (event.row.alternates_count, event.row.players_left, event.row.pool) == (2, 2, 200)
    registration.unregister(tournament_id=event.pk, by=first.player, now=event.now)
    assert (event.entry(third.number).state, event.row.alternates_count, event.row.pool) == ("in", 1, 200)
    with django_capture_on_commit_callbacks(execute=True):
        bans.exclude_oneself(player=fourth.player, until=None, now=event.now)
    assert (event.entry(fourth.number).state, wallet(fourth.player)) == ("withdrawn", 1000)


def test_re_entry_is_a_new_entry_at_its_own_price(make_event, audited):
    price = {"entry": {"pool": 100, "fee": 10}, "re_entry": {"pool": 90, "fee": 5}}
    event = make_event(late_level=2, re_entries=1, price=price).open()
    ana = event.player("ana")
    event.enter(ana)
    event.started(4)
    refused(Illegal, registration.re_enter, tournament_id=event.pk, by=ana, now=event.now)
    event.play(Bust(((1, 2000),)))
    assert event.entry(1).state == "out"
    entry = registration.re_enter(tournament_id=event.pk, by=ana, now=event.now, key="again")
    assert registration.re_enter(tournament_id=event.pk, by=ana, now=event.now, key="again").pk == entry.pk
    assert (entry.number, entry.re_entry_of, entry.payments.get().what) == (6, 1, "re_entry")
    assert (wallet(ana), event.pool(), event.entry(1).state) == (795, 590, "out")
    event.play(Bust(((6, 2000),)))
    refused(Illegal, "re-entries", registration.re_enter, tournament_id=event.pk, by=ana, now=event.now)


def test_rebuys_and_the_add_on_are_paid_and_counted(make_event, audited):
    price = {"entry": {"pool": 100}, "rebuy": {"pool": 50, "staff": 1}, "add_on": {"pool": 40}}
    event = make_event(rebuy=Rebuy(1500, most=1, until_level=2, at_most_stack=2000), add_on=AddOn(3000), price=price)
    event.started(2)
    ana = event.entry(1).player
    rebought = buying.rebuy(tournament_id=event.pk, by=ana, now=event.now, key="r")
    assert buying.rebuy(tournament_id=event.pk, by=ana, now=event.now, key="r").pk == rebought.pk
    assert (rebought.chips, rebought.number, wallet(ana), event.pool(), event.entry(1).chips) == (
        1500, 3, 849, 250, 3500,
    )  # fmt: skip
    refused(Illegal, "rebuys", buying.rebuy, tournament_id=event.pk, by=ana, now=event.now)
    event.play(Count(2, 1800))
    buying.rebuy(tournament_id=event.pk, by=event.director, entrant=2, stack=400, now=event.now)
    assert (event.entry(2).chips, event.entry(2).rebuys, held("house", "cash desk")) == (1900, 1, -51)
    refused(Illegal, "break 1", buying.add_on, tournament_id=event.pk, by=ana, now=event.now)
    event.play(GoTo(2))
    buying.add_on(tournament_id=event.pk, by=ana, now=event.now)
    assert (event.entry(1).chips, event.entry(1).add_ons, event.pool(), event.row.pool) == (6500, 1, 340, 340)
    assert event.entry(1).pending == []


def test_a_freeroll_moves_no_money_and_gives_receipts_all_the_same(make_event, audited):
    event = make_event(price={}).open()
    entry = event.enter("ana")
    payment = entry.payments.get()
    assert (payment.method, payment.total, payment.transfer) == ("free", 0, None)
    assert not Transfer.objects.filter(reference__startswith="entry:").exists()
    registration.unregister(tournament_id=event.pk, by=entry.player, now=event.now)


def test_a_price_changed_later_leaves_those_who_paid_alone(event):
    ana = event.enter("ana")
    tournaments.edit(tournament_id=event.pk, by=event.director, now=event.now, price={"entry": {"pool": 300}})
    event.enter("bob")
    assert event.pool() == 400
    registration.unregister(tournament_id=event.pk, by=ana.player, now=event.now)
    assert (wallet(ana.player), event.pool()) == (1000, 300)


def test_bots_are_paid_for_by_the_house(make_event, audited):
    event = make_event(conduct="online").open()
    bot = people.make_bot(name="Otter", personality="rock", now=event.now)
    entry = registration.register(tournament_id=event.pk, by=None, player=bot, now=event.now)
    assert (entry.how, wallet(bot), event.pool()) == ("house", people.BOT_CHIPS, 100)
    assert User.objects.get(pk=bot.pk).is_bot
