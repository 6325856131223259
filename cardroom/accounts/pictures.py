"""Pictures that players bring: drawn anew from what came, so that nothing of the file itself is ever shown.

One is a square of 256 pixels, some kilobytes, kept with its player and served at an address made of its content.
Players report what is improper to the floor, which removes it.
"""

import struct
import subprocess
import sys
from hashlib import sha256
from typing import Annotated

import structlog
from django.db.models import QuerySet
from django.utils.translation import gettext, gettext_noop

from cardroom.accounts import look, redrawing
from cardroom.accounts.models import Picture
from cardroom.core import access, audit_log, languages, notices, topics
from cardroom.core.arguments import Limits, Reason, RowId, internal, not_kept
from cardroom.core.errors import Invalid
from cardroom.core.models import User
from cardroom.core.verb import lock, verb
from cardroom.core.web import heavy

log = structlog.get_logger(__name__)

STAFF = ("floor", "manager")
MOST_BYTES = 2 * 1024 * 1024
#: What a process that draws one may use: memory, and seconds of computing.
MEGABYTES, SECONDS = 1_024, 5
_PATIENCE = 30
#: Of one player.
MOST_A_MINUTE = "6/min"


def upload(*, body: Annotated[bytes, internal], by: User) -> Picture:
    """Make this file the player's picture: redrawn, and chosen.

    Refuses: `Invalid` (no file, more than 2 MB, too many pixels, neither JPEG, PNG nor WebP), `Busy`, `TooMany`.
    """
    return store(drawn=_redrawn(body), by=by)


@verb("pictures.keep")
def store(*, drawn: bytes, by: User) -> Picture:
    """Store a redrawn picture as the player's. Locks the player's row."""
    _, now = lock(User, by.pk)
    digest = sha256(drawn).hexdigest()[:32]
    picture = Picture.objects.filter(player=by, digest=digest).first()  # the same again: a report of it stays
    if picture is None:
        fresh = {"digest": digest, "body": drawn, "at": now}
        unreported = {"reported_by": None, "reported_at": None, "reported_why": ""}
        picture, _ = Picture.objects.update_or_create(player=by, defaults=fresh | unreported)
    look.choose_picture(by, digest)
    return picture


@verb("pictures.drop")
def drop(*, by: User) -> Annotated[None, not_kept]:
    """Remove the player's own picture; a second call does nothing. Locks the player's row."""
    lock(User, by.pk)
    Picture.objects.filter(player=by).delete()
    look.choose_picture(by, "")


@verb("pictures.report")
def report(
    *, player: Annotated[str, Limits(max_length=150, help_text="A screen name.")], reason: Reason, by: User
) -> None:
    """Show the floor the picture of the player with this screen name. A second report changes nothing.

    Refuses: `Invalid` (no reason, one's own), `NotFound` (no such player, or no picture). Locks the picture.
    """
    why = audit_log.reason_given(reason, what=gettext("reporting a picture"))
    picture, now = lock(_picture_of, player)
    if picture.player_id == by.pk:
        raise Invalid("bad-player", "You cannot report your own picture.")
    if picture.reported_at is None:
        picture.reported_by, picture.reported_at, picture.reported_why = by, now, why
        picture.save(update_fields=["reported_by", "reported_at", "reported_why"])
        topics.tell("chat", "floor")


@verb("pictures.remove", roles=STAFF)
def remove(*, player_id: RowId, reason: Reason, by: User) -> User:
    """Remove an improper picture; its player gets the reason. For the floor and managers.

    Refuses: `NotFound` (no picture), `Invalid` (no reason). Locks the player's row.
    """
    why = audit_log.reason_given(reason, what=gettext("removing a picture"))
    player, now = lock(_owner, player_id)
    Picture.objects.filter(player=player).delete()
    look.choose_picture(player, "")
    audit_log.note(verb="picture.remove", subject=f"user:{player.pk}", player=player, by=by, now=now, reason=why)
    with languages.spoken_to(player):
        text = gettext("Your picture was removed: {why}").format(why=why)
    notices.tell(player=player, kind="staff", text=text[:300], now=now)
    topics.tell("chat", "floor")
    return player


@verb("pictures.dismiss", roles=STAFF)
def dismiss(*, player_id: RowId, by: User) -> User:
    """Let a reported picture stand. For the floor and managers. Refuses: `NotFound` (no picture). Locks the player's
    row."""
    player, now = lock(_owner, player_id)
    Picture.objects.filter(player=player).update(reported_by=None, reported_at=None, reported_why="")
    audit_log.note(verb="picture.dismiss", subject=f"user:{player.pk}", player=player, by=by, now=now)
    topics.tell("chat", "floor")
    return player


def reported(by: User) -> QuerySet[Picture]:
    """The pictures that the floor has yet to look at, the oldest report first. For the floor and managers."""
    access.require_role(by, *STAFF)
    rows = Picture.objects.filter(reported_at__isnull=False).select_related("player", "reported_by")
    return rows.defer("body").order_by("reported_at")


def _owner(player_id: int) -> User:
    """The player with this picture, by a locked row."""
    player = User.objects.select_for_update(no_key=True).filter(pk=player_id).first()
    if player is None or not Picture.objects.filter(player=player).exists():
        raise Picture.not_found()
    return player


def _picture_of(name: str) -> Picture:
    """The picture of the player with this screen name, locked."""
    picture = Picture.objects.select_for_update().filter(player__username__iexact=name.strip()).first()
    if picture is None:
        raise Picture.not_found()
    return picture


def _redrawn(body: bytes) -> bytes:
    """The picture as a small WebP, drawn by a separate process. `Invalid` where it cannot be read."""
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
        process = subprocess.run(command, input=body, capture_output=True, cwd="/", timeout=_PATIENCE, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:  # it was killed; it computed for less, so others kept the machine busy
        raise heavy.busy() from None
    if process.returncode == 0 and process.stdout:
        return process.stdout
    if process.returncode == redrawing.UNREADABLE:
        raise Invalid("bad-picture", "This picture cannot be read. It has to be a JPEG, PNG or WebP.")
    if process.returncode != redrawing.TOO_MANY_PIXELS:
        error = process.stderr[-300:].decode(errors="replace")
        log.warning("a picture could not be drawn", code=process.returncode, error=error)
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
