"""What happens inside the process of one listing: it runs as `__main__`, then its questions are answered."""

from __future__ import annotations

import ast
import atexit
import base64
import contextlib
import ctypes
import hashlib
import importlib
import io
import json
import linecache
import logging
import os
import signal
import sys
import threading
import time
import traceback
import types
import weakref
from pathlib import Path
from typing import Any, NoReturn

from livedoc import answers, drawn, guard

Json = dict[str, Any]

MOST_PRINTED = 32 * 2**20
"""Bytes a listing may print."""

WARM = ("numpy", "torch", "matplotlib.pyplot")


def warm() -> None:
    """Import what listings use and draw one throw-away figure: the font cache is the slow part of the first."""
    for name in WARM:
        with contextlib.suppress(ModuleNotFoundError):
            importlib.import_module(name)
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.switch_backend("svg")
        pyplot.subplots()[0].savefig(io.BytesIO(), format="svg")
        pyplot.close("all")


class _Figures:
    """The figures a listing draws, taken as SVG after each cell or at `plt.show()`."""

    def __init__(self, pictures: bool) -> None:
        self.pictures = pictures
        self.taken: list[Json] = []
        self.caption: str | None = None
        if "matplotlib.pyplot" in sys.modules:
            sys.modules["matplotlib.pyplot"].show = self.take  # type: ignore[attr-defined]

    def take(self, *args: object, **options: object) -> None:
        pyplot: Any = sys.modules.get("matplotlib.pyplot")
        for number in pyplot.get_fignums() if pyplot else []:
            drawing = io.StringIO()
            tables = drawn.tables(pyplot.figure(number))
            # Text stays text, and nothing in the file changes from run to run.
            with pyplot.rc_context({"svg.fonttype": "none", "svg.hashsalt": "livedoc"}):
                pyplot.figure(number).savefig(
                    drawing, format="svg", transparent=True, bbox_inches="tight", pad_inches=0.05,
                    metadata={"Date": None, "Creator": None},
                )  # fmt: skip
            data = repr([*map(_drawn, pyplot.figure(number).axes), drawn.numbers(tables)])
            picture = {"png": _picture(pyplot.figure(number))} if self.pictures else {}
            pyplot.close(number)
            digest = hashlib.sha256(data.encode()).hexdigest()
            figure = {"caption": self.caption, "svg": drawing.getvalue(), "data": digest, "tables": tables}
            self.taken.append({**figure, **picture})


def _picture(figure: Any) -> str:
    """Return a drawing as a PNG, in base 64: what a notebook shows where it does not trust an SVG."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=144, bbox_inches="tight", pad_inches=0.05, metadata={"Software": None})
    return base64.b64encode(file.getvalue()).decode()


def _drawn(axes: Any) -> list[Any]:
    """Return the data of what is drawn: words differ between languages, lines, patches and points must not."""
    return [
        [line.get_xydata().tolist() for line in axes.lines],
        [patch.get_patch_transform().transform(patch.get_path().vertices).tolist() for patch in axes.patches],
        [patch.get_facecolor() for patch in axes.patches],
        [collection.get_offsets().tolist() for collection in axes.collections],
        [axes.get_xlim(), axes.get_ylim()],
    ]


def _run(request: Json, module: types.ModuleType, figures: _Figures) -> None:
    """Run the cells one after the other, in one namespace, as `python file.py` would."""
    source, path = request["source"], request["path"]
    linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)
    body, flags = ast.parse(source, path).body, 0
    starts = [line for line, _ in request["cells"]]
    for (start, caption), end in zip(request["cells"], [*starts[1:], sys.maxsize], strict=True):
        part = ast.Module([node for node in body if start <= node.lineno < end], [])
        code = compile(part, path, "exec", flags, dont_inherit=True)
        flags = code.co_flags & ~0xFFFF  # “from __future__ import …” holds for the cells that follow
        figures.caption, before = caption, len(figures.taken)
        exec(code, module.__dict__)
        figures.take()
        if caption and len(figures.taken) != before + 1:
            raise RuntimeError(
                f"the figure cell “{caption}” draws {len(figures.taken) - before} figures instead of one"
            )


def _failure(error: BaseException, path: str) -> Json:
    """Say what went wrong, with the frames of the listing and not those of the engine."""
    report = traceback.TracebackException.from_exception(error)
    engine = str(Path(__file__).parent)
    report.stack[:] = [frame for frame in report.stack if not frame.filename.startswith(engine)]
    line = next((frame.lineno for frame in reversed(report.stack) if frame.filename == path), None)
    if isinstance(error, SystemExit):
        return {"error": f"it called sys.exit({error.code!r})", "line": line}
    return {"error": "".join(report.format()).rstrip(), "line": line or getattr(error, "lineno", None)}


def execute(request: Json) -> Json:
    """Run one snippet in this process and answer its page's questions.

    Args:
        request: `path`, `source`, `cells` (first line and caption of each) and `asks`.

    Returns:
        `error` and `line` of a failure, or `figures`, `answers`, `seconds`; and the `inputs` it read.
    """
    path = request["path"]
    warm_modules, read = set(sys.modules), guard.watch(path)
    sys.argv, sys.path[0] = [path], str(Path(path).parent)
    module = types.ModuleType("__main__")
    module.__dict__.update(__file__=path, __builtins__=__builtins__)
    sys.modules["__main__"] = module
    figures, began = _Figures(request.get("pictures", False)), time.perf_counter()
    result: Json = {}
    try:
        _run(request, module, figures)
        result["seconds"] = time.perf_counter() - began
        result["answers"] = [answers.answer(ask, module.__dict__) for ask in request["asks"]]
    except BaseException as error:
        result = {**_failure(error, path), "status": (error.code or 0) if isinstance(error, SystemExit) else 1}
    result["figures"] = figures.taken
    result["modules"] = sorted({name.partition(".")[0] for name in sys.modules})
    modules = [getattr(sys.modules[name], "__file__", None) for name in list(sys.modules) if name not in warm_modules]
    result["inputs"] = _inputs(
        {*read, *(file for file in modules if isinstance(file, str))} - {path}, request["scratch"]
    )
    return result


def _inputs(files: set[str], scratch: str) -> list[str]:
    """Keep the files a run depends on: not Python's, not the packages', not its own scratch files."""
    system = (sys.prefix, sys.base_prefix, "/proc", "/sys", "/dev", "/etc", "/usr", scratch, str(Path(__file__).parent))
    with contextlib.suppress(FileNotFoundError):  # the folder it works in may be gone
        files = {os.path.abspath(file) for file in files}
    return sorted(
        path for path in files if not path.startswith(system) and os.path.isabs(path) and Path(path).is_file()
    )


def text_of(path: str) -> str:
    """Return what a captured file holds; bytes that are not UTF-8 become visible escapes."""
    file = Path(path)
    return file.read_bytes()[:MOST_PRINTED].decode("utf-8", errors="backslashreplace") if file.exists() else ""


def _captured(name: str, descriptor: int) -> io.TextIOWrapper:
    file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(file, descriptor)
    os.close(file)
    raw = io.FileIO(descriptor, "w", closefd=False)
    # Line by line, as on a terminal: what a child process prints falls in its place.
    return io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", line_buffering=True)


def _forget_exit_handlers() -> None:
    """Drop what the imports want done at exit, which takes longer than a listing; keep what a program relies on."""
    atexit._clear()
    atexit.register(logging.shutdown)
    if multiprocessing := sys.modules.get("multiprocessing.util"):
        atexit.register(multiprocessing._exit_function)
    finalizers: Any = weakref.finalize
    finalizers._registry.clear()
    finalizers._registered_with_atexit = False


def _end(result: Json) -> Json:
    """Do what Python does at the end of a program: wait for its threads, call what it registered."""
    try:
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
    except BaseException as error:
        return {"error": result.get("error") or f"at its end: {type(error).__name__}: {error}"}
    return {}


def main(request: Json) -> NoReturn:
    """Run a request with everything it prints captured in its scratch folder, leave its result there, and end."""
    scratch = request["scratch"]
    if hasattr(os, "setsid"):
        os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    out, err = _captured(f"{scratch}/stdout", 1), _captured(f"{scratch}/stderr", 2)
    sys.stdout, sys.stderr = out, err
    os.mkdir(f"{scratch}/work")
    os.chdir(f"{scratch}/work")
    _forget_exit_handlers()
    listing = os.getpid()
    result = execute(request)
    status = result.pop("status", 0)
    result.update(_end(result))
    for end in (out.flush, err.flush, lambda: ctypes.CDLL(None).fflush(None)):
        with contextlib.suppress(Exception):  # the listing may have closed it
            end()
    if os.getpid() != listing:  # a copy that the listing forked, and let run on: its end is not the listing's
        os._exit(status if isinstance(status, int) else 1)
    Path(f"{scratch}/result.part").write_text(json.dumps(result), encoding="utf-8")
    os.rename(f"{scratch}/result.part", f"{scratch}/result")  # whole, or not there
    os._exit(0)


def outcome(scratch: str, code: int, stopped: str = "") -> Json:
    """Return what came of a child: what it left in its scratch folder, or how it ended without a result.

    Args:
        scratch: The folder.
        code: Its exit code, or minus the number of the signal that ended it.
        stopped: Why it was stopped from outside, if it was.
    """
    file = Path(scratch, "result")
    if file.exists() and code == 0 and not stopped:
        result: Json = json.loads(file.read_text("utf-8"))
    else:
        named = -code in set(signal.Signals)
        how = f"signal {signal.Signals(-code).name if named else -code}" if code < 0 else f"exit code {code}"
        result = {"error": stopped or f"it ended before its last line, with {how}"}
    return {**result, "output": text_of(f"{scratch}/stdout"), "stderr": text_of(f"{scratch}/stderr")}


if __name__ == "__main__":  # a fresh interpreter per listing, where the system cannot fork
    warm()
    main(json.load(sys.stdin))
