"""The articles of a built site as PDF: printed by Chromium, each beside its page.

The browser opens a page at its published address, and every file is handed to it out of the folder of the site: so the
links of a PDF lead to the published pages, and no other origin can be asked for anything.
"""

from __future__ import annotations

import hashlib
import importlib.util
import io
import mimetypes
import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote, urlsplit

from livedoc.byline import today

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from livedoc.article import Article

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
NOWHERE = "http://site.invalid/"
"""The address of a site that has none: nothing answers there."""

_NODE = re.compile(rb"node\d{8}")
_READY = """async () => {
  await document.fonts.ready
  await Promise.all([...document.images].map((image) => image.decode().catch(() => 0)))
}"""
_PREPARE = """({title, linked}) => {
  document.title = title
  for (const link of document.links)
    if (!linked && !link.getAttribute("href").startsWith("#")) link.removeAttribute("href")
  const text = (heading) => {
    const copy = heading.cloneNode(true)
    for (const maths of copy.querySelectorAll(".arithmatex:has([hidden])"))
      maths.replaceWith(maths.querySelector("[hidden]"))
    for (const link of copy.querySelectorAll(".headerlink")) link.remove()
    return copy.textContent.trim().replace(/\\s+/g, " ")
  }
  const headings = [...document.querySelectorAll("article :is(h1, h2, h3, h4, h5, h6)")]
  return headings.filter((heading) => heading.checkVisibility()).map(text)
}"""


class PrintingError(Exception):
    """The articles cannot be printed."""


class Sheet(NamedTuple):
    """An article to be printed: its page and its PDF, as paths in the site, its front matter, the title of its book."""

    page: str
    pdf: str
    article: Article
    book: str


def browser() -> str:
    """Return the Chromium to print with: the one that CHROMIUM names, or the first on the PATH.

    Raises:
        PrintingError: When there is none, or no Playwright to drive it, or no pypdf.
    """
    if lacking := [name for name in ("playwright", "pypdf") if importlib.util.find_spec(name) is None]:
        raise PrintingError(f"PDFs are printed with packages that are not installed: {', '.join(lacking)}")
    named = os.environ.get("CHROMIUM")
    found = shutil.which(named) if named else next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        where = f"CHROMIUM names {named}, which cannot be run" if named else f"none of {', '.join(BROWSERS)} is here"
        raise PrintingError(f"PDFs are printed by Chromium, and {where}. CHROMIUM can name it.")
    return found


def write(site: Path, sheets: Iterable[Sheet], address: str = "", to: Path | None = None) -> None:
    """Print articles of a built site.

    Args:
        site: The folder of the whole site.
        sheets: The articles.
        address: Where the site is published. Without it, links that leave an article are none.
        to: The folder that takes their PDFs; the site itself, if it is not named.

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
                tab.add_style_tag(content=_edges(sheet))
                tab.emulate_media(media="print")  # so that its fonts are loaded
                headings = tab.evaluate(_PREPARE, {"title": sheet.article.title, "linked": bool(address)})
                tab.evaluate(_READY)
                if lost:
                    raise PrintingError(f"{sheet.page} asks for what the site has not: {', '.join(lost)}")
                printed = tab.pdf(prefer_css_page_size=True, print_background=True, tagged=True, outline=True)
                file = (to or site) / sheet.pdf
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(_finished(printed, sheet, headings))
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


def _edges(sheet: Sheet) -> str:
    """Return the style of what stands around each page: the book, the article as far as a colon, the page's number."""
    box = 'font: 400 8pt "Source Sans 3", sans-serif; color: #655f56; white-space: nowrap;'
    running = sheet.article.title.partition(": ")[0]
    return (
        f"@page {{@top-left {{content: {_quoted(sheet.book)}; {box}}} @top-right {{content: {_quoted(running)}; {box}}}"
        f'@bottom-right {{content: counter(page) " / " counter(pages); {box}}}}}'
    )


def _quoted(text: str) -> str:
    """Return a text as a string of CSS."""
    return '"' + "".join(f"\\{ord(letter):x} " if letter in '"\\\n' else letter for letter in text) + '"'


def _finished(printed: bytes, sheet: Sheet, headings: list[str]) -> bytes:
    """Return a PDF that says whose it is, made on the day of the build at no hour: equal pages make equal files.

    The outline takes the words of the headings: Chromium leaves out their maths, and the space where a line ends.
    """
    from pypdf import PdfReader, PdfWriter
    from pypdf.generic import ArrayObject, ByteStringObject, NameObject, TextStringObject

    # The tags are called by the numbers that their elements had in this run of the browser.
    numbers = {name: b"node%08d" % i for i, name in enumerate(sorted({*_NODE.findall(printed)}))}
    printed = _NODE.sub(lambda match: numbers[match[0]], printed)  # as long as they were: what points at them is right
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(printed)))
    writer.pdf_header = "%PDF-1.7"
    entries = list(_entries(writer.root_object.get("/Outlines")))
    if len(entries) != len(headings):
        raise PrintingError(f"{sheet.page} has {len(headings)} headings, and its PDF shows {len(entries)}")
    for entry, heading in zip(entries, headings, strict=True):
        entry[NameObject("/Title")] = TextStringObject(heading)
    day = f"D:{today():%Y%m%d}000000+00'00'"
    writer.add_metadata(
        {
            "/Author": ", ".join(author.name for author in sheet.article.authors),
            "/Subject": sheet.article.description,
            "/Keywords": ", ".join(sheet.article.keywords),
            "/Creator": sheet.book,
            "/CreationDate": day,
            "/ModDate": day,
        }
    )
    writer._ID = ArrayObject([ByteStringObject(hashlib.sha256(sheet.pdf.encode()).digest()[:16])] * 2)
    made = io.BytesIO()
    writer.write(made)
    return made.getvalue()


def _entries(item: Any) -> Iterator[Any]:
    """Yield what stands under an item of the outline, in order."""
    one = item.get_object().get("/First") if item else None
    while one:
        yield one.get_object()
        yield from _entries(one)
        one = one.get_object().get("/Next")
