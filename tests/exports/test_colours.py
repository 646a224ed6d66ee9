"""A colour on a dark ground stands out from it as it did from white paper."""

import pytest

from metier.exports._scales import DARK_PAPER, PAPER, find_dark_colour, measure_contrast

COLOURS = ("#1f2937", "#6b7280", "#d1d5db", "#15803d", "#b91c1c", "#a16207", "#1d4ed8", "#fef3c7", "#f0f0f0", "#444444")


@pytest.mark.parametrize("colour", COLOURS)
def test_a_colour_is_as_far_from_the_dark_ground_as_from_white_paper(colour: str) -> None:
    dark = find_dark_colour(colour)
    assert measure_contrast(dark, DARK_PAPER) == pytest.approx(measure_contrast(colour, PAPER), rel=0.06)


def test_black_becomes_the_lightest_and_paper_the_dark_ground() -> None:
    assert (find_dark_colour("#000000"), find_dark_colour(PAPER)) == ("#ffffff", DARK_PAPER)
