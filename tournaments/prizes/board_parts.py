"""The parts of an event's board that everybody sees; prizes.board says what each holds."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext

from cardroom.core import sentences
from tournaments.engine import clock as clocks
from tournaments.engine import config as engine_config
from tournaments.engine import facts as f
from tournaments.engine.clock import Stopped, Structure
from tournaments.engine.errors import sentence, stored
from tournaments.engine.tournament import EventEngine
from tournaments.events.journal import ms
from tournaments.events.models import Tournament
from tournaments.prizes.models import DealProposal
from tournaments.prizes.queries import payout_rows

MOST_MOVES = 12
#: How many of the last actions are searched for moves.
_ACTIONS_BACK = 2000
#: At most so many tables are listed one by one.
_MOST_NAMED = 40


def before_it_opens(row: Tournament) -> dict[str, Any]:
    """The parts of an event that has no facts yet."""
    config = engine_config.from_json(row.config)
    return {
        "event": _event(row),
        "clock": _clock(Stopped(0, config.structure.levels[0].duration_ms)),
        "levels": _levels(config.structure),
        "counts": dict.fromkeys(
            ("entries", "left", "alternates", "tables", "average", "chips", "pool", "places_paid"), 0
        )
        | {"is_entry_open": False, "late_level": config.late_level},
        "payouts": [],
        "tables": {"count": 0, "halted": [], "is_hand_for_hand": False, "waiting": []},
        "moves": [],
        "deal": None,
    }


def parts_of(row: Tournament, state: EventEngine, deal: DealProposal | None, *, now: datetime) -> dict[str, Any]:
    return {
        "event": _event(row, state),
        "clock": _clock(state.clock),
        "levels": _levels(state.structure),
        "counts": _counts(state, now=now),
        "payouts": payout_rows(state),
        "tables": _tables(state),
        "moves": _moves(state),
        "deal": _deal(state, deal),
    }


def _event(row: Tournament, state: EventEngine | None = None) -> dict[str, Any]:
    starts_at = row.started_at or row.starts_at
    return {
        "id": row.pk,
        "name": row.name,
        "state": row.state,
        "conduct": row.conduct,
        "starts_at": ms(starts_at) if starts_at else None,
        "news": row.version if row.conduct == Tournament.Conduct.ROOM else _last_order(state),
    }


def _last_order(state: EventEngine | None) -> int:
    """The number of the last fact that begins an action and is no hand's; 0 where that was long ago."""
    for number in range(state.seq if state else 0, 0, -1):
        fact = state.facts[number - 1]
        if fact.label and fact.kind not in f.OF_HANDS:
            return number
        if number <= state.seq - _ACTIONS_BACK:
            break
    return 0


def _clock(clock: clocks.Clock) -> dict[str, Any]:
    stopped = clock if isinstance(clock, Stopped) else None
    return {
        "level": clock.level,
        "hands": clock.hands,
        "ends_at": None if isinstance(clock, Stopped) else clock.ends_at,
        "remaining_ms": stopped.remaining_ms if stopped else None,
    }


def _levels(structure: Structure) -> list[dict[str, Any]]:
    return [
        {
            "number": structure.break_number(index) if level.is_break else structure.number(index),
            "kind": level.kind,
            "minutes": level.minutes,
            "hands": level.hands,
            "ante": level.ante,
            "bring_in": level.bring_in,
            "small_bet": level.small_bet,
            "big_bet": level.big_bet,
            "game": level.game,
            "betting": level.betting,
            "is_usual": level.is_usual,
            "colour_up": list(level.colour_up),
        }
        for index, level in enumerate(structure.levels)
    ]


def translated_parts(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Those parts that hold words, in the current language."""
    names = {"break": gettext("Break {n}"), "level": gettext("Level {n}")}
    return {
        "levels": [level | {"name": names[level["kind"]].format(n=level["number"])} for level in parts["levels"]],
        "moves": [move | {"why": sentences.translated(sentence(move["why"]))} for move in parts["moves"]],
    }


def _counts(state: EventEngine, *, now: datetime) -> dict[str, Any]:
    return {
        "entries": state.entries,
        "left": state.left,
        "alternates": len(state.alternates),
        "tables": len(state.in_use()),
        "average": state.average(),
        "chips": state.chips,
        "pool": max(state.pool, state.config.payout.guarantee),
        "places_paid": state.places_paid(),
        "is_entry_open": state.is_entry_open(ms(now)),
        "late_level": state.config.late_level,
    }


def _tables(state: EventEngine) -> dict[str, Any]:
    used = state.in_use()
    waiting = [table.number for table in used if state.is_hand_for_hand and not table.hand_done]
    return {
        "count": len(used),
        "halted": [table.number for table in used if table.is_halted][:_MOST_NAMED],
        "is_hand_for_hand": state.is_hand_for_hand,
        "waiting": waiting[:_MOST_NAMED],
    }


def _moves(state: EventEngine) -> list[dict[str, Any]]:
    """Moves that stand, newest first: an undone one was none."""
    moves: list[f.Moved] = []
    for action in reversed(state.log.actions[-_ACTIONS_BACK:]):
        if "moved" in action.kinds:
            some = state.facts[action.first - 1 : action.last]
            moves += reversed([fact for fact in some if isinstance(fact, f.Moved)])
        if len(moves) >= MOST_MOVES:
            break
    return [
        {
            "name": state.entrants[move.entrant].name,
            "from_table": move.from_table,
            "from_seat": move.from_seat,
            "table": move.to_table,
            "seat": move.to_seat,
            "why": stored(move.why),
            "rule": move.rule,
            "at": move.at,
        }
        for move in moves[:MOST_MOVES]
    ]


def _deal(state: EventEngine, proposal: DealProposal | None) -> dict[str, Any] | None:
    if proposal is not None:
        voted = proposal.votes.count()
        terms = {"kind": proposal.kind, "play_for": proposal.play_for}
        return {"stage": "voting", **terms, "voted": voted, "of": len(proposal.amounts)}
    if state.deal is not None:
        return {"stage": "made", "kind": state.deal.deal, "play_for": state.deal.play_for}
    return None
