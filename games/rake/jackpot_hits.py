"""Hits of jackpots: a hand good enough that lost at the showdown; proposed, approved, paid."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Any

from django.utils.translation import gettext

from cardroom.accounts.people import PLAY_MONEY
from cardroom.core import approvals, audit_log, languages, notices, sentences, topics
from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotFound, Verbatim
from cardroom.core.models import Approval, User
from cardroom.core.sentences import stored_text
from cardroom.core.verb import lock, verb
from cardroom.ledger import ledger
from cardroom.ledger.models import Account
from games.engine.cards import parse_cards
from games.engine.games import MOST_SEATS
from games.engine.ranking import name_of, value_of
from games.engine.rules import bad_beats
from games.rake import drops, reasons
from games.rake.jackpot_chips import backup, chips_claimed, lock_balances, pool, promotions, seed
from games.rake.models.drops import Jackpot, JackpotHit, JackpotShare
from games.tables.journal import OpenHand
from games.tables.models.tables import Seat, Table
from games.tables.words import hand_kept

HIT = "jackpot.hit"


#: The roles that may report a hit at a table in the room.
JACKPOT_ROLES = ("floor", "manager")


#: A jackpot that is closing can still be hit by hands that dropped for it.
PAYS = (Jackpot.State.LIVE, Jackpot.State.CLOSING)


#: A hit waits for its decision without a real limit.
_LASTS = timedelta(days=3650)


def find_hit(table: Table, open_hand: OpenHand, *, now: datetime) -> JackpotHit | None:
    """The hit of a hand that has ended at a table that drops for a jackpot, written down; None where it was no hit.

    Call it before the hand's transfer is posted, with the table locked. No statement where there was no bad beat.
    """
    qualifying = open_hand.funds.get("qualifying")
    if qualifying is None or not open_hand.engine.show_order:
        return None
    least, downcards, players = qualifying
    beat = bad_beats.find(open_hand.engine, bad_beats.Qualifying(tuple(parse_cards(least)), downcards, players))
    if beat is None:
        return None
    jackpot, _ = lock(Jackpot, dict(open_hand.engine.started.drop)["fund"])
    if jackpot.state not in PAYS:
        return None
    own = sum(chips for account, chips in drops.legs(open_hand, number=table.hand_count)
              if account == open_hand.funds["jackpot"])  # fmt: skip
    people = {seat: sitter.player for seat, sitter in open_hand.sitters.items()}
    seats = (beat.losers, beat.winners, [s for s in open_hand.engine.order if s not in (*beat.losers, *beat.winners)])
    words, unit = (beat.losing, beat.winning), open_hand.engine.started.unit
    return _hit(jackpot, table, seats, people, words, unit=unit, own=own, hand=open_hand.pk, now=now)


SeatNumber = Annotated[int, Limits(min_value=1, max_value=MOST_SEATS)]


LosingSeat = Annotated[int, Limits(min_value=1, max_value=MOST_SEATS, help_text="The seat of the losing hand.")]


LosingCards = Annotated[str, Limits(max_length=14, help_text="Its cards, five to seven.")]


WinningCards = Annotated[str, Limits(max_length=14)]


DealtIn = Annotated[
    list[SeatNumber], Limits(max_length=MOST_SEATS, help_text="Seats dealt in; none: everybody seated.", default=list)
]


@verb("jackpots.propose", roles=JACKPOT_ROLES)
def propose(
    *,
    jackpot_id: RowId,
    table_id: RowId,
    loser: LosingSeat,
    winner: SeatNumber,
    losing: LosingCards,
    winning: WinningCards,
    players: DealtIn | None = None,
    by: User,
) -> JackpotHit:
    """Report, as the floor, that a jackpot was hit at a table in the room. `loser`, `winner` and `players` (all dealt
    in; none given: everybody seated) are seat numbers; `losing` and `winning` the cards of the two hands, five to
    seven, as "JsJhJdJc2s". Whether their own downcards play the floor has to check.

    Refuses: `NotFound`, `Illegal` (hits at this table are found by the system; the table does not drop for the jackpot;
    the hands do not qualify; too few were dealt in; nothing is in it), `Invalid`, `Conflict`. Locks the jackpot.
    """
    table = Table.objects.select_related("drop").filter(pk=table_id).first()
    if table is None:
        raise NotFound("no-such-table", "There is no such table.")
    if not table.is_physical:
        raise Illegal("not-physical", "Jackpot hits at this table are found automatically at the showdown.")
    jackpot, now = lock(Jackpot, jackpot_id)
    if jackpot.state not in PAYS:
        raise Illegal("jackpot-closed", "{name} is closed.", name=jackpot.name)
    if table.event or table.drop is None or table.drop.jackpot_name != jackpot.name:
        raise Illegal("not-its-table", "{table} does not drop for {jackpot}.", table=table.name, jackpot=jackpot.name)
    people = dict(Seat.objects.filter(table=table).values_list("number", "player"))
    dealt = sorted({*(players or people), loser, winner})
    _check_seats(jackpot, people, dealt, loser, winner)
    words = _check_hands(jackpot, losing, winning)
    seats = ((loser,), (winner,), [seat for seat in dealt if seat not in (loser, winner)])
    hit = _hit(jackpot, table, seats, people, words, unit=table.smallest_chip or 1, by=by, now=now)
    if hit is None:
        raise Illegal(
            "jackpot-empty", "There is nothing in {name} that another hit has no claim to.", name=jackpot.name
        )
    return hit


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
    """Write the hit down with everybody's share, in whole chips of `unit`, and ask a second person to approve it.
    `own`: chips that the hand's own transfer is about to add. None where the jackpot is empty."""
    chips = lock_balances(pool(jackpot.pk))[0] + own - chips_claimed(jackpot)
    if chips <= 0:
        return None
    losing, winning = words
    hit = JackpotHit.objects.create(
        jackpot=jackpot, table=table, hand_id=hand, losing_words=losing, winning_words=winning,
        amount=chips, found_by=by, at=now,
    )  # fmt: skip
    losers, winners, others = seats
    parts = bad_beats.shared_out(chips, _terms(jackpot), losers=losers, winners=winners, others=others, unit=unit)
    JackpotShare.objects.bulk_create(
        JackpotShare(hit=hit, player_id=people[seat], part=part, seat=seat, chips=share) for seat, part, share in parts
    )
    summary = stored_text(
        "Pay {chips:,} of {jackpot} at {table}: {losing} beaten by {winning}", chips=chips, jackpot=jackpot.name,
        table=table.name, losing=hand_kept(losing), winning=hand_kept(winning),
    )  # fmt: skip
    names = {user.pk: user.username for user in User.objects.filter(pk__in=[people[seat] for seat, _, _ in parts])}
    details = {
        "jackpot": jackpot.name, "table": table.name, "hand": hand or 0,
        "shares": [
            {"id": people[seat], "name": names.get(people[seat], ""), "part": part, "chips": share}
            for seat, part, share in parts
        ],
    }  # fmt: skip
    hit.approval = approvals.ask(
        what=HIT, words=summary, payload={"hit": hit.pk}, by=by, now=now, subject=f"jackpot:{jackpot.pk}",
        amount=chips, lasts=_LASTS, alone=f"jackpot-hit:{hit.pk}", details=details,
    )  # fmt: skip
    hit.save(update_fields=["approval"])
    audit_log.note(verb="jackpots.hit", subject=f"jackpot:{jackpot.pk}", by=by, now=now, hit=hit.pk, table=table.pk,
               amount=chips)  # fmt: skip
    topics.tell("jackpots")
    return hit


def _pay(approval: Approval, by: User, now: datetime) -> dict[str, Any]:
    """Pay an approved hit: everybody gets their share, once, and the jackpot starts again, unless it is closing.
    `Forbidden` for a decider who gets a share."""
    jackpot, _ = lock(Jackpot, JackpotHit.objects.get(pk=approval.payload["hit"]).jackpot_id)
    hit = JackpotHit.objects.select_for_update(no_key=True, of=("self",)).get(pk=approval.payload["hit"])
    if hit.state != JackpotHit.State.WAITING:
        raise Conflict("decided", "This hit is already {state}.", state=hit.get_state_display())
    shares = list(hit.shares.select_related("player"))
    if any(share.player_id == by.pk for share in shares):
        raise Forbidden("own-jackpot", "This jackpot pays you: somebody else has to decide.")
    main = pool(jackpot.pk)
    legs = [(_purse(share.player), share.chips) for share in shares]
    # The end of a hand locks the jackpot's account before wallets; comps lock their accounts in the order of ids.
    lock_balances(main, backup(jackpot.pk))
    lock_balances(promotions(), *(purse for purse, _ in legs))
    ledger.post(
        reference=f"jackpot-hit:{hit.pk}",
        reason=reasons.HIT(name=jackpot.name),
        legs=[(main, -hit.amount), *legs],
        at=now,
        by=by,
    )
    hit.state, hit.decided_at = JackpotHit.State.PAID, now
    starts_again = jackpot.state == Jackpot.State.LIVE
    hit.seeding = jackpot.seeds + 1 if starts_again else 0
    hit.save(update_fields=["state", "decided_at", "seeding"])
    if starts_again:
        seed(jackpot, now=now, by=by, approval=approval)
        jackpot.save(update_fields=["seeds"])
    for share in shares:
        with languages.spoken_to(share.player):
            text = sentences.filled(
                gettext("{jackpot} was hit: {chips:,} chips ({part}) are in your wallet."),
                jackpot=jackpot.name,
                chips=share.chips,
                part=share.get_part_display(),
            )
        notices.tell(player=share.player, kind="jackpot", now=now, key=f"jackpot-hit:{hit.pk}", text=text)
    audit_log.note(verb="jackpots.pay", subject=f"jackpot:{jackpot.pk}", by=by, now=now, hit=hit.pk, amount=hit.amount)
    topics.tell("jackpots", *(f"player:{share.player_id}" for share in shares))
    return {"hit": hit.pk, "amount": hit.amount}


def _refuse(approval: Approval, now: datetime) -> None:
    """Refuse a hit: its claim ends and the chips stay in the jackpot."""
    hit = JackpotHit.objects.select_for_update(no_key=True, of=("self",)).get(pk=approval.payload["hit"])
    hit.state, hit.decided_at = JackpotHit.State.REFUSED, now
    hit.save(update_fields=["state", "decided_at"])
    topics.tell("jackpots")


approvals.register(HIT, _pay, refused=_refuse)


def _check_seats(jackpot: Jackpot, people: Mapping[int, int], dealt: Sequence[int], loser: int, winner: int) -> None:
    if loser == winner:
        raise Invalid("same-seat", "The loser and the winner sit in two seats.")
    empty = [seat for seat in dealt if seat not in people]
    if empty:
        raise Invalid("no-such-seat", "Nobody sits in seat {seat}.", seat=empty[0])
    if len(dealt) < jackpot.least_players:
        pattern = gettext("{jackpot} takes {least} players dealt in; there were {n}.")
        message = pattern.format(jackpot=jackpot.name, least=jackpot.least_players, n=len(dealt))
        raise Illegal("too-few-players", Verbatim(message))


def _check_hands(jackpot: Jackpot, losing: str, winning: str) -> tuple[str, str]:
    """Both hands in words; refused where they are no hands, or do not qualify."""
    try:
        lost, won = parse_cards(losing), parse_cards(winning)
    except ValueError as error:
        raise Invalid("bad-cards", "Write the cards as JsJhJdJc2s: {error}.", error=error) from None
    for cards in (lost, won):
        if not 5 <= len(cards) <= 7 or len(set(cards)) != len(cards):
            raise Invalid("bad-cards", "A hand is five to seven cards, each once.")
    if len({*lost} & {*won}) > 1:
        raise Invalid("bad-cards", "One card cannot be in two hands, but for a common card.")
    if not value_of(parse_cards(jackpot.least_hand)) <= value_of(lost) < value_of(won):
        least = name_of(value_of(parse_cards(jackpot.least_hand)))
        raise Illegal("does-not-qualify", "{name} takes {least} or better, beaten.", name=jackpot.name, least=least)
    return name_of(value_of(lost)), name_of(value_of(won))


def _terms(jackpot: Jackpot) -> bad_beats.JackpotTerms:
    return bad_beats.JackpotTerms(
        jackpot.loser_percent, jackpot.winner_percent, jackpot.loser_bonus, jackpot.winner_bonus, jackpot.table_bonus
    )


def _purse(player: User) -> Account:
    """The account that a share is paid to: the player's wallet; for a bot the play money of the house."""
    return ledger.open_account(kind=Account.Kind.HOUSE, label=PLAY_MONEY) if player.is_bot else ledger.wallet(player)
