"""Where a request or a socket comes from, for what is limited by address."""

from functools import cache
from ipaddress import ip_address, ip_network
from typing import Any

import structlog
from django.conf import settings
from django.core import checks
from django.http import HttpRequest

log = structlog.get_logger(__name__)

UNKNOWN = "TRUSTED_PROXIES is not set: where a proxy stands in front, everybody behind it counts as one address."


def of_hops(peer: str, forwarded: str) -> str:
    """The address past the proxies that are trusted (`TRUSTED_PROXIES`): `peer` is the connected address, `forwarded`
    the header `X-Forwarded-For`. Of an IPv6 address the network, the first 64 bits: one connection has all that is in
    it. Anything that is no address counts as one address, ""."""
    address = peer
    if proxies := settings.ALLAUTH_TRUSTED_PROXY_COUNT:
        hops = _hops(forwarded)
        address = hops[-min(proxies, len(hops))] if hops else peer
    elif forwarded and not settings.PROXIES_ARE_KNOWN and peer not in _hops(forwarded):
        _warn()  # uvicorn has not taken the address from there, as it does of a proxy on its own machine
    try:
        parsed = ip_address(address)
    except ValueError:
        return ""
    if parsed.version == 6:
        return str(parsed.ipv4_mapped or ip_network((parsed, 64), strict=False))
    return str(parsed)


def of_request(request: HttpRequest) -> str:
    return of_hops(request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_X_FORWARDED_FOR", ""))


@checks.register(checks.Tags.security)
def proxies_are_known(**how: Any) -> list[checks.CheckMessage]:
    """Warn where the room is reached by https, so that a proxy stands in front of it as a rule, and the settings do not
    say how many there are."""
    if not settings.HTTPS or settings.PROXIES_ARE_KNOWN:
        return []
    hint = "Set TRUSTED_PROXIES to how many proxies stand in front of the room, or to 0 where none does."
    return [checks.Warning(UNKNOWN, hint=hint, id="cardroom.W010")]


def _hops(forwarded: str) -> list[str]:
    return [hop.strip() for hop in forwarded.split(",") if hop.strip()]


@cache
def _warn() -> None:
    """Once a process: a request came by a proxy that the room does not know of."""
    log.warning(UNKNOWN, header="X-Forwarded-For")
