"""Jackpots: asked for by one person and approved by another, hit by a hand, paid once, started again."""

import doctest
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import islice

import pytest
from django.db.models import F
from hypothesis import given
from hypothesis import strategies as st

from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotFound
from games.rake.models.drops import HandDrop, Jackpot, JackpotHit
from tests.support.dealing import DealerEvening
from tests.support.hands import called_down, deal, round_called, third
from tests.support.models import Account, Alarm, Approval, DropSchedule, StaffAction, Table, Transfer
from tests.support.parts.cardroom import approvals, core_audit, ledger, people, room_time, sentences, watchdog
from tests.support.parts.games import (
    drops,
    jackpot_chips,
    jackpot_growth,
    jackpot_hits,
    jackpots,
    physical,
    rake_queries,
    seating,
)
from tests.support.parts.stud import JackpotTerms, Qualifying, bad_beats, shared_out
from tests.support.racing import race, refusals
from tests.support.refusals import refused
from tests.support.unguarded import unguarded
from tests.support.worlds import world

BEATS = {1: "JsJhJd", 2: "QsQhQd", 3: "2c7d9h", 4: "3c8dTh"}
STREETS = {4: {1: "Jc", 2: "Qc", 3: "4s", 4: "5s"}, 5: {1: "2h", 2: "2s", 3: "4d", 4: "5d"},
           6: {1: "3h", 2: "3s", 3: "6h", 4: "6c"}, 7: {1: "Ad", 2: "Kd", 3: "Kc", 4: "Ac"}}  # fmt: skip


def beaten():
    """Four jacks beaten by four queens, both pairs down, two others in."""
    hand = third(dict.fromkeys(BEATS, 500), BEATS)
    for street, cards in STREETS.items():
        round_called(hand)
        deal(hand, street, cards)
    round_called(hand)
    return hand


JACKS = ("Js", "Jh", "Jd", "Jc", "2s")


def test_four_jacks_beaten_hit_a_jackpot_even_if_mucked():
    hand = beaten()
    beat = bad_beats.find(hand, Qualifying(JACKS))
    assert (beat.losers, beat.winners, beat.losing, beat.winning) == ((1,), (2,), "four jacks", "four queens")
    for terms in (
        Qualifying(("Qs", "Qh", "Qd", "Qc", "2s")),  # the losing hand is not good enough
        Qualifying(JACKS, least_players=5),  # too few were dealt in
        Qualifying(JACKS, least_downcards=4),  # more downcards than anybody has
    ):
        assert bad_beats.find(hand, terms) is None
    cards = ["As", "Ah", "Ad", "Ks", "Kh", "Kd", "2c"]
    assert bad_beats.plays_downcards(cards, ["Ks", "Kh"], 2), "of fives of one rank that with most downcards counts"
    assert not bad_beats.plays_downcards(cards, ["Ks", "2c"], 2)
    ordinary = third(dict.fromkeys(BEATS, 500))
    called_down(ordinary)
    assert bad_beats.find(ordinary, Qualifying(JACKS)) is None


LARGEST = {"loser_percent": 60, "winner_percent": 40, "loser_bonus": 500, "table_bonus": 100}
TERMS = st.builds(JackpotTerms, **{name: st.integers(0, most) for name, most in LARGEST.items()})


@given(st.integers(1, 10_000), TERMS, st.integers(1, 2), st.integers(1, 2), st.integers(0, 4))
def test_shares_are_exact_whatever_the_terms(chips, terms, losers, winners, others):
    seats = iter(range(1, 9))
    lost, won, sat = (list(islice(seats, count)) for count in (losers, winners, others))
    parts = shared_out(chips, terms, losers=lost, winners=won, others=sat)
    assert sum(part for _, _, part in parts) == chips
    assert all(part > 0 for _, _, part in parts)
    assert len({seat for seat, _, _ in parts}) == len(parts)


def test_a_jackpot_is_shared_in_whole_chips_of_the_smallest_in_play():
    parts = shared_out(1_990, JackpotTerms(), losers=[1, 2], winners=[3], others=[4, 5, 6], unit=100)
    assert parts[:3] == [(1, "loser", 690), (2, "loser", 600), (3, "winner", 400)]
    assert parts[3:] == [(seat, "table", 100) for seat in (4, 5, 6)]
    assert doctest.testmod(bad_beats).failed == 0


class JackpotEvening(DealerEvening):
    """`max` and `mia` are managers; a jackpot of 1,000 seeded; the table drops 2 chips of a hand for it."""

    def __init__(self, *, seated: int = 4, **settings):
        super().__init__(deck="typed")
        self.max, self.mia = self.staff("max", "manager"), self.staff("mia", "manager")
        self.people = [self.sit(name) for name in ("ann", "ben", "cat", "dan")[:seated]]
        approval = self.ask({"name": "Bad beat", "seed": 1_000, "backup_percent": 50, **settings})
        assert not Jackpot.objects.exists()
        self.decide(approval)
        self.jackpot = Jackpot.objects.get()
        schedule = DropSchedule.objects.create(
            name="2 for the jackpot", rake_permille=0, jackpot=2, jackpot_name="Bad beat", made_at=self.now
        )
        Table.objects.filter(pk=self.pk).update(drop=schedule)

    def ask(self, settings, jackpot_id=None, **options) -> Approval:
        given = {"by": self.max, "reason": "for the evening", "now": self.now} | options
        return jackpots.ask(jackpot_id=jackpot_id, **settings, **given)

    def decide(self, approval, by=None, **options) -> Approval:
        given = {"approve": True, "now": self.now} | options
        return approvals.decide(approval_id=approval.pk, by=by or self.mia, **given)

    def beaten(self, *, is_begun: bool = False) -> JackpotHit | None:
        if not is_begun:
            self.start()
        for street, cards in {3: BEATS, **STREETS}.items():
            self.type_street(street, cards)
            self.bet_on()
        return JackpotHit.objects.filter(hand=self.hand).first()

    def close_up(self) -> None:
        """Ring its alarm, a minute later."""
        alarm = Alarm.objects.get(kind="jackpot", key=str(self.jackpot.pk))
        self.now = alarm.due_at
        jackpot_growth.ring(jackpot_id=self.jackpot.pk, fence=alarm.fence, now=self.now)

    @property
    def chips(self) -> tuple[int, int]:
        return ledger.balance(jackpot_chips.pool(self.jackpot.pk)), ledger.balance(
            jackpot_chips.backup(self.jackpot.pk)
        )


@world
def evening() -> JackpotEvening:
    return JackpotEvening()


@world
def hit(evening) -> JackpotHit:
    """Four jacks were beaten."""
    return evening.beaten()


def test_a_jackpot_is_seeded_and_changed_after_a_second_person_approves(evening):
    assert evening.chips == (1_000, 0)
    assert Transfer.objects.filter(reference=f"jackpot-seed:{evening.jackpot.pk}:1").exists()
    assert StaffAction.objects.filter(verb="jackpots.change", by=evening.mia).exists()
    refused(Conflict, evening.ask, {"name": "Bad beat"})
    refused(NotFound, evening.ask, {"seed": 1}, 999)
    more = evening.ask({}, evening.jackpot.pk, add=500)
    refused(Forbidden, evening.decide, more, by=evening.max)
    assert evening.chips == (1_000, 0), "nobody approves what they asked for"
    evening.decide(more)
    assert evening.chips == (1_500, 0)
    first = evening.ask({"seed": 10}, evening.jackpot.pk)
    refused(Conflict, "waits for approval already", evening.ask, {"seed": 20}, evening.jackpot.pk)
    Jackpot.objects.update(version=F("version") + 1)
    refused(Conflict, "changed since", evening.decide, first)


def test_a_hand_hits_it_and_it_is_paid_once_after_approval(evening, hit, audited):
    row = HandDrop.objects.get(hand=hit.hand)
    assert (row.jackpot, row.backup) == (2, 1)
    assert (hit.amount, hit.found_by, hit.losing_words) == (1_001, None, "four jacks")
    wallets = [evening.wallet(person) for person in evening.people]
    assert evening.chips == (1_001, 1)
    evening.decide(hit.approval, by=evening.max)
    evening.decide(hit.approval, by=evening.max)
    refused(Conflict, evening.decide, hit.approval, by=evening.mia)
    gained = [evening.wallet(person) - before for person, before in zip(evening.people, wallets, strict=True)]
    assert gained == [501, 250, 125, 125]  # 50, 25 and 25 percent of 1,001; the odd chip is the loser's
    assert evening.chips == (1_000, 0)  # the chip of the backup, and 999 of the house
    hit.refresh_from_db()
    assert (hit.state, hit.seeding) == ("paid", 2)


def test_a_second_hit_gets_what_was_dropped_since_the_first(evening, audited):
    evening.decide(evening.ask({"name": "Royal beat"}, evening.jackpot.pk))
    first, second = evening.beaten(), evening.beaten()
    assert (first.amount, second.amount) == (1_001, 1)
    for hit in (second, first):
        evening.decide(hit.approval)
    assert evening.chips[0] >= 1_000
    assert DropSchedule.objects.get().jackpot_name == "Royal beat"
    evening.decide(evening.ask({"name": "Bad beat"}, None))
    assert drops.taking_of(evening.table).funds["jackpot"] == jackpot_chips.pool(evening.jackpot.pk).pk


def test_a_player_paid_by_a_hit_does_not_approve_it():
    evening = JackpotEvening(seated=3)
    people.issue_play_money(user=evening.mia, amount=1_000, reference="mia", reason="for a test", now=evening.now)
    evening.sit(evening.mia)
    hit = evening.beaten()
    refused(Forbidden, "jackpot pays you", evening.decide, hit.approval, by=evening.mia)
    assert rake_queries.rows()[0].chips == 0
    refused(Invalid, evening.decide, hit.approval, by=evening.max, approve=False)
    evening.decide(hit.approval, by=evening.max, approve=False, reason="a card was marked")
    hit.refresh_from_db()
    assert (hit.state, evening.chips, rake_queries.rows()[0].chips) == ("refused", (1_001, 1), 1_001)


@pytest.mark.parametrize(("settings", "field"), [
    ({"name": "x"}, "name"), ({"name": "A pot", "least_hand": "JJ"}, "least_hand"),
    ({"name": "A pot", "loser_percent": 80, "winner_percent": 30}, "loser_percent"),
    ({"name": "A pot", "seed": -1}, "seed"), ({"name": "A pot", "growth": 5}, "growth_minutes"),
    ({}, "settings"),
])  # fmt: skip
def test_terms_that_cannot_be_meant_are_refused(evening, settings, field):
    assert refused(Invalid, evening.ask, settings).values["field"] == field


def test_a_closed_jackpot_gives_its_chips_to_promotions(evening, hit, audited):
    refused(Illegal, "wait", evening.ask, {}, evening.jackpot.pk, is_closed=True)
    evening.decide(hit.approval)
    evening.decide(evening.ask({}, evening.jackpot.pk, is_closed=True))
    evening.close_up()
    assert (Jackpot.objects.get().state, evening.chips) == ("closed", (0, 0))
    evening.beaten()
    assert (HandDrop.objects.get(hand=evening.hand).jackpot, JackpotHit.objects.count()) == (0, 1)


def test_a_hand_that_dropped_for_a_jackpot_hits_it_though_it_was_closed_meanwhile(evening, audited):
    evening.start()
    evening.decide(evening.ask({}, evening.jackpot.pk, is_closed=True))
    evening.close_up()
    refused(Illegal, "is closed", evening.ask, {"seed": 5}, evening.jackpot.pk)
    hit = evening.beaten(is_begun=True)
    assert (hit.amount, evening.chips) == (1_001, (1_001, 1))
    evening.close_up()
    assert Jackpot.objects.get().state == "closing"
    evening.decide(hit.approval)
    evening.close_up()
    assert (Jackpot.objects.get().state, evening.chips) == ("closed", (0, 0))
    assert not Alarm.objects.filter(kind="jackpot").exclude(due_at__lte=evening.now).exists()


def test_a_hand_that_is_declared_void_hits_nothing(evening):
    Table.objects.filter(pk=evening.pk).update(is_hand_shown=True)
    evening.beaten()
    for _ in range(3):
        evening.enter("show", seat=evening.table.to_act)
    evening.order("void")
    assert not JackpotHit.objects.exists()
    assert evening.chips == (1_000, 0)


def test_daily_growth_stays_at_its_hour_when_the_clocks_change(settings):
    settings.TIME_ZONE = "Europe/Berlin"
    evening = JackpotEvening(growth=10, growth_minutes=24 * 60)
    pot = evening.jackpot
    noon = datetime(2030, 3, 30, 11, tzinfo=UTC)
    Jackpot.objects.filter(pk=pot.pk).update(grows_from=noon, grows_at=noon)
    assert jackpot_growth.grow(jackpot_id=pot.pk, fence=pot.growths, now=datetime(2030, 4, 1, 9, 59, tzinfo=UTC))
    pot.refresh_from_db()
    assert (pot.grows_at, evening.chips[0]) == (datetime(2030, 4, 1, 10, tzinfo=UTC), 1_020)


def test_daily_growth_in_a_skipped_hour_returns_to_its_time_the_next_day(settings):
    settings.TIME_ZONE = "Europe/Berlin"
    evening = JackpotEvening(growth=10, growth_minutes=24 * 60)
    pot = evening.jackpot
    first = datetime(2027, 3, 27, 1, 30, tzinfo=UTC)
    Jackpot.objects.filter(pk=pot.pk).update(grows_from=None, grows_at=first)
    told = []
    for _ in range(3):
        pot.refresh_from_db()
        told.append(room_time.format_moment(pot.grows_at))
        assert jackpot_growth.grow(jackpot_id=pot.pk, fence=pot.growths, now=pot.grows_at)
    assert told == ["27 March 2027, 02:30 CET", "28 March 2027, 03:30 CEST", "29 March 2027, 02:30 CEST"]
    assert evening.chips[0] == 1_030


def test_growth_is_added_once_for_each_period():
    evening = JackpotEvening(growth=10, growth_minutes=60)
    pot = evening.jackpot
    ring = pot.grows_at
    assert ring == evening.now + timedelta(hours=1)
    assert not jackpot_growth.grow(jackpot_id=pot.pk, fence=0, now=evening.now)
    late = ring + timedelta(minutes=130)
    assert jackpot_growth.grow(jackpot_id=pot.pk, fence=0, now=late)
    assert not jackpot_growth.grow(jackpot_id=pot.pk, fence=0, now=late)
    assert evening.chips[0] == 1_030
    pot.refresh_from_db()
    assert pot.grows_at == ring + timedelta(hours=3)
    assert watchdog.find_stalls()["jackpot"] == []
    Alarm.objects.filter(kind=jackpot_growth.ALARM).delete()
    assert "is to grow, and nothing would wake it" in watchdog.find_stalls()["jackpot"][0].what
    evening.decide(evening.ask({"growth": 0, "growth_minutes": 0}, pot.pk))
    assert not jackpot_growth.grow(jackpot_id=pot.pk, fence=1, now=late + timedelta(days=1))


def report(evening, **changes):
    given = {
        "jackpot_id": evening.jackpot.pk, "table_id": evening.pk, "loser": 1, "winner": 2, "losing": "JsJhJdJc2s",
        "winning": "QsQhQdQc2d", "by": evening.flo, "now": evening.now,
    }  # fmt: skip
    return jackpot_hits.propose(**given | changes)


def test_the_floor_reports_a_hit_at_a_table_in_the_room(evening, client):
    Table.objects.filter(pk=evening.pk).update(is_physical=True)
    hit = report(evening, key="one")
    assert (report(evening, key="one"), hit.amount, hit.hand, hit.found_by) == (hit, 1_000, None, evening.flo)
    assert [share.chips for share in hit.shares.all()] == [500, 250, 125, 125]
    evening.decide(hit.approval)
    assert (evening.chips, Account.objects.get(label="promotions").balance) == ((1_000, 0), -2_000)

    shown = f'<option value="{evening.pk}">{evening.table.name}'
    client.force_login(evening.flo)
    assert shown in client.get("/jackpots/").content.decode()
    refused(Forbidden, "This requires the role", report, evening, by=evening.people[0])
    DropSchedule.objects.update(jackpot_name="Another")
    refused(Illegal, "does not drop for Bad beat", report, evening)
    assert shown not in client.get("/jackpots/").content.decode()
    Table.objects.filter(pk=evening.pk).update(drop=None)
    refused(Illegal, "does not drop", report, evening)
    Table.objects.filter(pk=evening.pk).update(is_physical=False)
    refused(Illegal, "found automatically", report, evening)


def test_a_report_that_cannot_be_is_refused(evening):
    Table.objects.filter(pk=evening.pk).update(is_physical=True)
    for changes, error in (
        *(({"losing": cards}, Invalid) for cards in ("JsJs", "hello")),
        *(({"losing": "TsThTdTc2s"}, Illegal), ({"winning": "5s5h5d5c2d"}, Illegal), ({"players": [1, 2, 3]}, Illegal)),
        *(({"winner": seat}, Invalid) for seat in (1, 8)), ({"winning": "QsQhQdQcJsJh"}, Invalid),
        *(({name: 99}, NotFound) for name in ("table_id", "jackpot_id")),
    ):  # fmt: skip
        refused(error, report, evening, **changes)
    assert not JackpotHit.objects.exists()


def box(evening, **parts):
    return physical.empty_box(table_id=evening.pk, by=evening.flo, now=evening.now, **parts)


@world
def closing() -> JackpotEvening:
    """Its jackpot is about to be closed while people play at a table in the room that drops for it."""
    evening = JackpotEvening(seated=0)
    Table.objects.filter(pk=evening.pk).update(is_physical=True)
    asked = {"table_id": evening.pk, "buy_in": 500, "by": evening.flo, "now": evening.now}
    for name in ("ann", "ben", "cat", "dan"):
        seating.seat(**asked, player=evening.player(name))
    evening.decide(evening.ask({}, evening.jackpot.pk, is_closed=True))
    return evening


def test_a_jackpot_in_the_room_is_closed_when_its_boxes_are_emptied(closing, client, audited):
    closing.close_up()
    client.force_login(closing.flo)
    assert f'<option value="{closing.jackpot.pk}">Bad beat' in client.get("/jackpots/").content.decode()
    hit = report(closing)
    box(closing, amount=30, jackpot=20)
    assert (Jackpot.objects.get().state, closing.chips) == ("closing", (1_010, 10))
    closing.decide(hit.approval)
    closing.close_up()
    assert (Jackpot.objects.get().state, closing.chips) == ("closed", (0, 0))


def test_a_box_that_is_emptied_too_late_for_a_jackpot_is_for_promotions(closing, audited):
    for minutes, is_closed in ((59, False), (1, True)):
        closing.later(minutes=minutes)
        assert jackpot_growth.sweep(jackpot_id=closing.jackpot.pk, now=closing.now) == is_closed
    made = box(closing, amount=30, promo=4, jackpot=20, key="box")
    assert box(closing, amount=30, promo=4, jackpot=20, key="box") == made
    assert (made.promo, made.jackpot, made.fund, closing.chips) == (24, 0, None, (0, 0))
    assert Account.objects.get(label=f"promo:table:{closing.pk}").balance == 24
    told = StaffAction.objects.get(verb="physical.empty_box").details
    assert (told["closed_jackpot"], told["dropped_for_it"]) == (closing.jackpot.pk, 20)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_approvals_and_refusals_at_once_one_counts_and_chips_are_paid_once(evening, hit, audited):
    managers = [evening.max, evening.mia, evening.staff("moe", "manager")]
    outcomes = race(
        *(partial(evening.decide, hit.approval, by=manager) for manager in managers),
        partial(evening.decide, hit.approval, by=evening.staff("may", "manager"), approve=False, reason="doubtful"),
    )
    assert refusals(outcomes, Conflict) == 3
    paid = Transfer.objects.filter(reference=f"jackpot-hit:{hit.pk}").count()
    assert paid == (JackpotHit.objects.get().state == "paid")


def test_the_audit_finds_unexplained_payments_claims_and_moves_of_a_jackpot(evening, hit):
    with unguarded():
        JackpotHit.objects.update(amount=5_000)
    found = "\n".join(core_audit.check())
    assert "hits have a claim to 5,000" in found
    assert "shares out 1,001" in found
    with unguarded():
        JackpotHit.objects.update(amount=1_001, state="paid", decided_at=evening.now)
    legs = [(jackpot_chips.pool(evening.jackpot.pk), -50), (jackpot_chips.promotions(), 50)]
    ledger.post(reference="borrowed:1", reason="a loan", legs=legs, at=evening.now)
    found = "\n".join(core_audit.check())
    assert f"hit {hit.pk} of jackpot {evening.jackpot.pk} is paid, and 0 chips were paid of it" in found
    assert "nobody approved it" in found
    assert "moved by a borrowed" in found


def test_a_request_tells_every_setting_of_a_new_jackpot_whole():
    most = {name: most for name, (_, most) in jackpots.WHOLE.items()}
    settings = {"name": "N" * 60, "least_hand": "JsJhJdJcAs", **most}
    said = sentences.to_text(jackpots.request_in_words(Jackpot(), settings, 0, is_closed=False))
    assert "Minimum losing hand: four jacks (Js Jh Jd Jc As)" in said
    assert said.endswith("Growth by the clock, chips: 1,000,000,000,000; Interval, minutes: 44,640")
    assert len(said) <= Approval._meta.get_field("words").max_length
