"""The room's front door: pages and API over HTTP, live tables over websockets, and the process's start and end."""

import asyncio
import os
from typing import Any

from cardroom.core.process import logs

logs.loading()  # before all that is loaded
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardroom.settings")

import django  # noqa: E402

django.setup(set_prefix=False)  # fills the app registry, so it comes before anything that imports a model

import structlog  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.conf import settings  # noqa: E402
from django.urls import re_path  # noqa: E402

from cardroom.core import seals  # noqa: E402
from cardroom.core.database import lanes  # noqa: E402
from cardroom.core.process.heartbeat import HeartbeatThread  # noqa: E402
from cardroom.core.web import addresses  # noqa: E402
from cardroom.core.web.handler import Handler  # noqa: E402
from cardroom.embedded import Embedded  # noqa: E402
from cardroom.realtime import callers, health  # noqa: E402
from cardroom.realtime import room as house  # noqa: E402
from cardroom.realtime.sockets import NowhereConsumer  # noqa: E402
from games.live import consumers as games  # noqa: E402
from tournaments.live import consumers as tournaments  # noqa: E402

pages = Handler()
heartbeat = HeartbeatThread()
log = structlog.get_logger(__name__)


async def lifespan(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Start the heartbeat and the embedded worker and beat before the first request, stop them after the last."""
    embedded: Embedded | None = None
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            if not seals.has_key():
                log.error(seals.NO_KEY)
            if settings.HTTPS and not settings.PROXIES_ARE_KNOWN:
                log.warning(addresses.UNKNOWN)
            await heartbeat.start()
            if settings.CARDROOM_EMBEDDED:
                embedded = await asyncio.to_thread(Embedded)
                embedded.start()
            logs.loaded()
            await send({"type": "lifespan.startup.complete"})
        elif message["type"] == "lifespan.shutdown":
            if embedded is not None:
                await asyncio.to_thread(embedded.stop)
            await heartbeat.stop()
            await send({"type": "lifespan.shutdown.complete"})
            return


sockets = [
    *house.websocket_urlpatterns,
    *games.websocket_urlpatterns,
    *tournaments.websocket_urlpatterns,
    re_path(r"", NowhereConsumer.as_asgi()),
]

application = ProtocolTypeRouter(
    {
        "http": heartbeat.hearing(lanes.for_pages(pages, but=health.PATHS), but=health.PATHS),
        "websocket": heartbeat.hearing(callers.known(URLRouter(sockets))),
        "lifespan": lifespan,
    }
)
