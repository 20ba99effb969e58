"""The real site for every reader: what axe finds, what a keyboard reaches, what is loaded."""

import gzip

import pytest
from axe_playwright_python.sync_playwright import Axe

from livedoc.figure import COLOURS

BUDGET = 250_000
"""Bytes, compressed, that an article may transfer on a first visit, fonts included."""

SCRIPTS = {"bundle", "panel", "book"}
"""What an article loads: Material's own script and the book's two."""


def pages(site):
    """Return the address of every page, relative to the site."""
    return [path.relative_to(site).as_posix().removesuffix("index.html") for path in sorted(site.rglob("*.html"))]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1300])
def test_axe_finds_nothing_on_any_page(browser, site, address, width, scheme):
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    tab, found = context.new_page(), []
    for page in pages(site):
        tab.goto(address + page)
        tab.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true")
        tab.evaluate("document.querySelector('button.claim')?.click()")
        for violation in Axe().run(tab).response["violations"]:
            found += [f"{page}: {violation['id']}: {node['html'][:200]}" for node in violation["nodes"]]
    context.close()
    assert not found, "\n".join(found)


@pytest.mark.parametrize("page", ["transformer/", "en/transformer/"])
def test_an_article_can_be_read_by_keyboard(browser, address, page):
    """Tab goes through the whole page in the order of its source, each stop can be seen, and the end can be left."""
    tab = browser.new_page(viewport={"width": 1300, "height": 900})
    tab.goto(address + page)
    stops = tab.evaluate("""() => {
      const all = [...document.querySelectorAll("article :is(a[href], button, summary, input, [tabindex='0'])")]
      return all.filter((e) => e.checkVisibility({visibilityProperty: true}) && !e.closest("[popover]")).length
    }""")
    assert stops > 100
    seen = 0
    tab.evaluate("document.querySelector('article').tabIndex = -1; document.querySelector('article').focus()")
    for _ in range(2 * stops + 50):
        tab.keyboard.press("Tab")
        found = tab.evaluate("""() => {
          const e = document.activeElement, style = getComputedStyle(e), last = window.last
          const ring = style.outlineStyle != "none" || style.boxShadow != "none"
          const panel = !!e.closest("[popover]") // it comes along with the number that it is about
          const follows = panel || !last || !!(last.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING)
          if (!panel) window.last = e
          return {inside: !!e.closest("article"), ring, follows, panel, html: e.outerHTML}
        }""")
        if not found["inside"]:
            break
        assert found["ring"], found["html"]
        assert found["follows"], found["html"]
        seen += not found["panel"]
    else:
        pytest.fail("the keyboard does not leave the article")
    assert seen >= stops
    tab.close()


def test_the_first_stop_skips_to_the_text(browser, address):
    tab = browser.new_page(viewport={"width": 1300, "height": 900})
    tab.goto(address + "transformer/")
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.matches('.md-skip')")
    tab.keyboard.press("Enter")
    assert tab.evaluate("location.hash") != ""
    tab.close()


def test_nothing_moves_for_who_asked_for_stillness(browser, address):
    for motion, moves in (("no-preference", True), ("reduce", False)):
        context = browser.new_context(reduced_motion=motion)
        tab = context.new_page()
        tab.goto(address + "transformer/")
        longest = tab.evaluate("""() => Math.max(...[...document.querySelectorAll("*")].flatMap((e) => {
          const style = getComputedStyle(e)
          return (style.transitionDuration + ", " + style.animationDuration).split(", ").map(parseFloat)
        }))""")
        assert (longest > 0.01) == moves
        context.close()


@pytest.mark.parametrize("page", ["", "transformer/", "en/transformer/"])
def test_a_page_reflows_on_the_narrowest_screen_and_with_spaced_text(browser, address, page):
    tab = browser.new_page(viewport={"width": 320, "height": 640})
    tab.goto(address + page)
    tab.add_style_tag(
        content="* {line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important}"
    )
    assert tab.evaluate("document.documentElement.scrollWidth") <= 320
    tab.close()


@pytest.mark.parametrize("page", ["transformer/", "en/transformer/"])
def test_an_article_is_light_and_loads_no_script_it_does_not_use(browser, address, page):
    context = browser.new_context(viewport={"width": 390, "height": 844})
    tab, sizes = context.new_page(), {}

    def weigh(response):
        body = response.body()
        sizes[response.url] = len(body) if response.url.endswith((".woff2", ".png")) else len(gzip.compress(body))

    tab.on("response", weigh)
    tab.goto(address + page)
    tab.wait_for_load_state("networkidle")
    told = "\n".join(f"{size:7d} {url}" for url, size in sorted(sizes.items(), key=lambda pair: -pair[1]))
    print(f"{sum(sizes.values())} bytes\n{told}")
    assert sum(sizes.values()) <= BUDGET, told
    scripts = {url.rpartition("/")[2].partition(".")[0] for url in sizes if url.endswith(".js")}
    assert scripts == SCRIPTS
    context.close()


def luminance(colour):
    parts = [float(part) / 255 for part in colour]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_code_and_the_lines_of_figures_stand_out(browser, address, scheme):
    context = browser.new_context(color_scheme=scheme)
    tab = context.new_page()
    tab.goto(address + "transformer/")
    ask = """(name) => {
      const probe = document.body.appendChild(document.createElement("i"))
      probe.style.color = `var(${name})`
      const rgb = getComputedStyle(probe).color.match(/[\\d.]+/g).slice(0, 3).map(Number)
      probe.remove()
      return rgb
    }"""
    wash = luminance(tab.evaluate(ask, "--wash"))
    inks = ["--ink", "--muted", "--red", *(f"--code-{kind}" for kind in ("keyword", "string", "number", "function"))]
    inks = dict.fromkeys(inks, 4.5)
    inks |= {f"--fig-{name}": 3 for name in set(COLOURS.values()) - {"paper", "0"}}  # 0 fills cells, under ink
    for name, least in inks.items():
        ink = luminance(tab.evaluate(ask, name))
        light, dark = max(ink, wash), min(ink, wash)
        assert (light + 0.05) / (dark + 0.05) >= least, name
    context.close()
