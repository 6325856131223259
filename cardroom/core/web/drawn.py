"""Pictures that are drawn once: kept as files under a key made from their content, and shared by requests that come
while they are drawn."""

import os
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Waited
from contextlib import suppress
from pathlib import Path

from django.conf import settings

from cardroom.core.web import heavy

#: The oldest go when there are more bytes than this.
MOST_BYTES = 100 * 1024 * 1024
#: Seconds that somebody waits for a picture that another request draws.
_PATIENCE = 10
_under_way: dict[str, Future[bytes]] = {}
_lock = threading.Lock()


def once(key: str, draw: Callable[[], bytes]) -> bytes:
    """The picture under this key, a name of letters and digits; `draw` passes the gate of heavy work. Where it cannot
    be kept, as on a full disk, it is drawn all the same. Refuses: `Busy`, `TooMany`."""
    with suppress(OSError):
        return (_folder() / key).read_bytes()
    with _lock:
        others = _under_way.get(key)
        own_future: Future[bytes] = _under_way.setdefault(key, Future())
    if others is not None:
        heavy.give_back()
        try:
            return others.result(_PATIENCE)
        except Waited:
            raise heavy.busy() from None
    try:
        picture = heavy.work(draw)
        _keep(key, picture)
    except BaseException as error:
        own_future.set_exception(error)
        raise
    else:
        own_future.set_result(picture)
    finally:
        with _lock:
            del _under_way[key]
    return picture


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
