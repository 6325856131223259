"""Lines and bars drawn on the server: names and numbers as the points and rectangles of an SVG."""

from collections.abc import Sequence
from dataclasses import dataclass

_WIDTH, _HEIGHT, _EDGE = 720, 200, 8
#: More points than this are thinned out, the last one kept.
_MOST = 240


@dataclass(frozen=True)
class Chart:
    """A line. `line`: the points of a polyline in a box of `width` by `height`; `zero`: the height of the value 0;
    `least` and `most`: the values of the lower and the upper edge."""

    width: int
    height: int
    line: str
    zero: float
    least: int
    most: int
    end_x: float
    end_y: float


def line_chart(values: Sequence[int]) -> Chart | None:
    """A line from 0 through these values; None without values."""
    if not values:
        return None
    step = -(-len(values) // _MOST)
    chosen_values = [0, *values[step - 1 :: step]]
    if chosen_values[-1] != values[-1] or len(values) % step:
        chosen_values.append(values[-1])
    least, most = min(chosen_values), max(chosen_values)
    scale = (_HEIGHT - 2 * _EDGE) / ((most - least) or 1)
    across = (_WIDTH - 2 * _EDGE) / max(1, len(chosen_values) - 1)

    def y(value: int) -> float:
        return round(_HEIGHT - _EDGE - (value - least) * scale, 1)

    points = [(round(_EDGE + place * across, 1), y(value)) for place, value in enumerate(chosen_values)]
    line = " ".join(f"{x},{high}" for x, high in points)
    return Chart(_WIDTH, _HEIGHT, line, y(0), least, most, *points[-1])


_ROW, _NAME, _VALUE, _MOST_BARS = 26, 210, 90, 40


@dataclass(frozen=True)
class ChartBar:
    """One bar. `x`, `y`, `width`: its rectangle; `text_y`: the baseline of its name and number."""

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
    bars: list[ChartBar]
    left_out: int


def bars(values: Sequence[tuple[str, int]]) -> Bars | None:
    """Bars of the last forty values, negative ones to the left of 0; None if all are 0."""
    shown = list(values)[-_MOST_BARS:]
    if not any(value for _, value in shown):
        return None
    least, most = min(0, *(value for _, value in shown)), max(0, *(value for _, value in shown))
    scale = (_WIDTH - _NAME - _VALUE) / ((most - least) or 1)
    zero = _NAME - least * scale
    drawn = [
        ChartBar(
            name=name if len(name) <= 30 else f"{name[:29]}…",
            value=value,
            x=round(zero + min(0, value) * scale, 1),
            y=place * _ROW + 4,
            width=max(1.0, round(abs(value) * scale, 1)),
            text_y=place * _ROW + 18,
        )
        for place, (name, value) in enumerate(shown)
    ]
    return Bars(_WIDTH, len(shown) * _ROW + 4, round(zero, 1), drawn, len(values) - len(shown))
