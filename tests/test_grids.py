"""A heat map is found, whichever way it is drawn, and read as it is seen."""

import io
import re

import matplotlib as mpl
import numpy as np
import pytest

from livedoc.drawn import tables

mpl.use("svg")
from matplotlib import pyplot as plt

WEIGHTS = np.array([[0.125, 0.25, 1 / 3], [0.5, 0.75, 1.0]])


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.fixture
def axes():
    axes = plt.subplots()[1]
    axes.set_xlabel("key")
    axes.set_ylabel("query")
    return axes


def named(axes):
    axes.set_xticks([0.5, 1.5, 2.5], labels=["a", "b", "c"])
    axes.set_yticks([0.5, 1.5], labels=[7, 8])


def rectangles(axes, weights=WEIGHTS, exact=True, spec=".2f"):
    for (i, j), weight in np.ndenumerate(weights):
        cell = plt.Rectangle((j, i), 1, 1, color="C0", alpha=0.5, linewidth=0)
        if exact:
            cell.set_label(weight)
        axes.add_patch(cell)
        axes.text(j + 0.5, i + 0.5, format(weight, spec), ha="center")
    axes.set_xlim(0, weights.shape[1])
    axes.set_ylim(weights.shape[0], 0)


def ids(axes):
    file = io.StringIO()
    axes.figure.savefig(file, format="svg")
    return set(re.findall(r'id="((?:cell|mesh)-[^"]+)"', file.getvalue()))


def body(axes):
    [table] = tables(axes.figure)
    return table["rows"]


def test_rectangles_with_a_label_are_cells_with_their_exact_value(axes):
    rectangles(axes)
    named(axes)
    [table] = tables(axes.figure)
    assert [column["name"] for column in table["columns"]] == ["query", "a", "b", "c"]
    assert table["rows"] == [[7, 0.125, 0.25, 1 / 3], [8, 0.5, 0.75, 1]]
    assert (table["across"], table["grid"]) == ("key", [False, False])
    assert ids(axes) == {f"cell-0-{i}-{j}{end}" for i in range(2) for j in range(3) for end in ("", "-text")}


def test_without_a_label_the_value_is_what_is_written(axes):
    rectangles(axes, -WEIGHTS, exact=False, spec=".1f")
    axes.texts[0].set_text("−0.1")  # as Matplotlib writes a minus
    assert body(axes) == [[0.5, -0.1, -0.2, -0.3], [1.5, -0.5, -0.8, -1]]


def test_rows_and_columns_are_read_as_they_are_seen(axes):
    rectangles(axes)
    axes.invert_xaxis()
    axes.invert_yaxis()
    assert body(axes) == [[1.5, 1, 0.75, 0.5], [0.5, 1 / 3, 0.25, 0.125]]


def test_a_place_without_a_cell_is_empty(axes):
    rectangles(axes)
    axes.patches[1].remove()
    assert body(axes)[0] == [0.5, 0.125, None, 1 / 3]


def test_words_in_two_directions_are_a_table(axes):
    rectangles(axes, exact=False)
    for text in axes.texts:
        text.set_text("yes")
    assert body(axes)[0] == [0.5, "yes", "yes", "yes"]


@pytest.mark.parametrize("what", ["unequal", "one above the other", "a row of words", "one", "without words"])
def test_other_rectangles_are_no_heat_map(axes, what):
    rectangles(axes, exact=False)
    if what == "unequal":
        axes.patches[0].set_width(0.9)
    elif what == "one above the other":
        axes.patches[0].set_xy((1, 0))
        axes.texts[0].set_text("")
        axes.patches[0].set_label("0.5")
    elif what == "a row of words":
        for patch in axes.patches[3:]:
            patch.remove()
        for text in axes.texts:
            text.set_text("box")
    elif what == "one":
        for patch in list(axes.patches)[1:]:
            patch.remove()
    else:
        for text in list(axes.texts):
            text.remove()
    assert tables(axes.figure) == []


def test_bars_with_numbers_in_them_are_bars(axes):
    bars = axes.bar([0, 1], [1, 1])
    axes.bar_label(bars, label_type="center")
    for i in range(2):
        axes.text(i, 0.5, "1")
    [table] = tables(axes.figure)
    assert "grid" not in table
    assert table["rows"] == [[0, 1], [1, 1]]


@pytest.mark.parametrize("inverted", [False, True])
def test_a_mesh_is_read_as_it_is_seen_with_all_its_digits(axes, inverted):
    mesh = axes.pcolormesh(WEIGHTS)
    axes.figure.colorbar(mesh).set_label("weight")
    axes.text(2.5, 0.5, "0.33")
    named(axes)
    if inverted:
        axes.invert_yaxis()
        axes.invert_xaxis()
    [table] = tables(axes.figure)
    upper, lower = [8, 0.5, 0.75, 1], [7, 0.125, 0.25, 1 / 3]
    seen = [[8, 1, 0.75, 0.5], [7, 1 / 3, 0.25, 0.125]][::-1] if inverted else [upper, lower]
    assert table["rows"] == seen
    assert table["title"] == "weight"
    assert table["grid"] == ([False, True] if inverted else [True, False])
    assert ids(axes) == {"mesh-0", "cell-0-0-0-text" if inverted else "cell-0-1-2-text"}


def test_a_mesh_has_the_places_it_was_given_and_gaps(axes):
    axes.pcolormesh([0, 10, 30], [3, 2, 1], np.ma.masked_equal([[1, 2], [3, 4]], 4))
    [table] = tables(axes.figure)
    assert [column["name"] for column in table["columns"]] == ["query", 5, 20]
    assert table["rows"] == [[2.5, 1, 2], [1.5, 3, None]]
    assert table["grid"] == [False, False]


def test_a_mesh_that_is_not_straight_has_no_table(axes):
    x, y = np.meshgrid([0.0, 1, 2], [0.0, 1])
    axes.pcolormesh(x + y, y, [[1, 2]])
    assert tables(axes.figure) == []


def test_two_heat_maps_have_ids_of_their_own():
    figure, (one, other) = plt.subplots(1, 2)
    rectangles(one)
    other.pcolormesh(WEIGHTS)
    one.plot([0, 1], [0, 1])
    assert ["grid" in table for table in tables(figure)] == [True, False, True]
    assert {"cell-0-0-0", "mesh-2"} <= ids(one)
