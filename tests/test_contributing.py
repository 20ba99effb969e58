"""The page that tells how to write says all that the engine understands, and faults lead to it."""

import re

import pytest
from support import ROOT

from livedoc.scan import OPTIONS

GUIDES = [ROOT / f"docs/{language}/contribuire.md" for language in ("it", "en")]
GUIDE = "How to write it: docs/it/contribuire.md, docs/en/contribuire.md"


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.parent.name)
def test_it_tells_every_option_of_a_listing_and_no_other(guide):
    section = re.search(r"\{#options\}\n(.*?)\n## ", guide.read_text(encoding="utf-8"), re.DOTALL)[1]
    told = re.findall(r"^\| `(\w+)` \| (.+) \|$", section, re.MULTILINE)
    assert [name for name, _ in told] == list(OPTIONS)
    for name, words in told:  # and the values that it names are values that the option takes
        assert [value for value in re.findall(r'`"([^"]*)"`', words) if not re.fullmatch(OPTIONS[name], value)] == []


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.parent.name)
def test_every_command_that_it_names_is_in_the_makefile(guide):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"\bmake ([a-z-]+)", guide.read_text(encoding="utf-8")))
    assert named >= {"site", "serve", "anchors", "test", "translations"}
    assert [name for name in named if not re.search(rf"^{name}:", makefile, re.MULTILINE)] == []


@pytest.mark.parametrize(
    ("page", "told"),
    [
        ("# Trial\n\n## Half {#half}\n\nIt is `{nobody} 1`.\n", "there is no listing “nobody” on this page"),
        (
            '# Trial\n\n## Half {#half}\n\n```python exec="on"\n--8<-- "half.py"\n```\n\n`{half} assert half > 1`\n',
            "half",
        ),
    ],
    ids=["cannot be read", "false"],
)
def test_the_faults_of_a_build_end_once_with_the_page(project, page, told):
    for language in ("it", "en"):
        project.write(f"docs/{language}/contribuire.md", "# How\n")
    project.both(page)
    built = project.build()
    faults = built.stderr.partition("Nothing was published.")[2]
    assert built.returncode == 1
    assert told in faults
    assert faults.count(GUIDE) == 1
    assert faults.strip().splitlines()[-1] == GUIDE


def test_what_only_the_second_language_stops_ends_with_it_too(project):
    for language in ("it", "en"):
        project.write(f"docs/{language}/contribuire.md", "# How\n")
    project.write("docs/en/index.md", "# Trial\n\n[nowhere](nowhere.md)\n")
    built = project.build()
    assert built.returncode == 1
    assert built.stderr.count(GUIDE) == 1


def test_a_site_without_the_page_does_not_name_it(project):
    project.both("# Trial\n\n## Half {#half}\n\nIt is `{nobody} 1`.\n")
    built = project.build()
    assert "Nothing was published." in built.stderr
    assert "contribuire" not in built.stderr
