"""A copy of the site that works from the file system: what such a build needs, its check, its archive.

Material's `offline` plugin does most of it. Its search runs in a worker, which the file system cannot give: a script of
ours stands in. What begins with a slash has no meaning there, and becomes relative to its page.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

WORKER = "assets/js/iframe-worker.js"
SERVED = ("404.html", "robots.txt", "sitemap.xml", "sitemap.xml.gz", "feed.xml", "site.webmanifest")
"""What only a server has a use for; each language has its own."""

_ABSOLUTE = re.compile(r'(<(?:a|link)\b[^>]*?\shref=")(/[^"/][^"]*|/)(")')
_ADDRESS = re.compile(r'<[a-z][^>]*?\s(?:href|src)="([^"]*)"')


def wanted(config: MkDocsConfig) -> bool:
    """Tell whether the copy that works without a server is being built."""
    plugin = config.plugins.get("offline") or config.plugins.get("material/offline")
    return plugin is not None and bool(plugin.config["enabled"])


def prepare(config: MkDocsConfig) -> None:
    """Give the pages of such a copy their worker; templates see it as `config.extra.offline`."""
    config.extra["offline"] = wanted(config)
    if config.extra["offline"]:
        config.extra["polyfills"] = [WORKER]
        config.use_directory_urls = False  # as the plugin will, and already for who asks before


def publish(files: Files, config: MkDocsConfig) -> None:
    """Let the pages of such a copy be cited by the addresses of the published site: its own lead nowhere else."""
    for file in files.documentation_pages() if config.extra["offline"] and config.site_url else ():
        path = PurePosixPath(file.src_uri)
        folder = path.parent if path.stem == "index" else path.with_suffix("")
        if file.page:
            file.page.canonical_url = urljoin(config.site_url or "", f"{folder}/" if folder.name else "")


def relative(page: str, base: str, top: str) -> str:
    """Return a page whose links to this site's own absolute paths are relative.

    Args:
        page: Its HTML.
        base: The path that the site is served under, as `/` or `/book/`.
        top: What leads from the page to the root of the site, as `../`.
    """

    def made(match: re.Match[str]) -> str:
        if not match[2].startswith(base):
            return match[0]
        path = match[2].removeprefix(base)
        return f"{match[1]}{top}{path}{'index.html' if not path or path.endswith('/') else ''}{match[3]}"

    return _ABSOLUTE.sub(made, page)


def settle(site: Path, base: str) -> None:
    """Make a built site one that is opened as files: its links relative, and without what only a server uses."""
    for path in [path for name in SERVED for path in site.rglob(name)]:
        path.unlink()
    for path in site.rglob("*.html"):
        top = "../" * (len(path.relative_to(site).parts) - 1)
        path.write_text(relative(path.read_text(encoding="utf-8"), base, top), encoding="utf-8")


def findings(site: Path) -> Iterator[str]:
    """Yield each link of a page that leads to no file: a folder is none, nor is what begins with a slash."""
    for page in sorted(site.rglob("*.html")):
        for address in _ADDRESS.findall(page.read_text(encoding="utf-8")):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc or not parts.path:
                continue
            if parts.path.startswith("/") or not (page.parent / unquote(parts.path)).is_file():
                yield f"{page.relative_to(site).as_posix()}: a link to no file: {address}"


def archive(site: Path, to: Path) -> None:
    """Write a site as a zip, in a folder with the zip's own name; equal sites make equal files."""
    from livedoc import listings

    members = {
        path.relative_to(site).as_posix(): path.read_bytes() for path in sorted(site.rglob("*")) if path.is_file()
    }
    to.write_bytes(listings.archive(to.stem, members))
