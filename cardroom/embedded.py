"""Worker and beat as two threads of the web process: how a room runs where nobody installed a broker."""

import logging
import threading
from typing import Any

from celery import signals
from celery.beat import Scheduler, Service
from celery.worker import WorkController, state
from django.db import close_old_connections

from cardroom.celery import app

logger = logging.getLogger(__name__)


class Unhurried(Scheduler):
    """Celery's wakes ten milliseconds early and then spins until the time has come: a twentieth of a core of this
    process, for nothing."""

    def adjust(self, n: float, drift: float = 0.0) -> float:
        return n


class Embedded:
    """One worker thread (with its pool) and one beat thread; `start` and `stop` once each."""

    def __init__(self, *, threads: int = 4) -> None:
        # WorkController and not app.Worker: the latter takes over signals and logging of the whole process.
        self._worker = WorkController(
            app=app,
            pool_cls="threads",
            concurrency=threads,
            use_eventloop=False,
            without_heartbeat=True,
            without_mingle=True,
            without_gossip=True,
        )
        self._beat = Service(app, max_interval=1, scheduler_cls=Unhurried)
        self._threads = [
            threading.Thread(target=self._worker.start, name="embedded-worker", daemon=True),
            threading.Thread(target=self._beat.start, name="embedded-beat", daemon=True),
        ]

    def start(self) -> None:
        state.should_stop = None
        signals.task_prerun.connect(_tidy_connections)
        signals.task_postrun.connect(_tidy_connections)
        for thread in self._threads:
            thread.start()
        logger.info("worker and beat run inside the web process")

    def stop(self, *, timeout: float = 10.0) -> None:
        """Let the running tasks end, then both threads; what was not done is still a row in the database."""
        self._beat.stop()
        # Read by the worker's own loop, which then ends in its own thread.
        state.should_stop = 0  # type: ignore[assignment]
        for thread in self._threads:
            thread.join(timeout)
            if thread.is_alive():
                logger.warning("%s did not end within %s s", thread.name, timeout)
        state.should_stop = None
        signals.task_prerun.disconnect(_tidy_connections)
        signals.task_postrun.disconnect(_tidy_connections)


def _tidy_connections(**kwargs: Any) -> None:
    """A pool thread lives long; its database connection ends, or goes back to the pool, with each task."""
    close_old_connections()
