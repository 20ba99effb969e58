"""In a preview the box of a fault leads to what explains it; nobody needs to have such a page."""

import re
import signal

import pytest
from support import ROOT
from test_plugin import Preview

from livedoc import guide, scan
from livedoc.context import Context, PageError


@pytest.fixture
def root(tmp_path):
    (tmp_path / "docs/it").mkdir(parents=True)
    (tmp_path / "docs/it/contribuire.md").write_text("# Guida\n")
    return tmp_path


def fault(root, about, **more):
    context = Context(language="it", page="docs/it/deep/page.md", name="deep/page.md", root=root, faults=[], **more)
    return context.fail(3, "no", about=about)


@pytest.mark.parametrize(
    ("folder", "about", "address"),
    [
        ("", "values", "https://book.example/contribuire/#values"),
        ("", "", "https://book.example/contribuire/"),
        ("page/", "values", "https://book.example/contribuire.html#values"),
    ],
)
def test_the_box_of_a_fault_leads_to_what_explains_it(root, folder, about, address):
    box = fault(root, about, home="https://book.example/", folder=folder)
    assert box.endswith(f'</pre><a href="{address}">Come si scrive</a></div>')


def test_it_leads_nowhere_without_the_page_or_without_an_address(root, tmp_path_factory):
    assert "<a" not in fault(tmp_path_factory.mktemp("elsewhere"), "values", home="https://book.example/")
    assert "<a" not in fault(root, "values")


def test_a_fault_that_is_raised_stays_as_it_is(root):
    with pytest.raises(PageError, match=r"page\.md:3: no$"):
        Context(page="page.md", root=root, home="https://book.example/").fail(3, "no", about="values")


@pytest.mark.parametrize("language", ["it", "en"])
def test_every_section_that_a_fault_is_about_exists(language):
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "livedoc").glob("*.py"))
    about = set(re.findall(r'about="(\w+)"', code))
    assert about == {"citations", "figures", "listings", "options", "tables", "terms", "values"}
    assert about <= set(scan.scan((ROOT / "docs" / language / guide.PAGE).read_text(encoding="utf-8")).sections)


def test_a_preview_leads_to_the_page_in_each_language_and_names_it_once(project):
    for language in ("it", "en"):
        project.write(f"docs/{language}/contribuire.md", "# Guida\n\n## Numeri {#values}\n")
        page = project.folder / f"docs/{language}/index.md"
        page.write_text(page.read_text(encoding="utf-8").replace("half < 1", "half > 1"), encoding="utf-8")
    preview = Preview(project)
    try:
        seen = preview.wait("Serving on")
        for place, word in (("/", "Come si scrive"), ("/en/", "How to write it")):
            address = f"http://127.0.0.1:{preview.port}{place}contribuire/#values"
            assert f'<a href="{address}">{word}</a>' in preview.get(place)
            assert 'id="values"' in preview.get(f"{place}contribuire/")
        told = [line.strip() for line in preview.log[:seen] if "contribuire.md" in line]
        assert told == ["How to write it: docs/it/contribuire.md, docs/en/contribuire.md"]
    finally:
        preview.process.send_signal(signal.SIGINT)
        preview.process.wait(60)
