"""The ledger says what was published, and the two runs of a listing must agree."""

import copy
import json

import jsonschema
import pytest
from support import ROOT

from livedoc.drift import compare
from livedoc.ledger import NUMBER, disagreements, measures, sha256
from livedoc.runner import Job
from livedoc.scan import Listing

SCHEMA = json.loads((ROOT / "docs/assets/ledger-1.schema.json").read_text())


def run(language, **change):
    value = {
        "section": "s",
        "expression": "x",
        "spec": ".1f",
        "type": "float",
        "exact": "0.5",
        "text": "0.5",
        "measured": False,
    }
    figure = {"id": "figure-a-1", "caption": "C", "sha256": sha256(language), "data_sha256": sha256("data")}
    return {
        "page": "a.md",
        "language": language,
        "listing": "a",
        "section": "s",
        "measures": [],
        "output": {"sha256": "", "text": f"{language} has 1.5e-3 and 2"},
        "values": [value],
        "claims": [],
        "figures": [figure],
        **change,
    }


def test_equal_runs_agree_whatever_their_words():
    assert disagreements([run("it"), run("en")]) == []


@pytest.mark.parametrize(
    ("path", "new", "told"),
    [
        (("values", 0, "exact"), "0.6", "a.md: listing “a”: `x` is 0.5 in it and 0.6 in en"),
        (("figures", 0, "data_sha256"), "other", "the data of figure-a-1"),
        (("output", "text"), "en has 1.6e-3 and 2", "number 1 of its output is 1.5e-3 in it and 1.6e-3 in en"),
        (("output", "text"), "en has 1.5e-3", "do not print as many numbers"),
    ],
)
def test_a_difference_is_told_with_both(path, new, told):
    other = run("en")
    place = other
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = new
    found = disagreements([run("it"), other])
    assert any(told in line for line in found), found


def test_what_is_measured_in_time_is_exempt_and_only_that():
    one, other = run("it", measures=["seconds"]), run("en", measures=["seconds"])
    other["output"]["text"] = "en has 9 and 8 and 7"
    other["values"][0].update(exact="0.7", measured=True)
    one["values"][0]["measured"] = True
    assert disagreements([one, other]) == []
    steady = copy.deepcopy(other)
    one["values"][0]["measured"] = steady["values"][0]["measured"] = False
    assert len(disagreements([one, steady])) == 1


def test_declared_names():
    assert measures(Listing("a", "a.py", {"measures": "rows.seconds growth"}, 1, "")) == ["seconds", "growth"]


def test_a_build_writes_a_ledger_that_fits_its_schema(project):
    assert project.build().returncode == 0
    ledger = json.loads(project.read("ledger.json"))
    jsonschema.validate(ledger, SCHEMA, format_checker=jsonschema.FormatChecker())
    assert [(run["language"], run["listing"]) for run in ledger["runs"]] == [("it", "half"), ("en", "half")]
    italian = ledger["runs"][0]
    source = (project.folder / "snippets/half.py").read_text()
    assert italian["sha256"] == sha256(source)
    assert italian["code_sha256"] == sha256(source.replace("half: ", "metà: "))
    assert italian["output"] == {"sha256": sha256("metà: 0.5\n"), "text": "metà: 0.5\n"}
    assert italian["values"][0]["text"] == "0,500"
    assert italian["values"][0]["exact"] == "0.5"
    assert italian["claims"][0]["seen"] == {"half": "0.5"}
    assert ledger["environment"]["threads"]["OMP_NUM_THREADS"] == "1"
    assert "numpy" in ledger["environment"]["packages"]
    assert ledger["environment"]["blas"].startswith("openblas")
    assert "tolerance" not in italian["values"][0]
    broken = copy.deepcopy(ledger)
    broken["runs"][0]["values"][0]["exact"] = 0.5
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, SCHEMA)


def test_a_listing_that_gives_other_numbers_each_time_stops_the_build(project):
    project.write("snippets/half.py", 'import os\nhalf = os.getpid() / 10**9\nprint(f"half: {half}")\n')
    built = project.build()
    assert built.returncode != 0
    assert "index.md: listing “half”: `half` is" in built.stderr
    assert not (project.folder / "site").exists()
    for language in ("it", "en"):
        text = (project.folder / f"docs/{language}/index.md").read_text()
        project.write(f"docs/{language}/index.md", text.replace('result="text"', 'result="text" measures="half"'))
    assert project.build().returncode == 0


def test_a_fence_sets_the_tolerance_of_a_value(project):
    for language in ("it", "en"):
        text = (project.folder / f"docs/{language}/index.md").read_text()
        project.write(
            f"docs/{language}/index.md", text.replace('result="text"', 'result="text" tolerances="half=1e-3"')
        )
    assert project.build().returncode == 0
    ledger = json.loads(project.read("ledger.json"))
    jsonschema.validate(ledger, SCHEMA)
    assert [run["values"][0]["tolerance"] for run in ledger["runs"]] == [0.001, 0.001]


def test_a_ledger_fence_tells_what_the_build_found(project):
    fence = {"name": "ledger", "class": "ledger"}
    text = (project.folder / "mkdocs.yml").read_text()
    line = "      - {name: ledger, class: ledger, format: !!python/name:livedoc.page.ledger_fence }\n"
    project.write("mkdocs.yml", text.replace("  pymdownx.highlight", line + "  pymdownx.highlight"))
    body = "".join(f"```{fence['name']}\n{what}\n```\n\n" for what in ("environment", "counts", "listings", "download"))
    for language in ("it", "en"):
        project.write(f"docs/{language}/numbers.md", f"# N\n\n{body}")
    built = project.build()
    assert built.returncode == 0, built.stderr
    italian, english = project.read("numbers/index.html"), project.read("en/numbers/index.html")
    assert "OMP_NUM_THREADS=1" in italian
    assert '<a href="../#listing-half"><code>half.py</code></a>' in italian
    assert "<td>uguali</td>" in italian
    assert "<td>equal</td>" in english
    assert 'href="../ledger.json"' in italian
    assert 'href="../../ledger.json"' in english
    project.write("docs/it/numbers.md", "# N\n\n```ledger\nnonsense\n```\n")
    assert "docs/it/numbers.md:3: a ledger fence shows one of environment" in project.build().stderr


def numbers(runs):
    """Return what the runs of the article's listings must always give, timings left out."""
    return {
        name: (NUMBER.findall(run.output), [figure["data"] for figure in run.figures])
        for name, run in runs.items()
        if name != "cost"
    }


def test_alone_in_reverse_order_and_among_all_others_a_listing_gives_the_same_numbers(runner):
    paths = sorted((ROOT / "snippets").glob("*/*.py"))

    def together(order):
        return {path.stem: future for path, future in [(path, runner.submit(Job(path, "en"))) for path in order]}

    among = {name: future.result() for name, future in together(paths).items()}
    assert not [run.error for run in among.values() if run.error]
    reverse = {name: future.result() for name, future in together(paths[::-1]).items()}
    alone = {path.stem: runner.submit(Job(path, "en")).result() for path in paths}
    assert numbers(among) == numbers(reverse) == numbers(alone)


def test_a_changed_seed_is_a_refusal_or_a_report_of_every_number_that_moved(project):
    project.write("snippets/half.py", 'import random\nhalf = random.Random(1).random()\nprint(f"half: {half}")\n')
    assert project.build().returncode == 0
    old = json.loads(project.read("ledger.json"))
    text = (project.folder / "snippets/half.py").read_text()
    project.write("snippets/half.py", text.replace("Random(1)", "Random(2)"))
    assert project.build().returncode == 0
    report = "\n".join(compare(old, json.loads(project.read("ledger.json"))).lines)
    assert "`{half} half:.3f`: changed: it 0,134 → 0,956, en 0.134 → 0.956" in report
    assert "listing `half` (it): what it prints changed" in report
    assert "listing `half` (en): its code changed" in report
    project.write("snippets/half.py", text.replace("Random(1).random()", "Random(1).random() + 1"))
    refused = project.build()
    assert refused.returncode != 0
    assert "`{half} assert half < 1` is no longer true" in refused.stderr
