"""The cells of a heat map say what they are, without a script and without shutting anybody out."""

import io
import re
import xml.etree.ElementTree as ET

import matplotlib as mpl
import numpy as np
import pytest
from test_grids import WEIGHTS, named, rectangles

from livedoc import drawn
from livedoc.cells import told
from livedoc.figure import embed

mpl.use("svg")
from matplotlib import pyplot as plt
from matplotlib.colors import LinearSegmentedColormap

SHADES = LinearSegmentedColormap.from_list("shades", [("C0", 0), ("C0", 0.85)])


def drawing(draw, language="en", columns=1):
    """Return a drawing as it stands on a page, and what its tables are."""
    figure, axes = plt.subplots(1, columns)
    for one in np.atleast_1d(axes):
        draw(one)
        one.set_xlabel("key")
        one.set_ylabel("query")
    found, file = drawn.tables(figure), io.StringIO()
    with plt.rc_context({"svg.fonttype": "none", "svg.hashsalt": "test"}):
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    plt.close(figure)
    return embed(file.getvalue(), "f", language, told(found, language))


def mesh(axes):
    axes.pcolormesh(WEIGHTS, cmap=SHADES, vmin=0)
    axes.text(1.5, 0.5, "0.25")
    named(axes)


def cells(svg):
    root = ET.fromstring(svg)
    return [element for element in root.iter() if element.get("class") == "cell"]


def exact(axes):
    rectangles(axes)
    named(axes)


@pytest.mark.parametrize("draw", [exact, mesh])
@pytest.mark.parametrize(("language", "third"), [("en", "query 7, key c: 0.3333"), ("it", "query 7, key c: 0,3333")])
def test_a_cell_is_named_by_row_column_and_value(draw, language, third):
    found = {cell.get("data-cell"): cell for cell in cells(drawing(draw, language))}
    row = 0 if draw is exact else 1  # a mesh has its first row at the bottom
    cell = found[f"0 {row} 2"]
    assert len(found) == 6
    assert cell[0].text == third
    assert cell[0].tag.endswith("title")
    assert cell[0].text == third
    assert cell.get("role") == "img"


@pytest.mark.parametrize(("flips", "draw"), [(flips, draw) for flips in ("", "x", "y", "xy") for draw in (exact, mesh)])
def test_a_cell_is_where_its_words_say_whichever_way_the_axes_go(flips, draw):
    def turned(axes):
        draw(axes)
        for flip in flips:
            getattr(axes, f"invert_{flip}axis")()

    for cell in cells(drawing(turned)):
        path = next(element for element in cell if element.tag.endswith("path"))
        x, y = map(float, re.match(r"M([\d.]+) ([\d.]+)", path.get("d")).groups())
        others = [c for c in cells(drawing(turned)) if c is not cell]
        _, row, column = map(int, cell.get("data-cell").split())
        for other in others:
            other_path = next(element for element in other if element.tag.endswith("path"))
            other_x, other_y = map(float, re.match(r"M([\d.]+) ([\d.]+)", other_path.get("d")).groups())
            _, other_row, other_column = map(int, other.get("data-cell").split())
            assert (other_x > x) == (other_column > column)
            assert (other_y > y) == (other_row > row)


@pytest.mark.parametrize("draw", [exact, mesh])
def test_the_number_written_in_a_cell_is_inside_it(draw):
    inside = [cell for cell in cells(drawing(draw)) for text in cell.iter("{http://www.w3.org/2000/svg}text")]
    assert len(inside) == (6 if draw is exact else 1)
    assert any("0.25" in cell[0].text for cell in inside)


def test_only_the_first_cell_is_a_stop_and_the_drawing_is_no_image():
    svg = drawing(exact, columns=2)
    assert [cell.get("data-cell") for cell in cells(svg) if cell.get("tabindex") == "0"] == ["0 0 0", "1 0 0"]
    assert 'role="group" aria-labelledby="f-caption"' in svg


def test_the_other_words_of_the_drawing_are_not_told_twice():
    root = ET.fromstring(drawing(exact))
    parents = {child: parent for parent in root.iter() for child in parent}

    def hidden(element):
        return element.get("aria-hidden") == "true" or (element in parents and hidden(parents[element]))

    texts = [element for element in root.iter() if element.tag.endswith("}text")]
    assert {text.text for text in texts if hidden(text)} == {"a", "b", "c", "7", "8", "key", "query"}
    assert len([text for text in texts if not hidden(text)]) == 6


def test_no_two_ids_are_the_same_and_none_is_left_of_the_childs():
    svg = drawing(exact, columns=2)
    ids = re.findall(r' id="([^"]+)"', svg)
    assert len(ids) == len(set(ids))
    assert not [name for name in ids if "cell" in name or "mesh" in name]
    assert len({cell.get("data-cell") for cell in cells(svg)}) == 12


def test_the_frame_of_a_cell_is_not_as_faint_as_its_shade():
    for cell in cells(drawing(exact)):
        style = next(element for element in cell if element.tag.endswith("path")).get("style")
        assert "fill-opacity: 0.5" in style
        assert not re.search(r"(?<!fill-)opacity", style)


def test_a_gap_says_nothing():
    def gaps(axes):
        axes.pcolormesh(np.ma.masked_equal([[1, 2], [3, 4]], 4), cmap=SHADES)

    assert [cell.get("data-cell") for cell in cells(drawing(gaps))] == ["0 0 0", "0 1 0", "0 1 1"]


def test_a_cell_with_the_shade_of_nothing_is_found_by_the_pointer():
    svg = drawing(lambda axes: axes.pcolormesh([[0, 1]], cmap=SHADES, vmin=0))
    assert [len(list(cell.iter("{http://www.w3.org/2000/svg}path"))) for cell in cells(svg)] == [1, 1]
    assert svg.count("pointer-events: all") == 1


def test_too_many_cells_are_an_image_with_a_table():
    svg = drawing(lambda axes: axes.pcolormesh(np.arange(441.0).reshape(21, 21), cmap=SHADES))
    assert cells(svg) == []
    assert 'role="img"' in svg


def test_two_runs_give_the_same_bytes():
    assert drawing(exact) == drawing(exact)
    assert drawing(mesh, "it") == drawing(mesh, "it")
