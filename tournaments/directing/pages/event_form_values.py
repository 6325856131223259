"""What the form of an event says: what it begins with, and the way from its fields to those of services and back.

Fields have the names of what they say in `Terms`, its `EventConfig` and its options.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from hashlib import sha256
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy

from tournaments import structures
from tournaments.directing.pages import levels
from tournaments.directing.pages.event_form import MOMENT, EventTermsForm
from tournaments.directing.tournaments import PLACE
from tournaments.engine import wizard
from tournaments.engine.clock import MOST_LEVELS, Structure
from tournaments.engine.config import AddOnTerms, BountyTerms, EventConfig, PayoutTerms, RebuyTerms
from tournaments.engine.config import to_json as config_json
from tournaments.events import terms
from tournaments.events.hall import PAUSE_SECONDS
from tournaments.events.models import Payment, Template, Tournament
from tournaments.events.terms import PARTS, option
from tournaments.registration.automatic_rebuys import SECONDS as REBUY_SECONDS

_ASKED = EventTermsForm.base_fields
_IN_CONFIG = [field.name for field in fields(EventConfig)]
_OF_ROW = [name for name in terms.FIELDS if name in _ASKED]
_OF_CONFIG = [name for name in _IN_CONFIG if name in _ASKED and name not in ("conduct", "payout", "bounty")]
_OF_PAYOUT = [field.name for field in fields(PayoutTerms) if field.name in _ASKED]
_REBUY = [field.name for field in fields(RebuyTerms)]
#: Its options.
_FLAGS = ("starts_by_itself", "seats_late_by_hand", "all_flight_stacks")
_NUMBERS = {"pause_seconds": PAUSE_SECONDS, "rebuy_seconds": REBUY_SECONDS, "bots_rebuy": 0}
#: Fields in which 0 is a value, unlike in others, where it means nothing.
_ZERO_COUNTS = {"time_bank_seconds", "extra_cap_seconds", "hand_minutes", "recurs_minutes"}
FIRST_PRESET = "stud-regular"
_PRESETS = {"sit-and-go": "stud-turbo", "bracket": "stud-turbo"}
#: What a new event may begin as: its name, and how it differs from an event in the room with late entry.
KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "event": (gettext_lazy("Seven-Card Stud"), {}),
    "sit-and-go": (
        gettext_lazy("Sit-and-go"),
        {
            "conduct": "online",
            "min_entrants": 8,
            "max_entrants": 8,
            "starts_when_full": True,
            "payout": PayoutTerms("percent", percents=(50, 30, 20)),
        },
    ),
    "shootout": (gettext_lazy("Shootout"), {"format": "shootout", "payout": PayoutTerms("curve")}),
    "bracket": (
        gettext_lazy("Heads-up bracket"),
        {"format": "bracket", "seats": 2, "final_seats": 2, "payout": PayoutTerms("percent", percents=(65, 35))},
    ),
    "satellite": (gettext_lazy("Satellite"), {"payout": PayoutTerms("tickets", ticket_value=100)}),
    "freeroll": (gettext_lazy("Freeroll"), {"payout": PayoutTerms(guarantee=1000)}),
}
_WITH_LATE_ENTRY = ("event", "satellite", "freeroll")


def fresh(kind: str = "event") -> Tournament:
    """What the form of a new event begins with, by one of KINDS: a structure ready for use, and nothing to pay."""
    preset = structures.load(_PRESETS.get(kind, FIRST_PRESET))
    title, own = KINDS.get(kind, KINDS["event"])
    of_config = {name: own[name] for name in own if name in _IN_CONFIG}
    if kind in _WITH_LATE_ENTRY or kind not in KINDS:
        of_config["late_level"] = wizard.ends(preset.structure, preset.stack).late_level
    config = EventConfig(preset.structure, preset.stack, **{"conduct": "room", **of_config})
    row = {name: own[name] for name in own if name not in _IN_CONFIG}
    return Tournament(name=title, conduct=config.conduct, config=config_json(config), **row)


def data_of(row: Tournament | Template) -> dict[str, Any]:
    """The fields of the form for an event or a template."""
    config = terms.config_of(row)
    data: dict[str, Any] = {name: getattr(row, name) for name in _OF_ROW}
    data |= {name: getattr(config, name) for name in _OF_CONFIG}
    data |= {name: getattr(config.payout, name) for name in _OF_PAYOUT}
    data |= {name: row.options.get(name, False) for name in _FLAGS}
    data |= {name: option(row, name, default) for name, default in _NUMBERS.items()}
    data |= {"payout": config.payout.kind, "bounty": config.bounty.kind, "chips": config.structure.chip_set}
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
        data |= {name: getattr(row, name) for name in PLACE}
    zeros = {name for name in _ZERO_COUNTS if data.get(name) == 0 and data[name] is not False}
    texts = {name: _form_text(name, value) for name, value in data.items() if value or name in zeros}
    return texts | levels.fields_of_levels(config.structure.levels)


def fingerprint(row: Tournament | Template) -> str:
    """Changes as soon as any field of the form changes."""
    return sha256(repr(sorted(data_of(row).items())).encode()).hexdigest()[:16]


def _wishes(config: EventConfig) -> dict[str, Any]:
    """The wishes from which the wizard would make something like this."""
    levels = [level for level in config.structure.levels if not level.is_break]
    return {
        "players": config.max_entrants or 40,
        "hours": 8,
        "minutes": next((level.minutes for level in levels if level.minutes), 20),
        "games": list(dict.fromkeys(level.game for level in levels)),
    }


def _form_text(name: str, value: Any) -> Any:
    if name == "games":
        return value
    if isinstance(value, tuple | list):
        return ", ".join(str(item) for item in value)
    if name in ("starts_at", "registration_opens_at"):
        return timezone.localtime(value).strftime(MOMENT)
    return "on" if value is True else str(value)


def fields_of(values: Mapping[str, Any], structure: Structure, *, before: Tournament | Template) -> dict[str, Any]:
    """What the form says, as `tournaments.create` takes it. What it does not ask about stays as `before` has
    it."""
    first_break = wizard.ends(structure, values["starting_stack"]).rebuy_until_level or 1
    rebuy = {name: values[f"rebuy_{name}"] for name in _REBUY} | {
        "chips": values["rebuy_chips"] or values["starting_stack"],
        "until_level": values["rebuy_until_level"] or first_break,
    }
    config = replace(
        terms.config_of(before),
        structure=structure,
        payout=PayoutTerms(kind=values["payout"], **{name: values[name] for name in _OF_PAYOUT}),
        bounty=BountyTerms(values["bounty"], values["entry_bounty"] if values["bounty"] != "none" else 0),
        rebuy=RebuyTerms(**rebuy) if values["has_rebuy"] else None,
        add_on=AddOnTerms(values["add_on_chips"] or values["starting_stack"], values["add_on_break"])
        if values["has_add_on"]
        else None,
        **{name: values[name] for name in _OF_CONFIG},
    )
    return {name: values[name] for name in (*_OF_ROW, *PLACE) if name in values} | {
        "config": config_json(config),
        "price": _price(values),
        "options": before.options | {name: values[name] for name in (*_FLAGS, *_NUMBERS)},
    }


def _price(form_values: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    """The parts of every price; those of a re-entry only where one of them is given: it costs what an entry does."""
    price = {what: {part: form_values[f"{what}_{part}"] for part in PARTS} for what in Payment.Kind.values}
    is_offered = {
        "entry": True,
        "re_entry": form_values["re_entries"],
        "rebuy": form_values["has_rebuy"],
        "add_on": form_values["has_add_on"],
    }
    return {
        what: parts
        for what, parts in price.items()
        if is_offered[what] and (what == Payment.Kind.ENTRY or any(parts.values()))
    }
