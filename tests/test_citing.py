"""The panels of a small book that is really built, and what its pages' heads and files say."""

import importlib.metadata
import json
import re

import pytest
from bs4 import BeautifulSoup
from pybtex.database import parse_string
from support import CATALOGUE, CONFIGURATION, ROOT, SECOND, Project

FRONT = """---
title: "{title}"
description: Che cosa fa.
authors: [Gruppo di prova, {{family: Rossi, given: Ada}}, {{family: Müller, given: José}}]
{number}published: 2026-11-30
updated: {updated}
version: "1.1"
licence: CC-BY-4.0
keywords: [attenzione, "C & C"]
---

"""
TITLES = {"it": "Attenzione: & <b>, {tutto} al 50% è così", "en": "Attention: & <b>, {all} at 50% & so on"}
BODY = """
# {title}

An opening.
{{ .byline }}

## In short {{#short .unnumbered}}

It is half.

## Why divide by $\\sqrt{{d_k}}$ & `a < &gt;` {{#scale}}

```python exec="on" source="above" result="text"
--8<-- "half.py"
```

<div markdown>

## In a box {{#box}}

</div>

### A {{deeper}} *part* {{#deeper}}

It is `{{half}} half:.3f`.

## The <em>end</em>: 100% {{#end}}

#### Deeper still {{#still}}

Words.
"""
SECTIONS = [
    ("short", "In short", None),
    ("scale", "Why divide by √d_k & a < &gt;", 1),
    ("box", "In a box", None),
    ("deeper", "A {deeper} part", None),
    ("end", "The end: 100%", 2),
    ("still", "Deeper still", None),
]
WITH = {
    "theme: {name: material,": f"theme: {{custom_dir: {ROOT / 'docs/theme'}, name: material,",
    "  livedoc.page: {}\n": '  livedoc.page: {}\n  livedoc.citing: {}\n  toc: {permalink: "¶"}\n',
}


def small(folder, *, citing=True):
    trial = Project(folder)
    configuration = CONFIGURATION
    for old, new in WITH.items():
        assert old in configuration
        configuration = configuration.replace(old, new)
    if not citing:
        configuration = configuration.replace("  livedoc.citing: {}\n", "")
    trial.write("mkdocs.yml", configuration)
    trial.write("mkdocs.en.yml", SECOND + "site_name: The book & all\n")
    trial.write("snippets/it.po", CATALOGUE)
    trial.write("snippets/half.py", 'half = 1 / 2\nprint(f"half: {half}")\n')
    for language, title in TITLES.items():
        front = FRONT.format(title=title, number='article: "01"\n', updated="2026-12-01")
        trial.write(f"docs/{language}/attention.md", front + BODY.format(title="The title"))
        book = FRONT.format(title="The book", number="", updated="2026-11-30")
        trial.write(f"docs/{language}/index.md", f"{book}# The book\n\n## Articles {{#articles}}\n\nOne.\n")
        trial.write(f"docs/{language}/plain.md", "# Plain\n\n## Words {#words}\n\nNone.\n")
    return trial


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    trial = small(tmp_path_factory.mktemp("book"))
    built = trial.build()
    assert built.returncode == 0, built.stderr
    return trial


def page(book, name):
    return BeautifulSoup(book.read(f"{name}/index.html"), "html.parser")


def words(tag):
    return " ".join(tag.get_text().split())


ARTICLES = [
    ("attention", "it", "http://127.0.0.1:8000/attention/"),
    ("en/attention", "en", "http://127.0.0.1:8000/en/attention/"),
]


@pytest.mark.parametrize(("name", "language", "address"), ARTICLES)
def test_a_panel_follows_the_opening_and_each_heading(book, name, language, address):
    soup = page(book, name)
    panels = soup.select("article details.cite")
    assert len(panels) == 1 + len(SECTIONS)
    whole, *others = panels
    assert "byline" in whole.find_previous_sibling()["class"]
    assert words(whole.summary) == {"it": "Cita questo articolo", "en": "Cite this article"}[language]
    assert [panel.find_previous_sibling()["id"] for panel in others] == [identifier for identifier, _, _ in SECTIONS]
    for panel, (_, title, _) in zip(others, SECTIONS, strict=True):
        seen = {"it": "Cita", "en": "Cite"}[language]
        assert words(panel.summary) == seen
        assert panel.summary["aria-label"].startswith(seen)
        assert title in panel.summary["aria-label"]


@pytest.mark.parametrize(("name", "language", "address"), ARTICLES)
def test_each_panel_has_four_texts_each_with_its_button(book, name, language, address):
    for panel, (identifier, title, number) in zip(
        page(book, name).select("details.cite"), [("", "", None), *SECTIONS], strict=True
    ):
        apa, chicago, bibtex, link = panel.select("[data-copied]")
        url = address + (f"#{identifier}" if identifier else "")
        for copied in (apa, chicago, bibtex, link):
            button = copied.find_next_sibling()
            assert (button.name, button["type"], button.has_attr("hidden")) == ("button", "button", True)
            assert button.has_attr("data-copy")
            assert button["aria-label"].startswith(words(button))
            assert url in copied.get_text()
        for reference in (apa, chicago):
            assert "Gruppo di prova" in words(reference)
            assert "Rossi" in words(reference)
            assert (f"§ {number}. {title}" if number else title).lower() in words(reference).lower()
        assert link["href"] == url
        (key, entry), *others = parse_string(bibtex.get_text(), "bibtex").entries.items()
        assert key == f"attention-{language}-2026" + (f"-{identifier}" if identifier else "")
        assert not others
        assert entry.fields["url"] == url
        assert len(entry.persons["author"]) == 3
        assert ("note" in entry.fields) is bool(identifier)


def test_the_note_of_a_section_has_its_number_and_its_title_in_tex(book):
    notes = {}
    for panel in page(book, "attention").select("details.cite [data-copied]:is(pre)"):
        for key, entry in parse_string(panel.get_text(), "bibtex").entries.items():
            notes[key.removeprefix("attention-it-2026")] = entry.fields.get("note")
    assert notes == {
        "": None,
        "-short": "Sezione «In short»",
        "-scale": r"Sezione 1, «Why divide by $\sqrt{d_k}$ \& a \textless{} \&gt;»",
        "-box": "Sezione «In a box»",
        "-deeper": r"Sezione «A \textbraceleft{}deeper\textbraceright{} part»",
        "-end": r"Sezione 2, «The end: 100\%»",
        "-still": "Sezione «Deeper still»",
    }


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "attention",
            "Versione 1.1, aggiornata il 1º dicembre 2026; prima pubblicazione il 30 novembre 2026. "
            "Numeri calcolati con ",
        ),
        (
            "en/attention",
            "Version 1.1, updated on 1 December 2026; first published on 30 November 2026. Numbers computed with ",
        ),
    ],
)
def test_a_panel_says_its_version_and_what_computed_its_numbers(book, name, told):
    for panel in page(book, name).select("details.cite"):
        assert words(panel.find_all("p")[-1]).startswith(told)
        for package, version in (("NumPy", "numpy"), ("PyTorch", "torch")):
            assert f"{package} {importlib.metadata.version(version)}" in panel.find_all("p")[-1].get_text()


@pytest.mark.parametrize(("name", "language", "address"), ARTICLES)
def test_the_parts_in_json_ld_are_the_sections_of_the_page(book, name, language, address):
    soup = page(book, name)
    told = json.loads(soup.head.find("script", type="application/ld+json").string)
    assert [(part["url"], part["name"], part.get("position")) for part in told["hasPart"]] == [
        (f"{address}#{identifier}", title, number) for identifier, title, number in SECTIONS
    ]
    assert [part["url"].partition("#")[2] for part in told["hasPart"]] == [
        heading["id"] for heading in soup.select("article :is(h2, h3, h4)[id]")
    ]
    assert told["headline"] == TITLES[language]
    assert [author["@type"] for author in told["author"]] == ["Organization", "Person", "Person"]
    other = "translationOfWork" if language == "en" else "workTranslation"
    (twin,) = [told[other]] if language == "en" else told[other]
    assert twin["url"] == "http://127.0.0.1:8000/" + ("attention/" if language == "en" else "en/attention/")


@pytest.mark.parametrize(("name", "language", "address"), ARTICLES)
def test_the_head_and_the_files_beside_the_page_agree(book, name, language, address):
    soup = page(book, name)
    metas = {tag["name"]: tag["content"] for tag in soup.head.find_all("meta", attrs={"name": True})}
    assert metas["citation_title"] == metas["DC.title"] == TITLES[language]
    assert soup.head.find("link", rel="cite-as")["href"] == address == metas["citation_fulltext_html_url"]
    assert soup.head.find("link", rel="canonical")["href"] == address
    for link in soup.head.find_all("link", rel="describedby"):
        assert (book.folder / "site" / name / link["href"]).is_file()
    downloads = soup.select("details.cite a[download]")
    assert [link["href"] for link in downloads] == ["cite.bib", "cite.ris", "cite.json"]
    (cited,) = json.loads(book.read(f"{name}/cite.json"))
    assert (cited["title"], cited["URL"], cited["language"]) == (TITLES[language], address, language)
    assert cited["container-title"] == metas["citation_book_title"] == {"it": "Trial", "en": "The book & all"}[language]
    ((key, _),) = parse_string(book.read(f"{name}/cite.bib"), "bibtex").entries.items()
    assert key == cited["id"]
    assert f"UR  - {address}" in book.read(f"{name}/cite.ris")


def test_the_home_page_describes_the_book_and_has_no_panels(book):
    for folder in ("", "en"):
        soup = page(book, folder or ".")
        told = json.loads(soup.head.find("script", type="application/ld+json").string)
        assert told["@type"] == ["Book", "WebSite"]
        assert [part["url"] for part in told["hasPart"]] == [f"http://127.0.0.1:8000/{folder and 'en/'}attention/"]
        assert not soup.select(".cite")
        assert not soup.select("[name^=citation_]")
        assert (book.folder / "site" / folder / "cite.bib").is_file()


def test_a_page_that_is_no_article_says_nothing(book):
    for name in ("plain", "en/plain"):
        soup = page(book, name)
        assert not soup.select(".cite, [name^=citation_], [name^=DC], [type='application/ld+json'], [rel=cite-as]")
        assert not (book.folder / "site" / name / "cite.bib").exists()


def test_headings_contents_and_search_are_as_they_were(book, tmp_path):
    bare = small(tmp_path, citing=False)
    assert bare.build().returncode == 0
    timed = re.compile(r"Run in [\d.]+ s|Eseguito in [\d,]+ s")
    with_panels, without = (timed.sub("", one.read("attention/index.html")) for one in (book, bare))
    told = r'(?s)<details class="cite.*?</details>|,"hasPart":\[[^\]]*\]'
    assert re.sub(told, "", with_panels).split() == without.split()
    headings = re.compile(r"(?s)<h[1-6].*?</h[1-6]>")
    assert headings.findall(with_panels) == headings.findall(without)
    assert page(book, "attention").select_one(".md-nav--secondary") == page(bare, "attention").select_one(
        ".md-nav--secondary"
    )
    assert book.read("search/search_index.json") == bare.read("search/search_index.json")


def test_without_an_address_a_panel_still_leads_to_its_section(tmp_path):
    trial = small(tmp_path)
    trial.write(
        "mkdocs.yml",
        (tmp_path / "mkdocs.yml").read_text().replace("site_url: http://127.0.0.1:8000/\n", "site_url: ''\n"),
    )
    built = trial.build()
    assert built.returncode == 0, built.stderr
    soup = page(trial, "attention")
    links = [link["href"] for link in soup.select("details.cite a[data-copied]")]
    assert links == [f"#{identifier}" for identifier, _, _ in SECTIONS]
    assert "url =" not in soup.select_one("details.cite pre").get_text()
    assert not soup.select("[rel=cite-as]")
