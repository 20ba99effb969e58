"""What the page that tells how to write shows as notation, the engine reads as the page says, in both languages."""

import re

import pytest
import yaml
from support import ROOT

from livedoc import article, scan
from livedoc.snippet import cells
from livedoc.terms import parse

PAGES = [
    pytest.param((ROOT / f"docs/{language}/contribuire.md").read_text(encoding="utf-8"), id=language)
    for language in ("it", "en")
]


def examples(page, language):
    """Return the fences of a page in a language, with what they hold."""
    return [body for _, body in re.findall(rf"^(`{{3,}}){language}\n(.*?)\n\1$", page, re.MULTILINE | re.DOTALL)]


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_pages_are_read_without_a_fault(page):
    found = [scan.scan(body) for body in examples(page, "markdown")]
    faults = [fault for one in found for _, fault in one.faults if "there is no listing" not in fault]
    assert faults == []
    assert [listing.name for one in found for listing in one.listings] == ["first"]
    assert [bound.kind for one in found for bound in one.bounds] == ["table"]
    assert {section for one in found for section in one.sections} >= {"sources"}
    assert any(one.notes for one in found if one.references)


@pytest.mark.parametrize("page", PAGES)
def test_the_example_of_a_front_matter_is_that_of_an_article(page):
    (text,) = [body for body in examples(page, "markdown") if body.startswith("---\n")]
    meta = yaml.safe_load(text.split("---\n")[1])
    assert set(meta) == {*article.REQUIRED, "article"}
    assert len(article.article(meta, "it").authors) == 2


@pytest.mark.parametrize("page", PAGES)
def test_what_is_shown_literally_is_notation_and_none_of_it_is_declared(page):
    shown = [span["body"].strip() for span in re.finditer(scan.SPAN, page) if len(span["ticks"]) == 2]
    kinds = [scan.bound(one.strip("`")).kind for one in shown]
    assert sorted(kinds) == ["claim", "quoted", "value"]
    cited = [one for one in re.findall(r"(?<!`)`(\[-?@[^`]+)`", page) if scan.citations(one)]
    assert len(cited) == 3
    declared = scan.scan(page)
    assert (declared.listings, declared.bounds, declared.citations, declared.references) == ([], [], [], 0)


@pytest.mark.parametrize("page", PAGES)
def test_the_figure_and_the_term_are_what_the_engine_takes(page):
    (figure,), (term,) = examples(page, "python"), examples(page, "yaml")
    listing, drawn = cells(f"x = 1\n\n{figure}")
    assert (listing.caption, bool(drawn.caption)) == (None, True)
    assert parse(term).faults == []


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_it_names_exists_but_for_those_of_its_example(page):
    files = set(re.findall(r"`((?:docs|snippets|tests)/[\w./-]+\.\w+)`", page))
    missing = {file for file in files if not (ROOT / file).exists()}
    assert missing <= {"docs/it/scaling-laws.md", "docs/en/scaling-laws.md"}
