"""Heat maps, found in what Matplotlib drew: a mesh of `pcolormesh`, or rectangles in rows and columns.

A rectangle is a cell when a text is written in it, or when it has a number for its `label`: that is its value exactly,
where the text has it rounded. Rows, columns and cells are named by the ticks and labels of the axes. Each cell gets an
id by which it is found again in the drawing.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from livedoc.drawn import Cell, called, cell, number, shade_name
from livedoc.series import label_of, one_line, placed

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, Any]


class _Box(NamedTuple):
    """A rectangle: its middle, its size, what it holds, its artist, and the text written in it."""

    x: float
    y: float
    size: tuple[float, float]
    value: Cell
    artist: Any
    text: Any


def tables(axes: Any, before: int) -> Iterator[Json]:
    """Yield the heat maps of an axes as tables, and give their cells in the drawing ids.

    The artist of the cell in row 2, column 3 of table 1 is called `cell-1-2-3`, and the text in it `cell-1-2-3-text`,
    all counted from 0 as they are seen, from the top left; a mesh is called `mesh-1`, and `grid` says in what order its
    cells are drawn: whether its rows, and its columns, go the other way.

    Args:
        axes: The axes.
        before: How many tables the figure has before these.
    """
    texts = [text for text in axes.texts if text.get_text().strip() and text.get_transform() == axes.transData]
    for mesh in axes.collections:
        if type(mesh).__name__ == "QuadMesh" and (table := _mesh(axes, mesh, texts, before)):
            yield table
            before += 1
    boxes = list(_boxes(axes, texts))
    if _is_grid(boxes):
        yield _grid(axes, boxes, before)


def _table(axes: Any, xs: list[float], ys: list[float], rows: list[list[Cell]]) -> Json:
    """Return the table of values whose columns and rows stand at places along the axes."""
    x, y = (one_line(axis.label.get_text()) for axis in (axes.xaxis, axes.yaxis))
    columns = [{"name": name, "part": ""} for name in (y or "y", *called(axes.xaxis, xs))]
    body = [[left, *row] for left, row in zip(called(axes.yaxis, ys), rows, strict=True)]
    return {"title": "", "lead": 1, "across": x or "x", "columns": columns, "rows": body, "grid": [False, False]}


def _mesh(axes: Any, mesh: Any, texts: list[Any], order: int) -> Json | None:
    """Return the table of a mesh whose rows and columns are straight, each value between four corners."""
    corners, values = mesh.get_coordinates(), mesh.get_array()
    straight = (corners[..., 0] == corners[:1, :, 0]).all() and (corners[..., 1] == corners[:, :1, 1]).all()
    if values is None or values.shape != tuple(size - 1 for size in corners.shape[:2]) or not straight:
        return None
    xs, ys = corners[0, :, 0].tolist(), corners[:, 0, 1].tolist()
    rows = [[cell(value) for value in row] for row in values.tolist()]
    leftwards = bool(axes.xaxis.get_inverted()) == (xs[0] < xs[-1])
    upwards = bool(axes.yaxis.get_inverted()) != (ys[0] < ys[-1])
    if upwards:
        rows, ys = rows[::-1], ys[::-1]
    if leftwards:
        rows, xs = [row[::-1] for row in rows], xs[::-1]
    mesh.set_gid(f"mesh-{order}")
    for text in texts:
        x, y = text.get_position()
        row, column = _between(ys, y), _between(xs, x)
        if row is not None and column is not None:
            text.set_gid(f"cell-{order}-{row}-{column}-text")
    middles = [[(one + other) / 2 for one, other in pairwise(edges)] for edges in (xs, ys)]
    return {**_table(axes, middles[0], middles[1], rows), "title": shade_name(mesh), "grid": [upwards, leftwards]}


def _between(edges: list[float], at: float) -> int | None:
    return next((i for i, pair in enumerate(pairwise(edges)) if min(pair) < at < max(pair)), None)


def _boxes(axes: Any, texts: list[Any]) -> Iterator[_Box]:
    """Yield the rectangles that hold something."""
    bars = {id(bar) for whole in axes.containers for bar in whole.get_children()}
    for patch in axes.patches:
        if type(patch).__name__ != "Rectangle" or id(patch) in bars or not placed(patch.get_transform(), axes):
            continue
        (x, other_x), (y, other_y) = sorted(patch.get_bbox().intervalx), sorted(patch.get_bbox().intervaly)
        places = [(text, *text.get_position()) for text in texts]
        inside = [text for text, at_x, at_y in places if x < at_x < other_x and y < at_y < other_y]
        exact = number(label_of(patch) or "none")
        if exact is None and len(inside) != 1:
            continue
        text = inside[0] if len(inside) == 1 else None
        says = one_line(text.get_text()) if text else ""
        value = number(says) if exact is None else exact
        middle = (round(float(x + other_x) / 2, 9), round(float(y + other_y) / 2, 9))
        yield _Box(*middle, (other_x - x, other_y - y), says if value is None else cell(value), patch, text)


def _is_grid(boxes: list[_Box]) -> bool:
    """Tell whether rectangles are cells: of one size, one in each place; with words, in more than a row or column."""
    xs, ys = {box.x for box in boxes}, {box.y for box in boxes}
    if len(boxes) < 2 or len({(box.x, box.y) for box in boxes}) < len(boxes):
        return False
    equal = all(math.isclose(*pair) for box in boxes for pair in zip(box.size, boxes[0].size, strict=True))
    return equal and (min(len(xs), len(ys)) > 1 or not any(isinstance(box.value, str) for box in boxes))


def _grid(axes: Any, boxes: list[_Box], order: int) -> Json:
    xs = sorted({box.x for box in boxes}, reverse=bool(axes.xaxis.get_inverted()))
    ys = sorted({box.y for box in boxes}, reverse=not axes.yaxis.get_inverted())
    rows: list[list[Cell]] = [[None] * len(xs) for _ in ys]
    for box in boxes:
        row, column = ys.index(box.y), xs.index(box.x)
        rows[row][column] = box.value
        box.artist.set_gid(f"cell-{order}-{row}-{column}")
        if box.text:
            box.text.set_gid(f"cell-{order}-{row}-{column}-text")
    return _table(axes, xs, ys, rows)
