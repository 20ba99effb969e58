"""Lines of text: where they break, and which font has a sign."""

import pytest
from support import ROOT

from livedoc.lettering import FILES, Face, Lettering, has_fonts

FONTS = ROOT / "docs/assets/fonts"
TITLE, TEXT = Face("title", 60), Face("text", 30)


@pytest.fixture(scope="module")
def letters():
    return Lettering(FONTS)


def test_a_folder_has_all_fonts_or_not_enough(tmp_path):
    assert has_fonts(FONTS)
    assert not has_fonts(tmp_path / "nowhere")
    for name in FILES["title"]:
        (tmp_path / name).write_bytes((FONTS / name).read_bytes())
    assert not has_fonts(tmp_path)


def test_a_sign_comes_from_the_first_font_that_has_it(letters):
    assert letters.source("title", "A") == "literata-latin-600-normal.woff2"
    assert letters.source("title", "à") == "literata-latin-600-normal.woff2"
    assert letters.source("title", "√") == "literata-symbols.woff2"
    assert letters.source("title", "‖") == "source-sans-3-symbols.woff2"
    assert letters.source("text", "→") == "source-sans-3-symbols.woff2"
    assert letters.source("title", "語") == ""
    parts = [part for part, _ in letters.runs("Why √d matters", TITLE)]
    assert parts == ["Why ", "√", "d matters"]


def test_no_line_is_wider_than_the_measure_and_no_word_is_lost(letters):
    text = "Why the softmax saturates when nobody divides by the root of the dimension"
    lines = letters.wrap(text, TEXT, 400)
    assert " ".join(lines) == text
    assert len(lines) > 1
    assert all(letters.width(line, TEXT) <= 400 for line in lines)
    assert letters.wrap("two\u00a0words", TEXT, 1) == ["two\u00a0words"]
    assert letters.wrap("", TEXT, 400) == []


def test_balanced_lines_are_as_many_and_more_alike(letters):
    text = "Attention is a weighted mean of all the values"
    greedy, balanced = letters.wrap(text, TITLE, 1000), letters.balance(text, TITLE, 1000)
    widths = [[letters.width(line, TITLE) for line in lines] for lines in (greedy, balanced)]
    assert len(greedy) == len(balanced) > 1
    assert " ".join(balanced) == text
    assert max(widths[1]) - min(widths[1]) < max(widths[0]) - min(widths[0])


def test_what_does_not_fit_is_cut_with_an_ellipsis(letters):
    cut = letters.cut("Ada Rossi, Bruno Bianchi, Carlo Verdi", TEXT, 260)
    assert cut.endswith("…")
    assert letters.width(cut, TEXT) <= 260
    assert "Ada Rossi, Bruno Bianchi, Carlo Verdi".startswith(cut[:-1])
    assert letters.cut("Ada Rossi", TEXT, 260) == "Ada Rossi"


def test_a_bold_face_is_wider(letters):
    assert letters.width("attention", Face("text", 30, 700)) > letters.width("attention", Face("text", 30, 300))
