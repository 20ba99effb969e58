"""An independent reading of a built site: its pages, its ledger and its sources must say the same.

It believes nothing that the builder says of itself: it reads the published HTML, and holds it against `ledger.json`,
the Markdown, the snippets and `docs/anchors.txt`. A listing may print nothing when it draws, or when its fence says
`result=""`. A traceback is never published, not even on purpose.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from livedoc import drift, proof, prose, scan, tabulated, taken
from livedoc.ledger import NUMBER
from livedoc.links import Links, leaks
from livedoc.reading import Article, Reading, UnusableError, articles_of, pages_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

Json = dict[str, Any]


@dataclass
class Verification:
    """What is wrong with a site, each with its page, and how much was looked at."""

    findings: list[str] = field(default_factory=list)
    looked: Counter[str] = field(default_factory=Counter)

    def tell(self, where: str, messages: Iterable[str]) -> None:
        """Note findings, each once."""
        for message in messages:
            if (told := f"{where}: {message}") not in self.findings:
                self.findings.append(told)


def verify(site: Path, project: Path) -> Verification:
    """Read a built site and hold it against its ledger and its sources.

    Raises:
        UnusableError: When there is nothing to read.
    """
    found = Verification()
    pages = pages_of(site)
    try:
        runs: list[Json] = drift.read(site / "ledger.json")["runs"]
        articles = list(articles_of(project, pages, runs))
        found.tell("ledger.json", _strangers(articles, runs))
        for article in articles:
            if not article.page.raw:
                found.tell(article.path, [f"docs/{article.language}/{article.name} has no page"])
                continue
            found.tell(article.path, proof.findings(article, site, project / "snippets"))
            found.tell(article.path, taken.findings(article, site, pages))
            found.tell(article.path, _digits(article))
        for name in sorted({article.name for article in articles}):
            of_name = [article for article in articles if article.name == name]
            if len(of_name) == 1:
                found.tell(of_name[0].path, ["the page is in one language alone"])
            for one, other in pairwise(article for article in of_name if article.page.raw):
                found.tell(one.path, _between(one, other))
    except drift.LedgerError as error:
        raise UnusableError(str(error)) from error
    except (KeyError, TypeError, AttributeError) as error:
        raise UnusableError(f"the ledger is not made as its schema says: {error!r}") from error
    literal = {text for article in articles for text in _literal(article.source)}
    for path, page in pages.items():
        found.tell(path, _stray(page, literal))
    found.tell("docs/anchors.txt", _anchors(articles, project))
    for path, message in leaks(site, project):
        found.tell(path, [message])
    links = Links(site, {path: page.soup for path, page in pages.items()})
    for path, message in links.findings():
        found.tell(path, [message])
    found.looked["pages"] = len(pages)
    for what in ("listings", "values", "claims", "figures"):
        found.looked[what] = sum(len(getattr(article.page, what)) for article in articles)
    found.looked["links"] = links.count
    return found


def _strangers(articles: list[Article], runs: list[Json]) -> Iterator[str]:
    known = {(article.language, article.name) for article in articles}
    counts = Counter((run["language"], run["page"], run["listing"]) for run in runs)
    for (language, name, listing), times in counts.items():
        if (language, name) not in known:
            yield f"listing “{listing}” ran for {name} ({language}), which is no page"
        elif times > 1:
            yield f"listing “{listing}” of {name} ({language}) has {times} runs"


def _digits(article: Article) -> Iterator[str]:
    for block in prose.blocks(article.page.article):
        for message in prose.digits(block, article.language):
            yield f"#{block.section}: {message}"


def _literal(source: str) -> Iterator[str]:
    """Yield what an author wrote between double back-quotes, to show the notation itself."""
    for span in re.finditer(scan.SPAN, source):
        if len(span["ticks"]) > 1:
            yield " ".join(span["body"].split())


def _stray(page: Reading, literal: set[str]) -> Iterator[str]:
    yield from prose.stray(page.soup, literal)
    if "Traceback (most recent call last)" in page.soup.get_text():
        yield "a traceback"
    if page.soup.find(class_="livedoc-error"):
        yield "a fault of the preview"


def _between(one: Article, other: Article) -> Iterator[str]:
    """Yield what two languages of a page do not share."""
    if one.page.sections != other.page.sections:
        yield f"its sections {one.page.sections} are {other.page.sections} in {other.language}"
    if alone := sorted({*one.page.terms} ^ {*other.page.terms}):
        yield f"its terms {', '.join(alone)} are in one language alone"
    for what in ("listings", "values", "claims", "figures"):
        mine, theirs = Counter(_shared(one, what)), Counter(_shared(other, what))
        told = {it[:3] for it in mine - theirs}
        yield from (f"{what}: {' '.join(it)} is not so in {other.language}" for it in mine - theirs)
        yield from (
            f"{what}: {' '.join(it)} is in {other.language} alone" for it in theirs - mine if it[:3] not in told
        )
    for name in one.runs.keys() & other.runs.keys():
        pair = one.runs[name], other.runs[name]
        drawn = [[figure["data_sha256"] for figure in run["figures"]] for run in pair]
        printed = [NUMBER.findall(run["output"]["text"]) for run in pair]
        tabled = [tabulated.numbers(article.page.soup, name) for article in (one, other)]
        if drawn[0] != drawn[1] or tabled[0] != tabled[1]:
            yield f"listing “{name}” draws other data in {other.language}"
        if printed[0] != printed[1] and not pair[0]["measures"]:
            yield f"listing “{name}” prints other numbers in {other.language}"


def _shared(article: Article, what: str) -> list[tuple[str, ...]]:
    """Return what both languages must show: words may differ, and what is measured in time."""
    if what == "listings":
        return [(name,) for name in article.page.listings]
    if what != "values":
        return [tuple(one) for one in getattr(article.page, what)]
    loose = {
        (name, value["expression"])
        for name, run in article.runs.items()
        for value in run["values"]
        if value["measured"] or value["type"] == "str"
    }
    return [
        (one.section, one.listing, one.expression, "" if (one.listing, one.expression) in loose else one.exact)
        for one in article.page.values
    ]


def anchors(articles: list[Article]) -> dict[str, set[str]]:
    """Return the languages that have each section, as “transformer#scale”, and each term, as “glossary#mask”."""
    found: dict[str, set[str]] = {}
    for article in articles:
        for section in filter(None, [*article.page.sections, *article.page.terms]):
            found.setdefault(f"{article.name.removesuffix('.md')}#{section}", set()).add(article.language)
    return found


def known_anchors(project: Path) -> list[str]:
    """Return the sections that were published once."""
    file = project / "docs/anchors.txt"
    return file.read_text(encoding="utf-8").split() if file.is_file() else []


def _anchors(articles: list[Article], project: Path) -> Iterator[str]:
    found = anchors(articles)
    for anchor in known_anchors(project):
        for language in dict.fromkeys(article.language for article in articles):
            if language not in found.get(anchor, ()):
                yield f"the section {anchor} was published once, and is gone in {language}"


def add_anchors(site: Path, project: Path) -> list[str]:
    """Add the sections of a built site to docs/anchors.txt, which keeps all it has; return the new ones."""
    articles = list(articles_of(project, pages_of(site), []))
    known = known_anchors(project)
    new = [anchor for anchor in anchors(articles) if anchor not in known]
    text = "".join(f"{anchor}\n" for anchor in [*known, *new])
    (project / "docs/anchors.txt").write_text(text, encoding="utf-8")
    return new
