"""References as the styles and the languages want them."""

import pytest

from livedoc import csl
from livedoc.csl import citation, entry

PAPER = {
    "type": "paper-conference",
    "title": "Attention Is All You Need",
    "author": [
        {"family": family, "given": given}
        for family, given in (("Vaswani", "Ashish"), ("Shazeer", "Noam"), ("Parmar", "Niki"), ("Kaiser", "Łukasz"))
    ],
    "issued": {"date-parts": [[2017]]},
    "container-title": "Advances in Neural Information Processing Systems",
    "volume": "30",
    "URL": "https://arxiv.org/abs/1706.03762",
}
PAGE = {
    "type": "webpage",
    "title": "Perché si divide & altro: <attenzione>",
    "author": [{"literal": "Contributori del libro"}],
    "issued": {"date-parts": [[2026, 11, 30]]},
    "container-title": "Un libro che calcola",
    "version": "1.1",
    "URL": "https://example.org/transformer/#scale",
}
UNDATED = {
    "type": "webpage",
    "title": "common_attention.py",
    "author": [{"literal": "tensor2tensor"}],
    "URL": "https://example.org/x",
    "accessed": {"date-parts": [[2026, 11, 30]]},
}


def test_a_paper_in_apa():
    assert entry("apa", "en", PAPER) == (
        "Vaswani, A., Shazeer, N., Parmar, N., &amp; Kaiser, Ł. (2017). Attention Is All You Need. "
        "<i>Advances in Neural Information Processing Systems</i>, <i>30</i>. https://arxiv.org/abs/1706.03762"
    )


@pytest.mark.parametrize(
    ("style", "language", "told"),
    [
        (
            "apa",
            "it",
            "(2026, 30 novembre). <i>Perché si divide &amp; altro: &lt;attenzione&gt;</i>. Un libro che calcola.",
        ),
        (
            "apa",
            "en",
            "(2026, November 30). <i>Perché si divide &amp; altro: &lt;attenzione&gt;</i>. Un libro che calcola.",
        ),
        ("chicago-author-date", "it", "2026. «Perché si divide &amp; altro: &lt;attenzione&gt;». Versione 1.1."),
        ("chicago-author-date", "en", "2026. ‘Perché si divide &amp; altro: &lt;attenzione&gt;’. Version 1.1."),
    ],
)
def test_a_section_of_the_book_keeps_its_title_and_its_languages_date(style, language, told):
    text = entry(style, language, PAGE)
    assert told in text
    assert text.startswith("Contributori del libro. ")
    assert "https://example.org/transformer/#scale" in text


def test_a_page_without_a_date_says_when_it_was_read():
    assert "consultato il 30 novembre 2026, su https://example.org/x" in entry("apa", "it", UNDATED).lower()
    assert "retrieved 30 november 2026, from https://example.org/x" in entry("apa", "en", UNDATED).lower()
    assert "common_attention.py" in entry("chicago-author-date", "en", UNDATED)


def test_a_citation_in_the_text():
    assert citation("apa", "it", PAPER, "§3.2.1") == "Vaswani et al., 2017, §3.2.1"
    assert citation("apa", "en", PAGE) == "Contributori del libro, 2026"


def test_chicago_has_whole_names_and_italian_no_comma_before_the_last():
    three = PAPER | {"author": PAPER["author"][:3]}
    assert entry("chicago-author-date", "en", three).startswith("Vaswani, Ashish, Noam Shazeer, and Niki Parmar. 2017.")
    assert entry("chicago-author-date", "it", three).startswith("Vaswani, Ashish, Noam Shazeer e Niki Parmar. 2017.")
    assert entry("apa", "it", three).startswith("Vaswani, A., Shazeer, N., &amp; Parmar, N. (2017).")


@pytest.mark.parametrize("style", ["apa", "chicago-author-date"])
def test_a_preprint_keeps_the_letters_of_its_name(style):
    preprint = PAPER | {"type": "article", "publisher": "arXiv", "number": "arXiv:1706.03762"}
    told = entry(style, "en", preprint)
    assert "arXiv:1706.03762" in told
    assert "ArXiv" not in told


@pytest.mark.parametrize("end", "?!…")
def test_a_title_that_ends_by_itself_gets_no_full_stop(end):
    paper = PAPER | {"title": f"Why{end}"}
    assert f"Why{end} <i>Advances" in entry("apa", "en", paper)
    assert f"«Why{end}» <i>Advances" in entry("chicago-author-date", "it", paper)
    assert f"<i>Why{end}</i> Un libro" in entry("apa", "it", PAGE | {"title": f"Why{end}"})


def test_names_are_escaped_once():
    body = PAGE | {"author": [{"literal": "Rossi & <figli>"}]}
    assert entry("apa", "it", body).startswith("Rossi &amp; &lt;figli&gt;.")
    assert citation("apa", "it", body) == "Rossi &amp; &lt;figli&gt;, 2026"


def test_works_of_the_same_year_are_told_apart_by_a_letter():
    assert citation("apa", "it", PAPER | {"year-suffix": "b"}) == "Vaswani et al., 2017b"
    assert citation("apa", "it", UNDATED | {"year-suffix": "a"}) == "tensor2tensor, s.d.-a"
    assert "tensor2tensor. (n.d.-a). " in entry("apa", "en", UNDATED | {"year-suffix": "a"})


def test_a_style_remembers_what_each_of_its_macros_calls():
    style = csl._style("chicago-author-date", "it")
    calls = [element for element in style.root.iter("{*}text") if element.get("macro")]
    assert calls[0].get_macro(calls[0].get("macro")).get("name") == calls[0].get("macro")
    entry("chicago-author-date", "it", PAPER)
    assert max(element.calls_variable.cache_info().hits for element in calls) > 0


def test_an_unknown_style_is_told():
    with pytest.raises(FileNotFoundError):
        entry("vancouver", "it", PAPER)
