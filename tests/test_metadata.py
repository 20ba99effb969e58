"""What a page's head says to machines, read as they read it."""

import dataclasses
import json

import pytest
from bs4 import BeautifulSoup
from test_cite import SECTION, work

from livedoc.metadata import head, licence_url
from livedoc.work import Section

VERSIONS = (("it", "https://book.example/more/attention/"), ("en", "https://book.example/en/more/attention/"))


def read(cited, folder=""):
    soup = BeautifulSoup(head(cited, folder), "html.parser")
    metas = [(tag["name"], tag["content"]) for tag in soup.find_all("meta")]
    links = [(" ".join(tag["rel"]), tag["href"]) for tag in soup.find_all("link")]
    return metas, links, json.loads(soup.find("script").string)


def of(metas, name):
    return [content for known, content in metas if known == name]


def test_highwire_has_an_author_a_tag_and_a_slashed_date():
    metas, _, _ = read(work())
    assert of(metas, "citation_title") == [work().article.title]
    assert of(metas, "citation_author") == ["Gruppo {A} & B", "Rossi, Ada", "D’Ávila Müller, José"]
    assert of(metas, "citation_publication_date") == ["2026/11/30"]
    assert of(metas, "citation_language") == ["it"]
    assert of(metas, "citation_keywords") == ["attenzione; C# & C"]
    assert of(metas, "citation_fulltext_html_url") == ["https://book.example/more/attention/"]


def test_a_pdf_is_named_only_when_there_is_one():
    assert of(read(work())[0], "citation_pdf_url") == []
    with_pdf = dataclasses.replace(work(), pdf="https://book.example/a.pdf")
    assert of(read(with_pdf)[0], "citation_pdf_url") == ["https://book.example/a.pdf"]


def test_dublin_core_names_its_scheme_and_its_rights():
    metas, links, _ = read(work())
    assert ("schema.DC", "http://purl.org/dc/elements/1.1/") in links
    assert of(metas, "DC.title") == [work().article.title]
    assert len(of(metas, "DC.creator")) == 3
    assert of(metas, "DC.date") == ["2026-11-30"]
    assert of(metas, "DC.rights") == ["https://creativecommons.org/licenses/by/4.0/"]
    assert of(metas, "DC.subject") == ["attenzione", "C# & C"]
    assert of(metas, "DC.identifier") == ["https://book.example/more/attention/"]


def test_links_lead_to_the_work_its_licence_and_its_files():
    _, links, _ = read(work(), "attention/")
    assert ("cite-as", "https://book.example/more/attention/") in links
    assert ("license", "https://creativecommons.org/licenses/by/4.0/") in links
    assert [href for relation, href in links if relation == "describedby"] == [
        "attention/cite.bib",
        "attention/cite.ris",
        "attention/cite.json",
    ]


def test_json_ld_tells_the_article_its_authors_and_its_sections():
    cited = dataclasses.replace(work(), sections=(SECTION, Section("faq", "Domande")), versions=VERSIONS)
    told = read(cited)[2]
    assert told["@type"] == ["TechArticle", "ScholarlyArticle"]
    assert [(author["@type"], author["name"]) for author in told["author"]] == [
        ("Organization", "Gruppo {A} & B"),
        ("Person", "Ada Rossi"),
        ("Person", "José D’Ávila Müller"),
    ]
    assert (told["datePublished"], told["dateModified"], told["version"]) == ("2026-11-30", "2026-12-01", "1.1")
    assert (told["inLanguage"], told["license"]) == ("it", "https://creativecommons.org/licenses/by/4.0/")
    assert told["isPartOf"]["name"] == "Libro & C"
    assert [(part["url"], part["name"], part.get("position")) for part in told["hasPart"]] == [
        ("https://book.example/more/attention/#scale", "Perché si divide per √d_k", 3),
        ("https://book.example/more/attention/#faq", "Domande", None),
    ]
    assert [one["url"] for one in told["workTranslation"]] == ["https://book.example/en/more/attention/"]


def test_a_translation_names_its_original():
    told = read(dataclasses.replace(work(language="en"), versions=VERSIONS))[2]
    assert told["translationOfWork"]["url"] == "https://book.example/more/attention/"
    assert "workTranslation" not in told


def test_nothing_in_a_title_ends_the_script_or_an_attribute():
    title = 'A </script><b> & "quoted" <!-- title'
    metas, _, told = read(work(title=title))
    assert told["headline"] == title
    assert of(metas, "citation_title") == of(metas, "DC.title") == [title]


def test_the_book_is_no_paper():
    book = dataclasses.replace(work(number=""), parts=(("Attention", "https://book.example/a/"),))
    metas, _, told = read(book)
    assert not [name for name, _ in metas if name.startswith("citation_")]
    assert told["@type"] == ["Book", "WebSite"]
    assert [(part["headline"], part["url"]) for part in told["hasPart"]] == [("Attention", "https://book.example/a/")]


@pytest.mark.parametrize(
    ("licence", "address"),
    [
        ("CC-BY-4.0", "https://creativecommons.org/licenses/by/4.0/"),
        ("CC-BY-NC-SA-3.0", "https://creativecommons.org/licenses/by-nc-sa/3.0/"),
        ("CC0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
        ("MIT", "https://spdx.org/licenses/MIT.html"),
    ],
)
def test_a_licence_has_an_address(licence, address):
    assert licence_url(licence) == address
