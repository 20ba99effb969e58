"""What the head of an article says to machines: Highwire, Dublin Core, JSON-LD, and links by their relation."""

from __future__ import annotations

import html
import json
import re
from typing import TYPE_CHECKING, Any

from livedoc.cite import FILES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from livedoc.article import Author
    from livedoc.work import Work


def licence_url(licence: str) -> str:
    """Return the address of a licence that is named as SPDX does: `CC-BY-4.0`."""
    if match := re.fullmatch(r"CC-([A-Z-]+)-(\d+\.\d+)", licence):
        return f"https://creativecommons.org/licenses/{match[1].lower()}/{match[2]}/"
    if licence == "CC0-1.0":
        return "https://creativecommons.org/publicdomain/zero/1.0/"
    return f"https://spdx.org/licenses/{licence}.html"


def head(work: Work, folder: str = "") -> str:
    """Return the elements that a page's head takes in, in HTML.

    Args:
        work: The article, or the book.
        folder: What a link to a file beside the page begins with.
    """
    lines = [f'<link rel="{relation}"{kind} href="{_quoted(href)}">' for relation, kind, href in _links(work, folder)]
    lines += [
        f'<meta name="{name}" content="{_quoted(content)}">'
        for name, content in (*highwire(work), *dublin_core(work))
        if content
    ]
    told = json.dumps(json_ld(work), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return "\n".join([*lines, f'<script type="application/ld+json">{told}</script>'])


def _quoted(text: str) -> str:
    return html.escape(" ".join(text.split()))


def _links(work: Work, folder: str) -> Iterator[tuple[str, str, str]]:
    if work.address:
        yield "cite-as", "", work.address
    yield "license", "", licence_url(work.article.licence)
    for name, kind in FILES.items():
        yield "describedby", f' type="{kind}"', folder + name
    yield "schema.DC", "", "http://purl.org/dc/elements/1.1/"


def _written(author: Author) -> str:
    return f"{author.family}, {author.given}" if author.given else author.family


def highwire(work: Work) -> Iterator[tuple[str, str]]:
    """Yield the tags that Google Scholar and Zotero read first; the book, which is no paper, has none.

    The title of the book is what makes Zotero save a part of a book, and not a paper of no journal.
    """
    article = work.article
    if not article.number:
        return
    yield "citation_title", article.title
    for author in article.authors:
        yield "citation_author", _written(author)
    yield "citation_publication_date", f"{article.published:%Y/%m/%d}"
    yield "citation_book_title", work.book
    yield "citation_language", article.language
    yield "citation_keywords", "; ".join(article.keywords)
    yield "citation_fulltext_html_url", work.address
    yield "citation_pdf_url", work.pdf


def dublin_core(work: Work) -> Iterator[tuple[str, str]]:
    """Yield the elements of Dublin Core."""
    article = work.article
    yield "DC.title", article.title
    for author in article.authors:
        yield "DC.creator", _written(author)
    yield "DC.date", article.published.isoformat()
    yield "DC.description", article.description
    for keyword in article.keywords:
        yield "DC.subject", keyword
    yield "DC.language", article.language
    yield "DC.identifier", work.address
    yield "DC.publisher", work.book
    yield "DC.relation", work.home if article.number else ""
    yield "DC.rights", licence_url(article.licence)
    yield "DC.type", "Text"
    yield "DC.format", "text/html"


def _person(author: Author) -> dict[str, str]:
    if not author.given:
        return {"@type": "Organization", "name": author.family}
    return {"@type": "Person", "name": author.name, "givenName": author.given, "familyName": author.family}


def json_ld(work: Work) -> dict[str, Any]:
    """Return a work in the words of schema.org: an article with its sections, or the book with its articles."""
    article = work.article
    found: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": ["TechArticle", "ScholarlyArticle"] if article.number else ["Book", "WebSite"],
        "@id": work.address,
        "url": work.address,
        "headline" if article.number else "name": article.title,
        "description": article.description,
        "author": [_person(author) for author in article.authors],
        "datePublished": article.published.isoformat(),
        "dateModified": article.updated.isoformat(),
        "version": article.version,
        "license": licence_url(article.licence),
        "inLanguage": article.language,
        "keywords": list(article.keywords),
        "isAccessibleForFree": True,
    }
    if article.number:
        found["position"] = article.number
        found["isPartOf"] = _known(
            {"@type": ["Book", "WebSite"], "@id": work.home, "url": work.home, "name": work.book}
        )
        found["hasPart"] = [
            _known(
                {
                    "@type": "WebPageElement",
                    "url": f"{work.address}#{one.id}",
                    "name": one.title,
                    "position": one.number,
                }
            )
            for one in work.sections
        ]
    else:
        found["hasPart"] = [
            _known({"@type": "TechArticle", "@id": url, "url": url, "headline": title}) for title, url in work.parts
        ]
    found |= _other_languages(work)
    return _known(found)


def _known(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if value}


def _other_languages(work: Work) -> dict[str, Any]:
    """Return the original of a translation, or the translations of the original."""
    (original, _), *_ = work.versions or (("", ""),)
    others = [
        {"@type": "CreativeWork", "@id": url, "url": url, "inLanguage": language}
        for language, url in work.versions
        if url and language != work.article.language
    ]
    if original == work.article.language:
        return {"workTranslation": others}
    return {"translationOfWork": next((one for one in others if one["inLanguage"] == original), None)}
