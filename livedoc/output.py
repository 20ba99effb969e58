"""What a listing printed, made fit to stand on a page literally: output is data, never Markdown."""

from __future__ import annotations

import re

LINES = 200
"""Lines of output that a page shows."""

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_DIRECTION = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_FENCE = re.compile(r"`{3,}")
# Private-use characters stand in for what Markdown would change inside a fence.
_TAB, _QUOTE = "\ue000", "\ue001"


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
    text = "\n".join(lines)
    return _DIRECTION.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def literal(text: str) -> str:
    """Protect text from Markdown inside a fence; `restored` brings it back in the HTML."""
    text = _FENCE.sub(lambda match: _QUOTE * len(match[0]), text.replace("\t", _TAB))
    return _CONTROL.sub(lambda match: chr(0x2421 if match[0] == "\x7f" else 0x2400 + ord(match[0])), text)


def restored(html: str) -> str:
    """Undo `literal` in rendered HTML."""
    return html.replace(_TAB, "\t").replace(_QUOTE, "`")
