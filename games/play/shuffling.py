"""The shuffle of each hand, and the commitment to it that is published before the first card.

The deck follows from a secret of 32 bytes, which is kept in a fact of the hand that nobody sees, so it survives the end
of the process. Each hand also holds the secret of the next one and publishes its root: the deck of a hand is fixed
before players cut it, and their cuts turn it in a way that everybody can follow. The scheme, and the check that a
player makes at home, are in `verify_deal.py`; both use the same functions.

It proves that every card that a player saw lay at that place of a deck to which the room had committed before the hand
began; that no card was changed, exchanged or dealt from elsewhere after that; and that a player who cuts does change
where the cards fall. It does not prove that the room shuffled well (see `manage.py shuffle_test`), nor that it kept the
order of the deck secret. A room that cheats together with a player could let that player cut last, and try several
cuts.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cardroom.core import seals
from games.engine.cards import DECK
from games.engine.facts.base import Fact
from games.engine.facts.play import DeckShuffled, ShuffleCommitted
from games.play import verify_deal
from games.tables import journal as table_journal
from games.tables.models.tables import Table

_SALT = 16


@dataclass(frozen=True)
class Shuffle:
    """The deck of a hand with its secrets; `scramble`: the second shuffle, for cards that are mixed again."""

    deck: tuple[str, ...]
    scramble: tuple[str, ...]
    commitment: ShuffleCommitted
    secrets: tuple[str, str]


def shuffle(table: Table) -> Shuffle:
    """The shuffle of the next hand: the one that the hand before committed to, with the cuts since. Call with the table
    locked. At most one query."""
    committed, shuffled = _committed_before(table)
    root, secret = committed.next_root if committed else "", shuffled.next_secret if shuffled else ""
    was_told_before = bool(root and secret)
    if not was_told_before:
        secret = new_secret()
        root = root_of(secret)
    cuts = cuts_of(table, root)
    next_secret = new_secret()
    commitment = ShuffleCommitted(verify_deal.SCHEME, root, was_told_before, cuts, root_of(next_secret))
    deck, scramble = decks(secret, root, cuts)
    return Shuffle(deck, scramble, commitment, (secret, next_secret))


def _committed_before(table: Table) -> tuple[ShuffleCommitted | None, DeckShuffled | None]:
    try:
        return committed_of(table.last_hand_id)
    except (seals.NoKey, seals.NotOpened):
        # The key is lost, or the row was changed: the deck is a new one, and its hand says so (`was_told_before`).
        return None, None


def committed_of(hand_id: int | None) -> tuple[ShuffleCommitted | None, DeckShuffled | None]:
    """The commitment of a hand, and the fact with its secrets. One query, or none if this process played it last."""
    if hand_id is None:
        return None, None
    return committed_in(table_journal.facts(hand_id, upto=3))


def committed_in(facts: Sequence[Fact]) -> tuple[ShuffleCommitted | None, DeckShuffled | None]:
    """The commitment to the shuffle and the deck, from a hand's first facts; None where it was dealt before there were
    commitments, or from a physical deck."""
    committed = next((fact for fact in facts[:3] if isinstance(fact, ShuffleCommitted)), None)
    return committed, next((fact for fact in facts[:3] if isinstance(fact, DeckShuffled)), None)


def cuts_of(table: Table, root: str) -> tuple[tuple[int, str], ...]:
    """The cuts of the deck with this root, by seat."""
    if table.cuts.get("root") != root:
        return ()
    return tuple(sorted((int(seat), cut) for seat, cut in table.cuts["cuts"].items()))


def new_secret() -> str:
    """A secret from the operating system's random source, in hex."""
    return secrets.token_hex(32)


def decks(secret: str, root: str, cuts: Sequence[tuple[int, str]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The deck that follows from a secret and the cuts, top card first, and the same cards in the order of the second
    shuffle."""
    bottom = committed_deck(secret)
    deck = tuple([bottom[leaf] for leaf in verify_deal.leaves_of(root, cuts)])
    return deck, tuple([deck[position] for position in verify_deal.order("mixing", _mixing_key(secret))])


def committed_deck(secret: str) -> list[str]:
    """The deck before the cuts, to which the leaves commit."""
    return [DECK[place] for place in verify_deal.order("deck", bytes.fromhex(secret))]


def root_of(secret: str) -> str:
    """The root of a deck, which is published before it is dealt."""
    return _tree(secret)[-1][0].hex()


def _tree(secret: str) -> list[list[bytes]]:
    """The tree over a deck, level by level from its leaves to its root."""
    salts = _salts(secret)
    leaves = [
        verify_deal.leaf(index, card.encode() + salts[index]) for index, card in enumerate(committed_deck(secret))
    ]
    levels = [[*leaves, verify_deal.leaf(verify_deal.MIXING, _mixing_key(secret))]]
    while len(below := levels[-1]) > 1:
        level = [verify_deal.node(*below[at : at + 2]) for at in range(0, len(below) - 1, 2)]
        levels.append(level + below[2 * len(level) :])  # a node without a partner goes up as it is
    return levels


def _salts(secret: str) -> list[bytes]:
    data = verify_deal.stream("salts", bytes.fromhex(secret), len(DECK) * _SALT)
    return [data[at : at + _SALT] for at in range(0, len(data), _SALT)]


def _mixing_key(secret: str) -> bytes:
    return verify_deal.stream("mixing-key", bytes.fromhex(secret), 32)


class Opener:
    """Opens a commitment card by card. It holds the secret: check first that the viewer may see a card."""

    def __init__(self, committed: ShuffleCommitted, shuffled: DeckShuffled) -> None:
        if shuffled.deck is None or not shuffled.secret:
            raise ValueError("a commitment is opened with the secret that it was made from")
        self._secret = shuffled.secret
        self._levels = _tree(shuffled.secret)
        self._salts = _salts(shuffled.secret)
        self._leaves = verify_deal.leaves_of(committed.root, committed.cuts)
        self.position_of = {card: position for position, card in enumerate(shuffled.deck) if card is not None}

    def card(self, card: str) -> dict[str, Any]:
        """The position of the card, its salt, and the path from its leaf to the root."""
        position = self.position_of[card]
        leaf = self._leaves[position]
        return {
            "card": card,
            "position": position,
            "leaf": leaf,
            "salt": self._salts[leaf].hex(),
            "path": self._path(leaf),
        }

    def mixing(self) -> dict[str, Any]:
        """The second shuffle, which mixes positions and names no card."""
        return {"key": _mixing_key(self._secret).hex(), "path": self._path(verify_deal.MIXING)}

    def _path(self, index: int) -> list[str]:
        path = []
        for level in self._levels[:-1]:
            if index ^ 1 < len(level):
                path.append(level[index ^ 1].hex())
            index //= 2
        return path
