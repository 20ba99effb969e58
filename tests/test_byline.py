"""The byline: from front matter, from what the page holds, from the day of the build."""

import datetime

import pytest

from livedoc.article import article
from livedoc.byline import byline, minutes, today
from livedoc.context import Context

META = {
    "title": "Attention",
    "description": "What it does.",
    "authors": ["The contributors"],
    "article": "01",
    "published": datetime.date(2026, 11, 30),
    "updated": datetime.date(2026, 12, 1),
    "version": "1.2",
    "licence": "CC-BY-4.0",
    "keywords": ["attention"],
}


@pytest.fixture
def day(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1798848000")


def told(meta, language="en", words=1000, lines=60):
    line = byline(Context(language=language, article=article(meta, language)), words, lines)
    return "".join(line.itertext())


def test_the_day_of_the_build_can_be_given(day):
    assert today() == datetime.date(2027, 1, 2)


def test_a_byline_in_english_and_in_italian(day):
    assert told(META) == (
        "Article 01 · published on 30 November 2026 · text revised on 1 December 2026 · "
        "numbers computed on 2 January 2027 · version 1.2 · 7 minutes’ reading"
    )
    assert told(META, "it") == (
        "Articolo 01 · pubblicato il 30 novembre 2026 · testo aggiornato il 1 dicembre 2026 · "
        "numeri calcolati il 2 gennaio 2027 · versione 1.2 · 7 minuti di lettura"
    )


def test_a_text_that_was_not_revised_does_not_say_so(day):
    assert "revised" not in told({**META, "updated": META["published"]})


def test_longer_prose_and_longer_listings_take_longer():
    assert minutes(1, 0) == 1
    assert minutes(2000, 0) == 10
    assert minutes(2000, 90) == 13


def test_a_page_that_is_no_article_has_none():
    assert byline(Context(), 10, 0) is None
    assert byline(Context(article=article({**META, "article": ""}, "en")), 10, 0) is None


def test_it_stands_under_the_lead(pages):
    text = "# Title\n\nThe lead.\n{ .lead }\n\nThe rest.\n"
    pages.article = article(META, "en")
    html = pages.render(text)
    assert html.index("The lead.") < html.index('class="byline"') < html.index("The rest.")
    pages.article = None
    assert "byline" not in pages.render(text)
