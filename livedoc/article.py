"""The front matter of an article: the only source of its citations, its feed entry, its cards and its dates."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

REQUIRED = ("title", "description", "authors", "published", "updated", "version", "licence", "keywords")
"""What the front matter of an article holds. The home page's is the book's own."""

SHARED = ("number", "published", "updated", "version", "licence")
"""What both languages of an article must have in common."""


class ArticleError(Exception):
    """Front matter that cannot be used."""


@dataclass(frozen=True)
class Author:
    """Who wrote an article: a person, with both names, or a body, which has a family name alone."""

    family: str
    given: str = ""

    @property
    def name(self) -> str:
        """The name as it is read: given name first."""
        return f"{self.given} {self.family}".strip()


@dataclass(frozen=True)
class Article:
    """What is known of an article in one language. The book itself, on the home page, has no number."""

    number: str
    title: str
    description: str
    authors: tuple[Author, ...]
    published: datetime.date
    updated: datetime.date
    version: str
    licence: str
    keywords: tuple[str, ...]
    language: str


def article(meta: dict[str, Any], language: str) -> Article | None:
    """Read the front matter of a page; `None` when the page names no authors, and so is no article.

    Args:
        meta: The front matter, as YAML gave it. An author is a string (a body) or has `family` and `given`.
        language: The language of the page.

    Raises:
        ArticleError: When something is missing or is not of its kind.
    """
    if "authors" not in meta:
        return None
    if missing := [name for name in REQUIRED if not meta.get(name)]:
        raise ArticleError(f"the front matter lacks {', '.join(missing)}")
    for name in ("authors", "keywords"):
        if not isinstance(meta[name], list):
            raise ArticleError(f"{name} is a list: [one, another]")
    for name in ("published", "updated"):
        if type(meta[name]) is not datetime.date:
            raise ArticleError(f"{name} is a date: 2026-11-30")
    if meta["updated"] < meta["published"]:
        raise ArticleError("it was updated before it was published")
    for name in ("article", "version"):
        if not isinstance(meta.get(name, ""), str):
            raise ArticleError(f'{name} stands between quotes: "{meta[name]}"')
    return Article(
        meta.get("article", ""),
        meta["title"],
        meta["description"],
        tuple(_author(author) for author in meta["authors"]),
        meta["published"],
        meta["updated"],
        meta["version"],
        meta["licence"],
        tuple(map(str, meta["keywords"])),
        language,
    )


def _author(written: Any) -> Author:
    if isinstance(written, str):
        return Author(written)
    if isinstance(written, dict) and set(written) == {"family", "given"}:
        return Author(written["family"], written["given"])
    raise ArticleError(f"an author is a name, or has family and given: {written}")


def differences(one: Article | None, other: Article | None) -> list[str]:
    """Return in what the front matter of two languages of an article differs where it must not."""
    if one is None or other is None:
        return [] if one is other else ["being an article: one of them names no authors"]
    return [
        f"{name}: {getattr(one, name)} and {getattr(other, name)}"
        for name in SHARED
        if getattr(one, name) != getattr(other, name)
    ]
