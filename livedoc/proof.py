"""One published page held against what its author declared and what the ledger says of its runs."""

from __future__ import annotations

import ast
import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from bs4 import BeautifulSoup

from livedoc import prose, reading, scan, snippet, tabulated, words
from livedoc.context import WORDS
from livedoc.ledger import NUMBER, sha256
from livedoc.numbers import localise
from livedoc.output import LINES, literal, restored, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bs4 import Tag

    from livedoc.reading import Article

Json = dict[str, Any]
_OUTPUT_FIRST = frozenset(("below", "tabbed-right"))


def findings(article: Article, site: Path, snippets: Path) -> Iterator[str]:
    """Yield what a page does not show as its source, its snippets and the ledger have it."""
    page = article.page
    declared = {one.name: one for one in article.declared.listings}
    bound = [*(one.listing for one in page.values), *(one.listing for one in page.claims)]
    for name in dict.fromkeys([*declared, *article.runs, *page.listings, *bound]):
        one, run = declared.get(name), article.runs.get(name)
        if one is None or run is None:
            yield f"listing “{name}” is not {'declared by its author' if one is None else 'in the ledger'}"
            continue
        if name not in page.listings:
            yield f"listing “{name}” ran and is not shown"
        else:
            proof = _Proof(article, one, run, page.listings[name], (site / article.path).parent, snippets)
            for message in (*proof.code(), *proof.output(), *proof.figures()):
                yield f"listing “{name}”: {message}"
        for message in (*_values(article, name, run), *_claims(article, name, run)):
            yield f"listing “{name}”: {message}"
    quoted = [(localise(one.text, article.language),) for one in article.declared.bounds if one.kind == scan.QUOTED]
    yield from _differences("the quoted number", quoted, [(text,) for _, text in page.quoted])


def _differences(what: str, told: Sequence[tuple[str, ...]], seen: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Compare two lists of things, each with its name first, whatever their order."""
    missing, extra = list((Counter(told) - Counter(seen)).elements()), (Counter(seen) - Counter(told)).elements()
    for one in extra:
        twin = next((other for other in missing if other[0] == one[0]), None)
        if twin is None:
            yield f"{what} {one[0]} is on the page alone"
        else:
            missing.remove(twin)
            pairs = [(mine, theirs) for mine, theirs in zip(one, twin, strict=True) if mine != theirs]
            yield f"{what} {one[0]} is " + ", ".join(f"“{mine}” on the page, not “{theirs}”" for mine, theirs in pairs)
    for other in missing:
        yield f"{what} {other[0]} is not on the page"


@dataclass
class _Proof:
    """What the element of a listing must hold."""

    article: Article
    one: scan.Listing
    run: Json
    element: Tag
    folder: Path
    snippets: Path
    cells: list[snippet.Cell] = field(default_factory=list)

    def code(self) -> Iterator[str]:
        """Compare the snippet, its translation, what ran and what can be downloaded."""
        one, run = self.one, self.run
        try:
            source = snippet.read(self.snippets / one.path)
            if (run["snippet"], run["sha256"]) != (one.path, sha256(source)):
                yield f"snippets/{one.path} is not the file in the ledger"
            if self.article.language != snippet.SOURCE_LANGUAGE:
                source = words.localise(source, self.snippets / f"{self.article.language}.po")
            self.cells = snippet.cells(source)
        except snippet.SnippetError as error:
            yield f"snippets/{one.path}: {error}"
            return
        if run["code_sha256"] != sha256(source):
            yield f"what ran is not snippets/{one.path} in this language"
        download, link = self.folder / f"listings/{one.name}.py", self.element.find("a", class_="listing-download")
        if not download.is_file() or download.read_bytes() != source.encode():
            yield f"the download listings/{one.name}.py is not the snippet in this language"
        if link is None or link.get("href") != f"listings/{one.name}.py":
            yield "its download is not offered"

    def output(self) -> Iterator[str]:
        """Compare the code and the output on the page, in their order, with the snippet and the ledger."""
        options, printed = self.one.options, self.run["output"]["text"]
        if sha256(printed) != self.run["output"]["sha256"]:
            yield "its output in the ledger is not what the ledger’s sha256 is of"
        text = restored(literal(shown(printed, WORDS[self.article.language]["cut"])))
        if not text.strip() and not self.run["figures"] and options.get("result") != "":
            yield 'it printed nothing, and its fence does not say so: result=""'
        expected = [("code", restored(literal(self.cells[0].source)))] if self.cells else []
        markup_shown = options.get("html") in {"on", "yes", "true", "1"}
        if markup_shown:
            markup = " ".join(BeautifulSoup(printed, "html.parser").get_text().split())
            if markup not in " ".join(self.element.get_text().split()):
                yield "the output shown is not the ledger’s"
        elif text.strip():
            expected.append(("output", text))
        if options.get("source") in _OUTPUT_FIRST:
            expected.reverse()
        if options.get("source") == "console":
            expected = [("code and output", "\n".join(part for _, part in expected))]
        blocks = reading.code_blocks(self.element)
        for number, (what, wanted) in enumerate(expected):
            yield from _differs(what, wanted.rstrip("\n"), blocks[number] if number < len(blocks) else None)
        if len(blocks) > len(expected) + ("stderr" in options) and self.cells:
            yield "it shows more than its code and its output"
        whole = self.folder / f"outputs/{self.one.name}.txt"
        too_long = printed.rstrip().count("\n") >= LINES and not markup_shown
        if too_long and (not whole.is_file() or whole.read_bytes() != printed.encode()):
            yield f"its whole output is not in outputs/{self.one.name}.txt"

    def figures(self) -> Iterator[str]:
        """Compare the drawings, their captions and their folded code with the ledger and the snippet."""
        code = {cell.caption: cell.source for cell in self.cells if cell.caption}
        seen, told = [], []
        known = {float(number) for number in NUMBER.findall(self.run["output"]["text"])}
        for cell in self.cells:
            known |= set(prose.literals(cell.source))
        for identifier, caption, folded in reading.figure_code(self.element):
            _, _, words_ = caption.partition(". ")
            seen.append((identifier, sha256(self.article.page.drawing(identifier)), words_, folded))
            for message in prose.digits(prose.Block("", words_), self.article.language, known):
                yield f"in the caption of {identifier} {message}"
        for figure in self.run["figures"]:
            caption = figure["caption"]
            told.append((figure["id"], figure["sha256"], caption, code.get(caption, "").rstrip("\n")))
        yield from _differences("the figure", told, seen)
        yield from tabulated.findings(self.element, self.run, self.folder, self.article.language)


def _differs(what: str, wanted: str, seen: str | None) -> Iterator[str]:
    if seen is None:
        yield f"its {what} is not shown"
    elif seen != wanted:
        lines = enumerate(zip_longest(seen.split("\n"), wanted.split("\n"), fillvalue=""), 1)
        number, (one, other) = next((number, pair) for number, pair in lines if pair[0] != pair[1])
        yield f"its {what} on the page differs in line {number}: “{one}”, not “{other}”"


def _expression(text: str) -> str:
    """Return the expression of a bound value as Python writes it, without its format."""
    hole: Any = ast.parse("f'''{" + text + "}'''", mode="eval").body
    return ast.unparse(hole.values[0].value)


def _values(article: Article, name: str, run: Json) -> Iterator[str]:
    """Compare the numbers on the page with the ledger's, and each of those with its own text."""
    bounds = [one for one in article.declared.bounds if one.listing == name]
    tables = [one.text for one in bounds if one.kind == "table"]
    cell = re.compile(rf"({'|'.join(map(re.escape, tables))})\[\d+\]: ")
    cells = {match[1] for value in run["values"] if (match := cell.match(value["expression"]))}
    plain = Counter(value["expression"] for value in run["values"] if not cell.match(value["expression"]))
    if cells != set(tables) or plain != Counter(_expression(one.text) for one in bounds if one.kind == "value"):
        yield "the values in the ledger are not those of its author"
    told = []
    for value in run["values"]:
        if not prose.written(value, article.language):
            yield f"the value {value['expression']} is {value['exact']}, and that is not written “{value['text']}”"
        exact = value["text"] if value["type"] == "str" else value["exact"]
        told.append((value["expression"], value["text"], exact))
    seen = [one for one in article.page.values if one.listing == name]
    differences = list(_differences("the value", told, [(one.expression, one.text, one.exact) for one in seen]))
    yield from differences
    rest = iter(told)  # what stands in footnotes comes later on the page than in its source
    if not differences and not all((one.expression, one.text, one.exact) in rest for one in seen if not one.footnote):
        yield "its values stand in another order than in the ledger"


def _claims(article: Article, name: str, run: Json) -> Iterator[str]:
    """Compare the claims of the author, of the ledger and of the page."""
    for claim in run["claims"]:
        if claim["holds"] is not True:
            yield f"the claim {claim['expression']} does not hold"
    told = [(claim["expression"],) for claim in run["claims"]]
    seen = [(one.expression,) for one in article.page.claims if one.listing == name]
    yield from _differences("the claim", told, seen)
    declared = Counter(one.text for one in article.declared.bounds if one.listing == name and one.kind == "claim")
    if declared != Counter(expression for (expression,) in told):
        yield "the claims in the ledger are not those of its author"
