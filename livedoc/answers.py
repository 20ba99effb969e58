"""A page's questions, answered in the namespace that a listing left behind."""

from __future__ import annotations

import ast
import traceback
from typing import Any

Json = dict[str, Any]


class _UnansweredError(Exception):
    """A question that has no answer fit for a page."""


def _inside(text: str) -> ast.FormattedValue:
    """Parse what would stand between the braces of an f-string, as Python parses it."""
    tree = ast.parse("f'''{" + text + "}'''", mode="eval").body
    if (
        not isinstance(tree, ast.JoinedStr)
        or len(tree.values) != 1
        or not isinstance(tree.values[0], ast.FormattedValue)
    ):
        raise SyntaxError(f"not one expression of an f-string: {text}")
    return tree.values[0]


def _evaluate(tree: ast.expr, names: Json) -> Any:
    return eval(compile(ast.Expression(ast.fix_missing_locations(tree)), "<page>", "eval"), names)


def _scalar(value: Any) -> Any:
    """Return the Python scalar in a NumPy or torch scalar; refuse everything that is not one number or text."""
    if callable(getattr(value, "item", None)):
        if getattr(value, "size", None) != 1 and getattr(value, "shape", None) not in ((), (1,)):
            raise _UnansweredError(f"not a scalar, but {type(value).__name__} of shape {tuple(value.shape)}")
        value = value.item()
    if isinstance(value, bool):
        raise _UnansweredError("a truth value: write it as a claim, “assert …”")
    if not isinstance(value, int | float | str):
        raise _UnansweredError(f"not a scalar, but {type(value).__name__}")
    return value


def _value(text: str, names: Json) -> Json:
    hole = _inside(text)
    value = _scalar(_evaluate(hole.value, names))
    convert: Any = {115: str, 114: repr, 97: ascii}.get(hole.conversion)  # !s, !r, !a
    spec = _evaluate(hole.format_spec, names) if hole.format_spec else ""
    text = format(convert(value) if convert else value, spec)
    text.encode()  # what cannot be encoded cannot be published
    return {
        "expression": ast.unparse(hole.value),
        "spec": spec,
        "type": type(value).__name__,
        "exact": repr(value),
        "text": text,
    }


class _Seeing(ast.NodeTransformer):
    """Makes a claim tell what it compares as it does, so that nothing is evaluated twice.

    Comprehensions and lambdas are left alone: their variables have many values.
    """

    def visit_Compare(self, node: ast.Compare) -> ast.Compare:
        """Wrap each side of a comparison."""
        return ast.Compare(self._told(node.left), node.ops, [self._told(part) for part in node.comparators])

    def _told(self, part: ast.expr) -> ast.expr:
        if isinstance(part, ast.Constant):
            return part
        return ast.Call(ast.Name("_see", ast.Load()), [ast.Constant(ast.unparse(part)), self.visit(part)], [])

    def _same(self, node: ast.expr) -> ast.expr:
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_Lambda = _same


def _claim(text: str, names: Json) -> Json:
    seen: dict[str, str] = {}

    def see(part: str, value: Any) -> Any:
        try:
            seen[part] = repr(value)[:200]
        except Exception as error:
            seen[part] = f"{type(error).__name__}: {error}"
        return value

    tree = _Seeing().visit(ast.parse(text.strip(), mode="eval").body)
    holds = _evaluate(tree, {**names, "_see": see})
    if callable(getattr(holds, "item", None)) and getattr(holds, "shape", None) in ((), (1,)):
        holds = holds.item()
    if not isinstance(holds, bool):
        raise _UnansweredError(f"a claim is true or false, and this is {type(holds).__name__}")
    return {"expression": text.strip(), "holds": holds, "seen": seen}


def _table(ask: Json, names: Json) -> Json:
    rows = _evaluate(_inside(ask["text"]).value, names)
    table: list[list[Json]] = []
    for row in rows:
        fields = (
            row._asdict() if hasattr(row, "_asdict") else row if isinstance(row, dict) else getattr(row, "__dict__", {})
        )
        scope = {**names, **fields, "row": row}
        cells = [_value(column, scope) for column in ask["columns"]]
        where = f"{ask['text']}[{len(table)}]"
        table.append([{**cell, "expression": f"{where}: {cell['expression']}"} for cell in cells])
    if not table:
        raise _UnansweredError("a table without rows")
    return {"rows": table}


def answer(ask: Json, names: Json) -> Json:
    """Answer one question of the page in the namespace that a listing left behind.

    Args:
        ask: `kind` (value, claim or table), `text`, and the `columns` of a table.
        names: The namespace.

    Returns:
        The answer, or `{"error": why}`: an expression of a page is data, and never stops the others.
    """
    names = dict(names)  # what an expression binds, it binds for itself
    try:
        if ask["kind"] == "table":
            return _table(ask, names)
        return (_claim if ask["kind"] == "claim" else _value)(ask["text"], names)
    except _UnansweredError as error:
        return {"error": str(error)}
    except BaseException as error:
        return {"error": "".join(traceback.format_exception_only(error)).rstrip()}
