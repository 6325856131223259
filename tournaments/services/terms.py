"""The terms of an event or a template, checked before they are stored."""

from dataclasses import replace
from typing import Any

from cardroom.services.errors import Illegal, Invalid
from tournaments.engine import config as engine_config
from tournaments.engine.config import EventConfig
from tournaments.engine.errors import IllegalAction
from tournaments.models import Template, Tournament
from tournaments.models.terms import Terms
from tournaments.services import prices

#: The fields of `Terms`, by name: what `checked` takes.
FIELDS = tuple(field.name for field in Terms._meta.fields)
#: What its texts and numbers may be at most.
LONGEST = {"name": 80, "description": 10_000, "entry_code": 40}
MOST = {"bots": 5_000, "recurs_minutes": 1_000_000, "recurs_times": 100_000}
_FLAGS = ("starts_when_full", "recurs_when_full")


def read_config(data: dict[str, Any] | EventConfig) -> EventConfig:
    """The engine's terms from their JSON. `Invalid` names the field; `Illegal` says why they cannot be played."""
    if not isinstance(data, EventConfig):
        _check_texts(data)
    try:
        config = data if isinstance(data, EventConfig) else engine_config.from_json(data)
    except ValueError as error:
        raise Invalid(f"{str(error)[:1].upper()}{str(error)[1:]}.", "bad-config") from None
    try:
        engine_config.check(config)
    except IllegalAction as error:
        raise Illegal(error.message, error.code, error.rule) from None
    return config


def config_of(row: Tournament | Template) -> EventConfig:
    """The engine's terms as stored."""
    return engine_config.from_json(row.config)


def checked(given: dict[str, Any], *, before: Tournament | Template | None = None) -> dict[str, Any]:
    """What to store for `given`, fields by name; what is not given stays as in `before`, or has its default.

    Raises `Invalid` naming a field that is unknown or malformed, and `Illegal` where the terms do not go together.
    """
    if strange := sorted(set(given) - set(FIELDS)):
        raise Invalid(f"An event has no {strange[0]!r}.", "bad-terms")
    blank = before or Template()
    fields = {name: getattr(blank, name) for name in FIELDS} | given
    for name, most in LONGEST.items():
        fields[name] = _text(name, fields[name], most)
    if not fields["name"]:
        raise Invalid("An event has a name.", "bad-name")
    for name, most_number in MOST.items():
        if type(fields[name]) is not int or not 0 <= fields[name] <= most_number:
            raise Invalid(f"The field {name} is a whole number from 0 to {most_number:,}.", "bad-terms")
    for name in _FLAGS:
        if type(fields[name]) is not bool:
            raise Invalid(f"The field {name} is true or false.", "bad-terms")
    if not isinstance(fields["options"], dict):
        raise Invalid("The options of an event are given by name.", "bad-terms")
    _check_texts(fields["options"])
    if fields["when_short"] not in Terms.WhenShort.values or fields["conduct"] not in Terms.Conduct.values:
        raise Invalid("An event is online or in the room; when short it waits or is cancelled.", "bad-terms")
    config = replace(read_config(fields["config"]), conduct=str(fields["conduct"]))
    price = prices.read(fields["price"])
    prices.check(price, config)
    _check_together(fields, config)
    return fields | {"config": engine_config.to_json(config), "price": prices.to_json(price)}


def _text(name: str, value: Any, most: int) -> str:
    if not isinstance(value, str):
        raise Invalid(f"The {name} is a text.", f"bad-{name.replace('_', '-')}")
    value = value.strip() if name == "description" else " ".join(value.split())
    if len(value) > most or not _is_plain(value):
        raise Invalid(f"The {name} is a text of at most {most:,} characters.", f"bad-{name.replace('_', '-')}")
    return value


def _check_texts(value: Any) -> None:
    """Refuse (`Invalid`) letters that no database keeps, wherever they are among options or terms."""
    if isinstance(value, str) and not _is_plain(value):
        raise Invalid("The terms hold letters that are none.", "bad-terms")
    if isinstance(value, dict):
        value = [*value, *value.values()]
    for each in value if isinstance(value, list | tuple) else ():
        _check_texts(each)


def _is_plain(text: str) -> bool:
    return all(letter.isprintable() or letter in "\r\n\t" for letter in text)


def _check_together(fields: dict[str, Any], config: EventConfig) -> None:
    if fields["starts_when_full"] and not config.max_entrants:
        raise Illegal("What starts when it is full needs a number of entrants: set the most.", "bad-terms")
    if fields["recurs_when_full"] and not config.max_entrants:
        raise Illegal("What is made again when it is full needs a number of entrants: set the most.", "bad-terms")
    if fields["bots"] and fields["conduct"] != Terms.Conduct.ONLINE:
        raise Illegal("House bots play online only.", "bad-terms")
    if config.max_entrants and fields["bots"] > config.max_entrants:
        raise Illegal(f"{fields['bots']} bots do not fit among {config.max_entrants} entrants.", "bad-terms")
