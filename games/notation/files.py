"""Recorded hands in files: finds them, replays each, and reports the result of each.

A bad file is a result like any other, with its error, and the rest still run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from games.notation.phh import PhhError, Recording, loads
from games.notation.phh_replay import replay

_SUFFIXES = (".phh", ".phhs")


@dataclass(frozen=True, slots=True)
class ReplayedHand:
    """One recorded hand.

    ``file``: its path, with ``#name`` for one of a collection. ``finishing_stacks``: in the file's amounts, None where
    it cannot be told. ``matches``: whether the file says the same; False when it could not be played, None when it says
    nothing. ``error``: why it could not be played, in a line. ``notes``: what was read otherwise than it is written.
    """

    file: str
    finishing_stacks: list[int | float | None] | None = None
    matches: bool | None = None
    error: str = ""
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """file, finishing_stacks and matches; error and notes where there are any."""
        fields = {"file": self.file, "finishing_stacks": self.finishing_stacks, "matches": self.matches}
        fields |= {"notes": list(self.notes)} if self.notes else {}
        return {**fields, "error": self.error} if self.error else fields


def replay_paths(paths: Iterable[Path]) -> Iterator[ReplayedHand]:
    """Every recorded hand in these files and folders, in order of name."""
    for path in paths:
        if path.is_dir():
            files = sorted(file for file in path.rglob("*") if file.suffix in _SUFFIXES and file.is_file())
            if not files:
                yield _bad(str(path), f"there is no recorded hand ({', '.join(_SUFFIXES)}) in this folder")
            for file in files:
                yield from _replay_file(file)
        else:
            yield from _replay_file(path)


def _bad(file: str, error: str) -> ReplayedHand:
    return ReplayedHand(file, None, False, " ".join(error.split()))


def _replay_file(path: Path) -> Iterator[ReplayedHand]:
    file = str(path)
    try:
        hands = loads(path.read_text(encoding="utf-8"))
    except PhhError as error:
        yield _bad(file, str(error))
    except UnicodeDecodeError:
        yield _bad(file, "it is not UTF-8 text")
    except OSError as error:
        yield _bad(file, f"it cannot be read: {error.strerror}")
    else:
        for name, hand in hands.items():
            yield _replay_hand(f"{file}#{name}" if name else file, hand)


def _replay_hand(file: str, recording: Recording | PhhError) -> ReplayedHand:
    if isinstance(recording, PhhError):
        return _bad(file, str(recording))
    try:
        outcome = replay(recording)
    except PhhError as error:
        return _bad(file, str(error))
    stacks = outcome.finishing_stacks
    written = [recording.written(stack) for stack in stacks] if stacks else None
    return ReplayedHand(file, written, outcome.matches, notes=outcome.notes)
