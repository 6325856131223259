"""What a log line may hold. Knows structlog and how a card is written; knows no models.

Hand data leaves the server through `redact` alone, so anything shaped like a card is masked here, in messages, values
and tracebacks alike: a log line that lost the words "As" or "2s" costs nothing, a leaked downcard does.
"""

import gc
import logging
import re
from collections.abc import ItemsView, Mapping, MutableMapping
from typing import Any

import structlog
from django.views.debug import SafeExceptionReporterFilter

_CARDS = re.compile(r"\b(?:[2-9TJQKA][cdhs])+\b")
_SEALED_KEYS = frozenset({"card", "cards", "deck", "downcards", "fact", "facts", "data", "hole"})


def mask(value: Any) -> Any:
    """`value` with every card in it written as `??`, through lists and mappings to any depth."""
    if isinstance(value, str):
        return _CARDS.sub("??", value)
    if isinstance(value, bytes):
        return mask(value.decode("utf-8", "replace"))
    if isinstance(value, Mapping):
        return {key: "[sealed]" if key in _SEALED_KEYS else mask(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [mask(item) for item in value]
    if value is None or isinstance(value, bool | int | float):
        return value
    return mask(str(value))


def seal(logger: Any, method: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """The structlog processor that every line passes last, after tracebacks have become text."""
    return mask(event)


class FromOutside(logging.Filter):
    """What Django calls suspicious (a wrong host, too many fields, too long a body) was refused, and is no fault of the
    room: a warning, without a traceback, whatever it is logged as. Anybody could fill the error log with it."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno > logging.WARNING and record.name.startswith("django.security."):
            record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
            record.exc_info = record.exc_text = None
        return True


class BusyFilter(logging.Filter):
    """A request that was answered "busy, try again" (503) is no fault: a warning, without a traceback. Readers who use
    up the connections of pages would fill the error log, which takes a connection itself."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno > logging.WARNING and getattr(record, "status_code", None) == 503:
            record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
            record.exc_info = record.exc_text = None
        return True


class SealedReporterFilter(SafeExceptionReporterFilter):
    """Error reports (the debug page, mails) without local variables: a frame of the engine holds the deck."""

    def get_traceback_frame_variables(self, request: Any, tb_frame: Any) -> ItemsView[str, Any]:
        return {}.items()


def _formatter(shared: list[Any], render: Any) -> dict[str, Any]:
    return {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": shared,
        "processors": [
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            seal,
            render,
        ],
    }


def configuration(*, level: str, as_json: bool, keeps_errors: bool = False) -> dict[str, Any]:
    """Django's LOGGING: structlog's own lines and the standard library's, one format, one way out (stderr).

    `keeps_errors`: errors go into the room's own table as well, see `cardroom.core.process.fault_log`.
    """
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    as_lines = structlog.processors.JSONRenderer()
    render = as_lines if as_json else structlog.dev.ConsoleRenderer(colors=False)
    filtered = {"filters": ["from_outside", "busy"]}
    handlers: dict[str, Any] = {"stderr": {"class": "logging.StreamHandler", "formatter": "sealed", **filtered}}
    if keeps_errors:
        handlers["table"] = {"class": "cardroom.core.process.fault_log.Keeper", "formatter": "lines", **filtered}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"from_outside": {"()": FromOutside}, "busy": {"()": BusyFilter}},
        "formatters": {"sealed": _formatter(shared, render), "lines": _formatter(shared, as_lines)},
        "handlers": handlers,
        "root": {"handlers": list(handlers), "level": level},
        "loggers": {
            "django": {"handlers": [], "level": level, "propagate": True},
            "django.server": {"handlers": [], "level": level, "propagate": True},
            "celery": {"level": "WARNING"},
            "uvicorn.error": {"handlers": [], "level": "WARNING", "propagate": True},
            "uvicorn.access": {"handlers": [], "level": "WARNING", "propagate": True},
            "httpx": {"level": "WARNING"},
        },
    }


# How often a process collects garbage.


def loading() -> None:
    """Collects seldom while modules are imported; a process that goes on calls `loaded` next."""
    gc.set_threshold(50_000, 20, 20)


def loaded() -> None:
    """Freezes the objects that exist by now, and collects the others less often than Python's default."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
