"""What players are told about their events, each thing once: in the page, and some of it by e-mail.

Notices follow from facts (`follow`), and not from the code that caused these, and are written in the same transaction.
E-mails go out from the room's outbox, under the name of the event.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import chain
from typing import Annotated, Any

from django.conf import settings
from django.db import connection
from django.dispatch import receiver
from django.utils import translation
from django.utils.translation import gettext

from cardroom.core import alarms, notices, room_time
from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Invalid
from cardroom.core.languages import spoken_to
from cardroom.core.models import Notice, User
from cardroom.core.sentences import translated
from cardroom.core.verb import verb
from tournaments.engine import facts as f
from tournaments.engine.errors import EventSentence, counted
from tournaments.engine.facts import Entered, EnteredAsAlternate, EventFact
from tournaments.engine.plain import ordinal
from tournaments.engine.tournament import EventEngine
from tournaments.events import playing, staff
from tournaments.events import signals as event_signals
from tournaments.events.arguments import ExpectedSeq
from tournaments.events.journal import Locked
from tournaments.events.models import Tournament

#: The kinds of notices that go out by e-mail as well, to players who gave an address.
MAILED = frozenset({"starting-soon", "starting", "cancelled", "prize", "flight-closed", "message"})
#: Those that go out by push alone, beside the pages: a seat that was drawn.
PUSHED = frozenset({"seated", "final-table", "moved", "table-broken"})
_WAYS = dict.fromkeys(PUSHED, Notice.Channel.PUSH) | dict.fromkeys(MAILED, Notice.Channel.MAIL)
_LONGEST = 300
REMINDER_ALARM = alarms.register("tournament-reminder", "tournaments.tasks.remind_players")
REMINDED_BEFORE = timedelta(minutes=10)
#: So many are told one by one; a crowd learns it from the event that moved.
_MOST_SIGNALS = 200

#: One statement tells all entrants, however many they are.
_STARTING = """
    INSERT INTO core_notice (player_id, kind, text, data, "key", way, subject, at)
    SELECT entry.player_id, 'starting',
        REPLACE(REPLACE(CASE COALESCE(NULLIF(player.language, ''), player.last_language) {words} ELSE %s END,
            '[table]', CAST(entry."table" AS {text})), '[seat]', CAST(entry.seat AS {text})),
        {object}('tournament', entry.tournament_id), %s, %s, %s, %s
    FROM events_tournamententry AS entry JOIN core_user AS player ON player.id = entry.player_id
    WHERE entry.tournament_id = %s AND entry.state = 'in' AND entry.seat IS NOT NULL AND NOT player.is_bot
    ON CONFLICT DO NOTHING
"""


_PENALTIES = {"warning": EventSentence("warning"), "disqualified": EventSentence("disqualified")}


@dataclass(frozen=True, slots=True)
class PlayerMessage:
    """One message for one player. `text`: an `EventSentence` is translated into the player's language, any other text
    is sent as it is. A `key` is sent once in an event."""

    player: int
    kind: str
    text: str
    key: str
    data: dict[str, Any] = field(default_factory=dict)


@verb("events.message", roles=staff.DIRECTORS)
def message(
    *,
    tournament_id: RowId,
    text: Annotated[str, Limits(max_length=300)],
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> int:
    """A director's words to everybody who has an entry; to how many."""
    text = " ".join(text.split())
    if not 1 <= len(text) <= _LONGEST or not text.isprintable():
        raise Invalid("bad-message", "A message is text of 1 to {most} characters.", most=_LONGEST)
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        key = f"message:{by.pk if by is not None else 0}:{event.now.timestamp()}"
        players = {entrant.player for entrant in event.state.entrants.values() if entrant.status != "withdrawn"}
        messages = [PlayerMessage(player, "message", text, key) for player in sorted(players)]
        return tell(event.row, messages, now=event.now)


def tell(tournament: Tournament, messages: Sequence[PlayerMessage], *, now: datetime) -> int:
    """Store the messages that are new and not to bots; returns how many. Three statements. Some go out by e-mail as
    well, under the name of the event."""
    if not messages:
        return 0
    rows = User.objects.filter(pk__in={message.player for message in messages}, is_bot=False)
    people = rows.only("language", "last_language").in_bulk()
    players = set(people)
    fresh = {
        (message.player, _key(tournament, message.key)): message for message in messages if message.player in people
    }
    keys = {key for _, key in fresh}
    known = set(Notice.objects.filter(player__in=players, key__in=keys).values_list("player", "key"))
    created = Notice.objects.bulk_create(
        Notice(
            player_id=player,
            kind=message.kind,
            text=_text_for_player(message.text, people[player])[:_LONGEST],
            data=message.data | {"tournament": tournament.pk},
            key=key,
            way=_WAYS.get(message.kind, Notice.Channel.PAGES),
            subject=tournament.name,
            at=now,
        )
        for (player, key), message in fresh.items()
        if (player, key) not in known
    )
    for notice in created[:_MOST_SIGNALS]:
        event_signals.notice_given.after_commit(notice_id=notice.pk, player_id=notice.player_id)
    if any(notice.way for notice in created):
        _go_out(tournament, now=now)
    return len(created)


def _text_for_player(text: str, player: User) -> str:
    with spoken_to(player):
        return translated(text).strip()


@receiver(event_signals.facts_written)
def follow(locked: Locked, facts: Sequence[EventFact], *, now: datetime, **_: Any) -> None:
    """Tell the players what these facts mean for them."""
    first = len(locked.state.facts) - len(facts) + 1
    messages: list[PlayerMessage] = []
    breaking = 0
    for seq, fact in enumerate(facts, first):
        breaking = fact.table if isinstance(fact, f.TableBroken) else 0 if fact.label else breaking
        messages += _messages_of_fact(locked, seq, fact, breaking)
        if isinstance(fact, f.Began):
            _tell_of_start(locked.row, now=now)
    tell(locked.row, messages, now=now)


def _messages_of_fact(locked: Locked, seq: int, fact: EventFact, breaking: int) -> Iterator[PlayerMessage]:
    state, name = locked.state, locked.row.name
    if isinstance(fact, f.Moved):
        yield _moved_message(state, seq, fact, breaking)
    elif isinstance(fact, f.Seated) and state.phase == "running":
        yield _seat_message(
            state, seq, fact.entrant, fact.table, fact.seat, "seated", EventSentence("You sit at {place}.")
        )
    elif isinstance(fact, f.FinalTableDrawn):
        for entrant, table, seat in fact.seats:
            yield _seat_message(
                state, seq, entrant, table, seat, "final-table", EventSentence("The final table: you sit at {place}.")
            )
    elif isinstance(fact, f.RoundDrawn) and state.phase == "running":
        for entrant, table, seat in fact.seats:
            text = EventSentence("Round {round}: you sit at {place}.")
            yield _seat_message(state, seq, entrant, table, seat, "seated", text, round=fact.round)
    elif isinstance(fact, f.Penalised):
        text = EventSentence(
            "A penalty: {penalty}. {reason}", penalty=_PENALTIES.get(fact.penalty, fact.penalty), reason=fact.reason
        )
        if fact.hands:
            text = counted(
                fact.hands,
                "A penalty: you miss {n} hand. {reason}",
                "A penalty: you miss {n} hands. {reason}",
                reason=fact.reason,
            )
        data = {"penalty": fact.penalty, "hands": fact.hands, "reason": fact.reason}
        player = state.entrants[fact.entrant].player
        yield PlayerMessage(player, "penalised", text, f"penalised:{seq}", data)
    elif isinstance(fact, f.ActionUndone):
        undone = state.facts[fact.first - 1 : fact.last]
        yield from _back(state, seq, undone)
        yield from _paid_back(state, seq, name, undone)
    elif isinstance(fact, f.EventEnded):
        for entrant, prize in fact.prizes:
            yield _prize_message(state, name, entrant, prize)
    elif isinstance(fact, f.FlightClosed):
        for entrant, chips in fact.stacks:
            text = EventSentence("{name} is over for today: you continue with {chips:,} chips.", name=name, chips=chips)
            yield PlayerMessage(
                state.entrants[entrant].player, "flight-closed", text, "flight-closed", {"chips": chips}
            )
    elif isinstance(fact, f.Cancelled):
        text = EventSentence("{name} is cancelled: {reason}. Your payment is refunded.", name=name, reason=fact.reason)
        for entry in state.entrants.values():
            if entry.status != "withdrawn":
                yield PlayerMessage(entry.player, "cancelled", text, "cancelled", {"reason": fact.reason})


def _moved_message(state: EventEngine, seq: int, fact: f.Moved, breaking: int) -> PlayerMessage:
    to = _seat(fact.to_table, fact.to_seat)
    # Why the player has to go, where a table breaks, begins with just that.
    kind = "table-broken" if breaking else "moved"
    text = (
        EventSentence("Go to {place}.", place=to)
        if breaking
        else EventSentence("You are moved: go to {place}.", place=to)
    )
    if fact.why:
        text = EventSentence("{what} {why}", what=text, why=fact.why)
    if fact.rule:
        text = EventSentence("{what} ({rule})", what=text, rule=fact.rule)
    data = {
        "table": fact.to_table,
        "seat": fact.to_seat,
        "from_table": fact.from_table,
        "from_seat": fact.from_seat,
        "why": fact.why,
        "rule": fact.rule,
    }
    return PlayerMessage(state.entrants[fact.entrant].player, kind, text, f"moved:{seq}", data)


def _seat(table: int, seat: int) -> EventSentence:
    return EventSentence("table {table}, seat {seat}", table=table, seat=seat)


def _seat_message(
    state: EventEngine, seq: int, entrant: int, table: int, seat: int, kind: str, text: str, **values: Any
) -> PlayerMessage:
    where = {"table": table, "seat": seat}
    player = state.entrants[entrant].player
    return PlayerMessage(player, kind, EventSentence(text, place=_seat(table, seat), **values), f"seated:{seq}", where)


def _back(state: EventEngine, seq: int, undone: Iterable[EventFact]) -> Iterator[PlayerMessage]:
    """Messages to players whose move is undone: they sit where they sat before."""
    entrants = {fact.entrant for fact in undone if isinstance(fact, f.Moved)}
    entrants |= {entrant for fact in undone if isinstance(fact, f.FinalTableDrawn) for entrant, _, _ in fact.seats}
    for number in sorted(entrants):
        mover = state.entrants[number]
        if mover.is_in and mover.table:
            yield _seat_message(
                state,
                seq,
                number,
                mover.table,
                mover.seat,
                "moved",
                EventSentence("The move is cancelled: you sit at {place}."),
            )


def _paid_back(state: EventEngine, seq: int, name: str, undone: Iterable[EventFact]) -> Iterator[PlayerMessage]:
    """For players whose entry, or whose bought chips, are undone and refunded."""
    for fact in undone:
        if isinstance(fact, f.Entered | f.EnteredAsAlternate):
            text = EventSentence("Your entry in {name} is undone. What you paid for it is refunded.", name=name)
        elif isinstance(fact, f.Rebought | f.AddedOn):
            text = EventSentence(
                "{name}: {chips:,} chips that you bought are taken back. What you paid is refunded.",
                name=name,
                chips=fact.chips,
            )
        else:
            continue
        player = state.entrants[fact.entrant].player
        yield PlayerMessage(player, "undone", text, f"undone:{seq}:{fact.entrant}", {"entry": fact.entrant})


def _prize_message(state: EventEngine, name: str, entrant: int, prize: int) -> PlayerMessage:
    winner = state.entrants[entrant]
    values = {"name": name, "place": ordinal(winner.place), "prize": prize}
    text = EventSentence("{name}: you finished {place} and won {prize:,}.", **values)
    if winner.tied > 1:
        text = EventSentence("{name}: you finished {place}, sharing the place, and won {prize:,}.", **values)
    return PlayerMessage(
        winner.player, "prize", text, f"prize:{entrant}", {"entry": entrant, "place": winner.place, "prize": prize}
    )


def _started_text(tournament: Tournament, language: str) -> str:
    with translation.override(language):
        text = gettext("{name} has started: you sit at table {table}, seat {seat}.")
    return text.format(name=tournament.name, table="[table]", seat="[seat]")


def _tell_of_start(tournament: Tournament, *, now: datetime) -> None:
    is_postgresql = connection.vendor == "postgresql"
    started = {code: _started_text(tournament, code) for code, _ in settings.LANGUAGES}
    statement = _STARTING.format(
        text="varchar" if is_postgresql else "text",
        object="jsonb_build_object" if is_postgresql else "json_object",
        words="WHEN %s THEN %s " * len(started),
    )
    with connection.cursor() as cursor:
        at = connection.ops.adapt_datetimefield_value(now)
        parameters = [
            *chain.from_iterable(started.items()),
            started[settings.LANGUAGE_CODE],
            _key(tournament, "starting"),
        ]
        parameters += [Notice.Channel.MAIL, tournament.name, at]
        cursor.execute(statement, [*parameters, tournament.pk])
    _go_out(tournament, now=now)


def _go_out(tournament: Tournament, *, now: datetime) -> None:
    notices.go_out(_key(tournament, ""), now=now, fence=tournament.seq)


def _key(tournament: Tournament, key: str) -> str:
    return f"{Notice.OF_EVENTS}{tournament.pk}:{key}"


# Shortly before an event starts everybody who has entered is reminded of it, once.


@receiver(event_signals.facts_written)
def follow_entries(locked: Locked, facts: Sequence[EventFact], *, now: datetime, **_: Any) -> None:
    """Somebody has entered: there is somebody to be reminded."""
    starts_at = locked.row.starts_at
    if starts_at is None or now >= starts_at - REMINDED_BEFORE or locked.row.state != Tournament.State.OPEN:
        return
    if any(isinstance(fact, Entered | EnteredAsAlternate) for fact in facts):
        alarms.set(kind=REMINDER_ALARM, key=str(locked.pk), due_at=starts_at - REMINDED_BEFORE, fence=0)


def remind(*, tournament_id: int, now: datetime) -> bool:
    """The alarm has rung: remind them if it is time, else have it ring again when it is, should the start have been put
    off. False where there is nothing more to remind of."""
    row = Tournament.objects.filter(pk=tournament_id).only("pk", "state", "starts_at").first()
    if row is None or row.state != Tournament.State.OPEN or row.starts_at is None or now >= row.starts_at:
        return False
    if now < row.starts_at - REMINDED_BEFORE:
        alarms.set(kind=REMINDER_ALARM, key=str(tournament_id), due_at=row.starts_at - REMINDED_BEFORE, fence=0)
        return True
    with playing.holding(tournament_id, now=now) as locked:
        if locked.row.state == Tournament.State.OPEN:
            tell(locked.row, _reminders(locked), now=now)
    return False


def _reminders(locked: Locked) -> list[PlayerMessage]:
    starts_at = locked.row.starts_at
    at = room_time.clock_and_zone(starts_at)
    text = EventSentence("{name} starts at {time}: please be on time.", name=locked.row.name, time=at)
    key = f"starting-soon:{starts_at:%Y%m%d%H%M}"
    expected = [entrant for entrant in locked.state.entrants.values() if entrant.status in ("in", "alternate")]
    return [PlayerMessage(entrant.player, "starting-soon", text, key) for entrant in expected]
