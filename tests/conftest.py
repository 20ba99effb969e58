"""What the tests share: one warm runner, pages rendered with it, and a small project."""

from __future__ import annotations

import functools
import http.server
import os
import subprocess
import sys
import textwrap
import threading

import pytest
from support import BROWSER, CATALOGUE, CONFIGURATION, FLAGS, PAGE, ROOT, SECOND, SOURCE_URL, Pages, Project

from livedoc.runner import Job, Run, Runner


@pytest.fixture(scope="session")
def runner():
    with_worker = Runner()
    yield with_worker
    with_worker.close()


@pytest.fixture
def run(runner, tmp_path):
    """Run a program as a listing and return its `Run`."""

    def run_source(source: str, *asks: str, language: str = "en", name: str = "snippet.py", **limits) -> Run:
        path = tmp_path / name
        path.write_text(textwrap.dedent(source), encoding="utf-8")
        return runner.submit(Job(path, language, asks, **limits)).result()

    return run_source


@pytest.fixture
def pages(tmp_path, runner):
    return Pages(tmp_path, runner)


@pytest.fixture
def project(tmp_path):
    trial = Project(tmp_path)
    trial.write("mkdocs.yml", CONFIGURATION)
    trial.write("mkdocs.en.yml", SECOND)
    trial.write("snippets/it.po", CATALOGUE)
    trial.write("snippets/half.py", 'half = 1 / 2\nprint(f"half: {half}")\n')
    trial.both(PAGE)
    return trial


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """Serve the folder that the real site will be built into: it is built for this address."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    folder = tmp_path_factory.mktemp("real") / "site"
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/", folder
    server.shutdown()


@pytest.fixture(scope="session")
def site(server):
    """Build the real site once, by the real command; return its folder."""
    address, folder = server
    command = [sys.executable, "-m", "mkdocs", "build", "-d", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "SITE_URL": address, "SOURCE_URL": SOURCE_URL}
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment)
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="session")
def address(server, site):
    """Return where the real site can be opened."""
    return server[0]


@pytest.fixture(scope="session")
def browser():
    if not BROWSER:
        if os.environ.get("CI"):
            pytest.fail("CI needs Chromium for the browser tests")
        pytest.skip("no Chromium found: the browser tests are skipped")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
        yield chromium
        chromium.close()
