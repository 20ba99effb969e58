"""`python -m livedoc`: compare two ledgers, verify a built site."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from livedoc import drift


def _diff(arguments: argparse.Namespace) -> int:
    try:
        old, new = drift.read(arguments.old), drift.read(arguments.new)
        found = drift.compare(old, new, arguments.rtol, arguments.atol)
    except (drift.LedgerError, KeyError, TypeError) as error:
        print(f"livedoc diff: {error}", file=sys.stderr)
        return 2
    print("\n".join(found.lines))
    return int(found.changed)


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
    arguments = parser.parse_args(words)
    result: int = arguments.run(arguments)
    return result


if __name__ == "__main__":
    sys.exit(main())
