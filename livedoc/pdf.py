"""The articles of a built site as PDF: printed by Chromium, each beside its page.

The browser opens a page at its published address, and every file is handed to it out of the folder of the site: so the
links of a PDF lead to the published pages, and no other origin can be asked for anything.
"""

from __future__ import annotations

import base64
import html
import importlib.util
import mimetypes
import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote, urlsplit

from livedoc.byline import today

if TYPE_CHECKING:
    from collections.abc import Iterable

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
NOWHERE = "http://site.invalid/"
"""The address of a site that has none: nothing answers there."""

MARGIN = {"top": "22mm", "bottom": "22mm", "left": "24mm", "right": "24mm"}
FONT = "source-sans-3-latin-wght-normal.woff2"

_READY = """async () => {
  await document.fonts.ready
  await Promise.all([...document.images].map((image) => image.decode().catch(() => 0)))
}"""
_PREPARE = """({title, linked}) => {
  document.title = title
  for (const details of document.querySelectorAll("article details")) details.open = true
  for (const link of document.links)
    if (!linked && !link.getAttribute("href").startsWith("#")) link.removeAttribute("href")
}"""


class PrintingError(Exception):
    """The articles cannot be printed."""


class Sheet(NamedTuple):
    """An article to be printed: its page and its PDF, as paths in the site, its title and that of its book."""

    page: str
    pdf: str
    title: str
    book: str


def browser() -> str:
    """Return the Chromium to print with: the one that CHROMIUM names, or the first on the PATH.

    Raises:
        PrintingError: When there is none, or no Playwright to drive it.
    """
    if importlib.util.find_spec("playwright") is None:
        raise PrintingError("PDFs are printed through Playwright, which is not installed: pip install playwright")
    named = os.environ.get("CHROMIUM")
    found = shutil.which(named) if named else next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        where = f"CHROMIUM names {named}, which cannot be run" if named else f"none of {', '.join(BROWSERS)} is here"
        raise PrintingError(f"PDFs are printed by Chromium, and {where}. CHROMIUM can name it.")
    return found


def write(site: Path, sheets: Iterable[Sheet], address: str = "") -> None:
    """Print articles of a built site into it.

    Args:
        site: The folder of the whole site.
        sheets: The articles.
        address: Where the site is published. Without it, links that leave an article are none.

    Raises:
        PrintingError: When there is no browser, or a page cannot be opened.
    """
    executable = browser()
    from playwright.sync_api import Error, sync_playwright

    base = address or NOWHERE
    try:
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=executable, args=FLAGS)
            context = chromium.new_context(color_scheme="light", reduced_motion="reduce", service_workers="block")
            lost: list[str] = []
            context.route("**/*", lambda route: _answer(route, site, base))
            context.on("requestfailed", lambda request: lost.append(request.url))
            for sheet in sheets:
                tab = context.new_page()
                tab.goto(base + sheet.page.removesuffix("index.html"))
                tab.emulate_media(media="print")  # so that its fonts are loaded
                tab.evaluate(_PREPARE, {"title": sheet.title, "linked": bool(address)})
                tab.evaluate(_READY)
                if lost:
                    raise PrintingError(f"{sheet.page} asks for what the site has not: {', '.join(lost)}")
                printed = tab.pdf(
                    format="A4",
                    margin=MARGIN,  # type: ignore[arg-type]
                    tagged=True,
                    outline=True,
                    print_background=True,
                    display_header_footer=True,
                    header_template=_edge(site, f"<span>{html.escape(sheet.book)}</span>{_title(sheet.title)}"),
                    footer_template=_edge(
                        site, '<span></span><span><b class="pageNumber"></b> / <b class="totalPages"></b></span>'
                    ),
                )
                (site / sheet.pdf).parent.mkdir(parents=True, exist_ok=True)
                (site / sheet.pdf).write_bytes(_dated(printed))
                tab.close()
            chromium.close()
    except Error as error:
        raise PrintingError(f"Chromium did not print: {error}") from error


def _answer(route: Any, site: Path, base: str) -> None:
    """Answer a request of the browser out of the site, as its server would; nothing else is let through."""
    asked, own = urlsplit(route.request.url), urlsplit(base)
    inside = unquote(asked.path).removeprefix(own.path)
    file = (site / inside / "index.html") if inside.endswith("/") or not inside else site / inside
    known = (asked.scheme, asked.netloc) == (own.scheme, own.netloc) and asked.path.startswith(own.path)
    if known and file.resolve().is_relative_to(site.resolve()) and file.is_file():
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        kind += "; charset=utf-8" if kind.startswith("text/") else ""
        route.fulfill(body=file.read_bytes(), content_type=kind)
    else:
        route.abort()


def _title(title: str) -> str:
    """Return the running title: what stands before a colon is enough."""
    return f"<i>{html.escape(title.partition(': ')[0])}</i>"


def _edge(site: Path, words: str) -> str:
    """Return a header or a footer. It is a document of its own, which brings its font and its sizes."""
    file = next(iter(sorted(site.rglob(FONT))), None)
    face = ""
    if file:
        data = base64.b64encode(file.read_bytes()).decode()
        face = f'@font-face {{font-family: Edge; font-weight: 200 900; src: url("data:font/woff2;base64,{data}")}}'
    return (
        f"<style>{face} #edge {{display: flex; justify-content: space-between; width: 100%; margin: 0 24mm; "
        f"font: 8pt Edge, sans-serif; color: #655f56}} #edge :is(b, i) {{font: inherit}}</style>"
        f'<div id="edge">{words}</div>'
    )


def _dated(printed: bytes) -> bytes:
    """Return a PDF made on the day of the build, at no hour, so that equal pages make equal files.

    A date stays as long as it was: the places of all objects are noted in the file.
    """
    return re.sub(rb"\(D:\d{14}", f"(D:{today():%Y%m%d}000000".encode(), printed)
