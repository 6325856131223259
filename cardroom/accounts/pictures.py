"""Pictures that players bring: drawn anew from what came, so that nothing of the file itself is ever shown.

One is a square of 256 pixels, some kilobytes, kept with its player and served at an address made of its content.
Players report what is improper to the floor, which removes it.
"""

import struct
from datetime import datetime
from hashlib import sha256
from io import BytesIO
from threading import Lock

from django.db.models import QuerySet
from django.utils.translation import gettext
from PIL import ExifTags, Image, ImageOps

from cardroom.accounts import look
from cardroom.accounts.models import Picture
from cardroom.core import access, audit_log, languages, notices, topics
from cardroom.core.errors import Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.operation import operation, row_of

STAFF = ("floor", "manager")
KINDS = ("JPEG", "PNG", "WEBP")
MOST_BYTES = 2 * 1024 * 1024
MOST_PIXELS = 25_000_000
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
#: One takes some hundred megabytes while it is drawn: those that come at once wait for each other.
_one_at_a_time = Lock()


def bring(*, player: User, body: bytes) -> Picture:
    """The player's picture from now on, drawn anew from this file, and chosen.

    Refuses: `Invalid` (no file, more than 2 MB, too many pixels, neither JPEG, PNG nor WebP).
    """
    with _one_at_a_time:
        drawn = _redrawn(body)
    return _keep(player=player, drawn=drawn)


@operation(row_of(User, "player"))
def _keep(*, player: User, drawn: bytes, now: datetime) -> Picture:
    User.objects.select_for_update(no_key=True).get(pk=player.pk)
    digest = sha256(drawn).hexdigest()[:32]
    made = Picture.objects.filter(player=player, digest=digest).first()  # the same again: a report of it stays
    if made is None:
        fresh = {"digest": digest, "body": drawn, "at": now}
        unreported = {"reported_by": None, "reported_at": None, "reported_why": ""}
        made, _ = Picture.objects.update_or_create(player=player, defaults=fresh | unreported)
    look.choose_picture(player, digest)
    return made


@operation(row_of(User, "player"))
def drop(*, player: User, now: datetime) -> None:
    """The player has no picture of their own any more; once more does nothing."""
    Picture.objects.filter(player=player).delete()
    look.choose_picture(player, "")


@operation(row_of(User, "by"))
def report(*, player: str, by: User, reason: str, now: datetime) -> Picture:
    """Show the floor the picture of the player with this screen name. Reported already, it stays so.

    Refuses: `Invalid` (no reason, one's own), `NotFound` (no such player, or no picture).
    """
    why = audit_log.reason_given(reason, what=gettext("reporting a picture"))
    found = Picture.objects.select_for_update().filter(player__username__iexact=player.strip()).first()
    if found is None:
        raise NotFound(gettext("This player has no picture of their own."), "no-such-picture")
    if found.player_id == by.pk:
        raise Invalid(gettext("You cannot report your own picture."), "bad-player")
    if found.reported_at is None:
        found.reported_by, found.reported_at, found.reported_why = by, now, why
        found.save(update_fields=["reported_by", "reported_at", "reported_why"])
        topics.tell("chat", "floor")
    return found


@operation(row_of(User, "player_id"), roles=STAFF)
def remove(*, player_id: int, by: User, reason: str, now: datetime) -> User:
    """Take an improper picture away; its player is told why. For the floor and managers.

    Refuses: `NotFound` (no picture), `Invalid` (no reason).
    """
    why = audit_log.reason_given(reason, what=gettext("removing a picture"))
    player = _of(player_id).player
    Picture.objects.filter(player=player).delete()
    look.choose_picture(player, "")
    audit_log.note(verb="picture.remove", subject=f"user:{player.pk}", player=player, by=by, now=now, reason=why)
    with languages.spoken_to(player):
        text = gettext("Your picture was removed: {why}").format(why=why)
    notices.tell(player=player, kind="staff", text=text[:300], now=now)
    topics.tell("chat", "floor")
    return player


@operation(row_of(User, "player_id"), roles=STAFF)
def dismiss(*, player_id: int, by: User, now: datetime) -> User:
    """Let a reported picture stand. For the floor and managers. Refuses: `NotFound` (no picture)."""
    player = _of(player_id).player
    Picture.objects.filter(player=player).update(reported_by=None, reported_at=None, reported_why="")
    audit_log.note(verb="picture.dismiss", subject=f"user:{player.pk}", player=player, by=by, now=now)
    topics.tell("chat", "floor")
    return player


def reported(by: User) -> QuerySet[Picture]:
    """The pictures that the floor has yet to look at, the oldest report first. For the floor and managers."""
    access.require_role(by, *STAFF)
    found = Picture.objects.filter(reported_at__isnull=False).select_related("player", "reported_by")
    return found.defer("body").order_by("reported_at")


def _of(player_id: int) -> Picture:
    found = Picture.objects.select_related("player").filter(player=player_id).first()
    if found is None:
        raise NotFound(gettext("This player has no picture of their own."), "no-such-picture")
    return found


def _redrawn(body: bytes) -> bytes:
    """As WebP: its middle as a square, the way up that it says of itself, and nothing else that it said."""
    if not body:
        raise Invalid(gettext("Choose a picture first."), "no-picture")
    if len(body) > MOST_BYTES:
        raise Invalid(
            gettext("A picture has at most {most} MB.").format(most=MOST_BYTES // 1024 // 1024), "picture-too-large"
        )
    square = Image.new("RGBA", (SIDE, SIDE))
    try:
        with Image.open(BytesIO(body), formats=KINDS) as found:
            if found.width * found.height > MOST_PIXELS:  # read from its head: nothing is unpacked yet
                raise _too_many_pixels()
            found.draft("RGB", (2 * SIDE, 2 * SIDE))
            middle = _upright(_middle(found)).convert("RGBA")
            square.paste(ImageOps.fit(middle, square.size, Image.Resampling.LANCZOS))
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _too_many_pixels() from None
    except (OSError, ValueError, SyntaxError, struct.error):
        raise Invalid(
            gettext("This picture cannot be read. It has to be a JPEG, PNG or WebP."), "bad-picture"
        ) from None
    tries = [(square, quality) for quality in _QUALITIES]
    for shape, quality in [*tries, (square.convert("RGB"), _QUALITIES[-1])]:  # transparency is kept whole
        drawn = BytesIO()
        shape.save(drawn, "WEBP", quality=quality, method=4)
        if drawn.tell() <= _SMALL:
            break
    return drawn.getvalue()


def _middle(found: Image.Image) -> Image.Image:
    """Its largest square: the rest of a long strip is not worth its memory."""
    side = min(found.size)
    left, top = (found.width - side) // 2, (found.height - side) // 2
    return found.crop((left, top, left + side, top + side))


def _upright(found: Image.Image) -> Image.Image:
    try:
        turn = _TURNS.get(found.getexif().get(ExifTags.Base.Orientation))
    except Exception:  # what is broken there is no reason to refuse a picture, and breaks the reader in many ways
        return found
    return found.transpose(turn) if turn is not None else found


def _too_many_pixels() -> Invalid:
    return Invalid(
        gettext("A picture has at most {most} million pixels.").format(most=MOST_PIXELS // 1000000), "picture-too-large"
    )
