"""Citations on a page, the list they lead to, and both in a notebook's plain Markdown."""

import re

import pytest
from test_works import BIB

from livedoc.bibliography import linked, listed, plain
from livedoc.scan import scan

PAGE = """
# Title

## One {#one}

As shown [@vaswani2017, §3.2.1; @docs], and again [-@vaswani2017, table 2]:

Not `[@docs]`, not \\[@docs], not [a link](#one), not [@docs](#one).

## Sources {#sources}

```references
vaswani2017: Used for *attention*, which has
  `{quoted} 25.8` heads.
```
"""


@pytest.fixture
def cited(pages):
    (pages.folder / "docs").mkdir()
    (pages.folder / "docs/references.bib").write_text(BIB, encoding="utf-8")
    return pages


def test_a_citation_leads_to_its_work_and_back(cited):
    html = cited.render(PAGE)
    assert cited.faults == []
    paper = "Vaswani &amp; de la Cruz, 2017, §3.2.1"
    assert (
        f'(<a class="citation" id="cite-vaswani2017-1" href="#ref-vaswani2017">{paper}</a>; '
        '<a class="citation" id="cite-docs-1" href="#ref-docs">The PyTorch Team, n.d.</a>)' in html
    )
    assert '(<a class="citation" id="cite-vaswani2017-2" href="#ref-vaswani2017">table 2</a>)' in html
    back = re.findall(r'<li id="ref-vaswani2017">.*?</li>', html, re.DOTALL)[0]
    assert re.findall(r'href="#(cite-[\w-]+)"', back) == ["cite-vaswani2017-1", "cite-vaswani2017-2"]
    assert '<a href="https://arxiv.org/abs/1706.03762">https://arxiv.org/abs/1706.03762</a>' in back


def test_the_list_is_in_the_order_of_authors_and_has_its_notes(cited):
    html = cited.render(PAGE)
    assert re.findall(r'<li id="ref-(\w+)">', html) == ["docs", "vaswani2017"]
    note = re.findall(r'<li id="ref-vaswani2017">.*?<p>(.*?)</p>', html, re.DOTALL)[0]
    assert note == 'Used for <em>attention</em>, which has <span class="quoted">25.8</span> heads.'


def test_code_links_and_escaped_brackets_are_no_citations(cited):
    html = cited.render(PAGE)
    assert "<code>[@docs]</code>" in html
    assert "not [@docs], not" in html
    assert '<a href="#one">@docs</a>' in html
    assert len(re.findall('class="citation"', html)) == 3


def test_the_page_speaks_its_language(cited):
    html = cited.render(PAGE, "it")
    assert "The PyTorch Team, s.d." in html
    assert "Consultato il 30 novembre 2026, su" in html
    assert "Torna alla citazione 2 nel testo" in html


def test_two_works_of_one_body_are_told_apart_in_the_text_and_in_the_list(cited):
    other = "@online{other, author = {{The PyTorch Team}}, title = {attention}, url = {https://example.org/b}}"
    (cited.folder / "docs/references.bib").write_text(f"{BIB}\n{other}\n", encoding="utf-8")
    html = cited.render(PAGE.replace("As shown [", "As shown [@other; "))
    assert cited.faults == []
    assert re.findall(r'class="citation"[^>]*>(The PyTorch Team[^<]*)<', html) == [
        "The PyTorch Team, n.d.-a",
        "The PyTorch Team, n.d.-b",
    ]
    assert re.findall(r'<li id="ref-(\w+)"><span class="reference">The PyTorch Team. \((.*?)\)', html) == [
        ("other", "n.d.-a"),
        ("docs", "n.d.-b"),
    ]
    assert "The PyTorch Team. (n.d.-b)" in "".join(listed(cited.context, str))


def test_a_page_is_rendered_again_as_the_first_time(cited):
    assert cited.render(PAGE) == cited.render(PAGE)


def test_plain_markdown_has_no_links_to_a_list(cited):
    cited.render(PAGE)
    assert plain("See [@vaswani2017, §3], [-@docs, p. 2].", cited.context) == (
        "See (Vaswani & de la Cruz, 2017, §3), (The PyTorch Team, n.d., p. 2)."
    )
    lines = listed(cited.context, str.upper)
    assert [line[:20] for line in lines] == ["- The PyTorch Team. ", "- Vaswani, A., &amp;"]
    assert lines[1].endswith("USED FOR *ATTENTION*, WHICH HAS `{QUOTED} 25.8` HEADS.")


def test_an_address_is_a_link_without_the_full_stop_after_it():
    assert linked("x. https://a.org/b_c.") == 'x. <a href="https://a.org/b_c">https://a.org/b_c</a>.'


def test_a_sentence_may_go_on_with_a_colon_after_a_citation(cited):
    html = cited.render(
        PAGE.replace("As shown [@vaswani2017, §3.2.1; @docs], and", "As shown [@vaswani2017; @docs]: and")
    )
    assert "n.d.</a>): and" in html


def test_what_a_page_cites_is_found_with_its_place():
    found = scan("# T\n\n## A {#a}\n\nOne [@a, §1;\n@b], two [-@a, p. 2].\n\n```text\n[@c]\n```\n<!-- [@d] -->")
    assert [(one.key, one.locator, one.brief, one.line, one.section) for one in found.citations] == [
        ("a", "§1", False, 5, "a"),
        ("b", "", False, 5, "a"),
        ("a", "p. 2", True, 6, "a"),
    ]


@pytest.mark.parametrize(
    ("body", "told"),
    [("no colon", "a line of references is “key: note”"), ("a: x\na: y", "once for each"), ("a b: x", "“key: note”")],
)
def test_a_list_that_cannot_be_read_is_told(body, told):
    ((_, fault),) = scan(f"```references\n{body}\n```").faults
    assert told in fault


def test_a_second_list_is_told():
    ((line, fault),) = scan("```references\n```\n\n```references\n```").faults
    assert (line, fault) == (4, "the page has two lists of references")
