"""The end of a hand: chips are posted to the ledger, each result is stored, and what waited for the end is done.

During a hand the ledger shows the stacks as the hand found them. One transfer, `hand:<id>`, moves what was won and
lost, and what the house took of the pots. The result of each player is a row, so that they find their hands quickly.
The chips of a table in the room are counted here too; a difference from the ledger goes to the house with a reason.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Annotated, Any

from django.utils.translation import gettext, ngettext

from cardroom.accounts import bans, look
from cardroom.accounts.models import Where
from cardroom.cage import allowances, asking
from cardroom.cage import books as cage_books
from cardroom.cage.allowances import NeedsApproval
from cardroom.core import alarms, approvals, audit_log, languages, notices, topics
from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Conflict, Illegal, Invalid, Verbatim
from cardroom.core.models import Approval, StaffAction, User
from cardroom.core.sentences import stored_text
from cardroom.core.verb import lock, verb
from cardroom.ledger import counts, ledger, limits
from cardroom.ledger.models import Account
from games.dealers import downs
from games.engine.facts.mistakes import HandVoided, in_force
from games.engine.facts.play import HandMucked, HandShown, HandTabled
from games.play import clocks
from games.play.past import figures
from games.rake import drops, jackpot_hits, time_charges
from games.tables import locking, reasons, stacks
from games.tables import signals as table_signals
from games.tables.journal import OpenHand
from games.tables.models.offers import ChipCount
from games.tables.models.tables import Hand, Seat, SeatMove, Table
from games.tables.models.times import HandResult


def write_results(table: Table, open_hand: OpenHand, stacks_after: Mapping[int, int], *, now: datetime) -> None:
    """The results of the people in this hand; a hand among bots alone has none. Two statements.

    Call with the table locked, before anybody leaves it.
    """
    people = {seat: sitter for seat, sitter in open_hand.sitters.items() if not sitter.is_bot}
    if not people:
        return
    engine = open_hand.engine
    before = dict(engine.started.stacks)
    # Chips that a void hand gave back count as not put in.
    is_void = all(stacks_after[seat] == chips for seat, chips in before.items())
    put_in = {seat: 0 if is_void else state.total for seat, state in engine.seats.items()}
    taken = shared_out(engine.drop.total if engine.drop else 0, put_in)
    of_stays = {} if table.event else stacks.open_at(table)
    kinds = HandShown | HandMucked | HandTabled
    at_showdown = {fact.seat for _, fact in in_force(engine.facts) if isinstance(fact, kinds)}
    figures_of = figures.figures_of(engine)
    HandResult.objects.bulk_create(
        HandResult(
            hand_id=open_hand.pk,
            table=table,
            player_id=sitter.player,
            stay=of_stays.get(sitter.player),
            seat=seat,
            put_in=put_in[seat],
            net=stacks_after[seat] - before[seat],
            taken=0 if table.event else taken[seat],
            is_cash=not table.event,
            is_showdown=seat in at_showdown,
            is_all_in=put_in[seat] == before[seat],
            **vars(figures_of[seat])
            | {"start": figures.sealed_start(figures_of[seat].start, hand=open_hand.pk, player=sitter.player)},
            at=now,
        )
        for seat, sitter in sorted(people.items())
    )


def shared_out(chips: int, by: Mapping[int, int]) -> dict[int, int]:
    """`chips` shared out in proportion to `by`, in whole chips that add up: the chips left over go to the largest
    fractions, the lower seat first."""
    whole = sum(by.values())
    if not whole:
        return dict.fromkeys(by, 0)
    parts = {seat: chips * weight // whole for seat, weight in by.items()}
    rests = sorted(by, key=lambda seat: (-(chips * by[seat] % whole), seat))
    for seat in rests[: chips - sum(parts.values())]:
        parts[seat] += 1
    return parts


#: The columns of a seat that a hand may change, beside its chips.
_KEPT = [
    *("time_bank_ms", "missed_clocks", "top_up_queued", "state", "out_since", "is_warned"),
    *("extras_taken", "extra_used_ms"),
]
_GONE = (Seat.State.LEAVING, Seat.State.REMOVED)
#: Rings for `moving.wake`.
MOVE_ALARM = alarms.register("seat-move", "games.tasks.move_seat")
_NEWCOMER_PAUSE = timedelta(seconds=1)


def settle(table: Table, open_hand: OpenHand, *, now: datetime) -> datetime | None:
    """Close the hand; returns when the table's alarm is due next. The caller stores the table."""
    engine = open_hand.engine
    stacks_after = {seat: state.stack for seat, state in engine.seats.items()}
    voided = engine.facts[-1] if isinstance(engine.facts[-1], HandVoided) else None
    pot = 0 if voided else sum(state.total for state in engine.seats.values())
    table.is_redeal = voided is not None and voided.why in ("misdeal", "fouled-deck")
    Hand.objects.filter(pk=open_hand.pk).update(ended_at=now, seq=open_hand.length, pot=pot, stacks=stacks_after)
    table.deal_at = now + _pause(table, open_hand)
    if voided is None:
        jackpot_hits.find_hit(table, open_hand, now=now)
    _post(table, open_hand, stacks_after, now=now)
    drops.write(table, open_hand, pot=pot, now=now)
    write_results(table, open_hand, stacks_after, now=now)
    if not dict(engine.started.drop).get("permille"):
        # A table that rakes its pots collects no time.
        time_charges.after_hand(table, now=now)
    seats = _see_to_seats(table, open_hand, stacks.seats_of(table), now=now)
    table.last_hand_id, table.hand = open_hand.pk, None
    clocks.put_away(table)
    table_signals.hand_ended.after_commit(table_id=table.pk, hand_id=open_hand.pk, seq=open_hand.length)
    if table.state == Table.State.CLOSING:
        close_up(table, seats, now=now)
        return None
    return stacks.next_wake(table, seats, now=now)


def close_up(table: Table, seats: list[Seat], *, now: datetime) -> None:
    """Cash everybody out and close the table for good. The caller stores it."""
    stacks.hold(seat.player for seat in seats)
    for seat in seats:
        stacks.cash_out(seat, table, now=now)
    downs.end_at(table, now=now)
    locking.write(table, state=Table.State.CLOSED)
    table.deal_at = None


def _post(table: Table, open_hand: OpenHand, stacks_after: dict[int, int], *, now: datetime) -> None:
    legs = [
        (open_hand.sitters[seat].account, stacks_after[seat] - before)
        for seat, before in open_hand.engine.started.stacks
    ]
    legs += drops.legs(open_hand, number=table.hand_count)
    ledger.post(reference=f"hand:{open_hand.pk}", reason=reasons.HAND(at=table.name), legs=legs, at=now)


def _see_to_seats(table: Table, open_hand: OpenHand, seats: list[Seat], *, now: datetime) -> list[Seat]:
    """After a hand: copy clocks back to the seats, sit players out, add requested chips, cash out players who leave.
    Returns the seats that remain."""
    remaining, changed = [], []
    is_closing = table.state == Table.State.CLOSING
    gets_chips = {seat.pk for seat in seats if seat.top_up_queued or _refill(seat, table)}
    stacks.hold(seat.player for seat in seats if is_closing or seat.pk in gets_chips or seat.state in _GONE)
    for seat in seats:
        if seat.state in _GONE:
            if seat.number in open_hand.sitters:
                _note_extra(seat, table)
            stacks.cash_out(seat, table, now=now)
            continue
        remaining.append(seat)
        if seat.state == Seat.State.MOVING:
            # Another table's row is locked in the order of their ids: not from here.
            alarms.set(kind=MOVE_ALARM, key=str(seat.pk), due_at=now, fence=seat.pk)
        if seat.number not in open_hand.sitters:
            continue
        before = _kept_values(seat)
        clock = clocks.clock_of(table, seat.number)
        seat.time_bank_ms, seat.missed_clocks = clock.bank, clock.missed
        seat.is_warned = seat.is_warned or open_hand.engine.seats[seat.number].warnings > 0
        _note_extra(seat, table)
        if table.event:
            _copy_absence(seat, clock, now=now)
            if _kept_values(seat) != before:
                changed.append(seat)
            continue
        has_missed = seat.missed_clocks >= table.missed_clocks_allowed
        _add_chips(seat, table, is_here=not has_missed, now=now)
        if seat.state == Seat.State.PLAYING and (has_missed or not seat.account.balance):
            sit_out(seat, table, now=now)
        if _kept_values(seat) != before:
            changed.append(seat)
    if changed:
        Seat.objects.bulk_update(changed, _KEPT)
    return remaining


def _note_extra(seat: Seat, table: Table) -> None:
    """Copy the extra time that a player had from the clock to the seat."""
    if not table.minds_presence:
        return
    clock = clocks.clock_of(table, seat.number)
    seat.extra_used_ms = clock.extra_used
    # In a cash game a player who is back when the hand is over starts anew the next time, within the limit of a visit.
    seat.extras_taken = clock.extras if table.event or clock.is_gone else 0


def _copy_absence(seat: Seat, clock: clocks.SeatClock, *, now: datetime) -> None:
    """At an event, copy from the clock to the seat whether its player is away; the seat is dealt in all the same."""
    is_away = clock.is_away and not seat.player.is_bot
    if is_away != (seat.state == Seat.State.SITTING_OUT):
        seat.state = Seat.State.SITTING_OUT if is_away else Seat.State.PLAYING
        seat.out_since = now if is_away else None


def _kept_values(seat: Seat) -> list[Any]:
    return [getattr(seat, name) for name in _KEPT]


def sit_out(seat: Seat, table: Table, *, now: datetime, by: User | None = None) -> SeatMove:
    """Mark a seat as sitting out: it is not dealt in from the next hand on. The caller saves the seat."""
    seat.state, seat.out_since, seat.missed_clocks = Seat.State.SITTING_OUT, now, 0
    return stacks.note(table, player=seat.player, number=seat.number, kind=SeatMove.Kind.SAT_OUT, now=now, by=by)


def _refill(seat: Seat, table: Table) -> int:
    """The chips to add automatically by the player's settings (`look`): 0 where their stack is large enough, or they
    want none. A player without chips gets at least the table's minimum buy-in."""
    wishes = look.look_of(seat.player)
    if wishes["refill"] == "off" or table.event or table.state != Table.State.OPEN or seat.state != Seat.State.PLAYING:
        return 0
    most = table.max_buy_in
    whole = most if wishes["refill"] == "most" else min(most, int(wishes["refill"]) * table.big_bet)
    whole = max(whole, table.min_buy_in)
    held = seat.account.balance
    is_due = {"gone": not held, "half": held * 2 < whole, "less": held < whole}[wishes["refill_when"]]
    return whole - held if is_due else 0


def _add_chips(seat: Seat, table: Table, *, is_here: bool, now: datetime) -> None:
    """Add the chips that were requested during the hand, as many as table and wallet allow: the request was checked
    when it was made, and chips won or spent since then are nobody's fault. Without a request, the automatic refill of
    a player who is still here (`is_here`)."""
    requested, seat.top_up_queued = seat.top_up_queued, 0
    held = seat.account.balance
    amount_wanted = requested or (_refill(seat, table) if is_here else 0)
    if not amount_wanted:
        return
    amount = min(amount_wanted, table.max_buy_in - held, stacks.wallet_now(seat.player))
    if amount <= 0 or (not requested and held + amount < table.min_buy_in and not held):
        return
    elsewhere = Where.ONLINE if table.is_physical else Where.ROOM
    if bans.in_force(seat.player, now=now).exclude(where=elsewhere).exists():
        return  # their seat is about to be taken
    try:
        # They may have requested chips at several tables, each request within their own limit.
        with languages.spoken_to(seat.player):
            limits.check(player=seat.player, kind="buy-in", amount=amount, now=now)
    except Illegal as refusal:
        # A refill is tried after every hand: its refusal is told once a stay.
        key = "" if requested else f"refill:{seat.pk}"
        with languages.spoken_to(seat.player):
            text = gettext("No chips were added: {why}").format(why=refusal.message)
        notices.tell(player=seat.player, kind="own-limit", text=text, now=now, key=key)
    else:
        stacks.add(seat, table, amount=amount, now=now)


def _pause(table: Table, open_hand: OpenHand) -> timedelta:
    """Long enough to read the showdown; short where none was, or where only bots have to wait for a newcomer."""
    pause = timedelta(seconds=table.pause_seconds)
    if table.people_waiting and all(sitter.is_bot for sitter in open_hand.sitters.values()):
        return min(pause, _NEWCOMER_PAUSE)
    return pause if open_hand.engine.show_order else pause / 2


ROLES = ("floor", "manager")
#: What a second person approves, where a count is far off.
ACT = "counting.count"

Counted = Annotated[int, Limits(min_value=0, max_value=10**12)]
ReasonOfDifference = Annotated[
    str, Limits(max_length=300, required=False, help_text="Required where it differs from the book balance.")
]


def expected(table: Table) -> int:
    """The chips on a table of the room, by the ledger."""
    label = f"chips:table:{table.pk}"
    held = Account.objects.filter(kind=Account.Kind.POOL, label=label, unit=table.unit)
    return held.values_list("balance", flat=True).first() or 0


@verb("counting.count", roles=ROLES)
def count(*, table_id: RowId, counted: Counted, reason: ReasonOfDifference = "", by: User) -> ChipCount | Approval:
    """Record a count of all chips on a table of the room, in stacks and loose. A difference goes to the house, with a
    reason; one above what the counter may answer for alone needs a second person (`Approval`). The count is blind: see
    `counts.stand`.

    Refuses: `Invalid` (no number of chips, no fit reason), `Illegal` (no table of the room; a difference without a
    reason), `Conflict` (another count of theirs stands). Locks the table, then the books, then the chips.
    """
    if type(counted) is not int or not 0 <= counted <= ledger.MOST_CHIPS:
        raise Invalid("bad-amount", "Chips are counted in whole numbers from 0.")
    why = cage_books.short_reason(reason)
    (table, expected), now = lock(_lock_table_and_chips, table_id, counts_alone=True)
    subject = f"table:{table.pk}"
    stood = counts.stand(subject=subject, counted=counted, expected=expected, by=by, now=now, reason=why)
    try:
        if stood.difference:
            allowances.check_difference(stood.difference, by=by, now=now, approval=None, roles=ROLES)
    except NeedsApproval as refusal:
        return approvals.ask(
            what=ACT,
            words=stored_text("Count of the chips of {table} with a difference", table=table.name),
            payload={"table": table.pk, "counted": counted, "expected": expected, "count": stood.pk},
            by=by,
            now=now,
            reason=stood.reason,
            subject=subject,
            alone=f"count:{subject}",
            replaces=True,
            details={"table": table.name, **asking.count(stood, refusal, now=now)},
        )
    row = _record_count(table, counted, expected, by=by, reason=stood.reason, approval=None, now=now)
    if stood.difference:
        counts.mark_posted(stood, now=now)
    return row


def _lock_table_and_chips(table_id: int, *, counts_alone: bool = False) -> tuple[Table, int]:
    """The table and its chips by the books, both locked. `counts_alone`: locks the cage's books too, for somebody may
    answer for a difference alone, and their differences of a day include those of drawers and boxes."""
    table = locking.table(table_id)
    if counts_alone:
        cage_books.lock_books()
    if not table.is_physical:
        raise Illegal("not-physical", "The system counts the chips of this table.")
    return table, Account.objects.select_for_update(no_key=True).get(pk=stacks.pool(table).pk).balance


def _record_count(
    table: Table, counted: int, expected: int, *, by: User, reason: str, approval: Approval | None, now: datetime
) -> ChipCount:
    difference, why = counted - expected, reason if counted != expected else ""
    chip_count = ChipCount.objects.create(table=table, expected=expected, counted=counted, reason=why, by=by, at=now)
    grant = (
        allowances.check_difference(difference, by=by, now=now, approval=approval, roles=ROLES) if difference else None
    )
    entry = _note_count(table, chip_count, by=by, reason=why, now=now, **(grant.details if grant else {}))
    if grant is not None:
        pool, house = (
            stacks.pool(table),
            ledger.open_account(kind=Account.Kind.HOUSE, label=f"difference:table:{table.pk}"),
        )
        reason_posted = (reasons.OVER if difference > 0 else reasons.SHORT)(at=table.name)
        ledger.post(
            reference=f"count:{chip_count.pk}",
            reason=reason_posted,
            legs=[(pool, difference), (house, -difference)],
            at=now,
            by=by,
            passage=grant.noted(entry),
        )
    if table.state == Table.State.BREAKING:
        locking.store(table, wake_at=now)
    locking.tell(table)
    topics.tell("floor")
    return chip_count


def _post_approved_difference(approval: Approval, by: User, now: datetime) -> dict[str, int]:
    """A second person approved the difference: post it."""
    payload = approval.payload
    table, expected = _lock_table_and_chips(payload["table"])
    if approval.asked_by is None or expected != payload["expected"]:
        raise Conflict("changed-since", "Chips have moved to or from this table since the count: count it again.")
    stood = counts.still_stands(approval)
    chip_count = _record_count(
        table, payload["counted"], expected, by=approval.asked_by, reason=approval.reason, approval=approval, now=now
    )
    counts.mark_posted(stood, now=now, approval=approval)
    return {"count": chip_count.pk}


def _lock_table(approval: Approval) -> None:
    locking.of_table(approval.payload["table"])


approvals.register(ACT, _post_approved_difference, refused=counts.undone, lock=_lock_table, hides=counts.hidden_from)


def check_accounted_for(table: Table) -> None:
    """Before a table of the room closes: `Illegal` where players still sit there, `Conflict` where chips are left."""
    sitting = table.seats.count()
    if sitting:
        raise Illegal(
            "table-not-empty",
            Verbatim(
                ngettext(
                    "One player sits at {table}: move them, or count their chips and cash them out, before it closes.",
                    "{n} players sit at {table}: move them, or count their chips and cash them out, before it closes.",
                    sitting,
                ).format(n=sitting, table=table.name)
            ),
            seats=sitting,
        )
    left = expected(table)
    if left:
        raise Conflict(
            "chips-not-accounted-for", "The book balance of {table} is not 0: count the chips there.", table=table.name
        )


def _note_count(
    table: Table, chip_count: ChipCount, *, by: User, reason: str, now: datetime, **details: Any
) -> StaffAction:
    return audit_log.note(
        verb="counting.count",
        subject=f"table:{table.pk}",
        by=by,
        now=now,
        reason=reason,
        count=chip_count.pk,
        expected=chip_count.expected,
        counted=chip_count.counted,
        **details,
    )
