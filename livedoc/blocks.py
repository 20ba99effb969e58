"""Blocks that are marked by their indentation, as plain Markdown: admonitions become quotations, tabs follow."""

from __future__ import annotations

import re

_OPENING = re.compile(
    r'(?P<indent>[ ]*)(?:(?P<tab>===[+!]?)|[!?]{3}\+?)[ ]+(?P<kind>[\w -]*?)[ ]*(?:"(?P<title>.*)")?[ ]*$'
)


def quoted_blocks(lines: list[str]) -> list[str]:
    """Return lines with `!!! kind "Title"` and `??? kind "Title"` as quotations under a bold title.

    The blocks of `=== "Title"`, tabs of one group, come one after the other, each under its bold title.
    """
    out: list[str] = []
    number = 0
    while number < len(lines):
        opening = _OPENING.match(lines[number])
        number += 1
        if not opening or not (opening["kind"] or opening["title"]):
            out.append(lines[number - 1])
            continue
        margin = len(opening["indent"]) + 4
        start = number
        while number < len(lines) and (not lines[number].strip() or lines[number][:margin].isspace()):
            number += 1
        while number > start and not lines[number - 1].strip():
            number -= 1
        title = opening["kind"].split(" ")[0].capitalize() if opening["title"] is None else opening["title"]
        body = [*([f"**{title}**", ""] if title else []), *_closed([line[margin:] for line in lines[start:number]])]
        mark = "" if opening["tab"] else "> "
        out += [opening["indent"] + (mark + line).rstrip() for line in _closed(quoted_blocks(body))]
    return out


def _closed(lines: list[str]) -> list[str]:
    """Return lines without empty ones at either end."""
    while lines and not lines[0].strip():
        lines = lines[1:]
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines
