"""Where a request comes from, past the proxies that are trusted."""

import pytest
import structlog.testing

from cardroom.core.web import addresses

PEER = "172.18.0.1"


@pytest.fixture(autouse=True)
def _nobody_was_warned() -> None:
    addresses._warn.cache_clear()


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "", PEER),
        (0, "198.51.100.7", PEER),
        (1, "198.51.100.7", "198.51.100.7"),
        (1, "203.0.113.9, 198.51.100.7", "198.51.100.7"),
        (2, "203.0.113.9, 198.51.100.7, 10.0.0.1", "198.51.100.7"),
        (2, "198.51.100.7", "198.51.100.7"),
        (1, "", PEER),
        (1, "2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        (1, "::ffff:198.51.100.7", "198.51.100.7"),
        (1, "nonsense", ""),
    ],
)
def test_the_address_is_that_of_who_asks_the_first_proxy(settings, proxies, forwarded, address):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    assert addresses.of_hops(PEER, forwarded) == address


@pytest.mark.parametrize(
    ("is_known", "forwarded", "warnings"),
    [(False, "198.51.100.7", 1), (True, "198.51.100.7", 0), (False, "", 0), (False, f"198.51.100.7, {PEER}", 0)],
)
def test_a_proxy_that_the_room_does_not_know_of_is_told_once(settings, is_known, forwarded, warnings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT, settings.PROXIES_ARE_KNOWN = 0, is_known
    with structlog.testing.capture_logs() as lines:
        for _ in range(3):
            addresses.of_hops(PEER, forwarded)
    assert len(lines) == warnings
    assert all("TRUSTED_PROXIES" in line["event"] for line in lines)
