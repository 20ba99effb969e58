"""The data of every figure, as its page shows them, are what its listing computed."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from livedoc import tables

SNIPPETS = Path(__file__).parents[2] / "snippets"
DRAWING = [
    path.relative_to(SNIPPETS).as_posix()
    for path in sorted(SNIPPETS.glob("*/*.py"))
    if "# %% figure:" in path.read_text(encoding="utf-8")
]
UNNAMED = r"series \d+|[xy]"


def columns(run: Any) -> dict[str, list[Any]]:
    """Return the columns of the only table of a listing, by their headings."""
    [table] = run.tables
    rows = zip(*table["rows"], strict=True)
    return dict(zip(tables.headings(table, "en"), map(list, rows), strict=True))


@pytest.mark.parametrize("file", DRAWING)
def test_every_figure_has_its_data_named(file: str, run_once: Any) -> None:
    run = run_once(file)
    assert len(run.tables) == run.figures == 1
    [table] = run.tables
    assert len(table["rows"]) > 1
    told = tables.headings(table, "en")
    assert not [heading for heading in told if re.fullmatch(UNNAMED, heading)]
    assert len(told) == len(set(told))
    assert not [value for row in table["rows"] for value in row if value is None]


@pytest.mark.parametrize(
    ("listing", "weights"),
    [("attention", "weights"), ("heads", "weights[0, :, 0]")],
)
def test_heat_maps_have_the_exact_weights(
    listing: str, weights: str, run_once: Any
) -> None:
    run = run_once(f"transformer/{listing}.py")
    [table] = run.tables
    expected = eval(weights, run.names)
    assert [row[1:] for row in table["rows"]] == expected.tolist()
    first = 0 if listing == "attention" else 1
    assert [row[0] for row in table["rows"]] == [
        first + i for i in range(len(expected))
    ]
    assert [one["name"] for one in table["columns"][1:]] == list(
        range(expected.shape[1])
    )
    assert table["across"] == "key position"


@pytest.mark.parametrize(
    ("listing", "fields"),
    [
        (
            "scale",
            {"divided by √d_k": "jacobian_scaled", "no scale": "jacobian_raw"},
        ),
        ("scale_limits", {"mean": "jacobian_mean", "median": "jacobian_median"}),
        ("cost", {"weights, n²": "mebibytes"}),
    ],
)
def test_lines_are_the_rows_of_their_listing(
    listing: str, fields: dict[str, str], run_once: Any
) -> None:
    run = run_once(f"transformer/{listing}.py")
    found = columns(run)
    keys = next(iter(found.values()))
    assert keys == [row[0] for row in run.names["rows"]]
    for heading, field in fields.items():
        assert found[heading] == [getattr(row, field) for row in run.names["rows"]]


def test_bars_are_the_distances_moved(run_once: Any) -> None:
    run = run_once("transformer/mask.py")
    found = columns(run)
    assert found["position"] == list(range(run.names["n"]))
    assert found["no mask"] == run.names["moved_unmasked"].tolist()
    assert found["causal mask"] == run.names["moved_masked"].tolist()


def test_positions_are_the_encoding_and_not_where_it_is_drawn(run_once: Any) -> None:
    run = run_once("transformer/positions.py")
    found = columns(run)
    assert found.pop("position") == list(range(36))
    assert list(found) == ["feature 0", "feature 2", "feature 4", "feature 6"]
    encoding = run.names["encoding"](36, run.names["d"])
    assert np.array_equal(np.array(list(found.values())).T, encoding[:, 0:8:2])


def test_rotation_has_the_two_features_of_its_four_positions(run_once: Any) -> None:
    run = run_once("transformer/rotation.py")
    found = columns(run)
    places = [0, 5, 7, 12]
    pair = run.names["encoding"](40, run.names["d"])[:, 2:4]
    assert found["series"] == [f"position {place}" for place in places]
    assert found["feature 3 (cosine)"] == pair[places, 1].tolist()
    assert found["feature 2 (sine)"] == pair[places, 0].tolist()
