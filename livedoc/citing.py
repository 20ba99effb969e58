"""The Markdown extension that shows how an article, and each section of it, is cited.

A panel follows the article's opening, and each heading from `h2` to `h4`. All its text is there without a script; a
script may show its buttons, each of which copies the element before it, marked `data-copied`.
"""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as ET
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from markdown import Extension
from markdown.treeprocessors import Treeprocessor

from livedoc.cite import tex
from livedoc.panel import panel
from livedoc.work import Section, work

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown import Markdown

    from livedoc.context import Context


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
            self._insert(parents[heading], heading, panel(cited, section, context))
        self._insert(root, _opening(root), panel(cited, None, context))

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


class CitingExtension(Extension):
    """The panels of an article; nothing on any other page. `livedoc.page` comes first: it says what the page is."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Register one processor before maths (6) is rendered, and one after toc (5) read the headings."""
        md.treeprocessors.register(_Titles(md), "livedoc_titles", 7)
        md.treeprocessors.register(_Panels(md), "livedoc_citing", 4)


def makeExtension(**options: Any) -> CitingExtension:
    """Return the extension, as Python-Markdown asks for it."""
    return CitingExtension(**options)
