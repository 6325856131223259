"""The room's front door: pages and API over HTTP, live tables over websockets, and the process's start and end."""

import asyncio
import gc
import os
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardroom.settings")

from django.core.asgi import get_asgi_application

pages = get_asgi_application()  # fills the app registry, so it comes before anything that imports a model

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.conf import settings  # noqa: E402
from django.urls import re_path  # noqa: E402

from cardroom.embedded import Embedded  # noqa: E402
from cardroom.live import callers  # noqa: E402
from cardroom.live import routing as house  # noqa: E402
from cardroom.live.sockets import NowhereConsumer  # noqa: E402
from games.live import routing as games  # noqa: E402
from tournaments.live import routing as tournaments  # noqa: E402


async def lifespan(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Start the embedded worker and beat before the first request, stop them after the last."""
    embedded: Embedded | None = None
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            if settings.CARDROOM_EMBEDDED:
                embedded = await asyncio.to_thread(Embedded)
                embedded.start()
            _leave_what_is_loaded_alone()
            await send({"type": "lifespan.startup.complete"})
        elif message["type"] == "lifespan.shutdown":
            if embedded is not None:
                await asyncio.to_thread(embedded.stop)
            await send({"type": "lifespan.shutdown.complete"})
            return


def _leave_what_is_loaded_alone() -> None:
    """Take what was loaded by now out of the garbage collector's sight, and have it look less often at the rest: going
    through some hundred thousand objects that stay for good took a tenth of this process's time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


sockets = [
    *house.websocket_urlpatterns,
    *games.websocket_urlpatterns,
    *tournaments.websocket_urlpatterns,
    re_path(r"", NowhereConsumer.as_asgi()),
]

application = ProtocolTypeRouter(
    {
        "http": pages,
        "websocket": callers.known(URLRouter(sockets)),
        "lifespan": lifespan,
    }
)
