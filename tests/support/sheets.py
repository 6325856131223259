"""Structure sheets that rooms and hosts have printed, as structures."""

import tomllib
from pathlib import Path
from typing import Any

from tests.support.parts.event_rules import Level, Structure

SHEETS = tomllib.loads((Path(__file__).parent / "sheets.toml").read_text(encoding="utf-8"))
STUD = [slug for slug, sheet in SHEETS.items() if sheet["game"] != "flop"]
CHIPS = (5, 25, 100, 500, 1000, 5000, 25_000, 100_000)


def printed(sheet: dict[str, Any]) -> Structure:
    """The structure of a sheet. Of hold'em and Omaha it has big blinds as small bets and small blinds as bring-ins."""
    from_level, minutes = sheet.get("later", (len(sheet["levels"]) + 1, 0))
    breaks = {after: (long, tuple(chips)) for after, long, *chips in sheet["breaks"]}
    entries: list[Level] = []
    leaving: tuple[int, ...] = ()
    for number, stakes in enumerate(sheet["levels"], 1):
        if sheet["game"] == "flop":
            small_blind, big_blind, ante = stakes
            stakes = (ante, small_blind, big_blind, 2 * big_blind)
        game = "seven-card-stud" if sheet["game"] == "flop" else sheet["game"]
        long = minutes if number >= from_level else sheet["minutes"]
        entries.append(Level("level", long, 0, *stakes, game=game, colour_up=leaving))
        rest, leaving = breaks.get(number, (0, ()))
        if rest and number < len(sheet["levels"]):
            entries.append(Level("break", rest, colour_up=leaving))
            leaving = ()
    return Structure(tuple(entries), tuple(chip for chip in CHIPS if chip >= sheet["smallest"]))
