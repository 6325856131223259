"""The schema as schemathesis reads it, and a case of it sent to the application: what the tests of answers share."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import chain, islice
from typing import Any

import schemathesis
from django.core.cache import cache as cache_of_the_room
from django.core.wsgi import get_wsgi_application
from django.db import transaction
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, given, settings, strategies
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import FailureGroup
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import ignored_auth, negative_data_rejection, positive_data_acceptance

from tests.support import worlds

#: The tests of answers share the operations out by what their addresses begin with; the last has all others.
AREAS = ("tournaments", "tables", "me", "cage", "room")
#: In the long tier, of each operation: so many draws, and one in so many of the cases counted out. `make schema`
#: takes more draws, and every case.
EXAMPLES = int(os.environ.get("CARDROOM_EXAMPLES", "8"))
EACH = 8 if EXAMPLES < 10 else 1
_MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)


@dataclass(frozen=True)
class Seen:
    """What a case is sent with: when, the secret of somebody's token, and what there is, by its name in addresses."""

    now: datetime
    secret: str
    ids: dict[str, Any]


@cache
def schema() -> dict[str, Any]:
    """The document. Its warnings are in `GENERATOR_STATS`."""
    document: dict[str, Any] = SchemaGenerator().get_schema(public=True)
    return document


def ask_each(area: str, seen: Seen, ask: Callable[[str, str, Seen], None]) -> None:
    """`ask` of each operation of an area by address and method; the faults of all of them together."""
    faults: dict[str, BaseException] = {}
    for address, methods in schema()["paths"].items():
        word = address.removeprefix("/api/v1/").partition("/")[0]
        if area != (word if word in AREAS else AREAS[-1]):
            continue
        seen.ids["what"] = "results" if "/exports/" in address else "too-early"
        for method in methods:
            worlds.forget()
            cache_of_the_room.clear()  # so many requests would be too many
            try:
                ask(address, method, seen)
            except (Exception, FailureGroup) as fault:
                faults[f"{method.upper()} {address}"] = fault
    if faults:
        raise BaseExceptionGroup("not as the schema says: " + ", ".join(faults), list(faults.values()))


def send_one_of_each(address: str, method: str, seen: Seen) -> None:
    """One case that the schema allows and one that it forbids, the first of those counted out: to what there is,
    unless the address alone is wrong. Whether a token is needed the tables of permissions ask."""
    for mode in _MODES:
        cases = list(islice(_counted_out(address, method, mode), 1))
        assert cases or mode.is_negative
        for case in cases:
            if [place for place in ParameterLocation if case.meta.is_negative_at(place)] != [ParameterLocation.PATH]:
                case.path_parameters.update(_real(case, seen))
            with transaction.atomic():
                _call(case, seen, *_unchecked(case), ignored_auth)
                transaction.set_rollback(True)


def send_at_every_bound(address: str, method: str, seen: Seen) -> None:
    """Of every bound, type, field left out (22,000 cases in all) the first four, and of the others one in `EACH`."""
    for number, case in enumerate(chain.from_iterable(_counted_out(address, method, mode) for mode in _MODES)):
        if number < 4 or number % EACH == 0:
            _send(case, seen)


def send_what_is_made_up(address: str, method: str, seen: Seen) -> None:
    """`EXAMPLES` that hypothesis draws, the same in every run."""
    operation = _api()[address][method]

    @settings(
        max_examples=EXAMPLES, derandomize=True, deadline=None, database=None, phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=strategies.one_of([operation.as_strategy(generation_mode=mode) for mode in _MODES]))
    def send(case: schemathesis.Case) -> None:
        _send(case, seen)

    send()


@cache
def _api() -> Any:
    refused = ["400", "401", "403", "404", "405", "406", "409", "413", "415", "422", "428", "429"]
    config = {
        "generation": {"deterministic": True, "database": "none"},
        "phases": {"coverage": {"enabled": False}},
        "checks": {"negative_data_rejection": {"expected-statuses": refused}},
    }
    api = schemathesis.openapi.from_dict(schema(), config=SchemathesisConfig.from_dict(config))
    api.app = get_wsgi_application()
    return api


def _counted_out(address: str, method: str, mode: GenerationMode) -> Iterator[schemathesis.Case]:
    api = _api()
    return api.iter_coverage_cases(
        api[address][method], generation_modes=[mode], generation_config=api.config.generation
    )


def _real(case: schemathesis.Case, seen: Seen) -> dict[str, Any]:
    return {name: seen.ids[name] for name in case.path_parameters or {} if name in seen.ids}


def _unchecked(case: schemathesis.Case) -> list[Any]:
    """The rules may well refuse what the schema allows."""
    if _has_blanks_around(case.body):
        # Texts are trimmed before they are looked at, and with the blanks may go what was wrong: a length, say.
        return [positive_data_acceptance, negative_data_rejection]
    return [positive_data_acceptance]


def _send(case: schemathesis.Case, seen: Seen) -> None:
    """To an address made up and to a real one."""
    unchecked, real = _unchecked(case), _real(case, seen)
    with transaction.atomic():
        _call(case, seen, *unchecked)
        if real:
            case.path_parameters.update(real)
            # The address may have been what was wrong with this case.
            _call(case, seen, *unchecked, negative_data_rejection)
        transaction.set_rollback(True)


def _has_blanks_around(value: Any) -> bool:
    if isinstance(value, str):
        return value != value.strip()
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(_has_blanks_around(each) for each in inner)


def _call(case: schemathesis.Case, seen: Seen, *unchecked: Any) -> None:
    # What is sent to the application itself is not unpacked on its way back.
    headers = {"Authorization": f"Token {seen.secret}", "Accept-Encoding": "identity"}
    answer = case.call_and_validate(headers=headers, excluded_checks=list(unchecked))
    if case.meta.generation.mode.is_positive and answer.status_code == 400:
        # What the schema allows is refused by a rule of the room, if at all, and not because of its shape.
        told = answer.json()
        assert told["code"] not in ("invalid", "parse-error"), f"refused for its shape: {told['errors']} {case.body}"
