"""How drf-spectacular draws the schema. Read by the settings: nothing of Django may be asked for here."""

from pathlib import Path
from typing import Any

_SETTINGS: dict[str, Any] = {
    "TITLE": "Cardroom",
    "DESCRIPTION": (Path(__file__).parent / "description.md").read_text("utf-8"),
    "TAGS": [
        {"name": "tables", "description": "Games, stakes and players."},
        {"name": "seats", "description": "Taking a seat, adding chips, sitting out, leaving."},
        {"name": "hands", "description": "The facts of a hand that you may see, and your turn."},
        {"name": "dealers", "description": "Tables dealt by a person: starting hands, entering actions."},
        {"name": "floor", "description": "Calls from tables, and decisions of the floor."},
        {"name": "offers", "description": "The games on offer, for which tables are opened and lists are kept."},
        {"name": "drop schedules", "description": "What the house takes. A saved schedule never changes."},
        {"name": "sections", "description": "The sections of the room."},
        {"name": "table life", "description": "Opening, pausing, breaking and closing tables, for the floor."},
        {"name": "private tables", "description": "Invitations and passwords."},
        {"name": "home games", "description": "Tables that players open for their friends, for play money."},
        {"name": "clubs", "description": "Players who play among themselves: members, tables, chat, leaderboards."},
        {"name": "rulings", "description": "Every ruling at every table, and the rule it cites."},
        {"name": "desk", "description": "A ruling for a table outside the system, by the same engine."},
        {"name": "practice", "description": "Training: rule on a dealer's mistakes before the engine does."},
        {"name": "problems", "description": "The problem of the day: a turn of a hand, and what each choice is worth."},
        {"name": "tournaments", "description": "Events, their terms and their progress."},
        {"name": "entries", "description": "Entries, online or at the desk; rebuys, add-ons, alternates."},
        {"name": "clock", "description": "The clock of an event and its levels."},
        {"name": "directors", "description": "Running an event: tables, moves, busts, penalties, undo."},
        {"name": "payouts", "description": "Prizes and payments."},
        {"name": "deals", "description": "Deals: formulas, proposals, secret votes."},
        {"name": "results", "description": "Results: places, knock-outs, figures, the log."},
        {"name": "lists", "description": "Names on waiting lists, and calls to seats."},
        {"name": "seating", "description": "Seats as the floor manages them."},
        {"name": "time", "description": "Time charges, and who owes them."},
        {"name": "jackpots", "description": "Jackpots, their terms and hits."},
        {"name": "cage", "description": "Drawers, slips, the vault, limits, requests to the cashier."},
        {"name": "approvals", "description": "Requests for a second person, and decisions."},
        {"name": "shifts", "description": "Dealers, shifts and the rotation."},
        {"name": "reports", "description": "Reports as tables and files."},
        {"name": "tickets", "description": "Tickets that were won or given."},
        {"name": "templates", "description": "Templates of events, and structures."},
        {"name": "series", "description": "Events that belong together."},
        {"name": "leagues", "description": "Leagues, their seasons and the points in them."},
        {"name": "me", "description": "You, your wallet, your seats, your events."},
        {"name": "players", "description": "Players at the desk: cards, visits, bans, notes."},
        {"name": "accounts", "description": "Accounts, for managers."},
        {"name": "blacklist", "description": "Networks, addresses and names that cannot sign up or log in."},
        {"name": "connections", "description": "Connections, and where they come from."},
        {"name": "chat", "description": "Lobby chat, and what the floor does about it."},
        {"name": "trail", "description": "The audit log: who did what, when, to what, and why."},
        {"name": "tokens", "description": "API tokens for your programs."},
        {"name": "rulebooks", "description": "Rulebooks and their citations."},
    ],
    "VERSION": "1",
    "SERVERS": [{"url": "/", "description": "The room that serves this document."}],
    "CONTACT": {"name": "The room's staff"},
    "LICENSE": {"name": "MIT", "identifier": "MIT"},
    "SERVE_INCLUDE_SCHEMA": False,
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "cardroom.core.web.api.schema.with_names",
        "cardroom.core.web.api.schema.that_reads_well",
    ],
    "PREPROCESSING_HOOKS": ["cardroom.core.web.api.routes.without_slashes"],
    "PATH_CONVERTER_OVERRIDES": {"id": {"type": "integer", "minimum": 1, "maximum": 10**18 - 1}},
}


def settings(*, enums: dict[str, str]) -> dict[str, Any]:
    """SPECTACULAR_SETTINGS. `enums` are names of the apps' choices in the schema, and where these are declared."""
    return _SETTINGS | {"ENUM_NAME_OVERRIDES": {"Scope": "cardroom.accounts.tokens.SCOPES"} | enums}
