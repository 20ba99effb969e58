"""Terms on the pages: linked where an article first uses them in a section, and listed with their definitions."""

import datetime
import re

import pytest
from markdown import Markdown
from support import CONFIG, EXTENSIONS, FENCES, Project

from livedoc.article import Article
from livedoc.context import Context, PageError
from livedoc.glossary import glossary_fence
from livedoc.uses import unused, with_uses
from livedoc.verify import add_anchors, verify

GLOSSARY = r"""
attention:
  it: {term: attenzione, definition: Guarda.}
  en: {term: attention, definition: "It looks, with “care” & $\\sqrt{d_k}$."}
causal-mask:
  it: {term: maschera causale, definition: Nasconde.}
  en: {term: causal mask, definition: It hides.}
mask:
  it: {term: maschera, definition: Nasconde.}
  en: {term: mask, forms: [masks], definition: It hides.}
value:
  it: {term: value, definition: Il contenuto.}
  en: {term: value, not: [random value], definition: The content.}
"""
DAY = datetime.date(2026, 12, 1)
FENCED = {
    "pymdownx.superfences": {"custom_fences": [*FENCES, {"name": "glossary", "class": "", "format": glossary_fence}]}
}


def article(language, number="01"):
    return Article(number, "Title", "What it is.", (), DAY, DAY, "1.0", "CC-BY-4.0", (), language)


@pytest.fixture
def page(tmp_path, runner):
    """Render a page of an article, with the glossary; the context is left in `page.context`."""
    (tmp_path / "glossary.yml").write_text(GLOSSARY, encoding="utf-8")

    def render(text, language="en", number="01", name="page.md", faults=True, inside=False, **options):
        render.context = Context(tmp_path, language, name=name, runner=runner, faults=[] if faults else None)
        render.context.article, render.context.root = article(language, number), tmp_path
        render.context.inside = inside
        configuration = {
            **CONFIG,
            **FENCED,
            "livedoc.page": {"context": render.context},
            "livedoc.glossary": {"path": "glossary.yml", **options},
        }
        extensions = ["footnotes", "admonition", "pymdownx.details", *EXTENSIONS, "livedoc.glossary"]
        extensions.remove("livedoc.byline")  # so that an article and another page differ in their terms alone
        return Markdown(extensions=extensions, extension_configs=configuration).convert(text)

    return render


def links(html):
    return re.findall(r'<a class="term" href="[^"#]*#([\w-]+)"[^>]*>([^<]*)</a>', html)


def test_the_first_use_in_each_section_is_linked(page):
    one = "## One {#one}\n\nAttention, attention.\n\n### Part {#part}\n\nAttention.\n\n"
    html = page(f"Attention.\n\n{one}## Two {{#two}}\n\nThe attention.")
    assert links(html) == [("attention", "Attention"), ("attention", "attention")]
    assert html.index("<p>Attention.</p>") < html.index("One")
    title = 'title="It looks, with “care” &amp; √d_k."'
    assert f'<p><a class="term" href="glossary.md#attention" {title}>Attention</a>, attention.</p>' in html
    assert '<p>The <a class="term" href="glossary.md#attention">attention</a>.</p>' in html  # told once a page
    assert page.context.faults == []


def test_the_text_of_the_page_is_as_it_was(page):
    text = "## One {#one}\n\nA *mask*, a **causal mask** of attention & a value.\n\n- attention *and a mask* here\n"
    plain = [re.sub(r"<[^>]+>", "", page(text, number=number)) for number in ("01", "")]
    assert plain[0] == plain[1]
    assert links(page(text)) == [
        ("mask", "mask"),
        ("causal-mask", "causal mask"),
        ("attention", "attention"),
        ("value", "value"),
    ]
    assert "<em><a" in page(text)
    assert "<strong><a" in page(text)


@pytest.mark.parametrize(
    "text",
    [
        "`attention` and ``the attention``",
        "$attention$ and $$attention$$",
        "[attention](https://example.org) and <https://example.org/attention>",
        "### Attention {#part}",
        "| attention |\n|---|\n| attention |",
        "```text\nattention\n```",
        '!!! note "Attention"\n    Nothing.',
        "<div>attention</div>",
        "Here[^1].\n\n[^1]: Of attention.",
        "![attention](drawing.svg)",
        '??? note "Attention"\n    Nothing.',
        "<figure markdown>\nattention\n</figure>",
        "<pre markdown>attention</pre>",
        '<code>attention</code> <a href="x">the *attention*, attention</a> <kbd>attention</kbd>',
        "self-attention, attentions",
    ],
)
def test_what_is_not_running_text_is_left_alone(page, text):
    html = page(f"## Attention {{#one}}\n\n{text}\n")
    assert 'class="term"' not in html
    assert "ttention" in html


@pytest.mark.parametrize(
    "text",
    [
        "> attention",
        "- attention",
        "!!! note\n    attention",
        "<div markdown>\nattention\n</div>",
        "a `code` attention",
        "*so*\nattention",
        '<a href="x">here</a> <span>attention</span>',
    ],
)
def test_what_is_running_text_is_linked(page, text):
    assert links(page(f"## One {{#one}}\n\n{text}\n")) == [("attention", "attention")]


def test_values_and_ticks_are_as_they_were(page, pages):
    pages.snippet("half.py", "half = 1 / 2\nmask = 'attention'\nprint('attention')\n")
    listing = '```python exec="on" source="above" result="text"\n--8<-- "half.py"\n```\n'
    bound = "The value `{half} half` and the mask `{half} assert half < 1`, `{half} mask`.\n\nA mask.\n"
    text = f"## One {{#one}}\n\n{listing}\n{bound}"
    with_links, without = page(text), page(text, number="")
    assert page.context.faults == []
    assert links(with_links) == [("value", "value"), ("mask", "mask")]
    assert with_links.count('<span class="ticked">mask<button') == 1
    unlinked = re.sub(r'<a class="term"[^>]*>([^<]*)</a>', r"\1", with_links)
    timed = re.compile(r"Run in [\d.]+ s")
    assert timed.sub("", unlinked) == timed.sub("", without)


def test_a_fragment_of_a_page_is_left_alone(page):
    assert links(page("## One {#one}\n\nThe mask.", inside=True)) == []


def test_an_exception_is_another_word(page):
    assert links(page("## One {#one}\n\nA random value.")) == []
    assert links(page("## One {#one}\n\nA random value, a value.")) == [("value", "value")]


def test_only_numbered_articles_have_links_and_not_in_sections_to_skip(page):
    text = "## One {#one}\n\nThe mask.\n\n## Sources {#sources}\n\nThe mask.\n"
    assert links(page(text, number="")) == []
    assert links(page(text, path="")) == []
    assert len(links(page(text))) == 2
    assert len(links(page(text, skip=["sources"]))) == 1


@pytest.mark.parametrize(
    ("name", "href"), [("a.md", "terms.md"), ("part/a.md", "../terms.md"), ("terms/a/b.md", "../../terms.md")]
)
def test_a_link_is_relative_to_its_page(page, name, href):
    assert f'href="{href}#mask"' in page("## One {#one}\n\nThe mask.", name=name, page="terms.md")


def test_the_list_is_alphabetical_in_its_language_and_names_the_other(page):
    html = page("# Glossary\n\n```glossary\n```\n", number="")
    assert re.findall(r'<dt id="([\w-]+)">', html) == ["attention", "causal-mask", "mask", "value"]
    assert '<dfn>causal mask</dfn> <span class="glossary-other" lang="it">maschera causale</span>' in html
    assert 'class="katex"' in html
    assert "$" not in html
    italian = page("# Glossario\n\n```glossary\n```\n", "it", number="")
    assert re.findall(r'<dt id="([\w-]+)">', italian) == ["attention", "mask", "causal-mask", "value"]
    assert '<dt id="value"><dfn lang="en">value</dfn><a' in italian  # the same word: English in an Italian page
    assert '<dt id="value"><dfn>value</dfn><a' in html
    assert "livedoc.glossary -->" not in html + italian


def test_the_list_leads_to_the_sections_that_use_a_term(page):
    page("## On $n^2$ {#one}\n\nThe mask.\n\n## The mask {#two}\n\n## Random value {#three}\n", name="a.md")
    context = page.context
    html = with_uses(
        page("```glossary\n```", number=""), "glossary/", [("part/a/", context), ("glossary/", page.context)]
    )
    entry = re.search(r'<dt id="mask">.*?</div>', html, re.DOTALL)[0]
    assert (
        '<dd class="glossary-uses" data-search-exclude>Article 01: <a href="../part/a/#one">On n²</a> · '
        '<a href="../part/a/#two">The mask</a></dd>' in entry
    )
    for unused_term in ("attention", "value"):
        assert "glossary-uses" not in re.search(rf'<dt id="{unused_term}">.*?</div>', html, re.DOTALL)[0]
    assert "<!--" not in html


def test_what_no_article_uses_is_a_fault(page):
    page("## One {#one}\n\nThe mask and the causal mask, attention, a value.")
    one = page.context
    assert unused([one]) == ["glossary.yml:13: no article has “random value” (en)"]
    page("## One {#one}\n\nA random value.")
    assert unused([one, page.context]) == []
    told = unused([page.context])
    assert "glossary.yml:4: no article uses “attention” (en)" in told
    assert len(told) == 4
    assert unused([Context(language="en")]) == []
    not_rendered = Context(language="en", article=article("en"))
    assert unused([not_rendered, page.context]) == unused([page.context, not_rendered]) == []


def test_faults_of_the_file_are_faults_of_the_page(page, tmp_path):
    (tmp_path / "glossary.yml").write_text(GLOSSARY + "seed: {}\n", encoding="utf-8")
    told = ["glossary.yml:14: “seed” lacks it", "glossary.yml:14: “seed” lacks en"]
    page("## One {#one}\n\nThe mask.")
    assert page.context.faults == told
    page("```glossary\n```", number="")
    assert page.context.faults == told
    with pytest.raises(PageError, match=r"glossary\.yml:14: “seed” lacks it"):
        page("## One {#one}\n\nThe mask.", faults=False)


def test_a_fence_has_nothing_in_it(page):
    html = page("# Title\n\n```glossary\nall\n```\n")
    assert page.context.faults == ["page:3: a glossary fence has nothing in it: it shows all terms"]
    assert "livedoc-error" in html


def test_a_fence_without_the_extension_is_a_fault():
    context = Context(faults=[])
    Markdown(
        extensions=["pymdownx.superfences", "livedoc.page"],
        extension_configs={**FENCED, "livedoc.page": {"context": context}},
    ).convert("```glossary\n```")
    assert context.faults == ["page:1: a glossary fence needs the extension livedoc.glossary"]


HEAD = """---
title: "01"
description: What it is.
authors: [All]
article: "01"
published: 2026-12-01
updated: 2026-12-01
version: "1.0"
licence: CC-BY-4.0
keywords: [mask]
---

# Title

## One {#one}

"""
USES = {
    "it": "L’attenzione e la maschera, la maschera causale, un value. Si veda [qui](../glossary.md#mask).",
    "en": "Attention and a mask, a causal mask, a random value, a value. See [here](../glossary.md#mask).",
}


@pytest.fixture
def book(project: Project):
    """A project whose article stands in a folder, with a glossary in both languages."""
    configuration = (project.folder / "mkdocs.yml").read_text(encoding="utf-8")
    fence = "      - {name: glossary, class: glossary, format: !!python/name:livedoc.glossary.glossary_fence }\n"
    configuration = configuration.replace("    custom_fences:\n", "    custom_fences:\n" + fence)
    configuration = configuration.replace("plugins:", "validation: {anchors: warn}\nplugins:")
    project.write("mkdocs.yml", configuration + "  livedoc.glossary: {path: docs/glossary.yml}\n")
    project.write("docs/glossary.yml", GLOSSARY)
    for language, text in USES.items():
        (project.folder / f"docs/{language}/part").mkdir(parents=True)
        (project.folder / f"docs/{language}/part/a.md").write_text(f"{HEAD}{text}\n", encoding="utf-8")
        project.write(f"docs/{language}/glossary.md", "# Glossary\n\n```glossary\n```\n")
    return project


def test_a_book_links_its_terms_in_both_languages(book):
    built = book.build()
    assert built.returncode == 0, built.stderr
    for folder in ("", "en/"):
        assert 'href="../../glossary/#causal-mask"' in book.read(f"{folder}part/a/index.html")
        assert 'href="../part/a/#one"' in book.read(f"{folder}glossary/index.html")
    assert 'title="Nasconde."' in book.read("part/a/index.html")


def test_ids_of_terms_are_kept_as_those_of_sections(book):
    assert book.build().returncode == 0
    site = book.folder / "site"
    assert "glossary#causal-mask" in add_anchors(site, book.folder)
    assert verify(site, book.folder).findings == []
    page = site / "en/glossary/index.html"
    page.write_text(page.read_text(encoding="utf-8").replace('id="mask"', 'id="masks"'), encoding="utf-8")
    told = verify(site, book.folder).findings
    assert "glossary/index.html: its terms mask, masks are in one language alone" in told
    assert "docs/anchors.txt: the section glossary#mask was published once, and is gone in en" in told


def test_links_need_neither_directories_nor_an_address(book):
    text = (book.folder / "mkdocs.yml").read_text(encoding="utf-8")
    book.write("mkdocs.yml", text.replace("site_url: http://127.0.0.1:8000/\n", "use_directory_urls: false\n"))
    built = book.build()
    assert built.returncode == 0, built.stderr
    assert 'href="../glossary.html#causal-mask"' in book.read("en/part/a.html")
    assert 'href="part/a.html#one"' in book.read("en/glossary.html")


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        (
            "docs/glossary.yml",
            "term: value, not",
            "term: value, nut",
            "docs/glossary.yml:13: “value” (en) has no field nut",
        ),
        ("docs/en/part/a.md", "a random value, ", "", "docs/glossary.yml:13: no article has “random value” (en)"),
        ("docs/it/part/a.md", "L’attenzione", "Tutto", "docs/glossary.yml:3: no article uses “attenzione” (it)"),
        ("mkdocs.yml", "docs/glossary.yml", "docs/glossario.yml", "docs/glossario.yml:1: there is no such glossary"),
    ],
)
def test_a_fault_stops_the_build(book, name, old, new, told):
    text = (book.folder / name).read_text(encoding="utf-8")
    assert old in text
    (book.folder / name).write_text(text.replace(old, new), encoding="utf-8")
    built = book.build()
    assert built.returncode != 0
    assert told in built.stderr
