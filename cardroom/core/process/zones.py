"""Time zones, and the one of this machine. Read by the settings, so it does not import Django."""

import os
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

_LINK, _NAME = Path("/etc/localtime"), Path("/etc/timezone")


def is_known(name: str) -> bool:
    """Whether there is a zone of this name, such as Europe/Berlin."""
    try:
        ZoneInfo(name)
    except (KeyError, OSError, ValueError):
        return False
    return True


def machines(*, link: Path = _LINK, name: Path = _NAME) -> str:
    """The time zone of this machine: from `TZ`, from the link of its clock, or from its file; else UTC."""
    told = [os.environ.get("TZ", "").lstrip(":")]
    if link.is_symlink():
        told.append(str(link.resolve()).partition("zoneinfo/")[2])
    if name.is_file():
        told.append(name.read_text().strip())
    return next((each for each in told if each and is_known(each)), "UTC")


@cache
def by_region() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """All zones with the name of a place, by continent or ocean, to be chosen from; UTC by itself."""
    regions: dict[str, list[str]] = {}
    for each in sorted(available_timezones()):
        region, _, place = each.partition("/")
        if place and region not in ("Etc", "SystemV", "posix", "right"):
            regions.setdefault(region, []).append(each)
    return (("", ("UTC",)), *((region, tuple(places)) for region, places in regions.items()))
