"""The glossary as its file has it: each term in both languages, and where a text uses one.

    causal-mask:
      it:
        term: maschera causale
        forms: [maschere causali]
        definition: Nasconde a ogni posizione quelle che la seguono.
      en: …

`forms` are other words that mean the term. `not` are longer phrases in which such a word means something else:
`not: [random values]` leaves that “values” alone. A definition is plain text, with `$…$` for maths.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

LANGUAGES = ("it", "en")
REQUIRED = ("term", "definition")
FIELDS = (*REQUIRED, "forms", "not")

_MATHS = re.compile(r"\$([^$]+)\$")
_MARKUP = re.compile(r"[*_`<>\[\]{}\\$]")


@dataclass(frozen=True)
class Wording:
    """A term in one language."""

    term: str
    definition: str
    forms: tuple[str, ...] = ()
    exceptions: tuple[str, ...] = ()
    line: int = 1


class Found(NamedTuple):
    """A place in a text: where a term stands, or a phrase that only looks like it."""

    start: int
    end: int
    identifier: str
    phrase: str
    meant: bool


@dataclass
class Glossary:
    """The terms by their ids, each with its wording by language, and what is wrong with the file, with its line."""

    name: str = "glossary.yml"
    terms: dict[str, dict[str, Wording]] = field(default_factory=dict)
    faults: list[tuple[int, str]] = field(default_factory=list)
    phrases: dict[str, dict[str, tuple[str, str, bool]]] = field(default_factory=dict)
    patterns: dict[str, re.Pattern[str]] = field(default_factory=dict)

    def find(self, text: str, language: str) -> Iterator[Found]:
        """Yield what a text uses, in its order: whole words, the longest phrase first."""
        if pattern := self.patterns.get(language):
            for match in pattern.finditer(text):
                yield Found(match.start(), match.end(), *self.phrases[language][_key(match[0])])

    def note(self, language: str, identifier: str, wording: Wording) -> None:
        """Note all the phrases of a term; one that is noted already is a fault."""
        known = self.phrases.setdefault(language, {})
        meant = [(phrase, True) for phrase in (wording.term, *wording.forms)]
        for phrase, is_meant in [*meant, *((phrase, False) for phrase in wording.exceptions)]:
            if other := known.get(_key(phrase)):
                self.faults.append((wording.line, f"“{phrase}” ({language}) stands for “{other[0]}” already"))
            else:
                known[_key(phrase)] = (identifier, phrase, is_meant)

    def compile(self) -> None:
        """Make ready to find what was noted."""
        for language, known in self.phrases.items():
            longest_first = sorted((phrase for _, phrase, _ in known.values()), key=len, reverse=True)
            # An apostrophe ends a word, as in l’encoder and the encoder’s; a hyphen does not.
            self.patterns[language] = re.compile(
                rf"(?<![\w-])(?:{'|'.join(map(_written, longest_first))})(?![\w-])",
            )


def _key(phrase: str) -> str:
    return " ".join(phrase.replace("'", "’").split()).casefold()


def _written(phrase: str) -> str:
    """Return a pattern of a phrase as a text may write it: its first letter may be a capital, a space a line's end."""
    signs = {" ": r"\s+", "’": "['’]", "'": "['’]"}
    first, *rest = [signs.get(sign) or re.escape(sign) for sign in phrase]
    return (f"[{phrase[0]}{phrase[0].upper()}]" if phrase[0].islower() else first) + "".join(rest)


def plain(definition: str) -> str:
    """Return a definition as plain text: its formulas are what a reader sees, without TeX.

    Raises:
        MathError: When a formula cannot be rendered.
    """
    if "$" not in definition:
        return definition
    from livedoc.maths import render  # KaTeX starts when it is needed

    def line(match: re.Match[str]) -> str:
        return html.unescape(re.sub(r"(?s)<span hidden>(.*?)</span>.*", r"\1", render(match[1])))

    return _MATHS.sub(line, definition)


def load(path: Path, name: str) -> Glossary:
    """Read a glossary; it is kept until its file changes.

    Args:
        path: The file.
        name: What its faults call it.
    """
    try:
        return _load(path, name, path.stat().st_mtime_ns)
    except FileNotFoundError:
        return Glossary(name, faults=[(1, "there is no such glossary")])


@lru_cache(maxsize=1)
def _load(path: Path, name: str, changed: int) -> Glossary:
    return parse(path.read_text(encoding="utf-8"), name)


def parse(text: str, name: str = "glossary.yml") -> Glossary:
    """Read the text of a glossary; what cannot be used is left out, and told in its faults."""
    found = Glossary(name)
    try:
        root = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        found.faults.append((mark.line + 1 if mark else 1, f"this is not YAML: {getattr(error, 'problem', error)}"))
        return found
    for identifier, (line, node) in _mapping(found, "a glossary", 1, root, None).items():
        if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", identifier):
            found.faults.append((line, f"an id is a slug, such as causal-mask, not “{identifier}”"))
        languages = _mapping(found, f"“{identifier}”", line, node, LANGUAGES)
        found.faults += [(line, f"“{identifier}” lacks {one}") for one in LANGUAGES if one not in languages]
        found.terms[identifier] = {}
        for language, (place, inner) in languages.items():
            wording = _wording(found, f"“{identifier}” ({language})", place, inner)
            if wording:
                found.terms[identifier][language] = wording
                found.note(language, identifier, wording)
    found.compile()
    return found


def _line(node: Any) -> int:
    return int(node.start_mark.line) + 1


def _mapping(
    found: Glossary, what: str, line: int, node: Any, allowed: tuple[str, ...] | None
) -> dict[str, tuple[int, Any]]:
    """Return what a mapping on a line has: the line of each key, and its node."""
    if not isinstance(node, yaml.MappingNode):
        found.faults.append((line, f"{what} is a mapping: name: value"))
        return {}
    read: dict[str, tuple[int, Any]] = {}
    for key, value in node.value:
        at = _line(key)
        if key.value in read:
            found.faults.append((at, f"{what} has {key.value} twice"))
        elif allowed and key.value not in allowed:
            found.faults.append((at, f"{what} has no field {key.value}: it may have {', '.join(allowed)}"))
        else:
            read[key.value] = at, value
    return read


def _wording(found: Glossary, what: str, line: int, node: Any) -> Wording | None:
    """Read a term in one language; `None` when it is not all there."""
    before, read = len(found.faults), _mapping(found, what, line, node, FIELDS)
    found.faults += [(line, f"{what} lacks its {name}") for name in REQUIRED if name not in read]
    texts: dict[str, Any] = {"forms": (), "not": ()}
    for name, (at, value) in read.items():
        nodes = [value] if name in REQUIRED else getattr(value, "value", None)
        if not isinstance(nodes, list) or not all(isinstance(one, yaml.ScalarNode) and one.value for one in nodes):
            kind = "text" if name in REQUIRED else "a list of texts"
            found.faults.append((at, f"{what}: {name} is {kind}"))
            continue
        texts[name] = nodes[0].value if name in REQUIRED else tuple(one.value for one in nodes)
        for one in nodes:
            if markup := _MARKUP.search(_MATHS.sub("", one.value) if name == "definition" else one.value):
                found.faults.append((_line(one), f"{what}: {name} is plain text, without {markup[0]}"))
    try:
        plain(texts.get("definition", ""))
    except ValueError as error:
        found.faults.append((read["definition"][0], f"{what}: {error}"))
    if len(found.faults) > before:
        return None
    return Wording(texts["term"], texts["definition"], texts["forms"], texts["not"], line)
