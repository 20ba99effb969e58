"""The same program in another language: only the words that a reader reads are translated."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import libcst as cst
from babel.messages.pofile import normalize, read_po

from livedoc.snippet import FIGURE, SnippetError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from babel.messages import Catalog

_PRAGMA = re.compile(r"#!|#\s*(?:noqa|type:|fmt:|pragma|%%|ruff:)")
_SHAPE = re.compile(r"#\s*\([^()]*\)$")
_MATHS = re.compile(r"\$[^$]*\$")
_HOLE = re.compile(r"\{[^{}]*\}|%[-+ #0]*\d*(?:\.\d+)?[diouxXeEfFgGcrsa]")
_WORD = re.compile(r"[^\W\d_]{2,}")

# Calls whose arguments a reader reads, and keywords whose values are read in any call.
_TEXT_CALLS = frozenset(
    "print text annotate suptitle supxlabel supylabel set_title set_xlabel set_ylabel set_label "  # noqa: SIM905
    "set_xticks set_yticks set_xticklabels set_yticklabels title xlabel ylabel xticks yticks figtext legend".split()
)
_TEXT_KEYWORDS = frozenset(("label", "labels", "xlabel", "ylabel", "title", "text", "s"))


class _Words(cst.CSTTransformer):
    """Rewrites what a reader reads: comments, docstrings, and strings that are printed or drawn."""

    def __init__(self, say: Callable[[str], str]) -> None:
        super().__init__()
        self.say = say
        self.visible = [False]  # whether a string in each node that encloses this one is read by a reader

    def on_visit(self, node: cst.CSTNode) -> bool:
        self.visible.append(self._shows(node))
        return True

    def _shows(self, node: cst.CSTNode) -> bool:
        match node:
            case cst.Expr():
                return isinstance(node.value, cst.SimpleString)  # a docstring
            case cst.Call(func=cst.Name(value=name) | cst.Attribute(attr=cst.Name(value=name))):
                return name in _TEXT_CALLS or (name in {"join", "format"} and self.visible[-1])
            case cst.Arg(keyword=cst.Name(value=name)):
                return name in _TEXT_KEYWORDS
            case cst.SubscriptElement() | cst.Comparison() | cst.FormattedString() | cst.Call():
                return False  # code, even inside a printed f-string
        return self.visible[-1]

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
        self.visible.pop()
        match updated_node:
            case cst.Comment(value=text):
                return updated_node.with_changes(value=self._comment(text))
            case cst.FormattedString(start=start, end=end) if self.visible[-1]:
                code = cst.Module([]).code_for_node(original_node.with_changes(lpar=(), rpar=()))
                return self._string(updated_node, start, code[len(start) : -len(end)], end)
            case cst.SimpleString(value=code, prefix=prefix, quote=quote) if self.visible[-1]:
                return self._string(updated_node, prefix + quote, code[len(prefix + quote) : -len(quote)], quote)
        return updated_node

    def _translated(self, text: str) -> str:
        return self.say(text) if _WORD.search(_HOLE.sub("", _MATHS.sub("", text))) else text

    def _comment(self, text: str) -> str:
        if figure := FIGURE.match(text):
            return figure["mark"] + self._translated(figure["caption"])
        body = text.lstrip("#").strip()
        if not body or _PRAGMA.match(text) or _SHAPE.match(text):
            return text
        return text.replace(body, self._translated(body))

    def _string(self, node: cst.CSTNode, start: str, body: str, end: str) -> cst.CSTNode:
        words = self._translated(body)
        if words == body:
            return node
        if Counter(_HOLE.findall(body)) != Counter(_HOLE.findall(words)):
            raise SnippetError(f"the translation of “{body}” does not keep its placeholders: “{words}”")
        try:
            new = cst.parse_expression(start + words + end)
        except cst.ParserSyntaxError as error:
            raise SnippetError(f"“{words}” is not a Python string between {start} and {end}") from error
        kept: Any = node  # parentheses around a string are part of its node
        return new.with_changes(lpar=kept.lpar, rpar=kept.rpar) if type(new) is type(node) else new


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
    return _localised(source, catalogue, catalogue.stat().st_mtime_ns)


@lru_cache(maxsize=512)  # a preview localises every listing at each rebuild
def _localised(source: str, catalogue: Path, changed: int) -> str:
    known = _catalogue(catalogue, changed)
    missing: dict[str, str] = {}

    def say(text: str) -> str:
        message = known.get(text)
        if message and message.string and not message.fuzzy:
            return str(message.string)
        missing[text] = "fuzzy" if message and message.string else "missing"
        return text

    try:
        translated = cst.parse_module(source).visit(_Words(say)).code
    except (cst.ParserSyntaxError, RecursionError) as error:
        raise SnippetError(f"the file cannot be read as Python: {type(error).__name__}: {error}") from error
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


def main(catalogue: Path) -> int:
    """Say which texts of a catalogue still lack a translation; return how many."""
    with catalogue.open("rb") as file:
        open_ = [message for message in read_po(file) if message.id and (message.fuzzy or not message.string)]
    for message in open_:
        print(f"{catalogue}: {'fuzzy' if message.fuzzy else 'missing'}: {message.id}")
    print(f"{catalogue}: {len(open_)} text(s) to translate" if open_ else f"{catalogue}: complete")
    return len(open_)


if __name__ == "__main__":
    sys.exit(bool(main(Path(sys.argv[1]))))
