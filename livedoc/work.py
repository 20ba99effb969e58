"""What is cited: an article, a section of it, or the book, each with its key and its address."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from livedoc.article import Article
    from livedoc.context import Context


@dataclass(frozen=True)
class Section:
    """A section: its id, its title as plain text, the number that its page shows, and its title in TeX if it has maths.

    Only an article's `h2` have a number.
    """

    id: str
    title: str
    number: int | None = None
    tex: str = ""

    @property
    def label(self) -> str:
        """The title with its number: § 5. Why divide by √d_k."""
        return f"§\N{NO-BREAK SPACE}{self.number}. {self.title}" if self.number else self.title


@dataclass(frozen=True)
class Work:
    """What is cited: an article, or the book itself, in one language.

    Attributes:
        article: Its front matter.
        name: Its file, as `transformer.md`: the citation key is made of it.
        address: Its canonical URL; empty when the site has none.
        book: The title of the book.
        home: The URL of the book; empty when the site has none.
        sections: Its sections, in their order.
        parts: For the book, the title and the URL of each article.
        versions: The languages it exists in, the original first, each with its URL.
        pdf: The URL of its PDF, when there is one.
    """

    article: Article
    name: str
    address: str = ""
    book: str = ""
    home: str = ""
    sections: tuple[Section, ...] = ()
    parts: tuple[tuple[str, str], ...] = ()
    versions: tuple[tuple[str, str], ...] = ()
    pdf: str = ""

    @property
    def key(self) -> str:
        """The citation key, as `transformer-it-2026`; a home page's is the title of its book."""
        path = PurePosixPath(self.name)
        stem = path.with_suffix("").as_posix() if path.stem != "index" else path.parent.as_posix().strip(".")
        return f"{slug(stem or self.article.title)}-{self.article.language}-{self.article.published.year}"

    def url(self, section: Section | None = None) -> str:
        """Return the address of the work or of a section; empty when the site has none."""
        return f"{self.address}#{section.id}" if section and self.address else self.address


def work(context: Context) -> Work | None:
    """Return what a page is cited as; `None` when it is no article."""
    if context.article is None:
        return None
    return Work(context.article, context.name, context.address, context.book, context.home, tuple(context.sections))


def slug(text: str) -> str:
    """Return a text as letters, digits and hyphens, which a citation key may hold everywhere."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
