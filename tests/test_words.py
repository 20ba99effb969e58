"""Only a listing's words are translated: the translated program is the same program."""

import ast
import io

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from livedoc.snippet import SnippetError
from livedoc.words import extract, localise, main

SOURCE = '''"""Say what is halved."""
import numpy as np  # noqa: F401

# Half of it.
def half(x):
    """Return half of x."""
    return x / 2  # (n, d)


table = {"key": "a word nobody reads"}
print(f"the value {half(3):.2f} of {table['key']!r}", "and more", sep=" ... ")
print("{:.1f} per cent".format(12.0), table["key"] == "another word")
ax.plot(xs, "o-", label="raw weights", color="black")
ax.set_xlabel("key position $d_k$")
print(" ".join(f"{x:.3f}" for x in [1.0]), "$d_k$")
# %% figure: What one sees.
'''
VISIBLE = {
    "Say what is halved.": "Di’ che cosa si dimezza.",
    "Half of it.": "La metà.",
    "Return half of x.": "Restituisce la metà di x.",
    "the value {half(3):.2f} of {table['key']!r}": "il valore {half(3):.2f} di {table['key']!r}",
    "and more": "e altro",
    "{:.1f} per cent": "{:.1f} per cento",
    "raw weights": "pesi grezzi",
    "key position $d_k$": "posizione della chiave $d_k$",
    "What one sees.": "Che cosa si vede.",
}


def catalogue(path, words, fuzzy=()):
    known = Catalog(locale="it")
    for text, translation in words.items():
        known.add(text, translation, flags=["fuzzy"] if text in fuzzy else [])
    with path.open("wb") as file:
        write_po(file, known)
    return path


def test_exactly_the_visible_words_are_found():
    assert {message for _, _, message, _ in extract(io.BytesIO(SOURCE.encode()), None, None, None)} == set(VISIBLE)


def test_words_are_found_on_their_lines():
    lines = {message: line for line, _, message, _ in extract(io.BytesIO(SOURCE.encode()), None, None, None)}
    assert lines["Half of it."] == 4
    assert lines["What one sees."] == 16


def test_words_are_translated_and_nothing_else(tmp_path):
    translated = localise(SOURCE, catalogue(tmp_path / "it.po", VISIBLE))
    expected = SOURCE
    for text, translation in VISIBLE.items():
        expected = expected.replace(text, translation)
    assert translated == expected
    ast.parse(translated)


def test_a_missing_translation_is_an_entry_to_add(tmp_path):
    words = {text: words for text, words in VISIBLE.items() if text != "and more"}
    with pytest.raises(SnippetError, match=r'1 visible text.*it.po(.|\n)*missing\nmsgid "and more"\nmsgstr ""'):
        localise(SOURCE, catalogue(tmp_path / "it.po", words))


def test_a_fuzzy_translation_is_missing(tmp_path):
    with pytest.raises(SnippetError, match='fuzzy\nmsgid "and more"'):
        localise(SOURCE, catalogue(tmp_path / "it.po", VISIBLE, fuzzy=["and more"]))


def test_a_missing_catalogue_is_named(tmp_path):
    with pytest.raises(SnippetError, match=r"no catalogue it\.po"):
        localise(SOURCE, tmp_path / "it.po")


def test_a_changed_catalogue_is_read_again(tmp_path):
    path = catalogue(tmp_path / "it.po", {"yes": "no"})
    with pytest.raises(SnippetError, match="and more"):
        localise('print("and more")\n', path)
    catalogue(path, {"and more": "e altro, ancora"})
    assert localise('print("and more")\n', path) == 'print("e altro, ancora")\n'


@pytest.mark.parametrize(
    ("source", "translation", "why"),
    [
        ('print(f"all {x:.2f}")', "tutto {y:.2f}", "placeholders"),
        ('print(f"all {x:.2f}")', "tutto {x:.3f}", "placeholders"),
        ('print(f"all {x} of {y}")', "di {y} tutti {x}", "changes the program"),
        ('print("all {:.1f}".format(x))', "tutto", "placeholders"),
        ('print("all %d" % x)', "tutto %s", "placeholders"),
        ('print("all of it")', 'tutto", x, "', "changes the program"),
        ('print("all of it")', 'tutto"', "not a Python string"),
        ('print(f"all {x}")', "tutto {x}{", "not a Python string|placeholders"),
    ],
)
def test_a_translation_cannot_change_the_program(tmp_path, source, translation, why):
    text = next(iter(extract(io.BytesIO(source.encode()), None, None, None)))[2]
    with pytest.raises(SnippetError, match=why):
        localise(source + "\n", catalogue(tmp_path / "it.po", {text: translation}))


def test_what_lacks_a_translation_is_counted(tmp_path, capsys):
    path = catalogue(tmp_path / "it.po", {"a": "b", "c": "", "d": "e"}, fuzzy=["d"])
    assert main(path) == 2
    assert "missing: c" in capsys.readouterr().out
    assert main(catalogue(path, {"a": "b"})) == 0
