"""A hand as a picture, for previews of its link. It draws only the scene it is given, in which there is nothing that
nobody may see. The same scene gives the same picture, byte by byte."""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path

from django.utils.text import capfirst
from PIL import Image, ImageDraw, ImageFont
from PIL import __version__ as PILLOW

from cardroom.core.paper import BOLD, PLAIN, font_file, printable
from games.engine.cards import UNKNOWN

WIDTH, HEIGHT = 1200, 630
_FACES = Path(__file__).resolve().parents[2] / "static" / "games" / "fonts"
#: Drawn larger and made smaller at the end, so that every edge is smooth.
_FINE = 2
_ROOM, _FELT, _FELT_EDGE, _RAIL = "#14181a", (42, 107, 88), (18, 56, 48), "#3d3029"
_TEXT, _MUTED, _ACCENT, _GOOD, _BAD = "#eef1ef", "#bdd3c8", "#e0bc72", "#7fdcae", "#ff9f8a"
_PLATE, _PLATE_LINE = "#12191b", "#39464b"
_CARD, _EDGE, _BACK, _BACK_LINE, _RED, _BLACK = "#fdfcf8", "#c9c6bb", "#7d2f38", "#652430", "#c22330", "#16191c"
_SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
#: Beside the scene, a picture depends on this program and its library.
_PROGRAM = (Path(__file__).read_bytes(), PILLOW)


@dataclass(frozen=True)
class PictureSeat:
    """`cards`: (card, None where it is hidden; whether it lay up). `five`: those that played, where they were shown."""

    name: str
    cards: tuple[tuple[str | None, bool], ...]
    five: tuple[str, ...]
    net: int
    caption: str
    has_won: bool


@dataclass(frozen=True)
class PictureScene:
    """All that is drawn, with texts in the reader's language."""

    title: str
    game: str
    pot: str
    common: tuple[str, ...]
    seats: tuple[PictureSeat, ...]


def key_of(scene: PictureScene) -> str:
    """The key of the scene's picture: it changes with the scene, and with the program that draws it."""
    return sha256(repr((_PROGRAM, scene)).encode()).hexdigest()


def draw(scene: PictureScene) -> bytes:
    """The picture as PNG."""
    image = Image.new("RGB", (WIDTH * _FINE, HEIGHT * _FINE), _ROOM)
    pen = _Pen(image)
    _felt(image, pen)
    above = -(-len(scene.seats) // 2)
    # Clockwise round the table, as people sit.
    for row, y in ((scene.seats[:above], 84), (scene.seats[above:][::-1], 374)):
        across = WIDTH / max(1, len(row))
        for place, seat in enumerate(row):
            _seat(pen, seat, (place + 0.5) * across, y, width=min(across - 22, 400))
    middle = WIDTH / 2
    pen.text("Cardroom", 34, 34, 26, BOLD, _ACCENT)
    pen.text(scene.game, WIDTH - 34, 34, 24, PLAIN, _MUTED, anchor="rm")
    pen.text(scene.title, middle, 300, 22, PLAIN, _MUTED, anchor="mm", most=700)
    pen.text(scene.pot, middle, 336, 36, BOLD, _TEXT, anchor="mm", most=700)
    for place, card in enumerate(scene.common):
        _card(pen, card, middle + 150 + 56 * place, 280, 52, is_idle=False)
    file = BytesIO()
    image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS).save(file, "PNG")
    return file.getvalue()


class _Pen:
    """Draws with lengths in pixels of the finished picture."""

    def __init__(self, image: Image.Image) -> None:
        self.on = ImageDraw.Draw(image)

    def box(self, x: float, y: float, width: float, height: float, radius: float, fill: str, line: str = "") -> None:
        at = [x * _FINE, y * _FINE, (x + width) * _FINE, (y + height) * _FINE]
        self.on.rounded_rectangle(at, radius * _FINE, fill, line or None, _FINE if line else 0)

    def text(
        self, text: str, x: float, y: float, size: float, face: str, fill: str, *, anchor: str = "lm",
        most: float = WIDTH,
    ) -> None:  # fmt: skip
        """One line, cut where it would be longer than `most`."""
        font, text = _font(face, round(size * _FINE)), printable(text)
        while font.getlength(text) > most * _FINE and len(text) > 2:
            text = f"{text[:-2].rstrip()}…"
        self.on.text((x * _FINE, y * _FINE), text, fill, font, anchor)


@cache
def _font(face: str, size: int) -> ImageFont.FreeTypeFont:
    file = font_file(face) if face in (PLAIN, BOLD) else _FACES / face
    return ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)


def _felt(image: Image.Image, pen: _Pen) -> None:
    size = (WIDTH - 44, HEIGHT - 108)
    light = Image.radial_gradient("L").resize((size[0] * _FINE, size[1] * _FINE))
    shades = [Image.new("RGB", light.size, shade) for shade in (_FELT_EDGE, _FELT)]
    felt = Image.composite(*shades, light)
    shape = Image.new("L", light.size, 0)
    ImageDraw.Draw(shape).rounded_rectangle([0, 0, *light.size], 130 * _FINE, 255)
    pen.box(10, 54, WIDTH - 20, HEIGHT - 84, 142, _RAIL)
    image.paste(felt, (22 * _FINE, 66 * _FINE), shape)


def _seat(pen: _Pen, seat: PictureSeat, middle: float, y: float, *, width: float) -> None:
    """The cards in a fan, and under them the player and their result."""
    count = len(seat.cards)
    wide = min(74.0, width / (1 + 0.56 * 6))
    step = wide * 0.56 if count > 4 else wide * 0.7
    left = middle - (wide + step * (count - 1)) / 2
    is_out = not seat.has_won and not seat.five
    for place, (card, is_up) in enumerate(seat.cards):
        is_idle = is_out or (bool(seat.five) and card not in seat.five)
        _card(pen, card, left + place * step, y + (0 if is_up else 10), wide, is_idle=is_idle)
    top, plate = y + wide * 1.4 + 20, min(width, 260 + wide)
    pen.box(middle - plate / 2, top, plate, 58, 10, _PLATE, _ACCENT if seat.has_won else _PLATE_LINE)
    net = f"{seat.net:+,}" if seat.net else "0"
    inner = plate / 2 - 12
    taken = _font(BOLD, 20 * _FINE).getlength(net) / _FINE
    pen.text(seat.name, middle - inner, top + 19, 20, BOLD, _TEXT, most=2 * inner - taken - 12)
    pen.text(
        net, middle + inner, top + 19, 20, BOLD, _GOOD if seat.net > 0 else _BAD if seat.net else _MUTED, anchor="rm"
    )
    pen.text(capfirst(seat.caption), middle - inner, top + 42, 16, PLAIN, _MUTED, most=2 * inner)


def _card(pen: _Pen, card: str | None, x: float, y: float, wide: float, *, is_idle: bool) -> None:
    high, radius = wide * 1.4, wide * 0.1
    if card is None or card == UNKNOWN:
        pen.box(x, y, wide, high, radius, "#f3e9dc", "#3c1219")
        rim = wide * 0.07
        pen.box(x + rim, y + rim, wide - 2 * rim, high - 2 * rim, radius * 0.7, _BACK, _BACK_LINE)
        for place in (0.3, 0.5, 0.7):
            pen.box(x + wide * 0.26, y + high * place - 2, wide * 0.48, 4, 2, _BACK_LINE)
        return
    pen.box(x, y, wide, high, radius, "#b9bab3" if is_idle else _CARD, _EDGE)
    ink = _RED if card[1] in "hd" else _BLACK
    corner = x + wide * 0.27
    rank = "10" if card[0] == "T" else card[0]
    pen.text(rank, corner, y + wide * 0.34, wide * 0.5, "ranks.woff2", ink, anchor="mm")
    pen.text(_SIGNS[card[1]], corner, y + wide * 0.74, wide * 0.34, "suits.woff2", ink, anchor="mm")
    pen.text(_SIGNS[card[1]], x + wide * 0.7, y + high - wide * 0.32, wide * 0.54, "suits.woff2", ink, anchor="mm")
