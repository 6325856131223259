"""Pictures that are drawn once: kept as files under a key made from their content, and shared by requests that come
while they are drawn."""

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from django.conf import settings

from cardroom.core.web import heavy
from cardroom.core.web.single_flight import SingleFlight

#: The oldest go when there are more bytes than this.
MOST_BYTES = 100 * 1024 * 1024
_drawing: SingleFlight[bytes] = SingleFlight()


def once(key: str, draw: Callable[[], bytes]) -> bytes:
    """The picture under this key, a name of letters and digits; `draw` passes the gate of heavy work. Where it cannot
    be kept, as on a full disk, it is drawn all the same. Refuses: `Busy`, `TooMany`."""
    with suppress(OSError):
        return (_folder() / key).read_bytes()

    def draw_and_keep() -> bytes:
        picture = heavy.work(draw)
        _keep(key, picture)
        return picture

    return _drawing.run(key, draw_and_keep)


def _folder() -> Path:
    return Path(settings.CARDROOM_DRAWN_ROOT)


def _keep(key: str, picture: bytes) -> None:
    draft = ""
    try:
        _folder().mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=_folder())
        with os.fdopen(handle, "wb") as file:
            file.write(picture)
        os.replace(draft, _folder() / key)  # at once: a reader never sees half a file
        _forget_the_oldest()
    except OSError:
        with suppress(OSError):
            os.unlink(draft)


def _forget_the_oldest() -> None:
    files = sorted((entry.stat().st_mtime, entry.stat().st_size, entry.path) for entry in os.scandir(_folder()))
    size = sum(entry[1] for entry in files)
    for _, length, path in files:
        if size <= MOST_BYTES:
            return
        with suppress(FileNotFoundError):  # another process was quicker
            os.unlink(path)
        size -= length
