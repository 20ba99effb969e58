"""The glossary on the pages: a Markdown extension.

In an article, the first use of a term in each section (an h2 and what follows it) becomes a link to the term's
definition; the first link on the page has it as its title too. A bold or slanted use is linked like any other, and a
heading never is. A `glossary` fence, with nothing in it, becomes the list of all terms, whose ids are the terms' own,
the same in both languages.
"""

from __future__ import annotations

import posixpath
import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from markdown import Extension
from markdown.treeprocessors import Treeprocessor
from markdown.util import HTML_PLACEHOLDER_RE, AtomicString

from livedoc.terms import Glossary, load, plain
from livedoc.uses import PLACE, is_article

if TYPE_CHECKING:
    from collections.abc import Iterable

    from markdown import Markdown

    from livedoc.context import Context

PERMALINK = {"it": "Collegamento a questa voce", "en": "Link to this term"}

MARK = "<!-- livedoc.glossary -->"
_SILENT = frozenset("a figure h1 h2 h3 h4 h5 h6 summary table".split())  # noqa: SIM905
_RAW = re.compile(r"<(/?)(?:a|code|kbd|samp)\b[^<>]*>")
_SILENT_CLASSES = frozenset(("admonition-title", "footnote"))


class _Terms(Treeprocessor):
    """Links the first use of each term in each section."""

    def __init__(self, md: Markdown, extension: GlossaryExtension) -> None:
        super().__init__(md)
        self.extension = extension

    def run(self, root: ET.Element) -> None:
        context: Context | None = getattr(self.md, "livedoc", None)
        if context is None or context.inside or not is_article(context) or not self.extension.path:
            return
        context.terms, context.glossary = {}, self.extension.glossary(context)
        self.context, self.section, self.linked, self.raw = context, "", set[str](), 0
        self.told: set[str] = set()
        self.page = posixpath.relpath(self.extension.getConfig("page"), posixpath.dirname(context.name) or ".")
        self.titles = {token["id"]: token["name"] for token in _flat(getattr(self.md, "toc_tokens", []))}
        self._visit(root)

    def _visit(self, element: ET.Element) -> None:
        """Link the terms in an element, in the order of the text."""
        if element.tag == "h2":
            section = element.get("id", "")
            self.section, self.linked = "" if section in self.extension.getConfig("skip") else section, set()
            self.raw = 0
            self._name(element)
        if element.tag in _SILENT or not _SILENT_CLASSES.isdisjoint(element.get("class", "").split()):
            return
        children = list(element)
        element.text, links = self._split(element.text)
        for child in children:
            self._visit(child)
            child.tail, more = self._split(child.tail)
            links += [child, *more]
        if len(links) > len(children):
            element[:] = links

    def _name(self, heading: ET.Element) -> None:
        """Note the terms that a section is about: its heading names them, and links none."""
        if self.section and self.context.glossary:
            for found in self.context.glossary.find("".join(heading.itertext()), self.context.language):
                if found.meant:
                    self._note(found.identifier)

    def _note(self, identifier: str) -> None:
        self.context.terms.setdefault(identifier, {})[self.section] = self.titles.get(self.section, "")

    def _split(self, text: str | None) -> tuple[str | None, list[ET.Element]]:
        """Return what stands before the first link in a text, and the links, each with what follows it."""
        links: list[ET.Element] = []
        if not text or not self.section or isinstance(text, AtomicString) or self.context.glossary is None:
            return text, links
        language, end, before = self.context.language, 0, ""
        for found in self.context.glossary.find(self._visible(text), language):
            self.context.phrases.add((found.identifier, found.phrase))
            if not found.meant or found.identifier in self.linked:
                continue
            self.linked.add(found.identifier)
            self._note(found.identifier)
            if links:
                links[-1].tail = text[end : found.start]
            else:
                before = text[: found.start]
            link = ET.Element("a", {"class": "term", "href": f"{self.page}#{found.identifier}"})
            if found.identifier not in self.told:  # a definition weighs: later links of the page share the first's
                self.told.add(found.identifier)
                link.set("title", plain(self.context.glossary.terms[found.identifier][language].definition))
            link.text = text[found.start : found.end]
            links.append(link)
            end = found.end
        if not links:
            return text, links
        links[-1].tail = text[end:]
        return before, links

    def _visible(self, text: str) -> str:
        """Return a text of the same length, without what stands between raw tags: those are stashed one by one."""
        parts, end = [], 0
        for place in [*HTML_PLACEHOLDER_RE.finditer(text), None]:
            part = text[end : place.start() if place else None]
            parts.append(" " * len(part) if self.raw else part)
            if place:
                parts.append(place[0])
                end, raw = place.end(), self.md.htmlStash.rawHtmlBlocks[int(place[1])]
                if tag := _RAW.fullmatch(str(raw)):
                    self.raw += -1 if tag[1] else 1
        return "".join(parts)


def _flat(tokens: list[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    for token in tokens:
        yield token
        yield from _flat(token["children"])


class _Entries(Treeprocessor):
    """Puts the list of terms where a fence asked for it, before inline patterns read the definitions."""

    def __init__(self, md: Markdown, extension: GlossaryExtension) -> None:
        super().__init__(md)
        self.extension = extension

    def run(self, root: ET.Element) -> None:
        for element in root.iter("p"):
            place = HTML_PLACEHOLDER_RE.fullmatch((element.text or "").strip())
            if place and self.md.htmlStash.rawHtmlBlocks[int(place[1])] == MARK:
                self._list(element)

    def _list(self, element: ET.Element) -> None:
        context: Context = self.md.livedoc  # type: ignore[attr-defined]
        glossary, language = self.extension.glossary(context), context.language
        element.tag, element.text = "dl", None
        element.set("class", "glossary")
        entries = [(identifier, words) for identifier, words in glossary.terms.items() if language in words]
        for identifier, words in sorted(entries, key=lambda entry: _alphabetical(entry[1][language].term)):
            wording = words[language]
            others = [(other, its) for other, its in words.items() if other != language]
            entry = ET.SubElement(element, "div", {"class": "glossary-entry"})
            head = ET.SubElement(entry, "dt", {"id": identifier})
            term = ET.SubElement(head, "dfn")
            term.text = wording.term
            for other, its in others:
                if its.term != wording.term:
                    term.tail = " "
                    ET.SubElement(head, "span", {"class": "glossary-other", "lang": other}).text = its.term
                elif other == "en":
                    term.set("lang", other)  # an English word in an Italian page
            title = PERMALINK.get(language, PERMALINK["en"])
            link = {"class": "headerlink", "href": f"#{identifier}", "title": title, "data-search-exclude": ""}
            ET.SubElement(head, "a", link).text = "¶"
            definition = ET.SubElement(entry, "dd")
            definition.text = wording.definition
            definition.tail = self.md.htmlStash.store(PLACE.format(identifier))


def _alphabetical(text: str) -> str:
    return re.sub(r"[^\w\s]", "", normalize("NFKD", text)).casefold()


def glossary_fence(source: str, language: str, css_class: str, options: dict[str, Any], md: Markdown, **_: Any) -> str:
    """Render a `glossary` fence: superfences' `format`. The list itself is made where the text is still Markdown."""
    context: Context = md.livedoc  # type: ignore[attr-defined]
    line = context.line_of("```glossary")
    if source.strip():
        return context.fail(line, "a glossary fence has nothing in it: it shows all terms")
    if "livedoc.glossary" not in md.treeprocessors:
        return context.fail(line, "a glossary fence needs the extension livedoc.glossary")
    return MARK


class GlossaryExtension(Extension):
    """The extension. Its options: `path`, the glossary's file; `page`, the page that shows it; `skip`, ids of sections.

    Without a path there is no glossary. In the sections to skip no term is linked.
    """

    def __init__(self, **options: Any) -> None:
        self.config = {
            "path": ["", "The glossary's file"],
            "page": ["glossary.md", "The page that shows it"],
            "skip": [[], "Ids of sections without links"],
        }
        super().__init__(**options)
        self.path = str(self.getConfig("path"))

    def glossary(self, context: Context) -> Glossary:
        """Return the glossary; what is wrong with it is the page's fault too."""
        found = load(context.root / self.path, self.path)
        for line, message in found.faults:
            context.fail(line, message, self.path, about="terms")
        return found

    def extendMarkdown(self, md: Markdown) -> None:
        """Register the processors: the list before inline patterns (20), the links after toc (5) has named headings."""
        md.treeprocessors.register(_Entries(md, self), "livedoc.glossary", 30)
        md.treeprocessors.register(_Terms(md, self), "livedoc.terms", 4)


def makeExtension(**options: Any) -> GlossaryExtension:
    """Return the extension, as Python-Markdown asks for it."""
    return GlossaryExtension(**options)
