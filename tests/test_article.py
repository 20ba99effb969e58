"""Front matter: what it must hold, and what both languages of it must share."""

import datetime

import pytest

from livedoc.article import REQUIRED, ArticleError, Author, article, differences

META = {
    "title": "Attention",
    "description": "What it does.",
    "authors": ["The contributors", {"family": "Rossi", "given": "Ada"}],
    "article": "01",
    "published": datetime.date(2026, 11, 30),
    "updated": datetime.date(2026, 12, 1),
    "version": "1.0",
    "licence": "CC-BY-4.0",
    "keywords": ["attention"],
}


def test_a_page_without_authors_is_no_article():
    assert article({"title": "Attention"}, "en") is None


def test_a_body_and_a_person_are_authors():
    found = article(META, "en")
    assert found.authors == (Author("The contributors"), Author("Rossi", "Ada"))
    assert [author.name for author in found.authors] == ["The contributors", "Ada Rossi"]
    assert (found.number, found.language, found.updated) == ("01", "en", datetime.date(2026, 12, 1))


@pytest.mark.parametrize("name", [name for name in REQUIRED if name != "authors"])
def test_nothing_may_be_missing(name):
    with pytest.raises(ArticleError, match=f"lacks {name}"):
        article({**META, name: None}, "en")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"authors": "Ada"}, "authors is a list"),
        ({"authors": [{"name": "Ada"}]}, "an author is a name"),
        ({"keywords": "attention"}, "keywords is a list"),
        ({"published": "yesterday"}, "published is a date"),
        ({"updated": datetime.date(2020, 1, 1)}, "updated before it was published"),
        ({"version": 1.0}, 'version stands between quotes: "1.0"'),
        ({"article": 1}, "article stands between quotes"),
    ],
)
def test_what_is_not_of_its_kind_is_told(wrong, told):
    with pytest.raises(ArticleError, match=told):
        article({**META, **wrong}, "en")


def test_languages_share_dates_and_version_but_not_words():
    one = article(META, "en")
    assert differences(one, article({**META, "title": "Attenzione", "keywords": ["attenzione"]}, "it")) == []
    assert differences(one, article({**META, "version": "1.1"}, "it")) == ["version: 1.0 and 1.1"]
    assert differences(one, None) == ["being an article: one of them names no authors"]
    assert differences(None, None) == []
