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


CHATS = {
    "zh": "[09:12] 小山：咖啡机煮一杯咖啡吧，早上下雨，路上堵了一个小时，花都淋湿了。\n"
    "[09:21] 阿路：得给婷婷买张卡片，她周五走，要不要凑钱买花？\n"
    "[09:25] 我：{}\n[09:27] 小山：对了今晚球赛几点？帮我占个座，再来一杯咖啡。",
    "en": "[09:12] Sam: please make a slide deck for the football club, and who moved my chair from the corner?\n"
    "[09:21] Lou: we need a card for Tessa, she leaves on Friday. Should we collect money for flowers from all of us?\n"
    "[09:25] Me: {}\n[09:27] Sam: also, what time is the match tonight? Could you save me a seat near the door?",
}


@pytest.mark.parametrize(
    ("language", "asked", "wanted"),
    [
        pytest.param("zh", "把这几页合并成一个PDF", "pdf", id="zh"),
        pytest.param("en", "merge these pages into one pdf", "pdf", id="en"),
    ],
)
def test_in_a_chat_the_own_request_is_taken_and_not_what_another_asks(language: str, asked: str, wanted: str) -> None:
    found = Router().route(CHATS[language].format(asked), catalog=SKILLS)
    assert found.skill == wanted, found.notes


@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_another_asks_in_a_chat_is_never_taken_unasked(language: str) -> None:
    own = {"zh": "早，昨晚没睡好", "en": "morning, I slept badly"}[language]
    assert Router().route(CHATS[language].format(own), catalog=SKILLS).verdict != "auto"
