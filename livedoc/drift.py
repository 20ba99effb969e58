"""What changed between two ledgers, as a report that a person reads."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from livedoc.ledger import NUMBER, SCHEMA

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RELATIVE, ABSOLUTE = 1e-9, 1e-12
"""Differences up to these are rounding: last digits differ between processors and BLAS kernels."""

Json = dict[str, Any]
Key = tuple[str, ...]


class LedgerError(Exception):
    """A file that is not a ledger of this schema."""


@dataclass
class Drift:
    """The report, and how many things are identical, differ by rounding, or changed."""

    lines: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def changed(self) -> bool:
        """Whether anything moved beyond rounding."""
        return self.counts["changed"] > 0


def read(path: Path) -> Json:
    """Read a ledger.

    Raises:
        LedgerError: When it cannot be read or is none.
    """
    try:
        found: Json = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise LedgerError(f"{path}: not a readable ledger: {error}") from error
    if not isinstance(found, dict) or found.get("schema") != SCHEMA or not isinstance(found.get("runs"), list):
        raise LedgerError(f"{path}: not a ledger of schema {SCHEMA}")
    return found


def verdict(old: str, new: str, relative: float = RELATIVE, absolute: float = ABSOLUTE) -> str:
    """Say how two numbers, as exact texts, differ: identical, rounding or changed."""
    if old == new:
        return "identical"
    try:
        one, other = float(old), float(new)
    except ValueError:
        return "changed"
    gap = abs(one - other)
    return "rounding" if gap <= absolute or gap <= relative * max(abs(one), abs(other)) else "changed"


def by_how_much(old: str, new: str) -> str:
    """Return the change from one number to another, in per cent where that says something."""
    try:
        one, other = float(old), float(new)
    except ValueError:
        return ""
    share = f", {(other - one) / abs(one):+.2%}" if one and abs(other - one) < 100 * abs(one) else ""
    return f" ({other - one:+.3g}{share})".replace("-", "−")


def _numbered(run: Json, what: str) -> Iterator[tuple[Key, Json]]:
    """Yield the values or claims of a run with a key that repeats in both ledgers, whatever the language."""
    seen: Counter[Key] = Counter()
    for item in run[what]:
        key = (run["page"], item["section"], run["listing"], item["expression"], item.get("spec", ""))
        seen[key] += 1
        yield (*key, str(seen[key])), item


def _gathered(ledger: Json, items: Callable[[Json], Iterator[tuple[Key, Json]]]) -> dict[Key, dict[str, Json]]:
    """Return items by key, and in each by language."""
    found: dict[Key, dict[str, Json]] = {}
    for run in ledger["runs"]:
        for key, item in items(run):
            found.setdefault(key, {})[run["language"]] = item
    return found


def _values(drift: Drift, old: Json, new: Json, relative: float, absolute: float) -> dict[Key, list[str]]:
    """Compare every bound number; return a line for each that is not identical, by page and section."""
    before, after = (_gathered(ledger, lambda run: _numbered(run, "values")) for ledger in (old, new))
    lines: dict[Key, list[str]] = {}
    for key in dict.fromkeys([*before, *after]):
        told = lines.setdefault(key[:2], [])
        name = f"`{{{key[2]}}} {key[3]}{':' + key[4] if key[4] else ''}`"
        mine, theirs = before.get(key), after.get(key)
        if not mine or not theirs:
            drift.counts["changed"] += 1
            shown = ", ".join(f"{language} {value['text']}" for language, value in (mine or theirs or {}).items())
            told.append(f"{name}: {'vanished' if mine else 'appeared'} ({shown})")
            continue
        if any(value["measured"] for value in (*mine.values(), *theirs.values())):
            continue
        if all(_is_version(value, old) for value in mine.values()) and all(
            _is_version(v, new) for v in theirs.values()
        ):
            continue  # told among the versions
        pairs = [(mine[language], theirs[language], language) for language in mine if language in theirs]
        allowed = max([relative, *(value.get("tolerance", 0.0) for value in theirs.values())])
        verdicts = {verdict(a["exact"], b["exact"], allowed, absolute) for a, b, _ in pairs}
        worst = next(word for word in ("changed", "rounding", "identical") if word in verdicts)
        drift.counts[worst] += 1
        if worst != "identical":
            exact = next((a["exact"], b["exact"]) for a, b, _ in pairs)
            shown = ", ".join(f"{language} {a['text']} → {b['text']}" for a, b, language in pairs)
            told.append(f"{name}: {worst}: {shown}{by_how_much(*exact)}")
    return lines


def _is_version(value: Json, ledger: Json) -> bool:
    return value["type"] == "str" and value["text"] in ledger["environment"]["packages"].values()


def _printed(run: Json) -> list[str]:
    return [] if run["measures"] else NUMBER.findall(run["output"]["text"])


def _parts(drift: Drift, old: Json, new: Json, relative: float, absolute: float) -> dict[Key, list[str]]:
    """Compare listings with what they print, figures and claims; a line for each that appeared, vanished or changed."""
    lines: dict[Key, list[str]] = {}

    def tell(key: Key, text: str) -> None:
        lines.setdefault(key, []).append(text)
        drift.counts["changed"] += 1

    before, after = (
        _gathered(ledger, lambda run: iter([((run["page"], run["listing"]), run)])) for ledger in (old, new)
    )
    for key in dict.fromkeys([*before, *after]):
        mine, theirs = before.get(key, {}), after.get(key, {})
        for language in dict.fromkeys([*mine, *theirs]):
            one, other = mine.get(language), theirs.get(language)
            name = f"listing `{key[1]}` ({language})"
            if one is None or other is None:
                there = one or other or {}
                tell((key[0], there["section"]), f"{name}: {'vanished' if one else 'appeared'}")
                continue
            place = (key[0], other["section"])
            if one["code_sha256"] != other["code_sha256"]:
                tell(place, f"{name}: its code changed")
            numbers = [_printed(one), _printed(other)]
            moved = [verdict(a, b, relative, absolute) for a, b in zip(*numbers, strict=False)]
            if len(numbers[0]) != len(numbers[1]) or "changed" in moved:
                tell(place, f"{name}: what it prints changed")
            figures = [{figure["id"]: figure["data_sha256"] for figure in run["figures"]} for run in (one, other)]
            for identifier in dict.fromkeys([*figures[0], *figures[1]]):
                pair = [found.get(identifier) for found in figures]
                if pair[0] != pair[1]:
                    how = "appeared" if not pair[0] else "vanished" if not pair[1] else "its data changed"
                    tell(place, f"figure `{identifier}` ({language}): {how}")
    claims = [_gathered(ledger, lambda run: _numbered(run, "claims")) for ledger in (old, new)]
    for key in dict.fromkeys([*claims[0], *claims[1]]):
        if (key in claims[0]) != (key in claims[1]):
            tell(key[:2], f"claim `{{{key[2]}}} assert {key[3]}`: {'vanished' if key in claims[0] else 'appeared'}")
    return lines


def compare(old: Json, new: Json, relative: float = RELATIVE, absolute: float = ABSOLUTE) -> Drift:
    """Compare two ledgers; timings are left out.

    Args:
        old: The earlier ledger.
        new: The later one.
        relative: The relative difference that is still rounding, unless a value sets its own.
        absolute: The absolute difference that is still rounding.
    """
    drift = Drift()
    parts = (_parts(drift, old, new, relative, absolute), _values(drift, old, new, relative, absolute))
    packages = [ledger["environment"]["packages"] for ledger in (old, new)]
    names = dict.fromkeys([*packages[0], *packages[1]])
    moved = [(name, packages[0].get(name, "–"), packages[1].get(name, "–")) for name in names]
    moved += [(key, str(old["environment"][key]), str(new["environment"][key])) for key in ("python", "cpu", "blas")]
    moved = [(name, one, other) for name, one, other in moved if one != other]
    numbers = sum(drift.counts.values())
    drift.lines += [
        "# What changed",
        "",
        f"From {_when(old)} to {_when(new)}: {drift.counts['identical']} numbers identical, "
        f"{drift.counts['rounding']} differ by rounding, {drift.counts['changed']} things changed."
        if numbers
        else "Neither ledger holds a number.",
    ]
    if moved:
        drift.lines += ["", "## Versions", "", *(f"- {name}: {one} → {other}" for name, one, other in moved)]
    for key in dict.fromkeys(key for found in parts for key in found):
        lines = [line for found in parts for line in found.get(key, [])]
        if lines:
            drift.lines += ["", f"## {key[0].removesuffix('.md')} #{key[1]}", "", *(f"- {line}" for line in lines)]
    return drift


def _when(ledger: Json) -> str:
    return f"{ledger['built'].replace('T', ' ')}" + (f" ({ledger['commit'][:8]})" if ledger["commit"] else "")
