"""The real site before other people's judges: html-validate and Lighthouse, which run on Node."""

import json
import os
import shutil
import subprocess

import pytest
from support import BROWSER, FLAGS, ROOT

NODE = ROOT / "tests/node"


def tool(name):
    """Return the path of a program that `npm ci` installed in tests/node."""
    path = NODE / "node_modules/.bin" / name
    if not path.exists() or not shutil.which("node"):
        if os.environ.get("CI"):
            pytest.fail(f"CI needs Node and what tests/node names: {name} is not there")
        pytest.skip(f"no {name} found (npm ci --prefix tests/node): its tests are skipped")
    return str(path)


def objections(paths, report):
    """Return what html-validate finds in some files; its report goes to a file, since Node may cut a pipe short."""
    options = ["--config", str(NODE / "html-validate.json"), "--formatter", f"json={report}"]
    subprocess.run([tool("html-validate"), *options, *map(str, paths)], capture_output=True, cwd=NODE)
    return [
        f"{file['filePath']}:{found['line']}: {found['ruleId']}: {found['message']}"
        for file in json.loads(report.read_text(encoding="utf-8"))
        for found in file["messages"]
    ]


def test_every_page_is_valid_html(site, tmp_path):
    found = objections(sorted(site.rglob("*.html")), tmp_path / "report.json")
    assert not found, "\n".join(found)


def test_the_judge_sees_what_is_wrong(tmp_path):
    page = tmp_path / "page.html"
    page.write_text(
        '<!DOCTYPE html><html lang="en"><head><title>x</title></head><body><p id="a"><p id="a"></body></html>'
    )
    assert any("no-dup-id" in one for one in objections([page], tmp_path / "report.json"))


@pytest.mark.parametrize("page", ["", "transformer/", "en/", "en/transformer/"])
def test_lighthouse_has_nothing_to_ask(browser, address, page, tmp_path):
    """Accessibility, best practices and SEO are perfect; performance is told, since a busy machine moves it."""
    report = tmp_path / "report.json"
    command = [
        tool("lighthouse"),
        address + page,
        "--quiet",
        "--output=json",
        f"--output-path={report}",
        "--only-categories=accessibility,best-practices,seo,performance",
        f"--chrome-flags=--headless=new {' '.join(FLAGS)}",
    ]
    told = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "CHROME_PATH": BROWSER})
    assert told.returncode == 0, told.stderr
    result = json.loads(report.read_text(encoding="utf-8"))
    scores = {name: category["score"] for name, category in result["categories"].items()}
    print(f"\n{page or '/'}: performance {scores.pop('performance'):.2f}")
    lost = [
        f"{reference['id']}: {result['audits'][reference['id']].get('displayValue', '')}"
        for name in scores
        for reference in result["categories"][name]["auditRefs"]
        if reference["weight"]
        and (result["audits"][reference["id"]]["score"] or 0) < 1
        and result["audits"][reference["id"]]["scoreDisplayMode"] == "binary"
    ]
    assert set(scores.values()) == {1}, lost
