"""A page's questions are answered in the namespace of the listing, as an f-string would."""

import math
import re
from collections import namedtuple

import numpy as np
import pytest
import torch

from livedoc.answers import answer

Row = namedtuple("Row", "n share")
NAMES = {
    "x": 1 / 3,
    "n": 5,
    "name": "softmax",
    "digits": 2,
    "table": {"key": 0.25},
    "rows": [Row(1, 0.5), Row(2, 0.25)],
    "np": np,
    "array": np.arange(3.0),
    "single": np.float32(0.5),
    "tensor": torch.tensor([0.125]),
    "flag": True,
    "nothing": None,
    "z": 1 + 2j,
    "big": 10**40,
    "bad": float("nan"),
}


def ask(text, kind="value", **more):
    return answer({"kind": kind, "text": text, **more}, dict(NAMES))


@pytest.mark.parametrize(
    ("text", "shown", "exact"),
    [
        ("x:.3f", "0.333", repr(1 / 3)),
        ("x", repr(1 / 3), repr(1 / 3)),
        ("n", "5", "5"),
        ("x:.{digits}f", "0.33", repr(1 / 3)),
        ("name", "softmax", "'softmax'"),
        ("name!r", "'softmax'", "'softmax'"),
        ("table['key']:.1%", "25.0%", "0.25"),
        ('table["key"]', "0.25", "0.25"),
        ("single:.2f", "0.50", "0.5"),
        ("tensor:.3f", "0.125", "0.125"),
        ("array[2]", "2.0", "2.0"),
        ("sum(row.n for row in rows)", "3", "3"),
        ("max(rows, key=lambda row: row.n).share", "0.25", "0.25"),
        ("big:.2e", "1.00e+40", str(10**40)),
        ("bad:.2f", "nan", "nan"),
        ("-0.0 * x", "-0.0", "-0.0"),
        ("1_000_000:,", "1,000,000", "1000000"),
    ],
)
def test_values(text, shown, exact):
    answered = ask(text)
    assert answered.get("error") is None
    assert (answered["text"], answered["exact"]) == (shown, exact)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("wrong", "NameError: name 'wrong' is not defined"),
        ("1 / 0", "ZeroDivisionError"),
        ("array", r"not a scalar, but ndarray of shape \(3,\)"),
        ("np.zeros(10**6)", "not a scalar"),
        ("flag", "a claim"),
        ("nothing", "not a scalar, but NoneType"),
        ("z", "not a scalar, but complex"),
        ("rows", "not a scalar, but list"),
        ("x:.3q", "ValueError"),
        ("x +", "SyntaxError"),
        ("x} and {n", "SyntaxError"),
        ("__import__('sys').exit(3)", "SystemExit"),
    ],
)
def test_a_value_that_cannot_stand_on_a_page_says_why(text, why):
    error = ask(text)["error"]
    assert re.search(why, error), error


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("x < 1", True),
        ("x > 1", False),
        ("np.all(array >= 0)", True),
        ("np.bool_(True)", True),
        ("torch_free := n > 2", None),
    ],
)
def test_claims(text, holds):
    answered = ask(text, "claim")
    assert answered.get("holds") is holds


def test_a_claim_tells_the_values_it_saw():
    answered = ask("abs(rows[1].share / rows[0].share - 1/2) < 0.01 and n == 6", "claim")
    assert answered["holds"] is False
    assert answered["seen"]["n"] == "5"
    assert answered["seen"]["abs(rows[1].share / rows[0].share - 1 / 2)"] == "0.0"


@pytest.mark.parametrize("text", ["n", "array > 1", "name", "wrong == 1", "nothing"])
def test_a_claim_is_true_or_false_and_nothing_else(text):
    assert "error" in ask(text, "claim")


def test_a_claim_over_rows_leaves_the_variable_of_its_loop_alone():
    assert ask("all(row.n < 3 for row in rows)", "claim")["holds"] is True


def test_a_table_has_the_fields_of_its_rows_as_names():
    answered = ask("rows", "table", columns=["n", "share:.1f", "row.n + n", "n * len(name)"])
    assert [[cell["text"] for cell in row] for row in answered["rows"]] == [
        ["1", "0.5", "2", "7"],
        ["2", "0.2", "4", "14"],
    ]
    by_key = ask("[{'a': 1}, {'a': 2}]", "table", columns=["a"])
    assert [row[0]["text"] for row in by_key["rows"]] == ["1", "2"]


@pytest.mark.parametrize(("rows", "columns"), [("[]", ["n"]), ("rows", ["wrong"]), ("n", ["n"]), ("rows", ["row"])])
def test_a_table_that_cannot_be_filled_says_why(rows, columns):
    assert "error" in ask(rows, "table", columns=columns)


def test_an_answer_never_changes_the_names():
    names = dict(NAMES)
    answer({"kind": "table", "text": "rows", "columns": ["n"]}, names)
    assert names["n"] == 5
    assert math.isclose(names["x"], 1 / 3)
