"""Members and cards, visits, bans, limits, notes, the blacklist, accounts."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import IntegrityError, transaction

from cardroom.accounts import accounts, bans, blacklist, members, notes, roles, sessions, tokens, visits
from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotEnoughChips, NotFound
from games.waitlists.host import CashGames
from tests.support.leave import leave
from tests.support.models import Ban, Member, PlayerCard, StaffAction, User, Visit
from tests.support.offers import staff
from tests.support.parts.cardroom import alarms, corrections, ledger, limits
from tests.support.refusals import refused

DAY = timedelta(days=1)


@pytest.fixture
def registered(north, now):
    card = members.register(player=north, by=staff("cashier"), now=now, name="Nora North", phone="+49 170 123-4567")
    return card.member


def verbs() -> list[str]:
    return list(StaffAction.objects.order_by("pk").values_list("verb", flat=True))


def test_a_member_number_finds_a_wrong_digit_and_two_digits_changed_about():
    number = members.with_check_digit("0000042")
    assert members.is_checked(number)
    for place in range(len(number)):
        wrong = number[:place] + str((int(number[place]) + 3) % 10) + number[place + 1 :]
        assert not members.is_checked(wrong)
    assert not members.is_checked(number[:-3] + number[-2] + number[-3] + number[-1])


def test_a_player_is_found_by_number_barcode_name_and_phone_and_keeps_the_number(registered, north, south, now):
    card = registered.cards.get()
    for words in (registered.number, card.barcode, "nora n", "NOR", "0170 123 4567", "1234567"):
        assert members.find(words) == [north], words
    assert (members.find(""), members.find("nobody at all")) == ([], [])
    again = members.register(player=north, by=staff("floor"), now=now + DAY, name="Nora N. North")
    assert (again.member.number, PlayerCard.objects.count()) == (registered.number, 1)
    assert (Member.objects.get().name, verbs()) == ("Nora N. North", ["card.register", "card.edit"])


def test_a_new_card_makes_the_old_one_good_for_nothing_and_it_says_so(registered, north, south, now):
    old = registered.cards.get()
    new = members.issue(player=north, by=staff("cashier"), now=now + DAY, was="lost")
    assert members.by_barcode(new.barcode) == north
    refused(Illegal, "lost on 06 January 2030", members.find, old.barcode)
    assert registered.cards.count() == 2
    refused(Forbidden, members.report_lost, player=north, by=south, now=now + DAY)
    assert members.report_lost(player=north, by=north, now=now + DAY).ended_as == "lost"


def test_nobody_under_age_becomes_a_member(north, now, settings):
    said = {"player": north, "by": staff("floor"), "now": now, "name": "Nora", "born_on": date(2012, 1, 6)}
    refused(Illegal, "at least 18", members.register, **said)
    settings.CARDROOM_MINIMUM_AGE = 0
    members.register(**said)


def test_a_visit_goes_on_until_the_player_who_has_no_seat_any_more_checks_out(registered, north, now, monkeypatch):
    floor = staff("floor")
    visit = visits.check_in(player=members.by_barcode(registered.cards.get().barcode), way="kiosk", by=None, now=now)
    assert (visit.way, visit.where) == ("kiosk", "room")
    assert visits.check_in(player=north, by=floor, now=now + DAY) == visit
    assert [v.player for v in visits.here_now()] == [north]
    with monkeypatch.context() as patch:
        patch.setattr(CashGames, "seat_in_room", lambda self, player: "Larch, seat 3")
        refused(Conflict, "Larch, seat 3", visits.check_out, player=north, by=north, now=now)
    assert visits.check_out(player=north, by=floor, now=now + DAY).went_at == now + DAY
    assert not visits.here_now()
    refused(NotFound, visits.check_out, player=north, by=floor, now=now + DAY)


def test_a_ban_holds_for_its_place_and_time(north, now):
    floor = staff("floor")
    refused(Forbidden, "ask a manager", bans.ban, player=north, reason="Threw a glass", by=floor, now=now)
    bans.ban(player=north, reason="Threw a glass", by=floor, now=now, where="room", until=now + DAY)
    until = "until 6 January 2030, 20:00 UTC: Threw a glass"
    refused(Forbidden, until, bans.check_may_play, player=north, now=now, where="room")
    bans.check_may_play(player=north, now=now, where="online")
    bans.check_may_play(player=north, now=now + DAY, where="room")
    refused(Forbidden, visits.check_in, player=north, by=floor, now=now)
    assert verbs() == ["standing.ban"]


def test_nobody_lifts_a_break_that_a_player_chose_for_a_day_to_five_years(north, now):
    for until in (timedelta(hours=3), timedelta(days=3000)):
        refused(Invalid, bans.exclude_oneself, by=north, until=now + until, now=now)
    own = bans.exclude_oneself(by=north, until=now + 30 * DAY, now=now)
    asked = {"by": staff("manager"), "reason": "He asked nicely", "now": now}
    refused(Illegal, "nobody can lift this", bans.lift, ban_id=own.pk, **asked)
    with pytest.raises(IntegrityError), transaction.atomic():
        Ban.objects.filter(pk=own.pk).update(lifted_at=now)
    refused(Forbidden, "cannot be undone", bans.check_may_log_in, player=north, now=now + 29 * DAY)
    bans.check_may_log_in(player=north, now=now + 30 * DAY)


def test_a_lifted_ban_keeps_nobody_out_and_a_manager_does_not_lift_their_own(north, now):
    manager, other = staff("manager"), staff("manager", "max")
    own = bans.ban(player=other, reason="Fighting", by=manager, where="room", now=now)
    refused(Forbidden, "another manager", bans.lift, ban_id=own.pk, by=other, reason="It was nothing", now=now)
    made = bans.ban(player=north, reason="Drunk", by=manager, now=now)
    bans.lift(ban_id=made.pk, by=manager, reason="It was his brother", now=now)
    bans.check_may_play(player=north, now=now)
    refused(Conflict, bans.lift, ban_id=made.pk, by=manager, reason="Once more", now=now)
    assert verbs() == ["standing.ban", "standing.ban", "standing.lift"]


def test_an_online_ban_ends_sessions_and_keys_and_tells_the_apps(
    north, now, client, django_capture_on_commit_callbacks, monkeypatch
):
    client.force_login(north, backend="django.contrib.auth.backends.ModelBackend")
    token, _ = tokens.issue(by=north, name="notebook", scopes=["read"], now=datetime.now(UTC))
    assert north.sessions.count() == 1
    told = []
    monkeypatch.setattr(bans.banned, "receivers", [])
    bans.banned.connect(lambda sender, player, **_: told.append(player), weak=False)
    with django_capture_on_commit_callbacks(execute=True):
        bans.ban(player=north, reason="Collusion", by=staff("manager"), now=now)
    assert not north.sessions.exists()
    assert not tokens.is_good(token.pk, now=datetime.now(UTC))
    assert told == [north]
    assert not Visit.objects.filter(player=north, went_at=None).exists()


def test_a_ban_whose_receiver_failed_rings_again(north, now, monkeypatch, django_capture_on_commit_callbacks):
    monkeypatch.setattr(bans.banned, "receivers", [])
    times = []

    def fails_once(sender, **_):
        times.append(1)
        if len(times) == 1:
            raise RuntimeError

    bans.banned.connect(fails_once, weak=False)
    with django_capture_on_commit_callbacks(execute=True):
        made = bans.ban(player=north, reason="Collusion", by=staff("manager"), now=now)
    assert [alarm.key for alarm in alarms.claim_due(now=now) if alarm.kind == bans.ALARM] == [str(made.pk)]
    assert bans.begin(ban_id=made.pk, now=now)
    assert not [alarm for alarm in alarms.claim_due(now=now + DAY) if alarm.kind == bans.ALARM]


def deposit(user, chips: int, at: datetime) -> None:
    house = ledger.open_account(kind="house", label="chips")
    legs = [(house, -chips), (ledger.wallet(user), chips)]
    ledger.post(reference=f"deposit:{user.pk}", reason="deposit", legs=legs, at=at, passage=leave(chips))


@pytest.mark.parametrize(("period", "begins"), [("day", (1, 6)), ("week", (1, 7)), ("month", (2, 1))])
def test_a_limit_on_deposits_counts_those_of_its_period(north, now, period, begins):
    limits.request_limit(by=north, kind=f"deposit-{period}", amount=500, now=now)
    deposit(north, 400, now)
    begins = datetime(2030, *begins, tzinfo=UTC)
    asked = {"player": north, "kind": "deposit", "now": begins - timedelta(seconds=1)}
    limits.check(amount=100, **asked)
    assert refused(Illegal, "100 of it are left", limits.check, amount=101, **asked).rule
    limits.check(amount=500, **asked | {"now": begins})


def test_a_stricter_limit_counts_at_once_and_a_looser_one_after_a_day(north, now):
    for kind, amount in (("time-day", 9), ("reminder", 1441), ("deposit-day", 0), ("none", 5)):
        refused(Invalid, limits.request_limit, by=north, kind=kind, amount=amount, now=now)
    limits.request_limit(by=north, kind="deposit-day", amount=500, now=now)
    limits.request_limit(by=north, kind="deposit-day", amount=100, now=now)
    refused(Illegal, limits.check, player=north, kind="deposit", amount=101, now=now)
    assert limits.request_limit(by=north, kind="deposit-day", amount=1000, now=now).counts_from == now + DAY
    refused(Illegal, limits.check, player=north, kind="deposit", amount=101, now=now + DAY - timedelta(seconds=1))
    limits.check(player=north, kind="deposit", amount=1000, now=now + DAY)


def test_a_looser_limit_is_cancelled_until_it_counts(north, south, now):
    limits.request_limit(by=north, kind="loss-day", amount=100, now=now)
    none = limits.request_limit(by=north, kind="loss-day", amount=None, now=now)
    refused(NotFound, limits.cancel, by=south, change_id=none.pk, now=now)
    limits.cancel(by=north, change_id=none.pk, now=now)
    limits.cancel(by=north, change_id=none.pk, now=now)
    refused(Illegal, limits.check, player=north, kind="buy-in", amount=101, now=now + 3 * DAY)


def test_what_lies_on_a_table_and_may_be_lost_counts_as_losses_do(north, now):
    deposit(north, 1000, now)
    limits.request_limit(by=north, kind="loss-day", amount=300, now=now)
    stack = ledger.open_account(kind="stack", owner=north, label="table:1:seat:1")
    other = ledger.open_account(kind="pool", label="others")
    ledger.post(reference="buy-in:1", reason="buy-in", legs=[(ledger.wallet(north), -200), (stack, 200)], at=now)
    limits.check(player=north, kind="buy-in", amount=100, now=now)
    ledger.post(reference="hand:1", reason="hand 1", legs=[(stack, -150), (other, 150)], at=now)
    refused(Illegal, "100 of it are left", limits.check, player=north, kind="buy-in", amount=101, now=now)
    ledger.post(reference="hand:2", reason="hand 2", legs=[(stack, 150), (other, -150)], at=now)
    ledger.post(reference="cash-out:1", reason="cash", legs=[(ledger.wallet(north), 200), (stack, -200)], at=now)
    limits.check(player=north, kind="buy-in", amount=300, now=now)


def test_a_limit_of_time_counts_what_the_games_say(north, now, monkeypatch):
    def played(self, players, spans):
        return {each: [60 for _ in spans] for each in players}

    monkeypatch.setattr(CashGames, "minutes_played", played)
    limits.request_limit(by=north, kind="time-day", amount=60, now=now)
    refused(Illegal, "minutes of play", limits.check, player=north, kind="time", now=now)
    assert limits.minutes_left(north, now=now) == 0


def test_a_note_is_put_away_by_its_author_or_a_manager_and_kept(north, now):
    manager = staff("manager")
    note = notes.write(player=north, text="  Angle shooter ", by=staff("floor"), now=now, flag="watch")
    assert note.text == "Angle shooter"
    refused(Forbidden, notes.remove, note_id=note.pk, by=staff("cashier"), now=now)
    notes.remove(note_id=note.pk, by=manager, now=now)
    assert notes.about(north) == []
    note.refresh_from_db()
    assert note.removed_by == manager


@pytest.mark.parametrize(("kind", "value", "asked"), [
    ("network", "192.0.2.77/24", {"address": "192.0.2.1"}),
    ("network", "2001:db8::/32", {"address": "2001:db8::1"}), ("email", "@Example.org", {"email": "a@example.org"}),
    ("email", "b@example.org", {"email": "B@example.org"}), ("name", "Spam*", {"name": "spammer"}),
    ("name", "troll", {"name": "TROLL"}), ("network", "192.0.2.0/24", {"address": "::ffff:192.0.2.7"}),
    *[("name", "spam*", {"name": name}) for name in ("spam", "Ｓpam", "ѕраm", "sp.am99")],
])  # fmt: skip
def test_the_blacklist_keeps_out_what_it_names_and_looks_alike_until_it_ends(now, kind, value, asked):
    manager = staff("manager")
    line = blacklist.add(kind=kind, value=value, reason="Abuse", by=manager, now=now, until=now + DAY)
    assert value.lower() not in refused(Forbidden, blacklist.check, now=now, **asked).message
    blacklist.check(now=now + DAY, **asked)
    blacklist.check(now=now, address="198.51.100.1", email="c@example.com", name="trolley")
    blacklist.check(now=now, name="scam")
    blacklist.remove(line_id=line.pk, by=manager, now=now)
    blacklist.check(now=now, **asked)
    assert verbs() == ["blacklist.add", "blacklist.delete"]


def test_only_managers_write_the_blacklist(north, now):
    floor, manager = staff("floor"), staff("manager")
    wrong = [("network", "10.0.0.0/7"), ("network", "x"), ("email", "example.org"), ("name", "*"), ("zone", "x")]
    for kind, value in wrong:
        refused(Invalid, blacklist.add, kind=kind, value=value, reason="Abuse", by=manager, now=now)
    refused(Forbidden, blacklist.add, kind="name", value="troll", reason="Abuse", by=floor, now=now)
    refused(Forbidden, accounts.close, user=north, by=floor, reason="Gone", now=now)


def test_an_account_is_opened_changed_closed_and_opened_again(now):
    manager = staff("manager")
    user = accounts.open_one(name="wren", email="wren@example.org", by=manager, now=now, full_name="Wren Ash")
    accounts.edit(user=user, by=manager, now=now, username="wrenna", email="")
    accounts.close(user=user, by=manager, reason="Moved away", now=now)
    user.refresh_from_db()
    assert (user.username, user.email, user.is_active) == ("wrenna", "", False)
    accounts.reopen(user=user, by=manager, reason="Came back", now=now)
    assert verbs() == ["account.add", "account.edit", "account.delete", "account.reopen"]
    refused(Conflict, accounts.open_one, name="WRENNA", by=manager, now=now)


def test_nobody_takes_over_a_managers_account_by_a_new_address_or_password(north, now):
    mia = staff("manager", "mia")
    for other in (User.objects.create_superuser("opal"), staff("manager", "max"), staff("auditor")):
        said = {"user": other, "by": mia, "now": now}
        refused(Forbidden, "their own e-mail address", accounts.edit, email="mia@example.org", **said)
        accounts.edit(first_name="Oliver", **said)
    refused(Forbidden, accounts.set_password, user=User.objects.get(username="max"), password="all-the-burns", by=mia)
    accounts.edit(user=north, by=mia, now=now, email="north@example.org")


def test_the_last_manager_stays_one_and_roles_leave_a_trail(north, now):
    manager = staff("manager")
    roles.give(user=north, role="floor", by=manager, now=now)
    roles.give(user=north, role="floor", by=manager, now=now)
    refused(Conflict, "last manager", roles.take, user=manager, role="manager", by=manager, now=now)
    assert verbs() == ["account.give-role"]


def test_chips_are_put_right_once_and_never_ones_own(north, now):
    manager = staff("manager")
    said = {"reason": "Miscounted rack", "by": manager, "now": now}
    for _ in range(2):
        corrections.correct(user=north, amount=50, key="one", **said)
    assert ledger.wallet(north).balance == 50
    refused(NotEnoughChips, corrections.correct, user=north, amount=-51, key="two", **said)
    refused(Forbidden, corrections.correct, user=manager, amount=50, key="three", **said)
    assert verbs() == ["account.inc-balance"]


def test_a_session_says_whose_it_is_and_is_ended_by_the_floor(north, client):
    now = datetime.now(UTC)
    client.force_login(north, backend="django.contrib.auth.backends.ModelBackend")
    [session] = sessions.open_now(now=now)
    assert (session.user, sessions.is_connected(session, now=now)) == (north, False)
    sessions.note_sockets(keys=[session.session_key], now=now)
    session.refresh_from_db()
    assert sessions.is_connected(session, now=now)
    said = {"handle": session.handle, "by": staff("floor"), "reason": "Shouting", "now": now}
    sessions.terminate(**said)
    assert not sessions.open_now(now=now)
    refused(NotFound, sessions.terminate, **said)
