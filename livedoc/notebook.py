"""An article as a Jupyter notebook: its prose, its listings as they ran, and what they printed and drew."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING, Any

from babel.dates import format_date

from livedoc import listings, portable, snippet
from livedoc.ledger import measures
from livedoc.output import is_cut, shown
from livedoc.runner import ENVIRONMENT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from livedoc.article import Article
    from livedoc.context import Context
    from livedoc.runner import Run
    from livedoc.scan import Listing

Json = dict[str, Any]

WORDS = {
    "it": {
        "about": "Questo notebook è l’articolo {article}, versione {version}, del {date}: lo stesso testo, gli stessi "
        "listati, e le uscite della costruzione del sito, con Python {python}{packages}. Con altre versioni, o su un "
        "altro processore, le ultime cifre possono cambiare. Le affermazioni che sul sito portano un segno di spunta "
        "le ha verificate la stessa esecuzione.",
        "authors": "Autori: {authors}. Licenza del testo: {licence}.",
        "run": "Per rieseguirlo, dall’alto in basso:",
        "setup": "# Un solo thread, come quando si costruisce il sito: l’ordine delle somme decide le ultime cifre.",
        "timed": "*Il listato misura dei tempi, diversi a ogni esecuzione: la sua uscita qui non c’è. Si può eseguirlo "
        "e leggere la propria.*",
        "failed": "*Il listato non è stato eseguito.*",
    },
    "en": {
        "about": "This notebook is the article {article}, version {version}, of {date}: the same text, the same "
        "listings, and the outputs of the build of the site, with Python {python}{packages}. With other versions, or "
        "on another processor, the last digits may change. The statements that carry a tick on the site were checked "
        "by that same run.",
        "authors": "Authors: {authors}. Licence of the text: {licence}.",
        "run": "To run it again, from top to bottom:",
        "setup": "# One thread, as when the site is built: the order of a sum decides its last digits.",
        "timed": "*This listing measures times, which differ from run to run: its output is not kept here. Run it to "
        "read yours.*",
        "failed": "*This listing was not run.*",
    },
}

THREADS = [name for name in ENVIRONMENT if name.endswith("_NUM_THREADS")]


def make(text: str, context: Context, name: str, absolute: Callable[[str], str]) -> Json:
    """Return an article as a notebook (nbformat 4.5) that its listings' runs have filled.

    Args:
        text: The page's Markdown, without its front matter.
        context: What the page is rendered with; its article must be known.
        name: The name of the notebook's file.
        absolute: Makes an address of a page's link a whole one.

    Raises:
        livedoc.listings.ConflictError: When two helper modules have the same name.
    """
    article = context.article
    if article is None:
        raise ValueError(f"{context.page} is no article")
    cells = _Cells(context)
    parts = portable.parts(text, context, absolute)
    title = next((part for part in parts[:1] if part.text.startswith("# ")), None)
    heading, _, rest = title.text.partition("\n") if title else (f"# {article.title}", "", "")
    cells.markdown("about", f"{heading}\n\n{_about(context, article, name)}")
    cells.setup()
    cells.markdown("intro", rest)
    for part in parts[1:] if title else parts:
        if part.listing:
            cells.listing(part.listing)
        else:
            cells.markdown(part.section or "intro", part.text)
    return {**bare(cells.found), "metadata": _metadata(context, article)}


def bare(cells: list[Json]) -> Json:
    """Return a notebook that has nothing but cells."""
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def prose(identifier: str, text: str) -> Json:
    """Return a cell of Markdown."""
    return {"id": identifier, "cell_type": "markdown", "metadata": {}, "source": _lines(text)}


def written(notebook: Json) -> bytes:
    """Return a notebook as Jupyter writes it: sorted, a line of text a line."""
    return (json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode()


def _metadata(context: Context, article: Article) -> Json:
    return {
        "title": article.title,
        "authors": [{"name": author.name} for author in article.authors],
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {
            "file_extension": ".py",
            "mimetype": "text/x-python",
            "name": "python",
            "pygments_lexer": "ipython3",
            "version": ".".join(map(str, sys.version_info[:3])),
        },
        "livedoc": {
            "address": context.address,
            "language": context.language,
            "licence": article.licence,
            "published": article.published.isoformat(),
            "updated": article.updated.isoformat(),
            "version": article.version,
        },
    }


def _about(context: Context, article: Article, name: str) -> str:
    words, packages = WORDS.get(context.language, WORDS["en"]), listings.packages(context)
    about = words["about"].format(
        article=f"[{article.title}]({context.address})" if context.address else f"«{article.title}»",
        version=article.version,
        date=format_date(article.updated, "d MMMM y", context.language),
        python=".".join(map(str, sys.version_info[:3])),
        packages="".join(f", {package.replace('==', ' ')}" for package in packages),
    )
    authors = ", ".join(author.name for author in article.authors)
    return (
        f"{about}\n\n{words['authors'].format(authors=authors, licence=article.licence)}\n\n{words['run']}\n\n"
        f"```bash\npython -m pip install {' '.join(['jupyterlab', *packages])}\njupyter lab {name}\n```"
    )


class _Cells:
    """The cells of a notebook, each with an id that can be read and is its alone."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.words = WORDS.get(context.language, WORDS["en"])
        self.runs = listings.runs(context)
        self.found: list[Json] = []
        self.ids: set[str] = set()

    def _add(self, identifier: str, cell: Json) -> None:
        wanted = re.sub(r"[^a-zA-Z0-9_-]", "-", identifier)[:60]
        free = (f"{wanted}-{number}" if number > 1 else wanted for number in range(1, len(self.found) + 2))
        identifier = next(one for one in free if one not in self.ids)
        self.ids.add(identifier)
        self.found.append({**cell, "id": identifier})

    def markdown(self, identifier: str, text: str) -> None:
        """Add a cell of prose, unless there is none in it."""
        if text.strip():
            self._add(identifier, prose(identifier, text.strip("\n")))

    def _code(self, identifier: str, source: str, outputs: list[Json], listing: str = "") -> None:
        metadata = {"livedoc": {"listing": listing}} if listing else {}
        cell = {"cell_type": "code", "metadata": metadata, "source": _lines(source)}
        self._add(identifier, {**cell, "execution_count": None, "outputs": outputs})

    def setup(self) -> None:
        """Add the cells that make a kernel what a listing's process is: its threads, the modules beside it."""
        beside = {name: data.decode() for name, data in listings.helpers(self.context).items() if name.endswith(".py")}
        folders = sorted({name.rpartition("/")[0] for name in beside} - {""})
        lines = [self.words["setup"], "import os", "", f"for name in {tuple(THREADS)!r}:".replace("'", '"')]
        lines += ['    os.environ[name] = "1"', *(f'os.makedirs("{one}", exist_ok=True)' for one in folders)]
        self._code("setup", "\n".join(lines), [])
        for name, source in beside.items():
            self._code(f"helper-{name.removesuffix('.py')}", f"%%writefile {name}\n{source.rstrip()}", [])

    def listing(self, listing: Listing) -> None:
        """Add the cells of a listing, with what they printed and drew."""
        run = self.runs.get(listing.name)
        if run is None:
            self.markdown(f"failed-{listing.name}", self.words["failed"])
            return
        for number, cell in enumerate(snippet.cells(run.source)):
            drawn = [one for one in run.figures if one["caption"] == cell.caption]
            outputs = [*(() if number or measures(listing) else self._printed(listing, run)), *map(_figure, drawn)]
            self._code(f"{'figure' if number else 'listing'}-{listing.name}", cell.source, outputs, listing.name)
        if measures(listing):
            self.markdown(f"times-{listing.name}", self.words["timed"])

    def _printed(self, listing: Listing, run: Run) -> Iterator[Json]:
        told = [("stdout", run.output), ("stderr", run.stderr if "stderr" in listing.options else "")]
        for stream, text in told:
            if text.strip():
                kept = shown(text, self.context.word("cut")) + "\n" if is_cut(text) else text
                yield {"output_type": "stream", "name": stream, "text": _lines(kept)}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _figure(figure: Json) -> Json:
    """Return a drawing on white, for any scheme; as a PNG too, which is shown where an SVG is not trusted."""
    opening = re.search(r"<svg\b[^>]*>", figure["svg"])
    if opening is None:
        raise ValueError("a figure that is not an SVG")
    svg = opening[0] + '<rect width="100%" height="100%" fill="#ffffff"/>' + figure["svg"][opening.end() :]
    box = re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', opening[0])
    size = {"width": round(float(box[1]) * 96 / 72), "height": round(float(box[2]) * 96 / 72)} if box else {}
    picture = {"image/png": figure["png"]} if "png" in figure else {}
    return {
        "output_type": "display_data",
        "data": {"image/svg+xml": _lines(svg), **picture, "text/plain": [figure["caption"] or "<Figure>"]},
        "metadata": {"image/png": size} if picture else {},
    }
