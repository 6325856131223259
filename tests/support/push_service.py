"""A push service on this machine, and a browser that reads what it was sent."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from os import urandom
from threading import Thread
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02


def as_text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


class PushService(ThreadingHTTPServer):
    """`answers`: by the last part of an address, the status that it gets; else 201. `got`: what was sent, by it."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: dict[str, int] = {}
        self.got: dict[str, list[tuple[Any, bytes]]] = {}

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: PushService

    def do_POST(self) -> None:
        name = self.path.rpartition("/")[2]
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.setdefault(name, []).append((self.headers, body))
        self.send_response(self.server.answers.get(name, 201))
        self.send_header("Location", f"{self.server.origin}/push/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *values: object) -> None:
        pass


class Browser:
    """One that subscribed there, with its own keys."""

    def __init__(self, service: PushService, name: str) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._secret, self._service, self._name = urandom(16), service, name

    @property
    def subscription(self) -> dict[str, str]:
        public = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        endpoint = f"{self._service.origin}/push/{self._name}"
        return {"endpoint": endpoint, "p256dh": as_text(public), "auth": as_text(self._secret)}

    def read(self, room: str) -> list[dict[str, Any]]:
        """What came, decrypted; each signed by the room with this public key, for this service."""
        return [self._read(headers, body, room) for headers, body in self._service.got.get(self._name, [])]

    def _read(self, headers: Any, body: bytes, room: str) -> dict[str, Any]:
        assert Vapid02.verify(headers["Authorization"])
        scheme, _, signed = headers["Authorization"].partition(" ")
        parts = dict(part.strip().split("=", 1) for part in signed.split(","))
        assert (scheme, parts["k"]) == ("vapid", room)
        claims = parts["t"].split(".")[1]
        assert json.loads(urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))["aud"] == self._service.origin
        return json.loads(http_ece.decrypt(body, private_key=self._key, auth_secret=self._secret))


@contextmanager
def push_service(settings: Any) -> Iterator[PushService]:
    """The only one that the room sends to meanwhile."""
    with PushService() as service:
        thread = Thread(target=service.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        settings.CARDROOM_PUSH_SERVICES = [service.origin]
        yield service
        service.shutdown()
        thread.join()
