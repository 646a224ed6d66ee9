import pytest

from metier.routing import Router
from tests.routing.support import PDF, PPTX, catalog, skill

COFFEE = skill("coffee", title="咖啡机", description="让咖啡机煮咖啡。", triggers=("咖啡机",), examples=("煮一杯咖啡",))
SKILLS = catalog(COFFEE, PPTX, PDF)
SMALL_TALK = {
    "zh": "今天早上下雨，大家到得都比较晚，走廊的窗户没有关，花都淋湿了。"
    "我们聊了几句周末的事，说到车站旁边新开的面包店味道不错。{}下午天气转晴，树叶落了一地，大家都下班得早，路上也不堵。",
    "en": "It rained all morning and most people came in late. We talked about the new bakery near the station, which "
    "nobody had tried. {} Then the sun came out and the leaves were on the ground. Everybody went home early that day.",
}


@pytest.mark.parametrize(
    ("language", "told", "about"),
    [
        pytest.param("zh", "后来电梯修好了，咖啡机也能用了。", "coffee", id="zh"),
        pytest.param("en", "Later the lift was repaired and the slide deck was shown.", "pptx", id="en"),
    ],
)
def test_a_sentence_that_asks_for_nothing_is_offered_and_never_taken(language: str, told: str, about: str) -> None:
    found = Router().route(SMALL_TALK[language].format(told), catalog=SKILLS)
    assert (found.verdict, found.skill) == ("suggest", about)


@pytest.mark.parametrize(
    ("language", "asked", "wanted"),
    [
        pytest.param("zh", "帮我打开咖啡机。", "coffee", id="zh"),
        pytest.param("en", "Please make a slide deck.", "pptx", id="en"),
    ],
)
def test_a_sentence_that_asks_is_still_taken(language: str, asked: str, wanted: str) -> None:
    found = Router().route(SMALL_TALK[language].format(asked), catalog=SKILLS)
    assert (found.verdict, found.skill) == ("auto", wanted)
