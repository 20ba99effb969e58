"""An article's Markdown as any notebook reads it: no extensions, and what the build computed in its place."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from livedoc import bibliography, scan
from livedoc.blocks import quoted_blocks
from livedoc.ledger import is_measured
from livedoc.numbers import localise

if TYPE_CHECKING:
    from collections.abc import Callable

    from livedoc.context import Context

WORDS = {
    "it": {"measured": "misurato", "in each run": "*(misurato a ogni esecuzione)*", "notes": "Note"},
    "en": {"measured": "measured", "in each run": "*(measured in each run)*", "notes": "Notes"},
}

UNKNOWN = "…"
"""Stands for a value whose listing failed: only a preview goes on to show it."""

_HEADING = re.compile(r"(?P<marks>#{1,6})\s+(?P<title>.*?)\s*(?:\{:?(?P<attributes>[^{}]*)\})?\s*$")
_ID = re.compile(r"#([\w-]+)")
_ATTRIBUTES = r"\{:?\s*(?:[.#][\w-]|[\w-]+=)[^{}\n]*\}"
_ATTRIBUTES_ALONE = re.compile(rf"^[ \t>]*{_ATTRIBUTES}[ \t]*(?:\n|\Z)", re.MULTILINE)
_ATTRIBUTES_BEHIND = re.compile(rf"(?<=[)\]*_\ufdd1]){_ATTRIBUTES}")
_SPAN = re.compile(r"(?P<space>[ \n]?)" + scan.SPAN)
_MATHS = re.compile(r"(?<!\\)\$\$.+?\$\$|(?<![\\$])\$(?![\s$])(?:[^$\n]|\n(?!\s*\n))*?(?<![\s\\])\$", re.DOTALL)
_NOTE = re.compile(
    r"^\[\^(?P<name>[^\]]+)\]:[ \t]*(?P<text>.*(?:\n(?:[ \t]+\S.*|[ \t]*(?=\n[ \t]+\S)))*)\n?", re.MULTILINE
)
_REFERENCE = re.compile(r"\[\^(?P<name>[^\]]+)\]")
_LINK = re.compile(r"(?P<before>\]\(|^\[[^\]^][^\]]*\]:[ \t]*)(?P<target>[^)\s]+)", re.MULTILINE)
_IN_HTML = re.compile(r"(<\w[^>\n]*?) markdown(?:=\"\w+\")?(?=[ >])")
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|$#])")
# Characters that are none, for programs' own use, stand around the number of a piece that is kept as it is.
_KEPT = re.compile("\ufdd0(\\d+)\ufdd1")


@dataclass(frozen=True)
class Part:
    """A piece of an article: Markdown, or a listing; and the section it belongs to."""

    section: str
    text: str = ""
    listing: scan.Listing | None = None


def parts(text: str, context: Context, absolute: Callable[[str], str]) -> list[Part]:
    """Cut an article into Markdown and listings, in their order; a heading starts a new piece.

    Args:
        text: The page's Markdown, without its front matter.
        context: What the page is rendered with: its declarations and its runs.
        absolute: Makes an address of a page's link a whole one.
    """
    return _Article(context, absolute).parts(text)


@dataclass
class _Article:
    context: Context
    absolute: Callable[[str], str]
    kept: list[str | scan.Listing] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)

    def word(self, key: str) -> str:
        return WORDS.get(self.context.language, WORDS["en"])[key]

    def parts(self, text: str) -> list[Part]:
        prose = quoted_blocks(self._prose(_NOTE.sub(self._note, self._without_fences(text))).split("\n"))
        found, lines, section = [], list[str](), ""

        def end() -> None:
            if any(line.strip() for line in lines):
                found.append(Part(section, self._restored("\n".join(lines))))
            lines.clear()

        for line in prose:
            mark = _KEPT.fullmatch(line.strip(" \t>"))
            listing = self.kept[int(mark[1])] if mark else None
            if isinstance(listing, scan.Listing):
                end()
                found.append(Part(section, listing=listing))
            elif heading := _HEADING.match(line):
                end()
                identifier = _ID.search(heading["attributes"] or "")
                section = identifier[1] if identifier else section
                lines += [f'<a id="{section}"></a>', ""] if identifier else []
                lines.append(f"{heading['marks']} {heading['title']}")
            else:
                lines.append(line)
        lines += self._notes()
        end()
        return found

    def _keep(self, piece: str | scan.Listing) -> str:
        """Put aside what nothing may change; what comes back stands for it."""
        self.kept.append(piece)
        return f"\ufdd0{len(self.kept) - 1}\ufdd1"

    def _restored(self, text: str) -> str:
        """Bring back what was put aside; its later lines stand under its first."""
        lines = []
        for line in text.strip("\n").split("\n"):
            margin = "\n" + line[: len(line) - len(line.lstrip(" \t>"))]
            while mark := _KEPT.search(line):
                line = line[: mark.start()] + str(self.kept[int(mark[1])]).replace("\n", margin) + line[mark.end() :]
            lines.append(line)
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))

    def _without_fences(self, text: str) -> str:
        """Put each fence aside: a listing, a table, or an example that is kept as it is."""
        lines, written, out, number = scan.uncommented(text), text.split("\n"), list[str](), 0
        while number < len(lines):
            start, fence = number, scan.FENCE.match(lines[number])
            number += 1
            if not fence:
                out.append(lines[start])
                continue
            number = scan.end_of(fence, lines, number) + 1
            out += [fence["indent"] + line for line in self._fence(fence, start, written[start + 1 : number - 1])]
        return "\n".join(out)

    def _fence(self, fence: re.Match[str], start: int, body: list[str]) -> list[str]:
        context, (language, rest) = self.context, scan.opening(fence["head"].strip())
        line = context.first_line + start
        listing = next((one for one in context.declared.listings if one.line == line), None)
        if listing:
            return [self._keep(listing)]
        if language in {"ledger", "glossary"}:
            return []
        if language == "references":
            return [self._keep("\n".join(bibliography.listed(context, lambda note: self._restored(self._prose(note)))))]
        if language == "table":
            return self._table(rest, "\n".join(body))
        margin = len(fence["indent"])
        inner = [row[margin:] if not row[:margin].strip() else row for row in body]
        mark = fence["mark"]
        return [self._keep("\n".join([mark + language.partition("}")[0], *inner, mark]))]

    def _table(self, rest: str, body: str) -> list[str]:
        try:
            table = scan.table(scan.options(rest), body)
        except scan.SyntaxFaultError:
            return []  # said already, with its line
        rows = self._answer(scan.Bound("table", table.listing, table.rows, columns=table.columns)).get("rows", [[]])
        aligned = [":--" if cell["type"] == "str" else "--:" for cell in rows[0]]
        cells = [[self._shown(table.listing, cell, "measured") for cell in row] for row in rows]
        lines = ["| " + " | ".join(line) + " |" for line in (table.headings, aligned, *cells) if line]
        return ["", *([f"*{table.caption}*", ""] if table.caption else []), *lines, ""]

    def _answer(self, bound: scan.Bound) -> dict[str, Any]:
        future = (self.context.given or self.context.runs).get(bound.listing)
        return future.result().answers.get(bound.ask, {}) if future else {}

    def _shown(self, name: str, value: dict[str, Any], measured: str) -> str:
        """Return a value as the page shows it, or the word for one that another run would not give again."""
        if "text" not in value:
            return UNKNOWN
        listing = next((one for one in self.context.declared.listings if one.name == name), None)
        if listing and is_measured(listing, value["expression"]):
            return self.word(measured)
        text = self.context.shown(value)
        return self._keep(_SPECIAL.sub(r"\\\1", text) if value["type"] == "str" else text)

    def _note(self, match: re.Match[str]) -> str:
        self.notes[match["name"]] = " ".join(match["text"].split())
        return ""

    def _notes(self) -> list[str]:
        """Return the notes that the prose refers to, in the order of their numbers; a note may refer to another."""
        told: list[str] = []
        while len(told) < len(self.numbers):
            name = list(self.numbers)[len(told)]
            number = self.numbers[name]
            told.append(f'{number}. <a id="note-{number}"></a>{self._prose(self.notes.get(name, UNKNOWN))}')
        return ["", f"**{self.word('notes')}**", "", *told] if told else []

    def _prose(self, text: str) -> str:
        """Rewrite what stands between the fences: spans and formulas first, for nothing in them is Markdown."""
        text = _SPAN.sub(self._span, text)
        text = _MATHS.sub(lambda match: self._keep(re.sub(r"\n[ \t]*", "\n", match[0])), text)
        text = re.sub(r"(?<!\\)\$", r"\\$", text)  # Jupyter would find a formula between any two
        text = _ATTRIBUTES_BEHIND.sub("", _ATTRIBUTES_ALONE.sub("", text))
        text = _LINK.sub(lambda match: match["before"] + self.absolute(match["target"]), text)
        text = _REFERENCE.sub(self._reference, text)
        return bibliography.plain(_IN_HTML.sub(r"\1", text), self.context)

    def _span(self, match: re.Match[str]) -> str:
        bound = scan.bound(match["body"]) if len(match["ticks"]) == 1 else None
        if bound is None:
            code = re.sub(r"^#!\w+ ", "", match["body"])  # the language of inline code
            return match["space"] + self._keep(match["ticks"] + code + match["ticks"])
        if bound.kind == "claim":
            return ""  # the condition is the site's to show
        if bound.kind == scan.QUOTED:
            return match["space"] + self._keep(localise(bound.text, self.context.language))
        return match["space"] + self._shown(bound.listing, self._answer(bound), "in each run")

    def _reference(self, match: re.Match[str]) -> str:
        number = self.numbers.setdefault(match["name"], len(self.numbers) + 1)
        return f"<sup>[{number}](#note-{number})</sup>"
