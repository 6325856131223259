"""How drf-spectacular draws the schema. Read by the settings: nothing of Django may be asked for here."""

from pathlib import Path
from typing import Any

_SETTINGS: dict[str, Any] = {
    "TITLE": "Cardroom",
    "DESCRIPTION": (Path(__file__).parent / "description.md").read_text("utf-8"),
    "TAGS": [
        {"name": "tables", "description": "What is played, for how much, and by whom."},
        {"name": "seats", "description": "Sitting down, adding chips, sitting out, leaving."},
        {"name": "hands", "description": "What happened in a hand as you may see it, and your turn."},
        {"name": "dealers", "description": "Tables that a person deals: starting hands, entering what was done."},
        {"name": "floor", "description": "Calls from the tables, and what the rules leave to the floor."},
        {"name": "offers", "description": "The games on offer: what tables are opened for and lists are kept of."},
        {"name": "drop schedules", "description": "What the house takes; saved once and never changed."},
        {"name": "sections", "description": "The parts of the room."},
        {"name": "table life", "description": "Opening, pausing, breaking and closing tables, for the floor."},
        {"name": "private tables", "description": "Who is invited, and the password that invites."},
        {"name": "rulings", "description": "Every ruling at every table, and the rule it cites."},
        {"name": "desk", "description": "A ruling for a table outside the system, by the same engine."},
        {"name": "practice", "description": "Training: rule on a dealer's mistakes before the engine does."},
        {"name": "tournaments", "description": "Events: what is played when, for how much, and where it stands."},
        {"name": "entries", "description": "Coming in, by oneself or at the desk; rebuys, add-ons, alternates."},
        {"name": "clock", "description": "The clock of an event and its levels."},
        {"name": "directors", "description": "Running an event: tables, moves, busts, penalties, undo."},
        {"name": "payouts", "description": "What is to be won, and what was paid."},
        {"name": "deals", "description": "Sharing what is left: formulas, proposals, secret votes."},
        {"name": "results", "description": "Places, knock-outs, numbers, the log."},
        {"name": "lists", "description": "Names on the lists of games, and who is called to a seat."},
        {
            "name": "seating",
            "description": "Seats as the floor sees to them: held, given, moved.",
        },
        {"name": "time", "description": "Time that players pay for, and who owes it."},
        {"name": "jackpots", "description": "What they hold, what hits them, and who hit them."},
        {"name": "cage", "description": "Drawers, slips, the vault, limits, requests to the cashier."},
        {"name": "approvals", "description": "What waits for a second person, and what they decided."},
        {"name": "shifts", "description": "Who deals and who runs the floor, and when."},
        {"name": "reports", "description": "What the house took, paid and owes, as tables and files."},
        {"name": "tickets", "description": "Entries that were won or given."},
        {"name": "templates", "description": "Events to be made again, and structures to make them of."},
        {"name": "series", "description": "Events that belong together."},
        {"name": "leagues", "description": "Leagues, their seasons and the points in them."},
        {"name": "me", "description": "You, your wallet, your seats, your events."},
        {"name": "players", "description": "Players at the desk: cards, visits, bans, notes."},
        {"name": "accounts", "description": "Accounts, as managers see to them."},
        {"name": "blacklist", "description": "Where from, and by what, nobody signs up or logs in."},
        {"name": "connections", "description": "Who is logged in, and from where."},
        {"name": "chat", "description": "What is said in the lobby, and what the floor does about it."},
        {"name": "trail", "description": "What staff did: who, when, to what, why."},
        {"name": "tokens", "description": "Keys of your programs."},
        {"name": "rulebooks", "description": "The rules that are played, and where the books say so."},
    ],
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "cardroom.core.web.api.schema.that_reads_well",
    ],
    "PREPROCESSING_HOOKS": ["cardroom.core.web.api.routes.without_slashes"],
    "PATH_CONVERTER_OVERRIDES": {"id": {"type": "integer", "minimum": 1, "maximum": 10**18 - 1}},
}


def settings(*, enums: dict[str, str]) -> dict[str, Any]:
    """SPECTACULAR_SETTINGS. `enums` are names of the apps' choices in the schema, and where these are declared."""
    return _SETTINGS | {"ENUM_NAME_OVERRIDES": {"Scope": "cardroom.accounts.sessions.SCOPES"} | enums}
