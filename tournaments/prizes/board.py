"""What everybody may know of an event at a glance, and each player of themselves: for sockets, screens and the table.

`read` gives the parts, JSON-ready; moments are milliseconds since the epoch, what ends in `_ms` is so many of them:

event    id, name, state, conduct, starts_at; `news`: a number that changes with whatever is done, so that consoles
         hear of what no other part tells; online hands are none
clock    level (index of `levels`), hands played in it, and `ends_at` of a running clock or `remaining_ms` of a stopped
         one; screens read it as `engine.clock` does
levels   as `engine.structure.Level`, each with its `name` and `number` (breaks are counted by themselves), and whether
         it `is_usual`: of the game and betting of most events
counts   entries, left, alternates, tables, average, chips, pool, places_paid, is_entry_open, late_level
payouts  rows of places that are paid alike: first, last, amount, is_ticket, and the names of who has got there
tables   count, halted, is_hand_for_hand, waiting (tables that still play the hand)
moves    who was lately moved: name, from_table, from_seat, table, seat, why, rule, at; newest first
deal     null, or stage ("voting", "made"), kind, play_for; while it is voted on, voted and of
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext

from cardroom.core import sentences
from cardroom.core.errors import NotFound
from cardroom.core.models import Notice
from games.tables.stacks import places_in
from tournaments.engine import clock as clocks
from tournaments.engine import config as engine_config
from tournaments.engine import facts as f
from tournaments.engine.clock import Stopped, Structure
from tournaments.engine.errors import sentence, stored
from tournaments.engine.rules import chip_sales
from tournaments.engine.state import Entrant
from tournaments.engine.tournament import Tournament as Engine
from tournaments.events import journal as event_journal
from tournaments.events.journal import ms
from tournaments.events.models import Tournament
from tournaments.prizes.models import DealProposal
from tournaments.prizes.queries import payout_rows, prizes_of

MOST_MOVES = 12
#: So many actions are looked through for moves.
_ACTIONS_BACK = 2000
#: So many tables are named one by one.
_MOST_NAMED = 40
#: Unread notices older than this are for the list of them, and not for the middle of the table.
_NOTICE_AGE = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class Board:
    """An event as of fact `seq`, read at `now`. `own`: by player id, of those asked for who entered; `notices`: theirs
    that are unread, oldest first."""

    version: int
    seq: int
    now: datetime
    parts: dict[str, Any]
    own: dict[int, dict[str, Any]] = field(default_factory=dict)
    notices: dict[int, list[dict[str, Any]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Heading:
    """An event by name."""

    id: int
    name: str


def heading(tournament_id: int) -> Heading:
    """`NotFound` where there is no such event, or it is a draft. One query."""
    row = _seen().filter(pk=tournament_id).values_list("pk", "name").first()
    if row is None:
        raise NotFound("no-such-event", "There is no such tournament.")
    return Heading(*row)


def versions(tournament_ids: Collection[int]) -> dict[int, int]:
    """The version of each of these events that is there for everybody to see. One query."""
    return dict(_seen().filter(pk__in=tournament_ids).values_list("pk", "version"))


def read(tournament_id: int, *, notices_after: Mapping[int, int], now: datetime) -> Board | None:
    """The event for everybody, and for each of these players, with their notices after that one; None where there is no
    such event. Four queries, and another for facts that this process has not seen."""
    row = _seen().filter(pk=tournament_id).first()
    if row is None:
        return None
    if not row.seq:
        return Board(row.version, 0, now, _before_it_opens(row))
    players = set(notices_after)
    rooms = places_in(event=row.unit, players=players) if players and row.is_live else {}
    notices = _notices(row, notices_after, now=now) if players else {}
    deal = DealProposal.objects.filter(tournament=row, state=DealProposal.State.OPEN).first() if row.is_live else None
    with event_journal.looking(row.pk, upto=row.seq) as state:
        parts = _parts(row, state, deal, now=now)
        own = _own(row, state, players, rooms, now=now)
        return Board(row.version, state.seq, now, parts, own, notices)


def _seen() -> Any:
    return Tournament.objects.exclude(state=Tournament.State.DRAFT)


# -- the parts -------------------------------------------------------------------------------------------------------


def _before_it_opens(row: Tournament) -> dict[str, Any]:
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


def _parts(row: Tournament, state: Engine, deal: DealProposal | None, *, now: datetime) -> dict[str, Any]:
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


def _event(row: Tournament, state: Engine | None = None) -> dict[str, Any]:
    starts_at = row.started_at or row.starts_at
    return {
        "id": row.pk,
        "name": row.name,
        "state": row.state,
        "conduct": row.conduct,
        "starts_at": ms(starts_at) if starts_at else None,
        "news": row.version if row.conduct == Tournament.Conduct.ROOM else _last_order(state),
    }


def _last_order(state: Engine | None) -> int:
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


def spoken(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Those parts that hold words, in the current language."""
    names = {"break": gettext("Break {n}"), "level": gettext("Level {n}")}
    return {
        "levels": [level | {"name": names[level["kind"]].format(n=level["number"])} for level in parts["levels"]],
        "moves": [move | {"why": sentences.translated(sentence(move["why"]))} for move in parts["moves"]],
    }


def _counts(state: Engine, *, now: datetime) -> dict[str, Any]:
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


def _tables(state: Engine) -> dict[str, Any]:
    used = state.in_use()
    waiting = [table.number for table in used if state.is_hand_for_hand and not table.hand_done]
    return {
        "count": len(used),
        "halted": [table.number for table in used if table.is_halted][:_MOST_NAMED],
        "is_hand_for_hand": state.is_hand_for_hand,
        "waiting": waiting[:_MOST_NAMED],
    }


def _moves(state: Engine) -> list[dict[str, Any]]:
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


def _deal(state: Engine, proposal: DealProposal | None) -> dict[str, Any] | None:
    if proposal is not None:
        voted = proposal.votes.count()
        told = {"kind": proposal.kind, "play_for": proposal.play_for}
        return {"stage": "voting", **told, "voted": voted, "of": len(proposal.amounts)}
    if state.deal is not None:
        return {"stage": "made", "kind": state.deal.deal, "play_for": state.deal.play_for}
    return None


# -- a player's own --------------------------------------------------------------------------------------------------


def _own(
    row: Tournament, state: Engine, players: Collection[int], rooms: Mapping[int, tuple[int, int]], *, now: datetime
) -> dict[int, dict[str, Any]]:
    """As `Standings.own` tells it, and what is on sale: `on_sale`, rows of what, chips, price and had (how many)."""
    entered = {player: state.entrants[state.players[player]] for player in players if player in state.players}
    if not entered:
        return {}
    standings, prices = Standings(state), {what: sum(parts.values()) for what, parts in row.price.items()}
    return {
        player: standings.own(entrant, rooms.get(player))
        | {
            "on_sale": [
                {
                    "what": what,
                    "chips": chips,
                    "price": prices.get(what, 0),
                    "had": entrant.rebuys if what == "rebuy" else entrant.add_ons,
                }
                for what, chips in chip_sales.on_sale(state, entrant.number, ms(now)).items()
            ]
        }
        for player, entrant in entered.items()
    }


def _notices(row: Tournament, after: Mapping[int, int], *, now: datetime) -> dict[int, list[dict[str, Any]]]:
    fresh = Notice.objects.filter(player__in=after, read_at__isnull=True, at__gt=now - _NOTICE_AGE)
    unread = fresh.filter(key__startswith=f"{Notice.OF_EVENTS}{row.pk}:", pk__gt=min(after.values())).order_by("pk")
    told: dict[int, list[dict[str, Any]]] = {}
    for notice in unread:
        what = {"id": notice.pk, "kind": notice.kind, "text": notice.text, "data": notice.data, "at": ms(notice.at)}
        told.setdefault(notice.player_id, []).append(what)
    return told


# Where a player stands in an event that is being played: position, and what the next to go out would bring them.


class Standings:
    """Everybody's position, sorted once for all who ask. Holds nothing of the event after that."""

    def __init__(self, state: Engine) -> None:
        self._state = state
        left = state.in_play()
        self._are_counted = all(state.is_counted(entrant) for entrant in left)
        self._stacks = sorted(entrant.stack for entrant in left)
        self._prizes = prizes_of(state) if state.phase == "running" else ()

    def own(self, entrant: Entrant, room: tuple[int, int] | None) -> dict[str, Any]:
        """What one player is told of themselves. `room`: the room's own table and seat, where the event is online.

        `is_counted`: their stack was counted; `position` is shared by equal stacks, and null as long as some were not
        counted; `next_jump`: after `outs` more are out, at least `amount`; null where nothing more is to be won by
        waiting. `clock_ends_at`: the clock is on them until then.
        """
        is_in = entrant.status == "in"
        return {
            "entry": entrant.number,
            "status": entrant.status,
            "table": entrant.table or None,
            "seat": entrant.seat or None,
            "room_table": room[0] if room else None,
            "stack": entrant.stack if is_in else 0,
            "is_counted": is_in and self._state.is_counted(entrant),
            "position": self.position(entrant) if is_in and self._are_counted else None,
            "left": self._state.left,
            "next_jump": self.next_jump() if is_in else None,
            "secured": self.secured() if is_in else 0,
            "place": entrant.place or None,
            "tied": entrant.tied,
            "prize": entrant.prize,
            "bounty": entrant.bounty,
            "bounties_won": entrant.bounties_won,
            "misses_hands": entrant.missing,
            "clock_ends_at": self._state.called.get(entrant.number),
        }

    def position(self, entrant: Entrant) -> int:
        """1 for the largest stack."""
        return len(self._stacks) - bisect_right(self._stacks, entrant.stack) + 1

    def secured(self) -> int:
        """What whoever goes out now would get."""
        left = self._state.left
        return self._prizes[left - 1] if 0 < left <= len(self._prizes) else 0

    def next_jump(self) -> dict[str, int] | None:
        has = self.secured()
        for place in range(min(self._state.left - 1, len(self._prizes)), 0, -1):
            amount = self._prizes[place - 1]
            if amount > has:
                return {"place": place, "amount": amount, "outs": self._state.left - place}
        return None
