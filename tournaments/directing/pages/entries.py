"""What players and the staff of the desk do about entries: enter, unregister, re-enter, buy chips.

Forms of players, of the desk and of the console call these functions, and so do programs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from cardroom.core.arguments import Limits, RowId, internal
from cardroom.core.errors import Invalid, Refusal
from cardroom.core.models import User
from tournaments.events import staff
from tournaments.events.arguments import MOST_ID, EntrantNumber
from tournaments.events.models import Payment, TournamentEntry
from tournaments.events.pages import fields
from tournaments.events.pages import serializers as shapes
from tournaments.registration import automatic_rebuys, buying, guests, registration
from tournaments.registration import queries as registration_queries
from tournaments.registration.pages.views import event_for

State = TournamentEntry.State
MOST_PASTED = 100
Paying = Annotated[
    str,
    Limits(
        choices=shapes.PAYING,
        required=False,
        allow_blank=False,
        help_text="Your wallet, or cash at the desk; `house` for directors.",
    ),
]
TicketNumber = Annotated[int | None, Limits(min_value=1, max_value=MOST_ID, allow_null=True)]


@dataclass(frozen=True)
class Pasted:
    """What came of a list of names: the `entries`, and (name, why) of each that was `refused`."""

    entries: list[TournamentEntry]
    refused: list[tuple[str, str]]


def enter(
    *,
    tournament_id: RowId,
    player: Annotated[
        str, Limits(required=False, allow_blank=False, max_length=150, help_text="The player's screen name.")
    ] = "",
    guest: Annotated[str, Limits(required=False, allow_blank=False, max_length=60)] = "",
    method: Paying = "",
    ticket_id: Annotated[TicketNumber, Limits(help_text="The ticket that pays.")] = None,
    entry_code: Annotated[str, Limits(required=False, max_length=40)] = "",
    how: Annotated[str, internal] = "api",
    key: str,
    by: User,
) -> TournamentEntry:
    """Enter by yourself: name nobody. The desk names a `player` with an account, or a `guest` without one."""
    event_for(by, tournament_id)
    is_desk = how == "desk" or bool(player or guest)
    if is_desk:
        staff.require(by, staff.DESK)
    who = fields.member_called(player) if player else None if is_desk else by
    return registration.register.once(
        key,
        tournament_id=tournament_id,
        player=who,
        guest=guest,
        method=method,
        ticket_id=ticket_id,
        entry_code=entry_code,
        how="" if is_desk else how,
        by=by,
    )


def enter_by_name(
    *,
    tournament_id: RowId,
    name: Annotated[str, Limits(called="q", max_length=60)],
    method: Paying = "",
    key: str,
    by: User,
) -> TournamentEntry:
    """At the desk, one name and Enter: `q`, a name, a card or a member's number."""
    event_for(by, tournament_id)
    called = guests.person_named(name)
    return registration.register.once(key, tournament_id=tournament_id, method=method, by=by, **called)


def enter_list(
    *, tournament_id: RowId, names: Annotated[str, Limits(max_length=8000)], method: Paying = "", key: str, by: User
) -> Pasted:
    """Enter the names of a list, one a line. A name that is refused does not stop the others."""
    lines = list(dict.fromkeys(filter(None, map(guests.name_of, names.splitlines()))))
    if not 1 <= len(lines) <= MOST_PASTED:
        raise Invalid("bad-list", "Paste 1 to {most} names, one a line.", most=MOST_PASTED)
    entries: list[TournamentEntry] = []
    refused: list[tuple[str, str]] = []
    for place, name in enumerate(lines):
        try:
            own_key = f"{key}-{place}" if key else ""
            entries.append(enter_by_name(tournament_id=tournament_id, name=name, method=method, key=own_key, by=by))
        except Refusal as error:
            refused.append((name, str(error.message)))
    return Pasted(entries, refused)


def _check_may(by: User, tournament_id: int, entrant: int | None) -> None:
    """Something is done about an entry: one's own, which a form of one's own does not name, or at the desk
    anybody's."""
    row = event_for(by, tournament_id)
    if entrant is not None and registration_queries.entry(row, entrant).player_id != by.pk:
        staff.require(by, staff.DESK)


def unregister(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber | None = None,
    reason: Annotated[str, Limits(required=False, max_length=200)] = "",
    by: User,
) -> TournamentEntry:
    """Take an entry off and refund it."""
    _check_may(by, tournament_id, entrant)
    return registration.unregister(tournament_id=tournament_id, entrant=entrant, reason=reason, by=by)


def unregister_once(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber,
    reason: Annotated[str, Limits(required=False, max_length=200)] = "",
    by: User,
) -> TournamentEntry:
    """The same; a program that asks again has what it wants."""
    _check_may(by, tournament_id, entrant)
    withdrawn = TournamentEntry.objects.filter(tournament=tournament_id, number=entrant, state=State.WITHDRAWN).first()
    return withdrawn or registration.unregister(tournament_id=tournament_id, entrant=entrant, reason=reason, by=by)


def re_enter(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber | None = None,
    method: Paying = "",
    ticket_id: TicketNumber = None,
    key: str,
    by: User,
) -> TournamentEntry:
    """Enter once more after a bust."""
    _check_may(by, tournament_id, entrant)
    return registration.re_enter.once(
        key, tournament_id=tournament_id, entrant=entrant, method=method, ticket_id=ticket_id, by=by
    )


def rebuy(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber | None = None,
    method: Paying = "",
    stack: Annotated[
        int | None,
        Limits(min_value=0, max_value=10**12, allow_null=True, help_text="At the desk: what the player has now."),
    ] = None,
    key: str,
    by: User,
) -> Payment:
    """Buy chips."""
    _check_may(by, tournament_id, entrant)
    return buying.rebuy.once(key, tournament_id=tournament_id, entrant=entrant, method=method, stack=stack, by=by)


def add_on(
    *, tournament_id: RowId, entrant: EntrantNumber | None = None, method: Paying = "", key: str, by: User
) -> Payment:
    """Buy the add-on."""
    _check_may(by, tournament_id, entrant)
    return buying.add_on.once(key, tournament_id=tournament_id, entrant=entrant, method=method, by=by)


def ask_for_rebuys(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber | None = None,
    on: Annotated[bool, Limits(help_text="Whether a rebuy is bought by itself as soon as the last chips are gone.")],
    by: User,
) -> dict[str, bool]:
    """Turn automatic rebuy on or off."""
    _check_may(by, tournament_id, entrant)
    player = by if entrant is None else registration_queries.entry(event_for(by, tournament_id), entrant).player
    automatic_rebuys.set_automatic(tournament_id=tournament_id, player=player, on=on)
    return {"on": on}


def identify(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber,
    player: Annotated[str, Limits(max_length=150, help_text="The screen name of the member.")],
    key: str,
    by: User,
) -> TournamentEntry:
    """Link a guest to a member."""
    _check_may(by, tournament_id, entrant)
    member = fields.member_called(player)
    return guests.identify.once(key, tournament_id=tournament_id, entrant=entrant, player=member, by=by)


def scope_of_entry(by: User, arguments: Mapping[str, Any]) -> str:
    """The scope for what is done about an entry: one's own, or somebody's at the desk."""
    entry = registration_queries.entry(event_for(by, arguments["tournament_id"]), arguments["entrant"])
    return "play" if entry.player_id == by.pk else "direct"
