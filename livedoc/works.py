"""The works that the book cites: one BibTeX file, read as CSL-JSON; and what is wrong with how pages cite them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from pybtex.database import Entry, Person

    from livedoc.context import Context
    from livedoc.scan import Scan

TYPES = {
    "article": "article-journal",
    "book": "book",
    "inproceedings": "paper-conference",
    "misc": "webpage",
    "online": "webpage",
    "software": "software",
    "techreport": "report",
}
"""The kinds of works, each with its name in CSL."""

FIELDS = {
    "journal": "container-title",
    "booktitle": "container-title",
    "organization": "container-title",
    "publisher": "publisher",
    "institution": "publisher",
    "volume": "volume",
    "number": "issue",
    "pages": "page",
    "version": "version",
    "doi": "DOI",
}
_KEY = re.compile(r"^\s*@\w+\s*\{\s*(?P<key>[^\s,]+)\s*,", re.MULTILINE)


class WorksError(Exception):
    """A file of references that cannot be read."""


@dataclass(frozen=True)
class Cited:
    """A work: CSL-JSON, and the line of the file on which it starts."""

    item: dict[str, Any]
    line: int


def read(path: Path) -> dict[str, Cited]:
    """Return the works of a BibTeX file by their keys; none when there is no file.

    Raises:
        WorksError: When it is not BibTeX, or has a key twice, or a work of a kind that is not in `TYPES`.
    """
    return _read(path, path.stat().st_mtime_ns) if path.is_file() else {}


@lru_cache(maxsize=8)  # all pages of both languages ask, and all rebuilds of a preview
def _read(path: Path, changed: int) -> dict[str, Cited]:
    from pybtex.database import BibliographyDataError, parse_string
    from pybtex.scanner import PybtexSyntaxError

    text = path.read_text(encoding="utf-8")
    try:
        entries = parse_string(text, "bibtex").entries
    except (BibliographyDataError, PybtexSyntaxError) as error:
        raise WorksError(str(error)) from error
    lines = {match["key"]: text.count("\n", 0, match.start("key")) + 1 for match in _KEY.finditer(text)}
    return {key: Cited(_item(key, entry), lines.get(key, 1)) for key, entry in entries.items()}


def _plain(text: str) -> str:
    """Return the text of a field: braces only keep BibTeX from changing it."""
    from pybtex.richtext import Text

    return str(Text.from_latex(text))


def _person(person: Person) -> dict[str, str]:
    given = " ".join(person.first_names + person.middle_names)
    family = " ".join(person.prelast_names + person.last_names)
    return {"family": _plain(family), "given": _plain(given)} if given else {"literal": _plain(family)}


def _date(text: str) -> dict[str, Any]:
    return {"date-parts": [[int(part) for part in text.split("-")]]}


def _item(key: str, entry: Entry) -> dict[str, Any]:
    if entry.type not in TYPES:
        raise WorksError(f"{key}: a work is one of {', '.join(TYPES)}, not {entry.type}")
    fields = entry.fields
    if "title" not in fields:
        raise WorksError(f"{key}: a work has a title")
    item: dict[str, Any] = {"id": key, "type": TYPES[entry.type], "title": _plain(fields["title"])}
    item["author"] = [_person(person) for person in entry.persons.get("author", [])]
    item |= {csl: _plain(fields[name]).replace("--", "–") for name, csl in FIELDS.items() if name in fields}
    if date := fields.get("date") or fields.get("year"):
        item["issued"] = _date(date)
    if "urldate" in fields and "issued" not in item:  # a dated work stays as it is
        item["accessed"] = _date(fields["urldate"])
    if "url" in fields:
        item["URL"] = fields["url"]
    elif fields.get("archiveprefix", fields.get("eprinttype", "")).lower() == "arxiv":
        item["URL"] = f"https://arxiv.org/abs/{fields['eprint']}"
        if item["type"] == "webpage":  # on arXiv alone: a preprint
            item |= {"type": "article", "publisher": "arXiv", "number": f"arXiv:{fields['eprint']}"}
    return item


def told_apart(works: Mapping[str, Cited], keys: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the items of the works that a page cites: those it would cite alike have a letter after the year.

    Args:
        works: All works.
        keys: What the page cites; a key that no work has is left out.
    """
    items = {key: works[key].item for key in dict.fromkeys(keys) if key in works}
    alike: dict[tuple[Any, ...], list[str]] = {}
    for key, item in items.items():
        names = [person.get("literal") or person["family"] for person in item["author"]] or [item["title"]]
        year = item["issued"]["date-parts"][0][0] if "issued" in item else None
        alike.setdefault((year, *(names if len(names) < 3 else [names[0], "et al."])), []).append(key)
    for group in alike.values():
        ordered = sorted(group, key=lambda key: items[key]["title"].casefold())
        for letter, key in zip(ascii_lowercase, ordered if len(group) > 1 else [], strict=False):
            items[key] = {**items[key], "year-suffix": letter}
    return items


def check(contexts: list[Context]) -> Iterator[str]:
    """Yield what is wrong with how all pages cite, each with its place.

    A file that cannot be read is told once, and nothing that would follow from it.
    """
    if not contexts:
        return
    name = contexts[0].references
    try:
        known = read(contexts[0].root / name)
    except WorksError as error:
        yield f"{name}:1: {error}"
        return
    for context in contexts:
        yield from (f"{context.page}:{line}: {fault}" for line, fault in faults(context.declared, known))
    for language in dict.fromkeys(context.language for context in contexts):
        scans = [context.declared for context in contexts if context.language == language]
        yield from (f"{name}:{line}: {fault} in {language}" for line, fault in unused(scans, known))


def faults(scan: Scan, works: Mapping[str, Cited]) -> Iterator[tuple[int, str]]:
    """Yield what is wrong with how a page cites, each with its line."""
    for one in scan.citations:
        if one.key not in works:
            yield one.line, f"there is no work “{one.key}” in the references"
    if scan.citations and not scan.references:
        yield scan.citations[0].line, "works are cited, and no ```references fence lists them"
    cited = {one.key for one in scan.citations}
    for key in scan.notes:
        if key not in cited:
            yield scan.references, f"the references have a note on “{key}”, which the page does not cite"


def unused(scans: list[Scan], works: Mapping[str, Cited]) -> Iterator[tuple[int, str]]:
    """Yield the works that no page cites, each with its line in the file of references."""
    cited = {one.key for scan in scans for one in scan.citations}
    for key, work in works.items():
        if key not in cited:
            yield work.line, f"no page cites “{key}”"
