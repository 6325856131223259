"""Text messages, through whatever the house has: a command (`CARDROOM_SMS_COMMAND`) or a signed request to an address
(`CARDROOM_SMS_WEBHOOK`, with `CARDROOM_SMS_SECRET`). With neither set none is sent.

The command gets the number as its last argument and the text on its standard input; no shell reads either. The request
is a POST of JSON (`id`, `to`, `text`) with `X-Cardroom-Signature: sha256=<HMAC of the body>`.
"""

import hashlib
import hmac
import http.client
import json
import re
import shlex
import subprocess
import urllib.request
from typing import Any

import structlog
from django.conf import settings

log = structlog.get_logger(__name__)

SECONDS = 10
SIGNATURE = "X-Cardroom-Signature"
_NUMBER = re.compile(r"\+?[0-9][0-9 ()./-]{3,24}")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        """None: a redirect is not followed, and counts as refused."""


_opener = urllib.request.build_opener(_NoRedirects)


def plain(phone: str) -> str:
    """A number without its decoration, "" where it is none."""
    typed = phone.strip()
    return re.sub(r"[ ()./-]", "", typed) if _NUMBER.fullmatch(typed) else ""


def is_possible() -> bool:
    """Whether text messages are configured."""
    return bool(settings.CARDROOM_SMS_COMMAND or settings.CARDROOM_SMS_WEBHOOK)


def send(*, to: str, text: str, name: str) -> bool:
    """Send it and wait for the answer, at most ten seconds for each way; whether it went out. Never raises.

    A redirect counts as a failure: followed, it would become a GET without the message, and the number would go to
    another server.
    """
    number = plain(to)
    if not number:
        log.warning("not a telephone number", message=name)
        return False
    try:
        if settings.CARDROOM_SMS_COMMAND:
            return _by_command(number, text)
        return _by_webhook(number, text, name)
    except subprocess.SubprocessError:  # its words have the whole command, and the number in it
        log.error("the command for text messages gave no answer", message=name)
        return False
    except (OSError, ValueError, http.client.HTTPException):
        log.exception("a text message could not be sent", message=name)
        return False


def _by_command(number: str, text: str) -> bool:
    command = [*shlex.split(settings.CARDROOM_SMS_COMMAND), number]
    process = subprocess.run(command, input=text.encode(), capture_output=True, timeout=SECONDS, check=False)  # noqa: S603
    if process.returncode:
        log.error("the command for text messages failed", code=process.returncode)
    return process.returncode == 0


def _by_webhook(number: str, text: str, name: str) -> bool:
    address = settings.CARDROOM_SMS_WEBHOOK
    if not address.startswith(("https://", "http://")):
        raise ValueError("CARDROOM_SMS_WEBHOOK is no web address")
    body = json.dumps({"id": name, "to": number, "text": text}).encode()
    headers = {"Content-Type": "application/json", SIGNATURE: f"sha256={signature(body)}"}
    request = urllib.request.Request(address, data=body, headers=headers, method="POST")  # noqa: S310
    with _opener.open(request, timeout=SECONDS) as answer:
        return 200 <= answer.status < 300


def signature(body: bytes) -> str:
    """What the receiver computes too, to know that the room sent it."""
    return hmac.new(settings.CARDROOM_SMS_SECRET.encode(), body, hashlib.sha256).hexdigest()
