"""A picture of its own can be read on a light page and on a dark one; a drawing of a report stays as on paper."""

import re

from metier.exports import BoxShape, Drawing, LabelShape, PathShape, write_svg, write_themed_svg
from metier.exports._scales import PAPER, find_dark_colour

DRAWING = Drawing(
    40.0,
    30.0,
    (
        BoxShape(0, 0, 40, 10, "#fef3c7"),
        PathShape(((0, 0), (4, 4)), "#d1d5db"),
        PathShape(((0, 0), (4, 4), (0, 4)), "#6b7280", fill="#15803d"),
        LabelShape(2, 8, "<b>", colour="#1f2937"),
    ),
    "A & B",
)


def test_a_picture_has_a_ground_of_its_own_and_a_dark_colour_for_each_of_its_colours() -> None:
    svg = write_themed_svg(DRAWING)
    assert f'<rect x="0.0" y="0.0" width="40.0" height="30.0" fill="{PAPER}"/>' in svg
    used = set(re.findall(r'(?<=fill="|roke=")#[0-9a-f]{6}', svg.partition("</style>")[2]))
    assert used == {PAPER, "#fef3c7", "#d1d5db", "#6b7280", "#15803d", "#1f2937"}
    assert all(f'[fill="{one}"]{{fill:{find_dark_colour(one)}}}' in svg for one in used)
    assert "prefers-color-scheme:dark" in svg


def test_a_drawing_on_paper_has_no_styles() -> None:
    assert "<style" not in write_svg(DRAWING)
    assert "<title>A &amp; B</title>" in write_svg(DRAWING)
