"""Pictures that players bring: drawn anew from what came, so that nothing of the file itself is ever shown.

One is a square of 256 pixels, some kilobytes, kept with its player and served at an address made of its content.
Players report what is improper to the floor, which removes it.
"""

import struct
import subprocess
import sys
from datetime import datetime
from hashlib import sha256

import structlog
from django.db.models import QuerySet
from django.utils.translation import gettext, gettext_noop

from cardroom.accounts import look, redrawing
from cardroom.accounts.models import Picture
from cardroom.core import access, audit_log, languages, notices, topics
from cardroom.core.errors import Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.operation import operation, row_of
from cardroom.core.web import heavy

log = structlog.get_logger(__name__)

STAFF = ("floor", "manager")
MOST_BYTES = 2 * 1024 * 1024
#: What a process that draws one may use: memory, and seconds of computing.
MEGABYTES, SECONDS = 1_024, 5
_PATIENCE = 30
#: Of one player.
MOST_A_MINUTE = "6/min"


def bring(*, player: User, body: bytes) -> Picture:
    """The player's picture from now on, drawn anew from this file, and chosen.

    Refuses: `Invalid` (no file, more than 2 MB, too many pixels, neither JPEG, PNG nor WebP), `Busy`, `TooMany`.
    """
    return _keep(player=player, drawn=_redrawn(body))


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
        raise NotFound("no-such-picture", "This player has no picture of their own.")
    if found.player_id == by.pk:
        raise Invalid("bad-player", "You cannot report your own picture.")
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
        raise NotFound("no-such-picture", "This player has no picture of their own.")
    return found


def _redrawn(body: bytes) -> bytes:
    """As a small WebP, by a process of its own. `Invalid` where that cannot be."""
    if not body:
        raise Invalid("no-picture", "Choose a picture first.")
    if len(body) > MOST_BYTES:
        raise Invalid("picture-too-large", "A picture has at most {most} MB.", most=MOST_BYTES // 1024 // 1024)
    kind, pixels = _in_its_head(body)
    if pixels > redrawing.MOST_PIXELS.get(kind, pixels):  # at once, and nothing is unpacked for it
        raise _too_many_pixels()
    heavy.check_pace("picture", MOST_A_MINUTE)
    return heavy.work(_by_a_process_of_its_own, body)


def _by_a_process_of_its_own(body: bytes) -> bytes:
    command = [sys.executable, "-I", "-B", redrawing.__file__, str(MEGABYTES), str(SECONDS)]
    try:
        done = subprocess.run(command, input=body, capture_output=True, cwd="/", timeout=_PATIENCE, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:  # it was killed; it computed for less, so others kept the machine busy
        raise heavy.busy() from None
    if done.returncode == 0 and done.stdout:
        return done.stdout
    if done.returncode == redrawing.UNREADABLE:
        raise Invalid("bad-picture", "This picture cannot be read. It has to be a JPEG, PNG or WebP.")
    if done.returncode != redrawing.TOO_MANY_PIXELS:
        error = done.stderr[-300:].decode(errors="replace")
        log.warning("a picture could not be drawn", code=done.returncode, error=error)
    raise _too_many_pixels()


def _in_its_head(body: bytes) -> tuple[str, int]:
    """The kind of a PNG or WebP, and how many pixels it says that it has; ("", 0) for anything else."""
    if body[:8] == b"\x89PNG\r\n\x1a\n" and len(body) >= 24:
        width, height = struct.unpack(">II", body[16:24])
        return "PNG", width * height
    if body[:4] != b"RIFF" or body[8:12] != b"WEBP" or len(body) < 30:
        return "", 0
    shape = body[12:16]
    if shape == b"VP8X":
        sides = [int.from_bytes(body[at : at + 3], "little") + 1 for at in (24, 27)]
    elif shape == b"VP8L":
        bits = int.from_bytes(body[21:25], "little")
        sides = [(bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1]
    else:
        sides = [int.from_bytes(body[at : at + 2], "little") & 0x3FFF for at in (26, 28)]
    return "WEBP", sides[0] * sides[1]


def _too_many_pixels() -> Invalid:
    others, jpeg = (redrawing.MOST_PIXELS[kind] // 1_000_000 for kind in ("PNG", "JPEG"))
    words = gettext_noop("A picture has at most {most} million pixels, a JPEG {jpeg} million.")
    return Invalid("picture-too-large", words, most=others, jpeg=jpeg)
