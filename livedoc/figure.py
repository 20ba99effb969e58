"""An SVG made fit for the page: colours that follow the scheme, ids of its own, numbers in the page's notation."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from functools import lru_cache

from livedoc.cells import Told, mark
from livedoc.compact import compact
from livedoc.numbers import localise

_SVG, _XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_CYCLE = ["1f77b4", "ff7f0e", "2ca02c", "d62728", "9467bd", "8c564b", "e377c2", "7f7f7f", "bcbd22", "17becf"]
# Black, white, and the greys that Matplotlib's default style uses for lines, grids and legend frames.
COLOURS = {"#000000": "ink", "#ffffff": "paper", "#808080": "muted", "#b0b0b0": "muted", "#cccccc": "muted"} | {
    f"#{colour}": str(number) for number, colour in enumerate(_CYCLE)
}
"""The colours a drawing may use, each with the CSS variable `--fig-…` it becomes."""

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}\b")
_FAMILY = re.compile(r" ?font-family: [^;]*;?")  # the page's own font
_REFERENCE = re.compile(r"#(?P<id>[\w.-]+)")


class FigureError(Exception):
    """A drawing that would not be readable on the page."""


def _variable(match: re.Match[str]) -> str:
    name = COLOURS.get(match[0].lower())
    if name is None:
        raise FigureError(
            f"the colour {match[0]} does not follow the light and dark scheme: draw with C0 to C9, black, gray or "
            "white, and with alpha"
        )
    return f"var(--fig-{name})"


@lru_cache(maxsize=256)  # the page and the ledger ask for the same
def embed(svg: str, identifier: str, language: str, told: tuple[Told, ...] = (), *, tabled: bool = False) -> str:
    """Return a Matplotlib drawing as an inline SVG named by the element `<identifier>-caption`.

    Args:
        svg: The SVG file, with text as text.
        identifier: An id that is unique on the page; it prefixes every id of the drawing.
        language: The language of the page, for the numbers on the axes.
        told: What the cells of its heat maps say.
        tabled: Whether the element `<identifier>-data` holds its data.

    Raises:
        FigureError: When a colour has no counterpart in the page's schemes, or the drawing holds an image.
    """
    ET.register_namespace("", _SVG)
    root = ET.fromstring(svg)
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in {f"{{{_SVG}}}metadata", f"{{{_SVG}}}style"}:
                parent.remove(child)
    cells = mark(root, told)
    text = ET.tostring(root, encoding="unicode")
    wanted = {match["id"] for match in _REFERENCE.finditer(re.sub(r' id="[^"]*"', "", text))}
    for element in root.iter():
        if element.tag == f"{{{_SVG}}}image":
            raise FigureError("the drawing holds an image: draw cells as patches, so that they follow the scheme")
        _rename(element, identifier, wanted)
        if style := element.get("style"):
            element.set("style", _FAMILY.sub("", _COLOUR.sub(_variable, style)).strip())
        if element.tag == f"{{{_SVG}}}text" and element.text:
            element.text = localise(element.text, language)
    compact(root)
    width = float(root.attrib["viewBox"].split()[2])
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.set("class", "figure-drawing")
    root.set("role", "group" if cells else "img")  # what is inside an image is not told
    root.set("aria-labelledby", f"{identifier}-caption")
    if tabled:
        root.set("aria-details", f"{identifier}-data")
    # What Matplotlib says in a style sheet, which would hold for the whole page; and what it leaves black.
    style = "stroke-linejoin: round; stroke-linecap: butt; fill: var(--fig-ink)"
    # All drawings of the book have letters of one size: a narrow one is not stretched.
    root.set("style", f"{style}; max-width: calc({width:.0f} * var(--fig-point))")
    return re.sub(r">\s+<", "><", ET.tostring(root, encoding="unicode"))


def _rename(element: ET.Element, identifier: str, wanted: set[str]) -> None:
    """Give the element an id of this figure, or none when nothing refers to it; follow references."""
    if (old := element.get("id")) is not None:
        if old in wanted:
            element.set("id", f"{identifier}-{old}")
        else:
            del element.attrib["id"]
    if (target := element.attrib.pop(f"{{{_XLINK}}}href", None)) is not None:
        element.set("href", f"#{identifier}-{target[1:]}")
    for name in ("clip-path", "style"):
        if "url(#" in element.get(name, ""):
            element.set(name, element.get(name, "").replace("url(#", f"url(#{identifier}-"))
