"""Texts that the database keeps and may not read: sealed with AES-GCM under a key of the room's that lies outside it
(`CARDROOM_CARDS_KEY`).

The setting holds one key or several, each with a number: "2:<base64>,1:<base64>". The one with the highest number
seals, every other still opens what it sealed. A sealed text is "s1:<number of the key>:<base64url of nonce and
ciphertext>". Each subject (a hand, a player) has a key of its own, derived by HKDF, and what a text is about is bound
to it: a row that was moved to another place does not open.
"""

from __future__ import annotations

import os
import secrets
from base64 import b64decode, b64encode, urlsafe_b64decode, urlsafe_b64encode
from functools import lru_cache
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.core import checks

from cardroom.core import keyring
from cardroom.core.errors import Unavailable

NO_KEY = "There is no CARDROOM_CARDS_KEY: no hand is dealt, and none that was sealed can be read."
_HINT = "Give every process of the room the key it had; `manage.py cards_key` makes the first one of a new room."
#: How every sealed text begins; JSON, and a word, begin otherwise.
MARK = "s1:"
_KEY_BYTES, _NONCE_BYTES = 32, 12
#: Texts are padded with spaces to a multiple of so many bytes, as their length could reveal their content.
_BLOCK = 128
#: Subjects whose keys are kept in memory.
_KEPT = 1024


class NoKey(Unavailable):
    """The room has no key to seal with, or not the one that a text is sealed under."""

    code = "no-cards-key"


class NotOpened(Unavailable):
    """A sealed text does not open under its key: it was changed, or belongs to another row."""

    code = "seal-broken"


def parse_keys(setting: str) -> dict[int, bytes]:
    """The keys of a setting by their numbers, none of an empty one. Refuses as `keyring.parse_keys` does."""
    expected = f"each key is a number from 1, a colon and {_KEY_BYTES} bytes in base64"
    return keyring.parse_keys(setting, read=_read, expected=expected)


def _read(text: str) -> bytes:
    key = b64decode(text, validate=True)
    if len(key) != _KEY_BYTES:
        raise ValueError("too short, or too long")
    return key


def with_new_key(setting: str) -> str:
    """The setting with a new key in front, which seals from then on."""
    number = max(parse_keys(setting), default=0) + 1
    return ",".join(filter(None, [f"{number}:{b64encode(secrets.token_bytes(_KEY_BYTES)).decode()}", setting.strip()]))


def has_key() -> bool:
    """Whether the room can seal; without it no hand is dealt."""
    return bool(settings.CARDROOM_CARDS_KEY)


def check_key() -> None:
    """Refuses (`NoKey`) where the room cannot seal."""
    if not has_key():
        raise NoKey("no-cards-key", "No hand can be dealt: the room has no key for its cards. The operator sets it.")


@checks.register()
def tell_of_no_key(**_: Any) -> list[checks.CheckMessage]:
    """Warns at the start of a room without a key, which shows what is public and deals nothing."""
    return [] if has_key() else [checks.Warning(NO_KEY, hint=_HINT, id="cardroom.W001")]


def is_sealed(text: str) -> bool:
    return text.startswith(MARK)


def number_of(text: str) -> str:
    """The number of the key that a sealed text names."""
    return text.split(":", 2)[1]


def seal(text: str, *, subject: str, about: str, block: int = _BLOCK) -> str:
    """The text sealed for one place: `subject` has the key, such as "hand:7"; `about` says which text of it this is.

    Refuses: `NoKey`.
    """
    check_key()
    number, key = _newest(settings.CARDROOM_CARDS_KEY)
    plain = text.encode()
    plain = plain.ljust(-(-len(plain) // block) * block)
    nonce = os.urandom(_NONCE_BYTES)
    sealed = _cipher(key, subject).encrypt(nonce, plain, _place(subject, about))
    return f"{MARK}{number}:{urlsafe_b64encode(nonce + sealed).decode()}"


def opened(text: str, *, subject: str, about: str) -> str:
    """The text that was sealed for this place; a text that is not sealed is returned as it is.

    Refuses: `NoKey` (it is sealed under a key that the room does not have), `NotOpened`.
    """
    if not text.startswith(MARK):
        return text
    _, number, body = text.split(":", 2)
    key = _keys(settings.CARDROOM_CARDS_KEY).get(number)
    if key is None:
        raise NoKey(
            "no-cards-key",
            "This is sealed under key {number}, which the room does not have. The operator sets it.",
            number=number,
        )
    try:
        raw = urlsafe_b64decode(body)
        plain = _cipher(key, subject).decrypt(raw[:_NONCE_BYTES], raw[_NONCE_BYTES:], _place(subject, about))
    except (InvalidTag, ValueError):
        raise NotOpened(
            "seal-broken",
            "A sealed entry of this hand does not open: it was changed. The operator has to look into it.",
        ) from None
    return plain.decode().rstrip(" ")


@lru_cache(maxsize=8)
def _keys(setting: str) -> dict[str, bytes]:
    return {str(number): key for number, key in parse_keys(setting).items()}


@lru_cache(maxsize=8)
def _newest(setting: str) -> tuple[int, bytes]:
    return max(parse_keys(setting).items())


@lru_cache(maxsize=_KEPT)
def _cipher(key: bytes, subject: str) -> AESGCM:
    info = f"cardroom sealed text: {subject}".encode()
    return AESGCM(HKDF(algorithm=SHA256(), length=_KEY_BYTES, salt=None, info=info).derive(key))


def _place(subject: str, about: str) -> bytes:
    return f"{subject}:{about}".encode()
