"""The cells of a heat map, each told by its row, its column and its value: to a pointer, a keyboard, a screen reader.

In the drawing a cell is `<g class="cell" role="img">`, whose `<title>`, “query 2, key 3: 0.342”, is its name, and is
shown under the pointer without any script. Its place is in `data-cell`: table, row, column, counted from 0. Tab reaches
the first of each heat map; a script may go from there to its neighbours.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any, NamedTuple

from livedoc.tables import ROWS, headings, plain, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MOST = 400
"""Cells that a drawing tells one by one; of more, the table is the place to read them."""

_SVG = "{http://www.w3.org/2000/svg}"


class Told(NamedTuple):
    """A cell: its place, its place among those of a mesh as they are drawn, its words."""

    place: tuple[int, int, int]
    order: int
    words: str


def told(tables: Iterable[dict[str, Any]], language: str) -> tuple[Told, ...]:
    """Return what the cells of the heat maps among a figure's tables say."""
    grids = [(number, table) for number, table in enumerate(tables) if "grid" in table]
    return tuple(cell for number, table in grids for cell in _told(number, table, language))


def _told(number: int, table: dict[str, Any], language: str) -> Iterator[Told]:
    rows, (down, *across) = table["rows"], headings(table, language)
    if len(rows) * len(across) > MOST or len(rows) > ROWS:
        return
    upwards, leftwards = table["grid"]
    for i, (row, texts) in enumerate(zip(rows, written(table, language), strict=True)):
        for j, (value, text) in enumerate(zip(row[1:], texts[1:], strict=True)):
            if value is not None:
                words = plain(f"{down} {texts[0]}, {table['across']} {across[j]}: {text}")
                drawn = (len(rows) - 1 - i if upwards else i, len(across) - 1 - j if leftwards else j)
                yield Told((number, i, j), drawn[0] * len(across) + drawn[1], words)


def mark(root: ET.Element, cells: Iterable[Told]) -> bool:
    """Make the cells of a drawing speak; return whether it has any.

    Args:
        root: The drawing, with the ids that `livedoc.grids` gave.
        cells: What they say.
    """
    known = {element.get("id"): element for element in root.iter(f"{_SVG}g")}
    parents = {child: parent for parent in root.iter() for child in parent}
    marked: list[ET.Element] = []
    reached: set[int] = set()
    meshes = {identifier: list(mesh) for identifier, mesh in known.items() if str(identifier).startswith("mesh-")}
    for place, order, words in cells:
        identifier = "cell-" + "-".join(map(str, place))
        cell = known.get(identifier)
        if mesh := meshes.get(f"mesh-{place[0]}"):
            cell = ET.SubElement(parents[mesh[order]], f"{_SVG}g")  # in the order in which they are read
            parents[mesh[order]].remove(mesh[order])
            cell.append(mesh[order])
        if cell is None:
            continue
        if (text := known.get(f"{identifier}-text")) is not None:  # or it would hide the cell from the pointer
            parents[text].remove(text)
            cell.append(text)
        for path in cell.iter(f"{_SVG}path"):
            style = path.get("style", "")
            if "stroke" not in style:  # a line around it is not to be as faint as what it fills
                style = style.replace(" opacity:", " fill-opacity:")
            path.set("style", style.replace("fill: none", "fill: none; pointer-events: all"))  # a shade of nothing
        title = ET.Element(f"{_SVG}title")
        title.text = words
        cell.insert(0, title)
        cell.attrib |= {"class": "cell", "role": "img", "data-cell": " ".join(map(str, place))}
        # A listener would make it a stop of its own, in browsers that know SVG 1.1: it has to be told not to be one.
        cell.set("tabindex", "-1" if place[0] in reached else "0")
        reached.add(place[0])
        marked.append(cell)
    _hush(root, set(marked))
    return bool(marked)


def _hush(element: ET.Element, cells: set[ET.Element]) -> None:
    """Hide from a screen reader the other words of the drawing, which the cells repeat."""
    for child in element if cells else ():
        if child in cells:
            continue
        if cells & set(child.iter()):
            _hush(child, cells)
        elif child.find(f".//{_SVG}text") is not None:
            child.set("aria-hidden", "true")
