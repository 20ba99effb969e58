"""Output is data: it stands on the page as a terminal would have left it, never as Markdown."""

import pytest

from livedoc.output import LINES, literal, restored, shown


@pytest.mark.parametrize(
    ("printed", "seen"),
    [
        ("a\n\n", "a"),
        ("no final newline", "no final newline"),
        ("\n\na", "\n\na"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("1 %\r50 %\r100 %\ndone", "100 %\ndone"),
        ("100 %\r", "100 %"),
        ("a\r\nb", "a\nb"),
        ("abc\u202edef", "abc\\u202edef"),
        ("a\tb  c ", "a\tb  c "),
    ],
)
def test_as_a_terminal_leaves_it(printed, seen):
    assert shown(printed, "{}") == seen


def test_long_output_is_cut_with_a_note():
    lines = shown("\n".join(map(str, range(LINES + 50))), "and {} more").split("\n")
    assert lines[-2:] == [str(LINES - 1), "and 50 more"]
    assert shown("\n".join(["x"] * LINES), "cut").split("\n") == ["x"] * LINES


def test_what_markdown_would_change_survives_it():
    text = "\ta\n`````````\n`code`"
    assert "\t" not in literal(text)
    assert "```" not in literal(text)
    assert restored(literal(text)) == text


def test_control_characters_become_visible():
    assert literal("a\x00b\x02\x7f") == "a␀b␂␡"
