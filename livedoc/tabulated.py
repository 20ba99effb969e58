"""The tables of a page's figures held against their files, and those against the ledger; the cells of heat maps too.

A number on the page may have less digits than in the file, but not others: it is read back as a reader reads it.
"""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING, Any

from livedoc.ledger import sha256
from livedoc.tables import CELLS, ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bs4 import Tag

Json = dict[str, Any]
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--")
_POWER = re.compile(r"^(?P<number>[^\s]+?)(?:\s[·×]\s10(?P<power>[⁻⁰¹²³⁴-⁹]+))?$")


def findings(listing: Tag, run: Json, folder: Path, language: str) -> Iterator[str]:
    """Yield what is wrong with the data of a listing's figures.

    Args:
        listing: Its element on the page.
        run: What the ledger says of it.
        folder: Where the files of the page are.
        language: The language of the page.
    """
    for drawn in run["figures"]:
        figure = listing.find("figure", id=drawn["id"])
        files = drawn.get("tables", [])
        if figure is None:
            continue  # told with the drawings
        tables, links = figure.select(".figure-data table"), figure.select(".figure-data a[download]")
        if [link["href"] for link in links] != [file["file"] for file in files] or len(tables) != len(files):
            yield f"{drawn['id']} does not show and offer the tables of the ledger"
            continue
        for table, file in zip(tables, files, strict=True):
            path = folder / file["file"]
            text = path.read_bytes().decode(errors="replace") if path.is_file() else ""
            if sha256(text) != file["sha256"]:
                yield f"{file['file']} is not what the ledger’s sha256 is of"
            rows = list(csv.reader(text.splitlines()))
            yield from (f"{file['file']}: {message}" for message in _compared(table, rows, language))
        yield from (f"{drawn['id']}: {message}" for message in _cells(figure, tables))


def numbers(page: Tag, name: str) -> list[str]:
    """Return the numbers in the tables of the figures of a listing, which are those of the other language."""
    return [str(number["value"]) for number in page.select(f"#listing-{name} .figure-data data")]


def _compared(table: Tag, rows: list[list[str]], language: str) -> Iterator[str]:
    """Compare a table with the lines of its file."""
    if not rows or not table.caption:
        yield "it is empty, or its table has no caption"
        return
    if not table.select_one(".katex") and (seen := _headings(table)) != rows[0]:
        yield f"its headings {rows[0]} are {seen} on the page"
    shown = [row.find_all(["th", "td"]) for row in table.select("tbody tr")]
    if len(shown) != min(len(rows) - 1, max(1, min(ROWS, CELLS // len(rows[0])))):
        yield f"the page shows {len(shown)} of its {len(rows) - 1} rows"
    for number, (cells, row) in enumerate(zip(shown, rows[1:], strict=False), 1):
        read = [_read(cell) for cell in cells]
        if [exact for exact, _ in read] != row:
            yield f"row {number} is {', '.join(exact for exact, _ in read)} on the page, not {', '.join(row)}"
        for exact, text in read:
            if text is not None and not says(text, exact, language):
                yield f"row {number}: {exact} is not written “{text}”"


def _headings(table: Tag) -> list[str]:
    lines = [line.find_all("th") for line in table.select("thead tr")]
    if len(lines) == 1:
        return [one.get_text() for one in lines[0]]
    *leads, across = (one.get_text() for one in lines[0])
    return [*leads, *(f"{across}: {one.get_text()}" for one in lines[1])]


def _read(cell: Tag) -> tuple[str, str | None]:
    """Return what a cell is exactly, and the number as it is written, if it is one."""
    number = cell.find("data")
    return (str(number["value"]), number.get_text()) if number else (cell.get_text(), None)


def says(text: str, exact: str, language: str) -> bool:
    """Tell whether a number in the notation of a language is another one rounded to its digits."""
    group, decimal = (".", ",") if language == "it" else (",", ".")
    match = _POWER.match(text)
    if not match:
        return False
    number = match["number"].translate(_DIGITS).replace(group, "").replace(decimal, ".")
    power = int((match["power"] or "0").translate(_DIGITS))
    places = len(number.partition(".")[2])
    try:
        return abs(float(f"{number}e{power}") - float(exact)) <= 0.5000001 * 10.0 ** (power - places)
    except ValueError:
        return False


def _cells(figure: Tag, tables: list[Tag]) -> Iterator[str]:
    """Compare what the cells of a heat map say with its table on the page."""
    for cell in figure.select("svg .cell"):
        title = cell.find("title")
        said = title.get_text() if title else ""
        table, row, column = (int(part) for part in str(cell["data-cell"]).split())
        try:
            head, names = (line.find_all("th") for line in tables[table].select("thead tr"))
            here, *values = tables[table].select("tbody tr")[row].find_all(["th", "td"])
            parts = (head[0], here, head[1], names[column], values[column])
        except (IndexError, ValueError):
            yield f"the cell “{said}” is not in its table"
            continue
        known = "{} {}, {} {}: {}".format(*(part.get_text() for part in parts))
        if said != known and not tables[table].select_one(".katex"):
            yield f"the cell “{said}” is “{known}” in the table"
