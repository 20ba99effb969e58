"""What a live preview needs of MkDocs beyond a build: to live on, to see changes soon, to start afresh."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.utils import CountHandler
from watchdog.observers.polling import PollingObserver

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.livereload import LiveReloadServer

_ENGINE = Path(__file__).parent


def tolerate() -> None:
    """Let a preview live on when something would end a strict build: take away what counts warnings."""
    logger = logging.getLogger("mkdocs")
    for handler in [handler for handler in logger.handlers if isinstance(handler, CountHandler)]:
        logger.removeHandler(handler)


def engine_stamp() -> int:
    """Return a stamp that changes when a file of the engine does."""
    return max(path.stat().st_mtime_ns for path in _ENGINE.glob("*.py"))


def start_afresh() -> None:
    """Become a new process of the same command, with the engine as it is now."""
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def watch(server: LiveReloadServer, config: MkDocsConfig, paths: Iterable[Path | None]) -> None:
    """Watch the engine and the paths that exist, and look five times as often as MkDocs does."""
    for watched in (config.docs_dir, config.config_file_path):
        server.unwatch(watched)
    server.observer = PollingObserver(timeout=0.1)
    server.build_delay = 0.05
    for path in (_ENGINE, Path(config.config_file_path), *paths):
        if path and path.exists():
            server.watch(str(path))
