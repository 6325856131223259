"""The event of the bots' benchmark, by ``python -m`` this: ``lay-out BOTS`` migrates, has so many bots enter and leaves
the start to the event's alarm; ``look EVENT`` tells how it stands."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardroom.settings")

#: Bets of a twelfth of the stack, half as much again after every fourth hand of the table that is ahead.
_STACK, _FIRST_BET, _LEVELS, _HANDS = 2_400, 200, 40, 4
_MOST_FAULTS = 5


def lay_out(bots: int) -> dict[str, Any]:
    from django.core.management import call_command
    from django.utils import timezone

    from tournaments.directing import tournaments

    call_command("migrate", verbosity=0, interactive=False)
    row = tournaments.create(
        by=None,
        now=timezone.now(),
        name="Bench",
        conduct="online",
        config=_config(bots),
        price={"entry": {"pool": 100, "fee": 10}},
        bots=bots,
        starts_when_full=True,
        options={"pause_seconds": 0},
    )
    tournaments.open_registration(tournament_id=row.pk, by=None, now=timezone.now())
    _enter(row.pk)
    return {"id": row.pk}


def _enter(tournament_id: int) -> None:
    """All of them, some at a time as the event's alarm would; but none of it is left for the alarm."""
    from django.utils import timezone

    from tournaments.events import playing
    from tournaments.online import bots

    while True:
        with playing.holding(tournament_id, now=timezone.now()) as locked:
            entered = bots.enter_some(locked, now=timezone.now())
        if not entered:
            return


def _config(bots: int) -> dict[str, Any]:
    from tournaments.engine import config
    from tournaments.engine.structure import Level, Structure

    bets = [_FIRST_BET * 3**n // 2**n // 20 * 20 for n in range(_LEVELS)]
    levels = [Level(hands=_HANDS, ante=bet // 5, bring_in=bet // 4, small_bet=bet, big_bet=2 * bet) for bet in bets]
    terms = config.EventConfig(structure=Structure(tuple(levels)), starting_stack=_STACK, max_entrants=bots)
    return config.to_json(terms)


def look(tournament_id: int) -> dict[str, Any]:
    """Hands played, who is left, and the faults of the audit once it is over and paid."""
    from cardroom.core import audit as core_audit
    from tournaments.engine.facts import HandFinished
    from tournaments.events import journal as event_journal
    from tournaments.events.models import Tournament

    row = Tournament.objects.get(pk=tournament_id)
    told = {"is_over": row.paid_at is not None, "left": row.players_left, "started": row.started_at is not None}
    if not told["is_over"]:
        return told
    state = event_journal.read(row.pk)
    ended, began = row.ended_at, row.started_at
    return told | {
        "hands": sum(isinstance(fact, HandFinished) for fact in state.facts),
        "played_s": (ended - began).total_seconds(),
        "faults": core_audit.check()[:_MOST_FAULTS],
    }


def main(what: str, number: str) -> None:
    django.setup()
    print(json.dumps({"lay-out": lay_out, "look": look}[what](int(number))))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
