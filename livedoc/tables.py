"""The data of a figure as text: in the notation of its page, and as CSV files."""

from __future__ import annotations

import csv
import io
import math
import re
from typing import TYPE_CHECKING, Any

from livedoc.numbers import localise

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Json = dict[str, Any]
Cell = float | str | None

ROWS, CELLS = 200, 2000
"""How much of a table a page shows; its file has all."""
DIGITS = 5
"""Significant digits of the largest of the numbers that stand together."""
WORDS = {
    "it": {
        "data": "Dati della figura",
        "caption": "Dati della figura {}",
        "file": "Scarica i dati (CSV)",
        "cut": "Qui ci sono {} righe su {}; nel file ci sono tutte.",
        "series": "serie",
        "shade": "tinta",
        "from": "{} (da)",
        "to": "{} (a)",
    },
    "en": {
        "data": "Data of the figure",
        "caption": "Data of figure {}",
        "file": "Download the data (CSV)",
        "cut": "These are {} rows of {}; the file has them all.",
        "series": "series",
        "shade": "shade",
        "from": "{} (from)",
        "to": "{} (to)",
    },
}
"""What the engine says of a table, and adds to its headings."""
MATHS = re.compile(r"\$([^$]+)\$")


def word(key: str, language: str) -> str:
    """Return one of the engine's own words."""
    return WORDS.get(language, WORDS["en"])[key]


def plain(text: str) -> str:
    """Return a label of Matplotlib without the dollars of its maths."""
    return MATHS.sub(r"\1", text)


def values_of(values: Sequence[Cell], language: str) -> list[str]:
    """Write what stands together in the notation of a language, numbers with as many decimals if they are comparable.

    Whole numbers have none, and an exact zero is 0; texts are left as they are, and what is not there is empty.
    """
    spec = _spec([value for value in values if isinstance(value, int | float)])

    def text(value: Cell) -> str:
        if isinstance(value, int | float):
            return format(value, spec) if value else "0"
        return value or ""

    return [localise(text(value), language) for value in values]


def _spec(numbers: Sequence[float]) -> str:
    sizes = [abs(number) for number in numbers if number]
    largest, smallest = max(sizes, default=0.0), min(sizes, default=0.0)
    group = "," if largest >= 10_000 else ""
    if all(float(number).is_integer() for number in numbers) and largest < 1e15:
        return f"{group}.0f"
    places = max(0, DIGITS - 1 - math.floor(math.log10(largest)))
    if largest >= 1e15 or smallest < 10.0 ** (1 - places):  # too far apart for one number of decimals
        return f".{DIGITS}g"
    decimals = [text.partition(".")[2] for text in map(repr, map(float, numbers)) if "e" not in text]
    return f"{group}.{min(places, max(map(len, decimals)))}f"


def written(table: Json, language: str) -> list[list[str]]:
    """Return the rows of a table as texts; a heat map is of one piece, other tables are read by columns."""
    columns = [list(column) for column in zip(*table["rows"], strict=True)]
    if "grid" in table:
        width = len(columns) - 1
        flat = values_of([value for row in table["rows"] for value in row[1:]], language)
        lefts = values_of(columns[0], language)
        return [[left, *flat[i * width : (i + 1) * width]] for i, left in enumerate(lefts)]
    return [list(row) for row in zip(*(values_of(column, language) for column in columns), strict=True)]


def headings(table: Json, language: str) -> list[str]:
    """Return the headings of a table's columns; the series that nobody named are counted."""
    names = values_of([column["name"] for column in table["columns"]], language)
    return [
        _heading(name, column["part"], order, language)
        for order, (name, column) in enumerate(zip(names, table["columns"], strict=True), 1 - table["lead"])
    ]


def _heading(name: str, part: str, order: int, language: str) -> str:
    if part == "series":
        return word("series", language)
    name = name or (word("shade", language) if part == "shade" else f"{word('series', language)} {order}")
    if part in {"from", "to"}:
        return word(part, language).format(name)
    return f"{name} ({part})" if part in {"min", "max"} else name


def as_csv(table: Json, language: str) -> str:
    """Return a table as CSV: a line of headings; commas between fields, points in numbers, which are whole."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    above = [""] * table["lead"] + [table["across"]] * (len(table["columns"]) - table["lead"])
    pairs = zip(above, headings(table, language), strict=True)
    writer.writerow(plain(f"{across}: {heading}" if across else heading) for across, heading in pairs)
    writer.writerows(["" if value is None else value for value in row] for row in table["rows"])
    return file.getvalue()


def named(name: str, number: int, tables: Sequence[Json]) -> list[tuple[str, Json]]:
    """Return the tables of a listing's figure, each with its file beside the page: `figures/scale-1.csv`."""
    if len(tables) == 1:
        return [(f"figures/{name}-{number}.csv", tables[0])]
    return [(f"figures/{name}-{number}-{order}.csv", table) for order, table in enumerate(tables, 1)]


def files(name: str, figures: Iterable[Json], language: str) -> dict[str, str]:
    """Return the CSV files of a listing's figures by their places."""
    return {
        file: as_csv(table, language)
        for number, figure in enumerate(figures, 1)
        for file, table in named(name, number, figure["tables"])
    }
