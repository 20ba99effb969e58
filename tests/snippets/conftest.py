"""Run the real snippet files, whole or mutated, each in a namespace of its own."""

import io
import warnings
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import pytest

mpl.use("Agg")

import matplotlib.pyplot as plt
import torch
from livedoc import drawn

SNIPPETS = Path(__file__).parents[2] / "snippets"
NEXT_CELL = "\n# %%"


class Run(NamedTuple):
    """What one execution of a snippet file left behind."""

    names: dict[str, Any]
    printed: str
    complaints: str
    figures: int
    tables: list[dict[str, Any]]


def execute(file: str, changes: Sequence[tuple[str, str]] = ()) -> Run:
    """Run a snippet file as a script, after exact changes to its text, if any.

    A changed file is a mutation: only its listing is run, without figures, and its own
    assertions are switched off, so that the tests alone have to find what is wrong.

    Args:
        file: The path below `snippets/`.
        changes: Pairs of a text that occurs once in the file, and its replacement.

    """
    path = SNIPPETS / file
    source = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert source.count(old) == 1, f"{file} has {source.count(old)} times: {old}"
        source = source.replace(old, new)
    if changes:
        source = source.split(NEXT_CELL)[0]
    program = compile(source, str(path), "exec", optimize=1 if changes else 0)
    names: dict[str, Any] = {"__name__": "__main__", "__file__": str(path)}
    plt.close("all")
    with (
        redirect_stdout(io.StringIO()) as printed,
        redirect_stderr(io.StringIO()) as complaints,
        torch.random.fork_rng(devices=[]),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore" if changes else "error")
        exec(program, names)
    figures = [plt.figure(number) for number in plt.get_fignums()]
    found = [table for figure in figures for table in drawn.tables(figure)]
    plt.close("all")
    return Run(names, printed.getvalue(), complaints.getvalue(), len(figures), found)


@pytest.fixture(scope="session")
def run_once() -> Callable[..., Run]:
    """Run an unchanged file once in the whole session, unless asked to run it again."""
    runs: dict[str, Run] = {}

    def run(file: str, again: bool = False) -> Run:
        if again:
            return execute(file)
        if file not in runs:
            runs[file] = execute(file)
        return runs[file]

    return run


@pytest.fixture(scope="session")
def run_mutated() -> Callable[..., Run]:
    """Run a changed file, every time anew."""
    return execute
