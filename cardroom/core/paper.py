"""PDF papers: letters, tables, codes."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import get_language
from reportlab.graphics.barcode import qrencoder
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from cardroom.core import sentences

A4 = (210 * mm, 297 * mm)


PLAIN, BOLD = "DejaVuSansCondensed", "DejaVuSansCondensed-Bold"


_FONTS = Path(__file__).resolve().parents[1] / "fonts"


_BOX, _ELLIPSIS = "\N{WHITE SQUARE}", "\N{HORIZONTAL ELLIPSIS}"


_SMALLEST = 0.6  # of the size that was asked for, before a line is cut


_SMALLEST_TITLE = 0.75  # of that of a listing, before a word in the title of a column is parted


_SHORTEST = 6  # letters of a word that may be parted


_GREY, _LIGHT = 0.35, 0.8


class Column:
    """One column of a listing: its title, its share of the width, whether it is set to the right, and whether what is
    too long for it goes on below instead of being set smaller and cut."""

    def __init__(self, title: str, share: float, *, is_number: bool = False, wraps: bool = False) -> None:
        self.title, self.share, self.is_number, self.wraps = title, share, is_number, wraps


class Paper:
    """A document under way. `height` and `width` are those of a page, `margin` is kept free all round."""

    def __init__(self, title: str, size: tuple[float, float] = A4, *, margin: float = 12 * mm) -> None:
        _load_fonts()
        self.width, self.height = size
        self.margin = margin
        self._file = BytesIO()
        # The same document is the same file: no moment and no chance in it.
        language = get_language() or settings.LANGUAGE_CODE
        self._canvas = Canvas(self._file, pagesize=size, pageCompression=1, invariant=1, lang=language)
        self._canvas.setTitle(printable(title))
        self._canvas.setSubject(printable(title))
        self._canvas.setAuthor(printable(settings.CARDROOM_NAME))
        self._canvas.setCreator("Cardroom")
        self.pages = 1

    @property
    def inner(self) -> float:
        """The width between the margins."""
        return self.width - 2 * self.margin

    def turn(self) -> None:
        """The next page."""
        self._canvas.showPage()
        self.pages += 1

    def done(self) -> bytes:
        self._canvas.showPage()
        self._canvas.save()
        return self._file.getvalue()

    def line(
        self,
        text: str,
        x: float,
        y: float,
        *,
        size: float = 10,
        bold: bool = False,
        width: float | None = None,
        align: str = "left",
        grey: bool = False,
    ) -> float:
        """One line whose letters stand at `y`; set smaller, and cut at last, to be no wider than `width`.

        `x` is its left end, its right end (`align` right) or its middle (centre). Returns its width.
        """
        face = BOLD if bold else PLAIN
        text, size = _fitted(printable(text), face, size, width if width is not None else self.inner)
        self._canvas.setFont(face, size)
        self._canvas.setFillGray(_GREY if grey else 0)
        long = pdfmetrics.stringWidth(text, face, size)
        left = x - {"left": 0.0, "right": long, "centre": long / 2}[align]
        self._canvas.drawString(left, self.height - y, text)
        return float(long)

    def lines(self, text: str, x: float, y: float, *, size: float = 10, width: float, most: int = 3) -> float:
        """Text over several lines, `most` of them; returns where the next line would stand."""
        parts = _broken(printable(text), size, width)
        parts = [*parts[: most - 1], " ".join(parts[most - 1 :])] if len(parts) > most else parts
        for line in parts:
            self.line(line, x, y, size=size, width=width, grey=True)
            y += 1.35 * size
        return y

    def rule(self, y: float, *, x: float | None = None, width: float | None = None, dashed: bool = False) -> None:
        """A thin line across; `dashed`: to be cut along."""
        left = self.margin if x is None else x
        self._canvas.setStrokeGray(_LIGHT)
        self._canvas.setLineWidth(0.6)
        self._canvas.setDash([3, 3] if dashed else [])
        self._canvas.line(left, self.height - y, left + (self.inner if width is None else width), self.height - y)

    def code(self, text: str, x: float, y: float, *, size: float) -> None:
        """A square code (QR) of `text`, its upper left corner at `x`, `y`."""
        modules = _code(text)
        step = size / len(modules)
        self._canvas.setFillGray(0)
        for row, cells in enumerate(modules):
            for start, long in _runs(cells):
                top = self.height - y - (row + 1) * step
                self._canvas.rect(x + start * step, top, long * step, step, stroke=0, fill=1)

    def bars(self, barcode: Any, y: float) -> None:
        """A barcode of reportlab's in the middle of the page, its upper edge at `y`."""
        barcode.drawOn(self._canvas, (self.width - barcode.width) / 2, self.height - y - barcode.height)

    def listing(
        self, columns: Sequence[Column], rows: Sequence[Sequence[object]], y: float, *, head: str, size: float = 9
    ) -> float:
        """A table from `y` down, over as many pages as it takes, each with the titles; `head`: the line on top of the
        following pages. Returns where the next line would stand."""
        step = 1.7 * size
        y = self._titles(columns, y, size)
        for row in rows:
            cells = self._broken(columns, row, size)
            for number in range(max(map(len, cells))):
                if y + step > self.height - self.margin:
                    self.turn()
                    self.line(head, self.margin, self.margin + size, size=size, grey=True)
                    y = self._titles(columns, self.margin + 3.2 * size, size)
                self._cells(columns, [cell[number] if number < len(cell) else "" for cell in cells], y, size)
                y += 1.25 * size
            y += step - 1.25 * size
        return y

    def _broken(self, columns: Sequence[Column], row: Sequence[object], size: float) -> list[list[str]]:
        """The lines of each cell."""
        whole = sum(column.share for column in columns)
        return [
            (_broken(printable(_shown(value)), size, self.inner * column.share / whole - 6) or [""])
            if column.wraps
            else [_shown(value)]
            for column, value in zip(columns, row, strict=True)
        ]

    def _titles(self, columns: Sequence[Column], y: float, size: float) -> float:
        """Draw the titles of the columns, all in one size, on as many lines as they take, aligned at the bottom.
        Returns where the first row stands."""
        whole = sum(column.share for column in columns)
        places = [(printable(column.title), self.inner * column.share / whole - 6) for column in columns]
        words = [(word, wide) for title, wide in places for word in title.replace("-", "- ").split()]
        fits = [wide / pdfmetrics.stringWidth(word, BOLD, 1) for word, wide in words]
        small = max(min([size, *fits]), size * _SMALLEST_TITLE)
        titles = [_broken(_parted(title, small, wide), small, wide, BOLD) or [""] for title, wide in places]
        for left in range(max(map(len, titles)), 0, -1):
            row = [lines[-left] if len(lines) >= left else "" for lines in titles]
            self._cells(columns, row, y, small, bold=True)
            y += 1.25 * small
        y -= 1.25 * small
        self.rule(y + 0.45 * size)
        return y + 1.9 * size

    def _cells(
        self, columns: Sequence[Column], row: Sequence[object], y: float, size: float, *, bold: bool = False
    ) -> None:
        whole, left = sum(column.share for column in columns), self.margin
        for column, value in zip(columns, row, strict=True):
            wide = self.inner * column.share / whole
            x, align = (left + wide - 4, "right") if column.is_number else (left, "left")
            self.line(_shown(value), x, y, size=size, bold=bold, width=wide - 6, align=align)
            left += wide


def _broken(text: str, size: float, width: float, face: str = PLAIN) -> list[str]:
    """The words of a text in lines that are no wider, each of at least one word."""
    lines: list[str] = []
    for word in text.split():
        if lines and pdfmetrics.stringWidth(f"{lines[-1]} {word}", face, size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _parted(text: str, size: float, width: float) -> str:
    """The text with each word that is wider parted, at its hyphen or by one."""

    def parts(word: str) -> str:
        if pdfmetrics.stringWidth(word, BOLD, size) <= width or len(word) < _SHORTEST:
            return word
        if 0 < (at := word.find("-") + 1) < len(word):
            return f"{parts(word[:at])} {parts(word[at:])}"
        fit = (n for n in range(len(word) - 3, 2, -1) if pdfmetrics.stringWidth(f"{word[:n]}-", BOLD, size) <= width)
        at = next(fit, 2)
        return f"{word[:at]}- {parts(word[at:])}"

    return " ".join(map(parts, text.split()))


def printable(text: str) -> str:
    """The text in letters that can be printed."""
    known = _letters()
    return "".join(letter if ord(letter) in known else _plain(letter) for letter in unicodedata.normalize("NFC", text))


def _plain(letter: str) -> str:
    if letter.isspace():
        return " "
    if unicodedata.combining(letter) or not letter.isprintable():
        return ""
    bare = "".join(part for part in unicodedata.normalize("NFKD", letter) if ord(part) in _letters())
    return bare or _BOX


def _shown(value: object) -> str:
    return sentences.number(value) if type(value) is int else str(value)


def _fitted(text: str, face: str, size: float, width: float) -> tuple[str, float]:
    """The text and the size at which it is no wider than `width`."""
    long = pdfmetrics.stringWidth(text, face, size)
    if long <= width:
        return text, size
    size = max(size * width / long, size * _SMALLEST)
    while len(text) > 1 and pdfmetrics.stringWidth(text, face, size) > width:
        text = text[: -2 if text.endswith(_ELLIPSIS) else -1].rstrip() + _ELLIPSIS
        if text == _ELLIPSIS:
            break
    return text, size


@cache
def _load_fonts() -> None:
    for face in (PLAIN, BOLD):
        pdfmetrics.registerFont(TTFont(face, str(font_file(face))))


def font_file(face: str) -> Path:
    """The file of `PLAIN` or `BOLD`."""
    return _FONTS / f"{face}.ttf"


@cache
def _letters() -> frozenset[int]:
    """The characters that both faces have."""
    _load_fonts()
    plain, bold = (set(pdfmetrics.getFont(face).face.charToGlyph) for face in (PLAIN, BOLD))
    return frozenset(plain & bold)


def _code(text: str) -> list[list[bool]]:
    code = qrencoder.QRCode(None, qrencoder.QRErrorCorrectLevel.M)
    code.addData(text)
    code.make()
    return [[bool(cell) for cell in row] for row in code.modules]


def _runs(cells: Sequence[bool]) -> list[tuple[int, int]]:
    """(start, length) of the dark stretches of a row."""
    runs: list[tuple[int, int]] = []
    for place, is_dark in enumerate(cells):
        if is_dark and runs and sum(runs[-1]) == place:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        elif is_dark:
            runs.append((place, 1))
    return runs
