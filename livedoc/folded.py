"""The data of a figure on its page: tables folded under its caption, each with its file."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from livedoc.tables import CELLS, MATHS, ROWS, headings, named, plain, word, written

if TYPE_CHECKING:
    from livedoc.context import Context

Json = dict[str, Any]


def data(context: Context, name: str, number: int, tables: list[Json]) -> str:
    """Return the data of the figure that comes next on a page; nothing when it has none.

    Args:
        context: The page.
        name: The name of its listing.
        number: Its number among the figures of the listing.
        tables: Its data, as `livedoc.drawn` found them.
    """
    if not tables:
        return ""
    language, parts = context.language, []
    for order, (file, table) in enumerate(named(name, number, tables), 1):
        title = word("caption", language).format(context.figures)
        if len(tables) > 1:
            title += f" ({order})"
        if table["title"]:
            title += f": {plain(table['title'])}"
        link, address = word("file", language), html.escape(context.folder + file)
        parts.append(
            f"{_table(table, title, language)}<p>{_cut(table, language)}"
            f'<a href="{address}" download aria-label="{link}: {html.escape(title)}">{link}</a></p>'
        )
    return (
        f'<details class="figure-data" id="figure-{name}-{number}-data"><summary>{word("data", language)}</summary>'
        f"{''.join(parts)}</details>"
    )


def _most(table: Json) -> int:
    return max(1, min(ROWS, CELLS // len(table["columns"])))


def _cut(table: Json, language: str) -> str:
    most, rows = _most(table), len(table["rows"])
    return f"{word('cut', language).format(most, rows)} " if rows > most else ""


def _table(table: Json, caption: str, language: str) -> str:
    titled = ' class="titled"' if table["title"] else ""  # otherwise what is folded has said it
    lines = list(zip(table["rows"], written(table, language), strict=True))[: _most(table)]
    rows = "".join(f"<tr>{_row(row, texts, table['lead'])}</tr>" for row, texts in lines)
    return (
        f'<div class="data-table" role="region" tabindex="0" aria-label="{html.escape(caption)}"><table class="data">'
        f"<caption{titled}>{html.escape(caption)}</caption><thead>{_head(table, language)}</thead><tbody>{rows}</tbody>"
        "</table></div>"
    )


def _head(table: Json, language: str) -> str:
    """Return one row of headings, or two where one stands above those of several columns."""
    lead, across = table["lead"], table["across"]
    columns = list(zip(*table["rows"], strict=True))
    cells = []
    for i, (heading, column) in enumerate(zip(headings(table, language), columns, strict=True)):
        tall = ' rowspan="2"' if across and i < lead else ""
        number = "" if all(isinstance(value, str) for value in column) else ' class="number"'
        cells.append(f'<th scope="col"{tall}{number}>{rich(heading)}</th>')
    if not across:
        return f"<tr>{''.join(cells)}</tr>"
    wide = f'<th scope="colgroup" colspan="{len(cells) - lead}">{rich(across)}</th>'
    return f"<tr>{''.join(cells[:lead])}{wide}</tr><tr>{''.join(cells[lead:])}</tr>"


def _row(row: list[float | str | None], texts: list[str], lead: int) -> str:
    """Return the cells of a row; each number says what it is exactly."""
    cells = []
    for i, (value, text) in enumerate(zip(row, texts, strict=True)):
        opening, closing = ('<th scope="row"', "</th>") if i < lead else ("<td", "</td>")
        if isinstance(value, str):
            cells.append(f"{opening}>{rich(text)}{closing}")
        else:
            shown = "" if value is None else f'<data value="{value!r}">{text}</data>'
            cells.append(f'{opening} class="number">{shown}{closing}')
    return "".join(cells)


def rich(text: str) -> str:
    """Return a label as HTML, with its maths as on the rest of the page."""
    if not MATHS.search(text):
        return html.escape(text)
    from livedoc.maths import MathError, render

    parts = MATHS.split(text)
    try:
        return "".join(render(part) if i % 2 else html.escape(part) for i, part in enumerate(parts))
    except MathError:  # Matplotlib knows a few commands that KaTeX does not
        return html.escape(plain(text))
