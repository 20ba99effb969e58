"""References formatted by the Citation Style Language: APA and Chicago, in the language of the page.

The styles are those that everyone uses. What they get wrong for this book is corrected in the style as it is loaded:
titles stay as their authors wrote them, and an Italian date has its day first.
"""

from __future__ import annotations

import html
import io
import re
import warnings
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from citeproc import CitationStylesStyle

STYLES = Path(__file__).with_name("vendor") / "csl"
LOCALES = {"it": "it-IT", "en": "en-GB"}
ITALIAN = (
    '<locale xml:lang="it"><terms><term name="retrieved">consultato il</term>'
    '<term name="accessed">consultato il</term><term name="from">su</term></terms></locale>'
)
_MONTH_FIRST = re.compile(r'<date-part name="month"/>\s*<date-part name="day" prefix=" "/>')
_DAY_FIRST = '<date-part name="day"/><date-part name="month" prefix=" "/>'
_CASE = re.compile(r' text-case="(?:title|sentence)"')


@lru_cache
def _style(name: str, language: str) -> CitationStylesStyle:
    from citeproc import CitationStylesStyle

    text = _CASE.sub("", (STYLES / f"{name}.csl").read_text(encoding="utf-8"))
    if language == "it":
        text = _MONTH_FIRST.sub(_DAY_FIRST, text)
        text = text.replace('<locale xml:lang="en">', f'{ITALIAN}<locale xml:lang="en">', 1)
    return CitationStylesStyle(io.BytesIO(text.encode()), locale=LOCALES[language], validate=False)


def _escaped(value: Any) -> Any:
    """Return an item with its texts escaped: citeproc lets them through as they are."""
    if isinstance(value, dict):
        return {name: _escaped(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_escaped(part) for part in value]
    return html.escape(value, quote=False) if isinstance(value, str) else value


def _formatted(style: str, language: str, item: dict[str, Any]) -> tuple[str, str]:
    """Return how an item is cited in the text, and its entry in the bibliography, as HTML."""
    from citeproc import Citation, CitationItem, CitationStylesBibliography, formatter
    from citeproc.source.json import CiteProcJSON

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of every field that it does not know
        source = CiteProcJSON([{**_escaped(item), "id": "item"}])
        bibliography = CitationStylesBibliography(_style(style, language), source, formatter.html)
        citation = Citation([CitationItem("item")])
        bibliography.register(citation)
        cited = str(bibliography.cite(citation, lambda item: None))
        entry = str(bibliography.bibliography()[0])
    return cited, entry


def entry(style: str, language: str, item: dict[str, Any]) -> str:
    """Return one entry of a bibliography, as HTML without an element around it.

    Args:
        style: “apa” or “chicago-author-date”.
        language: “it” or “en”: words, names of months, order of dates, quotation marks.
        item: A work as CSL-JSON.

    Raises:
        FileNotFoundError: When the style is not one of those in `vendor/csl`.
        KeyError: When the language is not one of `LOCALES`.
    """
    return _formatted(style, language, item)[1]


def citation(style: str, language: str, item: dict[str, Any], locator: str = "") -> str:
    """Return how a work is cited in the text, without the parentheses, as HTML: Vaswani et al., 2017, §3.2.1.

    Args:
        style: As for `entry`.
        language: As for `entry`.
        item: As for `entry`.
        locator: The place in the work, as it is to be written.
    """
    cited = _formatted(style, language, item)[0].strip().removeprefix("(").removesuffix(")")
    return ", ".join([cited, html.escape(locator, quote=False)] if locator else [cited])
