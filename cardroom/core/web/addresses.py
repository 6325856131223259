"""Where a request or a socket comes from, for what is limited by address."""

from ipaddress import ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest


def of_hops(peer: str, forwarded: str) -> str:
    """The address past the proxies that are trusted (`TRUSTED_PROXIES`): `peer` is who is connected, `forwarded` what
    `X-Forwarded-For` says. Of an IPv6 address the network, the first 64 bits: one connection has all that is in it.
    What is no address is one address, ""."""
    address = peer
    if proxies := settings.ALLAUTH_TRUSTED_PROXY_COUNT:
        hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
        address = hops[-min(proxies, len(hops))] if hops else peer
    try:
        found = ip_address(address)
    except ValueError:
        return ""
    if found.version == 6:
        return str(found.ipv4_mapped or ip_network((found, 64), strict=False))
    return str(found)


def of_request(request: HttpRequest) -> str:
    return of_hops(request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_X_FORWARDED_FOR", ""))
