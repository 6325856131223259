"""The room's settings, on the services this run found; pytest reads them instead of `cardroom.settings`."""

import os

from tests.support import services

if services.keeps_to_sqlite():
    POSTGRESQL = services.Service("PostgreSQL", None, "this run keeps to SQLite")
    REDIS = services.Service("Redis", None, "this run keeps to one process")
else:
    POSTGRESQL = services.find_postgresql()
    REDIS = services.find_redis()
CHROMIUM = services.find_chromium()

# Read by cardroom.settings below, and handed on to xdist's workers and to every process a test starts.
os.environ["DATABASE_URL"] = POSTGRESQL.address or ""
os.environ["REDIS_URL"] = REDIS.address or ""
os.environ["REDIS_PREFIX"] = f"test-{os.getpid()}"  # each process of the suite keeps to itself
os.environ.setdefault("SECRET_KEY", "only-for-tests")
os.environ.setdefault("LOG_LEVEL", "WARNING")

from cardroom.settings import *  # noqa: E402, F403

if not POSTGRESQL:
    DATABASES["default"]["TEST"] = {"NAME": str(RUN_DIR / f"test-{os.getpid()}.sqlite3")}  # noqa: F405

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # the room's own is slow on purpose
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
