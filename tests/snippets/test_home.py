"""The listing of the home page: a dot product spreads as the root of its length."""

import math

import pytest

FILE = "home/promise.py"
MUTATIONS = [
    (".sum(axis=-1)", ".mean(axis=-1)", "a mean does not spread as the root"),
    ("(q * k)", "(q)", "a sum of components is not a product of vectors"),
    ("standard_normal((2", "random((2", "components of mean 1/2 spread otherwise"),
    (".std()", ".var()", "the variance is the length itself"),
]


def check(names):
    """The spread is within the three per cent of the page, and is that of products."""
    assert abs(names["spread"] / math.sqrt(names["d"]) - 1) < 0.03
    assert names["spread"] == pytest.approx(15.94, abs=0.005)


def test_the_spread_is_the_root_of_the_length(run_once):
    run = run_once(FILE)
    check(run.names)
    assert "15.94" in run.printed
    assert run.complaints == ""


@pytest.mark.parametrize(("old", "new", "why"), MUTATIONS)
def test_a_mutation_is_caught(old, new, why, run_mutated):
    run = run_mutated(FILE, [(old, new)])
    with pytest.raises(AssertionError):
        check(run.names)
