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
_COMMA = re.compile(r",(?![^(]*\))")
WORD = re.compile(r"[A-Za-z_-][\w-]*")


def words(texts: Iterable[str]) -> set[str]:
    """Return every word of some pages and scripts: the classes they use are among them."""
    return {word for text in texts for word in WORD.findall(text)}


def used(styles: str, known: Set[str]) -> str:
    """Return a style sheet without the selectors that ask for a class which nothing has.

    Args:
        styles: The style sheet, without comments.
        known: The classes that pages have, or that their scripts could give; more words do no harm.
    """

    def kept(rule: re.Match[str]) -> str:
        head, _, selectors = rule["selectors"].rpartition(";")  # an “@import …;” may stand before
        if selectors.lstrip().startswith("@"):
            return rule[0]
        left = [one for one in _COMMA.split(selectors) if set(_CLASS.findall(_FUNCTION.sub("", one))) <= known]
        return f"{head};" * bool(head) + (f"{','.join(left)}{{{rule['body']}}}" if left else "")

    return _EMPTY.sub("", _RULE.sub(kept, styles))
