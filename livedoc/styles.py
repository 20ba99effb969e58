"""A style sheet cut down to what the pages of a site can use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Set

_RULE = re.compile(r"(?P<selectors>[^{}]+)\{(?P<body>[^{}]*)\}")
_EMPTY = re.compile(r"@(?:media|supports)[^{}]*\{\s*\}")
_CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
_FUNCTION = re.compile(r":[\w-]+\([^()]*\)")
_ICON = re.compile(r"""(--[\w-]+):url\((?:"[^"]*"|'[^']*'|[^)]*)\);?""")
_COMMA = re.compile(r",(?![^(]*\))")
_ATTRIBUTE = re.compile(r"""\sclass=["']?([^"'>]*)""")
_STRING = re.compile(r"""["'`][^"'`]*(?=["'`])""")
_WORD = re.compile(r"[A-Za-z_-][\w-]*")


def classes(pages: Iterable[str], scripts: Iterable[str]) -> set[str]:
    """Return the classes that pages have, and every word in the strings of scripts: what they could give is there."""
    held = [name for page in pages for names in _ATTRIBUTE.findall(page) for name in names.split()]
    given = [word for script in scripts for text in _STRING.findall(script) for word in _WORD.findall(text)]
    return {*held, *given}


def used(styles: str, known: Set[str]) -> str:
    """Return a style sheet without the selectors that ask for a class which nothing has.

    Args:
        styles: The style sheet; its comments go too.
        known: The classes that pages have, or that their scripts could give; more words do no harm.
    """

    def kept(rule: re.Match[str]) -> str:
        head, _, selectors = rule["selectors"].rpartition(";")  # an “@import …;” may stand before
        if selectors.lstrip().startswith("@"):
            return rule[0]
        left = [one for one in _COMMA.split(selectors) if set(_CLASS.findall(_FUNCTION.sub("", one))) <= known]
        return f"{head};" * bool(head) + (f"{','.join(left)}{{{rule['body']}}}" if left else "")

    left = _RULE.sub(kept, re.sub(r"\s*/\*.*?\*/\s*|\n\s*", "", styles, flags=re.DOTALL))
    asked = set(re.findall(r"var\((--[\w-]+)", left))
    left = _ICON.sub(lambda icon: icon[0] if icon[1] in asked else "", left)  # drawings that nothing shows
    return _EMPTY.sub("", re.sub(r"(?<=[{}])[^{};@]+\{\s*\}", "", left))
