"""Terms and cards that the pack explains from its own documents."""

import re

import pytest

from metier.packs.life.conversation._terms import explain_term

HAN = re.compile("[\u4e00-\u9fff]")


@pytest.mark.parametrize(
    ("language", "named"),
    [
        (
            "en",
            "the Tower card,reversals,RIASEC,a day master,ten gods,luck pillars,true solar time,rising sign,retrograde"
            ",if-then plans,bazi",
        ),
        ("zh", "高塔牌,逆位,霍兰德代码,日主,十神,大运,真太阳时,上升星座,逆行,如果就计划,八字"),
    ],
)
def test_what_a_term_that_is_missing_offers_instead_is_explained(language: str, named: str) -> None:
    asked = "what is {}?" if language == "en" else "{}是什么意思"
    told = {one: explain_term(asked.format(one)) for one in named.split(",")}
    assert [one for one, found in told.items() if not found["found"]] == []
    answers = [str(found["answer"]) for found in told.values()]
    assert [one for one in answers if "#" in one] == [], "a source is a title and a heading, no id"
    if language == "en":
        assert [one for one in answers if HAN.search(one)] == []
