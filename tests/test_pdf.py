"""The articles as PDF, read back: what a reader, a screen reader and a reference manager find in them."""

import re
import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest
from bs4 import BeautifulSoup
from mkdocs.utils.meta import get_data
from pypdf import PdfReader
from support import BROWSER, ROOT

from livedoc import pdf
from livedoc.article import article

PAGES = {"it": "transformer/index.html", "en": "en/transformer/index.html"}
FRONT = """
---
title: "Half \\\\ \\"one\\": the rest"
description: A trial.
authors: [Nobody]
article: "01"
published: 2026-11-30
updated: 2026-11-30
version: "1"
licence: MIT
keywords: [halves]
---
"""


def front(path):
    return article(get_data(path.read_text(encoding="utf-8"))[1], path.parent.name)


def printed(*arguments):
    """Print in a thread of its own: the browser of the other tests holds this one."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(pdf.write, *arguments).result()


def outline(items):
    for item in items:
        yield from outline(item) if isinstance(item, list) else [item.title]


def annotations(reader):
    return [one.get_object() for page in reader.pages for one in page.get("/Annots", [])]


def text_of(reader):
    return " ".join(" ".join(page.extract_text().split()) for page in reader.pages)


@pytest.fixture(scope="module")
def readers(site, server, browser, tmp_path_factory):
    """Print the article in both languages, out of the real site into a folder of its own."""
    folder = tmp_path_factory.mktemp("pdf")
    sheets = [
        pdf.Sheet(page, f"{language}.pdf", front(ROOT / f"docs/{language}/transformer.md"), "The “book”")
        for language, page in PAGES.items()
    ]
    printed(site, sheets, server[0], folder)
    return {language: PdfReader(folder / f"{language}.pdf") for language in PAGES}


@pytest.mark.parametrize("language", PAGES)
def test_a_pdf_says_what_it_is(readers, language):
    reader, told = readers[language], front(ROOT / f"docs/{language}/transformer.md")
    assert reader.metadata.title == told.title
    assert reader.metadata.author == ", ".join(author.name for author in told.authors)
    assert reader.trailer["/Root"]["/Lang"] == language
    assert reader.trailer["/Root"]["/MarkInfo"]["/Marked"]
    assert "/StructTreeRoot" in reader.trailer["/Root"]


@pytest.mark.parametrize(("language", "number"), [("it", "0,367"), ("en", "0.367")])
def test_it_shows_the_numbers_of_its_language_and_what_stands_around_a_page(readers, language, number):
    reader = readers[language]
    count = len(reader.pages)
    assert count > 1
    shown = [" ".join(page.extract_text().split()) for page in reader.pages]
    text = " ".join(shown)
    assert number in text
    for page, words in enumerate(shown, 1):
        assert f"{page} / {count}" in words
        assert "The “book”" in words
    hidden = {"it": ["Cita", "Codice della figura", "Da portare via"], "en": ["Code of the figure", "To take away"]}
    assert not [words for words in [*hidden[language], "¶", "@online"] if re.search(rf"{words}\b", text)]


@pytest.mark.parametrize("language", PAGES)
def test_its_outline_is_that_of_the_page(readers, site, language):
    soup = BeautifulSoup((site / PAGES[language]).read_text(encoding="utf-8"), "html.parser")
    headings = soup.select_one("article").find_all(["h1", "h2", "h3", "h4"])
    for aside in soup.select(".headerlink, katex-output"):
        aside.decompose()
    expected = [" ".join(heading.get_text().split()) for heading in headings]
    assert "√d_k" in " ".join(expected)
    assert list(outline(readers[language].outline)) == expected


@pytest.mark.parametrize("language", PAGES)
def test_its_links_lead_inside_it_to_the_site_and_elsewhere(readers, address, language):
    found = [one for one in annotations(readers[language]) if one["/Subtype"] == "/Link"]
    out = {str(one["/A"]["/URI"]) for one in found if "/A" in one and "/URI" in one["/A"]}
    assert any(one.startswith(address) and "glossary/#" in one for one in out)
    assert any(one.startswith("https://arxiv.org/") for one in out)
    assert not [one for one in out if "site.invalid" in one]
    assert [one for one in found if "/Dest" in one or one.get("/A", {}).get("/S") == "/GoTo"]


@pytest.mark.parametrize("language", PAGES)
def test_it_brings_its_fonts(readers, language):
    names = set()
    for page in readers[language].pages:
        for font in page["/Resources"].get("/Font", {}).values():
            one = font.get_object()
            if one["/Subtype"] == "/Type3":  # drawn in the file
                continue
            one = one["/DescendantFonts"][0].get_object() if "/DescendantFonts" in one else one
            assert {"/FontFile", "/FontFile2", "/FontFile3"} & one["/FontDescriptor"].get_object().keys()
            names.add(str(one["/BaseFont"]))
    assert names


PAGE = """<!doctype html><html lang="en"><head><title>other</title><link rel="stylesheet" href="book.css"></head>
<body data-md-color-scheme="slate"><article class="md-typeset">
<h1>Half of <span class="arithmatex"><span hidden>n²</span>
<katex-output>drawn</katex-output></span> in many words</h1><details><summary>Question</summary><p>Answer.</p></details>
<details class="figure-code"><summary>Folded</summary>code</details>
<p><a href="elsewhere/">A link</a>, <a href="#there">another</a></p><h2 id="there">There</h2>
<table><tr><th>Head</th></tr><tr><td>Cell</td></tr></table>
<img src="http://127.0.0.1:9/pixel.png" hidden></article></body></html>"""


@pytest.fixture
def small(tmp_path, browser):
    (tmp_path / "site").mkdir()
    shutil.copy(ROOT / "docs/assets/css/book.css", tmp_path / "site")
    (tmp_path / "en").mkdir()
    (tmp_path / "en/page.md").write_text(FRONT.lstrip(), encoding="utf-8")
    sheet = pdf.Sheet("index.html", "index.pdf", front(tmp_path / "en/page.md"), "Book")
    return tmp_path / "site", sheet


def test_answers_are_open_code_is_folded_and_equal_pages_make_equal_files(small):
    site, sheet = small
    (site / "index.html").write_text(PAGE.replace("<img", "<br"), encoding="utf-8")
    printed(site, [sheet])
    first = (site / "index.pdf").read_bytes()
    reader = PdfReader(site / "index.pdf")
    text = text_of(reader)
    assert "Answer." in text
    assert "Folded" not in text
    assert 'Half \\ "one"' in text  # the running title
    assert list(outline(reader.outline)) == ["Half of n² in many words", "There"]
    assert not [one for one in annotations(reader) if "/URI" in one.get("/A", {})]  # the site has no address
    tags = sorted({*re.findall(rb"node(\d{8})", first)})
    assert tags
    assert tags == [b"%08d" % number for number in range(len(tags))]  # not as the browser happened to count them
    printed(site, [sheet])
    assert (site / "index.pdf").read_bytes() == first


def test_a_page_that_asks_for_what_the_site_has_not_is_not_printed(small):
    site, sheet = small
    (site / "index.html").write_text(PAGE, encoding="utf-8")
    with pytest.raises(pdf.PrintingError, match=r"127\.0\.0\.1:9/pixel\.png"):
        printed(site, [sheet])
    assert not (site / "index.pdf").exists()


def with_pdf(project):
    text = (project.folder / "docs/en/index.md").read_text(encoding="utf-8")
    project.both(FRONT.lstrip() + text)
    settings = (project.folder / "mkdocs.yml").read_text(encoding="utf-8")
    settings = settings.replace("font: false", f"font: false, custom_dir: {ROOT}/docs/theme")  # which writes the head
    settings = settings.replace("{other: mkdocs.en.yml}", '{other: mkdocs.en.yml, pdf: !ENV [PDF, ""]}')
    project.write("mkdocs.yml", settings)


@pytest.mark.skipif(not BROWSER, reason="no Chromium found")
def test_a_build_prints_each_article_beside_its_page_and_offers_it(project, monkeypatch):
    with_pdf(project)
    monkeypatch.setenv("PDF", "1")
    built = project.build()
    assert built.returncode == 0, built.stderr
    for folder, number in (("", "0,500"), ("en/", "0.500")):
        soup = BeautifulSoup(project.read(f"{folder}index.html"), "html.parser")
        assert soup.select_one(".takeaway a[href='index.pdf'][download]")
        named = soup.find("meta", attrs={"name": "citation_pdf_url"})
        assert named["content"] == f"http://127.0.0.1:8000/{folder}index.pdf"
        assert number in text_of(PdfReader(project.folder / "site" / folder / "index.pdf"))


def test_without_a_browser_such_a_build_fails_clearly_and_publishes_nothing(project, monkeypatch):
    with_pdf(project)
    monkeypatch.setenv("PDF", "1")
    monkeypatch.setenv("CHROMIUM", "/nowhere/chromium")
    built = project.build()
    assert built.returncode != 0
    assert "CHROMIUM names /nowhere/chromium" in built.stderr
    assert not (project.folder / "site").exists()
    monkeypatch.delenv("PDF")
    assert project.build().returncode == 0  # who prints nothing needs no browser
    assert "index.pdf" not in project.read("index.html")


def test_without_playwright_the_fault_names_it(monkeypatch):
    monkeypatch.setattr(pdf.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(pdf.PrintingError, match="playwright, pypdf"):
        pdf.browser()
