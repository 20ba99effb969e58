"""What a published page shows, read from its HTML alone; and the sources it stands beside."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from bs4 import BeautifulSoup
from mkdocs.utils.meta import get_data

from livedoc import scan

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bs4 import Tag

FOLDERS = {"it": "", "en": "en/"}
"""Where the pages of each language stand in the site."""


class UnusableError(Exception):
    """What is given is not a built site, or not its project."""


class Value(NamedTuple):
    """A number on a page, with what it says of itself."""

    section: str
    listing: str
    expression: str
    exact: str
    text: str
    footnote: bool


class Claim(NamedTuple):
    """A claim on a page: whose, and its predicate."""

    section: str
    listing: str
    expression: str


@dataclass
class Reading:
    """A page, and what stands in its article, in order; the section of each thing is the last heading before it."""

    raw: str
    soup: BeautifulSoup
    sections: list[str] = field(default_factory=list)
    listings: dict[str, Tag] = field(default_factory=dict)
    figures: list[tuple[str, str]] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    quoted: list[tuple[str, str]] = field(default_factory=list)
    terms: list[str] = field(default_factory=list)

    @property
    def article(self) -> Tag:
        """The article, without the theme around it."""
        return self.soup.find("article") or self.soup

    def drawing(self, identifier: str) -> str:
        """Return the SVG of a figure, byte for byte."""
        opening = rf'<figure class="figure" id="{re.escape(identifier)}"><figcaption.*?</figcaption>'
        found = re.search(rf"{opening}(<svg.*?</svg>)", self.raw, re.DOTALL)
        return found[1] if found else ""


def classes_of(tag: Tag) -> list[str]:
    """Return the classes of an element."""
    return str(" ".join(tag.get("class") or [])).split()


def _attribute(tag: Tag, name: str) -> str:
    return str(tag.get(name, ""))


def read(raw: str) -> Reading:
    """Read a page."""
    page = Reading(raw, BeautifulSoup(raw, "html.parser"))
    section = ""
    for tag in page.article.find_all(True):
        classes = classes_of(tag)
        if re.fullmatch("h[2-6]", tag.name):
            section = _attribute(tag, "id")
            page.sections.append(section)
        elif tag.name == "section" and "listing" in classes:
            page.listings[_attribute(tag, "id").removeprefix("listing-")] = tag
        elif tag.name == "figure" and "figure" in classes:
            page.figures.append((section, _attribute(tag, "id")))
        elif tag.name == "data" and not tag.find_parent("details", class_="figure-data"):  # see livedoc.tabulated
            name, expression, exact = (_attribute(tag, one) for one in ("data-listing", "data-expression", "value"))
            footnote = tag.find_parent(class_="footnote") is not None
            page.values.append(Value(section, name, expression, exact, tag.get_text(), footnote))
        elif "claim-panel" in classes:
            page.claims.append(_claim(section, tag))
        elif "quoted" in classes:
            page.quoted.append((section, tag.get_text()))
        elif tag.name == "dt" and tag.find_parent("dl", class_="glossary"):
            page.terms.append(_attribute(tag, "id"))
    return page


def _claim(section: str, panel: Tag) -> Claim:
    link, code = panel.find("a"), panel.find("code")
    listing = _attribute(link, "href").removeprefix("#listing-") if link else ""
    return Claim(section, listing, code.get_text() if code else "")


def code_blocks(listing: Tag) -> list[str]:
    """Return the code and the output that a listing shows, in their order; not the code of its figures."""
    return [
        code.get_text().rstrip("\n")
        for code in listing.select("pre > code")
        if code.find_parent("details", class_="figure-code") is None
    ]


def figure_code(listing: Tag) -> Iterator[tuple[str, str, str]]:
    """Yield each figure of a listing: its id, its caption with its number, its folded code."""
    for figure in listing.find_all("figure", class_="figure"):
        caption, code = figure.find("figcaption"), figure.select_one("details.figure-code pre > code")
        yield (
            _attribute(figure, "id"),
            caption.get_text() if caption else "",
            code.get_text().rstrip("\n") if code else "",
        )


@dataclass
class Article:
    """A page in one language: its source, what that declares, its runs in the ledger, and what is published."""

    language: str
    name: str
    path: str
    source: str
    declared: scan.Scan
    runs: dict[str, dict[str, Any]]
    page: Reading


def pages_of(site: Path) -> dict[str, Reading]:
    """Return every page of a built site by its place in it.

    Raises:
        UnusableError: When there is none.
    """
    files = sorted(site.rglob("*.html"))
    if not files:
        raise UnusableError(f"{site}: there is no built site")
    return {file.relative_to(site).as_posix(): read(file.read_text(encoding="utf-8")) for file in files}


def articles_of(project: Path, pages: dict[str, Reading], runs: list[dict[str, Any]]) -> Iterator[Article]:
    """Yield the pages that the sources have; one that is not published is empty.

    Raises:
        UnusableError: When there are no sources.
    """
    folders = [folder for language in FOLDERS if (folder := project / "docs" / language).is_dir()]
    if not folders:
        raise UnusableError(f"{project}: there is no docs/it and no docs/en")
    for folder in folders:
        for file in sorted(folder.rglob("*.md")):
            language, name = folder.name, file.relative_to(folder).as_posix()
            place = re.sub(r"(^|/)index/$", r"\1", f"{name.removesuffix('.md')}/")
            path, text = f"{FOLDERS[language]}{place}index.html", file.read_text(encoding="utf-8-sig")
            mine = {run["listing"]: run for run in runs if (run["language"], run["page"]) == (language, name)}
            declared = scan.scan(get_data(text)[0])
            yield Article(language, name, path, text, declared, mine, pages.get(path) or read(""))
