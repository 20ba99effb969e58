"""The panel by which an article or a section of it is cited, as HTML."""

from __future__ import annotations

import html
import importlib.metadata
import re
from typing import TYPE_CHECKING

from livedoc.cite import bibtex, item

if TYPE_CHECKING:
    from collections.abc import Iterator

    from livedoc.context import Context
    from livedoc.work import Section, Work

WORDS = {
    "it": {
        "cite": "Cita",
        "article": "Cita questo articolo",
        "section": "Cita la sezione «{}»",
        "copy": "Copia",
        "download": "Scarica",
        "link": "Link",
        "version": "Versione {version}, pubblicata il {published}",
        "updated": "Versione {version}, aggiornata il {updated}; prima pubblicazione il {published}",
        "numbers": "Numeri calcolati con {}",
        "and": " e ",
    },
    "en": {
        "cite": "Cite",
        "article": "Cite this article",
        "section": "Cite the section “{}”",
        "copy": "Copy",
        "download": "Download",
        "link": "Link",
        "version": "Version {version}, published on {published}",
        "updated": "Version {version}, updated on {updated}; first published on {published}",
        "numbers": "Numbers computed with {}",
        "and": " and ",
    },
}
STYLES = {"APA": "apa", "Chicago": "chicago-author-date"}
DOWNLOADS = {"cite.bib": "BibTeX", "cite.ris": "RIS", "cite.json": "CSL-JSON"}
PACKAGES = {"NumPy": "numpy", "PyTorch": "torch"}
_PANEL = (
    '<details class="cite{kind}" data-search-exclude><summary{label}>{summary}</summary><div>{body}</div></details>'
)


def panel(cited: Work, section: Section | None, context: Context) -> str:
    """Return the panel of an article or of a section of it, as HTML.

    Args:
        cited: The article.
        section: The section; `None` for the whole article, which has files beside it too.
        context: What the page is rendered with.
    """
    words = WORDS.get(cited.article.language, WORDS["en"])
    address = html.escape(cited.url(section) or (f"#{section.id}" if section else ""))
    copied = {
        **{name: f"<span data-copied>{reference(style, cited, section)}</span>" for name, style in STYLES.items()},
        "BibTeX": f"<pre data-copied>{html.escape(bibtex(cited, section), quote=False)}</pre>",
        words["link"]: f'<a href="{address}" data-copied>{address}</a>' if address else "",
    }
    button = '<button class="copy" hidden type="button" data-copy aria-label="{copy}: {name}">{copy}</button>'
    blocks = [
        f"<div><b>{name}</b> {element} {button.format(copy=words['copy'], name=name)}</div>"
        for name, element in copied.items()
        if element
    ]
    if not section:
        links = (
            f'<a href="{html.escape(context.folder)}{file}" download>{name}</a>' for file, name in DOWNLOADS.items()
        )
        blocks.append(f"<div><b>{words['download']}</b> <span>{' · '.join(links)}</span></div>")
    label = f' aria-label="{html.escape(words["section"].format(section.title))}"' if section else ""
    return _PANEL.format(
        kind="" if section else " cite-article",
        label=label,
        summary=words["cite"] if section else words["article"],
        body="".join([*blocks, f"<p>{made(cited, bool(context.given))}</p>"]),
    )


def reference(style: str, cited: Work, section: Section | None) -> str:
    """Return a formatted reference in the page's language, as HTML."""
    from livedoc import csl  # not above: citeproc is loaded by a page that cites, and by no other

    return csl.entry(style, cited.article.language, item(cited, section))


def made(cited: Work, computed: bool) -> str:
    """Return the sentence that tells the version, its dates, and what computed its numbers."""
    from babel.dates import format_date

    article = cited.article
    words = WORDS.get(article.language, WORDS["en"])
    locale = {"en": "en_GB"}.get(article.language, article.language)  # 1 December 2026, as the pages write it
    dates = {name: format_date(getattr(article, name), "long", locale) for name in ("published", "updated")}
    if article.language == "it":  # the first of the month is an ordinal
        dates = {name: re.sub("^1 ", "1º ", date) for name, date in dates.items()}
    sentence = words["version" if article.updated == article.published else "updated"]
    told = [sentence.format(version=html.escape(article.version), **dates)]
    if computed and (packages := list(_versions())):
        told.append(words["numbers"].format(words["and"].join(packages)))
    return ". ".join([*told, ""]).rstrip()


def _versions() -> Iterator[str]:
    for name, package in PACKAGES.items():
        try:
            yield f"{name} {importlib.metadata.version(package)}"
        except importlib.metadata.PackageNotFoundError:
            continue
