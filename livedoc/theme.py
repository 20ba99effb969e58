"""What both languages, and all rebuilds of a preview, share of a theme."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import BytecodeCache, Environment
from jinja2.meta import find_referenced_templates

from livedoc import styles

if TYPE_CHECKING:
    from jinja2.bccache import Bucket
    from mkdocs.theme import Theme


class Templates(BytecodeCache):
    """What both languages, and all rebuilds of a preview, share of a theme: its file list, its compiled templates."""

    def __init__(self) -> None:
        self.compiled: dict[tuple[str, str], bytes] = {}
        self.listed: dict[tuple[Path, ...], list[str]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill a bucket, if its template is known."""
        if (bucket.key, bucket.checksum) in self.compiled:
            bucket.bytecode_from_string(self.compiled[bucket.key, bucket.checksum])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what a bucket holds."""
        self.compiled[bucket.key, bucket.checksum] = bucket.bytecode_to_string()

    def share(self, theme: Theme) -> None:
        """Make a theme's environment use this cache: Material has twelve thousand icons to list and filter."""
        env, all_names = theme.get_env(), Environment.list_templates
        env.bytecode_cache = self
        theme.get_env = lambda: env  # type: ignore[method-assign]

        def list_templates(extensions: Any = None, filter_func: Any = None) -> list[str]:
            own = tuple(sorted(Path(theme.custom_dir).rglob("*"))) if theme.custom_dir else ()
            if own not in self.listed:
                self.listed[own] = all_names(env, extensions, filter_func)
            return self.listed[own]

        env.list_templates = list_templates  # type: ignore[method-assign]

    def compile(self, theme: Theme) -> None:
        """Compile the page template and all it is made of, unless that is done: while the worker imports."""
        env, names = theme.get_env(), [] if self.compiled else ["main.html"]
        for name in names:
            source = env.loader.get_source(env, name)[0] if env.loader else ""
            found = find_referenced_templates(env.parse(source))
            names += [other for other in found if other and other not in names]
            env.get_template(name)


def lighten(site: Path) -> None:
    """Drop from a built site what no reader needs: source maps, styles of nothing, the search that nobody opened.

    Material asks for its search index as a page opens, except from the file system, where it waits until the search is
    opened. Here it always waits; the search's worker does so in `docs/theme/main.html`.
    """
    assets = site / "assets"
    pages, scripts = ((path.read_text(encoding="utf-8") for path in site.rglob(kind)) for kind in ("*.html", "*.js"))
    known = styles.classes(pages, scripts)
    for path in assets.rglob("*.map"):
        minified, waits = path.with_suffix(""), 'location.protocol!=="file:"'
        text = re.sub(r"\n(?://|/\*)# sourceMappingURL=.*", "", minified.read_text(encoding="utf-8"))
        minified.write_text(text.replace(waits, "!1") if text.count(waits) == 1 else text, encoding="utf-8")
        path.unlink()
    for path in assets.rglob("*.css"):
        path.write_text(styles.used(path.read_text(encoding="utf-8"), known), encoding="utf-8")
