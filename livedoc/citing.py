"""The Markdown extension that shows how an article, and each section of it, is cited.

A panel follows the article's opening, and each heading from `h2` to `h4`. All its text is there without a script; a
script may show its buttons, each of which copies the element before it, marked `data-copied`.
"""

from __future__ import annotations

import html
import importlib.metadata
import re
import xml.etree.ElementTree as ET
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from markdown import Extension
from markdown.treeprocessors import Treeprocessor

from livedoc.cite import Section, bibtex, item, tex, work

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown import Markdown

    from livedoc.cite import Work
    from livedoc.context import Context

WORDS = {
    "it": {
        "cite": "Cita",
        "article": "Cita questo articolo",
        "section": "Cita la sezione «{}»",
        "copy": "Copia",
        "link": "Link",
        "version": "Versione {version}, pubblicata il {published}",
        "updated": "Versione {version}, aggiornata il {updated}; prima pubblicazione il {published}",
        "numbers": "Numeri calcolati con {}",
        "and": " e ",
    },
    "en": {
        "cite": "Cite",
        "article": "Cite this article",
        "section": "Cite the section “{}”",
        "copy": "Copy",
        "link": "Link",
        "version": "Version {version}, published on {published}",
        "updated": "Version {version}, updated on {updated}; first published on {published}",
        "numbers": "Numbers computed with {}",
        "and": " and ",
    },
}
STYLES = {"APA": "apa", "Chicago": "chicago-author-date"}
PACKAGES = {"NumPy": "numpy", "PyTorch": "torch"}
_PANEL = (
    '<details class="cite{kind}" data-search-exclude><summary{label}>{summary}</summary><div>{body}</div></details>'
)


def _maths(element: ET.Element) -> Iterator[str]:
    """Yield the parts of a heading's title in TeX, while its formulas are still TeX.

    Raises:
        LookupError: When a part of it stands elsewhere, to be put in last.
    """
    maths = _has(element, "arithmatex")
    text = str(element.text or "")
    if "\x02" in text + str(element.tail or ""):  # a placeholder
        raise LookupError
    if element.tag == "code":
        text = html.unescape(text)  # Markdown escapes code early
    yield f"${text[2:-2]}$" if maths else tex(text)
    for child in element:
        yield from _maths(child)
        yield tex(str(child.tail or ""))


class _Titles(Treeprocessor):
    """Notes the titles that hold maths before KaTeX turns it into what only a browser reads."""

    def run(self, root: ET.Element) -> None:
        self.md.livedoc_titles = noted = {}  # type: ignore[attr-defined]
        for heading in root.iter():
            if re.fullmatch("h[2-4]", str(heading.tag)) and any(_has(child, "arithmatex") for child in heading):
                with suppress(LookupError):
                    noted[heading.get("id")] = "".join(_maths(heading))


def _tokens(tokens: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    for token in tokens:
        yield token["id"], html.unescape(token["name"])
        yield from _tokens(token["children"])


class _Panels(Treeprocessor):
    """Puts the panels in, once the headings have their ids and the table of contents is made."""

    def run(self, root: ET.Element) -> None:
        context: Context | None = getattr(self.md, "livedoc", None)
        if context is None or context.inside or context.article is None:
            return
        titles = dict(_tokens(getattr(self.md, "toc_tokens", [])))
        parents = {child: parent for parent in root.iter() for child in parent}
        found: list[tuple[ET.Element, Section]] = []
        number = 0
        for heading in root.iter():
            identifier = heading.get("id", "")
            if re.fullmatch("h[2-4]", str(heading.tag)) and identifier in titles:
                counted = heading.tag == "h2" and parents[heading] is root and not _has(heading, "unnumbered")
                number += counted
                formulas = self.md.livedoc_titles.get(identifier, "")  # type: ignore[attr-defined]
                found.append((heading, Section(identifier, titles[identifier], number if counted else None, formulas)))
        context.sections = [section for _, section in found]
        cited = work(context)
        if cited is None or not cited.article.number:
            return
        for heading, section in found:
            self._insert(parents[heading], heading, panel(cited, section, bool(context.given)))
        self._insert(root, _opening(root), panel(cited, None, bool(context.given)))

    def _insert(self, parent: ET.Element, after: ET.Element | None, panel: str) -> None:
        box = ET.Element("p")  # what is stashed takes its place
        box.text = self.md.htmlStash.store(panel)
        box.tail = "\n"
        parent.insert(list(parent).index(after) + 1 if after is not None else 0, box)


def _has(element: ET.Element, name: str) -> bool:
    return name in element.get("class", "").split()


def _opening(root: ET.Element) -> ET.Element | None:
    """Return after what the article's own panel stands: its byline, or its lead, or its title."""
    for wanted in ("byline", "lead"):
        for child in root:
            if _has(child, wanted):
                return child
    return root.find("h1")


def panel(cited: Work, section: Section | None, computed: bool) -> str:
    """Return the panel of an article or of a section of it, as HTML.

    Args:
        cited: The article.
        section: The section; `None` for the whole article.
        computed: Whether listings computed numbers of the page.
    """
    words = WORDS.get(cited.article.language, WORDS["en"])
    address = html.escape(cited.url(section) or (f"#{section.id}" if section else ""))
    copied = {
        **{name: f"<span data-copied>{reference(style, cited, section)}</span>" for name, style in STYLES.items()},
        "BibTeX": f"<pre data-copied>{html.escape(bibtex(cited, section), quote=False)}</pre>",
        words["link"]: f'<a href="{address}" data-copied>{address}</a>' if address else "",
    }
    button = '<button class="copy" hidden type="button" data-copy aria-label="{copy}: {name}">{copy}</button>'
    blocks = [
        f"<div><b>{name}</b> {element} {button.format(copy=words['copy'], name=name)}</div>"
        for name, element in copied.items()
        if element
    ]
    label = f' aria-label="{html.escape(words["section"].format(section.title))}"' if section else ""
    return _PANEL.format(
        kind="" if section else " cite-article",
        label=label,
        summary=words["cite"] if section else words["article"],
        body="".join([*blocks, f"<p>{made(cited, computed)}</p>"]),
    )


def reference(style: str, cited: Work, section: Section | None) -> str:
    """Return a formatted reference in the page's language, as HTML."""
    return _reference(style, replace(cited, sections=(), parts=(), versions=()), section)


@lru_cache(maxsize=1024)  # a preview shows every panel again at each rebuild
def _reference(style: str, cited: Work, section: Section | None) -> str:
    from livedoc import csl  # not above: citeproc is loaded by a page that cites, and by no other

    return csl.entry(style, cited.article.language, item(cited, section))


def made(cited: Work, computed: bool) -> str:
    """Return the sentence that tells the version, its dates, and what computed its numbers."""
    from babel.dates import format_date

    article = cited.article
    words = WORDS.get(article.language, WORDS["en"])
    locale = {"en": "en_GB"}.get(article.language, article.language)  # 1 December 2026, as the pages write it
    dates = {name: format_date(getattr(article, name), "long", locale) for name in ("published", "updated")}
    if article.language == "it":  # the first of the month is an ordinal
        dates = {name: re.sub("^1 ", "1º ", date) for name, date in dates.items()}
    sentence = words["version" if article.updated == article.published else "updated"]
    told = [sentence.format(version=html.escape(article.version), **dates)]
    if computed and (packages := list(_versions())):
        told.append(words["numbers"].format(words["and"].join(packages)))
    return ". ".join([*told, ""]).rstrip()


def _versions() -> Iterator[str]:
    for name, package in PACKAGES.items():
        try:
            yield f"{name} {importlib.metadata.version(package)}"
        except importlib.metadata.PackageNotFoundError:
            continue


class CitingExtension(Extension):
    """The panels of an article; nothing on any other page. `livedoc.page` comes first: it says what the page is."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Register one processor before maths (6) is rendered, and one after toc (5) read the headings."""
        md.treeprocessors.register(_Titles(md), "livedoc_titles", 7)
        md.treeprocessors.register(_Panels(md), "livedoc_citing", 4)


def makeExtension(**options: Any) -> CitingExtension:
    """Return the extension, as Python-Markdown asks for it."""
    return CitingExtension(**options)
