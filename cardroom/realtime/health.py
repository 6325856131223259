"""For operators: is the process alive (`/healthz/live`), can people play (`/healthz`), do the clocks run
(`/healthz/clockwork`), and the room's measurements (`/metrics`).

Each of the first three asks for something else to be done: end the process, send nobody to it, look after worker, beat
and Redis. They are answered before anything else, by whatever name or address a probe reaches the process.
"""

import hmac
import time
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.utils.deprecation import MiddlewareMixin
from django_prometheus.exports import ExportToDjangoView
from prometheus_client import Gauge

from cardroom.core import watchdog
from cardroom.core.process import heartbeat

_STANDING_STILL = Gauge(
    "cardroom_standing_still", "Live, nobody plays or is waited for, and nothing would wake it.", ["kind"]
)
_CLOCKWORK = Gauge(
    "cardroom_clockwork_seconds", "Since a worker last carried out a tick; not a number where none ever did."
)

#: Seconds.
_COUNTED_EVERY = 5

OK, AWAY, NEVER = "ok", heartbeat.NO_ANSWER, "has not run yet"


class Probes(MiddlewareMixin):
    """Answers the addresses of `PATHS` before any middleware looks at the host, the scheme or the session."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        answer = PATHS.get(request.path)
        if answer is None:
            return None
        response = answer()
        add_never_cache_headers(response)
        return response


def live() -> JsonResponse:
    """200 as long as the process answers at all."""
    return JsonResponse({"status": OK})


def ready() -> JsonResponse:
    """200 as long as people can play, which takes a database that can be written, else 503. `status` is "impaired"
    where something else is amiss. And how much stands still (`watchdog`), which no restart mends."""
    database = _database()
    parts: dict[str, str | int] = {"database": database}
    if settings.REDIS_URL:
        parts["redis"] = _redis()
    if database == OK:
        parts["clockwork"] = _clockwork()
    is_well = all(answer == OK for answer in parts.values())
    if database == OK:
        with suppress(DatabaseError):  # it went away in this moment
            parts["standing_still"] = _standing_still(int(time.monotonic() // _COUNTED_EVERY))
    status = OK if is_well else "impaired" if database == OK else "down"
    return JsonResponse({"status": status, **parts}, status=200 if database == OK else 503)


def clocks() -> JsonResponse:
    """200 as long as alarms ring in time, else 503."""
    state = _clockwork()
    return JsonResponse({"status": state}, status=200 if state == OK else 503)


PATHS: dict[str, Callable[[], JsonResponse]] = {"/healthz": ready, "/healthz/live": live, "/healthz/clockwork": clocks}


def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus text for the bearer of `METRICS_TOKEN`; where that is not set there is no such page."""
    authorization = request.headers.get("Authorization", "")
    if not settings.METRICS_TOKEN:
        raise Http404
    if not hmac.compare_digest(authorization.encode(), f"Bearer {settings.METRICS_TOKEN}".encode()):
        return HttpResponse("A bearer token is needed.\n", status=401, content_type="text/plain")
    for kind, many in watchdog.count_stalls().items():
        _STANDING_STILL.labels(kind).set(many)
    since = watchdog.stands_since(now=timezone.now())
    _CLOCKWORK.set(float("nan") if since is None else since.total_seconds())
    return ExportToDjangoView(request)


def _database() -> str:
    """By the last heartbeat, which is written: a database that is full or read-only still answers a question."""
    fault = heartbeat.fault_of_database()
    if fault is not None:
        return fault or OK
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return AWAY
    return OK


@lru_cache(maxsize=1)
def _standing_still(moment: int) -> int:
    """How much stands still, counted at most once in a few seconds, as anybody may ask."""
    return sum(watchdog.count_stalls().values())


def _clockwork() -> str:
    try:
        since = watchdog.stands_since(now=timezone.now())
    except DatabaseError:
        return "unknown: the database does not answer"
    if since is None:
        return NEVER
    return OK if since < watchdog.LATE_AFTER else f"late by {since.total_seconds():.0f} s"


def _redis() -> str:
    client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2)
    try:
        client.ping()
    except redis.RedisError:
        return AWAY
    finally:
        client.close()
    return OK
