"""Bars drawn on the server: names and numbers into the rectangles of an SVG."""

from collections.abc import Sequence
from dataclasses import dataclass

_WIDTH, _ROW, _NAME, _VALUE, _MOST = 720, 26, 210, 90, 40


@dataclass(frozen=True)
class Bar:
    """`x`, `y`, `width`: of the bar; `text_y`: the line its name and its number stand on."""

    name: str
    value: int
    x: float
    y: float
    width: float
    text_y: float


@dataclass(frozen=True)
class Bars:
    width: int
    height: int
    zero: float
    bars: list[Bar]
    left_out: int


def bars(values: Sequence[tuple[str, int]]) -> Bars | None:
    """Bars of these values from nothing on, those below it to the left; None where all are nothing. The last forty."""
    kept = list(values)[-_MOST:]
    if not any(value for _, value in kept):
        return None
    least, most = min(0, *(value for _, value in kept)), max(0, *(value for _, value in kept))
    scale = (_WIDTH - _NAME - _VALUE) / ((most - least) or 1)
    zero = _NAME - least * scale
    drawn = [
        Bar(
            name=name if len(name) <= 30 else f"{name[:29]}…",
            value=value,
            x=round(zero + min(0, value) * scale, 1),
            y=place * _ROW + 4,
            width=max(1.0, round(abs(value) * scale, 1)),
            text_y=place * _ROW + 18,
        )
        for place, (name, value) in enumerate(kept)
    ]
    return Bars(_WIDTH, len(kept) * _ROW + 4, round(zero, 1), drawn, len(values) - len(kept))
