"""A drawing loses what nobody sees, and nothing else."""

import xml.etree.ElementTree as ET

import pytest

from livedoc.compact import compact

ET.register_namespace("", "http://www.w3.org/2000/svg")


def short(inside):
    root = ET.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{inside}</svg>')
    compact(root)
    text = "".join(ET.tostring(child, encoding="unicode") for child in root)
    return text.replace(' xmlns="http://www.w3.org/2000/svg"', "").replace(" />", "/>")


@pytest.mark.parametrize(
    ("inside", "left"),
    [
        ('<path d="M 1.2345 2.95  L 3 -0.01  z " id="a"/>', '<path d="M1.2 3L3 0z" id="a"/>'),
        ('<path d="M 1.238 2 C 0.795609 3 1 2 1 1" id="a"/>', '<path d="M1.24 2C0.8 3 1 2 1 1" id="a"/>'),
        ('<use x="46.8745" y="167"/>', '<use x="46.9" y="167"/>'),
        ('<text transform="rotate(-0 7.75 181.6)">5</text>', "<text>5</text>"),
        ('<text transform="rotate(-90 7.75 181.6)">5</text>', '<text transform="rotate(-90 7.8 181.6)">5</text>'),
        ('<path d="M 0 0" style="fill: none"/>', ""),
        ('<path d="M 0 0" style="fill: none; stroke: red"/>', '<path d="M0 0" style="fill: none; stroke: red"/>'),
        ("<defs/><g><g><text>a</text></g><g/></g>", "<text>a</text>"),
        ('<g class="cell"><g><text>a</text></g></g>', '<g class="cell"><text>a</text></g>'),
        ('<path d="M 0 0" style="fill: none" id="clip"/>', '<path d="M0 0" style="fill: none" id="clip"/>'),
    ],
)
def test_a_drawing_is_shortened_to_the_same_picture(inside, left):
    assert short(inside) == left
