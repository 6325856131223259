"""The room's pages and sockets served by this very process, on whatever database the test speaks to: nothing rings by
itself in it, so that the test has the clock to itself."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import uvicorn

from cardroom.management.commands.serve import listen
from tests.support import services
from tests.support.waiting import soon


class Served(NamedTuple):
    """Where it is served."""

    url: str


@contextmanager
def served_here() -> Iterator[Served]:
    """Serve until the block ends; its address."""
    port = services.free_port()
    config = uvicorn.Config(
        "cardroom.asgi:application", ws="websockets-sansio", lifespan="off", log_config=None, log_level="warning"
    )
    server, listener = uvicorn.Server(config), listen("127.0.0.1", port)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="served here")
    thread.start()
    try:
        soon(lambda: server.started or not thread.is_alive(), "the room is not served")
        yield Served(f"http://127.0.0.1:{port}")
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
