"""What many readers are shown alike: rendered once for all of them, and kept as the bytes that are sent.

`once` keeps a part of a page as long as its version stays the same; readers who come while it is rendered wait for it.
Nothing of one reader may be in it: no name, no permission, no token. What is theirs is rendered for them, and stands
beside it: the parts are kept compressed, and are sent as they are in the midst of a page that is not.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import struct
import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.safestring import SafeString

from cardroom.core import topics as room_topics
from cardroom.core.web.single_flight import SingleFlight

#: The oldest go when there are more bytes than this.
MOST_BYTES = 32 * 1024 * 1024
#: Unknown outside this process: nobody's words are taken for a mark.
_SECRET = secrets.token_hex(12)
#: Where the token of the reader stands in a document that is shared.
TOKEN = SafeString(f"{_SECRET}0;")
#: Where a key stands that no other page has: a form that is sent twice is done once.
KEY = SafeString(f"{_SECRET}1;")
_MARKS = re.compile(f"{_SECRET}([0-9a-z]+);")
_ACCEPTS_GZIP = re.compile(r"\bgzip\b")
#: The header of a compressed answer that has a name, and the empty block at its end.
_GZIP_BEGINS, _GZIP_ENDS = b"\x1f\x8b\x08\x08\0\0\0\0\0\xff", b"\x03\0"
#: As in Django's: the length of what is secret cannot be told from the length of the answer.
_MOST_PADDING = 100
#: A page with a longer address is nobody else's.
_LONGEST_ADDRESS = 300
#: Of compression: a page of 400 KB takes 2 ms.
_LEVEL = 4


class _Piece:
    """Bytes that are sent as they are."""

    def __init__(self, text: str) -> None:
        self.plain = text.encode()

    @cached_property
    def packed(self) -> bytes:
        """The same as blocks that may stand anywhere in a compressed answer."""
        deflating = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
        return deflating.compress(self.plain) + deflating.flush(zlib.Z_FULL_FLUSH)

    @cached_property
    def digest(self) -> bytes:
        return hashlib.sha256(self.plain).digest()


class PagePart:
    """A piece of a page. In `text` the marks of `parts` stand for them, `TOKEN` for the token of its reader, and `KEY`
    for the key of their forms."""

    def __init__(self, text: str, parts: Iterable[PagePart] = ()) -> None:
        by_tag = {part.tag: part for part in parts}
        #: The names of `TOKEN` and `KEY` are filled in when it is sent.
        self.pieces: list[_Piece | str] = []
        for number, piece in enumerate(_MARKS.split(text)):
            if number % 2 and piece in ("0", "1"):
                self.pieces.append(piece)
            elif number % 2:
                self.pieces += by_tag[piece].pieces
            elif piece:
                self.pieces.append(_Piece(piece))
        self.size = sum(len(piece.plain) for piece in self.pieces if isinstance(piece, _Piece))

    @cached_property
    def tag(self) -> str:
        """A digest of what it consists of."""
        digest = hashlib.sha256()
        for piece in self.pieces:
            digest.update(piece.digest if isinstance(piece, _Piece) else piece.encode())
        return digest.hexdigest()[:24]

    @property
    def mark(self) -> SafeString:
        """What stands for it in the text of a page."""
        return SafeString(f"{_SECRET}{self.tag};")


@dataclass(frozen=True, slots=True)
class _KeptPart:
    version: str
    part: PagePart


_kept: OrderedDict[Hashable, _KeptPart] = OrderedDict()
_rendering: SingleFlight[PagePart] = SingleFlight()
_lock = threading.Lock()
_bytes_kept = 0


def once(name: str, *key: Hashable, version: str | None, render: Callable[[], PagePart]) -> PagePart:
    """The part `name` of a page for readers who agree in `key`, in the current language and zone: rendered once for
    each version (`topics.version`), and anew for each reader where that is None. Refuses: `Busy`."""
    if version is None:
        return render()
    whole = (name, key, translation.get_language(), timezone.get_current_timezone_name())

    def render_and_keep() -> PagePart:
        # Somebody may have been quicker since this request looked.
        return _kept_part(whole, version) or _keep(whole, _KeptPart(version, render()))

    return _kept_part(whole, version) or _rendering.run((whole, version), render_and_keep)


def _kept_part(whole: Hashable, version: str) -> PagePart | None:
    with _lock:
        kept = _kept.get(whole)
        if kept is None or kept.version != version:
            return None
        _kept.move_to_end(whole)
        return kept.part


def answer(request: HttpRequest, part: PagePart, *, is_alike: bool = False) -> HttpResponse:
    """A page of this part, filled with what is its reader's. `is_alike`: it has nothing of theirs but a key; it has an
    ETag, and the answer is 304 for a browser that has it already."""
    if not is_alike:
        response = _sent(request, part)
    else:
        tag = f'W/"{part.tag}"'
        response = get_conditional_response(request, etag=tag) or _sent(request, part)
        response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


def page(request: HttpRequest, *key: Hashable, topics: Iterable[str], render: Callable[[], PagePart]) -> PagePart:
    """A whole page by its address, with `TOKEN` for the token: those of whom nothing is known share it while these
    `topics` stand still. Others have their own."""
    address = request.get_full_path()
    is_shared = _is_strangers(request) and len(address) <= _LONGEST_ADDRESS
    version = room_topics.version(*topics) if is_shared else None
    return once("page", address, *key, version=version, render=render)


def _is_strangers(request: HttpRequest) -> bool:
    """Whether the reader is not logged in, has no session, and no message that waits for them."""
    cookies = {settings.SESSION_COOKIE_NAME, CookieStorage.cookie_name}
    return cookies.isdisjoint(request.COOKIES) and not request.user.is_authenticated


def forget() -> None:
    """Clears what is kept."""
    global _bytes_kept
    with _lock:
        _kept.clear()
        _bytes_kept = 0


def _keep(whole: Hashable, new: _KeptPart) -> PagePart:
    global _bytes_kept
    with _lock:
        old = _kept.pop(whole, None)
        _kept[whole] = new
        _bytes_kept += new.part.size - (old.part.size if old else 0)
        while _bytes_kept > MOST_BYTES:
            _, oldest = _kept.popitem(last=False)
            _bytes_kept -= oldest.part.size
    return new.part


def _sent(request: HttpRequest, part: PagePart) -> HttpResponse:
    own = {}
    if "0" in part.pieces:
        own["0"] = _Piece(get_token(request))
    if "1" in part.pieces:
        own["1"] = _Piece(secrets.token_urlsafe(9))
    pieces = [own[piece] if isinstance(piece, str) else piece for piece in part.pieces]
    if not _ACCEPTS_GZIP.search(request.headers.get("Accept-Encoding", "")):
        return HttpResponse(b"".join(piece.plain for piece in pieces))
    check = size = 0
    for piece in pieces:
        check, size = zlib.crc32(piece.plain, check), size + len(piece.plain)
    name = b"a" * secrets.randbelow(_MOST_PADDING) + b"\0"
    ends = _GZIP_ENDS + struct.pack("<LL", check, size & 0xFFFFFFFF)
    content = b"".join((_GZIP_BEGINS, name, *(piece.packed for piece in pieces), ends))
    return HttpResponse(content, headers={"Content-Encoding": "gzip"})
