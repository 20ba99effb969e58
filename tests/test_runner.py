"""Listings run as `python file.py` would run them, each in a process of its own, and nothing they do gets out."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from livedoc.runner import Job, Runner

VALUE = json.dumps({"kind": "value", "text": "x"})


def test_what_python_prints_is_what_is_captured(run, tmp_path):
    source = """
        import dataclasses, inspect, os, pickle, subprocess, sys, typing

        @dataclasses.dataclass
        class Point:
            x: "int"

        print("__name__:", __name__, os.path.basename(__file__), len(sys.argv))
        print(pickle.loads(pickle.dumps(Point(1))), typing.get_type_hints(Point))
        print(inspect.getsource(Point))
        sys.stdout.write("written\\n")
        os.write(1, b"descriptor\\n")
        subprocess.run(["echo", "child"])
        print("à è ✓", end="", sep=", ")
        if __name__ == "__main__":
            print(" main", 1, sep=" | ")
    """
    ran = run(source)
    plain = subprocess.run(
        [sys.executable, "-u", str(tmp_path / "snippet.py")], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert not ran.error
    assert ran.output == plain.stdout
    assert ran.stderr == ""


def test_what_c_and_threads_and_exit_handlers_print_is_captured(run):
    ran = run("""
        import atexit, ctypes, threading, time
        atexit.register(print, "last")
        threading.Thread(target=lambda: (time.sleep(0.1), print("thread"))).start()
        ctypes.CDLL(None).puts(b"from C")
    """)
    assert ran.output.split("\n")[:-1] in (["thread", "last", "from C"], ["from C", "thread", "last"])


def test_output_and_stderr_are_kept_apart(run):
    ran = run("import sys, warnings\nprint(1)\nwarnings.warn('careful')\nprint('note', file=sys.stderr)\n")
    assert ran.output == "1\n"
    assert "careful" in ran.stderr
    assert "note" in ran.stderr
    assert not ran.error


def test_sibling_modules_import(run, tmp_path):
    (tmp_path / "helper_beside.py").write_text("value = 42\nprint('imported')\n")
    ran = run("from helper_beside import value\nprint(value)\n")
    assert ran.output == "imported\n42\n"
    assert list(ran.inputs) == [str(tmp_path / "helper_beside.py")]


def test_it_works_in_a_folder_that_is_thrown_away(run):
    ran = run("import os\nopen('made.txt', 'w').write('x')\nprint(os.getcwd(), os.listdir())\n")
    folder = ran.output.split()[0]
    assert "['made.txt']" in ran.output
    assert not Path(folder).exists()


def test_nothing_leaks_into_the_next_listing(run):
    first = run("""
        import os, sys
        import numpy as np
        import matplotlib.pyplot as plt
        np.random.seed(0)
        np.set_printoptions(precision=1)
        plt.rcParams["lines.linewidth"] = 99
        os.environ["LEAK"] = "1"
        sys.path.insert(0, "/leak")
        import builtins; builtins.leak = 1
    """)
    second = run("""
        import os, sys
        import numpy as np
        import matplotlib.pyplot as plt
        print(plt.rcParams["lines.linewidth"], os.environ.get("LEAK"), "/leak" in sys.path, plt.get_fignums())
        print(np.array([1 / 3]))
        try: leak
        except NameError: print("clean")
    """)
    assert not first.error
    assert second.output == "1.5 None False []\n[0.33333333]\nclean\n"


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("import sys; sys.exit(0)", r"sys.exit\(0\)"),
        ("import sys; sys.exit('no')", r"sys.exit\('no'\)"),
        ("import os; os._exit(0)", "before its last line, with exit code 0"),
        ("import os; os._exit(3)", "exit code 3"),
        ("import os; os.abort()", "signal SIGABRT"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "signal SIGKILL"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("def f(): f()\nf()", "RecursionError"),
        ("print(1", "SyntaxError|never closed"),
        ("import nowhere_to_be_found", "ModuleNotFoundError"),
        ("x = bytearray(3 * 2**30)", "MemoryError"),
    ],
)
def test_a_listing_that_does_not_reach_its_end_has_failed(run, source, why):
    ran = run(source, memory=2 * 2**30)
    assert re.search(why, ran.error), ran.error


def test_a_traceback_shows_the_listing_and_not_the_engine(run):
    ran = run("print('before')\n\ndef f():\n    return 1 / 0\n\nf()\n")
    assert ran.line == 4
    assert "return 1 / 0" in ran.error
    assert "livedoc" not in ran.error
    assert ran.output == "before\n"


@pytest.mark.parametrize(
    "source", ["while True: pass", "import time; time.sleep(3600)", "import threading; threading.Event().wait()"]
)
def test_a_hang_is_stopped(run, source):
    began = time.monotonic()
    ran = run(source, limit=0.5)
    assert "longer than 0.5 s" in ran.error
    assert time.monotonic() - began < 5


def test_what_a_listing_started_ends_with_it(run):
    ran = run("""
        import subprocess, sys
        code = "import os, time; os.setsid(); time.sleep(600)"
        print(subprocess.Popen([sys.executable, "-c", code]).pid)
    """)
    assert not ran.error
    assert not psutil.pid_exists(int(ran.output))


def test_endless_output_is_stopped(run):
    ran = run("while True: print('x' * 1000)")
    assert "printed more than" in ran.error


def test_a_listing_may_close_or_replace_its_output(run):
    assert run("import io, sys\nprint('a')\nsys.stdout = io.StringIO()\nprint('lost')\nx = 1\n", VALUE).output == "a\n"
    closed = run("import sys\nprint('a')\nsys.stdout.close()\nx = 1\n", VALUE)
    assert closed.output == "a\n"


def test_invalid_utf8_and_nul_are_shown_and_not_lost(run):
    assert run("import os\nos.write(1, b'a\\xffb\\x00c')\n").output == "a\\xffb\x00c"


def test_figures_are_taken_after_each_cell_or_at_show(run):
    ran = run("""
        import matplotlib.pyplot as plt
        plt.plot([1, 2])
        plt.show()
        # %% figure: A line.
        fig, ax = plt.subplots()
        ax.plot([1, 2])
        plt.show()
        # %% figure: Two bars.
        plt.bar([1, 2], [3, 4])
    """)
    assert not ran.error
    assert ran.stderr == ""
    assert [figure["caption"] for figure in ran.figures] == [None, "A line.", "Two bars."]
    assert all(figure["svg"].startswith("<?xml") for figure in ran.figures)


@pytest.mark.parametrize("draw", ["x = 1", "plt.figure(); plt.figure()"])
def test_a_figure_cell_draws_one_figure(run, draw):
    ran = run(f"import matplotlib.pyplot as plt\n# %% figure: One.\n{draw}\n")
    assert "figures instead of one" in ran.error


def test_figures_are_equal_byte_for_byte(run):
    source = "import matplotlib.pyplot as plt\n# %% figure: A line.\nplt.plot([1, 3, 2], label='a'); plt.legend()\n"
    assert run(source).figures == run(source).figures


def test_answers_come_from_the_namespace_after_the_last_cell(run):
    ran = run("x = 1\n# %% figure: F.\nimport matplotlib.pyplot as plt\nplt.plot([1])\nx = 2\n", VALUE)
    assert ran.answers[VALUE]["text"] == "2"


def test_future_imports_hold_in_the_cells_that_follow(run):
    ran = run("""
        from __future__ import annotations
        import matplotlib.pyplot as plt
        # %% figure: F.
        def f(a: Undefined): pass
        plt.plot([1])
        x = f.__annotations__["a"]
    """, VALUE)  # fmt: skip
    assert ran.answers[VALUE]["text"] == "Undefined"


def test_a_listing_that_measures_time_runs_alone(runner, tmp_path):
    spans = """
        import time
        start = time.monotonic(); time.sleep(0.3); print(start, time.monotonic())
    """
    for name in ("a", "b", "c", "d"):
        (tmp_path / f"{name}.py").write_text("\n".join(line.strip() for line in spans.split("\n")))
    jobs = [Job(tmp_path / f"{name}.py", "en", alone=name == "b") for name in ("a", "b", "c", "d")]
    done = [future.result() for future in [runner.submit(job) for job in jobs]]
    (a, alone, c, d) = [tuple(map(float, ran.output.split())) for ran in done]
    for other in (a, c, d):
        assert other[1] <= alone[0] or other[0] >= alone[1]


def test_a_fresh_interpreter_serves_where_there_is_no_fork(tmp_path):
    fresh = Runner(fork=False)
    path = tmp_path / "a.py"
    path.write_text("import matplotlib.pyplot as plt\nx = 1\nprint('à')\n# %% figure: F.\nplt.plot([1])\nplt.show()\n")
    ran = fresh.submit(Job(path, "en", (VALUE,))).result()
    assert (ran.error, ran.output, ran.answers[VALUE]["text"], len(ran.figures)) == ("", "à\n", "1", 1)
    path.write_text("while True: pass\n")
    assert "longer than" in fresh.submit(Job(path, "en", limit=4)).result().error
    fresh.close()


@pytest.fixture
def preview():
    remembering = Runner(remember=True)
    yield remembering
    remembering.close()


def test_a_preview_runs_again_only_what_changed(preview, tmp_path):
    helper, path = tmp_path / "help_preview.py", tmp_path / "a.py"
    helper.write_text("value = 1\n")
    (tmp_path / "data.txt").write_text("one")
    path.write_text(
        "import help_preview, os\nprint(os.getpid(), help_preview.value, open(DATA).read())\n".replace(
            "DATA", repr(str(tmp_path / "data.txt"))
        )
    )

    def again(**change):
        return preview.submit(Job(path, "en", **change)).result().output

    first = again()
    assert again() == first
    assert again(asks=(VALUE.replace("x", "1"),)) != first
    helper.write_text("value = 2\n")
    second = again()
    assert second.split()[1] == "2"
    assert again() == second
    (tmp_path / "data.txt").write_text("two")
    third = again()
    assert third.split()[2] == "two"
    path.write_text(path.read_text() + "# edited\n")
    assert again() != third


def test_a_preview_does_not_remember_failures(preview, tmp_path):
    path = tmp_path / "a.py"
    path.write_text("1 / 0\n")
    assert "ZeroDivisionError" in preview.submit(Job(path, "en")).result().error
    assert "ZeroDivisionError" in preview.submit(Job(path, "en")).result().error
    assert preview.known == {}


def test_a_build_never_remembers(runner, tmp_path):
    path = tmp_path / "a.py"
    path.write_text("import os\nprint(os.getpid())\n")
    assert runner.submit(Job(path, "en")).result().output != runner.submit(Job(path, "en")).result().output


def test_a_missing_file_and_a_missing_translation_are_failures(run, runner, tmp_path):
    assert "cannot be read" in runner.submit(Job(tmp_path / "none.py", "en")).result().error
    assert "no catalogue it.po" in run("print('words')", language="it").error


def test_the_worker_ends_when_the_build_is_killed(tmp_path):
    path = tmp_path / "a.py"
    path.write_text("import time\ntime.sleep(600)\n")
    code = (
        "from livedoc.runner import *; r = Runner(); f = r.submit(Job(Path(r'" + str(path) + "'), 'en'));"
        "import time; print('ready', flush=True); time.sleep(600)"
    )
    build = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    build.stdout.readline()
    end = time.monotonic() + 20
    while len(family := psutil.Process(build.pid).children(recursive=True)) < 2 and time.monotonic() < end:
        time.sleep(0.05)
    assert len(family) == 2
    build.kill()
    build.wait()
    _, alive = psutil.wait_procs(family, timeout=10)
    assert not alive


def test_the_process_that_forks_has_one_thread(runner, run):
    """A fork beside a running thread may deadlock: the worker imports, and computes nothing."""
    run(
        "import numpy as np, torch\nnp.ones((500, 500)) @ np.ones((500, 500))\n"
        "torch.ones(500, 500) @ torch.ones(500, 500)"
    )
    assert psutil.Process(runner._worker.pid).num_threads() == 1
