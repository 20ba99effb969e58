"""A snippet file: its text and its cells."""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

SOURCE_LANGUAGE = "en"
"""The language that snippet files are written in."""

_CELL = re.compile(r"# %%[ \t]*(?P<title>.*)")
FIGURE = re.compile(r"(?P<mark># %% figure:[ \t]*)(?P<caption>\S.*)")


class SnippetError(Exception):
    """A snippet file that cannot be read, cut into cells, or put into a language."""


@dataclass(frozen=True)
class Cell:
    """A cell of a snippet: its first line in the file (from 1), its source, a figure's caption."""

    line: int
    source: str
    caption: str | None = None


def read(path: Path) -> str:
    """Return the text of a snippet file as Python reads it.

    Raises:
        SnippetError: When the file is missing, empty, or not the text it declares to be.
    """
    try:
        data = path.read_bytes()
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
    except OSError as error:
        raise SnippetError(f"the file cannot be read: {error.strerror}") from error
    except (SyntaxError, UnicodeDecodeError) as error:
        raise SnippetError(f"the file is not valid text: {error}") from error
    if not text.strip():
        raise SnippetError("the file is empty")
    return text


def cells(source: str) -> list[Cell]:
    """Cut a source in the percent format into its cells: the listing, then its figures.

    Raises:
        SnippetError: When a later cell is not a figure with a caption.
    """
    lines = source.split("\n")
    starts = [0] + [i for i, line in enumerate(lines) if i and _CELL.match(line)]
    found = []
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        figure = FIGURE.match(lines[start])
        if start and not figure:
            raise SnippetError(f"line {start + 1}: a later cell starts with “# %% figure: its caption”")
        text = "\n".join(lines[start:end]).strip("\n")
        found.append(Cell(start + 1, text, figure["caption"].strip() if figure else None))
    return found
