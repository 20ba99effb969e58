"""Two ledgers are compared as a person would want to read it."""

import copy
import json

import pytest

from livedoc.__main__ import main
from livedoc.drift import compare, verdict

VALUE = {
    "section": "s",
    "expression": "x",
    "spec": ".3f",
    "type": "float",
    "exact": "0.5",
    "text": "0.500",
    "measured": False,
}


def ledger():
    def run(language):
        return {
            "page": "a.md",
            "language": language,
            "listing": "a",
            "section": "s",
            "code_sha256": "code " + language,
            "measures": [],
            "output": {"sha256": "", "text": "it is 0.5"},
            "values": [{**VALUE, "text": "0,500" if language == "it" else "0.500"}],
            "claims": [{"section": "s", "expression": "x < 1", "holds": True, "seen": {"x": "0.5"}}],
            "figures": [{"id": "figure-a-1", "caption": "C", "sha256": "s", "data_sha256": "d"}],
        }

    packages = {"numpy": "2.4.6"}
    environment = {"python": "3.11", "cpu": "c", "blas": "b", "packages": packages}
    built = "2026-11-30T00:00:00+00:00"
    runs = [run("it"), run("en")]
    return {"schema": "livedoc-ledger/1", "built": built, "commit": None, "environment": environment, "runs": runs}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("0.5", "0.5", "identical"),
        ("0.5", "0.5000000000001", "rounding"),
        ("3e-16", "9e-16", "rounding"),
        ("0.5", "0.50001", "changed"),
        ("1000000", "1000001", "changed"),
        ("'2.4'", "'2.5'", "changed"),
        ("nan", "nan", "identical"),
        ("nan", "0.5", "changed"),
    ],
)
def test_verdicts(old, new, said):
    assert verdict(old, new) == said


def test_nothing_changed():
    found = compare(ledger(), ledger())
    assert not found.changed
    assert "1 numbers identical, 0 differ by rounding, 0 things changed" in found.lines[2]


def each(runs, path, new):
    for run in runs:
        place = run
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = new(place[path[-1]]) if callable(new) else new


@pytest.mark.parametrize(
    ("path", "new", "line"),
    [
        (("values", 0, "exact"), "0.55", "- `{a} x:.3f`: changed: it 0,500 → 0,500, en 0.500 → 0.500 (+0.05, +10.00%)"),
        (("values", 0, "expression"), "y", "- `{a} y:.3f`: appeared (it 0,500, en 0.500)"),
        (("values", 0, "expression"), "y", "- `{a} x:.3f`: vanished (it 0,500, en 0.500)"),
        (("claims", 0, "expression"), "x < 2", "- claim `{a} assert x < 1`: vanished"),
        (("figures", 0, "data_sha256"), "e", "- figure `figure-a-1` (it): its data changed"),
        (("figures",), [], "- figure `figure-a-1` (en): vanished"),
        (("code_sha256",), "other", "- listing `a` (en): its code changed"),
        (("output", "text"), "it is 0.6", "- listing `a` (it): what it prints changed"),
        (("listing",), "b", "- listing `a` (it): vanished"),
    ],
)
def test_each_change_has_its_line_under_its_section(path, new, line):
    other = ledger()
    each(other["runs"], path, new)
    found = compare(ledger(), other)
    assert found.changed
    assert line in found.lines, found.lines
    assert "## a #s" in found.lines


def test_rounding_is_told_and_is_no_change():
    other = ledger()
    each(other["runs"], ("values", 0, "exact"), "0.5000000000001")
    found = compare(ledger(), other)
    assert not found.changed
    assert any("rounding" in line for line in found.lines[4:])


def test_a_value_may_set_its_own_tolerance():
    one, other = ledger(), ledger()
    each(other["runs"], ("values", 0, "exact"), "0.51")
    each(other["runs"], ("values", 0), lambda value: {**value, "tolerance": 0.05})
    assert not compare(one, other).changed


def test_timings_are_left_out():
    one, other = ledger(), ledger()
    for found in (one, other):
        each(found["runs"], ("values", 0), lambda value: {**value, "measured": True})
        each(found["runs"], ("measures",), ["x"])
    each(other["runs"], ("values", 0, "exact"), "77")
    each(other["runs"], ("output", "text"), "it is 77")
    assert not compare(one, other).changed


def test_versions_that_moved_are_told():
    other = ledger()
    other["environment"]["packages"] = {"numpy": "2.5.0", "new": "1"}
    lines = compare(ledger(), other).lines
    assert "- numpy: 2.4.6 → 2.5.0" in lines
    assert "- new: – → 1" in lines


def test_a_version_on_the_page_moves_with_its_package_and_is_no_change_of_a_number():
    one, other = ledger(), ledger()
    for found, version in ((one, "2.4.6"), (other, "2.5.0")):
        found["environment"]["packages"] = {"numpy": version}
        each(
            found["runs"], ("values", 0), lambda value, v=version: {**value, "type": "str", "exact": repr(v), "text": v}
        )
    assert not compare(one, other).changed
    other["environment"]["packages"] = {"numpy": "2.4.6"}
    assert compare(one, other).changed


def test_exit_codes(tmp_path, capsys):
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    one.write_text(json.dumps(ledger()))
    changed = copy.deepcopy(ledger())
    each(changed["runs"], ("values", 0, "exact"), "0.6")
    other.write_text(json.dumps(changed))
    assert main(["diff", str(one), str(one)]) == 0
    assert main(["diff", str(one), str(other)]) == 1
    assert main(["diff", str(one), str(other), "--rtol", "0.5"]) == 0
    assert "# What changed" in capsys.readouterr().out


@pytest.mark.parametrize(
    "text",
    [None, "", "{", "[]", '{"schema": "livedoc-ledger/2", "runs": []}', '{"schema": "livedoc-ledger/1", "runs": []}'],
)
def test_unusable_input_is_told_in_one_line(tmp_path, capsys, text):
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    one.write_text(json.dumps(ledger()))
    if text is not None:
        other.write_text(text)
    assert main(["diff", str(one), str(other)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
