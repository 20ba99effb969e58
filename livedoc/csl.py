"""References formatted by the Citation Style Language: APA and Chicago, in the language of the page.

The styles are those that everyone uses. What comes out wrong for this book is corrected in the item, or in the style as
it is loaded: titles stay as their authors wrote them, Chicago has whole names, an Italian date has its day first.
"""

from __future__ import annotations

import html
import io
import json
import re
import warnings
from functools import cache, lru_cache
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
_AS_WRITTEN = frozenset(("publisher", "number"))  # a style would capitalise arXiv
# A title that ends by itself gets no full stop after it: “Why?” and not “Why?.”
_ENDED = re.compile(r"([?!…](?:</i>|[”’»])*)\.(?=\s|$)")


@lru_cache
def _style(name: str, language: str) -> CitationStylesStyle:
    from citeproc import CitationStylesStyle

    text = _CASE.sub("", (STYLES / f"{name}.csl").read_text(encoding="utf-8"))
    if language == "it":
        text = _MONTH_FIRST.sub(_DAY_FIRST, text)
        text = text.replace('<locale xml:lang="en">', f'{ITALIAN}<locale xml:lang="en">', 1)
    style = CitationStylesStyle(io.BytesIO(text.encode()), locale=LOCALES[language], validate=False)
    _correct_names(style.root, language)
    style.kept = _remember(style.root)
    return style


def _correct_names(root: Any, language: str) -> None:
    """Leave names whole where a style wants them so, and Italian without a comma before “e”: citeproc does neither."""
    initials = root.attrib.pop("initialize-with", None)
    for name in root.iter("{*}name"):
        if initials and name.get("initialize") != "false":
            name.set("initialize-with", initials)
        if language == "it" and name.get("and") == "text":
            name.set("delimiter-precedes-last", "never")


def _remember(root: Any) -> list[Any]:
    """Let each element of a style remember what citeproc would seek anew for each work: its macro, and what that calls.

    Chicago is several times faster so. What an element remembers lasts while the element is held: hence the list.
    """
    elements = list(root.iter())
    macros = {element.get("name"): element for element in root.iterchildren("{*}macro")}
    for element in elements:
        if element.get("macro"):
            element.get_macro = macros.__getitem__
        if callable(element.calls_variable):
            element.calls_variable = cache(element.calls_variable)
    return elements


def _prepared(value: Any, name: str = "") -> Any:
    """Return an item with its texts escaped, which citeproc lets through, and some of them kept as they are."""
    if isinstance(value, dict):
        return {name: _prepared(part, name) for name, part in value.items()}
    if isinstance(value, list):
        return [_prepared(part) for part in value]
    text = html.escape(value, quote=False) if isinstance(value, str) else value
    return f'<span class="nocase">{text}</span>' if name in _AS_WRITTEN else text


@lru_cache(maxsize=1024)  # a page cites a work many times, and a preview shows every page again
def _formatted(style: str, language: str, written: str) -> tuple[str, str]:
    """Return how an item, given as JSON, is cited in the text, and its entry in the bibliography, as HTML."""
    from citeproc import Citation, CitationItem, CitationStylesBibliography, formatter
    from citeproc.source.json import CiteProcJSON

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of every field that it does not know
        source = CiteProcJSON([{**_prepared(json.loads(written)), "id": "item"}])
        bibliography = CitationStylesBibliography(_style(style, language), source, formatter.html)
        citation = Citation([CitationItem("item")])
        bibliography.register(citation)
        cited = str(bibliography.cite(citation, lambda item: None))
        entry = str(bibliography.bibliography()[0])
    return cited, _ENDED.sub(r"\1", entry)


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
    return _formatted(style, language, json.dumps(item, sort_keys=True))[1]


def citation(style: str, language: str, item: dict[str, Any], locator: str = "") -> str:
    """Return how a work is cited in the text, without the parentheses, as HTML: Vaswani et al., 2017, §3.2.1.

    Args:
        style: As for `entry`.
        language: As for `entry`.
        item: As for `entry`.
        locator: The place in the work, as it is to be written.
    """
    cited = _formatted(style, language, json.dumps(item, sort_keys=True))[0].strip().removeprefix("(").removesuffix(")")
    return ", ".join([cited, html.escape(locator, quote=False)] if locator else [cited])
