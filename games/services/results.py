"""What each hand of a cash table brought to each person in it, written down when it ends.

The ledger moved the chips, and the facts say why; this is how a player finds their hands again among millions.
"""

from collections.abc import Mapping
from datetime import datetime

from games.journal import OpenHand
from games.models import HandResult, Table
from games.services import extra_time


def write(table: Table, open_hand: OpenHand, stacks_after: Mapping[int, int], *, now: datetime) -> None:
    """The results of the people in this hand; a hand of an event or among bots alone has none. Two statements.

    Call with the table locked, before anybody leaves it.
    """
    people = {seat: sitter for seat, sitter in open_hand.sitters.items() if not sitter.is_bot}
    if table.event or not people:
        return
    engine = open_hand.engine
    before = dict(engine.started.stacks)
    # What a void hand gave back was not put in.
    is_void = all(stacks_after[seat] == chips for seat, chips in before.items())
    put_in = {seat: 0 if is_void else state.total for seat, state in engine.seats.items()}
    taken = shared(engine.drop.total if engine.drop else 0, put_in)
    of_stays = extra_time.open_at(table)
    HandResult.objects.bulk_create(
        HandResult(
            hand_id=open_hand.pk,
            table=table,
            player_id=sitter.player,
            stay=of_stays.get(sitter.player),
            seat=seat,
            put_in=put_in[seat],
            net=stacks_after[seat] - before[seat],
            taken=taken[seat],
            at=now,
        )
        for seat, sitter in sorted(people.items())
    )


def shared(chips: int, by: Mapping[int, int]) -> dict[int, int]:
    """So many chips shared out in proportion, in whole chips that add up: what is left over goes to the largest
    fractions, the lower seat first."""
    whole = sum(by.values())
    if not whole:
        return dict.fromkeys(by, 0)
    parts = {seat: chips * weight // whole for seat, weight in by.items()}
    rests = sorted(by, key=lambda seat: (-(chips * by[seat] % whole), seat))
    for seat in rests[: chips - sum(parts.values())]:
        parts[seat] += 1
    return parts
