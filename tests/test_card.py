"""Cards: their size, their weight, their colours, and that a title is never lost."""

import io
import re

import pytest
from PIL import Image, ImageColor
from support import ROOT

from livedoc.card import INKS, PAPER, SIZE, Card, _fitting, draw, lacking
from livedoc.lettering import Face, Lettering

TITLES = [
    "Attention",
    "Why the softmax saturates",
    "A title of many words that goes on and on, because somebody could not decide what the article was really about",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
    "word " * 80,
]
CARD = Card(
    "A book", "Why divide by √d", "heads and tails", "A description.", "Article 7", "Ada Rossi", "1 May 2026", "seven"
)


@pytest.fixture(scope="module")
def letters():
    return Lettering(ROOT / "docs/assets/fonts")


def test_a_card_is_a_small_picture_of_its_size(letters):
    drawn = draw(CARD, letters)
    picture = Image.open(io.BytesIO(drawn))
    assert (picture.format, picture.size) == ("PNG", SIZE) == ("PNG", (1200, 630))
    assert len(drawn) < 60_000


def test_a_card_is_the_same_at_every_build_and_another_for_another_page(letters):
    again = Lettering(letters.folder)
    assert draw(CARD, letters) == draw(CARD, again)
    for name in ("book", "title", "subtitle", "kicker", "left", "right", "seed"):
        assert draw(CARD, letters) != draw(Card(**{**CARD.__dict__, name: "other"}), letters), name


def test_the_colours_are_those_of_the_pages():
    css = (ROOT / "docs/assets/css/book.css").read_text(encoding="utf-8")
    light = css.partition('[data-md-color-scheme="default"]')[2]
    of_page = dict(re.findall(r"--([\w-]+): (#\w+);", light.partition("}")[0]))
    assert of_page["paper"] == PAPER
    assert {name: of_page[name] for name in INKS} == INKS


def test_paper_and_inks_are_in_the_picture(letters):
    picture = Image.open(io.BytesIO(draw(CARD, letters))).convert("RGB")
    found = {colour for _, colour in picture.getcolors(1 << 20)}
    assert {ImageColor.getrgb(colour) for colour in (PAPER, *INKS.values())} <= found
    assert picture.getpixel((0, 0)) == ImageColor.getrgb(PAPER)


@pytest.mark.parametrize("title", TITLES)
def test_a_title_fits_its_room(letters, title):
    face, lines, _ = _fitting(Card("", title, text="A description."), Face("text", 27), letters, 300)
    assert sum(round(face.size * 1.17) for _ in lines) <= 300
    assert all(letters.width(line, face) <= 700 for line in lines)
    assert " ".join(lines) == title.strip() or lines[-1].endswith("…")
    assert draw(Card("A book", title), letters)


def test_a_long_subtitle_joins_its_title_and_is_not_lost(letters):
    card = Card("", "Why the gradient vanishes", "saddle points, plateaux, and a very long tail of a loss " * 2)
    _, lines, under = _fitting(card, Face("subtitle", 40), letters, 300)
    assert not under
    assert " ".join(lines) == f"{card.title}: {card.subtitle}".strip()


def test_a_sign_that_no_font_has_is_told(letters):
    assert lacking(CARD, letters) == []
    assert lacking(Card("A book", "語 and √"), letters) == ["語"]
    assert lacking(Card("A book", "x", left="王"), letters) == ["王"]
