"""A picture drawn anew: `python redrawing.py MEGABYTES SECONDS`, from standard input to standard output.

`accounts.pictures` runs this file as a process of its own, which may use so much memory and computing time and has
nothing of the room: what a file does to the library that reads it ends here. It exits with 0, or with one of the codes
below.
"""

import os
import resource
import struct
import sys
from io import BytesIO

from PIL import ExifTags, Image, ImageOps

UNREADABLE, TOO_MANY_PIXELS = 3, 4
KINDS = ("JPEG", "PNG", "WEBP")
#: A JPEG is made smaller while it is read; the others are unpacked whole, to hundreds of times their length.
MOST_PIXELS = {"JPEG": 25_000_000, "PNG": 10_000_000, "WEBP": 10_000_000}
SIDE = 256
#: A picture that stays larger than this is drawn with less quality, and at last without what is transparent.
_SMALL = 30_000
_QUALITIES = (85, 60, 30)
#: The ways up that a file may say of itself, and how each is turned.
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180, 4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE, 6: Image.Transpose.ROTATE_270, 7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}  # fmt: skip


def redrawn(body: bytes) -> bytes | int:
    """The picture as WebP: its middle as a square, turned as its metadata say, without these metadata. An exit code
    where it cannot be read."""
    square = Image.new("RGBA", (SIDE, SIDE))
    try:
        with Image.open(BytesIO(body), formats=KINDS) as image:
            if image.width * image.height > MOST_PIXELS[str(image.format)]:  # read from its head: nothing is unpacked
                return TOO_MANY_PIXELS
            image.draft("RGB", (2 * SIDE, 2 * SIDE))
            middle = _upright(_middle(image)).convert("RGBA")
            square.paste(ImageOps.fit(middle, square.size, Image.Resampling.LANCZOS))
    except (Image.DecompressionBombError, Image.DecompressionBombWarning, MemoryError):
        return TOO_MANY_PIXELS
    except (OSError, ValueError, SyntaxError, struct.error):
        return UNREADABLE
    tries = [(square, quality) for quality in _QUALITIES]
    for shape, quality in [*tries, (square.convert("RGB"), _QUALITIES[-1])]:  # transparency is kept whole
        drawn = BytesIO()
        shape.save(drawn, "WEBP", quality=quality, method=4)
        if drawn.tell() <= _SMALL:
            break
    return drawn.getvalue()


def _middle(image: Image.Image) -> Image.Image:
    """Its largest square: the rest of a long strip is not worth its memory."""
    side = min(image.size)
    left, top = (image.width - side) // 2, (image.height - side) // 2
    return image.crop((left, top, left + side, top + side))


def _upright(image: Image.Image) -> Image.Image:
    try:
        turn = _TURNS.get(image.getexif().get(ExifTags.Base.Orientation))
    except Exception:  # what is broken there is no reason to refuse a picture, and breaks the reader in many ways
        return image
    return image.transpose(turn) if turn is not None else image


def _confine(megabytes: int, seconds: int) -> None:
    """Less than the machine would give, no files, and play goes first."""
    os.nice(10)
    for what, most in (
        (resource.RLIMIT_AS, megabytes * 1024 * 1024),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))


if __name__ == "__main__":
    _confine(*map(int, sys.argv[1:]))
    made = redrawn(sys.stdin.buffer.read())
    if isinstance(made, int):
        sys.exit(made)
    sys.stdout.buffer.write(made)
