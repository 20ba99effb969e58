"""The packages that a listing is made of, and their versions."""

from __future__ import annotations

import ast
import importlib.metadata
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@cache  # it reads the file list of every package
def distributions() -> Mapping[str, list[str]]:
    """Return which distributions each top-level module comes from."""
    return importlib.metadata.packages_distributions()


@lru_cache(maxsize=512)  # a page, its notebook and its archive ask, and all rebuilds of a preview
def imported(source: str) -> dict[str, str]:
    """Return the packages that a program imports by name, in its order, with their versions.

    Args:
        source: The program. The standard library and modules beside the file belong to no package.
    """
    names: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.append(node.module)
    known = distributions()
    packages = [package for name in names for package in known.get(name.partition(".")[0], [])]
    return {package: importlib.metadata.version(package) for package in dict.fromkeys(packages)}
