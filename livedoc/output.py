"""What a listing printed, made fit to stand on a page literally: output is data, never Markdown."""

from __future__ import annotations

import re

LINES = 200
"""Lines of output that a page shows."""
WIDTH = 2000
"""Characters of a line that a page shows."""

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_HIDDEN = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_FENCE = re.compile(r"`{3,}")
# Characters that are none, for programs' own use, stand in for what Markdown would change inside a fence.
_TAB, _QUOTE = "\ufdd0", "\ufdd1"


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def _picture(match: re.Match[str]) -> str:
    return chr(0x2421 if match[0] == "\x7f" else 0x2400 + ord(match[0]))


def shown(text: str, cut: str) -> str:
    """Return printed text as a terminal would leave it: no colours, the last state of a line, no hidden controls.

    Args:
        text: What was printed.
        cut: The note for what is left out, with `{}` for the number of lines.
    """
    text = _ANSI.sub("", text).replace("\r\n", "\n")
    lines = [line.rsplit("\r", 1)[-1] or line.rstrip("\r").rsplit("\r", 1)[-1] for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    if len(lines) > LINES:
        lines[LINES:] = [cut.format(len(lines) - LINES)]
    lines = [line[:WIDTH] + "…" if len(line) > WIDTH else line for line in lines]
    return _HIDDEN.sub(_escape, "\n".join(lines))


def is_cut(text: str) -> bool:
    """Tell whether a page shows less than all of what was printed."""
    return text.rstrip().count("\n") >= LINES or len(max(text.split("\n"), key=len)) > WIDTH


def visible(text: str) -> str:
    """Return text in which no character acts on what stands around it, on a page or a terminal."""
    return _CONTROL.sub(_picture, _HIDDEN.sub(_escape, text))


def literal(text: str) -> str:
    """Protect text from Markdown inside a fence; `restored` brings it back in the HTML."""
    return _CONTROL.sub(_picture, _FENCE.sub(lambda match: _QUOTE * len(match[0]), text.replace("\t", _TAB)))


def restored(html: str) -> str:
    """Undo `literal` in rendered HTML."""
    return html.replace(_TAB, "\t").replace(_QUOTE, "`")
