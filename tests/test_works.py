"""The works that may be cited: read as CSL-JSON, and held against the pages."""

from types import SimpleNamespace

import pytest

from livedoc.scan import scan
from livedoc.works import WorksError, check, faults, read, told_apart, unused

BIB = r"""
% A comment.
@inproceedings{vaswani2017,
  author = {Vaswani, Ashish and de la Cruz, Ana Mar{\'i}a},
  title = {Attention Is All {Y}ou Need},
  booktitle = {Advances in {NIPS}},
  pages = {1--10},
  year = {2017},
  archiveprefix = {arXiv},
  eprint = {1706.03762}
}

@online{docs,
  author = {{The PyTorch Team}},
  title = {scaled\_dot},
  url = {https://example.org/a_b},
  urldate = {2026-11-30}
}
"""


@pytest.fixture
def bib(tmp_path):
    path = tmp_path / "references.bib"
    path.write_text(BIB, encoding="utf-8")
    return path


def test_a_paper_becomes_csl_json_and_its_arxiv_number_an_address(bib):
    work = read(bib)["vaswani2017"]
    assert work.line == 3
    assert work.item == {
        "id": "vaswani2017",
        "type": "paper-conference",
        "title": "Attention Is All You Need",
        "author": [{"family": "Vaswani", "given": "Ashish"}, {"family": "de la Cruz", "given": "Ana María"}],
        "container-title": "Advances in NIPS",
        "page": "1–10",
        "issued": {"date-parts": [[2017]]},
        "URL": "https://arxiv.org/abs/1706.03762",
    }


def test_a_body_is_no_person_and_an_undated_page_says_when_it_was_read(bib):
    item = read(bib)["docs"].item
    assert item["author"] == [{"literal": "The PyTorch Team"}]
    assert item["accessed"] == {"date-parts": [[2026, 11, 30]]}
    assert (item["title"], item["URL"]) == ("scaled_dot", "https://example.org/a_b")


def test_a_preprint_is_told_by_its_number(bib):
    bib.write_text("@misc{a, title={{A}}, author={B, C}, date={2020-01-23}, eprinttype={arxiv}, eprint={2001.08361}}")
    item = read(bib)["a"].item
    assert item["URL"] == "https://arxiv.org/abs/2001.08361"
    assert (item["type"], item["publisher"], item["number"]) == ("article", "arXiv", "arXiv:2001.08361")
    assert item["issued"] == {"date-parts": [[2020, 1, 23]]}


def works_of(bib, *entries):
    bib.write_text("".join(f"@online{{{key}, title={{{{{key}}}}}, {rest}}}\n" for key, rest in entries))
    return read(bib)


def suffixes(works, *keys):
    return {key: item.get("year-suffix") for key, item in told_apart(works, keys).items()}


def test_works_that_would_be_cited_alike_have_letters_by_their_titles(bib):
    works = works_of(
        bib, ("zed", "author={{Docs}}"), ("alpha", "author={{Docs}}"), ("old", "author={{Docs}}, year=2019")
    )
    assert suffixes(works, "zed", "alpha", "zed", "old", "none") == {"zed": "b", "alpha": "a", "old": None}
    assert suffixes(works, "zed", "old") == {"zed": None, "old": None}  # the page cites no other
    assert read(bib)["zed"].item.get("year-suffix") is None


def test_after_the_first_of_three_authors_no_other_tells_works_apart(bib):
    two, three = "author={Rossi, A and Bianchi, B}, year=2020", "author={Rossi, A and %s, B and Neri, C}, year=2020"
    works = works_of(bib, ("a", two), ("b", three % "Verdi"), ("c", three % "Bianchi"), ("d", "year=2020"), ("e", ""))
    assert suffixes(works, *works) == {"a": None, "b": "a", "c": "b", "d": None, "e": None}


def test_a_file_is_read_again_when_it_changes_and_may_be_missing(bib):
    assert set(read(bib)) == {"vaswani2017", "docs"}
    bib.write_text(BIB.replace("{docs,", "{other,"), encoding="utf-8")
    assert set(read(bib)) == {"vaswani2017", "other"}
    bib.unlink()
    assert read(bib) == {}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("@online{a, title = ", "syntax error"),
        ("@online{a, title={x}}\n@online{a, title={y}}", "repeated bibliography entry: a"),
        ("@poem{a, title={x}}", "a: a work is one of article, .*, not poem"),
        ("@online{a, author={b}}", "a: a work has a title"),
    ],
)
def test_what_cannot_be_read_is_told(bib, text, told):
    bib.write_text(text, encoding="utf-8")
    with pytest.raises(WorksError, match=told):
        read(bib)


FENCE = "\n```references\nvaswani2017: used\n```\n"


def test_faults_of_a_page_have_their_lines(bib):
    works = read(bib)
    assert list(faults(scan(f"Text [@vaswani2017].\n{FENCE}"), works)) == []
    assert list(faults(scan("Text [@vaswani2017]."), works)) == [
        (1, "works are cited, and no ```references fence lists them")
    ]
    assert list(faults(scan(f"Text\n[@nobody].\n{FENCE}"), works)) == [
        (2, "there is no work “nobody” in the references"),
        (4, "the references have a note on “vaswani2017”, which the page does not cite"),
    ]


def test_a_work_that_no_page_cites_is_told_with_its_line(bib):
    assert list(unused([scan("[@docs]"), scan("[@docs]")], read(bib))) == [(3, "no page cites “vaswani2017”")]


def page(bib, language, text):
    return SimpleNamespace(
        references=bib.name, root=bib.parent, page=f"docs/{language}/page.md", language=language, declared=scan(text)
    )


def test_all_pages_are_held_against_the_file_language_by_language(bib):
    both = f"[@vaswani2017; @docs]\n{FENCE}"
    assert list(check([page(bib, "it", both), page(bib, "en", both)])) == []
    assert list(check([page(bib, "it", both), page(bib, "en", "[@nobody]")])) == [
        "docs/en/page.md:1: there is no work “nobody” in the references",
        "docs/en/page.md:1: works are cited, and no ```references fence lists them",
        "references.bib:3: no page cites “vaswani2017” in en",
        "references.bib:13: no page cites “docs” in en",
    ]
    bib.write_text("@online{", encoding="utf-8")
    told = list(check([page(bib, "it", both), page(bib, "en", both)]))
    assert len(told) == 1  # and nothing that follows from it
    assert told[0].startswith("references.bib:1: ")
