"""How long a field of ten thousand takes to be seated, evened, broken up and paid, and how a thousand bots play to the
end of an event by real alarms and tasks.

Everything happens in scratch databases on the server of ``DATABASE_URL``, which are dropped in the end. The field is
handled in one process, whose own seconds of CPU count; the bots have two workers and a beat on the Redis of
``REDIS_URL``, or one process that is all of them where there is none.
"""

from __future__ import annotations

import os
import time
from typing import Any

from django.conf import settings

from tests.benches import event_bots, field, parts, temporary
from tournaments.engine.prizes import deals

#: Nobody looks on: a whole hand may be played at one ringing.
_TURNS = "32"
#: A small event can slow down little, for it would not help: a thousand bots think up to twenty times as long.
_BOTS_PER_SLOWNESS = 50
_ICM_STACKS = tuple(range(5_000, 105_000, 5_000))
_ICM_PRIZES = tuple(range(20_000, 0, -1_000))


def run(entrants: int = 10_000, bots: int = 1_000, seconds: float = 600.0) -> dict[str, Any]:
    """As the issue has it. ``seconds``: the most that the bots get. ``sql_per_table``: statements by table touched;
    ``bots.limited_by`` says in words what kept them from playing faster."""
    with temporary.room("bench tournament") as environment:
        drawn = parts.call(environment, field.measure, entrants)
    measured = {"entrants": entrants, **drawn, "icm20_s": _icm()}
    room = {"REDIS_URL": settings.REDIS_URL or "", "REDIS_PREFIX": f"bench-{os.getpid()}"}
    room |= {"CARDROOM_BOT_TURNS": _TURNS, "CARDROOM_BOT_SLOWEST": str(max(2, bots // _BOTS_PER_SLOWNESS))}
    with temporary.room("bench tournament", CARDROOM_EMBEDDED="", **room) as environment:
        measured["bots"] = event_bots.run(environment, bots, seconds)
    return measured


def _icm() -> float:
    began = time.process_time()
    shares = deals.icm_shares(_ICM_STACKS, _ICM_PRIZES)
    if sum(shares) != sum(_ICM_PRIZES):
        raise temporary.CannotRun("the shares of the chip model do not come to the prizes")
    return round(time.process_time() - began, 3)
