"""What the tests build with: a renderer for pages, and small bilingual projects that really build."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

from markdown import Markdown
from markdown_exec import markdown_config, validator

from livedoc.article import Article
from livedoc.bibliography import references_fence
from livedoc.context import Context
from livedoc.page import exec_fence, table_fence, table_validator
from livedoc.runner import Runner

ROOT = Path(__file__).parent.parent
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SOURCE_URL = "https://example.org/book"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
FENCES = [
    {"name": "python", "class": "python", "validator": validator, "format": exec_fence},
    {"name": "table", "class": "table", "validator": table_validator, "format": table_fence},
    {"name": "references", "class": "references", "format": references_fence},
]
EXTENSIONS = [
    "attr_list",
    "md_in_html",
    "tables",
    "toc",
    "pymdownx.highlight",
    "pymdownx.tabbed",
    "pymdownx.arithmatex",
    "pymdownx.superfences",
    "livedoc.maths",
    "livedoc.page",
    "livedoc.bibliography",
    "livedoc.byline",
]
CONFIG = {
    "pymdownx.superfences": {"custom_fences": FENCES},
    "pymdownx.highlight": {"anchor_linenums": False, "stripnl": False},
    "pymdownx.tabbed": {"alternate_style": True},
    "pymdownx.arithmatex": {"generic": True},
}


@dataclass
class Pages:
    """Renders Markdown with listings from a folder of its own."""

    folder: Path
    runner: Runner
    faults: list[str] | None = None
    article: Article | None = None

    def snippet(self, name: str, source: str) -> None:
        """Write a snippet file."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(source), encoding="utf-8")

    def render(self, text: str, language: str = "en") -> str:
        """Render a page; what is wrong with it is left in `faults`."""
        self.faults = []
        self.context = Context(
            self.folder, language, "page.md", runner=self.runner, faults=self.faults, root=self.folder
        )
        self.context.article = self.article
        configuration = {**CONFIG, "livedoc.page": {"context": self.context}}
        markdown_config.save(EXTENSIONS, configuration)  # as markdown-exec's plugin does
        try:
            return Markdown(extensions=EXTENSIONS, extension_configs=configuration).convert(textwrap.dedent(text))
        finally:
            markdown_config.reset()


CONFIGURATION = """
site_name: Trial
site_url: http://127.0.0.1:8000/
docs_dir: docs/it
strict: true
theme: {name: material, language: it, font: false}
plugins:
  search: {lang: it}
  markdown-exec: {languages: []}
  livedoc: {other: mkdocs.en.yml}
markdown_extensions:
  attr_list: {}
  md_in_html: {}
  tables: {}
  pymdownx.superfences:
    custom_fences:
      - {name: python, class: python, validator: !!python/name:markdown_exec.validator , format: !!python/name:livedoc.page.exec_fence }
      - {name: table, class: table, validator: !!python/name:livedoc.page.table_validator , format: !!python/name:livedoc.page.table_fence }
  pymdownx.highlight: {stripnl: false}
  pymdownx.arithmatex: {generic: true}
  livedoc.maths: {}
  livedoc.page: {}
"""  # noqa: E501
SECOND = """
INHERIT: mkdocs.yml
docs_dir: docs/en
theme: {language: en}
plugins:
  search: {lang: en}
  livedoc: {other: ""}
"""
CATALOGUE = """
msgid ""
msgstr ""
"Language: it\\n"
"Content-Type: text/plain; charset=utf-8\\n"

msgid "half: {half}"
msgstr "metà: {half}"
"""


@dataclass
class Project:
    """A small bilingual site of its own, built by the real command."""

    folder: Path

    def write(self, name: str, text: str) -> None:
        """Write a file of the project."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")

    def both(self, text: str) -> None:
        """Write the same page in both languages."""
        self.write("docs/it/index.md", text)
        self.write("docs/en/index.md", text)

    def build(self, *options: str) -> subprocess.CompletedProcess[str]:
        """Run `mkdocs build`."""
        command = [sys.executable, "-m", "mkdocs", "build", *options]
        environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, env=environment, timeout=120)

    def read(self, name: str) -> str:
        """Return a file of the built site."""
        return (self.folder / "site" / name).read_text(encoding="utf-8")


PAGE = """
# Trial

## Half {#half}

```python exec="on" source="above" result="text"
--8<-- "half.py"
```

It is `{half} half:.3f`, less than one `{half} assert half < 1`.
"""
