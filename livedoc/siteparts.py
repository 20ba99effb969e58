"""What machines and other sites read of a site: a description of each page, for the templates of docs/theme.

Templates find a `Site` under the name `siteparts`. All of it comes from the front matter and the configuration; where
they say too little (a project without articles, without an address, without fonts) the part is left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from mkdocs.utils import write_file

from livedoc import card, forge, lettering
from livedoc.metadata import licence_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

    from livedoc.article import Article
    from livedoc.context import Context

LOCALES = {"it": "it_IT", "en": "en_GB"}
PAPER = {"light": card.PAPER, "dark": "#161513"}
"""The background of a page in each scheme of book.css, which the browser takes for its own frame."""

WORDS = {
    "it": {"article": "Articolo {}", "alt": "Scheda con il titolo «{}»"},
    "en": {"article": "Article {}", "alt": "Card with the title “{}”"},
}


@dataclass(frozen=True)
class Part:
    """A page as others see it. `url` is its canonical address, and `image` that of its card; each may be empty."""

    name: str
    title: str
    description: str
    url: str
    language: str
    source: str
    article: Article | None = None
    alternates: Mapping[str, str] = field(default_factory=dict)
    image: str = ""
    forge: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_article(self) -> bool:
        """Say whether this is an article of the book; the book itself, on the home page, has no number."""
        return bool(self.article and self.article.number)

    @property
    def tag(self) -> str:
        """Return an identifier that outlives a change of protocol or port: a tag URI (RFC 4151)."""
        address = urlsplit(self.url)
        return f"tag:{address.hostname},{self.article.published}:{address.path}" if self.article else self.url

    @property
    def licence(self) -> str:
        """Return the address of an article's licence."""
        return licence_url(self.article.licence) if self.article else ""

    @property
    def alt(self) -> str:
        """Return what the card shows, for who cannot see it."""
        return self.words["alt"].format(self.title)

    @property
    def words(self) -> dict[str, str]:
        """Return the words of this module in the page's language."""
        return WORDS.get(self.language, WORDS["en"])


@dataclass(frozen=True)
class Site:
    """The parts of all pages of a language, by the names of their files.

    `root` is the address of the whole site, or nothing; `home`, the language at that root; `sitemaps`, those of all
    languages.
    """

    parts: Mapping[str, Part]
    language: str
    root: str
    home: str
    sitemaps: tuple[str, ...]
    paper: Mapping[str, str] = field(default_factory=lambda: PAPER)
    locales: Mapping[str, str] = field(default_factory=lambda: LOCALES)
    size: tuple[int, int] = card.SIZE

    @property
    def book(self) -> Part | None:
        """Return the home page, whose front matter is the book's own."""
        return self.parts.get("index.md")

    @property
    def articles(self) -> list[Part]:
        """Return the articles, the newest first; none where they would have no address."""
        found = [(part.article.published, part.article.number, part) for part in self.parts.values() if part.article]
        ordered = sorted(found, key=lambda one: one[:2], reverse=True)
        return [part for _, number, part in ordered if number and part.url]

    @property
    def updated(self) -> date:
        """Return the day on which the text of an article was last revised."""
        return max(part.article.updated for part in self.articles if part.article)


def site(
    config: MkDocsConfig,
    files: Files,
    contexts: Mapping[tuple[str, str], Context],
    primary: MkDocsConfig,
    fonts: Path | None,
) -> Site:
    """Describe the pages of the language that is being built.

    Args:
        config: The configuration of that language.
        files: Its files, whose pages have been read.
        contexts: The contexts of both languages, by language and name.
        primary: The configuration of the language at the root of the whole site.
        fonts: The folder of the cards' fonts; without them pages have no image.
    """
    language, home, root = str(config.theme["language"]), str(primary.theme["language"]), primary.site_url or ""
    languages = sorted({language for language, _ in contexts}, key=lambda one: one != home)
    folders = {one: root + ("" if one == home else f"{one}/") for one in languages}
    drawn = bool(fonts and config.site_url and lettering.has_fonts(fonts))
    source_url, branch = (str(config.extra.get(f"source_{what}") or "") for what in ("url", "branch"))
    parts = {}
    for page in filter(None, (file.page for file in files.documentation_pages())):
        name = page.file.src_uri
        context = contexts.get((language, name))
        article, source = (context.article, context.page) if context else (None, str(page.meta.get("made_from", name)))
        # `page.title` is what the navigation says, which may be shorter.
        title = str(page.meta.get("title") or page.title or config.site_name)
        shared = [one for one in languages if (one, name) in contexts] if root else []
        parts[name] = Part(
            name,
            title,
            str(page.meta.get("description") or config.site_description or ""),
            page.canonical_url or "",
            language,
            source,
            article,
            {one: folders[one] + page.url for one in shared} if len(shared) > 1 else {},
            f"{config.site_url}{_card(name)}" if drawn and name.endswith(".md") else "",
            forge.links(source_url, branch or "main", source, page.canonical_url or "", title, language, article),
        )
    return Site(parts, language, root, home, tuple(f"{folder}sitemap.xml" for folder in folders.values() if root))


def _card(name: str) -> str:
    return f"assets/cards/{Path(name).with_suffix('.png').as_posix()}"


def draw(described: Site, book: str, fonts: Path, folder: Path) -> Iterator[str]:
    """Write the card of each page that has one into the folder of a site; yield what its fonts lack."""
    letters = lettering.Lettering(fonts)
    for part in described.parts.values():
        if part.image:
            drawn = of_page(part, described.book, book)
            write_file(card.draw(drawn, letters), str(folder / _card(part.name)))
            if lacking := card.lacking(drawn, letters):
                yield f"{part.source}: the fonts of its card lack {' '.join(lacking)}"


def of_page(part: Part, home: Part | None, book: str) -> card.Card:
    """Return what the card of a page says; a page that is no article belongs to the book, and so to its authors."""
    from babel.dates import format_date

    article, title, kicker = part.article, part.title, ""
    if article and article.number:
        title = re.sub(rf"^{re.escape(article.number)}\s*[-–—·.:]\s*", "", title)
        kicker = part.words["article"].format(article.number)
    known = article or (home.article if home else None)
    main, _, subtitle = title.partition(": ")
    return card.Card(
        book if title != book else "",
        main,
        subtitle,
        part.description,
        kicker,
        ", ".join(author.name for author in known.authors) if known else "",
        format_date(article.published, "d MMMM yyyy", locale=part.language) if article else "",
        part.name,
    )
