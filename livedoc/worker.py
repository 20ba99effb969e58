"""The warm process: it imports what listings use, computes nothing, and forks one child per request.

`python -m livedoc.worker SOCKET` serves requests until its standard input ends, that is, until the process that
started it is gone, however it went. A request is one line of JSON; the answer is the child's pid on a line, then one
line of JSON. It imports nothing of MkDocs or Markdown.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import select
import shutil
import signal
import socketserver
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import NoReturn

import psutil

from livedoc import child

_PR_SET_CHILD_SUBREAPER = 36


def _kill_tree() -> None:
    """Kill every descendant of this process, orphans included: this process is their subreaper."""
    family = psutil.Process().children(recursive=True)
    for process in family:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(family, timeout=1)


def supervise(pid: int, limit: float, scratch: str) -> child.Json:
    """Wait for a child, end it and all its descendants when it goes too far, and return what came of it.

    Args:
        pid: The child.
        limit: Seconds it may take.
        scratch: The folder with its captured output and its result.
    """
    parent, end, stopped = os.getppid(), time.monotonic() + limit, ""
    while True:
        done, status, usage = os.wait4(pid, os.WNOHANG)
        if done:
            break
        if time.monotonic() > end:
            stopped = f"it ran for longer than {limit:g} s and was stopped"
        elif os.path.getsize(f"{scratch}/stdout") > child.MOST_PRINTED:
            stopped = f"it printed more than {child.MOST_PRINTED >> 20} MiB and was stopped"
        elif os.getppid() != parent:
            stopped = "the build is gone"
        if stopped:
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.003)
    _kill_tree()
    code = os.waitstatus_to_exitcode(status)
    if Path(f"{scratch}/result").exists() and not stopped:
        result: child.Json = json.loads(child.text_of(f"{scratch}/result"))
    else:
        how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        result = {"error": stopped or f"it ended before its last line, with {how}"}
    result["output"], result["stderr"] = child.text_of(f"{scratch}/stdout"), child.text_of(f"{scratch}/stderr")
    result["memory"] = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return result


class _Handler(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        request = json.loads(self.rfile.readline())
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        scratch = tempfile.mkdtemp(prefix="livedoc-")  # not TemporaryDirectory: the child's exit would remove it
        try:
            Path(f"{scratch}/stdout").touch()
            pid = os.fork()
            if pid == 0:
                self._become_child(request, scratch)
            self.wfile.write(f"{pid}\n".encode())
            result = supervise(pid, request["limit"], scratch)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        self.wfile.write(json.dumps(result).encode() + b"\n")

    def _become_child(self, request: child.Json, scratch: str) -> NoReturn:
        try:
            self.server.socket.close()  # type: ignore[attr-defined]
            self.connection.close()
            resource.setrlimit(resource.RLIMIT_DATA, (request["memory"],) * 2)
            child.main(request, scratch)
        finally:  # whatever happens, never go on as a second handler
            traceback.print_exc()
            os._exit(70)


class _Server(socketserver.ForkingMixIn, socketserver.UnixStreamServer):
    def service_actions(self) -> None:
        super().service_actions()
        if select.select([0], [], [], 0)[0]:  # standard input ended: whoever started this is gone
            _kill_tree()
            os._exit(0)


def main(address: str) -> None:
    """Listen first, so that requests may queue while the imports run; then serve."""
    with _Server(address, _Handler) as server:
        child.warm()
        server.serve_forever(poll_interval=0.2)


if __name__ == "__main__":
    main(sys.argv[1])
