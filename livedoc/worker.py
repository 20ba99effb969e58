"""The warm process: it imports what listings use, computes nothing, and forks one child per request.

`python -m livedoc.worker SOCKET` serves requests until its standard input ends, that is, until the process that
started it is gone, however it went. A request is one line of JSON with the scratch folder that its caller made; the
answer is one line of JSON: how the child ended (`code`), why it was stopped (`stopped`), its peak `memory` in bytes.
What it printed and its result are in the scratch folder. It imports nothing of MkDocs or Markdown.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import os
import resource
import select
import signal
import socket
import sys
import time
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import psutil

from livedoc import child

if TYPE_CHECKING:
    from collections.abc import Container

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_POLL = 0.002


def _adopt_orphans() -> None:
    """Let the orphans among this process's descendants become its children, so that none is lost (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _end_with_parent() -> None:
    """Let this process be killed when its parent ends, however it ends (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _kill(processes: list[psutil.Process]) -> None:
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(processes, timeout=1)


def _clear(kept: Container[int] = ()) -> None:
    """End this process's children, but for those that are kept, and all that they started."""
    for _ in range(100):  # what was forked while one looked comes to this process, and is seen the next time
        orphans = [process for process in psutil.Process().children() if process.pid not in kept]
        if not orphans:
            return
        _kill([process for orphan in orphans for process in (*orphan.children(recursive=True), orphan)])


@dataclass
class Child:
    """A running listing: who waits for it, its request, when it must have ended, why it was stopped."""

    connection: socket.socket
    request: child.Json
    end: float
    stopped: str = ""

    def check(self, pid: int) -> None:
        """Stop it when it takes too long or prints too much."""
        if time.monotonic() > self.end:
            self.stopped = f"it ran for longer than {self.request['limit']:g} s and was stopped"
        else:
            self.measure()
        if self.stopped:
            os.kill(pid, signal.SIGKILL)

    def measure(self) -> None:
        """See how much it has printed."""
        for name in ("stdout", "stderr"):
            with contextlib.suppress(FileNotFoundError):  # not there yet, or deleted by the listing
                if os.stat(f"{self.request['scratch']}/{name}").st_size > child.MOST_PRINTED:
                    self.stopped = f"it printed more than {child.MOST_PRINTED >> 20} MiB and was stopped"


class Worker:
    """Accepts requests, forks, and waits for the children: all in one thread, as a process that forks must."""

    def __init__(self, listener: socket.socket) -> None:
        self.listener = listener
        self.children: dict[int, Child] = {}

    def serve(self) -> None:
        """Work until standard input ends."""
        while True:
            watched: list[Any] = [self.listener, 0]
            ready, _, _ = select.select(watched, [], [], _POLL if self.children else None)
            if 0 in ready:
                _clear()
                return
            if self.listener in ready:
                self._begin(self.listener.accept()[0])
            for pid in list(self.children):
                self._look(pid)

    def _begin(self, connection: socket.socket) -> None:
        request = json.loads(connection.makefile("rb").readline())
        pid = os.fork()
        if pid == 0:
            self._become_child(request, connection)
        self.children[pid] = Child(connection, request, time.monotonic() + request["limit"])

    def _become_child(self, request: child.Json, connection: socket.socket) -> NoReturn:
        try:
            for one in (self.listener, connection, *(other.connection for other in self.children.values())):
                one.close()
            _end_with_parent()
            _adopt_orphans()
            resource.setrlimit(resource.RLIMIT_DATA, (request["memory"],) * 2)
            child.main(request)
        finally:  # whatever happens, never go on as a second worker
            traceback.print_exc()
            os._exit(70)

    def _look(self, pid: int) -> None:
        """See whether a child has ended; if so, end what it left behind and tell who waits for it."""
        done, status, usage = os.wait4(pid, os.WNOHANG)
        if not done:
            self.children[pid].check(pid)
            return
        ended = self.children.pop(pid)
        ended.measure()
        # A child adopts its own orphans: one that comes to this process has lost its listing.
        _clear(self.children)
        answer = {
            "code": os.waitstatus_to_exitcode(status),
            "stopped": ended.stopped,
            "memory": usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
        }
        with ended.connection, contextlib.suppress(BrokenPipeError):
            ended.connection.sendall(json.dumps(answer).encode() + b"\n")


def main(address: str) -> None:
    """Listen first, so that requests may queue while the imports run; then serve."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(128)
        _adopt_orphans()
        gc.disable()  # what is imported stays: looking through it again and again takes a fifth of the time
        child.warm()
        gc.freeze()  # nor shall every child look through it, and copy its pages
        gc.enable()
        Worker(listener).serve()
        os._exit(0)  # at once: taking down what was imported takes longer than a listing


if __name__ == "__main__":
    main(sys.argv[1])
