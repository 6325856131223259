"""Whether a schedule of what the house takes makes sense, said in words before it is saved."""

from collections.abc import Mapping, Sequence
from typing import Any

from cardroom.services.errors import Invalid
from games.models import DropSchedule, Jackpot

_MOST = 10**9
_SEATS = 8


def check(fields: Mapping[str, Any]) -> None:
    """Refuse (`Invalid`, with the field in its details) a schedule that cannot be meant.

    `fields`: those of `DropSchedule` by name; one that is missing has its default.
    """
    default = {field.name: field.get_default() for field in DropSchedule._meta.concrete_fields}
    values = default | dict(fields)
    if values["kind"] not in DropSchedule.Kind.values:
        raise _refused("kind", f"There is no {values['kind']!r}: {', '.join(DropSchedule.Kind.values)}.")
    for name in ("promo", "jackpot", "promo_from", "time_promo", "courtesy_hands"):
        _whole(name, values[name])
    if values["kind"] == DropSchedule.Kind.RAKE:
        _check_rake(values)
    if values["kind"] == DropSchedule.Kind.TIME:
        _check_time(values)


def _check_rake(values: Mapping[str, Any]) -> None:
    _whole("rake_permille", values["rake_permille"], most=1000)
    _whole("rounding_unit", values["rounding_unit"], least=1)
    if values["rounding"] not in DropSchedule.Rounding.values:
        raise _refused("rounding", f"The rake is rounded {', '.join(DropSchedule.Rounding.values)}.")
    _check_steps("caps", values["caps"], "the most rake")
    if values["jackpot"] and not values["jackpot_name"]:
        raise _refused("jackpot_name", "Say which jackpot those chips go to.")
    if values["jackpot_name"] and not values["jackpot"]:
        raise _refused("jackpot", "Say how many chips of a hand go to that jackpot.")
    if values["jackpot_name"] and not Jackpot.objects.filter(name=values["jackpot_name"]).exists():
        raise _refused("jackpot_name", f"There is no jackpot called {values['jackpot_name']}: have it made first.")
    if not any((values["rake_permille"], values["promo"], values["jackpot"])):
        raise _refused("rake_permille", "This rake takes nothing: say how much, or that nothing is taken.")


def _check_time(values: Mapping[str, Any]) -> None:
    _whole("period_minutes", values["period_minutes"], least=1, most=24 * 60)
    if not values["time_charges"]:
        raise _refused("time_charges", "Say what each player pays, by the number of players.")
    _check_steps("time_charges", values["time_charges"], "the charge")
    if any(values["time_promo"] > chips for _, chips in values["time_charges"] if chips):
        raise _refused("time_promo", "No more than the charge itself can go to promotions.")


def _check_steps(name: str, steps: Any, what: str) -> None:
    """Pairs of players and chips: each number of players once, going up, the first for two at most, so that a table of
    any size finds its own."""
    if not isinstance(steps, Sequence) or isinstance(steps, str):
        raise _refused(name, "This is a list of pairs: players, chips.")
    before = 0
    for step in steps:
        if not isinstance(step, Sequence) or isinstance(step, str) or len(step) != 2:
            raise _refused(name, "Each step is a pair: players, chips.")
        players, chips = step
        _whole(name, players, least=1, most=_SEATS)
        _whole(name, chips)
        if players <= before:
            raise _refused(name, "The numbers of players go up, each once.")
        before = players
    if steps and steps[0][0] > 2:
        raise _refused(name, f"Say {what} for two players, too: the first step begins with 2.")


def _whole(name: str, value: Any, *, least: int = 0, most: int = _MOST) -> None:
    if type(value) is not int or not least <= value <= most:
        raise _refused(name, f"{name.replace('_', ' ').capitalize()} is a whole number from {least:,} to {most:,}.")


def _refused(field: str, message: str) -> Invalid:
    return Invalid(message, "bad-schedule", field=field)
