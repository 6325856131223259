"""Bad-beat jackpots: hit by a hand or as the floor says, paid once a second person has approved it, started again.

The jackpot's row is locked before any account, its own accounts before wallets. The approval is locked before both.
Nothing is paid, started or changed but through `cardroom.services.approvals`.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Sum

from cardroom.models import Account, Approval, User
from cardroom.services import access, approvals, ledger, news, notices, repeats, trail
from cardroom.services.errors import Conflict, Forbidden, Illegal, Invalid, NotFound
from cardroom.services.operations import operation, row_of
from cardroom.services.people import PLAY_MONEY
from games.engine import beats
from games.engine.cards import parse_cards
from games.engine.ranking import name_of, value_of
from games.journal import OpenHand
from games.models import Jackpot, JackpotHit, JackpotShare, Seat, Table
from games.models.drops import backup_label, pool_label
from games.services import drops

HIT = "jackpot.hit"
#: Who says that a jackpot was hit at a physical table.
ROLES = ("floor", "manager")
PROMOTIONS = "promotions"
#: What is about to be closed can still be hit by the hands that dropped for it.
PAYS = (Jackpot.State.LIVE, Jackpot.State.CLOSING)
#: A hit waits as long as it takes.
_LASTS = timedelta(days=3650)


# -- where its chips lie ---------------------------------------------------------------------------------------------


def pool(jackpot_id: int) -> Account:
    """Where the jackpot lies."""
    return ledger.open_account(kind=Account.Kind.POOL, label=pool_label(jackpot_id))


def backup(jackpot_id: int) -> Account:
    """What it starts again with."""
    return ledger.open_account(kind=Account.Kind.POOL, label=backup_label(jackpot_id))


def promotions() -> Account:
    """Where the house takes seeds and growth from."""
    return ledger.open_account(kind=Account.Kind.HOUSE, label=PROMOTIONS)


def lock(jackpot_id: int) -> Jackpot:
    """The jackpot, locked until the transaction ends; `NotFound`."""
    found = Jackpot.objects.select_for_update(no_key=True).filter(pk=jackpot_id).first()
    if found is None:
        raise NotFound("There is no such jackpot.", "no-such-jackpot")
    return found


def held(*accounts: Account) -> list[int]:
    """What these accounts hold, locked in the order of their ids."""
    rows = Account.objects.select_for_update(no_key=True).filter(pk__in=[each.pk for each in accounts]).order_by("pk")
    balances = {row.pk: row.balance for row in rows}
    return [balances[each.pk] for each in accounts]


def claimed(jackpot: Jackpot) -> int:
    """Chips that hits not yet decided have a claim to."""
    waiting = jackpot.hits.filter(state=JackpotHit.State.WAITING)
    return waiting.aggregate(chips=Sum("amount"))["chips"] or 0


def seed(jackpot: Jackpot, *, now: datetime, by: User | None) -> None:
    """Start the jackpot, or start it again: the whole backup, and from the house what is missing to the seed. Call with
    it locked; the caller saves it."""
    main, spare, house = pool(jackpot.pk), backup(jackpot.pk), promotions()
    in_main, in_spare = held(main, spare)
    missing = max(0, jackpot.seed - (in_main - claimed(jackpot)) - in_spare)
    jackpot.seeds += 1
    ledger.post(
        reference=f"jackpot-seed:{jackpot.pk}:{jackpot.seeds}",
        reason=f"{jackpot.name} starts",
        legs=[(spare, -in_spare), (house, -missing), (main, in_spare + missing)],
        at=now,
        by=by,
    )


# -- hits ------------------------------------------------------------------------------------------------------------


def look_for(table: Table, open_hand: OpenHand, *, now: datetime) -> JackpotHit | None:
    """After a showdown at a table that drops for a jackpot: the hit, if that was one. Call it before the hand's
    transfer is posted, with the table locked. No statement where it was none."""
    qualifying = open_hand.funds.get("qualifying")
    if qualifying is None or not open_hand.engine.show_order:
        return None
    beat = beats.find(open_hand.engine, _qualifying(*qualifying))
    if beat is None:
        return None
    jackpot = lock(dict(open_hand.engine.started.drop)["fund"])
    if jackpot.state not in PAYS:
        return None
    own = sum(chips for account, chips in drops.legs(open_hand, number=table.hand_count)
              if account == open_hand.funds["jackpot"])  # fmt: skip
    people = {seat: sitter.player for seat, sitter in open_hand.sitters.items()}
    seats = (beat.losers, beat.winners, [s for s in open_hand.engine.order if s not in (*beat.losers, *beat.winners)])
    words, unit = (beat.losing, beat.winning), open_hand.engine.started.unit
    return _hit(jackpot, table, seats, people, words, unit=unit, own=own, hand=open_hand.pk, now=now)


@operation(row_of(Jackpot, "jackpot_id"))
def propose(
    *, jackpot_id: int, table_id: int, loser: int, winner: int, losing: str, winning: str, by: User, now: datetime,
    players: Sequence[int] = (), key: str = "",
) -> JackpotHit:  # fmt: skip
    """The floor says that a jackpot was hit at a physical table. `loser`, `winner` and `players` (all who were dealt
    in; none named: everybody seated) are seat numbers; `losing` and `winning` the cards of the two hands, five to
    seven, as "JsJhJdJc2s". That their own downcards play is for the floor to have seen.

    Refuses: `Forbidden`, `NotFound`, `Illegal` (the table's hands are dealt here, and found by themselves; the table
    does not drop for it; the hands do not qualify; too few were dealt in; nothing is in it), `Invalid`, `Conflict`.
    Locks the jackpot.
    """
    access.require_role(by, *ROLES)
    asked = {"jackpot": jackpot_id, "table": table_id, "loser": loser, "winner": winner, "losing": losing,
             "winning": winning, "players": list(players)}  # fmt: skip

    def do() -> int:
        table = Table.objects.select_related("drop").filter(pk=table_id).first()
        if table is None:
            raise NotFound("There is no such table.", "no-such-table")
        if not table.is_physical:
            raise Illegal("Jackpots at this table are found by themselves, at the showdown.", "not-physical")
        jackpot = lock(jackpot_id)
        if jackpot.state not in PAYS:
            raise Illegal(f"{jackpot.name} is closed.", "jackpot-closed")
        if table.event or table.drop is None or table.drop.jackpot_name != jackpot.name:
            raise Illegal(f"{table.name} does not drop for {jackpot.name}.", "not-its-table")
        people = dict(Seat.objects.filter(table=table).values_list("number", "player"))
        dealt = sorted({*(players or people), loser, winner})
        _check_seats(jackpot, people, dealt, loser, winner)
        words = _check_hands(jackpot, losing, winning)
        seats = ((loser,), (winner,), [seat for seat in dealt if seat not in (loser, winner)])
        hit = _hit(jackpot, table, seats, people, words, unit=table.smallest_chip or 1, by=by, now=now)
        if hit is None:
            raise Illegal(f"There is nothing in {jackpot.name} that another hit has no claim to.", "jackpot-empty")
        return hit.pk

    made = repeats.once(by=by, verb="jackpots.propose", key=key, asked=asked, do=do, now=now)
    return JackpotHit.objects.get(pk=made)


def _hit(
    jackpot: Jackpot,
    table: Table,
    seats: tuple[Sequence[int], Sequence[int], Sequence[int]],
    people: Mapping[int, int],
    words: tuple[str, str],
    *,
    unit: int,
    now: datetime,
    own: int = 0,
    hand: int | None = None,
    by: User | None = None,
) -> JackpotHit | None:
    """Write the hit down with what everybody gets, in whole chips of `unit`, and ask a second person. `own`: chips that
    the hand's own transfer is about to add. None where there is nothing to be had."""
    chips = held(pool(jackpot.pk))[0] + own - claimed(jackpot)
    if chips <= 0:
        return None
    losing, winning = words
    hit = JackpotHit.objects.create(
        jackpot=jackpot, table=table, hand_id=hand, losing_words=losing, winning_words=winning,
        amount=chips, found_by=by, at=now,
    )  # fmt: skip
    losers, winners, others = seats
    parts = beats.shared_out(chips, _terms(jackpot), losers=losers, winners=winners, others=others, unit=unit)
    JackpotShare.objects.bulk_create(
        JackpotShare(hit=hit, player_id=people[seat], part=part, seat=seat, chips=share) for seat, part, share in parts
    )
    told = f"Pay {chips:,} of {jackpot.name} at {table.name}: {losing} beaten by {winning}"
    hit.approval = approvals.ask(
        what=HIT, words=told, payload={"hit": hit.pk}, by=by, now=now, subject=f"jackpot:{jackpot.pk}",
        amount=chips, lasts=_LASTS,
    )  # fmt: skip
    hit.save(update_fields=["approval"])
    trail.note(verb="jackpots.hit", subject=f"jackpot:{jackpot.pk}", by=by, now=now, hit=hit.pk, table=table.pk,
               amount=chips)  # fmt: skip
    news.tell("jackpots")
    return hit


def _pay(approval: Approval, by: User, now: datetime) -> dict[str, Any]:
    """Approved: everybody gets their share, once, and the jackpot starts again, unless it is closing. `Forbidden` for
    who gets some of it."""
    jackpot = lock(JackpotHit.objects.get(pk=approval.payload["hit"]).jackpot_id)
    hit = JackpotHit.objects.select_for_update(no_key=True, of=("self",)).get(pk=approval.payload["hit"])
    if hit.state != JackpotHit.State.WAITING:
        raise Conflict(f"This hit is {hit.get_state_display()} already.", "decided")
    shares = list(hit.shares.select_related("player"))
    if any(share.player_id == by.pk for share in shares):
        raise Forbidden("You are paid by this jackpot: somebody else decides.", "own-jackpot")
    main = pool(jackpot.pk)
    legs = [(_purse(share.player), share.chips) for share in shares]
    # The end of a hand takes the jackpot's account before wallets; whoever gives comps takes theirs in that of ids.
    held(main, backup(jackpot.pk))
    held(promotions(), *(purse for purse, _ in legs))
    ledger.post(
        reference=f"jackpot-hit:{hit.pk}",
        reason=f"{jackpot.name} hit",
        legs=[(main, -hit.amount), *legs],
        at=now,
        by=by,
    )
    hit.state, hit.decided_at = JackpotHit.State.PAID, now
    starts_again = jackpot.state == Jackpot.State.LIVE
    hit.seeding = jackpot.seeds + 1 if starts_again else 0
    hit.save(update_fields=["state", "decided_at", "seeding"])
    if starts_again:
        seed(jackpot, now=now, by=by)
        jackpot.save(update_fields=["seeds"])
    for share in shares:
        notices.tell(
            player=share.player, kind="jackpot", now=now, key=f"jackpot-hit:{hit.pk}",
            text=f"{jackpot.name} was hit: {share.chips:,} chips ({share.get_part_display()}) are in your wallet.",
        )  # fmt: skip
    trail.note(verb="jackpots.pay", subject=f"jackpot:{jackpot.pk}", by=by, now=now, hit=hit.pk, amount=hit.amount)
    news.tell("jackpots", *(f"player:{share.player_id}" for share in shares))
    return {"hit": hit.pk, "amount": hit.amount}


def _refuse(approval: Approval, now: datetime) -> None:
    """Not approved: its claim is off and the chips stay where they are."""
    hit = JackpotHit.objects.select_for_update(no_key=True, of=("self",)).get(pk=approval.payload["hit"])
    hit.state, hit.decided_at = JackpotHit.State.REFUSED, now
    hit.save(update_fields=["state", "decided_at"])
    news.tell("jackpots")


approvals.register(HIT, _pay, refused=_refuse)


def _check_seats(jackpot: Jackpot, people: Mapping[int, int], dealt: Sequence[int], loser: int, winner: int) -> None:
    if loser == winner:
        raise Invalid("The loser and the winner sit in two seats.", "same-seat")
    empty = [seat for seat in dealt if seat not in people]
    if empty:
        raise Invalid(f"Nobody sits in seat {empty[0]}.", "no-such-seat")
    if len(dealt) < jackpot.least_players:
        needed = f"{jackpot.name} takes {jackpot.least_players} players dealt in"
        raise Illegal(f"{needed}; there were {len(dealt)}.", "too-few-players")


def _check_hands(jackpot: Jackpot, losing: str, winning: str) -> tuple[str, str]:
    """Both hands in words; refused where they are none, or do not qualify."""
    try:
        lost, won = parse_cards(losing), parse_cards(winning)
    except ValueError as error:
        raise Invalid(f"Write the cards as JsJhJdJc2s: {error}.", "bad-cards") from None
    for cards in (lost, won):
        if not 5 <= len(cards) <= 7 or len(set(cards)) != len(cards):
            raise Invalid("A hand is five to seven cards, each once.", "bad-cards")
    if len({*lost} & {*won}) > 1:
        raise Invalid("One card cannot be in two hands, but for a common card.", "bad-cards")
    if not value_of(parse_cards(jackpot.least_hand)) <= value_of(lost) < value_of(won):
        least = name_of(value_of(parse_cards(jackpot.least_hand)))
        raise Illegal(f"{jackpot.name} takes {least} or better, beaten.", "does-not-qualify")
    return name_of(value_of(lost)), name_of(value_of(won))


def _qualifying(hand: str, downcards: int, players: int) -> beats.Qualifying:
    return beats.Qualifying(tuple(parse_cards(hand)), downcards, players)


def _terms(jackpot: Jackpot) -> beats.Terms:
    return beats.Terms(
        jackpot.loser_percent, jackpot.winner_percent, jackpot.loser_bonus, jackpot.winner_bonus, jackpot.table_bonus
    )


def _purse(player: User) -> Account:
    """A bot's chips come from the house and go back there."""
    return ledger.open_account(kind=Account.Kind.HOUSE, label=PLAY_MONEY) if player.is_bot else ledger.wallet(player)
