"""Between the form of an event and the fields that services take: there, and back again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any

from django.utils import timezone

from tournaments import structures
from tournaments.engine.config import AddOn, BountyTerms, EventConfig, PayoutTerms, Rebuy
from tournaments.engine.config import to_json as config_json
from tournaments.engine.structure import MOST_LEVELS, Structure
from tournaments.models import Payment, Template, Tournament
from tournaments.services import terms
from tournaments.services.play.hall import PAUSE_SECONDS, option
from tournaments.services.play.rebuys import SECONDS as REBUY_SECONDS
from tournaments.services.prices import PARTS
from tournaments.web import before_levels
from tournaments.web.before_form import MOMENT

_PLACE = ("series_id", "season_id", "parent_id", "satellite_to_id")
_OPTIONS = ("starts_by_itself", "seats_late_by_hand", "all_flight_stacks")
_OPTION_NUMBERS = {"pause_seconds": PAUSE_SECONDS, "rebuy_seconds": REBUY_SECONDS, "bots_rebuy": 0}
_PLAIN = ("name", "description", "conduct", "entry_code", "bots", "starts_when_full", "when_short", "recurs_times")
_OF_CONFIG = (
    *("format", "seats", "final_seats", "rulebook", "starting_stack", "late_level", "late_through_break"),
    *("min_entrants", "max_entrants", "re_entries", "re_entry_stack", "act_seconds", "time_bank_seconds"),
    *("bank_refill_per_level", "extra_seconds", "extra_cap_seconds", "balance_at", "halt_short", "hand_for_hand"),
    *("hand_minutes", "auto_start", "flight_levels"),
)
_OF_PAYOUT = ("places", "share_percent", "percents", "amounts", "unit", "min_cash", "guarantee", "ticket_value")
FIRST_PRESET = "stud-regular"
_PRESETS = {"sit-and-go": "stud-turbo", "bracket": "stud-turbo"}
_OF_ROW = {"starts_when_full"}
#: What a new event may begin as: its name, and how it differs from an event in the room with late entry.
KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "event": ("Seven-Card Stud", {"late_level": 4}),
    "sit-and-go": (
        "Sit-and-go",
        {
            "conduct": "online",
            "min_entrants": 8,
            "max_entrants": 8,
            "starts_when_full": True,
            "payout": PayoutTerms("percent", percents=(50, 30, 20)),
        },
    ),
    "shootout": ("Shootout", {"format": "shootout", "payout": PayoutTerms("curve")}),
    "bracket": (
        "Heads-up bracket",
        {"format": "bracket", "seats": 2, "final_seats": 2, "payout": PayoutTerms("percent", percents=(65, 35))},
    ),
    "satellite": ("Satellite", {"late_level": 4, "payout": PayoutTerms("tickets", ticket_value=100)}),
    "freeroll": ("Freeroll", {"late_level": 4, "payout": PayoutTerms(guarantee=1000)}),
}


def fresh(kind: str = "event") -> Tournament:
    """What the form of a new event begins with, by one of KINDS: a structure ready for use, and nothing to pay."""
    preset = structures.load(_PRESETS.get(kind, FIRST_PRESET))
    title, own = KINDS.get(kind, KINDS["event"])
    rest = {name: own[name] for name in own if name not in _OF_ROW}
    row = {name: own[name] for name in own if name in _OF_ROW}
    config = EventConfig(preset.structure, preset.stack, **{"conduct": "room", **rest})
    return Tournament(name=title, conduct=config.conduct, config=config_json(config), **row)


def data_of(row: Tournament | Template) -> dict[str, Any]:
    """The fields of the form for an event or a template."""
    config = terms.config_of(row)
    data: dict[str, Any] = {name: getattr(row, name) for name in _PLAIN}
    data |= {name: getattr(config, name) for name in _OF_CONFIG}
    data |= {name: getattr(config.payout, name) for name in _OF_PAYOUT}
    data |= {name: row.options.get(name, False) for name in _OPTIONS}
    data |= {name: option(row, name, default) for name, default in _OPTION_NUMBERS.items()}
    data |= {"payout": config.payout.kind, "bounty": config.bounty.kind, "chips": config.structure.chip_set}
    data |= {"recurs_minutes": row.recurs_minutes, "recurs_when_full": row.recurs_when_full}
    data |= _wishes(config)
    if config.flight_levels == MOST_LEVELS:
        data["flight_levels"] = 0  # it goes through all of them
    if config.rebuy is not None:
        data |= {"has_rebuy": True} | {f"rebuy_{name}": getattr(config.rebuy, name) for name in _REBUY}
    if config.add_on is not None:
        data |= {"has_add_on": True, "add_on_chips": config.add_on.chips, "add_on_break": config.add_on.at_break}
    for what, paid in row.price.items():
        data |= {f"{what}_{part}": paid[part] for part in PARTS}
    if isinstance(row, Tournament):
        data |= {name: getattr(row, name) for name in (*_PLACE, "flight", "starts_at", "registration_opens_at")}
    told = {name: _said(name, value) for name, value in data.items() if _is_said(name, value)}
    return told | before_levels.told(config.structure.levels)


def fingerprint(row: Tournament | Template) -> str:
    """Another one as soon as anything is other that the form says of the event."""
    return sha256(repr(sorted(data_of(row).items())).encode()).hexdigest()[:16]


_REBUY = ("chips", "most", "until_level", "at_most_stack")
#: Fields of which 0 is an answer, and not the same as none.
_ZERO_COUNTS = {"time_bank_seconds", "extra_cap_seconds", "hand_minutes", "recurs_minutes"}


def _wishes(config: EventConfig) -> dict[str, Any]:
    """What the wizard would be asked for something like this."""
    levels = [level for level in config.structure.levels if not level.is_break]
    return {
        "players": config.max_entrants or 40,
        "hours": 8,
        "minutes": next((level.minutes for level in levels if level.minutes), 20),
        "games": list(dict.fromkeys(level.game for level in levels)),
    }


def _is_said(name: str, value: Any) -> bool:
    return bool(value) or (name in _ZERO_COUNTS and value == 0 and value is not False)


def _said(name: str, value: Any) -> Any:
    if name == "games":
        return value
    if isinstance(value, tuple | list):
        return ", ".join(str(each) for each in value)
    if name in ("starts_at", "registration_opens_at"):
        return timezone.localtime(value).strftime(MOMENT)
    return "on" if value is True else str(value)


def fields_of(said: Mapping[str, Any], structure: Structure, *, before: Tournament | Template) -> dict[str, Any]:
    """What the form says, as `services.tournaments.create` takes it. What it does not ask about stays as `before` has
    it."""
    config = replace(
        terms.config_of(before),
        structure=structure,
        payout=PayoutTerms(kind=said["payout"], **{name: said[name] for name in _OF_PAYOUT}),
        bounty=BountyTerms(said["bounty"], said["entry_bounty"] if said["bounty"] != "none" else 0),
        rebuy=_rebuy(said) if said["has_rebuy"] else None,
        add_on=_add_on(said) if said["has_add_on"] else None,
        **{name: said[name] for name in _OF_CONFIG},
    )
    fields = {name: said[name] for name in _PLAIN}
    fields |= {
        "config": config_json(config),
        "price": _price(said),
        "options": before.options | {name: said[name] for name in (*_OPTIONS, *_OPTION_NUMBERS)},
        "recurs_minutes": int(said["recurs_minutes"]),
        "recurs_when_full": said["recurs_when_full"],
    }
    if "starts_at" in said:
        fields |= {name: said[name] for name in ("starts_at", "registration_opens_at", "flight")}
        fields |= {name: int(said[name]) if said[name] else None for name in _PLACE}
    return fields


def _rebuy(said: Mapping[str, Any]) -> Rebuy:
    chips = said["rebuy_chips"] or said["starting_stack"]
    return Rebuy(chips, *(said[f"rebuy_{name}"] for name in _REBUY[1:]))


def _add_on(said: Mapping[str, Any]) -> AddOn:
    return AddOn(said["add_on_chips"] or said["starting_stack"], said["add_on_break"])


def _price(said: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    """The parts of every price; those of a re-entry only where one of them is given: it costs what an entry does."""
    price = {what: {part: said[f"{what}_{part}"] for part in PARTS} for what in Payment.What.values}
    is_offered = {
        "entry": True,
        "re_entry": said["re_entries"],
        "rebuy": said["has_rebuy"],
        "add_on": said["has_add_on"],
    }
    return {
        what: parts
        for what, parts in price.items()
        if is_offered[what] and (what == Payment.What.ENTRY or any(parts.values()))
    }
