"""What the helper process of `tests.support.forking` has imported, and how a process of the room begins in its fork.

Everything that a room imports, and neither a connection nor a thread: a fork would share the one and lose the other.
Not `cardroom.asgi`: what that makes is made of settings, which each process reads from its own environment.
"""

import atexit
import ctypes
import gc
import importlib
import os
import runpy
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from multiprocessing import forkserver
from pathlib import Path
from uuid import uuid4

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.support.settings")
gc.disable()

import django  # noqa: E402

django.setup()

from django import test  # noqa: E402, F401  its receivers forget what was made of settings that change
from django.conf import Settings, settings  # noqa: E402
from django.core.signals import setting_changed  # noqa: E402
from django.db import connections  # noqa: E402
from django.urls import get_resolver  # noqa: E402
from django.utils.module_loading import import_string  # noqa: E402

from cardroom import celery, embedded  # noqa: E402, F401
from cardroom import settings as of_the_room  # noqa: E402
from cardroom.core.process import logs  # noqa: E402
from cardroom.management.commands import serve  # noqa: E402, F401
from cardroom.realtime import callers, layer, room, sockets  # noqa: E402, F401

_PROJECT = Path(__file__).resolve().parents[2]
_DIES_WITH_ITS_PARENT = 1  # PR_SET_PDEATHSIG
_NAMED = (
    *("celery.bin.celery", "celery.apps.worker", "celery.apps.beat", "celery.beat"),
    *("celery.concurrency.thread", "celery.worker.components", "celery.worker.consumer", "celery.events.state"),
    *("kombu.transport.memory", "kombu.transport.redis", "channels_redis.pubsub", "django.core.cache.backends.redis"),
    *("uvicorn.lifespan.on", "uvicorn.loops.uvloop", "uvicorn.protocols.http.httptools_impl"),
    *(
        "uvicorn.protocols.websockets.websockets_sansio_impl", "cardroom.core.process.fault_log", "redis.asyncio",
        "psycopg_pool",
    ),
    *(
        "games.live.consumers", "tournaments.live.consumers", "tests.faults.player_process",
        "tests.faults.ringing_process",
    ),
)  # fmt: skip


def run(arguments: Sequence[str], environment: Mapping[str, str], *, out: str, errors: str) -> None:
    """Be `python <arguments>` with this environment, and these files to write to."""
    _end_with_the_suite()
    for stream, path in ((sys.stdout, out), (sys.stderr, errors)):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        os.dup2(file, stream.fileno())
        os.close(file)
        stream.reconfigure(write_through=True)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(_PROJECT)
    layer._ME = uuid4().hex
    _read_settings_again()
    gc.enable()
    try:
        if arguments[0] == "-m":
            sys.argv = list(arguments[1:])
            runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        else:
            sys.argv = list(arguments)
            runpy.run_path(arguments[0], run_name="__main__")
    finally:
        atexit._run_exitfuncs()


def _end_with_the_suite() -> None:
    """The helper process ends when nobody holds this end of a pipe any more, and this process when that does."""
    os.close(forkserver._forkserver._forkserver_alive_fd)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIES_WITH_ITS_PARENT, signal.SIGKILL)


def _read_settings_again() -> None:
    before = {name: getattr(settings, name) for name in dir(settings) if name.isupper()}
    importlib.reload(of_the_room)
    settings._wrapped = Settings(of_the_room.__name__)
    for name, was in before.items():
        if name != "DATABASES" and getattr(settings, name, None) != was:
            setting_changed.send(sender=Settings, setting=name, value=getattr(settings, name, None), enter=True)
    for opened in connections.all(initialized_only=True):
        assert opened.connection is None, "a fork must not share a connection"
        del connections[opened.alias]
    vars(connections).pop("settings", None)
    connections._settings = None
    celery.app.config_from_object("django.conf:settings", namespace="CELERY", force=True)


def _import_all() -> None:
    for name in _NAMED:
        importlib.import_module(name)
    for path in settings.MIDDLEWARE:
        import_string(path)
    get_resolver()._populate()
    celery.app.loader.import_default_modules()


_import_all()
assert threading.active_count() == 1, f"a fork takes no thread along: {threading.enumerate()}"
logs.loaded()
