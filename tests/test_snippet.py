"""A snippet file is read as Python reads it, and cut into a listing and its figures."""

import pytest

from livedoc.snippet import SnippetError, cells, read


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"print(1)\r\nprint(2)\r\n", "print(1)\nprint(2)\n"),
        (b"\xef\xbb\xbfprint(1)\n", "print(1)\n"),
        ("# -*- coding: latin-1 -*-\nprint('à')\n".encode("latin-1"), "# -*- coding: latin-1 -*-\nprint('à')\n"),
        (b"if 1:\n\tprint('\t')\n", "if 1:\n\tprint('\t')\n"),
    ],
    ids=["windows lines", "byte order mark", "declared encoding", "tabs"],
)
def test_bytes_become_the_text_python_sees(tmp_path, data, text):
    path = tmp_path / "a.py"
    path.write_bytes(data)
    assert read(path) == text


@pytest.mark.parametrize(
    ("data", "why"), [(None, "cannot be read"), (b" \n", "empty"), (b"print('\xff')", "not valid")]
)
def test_a_file_that_cannot_be_a_listing_is_refused(tmp_path, data, why):
    path = tmp_path / "a.py"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(SnippetError, match=why):
        read(path)


def test_the_first_cell_is_the_listing_and_the_others_are_figures():
    found = cells("a = 1\n\n# %% figure: A line.\nplot(a)\n\n# %% figure: Another.\nplot(2)\n")
    assert [(cell.line, cell.caption) for cell in found] == [(1, None), (3, "A line."), (6, "Another.")]
    assert found[0].source == "a = 1"
    assert found[2].source == "# %% figure: Another.\nplot(2)"


def test_a_cell_marker_on_the_first_line_is_allowed():
    assert len(cells("# %%\na = 1\n# %% figure: A.\nplot()\n")) == 2


@pytest.mark.parametrize("marker", ["# %%", "# %% [markdown]", "# %% figure:", "# %% Figure: A"])
def test_a_later_cell_that_is_not_a_figure_is_refused(marker):
    with pytest.raises(SnippetError, match="line 2"):
        cells(f"a = 1\n{marker}\nb = 2\n")
