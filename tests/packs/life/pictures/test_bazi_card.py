"""The bazi card can be read on a phone, where it is about half as wide as it is drawn."""

import pytest

from metier.exports import LabelShape
from metier.language import Language
from metier.packs.life._chart_figures import draw_births
from metier.packs.life.bazi import compute_bazi
from metier.packs.life.pictures import draw_bazi, list_notes

PHONE = 340.0  # of a screen of 390


@pytest.mark.parametrize("language", ["zh", "en"])
def test_no_print_is_smaller_than_eight_pixels_on_a_phone_or_leaves_the_card(language: Language) -> None:
    small, outside = set(), set()
    for moment in draw_births(12, 3):
        chart = compute_bazi(moment)
        drawing = draw_bazi(chart, language, list_notes(chart, language))
        for one in drawing.shapes:
            if not isinstance(one, LabelShape):
                continue
            small |= {(one.text, one.size)} if one.size * PHONE / drawing.width < 7.9 else set()
            wide = sum(one.size if ord(letter) > 0x2E7F else one.size * 0.56 for letter in one.text)
            start = one.x - (wide / 2 if one.anchor == "middle" else 0)
            outside |= {one.text} if start < 0 or start + wide > drawing.width else set()
    assert (small, outside) == (set(), set())
