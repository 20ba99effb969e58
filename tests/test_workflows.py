"""The workflows ask for no more than they need, and what they run can be run here."""

import functools
import http.server
import os
import re
import subprocess
import threading

import pytest
import yaml
from support import ROOT

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
PERMISSIONS = {  # every job, and all that it may do
    ("site", "build"): {"contents": "read", "pages": "read"},
    ("site", "publish"): {"pages": "write", "id-token": "write"},
    ("newest", "drift"): {"contents": "read"},
    ("newest", "tell"): {"issues": "write"},
}


def load(path):
    return yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)  # keeps the key `on` a word


def jobs():
    return [(path.stem, name, job) for path in WORKFLOWS for name, job in load(path)["jobs"].items()]


def step(workflow, job, name):
    found = load(ROOT / f".github/workflows/{workflow}.yml")["jobs"][job]["steps"]
    return next(step["run"] for step in found if step.get("name") == name)


def run(script, folder, **environment):
    """Run a step as GitHub does, in a folder of its own; return its exit code, its summary and its output."""
    files = {name: str(folder / name) for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    variables = {**os.environ, "PATH": path, "RUNNER_TEMP": str(folder), **files, **environment}
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=60)
    told = [(folder / name).read_text() if (folder / name).exists() else "" for name in files]
    return done.returncode, *told


def program(folder, name, script):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/bash\n{script}\n")
    path.chmod(0o755)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_nothing_is_allowed_by_default_and_runs_go_one_at_a_time(path):
    workflow = load(path)
    assert workflow["permissions"] == {}
    assert workflow["concurrency"]["group"].startswith(path.stem)
    assert "pull_request_target" not in workflow["on"]


def test_each_job_has_its_permissions_and_a_time_limit():
    assert {(workflow, name): job["permissions"] for workflow, name, job in jobs()} == PERMISSIONS
    assert all(int(job["timeout-minutes"]) <= 45 for _, _, job in jobs())


def test_actions_are_pinned_by_commit_with_their_version():
    lines = [line.strip() for path in WORKFLOWS for line in path.read_text(encoding="utf-8").splitlines()]
    used = [line.split("uses: ")[1] for line in lines if "uses:" in line]
    assert used
    assert [line for line in used if not re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line)] == []


def test_no_step_pastes_an_expression_into_its_script():
    steps = [step for _, _, job in jobs() for step in job["steps"]]
    assert [step["run"] for step in steps if "${{" in step.get("run", "")] == []


def test_every_target_that_a_step_makes_is_in_the_makefile():
    scripts = "\n".join(step.get("run", "") for _, _, job in jobs() for step in job["steps"])
    targets = set(re.findall(r"\bmake (?:-\w+ )*([\w-]+)", scripts))
    assert targets == {"pdf", "site", "test", "drift"}
    assert [target for target in targets if not re.search(rf"^{target}:", MAKEFILE, re.MULTILINE)] == []


@pytest.mark.parametrize(("published", "told"), [("{}", "diff published.json"), (None, "No ledger is published")])
def test_a_pull_request_is_compared_with_the_published_ledger_if_there_is_one(tmp_path, published, told):
    program(tmp_path, ".venv/bin/python", 'echo "$3 $(basename "$4") $5"; exit 1')
    served = tmp_path / "served"
    served.mkdir()
    if published:
        (served / "ledger.json").write_text(published)
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=served)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        script = step("site", "build", "What changed since the published site")
        code, summary, _ = run(script, tmp_path, SITE_URL=f"http://127.0.0.1:{server.server_port}/", no_proxy="*")
        server.shutdown()
    assert code == 0
    assert told in summary


@pytest.mark.parametrize(
    ("gh", "address"),
    [
        ("echo https://name.github.io/book/", "https://name.github.io/book/"),
        ("echo https://book.example", "https://book.example/"),
        ('echo \'{"message": "Not Found"}\'; exit 1', "http://127.0.0.1:8000/"),
    ],
)
def test_the_address_of_the_site_is_that_of_its_pages(tmp_path, gh, address):
    program(tmp_path, "bin/gh", gh)
    code, _, output = run(step("site", "build", "Where the site is published"), tmp_path, GITHUB_REPOSITORY="name/book")
    assert (code, output) == (0, f"url={address}\n")


@pytest.mark.parametrize(
    ("make", "code", "told"),
    [
        ("echo '# What changed'", 0, ""),  # nothing did: no issue
        ("echo '# What changed'; echo moved; exit 2", 0, "# What changed\nmoved\n"),
        ("exit 2", 1, ""),  # what should be compared was never built
        ("yes 0123456789 | head -n 9000; exit 2", 0, "0123456789\n" * 5454 + "…\n"),  # an issue holds 65536 characters
    ],
)
def test_the_newest_releases_are_told_only_when_something_changed(tmp_path, make, code, told):
    program(tmp_path, "bin/make", make)
    found, summary, output = run(step("newest", "drift", "Build with the newest, and compare"), tmp_path)
    assert (found, bool(summary)) == (code, make != "exit 2")
    first, *report, last = output.splitlines(keepends=True) or ["", ""]
    assert "".join(report) == told
    assert first == (f"report<<{last}" if told else "")


@pytest.mark.parametrize(("number", "call"), [("7", "issue edit 7"), ("", "issue create --title T")])
def test_one_issue_is_opened_or_updated(tmp_path, number, call):
    program(tmp_path, "bin/gh", f'[ "$2" = list ] && echo {number} || {{ echo "$@"; cat; }} >> calls')
    code, *_ = run(step("newest", "tell", "Tell what changed"), tmp_path, TITLE="T", REPORT="a `b` $(c)\nd")
    assert code == 0
    assert (tmp_path / "calls").read_text() == f"{call} --body-file -\na `b` $(c)\nd\n"


@pytest.fixture
def drift(tmp_path):
    """Run `make drift` with stand-ins for the environments, so that nothing is installed."""
    (tmp_path / "Makefile").write_text(MAKEFILE)
    for name in (".venv/ready", "requirements.txt", "pyproject.toml", "old.json", "temporary/"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).mkdir() if name.endswith("/") else (tmp_path / name).touch()
    os.utime(tmp_path / ".venv/ready", (2e9, 2e9))
    program(tmp_path, ".venv/bin/python", 'echo "$@"; exit $(cat "$5")')
    program(tmp_path, "python3", '[ "$2" != venv ] || cp -r trial "$3"')
    program(tmp_path, "trial/bin/python", 'echo "$@" >> installed')

    def make(build, **variables):
        program(tmp_path, "trial/bin/mkdocs", build)
        words = [f"{name}={value}" for name, value in {"PYTHON": tmp_path / "python3", "OLD": "old.json"}.items()]
        words += [f"{name}={value}" for name, value in variables.items()]
        environment = {"PATH": os.environ["PATH"], "TMPDIR": str(tmp_path / "temporary")}
        command = ["make", "-s", "drift", *words]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
        assert list((tmp_path / "temporary").iterdir()) == [], "the trial environment is thrown away"
        return done.returncode, done.stdout, (tmp_path / "installed").read_text()

    return make


BUILT = 'mkdir "$4"; echo {} > "$4/ledger.json"'


@pytest.mark.parametrize("changed", [0, 1])
def test_drift_builds_with_other_versions_and_compares(drift, changed):
    code, report, installed = drift(BUILT.format(changed), WITH="numpy==2.4.5")
    assert "install -q --disable-pip-version-check --upgrade numpy==2.4.5\n" in installed
    assert re.fullmatch(r"-m livedoc diff old\.json \S+/site/ledger\.json\n", report)
    assert bool(code) == changed


def test_drift_takes_the_newest_releases_when_none_are_named(drift):
    assert "--upgrade numpy torch matplotlib\n" in drift(BUILT.format(0))[2]


def test_a_build_that_other_versions_stop_is_reported(drift):
    code, report, _ = drift(
        "echo listing 1/2; echo Nothing was published: the claim is false >&2; exit 1", WITH="numpy==3"
    )
    assert code
    assert report == (
        "# The build stops\n\nWith numpy==3:\n\n```text\nNothing was published: the claim is false\n```\n"
    )
