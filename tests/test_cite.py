"""By what a work is cited: each format read back with the program of somebody else."""

import datetime
import json

import pytest
import rispy
from citeproc.source.json import CiteProcJSON
from pybtex.database import parse_string

from livedoc.article import Article, Author
from livedoc.cite import FILES, bibtex, files, item
from livedoc.work import Section, Work, slug

PEOPLE = (Author("Gruppo {A} & B"), Author("Rossi", "Ada"), Author("D’Ávila Müller", "José"))
SECTION = Section("scale", "Perché si divide per √d_k", 3, r"Perché si divide per $\sqrt{d_k}$")


def work(**changed):
    about = {
        "number": "01",
        "title": "Più del 50% di {a & b} < 1_000 #1: perché $x$ ~ y^2 \\ z",
        "description": "Che cosa fa.",
        "authors": PEOPLE,
        "published": datetime.date(2026, 11, 30),
        "updated": datetime.date(2026, 12, 1),
        "version": "1.1",
        "licence": "CC-BY-4.0",
        "keywords": ("attenzione", "C# & C"),
        "language": "it",
    } | changed
    return Work(
        Article(**about),
        "more/attention.md",
        "https://book.example/more/attention/",
        "Libro & C",
        "https://book.example/",
    )


def entry(text):
    (key, found), *others = parse_string(text, "bibtex").entries.items()
    assert not others
    return key, found


def test_bibtex_is_read_back_whole_by_pybtex():
    cited = work()
    key, found = entry(bibtex(cited))
    assert (key, found.type) == ("more-attention-it-2026", "online")
    fields = dict(found.fields.items())
    assert fields.pop("title") == (
        r"{Più del 50\% di \textbraceleft{}a \& b\textbraceright{} \textless{} 1\_000 \#1: perché \$x\$ "
        r"\textasciitilde{} y\textasciicircum{}2 \textbackslash{} z}"
    )
    assert fields == {
        "organization": r"{Libro \& C}",
        "date": "2026-11-30",
        "year": "2026",
        "version": "1.1",
        "langid": "italian",
        "keywords": r"attenzione, C\# \& C",
        "url": cited.address,
        "howpublished": rf"\url{{{cited.address}}}",
    }
    body, ada, jose = found.persons["author"]
    assert not body.first_names
    assert body.last_names == [r"{Gruppo \textbraceleft{}A\textbraceright{} \& B}"]
    assert (ada.last_names, ada.first_names) == (["Rossi"], ["Ada"])
    assert (jose.last_names, jose.first_names) == (["D’Ávila", "Müller"], ["José"])


@pytest.mark.parametrize(
    ("section", "language", "note"),
    [
        (SECTION, "it", r"Sezione 3, «Perché si divide per $\sqrt{d_k}$»"),
        (SECTION, "en", r"Section 3, “Perché si divide per $\sqrt{d_k}$”"),
        (
            Section("faq", "Domande & {risposte}"),
            "it",
            r"Sezione «Domande \& \textbraceleft{}risposte\textbraceright{}»",
        ),
    ],
)
def test_the_entry_of_a_section_names_it_and_leads_to_it(section, language, note):
    key, found = entry(bibtex(work(language=language), section))
    assert key == f"more-attention-{language}-2026-{section.id}"
    assert found.fields["note"] == note
    assert found.fields["url"] == f"https://book.example/more/attention/#{section.id}"


def test_ris_is_read_back_by_rispy():
    (found,) = rispy.loads(files(work())["cite.ris"])
    assert found["type_of_reference"] == "ELEC"
    assert found["title"] == work().article.title
    assert found["authors"] == ["Gruppo {A} & B,", "Rossi, Ada", "D’Ávila Müller, José"]
    assert found["secondary_title"] == "Libro & C"
    assert (found["year"], found["date"]) == ("2026", "2026/11/30")
    assert found["keywords"] == ["attenzione", "C# & C"]
    assert found["language"] == "it"
    assert found["urls"] == ["https://book.example/more/attention/"]
    assert found["notes"] == ["Versione 1.1. Licenza CC-BY-4.0."]


def test_ris_keeps_each_field_on_its_line():
    (found,) = rispy.loads(files(work(description="One\nER  - two"))["cite.ris"])
    assert found["abstract"] == "One ER - two"


def test_csl_json_is_read_back_by_citeproc():
    source = CiteProcJSON(json.loads(files(work())["cite.json"]))
    (found,) = source.values()
    assert source.keys() == {"more-attention-it-2026"}
    assert found["type"] == "webpage"
    assert [name.get("literal") or (name["family"], name["given"]) for name in found["author"]] == [
        "Gruppo {A} & B",
        ("Rossi", "Ada"),
        ("D’Ávila Müller", "José"),
    ]
    assert (found["issued"]["year"], found["issued"]["month"], found["issued"]["day"]) == (2026, 11, 30)
    assert json.loads(files(work())["cite.json"])[0]["title"] == work().article.title


def test_a_section_is_a_chapter_of_its_article():
    found = item(work(), SECTION)
    assert (found["id"], found["type"]) == ("more-attention-it-2026-scale", "chapter")
    assert found["title"] == "§\u00a03. Perché si divide per √d_k"
    assert (found["container-title"], found["publisher"]) == (work().article.title, "Libro & C")
    assert found["URL"] == "https://book.example/more/attention/#scale"
    assert item(work(), Section("faq", "Domande"))["title"] == "Domande"


def test_the_book_is_no_part_of_itself_and_its_key_is_its_title():
    book = Work(work(number="", title="Modern AI: è così").article, "index.md", "https://book.example/", "Modern AI")
    assert book.key == "modern-ai-e-cosi-it-2026"
    assert "container-title" not in item(book)
    assert "organization" not in bibtex(book)
    assert "T2  -" not in files(book)["cite.ris"]


def test_a_site_without_an_address_gives_none():
    cited = Work(work().article, "attention.md")
    assert cited.url(SECTION) == ""
    assert "URL" not in item(cited, SECTION)
    assert "url" not in entry(bibtex(cited, SECTION))[1].fields
    assert "UR  -" not in files(cited)["cite.ris"]


def test_a_key_does_not_move_when_an_article_is_updated():
    assert work(updated=datetime.date(2030, 1, 1)).key == work().key


def test_a_slug_is_a_key_everywhere():
    assert slug("Più test/à, {b}") == "piu-test-a-b"
    assert set(files(work())) == set(FILES)
