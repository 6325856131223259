"""The audit of hands: every stored hand is replayed and compared with its row, its table and the ledger.

The house's `audit` runs these. A fault names hands, seats and chips, and never a card.
"""

from collections.abc import Callable, Iterator

from cardroom.core import audit as core_audit
from cardroom.core.audit import Note
from cardroom.core.errors import Refusal
from cardroom.ledger.models import Account, Entry
from games.engine.hand import Hand as Engine
from games.play.past import sealing
from games.rake import drops
from games.rulebooks import RulebookError
from games.rulebooks.models import RulebookVersion
from games.rulebooks.queries import load
from games.tables import journal as table_journal
from games.tables.models.tables import Hand, Seat, Table

_CHUNK = 200


def hands_replay() -> Iterator[str]:
    """Every hand that is over replays from its facts to the end that its row and the ledger have."""
    for hand in Hand.objects.filter(playing_at=None).select_related("drop").order_by("pk").iterator(_CHUNK):
        name = f"hand {hand.pk}"
        engine, fault = _replay_hand(hand)
        if engine is None:
            yield f"{name} {fault}"
            continue
        if not engine.is_over or hand.ended_at is None:
            yield f"{name} is not over, and no table is playing it"
            continue
        if hand.seq != len(engine.facts):
            yield f"{name} says it has {hand.seq} facts; it has {len(engine.facts)}"
        after = {str(seat): state.stack for seat, state in engine.seats.items()}
        if hand.stacks != after:
            yield f"{name} says the stacks came to {hand.stacks}; replayed they come to {after}"
        yield from _chip_faults(name, engine)
        yield from _ledger_faults(name, hand, engine)
        yield from _drop_faults(name, hand, engine)


def open_hands_match_their_tables() -> Iterator[str]:
    """Every hand being played replays to the position in its table's row, with the stacks of the ledger."""
    for table in Table.objects.exclude(play__hand=None).select_related("play__hand").order_by("pk"):
        name = f"hand {table.hand_id} at table {table.pk}"
        engine, fault = _replay_hand(table.hand)
        if engine is None:
            yield f"{name} {fault}"
            continue
        stored = (table.seq, table.street, table.to_act)
        replayed = (len(engine.facts), engine.street, engine.to_act)
        if stored != replayed:
            yield f"{name}: (seq, street, to act) are {replayed}, and the table says {stored}"
        if engine.is_over or table.hand.ended_at is not None:
            yield f"{name} is over, and its table plays it still"
        yield from _chip_faults(name, engine)
        yield from _stack_faults(name, table.hand, engine)


def seats_hold_their_stacks() -> Iterator[str]:
    """Chips lie on tables only where somebody sits, on their own account, and in the unit of the table."""
    stacks = Account.objects.filter(kind=Account.Kind.STACK, label__startswith="table:")
    for account in stacks.filter(seat=None).exclude(balance=0).order_by("pk"):
        yield f"account {account.pk}, {account.label}, holds {account.balance:,} and nobody sits there"
    for seat in Seat.objects.select_related("account", "table__play").order_by("pk"):
        label = f"table:{seat.table_id}:seat:{seat.number}"
        if seat.account.owner_id != seat.player_id or seat.account.label != label:
            yield f"{seat} keeps its chips on account {seat.account_id}, which is another's"
        if seat.account.unit != seat.table.unit:
            yield f"{seat} holds chips of {seat.account.unit}, and its table plays for {seat.table.unit}"


def rulebooks_are_there() -> Iterator[str]:
    """Every rulebook of a table or a hand is there, and the list of changes of a house book matches its points."""
    played = Table.objects.values_list("rulebook", flat=True).union(Hand.objects.values_list("rulebook", flat=True))
    for reference in sorted(set(played) - {""}):
        try:
            load(reference)
        except RulebookError as error:
            yield f"a table or a hand is played by a book that is not there: {error}"
    for version in RulebookVersion.objects.select_related("book").order_by("pk"):
        for key, change in version.changes.items():
            point = version.points[key]
            if change["value"] != point["value"] or (change["tournament"] or point["value"]) != (
                point["tournament"] or point["value"]
            ):
                yield f"{version.title} says of {key} another thing than was changed"


def sealed_facts_open() -> Iterator[str]:
    """Every sealed fact opens, in its own place and under a key that the room has."""
    for hand_id, seq, why in table_journal.unopened():
        yield f"fact {seq} of hand {hand_id} is sealed and does not open ({why})"


def sealed_from() -> Iterator[Note]:
    """How many facts of hidden kinds are not sealed: those from before sealing, which nobody may change any more."""
    count, newest = table_journal.unsealed()
    if count:
        yield Note(f"{count:,} facts that not everybody may see are not sealed, the newest in hand {newest}")
    if starts := sealing.open_starts().count():
        yield Note(
            f"{starts:,} results of hands say openly what a player began with; `manage.py seal_starts` seals them"
        )


CHECKS: dict[str, Callable[[], Iterator[str]]] = {
    "hands replay": hands_replay,
    "sealed facts open": sealed_facts_open,
    "facts of hands keep their chain": table_journal.store.faults_of_chains,
    "open hands stand": open_hands_match_their_tables,
    "seats hold their stacks": seats_hold_their_stacks,
    "rulebooks stand": rulebooks_are_there,
    "what is not sealed": sealed_from,
}
core_audit.register_all(CHECKS)


def _replay_hand(hand: Hand) -> tuple[Engine | None, str]:
    try:
        facts = table_journal.facts(hand.pk)
        return table_journal.engine_of(facts), ""
    except (Refusal, ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        return None, f"does not replay ({type(error).__name__})"


def _chip_faults(name: str, engine: Engine) -> Iterator[str]:
    before = sum(stack for _, stack in engine.started.stacks)
    after = sum(player.stack for player in engine.seats.values()) + engine.pot
    after += engine.drop.total if engine.drop else 0
    if before != after:
        yield f"{name} began with {before:,} chips and holds {after:,}"


def _ledger_faults(name: str, hand: Hand, engine: Engine) -> Iterator[str]:
    """The hand's transfer moved the same chips as its facts."""
    posted = dict(Entry.objects.filter(transfer__reference=f"hand:{hand.pk}").values_list("account", "amount"))
    sitters = table_journal.sitters(hand)
    moved = {sitters[seat].account: engine.seats[seat].stack - before for seat, before in engine.started.stacks}
    if engine.drop is not None:
        taken = drops.split_of(engine.drop, hand.funds, number=hand.number)
        moved |= {hand.funds.get(part, 0): chips for part, chips in taken.items() if chips}
    if posted != {account: amount for account, amount in moved.items() if amount}:
        yield f"{name} moved {moved} by account; its transfer moved {posted}"


def _drop_faults(name: str, hand: Hand, engine: Engine) -> Iterator[str]:
    """A hand dealt under terms of a drop says what was taken, unless every chip went back; its row says the same."""
    fact, row = engine.drop, getattr(hand, "drop", None)
    is_due = bool(engine.started.drop) and any(other.kind == "pot-awarded" for other in engine.facts)
    if fact is None and is_due:
        yield f"{name} was dealt under terms of a drop and says nothing of one"
    if (fact is None) != (row is None):
        yield f"{name} {'has no fact of what was taken' if row else 'has no row of what was taken'}"
    if fact is None or row is None:
        return
    terms = dict(engine.started.drop)
    backup = drops.split_of(fact, hand.funds, number=hand.number)["backup"]
    pot = sum(state.total for state in engine.seats.values())
    of_fact = (fact.rake, fact.promo, fact.jackpot, backup, fact.why, pot, len(engine.players), terms.get("schedule"))
    of_row = (row.rake, row.promo, row.jackpot, row.backup, row.why, row.pot, row.players, row.schedule_id)
    if (of_fact, terms.get("fund")) != (of_row, row.fund_id):
        yield f"{name} had {of_fact} taken of it; its row says {of_row}"


def _stack_faults(name: str, hand: Hand, engine: Engine) -> Iterator[str]:
    sitters = table_journal.sitters(hand)
    balances = Account.objects.in_bulk([sitter.account for sitter in sitters.values()])
    for seat, before in engine.started.stacks:
        held = balances[sitters[seat].account].balance
        if held != before:
            yield f"{name}: seat {seat} began with {before:,}, and the ledger shows {held:,}"
