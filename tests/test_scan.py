"""The author's syntax, with its line, and everything that is not it."""

import pytest

from livedoc.scan import SyntaxFaultError, differences, listing, options, scan, table

PAGE = """# Title

## First {#first}

```python exec="on" source="above"
--8<-- "folder/one.py"
```

A value `{one} rows[0].x:.3f` and a claim `{one} assert rows[0].x
< 3`. Not one: `code`, ``an `{one} example` ``, <!-- `{one} hidden` -->.

## Second {#second}

!!! note

    ```python exec="on" id="two"
    --8<-- "folder/one.py"
    ```

    Inside `{two} x`.

```table of="one" rows="rows" caption="All of `{two} n`"
d_k   | $d_k$
x:.3f | `{one} y`
```

~~~text
`{one} not a value`
~~~

```python
print("an example that does not run `{one} x`")
```
"""


def test_everything_declared_is_found_with_its_place():
    found = scan(PAGE, first_line=5)
    assert not found.faults
    assert found.sections == ["first", "second"]
    assert [(one.name, one.path, one.line, one.section) for one in found.listings] == [
        ("one", "folder/one.py", 9, "first"),
        ("two", "folder/one.py", 20, "second"),
    ]
    assert [(b.kind, b.listing, b.text, b.line, b.section) for b in found.bounds] == [
        ("value", "one", "rows[0].x:.3f", 13, "first"),
        ("claim", "one", "rows[0].x < 3", 13, "first"),
        ("value", "two", "x", 24, "second"),
        ("value", "two", "n", 26, "second"),
        ("value", "one", "y", 26, "second"),
        ("table", "one", "rows", 26, "second"),
    ]
    assert found.bounds[5].columns == ("d_k", "x:.3f")


def test_equal_questions_are_asked_once():
    text = PAGE + "\n`{one} rows[0].x:.3f` again, and `{one} rows[0].x:.2f`.\n"
    assert len(scan(text).asks("one")) == len(scan(PAGE).asks("one")) + 1


@pytest.mark.parametrize(
    ("head", "why"),
    [
        ('exec="on" source="abvoe"', "source cannot be “abvoe”"),
        ("exec=true", "cannot read “exec=true”"),
        ('exec="on" workdir="/nowhere"', "no option “workdir”"),
        ('exec="on" sorce="above"', "no option “sorce”"),
        ('exec="perhaps"', "exec cannot be"),
        ('exec="on" timeout="soon"', "timeout cannot be"),
        ('exec="on" id="1"', "id cannot be"),
    ],
)
def test_a_mistyped_option_is_a_fault_on_its_line(head, why):
    found = scan(f'# T\n\n```python {head}\n--8<-- "a.py"\n```\n')
    assert not found.listings
    assert found.faults[0][0] == 3
    assert why in found.faults[0][1]


@pytest.mark.parametrize(
    "body", ["print(1)", "--8<-- 'a.py'", '--8<-- "../a.py"', '--8<-- "a.txt"', "", '--8<-- "a.py"\nx']
)
def test_a_listing_names_one_snippet(body):
    with pytest.raises(SyntaxFaultError, match="one line"):
        listing({"exec": "on"}, body)


def test_fences_that_do_not_run_are_examples():
    assert scan('```python exec="off"\nprint(1)\n```\n\n```bash\nexec ls\n```\n').faults[1:] == []
    assert not scan('```python exec="off"\nprint(1)\n```\n').listings


def test_only_python_runs():
    assert "only python" in scan('```bash exec="on"\nls\n```\n').faults[0][1]


def test_names_are_unique_and_known():
    fence = '```python exec="on"\n--8<-- "a.py"\n```\n\n'
    assert "two listings are called “a”" in scan(fence * 2).faults[0][1]
    assert "no listing “b”" in scan(fence + "`{b} x`\n").faults[0][1]


def test_a_heading_needs_an_id():
    assert scan("# Title\n\n## Bare\n").faults == [(3, "a heading needs an id of its own: {#short-name}")]


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ({"of": "a"}, "x | X"),
        ({"of": "a", "rows": "r", "cols": "2"}, "x | X"),
        ({"of": "a", "rows": "r"}, "x"),
        ({"of": "a", "rows": "r"}, ""),
    ],
)
def test_a_table_that_cannot_be_read(head, body):
    with pytest.raises(SyntaxFaultError):
        table(head, body)


def test_options_may_hold_either_quote():
    assert options("""a="it's" b='a "b"'""") == {"a": "it's", "b": 'a "b"'}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("{#second}", "{#other}", "section ids"),
        ('folder/one.py"\n```\n\nA', 'folder/two.py"\n```\n\nA', "listings"),
        ("x:.3f` and", "x:.2f` and", "values"),
        ("assert rows", "assert not rows", "values"),
        ("d_k   |", "d   |", "tables"),
        ("Inside `{two} x`.", "Inside.", "values"),
    ],
)
def test_what_two_languages_do_not_share_is_told(old, new, told):
    assert old in PAGE
    assert not differences(scan(PAGE), scan(PAGE.replace("A value", "Un valore")))
    assert told in " ".join(differences(scan(PAGE), scan(PAGE.replace(old, new))))
