"""The MkDocs plugin: it starts the runs, orders the two languages, and publishes all or nothing."""

from __future__ import annotations

import ctypes
import json
import os
import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from mkdocs.commands.build import build
from mkdocs.config import config_options, load_config
from mkdocs.config.base import Config
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority, get_plugin_logger
from mkdocs.structure.files import File, Files
from mkdocs.utils import get_relative_url, write_file
from mkdocs.utils.meta import get_data
from mkdocs.utils.yaml import yaml_load

from livedoc import article, cite, guide, ledger, metadata, offline, pdf, preview, siteparts, uses, works
from livedoc.context import Context, submit
from livedoc.ledger import disagreements
from livedoc.offers import Offer
from livedoc.packages import distributions
from livedoc.runner import Job, Runner
from livedoc.scan import Scan, differences, scan
from livedoc.snippet import SOURCE_LANGUAGE
from livedoc.takeaway import Takeaway, is_taken, wanted
from livedoc.theme import Templates, lighten
from livedoc.work import work

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.livereload import LiveReloadServer
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page

    from livedoc.runner import Run

log = get_plugin_logger("livedoc")
# As Material's search does: from a marked start tag to the next end tag of the same name.
_UNSEARCHED = re.compile(r"<([\w-]+)\b[^>]*\sdata-search-exclude\b.*?</\1>", re.DOTALL)
NAMES = {"it": "Italiano", "en": "English"}


class LivedocConfig(Config):  # type: ignore[no-untyped-call]
    """The plugin's settings: where snippets are, which folder both languages share, the other language's file.

    With `pdf` each article is printed too.
    """

    snippets = config_options.Type(str, default="snippets")
    assets = config_options.Type(str, default="docs/assets")
    other = config_options.Type(str, default="")
    pdf = config_options.Type((bool, int, str), default=False)  # as a variable of the environment gives it


class LivedocPlugin(BasePlugin[LivedocConfig]):  # type: ignore[no-untyped-call]
    """One instance serves both languages: MkDocs keeps it, and lends it to the nested build of the second."""

    def __init__(self) -> None:
        self.serving = False
        self.runner: Runner | None = None
        self.nested = False
        self.faults: list[str] = []
        self.contexts: dict[tuple[str, str], Context] = {}
        self.site: Path | None = None
        self.primary: MkDocsConfig | None = None
        self.complete = False
        self.engine = preview.engine_stamp()
        self.templates = Templates()
        self.content: str | None = None
        self.ledger: dict[str, Any] | None = None
        self.probe: Future[Run] | None = None
        self.takeaways: dict[str, Takeaway] = {}
        self.printing = False
        self.sheets: list[pdf.Sheet] = []

    def on_startup(self, *, command: str, dirty: bool) -> None:
        """Note whether this is a live preview, which remembers runs, or a build, which never does."""
        self.serving = command == "serve"
        self.runner = Runner(remember=self.serving)
        self.runner.start()  # it imports while MkDocs starts

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Send a build to a staging folder; start an engine that changed afresh."""
        self.templates.share(config.theme)
        offline.prepare(config)
        if self.nested:
            return config
        if self.serving and self.engine != preview.engine_stamp():
            log.info("The engine changed: starting again")
            self.on_shutdown()
            preview.start_afresh()
        self.runner = self.runner or Runner(remember=self.serving)
        self.primary, self.faults, self.contexts, self.complete = config, [], {}, False
        self.ledger = self.probe = None
        self.printing, self.sheets = bool(self.config.pdf) and not self.serving, []
        if self.printing:
            try:
                pdf.browser()
            except pdf.PrintingError as error:
                raise PluginError(f"Nothing was published.\n\n{error}") from error
        other = Path(config.config_file_path).parent / self.config.other
        self.other = other if self.config.other and other != Path(config.config_file_path) else None
        if self.serving:
            preview.tolerate()
        else:
            self.site = Path(config.site_dir)
            config.site_dir = f"{config.site_dir}.staging"
        config.extra["alternate"] = list(self._alternates(""))
        return config

    @event_priority(50)  # before mkdocs-jupyter, wherever it stands: it wraps the notebooks that are added here
    def _add_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Add what the languages share; read all pages of both and start every listing before rendering starts."""
        root = Path(config.config_file_path).parent
        shared = root / self.config.assets
        for path in sorted(shared.rglob("*")) if shared.is_dir() else []:
            if path.is_file():
                name = path.relative_to(shared.parent).as_posix()
                files.append(File(name, str(shared.parent), config.site_dir, use_directory_urls=False))
        if not self.nested:
            self._start(config, root)
            # While the worker imports: what is needed later anyway.
            self.templates.compile(config.theme)
            distributions()
        self._takeaway(config).add(files, self.contexts, config)  # last: they need the runs of all other pages
        return files

    @event_priority(-50)
    def _leave_out_of_nav(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Say of the notebooks that no menu has them: the wrapper that mkdocs-jupyter puts around them forgets it."""
        self._takeaway(config).leave_out_of_nav(files)
        return files

    on_files = CombinedEvent(_add_files, _leave_out_of_nav)

    def _takeaway(self, config: MkDocsConfig) -> Takeaway:
        return self.takeaways.setdefault(str(config.theme["language"]), Takeaway())

    def _start(self, config: MkDocsConfig, root: Path) -> None:
        folders = {str(config.theme["language"]): Path(config.docs_dir)}
        if self.other:
            settings: dict[str, Any] = yaml_load(self.other.open(encoding="utf-8"))
            folders[settings["theme"]["language"]] = root / settings["docs_dir"]
        scans: dict[str, list[Scan]] = {}
        names = sorted(
            {path.relative_to(folder).as_posix() for folder in folders.values() for path in folder.rglob("*.md")}
        )
        for language, folder in folders.items():  # all pages of the language that is rendered first, then the other
            for name in names:
                path = folder / name
                if not path.is_file():
                    self.faults.append(f"{path.relative_to(root)}: the page is missing in this language")
                    continue
                text = path.read_text(encoding="utf-8-sig")
                body, meta = get_data(text)
                first = text.count("\n") - body.count("\n") + 1
                found = scan(body, first)
                context = Context(
                    snippets=root / self.config.snippets,
                    language=language,
                    page=str(path.relative_to(root)),
                    name=name,
                    first_line=first,
                    runner=self.runner,
                    faults=self.faults,
                    declared=found,
                    ledger=self._ledger,
                    root=root,
                )
                try:
                    context.article = article.article(meta, language)
                except article.ArticleError as error:
                    self.faults.append(f"{context.page}:1: {error}")
                taken = wanted(config) and is_taken(context)
                context.given = submit(found, context.snippets, language, self.runner, pictures=taken)
                self.contexts[language, name] = context
                scans.setdefault(name, []).append(found)
        if any(context.given for context in self.contexts.values()) and self.runner:
            self.probe = self.runner.submit(Job(Path(__file__).with_name("probe.py"), SOURCE_LANGUAGE, told=False))
        for name, pair in scans.items():
            if len(pair) == 2:
                articles = [self.contexts[language, name].article for language in folders]
                differing = [*differences(*pair), *article.differences(*articles)]
                self.faults += [f"{name}: the two languages differ in {what}" for what in differing]
        self.faults += works.check(list(self.contexts.values()))

    @event_priority(50)
    def on_pre_page(self, page: Page, *, config: MkDocsConfig, files: Files) -> Page:
        """Make the notebook that this page shows, if it is one's: mkdocs-jupyter reads it next."""
        self._takeaway(config).write(page, config, files, light=self.serving)
        return page

    def on_page_content(self, html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Put the page of a notebook in the book's dress."""
        return self._takeaway(config).show(html, page, config, files)

    def on_template_context(self, context: Any, *, template_name: str, config: MkDocsConfig) -> Any:
        """Leave notebooks out of the map of the site."""
        return {**context, "pages": self._takeaway(config).listed(context.get("pages", []))}

    def on_page_markdown(self, markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> None:
        """Tell the Markdown extension which page comes next."""
        context = self.contexts.get((str(config.theme["language"]), page.file.src_uri))
        if context:
            context.address = page.canonical_url or ""
            context.source_url = str(config.extra.get("source_url") or "").rstrip("/")
            context.book, context.home = config.site_name, config.site_url or ""
            beside = page.url.endswith("/") or Path(page.file.dest_uri).stem == Path(context.name).stem == "index"
            context.folder = "" if beside else f"{Path(page.url).stem}/"
            place = Path(page.file.abs_dest_path).relative_to(self.primary.site_dir) if self.primary else Path()
            context.top = "../" * (len(place.parts) - 1)
            context.links = {one.src_uri: get_relative_url(one.url, page.url) for one in files.documentation_pages()}
            self._takeaway(config).offer(context, page, files)
            if self.printing and context.article and context.article.number:
                context.pdf = f"{context.folder}{Path(context.name).stem}.pdf"
                context.offers.append(Offer("PDF", context.pdf))
                target = (place.parent / context.pdf).as_posix()
                self.sheets.append(pdf.Sheet(place.as_posix(), target, context.article, config.site_name))
        config.mdx_configs.setdefault("livedoc.page", {})["context"] = context or ""

    def on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> Navigation:
        """Let a copy without a server name the pages as they are published."""
        offline.publish(files, config)
        return nav

    def on_env(self, env: Environment, *, config: MkDocsConfig, files: Files) -> Environment:
        """Describe the pages to the templates; draw the cards of a build, which a preview has no use for."""
        fonts = Path(config.config_file_path).parent / self.config.assets / "fonts"
        described = siteparts.site(
            config, files, self.contexts, self.primary or config, None if self.serving else fonts
        )
        env.globals["siteparts"] = described
        if described.root:  # the colours that a reader chooses are for both languages
            config.extra.setdefault("scope", urlsplit(described.root).path)
        self._tell_uses(config, files)
        for fault in siteparts.draw(described, config.site_name, fonts, Path(config.site_dir)):
            log.warning(fault)
        return env

    def _tell_uses(self, config: MkDocsConfig, files: Files) -> None:
        """Tell the glossary which sections use its terms, now that all pages are rendered."""
        pages = {file.src_uri: file.page for file in files.documentation_pages() if file.page}
        here = {name: one for (language, name), one in self.contexts.items() if language == config.theme["language"]}
        for page in pages.values():
            articles = [(pages[name].url, context) for name, context in here.items() if name in pages]
            page.content = uses.with_uses(page.content or "", page.url, articles)

    @event_priority(100)
    def _lighten(self, context: Any, *, page: Page, config: MkDocsConfig, nav: Any) -> None:
        """Show the search what it indexes and no more: the rest is most of a page, and would be parsed for nothing."""
        self.content = page.content
        page.content = _UNSEARCHED.sub("", page.content or "")

    @event_priority(-100)
    def _restore(self, context: Any, *, page: Page, config: MkDocsConfig, nav: Any) -> None:
        """Give the page its content back, and point the language switch at it in the other language."""
        page.content = self.content
        config.extra["alternate"] = list(self._alternates(page.url))
        context["cited"] = self._cited(page, str(config.theme["language"]))

    on_page_context = CombinedEvent(_lighten, _restore)

    def _cited(self, page: Page, language: str) -> str:
        """Put the files by which an article is cited beside it; return what its head says to machines."""
        context = self.contexts.get((language, page.file.src_uri))
        cited = work(context) if context else None
        if cited is None or context is None:
            return ""
        site = self.primary.site_url if self.primary else ""
        cited = replace(
            cited,
            pdf=urljoin(context.address, context.pdf) if context.pdf and context.address else "",
            versions=tuple((one["lang"], urljoin(site, one["link"])) for one in self._alternates(page.url) if site),
            parts=tuple(
                (one.article.title, one.address)
                for (of, _), one in self.contexts.items()
                if of == language and one.article and one.article.number
            ),
        )
        context.downloads |= cite.files(cited)
        return metadata.head(cited, context.folder)

    def _alternates(self, url: str) -> Iterator[dict[str, str]]:
        if not self.primary:
            return
        base = urlsplit(self.primary.site_url or "/").path or "/"
        home = str(self.primary.theme["language"])
        for language in NAMES if self.other else [home]:
            yield {
                "name": NAMES[language],
                "lang": language,
                "link": base + ("" if language == home else f"{language}/") + url,
            }

    @event_priority(-100)  # last: the nested build borrows the plugins of this one
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write the outputs too long for their page, build the other language, and stop a build that has faults.

        A live preview shows the faults in their place instead.
        """
        for (language, name), context in self.contexts.items():
            if language == config.theme["language"]:
                page = Path(name)
                folder = Path(config.site_dir, page.parent if page.stem == "index" else page.with_suffix(""))
                for download, text in context.downloads.items():
                    write_file(text.encode(), str(folder / download))
        self._takeaway(config).publish(config)
        if not self.serving:
            lighten(Path(config.site_dir))
        if self.nested:
            return
        if self.other:
            self._build_other(self.other, config)
        self.faults = self.faults or uses.unused(self.contexts.values())
        if self.serving:
            told = [*self.faults, *self._guide()] if self.faults else []
            sys.stderr.write("".join(f"{fault}\n" for fault in told))
            return
        faults = self.faults or disagreements(self._ledger()["runs"])
        if faults:
            raise PluginError("\n\n".join(["Nothing was published.", *faults, *self._guide()]))
        if self.probe:
            write_file(
                json.dumps(self._ledger(), indent=1, ensure_ascii=False).encode(), f"{config.site_dir}/ledger.json"
            )
        if config.extra["offline"]:
            offline.settle(Path(config.site_dir), urlsplit(config.site_url or "/").path or "/")
        if self.printing:
            try:
                pdf.write(Path(config.site_dir), self.sheets, self.primary.site_url or "" if self.primary else "")
            except pdf.PrintingError as error:
                raise PluginError(f"Nothing was published.\n\n{error}") from error
        self.complete = True

    def _ledger(self) -> dict[str, Any]:
        """Return the ledger of this build, once all its runs are done."""
        if self.ledger is None and self.runner and self.primary:
            contexts = list(self.contexts.values())
            runs = [future.result() for context in contexts for future in (context.given or {}).values()]
            probe = self.probe.result() if self.probe else None
            if probe is None:
                return {"runs": []}
            environment = json.loads(probe.output)
            modules = {module for run in [*runs, probe] for module in run.modules}
            self.ledger = ledger.build(contexts, environment, modules, Path(self.primary.config_file_path).parent)
        return self.ledger or {}

    def _build_other(self, other: Path, config: MkDocsConfig) -> None:
        language = yaml_load(other.open(encoding="utf-8"))["theme"]["language"]
        address = f"{config.site_url.rstrip('/')}/{language}/" if config.site_url else ""
        self.nested = True
        try:
            settings = load_config(
                str(other), site_dir=f"{config.site_dir}/{language}", site_url=address, strict=config.strict
            )
            build(settings, serve_url=address if self.serving else None)
        finally:
            self.nested = False

    def on_build_error(self, *, error: Exception) -> None:
        """Remember that this build must not be published; say what the other language's warnings would hide."""
        self.complete = False
        if self.nested and self.faults:
            log.error("\n\n".join([*self.faults, *self._guide()]))

    def _guide(self) -> list[str]:
        """Return a line that names the page that tells how to write, in each language, if the site has it."""
        pages = [context.page for (_, name), context in self.contexts.items() if name == guide.PAGE]
        return [f"How to write it: {', '.join(pages)}"] if pages else []

    def on_serve(self, server: LiveReloadServer, *, config: MkDocsConfig, builder: Any) -> LiveReloadServer:
        """Watch everything a page is made of, in both languages."""
        root = Path(config.config_file_path).parent
        preview.watch(server, config, (root / "docs", root / self.config.snippets, self.other))
        return server

    def on_shutdown(self) -> None:
        """End the worker; publish a complete build in place of the previous one."""
        if self.runner:
            self.runner.close()
            self.runner = None
        for takeaway in self.takeaways.values():
            takeaway.close()
        if self.site and self.primary:
            staged, self.primary.site_dir = Path(self.primary.site_dir), str(self.site)
            if self.complete:
                publish(staged, self.site)
            shutil.rmtree(staged, ignore_errors=True)
            self.site = None


def _exchange(one: Path, other: Path) -> bool:
    """Let two folders change places at once, where the system can: there is no moment without a site."""
    if sys.platform != "linux":
        return False
    here, exchange = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    return bool(ctypes.CDLL(None).renameat2(here, os.fsencode(one), here, os.fsencode(other), exchange) == 0)


def publish(staged: Path, site: Path) -> None:
    """Put a finished site in the place of the previous one, which stays until the new one is there."""
    if site.exists() and _exchange(staged, site):
        shutil.rmtree(staged, ignore_errors=True)
        return
    previous = site.with_name(f"{site.name}.previous")
    shutil.rmtree(previous, ignore_errors=True)
    if site.exists():
        site.rename(previous)
    staged.rename(site)
    shutil.rmtree(previous, ignore_errors=True)
