"""Maths at build time: what `pymdownx.arithmatex` leaves on a page becomes KaTeX's HTML and MathML.

KaTeX itself runs here, in QuickJS, so that a page needs neither its script nor another origin. Beside what is seen,
each formula carries one hidden line of plain text, `√d_k`: a table of contents and a search index read that one.
"""

from __future__ import annotations

import html
import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import normalize
from xml.etree import ElementTree

from markdown.extensions import Extension
from markdown.extensions.toc import remove_fnrefs, render_inner_html, strip_tags
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString
from quickjs import Function

if TYPE_CHECKING:
    from markdown import Markdown

_CALL = """
function livedoc(tex, displayMode) {
    // An answer in JSON: quickjs-ng cannot hand over the rope strings that KaTeX builds.
    const options = {displayMode, output: "htmlAndMathml", strict: "error", throwOnError: true};
    try { return JSON.stringify({html: katex.renderToString(tex, options)}); }
    catch (error) { return JSON.stringify({error: error.message}); }
}
"""
_MATHML = "{http://www.w3.org/1998/Math/MathML}"
_ATOM = re.compile(r"√?(?:[\d.,]+|[^\W\d_])(?:_\w+)?[⁰¹²³⁴-⁹⁺⁻ⁿᵀ′]*|.")
_RAISABLE = "0123456789+−n⊤′"
_RAISED = str.maketrans(_RAISABLE, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿᵀ′")
_RELATIONS = frozenset("=<>≤≥≠≈∼∝→∈")
_ACCENTS = dict(zip("ˊˋ^~ˉ˙¨", "\u0301\u0300\u0302\u0303\u0304\u0307\u0308", strict=True))


class MathError(ValueError):
    """A formula that KaTeX refuses."""


@cache
def _katex() -> Function:
    return Function("livedoc", (Path(__file__).parent / "vendor/katex.min.js").read_text(encoding="utf-8") + _CALL)


@cache
def render(tex: str, display: bool = False) -> str:
    """Return the HTML of a formula.

    Args:
        tex: The formula, in TeX, without its delimiters.
        display: Whether it stands on a line of its own.

    Raises:
        MathError: KaTeX refuses the formula.
    """
    answer = json.loads(_katex()(tex.strip(), display))
    if "error" in answer:
        raise MathError(f"cannot render the formula {tex.strip()!r}: {answer['error']}")
    visual = re.sub("(?s)<annotation .*?</annotation>", "", answer["html"])
    mathml = next(ElementTree.fromstring(visual).iter(f"{_MATHML}math"))
    plain = html.escape(normalize("NFC", " ".join(_read(mathml).split())))
    # Material's search knows an excluded element by its tag alone: hence a tag that nothing else has.
    return f"<span hidden>{plain}</span><katex-output data-search-exclude>{visual}</katex-output>"


def _read(node: ElementTree.Element) -> str:
    """Return a MathML element as one line of plain text."""
    parts = [_read(child) for child in node]
    tag = node.tag.removeprefix(_MATHML)
    match tag, parts:
        case "msup", [base, above]:
            return base + _raise(above)
        case "mover", [base, above]:
            return base.replace("ı", "i") + _ACCENTS.get(above, "") if node.get("accent") else base + _raise(above)
        case "msub" | "munder", [base, below]:
            return f"{base}_{_group(below)}"
        case "msubsup" | "munderover", [base, below, above]:
            return f"{base}_{_group(below)}{_raise(above)}"
        case "mroot", [base, degree]:
            return f"{_raise(degree)}√{_group(base)}"
        case "mfrac", [over, under]:
            return f"{_group(over)}/{_group(under)}"
        case "msqrt", _:
            return f"√{_group(''.join(parts))}"
    text = "".join(parts) or (node.text or "").replace("\u2061", "")  # U+2061: "applied to", which is not seen
    return f" {text} " if text in _RELATIONS or tag == "mtd" else text


def _group(text: str) -> str:
    return text if text.isalpha() or _ATOM.fullmatch(text) else f"({text})"


def _raise(text: str) -> str:
    return f"^{_group(text)}" if text.strip(_RAISABLE) else text.translate(_RAISED)


def _is_maths(element: ElementTree.Element) -> bool:
    return "arithmatex" in element.get("class", "").split()


class _Maths(Treeprocessor):
    def _rendered(self, tex: str, display: bool) -> str:
        try:
            return render(tex, display)
        except MathError as error:
            page = getattr(self.md, "livedoc", None)
            if page is None:
                raise
            fault: str = page.fail(page.line_of(tex.strip()), str(error))  # with its place, and shown in a preview
            return fault

    def run(self, root: ElementTree.Element) -> None:
        for element in root.iter():
            text = element.text or ""
            if _is_maths(element) and text.startswith(("\\(", "\\[")):
                display = text.startswith("\\[")  # display maths alone comes with its entities escaped
                tex = html.unescape(text[2:-2]) if display else text[2:-2]
                element.text = AtomicString(self.md.htmlStash.store(self._rendered(tex, display)))
        for heading in root.iter():
            if re.fullmatch("h[1-6]", heading.tag) and any(map(_is_maths, heading.iter())):
                seen = render_inner_html(remove_fnrefs(heading), self.md)
                label = strip_tags(re.sub("(?s)<katex-output .*?</katex-output>", "", seen))
                heading.attrib.setdefault("data-toc-label", label)


class MathsExtension(Extension):
    """Renders what arithmatex found, in a Markdown instance and in those nested in it."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Register the treeprocessor after attr_list (8), whose labels win, and before toc (5), which reads them."""
        md.treeprocessors.register(_Maths(md), "livedoc_maths", 6)


def makeExtension(**kwargs: object) -> MathsExtension:
    """Return the extension, as Markdown asks for it."""
    return MathsExtension(**kwargs)
