"""A drawing follows the scheme, has ids of its own, and speaks the page's notation."""

import io
import re

import matplotlib as mpl
import pytest

from livedoc.figure import FigureError, embed

mpl.use("svg")
from matplotlib import pyplot as plt


def drawing(draw):
    figure, axes = plt.subplots(figsize=(3, 2))
    draw(axes)
    file = io.StringIO()
    with plt.rc_context({"svg.fonttype": "none", "svg.hashsalt": "test"}):
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    plt.close(figure)
    return file.getvalue()


def plot(axes):
    axes.plot([0, 0.5, 1], [-0.25, 0.5, 0.75], label="raw")
    axes.set_yticks([-0.25, 0.5])
    axes.grid(True)
    axes.legend()
    axes.text(0.1, 0.2, "0.37", color="black", fontsize=8, fontweight="bold")
    axes.add_patch(plt.Rectangle((0, 0), 1, 1, color="C1", alpha=0.4))


def test_every_colour_is_a_variable_of_the_page():
    svg = embed(drawing(plot), "f", "en")
    assert not re.findall(r"#[0-9a-f]{6}\b", svg)
    assert {"ink", "muted", "0", "1"} <= set(re.findall(r"var\(--fig-(\w+)\)", svg))


@pytest.mark.parametrize("colour", ["#123456", "tomato", "0.3"])
def test_a_colour_that_cannot_follow_the_scheme_is_refused(colour):
    with pytest.raises(FigureError, match="does not follow"):
        embed(drawing(lambda axes: axes.plot([0, 1], color=colour)), "f", "en")


def test_a_raster_is_refused():
    with pytest.raises(FigureError, match="image"):
        embed(drawing(lambda axes: axes.imshow([[0, 1], [1, 0]], cmap="gray")), "f", "en")


def test_ids_are_prefixed_and_every_reference_has_one():
    one, other = embed(drawing(plot), "one", "en"), embed(drawing(plot), "other", "en")
    ids = re.findall(r' id="([^"]+)"', one)
    assert ids
    assert all(name.startswith("one-") for name in ids)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:url\(#|href="#)([^")]+)', one)) <= set(ids)
    assert not set(ids) & set(re.findall(r' id="([^"]+)"', other))


def test_the_style_sheet_stays_inside_the_drawing():
    svg = embed(drawing(plot), "f", "en")
    assert "<style" not in svg
    assert "<metadata" not in svg
    assert "font-family" not in svg
    assert "DejaVu" not in svg
    assert "font-size: 8px" in svg


def test_text_is_text_in_the_pages_notation():
    svg = drawing(plot)
    assert ">raw</text>" in embed(svg, "f", "it")
    assert ">0,37</text>" in embed(svg, "f", "it")
    assert ">0.37</text>" in embed(svg, "f", "en")
    assert ">−0,25</text>" in embed(svg, "f", "it")


def test_it_is_an_image_named_by_its_caption():
    svg = embed(drawing(plot), "f", "en")
    assert 'role="img" aria-labelledby="f-caption"' in svg
    assert not re.search(r'<svg[^>]* (width|height)="', svg)


def test_two_runs_give_the_same_bytes():
    assert embed(drawing(plot), "f", "it") == embed(drawing(plot), "f", "it")
