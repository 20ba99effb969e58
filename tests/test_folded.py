"""The data of a figure stands on its page, folded, as a table that everyone can read."""

import re

import pytest
from bs4 import BeautifulSoup
from test_tables import table

from livedoc.context import Context
from livedoc.folded import data, rich

SNIPPET = """
    print(1)

    # %% figure: A figure.
    import matplotlib.pyplot as plt

    plt.plot(range({}), [n / 3 for n in range({})])
    plt.xlabel("<x>")
    plt.title("{}")
"""
PAGE = """
    ## S {#s}

    ```python exec="on" source="above" result="text"
    --8<-- "drawn.py"
    ```
"""


def soup(*tables, language="it", folder=""):
    context = Context(language=language, figures=3, folder=folder)
    return BeautifulSoup(data(context, "scale", 1, list(tables)), "html.parser")


def texts(tags):
    return [tag.get_text() for tag in tags]


def test_it_is_a_table_with_headings_for_its_columns_and_rows():
    page = soup(table([[4, 1 / 3], [16, 0.25]], ("d", "norm")))
    assert page.details["id"] == "figure-scale-1-data"
    assert page.summary.get_text() == "Dati della figura"
    assert texts(page.select("thead th[scope=col].number")) == ["d", "norm"]
    assert texts(page.select("tbody th[scope=row]")) == ["4", "16"]
    assert texts(page.select("tbody td.number")) == ["0,33333", "0,25000"]
    assert [number["value"] for number in page.select("data")] == ["4", "0.3333333333333333", "16", "0.25"]


def test_it_can_be_scrolled_by_keyboard_and_says_what_it_is():
    region = soup(table([[1, 2]])).select_one("[role=region]")
    assert (region["tabindex"], region["aria-label"]) == ("0", "Dati della figura 3")
    assert region.table.caption.get_text() == "Dati della figura 3"


def test_a_heading_over_several_columns_spans_them():
    page = soup(table([["a", 1, 2]], ("k", "one", "two"), ("", "", ""), across="loss"), language="en")
    first, second = page.select("thead tr")
    assert texts(first.find_all("th")) == ["k", "loss"]
    assert first.find("th", scope="col")["rowspan"] == "2"
    assert first.find("th", scope="colgroup")["colspan"] == "2"
    assert texts(second.find_all("th")) == ["one", "two"]
    assert "number" not in page.select_one("tbody th").get("class", [])


def test_its_file_is_offered_beside_the_page():
    assert soup(table([[1, 2]]), folder="a/").a["href"] == "a/figures/scale-1.csv"
    links = soup(table([[1, 2]]), {**table([[3, 4]]), "title": "Right"}, language="en").select("a[download]")
    assert [link["href"] for link in links] == ["figures/scale-1-1.csv", "figures/scale-1-2.csv"]
    assert links[1]["aria-label"] == "Download the data (CSV): Data of figure 3 (2): Right"


def test_words_are_data_not_markup():
    page = soup({**table([["<b>", 1]], ("<i>", "&"), across="<u>"), "title": '<s>"'})
    assert not page.select("b, i, u, s")
    assert page.region is None
    assert texts(page.select("tbody th")) == ["<b>"]


def test_maths_is_rendered_and_what_katex_refuses_is_plain():
    assert 'class="katex"' in rich("size $d_k$")
    assert rich("<2> $\\mathdefault{2}$") == "&lt;2&gt; \\mathdefault{2}"
    assert rich("5 $") == "5 $"


def test_a_long_table_is_cut_with_a_note_and_its_file_has_all():
    page = soup(table([[n, n] for n in range(351)]))
    assert len(page.select("tbody tr")) == 200
    assert "Qui ci sono 200 righe su 351" in page.details.get_text()
    assert "righe" not in soup(table([[n, n] for n in range(200)])).details.get_text()
    wide = table([range(101)] * 50, range(101), [""] * 101)
    assert len(soup(wide).select("tbody tr")) == 19


def test_without_data_there_is_nothing():
    assert data(Context(figures=1), "scale", 1, []) == ""


@pytest.mark.parametrize(("language", "told"), [("it", "Dati della figura"), ("en", "Data of the figure")])
def test_a_page_has_it_between_caption_and_code_and_writes_the_file(pages, language, told):
    pages.snippet("drawn.py", SNIPPET.format(3, 3, "T"))
    pages.snippet("it.po", 'msgid "A figure."\nmsgstr "Una figura."\n')
    html = pages.render(PAGE, language)
    assert pages.faults == []
    order = "</figcaption><svg.*?</svg><details class=.figure-data.*?</details><details class=.figure-code"
    assert re.search(order, html)
    assert told in html
    assert 'aria-details="figure-drawn-1-data"' in html
    assert html.count("</section>") == 1  # the search leaves out what is before the first
    assert pages.context.downloads["figures/drawn-1.csv"] == "<x>,y\n0,0\n1,0.3333333333333333\n2,0.6666666666666666\n"


def test_a_figure_without_data_has_no_table(pages):
    pages.snippet("drawn.py", SNIPPET.format(0, 0, "T").replace("plt.plot", "plt.text(0, 0, 'words'); len"))
    pages.snippet("drawn.py", (pages.folder / "drawn.py").read_text().replace("len(range(0), ", "len("))
    html = pages.render(PAGE)
    assert pages.faults == []
    assert "figure-drawn-1" in html
    assert "figure-data" not in html
    assert "aria-details" not in html
    assert not [file for file in pages.context.downloads if file.endswith(".csv")]
