"""The room's settings, on the services this run found; pytest reads them instead of `cardroom.settings`."""

import os
import tempfile
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

from tests.support import services


def _service(name: str, variable: str, find: Callable[[], services.Service]) -> services.Service:
    """What `find` finds, once: xdist's workers are told of it, so that they never look for themselves and differ."""
    variable_name = f"CARDROOM_TESTS_WITHOUT_{variable}"
    alone = "this run keeps to SQLite and one process"
    if variable_name in os.environ:
        return services.Service(name, None, os.environ[variable_name])
    service = services.Service(name, None, alone) if services.keeps_to_sqlite() else find()
    if not service:
        os.environ[variable_name] = service.wanting
    return service


POSTGRESQL = _service("PostgreSQL", "DATABASE_URL", services.find_postgresql)
REDIS = _service("Redis", "REDIS_URL", services.find_redis)
CHROMIUM = services.find_chromium()

# Read by cardroom.settings below, and handed on to xdist's workers and to every process a test starts.
os.environ["DATABASE_URL"] = POSTGRESQL.address or ""
os.environ["REDIS_URL"] = REDIS.address or ""
os.environ["REDIS_PREFIX"] = f"test-{os.getpid()}"  # each process of the suite keeps to itself
os.environ.setdefault("SECRET_KEY", "only-for-tests")
os.environ.setdefault("CARDROOM_CARDS_KEY", f"1:{b64encode(bytes(range(32))).decode()}")
os.environ.setdefault("CARDROOM_HISTORY_KEY", "1:only-for-tests-of-the-room")
os.environ["CARDROOM_TIME_ZONE"] = "UTC"  # wherever the tests are run
os.environ.setdefault("CARDROOM_STAFF_FACTOR", "false")  # asked for by the tests that are about it
os.environ.setdefault("CARDROOM_WELCOME_CHIPS_PAID_OUT", "true")  # the tests about it say otherwise
os.environ.setdefault("LOG_LEVEL", "WARNING")
os.environ.setdefault("KEEP_ERRORS", "false")  # a thread of its own would hold on to the databases of tests

from cardroom.settings import *  # noqa: E402, F403

TABLE_HOSTS = TABLE_HOSTS | {"rehearsal": "tests.support.event_tables.RehearsalHost"}  # noqa: F405

if not POSTGRESQL:
    DATABASES["default"]["TEST"] = {"NAME": str(RUN_DIR / f"test-{os.getpid()}.sqlite3")}  # noqa: F405

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # the room's own is slow on purpose
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
CARDROOM_DRAWN_ROOT = Path(tempfile.gettempdir()) / f"cardroom-drawn-{os.getpid()}"
# Emptied before many a test; Redis would be emptied for every process of the suite at once.
CACHES = CACHES | {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}  # noqa: F405
