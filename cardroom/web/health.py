"""For operators: is the room able to work (`/healthz`), and its measurements (`/metrics`)."""

import hmac

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django_prometheus.exports import ExportToDjangoView
from prometheus_client import Gauge

from cardroom.services import watchdog

_STANDING_STILL = Gauge(
    "cardroom_standing_still", "Live, nobody plays or is waited for, and nothing would wake it.", ["kind"]
)


@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """200 when the database (and Redis, where the room uses it) answers, else 503 and which of them does not. And how
    much stands still (`watchdog`), which no restart mends."""
    parts = {"database": _database()}
    if settings.REDIS_URL:
        parts["redis"] = _redis()
    is_well = all(answer == "ok" for answer in parts.values())
    still = {"standing_still": sum(watchdog.counted().values())} if parts["database"] == "ok" else {}
    return JsonResponse({"status": "ok" if is_well else "down", **parts, **still}, status=200 if is_well else 503)


def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus text for the bearer of `METRICS_TOKEN`; where that is not set there is no such page."""
    given = request.headers.get("Authorization", "")
    if not settings.METRICS_TOKEN:
        raise Http404
    if not hmac.compare_digest(given.encode(), f"Bearer {settings.METRICS_TOKEN}".encode()):
        return HttpResponse("A bearer token is needed.\n", status=401, content_type="text/plain")
    for kind, many in watchdog.counted().items():
        _STANDING_STILL.labels(kind).set(many)
    return ExportToDjangoView(request)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "does not answer"
    return "ok"


def _redis() -> str:
    client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2)
    try:
        client.ping()
    except redis.RedisError:
        return "does not answer"
    finally:
        client.close()
    return "ok"
