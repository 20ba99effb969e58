"""The copy that is read without a server: unzipped, and opened as files."""

import os
import subprocess
import sys
import zipfile

import pytest
from support import ROOT

from livedoc import offline
from livedoc.__main__ import main


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """Build the real site for the file system, by the real commands; return its zip, and where it was unzipped."""
    folder = tmp_path_factory.mktemp("offline")
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "-d", str(folder / "site")]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "OFFLINE": "true", "SITE_URL": "https://example.org/book/"}
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment)
    assert built.returncode == 0, built.stderr
    assert main(["offline", str(folder / "site"), str(folder / "site-offline.zip")]) == 0
    with zipfile.ZipFile(folder / "site-offline.zip") as packed:
        packed.extractall(folder / "else where")
    return folder / "site-offline.zip", folder / "else where/site-offline", folder / "site"


def test_every_link_leads_to_a_file_and_what_only_a_server_uses_is_left_out(copy):
    _, unzipped, _ = copy
    assert list(offline.findings(unzipped)) == []
    assert (unzipped / "transformer/transformer.ipynb").is_file()
    assert (unzipped / "en/transformer.html").is_file()
    assert not [path for name in offline.SERVED for path in unzipped.rglob(name)]


def test_what_it_cites_is_the_published_site(copy):
    _, unzipped, _ = copy
    for language in ("", "en/"):
        published = f"https://example.org/book/{language}transformer/"
        bib = (unzipped / f"{language}transformer/cite.bib").read_text(encoding="utf-8")
        assert f"url = {{{published}}}" in bib
        for name in ("transformer.html", "transformer/notebook.html"):
            assert f'rel="canonical" href="{published}"' in (unzipped / language / name).read_text(encoding="utf-8")
        assert f"{published}#scale" in (unzipped / language / "transformer.html").read_text(encoding="utf-8")


def test_equal_sites_make_equal_zips(copy, tmp_path):
    made, _, site = copy
    for path in site.rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    offline.archive(site, tmp_path / made.name)
    assert (tmp_path / made.name).read_bytes() == made.read_bytes()


@pytest.mark.parametrize(
    ("language", "word", "other"), [("it", "maschera", "en/transformer.html"), ("en", "mask", "transformer.html")]
)
def test_it_is_read_from_the_file_system(copy, browser, language, word, other):
    _, unzipped, _ = copy
    context = browser.new_context(viewport={"width": 1300, "height": 900})
    tab, asked, troubles = context.new_page(), [], []
    tab.on("request", lambda request: asked.append(request.url))
    # A page that is left gives up what it was still loading, its icon for one: that is no file that is missing.
    given_up = "net::ERR_ABORTED"
    tab.on(
        "requestfailed", lambda one: troubles.append(f"{one.failure} {one.url}") if one.failure != given_up else None
    )
    tab.on("console", lambda message: troubles.append(message.text) if message.type in ("error", "warning") else None)
    tab.on("pageerror", lambda error: troubles.append(str(error)))
    root = unzipped / ("en" if language == "en" else "")
    tab.goto((root / "index.html").as_uri())
    tab.locator("article a[href='transformer.html']").first.click()
    tab.wait_for_url((root / "transformer.html").as_uri())
    assert tab.locator("html").get_attribute("lang") == language
    tab.keyboard.press("/")
    tab.keyboard.type(word)
    tab.locator(".md-search-result__link").first.wait_for()
    assert word in tab.locator(".md-search-result__list").inner_text().lower()
    result = tab.locator(".md-search-result__link").first
    found = result.evaluate("link => link.href")
    result.click()
    tab.wait_for_url(found)
    tab.goto((root / "transformer/notebook.html").as_uri())  # one folder down
    tab.locator("article a", has_text="articolo" if language == "it" else "article").first.click()
    tab.wait_for_url((root / "transformer.html").as_uri())
    tab.locator(".md-select button").hover()
    tab.locator(f".md-select__link:not([hreflang={language}])").click()
    tab.wait_for_url((unzipped / other).as_uri())
    assert tab.locator("html").get_attribute("lang") != language
    assert not troubles, troubles
    assert asked
    assert not [url for url in asked if not url.startswith(("file:", "data:", "about:", "blob:"))]
    context.close()


@pytest.mark.parametrize(
    ("link", "wanted"),
    [
        ("/book/en/a/b.html", "../en/a/b.html"),
        ("/book/", "../index.html"),
        ("/bookshop/", "/bookshop/"),
        ("//elsewhere.org/book/", "//elsewhere.org/book/"),
        ("a.html#part", "a.html#part"),
    ],
)
def test_what_begins_with_a_slash_becomes_relative(link, wanted):
    page = '<p>/book/ <a class="x" href="{}">/book/</a>'
    assert offline.relative(page.format(link), "/book/", "../") == page.format(wanted)


@pytest.mark.parametrize("address", ["/a.html", "folder/", "folder", "gone.html", "../a.html"])
def test_a_link_to_no_file_is_told_and_nothing_is_packed(tmp_path, capsys, address):
    (tmp_path / "site/folder").mkdir(parents=True)
    (tmp_path / "site/a.html").write_text('<a href="index.html">b</a> <a href="https://else.where/">c</a>')
    (tmp_path / "site/index.html").write_text(f'<a href="a.html#x">a</a> <a title="t" href="{address}">x</a>')
    assert main(["offline", str(tmp_path / "site"), str(tmp_path / "site.zip")]) == 1
    assert capsys.readouterr().out == f"index.html: a link to no file: {address}\n"
    assert not (tmp_path / "site.zip").exists()


def test_what_is_no_site_is_not_packed(tmp_path):
    assert main(["offline", str(tmp_path), str(tmp_path / "site.zip")]) == 2
