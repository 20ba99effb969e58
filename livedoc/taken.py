"""What can be taken away of an article, held against its runs: the notebook, the page that shows it, the archive."""

from __future__ import annotations

import json
import re
import zipfile
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from livedoc import snippet
from livedoc.ledger import sha256
from livedoc.output import is_cut, literal, restored

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from livedoc.reading import Article, Reading

Json = dict[str, Any]


def findings(article: Article, site: Path, pages: Mapping[str, Reading]) -> Iterator[str]:
    """Yield what is wrong with the files that a page offers; a page that offers none has none."""
    if article.page.soup.select_one('.takeaway a[href$=".ipynb"]') is None:
        return
    folder = (site / article.path).parent
    sources = {
        name: file.read_text(encoding="utf-8")
        for name in article.runs
        if (file := folder / f"listings/{name}.py").is_file()
    }
    name = f"{Path(article.name).stem}.ipynb"
    try:
        cells: list[Json] = json.loads((folder / name).read_text(encoding="utf-8"))["cells"]
    except (OSError, ValueError, KeyError) as error:
        yield f"{name}: {type(error).__name__}"
        return
    for listing, run in article.runs.items():
        mine = [one for one in cells if one["metadata"].get("livedoc", {}).get("listing") == listing]
        for message in _listing(mine, run, sources.get(listing, "")):
            yield f"{name}: listing “{listing}” {message}"
    yield from (f"{name}: {message}" for message in _values(article, cells))
    yield from (f"listings.zip: {message}" for message in _archive(folder / "listings.zip", sources))
    shown = pages.get(f"{article.path.removesuffix('index.html')}notebook/index.html")
    if shown is None:
        yield f"{name}: no page shows it"
    else:
        yield from (f"the page of {name}: {message}" for message in _page(shown, cells))


def _text(lines: Any) -> str:
    return "".join(lines)


def _listing(cells: list[Json], run: Json, source: str) -> Iterator[str]:
    if sha256(source) != run["code_sha256"] or [_text(cell["source"]) for cell in cells] != [
        cell.source for cell in snippet.cells(source)
    ]:
        yield "is not the code that ran"
    outputs = [output for cell in cells for output in cell["outputs"]]
    printed = "".join(_text(one["text"]) for one in outputs if one.get("name") == "stdout")
    told = "" if run["measures"] or not run["output"]["text"].strip() else run["output"]["text"]
    if printed != told and not is_cut(told):
        yield "has another output than the ledger’s"
    drawn = [one for one in outputs if "image/svg+xml" in one.get("data", {})]
    if len(drawn) != len(run["figures"]):
        yield f"has {len(drawn)} figures, not {len(run['figures'])}"


def _values(article: Article, cells: list[Json]) -> Iterator[str]:
    """Look for the numbers of each listing in the prose, in their order; what is measured in time is left out."""
    prose = "\n".join(_text(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    prose = re.sub(r"\\([\W_])", r"\1", prose)
    for listing, run in article.runs.items():
        place = 0
        for value in run["values"]:
            if value["measured"]:
                continue
            found = prose.find(value["text"], place)
            if found < 0:
                yield f"the value {value['expression']} of “{listing}”, {value['text']}, is not in its prose"
            place = max(place, found)


def _archive(file: Path, sources: Mapping[str, str]) -> Iterator[str]:
    try:
        with zipfile.ZipFile(file) as archive:
            members = {name.rpartition("/")[2]: archive.read(name) for name in archive.namelist()}
    except (OSError, zipfile.BadZipFile) as error:
        yield f"it cannot be read: {type(error).__name__}"
        return
    for name, source in sources.items():
        if members.get(f"{name}.py") != source.encode():
            yield f"{name}.py is not the listing that ran"
    for name in ("README.md", "requirements.txt"):
        if name not in members:  # no packages, an empty list of them
            yield f"it has no {name}"


def _page(page: Reading, cells: list[Json]) -> Iterator[str]:
    """Compare the code that the page shows with the notebook's."""
    shown = [code.get_text().strip("\n") for code in page.soup.select(".notebook .language-python pre > code")]
    wanted = [restored(literal(_text(cell["source"]))) for cell in cells if cell["cell_type"] == "code"]
    for number, (one, other) in enumerate(zip_longest(shown, wanted, fillvalue=""), 1):
        if one != other.strip("\n"):
            yield f"code cell {number} is not the notebook’s"
