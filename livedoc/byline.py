"""The line under an article's lead: its number, its dates, how long it takes to read. A Markdown extension."""

from __future__ import annotations

import datetime
import math
import os
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any

from babel.dates import format_date
from markdown import Extension
from markdown.treeprocessors import Treeprocessor

from livedoc import snippet

if TYPE_CHECKING:
    from markdown import Markdown

    from livedoc.context import Context

WORDS_PER_MINUTE = 200
"""Of technical prose, read with care."""

LINES_PER_MINUTE = 30
"""Of the code of a listing."""

SEPARATOR = " · "

WORDS = {
    "it": {
        "article": "Articolo {}",
        "published": "pubblicato il {}",
        "updated": "testo aggiornato il {}",
        "run": "numeri calcolati il {}",
        "minutes": "{} minuti di lettura",
        "version": "versione {}",
    },
    "en": {
        "article": "Article {}",
        "published": "published on {}",
        "updated": "text revised on {}",
        "run": "numbers computed on {}",
        "minutes": "{} minutes’ reading",
        "version": "version {}",
    },
}


def today() -> datetime.date:
    """Return the day of this build, or the one that SOURCE_DATE_EPOCH names."""
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        return datetime.datetime.fromtimestamp(int(epoch), datetime.UTC).date()
    return datetime.datetime.now(datetime.UTC).date()


def minutes(words: int, lines: int) -> int:
    """Return how many minutes it takes to read so many words of prose and lines of code."""
    return max(1, math.ceil(words / WORDS_PER_MINUTE + lines / LINES_PER_MINUTE))


def _spoken(day: datetime.date, language: str) -> str:
    return format_date(day, "d MMMM yyyy", locale=language)


def byline(context: Context, words: int, lines: int) -> ET.Element | None:
    """Return the line of an article; `None` for other pages.

    Args:
        context: The page.
        words: Words of its prose.
        lines: Lines of its listings.
    """
    article = context.article
    if article is None or not article.number:
        return None
    told = WORDS.get(context.language, WORDS["en"])
    line = ET.Element("p", {"class": "byline", "data-search-exclude": ""})
    line.text = told["article"].format(article.number) + SEPARATOR
    days = [("published", article.published), ("run", today())]
    if article.updated != article.published:
        days.insert(1, ("updated", article.updated))
    for name, day in days:
        before, _, after = told[name].partition("{}")
        part = ET.SubElement(line, "span")
        part.text = before
        time = ET.SubElement(part, "time", {"datetime": day.isoformat()})
        time.text, time.tail = _spoken(day, context.language), after
    for text in (told["version"].format(article.version), told["minutes"].format(minutes(words, lines))):
        ET.SubElement(line, "span").text = text
    for part in line[:-1]:
        part.tail = SEPARATOR
    return line


class _Byline(Treeprocessor):
    def run(self, root: ET.Element) -> None:
        context: Context = self.md.livedoc  # type: ignore[attr-defined]
        if context.inside or context.article is None:
            return
        words = sum(len(text.split()) for text in root.itertext())  # what is not prose is stashed, or short
        runs = [future.result() for future in context.runs.values()]
        lines = sum(snippet.cells(run.source)[0].source.count("\n") for run in runs if not run.error)
        line = byline(context, words, lines)
        if line is None:
            return
        lead = next((i for i, block in enumerate(root) if "lead" in block.get("class", "").split()), None)
        title = next((i for i, block in enumerate(root) if block.tag == "h1"), -1)
        root.insert((title if lead is None else lead) + 1, line)


class BylineExtension(Extension):
    """Puts the byline of an article under its lead; it follows `livedoc.page`, which knows the page."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Register the processor, after attributes are set."""
        md.treeprocessors.register(_Byline(md), "livedoc.byline", 1)


def makeExtension(**options: Any) -> BylineExtension:
    """Return the extension, as Python-Markdown asks for it."""
    return BylineExtension(**options)
