"""The same program in another language: only the words that a reader reads are translated."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import libcst as cst
from babel.messages.pofile import normalize, read_po

from livedoc.snippet import FIGURE, SnippetError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from babel.messages import Catalog

SOURCE_LANGUAGE = "en"
"""The language that snippet files are written in."""

_PRAGMA = re.compile(r"#!|#\s*(?:noqa|type:|fmt:|pragma|%%|ruff:)")
_SHAPE = re.compile(r"#\s*\([^()]*\)$")
_MATHS = re.compile(r"\$[^$]*\$")
_HOLE = re.compile(r"\{[^{}]*\}|%[-+ #0]*\d*(?:\.\d+)?[diouxXeEfFgGcrsa]")
_WORD = re.compile(r"[^\W\d_]{2,}")

_TEXT_CALLS = frozenset(
    "print text annotate suptitle supxlabel supylabel set_title set_xlabel set_ylabel set_label "
    "set_xticks set_yticks set_xticklabels set_yticklabels title xlabel ylabel xticks yticks figtext "
    "legend bar_label".split()
)
_TEXT_KEYWORDS = frozenset("label labels xlabel ylabel title text s".split())


class _Words(cst.CSTTransformer):
    """Rewrites what a reader reads: comments, docstrings, and strings that are printed or drawn."""

    def __init__(self, say: Callable[[str], str]) -> None:
        super().__init__()
        self.say = say
        self.visible = [False]

    def _translated(self, text: str) -> str:
        return self.say(text) if _WORD.search(_HOLE.sub("", _MATHS.sub("", text))) else text

    def _push(self, visible: bool) -> None:
        self.visible.append(visible)

    def _pop(self) -> bool:
        self.visible.pop()
        return self.visible[-1]

    def leave_Comment(self, original_node: cst.Comment, updated_node: cst.Comment) -> cst.Comment:
        text = updated_node.value
        if figure := FIGURE.match(text):
            return updated_node.with_changes(value=figure["mark"] + self._translated(figure["caption"]))
        if _PRAGMA.match(text) or _SHAPE.match(text):
            return updated_node
        body = text.lstrip("#").strip()
        return updated_node.with_changes(value=text.replace(body, self._translated(body))) if body else updated_node

    def visit_Expr(self, node: cst.Expr) -> None:
        self._push(isinstance(node.value, cst.SimpleString))  # a docstring

    def leave_Expr(self, original_node: cst.Expr, updated_node: cst.Expr) -> cst.Expr:
        self._pop()
        return updated_node

    def visit_Call(self, node: cst.Call) -> None:
        name = getattr(node.func, "attr", node.func)
        text = isinstance(name, cst.Name) and name.value in _TEXT_CALLS
        joins = isinstance(name, cst.Name) and name.value in {"join", "format"}
        self._push(text or (joins and self.visible[-1]))

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        self._pop()
        return updated_node

    def visit_Arg(self, node: cst.Arg) -> None:
        self._push(node.keyword.value in _TEXT_KEYWORDS if node.keyword else self.visible[-1])

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        self._pop()
        return updated_node

    def visit_SubscriptElement(self, node: cst.SubscriptElement) -> None:
        self._push(False)

    def leave_SubscriptElement(
        self, original_node: cst.SubscriptElement, updated_node: cst.SubscriptElement
    ) -> cst.SubscriptElement:
        self._pop()
        return updated_node

    def visit_Comparison(self, node: cst.Comparison) -> None:
        self._push(False)

    def leave_Comparison(self, original_node: cst.Comparison, updated_node: cst.Comparison) -> cst.Comparison:
        self._pop()
        return updated_node

    def visit_FormattedString(self, node: cst.FormattedString) -> None:
        self._push(False)  # the strings inside its braces are code

    def leave_FormattedString(
        self, original_node: cst.FormattedString, updated_node: cst.FormattedString
    ) -> cst.BaseExpression:
        if not self._pop():
            return updated_node
        body = cst.Module([]).code_for_node(original_node)[len(original_node.start) : -len(original_node.end)]
        return _string(original_node.start, self._translated(body), original_node.end, updated_node)

    def leave_SimpleString(
        self, original_node: cst.SimpleString, updated_node: cst.SimpleString
    ) -> cst.BaseExpression:
        if not self.visible[-1]:
            return updated_node
        start, end = original_node.prefix + original_node.quote, original_node.quote
        body = original_node.value[len(start) : -len(end)]
        words = self._translated(body)
        if Counter(_HOLE.findall(body)) != Counter(_HOLE.findall(words)):
            raise SnippetError(f"the translation of “{body}” does not keep its placeholders: “{words}”")
        return _string(start, words, end, updated_node)


def _string(start: str, body: str, end: str, like: cst.BaseExpression) -> cst.BaseExpression:
    try:
        new = cst.parse_expression(start + body + end)
    except cst.ParserSyntaxError as error:
        raise SnippetError(f"the translation “{body}” is not a Python string between {start} and {end}") from error
    return new.with_changes(lpar=like.lpar, rpar=like.rpar) if hasattr(like, "lpar") else new


class _Wordless(ast.NodeTransformer):
    """Empties the strings of a program, but for the format specifications of its f-strings."""

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant("") if isinstance(node.value, str) else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.JoinedStr:
        return ast.JoinedStr([part for part in node.values if isinstance(part, ast.FormattedValue)])


def _skeleton(source: str) -> str:
    return ast.dump(_Wordless().visit(ast.parse(source)))


@lru_cache(maxsize=8)
def _catalogue(path: Path, changed: int) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)


def localise(source: str, catalogue: Path) -> str:
    """Return the same program with its comments, docstrings and visible strings translated.

    Args:
        source: A snippet's source, in English.
        catalogue: The gettext catalogue (`.po`) of the language.

    Raises:
        SnippetError: When a translation is missing or fuzzy, loses a placeholder, or would change
            the program.
    """
    if not catalogue.is_file():
        raise SnippetError(f"there is no catalogue {catalogue.name}: run “make translations”")
    known = _catalogue(catalogue, catalogue.stat().st_mtime_ns)
    missing: dict[str, str] = {}

    def say(text: str) -> str:
        message = known.get(text)
        if message and message.string and not message.fuzzy:
            return str(message.string)
        missing[text] = "fuzzy" if message and message.string else "missing"
        return text

    translated = cst.parse_module(source).visit(_Words(say)).code
    if missing:
        entries = "\n".join(f'# {why}\nmsgid {normalize(text)}\nmsgstr ""\n' for text, why in missing.items())
        raise SnippetError(
            f"{len(missing)} visible text(s) without a translation; run “make translations” and complete "
            f"{catalogue.name}:\n\n{entries}"
        )
    if _skeleton(translated) != _skeleton(source):
        raise SnippetError(f"the translation in {catalogue.name} changes the program, not just its words")
    return translated


def extract(
    file: Any, keywords: object, comment_tags: object, options: object
) -> Iterator[tuple[int, None, str, list[str]]]:
    """Yield the visible texts of a snippet file, as an extraction method of Babel."""
    source = file.read().decode("utf-8-sig")
    found: dict[str, int] = {}

    def note(text: str) -> str:
        found.setdefault(text, source[: source.find(text)].count("\n") + 1)
        return text

    cst.parse_module(source).visit(_Words(note))
    for text, line in found.items():
        yield line, None, text, []
