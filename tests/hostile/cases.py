"""The corpus: small hostile listings, what their pages ask of them, and what must then be seen.

Every case is a page of its own, in both languages. Its listing is called “x” and its fence stands on line 3; what the
page adds stands on line 7. Words that are printed would need a translation: these listings print none.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """A listing, more options of its fence, and what its page adds."""

    name: str
    source: str
    fence: str = ""
    page: str = ""

    @property
    def program(self) -> str:
        """The snippet file."""
        return textwrap.dedent(self.source).lstrip("\n")

    @property
    def text(self) -> str:
        """The page."""
        fence = f'```python exec="on" source="above" result="text" id="x" {self.fence}'.rstrip()
        return f'# T\n\n{fence}\n--8<-- "{self.name}.py"\n```\n\n{self.page}\n'


@dataclass(frozen=True)
class Shown(Case):
    """It is published: its output literally, and these pieces of HTML on the Italian page."""

    output: str = ""
    html: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fault(Case):
    """The build stops, and says this (a regular expression) of this line of the page, in both languages."""

    says: str = ""
    line: int = 3


def writes(name: str, text: str, output: str) -> Shown:
    """Return the case of a listing that writes a text."""
    return Shown(name, f"import sys\nx = sys.stdout.write({text!r})\n", output=output)


SHOWN = [
    # What is printed is data.
    writes("no_final_newline", "1", "1\n"),
    writes("right_to_left", "1\u202e2\u200f\u2067", "1\\u202e2\\u200f\\u2067\n"),
    writes("markup", "</code></pre><script>alert(1)</script>&amp;", "</code></pre><script>alert(1)</script>&amp;\n"),
    writes("markdown", '`a` $x$ \\(y\\) **b** {{ c }}\n--8<-- "x.py"\n````````\n| a |\n# H\n[a](b)\n~~~',
           '`a` $x$ \\(y\\) **b** {{ c }}\n--8<-- "x.py"\n````````\n| a |\n# H\n[a](b)\n~~~\n'),
    writes("asks_in_output", "`{x} 1 / 0` `{x} assert 1 > 2`", "`{x} 1 / 0` `{x} assert 1 > 2`\n"),
    writes("ansi", "\x1b[31mred\x1b[0m \x1b]0;title\x07\x1b[2J.", "red .\n"),
    writes("progress", "10%\r50%\r100%\n", "100%\n"),
    writes("private_use", "\ue000\ue001\uf8ff\n", "\ue000\ue001\uf8ff\n"),
    writes("placeholders", "\x02wzxhzdk:0\x03 \x02amp\x03\n", "␂wzxhzdk:0␃ ␂amp␃\n"),
    Shown("invalid_utf8", "import os\nx = os.write(1, b'1\\xff2\\xc3')\n", output="1\\xff2\\xc3\n"),
    Shown("nul", "import os\nx = os.write(1, b'1\\x002')\n", output="1␀2\n"),
    Shown("surrogate", "x = '\\ud800'\nprint(x)\n", output="\\ud800\n"),
    Shown("long_output", "for i in range(50_000):\n    print(i)\n",
          html=("49800 righe non mostrate", 'href="outputs/x.txt"')),
    Shown("long_line", "print('1' * 1_000_000)\n", html=('href="outputs/x.txt"',)),
    Shown("comments_only", "# 1\n\n# 2\n"),
    # What a program may do with its own process.
    Shown("closed_stdout", "import sys\nprint(1)\nsys.stdout.close()\n", page="`{x} 1 + 1`", output="1\n",
          html=(">2</data>",)),
    Shown("closed_descriptors", "import os\nprint(1)\nos.closerange(0, 64)\n", page="`{x} 1 + 1`", output="1\n",
          html=(">2</data>",)),
    Shown("replaced_stdout", "import io, sys\nprint(1)\nsys.stdout = io.StringIO()\nprint(2)\n", output="1\n"),
    Shown("stdout_none", "import sys\nprint(1)\nsys.stdout = sys.stderr = None\nprint(2)\n", output="1\n"),
    Shown("reads_stdin", "import sys\nprint(len(sys.stdin.read()))\n", output="0\n"),
    Shown("daemon_thread", """
        import threading, time
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
        print(1)
        """, output="1\n"),
    Shown("signal_handlers", """
        import signal
        for number in set(signal.valid_signals()) - {signal.SIGKILL, signal.SIGSTOP}:
            if number < 32:
                signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        print(1)
        """, output="1\n"),
    Shown("grandchild", "import subprocess\nx = subprocess.Popen(['sleep', '600'])\nprint(1)\n", output="1\n"),
    Shown("daemon", """
        import os, time
        if not os.fork():
            os.setsid()
            if not os.fork():
                time.sleep(600)
            os._exit(0)
        os.wait()
        print(1)
        """, output="1\n"),
    Shown("fork", "import os\nif not os.fork():\n    os._exit(0)\nprint(os.wait()[1])\n", output="0\n"),
    Shown("fork_exits", "import os, sys\nif not os.fork():\n    sys.exit(0)\nprint(os.wait()[1])\n", output="0\n"),
    Shown("fork_runs_on", """
        import os
        n = os.fork()
        if n:
            os.wait()
        print(n > 0)
        """, page="`{x} int(n > 0)`", output="False\nTrue\n", html=(">1</data>",)),
    Shown("fork_lags", "import os, time\nn = os.fork()\nif not n:\n    time.sleep(600)\nprint(n > 0)\n",
          output="True\n"),
    Shown("chdir", "import os\nos.chdir('/')\nprint(os.getcwd())\n", output="/\n"),
    Shown("deletes_its_folder", "import os, shutil\nshutil.rmtree(os.getcwd())\nprint(1)\n", page="`{x} 1 + 1`",
          output="1\n", html=(">2</data>",)),
    Shown("leaks", """
        import builtins, os, sys
        import numpy as np
        import matplotlib.pyplot as plt
        np.random.seed(0)
        np.set_printoptions(precision=1)
        plt.rcParams["lines.linewidth"] = 99
        builtins.leak = os.environ["LEAK"] = "1"
        sys.setrecursionlimit(50_000)
        """),
    Shown("leaked", """
        import builtins, os, sys
        import numpy as np
        import matplotlib.pyplot as plt
        print(hasattr(builtins, "leak"), "LEAK" in os.environ, sys.getrecursionlimit(), np.array([1 / 3]))
        print(plt.rcParams["lines.linewidth"])
        """, output="False False 1000 [0.33333333]\n1.5\n"),
    # What stands between the braces.
    Shown("special_numbers", "nan, inf, zero = float('nan'), float('inf'), -0.0\n",
          page="`{x} nan:.2f`, `{x} inf`, `{x} -inf`, `{x} zero`, `{x} 10**40:.1e`, `{x} -2.5e-7`",
          html=(">NaN</data>", ">∞</data>", ">−∞</data>", ">−0,0</data>", ">1,0\u00a0·\u00a010⁴⁰</data>",
                ">−2,5\u00a0·\u00a010⁻⁷</data>")),
    Shown("scalars", "import numpy as np, torch\na, b, c = np.float32(0.5), np.array([[3]]), torch.tensor([0.125])\n",
          page="`{x} a`, `{x} b`, `{x} c`, `{x} c.requires_grad_()`",
          html=(">0,5</data>", ">3</data>", ">0,125</data>")),
    Shown("text_with_markup", "s = '</data><script>alert(1)</script>&amp;\"'\n", page="## `{x} s` {#s}\n\n`{x} s`",
          html=(">&lt;/data&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;&quot;</data>",),
          without=("<script>alert",)),
    Shown("text_with_markdown", "s = '**a** $x$ \\\\(y\\\\) `b` [c](d) {{ e }}'\n",
          page="`{x} s`\n\n| a |\n|---|\n| `{x} s` |",
          html=(">**a** $x$ \\(y\\) `b` [c](d) {{ e }}</data></p>",
                ">**a** $x$ \\(y\\) `b` [c](d) {{ e }}</data></td>")),
    Shown("text_with_controls", "s = 'a\\0\\u202eb\\x02wzxhzdk:0\\x03'\n", page="`{x} s`",
          html=(">a␀\\u202eb␂wzxhzdk:0␃</data>",)),
    Shown("text_in_a_table", "rows = [{'a': '<b>|`$x$', 'b': '**c**\\n\\n# H'}]\n",
          page='```table of="x" rows="rows"\na | A\nb | B\n```',
          html=(">&lt;b&gt;|`$x$</data>", ">**c**\n\n# H</data>")),
    Shown("odd_objects_nobody_asks_for", """
        class Odd:
            def __getattribute__(self, name): raise SystemExit
            def __repr__(self): raise SystemExit
            def __bool__(self): raise SystemExit
        odd = Odd()
        """, page="`{x} 1 + 1`", html=(">2</data>",)),
    Shown("expression_that_binds", "n = 1\n", page="`{x} (n := 5)` `{x} n + 0`", html=(">5</data>", ">1</data>")),
    Shown("claim_with_side_effects", "i = iter(range(10, 99))\n", page="`{x} assert next(i) == 10` `{x} next(i) + 0`",
          html=(">11</data>",)),
]  # fmt: skip

FAULTS = [
    # A listing that does not reach its end.
    Fault("exit_0", "import sys\nsys.exit(0)\n", says=r"it called sys\.exit\(0\)"),
    Fault("exit_text", "import sys\nsys.exit('no')\n", says=r"line 2: it called sys\.exit\('no'\)"),
    Fault("exit_odd", "class Odd:\n    def __repr__(self): raise KeyError\nraise SystemExit(Odd())\n",
          says="before its last line"),
    Fault("os_exit_0", "import os\nos._exit(0)\n", says="before its last line, with exit code 0"),
    Fault("os_exit_3", "import os\nos._exit(3)\n", says="before its last line, with exit code 3"),
    Fault("exit_while_a_copy_ends", "import os\nif os.fork():\n    os.wait()\n    os._exit(0)\n",
          says="before its last line, with exit code 0"),
    Fault("abort", "import os\nos.abort()\n", says="signal SIGABRT"),
    Fault("segfault", "import ctypes\nctypes.string_at(0)\n", says="signal SIGSEGV"),
    Fault("kills_itself", "import os\nos.kill(os.getpid(), 9)\n", says="signal SIGKILL"),
    Fault("kills_its_group", "import os\nos.killpg(0, 9)\n", says="signal SIGKILL"),
    Fault("signal_without_name", "import os, signal\nos.kill(os.getpid(), signal.SIGRTMIN + 1)\n", says="signal 35"),
    Fault("interrupt", "raise KeyboardInterrupt\n", says="line 1: Traceback(.|\n)*KeyboardInterrupt"),
    Fault("recursion", "def f(): f()\nf()\n", says="line 1: Traceback(.|\n)*RecursionError"),
    Fault("exception", "def f():\n    return 1 / 0\nf()\n",
          says="line 2: Traceback(.|\n)*in f\n.*1 / 0(.|\n)*ZeroDivisionError"),
    Fault("exception_with_markup", "raise ValueError('<b>`a` **b** %s {c} </pre>')\n",
          says=r"ValueError: <b>`a` \*\*b\*\* %s \{c\} </pre>"),
    Fault("exception_with_controls", "raise ValueError('a\\x1b[2J\\x1b[31mb\\0c\\rd\\ud800')\n",
          says=r"ValueError: a[^\x1b\0\r]*b[^\x1b\0\r]*c[^\x1b\0\r]*d[^\x1b\0\r\ud800]*$"),
    Fault("exception_without_text", "class E(Exception):\n    def __str__(self): raise SystemExit\nraise E\n",
          says="line 3: "),
    Fault("huge_message", "raise ValueError('1' * 50_000_000)\n", says="ValueError: 1+\n…\n1+$"),
    Fault("huge_traceback", """
        def f(n, error=None):
            try: raise ValueError(n) from error
            except ValueError as next_error: return next_error
        error = None
        for n in range(5_000): error = f(n, error)
        raise error
        """, says="line 2: Traceback|ValueError"),
    Fault("syntax_error", "x = 1\nprint(1\n", says="(?s)line 2.*never closed"),
    Fault("nul_in_the_file", "x = 1\0\n", says="null byte|NUL|not valid"),
    Fault("too_deep", "x = " + "-" * 20_000 + "1\n", says="(?i)nest|recursion|complex|memory"),
    Fault("empty", "\n", says="the file is empty"),
    Fault("warns", "import warnings\nwarnings.warn('1')\n", says="wrote to stderr:\n.*warns.py:2: UserWarning: 1"),
    Fault("reads_a_line", "input()\n", says="line 1: Traceback(.|\n)*EOFError"),
    Fault("breaks_what_the_engine_uses", "import builtins, json, os\njson.dumps = os.rename = builtins.open = None\n",
          says="before its last line"),
    Fault("deletes_everything_of_its_own", "import os, shutil\nshutil.rmtree(os.path.dirname(os.getcwd()))\n",
          says="before its last line|its folder|scratch"),
    # A listing that reaches out of its own process.
    Fault("kills_its_parent", "import os\nos.kill(os.getppid(), 9)\n", says="line 2: Traceback(.|\n)*PermissionError"),
    Fault("edits_itself", "x = 1\nopen(__file__, 'a').write('2')\n", says="line 2: Traceback(.|\n)*PermissionError"),
    Fault("edits_a_page", "import pathlib\npathlib.Path(__file__, '../../docs/it/index.md').resolve().write_text('')\n",
          says="line 2: Traceback(.|\n)*PermissionError"),
    Fault("deletes_a_file", "import os\nos.remove(__file__)\n", says="line 2: Traceback(.|\n)*PermissionError"),
    Fault("deletes_the_site", "import pathlib, shutil\nshutil.rmtree(pathlib.Path(__file__).parent.parent / 'site')\n",
          says="line 2: Traceback(.|\n)*PermissionError"),
    # A listing that does not end, or wants too much.
    Fault("sleeps", "import time\ntime.sleep(600)\n", 'timeout="0.5"', says=r"longer than 0\.5 s and was stopped"),
    Fault("loops",
          "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\nwhile True: pass\n",
          'timeout="0.5"', says="longer than"),
    Fault("stops_itself", "import os\nos.kill(os.getpid(), 19)\n", 'timeout="0.5"', says="longer than"),
    Fault("waits_for_its_thread", "import threading, time\nthreading.Thread(target=time.sleep, args=(600,)).start()\n",
          'timeout="0.5"', says="longer than"),
    Fault("hangs_at_exit", "import atexit, time\natexit.register(time.sleep, 600)\n", 'timeout="0.5"',
          says="longer than"),
    Fault("hangs_with_a_family", """
        import subprocess, sys
        subprocess.run([sys.executable, "-c", "import os, time; os.fork(); os.setsid(); time.sleep(600)"])
        """, 'timeout="2"', says="longer than"),
    Fault("endless_output", "while True: print('1' * 1000)\n", says="printed more than 32 MiB"),
    Fault("much_output", "print('1' * 100_000_000)\n", says="printed more than 32 MiB"),
    Fault("endless_stderr", "import sys\nwhile True: print('1' * 1000, file=sys.stderr)\n", 'timeout="20"',
          says="printed more than 32 MiB"),
    Fault("memory", "x = bytearray(10 * 2**30)\n", 'memory="3000"', says="MemoryError"),
    Fault("memory_of_an_array", "import numpy as np\nx = np.ones((1000, 1000, 1000))\n", 'memory="3000"',
          says="MemoryError"),
    # What stands between the braces.
    Fault("value_that_raises", "n = 0\n", page="`{x} 1 / n`", line=7, says=r"`\{x\} 1 / n`: ZeroDivisionError"),
    Fault("value_that_exits", "import sys\n", page="`{x} sys.exit(0)`", line=7,
          says=r"`\{x\} sys.exit\(0\)`: SystemExit"),
    Fault("value_that_ends_the_process", "import os\n", page="`{x} os._exit(0)`", says="with exit code 0"),
    Fault("value_that_never_returns", "n = 1\n", 'timeout="0.5"', "`{x} sum(1 for _ in iter(int, 1))`",
          says="longer than"),
    Fault("value_without_a_name", "n = 1\n", page="`{x} m`", line=7, says="NameError"),
    Fault("array", "import numpy as np\nn = np.zeros(10**6)\n", page="`{x} n`", line=7,
          says=r"ndarray of shape \(1000000,\)"),
    Fault("huge_int", "n = 10**5000\n", page="`{x} n`", line=7, says="ValueError: Exceeds the limit"),
    Fault("complex_number", "n = 1j\n", page="`{x} n`", line=7, says="not a scalar, but complex"),
    Fault("truth_value", "n = True\n", page="`{x} n`", line=7, says="write it as a claim"),
    Fault("numpy_truth_value", "import numpy as np\nn = np.bool_(True)\n", page="`{x} n`", line=7,
          says="write it as a claim"),
    Fault("none", "n = None\n", page="`{x} n`", line=7, says="not a scalar, but NoneType"),
    Fault("lone_surrogate", "s = '\\ud800'\n", page="`{x} s`", line=7, says="surrogate"),
    Fault("repr_raises", "class Odd(float):\n    def __repr__(self): raise KeyError(1)\nn = Odd()\n", page="`{x} n`",
          line=7,
          says="KeyError: 1"),
    Fault("format_raises", "class Odd(float):\n    def __format__(self, spec): raise KeyError(1)\nn = Odd()\n",
          page="`{x} n:.2f`", line=7, says="KeyError: 1"),
    Fault("bool_raises", "class Odd:\n    def __bool__(self): raise KeyError(1)\nn = Odd()\n",
          page="`{x} assert not n`",
          line=7, says="KeyError: 1"),
    Fault("error_without_text", "class E(Exception):\n    def __str__(self): raise KeyError\ndef f(): raise E\n",
          page="`{x} f()`", line=7, says=r"`\{x\} f\(\)`: E"),
    Fault("claim_that_raises", "n = 0\n", page="`{x} assert 1 / n > 0`", line=7, says="ZeroDivisionError"),
    Fault("claim_that_is_no_truth_value", "n = [1]\n", page="`{x} assert n`", line=7,
          says="true or false, and this is list"),
    Fault("claim_of_nan", "n = float('nan')\n", page="`{x} assert n == n`", line=7,
          says="no longer true:\n    n = nan"),
    Fault("false_claim_with_markup", "s = '<b>`\\x1b[2J'\n", page="`{x} assert s == 1`", line=7,
          says=r"no longer true:\n    s = '<b>`\\x1b\[2J'"),
    Fault("claim_whose_repr_raises", "class Odd:\n    def __repr__(self): raise KeyError(1)\nn = Odd()\n",
          page="`{x} assert n == 1`", line=7, says="no longer true:\n    n = KeyError: 1"),
    Fault("table_of_nothing", "rows = []\n", page='```table of="x" rows="rows"\na | A\n```', line=7,
          says="without rows"),
    Fault("table_that_never_ends", "rows = iter(lambda: {'a': 1}, 0)\n", 'timeout="1" memory="3000"',
          '```table of="x" rows="rows"\na | A\n```', says="longer than|MemoryError"),
]  # fmt: skip
