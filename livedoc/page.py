"""The Markdown extension: what an author declared becomes what stands on the page.

It works wherever Python-Markdown does. Listings go through markdown-exec's own `base_format`; what a listing printed
is data, and never read as Markdown.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markdown import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor
from markdown_exec import MarkdownConverter, base_format, code_block
from pymdownx.superfences import SuperFencesException

from livedoc import figure, scan, snippet
from livedoc.numbers import localise
from livedoc.output import LINES, literal, restored, shown
from livedoc.runner import LIMIT, MEMORY, Job, Run, Runner

if TYPE_CHECKING:
    import xml.etree.ElementTree as ET
    from concurrent.futures import Future

    from markdown import Markdown

WORDS = {
    "it": {
        "figure": "Figura",
        "figure code": "Codice della figura",
        "claim": "Verificato a ogni build: mostra la condizione",
        "checked by": "Condizione verificata dal listato",
        "cut": "… altre {} righe non mostrate",
        "whole output": "Scarica l’output intero",
        "listing": "Listato",
        "stderr": "Standard error",
    },
    "en": {
        "figure": "Figure",
        "figure code": "Code of the figure",
        "claim": "Checked at every build: show the condition",
        "checked by": "Condition checked by the listing",
        "cut": "… {} more lines not shown",
        "whole output": "Download the whole output",
        "listing": "Listing",
        "stderr": "Standard error",
    },
}
"""The few words of its own that the engine puts on a page."""


class PageError(SuperFencesException):
    """Something on a page that must not be published; fences let no other exception through."""


@dataclass
class Context:
    """What a page is being rendered with: its place, its language, its runs, and where its faults go.

    Without `faults` the first fault is raised. With it (a list of messages) the page shows each fault in its place,
    and whoever builds the page decides what to do. Runs may be `given` by a build that started them early; outputs
    too long for the page go to `downloads`. `inside` is true while a fragment of the page is being converted.
    """

    snippets: Path = Path("snippets")
    language: str = "en"
    page: str = "page"
    first_line: int = 1
    runner: Runner | None = None
    faults: list[str] | None = None
    given: dict[str, Future[Run]] | None = None
    runs: dict[str, Future[Run]] = field(default_factory=dict)
    scan: scan.Scan = field(default_factory=scan.Scan)
    downloads: dict[str, str] = field(default_factory=dict)
    seen: set[tuple[str, str]] = field(default_factory=set)
    figures: int = 0
    claims: int = 0
    inside: bool = False

    def word(self, key: str) -> str:
        """Return one of the engine's own words in the page's language."""
        return WORDS.get(self.language, WORDS["en"])[key]

    def fail(self, line: int, message: str) -> str:
        """Report a fault with its place; return the box that shows it in a live preview."""
        place = f"{self.page}:{line}: "
        if self.faults is None:
            raise PageError(place + message)
        if place + message not in self.faults:
            self.faults.append(place + message)
        return (
            f'<div class="livedoc-error" role="alert"><strong>{html.escape(place)}</strong>'
            f"<pre>{html.escape(message)}</pre></div>"
        )


def submit(declared: scan.Scan, snippets: Path, language: str, runner: Runner | None) -> dict[str, Future[Run]]:
    """Queue every listing that a page declares; return the future runs by the listings' names."""
    jobs = {
        one.name: Job(
            (snippets / one.path).resolve(),
            language,
            declared.asks(one.name),
            limit=float(one.options.get("timeout", LIMIT)),
            memory=int(one.options.get("memory", MEMORY >> 20)) << 20,
            alone="measures" in one.options,
        )
        for one in declared.listings
    }
    return {name: runner.submit(job) for name, job in jobs.items()} if runner else {}


def exec_fence(source: str, language: str, css_class: str, options: dict[str, Any], md: Markdown, **_: Any) -> str:
    """Render a listing: superfences' `format` for python fences that markdown-exec's `validator` accepted."""
    context: Context = md.livedoc  # type: ignore[attr-defined]
    head = {"id": options["id"]} if options["id"] else {}
    try:
        name = scan.listing(head, source).name
    except scan.SyntaxFault:
        return ""  # said already, with its line
    declared = next((one for one in context.scan.listings if one.name == name), None)
    if declared is None:
        return ""
    context.seen.add((name, ""))
    run = context.runs[name].result()
    if run.error:
        return context.fail(declared.line, f"listing “{name}” ({declared.path}) failed: {_where(run)}{run.error}")
    if run.stderr.strip() and "stderr" not in declared.options:
        return context.fail(declared.line, f"listing “{name}” ({declared.path}) wrote to stderr:\n{run.stderr}")
    context.inside = True
    try:
        return _listing(context, declared, run, options, md)
    except Exception as error:  # superfences would swallow it and show the code as if nothing had happened
        return context.fail(declared.line, f"listing “{name}” ({declared.path}): {type(error).__name__}: {error}")
    finally:
        context.inside = False


def _where(run: Run) -> str:
    return f"line {run.line}: " if run.line else ""


def _listing(context: Context, declared: scan.Listing, run: Run, options: dict[str, Any], md: Markdown) -> str:
    cells = snippet.cells(run.source)
    options["extra"] = {
        key: value for key, value in options["extra"].items() if key in {"title", "hl_lines", "linenums"}
    }
    options["extra"].setdefault("title", f"snippets/{declared.path}")
    output = run.output if options["html"] else literal(shown(run.output, context.word("cut")))
    cut = not options["html"] and run.output.rstrip().count("\n") >= LINES
    result = "" if options["html"] or not output else options.pop("result") or "text"
    options.pop("result", None)
    shell = base_format(
        language="python",
        run=lambda *_, **__: output,
        transform_source=lambda _: ("", literal(cells[0].source)),
        code="",
        md=md,
        result=result,
        **options,
    )
    parts = [str(shell)]
    if cut:
        context.downloads[declared.name] = run.output
        parts.append(f'<p><a href="outputs/{declared.name}.txt" download>{context.word("whole output")}</a></p>')
    if run.stderr.strip():
        parts.append(f'<p class="stderr-title">{context.word("stderr")}</p>')
        parts.append(_code(md, "text", shown(run.stderr, context.word("cut"))))
    code = {cell.caption: cell.source for cell in cells}
    for number, drawing in enumerate(run.figures, 1):
        caption = drawing["caption"] or declared.options.get("caption")
        if not caption:
            parts.append(context.fail(declared.line, f"listing “{declared.name}”: a figure needs a caption"))
            continue
        context.figures += 1
        parts.append(_figure(context, declared.name, number, caption, drawing["svg"], code.get(caption), md))
    # Material's search leaves out what is marked so, up to the next end tag of the same name: hence a section.
    return (
        f'<section class="listing" id="listing-{declared.name}" aria-label="{context.word("listing")} {declared.name}" '
        f'data-search-exclude>{restored("".join(parts))}</section>'
    )


def _code(md: Markdown, language: str, text: str) -> str:
    return str(MarkdownConverter(md, update_toc=False).convert(code_block(language, literal(text))))


def _figure(
    context: Context, name: str, number: int, caption: str, svg: str, code: str | None, md: Markdown
) -> str:
    identifier = f"figure-{name}-{number}"
    drawing = figure.embed(svg, identifier, context.language)
    folded = (
        f'<details class="figure-code"><summary>{context.word("figure code")}</summary>'
        f"{_code(md, 'python', code)}</details>"
        if code
        else ""
    )
    return (
        f'<figure class="figure" id="{identifier}">{drawing}<figcaption id="{identifier}-caption">'
        f'<span class="figure-number">{context.word("figure")} {context.figures}.</span> {html.escape(caption)}'
        f"</figcaption>{folded}</figure>"
    )


def _data(context: Context, listing: str, value: dict[str, Any]) -> str:
    """Render a bound value: text in the page's notation, and what it was exactly."""
    number = value["type"] in {"int", "float"}
    text = localise(value["text"], context.language) if number else value["text"]
    exact = value["exact"] if number else value["text"]
    return (
        f'<data class="value" value="{html.escape(exact)}" data-listing="{html.escape(listing)}" '
        f'data-expression="{html.escape(value["expression"])}">{html.escape(text)}</data>'
    )


def _answer(context: Context, bound: scan.Bound) -> dict[str, Any] | None:
    """Return the run's answer to what is bound; `None` when the listing's own fault is told already."""
    context.seen.add((bound.listing, bound.ask))
    future = context.runs.get(bound.listing)
    run = future.result() if future else None
    return None if run is None or run.error else run.answers.get(bound.ask, {"error": "this was not asked of the run"})


def _line(context: Context, bound: scan.Bound) -> int:
    same = (one.line for one in context.scan.bounds if one.listing == bound.listing and one.ask == bound.ask)
    return next(same, context.first_line)


def _render(context: Context, bound: scan.Bound) -> str:
    answer = _answer(context, bound)
    if answer is None:
        return ""
    shown_as = f"`{{{bound.listing}}} {'assert ' if bound.kind == 'claim' else ''}{bound.text}`"
    if "error" in answer:
        return context.fail(_line(context, bound), f"{shown_as}: {answer['error']}")
    if bound.kind == "value":
        return _data(context, bound.listing, answer)
    if not answer["holds"]:
        seen = "".join(f"\n    {part} = {value}" for part, value in answer["seen"].items())
        return context.fail(_line(context, bound), f"{shown_as} is no longer true:{seen}")
    context.claims += 1
    identifier = f"claim-{context.claims}"
    return (
        f'<button type="button" class="claim" data-search-exclude popovertarget="{identifier}" aria-label="{context.word("claim")}">✓'
        f'</button><span popover id="{identifier}" class="claim-panel" data-search-exclude>{context.word("checked by")} '
        f'<a href="#listing-{bound.listing}">{bound.listing}</a>: <code>{html.escape(bound.text)}</code></span>'
    )


def table_validator(
    language: str, inputs: dict[str, str], options: dict[str, Any], attrs: dict[str, Any], md: Markdown
) -> bool:
    """Accept a `table` fence: superfences' `validator`."""
    options.update(inputs)
    return True


def table_fence(source: str, language: str, css_class: str, options: dict[str, Any], md: Markdown, **_: Any) -> str:
    """Render a bound table: superfences' `format` for `table` fences."""
    context: Context = md.livedoc  # type: ignore[attr-defined]
    try:
        table = scan.table(dict(options), source)
    except scan.SyntaxFault:
        return ""  # said already, with its line
    bound = scan.Bound("table", table.listing, table.rows, columns=table.columns)
    answer = _answer(context, bound)
    if answer is None:
        return ""
    if "error" in answer:
        return context.fail(_line(context, bound), f"table of “{table.listing}”: {answer['error']}")
    context.inside = True
    try:
        return _table(context, table, answer["rows"], md)
    except Exception as error:  # superfences would swallow it
        return context.fail(_line(context, bound), f"table of “{table.listing}”: {type(error).__name__}: {error}")
    finally:
        context.inside = False


def _table(context: Context, table: scan.Table, rows: list[list[dict[str, Any]]], md: Markdown) -> str:
    """Lay the table out as Markdown, so that headings and caption may hold any, with marks where values go."""
    aligned = [":--" if cell["type"] == "str" else "--:" for cell in rows[0]]
    marks = [[f"livedoc-cell-{i}-{j}-" for j in range(len(row))] for i, row in enumerate(rows)]
    lines = [table.headings, aligned, *marks]
    markdown = table.caption + "\n\n" + "\n".join("| " + " | ".join(line) + " |" for line in lines)
    text = str(MarkdownConverter(md, update_toc=False).convert(markdown))
    text = text.replace("<th ", '<th scope="col" ').replace('style="text-align: right;"', 'class="number"')
    for row, row_marks in zip(rows, marks, strict=True):
        for cell, mark in zip(row, row_marks, strict=True):
            text = text.replace(mark, _data(context, table.listing, cell))
    if table.caption:
        caption, _, text = text.partition("</p>")
        text = text.replace("<table>", f"<table><caption>{caption.replace('<p>', '', 1).strip()}</caption>", 1)
    return f'<div class="bound-table" data-search-exclude>{text.strip()}</div>'


class _Declared(Preprocessor):
    """Reads the page before anything changes it, and starts what nobody started yet."""

    def __init__(self, md: Markdown, context: Context) -> None:
        super().__init__(md)
        self.context = context

    def run(self, lines: list[str]) -> list[str]:
        context = self.context
        if not context.inside:
            context.scan = scan.scan("\n".join(lines), context.first_line)
            context.figures = context.claims = 0
            context.seen.clear()
            if context.given is None and context.scan.listings:
                context.runner = context.runner or Runner()
            context.runs = context.given or submit(context.scan, context.snippets, context.language, context.runner)
        return lines


class _Shown(Postprocessor):
    """Compares what was declared with what reached the page: nothing may be lost on the way."""

    def __init__(self, md: Markdown, context: Context) -> None:
        super().__init__(md)
        self.context = context

    def run(self, text: str) -> str:
        context = self.context
        if context.inside:
            return text
        boxes = [context.fail(line, message) for line, message in context.scan.faults]
        for one in [] if context.faults else context.scan.listings:
            if (one.name, "") not in context.seen:
                boxes.append(context.fail(one.line, f"listing “{one.name}” is declared and not shown: is it in a fence?"))
        for bound in [] if context.faults else context.scan.bounds:
            if (bound.listing, bound.ask) not in context.seen:
                boxes.append(context.fail(bound.line, f"{bound.kind} “{bound.text}” is declared and not shown"))
        return "".join(boxes) + text


class _Inline(InlineProcessor):
    """Sees `` `{name} …` `` before ordinary code spans do."""

    def __init__(self, md: Markdown, context: Context) -> None:
        super().__init__(scan.SPAN, md)
        self.context = context

    def handleMatch(  # type: ignore[override]
        self, m: re.Match[str], data: str
    ) -> tuple[str | ET.Element | None, int | None, int | None]:
        bound = scan.bound(m["body"]) if len(m["ticks"]) == 1 else None
        if bound is None:
            return None, None, None
        return self.md.htmlStash.store(_render(self.context, bound)), m.start(0), m.end(0)


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
        md.livedoc = self.context  # type: ignore[attr-defined]
        md.preprocessors.register(_Declared(md, self.context), "livedoc", 35)  # before white space is normalised
        md.inlinePatterns.register(_Inline(md, self.context), "livedoc", 195)  # before code spans (190)
        md.postprocessors.register(_Shown(md, self.context), "livedoc", 0)


def makeExtension(**options: Any) -> LivedocExtension:
    """Return the extension, as Python-Markdown asks for it."""
    return LivedocExtension(**options)
