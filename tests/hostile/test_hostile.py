"""Hostile listings, built for real: each is shown literally or stops the build with its page and line; nothing else.

One site holds every case that is to be published, and one every case that is not.
"""

from __future__ import annotations

import html
import os
import re
import signal
import subprocess
import sys
import time

import psutil
import pytest
from cases import FAULTS, SHOWN, Fault, Shown
from support import CONFIGURATION, SECOND, Project

from livedoc.plugin import publish
from livedoc.runner import Job, Runner

LANGUAGES = ("it", "en")
PLACE = re.compile(r"^(docs/(?:it|en)/\w+\.md:\d+): ", re.MULTILINE)


class Trial(Project):
    """A project whose processes can be told from all others, however they came to be, and its last good site."""

    def __init__(self, folder):
        super().__init__(folder)
        self.mark = f"LIVEDOC_TRIAL={folder}"
        self.write("mkdocs.yml", CONFIGURATION)
        self.write("mkdocs.en.yml", SECOND)
        self.write("snippets/it.po", 'msgid ""\nmsgstr "Language: it\\n"\n')
        self.write("site/index.html", "the last good site")
        self.pages("# T\n", "index")

    def pages(self, text, name):
        """Write the same page in both languages, byte for byte."""
        for language in LANGUAGES:
            (self.folder / f"docs/{language}").mkdir(parents=True, exist_ok=True)
            (self.folder / f"docs/{language}/{name}.md").write_text(text)

    def add(self, cases):
        """Write the pages and the snippets of cases; return this project."""
        for case in cases:
            (self.folder / f"snippets/{case.name}.py").write_text(case.program)
            self.pages(case.text, case.name)
        return self

    def start(self):
        """Start a build."""
        name, _, value = self.mark.partition("=")
        environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", name: value}
        command = [sys.executable, "-m", "mkdocs", "build"]
        return subprocess.Popen(
            command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env=environment,
        )  # fmt: skip

    def finish(self):
        """Build; return the exit code and what was told, as text."""
        build = self.start()
        try:
            _, told = build.communicate(timeout=100)
        except subprocess.TimeoutExpired:
            for process in self.processes():
                process.kill()
            _, told = build.communicate()
        return build.returncode, told.decode()

    def processes(self):
        """Return the processes that the build started, at any remove: they have its environment."""
        found = []
        for process in psutil.process_iter():
            try:
                if process.environ().get(self.mark.partition("=")[0]) == str(self.folder):
                    found.append(process)
            except (psutil.NoSuchProcess, psutil.AccessDenied):
                pass
        return [process for process in found if process.is_running() and process.status() != psutil.STATUS_ZOMBIE]

    def left(self):
        """Return the processes that are still there when the build is gone for a while."""
        end = time.monotonic() + 5
        while (found := self.processes()) and time.monotonic() < end:
            time.sleep(0.05)
        return found

    def untouched(self):
        """Tell whether the last good site is there, and nothing else."""
        files = [path for path in (self.folder / "site").rglob("*") if path.is_file()]
        return len(files) == 1 and files[0].read_text() == "the last good site"


def after(trial):
    """Build a trial and return it with the outcome; whatever a failed test leaves is ended."""
    trial.code, trial.told = trial.finish()
    trial.left_behind = trial.left()
    for process in trial.left_behind:
        process.kill()
    return trial


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    return after(Trial(tmp_path_factory.mktemp("shown")).add(SHOWN))


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    return after(Trial(tmp_path_factory.mktemp("faulty")).add(FAULTS))


def faults(told):
    """Return what was told of each place."""
    _, *parts = PLACE.split(told.partition("Nothing was published.")[2])
    found = {}
    for place, text in zip(parts[::2], parts[1::2], strict=True):
        found.setdefault(place, []).append(text.rstrip())
    return found


def codes(page):
    """Return the code blocks of a page's listing: its source and, when it printed something, its output."""
    section = re.search(r'<section class="listing".*?</section>', page, re.DOTALL)[0]
    return [html.unescape(re.sub("<[^>]+>", "", code)) for code in re.findall("<code>(.*?)</code>", section, re.DOTALL)]


def test_hostile_listings_that_do_no_harm_are_published(shown):
    assert shown.code == 0, shown.told
    assert not shown.left_behind


@pytest.mark.parametrize("case", SHOWN, ids=lambda case: case.name)
def test_shown(shown, case):
    assert shown.code == 0
    for folder in ("", "en/"):
        page = (shown.folder / f"site/{folder}{case.name}/index.html").read_bytes().decode()
        assert len(page) < 100_000
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e]", page)
        source, *output = codes(page)
        assert source == case.program
        if not case.html or case.output:
            assert output == [case.output] * bool(case.output)
        for piece in case.without:
            assert piece not in page
    italian = shown.read(f"{case.name}/index.html")
    for piece in case.html:
        assert piece in italian


def test_every_fault_is_told_and_nothing_is_published(faulty):
    assert faulty.code == 1, faulty.told
    assert "Nothing was published." in faulty.told
    expected = {f"docs/{language}/{case.name}.md:{case.line}" for case in FAULTS for language in LANGUAGES}
    assert set(faults(faulty.told)) == expected
    assert faulty.untouched()
    for case in FAULTS:
        assert (faulty.folder / f"snippets/{case.name}.py").read_text() == case.program
        assert (faulty.folder / f"docs/it/{case.name}.md").read_text() == case.text
    assert not list(faulty.folder.glob("site.*"))
    assert not faulty.left_behind


@pytest.mark.parametrize("case", FAULTS, ids=lambda case: case.name)
def test_fault(faulty, case):
    for language in LANGUAGES:
        (told,) = faults(faulty.told)[f"docs/{language}/{case.name}.md:{case.line}"]
        assert re.search(case.says, told), told
        assert len(told) < 20_000
        if case.line == 3:
            assert told.startswith(f"listing “x” ({case.name}.py) ")
        assert "livedoc/" not in told


def test_a_listing_that_kills_what_runs_all_listings_is_told(tmp_path):
    """Others that ran at that moment are told too; nothing of them is left, and nothing is published."""
    kills = Fault("kills", "import os, subprocess\nsubprocess.run(['kill', '-9', str(os.getppid())])\n")
    loops = Fault("loops", "while True: pass\n", 'timeout="2"')
    trial = after(Trial(tmp_path).add([kills, loops]))
    assert trial.code == 1, trial.told
    told = faults(trial.told)
    for language in LANGUAGES:
        assert "is gone" in told[f"docs/{language}/kills.md:3"][0]
    assert trial.untouched()
    assert not trial.left_behind


def test_a_listing_that_stops_what_runs_all_listings_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("livedoc.runner.PATIENCE", 10, raising=False)
    warm, source = Runner(), tmp_path / "a.py"
    try:
        source.write_text("import os, subprocess\nsubprocess.run(['kill', '-STOP', str(os.getppid())])\n")
        assert "does not answer" in warm.submit(Job(source, "en", limit=1)).result(30).error
        source.write_text("print(1)\n")
        assert warm.submit(Job(source, "en")).result(30).output == "1\n"
    finally:
        warm._worker.kill()
        warm.close()


def listing_runs(trial):
    return any(process.ppid() != trial.build.pid for process in trial.processes() if process.pid != trial.build.pid)


MOMENTS = {
    "at its start": lambda trial: True,
    "while the worker imports": lambda trial: len(trial.processes()) > 1,
    "while a listing runs": listing_runs,
    "while the first language is rendered": lambda trial: any((trial.folder / "site.staging").glob("*/index.html")),
    "while the second language is rendered": lambda trial: (trial.folder / "site.staging/en/index.html").exists(),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_build_that_is_killed_leaves_the_last_site_and_no_process(tmp_path, moment):
    slow = Shown("slow", "import subprocess\nx = subprocess.run(['setsid', '-w', 'sleep', '600'])\n")
    trial = Trial(tmp_path).add([slow] if moment == "while a listing runs" else SHOWN[:10])
    trial.build, end = trial.start(), time.monotonic() + 30
    while not MOMENTS[moment](trial) and time.monotonic() < end:
        time.sleep(0.005)
    assert trial.build.poll() is None
    trial.build.send_signal(signal.SIGKILL)
    trial.build.communicate()
    left = trial.left()
    for process in left:
        process.kill()
    assert not left
    assert trial.untouched()


def test_a_build_that_is_killed_while_it_publishes_leaves_one_whole_site(tmp_path):
    """The process is killed before the first thing it does to a file, before the second, and so on to the end."""
    for last in range(100):
        staged, site = tmp_path / f"{last}/site.staging", tmp_path / f"{last}/site"
        for folder, text in ((site, "old"), (staged, "new")):
            (folder / "en").mkdir(parents=True)
            for name in ("index.html", "en/index.html"):
                (folder / name).write_text(text)
        publishing = os.fork()
        if not publishing:
            publish_until(last, staged, site)
        _, status = os.waitpid(publishing, 0)
        assert {(site / name).read_text() for name in ("index.html", "en/index.html")} in ({"old"}, {"new"})
        if status == 0:
            break
    assert status == 0
    assert (site / "index.html").read_text() == "new"


def publish_until(last, staged, site):
    """Publish in this process, and kill it when it is about to do the thing to a file that has this number."""
    left = iter(range(last))
    events = {"os.rename", "os.remove", "os.rmdir", "shutil.rmtree", "ctypes.dlopen", "ctypes.dlsym"}
    sys.addaudithook(
        lambda event, _: os.kill(os.getpid(), signal.SIGKILL) if event in events and next(left, None) is None else None
    )
    try:
        publish(staged, site)
    finally:
        os._exit(0)
