"""The page that tells how to write: where it is, and where in it a fault is explained."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from livedoc.context import Context

PAGE = "contribuire.md"
WORDS = {"it": "Come si scrive", "en": "How to write it"}


def link(context: Context, section: str) -> str:
    """Return the link from the box of a fault to what explains it; nothing where the site has no such page.

    Args:
        context: The page with the fault. Without the address of its site, nothing is linked.
        section: The id of a section of the guide, or nothing.
    """
    guide = context.page.removesuffix(context.name) + PAGE
    if not context.home or not (context.root / guide).is_file():
        return ""
    page = PAGE.removesuffix(".md") + (".html" if context.folder else "/")  # beside the page there are no folders
    word = WORDS.get(context.language, WORDS["en"])
    return f'<a href="{html.escape(context.home)}{page}{section and f"#{section}"}">{word}</a>'
