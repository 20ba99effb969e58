"""An article as a notebook and as an archive of listings: what is in them, and that they run elsewhere."""

import datetime
import io
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import textwrap
import zipfile
from pathlib import Path

import nbclient
import nbformat
import pytest
from support import CONFIGURATION

from livedoc import listings, notebook
from livedoc.__main__ import main
from livedoc.article import Article, Author
from livedoc.context import Context, submit
from livedoc.ledger import NUMBER
from livedoc.scan import scan

DAY = datetime.date(2026, 12, 1)


@pytest.fixture
def context(tmp_path, runner):
    """Return what a page knows once its listings have run."""

    def known(text: str, language: str = "en", **sources: str) -> Context:
        for name, source in sources.items():
            path = tmp_path / f"{name.replace('__', '/')}.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text(textwrap.dedent(source), encoding="utf-8")
        article = Article(
            "01", "Title", "About", (Author("Doe", "Jo"),), DAY, DAY, "1.0", "CC-BY-4.0", ("k",), language
        )
        found = Context(
            tmp_path, language, declared=scan(text), article=article, address="http://x/page/", root=tmp_path
        )
        assert not found.declared.faults
        found.given = submit(found.declared, tmp_path, language, runner, pictures=True)
        return found

    return known


def absolute(target):
    return target if target.startswith(("#", "http")) else f"ABS:{target}"


@pytest.fixture
def made(context):
    """Return the notebook of a page, which is valid and read back as it was written."""

    def make(text: str, language: str = "en", **sources: str):
        text = textwrap.dedent(text)
        written = notebook.written(notebook.make(text, context(text, language, **sources), "page.ipynb", absolute))
        read = nbformat.reads(written.decode(), as_version=4)
        nbformat.validate(read)
        assert (read.nbformat, read.nbformat_minor) == (4, 5)
        assert nbformat.writes(read).encode() + b"\n" == written
        return read

    return make


def prose(made):
    """Return the Markdown after the first cell."""
    return "\n\n".join(cell.source for cell in made.cells[1:] if cell.cell_type == "markdown")


LISTING = '\n```python exec="on"\n--8<-- "one.py"\n```\n'
ONE = "half, name, rows = 1234.5, 'a_b|*', [{'n': 1000, 's': 'x|y'}]\nprint('half')\n"


def test_bound_values_stand_in_the_language_and_claims_leave_no_trace(made):
    prices = "It is `{one} half:,.1f`, more `{one} assert half > 1`.\nNow\n`{one} assert half > 2` so."
    told = prose(made(f"# T\n{LISTING}\n{prices}", one=ONE))
    assert "It is 1,234.5, more.\nNow so." in told
    quoted = "# T\n\nBLEU `{quoted} 25.8` and ``{one} half`` and `x = {1}`."
    assert prose(made(quoted)) == "BLEU 25.8 and ``{one} half`` and `x = {1}`."


def test_text_that_was_bound_is_not_markdown(made):
    assert r"a\_b\|\*." in prose(made(f"# T\n{LISTING}\n`{{one}} name`.", one=ONE))


def test_a_bound_table_becomes_markdown_with_its_caption(made):
    table = '```table of="one" rows="rows" caption="All `{one} half`"\nn:, | $n$\ns | `s`\n```'
    told = prose(made(f"# T\n{LISTING}\n{table}", one=ONE))
    assert told == "*All 1234.5*\n\n| $n$ | `s` |\n| --: | :-- |\n| 1,000 | x\\|y |"


def test_what_is_measured_in_time_is_not_told(made):
    listing = '```python exec="on" measures="rows.seconds"\n--8<-- "timed.py"\n```\n'
    table = '```table of="timed" rows="rows"\nn | n\nseconds | s\n```'
    timed = """
        import time
        rows = [{"n": 7, "seconds": time.perf_counter()}]
        print("seconds", rows)

        # %% figure: One
        import matplotlib.pyplot as plt
        plt.plot([0, 1])
    """
    cells = made(f"# T\n\n{listing}\n{table}\n\nIt took `{{timed}} rows[0]['seconds']`.", timed=timed).cells
    code = [cell for cell in cells if cell.cell_type == "code"]
    assert [[output.output_type for output in cell.outputs] for cell in code] == [[], [], ["display_data"]]
    assert "| 7 | measured |" in cells[-1].source
    assert "It took *(measured in each run)*." in cells[-1].source
    assert cells[-2].source.startswith("*This listing measures times")


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("## Why $\\sqrt{d_k}$ {#why .unnumbered}", '<a id="why"></a>\n\n## Why $\\sqrt{d_k}$'),
        ("Lead.\n{ .lead }\n\nEnd.", "Lead.\n\nEnd."),
        ("See *this*{ .x } and [it](it.md#a){ .y }.", "See *this* and [it](ABS:it.md#a)."),
        ("[here](#a) [there](http://y/z) [img]: no", "[here](#a) [there](http://y/z) [img]: no"),
        ("A set $\\{1, 2\\}$ and $x_{.5}$ stay.", "A set $\\{1, 2\\}$ and $x_{.5}$ stay."),
        ("It costs 5$ or 6$.", "It costs 5\\$ or 6\\$."),
        ("One[^b] and two[^a].\n\n[^a]: First\n    line.\n\n[^b]: *Other* [x](x.md).\n",
         "One<sup>[1](#note-1)</sup> and two<sup>[2](#note-2)</sup>.\n\n**Notes**\n\n"
         '1. <a id="note-1"></a>*Other* [x](ABS:x.md).\n2. <a id="note-2"></a>First line.'),
        ('!!! warning "Mind $x$"\n\n    - A `b`\n\n    ```bash\n    ls {#a}\n    ```\n\nEnd.',
         "> **Mind $x$**\n>\n> - A `b`\n>\n> ```bash\n> ls {#a}\n> ```\n\nEnd."),
        ("??? note\n    $$\n    x\n    $$\nEnd.", "> **Note**\n>\n> $$\n> x\n> $$\nEnd."),
        ('=== "A"\n\n    one\n\n=== "B"\n\n    two', "**A**\n\none\n\n**B**\n\ntwo"),
        ("<!-- `{gone} x` -->Seen.", "Seen."),
        ("```ledger\ncounts\n```\n\nEnd.", "End."),
        ('```{.python title="x"}\nx = "[a](b.md) `{q} r` $"\n```', '```python\nx = "[a](b.md) `{q} r` $"\n```'),
    ],
)  # fmt: skip
def test_the_pages_markdown_becomes_plain(made, written, told):
    assert prose(made(f"# T\n\n{written}")).strip() == told


def test_works_are_cited_and_listed_in_words(made, tmp_path):
    (tmp_path / "docs").mkdir()
    work = "@misc{doe, author = {Doe, Jo}, title = {Of halves}, year = {2020}, url = {https://example.org/halves}}"
    (tmp_path / "docs/references.bib").write_text(work, encoding="utf-8")
    told = prose(made("# T\n\nSo it is [@doe, §3].\n\n```references\ndoe: For `{quoted} 0.5`, and [it](it.md).\n```\n"))
    assert "So it is (Doe, 2020, §3)." in told
    assert re.search(r"^- Doe, J\. \(2020\)\. .*Of halves.* For 0\.5, and \[it\]\(ABS:it\.md\)\.$", told, re.MULTILINE)


def test_the_first_cell_says_where_it_comes_from_and_how_to_run_it(made):
    import numpy

    found = made(f"# The *title*\n{LISTING}", one="import math, numpy\nprint(math.pi)\n")
    first = found.cells[0].source
    assert first.startswith(
        "# The *title*\n\nThis notebook is the article [Title](http://x/page/), version 1.0, of 1 Dec"
    )
    assert f"numpy=={numpy.__version__.partition('+')[0]}\njupyter lab page.ipynb" in first
    assert "math" not in first
    assert found.metadata.title == "Title"
    assert found.metadata.authors == [{"name": "Jo Doe"}]
    assert found.metadata.livedoc.address == "http://x/page/"
    assert found.metadata.kernelspec.name == "python3"


def test_cells_are_the_listings_and_their_ids_can_be_read(made):
    source = """
        # A comment
        print("one")

        # %% figure: Its caption
        import matplotlib.pyplot as plt
        plt.plot([0, 1])
    """
    found = made(f"# T\n\nIntro.\n\n## A {{#a_b}}\n{LISTING}\nAfter.\n", one=source)
    assert [cell.id for cell in found.cells] == [
        "about", "setup", "intro", "a_b", "listing-one", "figure-one", "a_b-2",
    ]  # fmt: skip
    listing, figure = found.cells[4:6]
    assert listing.source == '# A comment\nprint("one")'
    assert listing.outputs == [{"output_type": "stream", "name": "stdout", "text": "one\n"}]
    assert figure.source.startswith("# %% figure: Its caption\nimport")
    drawn = figure.outputs[0]
    assert drawn.data["text/plain"] == "Its caption"
    assert '<rect width="100%" height="100%" fill="#ffffff"/>' in drawn.data["image/svg+xml"]
    assert drawn.data["image/png"].startswith("iVBOR")
    assert 200 < drawn.metadata["image/png"]["width"] < 1000


def test_it_is_the_same_each_time(context):
    text = f"# T\n{LISTING}"
    drawing = "import matplotlib.pyplot as plt\nplt.plot([0, 1])\nplt.show()\n"
    fence = text.replace('exec="on"', 'exec="on" caption="C"')
    once, again = (context(fence, one=drawing) for _ in range(2))
    assert notebook.written(notebook.make(fence, once, "n", absolute)) == notebook.written(
        notebook.make(fence, again, "n", absolute)
    )
    assert listings.archive("p", listings.files(once)) == listings.archive("p", listings.files(again))


def test_helper_modules_come_along_and_run(context):
    text = '# T\n\n```python exec="on"\n--8<-- "folder/main.py"\n```\n'
    sources = {
        "folder__main": "from helper import double\nprint(double(21))\n",
        "folder__helper": "def double(x):\n    return 2 * x\n",
    }
    known = context(text, **sources)
    found = nbformat.reads(notebook.written(notebook.make(text, known, "n", absolute)).decode(), as_version=4)
    assert [cell.id for cell in found.cells][2] == "helper-helper"
    with tempfile.TemporaryDirectory() as folder:
        ran = run(found, folder)
    assert printed(ran.cells[-1]) == "42\n"
    members = listings.files(known, b"Licence")
    assert list(members) == ["README.md", "requirements.txt", "LICENSE", "helper.py", "main.py"]
    assert members["requirements.txt"] == b""


def test_two_helpers_of_one_name_are_a_conflict(context):
    text = "".join(f'```python exec="on"\n--8<-- "{name}/{name}.py"\n```\n\n' for name in "ab")
    sources = {f"{name}__{name}": "import helper\n" for name in "ab"} | {
        f"{name}__helper": f"x = '{name}'\n" for name in "ab"
    }
    with pytest.raises(listings.ConflictError, match=r"helper\.py"):
        listings.helpers(context(text, **sources))


def test_a_listing_that_failed_leaves_a_notebook_for_the_preview(made):
    found = made(f"# T\n{LISTING}\nIt is `{{one}} half`.", one="1 / 0\n")
    assert "*This listing was not run.*" in [cell.source for cell in found.cells]
    assert "It is …." in prose(found)


# ---- Small sites ----

PAGE = """---
title: Trial
description: About halves
authors: [Somebody]
article: "01"
published: 2026-11-30
updated: 2026-12-01
version: "1.0"
licence: CC-BY-4.0
keywords: [halves]
---

# Trial

## Half $\\frac{1}{2}$ {#half}

```python exec="on" source="above" result="text"
--8<-- "half.py"
```

It is `{half} half:.3f`, less than one `{half} assert half < 1`. See [home](../index.md#home) and [this](#half).

$$
x^2
$$
"""
DRAWING = """half = 1 / 2
print(f"half: {half}")

# %% figure: half: {half}
import matplotlib.pyplot as plt
plt.plot([0, 1])
"""
JUPYTER = '  mkdocs-jupyter: {include: ["*.ipynb"], execute: false, allow_errors: false, cache: false}\n'
NAV = "nav: [index.md, deep/art.md]\nvalidation: {nav: {omitted_files: warn}}\n"


@pytest.fixture(params=["last", "first"])
def book(project, request):
    """A small project with an article, whose site shows notebooks, wherever its plugin stands."""
    before = "markdown_extensions:" if request.param == "last" else "  search: {lang: it}"
    project.write("mkdocs.yml", CONFIGURATION.replace(before, JUPYTER + before, 1) + NAV)
    project.write("snippets/half.py", DRAWING)
    for language in ("it", "en"):
        project.write(f"docs/{language}/index.md", "# Home\n\n## Home {#home}\n")
        project.write(f"docs/{language}/deep/art.md", PAGE)
    return project


last = pytest.mark.parametrize("book", ["last"], indirect=True)


def test_a_site_has_the_notebook_of_each_language_and_its_page(book, tmp_path):
    built = book.build()
    assert built.returncode == 0, built.stderr
    assert "WARNING" not in built.stderr
    for folder, language, half in (("", "it", "0,500"), ("en/", "en", "0.500")):
        article, page = book.read(f"{folder}deep/art/index.html"), book.read(f"{folder}deep/art/notebook/index.html")
        assert '<a href="notebook/">' in article
        assert '<a href="art.ipynb" download>' in article
        assert '<a href="listings.zip" download>' in article
        assert f'lang="{language}"' in page
        assert f'rel="canonical" href="http://127.0.0.1:8000/{folder}deep/art/"' in page
        assert half in page
        assert 'class="katex"' in page
        assert 'id="half"' in page
        assert 'href="../../../#home"' in page
        assert "<svg" in re.search(r'<div class="notebook">.*', page, re.DOTALL)[0]
        made = json.loads(book.read(f"{folder}deep/art/art.ipynb"))
        assert f"http://127.0.0.1:8000/{folder}#home" in json.dumps(made)
        assert "notebook" not in book.read(f"{folder}sitemap.xml")
        assert "notebook" not in book.read(f"{folder}search/search_index.json")
    assert not list(book.folder.rglob(".cache"))
    assert main(["verify", str(book.folder / "site"), "--project", str(book.folder)]) == 0


@last
def test_what_is_taken_away_is_the_same_in_each_build(book):
    names = [
        f"{folder}deep/art/{name}"
        for folder in ("", "en/")
        for name in ("art.ipynb", "listings.zip", "notebook/index.html")
    ]
    kept = []
    for _ in range(2):
        assert book.build().returncode == 0
        kept.append([(book.folder / "site" / name).read_bytes() for name in names])
    assert kept[0] == kept[1]


@last
def test_pages_may_be_files_and_the_site_may_have_no_address(book):
    text = book.folder.joinpath("mkdocs.yml").read_text()
    book.write("mkdocs.yml", text.replace("site_url: http://127.0.0.1:8000/", "use_directory_urls: false"))
    built = book.build()
    assert built.returncode == 0, built.stderr
    assert '<a href="art/notebook.html">' in book.read("deep/art.html")
    assert '<a href="art/art.ipynb" download>' in book.read("deep/art.html")
    assert 'href="../art.html"' in book.read("deep/art/notebook.html")
    assert (book.folder / "site/deep/art/art.ipynb").is_file()


@last
def test_without_mkdocs_jupyter_there_is_nothing_to_take_away(book):
    text = book.folder.joinpath("mkdocs.yml").read_text()
    book.write("mkdocs.yml", text.replace(JUPYTER, ""))
    assert book.build().returncode == 0
    assert not list((book.folder / "site").rglob("*.ipynb"))
    assert not list((book.folder / "site").rglob("*.zip"))
    assert "takeaway" not in book.read("deep/art/index.html")


CHANGES = [
    ("art.ipynb", "half = 1 / 2", "half = 2 / 4", "listing “half” is not the code that ran"),
    ("art.ipynb", "metà: 0.5", "metà: 0.6", "has another output than the ledger’s"),
    ("art.ipynb", "0,500", "0,501", "the value half of “half”, 0,500, is not in its prose"),
    ("art.ipynb", '"image/svg+xml"', '"image/gif"', "has 0 figures, not 1"),
    ("art.ipynb", '"cells"', '"sells"', "art.ipynb: KeyError"),
    ("notebook/index.html", "OMP_NUM", "XXX_NUM", "the page of art.ipynb: code cell 1 is not the notebook’s"),
]


@last
def test_verification_notices_what_was_changed(book, capsys):
    assert book.build().returncode == 0
    folder, verify = book.folder / "site/deep/art", ["verify", str(book.folder / "site"), "--project", str(book.folder)]
    for name, old, new, told in CHANGES:
        before = (folder / name).read_text(encoding="utf-8")
        assert old in before
        (folder / name).write_text(before.replace(old, new), encoding="utf-8")
        assert main(verify) == 1
        assert told in capsys.readouterr().out
        (folder / name).write_text(before, encoding="utf-8")
    members = {name.partition("/")[2]: data for name, data in unzipped(folder / "listings.zip").items()}
    (folder / "listings.zip").write_bytes(listings.archive("art", {**members, "half.py": b"half = 3\n"}))
    assert main(verify) == 1
    assert "listings.zip: half.py is not the listing that ran" in capsys.readouterr().out


# ---- The real site ----


def unzipped(path):
    with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def run(found, folder):
    """Run a notebook from a clean kernel in a folder of its own."""
    client = nbclient.NotebookClient(
        found, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    return client.execute()


def printed(cell):
    return "".join(output.text for output in cell.outputs if output.get("name") == "stdout")


def same(one, other):
    """Tell whether two outputs have the same words, and the same numbers but for rounding noise."""
    if NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return False
    pairs = zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
    return all(mine == his or math.isclose(float(mine), float(his), rel_tol=1e-9, abs_tol=1e-12) for mine, his in pairs)


def test_rounding_noise_is_the_same_and_another_digit_is_not():
    assert same("error 3.3e-16, 0.367", "error 2.2e-16, 0.367")
    assert not same("0.367", "0.368")
    assert not same("1 word", "1 other word")
    assert not same("1.000000001e-3", "1.00000001e-3")


def notebooks(site):
    found = sorted(site.rglob("*.ipynb"))
    assert {path.relative_to(site).parts[0] == "en" for path in found} == {True, False}
    return found


def test_every_article_can_be_taken_away(site):
    root = Path(__file__).parent.parent
    articles = [
        path
        for path in sorted((root / "docs").glob("[a-z][a-z]/**/*.md"))
        if "\narticle:" in path.read_text("utf-8").partition("\n---\n")[0]  # and not in an example of the guide
    ]
    assert len(articles) == len(notebooks(site)) >= 2
    for path in notebooks(site):
        read = nbformat.read(path, as_version=4)
        nbformat.validate(read)
        ids = [cell.id for cell in read.cells]
        assert len(ids) == len(set(ids))
        assert (path.parent / "listings.zip").is_file()
        page = (path.parent / "notebook/index.html").read_text(encoding="utf-8")
        language = "en" if path.relative_to(site).parts[0] == "en" else "it"
        assert f"/edit/main/docs/{language}/{path.stem}.md" in page  # what an edit of this page changes
        assert f"{path.stem}/notebook.ipynb" not in page


@pytest.mark.parametrize("language", ["", "en"])
def test_the_notebooks_of_the_site_give_their_numbers_again_from_a_clean_kernel(site, tmp_path, language):
    mine = [path for path in notebooks(site) if (path.relative_to(site).parts[0] == "en") == bool(language)]
    compared = 0
    for path in mine:
        kept, found = nbformat.read(path, as_version=4), nbformat.read(path, as_version=4)
        for cell in found.cells:
            if cell.cell_type == "code":
                cell.outputs = []
        ran = run(found, tmp_path)
        for before, after in zip(kept.cells, ran.cells, strict=True):
            if before.cell_type == "code" and printed(before):
                assert same(printed(before), printed(after)), f"{path}: {before.id}: {printed(after)}"
                compared += 1
            drawn = [
                [output.output_type == "display_data" for output in cell.get("outputs", [])] for cell in (before, after)
            ]
            assert sum(drawn[0]) == sum(drawn[1])
    assert compared >= 10


@pytest.mark.parametrize(("folder", "words"), [("", "pesi: una riga"), ("en/", "weights: one row")])
def test_the_archive_of_the_site_runs_and_prints_what_the_page_shows(site, tmp_path, folder, words):
    members = unzipped(site / folder / "transformer/listings.zip")
    for name, data in members.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    listing = tmp_path / "transformer/attention.py"
    environment = {**os.environ, "MPLBACKEND": "agg", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    ran = subprocess.run(
        [sys.executable, listing.name], cwd=listing.parent, capture_output=True, text=True, env=environment
    )
    assert words in ran.stdout, ran.stderr
    ledger = json.loads((site / "ledger.json").read_text("utf-8"))
    language = folder.strip("/") or "it"
    told = next(
        one["output"]["text"] for one in ledger["runs"] if (one["listing"], one["language"]) == ("attention", language)
    )
    assert same(told, ran.stdout)
    required = members["transformer/requirements.txt"].decode()
    assert re.fullmatch(r"(matplotlib|numpy|torch)==[\d.]+\n(?s:.*)", required)
    assert {line.partition("==")[0] for line in required.split()} == {"matplotlib", "numpy", "torch"}
