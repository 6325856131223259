"""What every test may ask for. A test says by a mark what it needs: `postgres`, `redis`, `browser`."""

import random
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.utils import translation

from cardroom.core import audit as core_audit
from cardroom.core.database import kept
from cardroom.core.process import logs
from tests.support import services, settings, templates, tiers, worlds
from tests.support.room import Room, commit_early, own_room

if not services.is_ci():  # there hypothesis has a profile of its own, with the same draws in every run
    # A busy machine is no fault of what is tested.
    hypothesis.settings.register_profile("room", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
    hypothesis.settings.load_profile("room")

NEEDS = {"postgres": settings.POSTGRESQL, "redis": settings.REDIS, "browser": settings.CHROMIUM}


def pytest_report_header() -> list[str]:
    database = "PostgreSQL" if settings.POSTGRESQL else "SQLite"
    layer = "Redis" if settings.REDIS else "in memory"
    browser = "Chromium" if settings.CHROMIUM else "none"
    return [f"cardroom: database {database}, channel layer {layer}, browser {browser}"]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test whose service is missing skips and says why; where everything is promised (`CI=true`) it fails."""
    tiers.check(items)
    worlds.gather(items)
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):  # a test that asks for the browser needs it
            item.add_marker("browser")
        needs = [mark for mark in NEEDS if item.get_closest_marker(mark)]
        if not services.is_ci():
            for service in (NEEDS[mark] for mark in needs if not NEEDS[mark]):
                item.add_marker(pytest.mark.skip(reason=f"needs {service.name}: {service.wanting}"))


def pytest_collection_finish() -> None:
    logs.loaded()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Iterator[None]:
    if nextitem is None:
        kept.close_all()  # the database of the tests is dropped now
    try:
        yield
    finally:
        worlds.close_unless_wanted(nextitem)


@pytest.fixture(scope="session", autouse=True)
def _emptied_quickly_and_remembered_as_committed() -> Iterator[None]:
    from django.test import TransactionTestCase

    from tests.support import committed, emptying

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", emptying.only_what_was_written)
        committed.remember(patch)
        yield


@pytest.fixture(autouse=True)
def _needed_services(request: pytest.FixtureRequest) -> None:
    for mark, service in NEEDS.items():
        if request.node.get_closest_marker(mark) and not service:
            pytest.fail(f"needs {service.name}: {service.wanting}", pytrace=False)


@pytest.fixture(autouse=True)
def _same_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same draws, and the same whims of the bots, in every run: what they do and how long they think about it."""
    monkeypatch.setattr(secrets, "randbits", random.Random(2030).getrandbits)
    random.seed(2030)


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    """The next test's database gives the same numbers again: what this process remembers of them goes with the test."""
    yield
    worlds.forget()


@pytest.fixture
def every_word_marked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Another language is spoken, in which each text that is marked for translation is the English one after a "~"."""
    said = translation._trans
    monkeypatch.setattr(said, "gettext", lambda text: f"~{text}")
    monkeypatch.setattr(said, "pgettext", lambda context, text: f"~{text}")
    monkeypatch.setattr(said, "ngettext", lambda one, many, n: f"~{one if n == 1 else many}")
    with translation.override("de"):
        yield


@pytest.fixture
def audited(db: None) -> Iterator[None]:
    """The books are without fault when the test is over."""
    yield
    assert core_audit.check() == []


@pytest.fixture(scope="session", autouse=True)
def _redis_as_found() -> Iterator[None]:
    yield
    if settings.REDIS.address:
        services.forget(settings.REDIS_PREFIX, redis_url=settings.REDIS.address)


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of the browser; ask for it in tests marked `browser`."""
    return str(settings.CHROMIUM.address)


@pytest.fixture(scope="session")
def _migrated_database() -> str:
    """The address of a database on which every migration has run, to be copied and left as it is."""
    return templates.migrated()


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """On SQLite the test's database is the copy that `django_db_modify_db_settings` puts in its place."""
    return not settings.POSTGRESQL


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, _migrated_database: str, django_db_blocker: Any
) -> Iterator[None]:
    """The tests' own database begins as a copy, too: the migrations are run once."""
    from django.db import connection

    if settings.POSTGRESQL:
        connection.settings_dict["TEST"]["TEMPLATE"] = templates.name_of(_migrated_database)
        yield
        return
    path = Path(connection.settings_dict["TEST"]["NAME"])
    shutil.copy(templates.name_of(_migrated_database), path)
    yield
    with django_db_blocker.unblock():
        connection.close()
    path.unlink()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """Its commits need not wait for the disk: from the next connection on."""
    from django.db import connection

    from tests.support import database

    if settings.POSTGRESQL:
        with django_db_blocker.unblock():
            commit_early(connection.settings_dict["NAME"])
            database.hang_up()


@pytest.fixture
def open_room(tmp_path: Path, _migrated_database: str) -> Iterator[Callable[..., Room]]:
    """`open_room()` gives a `Room` on a migrated database of its own, nothing started yet; it is cleared away after."""
    with ExitStack() as stack:

        def opened(**options: Any) -> Room:
            return stack.enter_context(own_room(tmp_path, _migrated_database, **options))

        yield opened
