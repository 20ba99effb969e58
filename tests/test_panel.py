"""The references of a panel: those that the style itself would write."""

import pytest
from test_cite import SECTION, work

from livedoc import csl, panel
from livedoc.cite import item
from livedoc.work import Section

PLAIN = (SECTION, Section("trap", "a trap of NumPy: the case of <b> & C", 4), Section("n", "What n² costs", 6))
ENDED = (Section("root", "Why √d_k and not d_k?"), Section("bang", "Mind the gap!", 5), Section("dots", "And so on…"))


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("style", panel.STYLES.values())
def test_a_reference_is_what_the_style_writes(style, language):
    cited = work(language=language)
    for section in (None, *PLAIN):
        assert panel.reference(style, cited, section) == csl.entry(style, language, item(cited, section))


@pytest.mark.parametrize("section", ENDED)
def test_a_title_that_ends_by_itself_gets_no_full_stop(section):
    cited = work(title="All of it")
    assert f"{section.label} In <i>All of it</i>" in panel.reference("apa", cited, section)
    assert f"«{section.label}» In <i>All of it</i>" in panel.reference("chicago-author-date", cited, section)


@pytest.mark.parametrize("style", panel.STYLES.values())
def test_a_reference_names_the_section_its_article_and_its_place(style):
    reference = panel.reference(style, work(title="Transformer: <i>all</i>"), SECTION)
    assert "§\u00a03. Perché si divide per √d_k" in reference
    assert "Transformer: &lt;i&gt;all&lt;/i&gt;" in reference
    assert "https://book.example/more/attention/#scale" in reference
    assert "2026" in reference
