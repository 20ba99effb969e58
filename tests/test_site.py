"""The real site, built once: what stands on its pages, and what a browser makes of them."""

import gzip
import json
import re

import pytest
from support import ROOT
from test_siteparts import addresses, file_of, told

from livedoc.__main__ import main

PAGES = ["", "transformer/", "transformer/notebook/", "glossary/", "reproducibility/"]
PAGES += [f"en/{page}" for page in PAGES]
CARDS = [page for page in PAGES if "notebook" not in page]  # a notebook is shared as its article
# Addresses in Material's own script that no page of this site can make it use.
UNREACHED = {
    "https://unpkg.com/mermaid@11/dist/mermaid.min.js": "only for a .mermaid block; figures are drawings here",
    "https://unpkg.com/resize-observer-polyfill": "only in a browser without ResizeObserver",
    "https://api.github.com": "only with repo_url, which is not set",
    "https://${e}/api/v4/projects/": "GitLab: only with repo_url, which is not set",
}


def text_of(html):
    return re.sub(r"<[^>]+>", "", html)


def test_verification_finds_nothing(site, capsys):
    assert main(["verify", str(site), "--project", str(ROOT)]) == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    ("page", "numbers"),
    [
        ("transformer/", ["0,367", "0,342", "0,050", "0,305", "1088", "9646,6", "16.777.216", "3072"]),
        ("en/transformer/", ["0.367", "0.342", "0.050", "0.305", "1088", "9646.6", "16,777,216", "3072"]),
    ],
)
def test_the_expected_figures_come_out_of_the_runs(site, page, numbers):
    html = (site / page / "index.html").read_text(encoding="utf-8")
    shown = set(re.findall(r'<data class="value"[^>]*>([^<]*)</data>', html))
    assert set(numbers) <= shown


def test_each_language_has_its_search_and_its_404(site):
    for folder, language, words in ((site, "it", "Questa pagina non"), (site / "en", "en", "This page does not exist")):
        index = json.loads((folder / "search/search_index.json").read_text(encoding="utf-8"))
        assert index["config"]["lang"] == [language]
        assert words in (folder / "404.html").read_text(encoding="utf-8")
        titles = [section["title"] for section in index["docs"]]
        assert not [title for title in titles if "\\" in title or "<span" in title]


def test_scripts_name_no_address_that_a_page_could_ask(site):
    for path in site.rglob("*.js"):
        text = path.read_text(encoding="utf-8")
        asked = re.findall(r"""["'`](https?://[^"'`\s]+)["'`]""", text)
        strange = [
            url
            for url in asked
            if not url.startswith(
                (*UNREACHED, "http://www.w3.org/", "https://reactjs.org", "https://developer.mozilla.org/")
            )
        ]
        assert not strange, f"{path.relative_to(site)}: {strange}"


def test_no_page_carries_a_script_for_its_maths(site):
    html = (site / "transformer/index.html").read_text(encoding="utf-8")
    assert 'class="katex"' in html
    assert "katex" not in "".join(re.findall(r"<script.*?</script>", html, re.DOTALL))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_asks_nobody_else_and_fits_a_phone(browser, address, page):
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark")
    tab, asked, troubles = context.new_page(), [], []
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
    tab.on("requestfailed", lambda request: troubles.append(request.url))
    tab.goto(address + page)
    tab.wait_for_load_state("networkidle")
    assert asked
    assert not [url for url in asked if not url.startswith((address, "data:"))]
    assert not troubles
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()


def test_the_language_switch_leads_to_the_same_page(browser, address):
    tab = browser.new_page(viewport={"width": 1300, "height": 900})
    tab.goto(address + "transformer/")
    link = tab.locator(".md-select__link[hreflang=en]")
    assert link.get_attribute("href").endswith("/en/transformer/")
    tab.locator(".md-select button").hover()
    link.click()
    tab.wait_for_url(address + "en/transformer/")
    assert tab.locator("html").get_attribute("lang") == "en"
    tab.close()


def test_a_tick_shows_its_predicate_by_keyboard_and_closes_with_escape(browser, address):
    tab = browser.new_page(viewport={"width": 390, "height": 844})
    tab.goto(address + "en/transformer/")
    tick, panel = tab.locator("button.claim").first, tab.locator(".claim-panel").first
    assert not panel.is_visible()
    tick.focus()
    tab.keyboard.press("Enter")
    assert panel.is_visible()
    assert panel.locator("code").inner_text()
    tab.keyboard.press("Escape")
    assert not panel.is_visible()
    tab.close()


def open_panel(tab):
    return tab.locator("#peek:popover-open")


def test_a_number_tells_where_it_comes_from_by_keyboard(browser, address):
    tab = browser.new_page(viewport={"width": 1300, "height": 900})
    tab.goto(address + "transformer/")
    number = tab.locator("data.value[data-listing=scale]").first
    number.focus()
    panel = open_panel(tab)
    panel.wait_for()
    text = panel.inner_text()
    assert f"{number.get_attribute('data-expression')} = {number.get_attribute('value')}" in text
    assert "Dal listato scale" in text
    assert "numpy " in text
    assert number.get_attribute("aria-describedby") == "peek"  # a screen reader reads it
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.hash") == "#listing-scale"
    assert panel.is_visible()
    tab.keyboard.press("Escape")
    assert not panel.is_visible()
    tab.close()


def test_a_number_tells_where_it_comes_from_by_mouse_and_by_touch(browser, address):
    tab = browser.new_page(viewport={"width": 1300, "height": 900})
    tab.goto(address + "en/transformer/")
    number = tab.locator("data.value[data-listing=heads]").first
    number.hover()
    open_panel(tab).wait_for()
    assert "From listing heads" in open_panel(tab).inner_text()
    tab.mouse.move(0, 0)
    open_panel(tab).wait_for(state="detached")
    tab.close()
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    tab = context.new_page()
    tab.goto(address + "en/transformer/")
    tab.locator("data.value[data-listing=heads]").first.tap()
    open_panel(tab).wait_for()
    box = open_panel(tab).bounding_box()
    assert (round(box["x"]), round(box["y"] + box["height"])) == (0, 844)  # a sheet at the foot of the screen
    context.close()


def test_the_panel_is_small_and_without_script_all_else_is_there(site, browser, address):
    assert (site / "assets/js/panel.js").stat().st_size <= 3000
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(address + "transformer/")
    assert tab.locator("data.value").first.is_visible()
    tab.locator("button.claim").first.click()
    assert tab.locator(".claim-panel").first.is_visible()
    context.close()


def test_a_citation_and_a_term_show_where_they_lead(browser, address):
    tab = browser.new_page(viewport={"width": 1300, "height": 900})
    tab.goto(address + "transformer/")
    tab.locator("a.citation[href='#ref-vaswani2017']").first.hover()
    open_panel(tab).wait_for()
    assert "Attention Is All You Need" in open_panel(tab).inner_text()
    tab.mouse.move(0, 0)
    open_panel(tab).wait_for(state="detached")
    again = tab.locator("a.term[href$='#softmax']").last  # its definition is on the first link of the page
    again.focus()
    open_panel(tab).wait_for()
    assert "pesi" in open_panel(tab).inner_text()
    tab.close()


def test_a_first_touch_of_a_term_shows_it_and_a_second_goes_there(browser, address):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    tab = context.new_page()
    tab.goto(address + "en/transformer/")
    term = tab.locator("a.term").first
    term.tap()
    open_panel(tab).wait_for()
    assert tab.url == address + "en/transformer/"
    term.tap()
    tab.wait_for_url("**/glossary/#*")
    context.close()


def test_the_panel_of_a_section_is_copied(browser, address):
    context = browser.new_context(viewport={"width": 1300, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab = context.new_page()
    tab.goto(address + "transformer/")
    panel = tab.locator("#scale + details.cite")
    panel.locator("summary").focus()
    tab.keyboard.press("Enter")
    for name, copied in (("APA", "Perché si divide"), ("BibTeX", "@online{"), ("Link", "transformer/#scale")):
        button = panel.get_by_role("button", name=f"Copia: {name}")
        button.click()
        tab.wait_for_function(
            "(text) => navigator.clipboard.readText().then((held) => held.includes(text))", arg=copied
        )
        assert button.inner_text() == "Copiato"
    assert "NumPy" in panel.inner_text()
    context.close()


def test_the_language_switch_keeps_the_section(browser, address):
    tab = browser.new_page(viewport={"width": 1300, "height": 900})
    tab.goto(address + "transformer/#mask")
    tab.locator(".md-select button").hover()
    tab.locator(".md-select__link[hreflang=en]").click()
    tab.wait_for_url(address + "en/transformer/#mask")
    tab.close()


def test_a_byline_has_its_dates_and_is_not_typed(site):
    for page, words in (("transformer/", "minuti di lettura"), ("en/transformer/", "minutes’ reading")):
        html = (site / page / "index.html").read_text(encoding="utf-8")
        line = re.search(r'<p class="byline".*?</p>', html, re.DOTALL)[0]
        assert re.findall(r'<time datetime="(\d{4}-\d\d-\d\d)">', line)
        assert words in text_of(line)


def test_the_search_finds_prose_in_the_pages_language(browser, address):
    tab = browser.new_page(viewport={"width": 1300, "height": 900})
    tab.goto(address + "transformer/")
    tab.keyboard.press("/")
    tab.keyboard.type("maschera")
    tab.locator(".md-search-result__link").first.wait_for()
    assert "maschera" in tab.locator(".md-search-result__list").inner_text().lower()
    tab.close()


def test_figures_follow_the_scheme(browser, address):
    inks = []
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme=scheme)
        tab = context.new_page()
        tab.goto(address + "transformer/")
        inks.append(tab.evaluate("getComputedStyle(document.querySelector('.figure-drawing')).fill"))
        context.close()
    assert inks[0] != inks[1]


def test_a_section_is_cited_by_keyboard_and_not_in_print(browser, address):
    tab = browser.new_page(viewport={"width": 1300, "height": 900})
    tab.goto(address + "en/transformer/")
    word, panel = tab.locator("#scale + .cite > summary"), tab.locator("#scale + .cite > div")
    assert word.evaluate("word => getComputedStyle(word).opacity") == "0"
    word.focus()
    tab.wait_for_function("getComputedStyle(document.querySelector('#scale + .cite > summary')).opacity === '1'")
    tab.keyboard.press("Enter")
    assert panel.is_visible()
    assert "transformer/#scale" in panel.locator("a").inner_text()
    assert panel.evaluate("panel => panel.scrollWidth <= panel.clientWidth")
    tab.emulate_media(media="print")
    assert not word.is_visible()
    tab.close()


def test_the_word_that_cites_is_seen_where_nothing_hovers(browser, address):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    tab = context.new_page()
    tab.goto(address + "transformer/")
    seen = "[...document.querySelectorAll('.cite > summary')].map(word => getComputedStyle(word).opacity)"
    assert set(tab.evaluate(seen)) == {"1"}
    tab.locator("#scale + .cite > summary").tap()
    assert tab.locator("#scale + .cite pre").is_visible()
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()


def test_citing_weighs_little(site):
    for page in ("transformer/", "en/transformer/"):
        whole = (site / page / "index.html").read_text(encoding="utf-8")
        without = re.sub(r'(?s)<details class="cite.*?</details>|<link rel="cite-as".*?</script>', "", whole)
        assert len(whole) > len(without)
        assert len(gzip.compress(whole.encode())) - len(gzip.compress(without.encode())) < 15_000


def test_every_address_that_machines_read_leads_to_a_file(site, server):
    found = list(addresses(site))
    assert {name for name, _ in found} >= {"feed.xml", "en/feed.xml", "robots.txt", "en/transformer/index.html"}
    for name, one in found:
        assert file_of(one, server[0], site).is_file(), f"{name}: {one}"


def test_every_page_shows_a_card_of_its_own_where_it_is_shared(site, server):
    cards = [told((site / page / "index.html").read_text(encoding="utf-8"))["og:image"] for page in CARDS]
    drawn = [file_of(card, server[0], site).read_bytes() for card in cards]
    assert len(set(drawn)) == len(CARDS)
    assert max(map(len, drawn)) < 60_000


def test_a_reader_is_not_followed(browser, address):
    """No cookie, and nothing kept by the browser but the colours, which Material's palette writes at each visit."""
    context = browser.new_context()
    tab, headers = context.new_page(), []
    tab.on("response", lambda response: headers.extend(response.headers))
    for page in PAGES:
        tab.goto(address + page)
        tab.wait_for_load_state("networkidle")
        tab.locator("label[for^=__palette]:visible").first.click()
        kept = tab.evaluate("[Object.keys(localStorage), Object.keys(sessionStorage), document.cookie]")
        assert kept == [["/.__palette"], [], ""]  # one for both languages
        assert not tab.evaluate("indexedDB.databases().then((found) => found.length)")
    assert headers
    assert "set-cookie" not in headers
    assert context.cookies() == []
    context.close()


def test_the_colour_of_the_browsers_frame_follows_the_scheme_that_is_chosen(browser, address):
    context = browser.new_context(color_scheme="light")
    tab = context.new_page()
    tab.goto(address)
    colour = "document.querySelector('meta[name=theme-color]').content"
    tab.wait_for_function(f"{colour} == '#fdfcf9'")
    tab.locator("label[for^=__palette]:visible").first.click()  # from the system's to the light one
    tab.locator("label[for^=__palette]:visible").first.click()
    tab.wait_for_function(f"{colour} == '#161513'")
    context.close()


def test_a_browser_reads_the_manifest_without_complaint(browser, address):
    tab = browser.new_page()
    session = tab.context.new_cdp_session(tab)
    for page, name in (("transformer/", "Intelligenza artificiale moderna"), ("en/", "Modern artificial intelligence")):
        tab.goto(address + page)
        found = session.send("Page.getAppManifest")
        assert found["errors"] == []
        assert json.loads(found["data"])["name"] == name
        troubles = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
        assert [trouble["errorId"] for trouble in troubles] == ["in-incognito"]  # which every tested page is
    tab.close()
