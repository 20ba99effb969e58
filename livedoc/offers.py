"""The line under an article's byline: the files in which it can be taken away."""

from __future__ import annotations

import html
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, NamedTuple

from markdown.treeprocessors import Treeprocessor

if TYPE_CHECKING:
    from markdown import Markdown

    from livedoc.context import Context

WORDS = {
    "it": {"take": "Da portare via"},
    "en": {"take": "To take away"},
}


class Offer(NamedTuple):
    """A link to something an article can be taken away as: its words, its address, whether it is downloaded."""

    words: str
    address: str
    download: bool = True


def line(offers: list[Offer], language: str) -> str:
    """Return the links as the HTML of one line."""
    links = (
        f'<a href="{html.escape(one.address)}"{" download" if one.download else ""}>{html.escape(one.words)}</a>'
        for one in offers
    )
    return f"{WORDS.get(language, WORDS['en'])['take']}: {' · '.join(links)}"


class OffersProcessor(Treeprocessor):
    """Puts the line after the byline; in an article without one, after its title."""

    def __init__(self, md: Markdown, context: Context) -> None:
        super().__init__(md)
        self.context = context

    def run(self, root: ET.Element) -> None:
        """Insert the line in the page, not in the fragments of it that are converted on their own."""
        if not self.context.offers or self.context.inside:
            return
        bylines = [number for number, one in enumerate(root) if one.get("class") == "byline"]
        titles = [number for number, one in enumerate(root) if one.tag == "h1"]
        place = next(iter([*bylines, *titles]), -1) + 1
        element = ET.Element("p", {"class": "takeaway", "data-search-exclude": ""})
        # As HTML that is done: MkDocs would look for the files among those of the docs folder.
        element.text = self.md.htmlStash.store(line(self.context.offers, self.context.language))
        root.insert(place, element)
