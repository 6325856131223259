"""What each place of an event gets: as things stand, and in the end."""

from __future__ import annotations

from typing import Any

from tournaments.engine.errors import IllegalAction
from tournaments.engine.tournament import Tournament as Engine


def prizes_of(state: Engine) -> tuple[int, ...]:
    """The prizes, first prize first; none as long as the terms and what was paid do not go together."""
    try:
        return state.prizes()
    except IllegalAction:
        return ()


def payout_rows(state: Engine) -> list[dict[str, Any]]:
    """As things stand, and once the event is over what each got. See `selectors.board`."""
    if state.phase == "finished":
        return _paid(state)
    rows: list[dict[str, Any]] = []
    value = state.config.payout.ticket_value
    prizes = prizes_of(state)
    names = _winners(state, len(prizes))
    for place, amount in enumerate(prizes, 1):
        if rows and rows[-1]["amount"] == amount:
            rows[-1]["last"] = place
        else:
            is_ticket = state.config.payout.kind == "tickets" and amount == value
            rows.append({"first": place, "last": place, "amount": amount, "is_ticket": is_ticket, "names": []})
        rows[-1]["names"] += names.get(place, [])
    return rows


def _paid(state: Engine) -> list[dict[str, Any]]:
    """In the end: what each got, with ties and by a deal."""
    value = state.config.payout.ticket_value
    won = sorted((one for one in state.entrants.values() if one.prize), key=lambda one: (one.place, one.number))
    return [
        {
            "first": one.place,
            "last": one.place,
            "amount": one.prize,
            "is_ticket": state.config.payout.kind == "tickets" and one.prize == value,
            "names": [one.name],
        }
        for one in won
    ]


def _winners(state: Engine, places: int) -> dict[int, list[str]]:
    """Who has got into the money so far, by place; those who share one are all there."""
    names: dict[int, list[str]] = {}
    if state.left <= places:
        for entrant in state.entrants.values():
            if entrant.below >= 0 and entrant.place <= places:
                names.setdefault(entrant.place, []).append(entrant.name)
    return names
