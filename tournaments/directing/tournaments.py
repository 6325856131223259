"""Directors run an event: drafts, announcements, the opening of registration, the start, calling off, the next one.

Every verb locks the event where there is one. `by` None is the house itself: an alarm, or an operator's command.
"""

import secrets
from datetime import datetime, timedelta
from typing import Annotated, Any, Unpack

from cardroom.core import approvals, room_time, step_up
from cardroom.core.arguments import Limits, RowId, not_kept
from cardroom.core.errors import Conflict, Illegal, Invalid, NotFound, Stale
from cardroom.core.models import Approval, User
from cardroom.core.verb import current_time, lock, verb
from cardroom.ledger import ledger
from cardroom.ledger.models import Account
from tournaments.engine import config as engine_config
from tournaments.engine.clock import MOST_LEVELS
from tournaments.engine.commands import Cancel, ChangeTerms, SeatAll, SeatLate, Start
from tournaments.events import answering, playing, reasons, staff, terms
from tournaments.events import journal as event_journal
from tournaments.events.arguments import ExpectedSeq
from tournaments.events.journal import Locked
from tournaments.events.models import Season, Series, Template, Tournament
from tournaments.online import play
from tournaments.prizes import tickets
from tournaments.prizes.models import Payout, Ticket
from tournaments.registration import flights, registration

# The start: seats drawn, cards in the air


@verb("tournaments.start", roles=staff.DIRECTORS)
def start(*, tournament_id: RowId, expected_seq: ExpectedSeq = None, by: User | None) -> Tournament:
    """Draw the seats that are not drawn yet, and start. For directors.

    Refuses: `NotFound`, `Stale`, `Illegal` (too few entrants, started already).
    """
    with playing.holding(tournament_id) as locked:
        playing.check_seq(locked, expected_seq)
        start_held(locked, by=by, now=locked.now)
    return locked.row


def start_held(locked: Locked, *, by: User | None, now: datetime) -> None:
    """Start an event that `playing.holding` holds."""
    row = locked.row
    playing.opened(locked)
    if row.state != Tournament.State.OPEN:
        raise Illegal("started-already", "{name} is {state} already.", name=row.name, state=row.get_state_display())
    flights.before_start(locked, by=by, now=now)
    if locked.state.left < locked.state.config.min_entrants:
        raise Illegal(
            "too-few-entrants",
            "{name} needs {min_entrants} entrants and has {left}: wait for more, or cancel it.",
            name=row.name,
            min_entrants=locked.state.config.min_entrants,
            left=locked.state.left,
        )
    _draw(locked, by=by, now=now)
    playing.play(locked, Start(), now=now, by=by)
    row.state, row.started_at = Tournament.State.RUNNING, now
    playing.note_clock(locked, now=now)
    if row.conduct == Tournament.Conduct.ONLINE:
        play.begin(locked, now=now)


def _draw(locked: Locked, *, by: User | None, now: datetime) -> None:
    """Draw a seat for everybody who has none, in one draw."""
    standing = [entrant.number for entrant in locked.state.in_play() if not entrant.table]
    if not standing:
        return
    if not locked.state.tables:
        playing.play(locked, SeatAll(secrets.randbits(64)), now=now, by=by)
        return
    for number in standing:
        playing.play(locked, SeatLate(number, secrets.randbits(64)), now=now, by=by)


# Calling off: everybody gets back what they paid, to the last chip


State = Tournament.State
_SHORTEST, _LONGEST = 3, 200


@verb("tournaments.cancel", roles=staff.DIRECTORS)
def cancel(
    *,
    tournament_id: RowId,
    reason: Annotated[str, Limits(min_length=_SHORTEST, max_length=_LONGEST)],
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> Annotated[Tournament, not_kept]:
    """Call an event off, whatever it has come to, and refund every payment to where it came from; tickets for it that
    are still good are paid out. For directors. Again it does nothing.

    Refuses: `NotFound`, `Stale`, `Invalid` (no reason), `Illegal` (a draft, played to its end, or prizes are paid).
    """
    reason = " ".join(reason.split())
    if not _SHORTEST <= len(reason) <= _LONGEST or not reason.isprintable():
        raise Invalid(
            "reason-required",
            "Enter a reason of {least} to {most} characters for the cancellation.",
            least=_SHORTEST,
            most=_LONGEST,
        )
    with playing.holding(tournament_id) as locked:
        if locked.row.state != State.CANCELLED:
            playing.check_seq(locked, expected_seq)
            cancel_held(locked, by=by, reason=reason, now=locked.now)
    return locked.row


def cancel_held(locked: Locked, *, by: User | None, reason: str, now: datetime) -> None:
    """Call off an event that `playing.holding` holds."""
    row = locked.row
    if row.state == State.DRAFT:
        raise Illegal("is-draft", "{name} is a draft: delete it.", name=row.name)
    if row.state == State.FINISHED:
        raise Illegal("event-over", "{name} was played to its end: it cannot be cancelled.", name=row.name)
    if Payout.objects.filter(tournament=row, state=Payout.State.PAID).exists():
        raise Illegal("prizes-paid", "Prizes of {name} have been paid: it cannot be cancelled.", name=row.name)
    if row.flights.filter(state=State.FINISHED, paid_at=None).exists():
        raise Illegal(
            "has-flights", "The flights to {name} have been played: finish it, by a deal if need be.", name=row.name
        )
    was_live = row.is_live
    if locked.event is not None:
        playing.play(locked, Cancel(reason), now=now, by=by)
    if was_live and row.conduct == Tournament.Conduct.ONLINE:
        play.end_tables(locked, now=now)
    row.state, row.end_reason, row.ended_at = State.CANCELLED, reasons.of_the_log(reason), now
    mine = _tickets(row)
    purses = ledger.wallets({ticket.player_id for ticket in mine})
    registration.refund(
        locked,
        list(row.entries.all()),
        also=[*purses.values(), *([tickets.account(mine[0])] if mine else [])],
        reason=reasons.IS_CANCELLED(name=row.name),
        now=now,
        by=by,
    )
    _pay_out_tickets(row, purses, now=now, by=by)


def _tickets(row: Tournament) -> list[Ticket]:
    """Those for this event that are good, or will be once their entries are refunded; locked."""
    wanted = Ticket.objects.filter(tournament=row, state__in=(Ticket.State.ISSUED, Ticket.State.USED))
    return list(wanted.select_for_update(no_key=True, of=("self",)).order_by("pk"))


def _pay_out_tickets(row: Tournament, purses: dict[int, Account], *, now: datetime, by: User | None) -> None:
    for ticket in Ticket.objects.filter(tournament=row, state=Ticket.State.ISSUED).order_by("pk"):
        legs = [(tickets.account(ticket), -ticket.value), (purses[ticket.player_id], ticket.value)]
        tickets.end(
            ticket, Ticket.State.REFUNDED, reason=reasons.IS_CANCELLED(name=row.name), legs=legs, now=now, by=by
        )


# The next event of its kind, made once: after a time, or when this one is full


def make_next(locked: Locked, *, now: datetime) -> Tournament | None:
    """Make the next event with this one's terms, and open it where this one was opened at once. Call with the event
    held; None where it is not due."""
    row = locked.row
    if not playing.is_next_event_due(row):
        return None
    # It leads to no final: each flight of one is made by a director.
    config = row.config | {"flight_levels": 0}
    own, handed_on = answering.parted(row)
    fields = copied(row) | {"config": config, "recurs_times": row.recurs_times - 1}
    made, is_new = Tournament.objects.get_or_create(
        previous=row,
        defaults={
            **fields,
            **_next_times(row, now=now),
            "series": row.series,
            "season": row.season,
            "template": row.template,
            "satellite_to": row.satellite_to,
            "created_by": row.created_by,
            "answered": handed_on,
            "created_at": now,
            "state": State.ANNOUNCED,
            "announced_at": now,
        },
    )
    # Those still to follow, follow the new one.
    row.recurs_times = 0
    if is_new:
        row.answered = own
    row.save(update_fields=["recurs_times", "answered"])
    if is_new:
        # Nobody can be waiting for the new one's lock with this one's held: it is seen when all is committed.
        with playing.holding(made.pk, now=now) as other:
            if row.recurs_when_full or made.registration_opens_at is None:
                open_held(other, by=None, now=now)
    return made


def _next_times(row: Tournament, *, now: datetime) -> dict[str, datetime | None]:
    """When the next event starts and opens: as far on as it takes to start in the future, in whole steps, which days
    and hours go by the clock on the wall. They are counted from the first start that somebody chose: neither an hour
    that the clocks left out nor an outage moves those that follow."""
    every = timedelta(minutes=row.recurs_minutes)
    starts_at, opens_at = row.starts_at, row.registration_opens_at
    if row.recurs_from or row.opens_from:
        starts_at, opens_at = row.recurs_from, row.opens_from
    last, first = row.starts_at or row.registration_opens_at, starts_at or opens_at
    if first is None or last is None or not every:
        return {"starts_at": None, "registration_opens_at": None}
    steps = room_time.next_after(first, every, now=max(now, last))[1]
    return {
        "starts_at": starts_at and room_time.step(starts_at, every, steps),
        "registration_opens_at": opens_at and room_time.step(opens_at, every, steps),
        "recurs_from": starts_at,
        "opens_from": opens_at,
    }


#: What an event has beside its terms: when, and what it belongs to.
#: A form takes its time to fill in.
_GRACE = timedelta(minutes=10)
PLACE = ("starts_at", "registration_opens_at", "series_id", "season_id", "parent_id", "flight", "satellite_to_id")
_MODELS = {"series_id": Series, "season_id": Season, "parent_id": Tournament, "satellite_to_id": Tournament}
#: What the times of those that follow come from.
_TIMES = ("starts_at", "registration_opens_at", "recurs_minutes")
#: What may be changed in whatever state the event is.
_ALWAYS = frozenset({"description", "options", "season_id", "series_id", "recurs_minutes", "recurs_times"}) | {
    "recurs_when_full"
}


class EventFields(terms.TermsFields, total=False):
    """What a verb is told of an event: its terms, when it is, and what it belongs to (`PLACE`)."""

    starts_at: datetime | None
    registration_opens_at: datetime | None
    series_id: int | None
    season_id: int | None
    parent_id: int | None
    flight: str
    satellite_to_id: int | None


@verb("tournaments.create", roles=staff.DIRECTORS)
def create(*, template_id: RowId | None = None, by: User | None, **fields: Unpack[EventFields]) -> Tournament:
    """A new draft. `fields`: those of `Terms` (`name`, `conduct`, `config`, `price`, ...) and of `PLACE`, by name; with
    `template_id` what is not given comes from the template.

    Refuses: `NotFound` (template, series, season, final), `Invalid`, `Illegal` (terms that cannot be played).
    """
    template, now = _template(template_id), current_time()
    values, place = _parted(fields)
    checked = terms.checked(values, before=template)
    _check_place(place, now=now)
    checked["config"] = _as_flight(checked["config"], place.get("parent_id"))
    return Tournament.objects.create(**checked, **place, template=template, created_at=now, created_by=by)


@verb("tournaments.edit", roles=staff.DIRECTORS)
def edit(
    *, tournament_id: RowId, version: int | None = None, by: User | None, **fields: Unpack[EventFields]
) -> Annotated[Tournament, not_kept]:
    """Change what is given: anything of a draft or an announced event; until the start anything that its entrants did
    not rely on being otherwise, the terms by the engine's leave; later only what does not concern play.

    `version`: the event's as the director saw it; another one is `Stale`. Refuses as `create` does, and
    (`NeedsApproval`) prices or a guarantee that the director may not answer for alone.
    """
    with playing.holding(tournament_id) as locked:
        row, now = locked.row, locked.now
        check_version(row, version)
        values, place = _parted(fields)
        changing = set(values) | set(place)
        if (row.is_live or row.is_over) and not changing <= _ALWAYS:
            late = sorted(changing - _ALWAYS)[0]
            raise Illegal(
                "too-late-to-edit",
                "{name} is {state}: its {late} stays as it is.",
                name=row.name,
                state=row.get_state_display(),
                late=late,
            )
        checked = terms.checked(values, before=row)
        if locked.event is not None and by is not None and checked["price"] != row.price:
            step_up.require()
        if locked.event is not None and checked["conduct"] != row.conduct:
            raise Illegal("conduct", "This tournament has entries: it cannot change between online and in the room.")
        _check_place(place, of=row, now=now)
        checked["config"] = _as_flight(checked["config"], place.get("parent_id", row.parent_id))
        if locked.event is not None and checked["config"] != row.config and not row.is_live:
            playing.play(locked, ChangeTerms(terms.read_config(checked["config"])), now=now, by=by)
        answering.begin(row)
        if any(getattr(row, name) != value for name, value in (checked | place).items() if name in _TIMES):
            # Those that follow are counted from the times chosen now.
            row.recurs_from = row.opens_from = None
        for name, value in (checked | place).items():
            setattr(row, name, value)
        row.save(update_fields=[*checked, *place, "recurs_from", "opens_from"])
        if row.state != State.DRAFT:
            answering.answer(row, by=by, now=now)
    return row


@verb("tournaments.announce", roles=staff.DIRECTORS)
def announce(*, tournament_id: RowId, by: User | None) -> Annotated[Tournament, not_kept]:
    """Show the event to everybody; registration opens at its time, or when the director says so.

    Again it does nothing. Refuses: `Illegal` (it was open or played already, or has no way to start), `NeedsApproval`
    (prices or a guarantee that the director may not answer for alone: a second person announces it).
    """
    with playing.holding(tournament_id) as locked:
        row, now = locked.row, locked.now
        if row.state == State.DRAFT:
            if playing.starts_by_itself(row) and row.starts_at is None and not row.starts_when_full:
                raise Illegal("no-start", "Choose a start: at a time, or when it is full.")
            answering.answer(row, by=by, now=now, then="announce")
            row.state, row.announced_at = State.ANNOUNCED, now
        elif row.state != State.ANNOUNCED:
            raise Illegal(
                "announced-already", "{name} is {state} already.", name=row.name, state=row.get_state_display()
            )
    return row


@verb("tournaments.open_registration", roles=staff.DIRECTORS)
def open_registration(*, tournament_id: RowId, by: User | None) -> Annotated[Tournament, not_kept]:
    """Open registration; from here on the event is told by its facts. A second call does nothing. `NeedsApproval` for
    prices or a guarantee that the director may not answer for alone: a second person opens it."""
    with playing.holding(tournament_id) as locked:
        open_held(locked, by=by, now=locked.now)
    return locked.row


def open_held(locked: Locked, *, by: User | None, now: datetime) -> None:
    """Open registration of an event that `playing.holding` holds."""
    row = locked.row
    if row.state not in (State.DRAFT, State.ANNOUNCED):
        if row.state == State.OPEN:
            return
        raise Illegal(
            "opened-already",
            "{name} is {state}: registration cannot open again.",
            name=row.name,
            state=row.get_state_display(),
        )
    if playing.starts_by_itself(row) and row.starts_at is None and not row.starts_when_full:
        raise Illegal("no-start", "Choose a start: at a time, or when it is full.")
    answering.answer(row, by=by, now=now, then="open")
    config = terms.config_of(row)
    author = by.pk if by is not None else None
    locked.event = event_journal.begin(row.pk, config, at=now, now_ms=event_journal.ms(now), by=author)
    row.seq = locked.event.length
    row.announced_at, row.opened_at = row.announced_at or now, now


def _answered(approval: Approval, by: User, now: datetime) -> dict[str, int]:
    """A second person answers for an event too: what was asked for is done, where it was to announce or open it."""
    with playing.holding(approval.payload["tournament"], now=now) as locked:
        row = locked.row
        answering.agreed(row, approval, by=by, now=now)
        if approval.payload["then"] == "open":
            open_held(locked, by=approval.asked_by, now=now)
        elif approval.payload["then"] == "announce" and row.state == State.DRAFT:
            row.state, row.announced_at = State.ANNOUNCED, now
    return {"tournament": row.pk}


approvals.register(
    answering.ACT, _answered, lock=lambda approval: event_journal.of_event(tournament_id=approval.payload["tournament"])
)


@verb("tournaments.delete", roles=staff.DIRECTORS)
def delete(*, tournament_id: RowId, by: User) -> Annotated[None, not_kept]:
    """Delete a draft. `Illegal` for an announced event, which is cancelled instead."""
    row = lock(event_journal.lock, tournament_id)[0].row
    if row.state != State.DRAFT:
        raise Illegal(
            "no-draft",
            "{name} is {state}: it can be cancelled, but not deleted.",
            name=row.name,
            state=row.get_state_display(),
        )
    if row.flights.exists() or row.satellites.exists():
        raise Conflict("has-flights", "Other tournaments lead to this one: change them first.")
    row.delete()


def check_version(row: Tournament, version: int | None) -> None:
    """`Stale` where somebody else has changed the event since the director looked."""
    if version is not None and version != row.version:
        raise Stale(
            "stale", "This tournament has changed since you loaded it: reload and decide again.", version=row.version
        )


def copied(row: Tournament) -> dict[str, Any]:
    """The terms of an event, for another one like it."""
    return {name: getattr(row, name) for name in terms.FIELDS}


def _template(template_id: int | None) -> Template | None:
    if template_id is None:
        return None
    template = Template.objects.filter(pk=template_id, is_archived=False).first()
    if template is None:
        raise NotFound("no-such-template", "There is no such template.")
    return template


def _parted(fields: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split fields into terms and place."""
    place = {name: value for name, value in fields.items() if name in PLACE}
    return {name: value for name, value in fields.items() if name not in PLACE}, place


def _as_flight(config: dict[str, Any], parent: int | None) -> dict[str, Any]:
    """The terms of a flight say that it is one: with no last level of its own it goes through the whole structure,
    whatever becomes of that. `Illegal` for a last level where there is no final to go on in."""
    last = config["flight_levels"]
    if parent is None:
        if 0 < last < MOST_LEVELS:
            raise Illegal("no-final", "Only a flight ends with its last level: choose its final.")
        return config | {"flight_levels": 0}
    if last:
        return config
    return engine_config.to_json(terms.read_config(config | {"flight_levels": MOST_LEVELS}))


def _check_place(place: dict[str, Any], *, now: datetime, of: Tournament | None = None) -> None:
    for name in ("starts_at", "registration_opens_at"):
        moment = place.get(name)
        if moment is not None and (not isinstance(moment, datetime) or moment.tzinfo is None):
            raise Invalid("bad-moment", "The field {name} is a moment with its time zone.", name=name)
        room_time.check(moment)
    start = place.get("starts_at")
    if start is not None and start < now - _GRACE and (of is None or start != of.starts_at):
        raise Invalid(
            "start-past", "That start is past: it would have begun on {said}.", said=room_time.format_moment(start)
        )
    for name, model in _MODELS.items():
        pk = place.get(name)
        if pk is not None and (type(pk) is not int or not model.objects.filter(pk=pk).exists()):
            raise NotFound(
                "no-such-place", "There is no such {replace}.", replace=name.removesuffix("_id").replace("_", " ")
            )
    starts = place.get("starts_at", of.starts_at if of else None)
    opens = place.get("registration_opens_at", of.registration_opens_at if of else None)
    if starts is not None and opens is not None and opens > starts:
        raise Invalid("bad-moment", "Registration opens before the tournament starts.")
    parent = place.get("parent_id", of.parent_id if of else None)
    flight = place.get("flight", of.flight if of else "")
    if not isinstance(flight, str) or len(flight) > 10 or (parent is not None) != bool(flight):
        raise Invalid("bad-flight", 'A flight needs a final and a name of up to 10 characters such as "1A".')
    if parent is not None and Tournament.objects.filter(parent=parent, flight=flight).exclude(pk=of and of.pk).exists():
        raise Conflict("flight-taken", "There is a flight {flight} to this final already.", flight=flight)
    if of is not None and parent == of.pk:
        raise Invalid("bad-flight", "A tournament cannot be its own flight.")
