"""What a build published: every run with its numbers, claims and figures, as JSON that anyone can compare."""

from __future__ import annotations

import datetime
import hashlib
import importlib.metadata
import re
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from livedoc import scan, snippet, tables
from livedoc.packages import distributions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from livedoc.context import Context
    from livedoc.runner import Run

SCHEMA = "livedoc-ledger/1"
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?(?![\w.])", re.IGNORECASE)


def sha256(text: str) -> str:
    """Return the digest of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def _names(expression: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*", expression))


def measures(listing: scan.Listing) -> list[str]:
    """Return the names that a listing declares as measured in time: `rows.seconds growth` gives seconds, growth."""
    return [name.rsplit(".", 1)[-1] for name in listing.options.get("measures", "").replace(",", " ").split()]


def is_measured(listing: scan.Listing, expression: str) -> bool:
    """Tell whether a value of a listing is one that the listing declares as measured in time."""
    return not _names(expression).isdisjoint(measures(listing))


def _tolerance(listing: scan.Listing, expression: str) -> dict[str, float]:
    """Return the relative tolerance that the listing's fence sets for a value, if it sets one."""
    pairs = (pair.split("=") for pair in listing.options.get("tolerances", "").split())
    return next(({"tolerance": float(value)} for name, value in pairs if name in _names(expression)), {})


def _values(context: Context, listing: scan.Listing, run: Run) -> Iterator[dict[str, Any]]:
    for bound in context.declared.bounds:
        answer = run.answers.get(bound.ask, {}) if bound.listing == listing.name and bound.kind != "claim" else {}
        for value in [cell for row in answer["rows"] for cell in row] if "rows" in answer else [answer]:
            if "exact" in value:
                yield {
                    "section": bound.section,
                    "expression": value["expression"],
                    "spec": value["spec"],
                    "type": value["type"],
                    "exact": value["exact"],
                    "text": context.shown(value),
                    "measured": is_measured(listing, value["expression"]),
                    **_tolerance(listing, value["expression"]),
                }


def _claims(context: Context, listing: scan.Listing, run: Run) -> Iterator[dict[str, Any]]:
    for bound in context.declared.bounds:
        answer = run.answers.get(bound.ask, {}) if bound.listing == listing.name and bound.kind == "claim" else {}
        if "holds" in answer:
            yield {"section": bound.section, **answer}


def entries(context: Context) -> Iterator[dict[str, Any]]:
    """Yield what is known of each run of a page that succeeded, waiting for it."""
    for listing in context.declared.listings:
        future = (context.given or {}).get(listing.name)
        run = future.result() if future else None
        if run is None or run.error:
            continue
        yield {
            "page": context.name,
            "language": context.language,
            "listing": listing.name,
            "section": listing.section,
            "snippet": listing.path,
            "sha256": sha256(snippet.read(context.snippets / listing.path)),
            "code_sha256": sha256(run.source),
            "output": {"sha256": sha256(run.output), "text": run.output},
            "seconds": round(run.seconds, 3),
            "memory": run.memory,
            "measures": measures(listing),
            "values": list(_values(context, listing, run)),
            "claims": list(_claims(context, listing, run)),
            "figures": [
                {
                    "id": f"figure-{listing.name}-{number}",
                    "caption": figure["caption"] or listing.options.get("caption", ""),
                    "sha256": sha256(context.drawn(figure, f"figure-{listing.name}-{number}")),
                    "data_sha256": figure["data"],
                    "tables": [
                        {"file": file, "sha256": sha256(tables.as_csv(table, context.language))}
                        for file, table in tables.named(listing.name, number, figure["tables"])
                    ],
                }
                for number, figure in enumerate(run.figures, 1)
            ],
        }


def build(contexts: Iterable[Context], environment: dict[str, Any], modules: set[str], root: Path) -> dict[str, Any]:
    """Return the ledger of a build.

    Args:
        contexts: The pages, in both languages.
        environment: What `livedoc.probe` printed in the process that ran the listings.
        modules: The top-level modules that were imported by any run.
        root: The repository.
    """
    known = distributions()
    names = sorted({name for module in modules for name in known.get(module, [])}, key=str.lower)
    return {
        "schema": SCHEMA,
        "built": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        **_commit(root),
        "environment": {**environment, "packages": {name: importlib.metadata.version(name) for name in names}},
        "runs": [entry for context in contexts for entry in entries(context)],
    }


def _commit(root: Path) -> dict[str, Any]:
    def git(*words: str) -> str | None:
        try:
            return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True).stdout.strip()
        except (OSError, subprocess.CalledProcessError):
            return None

    commit = git("rev-parse", "HEAD")
    changes = git("status", "--porcelain")
    return {"commit": commit, "dirty": None if commit is None or changes is None else bool(changes)}


def disagreements(runs: list[dict[str, Any]]) -> list[str]:
    """Return where the runs of one listing in two languages do not have the same numbers, each with both.

    What a listing declares as measured in time is exempt, and with it the numbers it prints.
    """
    told = []
    pairs: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for run in runs:
        pairs.setdefault((run["page"], run["listing"]), []).append(run)
    for (page, name), pair in pairs.items():
        for one, other in pairwise(pair):
            seen = [list(_compared(run)) for run in (one, other)]
            told += [
                f"{page}: listing “{name}”: {what} is {mine} in {one['language']} and {theirs} in {other['language']}"
                for (what, mine), (_, theirs) in zip(*seen, strict=False)
                if mine != theirs
            ]
            if len(seen[0]) != len(seen[1]):
                told.append(f"{page}: listing “{name}”: the two runs do not print as many numbers")
    return told


def _compared(run: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what must be equal in both languages; values in the order of their expressions: sentences may differ."""
    for value in sorted(run["values"], key=lambda value: (value["section"], value["expression"], value["spec"])):
        if not value["measured"] and value["type"] != "str":
            yield f"`{value['expression']}`", value["exact"]
    for figure in run["figures"]:
        yield f"the data of {figure['id']}", figure["data_sha256"]
    if not run["measures"]:
        for number, text in enumerate(NUMBER.findall(run["output"]["text"]), 1):
            yield f"number {number} of its output", text
