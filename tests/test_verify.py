"""A built site is read again by somebody who believes nothing: each thing broken in it is told, and nothing else."""

import json
import re
import shutil
import textwrap

import pytest
from support import CATALOGUE, CONFIGURATION, SECOND, Project

from livedoc.__main__ import main
from livedoc.ledger import sha256
from livedoc.verify import add_anchors, verify

SNIPPET = '''
"""Halve numbers."""
half = 1 / 3
rows = [{"n": 4, "root": 2.0}, {"n": 10, "root": 10**0.5}]
print(f"half: {half}")

# %% figure: Four points, from 4 on.
import matplotlib.pyplot as plt

plt.figure(figsize=(2, 1))
plt.plot([4, 1, 2, 3])
'''
SILENT = """
import time
seconds = time.perf_counter()
"""
PAGES = {
    "en": """
        ---
        title: Trial
        ---
        # Trial

        ## Half {#half}

        ```python exec="on" source="above" result="text"
        --8<-- "half.py"
        ```

        It is `{half} half:.3f`, or `{half} half:.1e`, more than 0.2 `{half} assert half > 0.2`; others have `{quoted} 25.8` (table 3).
        On 30 November 2026 we read [the other page](other.md#more). The notation is `` `{half} half:.3f` ``, and $\\frac{1}{3}$ is a third[^1].

        ```table of="half" rows="rows" caption="Roots"
        n        | $n$
        root:.2f | root
        ```

        [^1]: Exactly `{half} 1 / 3:.1f`, and no more.
    """,  # noqa: E501
    "it": """
        # Prova

        ## Metà {#half}

        ```python exec="on" source="above" result="text"
        --8<-- "half.py"
        ```

        Vale `{half} half:.3f`, o `{half} half:.1e`, più di 0,2 `{half} assert half > 0.2`; altri hanno `{quoted} 25.8` (tabella 3).
        Il 30 novembre 2026 abbiamo letto [l'altra pagina](other.md#more). La notazione è `` `{half} half:.3f` ``, e $\\frac{1}{3}$ è un terzo[^1].

        ```table of="half" rows="rows" caption="Radici"
        n        | $n$
        root:.2f | radice
        ```

        [^1]: Esattamente `{half} 1 / 3:.1f`, e non di più.
    """,  # noqa: E501
}
OTHER = """
    # Other

    ## More {#more}

    ```python exec="on" source="above" result="" measures="seconds"
    --8<-- "silent.py"
    ```

    It is `{silent} seconds:.1f` o'clock.
"""
WORDS = """
msgid "Halve numbers."
msgstr "Dimezza numeri."

msgid "half: {half}"
msgstr "metà: {half}"

msgid "Four points, from 4 on."
msgstr "Quattro punti, da 4 in poi."
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    project = Project(tmp_path_factory.mktemp("verified"))
    project.write("mkdocs.yml", CONFIGURATION.replace("markdown_extensions:", "markdown_extensions:\n  footnotes: {}"))
    project.write("mkdocs.en.yml", SECOND)
    project.write("snippets/half.py", SNIPPET.lstrip())
    project.write("snippets/silent.py", SILENT.lstrip())
    project.write("snippets/it.po", CATALOGUE.split('msgid "half')[0] + WORDS)
    for language, text in PAGES.items():
        project.write(f"docs/{language}/index.md", textwrap.dedent(text).lstrip())
        project.write(f"docs/{language}/other.md", OTHER)
    project.write("docs/assets/own.css", "p { color: red; }")
    project.write("docs/anchors.txt", "index#half\nother#more\n")
    result = project.build()
    assert result.returncode == 0, result.stdout + result.stderr
    return project


@pytest.fixture
def copy(built, tmp_path):
    """A copy of the project and its site, for breaking."""
    shutil.copytree(built.folder, tmp_path, dirs_exist_ok=True)
    return Project(tmp_path)


def read_again(project):
    return verify(project.folder / "site", project.folder).findings


def change(project, name, old, new):
    path = project.folder / name
    text = path.read_text(encoding="utf-8")
    changed = re.sub(old, new, text, count=1, flags=re.DOTALL)
    assert changed != text, f"{old} is not in {name}"
    path.write_text(changed, encoding="utf-8")


def test_a_sound_site_passes(built, capsys):
    assert main(["verify", str(built.folder / "site"), "--project", str(built.folder)]) == 0
    told = capsys.readouterr().out
    assert len(told.splitlines()) == 1
    assert "6 pages, 4 listings, 16 values, 2 claims, 2 figures" in told


EN, IT = "site/en/index.html", "site/index.html"
END = "</article>"


def adding(markup):
    return (EN, END, markup + END)


# What is broken (a file, what stands in it, what takes its place), and the findings, from their start.
PAGE_BROKEN = {
    "a number": (
        (EN, ">0.333<", ">0.334<"),
        ["en/index.html: listing “half”: the value half is “0.334” on the page, not “0.333”"],
    ),
    "an exact value": (
        (EN, r'value="0\.3333333333333333"', 'value="0.4"'),
        [
            "en/index.html: listing “half”: the value half is “0.4” on the page, not “0.3333333333333333”",
            "index.html: values: half half half 0.3333333333333333 is not so in en",
        ],
    ),
    "two numbers swapped": (
        (EN, r"(<data[^>]*>0.333</data>)(.*?)(<data[^>]*>3.3.*?</data>)", r"\3\2\1"),
        ["en/index.html: listing “half”: its values stand in another order than in the ledger"],
    ),
    "a number of a listing that is not there": (
        adding('<data class="value" value="1" data-listing="none" data-expression="x">1</data>'),
        [
            "en/index.html: listing “none” is not declared by its author",
            "index.html: values: half none x 1 is in en alone",
        ],
    ),
    "the code": (
        (EN, r'(listing-half.*?<span class="mi">)1<', r"\g<1>2<"),
        ["en/index.html: listing “half”: its code on the page differs in line 2: “half = 2 / 3”, not “half = 1 / 3”"],
    ),
    "the output": (
        (EN, "half: 0.3", "half: 0.4"),
        ["en/index.html: listing “half”: its output on the page differs in line 1: “half: 0.4"],
    ),
    "the output left out": (
        (EN, r'<div class="highlight"><pre><span></span><code>half: .*?</div>', ""),
        ["en/index.html: listing “half”: its output is not shown"],
    ),
    "the drawing": (
        (EN, r'(class="figure-drawing".*?<path [^>]*?d="M)\d', r"\g<1>9999"),
        ["en/index.html: listing “half”: the figure figure-half-1 is “"],
    ),
    "a number in the table of a figure": (
        (EN, '<data value="4">', '<data value="5">'),
        [
            "en/index.html: listing “half”: figures/half-1.csv: row 1 is 0, 5 on the page, not 0, 4",
            "en/index.html: listing “half”: figures/half-1.csv: row 1: 5 is not written “4”",
            "index.html: listing “half” draws other data in en",
        ],
    ),
    "the file of a figure": (
        ("site/en/figures/half-1.csv", "0,4", "0,4.0"),
        [
            "en/index.html: listing “half”: figures/half-1.csv is not what the ledger’s sha256 is of",
            "en/index.html: listing “half”: figures/half-1.csv: row 1 is 0, 4 on the page, not 0, 4.0",
        ],
    ),
    "the details of a figure": (
        (EN, 'id="figure-half-1-data"', ""),
        ["en/index.html: aria-details names figure-half-1-data, which is not there"],
    ),
    "the code of a figure": (
        (EN, r'(figure-code.*?<span class="mi">)3<', r"\g<1>9<"),
        ["en/index.html: listing “half”: the figure figure-half-1 is “"],
    ),
    "a caption": (
        (EN, "Four points, from 4 on.", "Four points, from 77 on."),
        [
            "en/index.html: listing “half”: in the caption of figure-half-1 the number 77 is neither",
            "en/index.html: listing “half”: the figure figure-half-1 is “Four points, from 77 on.” on the page",
        ],
    ),
    "the download is not offered": (
        (EN, 'class="listing-download" href="listings/half.py"', 'class="listing-download" href="listings/../"'),
        ["en/index.html: listing “half”: its download is not offered"],
    ),
    "a claim": (
        (EN, "<code>half &gt; 0.2</code>", "<code>half &gt; 0.20</code>"),
        [
            "en/index.html: listing “half”: the claim half > 0.20 is on the page alone",
            "en/index.html: listing “half”: the claim half > 0.2 is not on the page",
            "index.html: claims: half half half > 0.2 is not so in en",
            "index.html: claims: half half half > 0.20 is in en alone",
        ],
    ),
    "a quoted number": (
        (EN, '"quoted">25.8', '"quoted">25.9'),
        [
            "en/index.html: the quoted number 25.9 is on the page alone",
            "en/index.html: the quoted number 25.8 is not on",
        ],
    ),
    "a digit": (
        adding("<p>About 42.5 per cent.</p>"),
        ["en/index.html: #half: the number 42.5 is neither bound nor quoted nor explained: “About 42.5 per"],
    ),
    "a digit that is no name": (
        adding("<p>It takes 1.5 s, x² and 1 GiB.</p>"),
        [
            "en/index.html: #half: the number 1.5 is",
            "en/index.html: #half: the number ² is",
            "en/index.html: #half: the number 1 is",
        ],
    ),
    "a digit that its claim does not check": (
        (EN, r"(more than (?:<[^>]*>)?0\.)2", r"\g<1>3"),
        ["en/index.html: #half: the number 0.3 is neither"],
    ),
    "a traceback": (
        adding("<pre>Traceback (most recent call last):</pre>"),
        ["en/index.html: a traceback"],
    ),
    "a path of the machine": (
        adding("<!-- /tmp/build/half.py -->"),
        ["en/index.html: a path of the machine that built it: /tmp/build"],
    ),
    "a value that was not rendered": (
        adding("<p><code>{half} half:.4f</code></p>"),
        ["en/index.html: something bound that was not rendered: {half} half:.4f"],
    ),
    "a value in plain text": (
        adding("<p>It is `{half} half` or so.</p>"),
        ["en/index.html: #half: something bound that was not rendered in the prose: “It is `{half} half` or so.”"],
    ),
    "TeX": (adding(r"<p>where \\(x\\)</p>"), [r"en/index.html: #half: TeX source in the prose: “where \(x\)”"]),
    "TeX between dollars": (adding("<p>where $x_i$ is</p>"), ["en/index.html: #half: TeX source in the prose"]),
    "TeX in the title": ((EN, "<title>", r"<title>\\sqrt "), ["en/index.html: #: TeX source in the prose"]),
    "a fence marker": (adding("<p>```python</p>"), ["en/index.html: #half: a fence marker in the prose"]),
    "a citation": (adding("<p>So [-@doe, §3].</p>"), ["en/index.html: #half: a citation in the prose"]),
    "an attribute list": (adding("<p>So { .lead }</p>"), ["en/index.html: #half: an attribute list in the prose"]),
    "a fault of the preview": (adding('<div class="livedoc-error"></div>'), ["en/index.html: a fault of the preview"]),
    "a section in one language": (
        adding('<h2 id="extra">More</h2>'),
        ["index.html: its sections ['half'] are ['half', 'extra'] in en"],
    ),
    "an id that stands twice": (adding('<p id="half"></p>'), ["en/index.html: the id half stands 2 times"]),
    "a link to nothing": (
        (EN, r'href="other/#more"', 'href="others/#more"'),
        ["en/index.html: a link to nothing: others/#more"],
    ),
    "a link to no fragment": (
        (EN, r'href="other/#more"', 'href="other/#less"'),
        ["en/index.html: a link to a fragment that is not there: other/#less"],
    ),
    "a link out of the site": (
        adding('<a href="javascript:alert()">x</a>'),
        ["en/index.html: it asks another origin: javascript:alert()"],
    ),
    "a popover without its panel": (
        (EN, 'popovertarget="claim-1"', 'popovertarget="claim-9"'),
        ["en/index.html: popovertarget names claim-9, which is not there"],
    ),
    "an image from elsewhere": (
        adding('<img src="https://example.com/a.png">'),
        ["en/index.html: it asks another origin: https://example.com/a.png"],
    ),
    "an image that is not there": (adding('<img src="a.png">'), ["en/index.html: a link to nothing: a.png"]),
    "a preconnection": (
        (EN, "</head>", '<link rel="preconnect" href="https://fonts.gstatic.com"></head>'),
        ["en/index.html: it asks another origin: https://fonts.gstatic.com"],
    ),
    "a style sheet that calls itself a licence": (
        (EN, "</head>", '<link rel="license stylesheet" href="https://example.com/a.css"></head>'),
        ["en/index.html: it asks another origin: https://example.com/a.css"],
    ),
    "a style from elsewhere": (
        adding('<p style="background: url(//example.com/b.png)">x</p>'),
        ["en/index.html: it asks another origin: //example.com/b.png"],
    ),
    "a script that asks": (
        adding('<script>fetch("https://example.com/count")</script>'),
        ["en/index.html: a script names another origin: https://example.com/count"],
    ),
    "a style sheet that imports": (
        ("site/assets/own.css", "^", '@import "https://example.com/a.css"; '),
        ["assets/own.css: it asks another origin: https://example.com/a.css"],
    ),
    "a style sheet with a font that is not there": (
        ("site/assets/own.css", "red", "red; src: url('no.woff2')"),
        ["assets/own.css: a link to nothing: no.woff2"],
    ),
    "a download": (
        ("site/en/listings/half.py", "1 / 3", "1 / 2"),
        ["en/index.html: listing “half”: the download listings/half.py is not the snippet in this language"],
    ),
    "an anchor that is gone": (
        ("docs/anchors.txt", "^", "index#gone\n"),
        [
            "docs/anchors.txt: the section index#gone was published once, and is gone in it",
            "docs/anchors.txt: the section index#gone was published once, and is gone in en",
        ],
    ),
    "an empty output that is not declared": (
        ("docs/en/other.md", ' result=""', ""),
        ["en/other/index.html: listing “silent”: it printed nothing, and its fence does not say so"],
    ),
    "a value that its author never wrote": (
        ("docs/en/index.md", r"`\{half\} half:.1e`", "much"),
        ["en/index.html: listing “half”: the values in the ledger are not those of its author"],
    ),
    "a claim that its author never wrote": (
        ("docs/en/index.md", r"`\{half\} assert half > 0.2`", ""),
        ["en/index.html: listing “half”: the claims in the ledger are not those of its author"],
    ),
    "a listing that was not run": (
        ("docs/en/other.md", "$", '\n```python exec="on"\n--8<-- "new.py"\n```\n'),
        ["en/other/index.html: listing “new” is not in the ledger"],
    ),
    "the snippet": (
        ("snippets/half.py", "4, 1, 2", "4, 1, 3"),
        [
            f"{page}: listing “half”: {what}"
            for page in ("index.html", "en/index.html")
            for what in (
                "snippets/half.py is not the file in the ledger",
                "what ran is not snippets/half.py in this language",
                "the download listings/half.py is not the snippet in this language",
                "the figure figure-half-1 is “",
            )
        ],
    ),
    "the translation": (
        ("snippets/it.po", "Dimezza numeri", "Dimezza i numeri"),
        [
            "index.html: listing “half”: what ran is not snippets/half.py in this language",
            "index.html: listing “half”: the download listings/half.py is not the snippet in this language",
            "index.html: listing “half”: its code on the page differs in line 1",
        ],
    ),
}


@pytest.mark.parametrize("what", PAGE_BROKEN)
def test_what_is_broken_is_told_and_nothing_else(copy, what):
    edit, expected = PAGE_BROKEN[what]
    change(copy, *edit)
    told = read_again(copy)
    assert len(told) == len(expected), told
    for one in expected:
        assert [line for line in told if line.startswith(one)], (one, told)


def run_of(ledger, language, listing="half"):
    return next(run for run in ledger["runs"] if (run["language"], run["listing"]) == (language, listing))


def no_run(ledger):
    ledger["runs"].remove(run_of(ledger, "en"))


def another_page(ledger):
    ledger["runs"].append({**run_of(ledger, "en"), "page": "gone.md"})


def twice(ledger):
    ledger["runs"].append(run_of(ledger, "en"))


def false_claim(ledger):
    run_of(ledger, "en")["claims"][0]["holds"] = False


def another_text(ledger):
    run_of(ledger, "en")["values"][0]["text"] = "0.334"


def another_output(ledger):
    run_of(ledger, "en")["output"] = {"text": "half: 1/3\n", "sha256": sha256("half: 1/3\n")}


def another_digest(ledger):
    run_of(ledger, "en")["output"]["sha256"] = "0"


def other_data(ledger):
    run_of(ledger, "en")["figures"][0]["data_sha256"] = "0"


LEDGER_BROKEN = {
    no_run: ["en/index.html: listing “half” is not in the ledger"],
    another_page: ["ledger.json: listing “half” ran for gone.md (en), which is no page"],
    twice: ["ledger.json: listing “half” of index.md (en) has 2 runs"],
    false_claim: ["en/index.html: listing “half”: the claim half > 0.2 does not hold"],
    another_text: [
        "en/index.html: listing “half”: the value half is 0.3333333333333333, and that is not written “0.334”",
        "en/index.html: listing “half”: the value half is “0.333” on the page, not “0.334”",
    ],
    another_output: [
        "en/index.html: listing “half”: its output on the page differs in line 1",
        "index.html: listing “half” prints other numbers in en",
    ],
    another_digest: ["en/index.html: listing “half”: its output in the ledger is not what the ledger’s sha256 is of"],
    other_data: ["index.html: listing “half” draws other data in en"],
}


@pytest.mark.parametrize("what", LEDGER_BROKEN, ids=lambda one: one.__name__)
def test_a_ledger_that_says_otherwise_is_told(copy, what):
    file = copy.folder / "site/ledger.json"
    ledger = json.loads(file.read_text(encoding="utf-8"))
    what(ledger)
    file.write_text(json.dumps(ledger), encoding="utf-8")
    told = read_again(copy)
    assert len(told) == len(LEDGER_BROKEN[what]), told
    for one in LEDGER_BROKEN[what]:
        assert [line for line in told if line.startswith(one)], (one, told)


def test_a_listing_that_ran_and_is_not_shown_is_told(copy):
    change(copy, EN, r'<section class="listing" id="listing-half".*?</section>', "")
    assert "en/index.html: listing “half” ran and is not shown" in read_again(copy)


def test_a_page_that_is_not_published_is_told(copy):
    (copy.folder / EN).unlink()
    assert "en/index.html: docs/en/index.md has no page" in read_again(copy)


def test_a_page_in_one_language_is_told(copy):
    (copy.folder / "docs/en/other.md").unlink()
    assert "other/index.html: the page is in one language alone" in read_again(copy)


def test_the_whole_of_a_long_output_must_be_there(copy):
    text = "half: 0\n" * 300
    file = copy.folder / "site/ledger.json"
    ledger = json.loads(file.read_text(encoding="utf-8"))
    run_of(ledger, "en")["output"] = {"text": text, "sha256": sha256(text)}
    file.write_text(json.dumps(ledger), encoding="utf-8")
    assert "en/index.html: listing “half”: its whole output is not in outputs/half.txt" in read_again(copy)
    copy.write("site/en/outputs/half.txt", text)
    assert not [line for line in read_again(copy) if "whole output" in line]


@pytest.mark.parametrize(
    "markup",
    [
        '<a href="https://example.com/">elsewhere</a>',
        '<a href="mailto:a@example.com">write</a>',
        '<img src="data:image/png;base64,AAAA">',
        "<p>§3.2.1, footnote 4; table 2, row 3; arXiv:1706.03762; article 02; mean 0 and variance 1; GPT-2.</p>",
        "<p>Costs $5 and more, and a path such as docs/tmp/file.</p>",
        "<pre><code>42</code></pre>",
        '<details class="cite"><summary>Cite</summary><p>§ 3. Title (2026), version 1.1</p></details>',
        '<link rel="license" href="https://example.com/by/4.0/"><link rel="schema.DC" href="https://example.com/dc/">',
    ],
)
def test_what_may_stand_on_a_page_is_not_told(copy, markup):
    change(copy, *adding(markup))
    assert not [line for line in read_again(copy) if "number 5" not in line]


def test_findings_end_with_one(copy, capsys):
    change(copy, *adding("<p>About 42 per cent.</p>"))
    assert main(["verify", str(copy.folder / "site"), "--project", str(copy.folder)]) == 1
    assert capsys.readouterr().out.startswith("en/index.html: #half: the number 42 ")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("site/ledger.json", "{"),
        ("site/ledger.json", '{"schema": "livedoc-ledger/1", "runs": [{}]}'),
        ("site", None),
        ("docs", None),
    ],
)
def test_what_cannot_be_read_ends_with_two_and_one_line(copy, capsys, name, text):
    if text is None:
        shutil.rmtree(copy.folder / name)
    else:
        copy.write(name, text)
    assert main(["verify", str(copy.folder / "site"), "--project", str(copy.folder)]) == 2
    told = capsys.readouterr()
    assert not told.out
    assert len(told.err.splitlines()) == 1


def test_anchors_are_added_and_never_removed(copy, capsys):
    copy.write("docs/anchors.txt", "index#gone\nindex#half\n")
    assert main(["anchors", str(copy.folder / "site"), "--project", str(copy.folder)]) == 0
    assert capsys.readouterr().out == "other#more\n"
    assert (copy.folder / "docs/anchors.txt").read_text() == "index#gone\nindex#half\nother#more\n"
    assert add_anchors(copy.folder / "site", copy.folder) == []
