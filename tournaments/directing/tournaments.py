"""Directors prepare an event: drafts, announcements, the opening of registration.

Every verb locks the event where there is one. `by` None is the house itself: an alarm, or an operator's command.
"""

from datetime import datetime, timedelta
from typing import Annotated, Any, Unpack

from cardroom.core import approvals, room_time, step_up
from cardroom.core.arguments import RowId, not_kept
from cardroom.core.errors import Conflict, Illegal, Invalid, NotFound, Stale
from cardroom.core.models import Approval, User
from cardroom.core.verb import current_time, lock, verb
from tournaments.engine import config as engine_config
from tournaments.engine.clock import MOST_LEVELS
from tournaments.engine.commands import ChangeTerms
from tournaments.events import answering, due, playing, staff, terms
from tournaments.events import journal as event_journal
from tournaments.events.journal import Locked
from tournaments.events.models import Season, Series, Template, Tournament

State = Tournament.State
#: How far back a start may lie: a form takes its time to fill in.
_GRACE = timedelta(minutes=10)
#: What an event has beside its terms: when, and what it belongs to.
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
    values, place = _split_fields(fields)
    checked = terms.check_terms(values, before=template)
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
        values, place = _split_fields(fields)
        changing = set(values) | set(place)
        if (row.is_live or row.is_over) and not changing <= _ALWAYS:
            fixed_field = sorted(changing - _ALWAYS)[0]
            raise Illegal(
                "too-late-to-edit",
                "{name} is {state}: its {late} stays as it is.",
                name=row.name,
                state=row.get_state_display(),
                late=fixed_field,
            )
        checked = terms.check_terms(values, before=row)
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
            if due.starts_by_itself(row) and row.starts_at is None and not row.starts_when_full:
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
    if due.starts_by_itself(row) and row.starts_at is None and not row.starts_when_full:
        raise Illegal("no-start", "Choose a start: at a time, or when it is full.")
    answering.answer(row, by=by, now=now, then="open")
    config = terms.config_of(row)
    author = by.pk if by is not None else None
    locked.event = event_journal.begin(row.pk, config, at=now, now_ms=event_journal.ms(now), by=author)
    row.seq = locked.event.length
    row.announced_at, row.opened_at = row.announced_at or now, now


def _carry_out_approval(approval: Approval, by: User, now: datetime) -> dict[str, int]:
    """A second person answers for an event too: what was asked for is done, where it was to announce or open it."""
    with playing.holding(approval.payload["tournament"], now=now) as locked:
        row = locked.row
        answering.add_agreed(row, approval, by=by, now=now)
        if approval.payload["then"] == "open":
            open_held(locked, by=approval.asked_by, now=now)
        elif approval.payload["then"] == "announce" and row.state == State.DRAFT:
            row.state, row.announced_at = State.ANNOUNCED, now
    return {"tournament": row.pk}


approvals.register(
    answering.ACT,
    _carry_out_approval,
    lock=lambda approval: event_journal.of_event(tournament_id=approval.payload["tournament"]),
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


def terms_to_copy(row: Tournament) -> dict[str, Any]:
    """The terms of an event, for another one like it."""
    return {name: getattr(row, name) for name in terms.FIELDS}


def _template(template_id: int | None) -> Template | None:
    if template_id is None:
        return None
    template = Template.objects.filter(pk=template_id, is_archived=False).first()
    if template is None:
        raise NotFound("no-such-template", "There is no such template.")
    return template


def _split_fields(fields: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
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
