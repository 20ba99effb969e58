"""What the tests share: one warm runner, pages rendered with it, and a small project."""

from __future__ import annotations

import textwrap

import pytest
from support import CATALOGUE, CONFIGURATION, PAGE, SECOND, Pages, Project

from livedoc.runner import Job, Run, Runner


@pytest.fixture(scope="session")
def runner():
    with_worker = Runner()
    yield with_worker
    with_worker.close()


@pytest.fixture
def run(runner, tmp_path):
    """Run a program as a listing and return its `Run`."""

    def run_source(source: str, *asks: str, language: str = "en", name: str = "snippet.py", **limits) -> Run:
        path = tmp_path / name
        path.write_text(textwrap.dedent(source), encoding="utf-8")
        return runner.submit(Job(path, language, asks, **limits)).result()

    return run_source


@pytest.fixture
def pages(tmp_path, runner):
    return Pages(tmp_path, runner)


@pytest.fixture
def project(tmp_path):
    trial = Project(tmp_path)
    trial.write("mkdocs.yml", CONFIGURATION)
    trial.write("mkdocs.en.yml", SECOND)
    trial.write("snippets/it.po", CATALOGUE)
    trial.write("snippets/half.py", 'half = 1 / 2\nprint(f"half: {half}")\n')
    trial.both(PAGE)
    return trial
