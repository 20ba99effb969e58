"""CITATION.cff: as the front matter says, and as its schema asks."""

import subprocess
import sys

import pytest
import yaml
from support import ROOT

from livedoc.__main__ import main
from livedoc.article import ArticleError
from livedoc.cff import HOME, cff

FRONT = """---
title: "A book: of {{all}} & 50%"
description: What it does.
authors: [The contributors, {{family: Rossi, given: Ada}}]
published: 2026-11-30
updated: 2026-12-01
version: "{version}"
licence: CC-BY-4.0
keywords: [attention]
---

# A book
"""


@pytest.fixture
def book(tmp_path):
    (tmp_path / "docs/en").mkdir(parents=True)
    (tmp_path / HOME).write_text(FRONT.format(version="1.10"), encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text('[project]\nlicense = "MIT"\n', encoding="utf-8")
    return tmp_path


def valid(file):
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.citation-file-format", str(file)]
    return subprocess.run(command, capture_output=True, text=True)


def test_the_file_is_what_the_front_matter_says():
    assert (ROOT / "CITATION.cff").read_text(encoding="utf-8") == cff(ROOT), "run “make citation”"


def test_the_file_is_as_its_schema_asks():
    checked = valid(ROOT / "CITATION.cff")
    assert checked.returncode == 0, checked.stdout


def test_bodies_people_versions_and_both_licences_are_told(book):
    assert main(["cff", "--project", str(book)]) == 0
    told = yaml.safe_load((book / "CITATION.cff").read_text(encoding="utf-8"))
    assert told["title"] == "A book: of {all} & 50%"
    assert told["authors"] == [{"name": "The contributors"}, {"family-names": "Rossi", "given-names": "Ada"}]
    assert (told["version"], told["date-released"]) == ("1.10", "2026-12-01")
    assert told["license"] == ["MIT", "CC-BY-4.0"]
    assert told["preferred-citation"]["type"] == "book"
    assert valid(book / "CITATION.cff").returncode == 0


def test_a_home_page_that_is_not_the_books_is_told(book, capsys):
    (book / HOME).write_text("# A book\n", encoding="utf-8")
    with pytest.raises(ArticleError, match="names no authors"):
        cff(book)
    assert main(["cff", "--project", str(book)]) == 2
    assert "names no authors" in capsys.readouterr().err
