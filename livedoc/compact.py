"""An SVG without what no reader sees: Matplotlib writes many words, and a page of figures carries them all."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

_SVG = "{http://www.w3.org/2000/svg}"
_NUMBER = re.compile(r"-?\d+\.\d{2,}")
_PLACED = {"d", "x", "y", "width", "height", "transform", "clip-path"}
_STILL = re.compile(r"rotate\(-?0 [^)]*\)\s*")
_INVISIBLE = {"fill: none", "opacity: 0"}


def compact(root: ET.Element) -> None:
    """Shorten a drawing in place, to the same picture.

    Numbers keep a tenth of a point, which is finer than any screen, and a hundredth in curves, which are markers;
    rotations by nothing, shapes that nothing paints and groups of nothing go.
    """
    for element in root.iter():
        for name in _PLACED & element.attrib.keys():
            value = element.attrib[name]
            fine = "C" in value or "matrix" in value
            value = _rounded(_STILL.sub("", value), 2 if fine else 1)
            element.set(name, re.sub(r"\s*([MLHVCSQTAZz])\s*", r"\1", value) if name == "d" else value)
            if not element.attrib[name]:
                del element.attrib[name]
    _prune(root)


def _rounded(text: str, digits: int) -> str:
    def short(match: re.Match[str]) -> str:
        number = f"{float(match[0]):.{digits}f}".rstrip("0").rstrip(".")
        return "0" if number == "-0" else number

    return _NUMBER.sub(short, text)


def _prune(parent: ET.Element) -> None:
    """Drop what is empty or unseen; a group that says nothing gives way to what it holds."""
    kept: list[ET.Element] = []
    for child in parent:
        _prune(child)
        if child.tag == f"{_SVG}path" and child.get("style") in _INVISIBLE and child.get("id") is None:
            continue
        if child.tag in {f"{_SVG}g", f"{_SVG}defs"} and not len(child):
            continue
        kept += list(child) if child.tag == f"{_SVG}g" and not child.attrib else [child]
    parent[:] = kept
