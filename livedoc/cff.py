"""CITATION.cff, by which the whole book is cited: out of the front matter of its English home page."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

import yaml
from mkdocs.utils.meta import get_data

from livedoc.article import ArticleError, article

if TYPE_CHECKING:
    from pathlib import Path

    from livedoc.article import Author

HOME = "docs/en/index.md"
MESSAGE = (
    "To cite one article, or one section of it, open its page: “Cite” beside each heading gives the reference and "
    "the address of that section."
)


def cff(project: Path) -> str:
    """Return what CITATION.cff must hold.

    Args:
        project: The repository: its English home page has the front matter, `pyproject.toml` the licence of the code.

    Raises:
        ArticleError: When the home page is not the book's.
    """
    found = article(get_data((project / HOME).read_text(encoding="utf-8-sig"))[1], "en")
    if found is None:
        raise ArticleError(f"{HOME} names no authors")
    code = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]["license"]
    authors = [_author(author) for author in found.authors]
    told = {
        "cff-version": "1.2.0",
        "message": MESSAGE,
        "title": found.title,
        "abstract": found.description,
        "type": "software",
        "authors": authors,
        "version": found.version,
        "date-released": found.updated.isoformat(),
        "license": list(dict.fromkeys([code, found.licence])),
        "keywords": list(found.keywords),
        # The repository is a program that makes a book, and it is the book that is cited.
        "preferred-citation": {
            "type": "book",
            "title": found.title,
            "authors": [dict(author) for author in authors],
            "year": found.published.year,
            "version": found.version,
            "date-released": found.updated.isoformat(),
            "license": found.licence,
            "languages": ["en", "it"],
        },
    }
    head = f"# Written from {HOME} by `python -m livedoc cff`.\n"
    text: str = yaml.safe_dump(told, sort_keys=False, allow_unicode=True, width=110)
    return head + text


def _author(author: Author) -> dict[str, Any]:
    if author.given:
        return {"family-names": author.family, "given-names": author.given}
    return {"name": author.family}
