"""`python -m livedoc`: start an article, compare ledgers, verify a site, keep its anchors, pack it, cite it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from livedoc import drift
from livedoc.article import ArticleError
from livedoc.reading import UnusableError
from livedoc.verify import add_anchors, verify


def _diff(arguments: argparse.Namespace) -> int:
    try:
        old, new = drift.read(arguments.old), drift.read(arguments.new)
        found = drift.compare(old, new, arguments.rtol, arguments.atol)
    except (drift.LedgerError, KeyError, TypeError) as error:
        print(f"livedoc diff: {error}", file=sys.stderr)
        return 2
    print("\n".join(found.lines))
    return int(found.changed)


def _verify(arguments: argparse.Namespace) -> int:
    try:
        found = verify(arguments.site, arguments.project)
    except UnusableError as error:
        print(f"livedoc verify: {error}", file=sys.stderr)
        return 2
    looked = ", ".join(f"{count} {what}" for what, count in found.looked.items())
    print("\n".join(found.findings) or f"{arguments.site}: nothing to object to in {looked}.")
    return int(bool(found.findings))


def _anchors(arguments: argparse.Namespace) -> int:
    try:
        new = add_anchors(arguments.site, arguments.project)
    except UnusableError as error:
        print(f"livedoc anchors: {error}", file=sys.stderr)
        return 2
    print("\n".join(new) or "No section is new.")
    return 0


def _cff(arguments: argparse.Namespace) -> int:
    from livedoc.cff import cff

    try:
        text = cff(arguments.project)
    except (OSError, ArticleError) as error:
        print(f"livedoc cff: {error}", file=sys.stderr)
        return 2
    (arguments.project / "CITATION.cff").write_text(text, encoding="utf-8")
    return 0


def _new(arguments: argparse.Namespace) -> int:
    from livedoc.byline import today
    from livedoc.new import NewError, new

    try:
        titles = {"it": arguments.it, "en": arguments.en}
        made = new(arguments.project, arguments.slug, titles, today(), arguments.number)
    except NewError as error:
        print(f"livedoc new: {error}", file=sys.stderr)
        return 2
    print("\n".join(f"wrote {path}" for path in made))
    print("Next: make serve, and the page that tells how to write: docs/it/contribuire.md, docs/en/contribuire.md.")
    return 0


def _offline(arguments: argparse.Namespace) -> int:
    from livedoc import offline

    if not (arguments.site / "index.html").is_file():
        print(f"livedoc offline: {arguments.site} is no site", file=sys.stderr)
        return 2
    if found := list(offline.findings(arguments.site)):
        print("\n".join(found))
        return 1
    offline.archive(arguments.site, arguments.to)
    return 0


def main(words: list[str] | None = None) -> int:
    """Run a command; return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m livedoc", description=__doc__)
    commands = parser.add_subparsers(required=True)
    diff = commands.add_parser("diff", help="say what changed between two ledgers (0: at most rounding)")
    diff.add_argument("old", type=Path)
    diff.add_argument("new", type=Path)
    diff.add_argument("--rtol", type=float, default=drift.RELATIVE, help="relative difference that is still rounding")
    diff.add_argument("--atol", type=float, default=drift.ABSOLUTE, help="absolute difference that is still rounding")
    diff.set_defaults(run=_diff)
    for name, run, what in (
        ("verify", _verify, "read a built site, and hold it against its ledger and its sources (0: all is well)"),
        ("anchors", _anchors, "add the sections of a built site to docs/anchors.txt; none is ever removed"),
    ):
        command = commands.add_parser(name, help=what)
        command.add_argument("site", type=Path)
        command.add_argument("--project", type=Path, default=Path(), help="the repository (default: here)")
        command.set_defaults(run=run)
    citation = commands.add_parser("cff", help="write CITATION.cff anew from the front matter of the English home page")
    citation.add_argument("--project", type=Path, default=Path(), help="the repository (default: here)")
    citation.set_defaults(run=_cff)
    start = commands.add_parser("new", help="start an article: its pages, a listing, its words, its test, its nav")
    start.add_argument("slug", help="its name in addresses, such as scaling-laws")
    start.add_argument("it", metavar="titolo", help="its Italian title")
    start.add_argument("en", metavar="title", help="its English title")
    start.add_argument("--number", default="", help="its number, such as 08 (default: the one after the highest)")
    start.add_argument("--project", type=Path, default=Path(), help="the repository (default: here)")
    start.set_defaults(run=_new)
    packed = commands.add_parser("offline", help="check a site built to be read without a server, and make it a zip")
    packed.add_argument("site", type=Path)
    packed.add_argument("to", type=Path)
    packed.set_defaults(run=_offline)
    arguments = parser.parse_args(words)
    result: int = arguments.run(arguments)
    return result


if __name__ == "__main__":
    sys.exit(main())
