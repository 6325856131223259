"""Drop schedules: what the house takes of pots, or by time. A saved schedule never changes; an edit is a new one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from django.db.models import F
from django.utils.translation import gettext, gettext_lazy

from cardroom.core import audit_log, topics
from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Conflict, Invalid, Verbatim
from cardroom.core.models import User
from cardroom.core.sentences import filled_lazy
from cardroom.core.verb import current_time, lock, verb
from games.engine.drop import time_charge
from games.engine.games import MOST_SEATS
from games.rake.drops import terms_of
from games.rake.models.drops import Jackpot
from games.tables.models.offers import DropSchedule, Offer
from games.tables.offers import MOST_CHIPS, Term

ROLE = "manager"


PLAYERS = range(2, MOST_SEATS + 1)


def _chips(usual: int, label: str, name: str) -> Term:
    wrong = gettext_lazy("{name} is a number of chips from 0 to {most:,}.")
    return Term(usual, label, most=MOST_CHIPS, wrong=filled_lazy(wrong, name=name, most=MOST_CHIPS))


#: What a manager sets of a schedule. A new one takes 5 % of the pot, nothing without a call; or time by the half hour.
TERMS: dict[str, Term] = {
    "name": Term("", gettext_lazy("Name")),
    "kind": Term("rake", gettext_lazy("Charge")),
    "rake_permille": Term(
        50, gettext_lazy("Of a thousand of the pot"), gettext_lazy("50 is five percent."), 0, 1000,
        gettext_lazy("The rake is 0 to 100 percent of the pot."), form_label=gettext_lazy("Rake, in %"),
    ),
    "caps": Term([[2, 2], [4, 4], [6, 5]], gettext_lazy("At most"),
    gettext_lazy("By players dealt in, such as 2: 1, 4: 3; empty: no cap.")),
    "rounding_unit": Term(
        1, gettext_lazy("In units of"), "", 1, MOST_CHIPS,
        gettext_lazy("The rake is rounded to a whole number of chips from 1.")
    ),
    "rounding": Term("down", gettext_lazy("Rounded")),
    "is_free_without_call": Term(True, gettext_lazy("No rake if third street ends without a call")),
    "promo": _chips(0, gettext_lazy("For promotions"), gettext_lazy("Promo")),
    "jackpot": _chips(0, gettext_lazy("For the jackpot"), gettext_lazy("Jackpot")),
    "promo_from": _chips(0, gettext_lazy("Of pots from"), gettext_lazy("Promo from")),
    "jackpot_name": Term("", gettext_lazy("Which jackpot")),
    "period_minutes": Term(30, gettext_lazy("Every, minutes"), "", 1, 24 * 60,
    gettext_lazy("Time is charged every 1 to 1,440 minutes.")),
    "time_charges": Term(
        [], gettext_lazy("Each player pays"),
        gettext_lazy("By players at the table, such as 2: 4, 6: 3; or table: 24, which they share.")
    ),
    "time_promo": _chips(0, gettext_lazy("Of which promotions"), gettext_lazy("Time promo")),
    "courtesy_hands": Term(1, gettext_lazy("Courtesy hands"), "", 0, 100, gettext_lazy("Courtesy hands are 0 to 100.")),
}  # fmt: skip


USUAL: dict[str, Any] = {name: term.usual for name, term in TERMS.items()}


Fields = Mapping[str, Any]
WhyRetired = Annotated[str, Limits(required=False, allow_blank=True, max_length=300)]


@dataclass(frozen=True)
class DropPreviewRow:
    """What is taken of a pot of `pot` chips: the rake by the number of players dealt in (`PLAYERS`), and what goes to
    promotions and the jackpot."""

    pot: int
    rakes: list[int]
    promo: int
    jackpot: int


@dataclass(frozen=True)
class DropPreview:
    """What a schedule takes. `hours`: players at the table, chips each pays a period, chips all pay an hour."""

    rows: list[DropPreviewRow]
    hours: list[tuple[int, int, int]]


@verb("schedules.save", roles=(ROLE,))
def save(*, replaces: RowId | None = None, by: User, **terms: Any) -> DropSchedule:
    """Save a new schedule. `replaces`: the id of the one it replaces, which retires; its games on offer use the new one
    from now on. `terms`: values by the names of `TERMS`.

    A term that is not given is as in the replaced schedule, or else as usual. Refuses: `Invalid` (`errors`: the faults
    by field), `NotFound`. Locks the schedule it replaces, then the offers in their order.
    """
    earlier, now = lock(DropSchedule, replaces) if replaces is not None else (None, current_time())
    base = {name: getattr(earlier, name) for name in TERMS} if earlier else USUAL
    whole = {**base, **terms}
    check(whole)
    schedule = DropSchedule.objects.create(**_clean(whole), made_by=by, made_at=now)
    if earlier is not None:
        offers = Offer.objects.select_for_update(no_key=True).filter(drop=earlier).order_by("pk")
        numbers = [offer.pk for offer in offers]
        Offer.objects.filter(pk__in=numbers).update(drop=schedule, version=F("version") + 1)
        earlier.retired_at = earlier.retired_at or now
        earlier.save(update_fields=["retired_at"])
        topics.tell("floor")
    topics.tell("lobby")
    audit_log.note(
        verb="schedules.save",
        subject=f"drop-schedule:{schedule.pk}",
        by=by,
        now=now,
        name=schedule.name,
        replaces=replaces,
        kind=schedule.kind,
    )
    return schedule


@verb("schedules.retire", roles=(ROLE,))
def retire(*, schedule_id: RowId, reason: WhyRetired = "", by: User) -> DropSchedule:
    """Retire a schedule, so that no game can be given it. Refuses: `NotFound`, `Conflict` (games on offer use it)."""
    schedule, now = lock(DropSchedule, schedule_id)
    names = list(schedule.offers.filter(is_listed=True).values_list("name", flat=True))
    if names:
        raise Conflict(
            "schedule-in-use", "{names} use this schedule: give them another one first.", names=", ".join(names)
        )
    if schedule.retired_at is None:
        schedule.retired_at = now
        schedule.save(update_fields=["retired_at"])
        topics.tell("lobby")
        audit_log.note(verb="schedules.retire", subject=f"drop-schedule:{schedule.pk}", by=by, reason=reason, now=now)
    return schedule


def check(fields: Fields) -> None:
    """`Invalid` with every fault by its field."""
    messages = faults(fields)
    if messages:
        raise Invalid(
            "bad-schedule",
            Verbatim(next(iter(messages.values()))),
            errors={name: [message] for name, message in messages.items()},
        )


def faults(fields: Fields) -> dict[str, str]:
    """The messages of what is wrong with a schedule, by field; empty where it is valid."""
    messages = {
        name: gettext("A drop schedule has nothing called {name!r}.").format(name=name)
        for name in sorted(set(fields) - set(TERMS))[:1]
    }
    name = fields["name"]
    if type(name) is not str or not 1 <= len(name.strip()) <= 60 or not name.isprintable():
        messages["name"] = gettext("A schedule has a name of 1 to 60 characters.")
    if fields["kind"] not in DropSchedule.Kind.values:
        messages["kind"] = gettext("The house takes nothing, rake, or time.")
    if fields["rounding"] not in DropSchedule.Rounding.values:
        messages["rounding"] = gettext("Rake is rounded down, to the nearest, or up.")
    for number, term in TERMS.items():
        if not term.is_met_by(fields[number]):
            messages[number] = str(term.wrong)
    if len(str(fields["jackpot_name"])) > 60:
        messages["jackpot_name"] = gettext("The name of a jackpot has at most 60 characters.")
    for pairs, least in (("caps", 2), ("time_charges", 1)):
        message = _faulty_pairs(
            fields[pairs], least=least, what=gettext("caps") if pairs == "caps" else gettext("charges")
        )
        if message:
            messages[pairs] = message
    return messages or _contradictions(fields)


def shared_charges(chips: int) -> list[list[int]]:
    """`time_charges` of a table whose players pay `chips` a period together: each player's part, rounded up to a chip.

    >>> shared_charges(24)
    [[2, 12], [3, 8], [4, 6], [5, 5], [6, 4], [8, 3]]
    """
    steps: list[list[int]] = []
    for players in PLAYERS:
        part = -(-chips // players)
        if not steps or steps[-1][1] != part:
            steps.append([players, part])
    return steps


def preview(fields: Fields) -> DropPreview:
    """What a schedule takes of pots of every size, and by the hour; call it with `fields` without faults."""
    rows = []
    if fields["kind"] == DropSchedule.Kind.RAKE:
        terms = terms_of(DropSchedule(**{name: fields[name] for name in TERMS}), None)
        for pot in _pots(fields):
            is_funded = pot >= fields["promo_from"]
            rakes = [terms.rake(players=players, pot=pot) for players in PLAYERS]
            rows.append(DropPreviewRow(pot, rakes, fields["promo"] * is_funded, fields["jackpot"] * is_funded))
    hours = []
    if fields["kind"] == DropSchedule.Kind.TIME:
        for players in PLAYERS:
            chips = time_charge(fields["time_charges"], players)
            hours.append((players, chips, chips * players * 60 // fields["period_minutes"]))
    return DropPreview(rows, hours)


def _pots(fields: Fields) -> list[int]:
    """Sizes of pots, from about the first from which a chip is taken to well above the one that reaches the cap."""
    highest = max((chips for _, chips in fields["caps"]), default=10 * fields["rounding_unit"])
    full = max(8, highest * 1000 // max(1, fields["rake_permille"]))
    return sorted({max(1, full * eighths // 8) for eighths in (1, 2, 3, 4, 6, 8, 12, 16)})


def _faulty_pairs(pairs: Any, *, least: int, what: str) -> str:
    if not isinstance(pairs, list) or any(not isinstance(pair, list | tuple) or len(pair) != 2 for pair in pairs):
        return gettext("The {what} are pairs of players and chips, such as 2: 4.").format(what=what)
    if any(type(number) is not int for pair in pairs for number in pair):
        return gettext("The {what} are whole numbers.").format(what=what)
    if any(not least <= players <= MOST_SEATS or not 0 <= chips <= MOST_CHIPS for players, chips in pairs):
        return gettext("The {what} are for {least} to 8 players, and chips from 0 up.").format(what=what, least=least)
    if len({players for players, _ in pairs}) < len(pairs):
        return gettext("The {what} name a number of players twice.").format(what=what)
    return ""


def _contradictions(fields: Fields) -> dict[str, str]:
    kind, messages = fields["kind"], {}
    for pairs in ("caps", "time_charges"):
        if fields[pairs] and min(fields[pairs])[0] > 2:
            messages[pairs] = gettext("Start with 2 players: the first step is for 2.")
    if kind == DropSchedule.Kind.TIME:
        if not fields["time_charges"]:
            messages["time_charges"] = gettext("Enter what each player pays, such as 2: 4, 6: 3.")
        elif fields["time_promo"] > min(chips for _, chips in fields["time_charges"]):
            messages["time_promo"] = gettext(
                "What goes to the promotional fund is a part of the charge, so not more than it."
            )
    if kind == DropSchedule.Kind.NONE and (fields["promo"] or fields["jackpot"]):
        message = gettext("Where the house takes nothing, nothing goes to promotions or a jackpot.")
        messages["promo" if fields["promo"] else "jackpot"] = message
    if kind == DropSchedule.Kind.RAKE and not any(fields[name] for name in ("rake_permille", "promo", "jackpot")):
        messages["rake_permille"] = gettext(
            "This rake takes nothing: enter an amount, or choose that the house takes nothing."
        )
    return _jackpot_faults(fields) | messages


def _jackpot_faults(fields: Fields) -> dict[str, str]:
    """Chips for a jackpot need the name of a live one, and a name needs chips."""
    name = str(fields["jackpot_name"]).strip()
    if not name:
        return {"jackpot_name": gettext("Name the jackpot that its chips go to.")} if fields["jackpot"] else {}
    if not fields["jackpot"]:
        return {"jackpot": gettext("Enter the chips per hand for {name}, or choose no jackpot.").format(name=name)}
    if not Jackpot.objects.filter(name=name, state=Jackpot.State.LIVE).exists():
        return {"jackpot_name": gettext("There is no live jackpot called {name}: create it first.").format(name=name)}
    return {}


def _clean(fields: Fields) -> dict[str, Any]:
    clean = {name: fields[name] for name in TERMS}
    for pairs in ("caps", "time_charges"):
        clean[pairs] = sorted([players, chips] for players, chips in clean[pairs])
    return clean | {"name": clean["name"].strip(), "jackpot_name": str(clean["jackpot_name"]).strip()}
