"""Lines drawn on the server: numbers into the points of an SVG."""

from collections.abc import Sequence
from dataclasses import dataclass

_WIDTH, _HEIGHT, _EDGE = 720, 200, 8
#: More points than this are thinned out, the last one kept.
_MOST = 240


@dataclass(frozen=True)
class Chart:
    """`line`: the points of a polyline in a box of `width` by `height`; `zero`: where nothing won and nothing lost is;
    `least` and `most`: what the lower and the upper edge stand for."""

    width: int
    height: int
    line: str
    zero: float
    least: int
    most: int
    end_x: float
    end_y: float


def line_chart(values: Sequence[int]) -> Chart | None:
    """A line from nothing through these values; None where there are none."""
    if not values:
        return None
    step = -(-len(values) // _MOST)
    kept = [0, *values[step - 1 :: step]]
    if kept[-1] != values[-1] or len(values) % step:
        kept.append(values[-1])
    least, most = min(kept), max(kept)
    scale = (_HEIGHT - 2 * _EDGE) / ((most - least) or 1)
    across = (_WIDTH - 2 * _EDGE) / max(1, len(kept) - 1)

    def y(value: int) -> float:
        return round(_HEIGHT - _EDGE - (value - least) * scale, 1)

    points = [(round(_EDGE + place * across, 1), y(value)) for place, value in enumerate(kept)]
    line = " ".join(f"{x},{high}" for x, high in points)
    return Chart(_WIDTH, _HEIGHT, line, y(0), least, most, *points[-1])
