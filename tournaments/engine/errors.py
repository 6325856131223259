"""Refusals of the tournament engine: nothing changed, and here is why."""

from __future__ import annotations

from typing import Any, Self


class EventSentence(str):
    """Words for people in English, with their pattern and values, so that they can be shown in another language too.

    ``pattern``: as it is translated, ``{name}`` where each of ``values`` stands; a value may be an ``EventSentence``
    itself, or a tuple of texts, which stand with a comma between them. ``many``: the pattern for every number ``n``
    but 1, "" where nothing is counted. ``code``: of the ``Phrase`` it was made of, "" for words that no fact keeps.
    """

    __slots__ = ("code", "many", "pattern", "values")
    code: str
    pattern: str
    many: str
    values: dict[str, Any]

    def __new__(cls, pattern: str, many: str = "", /, **values: Any) -> Self:
        chosen = many if many and values["n"] != 1 else pattern
        texts = {name: ", ".join(value) if isinstance(value, tuple) else value for name, value in values.items()}
        sentence = super().__new__(cls, chosen.format(**texts) if texts else chosen)
        sentence.code, sentence.pattern, sentence.many, sentence.values = "", pattern, many, values
        return sentence

    @property
    def stored(self) -> dict[str, Any] | str:
        """As facts keep it, ``{"code": "entry", "values": {"name": "Ana"}}``; in English where it has no code."""
        if not self.code:
            return str(self)
        return {"code": self.code, "values": {name: stored(value) for name, value in self.values.items()}}


def stored(value: Any) -> Any:
    """A value of words for people, or the words themselves, as facts keep it."""
    if isinstance(value, tuple):
        return [stored(part) for part in value]
    return value.stored if isinstance(value, EventSentence) else value


class Phrase:
    """A sentence that facts keep by its ``code`` and its values. A code never changes its meaning.

    ENTRY = Phrase("entry", "Entry of {name}")
    label = ENTRY(name="Ana")
    """

    def __init__(self, code: str, pattern: str) -> None:
        assert code not in _phrases, f"two phrases have the code {code}"
        self.code, self.pattern = code, pattern
        _phrases[code] = self

    def __call__(self, **values: Any) -> EventSentence:
        assert not any(isinstance(value, EventSentence) and not value.code for value in values.values())
        words = EventSentence(self.pattern, **values)
        words.code = self.code
        return words


_phrases: dict[str, Phrase] = {}


def sentence(data: Any, where: str = "") -> str:
    """The words of which ``data`` is the ``stored`` form, or text that somebody wrote. Raises ``ValueError``, naming
    ``where``, for anything else."""
    if type(data) is str:
        return data
    if not isinstance(data, dict) or set(data) != {"code", "values"} or data["code"] not in _phrases:
        raise ValueError(EventSentence("{where}: a text is wanted, not {data!r}", where=where, data=data))
    return _phrases[data["code"]](**{name: _value(value, where) for name, value in data["values"].items()})


def _value(value: Any, where: str) -> Any:
    if isinstance(value, list | tuple):
        return tuple([sentence(part, where) for part in value])
    return value if isinstance(value, int) else sentence(value, where)


def counted(n: int, singular: str, plural: str, /, **values: Any) -> EventSentence:
    """``one`` for 1, else ``many``, with ``{n}`` in them."""
    return EventSentence(singular, plural, n=n, **values)


class IllegalCommand(Exception):
    """A command that the rules of the event do not allow. The tournament is exactly as before.

    ``code``: stable, for programs (``entry-closed``); ``message``: a sentence for people, with what would mend it;
    ``rule``: the citation behind it, such as ``"TDA 8"`` (None where no rule but plain sense forbids it). It is
    raised with the sentence's pattern and values.
    """

    def __init__(self, code: str, pattern: str, rule: str | None = None, /, **values: Any) -> None:
        self.message = pattern if isinstance(pattern, EventSentence) else EventSentence(pattern, **values)
        super().__init__(self.message)
        self.code = code
        self.rule = rule
