"""What stands beside each article to be taken away: its notebook, which has a page too, and its listings.

All of it is there when the site's configuration has mkdocs-jupyter, and nothing when it has not.
"""

from __future__ import annotations

import posixpath
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import unquote, urljoin, urlsplit

from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.toc import get_toc
from mkdocs.utils import get_relative_url, write_file
from mkdocs.utils.meta import get_data

from livedoc import listings, notebook
from livedoc.offers import Offer, line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

    from livedoc.context import Context

WORDS = {
    "it": {
        "article": "Torna all’articolo",
        "notebook": "Notebook (ipynb)",
        "read": "Leggi il notebook",
        "listings": "Listati (zip)",
        "title": "{} · notebook",
        "description": "Il notebook dell’articolo, con i listati e le loro uscite: {}",
        "preview": "*Nell’anteprima il notebook non viene impaginato: lo fa la costruzione del sito.*",
    },
    "en": {
        "article": "Back to the article",
        "notebook": "Notebook (ipynb)",
        "read": "Read the notebook",
        "listings": "Listings (zip)",
        "title": "{} · notebook",
        "description": "The notebook of the article, with its listings and their outputs: {}",
        "preview": "*The preview does not lay the notebook out: building the site does.*",
    },
}


def wanted(config: MkDocsConfig) -> bool:
    """Tell whether the site shows notebooks."""
    return "mkdocs-jupyter" in config.plugins


def is_taken(context: Context) -> bool:
    """Tell whether a page can be taken away: the articles can, and the book itself, which has no number, cannot."""
    return context.article is not None and bool(context.article.number)


def _words(context: Context) -> Mapping[str, str]:
    return WORDS.get(context.language, WORDS["en"])


class Takeaway:
    """What one build, of both languages, adds beside its articles."""

    def __init__(self) -> None:
        self.folder: tempfile.TemporaryDirectory[str] | None = None
        self.articles: dict[str, Context] = {}
        self.made: dict[str, dict[str, bytes]] = {}
        self.laid_out: dict[str, dict[str, Any]] = {}

    def close(self) -> None:
        """Remove the files that mkdocs-jupyter was given."""
        if self.folder:
            self.folder.cleanup()
            self.folder = None

    def add(self, files: Files, contexts: Mapping[tuple[str, str], Context], config: MkDocsConfig) -> None:
        """Add the page of each article's notebook after all other pages, whose runs it needs; the file comes later."""
        self.articles, self.made, self.laid_out = {}, {}, {}
        if not wanted(config):
            return
        self.folder = self.folder or tempfile.TemporaryDirectory(prefix="livedoc-")
        for (language, name), context in contexts.items():
            if language == config.theme["language"] and is_taken(context):
                place = f"{name.removesuffix('.md')}/notebook.ipynb"
                self.articles[place] = context
                folder = f"{self.folder.name}/{language}"
                files.append(File(place, folder, config.site_dir, config.use_directory_urls))

    def leave_out_of_nav(self, files: Files) -> None:
        """Say of the notebooks' pages that no menu has them."""
        for file in files:
            if file.src_uri in self.articles:
                file.inclusion = InclusionLevel.NOT_IN_NAV

    def offer(self, context: Context, page: Page, files: Files) -> None:
        """Tell an article where what is made of it will be."""
        stem = Path(context.name).stem
        shown = files.get_file_from_path(f"{context.name.removesuffix('.md')}/notebook.ipynb")
        if shown and shown.src_uri in self.articles:
            words = _words(context)
            context.offers = [
                Offer(words["read"], get_relative_url(shown.url, page.url), download=False),
                Offer(words["notebook"], f"{context.folder}{stem}.ipynb"),
                Offer(words["listings"], f"{context.folder}listings.zip"),
            ]

    def write(self, page: Page, config: MkDocsConfig, files: Files, *, light: bool) -> None:
        """Make an article's notebook, once its runs are done, and leave it where mkdocs-jupyter will read it.

        Args:
            page: The notebook's page.
            config: The site's configuration.
            files: The site's files.
            light: Lay out the first cell alone: a preview is there to be fast.
        """
        context = self.articles.get(page.file.src_uri)
        if context is None:
            return
        from livedoc import viewer  # not above: the parser of HTML takes long to load

        stem = Path(context.name).stem
        text, _ = get_data((Path(config.docs_dir) / context.name).read_text(encoding="utf-8-sig"))
        licence = Path(config.config_file_path).parent / "LICENSE"
        try:
            made = notebook.make(text, context, f"{stem}.ipynb", _absolute(context, config, files))
            members = listings.files(context, licence.read_bytes() if licence.is_file() else b"")
        except listings.ConflictError as conflict:
            context.fail(context.first_line, str(conflict))
            made, members = notebook.bare([]), {}
        self.made[page.file.src_uri] = {
            f"{stem}.ipynb": notebook.written(made),
            "listings.zip": listings.archive(stem, members),
        }
        if light:
            made = notebook.bare([*made["cells"][:1], notebook.prose("preview", _words(context)["preview"])])
        self.laid_out[page.file.src_uri] = made
        write_file(notebook.written(viewer.slimmed(made)), str(page.file.abs_src_path))

    def show(self, converted: str, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Return the page of a notebook in the book's dress; any other page as it is."""
        context = self.articles.get(page.file.src_uri)
        beside = files.get_file_from_path(context.name) if context else None
        if context is None or context.article is None or beside is None or beside.page is None:
            return converted
        from livedoc import viewer

        words, address = _words(context), get_relative_url(beside.url, page.url)
        downloads = [offer for offer in context.offers if offer.download]
        beside_it = [
            offer._replace(address=posixpath.join(posixpath.dirname(address), offer.address)) for offer in downloads
        ]
        back = f'<a href="{address}">{words["article"]}</a>'
        laid_out = viewer.Page(
            self.laid_out[page.file.src_uri],
            _figures(context),
            {one.name: f"snippets/{one.path}" for one in context.declared.listings},
            _relative(page, config, files),
            f'<p class="takeaway">{back} · {line(beside_it, context.language)}</p>',
            {
                "permalink": (config.mdx_configs.get("toc") or {}).get("permalink_title", "Permanent link"),
                "figure code": context.word("figure code"),
            },
        )
        content = laid_out.content(converted)
        page.toc = get_toc(cast("Any", laid_out.toc))
        page.title = words["title"].format(context.article.title)
        page.canonical_url = beside.page.canonical_url
        page.meta.update(
            title=page.title,
            description=words["description"].format(context.article.description),
            made_from=context.page,  # what an edit of this page changes
            search={"exclude": True},  # it would find everything twice
        )
        return content

    def listed(self, pages: Sequence[File]) -> list[File]:
        """Return the pages that a map of the site names: a notebook's canonical address is its article's."""
        return [file for file in pages if file.src_uri not in self.articles]

    def publish(self, config: MkDocsConfig) -> None:
        """Write the notebooks and the archives beside their articles."""
        for place, files in self.made.items():
            for name, data in files.items():
                write_file(data, str(Path(config.site_dir, place).parent / name))


def _figures(context: Context) -> dict[str, dict[str, str]]:
    """Return each listing's drawings as the article shows them, by their captions."""
    return {
        name: {
            figure["caption"] or "<Figure>": context.drawn(figure, f"figure-{name}-{number}", tabled=False)
            for number, figure in enumerate(run.figures, 1)
        }
        for name, run in listings.runs(context).items()
    }


def _absolute(context: Context, config: MkDocsConfig, files: Files) -> Callable[[str], str]:
    """Return what makes the address of a link in an article a whole one; without `site_url` it stays as it is."""

    def absolute(target: str) -> str:
        parts = urlsplit(target)
        if parts.scheme or parts.netloc or not parts.path or not config.site_url:
            return target
        path = posixpath.normpath(posixpath.join(posixpath.dirname(context.name), unquote(parts.path)))
        file = files.get_file_from_path(path)
        published = (
            file.page.canonical_url if file and file.page else urljoin(config.site_url, file.url if file else path)
        )
        return f"{published}#{parts.fragment}" if parts.fragment else published or target

    return absolute


def _relative(page: Page, config: MkDocsConfig, files: Files) -> Callable[[str], str]:
    """Return what makes an address of this site one that is relative to a page."""
    pages = (file.page for file in files.documentation_pages() if file.page and file.page is not page)
    # A copy without a server has its pages elsewhere than where they are published.
    places = {other.canonical_url: other.url for other in pages}

    def relative(address: str) -> str:
        base = config.site_url or ""
        if not base or not address.startswith(base):
            return address
        published, mark, fragment = address.partition("#")
        path = places.get(published, published.removeprefix(base))
        return get_relative_url(path or "./", page.url) + mark + fragment

    return relative
