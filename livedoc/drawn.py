"""The data of a figure as tables, read from what Matplotlib drew.

The table of an axes holds what its legend would: where some series has a `label`, those with one and no other; where
none has, all of them, each named by the legend or by the only text of its colour. So an author names a series, or
leaves the rest of a drawing out of the table, with `label=`, whose words are translated as all visible ones are; an
invisible line with a label adds what nothing else says. A curve that is shifted to be seen keeps its values in the
table when the shift is in its `transform`. Heat maps are tables of their own: see `livedoc.grids`.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from livedoc.series import Series, colour_of, one_line, series

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, Any]
Cell = float | str | None

_CALLING = frozenset(("FixedFormatter", "FuncFormatter", "StrCategoryFormatter"))


def cell(value: float | None) -> Cell:
    """Return a number as a table has it: a whole one without decimals, `None` for one that is not there."""
    if value is None or math.isnan(value):
        return None
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return int(value) if float(value).is_integer() and abs(value) < 2**53 else float(value)


def number(text: object) -> float | None:
    """Return the number that a text is, if it is one."""
    try:
        return float(str(text).replace("−", "-"))
    except ValueError:
        return None


def called(axis: Any, values: list[float]) -> list[Cell]:
    """Return values as their axis calls them: what is written at its ticks, dates, or the numbers themselves."""
    from matplotlib import dates as calendar

    dates: Any = calendar
    formatter = axis.get_major_formatter()
    if isinstance(formatter, dates.AutoDateFormatter | dates.ConciseDateFormatter | dates.DateFormatter):
        return [dates.num2date(value).isoformat().removesuffix("T00:00:00+00:00") for value in values]
    written: dict[float, str] = {}
    if type(formatter).__name__ in _CALLING:
        ticks = [float(tick) for tick in axis.get_majorticklocs()]
        written = dict(zip(ticks, map(one_line, formatter.format_ticks(ticks)), strict=True))
    if not all(written.get(value) for value in values):
        return [cell(value) for value in values]
    numbers = [number(written[value]) for value in values]
    return [written[value] for value in values] if None in numbers else [cell(one) for one in numbers]


def _leads(axis: Any, one: Series) -> list[tuple[Cell, ...]]:
    """Return where each number of a series lies; bars that stand around a tick are all at that tick."""
    ticks = [float(tick) for tick in axis.get_majorticklocs()]
    fixed = type(axis.get_major_locator()).__name__ in {"FixedLocator", "StrCategoryLocator"}
    if one.bars and ticks and fixed:
        gap = min((after - before for before, after in pairwise(sorted(ticks))), default=math.inf)
        nearest = [min(ticks, key=lambda tick: abs(tick - key)) for key in one.keys]
        near = all(abs(tick - key) < 0.49 * gap for tick, key in zip(nearest, one.keys, strict=True))
        if near and len(set(nearest)) == len(nearest):
            return [(name,) for name in called(axis, nearest)]
    if one.bins:
        return [(cell(start), cell(end)) for start, end in one.bins]
    return [(name,) for name in called(axis, one.keys)]


def _named(axes: Any) -> list[Series]:
    """Return the series of an axes with their names, each once."""
    found = list(series(axes))
    if any(one.label for one in found):
        found = [one for one in found if one.label]
    made: list[Series] = []
    for one in found:
        if like := next((other for other in made if other.joins(one)), None):
            like.join(one)
        else:
            made.append(one)
    said = [(colour_of(text), text) for text in axes.texts]
    if legend := axes.get_legend():
        said = [(colour_of(mark), text) for mark, text in zip(legend.legend_handles, legend.get_texts(), strict=False)]
    for one in made:
        words = {one_line(text.get_text()) for colour, text in said if colour == one.colour}
        alike = [other for other in made if other.colour == one.colour and other.parts.keys() == one.parts.keys()]
        if not one.label and len(words) == len(alike) == 1:
            one.label = words.pop()
    return made


def shade_name(collection: Any) -> str:
    """Return what the shades of a collection stand for: the label of its colour bar."""
    bar = getattr(collection, "colorbar", None)
    return one_line(bar.ax.get_ylabel() or bar.ax.get_xlabel()) if bar else ""


def _table(axes: Any, along: str, chosen: list[Series]) -> Json:
    """Lay series out: a column each where all lie at the same places, else one below the other."""
    key_axis, value_axis = (axes.xaxis, axes.yaxis) if along == "x" else (axes.yaxis, axes.xaxis)
    across = one_line(value_axis.label.get_text())
    value = across or ("y" if along == "x" else "x")
    shade = next(filter(None, map(shade_name, axes.collections)), "")
    leads = [_leads(key_axis, one) for one in chosen]
    binned = any(len(lead) > 1 for place in leads for lead in place)
    leads = [[(*lead, None)[: 1 + binned] for lead in place] for place in leads]
    key = one_line(key_axis.label.get_text()) or along
    head = [{"name": key, "part": part} for part in (("from", "to") if binned else ("",))]
    if all(place == leads[0] for place in leads):
        alone = len(chosen) == 1 and not chosen[0].label
        names = [value if alone else one.label for one in chosen]
        columns = [
            {"name": shade if part == "shade" else name, "part": part}
            for name, one in zip(names, chosen, strict=True)
            for part in one.parts
        ]
        lists = [values for one in chosen for values in one.parts.values()]
        rows = [[*lead, *(cell(values[i]) for values in lists)] for i, lead in enumerate(leads[0])]
        return {"lead": len(head), "across": "" if alone else across, "columns": [*head, *columns], "rows": rows}
    parts = list(dict.fromkeys(part for one in chosen for part in one.parts))
    columns = [{"name": shade if part == "shade" else value, "part": part} for part in parts]
    rows = [
        [one.label or order, *lead, *(cell(one.parts[part][i]) if part in one.parts else None for part in parts)]
        for order, (one, place) in enumerate(zip(chosen, leads, strict=True), 1)
        for i, lead in enumerate(place)
    ]
    return {"lead": 1, "across": "", "columns": [{"name": "", "part": "series"}, *head, *columns], "rows": rows}


def title_of(axes: Any) -> str:
    """Return the title of an axes, wherever it stands."""
    return next((one_line(found) for loc in ("center", "left", "right") if (found := axes.get_title(loc))), "")


def tables(figure: Any) -> list[Json]:
    """Return the data of a figure as tables, each with words in the language of its labels.

    A table has a `title`; `columns`, each a `name` and which `part` of it (min, max, from, to, series, shade); the
    first `lead` of them say what a row is about, the others stand under the heading `across`; and `rows` of numbers,
    texts and `None`. That of a heat map has `grid` besides, and its cells in the drawing are given ids: see
    `livedoc.grids`. So it has to be called before the figure is saved.
    """
    from livedoc import grids

    found: list[Json] = []
    for axes in _axes(figure):
        title = title_of(axes)
        for table in grids.tables(axes, len(found)):
            found.append({**table, "title": title or table["title"]})
        shown = _named(axes)
        for along in ("x", "y"):
            if chosen := [one for one in shown if one.along == along]:
                found.append({"title": title, **_table(axes, along, chosen)})
    return found


def _axes(figure: Any) -> Iterator[Any]:
    """Yield the axes of a figure and those inside them, but not its colour bars, nor what has three dimensions."""
    for axes in figure.axes:
        for one in (axes, *axes.child_axes):
            if one.get_label() != "<colorbar>" and one.name != "3d":
                yield one


def numbers(found: list[Json]) -> list[Any]:
    """Return what tables hold but for their words, which differ between languages."""

    def plain(row: list[Cell]) -> list[Cell]:
        return [("" if isinstance(value, str) and number(value) is None else value) for value in row]

    return [[plain([one["name"] for one in table["columns"]]), *map(plain, table["rows"])] for table in found]
