"""The data of figures in a browser: a table for everyone, and cells that a pointer and a keyboard ask."""

import csv

import pytest


@pytest.fixture
def tab(browser, address):
    context = browser.new_context(viewport={"width": 800, "height": 844})
    tab, troubles = context.new_page(), []
    tab.on("pageerror", lambda error: troubles.append(error))
    tab.goto(address + "en/transformer/")
    yield tab
    assert not troubles
    context.close()


def focused(tab):
    return tab.evaluate("document.activeElement.dataset.cell")


def test_every_figure_has_a_table_on_demand_and_a_file(tab, site):
    figures = tab.locator("figure.figure")
    assert figures.count() == 8
    for number in range(figures.count()):
        figure = figures.nth(number)
        region = figure.locator(".data-table")
        assert not region.is_visible()
        figure.locator(".figure-data > summary").press("Enter")
        assert region.is_visible()
        link = figure.locator(".figure-data a[download]").get_attribute("href")
        with (site / "en/transformer" / link).open(encoding="utf-8", newline="") as file:
            _, *rows = csv.reader(file)
        exact = region.locator("tbody tr").evaluate_all(
            """(rows) => rows.map((row) =>
              [...row.cells].map((one) => one.querySelector("data")?.value ?? one.textContent))"""
        )
        assert exact == rows
        assert region.evaluate("(e) => e.scrollWidth <= e.clientWidth || e.tabIndex == 0")
    tab.set_viewport_size({"width": 390, "height": 844})
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_screen_reader_hears_the_figure_its_table_and_its_cells(tab):
    heat, lines = (tab.locator(f"#figure-{name}-1 svg") for name in ("attention", "scale"))
    assert (heat.get_attribute("role"), lines.get_attribute("role")) == ("group", "img")
    for name, drawing in (("attention", heat), ("scale", lines)):
        assert drawing.get_attribute("aria-details") == f"figure-{name}-1-data"
    told = heat.aria_snapshot()
    assert 'img "query position 2, key position 3: 0.15796"' in told
    assert "text:" not in told  # the ticks and the rounded numbers are not read besides
    tab.locator("#figure-scale-1 summary").first.press("Enter")
    told = tab.locator("#figure-scale-1 .data-table").aria_snapshot()
    assert 'columnheader "size of the keys, d_k"' in told
    assert 'rowheader "1024"' in told
    assert 'cell "0.05043"' in told


def test_the_keyboard_goes_from_cell_to_cell(tab):
    first = tab.locator("#figure-attention-1 .cell[tabindex='0']")
    assert first.count() == 1
    first.focus()
    for key, place in (
        ("ArrowRight", "0 0 1"),
        ("ArrowDown", "0 1 1"),
        ("ArrowDown", "0 2 1"),
        ("ArrowLeft", "0 2 0"),
        ("ArrowLeft", "0 2 0"),  # the edge
        ("ArrowUp", "0 1 0"),
    ):
        tab.keyboard.press(key)
        assert focused(tab) == place
    assert tab.locator("#peek").inner_text().startswith("query position 1, key position 0: 0.05719")
    assert tab.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    tab.keyboard.press("Tab")
    assert focused(tab) is None
    tab.keyboard.press("Shift+Tab")
    assert focused(tab) == "0 1 0"


def test_the_pointer_finds_the_cell_under_the_number(tab):
    cell = tab.locator("#figure-attention-1 .cell").nth(8)
    assert cell.locator("text").evaluate("(e) => e.closest('.cell').dataset.cell") == "0 1 3"
    cell.locator("text").hover()
    panel = tab.locator("#peek")
    panel.wait_for()
    assert panel.inner_text() == "query position 1, key position 3: 0.17994"
    assert abs(panel.bounding_box()["y"] - cell.bounding_box()["y"]) < 120
    assert cell.locator("path").evaluate("(e) => getComputedStyle(e).stroke") != "none"


def test_without_scripts_a_cell_has_a_title(browser, address):
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(address + "transformer/")
    titles = tab.locator("#figure-heads-1 .cell > title")
    assert titles.count() == 24
    assert titles.first.text_content() == "testa 1, posizione della key 0: 0,15662"
    assert tab.locator("#figure-heads-1 .figure-data").get_attribute("open") is None
    tab.locator("#figure-heads-1 .figure-data > summary").click()
    assert tab.locator("#figure-heads-1 .data-table td").first.inner_text() == "0,15662"
    context.close()
