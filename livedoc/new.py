"""A new article, ready to be written: two pages, a first listing with its words and its test, a work, a line of nav.

What it makes builds and passes every check as it is. The texts are those of the folder `template`.
"""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from livedoc.article import ArticleError, article
from livedoc.prose import Block, digits
from livedoc.scan import QUOTED

if TYPE_CHECKING:
    import datetime
    from collections.abc import Iterator

SETTINGS = {"it": "mkdocs.yml", "en": "mkdocs.en.yml"}
CATALOGUE = "snippets/it.po"
REFERENCES, WORK = "docs/references.bib", "leonardo1225"
DESCRIPTIONS = {
    "it": "Che cosa mostra l’articolo, in una frase.",
    "en": "What the article shows, in one sentence.",
}
ITALIAN = {
    "Add the first n odd numbers, one by one.": "Somma i primi n numeri dispari, uno alla volta.",
    "addends  sum of the odd numbers": "addendi  somma dei dispari",
    "The sum of the first odd numbers is the square of how many they are.": (
        "La somma dei primi numeri dispari è il quadrato di quanti sono."
    ),
    "addends": "addendi",
    "sum": "somma",
}
"""The words of the first listing, in the language of its other page."""

_TAKEN = frozenset(("index", "assets", "cards", "search", "glossary", "en", "it", QUOTED))
"""Names that the site has for something else."""

_LONGEST = 120
_TEMPLATES = Path(__file__).with_name("template")
_SLUG = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_MARKUP = re.compile(r"[*_`<>\[\]{}\\$|]")
_ENTRY = re.compile(r" +- ")


class NewError(Exception):
    """Why an article cannot be made."""


def new(project: Path, slug: str, titles: dict[str, str], day: datetime.date, number: str = "") -> list[Path]:
    """Make an article; return the files made and changed, by their place in the project.

    Args:
        project: The repository.
        slug: The name of the article in addresses.
        titles: Its title in each language, as plain text.
        day: The day on which it is published.
        number: Its number, such as 08; without it, the one after the highest.

    Raises:
        NewError: When something of it exists, or cannot be. Nothing is written then.
    """
    needed = [*SETTINGS.values(), CATALOGUE, *(f"docs/{language}/index.md" for language in SETTINGS)]
    if lacking := [name for name in needed if not (project / name).is_file()]:
        raise NewError(f"this is not the folder of the book: there is no {lacking[0]} in {project.resolve()}")
    if not _SLUG.fullmatch(slug) or slug in _TAKEN:
        raise NewError(f"“{slug}” cannot be a name: write one such as scaling-laws, not {', '.join(sorted(_TAKEN))}")
    folder = slug.replace("-", "_")
    made = [f"docs/{language}/{slug}.md" for language in SETTINGS]
    made += [f"snippets/{folder}", f"tests/snippets/test_{folder}.py", f"tests/test_{folder}.py"]
    if existing := [name for name in made if (project / name).exists()]:
        raise NewError(f"{existing[0]} exists already: choose another name")
    number = _number(project, number)
    written: dict[str, str] = {}
    for language, settings in SETTINGS.items():
        title = _title(titles[language], number, language)
        page = {"number": number, "folder": folder, "day": day.isoformat(), **_front_matter(project, language)}
        page |= {"title": _quoted(f"{number} - {title}"), "heading": _heading(f"{number} - {title}")}
        page |= {"description": _quoted(DESCRIPTIONS[language]), "keywords": _quoted([title])}
        written[f"docs/{language}/{slug}.md"] = _filled(f"{language}.md.txt", page)
        text = (project / settings).read_text(encoding="utf-8")
        written[settings] = _with_entry(text, settings, f"{number} · {title}", f"{slug}.md")
    listing = f"snippets/{folder}/first.py"
    written[listing] = _filled("first.py.txt", {})
    written[f"tests/snippets/test_{folder}.py"] = _filled("test.py.txt", {"number": number, "folder": folder})
    works = project / REFERENCES
    known = works.read_text(encoding="utf-8") if works.is_file() else ""
    if f"{{{WORK}," not in known:
        written[REFERENCES] = "\n".join(filter(None, [known, _filled("references.bib.txt", {})]))
    written[CATALOGUE] = _with_words(project, listing, written[listing])
    for name, text in written.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text, encoding="utf-8")
    return [Path(name) for name in written]


def _meta(path: Path) -> dict[str, Any]:
    from mkdocs.utils.meta import get_data

    meta: dict[str, Any] = get_data(path.read_text(encoding="utf-8-sig"))[1]
    return meta


def _number(project: Path, asked: str) -> str:
    """Return the number that is asked for, if no article has it; without one, that after the highest."""
    pages = (path for language in SETTINGS for path in (project / "docs" / language).rglob("*.md"))
    known = {str(_meta(path).get("article", "")): path.relative_to(project).as_posix() for path in pages}
    if asked and not re.fullmatch(r"(?!00)\d\d", asked, re.ASCII):
        raise NewError(f"a number has two digits, such as 08: “{asked}”")
    if asked and asked in known:
        raise NewError(f"{known[asked]} has the number {asked} already")
    return asked or f"{max((int(one) for one in known if one.isdecimal()), default=0) + 1:02d}"


def _front_matter(project: Path, language: str) -> dict[str, str]:
    """Return what an article takes over from the home page of its language."""
    home, meta = f"docs/{language}/index.md", _meta(project / "docs" / language / "index.md")
    try:
        if article(meta, language) is None:
            raise NewError(f"{home}: its front matter names no authors, whom the article would have")
    except ArticleError as error:
        raise NewError(f"{home}: {error}") from error
    return {"authors": _quoted(meta["authors"]), "licence": _quoted(meta["licence"])}


def _title(written: str, number: str, language: str) -> str:
    """Return a title, once it is plain text that every page can show."""
    title = " ".join(written.split())
    if not title or not title.isprintable() or len(title) > _LONGEST:
        raise NewError(f"a title is a line of 1 to {_LONGEST} characters: “{title}”")
    if markup := _MARKUP.search(title):
        raise NewError(f"a title is plain text, without {markup[0]}: “{title}”")
    if told := next(digits(Block("", f"{number} - {title}"), language), ""):
        raise NewError(f"{told}; write it in letters")
    return title


def _quoted(value: Any) -> str:
    """Return a value as JSON, which is YAML too, in quotes that no title can break; plain words stay plain."""
    if isinstance(value, str) and _plain(value):
        return value
    if isinstance(value, list):
        return f"[{', '.join(map(_quoted, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_quoted(one)}" for name, one in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)


def _plain(text: str) -> bool:
    """Return whether YAML reads a text back as it is, in a list and as a key too, without quotes."""
    try:
        read: bool = yaml.safe_load(f"[{text}, {{{text}: 1}}]") == [text, {text: 1}]
    except yaml.YAMLError:
        return False
    return read


def _heading(text: str) -> str:
    """Return a plain title as Markdown."""
    return text.replace("&", "&amp;").replace("#", r"\#").replace('"', "&quot;")


def _filled(name: str, values: dict[str, str]) -> str:
    text = (_TEMPLATES / name).read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], text)


def _with_entry(text: str, name: str, title: str, page: str) -> str:
    """Put an entry into a nav: where its number belongs among articles, or else at its end. No other line changes."""
    lines = text.splitlines(keepends=True)
    entries = list(_entries(lines))
    if not entries:
        raise NewError(f"{name}: there is no nav with an entry a line, to add the article to")
    articles = {at: match[1] for at in entries if (match := re.match(r" +- \W?(\d\d) · ", lines[at]))}
    place = max((at + 1 for at, number in articles.items() if number < title[:2]), default=min(articles, default=0))
    # MkDocs puts the titles of a nav into its pages as they are.
    shown = title.replace("&", "&amp;").replace('"', "&quot;")
    place = place or entries[-1] + 1
    indent = lines[entries[0]][: lines[entries[0]].index("-")]
    lines[place - 1] = lines[place - 1].rstrip("\n") + "\n"
    return "".join([*lines[:place], f"{indent}- {_quoted(shown)}: {page}\n", *lines[place:]])


def _entries(lines: list[str]) -> Iterator[int]:
    """Yield the numbers of the lines that are entries of the nav, those within an entry left out."""
    inside, depth = False, None
    for number, line in enumerate(lines):
        if line.strip() and not line.startswith((" ", "-", "#")):
            inside = line.startswith("nav:")
        elif inside and _ENTRY.match(line) and depth in {None, line.index("-")}:
            depth = line.index("-")
            yield number


def _with_words(project: Path, listing: str, source: str) -> str:
    """Return the catalogue with the words of a listing, in the place where “make translations” puts them."""
    from babel.messages import Catalog
    from babel.messages.extract import extract_from_dir
    from babel.messages.pofile import read_po, write_po

    from livedoc.words import extract

    template, copied, out = Catalog(), io.BytesIO(), io.BytesIO()
    for name, line, text, _, _ in extract_from_dir(project / "snippets", [("**.py", "livedoc.words:extract")]):
        template.add(text, locations=[(f"snippets/{Path(name).as_posix()}", line)])
    for line, _, text, _ in extract(io.BytesIO(source.encode()), (), (), {}):
        template.add(text, locations=[(listing, line)])
    write_po(copied, template, sort_by_file=True, include_lineno=False)  # the order is that of the lines, left out here
    copied.seek(0)
    with (project / CATALOGUE).open("rb") as file:
        known = read_po(file)
    known.update(read_po(copied), no_fuzzy_matching=True, update_creation_date=False)
    for text, italian in ITALIAN.items():
        known[text].string = known[text].string or italian
    write_po(out, known, include_lineno=False, ignore_obsolete=True)
    return out.getvalue().decode("utf-8")
