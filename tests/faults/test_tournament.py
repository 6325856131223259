"""An online event of bots plays to its end with real tasks, while web, worker and beat are killed in turn."""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from games.play.bots import house_bots
from tests.faults.conftest import APART
from tests.faults.game import assert_books_are_clean
from tests.support.evening import player as newcomer
from tests.support.events import Event
from tests.support.models import Account, Alarm, DealProposal, Hand, Payout, Table, TablePlay, Tournament, User
from tests.support.online import stakes_dealt
from tests.support.parts.cardroom import Illegal, Refusal, access, alarms, core_audit, ledger
from tests.support.parts.event_rules import EventConfig, Level, PayoutTerms, RebuyTerms, Structure, f, terms
from tests.support.parts.tournaments import automatic_rebuys, deals, event_clock, registration, starting, tournaments
from tests.support.parts.tournaments import hands as floor
from tests.support.room import Room
from tests.support.tiers import many
from tests.support.waiting import soon
from tournaments.engine.tournament import EventEngine

pytestmark = [pytest.mark.postgres, pytest.mark.redis]

ENTRANTS = int(os.environ.get("CARDROOM_EVENT_BOTS", many(20, long=200)))
LATE = ENTRANTS // 5
STACK, REBUY = 100, 100
PATIENCE = 150.0  # seconds until an event stands still: generous, as nothing waits it out
PRICE = {"entry": {"pool": 90, "fee": 10}, "rebuy": {"pool": 50}}
#: Antes that leave nobody much time: a level of one hand, a break, and levels of three hands each.
LEVELS = (
    Level(hands=1, ante=20, bring_in=20, small_bet=40, big_bet=80),
    Level(kind="break", minutes=1),
    *(Level(hands=3, ante=20 * n, bring_in=20 * n, small_bet=40 * n, big_bet=80 * n) for n in range(2, 12)),
)


class Show(Event):
    """What this test does to its event."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.director = User.objects.create_user("director")
        access.grant_role(user=self.director, role="director", by=None)
        config = EventConfig(
            structure=Structure(LEVELS), starting_stack=STACK, late_level=1, late_through_break=True,
            rebuy=RebuyTerms(REBUY, most=1, until_level=2), payout=PayoutTerms(share_percent=15), act_seconds=1,
            time_bank_seconds=0,
        )  # fmt: skip
        row = tournaments.create(
            by=self.director, now=timezone.now(), name="Many", config=terms.to_json(config), price=PRICE,
            options={"pause_seconds": 0, "bots_rebuy": 1}, bots=ENTRANTS - LATE - 1,
            starts_at=timezone.now() + timedelta(days=1),
        )  # fmt: skip
        self.pk = row.pk
        self.ann = newcomer("ann", 1000, now=timezone.now())

    # -- looking -----------------------------------------------------------------------------------------------------

    def facts(self, kind: type[f.EventFact]) -> list[f.EventFact]:
        return [fact for fact in self.state.facts if isinstance(fact, kind)]

    def hands(self) -> list[Hand]:
        return list(Hand.objects.filter(table__event=self.row.unit).order_by("started_at", "pk"))

    def are_resting(self) -> bool:
        return not Table.objects.filter(event=self.row.unit, state="open", play__hand__isnull=False).exists()

    # -- doing -------------------------------------------------------------------------------------------------------

    def order(self, verb: Callable[..., object], **more: object) -> None:
        verb(tournament_id=self.pk, by=self.director, now=timezone.now(), **more)

    def until(self, is_so: Callable[[Tournament], object]) -> None:
        """Until the event's row says so."""
        soon(lambda: is_so(self.row), self.why, patience=PATIENCE)

    def why(self) -> str:
        row = self.row
        return f"{row.players_left} left at {row.tables_count} tables, level {row.level}, {row.state}"

    def kill(self, role: str) -> None:
        """kill -9, at whatever it is just doing; and up again after a few more hands or none."""
        self.room.kill(role)
        lapse_claims()
        self.room.start(role)

    def come_late(self, many: int) -> None:
        with transaction.atomic():
            late = house_bots.recruit(many, busy=self._in(), now=timezone.now())
        for bot in late:
            registration.register(tournament_id=self.pk, by=None, player=bot, method="house", now=timezone.now())

    def _in(self) -> list[int]:
        return list(self.row.entries.values_list("player", flat=True))


def test_an_event_of_bots_plays_to_its_end_while_its_processes_are_killed(room_apart: Room) -> None:
    show = Show(room_apart)
    begin(show)
    show.until(lambda row: row.state == "running" and row.players_left)
    show.kill("worker")
    through_the_break(show)
    # Early enough, and before a process is started again, that a small event, too, has more than one table then.
    show.until(lambda row: row.players_left <= row.places_paid + max(14, ENTRANTS // 6))
    with suppress(Illegal):  # the house may have come before them
        show.order(floor.hand_for_hand, on=True)
    show.kill("beat")
    show.kill("web")
    show.until(lambda row: not row.is_hand_for_hand and row.players_left <= row.places_paid)
    show.kill("worker")
    to_the_deal(show)
    show.until(lambda row: row.paid_at is not None)

    places_are_exact(show)
    hands_are_exact(show)
    chips_and_money_are_exact(show)
    assert all(room_apart.is_running(role) for role in APART)
    assert_books_are_clean(room_apart)


def lapse_claims() -> None:
    """As if it had died longer ago than a claim lasts."""
    for rows in (Alarm, TablePlay):
        rows.objects.update(claimed_until=F("claimed_until") - alarms.CLAIM_LASTS)


def begin(show: Show) -> None:
    show.order(tournaments.open_registration)
    registration.register(tournament_id=show.pk, by=show.ann, player=show.ann, now=timezone.now())
    show.until(lambda row: row.entries_count == ENTRANTS - LATE)
    automatic_rebuys.set_automatic(tournament_id=show.pk, player=show.ann, on=True, now=timezone.now())
    show.order(starting.start)


def through_the_break(show: Show) -> None:
    """Half of the late ones come while hands are played, half in the break, which the director ends early."""
    show.come_late(LATE // 2)
    show.until(lambda row: row.level == 1)
    show.come_late(LATE - LATE // 2)
    soon(show.are_resting, show.why)
    hands = len(show.hands())
    assert show.row.entries_count == ENTRANTS
    assert len(show.hands()) == hands, "nobody deals in a break"
    show.order(event_clock.next_level)


def to_the_deal(show: Show) -> None:
    """At the last table a deal is proposed that leaves nothing to play for; all who are left accept."""
    show.until(lambda row: row.tables_count == 1 or not row.is_live)
    states = []
    while show.row.is_live:
        with suppress(Illegal):  # the hand that is being played may end the event
            show.order(deals.propose, kind="icm")
            proposed = DealProposal.objects.latest("pk")
            # Somebody may go in that hand: then it is about others, and made anew.
            soon(lambda proposed=proposed: has_ended(show, proposed), show.why, patience=PATIENCE)
            proposed.refresh_from_db()
            states.append(proposed.state)
    assert set(states) <= {"agreed", "stale"}
    assert len(show.facts(f.DealMade)) == states.count("agreed")


def has_ended(show: Show, proposed: DealProposal) -> bool:
    """Whether the proposal is decided; Ann, where she is still in, accepts it."""
    proposed.refresh_from_db()
    if proposed.state == "open" and show.are_resting():
        with suppress(Refusal):  # what the last hand came to may have to be written down first
            deals.vote(tournament_id=show.pk, by=show.ann, is_yes=True, now=timezone.now())
    return proposed.state != "open"


def places_are_exact(show: Show) -> None:
    state = show.state
    taken = sorted(one.place for one in state.entrants.values())
    assert len(taken) == ENTRANTS
    expected = []
    for place, shared in sorted(Counter(taken).items()):
        assert place == len(expected) + 1, "places follow each other, shared ones count for all who share"
        expected += [place] * shared
    assert taken == expected
    rows = show.row.entries.values_list("number", "place")
    assert dict(rows) == {one.number: one.place for one in state.entrants.values()}
    for outs in out_by_hand_for_hand(state):
        assert len({place for _, place, _, _ in outs}) <= 1, "who goes by one hand at whatever table shares one place"
        assert {tied for _, _, tied, _ in outs} <= {len(outs)}
    # Of few, so many may be out by the first hand that the money is reached by it, and that the next table to break is
    # the last but one: the final is drawn.
    of_many = [f.HandOver, f.TableBroken] if ENTRANTS > 40 else []
    for kind in (f.HandForHandSet, f.Moved, f.FinalTableDrawn, *of_many):
        assert show.facts(kind), kind


def out_by_hand_for_hand(state: EventEngine) -> Iterator[list[tuple[int, int, int, int]]]:
    """Who was out by each hand of hand-for-hand."""
    is_on, outs = False, []
    for fact in state.facts:
        if isinstance(fact, f.HandForHandSet | f.HandOver):
            if is_on and isinstance(fact, f.HandOver):
                yield outs
            is_on, outs = is_on or (isinstance(fact, f.HandForHandSet) and fact.is_on), []
        elif isinstance(fact, f.Busted):
            outs += fact.outs


def hands_are_exact(show: Show) -> None:
    """Every hand is in the books once, and its level is the next or the same as that of the hand before it."""
    state, hands = show.state, show.hands()
    names = [fact for fact in state.facts if isinstance(fact, f.HandFinished)]
    assert len(names) == sum(hand.ended_at is not None for hand in hands)
    assert all(hand.ended_at for hand in hands)
    antes = [level.ante for level in LEVELS if not level.is_break]
    begun: dict[int, int] = {}
    seen = []
    for hand in hands:
        ante = stakes_dealt(hand)[0]
        assert ante >= begun.get(hand.table_id, 0)
        begun[hand.table_id] = ante
        if ante not in seen:
            seen.append(ante)
    assert seen == antes[: len(seen)], "no level is skipped or played twice"
    assert len(seen) > 2


def chips_and_money_are_exact(show: Show) -> None:
    state, row = show.state, show.row
    rebuys = len(show.facts(f.Rebought))
    assert rebuys > 0
    assert state.chips == STACK * ENTRANTS + REBUY * rebuys
    assert sum(one.stack for one in state.entrants.values()) == state.chips
    accounts = Account.objects.filter(unit=row.unit)
    assert not any(accounts.values_list("balance", flat=True)), "the chips are back where they came from"
    pool = 90 * ENTRANTS + 50 * rebuys
    paid = Payout.objects.filter(tournament=row)
    assert row.pool == pool == sum(paid.values_list("amount", flat=True))
    assert not paid.exclude(state=Payout.State.PAID).exists()
    ann = next(one for one in state.entrants.values() if one.player == show.ann.pk)
    assert ledger.wallet(show.ann).balance == 1000 - 100 - 50 * ann.rebuys + ann.prize
    assert core_audit.check() == []
