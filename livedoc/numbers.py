"""A number in a language's notation: 0,367 and 3,33 · 10⁻¹⁶ in Italian, 0.367 and 3.33 × 10⁻¹⁶ in English."""

from __future__ import annotations

import re
from functools import cache

from babel import Locale

_NUMBER = re.compile(r"(?P<sign>[-+−]?)(?P<whole>\d[\d,_]*)(?:\.(?P<part>\d+))?(?:[eE](?P<power>[+-]?\d+))?(?P<end>%?)")
_SPECIAL = {"nan": "NaN", "inf": "∞", "+inf": "+∞", "-inf": "−∞"}
_TIMES = {"it": "·", "en": "×"}
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_NO_BREAK = "\u00a0"


@cache
def _symbols(language: str) -> dict[str, str]:
    return dict(Locale.parse(language).number_symbols["latn"])


def localise(text: str, language: str) -> str:
    """Rewrite a number as Python's `format` wrote it in the notation of a language.

    Thousands are grouped only where the format asked for it (`:,`), so a plain integer stays as it is; a power of
    ten becomes a superscript; the minus sign is U+2212. Text that is not one number comes back unchanged.
    """
    text = text.strip()
    match = _NUMBER.fullmatch(text)
    if not match:
        return _SPECIAL.get(text.lower(), text)
    symbols = _symbols(language)
    number = match["sign"].replace("-", "−") + re.sub("[,_]", symbols["group"], match["whole"])
    if match["part"]:
        number += symbols["decimal"] + match["part"]
    if match["power"]:
        raised = str(int(match["power"])).translate(_RAISED)
        number += f"{_NO_BREAK}{_TIMES.get(language, '×')}{_NO_BREAK}10{raised}"
    return number + match["end"]
