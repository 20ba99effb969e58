"""Listings and bound tables, as formats of superfences.

A listing goes through markdown-exec's own `base_format`; what it printed is data, and never read as Markdown.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from markdown_exec import MarkdownConverter, base_format, code_block

from livedoc import folded, scan, snippet, tables
from livedoc.context import Context
from livedoc.numbers import localise
from livedoc.output import is_cut, literal, restored, shown
from livedoc.packages import imported

if TYPE_CHECKING:
    from markdown import Markdown

    from livedoc.runner import Run


def exec_fence(source: str, language: str, css_class: str, options: dict[str, Any], md: Markdown, **_: Any) -> str:
    """Render a listing: superfences' `format` for python fences that markdown-exec's `validator` accepted."""
    context: Context = md.livedoc  # type: ignore[attr-defined]
    head = {"id": options["id"]} if options["id"] else {}
    try:
        name = scan.listing(head, source).name
    except scan.SyntaxFaultError:
        return ""  # said already, with its line
    declared = next((one for one in context.declared.listings if one.name == name), None)
    if declared is None:
        return ""
    context.seen.add((name, ""))
    if name not in context.runs:  # superfences would swallow a KeyError
        return context.fail(declared.line, f"listing “{name}” did not run: the page changed while the site was built")
    run = context.runs[name].result()
    if not run.error:
        context.downloads[f"listings/{name}.py"] = run.source
        if _too_long(run, options):
            context.downloads[f"outputs/{name}.txt"] = run.output
        context.downloads |= tables.files(name, run.figures, context.language)
    if run.error:
        return context.fail(
            declared.line, f"listing “{name}” ({declared.path}) failed: {_where(run)}{run.error}", about="listings"
        )
    if run.stderr.strip() and "stderr" not in declared.options:
        return context.fail(
            declared.line, f"listing “{name}” ({declared.path}) wrote to stderr:\n{run.stderr}", about="options"
        )
    key = repr((name, sorted(declared.options.items()), context.figures))
    if key in run.rendered:
        context.figures += len(run.figures)
        return run.rendered[key]
    context.inside = True
    try:
        unit = _listing(context, declared, run, options, md)
        if not context.faults:
            run.rendered[key] = unit
        return unit
    except Exception as error:  # superfences would swallow it and show the code as if nothing had happened
        return context.fail(declared.line, f"listing “{name}” ({declared.path}): {type(error).__name__}: {error}")
    finally:
        context.inside = False


def _too_long(run: Run, options: dict[str, Any]) -> bool:
    return not options["html"] and is_cut(run.output)


def _where(run: Run) -> str:
    return f"line {run.line}: " if run.line else ""


def _listing(context: Context, declared: scan.Listing, run: Run, options: dict[str, Any], md: Markdown) -> str:
    cells = snippet.cells(run.source)
    options["extra"] = {
        key: value for key, value in options["extra"].items() if key in {"title", "hl_lines", "linenums"}
    }
    options["extra"].setdefault("title", f"snippets/{declared.path}")
    output = run.output if options["html"] else literal(shown(run.output, context.word("cut")))
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
    parts = [
        f'<a class="listing-download" href="{context.folder}listings/{declared.name}.py" download '
        f'aria-label="{context.word("download")} {declared.name}.py">{context.word("download")}</a>',
        str(shell),
    ]
    if _too_long(run, options):
        parts.append(
            f'<p><a href="{context.folder}outputs/{declared.name}.txt" download>{context.word("whole output")}</a></p>'
        )
    if run.stderr.strip():
        parts.append(f'<p class="stderr-title">{context.word("stderr")}</p>')
        parts.append(_code(md, "text", shown(run.stderr, context.word("cut"))))
    code = {cell.caption: cell.source for cell in cells}
    parts.append(_told(context, declared, run))
    for number, drawing in enumerate(run.figures, 1):
        caption = drawing["caption"] or declared.options.get("caption")
        if not caption:
            parts.append(
                context.fail(declared.line, f"listing “{declared.name}”: a figure needs a caption", about="figures")
            )
            continue
        context.figures += 1
        parts.append(_figure(context, declared.name, number, caption, drawing, code.get(caption), md))
    # Material's search leaves out what is marked so, up to the next end tag of the same name: hence a section.
    return (
        f'<section class="listing" id="listing-{declared.name}" aria-label="{context.word("listing")} {declared.name}" '
        f"data-search-exclude>{restored(''.join(parts))}</section>"
    )


def _told(context: Context, declared: scan.Listing, run: Run) -> str:
    """Say how long the run took and with what, and where its source can be read."""
    packages = ", ".join(f"{name} {version}" for name, version in imported(run.source).items())
    told = context.word("run").format(localise(f"{run.seconds:.2f}", context.language))
    told += context.word("with").format(packages) if packages else ""
    link = (
        f' <a href="{html.escape(context.source_url)}/blob/HEAD/snippets/{declared.path}" '
        f'aria-label="{context.word("source")} {declared.path}">{context.word("source")}</a>'
        if context.source_url
        else ""
    )
    return f'<p class="listing-run">{html.escape(told)}{link}</p>'


def _code(md: Markdown, language: str, text: str) -> str:
    return str(MarkdownConverter(md, update_toc=False).convert(code_block(language, literal(text))))


def _figure(
    context: Context, name: str, number: int, caption: str, drawn: dict[str, Any], code: str | None, md: Markdown
) -> str:
    identifier = f"figure-{name}-{number}"
    data = folded.data(context, name, number, drawn["tables"])
    listing = (
        f'<details class="figure-code"><summary>{context.word("figure code")}</summary>'
        f"{_code(md, 'python', code)}</details>"
        if code
        else ""
    )
    return (  # the caption is shown below the drawing, and HTML wants it first or last
        f'<figure class="figure" id="{identifier}"><figcaption id="{identifier}-caption">'
        f'<span class="figure-number">{context.word("figure")} {context.figures}.</span> {html.escape(caption)}'
        f"</figcaption>{context.drawn(drawn, identifier)}{data}{listing}</figure>"
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
    except scan.SyntaxFaultError:
        return ""  # said already, with its line
    bound = scan.Bound("table", table.listing, table.rows, columns=table.columns)
    answer = context.answer(bound)
    if answer is None:
        return ""
    if "error" in answer:
        return context.fail(context.line(bound), f"table of “{table.listing}”: {answer['error']}", about="tables")
    context.inside = True
    try:
        return _table(context, table, answer["rows"], md)
    except Exception as error:  # superfences would swallow it
        return context.fail(context.line(bound), f"table of “{table.listing}”: {type(error).__name__}: {error}")
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
            text = text.replace(mark, context.data(table.listing, cell))
    if table.caption:
        caption, _, text = text.partition("</p>")
        text = text.replace("<table>", f"<table><caption>{caption.replace('<p>', '', 1).strip()}</caption>", 1)
    return f'<div class="bound-table" data-search-exclude>{text.strip()}</div>'
