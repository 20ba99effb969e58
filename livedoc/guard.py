"""What a listing may not touch, and what it reads: an audit hook of its process."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

_CHANGES = {"os.remove": 1, "os.rename": 2, "os.rmdir": 1, "os.truncate": 1, "shutil.rmtree": 1, "os.link": 2}
"""Events that change files, with how many of their arguments are paths."""


def _home(path: Path) -> str:
    """Return the folder of the project that a snippet belongs to."""
    marks = (up for up in path.parents if (up / "mkdocs.yml").is_file() or (up / ".git").exists())
    return f"{next(marks, path.parent)}/"


def watch(path: str) -> set[str]:
    """Refuse to change the project's files or to end the process that runs listings; return the files read from now on.

    It stops mistakes, with the listing's line: whoever is determined, or starts another program, gets past it.
    """
    read: set[str] = set()
    home, kept = _home(Path(path)), {os.getppid(), -1}

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event == "open":
            name, _, flags = args
            if isinstance(name, str):
                read.add(name)
                if flags & (os.O_WRONLY | os.O_RDWR) and "/__pycache__/" not in name:
                    refuse(name)
        elif event in _CHANGES:
            for name in args[: _CHANGES[event]]:
                refuse(name)
        elif event == "os.kill" and args[0] in kept:
            raise PermissionError("a listing ends only what it has started")

    def refuse(name: Any) -> None:
        if isinstance(name, str | bytes | os.PathLike) and os.path.abspath(os.fsdecode(name)).startswith(home):
            raise PermissionError(f"a listing does not change the project's files: {os.fsdecode(name)}")

    sys.addaudithook(hook)
    return read
