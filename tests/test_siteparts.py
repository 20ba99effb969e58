"""What machines read of a site: each part is parsed as they parse it, and held against the pages."""

import io
import json
import re
import shutil
import signal
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from bs4 import BeautifulSoup
from lxml import etree
from PIL import Image
from support import CATALOGUE, CONFIGURATION, ROOT, SECOND, Project
from test_plugin import Preview

ADDRESS = "https://example.org/book/"
NAMES = {
    "atom": "http://www.w3.org/2005/Atom",
    "map": "http://www.sitemaps.org/schemas/sitemap/0.9",
    "xhtml": "http://www.w3.org/1999/xhtml",
}
TEMPLATES = "theme: {name: material, language: it, font: false"
THEMED = f"""{TEMPLATES}, custom_dir: {ROOT / "docs/theme"}, favicon: assets/favicon.svg,
  static_templates: [feed.xml, robots.txt, site.webmanifest]"""
ARTICLE = """---
title: {title}
description: {description}
authors: [{{family: Rossi, given: Ada}}, The <others> & co]
article: "{number}"
published: {published}
updated: {updated}
version: "1.0"
licence: CC-BY-4.0
keywords: [one, two & three]
---

# Heading of {number}
"""
DATES = {"02": ("2026-02-01", "2026-03-05"), "01": ("2026-01-01", "2026-04-06")}
TITLES = {
    ("it", "01"): '01 - Uno & <due>: "tre"',
    ("en", "01"): '01 - One & <two>: "three"',
    ("it", "02"): "Due",
    ("en", "02"): "Two",
}


def themed(folder, **changes):
    """Write a small project with the book's own theme: a home page, two articles, a page that is no article."""
    project = Project(folder)
    settings = CONFIGURATION.replace(TEMPLATES, THEMED).replace("http://127.0.0.1:8000/", ADDRESS)
    for old, new in changes.items():
        assert old in settings
        settings = settings.replace(old, new)
    project.write("mkdocs.yml", settings)
    project.write("mkdocs.en.yml", SECOND + "site_name: Trial in English\n")
    project.write("snippets/it.po", CATALOGUE)
    for language in ("it", "en"):
        project.write(f"docs/{language}/index.md", "---\ntitle: Home\ndescription: All of it.\n---\n\n# Home\n")
        project.write(f"docs/{language}/about.md", "# About\n")
        for number, (published, updated) in DATES.items():
            text = ARTICLE.format(
                title=json.dumps(TITLES[language, number]),
                description=f"What {number} says.",
                number=number,
                published=published,
                updated=updated,
            )
            project.write(f"docs/{language}/part/a{number}.md", text)
    for what in ("fonts", "icons"):
        shutil.copytree(ROOT / "docs/assets" / what, folder / "docs/assets" / what)
    shutil.copy(ROOT / "docs/assets/favicon.svg", folder / "docs/assets/favicon.svg")
    return project


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    project = themed(tmp_path_factory.mktemp("book"))
    built = project.build()
    assert built.returncode == 0, built.stderr
    return project


def file_of(address, root, site):
    """Return the file of a site that an address leads to."""
    assert address.startswith(root), address
    path = unquote(urlsplit(address).path).removeprefix(urlsplit(root).path)
    return site / (f"{path}index.html" if path.endswith("/") or not path else path)


def addresses(site):
    """Yield every address of a site's own that its parts for machines tell, with where it stands."""
    for path in sorted(site.rglob("*")):
        name = path.relative_to(site).as_posix()
        if path.name in ("feed.xml", "sitemap.xml"):
            tree = etree.fromstring(path.read_bytes())
            found = [
                *tree.xpath("//*[not(@rel = 'license')]/@href"),
                *tree.xpath("//map:loc/text() | //atom:icon/text()", namespaces=NAMES),
            ]
            assert found, name
            yield from ((name, str(one)) for one in found)
        elif path.name == "robots.txt":
            yield from ((name, one) for one in re.findall(r"^Sitemap: (.*)$", path.read_text(), re.MULTILINE))
        elif path.suffix == ".html":
            soup = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
            for tag in soup.find_all("meta", property=["og:url", "og:image"]):
                yield name, tag["content"]


def head(project, page):
    return BeautifulSoup(project.read(page), "html.parser").head


def told(html):
    """Return what a page tells in its `meta` elements, by property or name; the last of each."""
    soup = BeautifulSoup(html, "html.parser")
    return {tag.get("property") or tag.get("name"): tag["content"] for tag in soup.find_all("meta", content=True)}


def test_every_address_leads_to_a_file(book):
    site = book.folder / "site"
    found = list(addresses(site))
    assert {"feed.xml", "en/feed.xml", "sitemap.xml", "en/sitemap.xml", "robots.txt", "en/about/index.html"} <= {
        name for name, _ in found
    }
    for name, address in found:
        assert file_of(address, ADDRESS, site).is_file(), f"{name}: {address}"


@pytest.mark.parametrize(("language", "folder"), [("it", ""), ("en", "en/")])
def test_the_feed_is_valid_and_says_what_the_front_matter_says(book, language, folder):
    feed = etree.fromstring(book.read(f"{folder}feed.xml").encode())

    def texts(path, within=feed):
        return [str(one) for one in within.xpath(path, namespaces=NAMES)]

    assert feed.tag == f"{{{NAMES['atom']}}}feed"
    assert feed.get("{http://www.w3.org/XML/1998/namespace}lang") == language
    assert texts("atom:title/text()") == ["Trial" if language == "it" else "Trial in English"]
    assert texts("atom:link[@rel='self']/@href") == [f"{ADDRESS}{folder}feed.xml"]
    assert texts("atom:updated/text()") == ["2026-04-06T00:00:00Z"]  # the latest revision, not the newest article
    entries = feed.xpath("atom:entry", namespaces=NAMES)
    assert [texts("atom:link[@rel='alternate']/@href", one) for one in entries] == [
        [f"{ADDRESS}{folder}part/a{number}/"] for number in DATES
    ]
    for (number, (published, updated)), entry in zip(DATES.items(), entries, strict=True):
        assert texts("atom:title/text()", entry) == [TITLES[language, number]]
        assert texts("atom:published/text()", entry) == [f"{published}T00:00:00Z"]
        assert texts("atom:updated/text()", entry) == [f"{updated}T00:00:00Z"]
        assert texts("atom:author/atom:name/text()", entry) == ["Ada Rossi", "The <others> & co"]
        assert texts("atom:summary/text()", entry) == [f"What {number} says."]
        assert texts("atom:rights/text()", entry) == ["CC-BY-4.0"]
        licence = texts("atom:link[@rel='license']/@href", entry)
        assert licence == ["https://creativecommons.org/licenses/by/4.0/"]
        assert texts("atom:category/@term", entry) == ["one", "two & three"]
    for element in (feed, *entries):
        for required in ("id", "title", "updated"):
            assert len(element.findall(f"atom:{required}", NAMES)) == 1


def test_no_two_things_have_the_same_identifier(book):
    found = [
        one
        for name in ("feed.xml", "en/feed.xml")
        for one in etree.fromstring(book.read(name).encode()).xpath("//atom:id/text()", namespaces=NAMES)
    ]
    assert len(found) == len(set(found)) == 6
    assert "tag:example.org,2026-01-01:/book/en/part/a01/" in found


@pytest.mark.parametrize("folder", ["", "en/"])
def test_the_sitemap_has_every_page_with_both_languages(book, folder):
    tree = etree.fromstring(book.read(f"{folder}sitemap.xml").encode())
    site = book.folder / "site" / folder
    pages = {path.parent.relative_to(site).as_posix() for path in site.rglob("index.html")}
    pages = {"" if page == "." else f"{page}/" for page in pages if folder or not page.startswith("en")}
    found = {}
    for url in tree.findall("map:url", NAMES):
        address = url.findtext("map:loc", namespaces=NAMES)
        page = address.removeprefix(ADDRESS + folder)
        found[page] = url.findtext("map:lastmod", namespaces=NAMES)
        alternates = {link.get("hreflang"): link.get("href") for link in url.findall("xhtml:link", NAMES)}
        assert alternates == {"it": ADDRESS + page, "en": f"{ADDRESS}en/{page}"}
    assert found.keys() == pages
    assert {number: found[f"part/a{number}/"] for number in DATES} == {
        number: updated for number, (_, updated) in DATES.items()
    }


def test_robots_are_told_of_both_sitemaps_and_kept_from_nothing(book):
    text = book.read("robots.txt")
    assert "User-agent: *\nAllow: /\n" in text
    assert re.findall(r"Sitemap: (.*)", text) == [f"{ADDRESS}sitemap.xml", f"{ADDRESS}en/sitemap.xml"]
    assert "Disallow" not in text
    assert not (book.folder / "site/en/robots.txt").exists()


@pytest.mark.parametrize(("language", "folder"), [("it", ""), ("en", "en/")])
def test_the_icons_of_a_manifest_are_what_it_says(book, language, folder):
    manifest = json.loads(book.read(f"{folder}site.webmanifest"))
    assert (manifest["lang"], manifest["start_url"]) == (language, ".")
    drawn = [icon for icon in manifest["icons"] if icon["type"] == "image/png"]
    assert {icon["sizes"] for icon in drawn} == {"192x192", "512x512"}
    assert [icon["sizes"] for icon in drawn if icon.get("purpose") == "maskable"] == ["512x512"]
    for icon in manifest["icons"]:
        path = book.folder / "site" / folder / icon["src"]
        assert path.is_file()
        if icon in drawn:
            assert "{}x{}".format(*Image.open(path).size) == icon["sizes"]
            assert path.stat().st_size < 5000
    links = {link["rel"][0]: link["href"] for link in head(book, f"{folder}about/index.html").find_all("link")}
    assert links["manifest"] == "../site.webmanifest"
    touch = book.folder / "site" / folder / "about" / links["apple-touch-icon"]
    assert Image.open(touch).size == (180, 180)


def test_a_browser_is_told_the_colours_of_the_pages(book):
    css = (ROOT / "docs/assets/css/book.css").read_text(encoding="utf-8")
    papers = dict(zip(("light", "dark"), re.findall(r"--paper: (#\w+);", css)[:2], strict=True))
    found = head(book, "index.html").find_all("meta", attrs={"name": "theme-color"})
    assert {tag["media"]: tag["content"] for tag in found} == {
        f"(prefers-color-scheme: {scheme})": paper for scheme, paper in papers.items()
    }
    manifest = json.loads(book.read("site.webmanifest"))
    assert manifest["background_color"] == manifest["theme_color"] == papers["light"]


@pytest.mark.parametrize(("language", "folder", "other"), [("it", "", "en_GB"), ("en", "en/", "it_IT")])
def test_an_article_that_is_shared_shows_its_title_its_dates_and_its_card(book, language, folder, other):
    found = told(book.read(f"{folder}part/a01/index.html"))
    assert found["og:title"] == TITLES[language, "01"]
    assert found["og:description"] == "What 01 says."
    assert found["og:type"] == "article"
    assert found["og:url"] == f"{ADDRESS}{folder}part/a01/"
    assert {found["og:locale"], other} == {"it_IT", "en_GB"}
    assert found["og:locale:alternate"] == other
    assert (found["article:published_time"], found["article:modified_time"]) == DATES["01"]
    assert found["twitter:card"] == "summary_large_image"
    assert found["og:title"] in found["og:image:alt"]
    path = file_of(found["og:image"], ADDRESS, book.folder / "site")
    picture = Image.open(io.BytesIO(path.read_bytes()))
    assert picture.size == (int(found["og:image:width"]), int(found["og:image:height"])) == (1200, 630)
    assert path.stat().st_size < 60_000


def test_a_page_that_is_no_article_is_told_without_dates(book):
    for page, title in (("index.html", "Home"), ("en/about/index.html", "About")):
        found = told(book.read(page))
        assert (found["og:type"], found["og:title"]) == ("website", title)
        assert "article:published_time" not in found
        assert found["og:image"]
    assert "og:title" not in told(book.read("404.html"))


def test_each_page_and_language_has_a_card_of_its_own(book):
    site = book.folder / "site"
    cards = [path.read_bytes() for path in site.rglob("cards/**/*.png")]
    assert len(cards) == len(set(cards)) == 8


def test_readers_find_the_feed_and_the_theme_does_not(book):
    for page, feed in (("index.html", "feed.xml"), ("en/part/a01/index.html", "../../feed.xml")):
        links = [link for link in head(book, page).find_all("link") if "alternate" in link["rel"]]
        assert [link["href"] for link in links if link.get("type") == "application/atom+xml"] == [feed]
        assert 'rel="alternate"' not in book.read(page)  # Material asks for a sitemap beside each of these


def test_the_links_to_the_forge_stand_in_both_languages_where_there_is_one(book, tmp_path):
    assert 'class="feedback"' not in book.read("part/a01/index.html") + book.read("en/about/index.html")
    settings = {
        "strict: true": "strict: true\nextra: {source_url: 'https://forge.example/us/book', source_branch: trunk}"
    }
    project = themed(tmp_path, **settings)
    assert project.build().returncode == 0
    for language, folder, words, title, line in (
        ("it", "", "Segnala un errore", "Errore: ", "Pagina: "),
        ("en", "en/", "Report an error", "Error: ", "Page: "),
    ):
        nav = BeautifulSoup(project.read(f"{folder}part/a01/index.html"), "html.parser").find(class_="feedback")
        links = {link.get_text(): link["href"] for link in nav.find_all("a")}
        assert len(links) == 4
        written = parse_qs(urlsplit(links[words]).query)
        assert written["title"] == [title + TITLES[language, "01"]]
        assert written["body"][0].startswith(f"{line}{ADDRESS}{folder}part/a01/\n")
        assert f"https://forge.example/us/book/edit/trunk/docs/{language}/part/a01.md" in links.values()


def test_without_an_address_nothing_is_told_that_needs_one(tmp_path):
    project = themed(tmp_path, **{f"site_url: {ADDRESS}": "site_url: ''"})
    built = project.build()
    assert built.returncode == 0, built.stderr
    found = told(project.read("en/part/a01/index.html"))
    assert found["og:title"] == TITLES["en", "01"]
    assert not {"og:url", "og:image"} & found.keys()
    assert found["twitter:card"] == "summary"
    assert not list((tmp_path / "site").rglob("feed.xml"))
    assert not list((tmp_path / "site").rglob("cards"))
    assert "Sitemap" not in project.read("robots.txt")
    assert "atom+xml" not in project.read("index.html")


def test_a_preview_draws_no_cards_and_names_none(tmp_path):
    running = Preview(themed(tmp_path))
    try:
        running.wait("Serving on")
        page = running.get("/book/en/part/a01/")
        feed = running.get("/book/en/feed.xml")
    finally:
        running.process.send_signal(signal.SIGINT)
        running.process.wait(60)
    assert "og:title" in page
    assert "og:image" not in page
    assert f"127.0.0.1:{running.port}/book/en/part/a01/" in feed


def test_without_the_fonts_there_are_no_cards(tmp_path):
    project = themed(tmp_path)
    shutil.rmtree(tmp_path / "docs/assets/fonts")
    assert project.build().returncode == 0
    assert "og:image" not in project.read("part/a01/index.html")
    assert not list((tmp_path / "site").rglob("cards"))


def test_a_title_with_a_sign_that_no_font_has_stops_a_strict_build(tmp_path):
    project = themed(tmp_path)
    project.write("docs/en/about.md", "# About 語\n")
    built = project.build()
    assert built.returncode != 0
    assert "docs/en/about.md: the fonts of its card lack 語" in built.stderr


def test_the_templates_live_without_the_plugin(tmp_path):
    """Other builders read this theme too, and know nothing of `siteparts`."""
    settings = {"livedoc: {other: mkdocs.en.yml}": "search: {}", "livedoc.page: {}": "toc: {}"}
    text = CONFIGURATION.replace(TEMPLATES, THEMED)
    for old, new in settings.items():
        text = text.replace(f"  {old}\n", "" if "search" in new else f"  {new}\n")
    project = Project(tmp_path)
    project.write("mkdocs.yml", text)
    project.write("docs/it/index.md", "# Trial\n")
    built = project.build()
    assert built.returncode == 0, built.stderr
    assert "og:title" not in project.read("index.html")
    assert Path(tmp_path, "site/sitemap.xml").is_file()
