"""Lines of text set with the book's own font files: how wide they are, where they break, which font has a sign."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PIL.ImageFont import FreeTypeFont

FILES = {
    "title": ("literata-latin-600-normal.woff2", "literata-symbols.woff2", "source-sans-3-symbols.woff2"),
    "subtitle": ("literata-latin-400-italic.woff2", "literata-symbols.woff2", "source-sans-3-symbols.woff2"),
    "text": ("source-sans-3-latin-wght-normal.woff2", "source-sans-3-symbols.woff2"),
}
"""The fonts of each kind of text: the first, and those for the signs it lacks."""


@dataclass(frozen=True)
class Face:
    """A kind of text, its size in pixels, and its weight where the font has several."""

    kind: str
    size: int
    weight: int = 400


def has_fonts(folder: Path) -> bool:
    """Say whether a folder has every font that is needed."""
    return all((folder / name).is_file() for names in FILES.values() for name in names)


@dataclass
class Lettering:
    """The fonts of a folder, each read once for a size and a weight."""

    folder: Path
    fonts: dict[tuple[str, int, int], FreeTypeFont] = field(default_factory=dict)
    known: dict[tuple[str, str], str] = field(default_factory=dict)

    def font(self, name: str, face: Face) -> FreeTypeFont:
        """Return a font at the size and weight of a face."""
        from PIL import ImageFont

        key = name, face.size, face.weight
        if key not in self.fonts:
            self.fonts[key] = ImageFont.truetype(self.folder / name, face.size)
            if "wght" in name:
                self.fonts[key].set_variation_by_axes([face.weight])
        return self.fonts[key]

    def source(self, kind: str, sign: str) -> str:
        """Return the first font of a kind of text that has a sign; nothing, when none has.

        What a font lacks it draws as it draws a character that cannot be.
        """
        if (kind, sign) not in self.known:
            fonts = {name: self.font(name, Face(kind, 30)) for name in FILES[kind]}
            drawn = {name: [bytes(font.getmask(one)) for one in (sign, "\uffff")] for name, font in fonts.items()}
            self.known[kind, sign] = next((name for name, (own, lack) in drawn.items() if own != lack), "")
        return self.known[kind, sign]

    def runs(self, text: str, face: Face) -> Iterator[tuple[str, FreeTypeFont]]:
        """Split a text where the font changes."""
        for name, signs in groupby(text, key=lambda sign: self.source(face.kind, sign)):
            yield "".join(signs), self.font(name or FILES[face.kind][0], face)

    def width(self, text: str, face: Face) -> float:
        """Return how wide a text is."""
        return sum(font.getlength(part) for part, font in self.runs(text, face))

    def write(self, pen: Any, place: tuple[float, float], text: str, face: Face) -> None:
        """Write a line that starts at a place on its base line, as coverage."""
        x, y = place
        for part, font in self.runs(text, face):
            pen.text((x, y), part, fill=255, font=font, anchor="ls")
            x += font.getlength(part)

    def wrap(self, text: str, face: Face, measure: float) -> list[str]:
        """Break a text into lines no wider than a measure, unless a word alone is."""
        lines: list[str] = []
        for word in filter(None, text.split(" ")):  # not at a space that does not break
            if lines and self.width(f"{lines[-1]} {word}", face) <= measure:
                lines[-1] += f" {word}"
            else:
                lines.append(word)
        return lines

    def balance(self, text: str, face: Face, measure: float) -> list[str]:
        """Break a text into as few lines as `wrap` does, of about equal length."""
        lines = self.wrap(text, face, measure)
        for narrow in range(int(measure), 0, -16):
            closer = self.wrap(text, face, narrow)
            if len(closer) > len(lines) or any(self.width(line, face) > narrow for line in closer):
                break
            lines = closer
        return lines

    def cut(self, text: str, face: Face, measure: float) -> str:
        """Return a line no wider than a measure; an ellipsis stands for what had to go."""
        kept = text
        while kept and self.width(kept if kept == text else f"{kept}…", face) > measure:
            kept = kept[:-1].rstrip()
        return kept if kept == text else f"{kept}…"
