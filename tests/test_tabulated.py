"""Whatever is changed in the data of a figure, on its page or in its file, is told."""

import re

import pytest
from bs4 import BeautifulSoup

from livedoc.ledger import sha256
from livedoc.tabulated import findings, numbers, says

SNIPPET = """
    print(1)

    # %% figure: Two drawings.
    import matplotlib.pyplot as plt
    import numpy as np

    figure, (left, right) = plt.subplots(1, 2)
    left.plot([1, 2], [1 / 3, 1e-9], label="one, “two”")
    left.plot([1, 2], [float("nan"), -12345.678], label="b")
    left.set_ylabel("loss")
    for (i, j), value in np.ndenumerate([[0.125, 0.25], [0.5, 0.75]]):
        right.add_patch(plt.Rectangle((j, i), 1, 1, color="C0", label=value))
    right.set_title("Cells")
    right.set_xlim(0, 2)
    right.set_ylim(0, 2)
"""
PAGE = """
    ## S {#s}

    ```python exec="on" source="above" result="text"
    --8<-- "drawn.py"
    ```
"""
WORDS = "".join(
    f'msgid "{one}"\nmsgstr "{other}"\n\n'
    for one, other in (
        ("Two drawings.", "Due disegni."),
        ("one, “two”", "uno, “due”"),
        ("loss", "perdita"),
        ("Cells", "Celle"),
    )
)


@pytest.fixture
def page(pages):
    """The page as it is built, its files, and what a ledger says of it."""
    pages.snippet("drawn.py", SNIPPET)
    pages.snippet("it.po", WORDS)
    html = pages.render(PAGE, "it")
    assert pages.faults == []
    files = {file: text for file, text in pages.context.downloads.items() if file.endswith(".csv")}
    for file, text in files.items():
        pages.snippet(file, "")
        (pages.folder / file).write_bytes(text.encode())
    tables = [{"file": file, "sha256": sha256(text)} for file, text in files.items()]
    run = {"figures": [{"id": "figure-drawn-1", "tables": tables}]}

    def read(html=html):
        listing = BeautifulSoup(html, "html.parser").find("section", class_="listing")
        return list(findings(listing, run, pages.folder, "it"))

    read.html, read.folder, read.run = html, pages.folder, run
    return read


def test_what_was_built_is_in_order(page):
    assert page() == []
    assert len(page.run["figures"][0]["tables"]) == 2
    assert 'class="cell"' in page.html


BROKEN = {
    "a number": (r'(value="0\.3333333333333333">)0,\d+', r"\g<1>0,34", "0.3333333333333333 is not written “0,34”"),
    "an exact number": (r'value="0\.3333333333333333"', 'value="0.4"', "row 1 is 1, 0.4,  on the page, not 1, 0.33"),
    "a power": ("10⁻⁹", "10⁻⁸", "1e-09 is not written “1"),
    "a sign": ('678">−12', '678">12', "-12345.678 is not written “12"),
    "a heading": ("<th[^>]*>b</th>", '<th scope="col">c</th>', "its headings ['x', 'perdita: uno"),
    "the heading above": ('2">perdita<', '2">guadagno<', "its headings"),
    "a row": (r"<tr><th scope=\"row\".*?</tr>", "", "the page shows 1 of its 2 rows"),
    "the caption": ("<caption>.*?</caption>", "", "it is empty, or its table has no caption"),
    "the link": ('href="figures/drawn-1-2.csv"', 'href="figures/drawn-1-1.csv"', "does not show and offer"),
    "a table": ('(?s)<div class="data-table".*?</div>', "", "does not show and offer"),
    "the whole": ('<details class="figure-data".*?</details>', "", "does not show and offer"),
    "a cell’s words": (
        "<title>y 0,5, x 0,5: 0,125",
        "<title>y 0,5, x 0,5: 0,2",
        "the cell “y 0,5, x 0,5: 0,2” is “y 0,5, x 0,5: 0,125” in the table",
    ),
    "a cell’s column": (
        "<title>y 0,5, x 0,5: ",
        "<title>y 0,5, x 1,5: ",
        "the cell “y 0,5, x 1,5: 0,125” is “y 0,5, x 0,5",
    ),
    "a cell’s place": ('data-cell="1 0 0"', 'data-cell="1 9 9"', "is not in its table"),
    "a cell of another drawing": ('data-cell="1 0 0"', 'data-cell="0 0 0"', "in the table"),
    "a cell’s title": ("<title>y 0,5, x 0,5: 0,125</title>", "", "the cell “” is “y 0,5, x 0,5: 0,125” in the table"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_is_changed_on_the_page_is_told(page, what):
    old, new, told = BROKEN[what]
    html = re.sub(old, new, page.html, count=1)
    assert html != page.html
    found = page(html)
    assert [message for message in found if told in message], found


def test_what_is_changed_in_the_file_is_told(page):
    file = page.folder / "figures/drawn-1-2.csv"
    text = file.read_text()
    file.write_text(text.replace("0.125", "0.126"))
    assert [message for message in page() if "figures/drawn-1-2.csv is not what the ledger’s sha256 is of" in message]
    assert [message for message in page() if "0.126" in message]
    file.unlink()
    assert "figures/drawn-1-2.csv is not what the ledger’s sha256 is of" in page()


def test_a_figure_without_tables_has_none_in_the_ledger(page):
    page.run["figures"][0]["tables"] = []
    assert page() == ["figure-drawn-1 does not show and offer the tables of the ledger"]


def test_the_numbers_of_both_languages_are_the_same(page, pages):
    both = [BeautifulSoup(pages.render(PAGE, language), "html.parser") for language in ("it", "en")]
    found = [numbers(soup, "drawn") for soup in both]
    assert found[0] == found[1]
    assert {"0.3333333333333333", "-12345.678", "0.75"} <= set(found[0])


@pytest.mark.parametrize(
    ("text", "exact", "language"),
    [
        ("0,36727", "0.36726983817699677", "it"),
        ("0.36727", "0.36726983817699677", "en"),
        ("16.777.216", "16777216", "it"),
        ("16,777,216", "16777216", "en"),
        ("1,2346\u00a0·\u00a010⁻¹⁷", "1.2345678e-17", "it"),
        ("−2.5\u00a0×\u00a010²⁰", "-2.5e20", "en"),
        ("−0.25", "-0.25", "en"),
        ("0", "0", "en"),
        ("2.2", "2.25", "en"),
    ],
)
def test_a_number_is_read_as_a_reader_reads_it(text, exact, language):
    assert says(text, exact, language)


@pytest.mark.parametrize(
    ("text", "exact", "language"),
    [
        ("0,36728", "0.36726983817699677", "it"),
        ("0.36727", "0.36726983817699677", "it"),
        ("0,25", "-0.25", "it"),
        ("1,2346\u00a0·\u00a010⁻¹⁶", "1.2345678e-17", "it"),
        ("words", "0.5", "en"),
        ("", "0.5", "en"),
        ("0.5", "", "en"),
    ],
)
def test_another_number_is_not_the_same(text, exact, language):
    assert not says(text, exact, language)
