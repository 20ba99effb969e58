"""An article's listings as files that run elsewhere: the helper modules and the packages they need, and an archive."""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from livedoc.packages import imported

if TYPE_CHECKING:
    from collections.abc import Mapping

    from livedoc.context import Context
    from livedoc.runner import Run

WORDS = {
    "it": {
        "readme": """# {title}

I listati dell’articolo, versione {version}, così come sono stati eseguiti per costruire la pagina{address}.

Per eseguirne uno serve Python 3.11 o più recente:

```bash
python -m venv .venv
.venv/bin/python -m pip install -r requirements.txt
OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 .venv/bin/python {first}
```

`requirements.txt` ha le versioni esatte di quella esecuzione (Python {python}). Con altre versioni, o su un altro
processore, le ultime cifre possono cambiare; i tempi misurati cambiano sempre. Le figure si aprono in una finestra.

{code}Il testo e le figure dell’articolo sono sotto la licenza {licence}.
Autori: {authors}.
""",
        "code": "La licenza del codice è in `LICENSE`. ",
    },
    "en": {
        "readme": """# {title}

The listings of the article, version {version}, just as they were run to build the page{address}.

To run one you need Python 3.11 or newer:

```bash
python -m venv .venv
.venv/bin/python -m pip install -r requirements.txt
OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 .venv/bin/python {first}
```

`requirements.txt` has the exact versions of that run (Python {python}). With other versions, or on another processor,
the last digits may change; measured times always do. Figures open in a window.

{code}The text and the figures of the article are under the licence {licence}.
Authors: {authors}.
""",
        "code": "The licence of the code is in `LICENSE`. ",
    },
}


class ConflictError(Exception):
    """Two files that would have the same name."""


def runs(context: Context) -> dict[str, Run]:
    """Return the runs of a page that succeeded, by the listings' names, waiting for them."""
    done = {name: future.result() for name, future in (context.given or context.runs).items()}
    return {name: run for name, run in done.items() if not run.error}


def helpers(context: Context) -> dict[str, bytes]:
    """Return the files beside its snippets that an article's listings read: modules, data; by their path from there.

    Raises:
        ConflictError: When files of two folders would have the same name.
    """
    found: dict[str, bytes] = {}
    done = runs(context)
    for listing in context.declared.listings:
        folder = (context.snippets / listing.path).resolve().parent
        for path in map(Path, done[listing.name].inputs if listing.name in done else ()):
            if path.suffix == ".pyc" or not path.is_relative_to(folder):
                continue
            name, data = path.relative_to(folder).as_posix(), path.read_bytes()
            if found.setdefault(name, data) != data:
                raise ConflictError(f"listings of this article read two files called {name}")
    return dict(sorted(found.items()))


def packages(context: Context) -> list[str]:
    """Return the packages that an article's listings and their helper modules import, as `name==version`."""
    beside = [data.decode() for name, data in helpers(context).items() if name.endswith(".py")]
    versions: dict[str, str] = {}
    for source in [*(run.source for run in runs(context).values()), *beside]:
        versions |= imported(source)
    # A local version, “+cpu”, is how this machine got the package, and cannot be had from every index.
    return [f"{name}=={versions[name].partition('+')[0]}" for name in sorted(versions, key=str.lower)]


def files(context: Context, licence: bytes = b"") -> dict[str, bytes]:
    """Return what stands in the archive of an article's listings, by name."""
    article = context.article
    if article is None:
        return {}
    sources = {f"{name}.py": run.source.encode() for name, run in runs(context).items()}
    words = WORDS.get(context.language, WORDS["en"])
    readme = words["readme"].format(
        title=article.title,
        version=article.version,
        address=f" <{context.address}>" if context.address else "",
        first=next(iter(sources), "listing.py"),
        python=".".join(map(str, sys.version_info[:3])),
        code=words["code"] if licence else "",
        licence=article.licence,
        authors=", ".join(author.name for author in article.authors),
    )
    about = {
        "README.md": readme.encode(),
        "requirements.txt": "".join(f"{line}\n" for line in packages(context)).encode(),
        **({"LICENSE": licence} if licence else {}),
    }
    return {**about, **helpers(context), **sources}


def archive(folder: str, members: Mapping[str, bytes]) -> bytes:
    """Return a zip of files in one folder; equal files make equal bytes."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, data in sorted(members.items()):
            member = zipfile.ZipInfo(f"{folder}/{name}", (1980, 1, 1, 0, 0, 0))
            member.compress_type, member.create_system, member.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
            zipped.writestr(member, data)
    return made.getvalue()
