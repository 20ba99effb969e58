"""Where a built site's links lead, and what its pages ask for: nothing broken, nothing from elsewhere."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bs4 import BeautifulSoup, Tag

ORIGIN = "http://site.invalid"
"""Stands for the site's own origin while addresses are resolved."""

_ASKING = ("src", "srcset", "poster", "action", "formaction", "background", "xlink:href", "data")
_NAMES = ("popovertarget", "aria-labelledby", "aria-describedby", "aria-details")
_TOLD = frozenset(("canonical", "alternate", "prev", "next", "license", "cite-as", "describedby", "schema.DC"))
_URL = re.compile(r"""url\(\s*(?:"([^"]*)"|'([^']*)'|([^)'"\s]*))\s*\)|@import\s+(?:"([^"]*)"|'([^']*)')""")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_ABSOLUTE = re.compile(r"""\b(?:https?|wss?)://[^\s"'`<>)]+""")
_THEME_SCRIPTS = "assets/javascripts/"  # Material's own; what they could ask for is listed in tests/test_site.py


@dataclass
class Links:
    """The addresses of a site: `base` is the path it is served under, `own` its origin as canonical links say it."""

    site: Path
    pages: Mapping[str, BeautifulSoup]
    base: str = "/"
    own: str = ORIGIN
    count: int = 0
    ids: dict[str, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read where the site is served from its canonical link, and the ids of every page."""
        home = self.pages["index.html"].find("link", rel="canonical") if "index.html" in self.pages else None
        if home and (address := urlsplit(str(home["href"]))).netloc:
            self.own, self.base = f"{address.scheme}://{address.netloc}", address.path or "/"
        for path, page in self.pages.items():
            self.ids[path] = {str(tag["id"]) for tag in page.find_all(id=True)}

    def findings(self) -> Iterator[tuple[str, str]]:
        """Yield each page or file with what is wrong with it."""
        for path, page in self.pages.items():
            for name, times in Counter(str(tag["id"]) for tag in page.find_all(id=True)).items():
                if times > 1:
                    yield path, f"the id {name} stands {times} times"
            for tag in page.find_all(True):
                for message in self._of(path, tag):
                    yield path, message
        for file in sorted(self.site.rglob("*.css")):
            path = file.relative_to(self.site).as_posix()
            for message in self._style(path, file.read_text(encoding="utf-8")):
                yield path, message
        for file in sorted(self.site.rglob("*.js")):
            path = file.relative_to(self.site).as_posix()
            if _THEME_SCRIPTS not in path:
                for message in self._script(file.read_text(encoding="utf-8")):
                    yield path, message

    def _of(self, path: str, tag: Tag) -> Iterator[str]:
        attributes = {name: str(value) for name, value in tag.attrs.items() if not isinstance(value, list)}
        for name in _NAMES:
            for target in attributes.get(name, "").split():
                if target not in self.ids[path]:
                    yield f"{name} names {target}, which is not there"
        for name in _ASKING:
            if name in attributes and (name != "data" or tag.name == "object"):
                for part in attributes[name].split(",") if name == "srcset" else [attributes[name]]:
                    yield from self._target(path, (part.split() or [""])[0], asked=True)
        if "href" in attributes:
            relation = " ".join(tag.get("rel") or [])  # Material's “alternate ” has a space
            asked = tag.name not in {"a", "area"} and not (tag.name == "link" and relation.strip() in _TOLD)
            yield from self._target(path, attributes["href"], asked)
        if tag.name == "style" or "style" in attributes:
            yield from self._style(path, attributes.get("style", "") + (tag.get_text() if tag.name == "style" else ""))
        if tag.name == "script" and "src" not in attributes and "json" not in attributes.get("type", ""):
            yield from self._script(tag.get_text())
        if tag.name == "meta" and attributes.get("http-equiv", "").lower() == "refresh":
            yield "the page sends its reader elsewhere"

    def _style(self, path: str, text: str) -> Iterator[str]:
        for match in _URL.finditer(_COMMENT.sub("", text)):
            yield from self._target(path, next((part for part in match.groups() if part), ""), asked=True)

    def _script(self, text: str) -> Iterator[str]:
        for match in _ABSOLUTE.finditer(text):
            if not match[0].startswith((self.own, "http://www.w3.org/")):
                yield f"a script names another origin: {match[0]}"

    def _target(self, path: str, address: str, asked: bool) -> Iterator[str]:
        """Say what is wrong with one address that a page or a style sheet holds."""
        self.count += 1
        here = ORIGIN + self.base + path.removesuffix("index.html")
        try:
            full = urlsplit(urljoin(here, address.strip()))
        except ValueError:
            yield f"an address that cannot be read: {address}"
            return
        if full.scheme == "data" and asked:
            return
        if f"{full.scheme}://{full.netloc}" not in {ORIGIN, self.own}:
            if asked or full.scheme not in {"http", "https", "mailto", "tel"}:
                yield f"it asks another origin: {address}"
            return
        if not full.path.startswith(self.base):
            yield f"a link leaves the site’s folder {self.base}: {address}"
            return
        target = unquote(full.path.removeprefix(self.base))
        target += "index.html" if target.endswith("/") or not target else ""
        if not (self.site / target).is_file():
            yield f"a link to nothing: {address}"
        elif full.fragment and target in self.ids and unquote(full.fragment) not in self.ids[target]:
            yield f"a link to a fragment that is not there: {address}"


def leaks(site: Path, project: Path) -> Iterator[tuple[str, str]]:
    """Yield each text file of a site that names a folder of the machine that built it, with that folder."""
    folders = {str(project.resolve()), str(Path.home()), tempfile.gettempdir(), "/tmp"}
    known = "|".join(re.escape(folder) for folder in sorted(folders, reverse=True) if len(folder) > 2)
    path = re.compile(rf"(?<![\w./-])(?:{known})/[\w.-]+")
    for file in sorted(site.rglob("*")):
        if file.suffix in {".html", ".json", ".txt", ".xml", ".ipynb"}:
            for match in path.finditer(file.read_text(encoding="utf-8")):
                yield file.relative_to(site).as_posix(), f"a path of the machine that built it: {match[0]}"
