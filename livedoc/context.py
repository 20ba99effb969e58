"""What a page is rendered with, and what becomes of its faults."""

from __future__ import annotations

import html
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pymdownx.superfences import SuperFencesException

from livedoc import cells, figure, guide, scan, works
from livedoc.numbers import localise
from livedoc.output import visible
from livedoc.runner import LIMIT, MEMORY, Job, Run, Runner

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from livedoc.article import Article
    from livedoc.offers import Offer
    from livedoc.terms import Glossary
    from livedoc.work import Section
    from livedoc.works import Cited

WORDS = {
    "it": {
        "figure": "Figura",
        "figure code": "Codice della figura",
        "claim": "Verificato a ogni build: mostra la condizione",
        "checked by": "Condizione verificata dal listato",
        "cut": "… altre {} righe non mostrate",
        "whole output": "Scarica l’uscita intera",
        "download": "Scarica",
        "listing": "Listato",
        "run": "Eseguito in {} s",
        "with": " con {}",
        "source": "Sorgente",
        "stderr": "Standard error",
    },
    "en": {
        "figure": "Figure",
        "figure code": "Code of the figure",
        "claim": "Checked at every build: show the condition",
        "checked by": "Condition checked by the listing",
        "cut": "… {} more lines not shown",
        "whole output": "Download the whole output",
        "download": "Download",
        "listing": "Listing",
        "run": "Run in {} s",
        "with": " with {}",
        "source": "Source",
        "stderr": "Standard error",
    },
}
"""The few words of its own that the engine puts on a page."""


MESSAGE = 10_000
"""Characters of a fault that are told."""


class PageError(SuperFencesException):  # type: ignore[misc]
    """Something on a page that must not be published; fences let no other exception through."""


@dataclass
class Context:
    """What a page is being rendered with: its place, its language, its runs, and where its faults go.

    Without `faults` the first fault is raised. With it (a list of messages) the page shows each fault in its place,
    and whoever builds the page decides what to do. Runs may be `given` by a build that started them early; outputs
    too long for the page, and the files that ran, go to `downloads`. `inside` is true while a fragment of the page is
    being converted. `article` is what its front matter says; `address`, its canonical URL; `folder`, what a link to a
    file beside the page begins with, and `top`, one to the root of the whole site; `links`, the addresses of all pages
    of its language, by name; `pdf`, where its PDF is, if there is one; `source_url`, where the sources can be read;
    `book` and `home`, the title and the URL of what it is a part of; `sections`, those that `livedoc.citing` found;
    `offers`, the files in which the article can be taken away; `root`, the project's folder. `terms` are those of the
    `glossary` that the page uses, each with its sections and their titles; `phrases`, all it has. `references` is the
    file of the works that pages cite, `cited` counts the citations that were rendered.
    """

    snippets: Path = Path("snippets")
    language: str = "en"
    page: str = "page"
    name: str = "page.md"
    first_line: int = 1
    runner: Runner | None = None
    faults: list[str] | None = None
    given: dict[str, Future[Run]] | None = None
    runs: dict[str, Future[Run]] = field(default_factory=dict)
    declared: scan.Scan = field(default_factory=scan.Scan)
    text: str = ""
    downloads: dict[str, str] = field(default_factory=dict)
    seen: set[tuple[str, str]] = field(default_factory=set)
    figures: int = 0
    claims: int = 0
    inside: bool = False
    ledger: Callable[[], dict[str, Any]] | None = None
    article: Article | None = None
    address: str = ""
    folder: str = ""
    top: str = ""
    links: dict[str, str] = field(default_factory=dict)
    pdf: str = ""
    source_url: str = ""
    book: str = ""
    home: str = ""
    sections: list[Section] = field(default_factory=list)
    offers: list[Offer] = field(default_factory=list)
    root: Path = Path()
    glossary: Glossary | None = None
    terms: dict[str, dict[str, str]] = field(default_factory=dict)
    phrases: set[tuple[str, str]] = field(default_factory=set)
    references: str = "docs/references.bib"
    cited: Counter[str] = field(default_factory=Counter)

    def word(self, key: str) -> str:
        """Return one of the engine's own words in the page's language."""
        return WORDS.get(self.language, WORDS["en"])[key]

    def fail(self, line: int, message: str, file: str = "", about: str = "") -> str:
        """Report a fault with its place, on the page or in a `file` it is made of; return the box for a preview.

        The box leads to the section of the guide that is `about` it.
        """
        place, message = f"{file or self.page}:{line}: ", visible(message)
        if len(message) > MESSAGE:
            message = f"{message[: MESSAGE // 2]}\n…\n{message[-MESSAGE // 2 :]}"
        if self.faults is None:
            raise PageError(place + message)
        if place + message not in self.faults:
            self.faults.append(place + message)
        return (
            f'<div class="livedoc-error" role="alert"><strong>{html.escape(place)}</strong>'
            f"<pre>{html.escape(message)}</pre>{guide.link(self, about)}</div>"
        )

    def data(self, listing: str, value: dict[str, Any]) -> str:
        """Render a bound value: text in the page's notation, and what it was exactly."""
        text = self.shown(value)
        exact = text if value["type"] == "str" else value["exact"]
        return (
            f'<data class="value" value="{html.escape(exact)}" data-listing="{html.escape(listing)}" '
            f'data-expression="{html.escape(value["expression"])}">{html.escape(text)}</data>'
        )

    def shown(self, value: dict[str, Any]) -> str:
        """Return the text of a value in the page's notation."""
        text: str = value["text"]
        return visible(text) if value["type"] == "str" else localise(text, self.language)

    def drawn(self, drawing: dict[str, Any], identifier: str, *, tabled: bool = True) -> str:
        """Return a drawing as it stands on a page, with the table of its data or without."""
        told, tabled = cells.told(drawing["tables"], self.language), tabled and bool(drawing["tables"])
        return figure.embed(drawing["svg"], identifier, self.language, told, tabled=tabled)

    def works(self) -> dict[str, Cited]:
        """Return the works that pages may cite, by their keys; none when their file cannot be read: that is a fault."""
        try:
            return works.read(self.root / self.references)
        except works.WorksError as error:
            self.fail(1, str(error), self.references, about="citations")
            return {}

    def answer(self, bound: scan.Bound) -> dict[str, Any] | None:
        """Return the run's answer to what is bound; `None` when the listing's own fault is told already."""
        self.seen.add((bound.listing, bound.ask))
        future = self.runs.get(bound.listing)
        run = future.result() if future else None
        if run is None or run.error:
            return None
        return run.answers.get(bound.ask, {"error": "this was not asked of the run"})

    def line_of(self, text: str) -> int:
        """Return the line of the page on which a text first stands."""
        return self.first_line + self.text.count("\n", 0, max(self.text.find(text), 0))

    def line(self, bound: scan.Bound) -> int:
        """Return the line of the page on which something is bound."""
        same = (one.line for one in self.declared.bounds if one.listing == bound.listing and one.ask == bound.ask)
        return next(same, self.first_line)


def submit(
    declared: scan.Scan, snippets: Path, language: str, runner: Runner | None, pictures: bool = False
) -> dict[str, Future[Run]]:
    """Queue every listing that a page declares; return the future runs by the listings' names."""
    jobs = {
        one.name: Job(
            (snippets / one.path).resolve(),
            language,
            declared.asks(one.name),
            limit=float(one.options.get("timeout", LIMIT)),
            memory=int(one.options.get("memory", MEMORY >> 20)) << 20,
            alone="measures" in one.options,
            pictures=pictures,
        )
        for one in declared.listings
    }
    return {name: runner.submit(job) for name, job in jobs.items()} if runner else {}
