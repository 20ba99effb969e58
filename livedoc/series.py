"""What Matplotlib drew in an axes, read back as series of numbers: lines, points, bars, bands, steps, error bars."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

Ranges = dict[float, tuple[float, float]]


@dataclass
class Series:
    """One thing drawn: its name, its colour, where it lies along an axis, and what it is there.

    `parts` holds its numbers: its values (""), from where to where it goes (`min`, `max`), what its shades stand for
    (`shade`). `bins` holds where each of its steps begins and ends.
    """

    label: str
    colour: str
    keys: list[float]
    parts: dict[str, list[float]]
    along: str = "x"
    bins: list[tuple[float, float]] = field(default_factory=list)
    bars: bool = False

    def joins(self, other: Series) -> bool:
        """Tell whether two things drawn are one series: of one name, or bars of one colour, and nowhere both."""
        named = bool(self.label) or (self.bars and other.bars and self.colour == other.colour)
        same = (self.label, self.along, self.parts.keys()) == (other.label, other.along, other.parts.keys())
        return named and same and not set(self.keys) & set(other.keys)

    def join(self, other: Series) -> None:
        """Take in what the other has."""
        self.keys += other.keys
        self.bins += other.bins
        for part, values in other.parts.items():
            self.parts[part] += values


def one_line(text: object) -> str:
    """Return a text without line breaks and doubled spaces."""
    return " ".join(str(text).split())


def label_of(artist: Any) -> str:
    """Return the label an author gave: Matplotlib's own begin with an underscore."""
    label = one_line(artist.get_label() or "")
    return "" if label.startswith("_") else label


def placed(transform: Any, axes: Any) -> bool:
    """Tell whether something lies in the data of its axes, along both of them."""
    return all(transform.contains_branch_seperately(axes.transData))


def colour_of(artist: Any) -> str:
    """Return the colour of an artist as #rrggbb; of one that has many, the first."""
    from matplotlib.colors import to_hex

    colour = artist.get_color() if hasattr(artist, "get_color") else artist.get_facecolor()
    if getattr(colour, "ndim", 1) == 2:
        colour = colour[0] if len(colour) else "none"
    return str(to_hex(colour))


def series(axes: Any) -> Iterator[Series]:
    """Yield what is drawn in an axes, in the order in which it was drawn; what has no data yields nothing."""
    owners = {id(part): whole for whole in axes.containers for part in whole.get_children()}
    inner = {id(whole.errorbar) for whole in axes.containers if getattr(whole, "errorbar", None)}
    seen: set[int] = set()
    for artist in axes.get_children():
        thing = owners.get(id(artist), artist)
        if id(thing) not in seen | inner and (made := _read(thing, axes)) and made.keys:
            yield made
        seen.add(id(thing))


def _read(thing: Any, axes: Any) -> Series | None:
    match type(thing).__name__:
        case "BarContainer":
            return _bars(thing) if thing.patches else None
        case "ErrorbarContainer":
            return _errors(thing, axes)
        case "StemContainer":
            return _line(thing.markerline, axes, label_of(thing))
        case "FillBetweenPolyCollection":
            return _band(thing)
        case "StepPatch":
            return _steps(thing)
        case "PathCollection":
            return _points(thing, axes)
    return _line(thing, axes, label_of(thing)) if hasattr(thing, "get_xydata") else None


def _line(line: Any, axes: Any, label: str) -> Series | None:
    if not placed(line.get_transform(), axes):
        return None
    points = line.get_xydata().tolist()
    return Series(label, colour_of(line), [x for x, _ in points], {"": [y for _, y in points]})


def _bars(bars: Any) -> Series:
    flat = bars.orientation == "horizontal"
    if flat:
        boxes = [(bar.get_y(), bar.get_height(), bar.get_width()) for bar in bars.patches]
    else:
        boxes = [(bar.get_x(), bar.get_width(), bar.get_height()) for bar in bars.patches]
    made = Series(
        label_of(bars),
        colour_of(bars.patches[0]),
        [float(start + width / 2) for start, width, _ in boxes],
        {"": [float(value) for _, _, value in boxes]},
        "y" if flat else "x",
        bars=True,
    )
    if len(boxes) > 1 and all(math.isclose(a + width, b, abs_tol=1e-9) for (a, width, _), (b, _, _) in pairwise(boxes)):
        made.bins = [(float(start), float(start + width)) for start, width, _ in boxes]  # a histogram
    if bars.errorbar:
        _bound(made, _ranges(bars.errorbar, flat))
    return made


def _errors(errors: Any, axes: Any) -> Series | None:
    line, ranges = errors.lines[0], _ranges(errors)
    if line is None:  # bars without points
        made: Series | None = Series(label_of(errors), colour_of(errors.lines[2][0]), list(ranges), {})
    else:
        made = _line(line, axes, label_of(errors))
    if made:
        _bound(made, ranges)
    return made


def _ranges(errors: Any, flat: bool = False) -> Ranges:
    """Return from where to where each error bar goes, by its place."""
    if not (errors.has_xerr if flat else errors.has_yerr):
        return {}
    key, value = (1, 0) if flat else (0, 1)
    segments = [segment.tolist() for segment in errors.lines[2][0 if flat else -1].get_segments()]
    return {one[0][key]: (one[0][value], one[-1][value]) for one in segments if one}


def _bound(made: Series, ranges: Ranges) -> None:
    nowhere = (math.nan, math.nan)
    for part, choose in (("min", min), ("max", max)) if ranges else ():
        # An error bar has its place from the data; a bar computes its middle.
        near = {round(key, 9): value for key, value in ranges.items()}
        made.parts[part] = [choose(near.get(round(key, 9), nowhere)) for key in made.keys]


def _band(band: Any) -> Series:
    key, value = (1, 0) if band.t_direction == "y" else (0, 1)
    keys, low, high = [], [], []
    for path in band.get_paths():  # a start, along one edge, an end, back along the other, and the start again
        points = path.vertices.tolist()
        count = (len(points) - 3) // 2
        for one, other in zip(points[1 : count + 1], points[count + 2 : 2 * count + 2][::-1], strict=True):
            keys.append(one[key])
            low.append(min(one[value], other[value]))
            high.append(max(one[value], other[value]))
    return Series(label_of(band), colour_of(band), keys, {"min": low, "max": high}, band.t_direction)


def _steps(steps: Any) -> Series:
    values, edges, _ = steps.get_data()
    bins = [(float(start), float(end)) for start, end in pairwise(edges)]
    parts = {"": [float(value) for value in values]}
    along = "y" if steps.orientation == "horizontal" else "x"
    return Series(label_of(steps), colour_of(steps), [start for start, _ in bins], parts, along, bins)


def _points(points: Any, axes: Any) -> Series | None:
    if not placed(points.get_offset_transform(), axes):
        return None
    places = points.get_offsets().tolist()
    parts = {"": [y for _, y in places]}
    if points.get_array() is not None:  # shades that stand for numbers
        parts["shade"] = points.get_array().tolist()
    return Series(label_of(points), colour_of(points), [x for x, _ in places], parts)
