"""The second reader: every digit and every stray mark in what a page says.

A digit in an article's prose is bound to a listing, quoted from a source, written in the predicate of a claim or value
beside it (“more than 0.99” where the claim compares with 0.99), or explained by `EXPLAINED`.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bs4.element import NavigableString, Tag

from livedoc.numbers import localise
from livedoc.reading import classes_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_MONTHS = (
    "gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre|January|February|"
    "March|April|May|June|July|August|September|October|November|December"
)
EXPLAINED = (
    (rf"\b\d{{1,2}} (?:{_MONTHS}) 20\d\d\b", "a date: of the article, or of the day a source was read"),
    (r"§\s?\d+(?:\.\d+)*", "a section of a source"),
    (r"(?i)\b(?:table|tabella|figure|figura|footnote|note|nota|row|riga) \d+\b", "a numbered part of a source"),
    (r"\barXiv:\d{4}\.\d{5}\b", "the identifier of a paper"),
    (r"(?<![\w.,])0[1-9](?![\w%]|[.,]\d)|^\s*\d\d [-·] ", "the number of an article: 01, 02, or before its title"),
    (r"\b[A-Za-z]+\d+[A-Za-z]*\b|\bGPT-\d\b", "a name with a digit in it: tensor2tensor, newstest2013, GPT-2"),
    (r"\bNumPy 2(?![\w.,]*\d)", "the major version whose rules an article is about"),
    (r"\bPython \((?:dalla versione )?3\.[\d.]+(?: or later)?\)", "the version that a reader needs, not one that ran"),
    (r"\bkey \d\b", "a column called by its number"),
    (r"(?<![\w.,+−-])[01](?![\w%]|[.,]\d|\s?(?:%|·|×|[KMG]iB|m?s\b))", "0 and 1, constants of definitions"),
)
"""The digits that prose may hold, each pattern with its reason."""

STRAY = (
    (r"\\[()\[\]]|\\[A-Za-z]{2,}|\$\$|\$[^\s$][^$]*\$", "TeX source"),
    (r"`{3,}|~{3,}|--8<--", "a fence marker"),
    (r"`\s*\{|\{[A-Za-z][\w-]*\} ", "something bound that was not rendered"),
    (r"\{\s*[#.:][^{}]*\}", "an attribute list"),
    (r"\[-?@[A-Za-z]", "a citation"),
)
"""What stands in prose only when something was not rendered."""

_BOUND = re.compile(r"\{[A-Za-z][\w-]*\} .")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*|[⁰¹²³⁴-⁹₀-₉½¼¾]+")
_INLINE = frozenset("a abbr b bdi cite del dfn em font i ins kbd mark q s small span strong sub sup u var wbr".split())  # noqa: SIM905
# Compared with the ledger elsewhere, or code, or drawn by KaTeX, or a number that Markdown counts.
_SILENT = frozenset("code pre data figure svg math katex-output script style template button".split())  # noqa: SIM905
_SILENT_CLASSES = frozenset(
    (
        "quoted",
        "listing",
        "claim-panel",
        "ledger",
        "byline",
        "glossary-uses",
        "headerlink",
        "footnote-ref",
        "katex",
        "cite",
        "citation",
        "reference",
        "backlinks",
    )
)


@dataclass
class Block:
    """One paragraph, cell or heading: its section, its text, what is bound in it. Skipped elements leave a mark."""

    section: str
    text: str = ""
    bound: list[str] = field(default_factory=list)


def _silent(tag: Tag) -> bool:
    return tag.name in _SILENT or "hidden" in tag.attrs or not _SILENT_CLASSES.isdisjoint(classes_of(tag))


def _expressions(tag: Tag) -> list[str]:
    if tag.name == "data":
        return [str(tag.get("data-expression", ""))]
    return [code.get_text() for code in tag.find_all("code")] if "claim-panel" in classes_of(tag) else []


def blocks(root: Tag, section: str = "") -> list[Block]:
    """Return the prose of an element, in its order on the page."""
    found = [Block(section)]

    def read(node: Tag) -> None:
        for child in node.children:
            if type(child) is NavigableString:  # and not a comment
                found[-1].text += re.sub(r"\s+", " ", child)
            elif isinstance(child, Tag) and _silent(child):
                found[-1].text += "\ufffc"
                found[-1].bound += _expressions(child)
            elif isinstance(child, Tag) and child.name in _INLINE:
                read(child)
            elif isinstance(child, Tag):
                heading = re.fullmatch("h[1-6]", child.name) and child.get("id")
                found.append(Block(str(heading or found[-1].section)))
                read(child)
                found.append(Block(found[-1].section))

    read(root)
    return [block for block in found if block.text.strip("\ufffc\u2060 ")]


def literals(code: str) -> Iterator[float]:
    """Yield the numbers that a piece of Python compares or computes with, but not its indices."""

    def walk(node: ast.AST) -> Iterator[float]:
        if isinstance(node, ast.Constant) and type(node.value) in {int, float}:
            yield float(node.value)  # type: ignore[arg-type]
        for child in [node.value] if isinstance(node, ast.Subscript) else ast.iter_child_nodes(node):
            yield from walk(child)

    try:
        yield from walk(ast.parse(code))
    except (SyntaxError, ValueError, OverflowError):
        return  # a cell of a table: “rows[0]: std”


def _number(text: str, language: str) -> float | None:
    group, decimal = (".", ",") if language == "it" else (",", ".")
    try:
        return float(text.replace(group, "").replace(decimal, "."))
    except ValueError:
        return None


def digits(block: Block, language: str, known: frozenset[float] | set[float] = frozenset()) -> Iterator[str]:
    """Yield each number of a block that nobody answers for, with the words around it; `known` ones are answered for."""
    left = block.text
    for pattern, _ in EXPLAINED:
        left = re.sub(pattern, lambda match: "\ufffc" * len(match[0]), left)
    checked = {number for expression in block.bound for number in literals(expression)}
    for match in _NUMBER.finditer(left):
        if _number(match[0], language) not in checked | known:
            yield f"the number {match[0]} is neither bound nor quoted nor explained: {_around(block.text, match)}"


def written(value: dict[str, Any], language: str) -> bool:
    """Return whether a value's text is its exact value, in its format and in the notation of the language."""
    read: Any = {"float": float, "int": int, "str": ast.literal_eval}.get(value["type"])
    try:
        exact = read(value["exact"]) if read else value["text"]
        forms = {format(exact, value["spec"]), format(repr(exact) if read else exact, "")}
    except (ValueError, SyntaxError):
        return False
    return value["text"] in (forms if value["type"] == "str" else {localise(form, language) for form in forms})


def _around(text: str, match: re.Match[str]) -> str:
    return f"“{text[max(match.start() - 30, 0) : match.end() + 30].strip()}”".replace("\ufffc", "…")


def stray(root: Tag, literal: set[str]) -> Iterator[str]:
    """Yield what was not rendered.

    Args:
        root: The page.
        literal: What its author wrote between double back-quotes: code that only looks bound.
    """
    for block in blocks(root):
        for pattern, what in STRAY:
            if match := re.search(pattern, block.text):
                yield f"#{block.section}: {what} in the prose: {_around(block.text, match)}"
    for code in root.find_all("code"):
        text = " ".join(code.get_text().split())
        if _BOUND.match(text) and text not in literal and not code.find_parent("pre"):
            yield f"something bound that was not rendered: {text}"
