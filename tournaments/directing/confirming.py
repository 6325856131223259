"""Suggestions for the floor: confirmed, dismissed, or carried out without asking."""

from typing import Annotated

from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Illegal, Stale
from cardroom.core.models import User
from cardroom.core.verb import verb
from tournaments.directing.carrying_out import Rooms, event_and_tables
from tournaments.events import journal as event_journal
from tournaments.events import playing, staff
from tournaments.events.arguments import ExpectedSeq
from tournaments.events.models import Tournament
from tournaments.events.playing import HeldEvent, OrderReceipt
from tournaments.online import suggestions
from tournaments.online.suggestions import EventSuggestion

SuggestionKey = Annotated[str, Limits(called="key", max_length=300, help_text="Of the suggestion.")]


_MOST_KEPT = 200


@verb("events.confirm", roles=staff.DIRECTORS)
def confirm(
    *, tournament_id: RowId, suggestion_key: SuggestionKey, expected_seq: ExpectedSeq = None, by: User | None
) -> OrderReceipt:
    """Carry out the suggestion with this key. `Stale` where it is suggested no longer; `Illegal` for what is only told.

    A colour-up that is confirmed has been done; to pay, use `payouts.pay`.
    """
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        suggestion = _suggestion_with_key(event, suggestion_key)
        command = suggestions.command_of(suggestion)
        if command is not None:
            event.play(command)
        elif suggestion.kind == "colour-up":
            _keep_dismissed(event, suggestion_key)
        else:
            raise Illegal("not-confirmable", "{title}: that has a button of its own.", title=suggestion.title)
    return event.receipt


@verb("events.dismiss", roles=staff.DIRECTORS)
def dismiss(
    *, tournament_id: RowId, suggestion_key: SuggestionKey, expected_seq: ExpectedSeq = None, by: User | None
) -> OrderReceipt:
    """Dismiss a suggestion until something it depends on changes. A second call does nothing."""
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        if suggestion_key not in suggestions.dismissed(event.row):
            event.busy = Rooms(event.locked).busy
            if _suggestion_with_key(event, suggestion_key).kind == "pay":
                raise Illegal("not-dismissible", "Prizes cannot be dismissed: pay them.")
            _keep_dismissed(event, suggestion_key)
    return event.receipt


@verb("events.auto_arrange", roles=staff.DIRECTORS)
def auto_arrange(*, tournament_id: RowId, on: bool, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Whether moves, breaks, the final table and late seats in the room are carried out without asking."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        _set_option(event.row, suggestions.AUTO_ARRANGE, bool(on))
    return event.receipt


def _suggestion_with_key(event: HeldEvent, key: str) -> EventSuggestion:
    state = event.state
    owed = suggestions.owed(event.row, state)
    current = suggestions.suggestions_of(state, now_ms=event_journal.ms(event.now), busy=event.busy, owed=owed)
    suggestion = next((candidate for candidate in current if candidate.key == key), None)
    if suggestion is None:
        raise Stale("suggestion-gone", "This suggestion is out of date: reload.", seq=event.row.seq)
    if not suggestion.is_confirmable:
        raise Illegal(
            "not-confirmable",
            "{title}: there is nothing to confirm.",
            rule=suggestion.rule or None,
            title=suggestion.title,
        )
    return suggestion


def _keep_dismissed(event: HeldEvent, key: str) -> None:
    row = event.row
    keys = [*suggestions.dismissed(row), key][-_MOST_KEPT:]
    _set_option(row, suggestions.DISMISSED, {"event": row.pk, "keys": keys})


def _set_option(row: Tournament, name: str, value: object) -> None:
    row.options = row.options | {name: value}
    row.save(update_fields=["options"])
