"""A new article builds, is verified and passes its test; what cannot be made is refused, and nothing is written."""

import datetime
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from support import ROOT

from livedoc import works
from livedoc.__main__ import main
from livedoc.new import NewError, new

DAY = datetime.date(2026, 12, 24)
TITLES = {"it": 'Perché «più» è: l’unità & il "resto" di C#', "en": 'Why “more”: it\'s unity & the "rest" of C#'}
GLOSSARY = """
odd-number:
  it: {term: numero dispari, forms: [numeri dispari], definition: Un intero che diviso per due dà resto uno.}
  en: {term: odd number, forms: [odd numbers], definition: An integer that leaves a remainder of one when halved.}
"""


@pytest.fixture
def book(tmp_path):
    """Copy the book without its articles: the settings, the pages and the tests' fixtures are the real ones."""
    for name in ("docs", "snippets", "tests/snippets"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("mkdocs.yml", "mkdocs.en.yml", "pyproject.toml"):
        text = (ROOT / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(re.sub(r".*\btransformer\.md\n", "", text), encoding="utf-8")
    for language in ("it", "en"):
        (tmp_path / f"docs/{language}/transformer.md").unlink()
        home = tmp_path / f"docs/{language}/index.md"
        front_matter = home.read_text(encoding="utf-8").split("---\n")[1]
        home.write_text(f"---\n{front_matter}---\n\n# Home\n", encoding="utf-8")
    (tmp_path / "docs/glossary.yml").write_text(GLOSSARY, encoding="utf-8")
    for name in ("anchors.txt", "references.bib"):
        (tmp_path / "docs" / name).unlink()
    return tmp_path


def run(book, *words):
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", *words]
    done = subprocess.run(command, cwd=book, capture_output=True, text=True, env=environment, timeout=300)
    return done.returncode, done.stdout + done.stderr


def files(book):
    return {path: path.read_bytes() for path in book.rglob("*") if path.is_file()}


def test_a_new_article_builds_is_verified_and_passes_its_test(book, capsys):
    before = {path.relative_to(book).as_posix() for path in files(book)}
    command = ["new", "odd-numbers", TITLES["it"], TITLES["en"], "--project", str(book)]
    assert main(command) == 0
    wrote = re.findall("wrote (.+)", capsys.readouterr().out)
    made = {path.relative_to(book).as_posix() for path in files(book)} - before
    assert made <= set(wrote)
    assert made == {
        *("docs/it/odd-numbers.md", "docs/en/odd-numbers.md"),
        *("snippets/odd_numbers/first.py", "tests/snippets/test_odd_numbers.py", "docs/references.bib"),
    }
    code, told = run(book, "mkdocs", "build")
    assert code == 0, told
    code, told = run(book, "livedoc", "verify", "site")
    assert code == 0, told
    assert "2 listings, 36 values, 2 claims, 2 figures" in told
    code, told = run(book, "pytest", "tests/snippets/test_odd_numbers.py")
    assert code == 0, told
    assert "4 passed" in told
    page = (book / "site/en/odd-numbers/index.html").read_text(encoding="utf-8")
    assert 'href="#ref-leonardo1225">Leonardo Pisano, 1225, introduction</a>' in page
    assert "Why “more”: it's unity &amp; the &quot;rest&quot; of C#" in page
    assert main(command) == 2
    assert "exists already" in capsys.readouterr().err


def test_a_nav_gains_a_line_after_the_last_article_and_keeps_all_others(book):
    before = (book / "mkdocs.yml").read_text(encoding="utf-8").splitlines()
    new(book, "first-one", TITLES, DAY)
    new(book, "second-one", {"it": "Due", "en": "Two"}, DAY)
    after = (book / "mkdocs.yml").read_text(encoding="utf-8").splitlines()
    added = [line for line in after if line not in before]
    assert [line for line in after if line in before] == before
    assert [list(*map(dict.values, yaml.safe_load(line))) for line in added] == [["first-one.md"], ["second-one.md"]]
    assert added[1] == "  - 02 · Due: second-one.md"
    assert after.index(added[1]) == after.index(added[0]) + 1
    assert "nav:" in after[: after.index(added[0])]
    assert re.match(r"\s*$", after[after.index(added[1]) + 1])  # at its end, as no article was there


def test_the_front_matter_is_complete_and_the_number_is_the_next(book):
    (book / "docs/it/seventh.md").write_text('---\narticle: "07"\n---\n')
    new(book, "eighth", TITLES, DAY)
    text = (book / "docs/it/eighth.md").read_text(encoding="utf-8")
    meta = yaml.safe_load(text.split("---\n")[1])
    home = yaml.safe_load((book / "docs/it/index.md").read_text(encoding="utf-8").split("---\n")[1])
    assert meta["title"] == f"08 - {TITLES['it']}"
    assert (meta["article"], meta["version"], meta["published"], meta["updated"]) == ("08", "0.1", DAY, DAY)
    assert (meta["authors"], meta["licence"]) == (home["authors"], home["licence"])


def test_a_number_may_be_chosen_and_the_nav_follows_it(book):
    for number, slug in (("08", "eight"), ("02", "two"), ("05", "five"), ("", "nine"), ("01", "one")):
        new(book, slug, {"it": "Uno", "en": "One"}, DAY, number)
    for settings in ("mkdocs.yml", "mkdocs.en.yml"):
        nav = (book / settings).read_text(encoding="utf-8").partition("\nnav:")[2].partition("\n\n")[0]
        pages = [page for entry in yaml.safe_load(nav) for page in entry.values()]
        assert pages[pages.index("one.md") :] == ["one.md", "two.md", "five.md", "eight.md", "nine.md"]
    for number, why in (("08", "eight.md has the number 08 already"), ("8", "two digits"), ("00", "two digits")):
        with pytest.raises(NewError, match=why):
            new(book, "other", TITLES, DAY, number)


def test_the_work_that_it_cites_comes_after_those_that_are_there_once(book):
    (book / "docs/references.bib").write_text("@misc{other,\n  title = {Other}\n}\n")
    new(book, "one", TITLES, DAY)
    new(book, "two", TITLES, DAY)
    assert list(works.read(book / "docs/references.bib")) == ["other", "leonardo1225"]


def test_authors_with_two_names_are_taken_over(book):
    home = book / "docs/en/index.md"
    text = re.sub("authors: .*", 'authors: [{family: O\'Hara, given: "Ann: B"}]', home.read_text(encoding="utf-8"))
    home.write_text(text, encoding="utf-8")
    new(book, "one", TITLES, DAY)
    meta = yaml.safe_load((book / "docs/en/one.md").read_text(encoding="utf-8").split("---\n")[1])
    assert meta["authors"] == [{"family": "O'Hara", "given": "Ann: B"}]


def translations(book):
    """Bring the catalogue up to date as the Makefile does; return it."""
    template, catalogue = str(book.parent / "all.pot"), "snippets/it.po"
    babel, extract = "babel.messages.frontend", ["--add-location=file", "--sort-by-file", "-o", template, "snippets"]
    assert run(book, babel, "-q", "extract", "-F", "pyproject.toml", *extract)[0] == 0
    update = ["--no-fuzzy-matching", "--ignore-obsolete", "--ignore-pot-creation-date"]
    assert run(book, babel, "-q", "update", "-i", template, "-o", catalogue, "-l", "it", *update)[0] == 0
    return (book / catalogue).read_text(encoding="utf-8")


def test_the_catalogue_is_what_the_translations_make_of_it(book):
    before = translations(book)
    new(book, "one", TITLES, DAY)
    after = (book / "snippets/it.po").read_text(encoding="utf-8")
    mine = re.compile(r"#: snippets/one/first\.py\n(?:#.*\n)*msgid .*\nmsgstr .+\n(?:\".*\n)*\n")
    assert len(mine.findall(after)) == 5
    assert mine.sub("", after) == before
    assert translations(book) == after


@pytest.mark.parametrize(
    "slug", ["", "Scaling", "scaling_laws", "-a", "a--b", "1st", "../a", "a/b", "è", "en", "index"]
)
def test_a_bad_name_is_refused(book, slug):
    before = files(book)
    with pytest.raises(NewError, match="cannot be a name"):
        new(book, slug, TITLES, DAY)
    assert files(book) == before


@pytest.mark.parametrize(
    ("title", "why"),
    [
        *(("", "a line of"), (" ", "a line of"), ("a" * 200, "a line of"), ("a\x07b", "a line of")),
        *(("the `code`", "without `"), ("a_b", "without _"), ("$n^2$", r"without \$"), ("In 3 steps", "the number 3")),
    ],
)
def test_a_title_that_no_page_could_show_is_refused(book, title, why):
    before = files(book)
    with pytest.raises(NewError, match=why):
        new(book, "one", {"it": "Uno", "en": title}, DAY)
    assert files(book) == before


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("docs/en/one.md", "", "docs/en/one.md exists already"),
        ("snippets/one/other.py", "", "snippets/one exists already"),
        ("tests/snippets/test_one.py", "", "exists already"),
        ("tests/test_one.py", "", "exists already"),  # pytest imports both by the same name
        ("mkdocs.en.yml", "INHERIT: mkdocs.yml\n", "mkdocs.en.yml: there is no nav"),
        ("docs/en/index.md", "# Home\n", "names no authors"),
        ("docs/en/index.md", "---\nauthors: [A]\n---\n", "docs/en/index.md: the front matter lacks title"),
    ],
)
def test_what_exists_or_lacks_is_told_and_nothing_is_written(book, name, text, why):
    (book / name).parent.mkdir(exist_ok=True, parents=True)
    (book / name).write_text(text)
    before = files(book)
    with pytest.raises(NewError, match=re.escape(why)):
        new(book, "one", TITLES, DAY)
    assert files(book) == before


def test_a_folder_that_is_not_the_book_is_refused(tmp_path, capsys):
    assert main(["new", "one", "Uno", "One", "--project", str(tmp_path)]) == 2
    assert f"no mkdocs.yml in {tmp_path}" in capsys.readouterr().err
    assert list(Path(tmp_path).iterdir()) == []
