"""Numbers stand in the page's notation."""

import pytest

from livedoc.numbers import localise


@pytest.mark.parametrize(
    ("text", "italian", "english"),
    [
        ("0.367", "0,367", "0.367"),
        ("3.33e-16", "3,33\u00a0·\u00a010⁻¹⁶", "3.33\u00a0×\u00a010⁻¹⁶"),
        ("1e+20", "1\u00a0·\u00a010²⁰", "1\u00a0×\u00a010²⁰"),
        ("-0.5", "−0,5", "−0.5"),
        ("1024", "1024", "1024"),
        ("262144", "262144", "262144"),
        ("16,777,216", "16.777.216", "16,777,216"),
        ("1,234.5", "1.234,5", "1,234.5"),
        ("12.5%", "12,5%", "12.5%"),
        ("+0.1", "+0,1", "+0.1"),
        ("  7", "7", "7"),
        ("nan", "NaN", "NaN"),
        ("inf", "∞", "∞"),
        ("-inf", "−∞", "−∞"),
        ("2.13.0+cpu", "2.13.0+cpu", "2.13.0+cpu"),
        ("0x1f", "0x1f", "0x1f"),
        ("(1.5+2j)", "(1.5+2j)", "(1.5+2j)"),
    ],
)
def test_notation(text, italian, english):
    assert localise(text, "it") == italian
    assert localise(text, "en") == english
