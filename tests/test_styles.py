"""A style sheet loses what no page can use, and nothing else."""

import pytest

from livedoc.styles import classes, used

KNOWN = classes(
    ['<p class="lead md-typeset">gone</p><i class=bare>'], ['gone(e.classList.add("md-open"))', "f(`x md-mark`)"]
)


@pytest.mark.parametrize(
    ("styles", "left"),
    [
        ("/* a {.gone} */\n  p {\n  a: b}\n", "p {a: b}"),
        (".lead{color:red}.gone{color:red}", ".lead{color:red}"),
        (".bare,.md-mark,.gone{color:red}", ".bare,.md-mark{color:red}"),
        (":root{--a:url('x;y');--b:url(z)}p{mask:var(--b)}", ":root{--b:url(z)}p{mask:var(--b)}"),
        ("p{}:root{--a:url(z);}a{b:c}", "p{}a{b:c}"),
        (".lead,.gone .lead,p{color:red}", ".lead,p{color:red}"),
        (".md-open .lead{color:red}", ".md-open .lead{color:red}"),  # a script could give it
        ("a{color:red}[data-x]{color:red}:root{--x:1}", "a{color:red}[data-x]{color:red}:root{--x:1}"),
        ("@media print{.gone{a:b}.lead{a:b}}", "@media print{.lead{a:b}}"),
        ("@media print{.gone{a:b}}p{a:b}", "p{a:b}"),
        ("@font-face{font-family:gone}@keyframes turn{0%{a:b}to{a:c}}", None),
        (".lead:not(.gone){a:b}.lead:is(.gone,.other),p{a:b}", None),
        (".gone:is(.lead){a:b}p{a:b}", "p{a:b}"),
        ('@charset "utf-8";.gone{a:b}p{a:b}', '@charset "utf-8";p{a:b}'),
        ("p{background:url(data:image/svg+xml;x.gone,1)}", None),
    ],
)
def test_what_is_left_of_a_style_sheet(styles, left):
    assert used(styles, KNOWN) == (styles if left is None else left)
