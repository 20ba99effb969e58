"""The parent's side: one run per (snippet, language), as many at once as there are cores."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import socket
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
import traceback
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from livedoc import child, snippet
from livedoc.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Iterator

LIMIT = 60.0
MEMORY = 8 * 2**30
PATIENCE = 60.0
"""Seconds beyond a listing's limit that the worker has for its imports and its answer."""
# One thread a listing: they run side by side, and the order of a sum must not depend on the machine's cores.
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "MPLBACKEND": "svg",
}  # fmt: skip


@dataclass(frozen=True)
class Job:
    """What to run: a snippet in a language, the page’s questions, its limits (s, bytes), and whether it is told.

    With `pictures` each figure comes as a PNG too, which a notebook needs.
    """

    path: Path
    language: str
    asks: tuple[str, ...] = ()
    limit: float = LIMIT
    memory: int = MEMORY
    alone: bool = False
    told: bool = True
    pictures: bool = False


@dataclass
class Run:
    """What came of a job, as plain data: times in seconds, memory in bytes, `error` empty on success.

    `rendered` keeps what was made of it, so that a preview does not make it again.
    """

    language: str
    source: str = ""
    output: str = ""
    stderr: str = ""
    figures: list[dict[str, Any]] = field(default_factory=list)
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    seconds: float = 0.0
    memory: int = 0
    inputs: dict[str, str] = field(default_factory=dict)
    modules: list[str] = field(default_factory=list)
    error: str = ""
    line: int | None = None
    rendered: dict[str, str] = field(default_factory=dict, repr=False)


def _digest(path: str | Path) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return "gone"


class Runner:
    """Runs jobs in fresh processes forked from one warm worker, and remembers the runs of a live preview.

    Args:
        remember: Answer a job whose code, questions and inputs are unchanged from its last good run.
        fork: Fork from the warm worker; otherwise start a fresh interpreter for each job.
    """

    def __init__(self, *, remember: bool = False, fork: bool = hasattr(os, "fork")) -> None:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self.remember, self.fork = remember, fork
        # One more than the cores: while a run is read and told, no core waits.
        self.pool = ThreadPoolExecutor(cores + 1, thread_name_prefix="listing")
        self.known: dict[Job, Run] = {}
        self.progress = Progress()
        self._worker: subprocess.Popen[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._stamp: object = None
        self._start = threading.Lock()
        self._gate, self._idle, self._active = threading.Lock(), threading.Condition(), 0

    def submit(self, job: Job) -> Future[Run]:
        """Read a job's snippet in its language and queue it; jobs start in the order in which they are submitted."""
        name = f"{job.path.parent.name}/{job.path.name} ({job.language})"
        if job.told:
            self.progress.queued()
        try:
            source = snippet.read(job.path)
            ast.parse(source, str(job.path))
            if job.language != snippet.SOURCE_LANGUAGE:
                from livedoc import words  # not above: LibCST takes long to load, and the worker need not wait for it

                source = words.localise(source, self.catalogue(job))
            cells = snippet.cells(source)
        except Exception as error:  # whatever a file holds, its page says so, and the others go on
            if job.told:
                self.progress.ended(name, failed=True)
            said = str(error) if isinstance(error, snippet.SnippetError) else traceback.format_exception_only(error)
            return _done(Run(job.language, error="".join(said).rstrip(), line=getattr(error, "lineno", None)))
        if known := self._known(job, source):
            if job.told:
                self.progress.ended()
            return _done(known)
        return self.pool.submit(self._do, job, name, source, cells)

    def close(self) -> None:
        """End the worker and whatever it still runs."""
        self.progress.silent = True
        self.pool.shutdown(wait=False, cancel_futures=True)
        if self._worker:
            if self._active:  # it ends its children, then itself
                self._worker.stdin.close()  # type: ignore[union-attr]
            else:  # at once, also in the middle of its imports
                self._worker.kill()
            self._worker.wait()
        if self._folder:
            self._folder.cleanup()

    def _do(self, job: Job, name: str, source: str, cells: list[snippet.Cell]) -> Run:
        request = {
            "path": str(job.path),
            "source": source,
            "cells": [(cell.line, cell.caption) for cell in cells],
            "asks": [json.loads(ask) for ask in job.asks],
            "limit": job.limit,
            "memory": job.memory,
            "pictures": job.pictures,
        }
        scratch = tempfile.TemporaryDirectory(prefix="livedoc-", ignore_cleanup_errors=True)
        result: dict[str, Any]
        with scratch, self._turn(job):
            Path(scratch.name, "stdout").touch()
            if job.told:
                self.progress.started(name)
            try:
                result = (self._forked if self.fork else self._fresh)({**request, "scratch": scratch.name})
            except TimeoutError:
                result = {"error": "the process that runs listings does not answer"}
                if self._worker:
                    self._worker.kill()
                    self._worker.wait()
            except Exception as error:  # superfences would swallow it, and publish the listing without its output
                result = {"error": f"its run was lost: {type(error).__name__}: {error}"}
        answers = dict(zip(job.asks, result.pop("answers", []), strict=False))
        inputs = {path: _digest(path) for path in result.pop("inputs", [])}
        run = Run(job.language, source, answers=answers, inputs=inputs, **result)
        if self.remember and not run.error:
            self.known[job] = run
        if job.told:
            self.progress.ended(name, failed=bool(run.error))
        return run

    @staticmethod
    def catalogue(job: Job) -> Path:
        """Return the catalogue of a job's language: the nearest `<language>.po` above its snippet."""
        name = f"{job.language}.po"
        return next((up / name for up in job.path.parents if (up / name).is_file()), job.path.parent / name)

    def _known(self, job: Job, source: str) -> Run | None:
        run = self.known.get(job)
        same = run and run.source == source and all(_digest(p) == digest for p, digest in run.inputs.items())
        return run if same and self._stamp == _installed() else None

    @contextmanager
    def _turn(self, job: Job) -> Iterator[None]:
        """Wait for a turn: a job that measures time lets the others end, and holds the gate while it runs."""
        with self._gate:
            with self._idle:
                self._idle.wait_for(lambda: not (job.alone and self._active))
                self._active += 1
            if job.alone:
                yield from self._counted()
        if not job.alone:
            yield from self._counted()

    def _counted(self) -> Iterator[None]:
        try:
            yield
        finally:
            with self._idle:
                self._active -= 1
                self._idle.notify_all()

    def _forked(self, request: dict[str, Any]) -> dict[str, Any]:
        self.start()
        with socket.socket(socket.AF_UNIX) as connection:
            self._connect(connection)
            answer = b""
            connection.settimeout(request["limit"] + PATIENCE)
            with suppress(ConnectionError):
                connection.sendall(json.dumps(request).encode() + b"\n")
                answer = connection.makefile("rb").readline()
        if not answer:  # a listing has ended or stopped it
            return {"error": "the process that runs listings is gone"}
        ended: dict[str, Any] = json.loads(answer)
        memory = ended.pop("memory")
        return {**child.outcome(request["scratch"], **ended), "memory": memory}

    def start(self) -> None:
        """Start the worker, unless it runs already and no package has changed since; it imports in its own time."""
        with self._start:
            if self.fork and (self._stamp != _installed() or self._worker is None or self._worker.poll() is not None):
                self._begin()

    @property
    def address(self) -> str:
        """The worker's socket."""
        return f"{self._folder.name if self._folder else ''}/worker"

    def _begin(self) -> None:
        """Start the worker; it listens before it imports, so requests may queue meanwhile."""
        if self._worker:
            self._worker.kill()
        self.known.clear()
        self._stamp = _installed()
        self._folder = tempfile.TemporaryDirectory(prefix="livedoc-")
        self._worker = subprocess.Popen(
            [sys.executable, "-m", "livedoc.worker", self.address],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env={**os.environ, **ENVIRONMENT},
            start_new_session=True,  # an interrupt at the terminal reaches the build, and ends the worker with it
        )  # fmt: skip

    def _connect(self, connection: socket.socket) -> None:
        """Connect to the worker, which listens a moment after it was started, long before its imports are done."""
        while True:
            try:
                return connection.connect(self.address)
            except (FileNotFoundError, ConnectionRefusedError):
                if self._worker is None or self._worker.poll() is not None:
                    raise RuntimeError("the process that runs listings did not start") from None
                time.sleep(0.005)

    @staticmethod
    def _fresh(request: dict[str, Any]) -> dict[str, Any]:
        command = [sys.executable, "-m", "livedoc.child"]
        env = {**os.environ, **ENVIRONMENT}
        code, stopped = 0, ""
        try:
            code = subprocess.run(
                command, input=json.dumps(request).encode(), env=env, timeout=request["limit"]
            ).returncode
        except subprocess.TimeoutExpired:
            stopped = f"it ran for longer than {request['limit']:g} s and was stopped"
        return child.outcome(request["scratch"], code, stopped)


def _done(run: Run) -> Future[Run]:
    future: Future[Run] = Future()
    future.set_result(run)
    return future


def _installed() -> object:
    """A stamp that changes when a package is installed or removed."""
    return os.stat(sysconfig.get_paths()["purelib"]).st_mtime_ns
