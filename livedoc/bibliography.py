"""Citations of other people's works, and the list of them: a Markdown extension, and a format of superfences.

A citation links to its entry in the list, and the entry back to each citation. Both are formatted in APA style, in the
language of the page.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from markdown import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown_exec import MarkdownConverter

from livedoc import scan
from livedoc.works import told_apart

if TYPE_CHECKING:
    from collections.abc import Callable

    from markdown import Markdown

    from livedoc.context import Context

STYLE = "apa"
_ADDRESS = re.compile(r"https?://[^\s<]*[^\s<.,]")
WORDS = {
    "it": {"back": "Torna alla citazione {} nel testo"},
    "en": {"back": "Back to citation {} in the text"},
}


def _items(context: Context) -> dict[str, dict[str, Any]]:
    """Return the works that a page cites, as CSL-JSON, by their keys."""
    return told_apart(context.works(), [one.key for one in context.declared.citations])


def shown(context: Context, one: scan.Citation) -> str:
    """Return how one work is cited in the text, as HTML: Vaswani et al., 2017, §3.2.1, or the place alone."""
    from livedoc import csl  # not above: citeproc is loaded by a page that cites, and by no other

    item = _items(context).get(one.key)
    if item is None:
        return html.escape(f"@{one.key}")
    if one.brief and one.locator:
        return html.escape(one.locator, quote=False)
    return csl.citation(STYLE, context.language, item, one.locator)


class _Citations(InlineProcessor):
    """Turns `[@vaswani2017, §3.2.1]` into a link."""

    def __init__(self, md: Markdown) -> None:
        super().__init__(r"(?<![\\\w\]])\[-?@[A-Za-z]", md)

    def handleMatch(  # type: ignore[override]
        self, m: re.Match[str], data: str
    ) -> tuple[str | None, int | None, int | None]:
        context: Context = self.md.livedoc  # type: ignore[attr-defined]
        found = next(((match, cited) for match, cited in scan.citations(data) if match.start() == m.start()), None)
        if found is None:
            return None, None, None
        links = []
        for one in found[1]:
            context.cited[one.key] += 1
            links.append(
                f'<a class="citation" id="cite-{one.key}-{context.cited[one.key]}" href="#ref-{one.key}">'
                f"{shown(context, one)}</a>"
            )
        return self.md.htmlStash.store(f"({'; '.join(links)})"), m.start(), found[0].end()


def references_fence(
    source: str, language: str, css_class: str, options: dict[str, Any], md: Markdown, **_: Any
) -> str:
    """Render a `references` fence: the works that the page cites, in the order of their authors."""
    from livedoc import csl

    context: Context = md.livedoc  # type: ignore[attr-defined]
    context.cited.clear()
    declared = context.declared
    counts = Counter(one.key for one in declared.citations)
    entries = {key: linked(csl.entry(STYLE, context.language, item)) for key, item in _items(context).items()}
    context.inside = True
    try:
        items = [
            f'<li id="ref-{key}"><span class="reference">{entries[key]}</span>{_back(context, key, counts[key])}'
            f"{_note(declared.notes.get(key, ''), md)}</li>"
            for key in sorted(entries, key=lambda key: entries[key].casefold())
        ]
    except Exception as error:  # superfences would swallow it
        return context.fail(declared.references, f"references: {type(error).__name__}: {error}")
    finally:
        context.inside = False
    return f'<ul class="references">{"".join(items)}</ul>'


def linked(entry: str) -> str:
    """Return an entry with its addresses as links."""
    return _ADDRESS.sub(r'<a href="\g<0>">\g<0></a>', entry)


def _back(context: Context, key: str, count: int) -> str:
    word = WORDS.get(context.language, WORDS["en"])["back"]
    links = (
        f'<a href="#cite-{key}-{number}" aria-label="{word.format(number)}">↑</a>' for number in range(1, count + 1)
    )
    return f' <span class="backlinks" data-search-exclude>{" ".join(links)}</span>'


def _note(note: str, md: Markdown) -> str:
    return str(MarkdownConverter(md, update_toc=False).convert(note)) if note else ""


def plain(text: str, context: Context) -> str:
    """Return prose with its citations as plain text, for where there are no links to a list."""
    for match, cited in reversed(scan.citations(text)):
        told = "; ".join(shown(context, replace(one, brief=False)) for one in cited)
        text = f"{text[: match.start()]}({html.unescape(told)}){text[match.end() :]}"
    return text


def listed(context: Context, prose: Callable[[str], str]) -> list[str]:
    """Return the list of the works cited as lines of plain Markdown.

    Args:
        context: The page.
        prose: Makes a note plain.
    """
    from livedoc import csl

    entries = {key: csl.entry(STYLE, context.language, item) for key, item in _items(context).items()}
    return [
        " ".join(filter(None, ["-", entries[key], prose(context.declared.notes.get(key, ""))]))
        for key in sorted(entries, key=lambda key: entries[key].casefold())
    ]


class BibliographyExtension(Extension):
    """Citations; it follows `livedoc.page`, which knows the page and where its works are."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Register the processor: before links, after code."""
        md.inlinePatterns.register(_Citations(md), "livedoc.bibliography", 188)


def makeExtension(**options: Any) -> BibliographyExtension:
    """Return the extension, as Python-Markdown asks for it."""
    return BibliographyExtension(**options)
