"""What an author declared becomes what stands on the page, or a fault with its line."""

import html as escapes
import re

import pytest
from markdown import Markdown
from support import CONFIG

from livedoc.context import PageError
from livedoc.page import LivedocExtension

SCALE = """
from collections import namedtuple

Row = namedtuple("Row", "n share name")
rows = [Row(4, 0.5, "<b>one</b>"), Row(1024, 3.33e-16, "two | $x$")]
print("share", rows[0].share)
"""
LISTING = """
# Title

## Scale {#scale}

```python exec="on" source="above" result="text"
--8<-- "scale.py"
```
"""


@pytest.fixture(autouse=True)
def scale(pages):
    pages.snippet("scale.py", SCALE)


def text_of(html):
    return re.sub(r"<[^>]+>", "", html)


def test_a_listing_is_one_unit_with_code_and_output(pages):
    html = pages.render(LISTING)
    assert pages.faults == []
    unit = re.search(r'<section class="listing" id="listing-scale".*?</section>', html, re.DOTALL)[0]
    assert "snippets/scale.py" in unit
    assert SCALE.strip() in text_of(unit).replace("&quot;", '"').replace("&lt;", "<").replace("&gt;", ">")
    assert unit.index("namedtuple") < unit.index("share 0.5")


def test_values_stand_in_the_pages_notation_with_their_source(pages):
    text = LISTING + "\nFrom `{scale} rows[0].share:.2f` to `{scale} rows[1].share:.2e`, `{scale} rows[1].n`.\n"
    assert (
        '<data class="value" value="0.5" data-listing="scale" data-expression="rows[0].share">0.50</data>'
        in pages.render(text)
    )


def test_italian_notation(pages):
    pages.snippet("it.po", 'msgid ""\nmsgstr "Language: it\\n"\n\nmsgid "share"\nmsgstr "quota"\n')
    html = pages.render(LISTING + "\n`{scale} rows[1].share:.2e` e `{scale} rows[0].share:.1f`.\n", "it")
    assert pages.faults == []
    assert ">3,33\u00a0·\u00a010⁻¹⁶</data>" in html
    assert ">0,5</data>" in html
    assert "quota 0.5" in html


def test_text_of_a_value_is_never_markup(pages):
    html = pages.render(LISTING + "\nIt is `{scale} rows[0].name`.\n")
    assert "&lt;b&gt;one&lt;/b&gt;</data>" in html
    assert "<b>one" not in html


def test_a_true_claim_is_a_tick_that_shows_its_predicate(pages):
    html = pages.render(LISTING + "\nSmall `{scale} assert rows[1].share < 1e-15`.\n")
    assert pages.faults == []
    button, panel = re.search(r'popovertarget="([^"]+)"', html)[1], re.search(r'popover id="([^"]+)"', html)[1]
    assert button == panel
    assert "<code>rows[1].share &lt; 1e-15</code>" in html
    assert 'aria-label="Checked at every build' in html


def test_a_tick_stays_with_its_word_and_its_full_stop(pages):
    html = pages.render(
        LISTING + "\nIt is very small `{scale} assert rows[1].share < 1e-15`. It is `{scale} rows[0].n`.\n"
    )
    assert re.search(r'<p>It is very <span class="ticked">small<button.*</span>\.</span> It is <data', html)


def test_a_false_claim_names_place_and_values(pages):
    html = pages.render(LISTING + "\nSmall `{scale} assert rows[1].share < 1e-17`.\n")
    assert pages.faults == [
        "page.md:10: `{scale} assert rows[1].share < 1e-17` is no longer true:\n    rows[1].share = 3.33e-16"
    ]
    assert "livedoc-error" in html


@pytest.mark.parametrize(
    ("span", "why"),
    [
        ("`{scale} wrong`", "page.md:10: `{scale} wrong`: NameError"),
        ("`{scale} rows`", "page.md:10: `{scale} rows`: not a scalar"),
        ("`{other} x`", "page.md:10: there is no listing “other”"),
        ("`{scale} assert rows`", "page.md:10: `{scale} assert rows`: a claim is true or false"),
    ],
)
def test_what_cannot_stand_on_the_page_is_a_fault_with_its_line(pages, span, why):
    pages.render(LISTING + f"\nHere {span}.\n")
    assert any(fault.startswith(why) for fault in pages.faults), pages.faults


def test_code_spans_that_are_not_values_are_left_alone(pages):
    html = pages.render(LISTING + "\n`code` and ``the `{scale} syntax` itself`` and `{not a value}`.\n")
    assert pages.faults == []
    assert "<code>the `{scale} syntax` itself</code>" in html
    assert "<code>{not a value}</code>" in html


def test_values_live_in_headings_lists_tables_and_admonitions(pages):
    html = pages.render(
        LISTING
        + "\n## Of `{scale} rows[0].n` {#of}\n\n- item `{scale} rows[0].n:d`\n\n"
        + "| a | b |\n|---|---|\n| `{scale} rows[0].n + 1` | `{scale} rows[0].n + 2` |\n"
    )
    assert pages.faults == []
    assert html.count('class="value"') == 4


def test_a_bound_table_holds_markdown_and_maths_in_its_headings(pages):
    html = pages.render(
        LISTING
        + '\n```table of="scale" rows="rows" caption="All *rows* of `{scale} len(rows)`"\n'
        + "n | $d_k$\nshare:.2e | **share** `{scale} rows[0].n`\nname | name\n```\n"
    )
    assert pages.faults == []
    table = re.search(r'<div class="bound-table".*?</table></div>', html, re.DOTALL)[0]
    assert table.count("<tr>") == 3
    assert table.count('<th scope="col"') == 3
    assert '<th scope="col" class="number"' in table
    assert "<strong>share</strong>" in table
    assert 'class="katex"' in table
    assert "<caption>All <em>rows</em> of <data" in table
    assert '<td class="number"><data class="value" value="3.33e-16"' in table
    assert "&lt;b&gt;one" in table
    assert "two | $x$" in table


def test_the_file_that_ran_can_be_downloaded_in_the_pages_language(pages):
    pages.snippet("it.po", 'msgid ""\nmsgstr "Language: it\\n"\n\nmsgid "share"\nmsgstr "quota"\n')
    assert 'href="listings/scale.py" download ' in pages.render(LISTING, "it")
    assert pages.context.downloads["listings/scale.py"] == SCALE.replace('"share"', '"quota"')


def test_a_quoted_number_stands_in_the_pages_notation_and_is_marked(pages):
    text = LISTING + "\nThey report `{quoted} 25.8` (table 3).\n"
    assert '<span class="quoted">25.8</span>' in pages.render(text)
    pages.snippet("it.po", 'msgid ""\nmsgstr "Language: it\\n"\n\nmsgid "share"\nmsgstr "quota"\n')
    assert '<span class="quoted">25,8</span>' in pages.render(text, "it")
    assert pages.faults == []


def test_a_bound_table_with_a_wrong_column_is_a_fault(pages):
    pages.render(LISTING + '\n```table of="scale" rows="rows"\nwrong | A\n```\n')
    assert pages.faults[0].startswith("page.md:10: table of “scale”: NameError")


@pytest.mark.parametrize(
    ("options", "check"),
    [
        ('source="below"', lambda html: html.index("share 0.5") < html.index("namedtuple")),
        ('source="above" title="Mine"', lambda html: '<span class="filename">Mine</span>' in html),
        ('source="tabbed-left" tabs="Codice|Uscita"', lambda html: "Codice" in html and "Uscita" in html),
        ('source="block"', lambda html: '<div class="result"' in html),
        ('source="above" hl_lines="2"', lambda html: '<span class="hll">' in html),
        ('source="above" id="mine"', lambda html: 'id="listing-mine"' in html),
        ("", lambda html: "namedtuple" not in html and "share 0.5" in html),
        ('source="console"', lambda html: html.count("<pre>") == 1 and "share 0.5" in html),
        ('source="above" result="python"', lambda html: '<span class="n">share</span>' in html),
    ],
)
def test_options_of_markdown_exec_keep_working(pages, options, check):
    html = pages.render(f'## S {{#s}}\n\n```python exec="on" {options}\n--8<-- "scale.py"\n```\n')
    assert pages.faults == []
    assert check(html)


def test_html_output_is_inserted_as_it_is(pages):
    pages.snippet("html.py", "print('<table><tr><td>*1*</td></tr></table>')\n")
    html = pages.render('```python exec="on" html="on" source="above"\n--8<-- "html.py"\n```\n')
    assert pages.faults == []
    assert "<td>*1*</td>" in html


def test_output_is_shown_literally(pages):
    printed = 'a | b\n\t`code` $x$ <b> {{ x }} *y*\n--8<-- "scale.py"\n`````````\n````````\n~~~\n</code></pre><script>'
    pages.snippet("odd.py", f"print({printed!r})\n")
    html = pages.render('```python exec="on" result="text"\n--8<-- "odd.py"\n```\n')
    assert pages.faults == []
    block = re.search(r"<code>(.*?)</code>", html, re.DOTALL)[1]
    assert escapes.unescape(re.sub(r"<[^>]+>", "", block)) == printed + "\n"


def test_the_source_shown_is_the_file(pages):
    source = "if True:\n\tprint('tab\t')  # ````````\ntext = '''\n````````\n--8<-- \"a.py\"\n'''\n"
    (pages.folder / "tabs.py").write_text(source)
    html = pages.render('```python exec="on" source="above" result="text"\n--8<-- "tabs.py"\n```\n')
    assert pages.faults == []
    block = re.search(r"<code>(.*?)</code>", html, re.DOTALL)[1]
    assert escapes.unescape(re.sub(r"<[^>]+>", "", block)) == source


def test_an_empty_output_leaves_no_empty_box(pages):
    pages.snippet("quiet.py", "x = 1\n")
    assert pages.render('```python exec="on" source="above"\n--8<-- "quiet.py"\n```\n').count("<pre>") == 1


def test_figures_stand_under_the_output_with_caption_and_folded_code(pages):
    pages.snippet("it.po", 'msgid ""\nmsgstr "Language: it\\n"\n\nmsgid "A line."\nmsgstr "Una retta."\n')
    pages.snippet("draw.py", "print(1)\n# %% figure: A line.\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\n")
    html = pages.render('```python exec="on" source="above" result="text"\n--8<-- "draw.py"\n```\n', "it")
    assert pages.faults == []
    assert '<figcaption id="figure-draw-1-caption"><span class="figure-number">Figura 1.</span> Una retta.' in html
    assert '<details class="figure-code"><summary>Codice della figura</summary>' in html
    assert "# %% figure: Una retta." in text_of(html)


def test_a_figure_of_the_first_cell_takes_its_caption_from_the_fence(pages):
    pages.snippet("draw.py", "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\n")
    fence = '```python exec="on" source="above"{}\n--8<-- "draw.py"\n```\n'
    assert "Drawn." in pages.render(fence.format(' caption="Drawn."'))
    assert pages.faults == []
    pages.render(fence.format(""))
    assert "a figure needs a caption" in pages.faults[0]


def test_two_figures_share_no_id(pages):
    draw = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\n"
    pages.snippet("draw.py", f"print(1)\n# %% figure: One.\n{draw}# %% figure: Two.\n{draw}")
    html = pages.render('```python exec="on"\n--8<-- "draw.py"\n```\n')
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids)) > 4


def test_stderr_nobody_expected_is_a_fault_and_can_be_shown(pages):
    pages.snippet("warns.py", "import warnings\nprint(1)\nwarnings.warn('careful')\n")
    fence = '```python exec="on"{}\n--8<-- "warns.py"\n```\n'
    pages.render(fence.format(""))
    assert "page.md:1: listing “warns” (warns.py) wrote to stderr" in pages.faults[0]
    html = pages.render(fence.format(' stderr="shown"'))
    assert pages.faults == []
    assert "careful" in html


def test_a_failed_listing_is_a_fault_with_page_line_listing_and_traceback(pages):
    pages.snippet("fails.py", "x = 1\nx / 0\n")
    html = pages.render('text\n\n```python exec="on"\n--8<-- "fails.py"\n```\n\n`{fails} x`\n')
    assert len(pages.faults) == 1
    assert re.match(r"page.md:3: listing “fails” \(fails.py\) failed: line 2: Traceback(.|\n)*x / 0", pages.faults[0])
    assert "livedoc-error" in html


@pytest.mark.parametrize("fence", ['exec="on" source="abvoe"', "exec=true", 'exec="on" nonsense="1"'])
def test_a_mistyped_option_is_a_fault(pages, fence):
    html = pages.render(f'x\n\n```python {fence}\n--8<-- "scale.py"\n```\n')
    assert len(pages.faults) == 1
    assert pages.faults[0].startswith("page.md:3: ")
    assert "livedoc-error" in html


def test_a_listing_that_does_not_reach_the_page_is_a_fault(pages):
    pages.render('<div>\n```python exec="on"\n--8<-- "scale.py"\n```\n</div>\n\n    `{scale} rows[0].n`\n')
    assert any("declared and not shown" in fault for fault in pages.faults), pages.faults


def test_long_output_is_cut_and_can_be_downloaded(pages):
    pages.snippet("long.py", "for i in range(50_000): print(i)\n")
    html = pages.render('```python exec="on"\n--8<-- "long.py"\n```\n')
    assert pages.faults == []
    assert len(html) < 20_000
    assert "49800 more lines not shown" in html
    assert pages.context.downloads["outputs/long.txt"].endswith("49999\n")
    assert 'href="outputs/long.txt"' in html


def test_without_a_build_the_extension_runs_listings_itself_and_raises(pages, monkeypatch):
    monkeypatch.chdir(pages.folder)
    extension = LivedocExtension(snippets=str(pages.folder))
    extension.context.runner = pages.runner
    md = Markdown(extensions=["attr_list", "pymdownx.superfences", extension], extension_configs=CONFIG)
    assert "share 0.5" in md.convert('```python exec="on"\n--8<-- "scale.py"\n```\n\n`{scale} rows[0].n`')
    pages.snippet("scale.py", "1 / 0\n")
    with pytest.raises(PageError, match="page:1: listing “scale”"):
        md.convert('```python exec="on"\n--8<-- "scale.py"\n```\n')
