"""Push: what reaches a player's browser while no page of the room is open. A browser is told by the push service of its
maker, at an address that it names itself, so the room sends to services of the setting `CARDROOM_PUSH_SERVICES` alone.

What is sent is encrypted for the browser and signed by the room (RFC 8291, 8292). It says no more than a notice does:
never a card.
"""

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from email.utils import parseaddr
from functools import lru_cache
from hashlib import sha512
from typing import Annotated
from urllib.parse import urlsplit

import requests
import structlog
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext
from py_vapid import Vapid02
from pywebpush import WebPushException, webpush

from cardroom.accounts.models import PushSubscription, RoomSession
from cardroom.core import notices
from cardroom.core.arguments import Limits, RowId, internal, not_kept
from cardroom.core.errors import Invalid, NotFound
from cardroom.core.languages import spoken_to
from cardroom.core.models import Notice, User
from cardroom.core.sentences import StoredText, Wording, to_text
from cardroom.core.verb import lock, verb

log = structlog.get_logger(__name__)

#: Players who had a page in sight so lately are told there. It is noted with every heartbeat of the sockets.
IN_SIGHT = timedelta(seconds=10)
MOST = 10
_SECONDS = 5
_AT_ONCE = 8
#: Of an address nothing else is taken: what libraries read in different ways is no address.
_HOST = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+")
_CURVE = ec.SECP256R1()
_CURVE_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
#: The service knows the browser no more, or it belongs to another key of the room.
_GONE = frozenset({403, 404, 410})
#: What a browser is called.
_NAME_ON_MACHINE = Wording("push.name-on-machine", "{name} on {what}")
_BROWSER_ON_MACHINE = Wording("push.browser-on-machine", "A browser on {what}")
_BROWSER = Wording("push.browser", "A browser")
_IPHONE = Wording("push.iphone", "an iPhone")
_IPAD = Wording("push.ipad", "an iPad")
_MAC = Wording("push.mac", "a Mac")


def is_possible() -> bool:
    """Whether this room sends anything by push."""
    return bool(settings.CARDROOM_PUSH_SERVICES)


def public_key() -> str:
    """The key that a browser gives to its push service: then only this room can send to it."""
    key = _key(settings.CARDROOM_PUSH_SECRET).public_key
    return _text(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def subscriptions_of(player: User) -> list[PushSubscription]:
    """The user's browsers that get push messages, the oldest first."""
    return list(PushSubscription.objects.filter(player=player))


@verb("push.subscribe")
def subscribe(
    *,
    endpoint: Annotated[str, Limits(max_length=500)],
    p256dh: Annotated[str, Limits(max_length=90)],
    auth: Annotated[str, Limits(max_length=30)],
    session_key: Annotated[str | None, internal] = None,
    agent: Annotated[str, internal] = "",
    by: User,
) -> Annotated[PushSubscription, not_kept]:
    """Send push messages to this browser; it leaves any other player who used it. Of more than ten browsers the oldest
    is dropped.

    Refuses: `Invalid` (a push service that this room does not know, keys that are none). Locks the player's row.
    """
    if not _is_known(endpoint):
        raise Invalid("bad-endpoint", "This room sends to no such push service.")
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, _bytes(p256dh))
        is_good = len(_bytes(auth)) == 16
    except ValueError:
        is_good = False
    if not is_good:
        raise Invalid("bad-push-keys", "These are no keys of a browser for push.")
    _, now = lock(User, by.pk)
    session = RoomSession.objects.filter(pk=session_key, user=by).first() if session_key else None
    subscriptions = PushSubscription.objects.filter(player=by)
    if session is not None:
        subscriptions.filter(session=session).exclude(endpoint=endpoint).delete()
    subscription, _ = PushSubscription.objects.update_or_create(
        endpoint=endpoint,
        defaults={
            "player": by,
            "session": session,
            "p256dh": p256dh,
            "auth": auth,
            "browser": browser_of(agent),
            "at": now,
            "seen_at": now,
        },
    )
    subscriptions.exclude(pk__in=subscriptions.order_by("-at", "-pk")[:MOST].values_list("pk", flat=True)).delete()
    return subscription


@verb("push.unsubscribe")
def unsubscribe(*, subscription_id: RowId, by: User) -> None:
    """Send no more push messages to that browser. `NotFound` where it is none of theirs."""
    deleted, _ = PushSubscription.objects.filter(player=by, pk=subscription_id).delete()
    if not deleted:
        raise NotFound("no-such-browser", "There is no such browser.")


def note_in_sight(*, players: Collection[int], now: datetime) -> None:
    """These players have a page of the room in sight. One statement."""
    PushSubscription.objects.filter(player__in=players, seen_at__lt=now).update(seen_at=now)


def out_of_sight(*, now: datetime) -> QuerySet[PushSubscription]:
    """The browsers to push to: those of players who had no page in sight lately."""
    lately = now - IN_SIGHT
    return PushSubscription.objects.filter(seen_at__lt=lately, player__is_active=True).select_related("player")


def send(news: Sequence[tuple[Notice, timedelta]], *, now: datetime) -> int:
    """Push these notices, each with the time for which it is of use, to the browsers of their players who have no page
    in sight; how many reached a push service. Browsers that are gone are taken off, and their players are told on
    pages. Call outside a transaction."""
    subscriptions = list(out_of_sight(now=now).filter(player__in={notice.player_id for notice, _ in news}))
    if not subscriptions:
        return 0

    def post(to: PushSubscription) -> list[int]:
        return [_post(to, notice, lasts) for notice, lasts in news if notice.player_id == to.player_id]

    with ThreadPoolExecutor(min(_AT_ONCE, len(subscriptions)), "push") as threads:
        answers = list(threads.map(post, subscriptions))
    for to, statuses in zip(subscriptions, answers, strict=True):
        if not _GONE.isdisjoint(statuses):
            _end(to, now=now)
    return sum(200 <= status < 300 for statuses in answers for status in statuses)


@transaction.atomic
def _end(subscription: PushSubscription, *, now: datetime) -> None:
    """The push service no longer knows the browser: remove it, and tell its player that push has ended there."""
    if not PushSubscription.objects.filter(pk=subscription.pk).delete()[0]:
        return
    with spoken_to(subscription.player):
        text = gettext("Push has ended in {browser}. Switch it on again on your account page.").format(
            browser=to_text(subscription.browser)
        )
    notices.tell(player=subscription.player, kind="push-ended", text=text, key=f"push-ended:{subscription.pk}", now=now)


def browser_of(agent: str) -> StoredText:
    """The names of a browser and its machine, from its user agent; the first match counts."""
    names = {"Edg": "Edge", "OPR": "Opera", "SamsungBrowser": "Samsung Internet", "Firefox": "Firefox"}
    names |= {"Chrome": "Chrome", "Safari": "Safari"}
    machines: dict[str, StoredText] = {"Android": "Android", "iPhone": _IPHONE(), "iPad": _IPAD(), "Windows": "Windows"}
    machines |= {"Mac OS": _MAC(), "Linux": "Linux"}
    name = next((name for word, name in names.items() if word in agent), "")
    machine = next((name for word, name in machines.items() if word in agent), "")
    if not machine:
        return name or _BROWSER()
    return _NAME_ON_MACHINE(name=name, what=machine) if name else _BROWSER_ON_MACHINE(what=machine)


def _post(to: PushSubscription, notice: Notice, lasts: timedelta) -> int:
    """The status that the push service answered with; 0 where it did not answer. Touches no database: it runs in a
    thread of its own."""
    if not _is_known(to.endpoint):
        return 0
    message = {"title": settings.CARDROOM_NAME, "body": notice.text, "tag": _tag(notice), "url": _address(notice)}
    contact = settings.CARDROOM_ADDRESS or f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"
    try:
        with requests.Session() as session:
            session.max_redirects = 0  # one that is sent elsewhere counts as refused
            answer = webpush(
                {"endpoint": to.endpoint, "keys": {"p256dh": to.p256dh, "auth": to.auth}},
                json.dumps(message),
                vapid_private_key=_key(settings.CARDROOM_PUSH_SECRET),
                vapid_claims={"sub": contact},
                ttl=int(lasts.total_seconds()),
                headers={"Urgency": "high"},
                timeout=_SECONDS,
                requests_session=session,
            )
    except WebPushException as error:
        status = error.response.status_code if error.response is not None else 0
        if status not in _GONE:
            log.warning("a push service refused a notice", status=status, service=urlsplit(to.endpoint).hostname)
        return status
    except (requests.RequestException, ValueError):
        log.exception("a push service could not be reached", service=urlsplit(to.endpoint).hostname)
        return 0
    return int(answer.status_code)  # type: ignore[union-attr]


def _tag(notice: Notice) -> str:
    """A notice of the same tag takes the place of an older one; pages name theirs alike."""
    return {"turn": "turn", "called": "call"}.get(notice.kind, f"notice-{notice.pk}")


def _address(notice: Notice) -> str:
    """The address of the page that the notice is about."""
    if notice.kind == "turn":
        return reverse("table", args=[notice.data["table"]])
    return reverse("tournament", args=[notice.tournament_id]) if notice.tournament_id else reverse("lobby")


def _is_known(endpoint: str) -> bool:
    """By its whole origin where that is what the setting names; else https without a port, at a host there or below."""
    try:
        parts = urlsplit(endpoint)
        is_plain = parts.scheme == "https" and parts.port in (None, 443) and parts.username is None
    except ValueError:
        return False
    if not (endpoint.isascii() and endpoint.isprintable()):
        return False
    if f"{parts.scheme}://{parts.netloc}" in settings.CARDROOM_PUSH_SERVICES:
        return True
    host = parts.hostname or ""
    return (
        is_plain
        and bool(_HOST.fullmatch(host))
        and any(host == known or host.endswith(f".{known}") for known in settings.CARDROOM_PUSH_SERVICES)
    )


@lru_cache(maxsize=4)
def _key(secret: str) -> Vapid02:
    """The room's key for push: the same in every process that has the secret."""
    number = int.from_bytes(sha512(b"cardroom push key:" + secret.encode()).digest()) % (_CURVE_ORDER - 1) + 1
    return Vapid02(ec.derive_private_key(number, _CURVE))


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
