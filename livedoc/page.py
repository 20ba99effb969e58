"""The Markdown extension: what an author declared becomes what stands on the page.

It works wherever Python-Markdown does. `exec_fence`, `table_fence` and `table_validator` are for superfences.
"""

from __future__ import annotations

import html
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markdown import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor

from livedoc import scan
from livedoc.context import Context, submit
from livedoc.fences import exec_fence, table_fence, table_validator
from livedoc.numbers import localise
from livedoc.offers import OffersProcessor
from livedoc.report import ledger_fence
from livedoc.runner import Runner

if TYPE_CHECKING:
    import re

    from markdown import Markdown

__all__ = ["LivedocExtension", "exec_fence", "ledger_fence", "makeExtension", "table_fence", "table_validator"]


def _render(context: Context, bound: scan.Bound) -> str:
    if bound.kind == scan.QUOTED:
        context.seen.add((bound.listing, bound.ask))
        return f'<span class="quoted">{html.escape(localise(bound.text, context.language))}</span>'
    answer = context.answer(bound)
    if answer is None:
        return ""
    shown_as = f"`{{{bound.listing}}} {'assert ' if bound.kind == 'claim' else ''}{bound.text}`"
    if "error" in answer:
        return context.fail(context.line(bound), f"{shown_as}: {answer['error']}", about="values")
    if bound.kind == "value":
        return context.data(bound.listing, answer)
    if not answer["holds"]:
        seen = "".join(f"\n    {part} = {value}" for part, value in answer["seen"].items())
        return context.fail(context.line(bound), f"{shown_as} is no longer true:{seen}", about="values")
    context.claims += 1
    identifier = f"claim-{context.claims}"
    return (
        f'<button type="button" class="claim" popovertarget="{identifier}" aria-label="{context.word("claim")}" '
        f'data-search-exclude>✓</button><span popover id="{identifier}" class="claim-panel" data-search-exclude>'
        f'{context.word("checked by")} <a href="#listing-{bound.listing}">{bound.listing}</a>: '
        f"<code>{html.escape(bound.text)}</code></span>"
    )


class _Declared(Preprocessor):
    """Reads the page before anything changes it, and starts what nobody started yet."""

    def __init__(self, md: Markdown, context: Context) -> None:
        super().__init__(md)
        self.context = context

    def run(self, lines: list[str]) -> list[str]:
        context = self.context
        if not context.inside:
            context.text = "\n".join(lines)
            context.declared = scan.scan(context.text, context.first_line)
            context.figures = context.claims = 0
            context.seen.clear()
            if context.given is None and context.declared.listings:
                context.runner = context.runner or Runner()
            context.runs = context.given or submit(context.declared, context.snippets, context.language, context.runner)
        return lines


class _Shown(Treeprocessor):
    """Compares what was declared with what reached the page: nothing may be lost on the way."""

    def __init__(self, md: Markdown, context: Context) -> None:
        super().__init__(md)
        self.context = context

    def run(self, root: ET.Element) -> None:
        context = self.context
        if context.inside:
            return
        lost = list(context.declared.faults)
        if not lost and not context.faults:
            lost += [
                (one.line, f"listing “{one.name}” is declared and not shown")
                for one in context.declared.listings
                if (one.name, "") not in context.seen
            ]
            lost += [
                (one.line, f"{one.kind} “{one.text}” is declared and not shown")
                for one in context.declared.bounds
                if (one.listing, one.ask) not in context.seen
            ]
        for line, message in lost:
            box = ET.Element("p")
            box.text = self.md.htmlStash.store(context.fail(line, message))
            root.insert(0, box)


class _Inline(InlineProcessor):
    """Sees `` `{name} …` `` before ordinary code spans do."""

    def __init__(self, md: Markdown, context: Context) -> None:
        super().__init__(r"(?P<word>[\w’.,]*)[ \n]?" + scan.SPAN + "(?P<end>[.,;:!?)»”]*)", md)
        self.context = context

    def handleMatch(  # type: ignore[override]
        self, m: re.Match[str], data: str
    ) -> tuple[str | ET.Element | None, int | None, int | None]:
        bound = scan.bound(m["body"]) if len(m["ticks"]) == 1 else None
        if bound is None:
            return None, None, None
        if bound.kind == "claim":  # a tick stays with the word before it and the full stop after it
            tick = f'<span class="ticked">{m["word"]}{_render(self.context, bound)}{m["end"]}</span>'
            return self.md.htmlStash.store(tick), m.start(0), m.end(0)
        shown = self.md.htmlStash.store(_render(self.context, bound))
        return shown, m.start("ticks"), m.start("end")


class LivedocExtension(Extension):
    """Listings, bound values, claims and bound tables.

    Options: `snippets`, the folder of snippet files; `language`; and `context`, a `Context` that a site's build
    fills in for each page.
    """

    def __init__(self, **options: Any) -> None:
        self.config = {
            "snippets": ["snippets", "The folder of snippet files"],
            "language": ["en", "The language of the page"],
            "context": ["", "What a build knows of the page"],
        }
        super().__init__(**options)
        self.context: Context = self.getConfig("context") or Context(
            Path(self.getConfig("snippets")), self.getConfig("language")
        )

    def extendMarkdown(self, md: Markdown) -> None:
        """Register the processors; a second instance with the same context renders fragments of the page."""
        md.registerExtension(self)  # so that markdown-exec gives it to the fragments it converts
        md.livedoc = self.context  # type: ignore[attr-defined]
        md.preprocessors.register(_Declared(md, self.context), "livedoc", 35)  # before white space is normalised
        md.inlinePatterns.register(_Inline(md, self.context), "livedoc", 195)  # before code spans (190)
        md.treeprocessors.register(_Shown(md, self.context), "livedoc", 0)
        md.treeprocessors.register(OffersProcessor(md, self.context), "livedoc_offers", 0.5)  # after the byline (1)


def makeExtension(**options: Any) -> LivedocExtension:
    """Return the extension, as Python-Markdown asks for it."""
    return LivedocExtension(**options)
