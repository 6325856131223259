"""The terms and prices of an event or a template, checked before they are stored; and templates.

The engine is told what somebody paid and never what it costs: a price changed later does not touch those who paid.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, TypedDict, Unpack

from django.db import IntegrityError, transaction

from cardroom.core.arguments import RowId, not_kept
from cardroom.core.errors import Conflict, Illegal, Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.sentences import mid_sentence, translated
from cardroom.core.titles import title
from cardroom.core.verb import current_time, lock, verb
from cardroom.ledger.ledger import MOST_CHIPS
from games.rulebooks import services as rulebook_services
from tournaments.engine import config as engine_config
from tournaments.engine.config import EventConfig, Paid
from tournaments.engine.errors import IllegalCommand
from tournaments.events import staff
from tournaments.events.models import EventTerms, Payment, Template, Tournament

# Prices, read from the event's JSON with every fault named


PARTS = ("pool", "fee", "bounty", "staff")
Price = dict[str, Paid]


def read(data: Any) -> Price:
    """Prices by what they are for (`Payment.Kind`); `Invalid` names the part that is wrong. Left out is free."""
    if not isinstance(data, dict):
        raise Invalid("bad-price", "A price is given by what it is for: entry, re_entry, rebuy, add_on.")
    if strange := sorted(set(data) - set(Payment.Kind.values)):
        raise Invalid(
            "bad-price",
            "There is no price of {name!r}: only {choices}.",
            name=strange[0],
            choices=", ".join(Payment.Kind.values),
        )
    return {what: _price_of_parts(what, parts) for what, parts in data.items()}


def to_json(price: Price) -> dict[str, dict[str, int]]:
    return {what: {part: getattr(paid, part) for part in PARTS} for what, paid in price.items()}


def check(price: Price, config: EventConfig) -> None:
    """Refuse (`Illegal`) prices that do not go with the terms: what is on a head has to be paid for."""
    wanted = config.bounty.amount if config.bounty.kind != "none" else 0
    for what in ("entry", "re_entry"):
        priced = price.get(what, Paid()).bounty
        if what in price and priced != wanted:
            raise Illegal(
                "bad-price",
                "The price of the {label} has {asked:,} for the bounty, and {wanted:,} is on every head: "
                "make them the same.",
                label=Payment.Kind(what).label,
                asked=priced,
                wanted=wanted,
            )
    if wanted and "entry" not in price:
        raise Illegal("bad-price", "A bounty of {wanted:,} has to be in the price of the entry.", wanted=wanted)


def price_of(tournament: Tournament, what: str) -> Paid:
    """What it costs now; a re-entry without a price of its own costs what an entry does."""
    price = read(tournament.price)
    if what == Payment.Kind.RE_ENTRY and what not in price:
        what = Payment.Kind.ENTRY
    return price.get(what, Paid())


def _price_of_parts(what: str, parts: Any) -> Paid:
    if not isinstance(parts, dict) or set(parts) - set(PARTS):
        raise Invalid(
            "bad-price", "The price of {what} is given in these parts: {choices}.", what=what, choices=", ".join(PARTS)
        )
    for part, amount in parts.items():
        if type(amount) is not int or not 0 <= amount <= MOST_CHIPS // 1000:
            raise Invalid(
                "bad-price",
                "The {part} in the price of {what} is a whole number from 0, not {amount!r}.",
                part=part,
                what=what,
                amount=amount,
            )
    return Paid(**parts)


#: The fields of `Terms`, by name: what `check_terms` takes.
FIELDS = tuple(field.name for field in EventTerms._meta.fields)


class TermsFields(TypedDict, total=False):
    """What a verb is told of the terms of an event or a template; what is left out stays, or has its default."""

    name: str
    conduct: str
    description: str
    config: dict[str, Any]
    price: dict[str, Any]
    options: dict[str, Any]
    starts_when_full: bool
    when_short: str
    entry_code: str
    bots: int
    recurs_minutes: int
    recurs_times: int
    recurs_when_full: bool


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
        sentence = translated(error.args[0])
        raise Invalid("bad-config", "{upper}{str}.", upper=sentence[:1].upper(), str=sentence[1:]) from None
    try:
        engine_config.check(config)
    except IllegalCommand as error:
        raise Illegal(error.code, error.message, rule=error.rule) from None
    return config


def config_of(row: Tournament | Template) -> EventConfig:
    """The engine's terms as stored."""
    return engine_config.from_json(row.config)


class PartialChange(dict[str, Any]):
    """What is said of terms, prices or options where only some of it changes: what it names, each whole; None takes
    that away, or gives it its default."""


def with_patch(before: Mapping[str, Any], given: Any) -> Any:
    """`given`; where it is a `Part`, what `before` becomes by it."""
    if not isinstance(given, PartialChange):
        return given
    return {name: value for name, value in {**before, **given}.items() if given.get(name, value) is not None}


def check_terms(given: dict[str, Any], *, before: Tournament | Template | None = None) -> dict[str, Any]:
    """What to store for `given`, fields by name; what is not given stays as in `before`, or has its default; of terms,
    prices and options that are given as a `Part`, too.

    Raises `Invalid` naming a field that is unknown or malformed, and `Illegal` where the terms do not go together.
    """
    if strange := sorted(set(given) - set(FIELDS)):
        raise Invalid("bad-terms", "A tournament has no {name!r}.", name=strange[0])
    blank = before or Template()
    usual = {name: getattr(blank, name) for name in FIELDS}
    fields = usual | {name: with_patch(usual[name], value) for name, value in given.items()}
    for name, most in LONGEST.items():
        fields[name] = _text(name, fields[name], most)
    if not fields["name"]:
        raise Invalid("bad-name", "A tournament has a name.")
    for name, most_number in MOST.items():
        if type(fields[name]) is not int or not 0 <= fields[name] <= most_number:
            raise Invalid(
                "bad-terms",
                "The field {name} is a whole number from 0 to {most_number:,}.",
                name=mid_sentence(title(name)),
                most_number=most_number,
            )
    for name in _FLAGS:
        if type(fields[name]) is not bool:
            raise Invalid("bad-terms", "The field {name} is true or false.", name=name)
    if not isinstance(fields["options"], dict):
        raise Invalid("bad-terms", "The options of a tournament are given by name.")
    _check_texts(fields["options"])
    if fields["when_short"] not in EventTerms.WhenShort.values or fields["conduct"] not in EventTerms.Conduct.values:
        raise Invalid("bad-terms", "A tournament is online or in the room; when short it waits or is cancelled.")
    config = replace(read_config(fields["config"]), conduct=str(fields["conduct"]))
    price = read(fields["price"])
    check(price, config)
    check_book(config)
    _check_together(fields, config)
    return fields | {"config": engine_config.to_json(config), "price": to_json(price)}


def _text(name: str, value: Any, most: int) -> str:
    called = mid_sentence(title(name))
    if not isinstance(value, str):
        raise Invalid(f"bad-{name.replace('_', '-')}", "The {name} is a text.", name=called)
    value = value.strip() if name == "description" else " ".join(value.split())
    if len(value) > most or not _is_plain(value):
        raise Invalid(
            f"bad-{name.replace('_', '-')}",
            "The {name} is a text of at most {most:,} characters.",
            name=called,
            most=most,
        )
    return value


def _check_texts(value: Any) -> None:
    """Refuse (`Invalid`) letters that no database keeps, wherever they are among options or terms."""
    if isinstance(value, str) and not _is_plain(value):
        raise Invalid("bad-terms", "The terms hold letters that are none.")
    if isinstance(value, dict):
        value = [*value, *value.values()]
    for inner in value if isinstance(value, list | tuple) else ():
        _check_texts(inner)


def _is_plain(text: str) -> bool:
    return all(letter.isprintable() or letter in "\r\n\t" for letter in text)


def check_book(config: EventConfig) -> None:
    """Refuse (`Invalid`) an online event with a level that its rulebook cannot play: no table of it would be dealt. In
    the room people deal, by a sheet that says less than a book."""
    if config.conduct != EventTerms.Conduct.ONLINE:
        return
    levels = [level for level in config.structure.levels if not level.is_break]
    for betting, bring_in in dict.fromkeys((level.betting, min(level.bring_in, 1)) for level in levels):
        rulebook_services.check_table(
            config.rulebook,
            structure=betting,
            setting="tournament",
            seats=max(config.seats, config.final_seats),
            bring_in=bring_in,
        )


def _check_together(fields: dict[str, Any], config: EventConfig) -> None:
    if fields["starts_when_full"] and not config.max_entrants:
        raise Illegal("bad-terms", "A start when full needs a maximum of entrants: set it.")
    if fields["recurs_when_full"] and not config.max_entrants:
        raise Illegal("bad-terms", "A repeat when full needs a maximum of entrants: set it.")
    if fields["bots"] and fields["conduct"] != EventTerms.Conduct.ONLINE:
        raise Illegal("bad-terms", "House bots play online only.")
    if config.max_entrants and fields["bots"] > config.max_entrants:
        raise Illegal(
            "bad-terms",
            "{fields} bots do not fit among {max_entrants} entrants.",
            fields=fields["bots"],
            max_entrants=config.max_entrants,
        )


# Templates

_IN_USE = Template.objects.filter(is_archived=False)


@verb("templates.create", roles=staff.DIRECTORS)
def create(*, by: User, **fields: Unpack[TermsFields]) -> Template:
    """A new template. `fields`: those of `Terms` by name, as `check_terms` takes them. Refuses: `Invalid`, `Illegal`
    (terms), `Conflict` (the name is taken)."""
    now = current_time()
    return _save_template(Template(**check_terms(fields), created_by=by, created_at=now, updated_at=now))


@verb("templates.edit", roles=staff.DIRECTORS)
def edit(*, template_id: RowId, by: User, **fields: Unpack[TermsFields]) -> Annotated[Template, not_kept]:
    """Change what is given. Events created from it do not change."""
    template, now = lock(_IN_USE, template_id)
    for name, value in check_terms(fields, before=template).items():
        setattr(template, name, value)
    template.updated_at = now
    return _save_template(template)


@verb("templates.archive", roles=staff.DIRECTORS)
def archive(*, template_id: RowId, by: User) -> Annotated[Template, not_kept]:
    """Put it away: no more events are made from it, and its name is free again."""
    template, now = lock(_IN_USE, template_id)
    template.is_archived, template.updated_at = True, now
    template.save(update_fields=["is_archived", "updated_at"])
    return template


@verb("templates.save_as", roles=staff.DIRECTORS)
def save_as(*, tournament_id: RowId, name: str, by: User) -> Template:
    """A template with the terms that an event has now."""
    event = Tournament.objects.filter(pk=tournament_id).first()
    if event is None:
        raise NotFound("no-such-event", "There is no such tournament.")
    return create(by=by, **{field: getattr(event, field) for field in FIELDS} | {"name": name})


def find(template_id: int) -> Template:
    """The template; `NotFound` where there is none that is in use."""
    template = _IN_USE.filter(pk=template_id).first()
    if template is None:
        raise Template.not_found()
    return template


def _save_template(template: Template) -> Template:
    try:
        with transaction.atomic():
            template.save()
    except IntegrityError as error:
        raise Conflict("name-taken", "There is a template called {name} already.", name=template.name) from error
    return template


def option(row: Tournament | Template, name: str, default: int) -> int:
    """A whole number from the event's options, or `default` where there is none that makes sense."""
    value = row.options.get(name, default)
    return value if type(value) is int and 0 <= value <= 3600 else default
