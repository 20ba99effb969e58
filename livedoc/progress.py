"""How far the listings are: one changing line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import threading
import time


class Progress:
    """Counts jobs and tells standard error how many of how many, which are running, and for how long."""

    def __init__(self) -> None:
        self.count, self.done = 0, 0
        self.running: dict[str, float] = {}
        self.silent = False  # when what goes on no longer matters
        self._lock = threading.Lock()
        self._live = sys.stderr.isatty()
        self._ticker: threading.Thread | None = None

    def queued(self) -> None:
        """Note one more job."""
        with self._lock:
            self.count += 1

    def started(self, name: str) -> None:
        """Note that a job runs from now."""
        with self._lock:
            self.running[name] = time.monotonic()
            if self._live and not (self._ticker and self._ticker.is_alive()):
                self._ticker = threading.Thread(target=self._tick, daemon=True)
                self._ticker.start()

    def ended(self, name: str = "", *, failed: bool = False) -> None:
        """Note that a job ended; without a name it needed no run, and nothing is said."""
        with self._lock:
            self.done += 1
            began = self.running.pop(name, None)
            if name and (failed or not self._live) and not self.silent:
                seconds = f" {time.monotonic() - began:.2f} s" if began else ""
                start = "\r\x1b[K" if self._live else ""
                line = f"{start}listing {self.done}/{self.count}: {name}{seconds}{' FAILED' if failed else ''}\n"
                sys.stderr.write(line)

    def _tick(self) -> None:
        while self.running and not self.silent:
            now = time.monotonic()
            with self._lock:
                names = ", ".join(f"{name} {now - began:.0f} s" for name, began in self.running.items())
            sys.stderr.write(f"\r\x1b[Klistings {self.done}/{self.count}: {names}"[:160])
            sys.stderr.flush()
            time.sleep(0.1)
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
