"""The prose is spelt right: hunspell reads what readers read, in both languages; codespell reads the English.

The English pages are British. A word is right when the British or the American dictionary knows it: each lacks
technical words and plurals that the other has, and what quotes a library or a paper keeps its spelling. What neither
knows and is right stands in tests/words, one word a line.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
import tokenize

import pytest
import yaml
from babel.messages.pofile import read_po
from mkdocs.utils.meta import get_data
from support import ROOT

from livedoc import scan

DICTIONARIES = {"it": "it_IT", "en": "en_GB,en_US"}
NOT_PROSE = (
    scan.SPAN,  # code, and what is bound
    r"\$\$[^$]+\$\$|(?<!\\)\$[^$]+\$",  # maths
    r"(?<=\])\([^)]*\)|https?://[^\s<>)]+",  # addresses
    r"\[-?@[^\]]+\]|\[\^\w+\]:?",  # citations and footnotes
    r"<[^<>]+>|\{[^{}]*\}",  # tags and attributes
)
FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)  # a template's too, which is not YAML yet
ELIDED = re.compile(r"\b(?:all|com|dall|dell|dov|nell|quell|sull)'", re.IGNORECASE)  # the dictionary lacks them
HOLE = re.compile(r"\{[^{}]*\}|%[-+ #0]*\d*(?:\.\d+)?[a-zA-Z]|\w*[²³]\w*")


def prose(text):
    """Return what a reader reads of Markdown as prose: of a table its headings, of the works cited their notes."""
    parts, lines, number = [], scan.uncommented(FRONT_MATTER.sub("", text)), 0
    while number < len(lines):
        line, start = lines[number], number
        number += 1
        if fence := scan.FENCE.match(line):
            number = scan.end_of(fence, lines, number)
            language, rest = scan.opening(fence["head"].strip())
            body = "\n".join(lines[start + 1 : number])
            number += 1
            if language == "table":
                table = scan.table(scan.options(rest), body)
                line = "\n".join([table.caption, *table.headings])
            else:
                line = re.sub(r"^[\w:.-]+: ", "", body, flags=re.MULTILINE) if language == "references" else ""
        parts.append(line)
    words = "\n".join(parts)
    for pattern in NOT_PROSE:
        words = re.sub(pattern, " ", words)
    return re.sub(r"[*_#|]", " ", words)


def texts(language):
    """Yield each text that is read in a language, with its place."""
    for path in [*sorted((ROOT / "docs" / language).rglob("*.md")), ROOT / f"livedoc/template/{language}.md.txt"]:
        text = path.read_text(encoding="utf-8")
        told = [f"{get_data(text)[1].get(name, '')}" for name in ("title", "description", "keywords")]
        yield path.relative_to(ROOT).as_posix(), prose("\n\n".join([*told, FRONT_MATTER.sub("", text)]))
    for identifier, term in yaml.safe_load((ROOT / "docs/glossary.yml").read_text(encoding="utf-8")).items():
        words = term[language]
        told = [words["term"], words["definition"], *words.get("forms", []), *words.get("not", [])]
        yield f"docs/glossary.yml: {identifier}", prose("\n".join(told))
    if language == "it":
        with (ROOT / "snippets/it.po").open("rb") as file:
            for message in read_po(file):
                if message.id:
                    yield f"snippets/it.po: {message.id}", prose(HOLE.sub(" ", message.string))


def listed(language):
    return (ROOT / f"tests/words/{language}.txt").read_text(encoding="utf-8").split()


def unknown(text, language):
    """Return the words of a text that no dictionary of its language knows."""
    command = ["hunspell", "-i", "utf-8", "-d", DICTIONARIES[language], "-l"]
    plain = text.replace("’", "'")  # the apostrophe that dictionaries have
    plain = ELIDED.sub(" ", plain) if language == "it" else plain
    done = subprocess.run(command, input=plain, capture_output=True, encoding="utf-8", timeout=60)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.fixture(scope="module")
def hunspell():
    found = shutil.which("hunspell")
    known = subprocess.run(["hunspell", "-D"], input="", capture_output=True, text=True).stderr if found else ""
    if lacking := [name for name in ("it_IT", "en_GB", "en_US") if f"/{name}\n" not in known]:
        told = f"hunspell lacks {', '.join(lacking)}" if found else "hunspell is not installed"
        if os.environ.get("CI"):
            pytest.fail(f"CI needs hunspell and its dictionaries: {told}")
        pytest.skip(f"{told}: the spelling of the pages is not checked")


@pytest.mark.parametrize("language", DICTIONARIES)
def test_every_word_is_in_a_dictionary_or_listed(hunspell, language):
    right = {word.casefold() for word in listed(language)}
    read = dict(texts(language))
    odd = {word for word in unknown("\n\n".join(read.values()), language) if word.casefold() not in right}
    places = {word: [place for place, text in read.items() if word in text.replace("’", "'")] for word in odd}
    assert places == {}


def test_a_misspelling_is_found(hunspell):
    text = "---\ntitle: Abc\n---\n\n# A smple title\n\nThe `codde` and $mathz$ [and thier](adress.md).\n"
    assert unknown(prose(text), "en") == {"smple", "thier"}
    assert unknown(prose("Perchè l’attensione e la *scalla* sono così"), "it") == {"Perchè", "attensione", "scalla"}


@pytest.mark.parametrize("language", DICTIONARIES)
def test_the_listed_words_are_sorted_and_each_is_used(language):
    words = listed(language)
    assert words == sorted(set(words), key=lambda word: (word.casefold(), word))
    read = " ".join(text for _, text in texts(language)).replace("’", "'")
    used = set(re.findall(r"[^\W\d_]+", read.casefold())) | set(re.findall(r"\w+", read.casefold()))
    assert [word for word in words if word.casefold() not in used] == []


def docstrings(path):
    """Return the docstrings and the comments of a module, each on the lines where it stands."""
    text = path.read_text(encoding="utf-8")
    lines = [""] * (text.count("\n") + 2)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            for number, line in enumerate(node.value.value.split("\n"), node.lineno):
                lines[number] = line
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.COMMENT:
                lines[token.start[0]] = token.string
    return "\n".join(lines[1:])


def test_codespell_finds_nothing_in_the_english(tmp_path):
    copies = {path: path.read_text(encoding="utf-8") for path in (ROOT / "docs/en").rglob("*.md")}
    copies |= {path: path.read_text(encoding="utf-8") for path in (ROOT / "snippets").rglob("*.py")}
    copies |= {path: docstrings(path) for path in (ROOT / "livedoc").rglob("*.py")}
    copies[ROOT / "README.md"] = re.sub(  # but for its paragraph in Italian
        r"\*\*In italiano\.\*\*.*?\n\n", "\n", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.DOTALL
    )
    copies[ROOT / "probe.md"] = "teh"
    for path, text in copies.items():
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "codespell_lib", "."],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.stdout.splitlines() == ["./probe.md:1: teh ==> the"], done.stderr
