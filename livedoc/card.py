"""The card that stands for a page where its address is shared: 1200 × 630, in the book's own paper, ink and red.

Text is drawn as coverage, one layer per ink, and the layers become one picture with a palette: small, and the same
bytes at every build. The mosaic is the book's mark at its full size, a causal mask; its shades belong to the page.
"""

from __future__ import annotations

import hashlib
import io
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from livedoc.lettering import Face, Lettering

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PIL.Image import Image

SIZE = (1200, 630)
PAPER = "#fdfcf9"
INKS = {"ink": "#1c1a17", "muted": "#655f56", "red": "#9c2f1b", "rule": "#e0dacd"}
"""The colours of book.css in the light."""

_LEVELS = 256 // len(INKS)
_MARGIN, _TOP, _FOOT = 80, 84, SIZE[1] - 118
_RIGHT = SIZE[0] - _MARGIN
_ROWS, _CELL, _GAP = 6, 46, 9
_MOSAIC = _ROWS * (_CELL + _GAP) - _GAP
_MEASURE = _RIGHT - _MARGIN - _MOSAIC - 48
_LARGE, _MEDIUM, _SMALL, _STEP, _LEADING = 78, 58, 38, 4, 1.17
_HEAD, _SUBTITLE, _TEXT = Face("text", 30, 600), Face("subtitle", 40), Face("text", 27)
_MARK = [(12 * column, 12 * row, (255, 153, 77)[row - column]) for row in range(3) for column in range(row + 1)]
"""The squares of docs/assets/favicon.svg, and how dark each is."""


@dataclass(frozen=True)
class Card:
    """What a card says: the book's name over all, `kicker` over the title, under it a subtitle or else a text.

    `left` and `right` stand at the foot; `seed` shades the mosaic.
    """

    book: str
    title: str
    subtitle: str = ""
    text: str = ""
    kicker: str = ""
    left: str = ""
    right: str = ""
    seed: str = ""


def draw(card: Card, letters: Lettering) -> bytes:
    """Return a card as a PNG."""
    from PIL import Image, ImageDraw

    layers = {ink: Image.new("L", SIZE) for ink in INKS}
    pens = {ink: ImageDraw.Draw(layer) for ink, layer in layers.items()}
    _mosaic(pens["red"], card.seed or card.title)
    for x, y, opacity in _MARK:
        pens["red"].rectangle((_MARGIN + x, _TOP + y, _MARGIN + x + 9, _TOP + y + 9), fill=opacity)
    letters.write(pens["ink"], (_MARGIN + 50, _TOP + 29), card.book, _HEAD)
    y = _TOP + 84
    if card.kicker:
        letters.write(pens["red"], (_MARGIN, y + 24), card.kicker, _HEAD)
        y += 44
    small = _SUBTITLE if card.subtitle else _TEXT
    face, title, text = _fitting(card, small, letters, _FOOT - 34 - y)
    for line in title:
        y += round(face.size * _LEADING)
        letters.write(pens["ink"], (_MARGIN - 2, y), line, face)
    for number, line in enumerate(text, 1):
        letters.write(pens["muted"], (_MARGIN, y + _below(number, small)), line, small)
    pens["rule"].line((_MARGIN, _FOOT, _RIGHT, _FOOT), fill=255, width=2)
    right = _RIGHT - letters.width(card.right, _TEXT)
    letters.write(pens["muted"], (right, _FOOT + 58), card.right, _TEXT)
    left = letters.cut(card.left, _TEXT, right - _MARGIN - 40)
    letters.write(pens["ink"], (_MARGIN, _FOOT + 58), left, _TEXT)
    return _png(layers)


def lacking(card: Card, letters: Lettering) -> list[str]:
    """Return the signs of a card that none of its fonts has."""
    texts = {
        "title": card.title,
        "subtitle": card.subtitle,
        "text": card.book + card.text + card.kicker + card.left + card.right,
    }
    return sorted({sign for kind, text in texts.items() for sign in text if not letters.source(kind, sign)})


def _below(lines: int, face: Face) -> int:
    """Return how far under the title the last of so many lines stands."""
    return round(face.size * (1.36 * lines + 0.7)) if lines else 0


def _fitting(card: Card, small: Face, letters: Lettering, room: int) -> tuple[Face, list[str], list[str]]:
    """Return the face and the lines of the title, and the lines under it: none, when there is no room for all.

    The title is as large as the room allows; down to a medium size it gives way to what stands under it.
    """
    text = letters.balance(card.subtitle, small, _MEASURE) or letters.wrap(card.text, small, _MEASURE)
    whole = f"{card.title}: {card.subtitle}" if card.subtitle else card.title
    for title, smallest, under in ((card.title, _MEDIUM, text), (whole, _SMALL, [])):
        for size in range(_LARGE, smallest - 1, -_STEP):
            face, most = Face("title", size), (room - _below(len(under), small)) // round(size * _LEADING)
            lines = letters.wrap(title, face, _MEASURE)
            if len(lines) <= most and all(letters.width(line, face) <= _MEASURE for line in lines):
                return face, letters.balance(title, face, _MEASURE), under
    if len(lines) > most:
        lines[most - 1 :] = [" ".join(lines[most - 1 :])]
    return face, [letters.cut(line, face, _MEASURE) for line in lines], []


def _mosaic(pen: Any, seed: str) -> None:
    for row, weights in enumerate(_weights(seed)):
        for column, weight in enumerate(weights):
            x, y = _RIGHT - _MOSAIC + column * (_CELL + _GAP), _TOP + row * (_CELL + _GAP)
            pen.rectangle((x, y, x + _CELL - 1, y + _CELL - 1), fill=round(255 * weight))


def _weights(seed: str) -> Iterator[list[float]]:
    """Yield the shades of the mosaic, row by row: a softmax of scores that come from the seed."""
    digest = iter(hashlib.sha256(seed.encode()).digest())
    for row in range(_ROWS):
        exponentials = [math.exp(2.2 * next(digest) / 255) for _ in range(row + 1)]
        yield [0.12 + 0.88 * value / max(exponentials) for value in exponentials]


def _png(layers: dict[str, Image]) -> bytes:
    """Put the layers on paper, each ink with its own shades of the palette."""
    from PIL import Image, ImageChops, ImageColor

    picture, paper, palette = Image.new("L", SIZE), ImageColor.getrgb(PAPER), list[int]()
    for number, (ink, layer) in enumerate(layers.items()):
        shade = [0, *(number * _LEVELS + max(1, value * (_LEVELS - 1) // 255) for value in range(1, 256))]
        picture = ImageChops.lighter(picture, layer.point(shade))
        for level in range(_LEVELS):
            part = level / (_LEVELS - 1)
            palette += [round(p + (i - p) * part) for p, i in zip(paper, ImageColor.getrgb(INKS[ink]), strict=True)]
    coloured = Image.frombytes("P", SIZE, picture.tobytes())
    coloured.putpalette(palette)
    written = io.BytesIO()
    coloured.save(written, "PNG", optimize=True)
    return written.getvalue()
