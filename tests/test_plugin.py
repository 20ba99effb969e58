"""Both languages come out of one build, all or nothing, and out of one preview."""

import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request

import pytest


def snapshot(folder):
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_one_build_makes_both_languages(project):
    built = project.build()
    assert built.returncode == 0, built.stderr
    italian, english = project.read("index.html"), project.read("en/index.html")
    assert "metà: 0.5" in italian
    assert ">0,500</data>" in italian
    assert "half: 0.5" in english
    assert ">0.500</data>" in english
    assert 'lang="it"' in italian
    assert 'lang="en"' in english
    assert (project.folder / "site/search/search_index.json").exists()
    assert '"lang":["en"]' in project.read("en/search/search_index.json")
    assert "listing 2/2" in built.stderr
    assert not list(project.folder.glob("site.*"))


def test_the_language_switch_stays_on_the_page(project):
    for language in ("it", "en"):
        project.write(f"docs/{language}/other.md", "# Other\n")
    assert project.build().returncode == 0
    for page in ("other/index.html", "en/other/index.html"):
        assert 'href="/other/"' in project.read(page)
        assert 'href="/en/other/"' in project.read(page)


def test_assets_are_shared_by_both_languages(project):
    project.write("docs/assets/css/book.css", "p {}")
    assert project.build().returncode == 0
    assert project.read("assets/css/book.css") == project.read("en/assets/css/book.css") == "p {}"


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        (
            "snippets/half.py",
            "1 / 2",
            "1 / 0",
            "docs/it/index.md:6: listing “half” (half.py) failed: line 1: Traceback",
        ),
        ("snippets/half.py", "half = 1 / 2", "import sys; sys.exit(0)", "it called sys.exit(0)"),
        ("docs/it/index.md", "half < 1", "half > 1", "docs/it/index.md:10: `{half} assert half > 1` is no longer true"),
        ("docs/en/index.md", "half:.3f", "hulf:.3f", "docs/en/index.md:10: `{half} hulf:.3f`: NameError"),
        ("docs/en/index.md", '"half.py"', '"hulf.py"', "docs/en/index.md:6: listing “hulf”"),
        ("docs/it/index.md", 'source="above"', 'source="abvoe"', "the option source cannot be “abvoe”"),
        ("docs/it/index.md", "{#half}", "", "a heading needs an id"),
        ("docs/it/index.md", "{#half}", "{#altro}", "index.md: the two languages differ in section ids"),
        ("docs/en/index.md", "half < 1", "half < 2", "index.md: the two languages differ in values, claims"),
        ("snippets/it.po", "half: {half}", "hilf: {half}", 'msgid "half: {half}"'),
        ("docs/it/index.md", "It is", "It is $\\frac{1$", "docs/it/index.md"),
        ("docs/it/index.md", "It is", "[away](nowhere.md)", "nowhere.md"),
    ],
)
def test_a_fault_stops_the_build_says_where_and_leaves_the_last_site(project, name, old, new, told):
    site = project.folder / "site"
    site.mkdir()
    (site / "index.html").write_text("the last good site")
    text = (project.folder / name).read_text()
    assert old in text
    project.write(name, text.replace(old, new))
    for _ in range(1 if "sys" in new else 2):  # the second time as the first
        built = project.build()
        assert built.returncode != 0
        assert told in built.stderr, built.stderr
        assert snapshot(site) == {next(site.iterdir()).relative_to(site): b"the last good site"}
    assert not list(project.folder.glob("site.*"))


def test_a_page_in_one_language_only_is_a_fault(project):
    project.write("docs/en/only.md", "# Only\n")
    assert "docs/it/only.md: the page is missing in this language" in project.build().stderr


def test_faults_of_both_languages_are_told_together(project):
    project.write(
        "docs/it/index.md", project.folder.joinpath("docs/it/index.md").read_text().replace("half < 1", "half > 1")
    )
    project.write(
        "docs/en/index.md", project.folder.joinpath("docs/en/index.md").read_text().replace("half < 1", "half > 1")
    )
    told = project.build().stderr
    assert "docs/it/index.md:10" in told
    assert "docs/en/index.md:10" in told


def test_lines_are_those_of_the_file_with_front_matter(project):
    for language in ("it", "en"):
        text = (project.folder / f"docs/{language}/index.md").read_text()
        project.write(f"docs/{language}/index.md", "---\ntitle: T\n---\n" + text.replace("half < 1", "half > 1"))
    assert "docs/it/index.md:13: " in project.build().stderr


def test_pages_in_folders_find_their_long_output(project):
    project.write("snippets/long.py", "for i in range(1000): print(i)\n")
    for language in ("it", "en"):
        project.write(f"docs/{language}/deep/page.md", '# T\n\n```python exec="on"\n--8<-- "long.py"\n```\n')
    assert project.build().returncode == 0
    assert 'href="outputs/long.txt"' in project.read("deep/page/index.html")
    assert project.read("deep/page/outputs/long.txt").endswith("999\n")
    assert project.read("en/deep/page/outputs/long.txt").endswith("999\n")


def test_outputs_are_not_searched_and_prose_is(project):
    assert project.build().returncode == 0
    index = project.read("search/search_index.json")
    assert "It is 0,500" in index
    assert "metà" not in index
    assert "<code>half" not in index


class Preview:
    """A running `mkdocs serve`, with its log."""

    def __init__(self, project):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        command = [sys.executable, "-m", "mkdocs", "serve", "-a", f"127.0.0.1:{self.port}"]
        self.process = subprocess.Popen(
            command, cwd=project.folder, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, bufsize=1
        )
        self.log = []
        threading.Thread(target=lambda: self.log.extend(iter(self.process.stderr.readline, "")), daemon=True).start()

    def wait(self, text, after=0):
        """Return the number of the next log line with a text."""
        end = time.monotonic() + 120
        while time.monotonic() < end:
            for number, line in enumerate(list(self.log)[after:], after + 1):
                if text in line:
                    return number
            time.sleep(0.02)
        raise AssertionError("".join(self.log))

    def get(self, path):
        """Return a page as it is served."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}") as answer:
            return answer.read().decode()


@pytest.fixture
def preview(project):
    running = Preview(project)
    yield running
    running.process.send_signal(signal.SIGINT)
    running.process.wait(60)


def test_a_preview_serves_both_languages_and_runs_only_what_changed(project, preview):
    seen = preview.wait("Serving on")
    assert "metà: 0.5" in preview.get("/")
    assert "half: 0.5" in preview.get("/en/")
    assert 'href="/en/"' in preview.get("/")

    text = (project.folder / "docs/en/index.md").read_text()
    project.write("docs/en/index.md", text.replace("It is", "Its value is"))
    done = preview.wait("Reloading browsers", seen)
    assert "Its value is" in preview.get("/en/")
    assert not [line for line in preview.log[seen:done] if "listing" in line]

    project.write("snippets/half.py", 'half = 1 / 4\nprint(f"half: {half}")\n')
    last = preview.wait("Reloading browsers", done)
    assert "metà: 0.25" in preview.get("/")
    assert "half: 0.25" in preview.get("/en/")
    assert len([line for line in preview.log[done:last] if "listing" in line]) == 2


def test_a_preview_shows_a_fault_in_its_place_and_lives_on(project, preview):
    seen = preview.wait("Serving on")
    good = (project.folder / "snippets/half.py").read_text()
    project.write("snippets/half.py", "1 / 0\n")
    seen = preview.wait("Reloading browsers", seen)
    page = preview.get("/")
    assert "livedoc-error" in page
    assert "ZeroDivisionError" in page
    assert "docs/it/index.md:6: " in re.sub("<[^>]+>", "", page)
    project.write("snippets/half.py", good)
    preview.wait("Reloading browsers", seen)
    assert "metà: 0.5" in preview.get("/")
