"""The Sun sign of a day is computed and answered yes or no; other questions about signs are left to the chart."""

import pytest

from metier.agent.choice._own_data import asks_about_own_data
from metier.packs.life._sign_questions import asks_for_sign
from metier.packs.life.conversation._sun_signs import explain_sign


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("2026年11月23日是天蝎座吗", "不是。11月23日太阳在射手座"),
        ("2026年11月10日是天蝎座吗", "是的"),
        ("2026年3月25日是什麼星座", "白羊座"),
        ("2026年12月22日是摩羯座吗", "要看时辰"),
        ("2月30日是什么星座", "没有这一天"),
    ],
)
def test_a_day_is_told_its_sign(message: str, words: str) -> None:
    assert asks_for_sign(message)
    assert words in explain_sign(message, "zh")


def test_a_day_is_told_its_sign_in_english() -> None:
    assert explain_sign("Is November 23, 2026 a Scorpio?", "en").startswith(
        "No: on November 23 the Sun is in Sagittarius"
    )
    assert "Taurus" in explain_sign("which sign is 2 May 2026?", "en")


@pytest.mark.parametrize(
    "message",
    ["11月23日的星座运势", "帮我排星盘，1990年6月15日", "天蝎座是什么意思", "meet me on 2 May", "my chart for 2 May"],
)
def test_other_messages_ask_for_no_sign(message: str) -> None:
    assert not asks_for_sign(message)


@pytest.mark.parametrize(
    "message",
    ["你记得我的生日吗", "你知道我的名字吗", "do you remember my birthday?", "do you still have my birth data?"],
)
def test_whether_something_is_remembered_is_a_question_for_ones_own_data(message: str) -> None:
    assert asks_about_own_data(message)
