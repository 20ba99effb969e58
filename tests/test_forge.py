"""Links to the forge: what a reader finds written already."""

import datetime
from urllib.parse import parse_qs, urlsplit

import pytest

from livedoc.article import Article, Author
from livedoc.forge import links

DAY = datetime.date(2026, 11, 30)
ARTICLE = Article("01", "t", "d", (Author("Rossi", "Ada"),), DAY, DAY, "1.1", "CC-BY-4.0", ("k",), "it")
PLACE = ("docs/it/a b.md", "https://example.org/a/", "50 % & più: «così»?")


@pytest.mark.parametrize(
    ("language", "title", "body"),
    [
        (
            "it",
            "Errore: 50 % & più: «così»?",
            "Pagina: https://example.org/a/\nVersione: 1.1 (2026-11-30)\n\nChe cosa non va (la frase, il numero o il "
            "listato), e che cosa ci dovrebbe essere:\n\n",
        ),
        (
            "en",
            "Error: 50 % & più: «così»?",
            "Page: https://example.org/a/\nVersion: 1.1 (2026-11-30)\n\nWhat is wrong (the sentence, the number or the "
            "listing), and what should be there:\n\n",
        ),
    ],
)
def test_a_report_names_its_page_and_version_in_the_language_of_the_page(language, title, body):
    found = links("https://forge.example/us/book/", "main", *PLACE, language, ARTICLE)
    address = urlsplit(found["error"])
    assert address.geturl().startswith("https://forge.example/us/book/issues/new?")
    assert parse_qs(address.query) == {"title": [title], "body": [body]}
    assert "+" not in address.query  # a forge may not read it as a space


def test_a_comment_asks_nothing_and_a_page_that_is_no_article_has_no_version():
    found = parse_qs(urlsplit(links("https://forge.example/b", "main", *PLACE, "en", None)["comment"]).query)
    assert found == {"title": ["Comment: 50 % & più: «così»?"], "body": ["Page: https://example.org/a/\n\n"]}


def test_a_page_without_an_address_is_known_by_its_source():
    found = links("https://forge.example/b", "main", "docs/it/a.md", "", "A", "it", None)["comment"]
    assert parse_qs(urlsplit(found).query)["body"] == ["Pagina: docs/it/a.md\n\n"]


def test_the_source_can_be_edited_and_its_history_read():
    found = links("https://forge.example/b", "trunk", *PLACE, "it", ARTICLE)
    assert found["edit"] == "https://forge.example/b/edit/trunk/docs/it/a%20b.md"
    assert found["history"] == "https://forge.example/b/commits/trunk/docs/it/a%20b.md"


def test_without_a_forge_there_are_no_links():
    assert links("", "main", *PLACE, "it", ARTICLE) == {}
