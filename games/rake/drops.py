"""The drop of a hand: its terms, the accounts it goes to, its row.

The engine decides what is taken (`engine.drop`) and says so in a fact. The accounts are looked up when the hand is
dealt and kept with the hand, so the end of a hand costs one statement more. A change of the schedule, the table or the
jackpot applies to the next hand.

A saved schedule never changes, so that what was taken by it can always be explained. To change one is to save another
in its place: the games on offer use the new one from then on, their open tables when they are told to.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from cardroom.ledger import ledger
from cardroom.ledger.models import Account
from games.engine.drop import DropTerms
from games.engine.facts.play import DropTaken
from games.rake.models.drops import HandDrop, Jackpot, backup_label, pool_label, promo_label, rake_label
from games.tables.journal import OpenHand
from games.tables.models.offers import DropSchedule
from games.tables.models.tables import Table


class Taking(NamedTuple):
    """The terms of a hand, and where its drop goes: accounts by part (rake, promo, jackpot, backup). With a jackpot
    also the percentage of its chips for the backup, and what hits it (`qualifying`): the least hand, its downcards, the
    players dealt in."""

    terms: DropTerms | None
    funds: dict[str, Any]


NOTHING = Taking(None, {})


def taking_of(table: Table) -> Taking:
    """What is taken of the next hand of this cash table. Four queries at most, none where nothing is taken."""
    if table.drop_id is None or table.setting != "cash":
        return NOTHING
    schedule = DropSchedule.objects.get(pk=table.drop_id)
    is_funded = schedule.kind == DropSchedule.Kind.TIME and (schedule.promo or schedule.jackpot)
    if schedule.kind != DropSchedule.Kind.RAKE and not is_funded:
        return NOTHING
    fund = None
    if schedule.jackpot and schedule.jackpot_name:
        fund = Jackpot.objects.filter(name=schedule.jackpot_name, state=Jackpot.State.LIVE).first()
    terms = terms_of(schedule, fund)
    return Taking(terms, _funds(table, terms, fund))


def terms_of(schedule: DropSchedule, fund: Jackpot | None) -> DropTerms:
    """A schedule as terms for the engine; without a live jackpot nothing is taken for one. Where time is collected pots
    are not raked, and only drop for promotions and the jackpot."""
    is_raked = schedule.kind == DropSchedule.Kind.RAKE
    return DropTerms(
        permille=schedule.rake_permille if is_raked else 0,
        caps=tuple([(players, chips) for players, chips in schedule.caps]) if is_raked else (),
        unit=schedule.rounding_unit,
        rounding=schedule.rounding,
        is_free_without_call=schedule.is_free_without_call,
        promo=schedule.promo,
        jackpot=schedule.jackpot if fund else 0,
        promo_from=schedule.promo_from,
        schedule=schedule.pk,
        fund=fund.pk if fund else 0,
    )


def _funds(table: Table, terms: DropTerms, fund: Jackpot | None) -> dict[str, Any]:
    house, pool = Account.Kind.HOUSE, Account.Kind.POOL
    wanted = {"rake": (house, rake_label(table.pk))}
    if terms.promo:
        wanted["promo"] = (house, promo_label(table.pk))
    if fund is not None:
        wanted["jackpot"] = (pool, pool_label(fund.pk))
        wanted["backup"] = (pool, backup_label(fund.pk))
    rows = Account.objects.filter(
        unit="cash", kind__in=[house, pool], label__in=[label for _, label in wanted.values()]
    )
    account_ids = {(kind, label): pk for kind, label, pk in rows.values_list("kind", "label", "pk")}
    funds: dict[str, Any] = {}
    for part, (kind, label) in wanted.items():
        funds[part] = account_ids.get((kind, label)) or ledger.open_account(kind=kind, label=label).pk
    if fund is not None:
        funds["backup_percent"] = fund.backup_percent
        funds["qualifying"] = [fund.least_hand, fund.least_downcards, fund.least_players]
    return funds


def backup_of(chips: int, *, percent: int, number: int) -> int:
    """The part of a jackpot drop of `chips` that goes to the backup. It depends on the number of the hand at its table,
    so that single chips, too, are split by the percentage: of `n` hands the backup has its part, rounded down.

    >>> [backup_of(1, percent=40, number=number) for number in range(1, 6)]
    [0, 0, 1, 0, 1]
    """
    return number * chips * percent // 100 - (number - 1) * chips * percent // 100


def split_of(fact: DropTaken, funds: Mapping[str, Any], *, number: int) -> dict[str, int]:
    """The chips of a hand's fact by part (rake, promo, jackpot, backup), with the backup taken out of the jackpot.
    `number`: of the hand at its table."""
    backup = backup_of(fact.jackpot, percent=funds.get("backup_percent", 0), number=number)
    return {"rake": fact.rake, "promo": fact.promo, "jackpot": fact.jackpot - backup, "backup": backup}


def legs(open_hand: OpenHand, *, number: int) -> list[ledger.Leg]:
    """The legs of the drop, for the transfer of the hand."""
    if open_hand.engine.drop is None:
        return []
    split = split_of(open_hand.engine.drop, open_hand.funds, number=number)
    return [(open_hand.funds[part], chips) for part, chips in split.items() if chips]


def write(table: Table, open_hand: OpenHand, *, pot: int, now: datetime) -> HandDrop | None:
    """Write down the drop of a hand that is over, in the transaction that ends it. One statement, or none where the
    hand has no such fact: nothing is taken at this table, or every chip went back."""
    fact = open_hand.engine.drop
    if fact is None:
        return None
    terms: dict[str, Any] = dict(open_hand.engine.started.drop)
    return HandDrop.objects.create(
        hand_id=open_hand.pk,
        table=table,
        offer_id=table.offer_id,
        section_id=table.section_id,
        schedule_id=terms["schedule"],
        fund_id=terms.get("fund"),
        # The dealer who is clocked in, whichever member of staff typed the hand.
        dealer_id=table.dealer_on_id or open_hand.dealt_by,
        players=len(open_hand.engine.players),
        pot=pot,
        rake=fact.rake,
        promo=fact.promo,
        jackpot=fact.jackpot,
        backup=split_of(fact, open_hand.funds, number=table.hand_count)["backup"],
        why=fact.why,
        at=now,
    )
