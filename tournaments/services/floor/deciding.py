"""What is suggested to the director: done on their word, or let be."""

from typing import Unpack

from cardroom.services.errors import Illegal, Stale
from tournaments import moments
from tournaments.journal import Receipt
from tournaments.models import Tournament
from tournaments.services import arranging, staff, suggestions
from tournaments.services.directing import Directed, Order, directing
from tournaments.services.floor.ordering import ordering
from tournaments.services.floor.rooms import Rooms
from tournaments.services.suggestions import Suggestion

_MOST_KEPT = 200


def confirm(*, key: str, **order: Unpack[Order]) -> Receipt:
    """Do what is suggested under this key. `Stale` where it is suggested no longer; `Illegal` for what is only told.

    A colour-up that is confirmed has been done; to pay, use `payouts.pay`.
    """
    with ordering(staff.DIRECTORS, **order) as held:
        if held.earlier is None:
            suggestion = _found(held, key)
            command = arranging.command_of(suggestion)
            if command is not None:
                held.play(command)
            elif suggestion.kind == "colour-up":
                _keep(held, key)
            else:
                raise Illegal(f"{suggestion.title}: that has a button of its own.", "not-confirmable")
    return held.receipt


def dismiss(*, key: str, **order: Unpack[Order]) -> Receipt:
    """Let it be: it is not suggested again as long as nothing changes that it rests on. Once more does nothing."""
    with directing(staff.DIRECTORS, **order) as held:
        if held.earlier is None and key not in suggestions.dismissed(held.locked.row):
            held.busy = Rooms(held.locked).busy
            if _found(held, key).kind == "pay":
                raise Illegal("What people have won is not let be: pay it.", "not-dismissible")
            _keep(held, key)
    return held.receipt


def auto_arrange(*, on: bool, **order: Unpack[Order]) -> Receipt:
    """Whether moves, breaks, the final table and late seats in the room are carried out without asking."""
    with ordering(staff.DIRECTORS, **order) as held:
        if held.earlier is None:
            _set(held.locked.row, suggestions.AUTO_ARRANGE, bool(on))
    return held.receipt


def _found(held: Directed, key: str) -> Suggestion:
    state = held.locked.state
    owed = suggestions.owed(held.locked.row, state)
    found = suggestions.of(state, now_ms=moments.ms(held.now), busy=held.busy, owed=owed)
    suggestion = next((each for each in found if each.key == key), None)
    if suggestion is None:
        raise Stale("That is suggested no longer: look at what is now.", "suggestion-gone", seq=held.locked.row.seq)
    if not suggestion.is_confirmable:
        raise Illegal(f"{suggestion.title}: there is nothing to confirm.", "not-confirmable", suggestion.rule or None)
    return suggestion


def _keep(held: Directed, key: str) -> None:
    row = held.locked.row
    keys = [*suggestions.dismissed(row), key][-_MOST_KEPT:]
    _set(row, suggestions.DISMISSED, {"event": row.pk, "keys": keys})


def _set(row: Tournament, name: str, value: object) -> None:
    row.options = row.options | {name: value}
    row.save(update_fields=["options"])
