"""Colours are called what a person calls them; one between the known ones keeps its code."""

import pytest

from metier.language import Language
from metier.packs.office._look_text import describe_look
from metier.packs.office.ooxml import name_color


@pytest.mark.parametrize(
    ("text", "language", "named"),
    [
        ("FF0000", "zh", "红色"),
        ("#ff0000", "en", "red"),
        ("000000", "zh", "黑色"),
        ("1F3864", "en", "dark blue (#1F3864)"),
        ("1F3864", "zh", "深蓝色（#1F3864）"),
        ("D9D9D9", "zh", "浅灰色"),
        ("yellow", "zh", "黄色"),
        ("auto", "zh", "auto"),
    ],
)
def test_a_colour_has_a_name(text: str, language: Language, named: str) -> None:
    assert name_color(text, language) == named


def test_a_format_in_words_has_no_bare_code() -> None:
    shown = describe_look({"color": "FF0000", "fill_color": "FFF2CC", "highlight": "FFFF00"}, "zh")
    assert shown == "颜色 红色、底色 黄色、底色 浅黄色"
