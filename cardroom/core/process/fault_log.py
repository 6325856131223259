"""Keeps what is logged as an error in the room's own table, beside the stream it goes to.

Code that logs never waits for the database and never fails because of it: a separate thread writes, on its own
connection, outside of the transaction that has just failed. A line that cannot be written is still in the stream.
"""

import contextlib
import hashlib
import json
import logging
import queue
import threading
import traceback
from datetime import UTC, datetime
from typing import Any

_AT_ONCE = 50
_WAITS = 200
_AT_EXIT = 2.0  # seconds to write what is left
_OWN = ("event", "level", "logger", "timestamp", "exception")


class Keeper(logging.Handler):
    """Hands every error to its thread; its formatter is one of JSON lines."""

    def __init__(self) -> None:
        super().__init__(level=logging.ERROR)
        self._lines: queue.Queue[dict[str, Any]] = queue.Queue(_WAITS)
        self._thread: threading.Thread | None = None

    def emit(self, record: logging.LogRecord) -> None:
        if threading.current_thread() is self._thread or record.levelno < self.level:  # a filter may have lowered it
            return  # what goes wrong while writing it down is not written down
        try:
            line = json.loads(self.format(record))
        except Exception:
            self.handleError(record)
            return
        line["at"] = datetime.fromtimestamp(record.created, UTC)
        line["sort"] = _sort_of(record)
        with contextlib.suppress(queue.Full):
            self._lines.put_nowait(line)
        self._start()

    def flush(self) -> None:
        """Wait a moment for what is still to be written; at the end of the process."""
        if self._thread is not None and self._thread.is_alive():
            with self._lines.all_tasks_done:
                self._lines.all_tasks_done.wait_for(lambda: not self._lines.unfinished_tasks, _AT_EXIT)

    def _start(self) -> None:
        with self.lock or contextlib.nullcontext():
            if self._thread is None or not self._thread.is_alive():  # a fork takes no thread along
                self._thread = threading.Thread(target=self._write, name="fault-log", daemon=True)
                self._thread.start()

    def _write(self) -> None:
        while True:
            lines = [self._lines.get()]
            with contextlib.suppress(queue.Empty):
                while len(lines) < _AT_ONCE:
                    lines.append(self._lines.get_nowait())
            try:
                write(lines)
            except Exception:  # no database, or none with this table yet: the stream has it
                logging.getLogger(__name__).debug("not kept", exc_info=True)
            finally:
                for _ in lines:
                    self._lines.task_done()


def write(lines: list[dict[str, Any]]) -> None:
    """Write these rows, on a connection that is closed again."""
    from django.apps import apps
    from django.db import connection

    if not apps.ready:
        return
    from cardroom.core.process import faults

    try:
        faults.keep([_line(faults, line) for line in lines])
    finally:
        connection.close()


def _sort_of(record: logging.LogRecord) -> str:
    """One value for all faults of the same kind in the same place (and with the same `key`), whatever the words
    and numbers in it."""
    message = [record.msg.get("event"), record.msg.get("key")] if isinstance(record.msg, dict) else [record.msg]
    parts = [record.name, record.levelname, *message]
    _, error, trace = record.exc_info if isinstance(record.exc_info, tuple) else (None, None, None)
    if error is not None:
        parts += [type(error).__qualname__, *(f"{at.filename}:{at.lineno}" for at in traceback.extract_tb(trace))]
    return hashlib.sha256("\n".join(map(str, parts)).encode("utf-8", "replace")).hexdigest()[:32]


def _line(faults: Any, line: dict[str, Any]) -> Any:
    rest = {name: value for name, value in line.items() if name not in (*_OWN, "at", "sort")}
    return faults.LoggedFault(
        at=line["at"],
        level=str(line.get("level", "error")),
        logger=str(line.get("logger", "")),
        message=str(line.get("event", "")),
        trace=str(line.get("exception", "")),
        details=rest,
        sort=line["sort"],
    )
