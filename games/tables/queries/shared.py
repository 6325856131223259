"""Shared hands: the secret words of their links, and the hand as a reader of a link sees it."""

from __future__ import annotations

from contextlib import suppress
from copy import copy
from dataclasses import replace
from hashlib import sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from cardroom.core.errors import Conflict, NotFound
from games.engine.facts.base import Fact
from games.engine.facts.mistakes import EntryReversed, Ordered
from games.engine.facts.play import ShuffleCommitted
from games.tables.models.tables import Hand
from games.tables.queries.history import HandStory, seat_story

_PURPOSE = "hands.shared"
_NONE = gettext_noop("There is no shared hand at this address.")


def link_of(story: HandStory, *, has_names: bool) -> str:
    """The secret word of a link by which anybody sees this hand as its viewer does. `Conflict` while it is played."""
    if not story.is_over:
        raise Conflict("hand-in-play", "A hand can be shared when it is over.")
    plaintext = f"{story.id}-{story.viewer_seat or 0}-{has_names:d}".encode()
    return _sealing(settings.SECRET_KEY).encrypt(plaintext, None).hex()


def shared_hand(word: str) -> HandStory:
    """The hand of a link, as the player who shared it sees it. Where they hid the names, players are called by their
    seats, and nothing tells which hand of which table it was, for that hand's page has the names: its numbers are 0,
    its table has no name, its day no time. It leads to no other hand. `NotFound` for a word that is no link's."""
    number, seat, has_names = _unseal_link(word)
    hand = Hand.objects.select_related("table").filter(pk=number).first()
    if hand is None:
        raise NotFound("no-such-hand", _NONE)
    story = seat_story(hand, seat or None)
    if has_names:
        return story
    table = copy(story.table)
    table.pk, table.name = 0, ""
    day = timezone.localtime(story.started_at).replace(hour=0, minute=0, second=0, microsecond=0)
    sitters = {
        seat: replace(sitter, player=0, name=gettext("Seat {seat}").format(seat=seat))
        for seat, sitter in story.sitters.items()
    }
    facts = [(seq, day, _anonymous(fact)) for seq, _, fact in story.facts]
    return replace(story, id=0, number=0, table=table, started_at=day, ended_at=day, sitters=sitters, facts=facts)


def _sealing(secret: str) -> AESSIV:
    """The cipher of the words of links: they tell a reader nothing, and the same link always has the same word."""
    return AESSIV(sha256(f"{_PURPOSE}:{secret}".encode()).digest())


def _unseal_link(word: str) -> tuple[int, int, int]:
    """The hand, the seat and whether there are names; also of a link that was made under an earlier secret key."""
    with suppress(ValueError):
        sealed = bytes.fromhex(word)
        if sealed.hex() != word:  # one link has one address, not one for each way to write it
            raise ValueError(word)
        for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
            with suppress(InvalidTag):
                number, seat, has_names = map(int, _sealing(secret).decrypt(sealed, None).split(b"-"))
                return number, seat, has_names
    raise NotFound("no-such-hand", _NONE)


def _anonymous(fact: Fact) -> Fact:
    """The fact without what could name a player or the hand: free words of the floor or a dealer may name anybody, and
    the commitment names the hand."""
    if isinstance(fact, ShuffleCommitted):
        return replace(fact, root="", cuts=(), next_root="")
    return replace(fact, reason="") if isinstance(fact, Ordered | EntryReversed) else fact
