"""What an author wrote: the listings, values, claims and tables of a page, each with its line.

The grammar is markdown-exec's own fence, and what stands between the braces of an f-string:

    ```python exec="on" source="above"      a listing; its body is one line: --8<-- "folder/file.py"
    ```table of="scale" rows="rows"         a bound table; a line a column: expression:spec | heading
    `{scale} rows[0].std:.3f`               a value
    `{scale} assert rows[0].std < 2`        a claim
    `{quoted} 25.8`                         a number of somebody else's, whose source stands beside it
    [@vaswani2017, §3.2.1; @xiong2020]      a citation; [-@vaswani2017, §3.4] shows the place alone
    ```references                           the works cited; a line may add a note to one: vaswani2017: used for …
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field, replace

OPTIONS = {
    "exec": r"on|off|yes|no|true|false|1|0",
    "source": r"above|below|block|tabbed-left|tabbed-right|console|",
    "result": r"[\w.+-]*",
    "title": r".*",
    "id": r"[A-Za-z][\w-]*",
    "idprefix": r".*",
    "tabs": r".*\|.*",
    "html": r"on|off|yes|no|true|false|1|0",
    "updatetoc": r"on|off|yes|no|true|false|1|0",
    "hl_lines": r"[\d\s,-]+",
    "linenums": r"[\d\s]+",
    "timeout": r"\d+(\.\d+)?",
    "memory": r"\d+",
    "stderr": r"shown",
    "measures": r"[\w\s,.]+",
    "tolerances": r"([A-Za-z_]\w*=\d[\d.e-]*\s*)+",
    "caption": r".+",
}
"""The options of a listing, each with what it may be; the last six are this engine's own."""

QUOTED = "quoted"
"""The name that marks a number as quoted from a source; no listing can have it."""

FENCE = re.compile(r"(?P<indent>[ \t]*)(?P<mark>`{3,}|~{3,})[ \t]*(?P<head>[^\n`]*|[^\n]*=\"[^\n]*)$")
_OPTION = re.compile(r"""([\w-]+)=(?:"([^"]*)"|'([^']*)')(?=\s|$)""")
_INCLUDE = re.compile(r'--8<-- "(?P<path>[\w./-]+\.py)"$')
_HEADING = re.compile(r"(?P<level>#{1,6})\s+.*?(?:\{[^{}]*?#(?P<id>[\w-]+)[^{}]*\})?\s*$")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
SPAN = r"(?<![\\`])(?P<ticks>`+)(?!`)(?P<body>(?:[^\n]|\n(?!\s*\n))+?)(?<!`)(?P=ticks)(?!`)"
_BOUND = re.compile(r"\{(?P<name>[A-Za-z][\w-]*)\}\s+(?P<claim>assert\s+)?(?P<text>.+)$", re.DOTALL)


_CITATION = re.compile(r"(?<![\\\w\]])\[(?P<body>-?@[A-Za-z][^\[\]\n]*(?:\n[^\[\]\n]+)*)\](?![(\[])")
_PLACE = re.compile(r"[A-Z]?[\d.]*\d")
_CITED = re.compile(r"(?P<brief>-?)@(?P<key>[A-Za-z][\w:.-]*)\s*(?:,\s*(?P<locator>.+))?")


class SyntaxFaultError(Exception):
    """Something an author wrote that cannot be read."""


@dataclass(frozen=True)
class Bound:
    """Something bound to a listing: a value, a claim or a table, with its place on the page."""

    kind: str
    listing: str
    text: str
    line: int = 0
    section: str = ""
    columns: tuple[str, ...] = ()

    @property
    def ask(self) -> str:
        """The question that the run answers, as JSON; equal questions are asked once."""
        ask = {"kind": self.kind, "text": self.text, **({"columns": self.columns} if self.columns else {})}
        return json.dumps(ask, ensure_ascii=False)


@dataclass(frozen=True)
class Listing:
    """An exec fence: its name on the page, its snippet, its options and its place."""

    name: str
    path: str
    options: dict[str, str]
    line: int
    section: str


@dataclass(frozen=True)
class Citation:
    """A work cited in the text: its key, the place in it, whether that place alone is shown, and where."""

    key: str
    locator: str = ""
    brief: bool = False
    line: int = 0
    section: str = ""


@dataclass
class Scan:
    """All that a page declares, and what is wrong with it.

    `references` is the line of the fence that lists the works cited, `notes` what it says of each.
    """

    listings: list[Listing] = field(default_factory=list)
    bounds: list[Bound] = field(default_factory=list)
    sections: list[str] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    references: int = 0
    notes: dict[str, str] = field(default_factory=dict)
    faults: list[tuple[int, str]] = field(default_factory=list)

    def asks(self, listing: str) -> tuple[str, ...]:
        """Return the questions a page has for one of its listings, without repetition."""
        return tuple(dict.fromkeys(bound.ask for bound in self.bounds if bound.listing == listing))


@dataclass(frozen=True)
class Table:
    """A bound table: whose rows, and for each column its expression and its heading (Markdown)."""

    listing: str
    rows: str
    columns: tuple[str, ...]
    headings: tuple[str, ...]
    caption: str


def options(head: str) -> dict[str, str]:
    """Read the options of a fence.

    Raises:
        SyntaxFaultError: When something in it is not `name="value"`.
    """
    if rest := _OPTION.sub("", head).strip():
        raise SyntaxFaultError(f'cannot read “{rest}”: an option is written name="value"')
    return {name: double or single for name, double, single in _OPTION.findall(head)}


def bound(body: str) -> Bound | None:
    """Read the inside of a code span; `None` when it is ordinary code."""
    match = _BOUND.match(body.strip())
    if match is None:
        return None
    kind = QUOTED if match["name"] == QUOTED else "claim" if match["claim"] else "value"
    return Bound(kind, match["name"], " ".join(match["text"].split()))


def citations(text: str) -> list[tuple[re.Match[str], list[Citation]]]:
    """Find the citations in prose, each with the works it names; what cannot be read is no citation."""
    found = []
    for match in _CITATION.finditer(text):
        parts = [_CITED.fullmatch(" ".join(part.split())) for part in match["body"].split(";")]
        if all(parts):
            works = [Citation(part["key"], part["locator"] or "", bool(part["brief"])) for part in parts if part]
            found.append((match, works))
    return found


def notes(body: str) -> dict[str, str]:
    """Read a `references` fence: the notes of works by their keys; an indented line goes on with a note.

    Raises:
        SyntaxFaultError: When a line is not `key: note`, or a key has two.
    """
    found: dict[str, str] = {}
    key = ""
    for line in body.splitlines():
        if line[:1].isspace() and key:
            found[key] += f" {line.strip()}"
        elif line.strip():
            key, colon, note = (part.strip() for part in line.partition(":"))
            if not colon or not re.fullmatch(r"[A-Za-z][\w.-]*", key) or key in found:
                raise SyntaxFaultError(f"a line of references is “key: note”, once for each: {line}")
            found[key] = note
    return found


def table(head: dict[str, str], body: str) -> Table:
    """Read a bound table.

    Raises:
        SyntaxFaultError: When an option is missing or unknown, or a line is not `expression:spec | heading`.
    """
    if unknown := set(head) - {"of", "rows", "caption"}:
        raise SyntaxFaultError(f"a table has no option {', '.join(sorted(unknown))}: of, rows, caption")
    if not head.get("of") or not head.get("rows"):
        raise SyntaxFaultError('a table says of which listing and which rows: of="scale" rows="rows"')
    columns = [line.split(" | ", 1) for line in body.splitlines() if line.strip()]
    if not columns or any(len(column) != 2 for column in columns):
        raise SyntaxFaultError("each line of a table is “expression:spec | heading”")
    texts, headings = zip(*[(text.strip(), heading.strip()) for text, heading in columns], strict=True)
    return Table(head["of"], head["rows"], texts, headings, head.get("caption", ""))


def listing(head: dict[str, str], body: str, line: int = 0, section: str = "") -> Listing:
    """Read an exec fence.

    Raises:
        SyntaxFaultError: When an option is unknown or has a value it cannot have, or the body is not one snippet.
    """
    for name, value in head.items():
        if name not in OPTIONS:
            raise SyntaxFaultError(f"a listing has no option “{name}”: it may have {', '.join(OPTIONS)}")
        if not re.fullmatch(OPTIONS[name], value):
            raise SyntaxFaultError(f"the option {name} cannot be “{value}”")
    include = _INCLUDE.match(body.strip())
    if not include or ".." in include["path"]:
        raise SyntaxFaultError('the body of a listing is one line with a file of snippets: --8<-- "folder/file.py"')
    name = head.get("id") or include["path"].rsplit("/", 1)[-1].removesuffix(".py")
    if name == QUOTED:
        raise SyntaxFaultError(f"“{QUOTED}” marks quoted numbers, and cannot name a listing")
    return Listing(name, include["path"], head, line, section)


def uncommented(text: str) -> list[str]:
    """Return the lines of a page with its comments blanked: nothing in them is declared."""
    return _COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text).split("\n")


def end_of(fence: re.Match[str], lines: list[str], number: int) -> int:
    """Return the number of the line that closes a fence, looking from `number` on; past the last when none does."""
    close = re.compile(r"\s*" + fence["mark"][0] + "{" + str(len(fence["mark"])) + r",}\s*$")
    while number < len(lines) and not close.match(lines[number]):
        number += 1
    return number


def opening(head: str) -> tuple[str, str]:
    """Return the language of a fence and its options, from what stands after its marks."""
    language, _, rest = head.strip("{}").strip().lstrip(".").partition(" ")
    return language, rest


def scan(text: str, first_line: int = 1) -> Scan:
    """Find all that a page declares.

    Args:
        text: The page's Markdown.
        first_line: The line of the file that the text starts on (front matter may stand before it).
    """
    found, prose, lines = Scan(), [], uncommented(text)
    places: list[str] = []
    section, number = "", 0
    while number < len(lines):
        line, start = lines[number], number
        places.append(section)
        if heading := _HEADING.match(line):
            section = heading["id"] or section
            places[-1] = section
            if heading["id"]:
                found.sections.append(heading["id"])
            elif len(heading["level"]) > 1:
                found.faults.append((first_line + number, "a heading needs an id of its own: {#short-name}"))
        prose.append(line)
        number += 1
        if fence := FENCE.match(line):
            number = end_of(fence, lines, number)
            body = "\n".join(lines[start + 1 : number])
            number += 1
            prose[-1:] = [""] * (min(number, len(lines)) - start)
            places += [section] * (len(prose) - len(places))
            _fence(found, fence["head"].strip(), body, first_line + start, section)
    for span in re.finditer(SPAN, "\n".join(prose)):
        if len(span["ticks"]) == 1 and (one := bound(span["body"])):
            at = span.string.count("\n", 0, span.start())
            found.bounds.append(Bound(one.kind, one.listing, one.text, first_line + at, places[at]))
    plain = re.sub(SPAN, lambda span: re.sub(r"[^\n]", " ", span[0]), "\n".join(prose))
    for match, works in citations(plain):
        at = plain.count("\n", 0, match.start())
        found.citations += [replace(work, line=first_line + at, section=places[at]) for work in works]
    found.bounds.sort(key=lambda one: one.line)
    _names(found)
    return found


def _fence(found: Scan, head: str, body: str, line: int, section: str) -> None:
    """Note what one fence declares; a fence that neither runs nor is a table is an example, and ignored."""
    language, rest = opening(head)
    try:
        if language == "table":
            one = table(options(rest), body)
            for span in re.finditer(SPAN, "\n".join([one.caption, *one.headings])):
                if len(span["ticks"]) == 1 and (inner := bound(span["body"])):
                    found.bounds.append(Bound(inner.kind, inner.listing, inner.text, line, section))
            found.bounds.append(Bound("table", one.listing, one.rows, line, section, one.columns))
        elif language == "references":
            if found.references:
                raise SyntaxFaultError("the page has two lists of references")
            found.references, found.notes = line, notes(body)
            for span in re.finditer(SPAN, body):
                if len(span["ticks"]) == 1 and (inner := bound(span["body"])):
                    found.bounds.append(Bound(inner.kind, inner.listing, inner.text, line, section))
        elif re.search(r"\bexec\b", rest):
            head_options = options(rest)
            if language not in {"python", "py"}:
                raise SyntaxFaultError(f"only python listings run here, not {language}")
            if head_options.get("exec") not in {"off", "no", "false", "0"}:
                found.listings.append(listing(head_options, body, line, section))
    except SyntaxFaultError as fault:
        found.faults.append((line, str(fault)))


def _names(found: Scan) -> None:
    """Check that each listing has a name of its own, and that what is bound names one of them."""
    names = Counter(one.name for one in found.listings)
    for one in found.listings:
        if names[one.name] > 1:
            found.faults.append((one.line, f"two listings are called “{one.name}”: give one an id"))
    for bound_ in found.bounds:
        if bound_.listing not in names and bound_.kind != QUOTED:
            found.faults.append((bound_.line, f"there is no listing “{bound_.listing}” on this page"))


def differences(one: Scan, other: Scan) -> list[str]:
    """Return what the two languages of a page do not share: sections, listings, values and claims, tables."""
    told = []
    if one.sections != other.sections:
        told.append(f"section ids {one.sections} and {other.sections}")
    for what, key in (("listings", _listings), ("values, claims and tables", _bounds), ("citations", _citations)):
        mine, theirs = key(one), key(other)
        told += [f"{what}: {text} only in the first" for text in (mine - theirs)]
        told += [f"{what}: {text} only in the second" for text in (theirs - mine)]
    return told


def _listings(scan: Scan) -> Counter[str]:
    return Counter(f"{one.name} ({one.path}) in #{one.section}" for one in scan.listings)


def _citations(scan: Scan) -> Counter[str]:
    """Count the citations of each work in each section, with the numbers of the places cited: their words differ."""
    places = (" ".join(["", *_PLACE.findall(one.locator)]) for one in scan.citations)
    return Counter(f"@{one.key}{place} in #{one.section}" for one, place in zip(scan.citations, places, strict=True))


def _bounds(scan: Scan) -> Counter[str]:
    return Counter(
        f"{{{b.listing}}} {b.kind} {b.text} {' '.join(b.columns)}".rstrip() + f" in #{b.section}" for b in scan.bounds
    )
