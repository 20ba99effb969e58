"""By what an article, a section of it or the book is cited: CSL-JSON, BibTeX and RIS, out of its front matter."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import datetime

    from livedoc.article import Author
    from livedoc.work import Section, Work

WORDS = {
    "it": {"section": "Sezione {}, «{}»", "unnumbered": "Sezione «{}»", "note": "Versione {}. Licenza {}."},
    "en": {"section": "Section {}, “{}”", "unnumbered": "Section “{}”", "note": "Version {}. Licence {}."},
}
LANGID = {"it": "italian", "en": "english"}
"""What biblatex, by way of babel, calls a language."""

FILES = {
    "cite.bib": "application/x-bibtex",
    "cite.ris": "application/x-research-info-systems",
    "cite.json": "application/vnd.citationstyles.csl+json",
}
"""The files that stand beside an article, each with its media type."""

# BibTeX counts braces even behind a backslash: those of a title need a name. < and > are others in TeX's old fonts.
_TEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\textbraceleft{}",
        "}": r"\textbraceright{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        **{sign: f"\\{sign}" for sign in "%&$#_"},
    }
)


def item(work: Work, section: Section | None = None) -> dict[str, Any]:
    """Return the CSL-JSON of a work, or of a section as a chapter of it."""
    article = work.article
    part_of_book = bool(article.number) and bool(work.book)
    found: dict[str, Any] = {
        "id": f"{work.key}-{section.id}" if section else work.key,
        "type": "chapter" if section else "webpage",
        "title": section.label if section else article.title,
        "container-title": article.title if section else work.book if part_of_book else "",
        "publisher": work.book if section else "",
        "author": [_csl_author(author) for author in article.authors],
        "issued": {"date-parts": [_date_parts(article.published)]},
        "version": article.version,
        "language": article.language,
        "abstract": "" if section else article.description,
        "keyword": "" if section else ", ".join(article.keywords),
        "URL": work.url(section),
    }
    return {name: value for name, value in found.items() if value}


def _csl_author(author: Author) -> dict[str, str]:
    return {"family": author.family, "given": author.given} if author.given else {"literal": author.family}


def _date_parts(date: datetime.date) -> list[int]:
    return [date.year, date.month, date.day]


def csl_json(work: Work) -> str:
    """Return the CSL-JSON file of a work."""
    return json.dumps([item(work)], ensure_ascii=False, indent=1) + "\n"


def tex(text: str) -> str:
    """Return a text as TeX prints it, with its accents as they are: it is read as UTF-8."""
    return text.translate(_TEX)


def named(section: Section, language: str, escape: Any = str) -> str:
    """Return how a note names a section: Section 3, “Why divide by √d_k”."""
    words = WORDS.get(language, WORDS["en"])
    title = escape(section.title) if escape is str or not section.tex else section.tex
    return words["section"].format(section.number, title) if section.number else words["unnumbered"].format(title)


def bibtex(work: Work, section: Section | None = None) -> str:
    """Return the entry of a work, or of a section of it.

    It is written for biblatex (`@online`, `date`, `langid`, `version`). Classic BibTeX takes a type it does not know
    for `@misc`, and reads `year` and `howpublished`. Pybtex would write it with neither braces nor `$` made safe.
    """
    article = work.article
    url = work.url(section).replace("{", "%7B").replace("}", "%7D")
    fields = {
        "author": " and ".join(_tex_author(author) for author in article.authors),
        "title": f"{{{tex(article.title)}}}",
        "organization": f"{{{tex(work.book)}}}" if article.number and work.book else "",
        "date": article.published.isoformat(),
        "year": str(article.published.year),
        "version": tex(article.version),
        "langid": LANGID.get(article.language, article.language),
        "keywords": "" if section else tex(", ".join(article.keywords)),
        "note": named(section, article.language, tex) if section else "",
        "url": url,
        "howpublished": rf"\url{{{url}}}" if url else "",
    }
    body = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items() if value)
    return f"@online{{{work.key}{f'-{section.id}' if section else ''},\n{body}\n}}\n"


def _tex_author(author: Author) -> str:
    return f"{tex(author.family)}, {tex(author.given)}" if author.given else f"{{{tex(author.family)}}}"


def ris(work: Work) -> str:
    """Return the RIS of a work: a web page, which Zotero and EndNote both read with the title of its site.

    A body's name ends with a comma, as EndNote asks: without it, it would take the last word for the family name.
    """
    article = work.article
    words = WORDS.get(article.language, WORDS["en"])
    fields = [
        ("TY", "ELEC"),
        ("TI", article.title),
        *(("AU", f"{author.family}, {author.given}".strip()) for author in article.authors),
        ("T2", work.book if article.number else ""),
        ("PY", str(article.published.year)),
        ("DA", f"{article.published:%Y/%m/%d}"),
        ("AB", article.description),
        *(("KW", keyword) for keyword in article.keywords),
        ("LA", article.language),
        ("N1", words["note"].format(article.version, article.licence)),
        ("UR", work.address),
    ]
    lines = [f"{tag}  - {' '.join(value.split())}" for tag, value in fields if value]
    return "\r\n".join([*lines, "ER  - ", ""])


def files(work: Work) -> dict[str, str]:
    """Return the files that stand beside a work, by their names."""
    return dict(zip(FILES, (bibtex(work), ris(work), csl_json(work)), strict=True))
