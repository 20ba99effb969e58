"""Progress: how many of how many, which is running, for how long; plain lines where there is no terminal."""

import io
import sys
import time

from livedoc.progress import Progress


class Terminal(io.StringIO):
    """A standard error that says it is a terminal."""

    def isatty(self):
        """Say so."""
        return True


def told(monkeypatch, stream):
    """Let standard error be a stream; pytest would put its own back before a test that a fixture prepared."""
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


def test_a_plain_line_for_each_listing_that_ran(monkeypatch):
    plain = told(monkeypatch, io.StringIO())
    progress = Progress()
    for _ in range(3):
        progress.queued()
    progress.started("a/b.py (it)")
    progress.ended("a/b.py (it)")
    progress.ended()  # one that a preview knew already
    progress.ended("a/c.py (en)", failed=True)
    first, second = plain.getvalue().splitlines()
    assert first.startswith("listing 1/3: a/b.py (it) 0.0")
    assert second == "listing 3/3: a/c.py (en) FAILED"
    assert "\x1b" not in plain.getvalue()


def test_one_changing_line_on_a_terminal(monkeypatch):
    terminal = told(monkeypatch, Terminal())
    progress = Progress()
    progress.queued()
    progress.queued()
    progress.started("a/b.py (it)")
    progress.started("a/c.py (en)")
    time.sleep(0.25)
    progress.ended("a/b.py (it)")
    progress.ended("a/c.py (en)")
    time.sleep(0.25)
    shown = terminal.getvalue()
    assert "\r\x1b[Klistings 0/2: a/b.py (it) 0 s, a/c.py (en) 0 s" in shown
    assert shown.endswith("\r\x1b[K")
    assert "\n" not in shown


def test_nothing_is_said_once_it_no_longer_matters(monkeypatch):
    plain = told(monkeypatch, io.StringIO())
    progress = Progress()
    progress.queued()
    progress.silent = True
    progress.ended("a/b.py (it)", failed=True)
    assert plain.getvalue() == ""
