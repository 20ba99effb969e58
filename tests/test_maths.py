"""Formulas: what a reader, a table of contents and a search index get of them."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest
from markdown import Markdown
from markdown.util import HTML_PLACEHOLDER_RE
from markdown_exec import formatter, markdown_config, validator
from material.plugins.search.plugin import Parser  # type: ignore[import-untyped]

from livedoc.maths import MathError, render

EXTENSIONS = ["attr_list", "footnotes", "md_in_html", "tables", "toc", "pymdownx.arithmatex", "livedoc.maths"]
SETTINGS = {"pymdownx.arithmatex": {"generic": True}, "toc": {"permalink": True}}
SOFTMAX = r"\operatorname{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V"


def converter() -> Markdown:
    return Markdown(extensions=EXTENSIONS, extension_configs=SETTINGS)


def plain(rendered: str) -> list[str]:
    return re.findall(r"<span hidden>(.*?)</span>", rendered)


def indexed(page: str) -> Any:
    parser = Parser()
    parser.feed(page)
    parser.close()
    return parser.data


def test_a_formula_is_plain_text_then_mathml_then_what_is_seen() -> None:
    assert re.fullmatch(
        r"<span hidden>n²</span><katex-output data-search-exclude>"
        r'<span class="katex"><span class="katex-mathml"><math xmlns="[^"]+"><semantics><mrow><msup><mi>n</mi>'
        r"<mn>2</mn></msup></mrow></semantics></math></span>"
        r'<span class="katex-html" aria-hidden="true">.*</span></span></katex-output>',
        render("n^2"),
    )


def test_display_maths_is_displayed() -> None:
    page = converter().convert(f"$$\n{SOFTMAX}\n$$")
    assert page.startswith('<div class="arithmatex"><span hidden>')
    assert page.count('<span class="katex-display">') == 1
    assert '<span class="katex-display">' not in converter().convert(f"${SOFTMAX}$")


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\sqrt{d_k}", "√d_k"),
        ("n^2", "n²"),
        (r"Q K^\top", "QKᵀ"),
        (SOFTMAX, "softmax(QKᵀ/√d_k)V"),
        (r"10^{-16} \le 0{,}37", "10⁻¹⁶ ≤ 0,37"),
        (r"e^{x+1}/\sqrt{a+b}", "e^(x+1)/√(a+b)"),
        (r"\frac{a+b}{2\pi}", "(a+b)/(2π)"),
        (r"\sqrt[3]{x_i^2}", "³√x_i²"),
        (r"\text{perché è così}", "perché è così"),
        (r"\hat{x} < \max_j y'", "x̂ &lt; max_jy′"),
    ],
)
def test_plain_text_can_be_read(tex: str, text: str) -> None:
    assert plain(render(tex)) == [text]


@pytest.mark.parametrize("tex", [r"\frac{1}{", r"\undefined", "è"])
def test_bad_tex_is_an_error_that_names_it(tex: str) -> None:
    with pytest.raises(MathError) as caught:
        converter().convert(f"Testo ${tex}$.")
    assert repr(tex) in str(caught.value)
    assert re.search("KaTeX parse error|LaTeX-incompatible", str(caught.value))


@pytest.mark.parametrize("page", ["$a < b$", "$$\na < b\n$$", r"\(a < b\)", "| $a < b$ |\n|--|\n| x |"])
def test_entities_are_unescaped(page: str) -> None:
    assert plain(converter().convert(page)) == ["a &lt; b"]


def test_what_only_looks_like_an_entity_is_left_alone() -> None:
    assert plain(converter().convert(r"$\begin{matrix}a&lt\end{matrix}$")) == ["a lt"]


@pytest.mark.parametrize(
    "page",
    [
        "- uno\n- due $n^2$",
        "| $n^2$ |\n|--|\n| x |",
        '<figure markdown><figcaption markdown="span">Fig. $n^2$</figcaption></figure>',
        "Nota[^1].\n\n[^1]: $n^2$",
        "> $$\n> n^2\n> $$",
        "**$n^2$**",
    ],
)
def test_maths_works_wherever_it_stands(page: str) -> None:
    converted = converter().convert(page)
    assert plain(converted) == ["n²"]
    assert "\\(" not in converted
    assert not HTML_PLACEHOLDER_RE.search(converted)


def toc(page: str) -> list[str]:
    md = converter()
    md.convert(page)
    return [token["name"] for token in md.toc_tokens]  # type: ignore[attr-defined]


def test_a_heading_has_a_readable_label() -> None:
    assert toc(r"## Perché `x<y` e si divide per $\sqrt{d_k}$ {#scale}") == ["Perché x&lt;y e si divide per √d_k"]


def test_an_author_s_own_label_wins() -> None:
    assert toc(r"## Si divide per $\sqrt{d_k}$ {#scale data-toc-label='La scala'}") == ["La scala"]


def test_a_nested_instance_renders_maths_and_the_outer_one_labels_its_headings(monkeypatch: pytest.MonkeyPatch) -> None:
    fence = {"name": "python", "class": "python", "validator": validator, "format": formatter}
    extensions = ["pymdownx.superfences", *EXTENSIONS]
    settings: dict[str, Any] = {**SETTINGS, "pymdownx.superfences": {"custom_fences": [fence]}}
    monkeypatch.setattr(markdown_config, "exts", extensions)
    monkeypatch.setattr(markdown_config, "exts_config", settings)
    md = Markdown(extensions=extensions, extension_configs=settings)
    page = md.convert('Prima $d_k$.\n\n```python exec="on"\nprint("## Il costo $n^2$ {#cost}\\n\\nTesto $x$.")\n```\n')
    assert plain(page) == ["d_k", "n²", "x"]
    assert page.count("<math ") == 3
    assert [token["name"] for token in md.toc_tokens] == ["Il costo n²"]  # type: ignore[attr-defined]


def test_a_search_index_reads_each_formula_once() -> None:
    page = converter().convert(
        f"# Titolo\n\n## Si divide per $\\sqrt{{d_k}}$ {{#scale}}\n\nPrima $n^2$ dopo.\n\n$$\n{SOFTMAX}\n$$\n\nFine."
    )
    section = indexed(page)[-1]
    assert "".join(section.title).strip() == "Si divide per √d_k"
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", "".join(section.text))).strip()
    assert text == "Prima n² dopo. softmax(QKᵀ/√d_k)V Fine."


def test_no_tex_stands_in_the_page() -> None:
    assert "\\" not in render(SOFTMAX, display=True)


def test_the_module_works_without_mkdocs() -> None:
    code = "import sys, livedoc.maths; sys.exit('mkdocs' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
