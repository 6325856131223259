"""Serve the room: pages, API and live tables in this process, worker and beat too where it runs alone."""

import contextlib
import io
import logging
import os
import socket
from argparse import ArgumentParser
from typing import Any

import uvicorn
from django.conf import settings
from django.core.checks import Tags
from django.core.management import BaseCommand, CommandError, call_command


class Command(BaseCommand):
    help = "Serve the room over HTTP and websockets; --demo lays out a demo room first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="localhost", help="name or address to listen on (default %(default)s)")
        parser.add_argument("--port", default=8000, type=int, help="port to listen on (default %(default)s)")
        parser.add_argument("--demo", action="store_true", help="migrate and (re)create the demo room before serving")

    def handle(self, *, host: str, port: int, demo: bool, **options: Any) -> None:
        listener = listen(host, port)  # first of all: a taken port is said at once, before any work is done
        welcome = f"Cardroom serves on http://{host}:{port}/ (stop it with Ctrl-C)."
        if demo:
            if "CARDROOM_STAFF_FACTOR" not in os.environ:  # whose staff logs in by what the demo prints
                settings.CARDROOM_STAFF_FACTOR = False
            if "CARDROOM_WELCOME_CHIPS_PAID_OUT" not in os.environ:  # its drawer pays out play money
                settings.CARDROOM_WELCOME_CHIPS_PAID_OUT = True
            logging.disable(logging.INFO)  # a person who waits for the logins does not need the lines before them
            welcome = f"{self._lay_out_demo()}\n{welcome}"

        def say() -> None:
            logging.disable(logging.NOTSET)
            self.stdout.write(welcome)

        with contextlib.suppress(KeyboardInterrupt):  # uvicorn ends in good order first, then passes Ctrl-C on
            Server(configuration(), welcome=say).run(sockets=[listener])

    def _lay_out_demo(self) -> str:
        self.stdout.write("Bringing the database up to date ...")
        self.check(tags=[Tags.database], databases=["default"])  # a command that is called leaves checks out
        call_command("migrate", interactive=False, verbosity=0, stdout=self.stdout)
        self.stdout.write("Laying out the demo room ...")
        output = io.StringIO()
        call_command("demo", stdout=output)
        return output.getvalue()


def listen(host: str, port: int) -> socket.socket:
    """The bound socket; CommandError, in words for the person at the keyboard, when it cannot be had."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(1024)
    except OverflowError as error:
        listener.close()
        raise CommandError(f"There is no port {port}: choose one from 1 to 65535.") from error
    except PermissionError as error:
        listener.close()
        raise CommandError(f"Port {port} is not yours to open: choose one from 1024 up (PORT=8001).") from error
    except OSError as error:
        listener.close()
        raise CommandError(
            f"Cannot listen on {host}:{port}: {error.strerror or error}. Stop what uses it, or choose another port: "
            f"make run PORT={port + 1 if port < 65535 else 8001}"
        ) from error
    return listener


def configuration() -> uvicorn.Config:
    """uvicorn as the room wants it; the same as the command line in `docs/deployment.md`."""
    return uvicorn.Config(
        "cardroom.asgi:application",
        ws="websockets-sansio",
        # More than any message may have, so that one that is too long is answered; much more, and the line is cut.
        ws_max_size=2**20,
        # A message of ours is some hundred bytes: packing them costs more than it saves, at both ends.
        ws_per_message_deflate=False,
        # A dead connection is noticed before the clock of its player runs out.
        ws_ping_interval=10,
        ws_ping_timeout=20,
        lifespan="on",
        log_config=None,
        log_level=settings.LOG_LEVEL.lower(),
        access_log=False,
        timeout_graceful_shutdown=5,
    )


class Server(uvicorn.Server):
    """A server that says its piece once it really listens."""

    def __init__(self, config: uvicorn.Config, *, welcome: Any) -> None:
        super().__init__(config)
        self._welcome = welcome

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._welcome()
