"""What Matplotlib drew is read back as the tables that its author had in mind."""

import datetime

import matplotlib as mpl
import numpy as np
import pytest

from livedoc.drawn import numbers, tables

mpl.use("svg")
from matplotlib import pyplot as plt
from matplotlib.transforms import Affine2D


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.fixture
def axes():
    axes = plt.subplots()[1]
    axes.set_xlabel("time, s")
    axes.set_ylabel("loss")
    return axes


def headings(table):
    return [(column["name"], column["part"]) if column["part"] else column["name"] for column in table["columns"]]


def only(axes):
    [table] = tables(axes.figure)
    return table


def test_a_line_is_its_points_under_the_labels_of_the_axes(axes):
    axes.plot([0, 0.5, 1], [1 / 3, 2, 5])
    table = only(axes)
    assert headings(table) == ["time, s", "loss"]
    assert table["rows"] == [[0, 1 / 3], [0.5, 2], [1, 5]]
    assert (table["across"], table["lead"], table["title"]) == ("", 1, "")


def test_whole_numbers_are_whole_and_what_is_not_there_is_not(axes):
    axes.plot([0, 1, 2, 3], [2.0, np.nan, np.inf, 0.25])
    assert repr(only(axes)["rows"]) == "[[0, 2], [1, None], [2, 'inf'], [3, 0.25]]"


def test_lines_over_the_same_places_are_columns_named_by_their_labels(axes):
    axes.plot([1, 2], [3, 4], label="one")
    axes.plot([1, 2], [5, 6], label="two\n lines")
    axes.set_title("Right", loc="right")
    table = only(axes)
    assert headings(table) == ["time, s", "one", "two lines"]
    assert table["rows"] == [[1, 3, 5], [2, 4, 6]]
    assert (table["across"], table["title"]) == ("loss", "Right")


def test_with_a_label_somewhere_what_has_none_is_decoration(axes):
    axes.plot([1, 2], [3, 4])
    axes.plot([1, 2], [5, 6], label="_nolegend_")
    axes.plot([1, 2], [7, 8], label="told")
    axes.plot([1, 2], [0, 9], label="not seen", visible=False)
    table = only(axes)
    assert headings(table) == ["time, s", "told", "not seen"]
    assert table["rows"] == [[1, 7, 0], [2, 8, 9]]


def test_without_labels_a_series_is_named_by_the_only_text_of_its_colour(axes):
    axes.plot([1, 2], [3, 4], color="C0")
    axes.plot([1, 2], [5, 6], color="C1")
    axes.plot([1, 2], [7, 8], color="C2")
    axes.text(1, 3, "below", color="C0")
    axes.text(1, 5, "5", color="C1")
    axes.text(2, 6, "6", color="C1")  # two texts: they are not its name
    axes.text(1, 1, "a note", color="black")
    assert headings(only(axes)) == ["time, s", "below", "", ""]


def test_a_legend_names_what_it_shows(axes):
    axes.plot([1, 2], [3, 4], color="C0")
    axes.plot([1, 2], [5, 6], color="C1")
    axes.legend(["first", "second"])
    assert headings(only(axes)) == ["time, s", "first", "second"]


def test_lines_over_other_places_stand_one_below_the_other(axes):
    axes.plot([1, 2], [3, 4], label="one")
    axes.plot([1.5], [5], label="two")
    table = only(axes)
    assert headings(table) == [("", "series"), "time, s", "loss"]
    assert table["rows"] == [["one", 1, 3], ["one", 2, 4], ["two", 1.5, 5]]


def test_points_of_one_name_are_one_series(axes):
    for x in range(3):
        axes.plot(x, x**2, "o", label="squares")
    assert only(axes)["rows"] == [[0, 0], [1, 1], [2, 4]]


def test_lines_of_one_name_over_the_same_places_are_two(axes):
    axes.plot([1, 2], [3, 4], label="trial")
    axes.plot([1, 2], [5, 6], label="trial")
    assert only(axes)["rows"] == [[1, 3, 5], [2, 4, 6]]


def test_a_shift_in_the_transform_is_not_in_the_values(axes):
    for level in (0, 10):
        axes.plot([0, 1], [0.5, -0.5], transform=Affine2D().translate(0, level) + axes.transData)
    assert only(axes)["rows"] == [[0, 0.5, 0.5], [1, -0.5, -0.5]]
    axes.plot([0, 1], [0, 1], transform=axes.transAxes)
    assert len(only(axes)["columns"]) == 3


def test_lines_of_reference_are_no_data(axes):
    axes.axhline(0.5)
    axes.axvline(0.5)
    axes.axvspan(0, 1)
    axes.axline((0, 0), slope=1)
    axes.text(0, 0, "only words")
    assert tables(axes.figure) == []


def test_bars_have_their_categories(axes):
    axes.bar(["cat", "dog"], [1, 2.5])
    assert only(axes)["rows"] == [["cat", 1], ["dog", 2.5]]


def test_flat_bars_have_their_categories_too(axes):
    axes.barh(["cat", "dog"], [1, 2.5])
    table = only(axes)
    assert headings(table) == ["loss", "time, s"]
    assert table["rows"] == [["cat", 1], ["dog", 2.5]]


def test_bars_side_by_side_are_at_their_tick(axes):
    for i in range(3):  # one at a time, as a listing may
        axes.bar(i - 0.2, i, width=0.38, color="C1")
        axes.bar(i + 0.2, 10 * i, width=0.38, color="C0")
    axes.text(0, 0, "left", color="C1")
    axes.set_xticks(range(3), labels=["a", "b", "c"])
    table = only(axes)
    assert headings(table) == ["time, s", "left", ""]
    assert table["rows"] == [["a", 0, 0], ["b", 1, 10], ["c", 2, 20]]


def test_bars_without_fixed_ticks_are_where_they_are(axes):
    axes.bar([0.25, 7], [1, 2])
    assert only(axes)["rows"] == [[0.25, 1], [7, 2]]


def test_a_stacked_bar_is_as_long_as_it_is(axes):
    axes.bar([0, 2], [3, 4], label="under")
    axes.bar([0, 2], [0.5, 0.25], bottom=[3, 4], label="over")
    assert only(axes)["rows"] == [[0, 3, 0.5], [2, 4, 0.25]]


def test_a_histogram_has_its_bins(axes):
    axes.hist([1, 1, 2, 3.5], bins=[1, 2, 3, 4])
    table = only(axes)
    assert headings(table) == [("time, s", "from"), ("time, s", "to"), "loss"]
    assert table["rows"] == [[1, 2, 2], [2, 3, 1], [3, 4, 1]]
    assert table["lead"] == 2


def test_stairs_have_their_steps(axes):
    axes.stairs([5, 7], [0, 1, 4])
    assert only(axes)["rows"] == [[0, 1, 5], [1, 4, 7]]


def test_a_line_drawn_in_steps_has_its_points(axes):
    axes.step([0, 1, 2], [5, 6, 7], where="post")
    assert only(axes)["rows"] == [[0, 5], [1, 6], [2, 7]]


def test_error_bars_say_from_where_to_where(axes):
    axes.errorbar([0, 1], [1, 2], yerr=[[0.5, 0.25], [1, 2]], capsize=3, label="measured")
    table = only(axes)
    assert headings(table) == ["time, s", "measured", ("measured", "min"), ("measured", "max")]
    assert table["rows"] == [[0, 1, 0.5, 2], [1, 2, 1.75, 4]]


def test_error_bars_on_bars(axes):
    axes.bar(["a", "b"], [1, 2], yerr=[0.5, 0.25])
    assert only(axes)["rows"] == [["a", 1, 0.5, 1.5], ["b", 2, 1.75, 2.25]]


def test_error_bars_in_both_directions_give_those_of_the_values(axes):
    axes.errorbar([0, 1], [1, 2], xerr=0.25, yerr=0.5)
    assert only(axes)["rows"] == [[0, 1, 0.5, 1.5], [1, 2, 1.5, 2.5]]


def test_error_bars_on_flat_bars(axes):
    axes.barh(["a", "b"], [1, 2], xerr=[0.5, 0.25], yerr=0.1)
    assert only(axes)["rows"] == [["a", 1, 0.5, 1.5], ["b", 2, 1.75, 2.25]]


def test_error_bars_alone_say_from_where_to_where(axes):
    axes.errorbar([0, 1], [1, 2], yerr=0.5, fmt="none")
    table = only(axes)
    assert headings(table) == ["time, s", ("loss", "min"), ("loss", "max")]
    assert table["rows"] == [[0, 0.5, 1.5], [1, 1.5, 2.5]]


def test_a_band_goes_from_its_least_to_its_most(axes):
    x = np.array([0.0, 1, 2])
    axes.plot(x, x + 1, color="C0")
    axes.fill_between(x, x + 2, x, color="C0", alpha=0.3)
    axes.text(0, 0, "mean", color="C0")
    table = only(axes)
    assert headings(table) == ["time, s", "mean", ("mean", "min"), ("mean", "max")]
    assert table["rows"] == [[0, 1, 0, 2], [1, 2, 1, 3], [2, 3, 2, 4]]


def test_a_band_with_a_gap_has_the_rows_that_are_filled(axes):
    axes.fill_between([0, 1, 2, 3, 4], [1, 1, 1, 1, 1], where=[True, True, False, True, True])
    assert only(axes)["rows"] == [[0, 0, 1], [1, 0, 1], [3, 0, 1], [4, 0, 1]]


def test_stems_have_their_heads(axes):
    axes.stem([0, 1], [2, 3], label="impulse")
    table = only(axes)
    assert headings(table) == ["time, s", "impulse"]
    assert table["rows"] == [[0, 2], [1, 3]]


def test_scattered_points_and_what_their_shades_mean(axes):
    shades = axes.scatter([1, 2], [3, 4], c=[0.5, 0.25])
    axes.figure.colorbar(shades).set_label("weight")
    table = only(axes)
    assert headings(table) == ["time, s", "loss", ("weight", "shade")]
    assert table["rows"] == [[1, 3, 0.5], [2, 4, 0.25]]


def test_a_log_axis_has_numbers_whatever_is_written_at_its_ticks(axes):
    axes.plot([1, 10, 100], [1, 2, 3])
    axes.set_xscale("log")
    assert only(axes)["rows"] == [[1, 1], [10, 2], [100, 3]]
    axes.set_xticks([1, 10, 100], labels=[1, 10, 100])
    assert only(axes)["rows"] == [[1, 1], [10, 2], [100, 3]]
    axes.set_xticks([1, 10, 100], labels=["one", "ten", "many"])
    assert only(axes)["rows"] == [["one", 1], ["ten", 2], ["many", 3]]
    axes.set_xticks([1, 10], labels=["one", "ten"])  # not all have a name
    assert only(axes)["rows"] == [[1, 1], [10, 2], [100, 3]]


def test_dates_are_dates(axes):
    axes.plot([datetime.date(2026, 1, 31), datetime.date(2026, 2, 1)], [1, 2])
    assert only(axes)["rows"] == [["2026-01-31", 1], ["2026-02-01", 2]]


def test_each_axes_has_its_table_and_its_title():
    figure, (left, right) = plt.subplots(1, 2)
    left.plot([1], [2])
    left.set_title("Left")
    right.plot([3], [4])
    right.inset_axes([0.5, 0.5, 0.4, 0.4]).plot([5], [6])
    right.twinx().plot([3], [8])
    found = tables(figure)
    assert [(table["title"], table["rows"]) for table in found] == [
        ("Left", [[1, 2]]),
        ("", [[3, 4]]),
        ("", [[5, 6]]),
        ("", [[3, 8]]),
    ]


def test_what_has_three_dimensions_has_no_table():
    figure = plt.figure()
    figure.add_subplot(projection="3d").plot([0, 1], [0, 1], [0, 1])
    assert tables(figure) == []


def test_numbers_are_the_same_in_every_language_and_only_they_count():
    def drawn(words, value=0.5):
        axes = plt.subplots()[1]
        axes.bar(words, [1, value], label=words[0])
        axes.set_ylabel(words[1])
        return numbers(tables(axes.figure))

    assert drawn(["cat", "dog"]) == drawn(["gatto", "cane"])
    assert drawn(["cat", "dog"]) != drawn(["cat", "dog"], 0.25)
