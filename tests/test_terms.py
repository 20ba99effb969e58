"""The glossary's file: what it must hold, and which words of a text are its terms."""

import re
import textwrap

import pytest
from support import ROOT

from livedoc.terms import LANGUAGES, load, parse, plain

ENTRY = """\
attention:
  it: {term: attenzione, forms: [attenzioni], definition: Guarda.}
  en: {term: attention, definition: It looks.}
"""
FILE = """\
attention:
  it: {term: attenzione, forms: [attenzioni], definition: Guarda.}
  en: {term: attention, definition: It looks.}
self-attention:
  it: {term: self-attention, definition: Si guarda.}
  en: {term: self-attention, definition: It looks at itself.}
encoder:
  it: {term: encoder, definition: Legge.}
  en: {term: encoder, forms: [encoder’s output, encoder's words], definition: It reads.}
causal-mask:
  it: {term: maschera causale, forms: [maschere causali], definition: Nasconde.}
  en: {term: causal mask, definition: It hides.}
mask:
  it: {term: maschera, definition: Nasconde.}
  en: {term: mask, definition: It hides.}
value:
  it: {term: value, definition: Il contenuto.}
  en: {term: value, forms: [values], not: [random values], definition: The content.}
bleu:
  it: {term: BLEU, definition: Una misura.}
  en: {term: BLEU, definition: A measure.}
"""


def found(text, language="en"):
    glossary = parse(FILE)
    assert glossary.faults == []
    return [(text[one.start : one.end], one.identifier) for one in glossary.find(text, language) if one.meant]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("l’attenzione", [("attenzione", "attention")]),
        ("dell'encoder, un’attenzione", [("encoder", "encoder"), ("attenzione", "attention")]),
        ("Attenzioni piccole", [("Attenzioni", "attention")]),
        ("la maschera causale e la maschera", [("maschera causale", "causal-mask"), ("maschera", "mask")]),
        ("le maschere\ncausali", [("maschere\ncausali", "causal-mask")]),
        ("mascherata, disattenzione, attenzione_, 3attenzione", []),
        ("self-attention", [("self-attention", "self-attention")]),
        ("non-attenzione e attenzione-lampo", []),
        ("coppie value–encoder", [("value", "value"), ("encoder", "encoder")]),
        ("bleu e Bleu", []),
        ("BLEU, «BLEU»", [("BLEU", "bleu"), ("BLEU", "bleu")]),
        ("ATTENZIONE", []),
    ],
)
def test_words_of_an_italian_text(text, words):
    assert found(text, "it") == words


def test_english_has_a_genitive_and_phrases_that_mean_something_else():
    assert found("The encoder’s mask") == [("encoder", "encoder"), ("mask", "mask")]
    assert found("the encoder's output") == [("encoder's output", "encoder")]
    assert found("the encoder’s words") == [("encoder’s words", "encoder")]
    assert found("Random values and values") == [("values", "value")]
    assert found("attenzione") == []


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ("term: attention,", "term: attention, note: x,", 3, "“attention” (en) has no field note"),
        ("  en: {term: attention, definition: It looks.}\n", "", 1, "“attention” lacks en"),
        ("  en:", "  fr:", 3, "“attention” has no field fr"),
        ("term: attention, ", "", 3, "“attention” (en) lacks its term"),
        ("attention:\n", "Attention:\n", 1, "an id is a slug"),
        ("forms: [attenzioni]", "forms: attenzioni", 2, "forms is a list of texts"),
        ("forms: [attenzioni]", "forms: [[a]]", 2, "forms is a list of texts"),
        ("definition: Guarda.", "definition: []", 2, "definition is text"),
        ("definition: Guarda.", "definition: ''", 2, "definition is text"),
        ("[attenzioni]", "[Attenzione]", 2, "“Attenzione” (it) stands for “attention” already"),
        ("Guarda.", "Guarda *bene*.", 2, "definition is plain text, without *"),
        ("Guarda.", "Guarda $x.", 2, "definition is plain text, without $"),
        ("[attenzioni]", "[$x$]", 2, "forms is plain text, without $"),
        ("definition: Guarda.", r"definition: 'Guarda $\frac{1$.'", 2, "cannot render the formula"),
        ("attenzioni]", "attenzioni", 2, "this is not YAML"),
    ],
)
def test_a_fault_is_told_with_its_line(old, new, line, told):
    assert old in ENTRY
    faults = parse(ENTRY.replace(old, new, 1)).faults
    assert faults
    assert [fault for fault in faults if fault[0] == line and told in fault[1]], faults


def test_two_terms_never_share_a_word_and_an_id_stands_once():
    assert parse(FILE.replace("[encoder’s output, encoder's words]", "[Attention]")).faults == [
        (9, "“Attention” (en) stands for “attention” already")
    ]
    assert parse(ENTRY + ENTRY).faults == [(4, "a glossary has attention twice")]
    assert parse("- attention").faults == [(1, "a glossary is a mapping: name: value")]
    assert parse("").faults == [(1, "a glossary is a mapping: name: value")]


def test_a_definition_is_told_without_tex():
    assert plain(r"Divided by $\sqrt{d_k}$, not by $d_k$.") == "Divided by √d_k, not by d_k."
    assert plain(r"Where $a < b$.") == "Where a < b."


def test_a_file_is_read_again_when_it_changes(tmp_path):
    path = tmp_path / "glossary.yml"
    assert load(path, "docs/glossary.yml").faults == [(1, "there is no such glossary")]
    path.write_text(ENTRY, encoding="utf-8")
    first = load(path, "docs/glossary.yml")
    assert list(first.terms) == ["attention"]
    assert load(path, "docs/glossary.yml") is first
    path.write_text(textwrap.dedent(FILE), encoding="utf-8")
    assert len(load(path, "docs/glossary.yml").terms) == 7


def test_the_books_glossary_is_whole():
    glossary = load(ROOT / "docs/glossary.yml", "docs/glossary.yml")
    assert glossary.faults == []
    assert 25 <= len(glossary.terms) <= 60
    for words in glossary.terms.values():
        assert set(words) == set(LANGUAGES)
        for wording in words.values():
            assert re.search(r"[.!?]$", wording.definition)
            assert "'" not in wording.definition + wording.term  # an apostrophe is a typographic one
