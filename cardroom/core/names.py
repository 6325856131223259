"""Screen names that cannot be taken for somebody else's: written in one script, and compared by how they look.

After Unicode Technical Standard 39 (one script a name; what looks alike counts as the same), with the data of the
library confusable-homoglyphs. Pure: who has which name is asked in `accounts.people`.
"""

import re
import unicodedata
from functools import cache

from confusable_homoglyphs.categories import unique_aliases
from confusable_homoglyphs.confusables import confusables_data
from django.utils.translation import gettext

#: Names for the staff of a room, which nobody else may use.
STAFF_WORDS = frozenset({
    "admin", "administrator", "auditor", "brush", "cage", "cardroom", "cashier", "dealer", "director", "floor",
    "floorman", "floorperson", "house", "manager", "moderator", "operator", "owner", "root", "security", "staff",
    "superuser", "supervisor", "support", "system",
})  # fmt: skip
# A name that only begins or ends with one of these is taken for it as well: CashierAnna, thepokermanager.
_TELLING = tuple(word for word in STAFF_WORDS if len(word) >= 7)
# Scripts that are written together.
_TOGETHER = ({"HAN", "HIRAGANA", "KATAKANA"}, {"HAN", "BOPOMOFO"}, {"HAN", "HANGUL"})
_BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0")
# ASCII that looks like other ASCII in many a font, after capitals are small.
_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "m": "rn"})
_DIGITS_AS_LETTERS = str.maketrans("013457", "oieast")
_NO_LETTERS = re.compile(r"[\W\d_]+")
_NO_LETTERS_AROUND = re.compile(r"^[\W\d_]+|[\W\d_]+$")
_MARKS = re.compile(r"[@.+\-_]+")


def normal(name: str) -> str:
    """The name as it is kept: full-width and other forms of the same letters become the letters (NFKC)."""
    return unicodedata.normalize("NFKC", name)


def name_for_message(name: str) -> str:
    """A typed name for a message to the person who typed it: invisible characters are written as their numbers."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in name)


def looks(name: str) -> str:
    """A key for what a name looks like: two names with the same key can be mistaken for each other.

    Case, marks, and letters that look like Latin ones make no difference.
    """
    folded = "".join(_latin(letter) for letter in normal(name)).casefold()
    folded = "".join(_latin(letter) for letter in folded).casefold()
    return _MARKS.sub("", folded).translate(_ALIKE)


def fault(name: str) -> str:
    """Why a name could be confused with others, in a sentence; "" where it is good."""
    scripts = unique_aliases(name) - {"COMMON", "INHERITED"}
    if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
        return gettext("A screen name uses letters of one script only.")
    if any(unicodedata.category(letter)[0] == "N" and not letter.isascii() for letter in name):
        return gettext("The digits of a screen name are 0 to 9.")
    if _BLANK_LETTERS & set(name) or not any(letter.isalnum() for letter in name):
        return gettext("A screen name needs visible letters or digits.")
    local, at, domain = name.partition("@")
    if local and at and "." in domain:
        return gettext("A screen name cannot be an e-mail address: everybody sees it.")
    return ""


def is_like_staff(name: str) -> bool:
    """Whether it can be taken for the name of somebody who works here: manager2, Cashier., FloorManager."""
    name = normal(name)
    parts = {looks(part) for part in _NO_LETTERS.split(name) if part}
    bare = looks(_NO_LETTERS_AROUND.sub("", name))
    staff_looks = {looks(word + ending) for word in STAFF_WORDS for ending in ("", "s")}
    if staff_looks & {looks(name), looks(name.translate(_DIGITS_AS_LETTERS)), *parts} or _is_made_of(bare, staff_looks):
        return True
    telling = tuple(looks(word) for word in _TELLING)
    return bare.startswith(telling) or bare.endswith(telling)


def _is_made_of(text: str, words: set[str]) -> bool:
    """Whether it is words of these one after the other, nothing between them."""
    return any(text == word or (text.startswith(word) and _is_made_of(text[len(word) :], words)) for word in words)


@cache
def _latin(letter: str) -> str:
    """The ASCII that a letter looks like, else the letter."""
    if letter.isascii():
        return letter
    lookalikes = (lookalike["c"] for lookalike in confusables_data.get(letter) or ())
    return next((text for text in lookalikes if text.isascii() and text.isalnum()), letter)
