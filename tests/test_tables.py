"""The numbers of a figure in the notation of a page, and whole in a file."""

import csv

import pytest

from livedoc.tables import as_csv, files, headings, named, values_of, written


def table(rows, names=("x", "y"), parts=("", ""), across="", lead=1, **more):
    columns = [{"name": name, "part": part} for name, part in zip(names, parts, strict=True)]
    return {"title": "", "lead": lead, "across": across, "columns": columns, "rows": rows, **more}


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([1, 2, 30], ["1", "2", "30"]),
        ([512, 16777216], ["512", "16.777.216"]),
        ([1, 0.375], ["1,000", "0,375"]),
        ([0.36726983817699677, 0.5, 0], ["0,36727", "0,50000", "0"]),
        ([1234.5678, -2.26], ["1234,6", "−2,3"]),
        ([12345.678, 2000.5], ["12.346", "2.000"]),
        ([0.3, 0.0004], ["0,3000", "0,0004"]),
        ([0.3, 1.2345678e-17], ["0,3", "1,2346\u00a0·\u00a010⁻¹⁷"]),
        ([2.5e9, 1.5e9], ["2.500.000.000", "1.500.000.000"]),
        ([12345678.5, 20.5], ["12.345.678", "20"]),
        ([2.5e20, 3e20], ["2,5\u00a0·\u00a010²⁰", "3\u00a0·\u00a010²⁰"]),
        ([2.5e20, 1], ["2,5\u00a0·\u00a010²⁰", "1"]),
        ([None, 0.5, "inf", "gatto"], ["", "0,5", "∞", "gatto"]),
        ([None, "a"], ["", "a"]),
        ([0, 0], ["0", "0"]),
    ],
)
def test_numbers_that_stand_together_are_written_together(values, texts):
    assert values_of(values, "it") == texts


def test_the_notation_is_that_of_the_language():
    assert values_of([2e-9, 1.5], "en") == ["2\u00a0×\u00a010⁻⁹", "1.5"]
    assert values_of([-0.25], "en") == ["−0.25"]


def test_a_column_is_of_one_piece_and_so_is_a_heat_map():
    rows = [[1, 0.5], [2, 0.125]]
    assert written(table(rows), "en") == [["1", "0.500"], ["2", "0.125"]]
    rows = [["a", 0.5, 1], ["b", 0.125, 0.25]]
    cells = table(rows, ("y", 1, 2), ("", "", ""), grid=[False, False])
    assert written(cells, "en") == [["a", "0.500", "1.000"], ["b", "0.125", "0.250"]]


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("it", ["x (da)", "x (a)", "serie 1", "b (min)", "b (max)", "tinta", "8"]),
        ("en", ["x (from)", "x (to)", "series 1", "b (min)", "b (max)", "shade", "8"]),
    ],
)
def test_headings_are_in_the_language_of_the_page(language, told):
    names = ("x", "x", "", "b", "b", "", 8)
    parts = ("from", "to", "", "min", "max", "shade", "")
    assert headings(table([[0] * 7], names, parts, lead=2), language) == told
    assert headings(table([["a", 1]], ("", "y"), ("series", "")), "it") == ["serie", "y"]


def test_a_file_has_every_digit_and_is_read_back():
    numbers = [1 / 3, 1e-300, 2**53 - 1, -0.1 - 0.2, None]
    rows = [[f"line {i}, “so”\nand so", value] for i, value in enumerate(numbers)]
    text = as_csv(table(rows, ("a, b", "$d_k$"), across="how $many$"), "it")
    head, *lines = csv.reader(text.splitlines(keepends=True))
    assert head == ["a, b", "how many: d_k"]
    assert [name for name, _ in lines] == [name for name, _ in rows]
    assert [float(value) for _, value in lines[:-1]] == numbers[:-1]
    assert lines[-1][1] == ""


def test_a_figure_has_a_file_for_each_table():
    one, two = table([[1, 2]]), table([[3, 4]])
    assert named("scale", 2, [one]) == [("figures/scale-2.csv", one)]
    assert [file for file, _ in named("scale", 2, [one, two])] == ["figures/scale-2-1.csv", "figures/scale-2-2.csv"]
    figures = [{"tables": [table([[0, None]])]}, {"tables": []}, {"tables": [two]}]
    assert files("scale", figures, "en") == {"figures/scale-1.csv": "x,y\n0,\n", "figures/scale-3.csv": "x,y\n3,4\n"}
